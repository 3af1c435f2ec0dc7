//! The macros of the language: `event!`, `call!`, `accept!`, `select!`,
//! `choose!`, `wait!`, `atomic!`, `any!` and `int!`.
//!
//! Each is parsed in two steps: first to syn's types, which can fail, then by
//! their conversion, which reports errors and continues.

use super::Parser;
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{
    Accept, Alternative, Argument, Binder, Choice, Expr, ExprKind, Range, RangeKind, Target,
};
use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Ident, Token, bracketed, parenthesized, token};

mod keyword {
    syn::custom_keyword!(when);
    syn::custom_keyword!(terminate);
}

/// The macros of the language.
const MACROS: [&str; 10] =
    ["any", "event", "call", "accept", "wait", "select", "choose", "atomic", "matches", "int"];

/// Macros of Rust's library that change no variable: printing and checking.
const READING: [&str; 25] = [
    "print",
    "println",
    "eprint",
    "eprintln",
    "dbg",
    "format",
    "format_args",
    "concat",
    "stringify",
    "line",
    "file",
    "column",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "unreachable",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
];

impl Parser {
    pub(super) fn macro_kind(&mut self, mac: syn::Macro, span: Span) -> ExprKind {
        let name = mac.path.get_ident().map(Ident::to_string).unwrap_or_default();
        let tokens = mac.tokens;
        match name.as_str() {
            "any" if tokens.is_empty() => ExprKind::Any,
            "any" => {
                self.error("task-syntax", span, "`any!` takes no arguments");
                ExprKind::Any
            }
            "event" => {
                self.read(tokens, span, RawTarget::parse).map_or(ExprKind::Error, |raw| self.event(raw))
            }
            "call" => {
                self.read(tokens, span, RawTarget::parse).map_or(ExprKind::Error, |raw| self.entry_call(raw))
            }
            "accept" => {
                self.read(tokens, span, RawAccept::parse).map_or(ExprKind::Error, |raw| self.accept(raw))
            }
            "wait" => match self.read(tokens, span, syn::Expr::parse) {
                Some(condition) => ExprKind::Wait(Box::new(self.expr(condition))),
                None => ExprKind::Error,
            },
            "atomic" => match self.read(tokens, span, syn::Block::parse_within) {
                Some(stmts) => {
                    let brace_token = token::Brace { span: *mac.delimiter.span() };
                    ExprKind::Atomic(self.block(syn::Block { brace_token, stmts }))
                }
                None => ExprKind::Error,
            },
            "select" => match self.read(tokens, span, many::<RawAlternative>) {
                Some(all) => self.select(all),
                None => ExprKind::Error,
            },
            "choose" => match self.read(tokens, span, many::<RawChoice>) {
                Some(all) => ExprKind::Choose(all.into_iter().map(|raw| self.choice(raw)).collect()),
                None => ExprKind::Error,
            },
            "matches" => match self.read(tokens, span, RawMatches::parse) {
                Some(raw) => {
                    let value = Box::new(self.subject(raw.value));
                    ExprKind::Matches(value, Box::new(self.pattern(raw.pattern)))
                }
                None => ExprKind::Error,
            },
            _ => self.other_macro(&mac.path, tokens),
        }
    }

    /// Converts a macro of Rust. One that only reads is left out, but its
    /// arguments may call functions of the model. Any other could do anything.
    fn other_macro(&mut self, path: &syn::Path, tokens: TokenStream) -> ExprKind {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !READING.contains(&name.as_str()) {
            let message = format!("`{name}!` is not supported: it could change variables or be an event");
            let help = did_you_mean(&name, MACROS)
                .unwrap_or_else(|| "write the statements it expands to".to_string());
            let span = self.span(path.span());
            self.diagnostics.push(Diagnostic::error("task-unknown", span, message).with_help(help));
            return ExprKind::Error;
        }
        let args = Punctuated::<syn::Expr, Token![,]>::parse_terminated.parse2(tokens);
        let args = args.map(|args| args.into_iter().collect()).unwrap_or_else(|_| Vec::new());
        let parts = args.into_iter().map(|arg| self.expr(arg)).collect();
        ExprKind::Opaque { what: format!("`{name}!`"), parts }
    }

