//! Inlines: a body that replaces its call, token by token.

use super::super::ast::{Reference, Statement, StatementKind};
use super::super::limits;
use super::super::token::{Kind, Mark, Token, Use, UseKind, count};
use super::super::tree::BlockKind;
use super::{Failed, Parser, Read};
use crate::diag::{Diagnostic, Span};
use std::sync::Arc;

/// The definition of an inline.
pub struct Inline {
    parameters: Vec<Arc<str>>,
    /// Tokens of the body, including its braces.
    body: Vec<Token>,
    span: Span,
}

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Read<()> {
        self.next();
        let name = self.name("the name of an inline")?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            parameters.push(self.name("the name of a parameter")?.text);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        self.take(";");
        let body = self.body_tokens(&name.text)?;
        if let Some(known) = self.inlines.get(&name.text) {
            let message = format!("inline `{}` is defined twice", name.text);
            let diagnostic = Diagnostic::error("promela-redeclared", name.mark.span, message)
                .with_related(known.span, "first defined here");
            self.report.push(name.mark, diagnostic);
        }
        let inline = Inline { parameters, body, span: name.mark.span };
        self.inlines.insert(name.text, Arc::new(inline));
        Ok(())
    }

    fn body_tokens(&mut self, name: &str) -> Read<Vec<Token>> {
        if !self.at("{") {
            return self.unexpected("`{`");
        }
        let open = self.peek().mark;
        let mut body = Vec::new();
        let mut depth = 0usize;
        loop {
            if self.peek().kind == Kind::End {
                self.error(
                    "promela-syntax",
                    open,
                    format!("the body of inline `{name}` has no closing brace"),
                );
                return Err(Failed);
            }
            let token = self.next();
            depth += usize::from(token.is("{"));
            depth -= usize::from(token.is("}"));
            body.push(token);
            if depth == 0 {
                return Ok(body);
            }
        }
    }

    /// Returns whether the next token is the call of an inline.
    pub(super) fn at_inline_call(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.inlines.contains_key(&token.text) && self.peek_at(1).is("(")
    }

    /// Parses a call as the block of its body; `return` assigns to `result`.
    pub(super) fn inline_call(&mut self, result: Option<Reference>) -> Read<Statement> {
        let call = self.next();
        let inline = self.inlines[&call.text].clone();
        let arguments = self.call_arguments(&call)?;
        let closing = self.previous.clone();
        self.check_call(&call, &inline, arguments.len())?;
        self.splice(&call, &inline, &arguments)?;
        let mark = self.peek().mark;
        self.returns.push(result);
        let statements = self.braces("the inline");
        self.returns.pop();
        // The next statement follows the call, not the body.
        let brace = Token { text: Arc::from("}"), kind: Kind::Punct, ..closing };
        self.previous = brace;
        let kind = StatementKind::Block(BlockKind::Plain, statements?);
        Ok(Statement { labels: Vec::new(), kind, mark, text: None })
    }

    /// Parses `( tokens, tokens )`, split at commas outside of brackets.
    fn call_arguments(&mut self, call: &Token) -> Read<Vec<Vec<Token>>> {
        self.expect("(")?;
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            if token.kind == Kind::End {
                let message = format!("the call of inline `{}` has no closing parenthesis", call.text);
                self.error("promela-syntax", call.mark, message);
                return Err(Failed);
            }
            let token = self.next();
            if depth == 0 && token.is(")") {
                return Ok(arguments);
            }
            depth += usize::from(token.is("(") || token.is("["));
            depth = depth.saturating_sub(usize::from(token.is(")") || token.is("]")));
            if depth == 0 && token.is(",") {
                if arguments.is_empty() {
                    arguments.push(Vec::new());
                }
                arguments.push(Vec::new());
            } else {
                match arguments.last_mut() {
                    Some(argument) => argument.push(token),
                    None => arguments.push(vec![token]),
                }
            }
        }
    }

    fn check_call(&mut self, call: &Token, inline: &Inline, given: usize) -> Read<()> {
        let is_itself = |used: &Use| used.kind == UseKind::Inline && used.name == call.text;
        let is_recursive = self.report.chain(call.mark.from).any(|(_, used)| is_itself(used));
        if is_recursive {
            let message = format!("inline `{}` calls itself", call.text);
            let diagnostic = Diagnostic::error("promela-inline", call.mark.span, message)
                .with_related(inline.span, "defined here");
            self.report.push(call.mark, diagnostic);
            return Err(Failed);
        }
        let wanted = inline.parameters.len();
        if given != wanted {
            let message = format!("inline `{}` takes {}, not {given}", call.text, count(wanted, "argument"));
            let diagnostic = Diagnostic::error("promela-arguments", call.mark.span, message)
                .with_related(inline.span, "defined here");
            self.report.push(call.mark, diagnostic);
            return Err(Failed);
        }
        Ok(())
    }

    /// Inserts the body before the remaining tokens.
    fn splice(&mut self, call: &Token, inline: &Inline, arguments: &[Vec<Token>]) -> Read<()> {
        let used = self.report.add_use(&call.text, call.mark, UseKind::Inline);
        let mut tokens = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            let is_named = |parameter: &Arc<str>| token.kind == Kind::Name && *parameter == token.text;
            match inline.parameters.iter().position(is_named) {
                Some(parameter) => {
                    let first = tokens.len();
                    tokens.extend(arguments[parameter].iter().cloned());
                    if let Some(argument) = tokens.get_mut(first) {
                        argument.starts_line = token.starts_line;
                        argument.spaced = token.spaced;
                    }
                }
                None => {
                    // The position of the inline call explains more than that
                    // of a macro in the body.
                    let mark = Mark { span: token.mark.span, from: Some(used) };
                    tokens.push(Token { mark, ..token.clone() });
                }
            }
        }
        self.report.n_expanded += tokens.len();
        if limits::TOKENS < self.report.n_expanded {
            let message = format!("macros and inlines expand to more than {} tokens", limits::TOKENS);
            self.error("promela-limit", call.mark, message);
            self.give_up();
            return Err(Failed);
        }
        self.rest.extend(tokens.into_iter().rev());
        Ok(())
    }
}
