//! Macros and their expansion.
//!
//! A token remembers the macros that made it, and none of them is expanded
//! in it again: expansion ends for every set of definitions. It may still be
//! long, so tokens are counted.

use super::super::limits;
use super::super::token::{Kind, Mark, Report, Token, UseId, UseKind, count};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// The macros of a model, such as `#define p (x > 0)`.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    by_name: HashMap<Arc<str>, Macro>,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Names of the parameters; `None` if it is used without brackets.
    pub parameters: Option<Vec<Arc<str>>>,
    /// Whether the last parameter takes all remaining arguments.
    pub is_variadic: bool,
    /// Replacement tokens.
    pub body: Vec<Token>,
    /// Position of the name in the definition.
    pub span: Span,
}

impl Macros {
    pub(crate) fn get(&self, name: &str) -> Option<&Macro> {
        self.by_name.get(name)
    }

    pub(crate) fn insert(&mut self, name: Arc<str>, definition: Macro) {
        self.by_name.insert(name, definition);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    /// Replaces every macro in `tokens`.
    pub(crate) fn expand(&self, tokens: Vec<Token>, report: &mut Report) -> Vec<Token> {
        Expansion { macros: self, report, nesting: 0, is_open: false }.expand(tokens)
    }
}

/// A use of a macro with its arguments.
struct Filling<'a> {
    definition: &'a Macro,
    /// Unexpanded arguments, for `#` and `##`.
    arguments: &'a [Vec<Token>],
    /// With their own macros replaced.
    expanded: Vec<Vec<Token>>,
    used: UseId,
}

impl Filling<'_> {
    /// Which parameter a token of the body names.
    fn parameter(&self, token: &Token) -> Option<usize> {
        let parameters = self.definition.parameters.as_deref()?;
        parameters.iter().position(|name| token.kind == Kind::Name && *name == token.text)
    }
}

struct Expansion<'a> {
    macros: &'a Macros,
    report: &'a mut Report,
    nesting: usize,
    /// Arguments without an end were found: nothing is looked for any more.
    is_open: bool,
}

impl<'a> Expansion<'a> {
    fn expand(&mut self, mut tokens: Vec<Token>) -> Vec<Token> {
        tokens.reverse();
        // The next token is the last one.
        let mut rest = tokens;
        let mut out = Vec::with_capacity(rest.len());
        while let Some(token) = rest.pop() {
            checkpoint();
            match self.definition_for(&token) {
                None => out.push(token),
                Some(definition) if definition.parameters.is_none() => {
                    let body = self.paste_all(definition, &[], &token);
                    self.put_back(&mut rest, body, &token);
                }
                Some(_) if !rest.last().is_some_and(|next| next.is("(")) => out.push(token),
                Some(definition) => match self.arguments(definition, &token, &mut rest) {
                    Some(arguments) => {
                        let body = self.paste_all(definition, &arguments, &token);
                        self.put_back(&mut rest, body, &token);
                    }
                    None => out.push(token),
                },
            }
            if limits::TOKENS < self.report.made {
                self.too_much(out.last().map(|token| token.mark));
                return out;
            }
        }
        out
    }