    /// Parses the binders of `#[task(…)]`.
    pub(super) fn binders(&mut self, tokens: TokenStream, place: proc_macro2::Span) -> Vec<Binder> {
        let place = self.span(place);
        let parse = Punctuated::<RawBinder, Token![,]>::parse_terminated;
        let raw = self.read(tokens, place, parse);
        raw.into_iter().flatten().map(|raw| self.binder(raw)).collect()
    }

    /// Parses the range of `int!(…)`.
    pub(super) fn range_tokens(&mut self, tokens: TokenStream, span: Span) -> Range {
        match self.read(tokens, span, syn::Expr::parse) {
            Some(expr) => self.range(expr),
            None => Range { kind: RangeKind::Error, span },
        }
    }

    fn read<T>(
        &mut self,
        tokens: TokenStream,
        place: Span,
        parse: impl FnOnce(ParseStream) -> syn::Result<T>,
    ) -> Option<T> {
        match parse.parse2(tokens) {
            Ok(raw) => Some(raw),
            Err(error) => {
                let mut span = self.span(error.span());
                // An error about something missing at the end has the span of the macro.
                if span.start < place.start || place.end < span.end || span.start == span.end {
                    span = place;
                }
                self.error("task-syntax", span, error.to_string());
                None
            }
        }
    }

    fn event(&mut self, raw: RawTarget) -> ExprKind {
        let target = self.target(raw);
        if let Some((task, _)) = &target.task {
            let span = task.span.to(target.name.span);
            self.error("task-syntax", span, "the name of an event cannot contain a dot");
            return ExprKind::Error;
        }
        match self.only_values(&target, "event!") {
            true => ExprKind::Event(Box::new(target)),
            false => ExprKind::Error,
        }
    }

    fn entry_call(&mut self, raw: RawTarget) -> ExprKind {
        let target = self.target(raw);
        if target.task.is_none() {
            let diagnostic = crate::diag::Diagnostic::error(
                "task-syntax",
                target.span,
                "`call!` needs the name of the task that accepts the entry",
            )
            .with_help(format!("write `call!(task.{}…)`", target.name.text));
            self.diagnostics.push(diagnostic);
            return ExprKind::Error;
        }
        match self.only_values(&target, "call!") {
            true => ExprKind::CallEntry(Box::new(target)),
            false => ExprKind::Error,
        }
    }

    fn only_values(&mut self, target: &Target, who: &str) -> bool {
        let mut all = target.indices.iter().chain(&target.args);
        let Some(Argument::Each(binder)) = all.find(|arg| matches!(arg, Argument::Each(_))) else {
            return true;
        };
        let message =
            format!("`{who}` takes values; only `accept!` takes ranges such as `{} in …`", binder.name.text);
        self.error("task-syntax", binder.name.span.to(binder.range.span), message);
        false
    }

    fn accept(&mut self, raw: RawAccept) -> ExprKind {
        let body = raw.body.map(|body| self.block_of(body));
        let target = self.target(raw.target);
        if let Some((task, _)) = &target.task {
            let span = task.span;
            self.error(
                "task-syntax",
                span,
                "`accept!` takes an entry of its own task: remove the name of the task",
            );
            return ExprKind::Error;
        }
        self.accepts.push(target.name.text.clone());
        ExprKind::Accept(Box::new(Accept { target, body }))
    }

    /// Converts a `select!`. One wrong alternative makes all of it an error,
    /// since a part of it would lead to misleading messages.
    fn select(&mut self, all: Vec<RawAlternative>) -> ExprKind {
        let alternatives: Vec<Option<Alternative>> =
            all.into_iter().map(|raw| self.alternative(raw)).collect();
        alternatives.into_iter().collect::<Option<_>>().map_or(ExprKind::Error, ExprKind::Select)
    }

