//! Expressions, formulas and references.

use super::super::ast::{Argument, Expr, ExprKind, Name, Reference, Temporal, Temporal2};
use super::super::limits;
use super::super::token::{Kind, Mark, Token};
use super::super::tree::{BinaryOp, ChannelQuery, UnaryOp};
use super::{Failed, Parser, Read};
use crate::diag::Diagnostic;

/// Binary operators and their precedence.
const BINARY: &[(&str, u8, BinaryOp)] = &[
    ("||", 2, BinaryOp::Or),
    ("&&", 3, BinaryOp::And),
    ("|", 7, BinaryOp::BitOr),
    ("^", 8, BinaryOp::BitXor),
    ("&", 9, BinaryOp::BitAnd),
    ("==", 10, BinaryOp::Equal),
    ("!=", 10, BinaryOp::NotEqual),
    ("<", 11, BinaryOp::Less),
    (">", 11, BinaryOp::Greater),
    ("<=", 11, BinaryOp::LessEqual),
    (">=", 11, BinaryOp::GreaterEqual),
    ("<<", 12, BinaryOp::ShiftLeft),
    (">>", 12, BinaryOp::ShiftRight),
    ("+", 13, BinaryOp::Add),
    ("-", 13, BinaryOp::Subtract),
    ("*", 14, BinaryOp::Multiply),
    ("/", 14, BinaryOp::Divide),
    ("%", 14, BinaryOp::Remainder),
];

/// Binary operators of formulas and their precedence.
const FORMULA: &[(&str, u8, Temporal2)] = &[
    ("->", 1, Temporal2::Implies),
    ("implies", 1, Temporal2::Implies),
    ("<->", 1, Temporal2::Equivalent),
    ("equivalent", 1, Temporal2::Equivalent),
    ("U", 5, Temporal2::Until),
    ("until", 5, Temporal2::Until),
    ("stronguntil", 5, Temporal2::Until),
    ("W", 5, Temporal2::WeakUntil),
    ("weakuntil", 5, Temporal2::WeakUntil),
    ("V", 5, Temporal2::Release),
    ("release", 5, Temporal2::Release),
];

/// Precedence of unary operators, including the temporal ones.
const UNARY: u8 = 15;

#[derive(Clone, Copy)]
enum Op {
    Value(BinaryOp),
    Formula(Temporal2),
}