    fn definition_for(&self, token: &Token) -> Option<&'a Macro> {
        let definition = self.macros.get(&token.text).filter(|_| token.kind == Kind::Name)?;
        let is_hidden = self
            .report
            .chain(token.mark.from)
            .any(|(_, used)| used.kind != UseKind::Inline && used.name == token.text);
        (!is_hidden).then_some(definition)
    }

    fn put_back(&mut self, rest: &mut Vec<Token>, mut body: Vec<Token>, call: &Token) {
        self.report.made += body.len() + 1;
        if let Some(first) = body.first_mut() {
            first.starts_line = call.starts_line;
            first.spaced = call.spaced;
        } else if let Some(next) = rest.last_mut() {
            next.starts_line |= call.starts_line;
        }
        rest.extend(body.into_iter().rev());
    }

    /// Takes `( … )` from `rest`, cut at commas.
    fn arguments(
        &mut self,
        definition: &Macro,
        call: &Token,
        rest: &mut Vec<Token>,
    ) -> Option<Vec<Vec<Token>>> {
        let end = if self.is_open { None } else { closing(rest) };
        let Some(end) = end else {
            self.is_open = true;
            self.error(call.mark, format!("the arguments of `{}` have no closing parenthesis", call.text));
            return None;
        };
        let inner = rest.split_off(end + 1);
        rest.pop();
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = cut(inner, definition.is_variadic.then_some(parameters));
        if parameters == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.is_variadic && arguments.len() + 1 == parameters {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters {
            let found = arguments.len();
            let message =
                format!("macro `{}` takes {}, not {found}", call.text, count(parameters, "argument"));
            let diagnostic = Diagnostic::error("promela-macro", call.mark.span, message)
                .with_related(definition.span, "defined here");
            self.report.push(call.mark, diagnostic);
            arguments.resize(parameters, Vec::new());
        }
        Some(arguments)
    }

    /// The body with arguments in the place of parameters.
    fn paste_all(&mut self, definition: &Macro, arguments: &[Vec<Token>], call: &Token) -> Vec<Token> {
        let used = self.report.add_use(&call.text, call.mark, UseKind::Macro);
        let expanded = arguments.iter().map(|argument| self.argument(argument, call)).collect();
        let filling = Filling { definition, arguments, expanded, used };
        let mut out: Vec<Token> = Vec::new();
        let mut index = 0;
        while index < definition.body.len() {
            index += self.piece(&filling, index, &mut out);
            // Bodies may repeat long arguments.
            self.report.made += 1;
            if limits::TOKENS < self.report.made + out.len() {
                self.report.made += out.len();
                break;
            }
        }
        for token in &mut out {
            token.starts_line = false;
        }
        out
    }

    /// Appends the piece at `index` of a body and returns its number of tokens.
    fn piece(&mut self, filling: &Filling, index: usize, out: &mut Vec<Token>) -> usize {
        let body = &filling.definition.body;
        let token = &body[index];
        let next = body.get(index + 1);
        let parameter = next.and_then(|next| filling.parameter(next));
        if token.is("##")
            && !out.is_empty()
            && let Some(next) = next
        {
            let right = match parameter {
                Some(parameter) => filling.arguments[parameter].clone(),
                None => vec![self.from(next, filling.used)],
            };
            self.paste(out, right);
            return 2;
        }
        if token.is("#")
            && let Some(parameter) = parameter
        {
            out.push(quote(&filling.arguments[parameter], token, filling.used));
            return 2;
        }
        match filling.parameter(token) {
            Some(parameter) if next.is_some_and(|next| next.is("##")) => {
                out.extend(filling.arguments[parameter].iter().cloned());
            }
            Some(parameter) => out.extend(filling.expanded[parameter].iter().cloned()),
            None => out.push(self.from(token, filling.used)),
        }
        1
    }

    /// A token of a body, marked as coming from `used`.
    fn from(&self, token: &Token, used: UseId) -> Token {
        Token { mark: Mark { span: token.mark.span, from: Some(used) }, ..token.clone() }
    }

    /// An argument expanded on its own, its tokens closed to the macro that
    /// takes it.
    fn argument(&mut self, argument: &[Token], call: &Token) -> Vec<Token> {
        if limits::MACRO_NESTING <= self.nesting {
            self.error(call.mark, "macro calls are nested too deeply in macro arguments".to_string());
            return Vec::new();
        }
        self.nesting += 1;
        let mut expanded = self.expand(argument.to_vec());
        self.nesting -= 1;
        let mut uses: Vec<(Option<UseId>, UseId)> = Vec::new();
        for token in &mut expanded {
            let from = token.mark.from;
            let known = uses.iter().find(|(known, _)| *known == from).map(|(_, used)| *used);
            let used = known.unwrap_or_else(|| {
                let mark = Mark { span: call.mark.span, from };
                let used = self.report.add_use(&call.text, mark, UseKind::Argument);
                uses.push((from, used));
                used
            });
            token.mark.from = Some(used);
        }
        expanded
    }

    /// Joins the last token of `out` with the first of `right`.
    fn paste(&mut self, out: &mut Vec<Token>, right: Vec<Token>) {
        let mut right = right.into_iter();
        if let (Some(last), Some(first)) = (out.last_mut(), right.next()) {
            let text = format!("{}{}", last.text, first.text);
            let tokens = super::super::lex::lex(last.mark.span.source, &text);
            match tokens.as_slice() {
                [one] if !matches!(one.kind, Kind::Bad(_)) => {
                    last.kind = one.kind;
                    last.text = one.text.clone();
                }
                _ => {
                    let mark = last.mark;
                    self.error(mark, format!("`##` produces `{text}`, which is not a valid token"));
                }
            }
        }
        out.extend(right);
    }

    fn error(&mut self, mark: Mark, message: String) {
        self.report.error("promela-macro", mark, message);
    }

    fn too_much(&mut self, mark: Option<Mark>) {
        if self.report.diagnostics.iter().any(|diagnostic| diagnostic.code == "promela-limit") {
            return;
        }
        let message = format!("macros and inlines expand to more than {} tokens", limits::TOKENS);
        self.report.error("promela-limit", mark.unwrap_or_default(), message);
    }
}

/// The position of the bracket that closes the one on top of `rest`, which is
/// in reverse order.
fn closing(rest: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in rest.iter().enumerate().rev() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// Cuts reversed tokens, the opening bracket last, at commas outside of
/// brackets; what goes beyond `most` pieces stays together.
fn cut(inner: Vec<Token>, most: Option<usize>) -> Vec<Vec<Token>> {
    let mut pieces = vec![Vec::new()];
    let mut depth = 0usize;
    for token in inner.into_iter().rev().skip(1) {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        }
        let may_cut = most.is_none_or(|most| pieces.len() < most);
        match depth == 0 && token.is(",") && may_cut {
            true => pieces.push(Vec::new()),
            false => pieces.last_mut().expect("there is a first piece").push(token),
        }
    }
    pieces
}

/// `#parameter`: the argument as a text.
fn quote(argument: &[Token], hash: &Token, used: UseId) -> Token {
    let mut text = String::from("\"");
    for (index, token) in argument.iter().enumerate() {
        if 0 < index && token.spaced {
            text.push(' ');
        }
        match token.kind {
            Kind::Text => text.push_str(&token.text.replace('\\', "\\\\").replace('"', "\\\"")),
            _ => text.push_str(&token.text),
        }
    }
    text.push('"');
    let mark = Mark { span: hash.mark.span, from: Some(used) };
    Token { kind: Kind::Text, text: Arc::from(text), mark, ..hash.clone() }
}