    fn alternative(&mut self, raw: RawAlternative) -> Option<Alternative> {
        match raw {
            RawAlternative::Terminate(place) => Some(Alternative::Terminate(self.span(place))),
            RawAlternative::Otherwise(block) => Some(Alternative::Otherwise(self.block_of(block))),
            RawAlternative::Rendezvous { binders, guard, rendezvous, then } => {
                let binders = binders.into_iter().map(|raw| self.binder(raw)).collect();
                let guard = guard.map(|guard| self.expr(*guard));
                let rendezvous = self.expr(*rendezvous);
                let then = then.map(|then| self.block_of(*then));
                match rendezvous.kind {
                    ExprKind::Accept(_) | ExprKind::CallEntry(_) => Some(Alternative::Rendezvous {
                        binders,
                        guard,
                        rendezvous: Box::new(rendezvous),
                        then,
                    }),
                    ExprKind::Error => None,
                    _ => {
                        let message = "an alternative of `select!` must begin with `accept!` or `call!`";
                        self.error("task-syntax", rendezvous.span, message);
                        None
                    }
                }
            }
        }
    }

    fn choice(&mut self, raw: RawChoice) -> Choice {
        let binders = raw.binders.into_iter().map(|raw| self.binder(raw)).collect();
        Choice { binders, block: self.block_of(raw.block) }
    }

    fn binder(&mut self, raw: RawBinder) -> Binder {
        Binder { name: self.name(&raw.name), range: self.range(raw.range) }
    }

    fn target(&mut self, raw: RawTarget) -> Target {
        let span = self.span(raw.first.span()).to(self.span(raw.end));
        match raw.entry {
            Some((entry, indices)) => {
                let task = Some((self.name(&raw.first), self.values(raw.indices)));
                let (indices, args) = (self.arguments(indices), self.arguments(raw.args));
                Target { task, name: self.name(&entry), indices, args, span }
            }
            None => {
                let (indices, args) = (self.arguments(raw.indices), self.arguments(raw.args));
                Target { task: None, name: self.name(&raw.first), indices, args, span }
            }
        }
    }

    fn arguments(&mut self, raw: Vec<RawArgument>) -> Vec<Argument> {
        let mut convert = |raw| match raw {
            RawArgument::Value(value) => Argument::Value(self.expr(value)),
            RawArgument::Each(binder) => Argument::Each(self.binder(binder)),
        };
        raw.into_iter().map(&mut convert).collect()
    }

    fn values(&mut self, raw: Vec<RawArgument>) -> Vec<Expr> {
        let mut values = Vec::new();
        for argument in self.arguments(raw) {
            match argument {
                Argument::Value(value) => values.push(value),
                Argument::Each(binder) => {
                    self.error("task-syntax", binder.name.span, "the index of a task must be a value");
                }
            }
        }
        values
    }
}

/// `name[i].entry[j](args)`
struct RawTarget {
    first: Ident,
    indices: Vec<RawArgument>,
    entry: Option<(Ident, Vec<RawArgument>)>,
    args: Vec<RawArgument>,
    end: proc_macro2::Span,
}

enum RawArgument {
    Value(syn::Expr),
    Each(RawBinder),
}

struct RawBinder {
    name: Ident,
    range: syn::Expr,
}

struct RawAccept {
    target: RawTarget,
    body: Option<syn::Expr>,
}

enum RawAlternative {
    Rendezvous {
        binders: Vec<RawBinder>,
        guard: Option<Box<syn::Expr>>,
        rendezvous: Box<syn::Expr>,
        then: Option<Box<syn::Expr>>,
    },
    Otherwise(syn::Expr),
    Terminate(proc_macro2::Span),
}

struct RawChoice {
    binders: Vec<RawBinder>,
    block: syn::Expr,
}

