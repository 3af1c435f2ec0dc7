//! Statements.

use super::super::ast::{Bound, Choice, ExprKind, Name, Over, Statement, StatementKind};
use super::super::limits;
use super::super::token::{Kind, Mark, Token, UseKind};
use super::super::tree::{BinaryOp, BlockKind};
use super::{Failed, Parser, RANGE, Read, is_keyword};
use crate::base::cancel::checkpoint;
use crate::diag::Diagnostic;

/// Tokens that end a list of statements.
const CLOSERS: &[&str] = &["}", "fi", "od", "::"];

impl Parser<'_> {
    /// Parses `{ statements }`.
    pub(super) fn braces(&mut self, what: &str) -> Read<Vec<Statement>> {
        let open = self.expect("{")?.mark;
        let statements = self.sequence();
        if !self.take("}") {
            self.unclosed(open, "}", what);
            return Err(Failed);
        }
        if statements.is_empty() {
            let message = format!("{what} is empty");
            let diagnostic = Diagnostic::error("promela-empty", open.span, message).with_help("write `skip`");
            self.report.push(open, diagnostic);
        }
        Ok(statements)
    }

    fn unclosed(&mut self, open: Mark, close: &str, what: &str) {
        let token = self.peek().clone();
        if self.gave_up {
            return;
        }
        let message = format!("expected `{close}` to end {what}, found {}", token.shown());
        let diagnostic = Diagnostic::error("promela-syntax", token.mark.span, message)
            .with_related(open.span, format!("{what} begins here"));
        self.report.push(token.mark, diagnostic);
    }

    /// Parses statements up to a token that ends them.
    pub(super) fn sequence(&mut self) -> Vec<Statement> {
        let lines_count = std::mem::replace(&mut self.lines_count, true);
        let nesting = std::mem::take(&mut self.nesting);
        let mut statements = Vec::new();
        loop {
            while self.take(";") || self.take("->") {}
            if self.at_any(CLOSERS) || self.peek().kind == Kind::End {
                break;
            }
            let before = self.rest.len();
            match self.step() {
                Ok(statement) => {
                    statements.push(statement);
                    self.separator();
                }
                Err(_) => {
                    let mark = self.peek().mark;
                    statements.push(Statement {
                        labels: Vec::new(),
                        kind: StatementKind::Bad,
                        mark,
                        text: None,
                    });
                    if limits::ERRORS <= self.report.diagnostics.len() {
                        self.give_up();
                    }
                    self.recover(before);
                }
            }
        }
        self.lines_count = lines_count;
        self.nesting = nesting;
        statements
    }

    /// Parses the separator after a statement: `;`, `->`, a line end, or a
    /// preceding `}`.
    fn separator(&mut self) {
        let token = self.peek();
        let is_fine = token.is(";")
            || token.is("->")
            || self.at_any(CLOSERS)
            || token.kind == Kind::End
            || token.starts_line
            || self.previous.is("}")
            || self.previous.is("else")
            || self.previous.is(":")
            || matches!(token.kind, Kind::Bad(_));
        if is_fine {
            return;
        }
        let token = token.clone();
        let before = self.rest.len();
        if token.is("unless") {
            let diagnostic = Diagnostic::error(
                "promela-syntax",
                token.mark.span,
                "a statement can have only one `unless`",
            )
            .with_help("put braces around the statement with the first `unless`");
            self.report.push(token.mark, diagnostic);
        } else {
            let _ = self.unexpected_at::<()>(&token, "`;` between statements");
        }
        self.recover(before);
    }

    /// Continues after the next `;` or at the next line, but not beyond the end
    /// of the block.
    fn recover(&mut self, before: usize) {
        let moved = self.rest.len() < before;
        let mut first = !moved;
        loop {
            let token = self.peek();
            if token.kind == Kind::End || self.at_any(&["}", "fi", "od", "::", ";", "->"]) {
                return;
            }
            if token.starts_line && !first {
                return;
            }
            first = false;
            match () {
                () if self.at_any(&["(", "{", "["]) => self.skip_group(),
                () if self.at("if") => self.skip_selection("if", "fi"),
                () if self.at("do") => self.skip_selection("do", "od"),
                () => {
                    self.next();
                }
            }
        }
    }

    /// Skips up to the word that closes `open`, or only `open` if the block
    /// ends before it.
    fn skip_selection(&mut self, open: &str, close: &str) {
        let (mut depth, mut braces) = (0i32, 0i32);
        let mut length = 0;
        for token in self.rest.iter().rev() {
            length += 1;
            depth += i32::from(token.is(open)) - i32::from(token.is(close));
            braces += i32::from(token.is("{")) - i32::from(token.is("}"));
            if depth == 0 || braces < 0 {
                break;
            }
        }
        let length = if depth == 0 { length } else { 1 };
        for _ in 0..length {
            self.next();
        }
    }

    /// Parses a statement with labels and `unless`.
    fn step(&mut self) -> Read<Statement> {
        checkpoint();
        if limits::STATEMENT_NESTING <= self.statement_nesting {
            let mark = self.peek().mark;
            let message =
                format!("statements are nested more than {} levels deep", limits::STATEMENT_NESTING);
            self.error("promela-limit", mark, message);
            self.give_up();
            return Err(Failed);
        }
        self.statement_nesting += 1;
        let statement = self.step_inside();
        self.statement_nesting -= 1;
        statement
    }

    fn step_inside(&mut self) -> Read<Statement> {
        let main = self.labelled()?;
        if !self.at("unless") {
            return Ok(main);
        }
        let mark = main.mark;
        self.next();
        let escape = self.labelled()?;
        let kind = StatementKind::Unless(Box::new(main), Box::new(escape));
        Ok(Statement { labels: Vec::new(), kind, mark: self.since(mark), text: None })
    }

    fn labelled(&mut self) -> Read<Statement> {
        let mut labels: Vec<Name> = Vec::new();
        while self.at_label() {
            labels.push(self.name("a label")?);
            self.next();
        }
        let Some(last) = labels.last() else { return self.statement() };
        if self.at_any(CLOSERS) || self.at(";") || self.peek().kind == Kind::End {
            let mark = last.mark;
            return Ok(Statement { labels, kind: StatementKind::Nothing, mark, text: None });
        }
        if self.at_declaration() || self.at_any(&["xr", "xs"]) {
            let (mark, message) = (last.mark, format!("label `{}` is at a declaration", last.text));
            let diagnostic = Diagnostic::error("promela-label", mark.span, message)
                .with_help("move the label to the statement after the declaration");
            self.report.push(mark, diagnostic);
        }
        let mut statement = self.statement()?;
        labels.append(&mut statement.labels);
        Ok(Statement { labels, ..statement })
    }

    fn at_label(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Name
            && self.peek_at(1).is(":")
            && !is_keyword(&token.text)
            && !self.proctypes.contains(&token.text)
    }

    fn statement(&mut self) -> Read<Statement> {
        let token = self.peek().clone();
        if self.at_inline_call() {
            return self.inline_call(None);
        }
        let start = self.taken.len();
        let kind = self.statement_kind(&token)?;
        let text = match kind {
            StatementKind::Block(..)
            | StatementKind::If(_)
            | StatementKind::Do(_)
            | StatementKind::For { .. }
            | StatementKind::Select { .. }
            | StatementKind::Declaration(_) => None,
            _ => self.expanded_since(start, token.mark),
        };
        self.taken.truncate(start);
        Ok(Statement { labels: Vec::new(), kind, mark: self.since(token.mark), text })
    }

    /// Returns the text of a statement that comes from a macro or contains
    /// parts of an inline; `None` if it is written as it is.
    fn expanded_since(&self, start: usize, mark: Mark) -> Option<String> {
        let is_inlined =
            |it: &Token| self.report.chain(it.mark.from).any(|(_, used)| used.kind == UseKind::Inline);
        let is_written =
            mark.from.is_none() && self.joined(mark).is_some() && !self.taken[start..].iter().any(is_inlined);
        (!is_written).then(|| self.text_since(start))
    }

    fn statement_kind(&mut self, token: &Token) -> Read<StatementKind> {
        if token.is("{") {
            return Ok(StatementKind::Block(BlockKind::Plain, self.braces("the block")?));
        }
        if token.is("mtype") && self.is_mtype_definition() {
            self.mtype()?;
            return Ok(StatementKind::Mtype);
        }
        if self.at_declaration() && !self.is_misspelt_keyword(token) {
            return Ok(StatementKind::Declaration(self.declaration()?));
        }
        if token.kind != Kind::Name {
            return self.simple();
        }
        match &*token.text {
            "if" => Ok(StatementKind::If(self.options("fi", "`if`")?)),
            "do" => Ok(StatementKind::Do(self.options("od", "`do`")?)),
            "atomic" | "d_step" => {
                self.next();
                let kind = if token.is("atomic") { BlockKind::Atomic } else { BlockKind::Deterministic };
                Ok(StatementKind::Block(kind, self.braces(&format!("`{}`", token.text))?))
            }
            "for" => self.for_loop(),
            "select" => self.select(),
            "goto" => {
                self.next();
                Ok(StatementKind::Goto(self.name("a label")?))
            }
            "break" => self.word(StatementKind::Break),
            "else" => self.word(StatementKind::Else),
            "skip" if !self.is_operand() => self.word(StatementKind::Skip),
            "assert" => {
                self.next();
                Ok(StatementKind::Assert(self.expr()?))
            }
            "printf" => self.printf(),
            "printm" => self.printm(),
            "set_priority" => self.set_priority(),
            "return" => self.return_value(token),
            "xr" | "xs" => self.exclusive(),
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                self.embedded_c();
                Ok(StatementKind::Bad)
            }
            "od" | "fi" => self.unexpected("a statement"),
            _ => self.simple(),
        }
    }

    fn word(&mut self, kind: StatementKind) -> Read<StatementKind> {
        self.next();
        Ok(kind)
    }

    /// Returns whether an operator follows a word that could be a statement.
    fn is_operand(&self) -> bool {
        let next = self.peek_at(1);
        next.kind == Kind::Punct && ["&&", "||", "==", "!=", "+", "-"].iter().any(|op| next.is(op))
    }

    /// Returns whether it is a misspelt keyword: `atomc x` looks like a
    /// declaration.
    fn is_misspelt_keyword(&mut self, token: &Token) -> bool {
        let words = ["atomic", "d_step", "goto", "assert", "run"];
        let next = self.peek_at(1);
        next.kind == Kind::Name && words.iter().any(|word| token.is(word))
    }

    /// Parses `if` or `do` with its options.
    fn options(&mut self, close: &str, what: &str) -> Read<Vec<Choice>> {
        let open = self.next().mark;
        while self.take(";") {}
        let mut choices = Vec::new();
        while self.at("::") {
            let start = self.next().mark;
            let statements = self.sequence();
            if statements.is_empty() {
                let diagnostic = Diagnostic::error("promela-empty", start.span, "this option is empty")
                    .with_help("write `skip`");
                self.report.push(start, diagnostic);
            }
            choices.push(Choice { statements, mark: start });
        }
        if choices.is_empty() {
            let wrong = self.unexpected(&format!("`::` and an option of {what}"));
            self.take(close);
            return wrong;
        }
        if !self.take(close) {
            self.unclosed(open, close, what);
            if !self.take("fi") && !self.take("od") {
                return Err(Failed);
            }
        }
        Ok(choices)
    }

    fn for_loop(&mut self) -> Read<StatementKind> {
        self.next();
        self.expect("(")?;
        let variable = self.loop_variable()?;
        let over = match self.take("in") {
            true => Over::In(self.reference()?),
            false => {
                if !self.take(":") {
                    return self.unexpected(RANGE);
                }
                let (from, to) = self.range()?;
                Over::Range(Box::new([from, to]))
            }
        };
        self.expect(")")?;
        self.take(";");
        let body = self.braces("`for`")?;
        Ok(StatementKind::For { variable, over, body })
    }

    fn loop_variable(&mut self) -> Read<super::super::ast::Reference> {
        if self.at_declaration() && !self.peek_at(1).is("in") {
            let mark = self.peek().mark;
            let diagnostic =
                Diagnostic::error("promela-syntax", mark.span, "a `for` loop cannot declare its variable")
                    .with_help("declare the variable before the loop");
            self.report.push(mark, diagnostic);
            return Err(Failed);
        }
        self.reference()
    }

    /// Parses `from .. to`.
    fn range(&mut self) -> Read<(Bound, Bound)> {
        let from = self.bound()?;
        self.expect("..")?;
        Ok((from, self.bound()?))
    }

    fn bound(&mut self) -> Read<Bound> {
        let start = self.taken.len();
        let value = self.inner_expr()?;
        Ok(Bound { value, text: self.text_since(start) })
    }

    fn select(&mut self) -> Read<StatementKind> {
        let keyword = self.next();
        let is_plain = self.is_plain_selection(&keyword);
        self.expect("(")?;
        let variable = self.loop_variable()?;
        self.expect(":")?;
        let (from, to) = self.range()?;
        self.expect(")")?;
        Ok(StatementKind::Select { variable, from, to, is_plain })
    }

    /// Returns whether SPIN, which looks at the text, expands a `select` to a
    /// choice: for `(name : 1 .. 6)` on one line, the name without underscores,
    /// the numbers without brackets, and outside of inlines.
    fn is_plain_selection(&self, keyword: &Token) -> bool {
        let mut around = self.report.chain(keyword.mark.from);
        let [open, name, colon, from, dots, to, close] = std::array::from_fn(|at| self.peek_at(at));
        let is_number = |it: &Token| it.text.bytes().all(|byte| byte.is_ascii_digit());
        // Tokens of a macro are on the line of its use.
        let begins_line = |it: &&Token| it.starts_line && it.mark.from.is_none();
        open.is("(")
            && name.kind == Kind::Name
            && !name.text.contains('_')
            && colon.is(":")
            && dots.is("..")
            && close.is(")")
            && is_number(from)
            && is_number(to)
            && ![name, colon, from, dots, to, close].iter().any(begins_line)
            && !around.any(|(_, used)| used.kind == UseKind::Inline)
    }

    fn printf(&mut self) -> Read<StatementKind> {
        self.next();
        self.expect("(")?;
        let token = self.peek().clone();
        if token.kind != Kind::Text {
            return self.unexpected("a string");
        }
        self.next();
        let format = Name { text: token.text, mark: token.mark };
        let mut arguments = Vec::new();
        while self.take(",") {
            arguments.push(self.inner_expr()?);
        }
        self.expect(")")?;
        Ok(StatementKind::Printf { format, arguments })
    }

    fn printm(&mut self) -> Read<StatementKind> {
        self.next();
        self.expect("(")?;
        let value = self.inner_expr()?;
        self.expect(")")?;
        Ok(StatementKind::Printm(value))
    }

    fn set_priority(&mut self) -> Read<StatementKind> {
        self.next();
        self.expect("(")?;
        let pid = self.inner_expr()?;
        self.expect(",")?;
        let value = self.inner_expr()?;
        self.expect(")")?;
        Ok(StatementKind::SetPriority(pid, value))
    }

    fn return_value(&mut self, token: &Token) -> Read<StatementKind> {
        self.next();
        let value = self.expr()?;
        match self.returns.last() {
            Some(Some(result)) => Ok(StatementKind::Assign(result.clone(), value)),
            Some(None) => {
                self.error(
                    "promela-return",
                    token.mark,
                    "`return` in an inline that is not called as `x = f(…)`",
                );
                Err(Failed)
            }
            None => {
                self.error(
                    "promela-return",
                    token.mark,
                    "`return` is only allowed in inlines called as `x = f(…)`",
                );
                Err(Failed)
            }
        }
    }

    fn exclusive(&mut self) -> Read<StatementKind> {
        let is_send = self.next().is("xs");
        let mut channels = vec![self.reference()?];
        while self.take(",") {
            channels.push(self.reference()?);
        }
        Ok(StatementKind::Exclusive { is_send, channels })
    }

    /// Parses an expression, or a reference and the operation on it.
    fn simple(&mut self) -> Read<StatementKind> {
        let starts_with_name = self.peek().kind == Kind::Name;
        let expr = self.expr()?;
        let token = self.peek().clone();
        let acts = ["=", "++", "--", "!", "!!", "?", "??"].iter().any(|op| token.is(op));
        if !acts || token.starts_line && !token.is("=") {
            return Ok(StatementKind::Guard(expr));
        }
        if token.starts_line {
            self.warn_of_continued_line();
        }
        let reference = match expr.kind {
            ExprKind::Reference(reference) if starts_with_name => reference,
            _ => {
                let message = format!("expected a variable before {}", token.shown());
                self.error("promela-syntax", expr.mark, message);
                return Err(Failed);
            }
        };
        self.next();
        match &*token.text {
            "=" if self.at_inline_call() => {
                let call = self.inline_call(Some(reference))?;
                Ok(call.kind)
            }
            "=" => Ok(StatementKind::Assign(reference, self.expr()?)),
            "++" => Ok(StatementKind::Increment(reference, BinaryOp::Add)),
            "--" => Ok(StatementKind::Increment(reference, BinaryOp::Subtract)),
            "!" | "!!" => {
                let sorted = token.is("!!");
                Ok(StatementKind::Send { channel: reference, sorted, values: self.send_arguments()? })
            }
            _ => {
                let any = token.is("??");
                let copy = self.take("<");
                let arguments = self.receive_arguments(if copy { ">" } else { ";" })?;
                if copy {
                    self.expect(">")?;
                }
                Ok(StatementKind::Receive { channel: reference, any, copy, arguments })
            }
        }
    }
}
