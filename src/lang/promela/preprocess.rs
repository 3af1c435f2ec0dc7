//! Directives: definitions, conditions, included files.
//!
//! The result is one list of tokens, as if the text had no directives.

mod condition;
mod expand;

use super::Load;
use super::lex::lex;
use super::limits;
use super::token::{Kind, Mark, Report, Token};
use crate::diag::{Diagnostic, SourceId, Sources, Span, did_you_mean};
use std::sync::Arc;

use expand::Macro;
pub use expand::Macros;

/// Directives of the language.
const DIRECTIVES: &[&str] = &[
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "warning",
    "line", "pragma", "ident",
];

/// Reads a text and everything it includes.
pub fn preprocess(
    source: SourceId,
    sources: &mut Sources,
    definitions: &[(String, String)],
    load: &mut Load,
    report: &mut Report,
) -> (Vec<Token>, Macros) {
    let mut run = Run {
        sources,
        load,
        report,
        macros: Macros::default(),
        pending: Vec::new(),
        out: Vec::new(),
        files: 0,
        depth: 0,
        folder: String::new(),
    };
    for (name, value) in definitions {
        run.predefine(name, value);
    }
    run.file(source);
    let end = run.sources.get(source).text.len();
    let mark = Mark { span: Span::new(source, end..end), from: None };
    let text = Arc::from("");
    run.out.push(Token { kind: Kind::End, text, mark, starts_line: true, spaced: true });
    (run.out, run.macros)
}

/// Returns the tokens of a text without directives.
pub fn expand_text(source: SourceId, text: &str, macros: &Macros, report: &mut Report) -> Vec<Token> {
    let mut tokens = macros.expand(lex(source, text), report);
    report_bad(&tokens, report);
    let mark = Mark { span: Span::new(source, text.len()..text.len()), from: None };
    tokens.push(Token { kind: Kind::End, text: Arc::from(""), mark, starts_line: true, spaced: true });
    tokens
}

struct Run<'a, 'b> {
    sources: &'a mut Sources,
    load: &'a mut Load<'b>,
    report: &'a mut Report,
    macros: Macros,
    /// Text since the last directive.
    pending: Vec<Token>,
    out: Vec<Token>,
    files: usize,
    depth: usize,
    /// Folder of the current file relative to the model: empty, or ending with
    /// `/`.
    folder: String,
}

/// Parameters of a macro.
struct Parameters {
    names: Vec<Arc<str>>,
    /// Whether the last one takes all remaining arguments.
    is_variadic: bool,
}

/// A condition that is not closed yet.
struct Condition {
    opened: Mark,
    /// Whether the surrounding text is active.
    outer: bool,
    /// Whether a branch has been taken.
    taken: bool,
    /// Whether the current branch is active.
    active: bool,
    has_else: bool,
}

impl Run<'_, '_> {
    fn file(&mut self, source: SourceId) {
        let tokens = lex(source, &self.sources.get(source).text);
        let mut conditions: Vec<Condition> = Vec::new();
        let mut rest = tokens.as_slice();
        while let Some(token) = rest.first() {
            if token.starts_line && token.is("#") {
                let length = 1 + rest[1..].iter().take_while(|token| !token.starts_line).count();
                let (line, after) = rest.split_at(length);
                rest = after;
                self.directive(line, &mut conditions);
            } else {
                if conditions.last().is_none_or(|condition| condition.active) {
                    self.pending.push(token.clone());
                }
                rest = &rest[1..];
            }
        }
        self.flush();
        if let Some(open) = conditions.last() {
            self.error("promela-directive", open.opened, "this condition has no `#endif`");
        }
    }