struct RawMatches {
    value: syn::Expr,
    pattern: syn::Pat,
}

impl Parse for RawTarget {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let first: Ident = input.parse()?;
        let mut end = first.span();
        let indices = indices(input, &mut end)?;
        let entry = if input.parse::<Option<Token![.]>>()?.is_some() {
            let entry: Ident = input.parse()?;
            end = entry.span();
            let indices = self::indices(input, &mut end)?;
            Some((entry, indices))
        } else {
            None
        };
        let mut args = Vec::new();
        if input.peek(token::Paren) {
            let content;
            end = parenthesized!(content in input).span.close();
            args = Punctuated::<RawArgument, Token![,]>::parse_terminated(&content)?.into_iter().collect();
        }
        Ok(Self { first, indices, entry, args, end })
    }
}

fn indices(input: ParseStream, end: &mut proc_macro2::Span) -> syn::Result<Vec<RawArgument>> {
    let mut indices = Vec::new();
    while input.peek(token::Bracket) {
        let content;
        *end = bracketed!(content in input).span.close();
        indices.push(content.parse()?);
        if !content.is_empty() {
            return Err(content.error("expected one index per pair of brackets"));
        }
    }
    Ok(indices)
}

impl Parse for RawArgument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if is_binder(input) { input.parse().map(Self::Each) } else { input.parse().map(Self::Value) }
    }
}

impl Parse for RawBinder {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![in]>()?;
        Ok(Self { name, range: input.parse()? })
    }
}

impl Parse for RawAccept {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        Ok(Self { target: input.parse()?, body: after_arrow(input)? })
    }
}

impl Parse for RawAlternative {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(keyword::terminate) {
            return Ok(Self::Terminate(input.parse::<keyword::terminate>()?.span));
        }
        if input.peek(Token![else]) {
            input.parse::<Token![else]>()?;
            input.parse::<Token![=>]>()?;
            return Ok(Self::Otherwise(block(input)?));
        }
        let binders = binders(input)?;
        let guard = if input.peek(keyword::when) {
            input.parse::<keyword::when>()?;
            let guard = input.parse()?;
            input.parse::<Token![=>]>()?;
            Some(Box::new(guard))
        } else {
            None
        };
        let mac: syn::Macro = input.parse()?;
        let rendezvous = Box::new(syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac }));
        Ok(Self::Rendezvous { binders, guard, rendezvous, then: after_arrow(input)?.map(Box::new) })
    }
}

impl Parse for RawChoice {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        Ok(Self { binders: binders(input)?, block: block(input)? })
    }
}

impl Parse for RawMatches {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { value, pattern })
    }
}

/// Parses alternatives up to the end; commas between them are optional.
fn many<T: Parse>(input: ParseStream) -> syn::Result<Vec<T>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        all.push(input.parse()?);
        while input.parse::<Option<Token![,]>>()?.is_some() {}
    }
    Ok(all)
}

fn is_binder(input: ParseStream) -> bool {
    input.peek(Ident) && input.peek2(Token![in])
}

/// Parses `i in RANGE, j in RANGE =>`, or nothing.
fn binders(input: ParseStream) -> syn::Result<Vec<RawBinder>> {
    let mut binders = Vec::new();
    while is_binder(input) {
        binders.push(input.parse()?);
        input.parse::<Option<Token![,]>>()?;
    }
    if !binders.is_empty() {
        input.parse::<Token![=>]>()?;
    }
    Ok(binders)
}

fn after_arrow(input: ParseStream) -> syn::Result<Option<syn::Expr>> {
    match input.parse::<Option<Token![=>]>>()? {
        Some(_) if input.peek(token::Brace) => block(input).map(Some),
        Some(_) => input.parse().map(Some),
        None => Ok(None),
    }
}

/// Parses exactly `{ … }`, whatever follows it.
fn block(input: ParseStream) -> syn::Result<syn::Expr> {
    let block: syn::Block = input.parse()?;
    Ok(syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block }))
}
