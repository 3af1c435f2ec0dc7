//! Macros and their expansion.
//!
//! A token records the macros that produced it, and they are not expanded in it
//! again, so expansion always terminates. It may still be long, so the number
//! of tokens is limited.

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

/// The definition of a macro.
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
        Expansion { macros: self, report, nesting: 0, is_unclosed: false }.expand(tokens)
    }
}

/// A use of a macro with its arguments.
struct MacroCall<'a> {
    definition: &'a Macro,
    /// Unexpanded arguments, for `#` and `##`.
    arguments: &'a [Vec<Token>],
    /// Expanded arguments.
    expanded: Vec<Vec<Token>>,
    used: UseId,
}

impl MacroCall<'_> {
    /// Returns the index of the parameter that a token of the body names.
    fn parameter(&self, token: &Token) -> Option<usize> {
        let parameters = self.definition.parameters.as_deref()?;
        parameters.iter().position(|name| token.kind == Kind::Name && *name == token.text)
    }
}

struct Expansion<'a> {
    macros: &'a Macros,
    report: &'a mut Report,
    nesting: usize,
    /// Whether a call has no closing bracket; none is searched for after that.
    is_unclosed: bool,
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
            if limits::TOKENS < self.report.n_expanded {
                self.too_many_tokens(out.last().map(|token| token.mark));
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
        self.report.n_expanded += body.len() + 1;
        if let Some(first) = body.first_mut() {
            first.starts_line = call.starts_line;
            first.spaced = call.spaced;
        } else if let Some(next) = rest.last_mut() {
            next.starts_line |= call.starts_line;
        }
        rest.extend(body.into_iter().rev());
    }

    /// Removes `( … )` from `rest` and splits it at commas.
    fn arguments(
        &mut self,
        definition: &Macro,
        call: &Token,
        rest: &mut Vec<Token>,
    ) -> Option<Vec<Vec<Token>>> {
        let end = if self.is_unclosed { None } else { closing(rest) };
        let Some(end) = end else {
            self.is_unclosed = true;
            self.error(call.mark, format!("the arguments of `{}` have no closing parenthesis", call.text));
            return None;
        };
        let inner = rest.split_off(end + 1);
        rest.pop();
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = split_at_commas(inner, definition.is_variadic.then_some(parameters));
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

    /// Returns the body with parameters replaced by arguments.
    fn paste_all(&mut self, definition: &Macro, arguments: &[Vec<Token>], call: &Token) -> Vec<Token> {
        let used = self.report.add_use(&call.text, call.mark, UseKind::Macro);
        let expanded = arguments.iter().map(|argument| self.argument(argument, call)).collect();
        let macro_call = MacroCall { definition, arguments, expanded, used };
        let mut out: Vec<Token> = Vec::new();
        let mut index = 0;
        while index < definition.body.len() {
            index += self.piece(&macro_call, index, &mut out);
            // A body can repeat long arguments.
            self.report.n_expanded += 1;
            if limits::TOKENS < self.report.n_expanded + out.len() {
                self.report.n_expanded += out.len();
                break;
            }
        }
        for token in &mut out {
            token.starts_line = false;
        }
        out
    }

    /// Appends the piece at `index` of a body and returns its number of tokens.
    fn piece(&mut self, macro_call: &MacroCall, index: usize, out: &mut Vec<Token>) -> usize {
        let body = &macro_call.definition.body;
        let token = &body[index];
        let next = body.get(index + 1);
        let parameter = next.and_then(|next| macro_call.parameter(next));
        if token.is("##")
            && !out.is_empty()
            && let Some(next) = next
        {
            let right = match parameter {
                Some(parameter) => macro_call.arguments[parameter].clone(),
                None => vec![self.from(next, macro_call.used)],
            };
            self.paste(out, right);
            return 2;
        }
        if token.is("#")
            && let Some(parameter) = parameter
        {
            out.push(quote(&macro_call.arguments[parameter], token, macro_call.used));
            return 2;
        }
        match macro_call.parameter(token) {
            Some(parameter) if next.is_some_and(|next| next.is("##")) => {
                out.extend(macro_call.arguments[parameter].iter().cloned());
            }
            Some(parameter) => out.extend(macro_call.expanded[parameter].iter().cloned()),
            None => out.push(self.from(token, macro_call.used)),
        }
        1
    }

    /// Returns a token of a body, marked as coming from `used`.
    fn from(&self, token: &Token, used: UseId) -> Token {
        Token { mark: Mark { span: token.mark.span, from: Some(used) }, ..token.clone() }
    }

    /// Expands an argument separately. The macro that receives it is not
    /// expanded in its tokens again.
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

    fn too_many_tokens(&mut self, mark: Option<Mark>) {
        if self.report.diagnostics.iter().any(|diagnostic| diagnostic.code == "promela-limit") {
            return;
        }
        let message = format!("macros and inlines expand to more than {} tokens", limits::TOKENS);
        self.report.error("promela-limit", mark.unwrap_or_default(), message);
    }
}

/// Returns the index of the bracket that closes the last token of `rest`, which
/// is in reverse order.
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

/// Splits reversed tokens, the opening bracket last, at commas outside of
/// brackets into at max `max` pieces.
fn split_at_commas(inner: Vec<Token>, max: Option<usize>) -> Vec<Vec<Token>> {
    let mut pieces = vec![Vec::new()];
    let mut depth = 0usize;
    for token in inner.into_iter().rev().skip(1) {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        }
        let may_split = max.is_none_or(|max| pieces.len() < max);
        match depth == 0 && token.is(",") && may_split {
            true => pieces.push(Vec::new()),
            false => pieces.last_mut().expect("there is a first piece").push(token),
        }
    }
    pieces
}

/// Returns the string for `#parameter`: the text of the argument.
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