impl Parser<'_> {
    /// Parses an expression that may end at the end of a line.
    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.binary(0)
    }

    /// Parses an expression in brackets, where line ends have no meaning.
    pub(super) fn inner_expr(&mut self) -> Read<Expr> {
        let lines_count = std::mem::replace(&mut self.lines_count, false);
        let expr = self.expr();
        self.lines_count = lines_count;
        expr
    }

    /// Parses an expression without operators outside of brackets.
    pub(super) fn operand(&mut self) -> Read<Expr> {
        self.unary()
    }

    fn binary(&mut self, least: u8) -> Read<Expr> {
        let mut left = self.unary()?;
        while let Some((strength, op)) = self.operator() {
            if strength <= least || self.line_ends_here() {
                break;
            }
            let operator = self.next();
            let right = self.binary(strength)?;
            left = self.join(left, op, right, &operator)?;
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(u8, Op)> {
        let token = self.peek();
        if self.is_formula {
            let entry = FORMULA.iter().find(|(text, ..)| token.is(text));
            if let Some((_, strength, op)) = entry {
                return Some((*strength, Op::Formula(*op)));
            }
        }
        let entry = BINARY.iter().find(|(text, ..)| token.is(text));
        entry.filter(|_| token.kind == Kind::Punct).map(|(_, strength, op)| (*strength, Op::Value(*op)))
    }

    /// Returns whether the statement ends before an operator on a new line.
    fn line_ends_here(&mut self) -> bool {
        let token = self.peek();
        if !self.lines_count || !token.starts_line {
            return false;
        }
        if token.is("-") {
            return true;
        }
        self.warn_of_continued_line();
        false
    }

    /// Warns about a statement that continues with the next token on a new
    /// line.
    pub(super) fn warn_of_continued_line(&mut self) {
        let token = self.peek();
        let (mark, shown) = (token.mark, token.shown());
        let message = format!("this statement continues with {shown} on a new line");
        let diagnostic = Diagnostic::warning("promela-line", mark.span, message).with_help(
            "SPIN ends the statement at the end of the previous line: put the operator there, or use parentheses",
        );
        self.report.push(mark, diagnostic);
    }

    fn join(&mut self, left: Expr, op: Op, right: Expr, operator: &Token) -> Read<Expr> {
        let depth = left.depth.max(right.depth) + 1;
        let mark = self.between(left.mark, right.mark, operator.mark);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            Op::Value(op) => ExprKind::Binary(op, left, right),
            Op::Formula(op) => ExprKind::Temporal2(op, left, right),
        };
        self.node(kind, mark, depth)
    }

    fn between(&self, left: Mark, right: Mark, otherwise: Mark) -> Mark {
        let together = left.from == right.from
            && left.span.source == right.span.source
            && left.span.start <= right.span.start;
        if together { Mark { span: left.span.to(right.span), from: left.from } } else { otherwise }
    }

    fn node(&mut self, kind: ExprKind, mark: Mark, depth: u16) -> Read<Expr> {
        if limits::EXPRESSION_DEPTH < depth {
            let message = format!("the expression has more than {} levels", limits::EXPRESSION_DEPTH);
            self.error("promela-limit", mark, message);
            return Err(Failed);
        }
        Ok(Expr { kind, mark, depth })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if limits::EXPRESSION_NESTING <= self.nesting {
            let mark = self.peek().mark;
            let message =
                format!("the expression is nested more than {} levels deep", limits::EXPRESSION_NESTING);
            self.error("promela-limit", mark, message);
            return Err(Failed);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn unary(&mut self) -> Read<Expr> {
        let token = self.peek();
        if token.is("!!") {
            let mark = token.mark;
            let diagnostic = Diagnostic::error(
                "promela-syntax",
                mark.span,
                "`!!` is the sorted send, not a double negation",
            )
            .with_help("write `!(!x)`");
            self.report.push(mark, diagnostic);
            return Err(Failed);
        }
        let op = match () {
            () if token.is("-") => UnaryOp::Negate,
            () if token.is("!") => UnaryOp::Not,
            () if token.is("~") => UnaryOp::Complement,
            () if self.is_formula => return self.temporal(),
            () => return self.primary(),
        };
        let start = self.next().mark;
        let operand = self.nested(|parser| parser.binary(UNARY))?;
        let (mark, depth) = (self.since(start), operand.depth + 1);
        self.node(ExprKind::Unary(op, Box::new(operand)), mark, depth)
    }

    fn temporal(&mut self) -> Read<Expr> {
        let token = self.peek();
        let pair = |open: &str, close: &str| {
            let next = self.peek_at(1);
            token.is(open) && next.is(close) && !next.spaced
        };
        let (op, length) = match &*token.text {
            "always" => (Temporal::Always, 1),
            "eventually" => (Temporal::Eventually, 1),
            "next" | "X" => (Temporal::Next, 1),
            _ if pair("[", "]") => (Temporal::Always, 2),
            _ if pair("<", ">") => (Temporal::Eventually, 2),
            _ => return self.primary(),
        };
        let start = token.mark;
        for _ in 0..length {
            self.next();
        }
        let operand = self.nested(|parser| parser.binary(UNARY))?;
        let (mark, depth) = (self.since(start), operand.depth + 1);
        self.node(ExprKind::Temporal(op, Box::new(operand)), mark, depth)
    }

    /// Warns about a number that does not fit in 32 bits, which SPIN truncates.
    fn warn_of_lost_bits(&mut self, token: &Token, value: i32) {
        let is_decimal = token.text.starts_with(|c: char| c.is_ascii_digit());
        if is_decimal && token.text.parse() != Ok(value) {
            let message = "this number does not fit in 32 bits";
            let warning = Diagnostic::warning("promela-range", token.mark.span, message);
            self.report.push(token.mark, warning.with_label(format!("treated as {value}")));
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let token = self.peek().clone();
        let leaf = |kind| Ok(Expr { kind, mark: token.mark, depth: 0 });
        match token.kind {
            Kind::Number(value) => {
                self.next();
                self.warn_of_lost_bits(&token, value);
                return leaf(ExprKind::Constant(value));
            }
            Kind::Name => {}
            _ if token.is("(") => return self.bracketed(),
            _ => return self.unexpected("an expression"),
        }
        let constant = match &*token.text {
            "true" | "skip" => Some(1),
            "false" => Some(0),
            _ => None,
        };
        if let Some(value) = constant {
            self.next();
            return leaf(ExprKind::Constant(value));
        }
        match &*token.text {
            "timeout" => {
                self.next();
                leaf(ExprKind::Timeout)
            }
            "np_" => {
                self.next();
                leaf(ExprKind::NonProgress)
            }
            "run" => self.run(),
            "len" | "empty" | "full" | "nempty" | "nfull" => self.channel_query(),
            "enabled" | "pc_value" | "get_priority" => self.process_query(),
            "c_expr" => {
                self.embedded_c();
                leaf(ExprKind::Bad)
            }
            "else" => {
                let message = "`else` is only allowed as the first statement of an option";
                self.error("promela-else", token.mark, message);
                Err(Failed)
            }
            "eval" => {
                self.error(
                    "promela-syntax",
                    token.mark,
                    "`eval` is only allowed in the arguments of a receive",
                );
                Err(Failed)
            }
            _ => self.named(),
        }
    }

    /// Parses `( a )` or `( a -> b : c )`.
    fn bracketed(&mut self) -> Read<Expr> {
        let start = self.next().mark;
        let lines_count = std::mem::replace(&mut self.lines_count, false);
        let inner = self.nested(Self::bracket_content);
        self.lines_count = lines_count;
        let inner = inner?;
        self.expect(")")?;
        // The brackets belong to the expression, but not to a plain variable:
        // `(x) = 1` is not an assignment.
        Ok(Expr { mark: self.since(start), ..inner })
    }

    fn bracket_content(&mut self) -> Read<Expr> {
        let condition = self.expr()?;
        let (condition, then) = match condition.kind {
            ExprKind::Temporal2(Temporal2::Implies, condition, then) if self.at(":") => (*condition, *then),
            _ if self.at("->") => {
                self.next();
                (condition, self.expr()?)
            }
            _ => return Ok(condition),
        };
        self.expect(":")?;
        let otherwise = self.expr()?;
        let depth = condition.depth.max(then.depth).max(otherwise.depth) + 1;
        let mark = self.since(condition.mark);
        self.node(ExprKind::Conditional(Box::new([condition, then, otherwise])), mark, depth)
    }

    fn run(&mut self) -> Read<Expr> {
        let start = self.next().mark;
        let name = self.name("the name of a proctype")?;
        let arguments = self.arguments()?;
        let priority = match self.take("priority") {
            true => Some(Box::new(self.operand()?)),
            false => None,
        };
        let depth = arguments.iter().map(|argument| argument.depth).max().unwrap_or(0) + 1;
        let mark = self.since(start);
        self.node(ExprKind::Run { name, arguments, priority }, mark, depth)
    }

    /// Parses `( values )`.
    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.at(")") {
            arguments.push(self.nested(Self::inner_expr)?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn channel_query(&mut self) -> Read<Expr> {
        let word = self.next();
        let query = match &*word.text {
            "len" => ChannelQuery::Length,
            "empty" => ChannelQuery::Empty,
            "full" => ChannelQuery::Full,
            "nempty" => ChannelQuery::NotEmpty,
            _ => ChannelQuery::NotFull,
        };
        self.expect("(")?;
        let channel = self.nested(Self::reference)?;
        self.expect(")")?;
        Ok(Expr { kind: ExprKind::Channel(query, channel), mark: self.since(word.mark), depth: 0 })
    }

    fn process_query(&mut self) -> Read<Expr> {
        let word = self.next();
        self.expect("(")?;
        let pid = self.nested(Self::inner_expr)?;
        self.expect(")")?;
        let (mark, depth) = (self.since(word.mark), pid.depth + 1);
        let pid = Box::new(pid);
        let kind = match &*word.text {
            "enabled" => ExprKind::Enabled(pid),
            "pc_value" => ExprKind::PcValue(pid),
            _ => ExprKind::GetPriority(pid),
        };
        self.node(kind, mark, depth)
    }

    /// Parses a variable, a poll, or a remote reference.
    fn named(&mut self) -> Read<Expr> {
        if self.inlines.contains_key(&self.peek().text) && self.peek_at(1).is("(") {
            let token = self.peek().clone();
            let message = format!("inline `{}` is not an expression", token.text);
            let diagnostic = Diagnostic::error("promela-inline", token.mark.span, message)
                .with_help("call it as a statement or as `x = f(…)` with `return`, or use a `#define`");
            self.report.push(token.mark, diagnostic);
            self.next();
            self.skip_group();
            return Err(Failed);
        }
        let reference = self.reference()?;
        let mark = reference.mark;
        let follows = self.peek();
        let is_same_line = !(self.lines_count && follows.starts_line);
        if follows.is("@") && is_same_line {
            return self.remote_label(reference);
        }
        let is_process = self.proctypes.contains(&reference.name.text) && reference.field.is_none();
        if follows.is(":") && is_process && is_same_line {
            return self.remote_variable(reference);
        }
        let is_poll = (follows.is("?") || follows.is("??")) && self.peek_at(1).is("[");
        if is_poll && is_same_line {
            let any = self.next().is("??");
            self.next();
            let arguments = self.receive_arguments("]")?;
            self.expect("]")?;
            let kind = ExprKind::Poll { channel: reference, any, arguments };
            return Ok(Expr { kind, mark: self.since(mark), depth: 1 });
        }
        let depth = reference_depth(&reference);
        self.node(ExprKind::Reference(reference), mark, depth)
    }

    fn remote_label(&mut self, reference: Reference) -> Read<Expr> {
        self.next();
        let label = self.name("a label")?;
        let mark = self.since(reference.mark);
        let kind = ExprKind::RemoteLabel { proctype: reference.name, pid: reference.index, label };
        Ok(Expr { kind, mark, depth: 1 })
    }

    fn remote_variable(&mut self, reference: Reference) -> Read<Expr> {
        self.next();
        let variable = self.reference()?;
        let mark = self.since(reference.mark);
        let kind = ExprKind::RemoteVariable { proctype: reference.name, pid: reference.index, variable };
        Ok(Expr { kind, mark, depth: 1 })
    }

    /// Parses `name[index].field…`.
    pub(super) fn reference(&mut self) -> Read<Reference> {
        let name = self.name("a variable")?;
        let start = name.mark;
        let mut index = None;
        if self.at("[") && !self.at_always_operator() {
            self.next();
            index = Some(Box::new(self.nested(Self::inner_expr)?));
            self.expect("]")?;
        }
        let mut field = None;
        if self.at(".") {
            self.next();
            field = Some(Box::new(self.nested(Self::reference)?));
        }
        Ok(Reference { name, index, field, mark: self.since(start) })
    }

    /// Returns whether a misplaced operator `[]` follows a name in a formula.
    fn at_always_operator(&self) -> bool {
        self.is_formula && self.peek_at(1).is("]")
    }

    /// Parses the arguments of a receive up to `close`: `a, b`, `a(b, c)` or
    /// `(a, b)`.
    pub(super) fn receive_arguments(&mut self, close: &str) -> Read<Vec<Argument>> {
        let mut arguments = Vec::new();
        if self.take("(") {
            arguments.extend(self.nested(|parser| parser.receive_arguments(")"))?);
            self.expect(")")?;
            return Ok(arguments);
        }
        loop {
            arguments.push(self.receive_argument()?);
            if self.at("(") && !(self.lines_count && self.peek().starts_line) {
                self.next();
                arguments.extend(self.nested(|parser| parser.receive_arguments(")"))?);
                self.expect(")")?;
            }
            if !self.take(",") || self.at(close) {
                return Ok(arguments);
            }
        }
    }

    fn receive_argument(&mut self) -> Read<Argument> {
        let token = self.peek().clone();
        if token.is("eval") {
            self.next();
            self.expect("(")?;
            let value = self.nested(Self::inner_expr)?;
            self.expect(")")?;
            return Ok(Argument::Eval(value));
        }
        let is_constant = matches!(token.kind, Kind::Number(_))
            || ["-", "true", "false", "skip"].iter().any(|text| token.is(text));
        if is_constant {
            return Ok(Argument::Constant(self.unary()?));
        }
        if token.kind != Kind::Name {
            return self.unexpected("a variable, a constant or `eval(…)`");
        }
        self.reference().map(Argument::Reference)
    }

    /// Parses the arguments of a send: `a, b` or `a(b, c)`.
    pub(super) fn send_arguments(&mut self) -> Read<Vec<Expr>> {
        let mut values = Vec::new();
        loop {
            values.push(self.expr()?);
            if self.at("(") && !(self.lines_count && self.peek().starts_line) {
                values.extend(self.arguments()?);
            }
            if !self.take(",") {
                return Ok(values);
            }
        }
    }
}

fn reference_depth(reference: &Reference) -> u16 {
    let index = reference.index.as_ref().map_or(0, |index| index.depth + 1);
    let field = reference.field.as_ref().map_or(0, |field| reference_depth(field) + 1);
    index.max(field)
}

impl From<Name> for Reference {
    fn from(name: Name) -> Self {
        let mark = name.mark;
        Self { name, index: None, field: None, mark }
    }
}