    /// Expands the macros in the text since the last directive and emits it.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        report_bad(&pending, self.report);
        let expanded = self.macros.expand(pending, self.report);
        self.out.extend(expanded);
    }

    fn directive(&mut self, line: &[Token], conditions: &mut Vec<Condition>) {
        let Some(word) = line.get(1) else { return };
        let arguments = &line[2..];
        match &*word.text {
            "if" | "ifdef" | "ifndef" => {
                let outer = conditions.last().is_none_or(|condition| condition.active);
                let active = outer && self.holds(word, arguments);
                let opened = word.mark;
                conditions.push(Condition { opened, outer, taken: active, active, has_else: false });
            }
            "elif" | "else" | "endif" => self.next_branch(word, arguments, conditions),
            _ if !conditions.last().is_none_or(|condition| condition.active) => {}
            _ => {
                self.flush();
                self.effect(word, arguments);
            }
        }
    }

    fn next_branch(&mut self, word: &Token, arguments: &[Token], conditions: &mut Vec<Condition>) {
        let Some(condition) = conditions.last_mut() else {
            let message = format!("`#{}` without `#if`", word.text);
            return self.error("promela-directive", word.mark, message);
        };
        if word.is("endif") {
            conditions.pop();
            return;
        }
        if condition.has_else {
            let message = format!("`#{}` after `#else`", word.text);
            self.report.error("promela-directive", word.mark, message);
            return;
        }
        condition.has_else = word.is("else");
        let may = condition.outer && !condition.taken;
        let active = may && (word.is("else") || self.holds(word, arguments));
        condition.active = active;
        condition.taken |= active;
    }

    fn holds(&mut self, word: &Token, arguments: &[Token]) -> bool {
        self.flush();
        if word.is("if") || word.is("elif") {
            let resolved = self.resolve_defined(arguments);
            let expanded = self.macros.expand(resolved, self.report);
            return condition::evaluate(&expanded, word.mark, self.report);
        }
        match arguments.first() {
            Some(name) if name.kind == Kind::Name => {
                self.macros.get(&name.text).is_some() == word.is("ifdef")
            }
            _ => {
                let message = format!("`#{}` needs the name of a macro", word.text);
                self.error("promela-directive", word.mark, message);
                false
            }
        }
    }

    /// Replaces `defined(NAME)` and `defined NAME` by 0 or 1.
    fn resolve_defined(&self, arguments: &[Token]) -> Vec<Token> {
        let mut out = Vec::new();
        let mut rest = arguments;
        while let Some(token) = rest.first() {
            rest = &rest[1..];
            let (name, length) = match rest {
                [open, name, close, ..] if open.is("(") && close.is(")") => (Some(name), 3),
                [name, ..] => (Some(name), 1),
                [] => (None, 0),
            };
            match name {
                Some(name) if token.is("defined") && name.kind == Kind::Name => {
                    let value = i32::from(self.macros.get(&name.text).is_some());
                    out.push(Token { kind: Kind::Number(value), ..token.clone() });
                    rest = &rest[length..];
                }
                _ => out.push(token.clone()),
            }
        }
        out
    }

    fn effect(&mut self, word: &Token, arguments: &[Token]) {
        match &*word.text {
            "define" => self.define(word, arguments),
            "undef" => match arguments.first() {
                Some(name) if name.kind == Kind::Name => self.macros.remove(&name.text),
                _ => self.error("promela-directive", word.mark, "`#undef` needs the name of a macro"),
            },
            "include" => self.include(word, arguments),
            "error" | "warning" => {
                let words: Vec<&str> = arguments.iter().map(|token| &*token.text).collect();
                let message = format!("`#{}`: {}", word.text, words.join(" "));
                match word.is("error") {
                    true => self.error("promela-directive", word.mark, message),
                    false => self.report.warning("promela-directive", word.mark, message),
                }
            }
            "line" | "pragma" | "ident" => {}
            _ if matches!(word.kind, Kind::Number(_)) => {}
            other => {
                let message = format!("unknown directive `#{other}`");
                let help = did_you_mean(other, DIRECTIVES.iter().copied());
                let diagnostic =
                    Diagnostic::error("promela-directive", word.mark.span, message).with_optional_help(help);
                self.report.push(word.mark, diagnostic);
            }
        }
    }

    fn define(&mut self, word: &Token, arguments: &[Token]) {
        let Some(name) = arguments.first().filter(|name| name.kind == Kind::Name) else {
            return self.error("promela-directive", word.mark, "`#define` needs a name");
        };
        let mut body = &arguments[1..];
        let mut parameters = None;
        let mut is_variadic = false;
        if body.first().is_some_and(|token| token.is("(") && !token.spaced) {
            let Some((found, rest)) = self.parameters(name, &body[1..]) else { return };
            (parameters, is_variadic, body) = (Some(found.names), found.is_variadic, rest);
        }
        report_bad(body, self.report);
        let definition = Macro { parameters, is_variadic, body: body.to_vec(), span: name.mark.span };
        if let Some(known) = self.macros.get(&name.text) {
            let texts = |body: &[Token]| body.iter().map(|token| token.text.clone()).collect::<Vec<_>>();
            if texts(&known.body) != texts(body) || known.parameters != definition.parameters {
                let message = format!("macro `{}` is redefined", name.text);
                let diagnostic = Diagnostic::warning("promela-macro", name.mark.span, message)
                    .with_related(known.span, "the first definition");
                self.report.push(name.mark, diagnostic);
            }
        }
        self.macros.insert(name.text.clone(), definition);
    }

    /// Parses names up to the closing bracket; returns them and the tokens
    /// after it.
    fn parameters<'t>(&mut self, name: &Token, tokens: &'t [Token]) -> Option<(Parameters, &'t [Token])> {
        let mut names = Vec::new();
        let mut rest = tokens;
        loop {
            match rest {
                [close, rest @ ..] if close.is(")") => {
                    return Some((Parameters { names, is_variadic: false }, rest));
                }
                [comma, after @ ..] if comma.is(",") => rest = after,
                [dots, close, rest @ ..] if dots.is("...") && close.is(")") => {
                    names.push(Arc::from("__VA_ARGS__"));
                    return Some((Parameters { names, is_variadic: true }, rest));
                }
                [parameter, after @ ..] if parameter.kind == Kind::Name => {
                    names.push(parameter.text.clone());
                    rest = after;
                }
                _ => {
                    let message = format!("the parameters of `{}` must be names in parentheses", name.text);
                    self.error("promela-directive", name.mark, message);
                    return None;
                }
            }
        }
    }

    fn include(&mut self, word: &Token, arguments: &[Token]) {
        let path = match arguments {
            [text] if text.kind == Kind::Text => text.text.trim_matches('"').to_string(),
            [open, inner @ .., close] if open.is("<") && close.is(">") => {
                inner.iter().map(|token| &*token.text).collect()
            }
            _ => {
                return self.error("promela-directive", word.mark, "`#include` needs a file name in quotes");
            }
        };
        let mark = arguments[0].mark;
        if self.report.has_met_limit() {
            return;
        }
        if limits::INCLUDES <= self.depth {
            let message = format!("includes are nested more than {} levels deep", limits::INCLUDES);
            return self.error("promela-limit", mark, message);
        }
        if limits::INCLUDED_FILES <= self.files {
            let message = format!("more than {} files are included", limits::INCLUDED_FILES);
            return self.error("promela-limit", mark, message);
        }
        let seen = match path.starts_with('/') {
            true => path.clone(),
            false => format!("{}{path}", self.folder),
        };
        match (self.load)(&seen, mark.span.source) {
            Ok((name, text)) => {
                let source = self.sources.add(name, text);
                let inner = seen.rfind('/').map_or("", |at| &seen[..=at]).to_string();
                let outer = std::mem::replace(&mut self.folder, inner);
                self.files += 1;
                self.depth += 1;
                self.file(source);
                self.depth -= 1;
                self.folder = outer;
            }
            Err(reason) => {
                let message = format!("cannot include `{path}`: {reason}");
                self.error("promela-include", mark, message);
            }
        }
    }

    /// Defines a macro of the option `-D NAME=VALUE`.
    fn predefine(&mut self, name: &str, value: &str) {
        let source = self.sources.add(format!("-D {name}"), value);
        let body = lex(source, value);
        report_bad(&body, self.report);
        let span = Span::new(source, 0..value.len());
        let is_name = matches!(lex(source, name).as_slice(), [one] if one.kind == Kind::Name);
        if !is_name {
            let message = format!("`{name}` is not a valid name of a macro");
            return self.error("promela-macro", Mark { span, from: None }, message);
        }
        let definition = Macro { parameters: None, is_variadic: false, body, span };
        self.macros.insert(Arc::from(name), definition);
    }

    fn error(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.report.error(code, mark, message);
    }
}

/// Reports invalid tokens.
fn report_bad(tokens: &[Token], report: &mut Report) {
    for token in tokens {
        if let Kind::Bad(message) = token.kind {
            report.error("promela-character", token.mark, message);
        }
    }
}
