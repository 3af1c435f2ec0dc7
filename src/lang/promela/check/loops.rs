//! Expands `for` and `select` as SPIN does.

use super::super::ast::{self, Bound, ExprKind as Syntax, Over, Reference};
use super::super::token::Mark;
use super::super::tree::{
    BinaryOp, BlockKind, ChannelQuery, Choice, Expr, ExprKind, Origin, Pattern, Place, Receive, Root, Send,
    Sequence, Statement, StatementKind, Type,
};
use super::body::BreakBlock;
use super::statements::by_one;
use super::{Checker, constant};

/// Number of values up to which `select` is a choice and not a loop.
const FEW_VALUES: i64 = 33;

impl Checker<'_> {
    pub(super) fn for_loop(
        &mut self,
        variable: &Reference,
        over: &Over,
        body: &[ast::Statement],
        mark: Mark,
    ) -> StatementKind {
        let header = match over {
            Over::Range(bounds) => self.over_range(variable, &bounds[0], &bounds[1]),
            Over::In(collection) => self.over_collection(variable, collection, mark),
        };
        self.body.break_blocks.push(BreakBlock::Loop);
        let inner = self.scoped(body);
        self.body.break_blocks.pop();
        let Some(Header { start, condition, counter, first, words }) = header else {
            return StatementKind::Skip;
        };
        let mut round =
            vec![self.generated_with_text(StatementKind::Guard(condition), words.condition, mark)];
        round.extend(first.into_iter().map(|(kind, text)| self.generated_with_text(kind, text, mark)));
        round.extend(inner);
        let next = StatementKind::Assign { value: by_one(&counter, BinaryOp::Add), place: counter.clone() };
        round.push(self.generated_with_text(next, words.next, mark));
        let span = mark.span;
        let leave = vec![
            self.generated_with_text(StatementKind::Else, "else", mark),
            self.generated(StatementKind::Break, mark, Origin::Loop),
        ];
        let choices = [round, leave].map(|statements| Choice { statements, span }).into();
        let start = StatementKind::Assign { place: counter, value: start };
        let statements = vec![
            self.generated_with_text(start, words.start, mark),
            self.generated(StatementKind::Do(choices), mark, Origin::Loop),
        ];
        StatementKind::Block(BlockKind::Loop, Sequence { statements, span })
    }

    fn over_range(&mut self, variable: &Reference, from: &Bound, to: &Bound) -> Option<Header> {
        self.check_bounds(&from.value, &to.value);
        let counter = self.counter_of(variable);
        let (start, end) = (self.plain_expr(&from.value), self.plain_expr(&to.value));
        let counter = counter?;
        let condition = compare(BinaryOp::LessEqual, &counter, end);
        let words = Words::counting(&variable.name.text, &from.text, &to.text);
        Some(Header { start, condition, counter, first: Vec::new(), words })
    }

    fn check_bounds(&mut self, from: &ast::Expr, to: &ast::Expr) {
        if let (Syntax::Constant(first), Syntax::Constant(last)) = (&from.kind, &to.kind)
            && last < first
        {
            let message = format!("the range from {first} to {last} is empty");
            self.error("promela-range", from.mark, message);
        }
    }

    /// Checks the variable of a loop, which must be a scalar as in SPIN.
    fn counter_of(&mut self, variable: &Reference) -> Option<Place> {
        if variable.index.is_some() || variable.field.is_some() {
            let message = "a loop variable cannot be an array element or a field";
            self.error("promela-loop", variable.mark, message);
            return None;
        }
        let place = self.target(variable)?;
        if place.ty == Type::Chan || place.root == Root::Scratch {
            self.error(
                "promela-loop",
                variable.mark,
                format!("`{}` cannot be a loop variable", variable.name.text),
            );
            return None;
        }
        Some(place)
    }

    fn over_collection(
        &mut self,
        variable: &Reference,
        collection: &Reference,
        mark: Mark,
    ) -> Option<Header> {
        let name = &collection.name.text;
        if super::exprs::is_predefined(name) {
            self.error(
                "promela-loop",
                collection.mark,
                format!("`{name}` is neither an array nor a channel"),
            );
            return None;
        }
        let root = match self.meaning(&collection.name)? {
            super::Meaning::Global(id) => Root::Global(id),
            super::Meaning::Local(id) => Root::Local(id),
            super::Meaning::Mtype(..) => {
                self.error(
                    "promela-loop",
                    collection.mark,
                    format!("`{name}` is neither an array nor a channel"),
                );
                return None;
            }
        };
        let declared = self.variable_at(root).map(|found| (found.length, found.ty));
        match declared {
            Some((Some(length), _)) if collection.index.is_none() && collection.field.is_none() => {
                let counter = self.counter_of(variable)?;
                let end = constant(length as i32 - 1, collection.mark.span);
                let condition = compare(BinaryOp::LessEqual, &counter, end);
                let words = Words::counting(&variable.name.text, "0", &(length - 1).to_string());
                Some(Header { start: constant(0, mark.span), condition, counter, first: Vec::new(), words })
            }
            _ => self.over_channel(variable, collection, mark),
        }
    }

    /// Lowers a loop over the messages of a channel: each message is received
    /// and sent again.
    fn over_channel(&mut self, variable: &Reference, collection: &Reference, mark: Mark) -> Option<Header> {
        let place = self.any_place(collection)?;
        if place.ty != Type::Chan {
            let name = &collection.name.text;
            self.error(
                "promela-loop",
                collection.mark,
                format!("`{name}` is neither an array nor a channel"),
            );
            return None;
        }
        let message = self.any_place(variable)?;
        let mut fields = Vec::new();
        self.leaves(message.clone(), &mut fields);
        let types: Option<Vec<Type>> = self.channel_type(&place).map(|channel| channel.fields.clone());
        let fits = types.is_none_or(|types| types == fields.iter().map(|field| field.ty).collect::<Vec<_>>());
        if !matches!(message.ty, Type::Record(_)) || !fits {
            let text =
                format!("`{}` cannot hold a message of `{}`", variable.name.text, collection.name.text);
            let help = "the variable must be a record, and the messages of the channel must have its type";
            self.error_with_help("promela-loop", variable.mark, text, help);
            return None;
        }
        let span = mark.span;
        let counter = self.body.counter(span);
        let counter =
            Place { root: Root::Local(counter), index: None, fields: Vec::new(), ty: Type::Byte, span };
        let length = Expr { kind: ExprKind::Channel(ChannelQuery::Length, place.clone()), span };
        let condition = compare(BinaryOp::Less, &counter, length);
        let reads = fields.iter().map(|field| Expr { kind: ExprKind::Read(field.clone()), span: field.span });
        let values: Vec<Expr> = reads.collect();
        let patterns = fields.into_iter().map(Pattern::Store).collect();
        let receive = Receive { channel: place.clone(), any: false, copy: false, patterns, meeting: None };
        let send = Send { channel: place, sorted: false, values, meeting: None };
        let (channel, record) = (&collection.name.text, &variable.name.text);
        let first = vec![
            (StatementKind::Receive(receive), format!("{channel}?{record}")),
            (StatementKind::Send(send), format!("{channel}!{record}")),
        ];
        let words = Words {
            start: format!("the messages of {channel}"),
            condition: format!("another message of {channel}"),
            next: format!("the next message of {channel}"),
        };
        Some(Header { start: constant(0, span), condition, counter, first, words })
    }

    pub(super) fn select(
        &mut self,
        variable: &Reference,
        (from, to): (&Bound, &Bound),
        is_plain: bool,
        mark: Mark,
    ) -> StatementKind {
        self.check_bounds(&from.value, &to.value);
        let place = self.counter_of(variable);
        let (start, end) = (self.plain_expr(&from.value), self.plain_expr(&to.value));
        let Some(place) = place else { return StatementKind::Skip };
        let span = mark.span;
        let name = &variable.name.text;
        let option = |statements: Vec<Statement>| Choice { statements, span };
        let statements = match (&from.value.kind, &to.value.kind) {
            (Syntax::Constant(first), Syntax::Constant(last))
                if is_plain && i64::from(*last) - i64::from(*first) < FEW_VALUES && first <= last =>
            {
                let mut choices = Vec::new();
                for value in *first..=*last {
                    let assign = StatementKind::Assign { place: place.clone(), value: constant(value, span) };
                    choices.push(option(vec![self.generated_with_text(
                        assign,
                        format!("{name} = {value}"),
                        mark,
                    )]));
                }
                vec![self.generated(StatementKind::If(choices), mark, Origin::Loop)]
            }
            _ => {
                let smaller = StatementKind::Guard(compare(BinaryOp::Less, &place, end));
                let smaller = self.generated_with_text(smaller, format!("{name} < {}", to.text), mark);
                let next =
                    StatementKind::Assign { value: by_one(&place, BinaryOp::Add), place: place.clone() };
                let next = self.generated_with_text(next, format!("{name}++"), mark);
                let leave = self.generated(StatementKind::Break, mark, Origin::Loop);
                let choices = vec![option(vec![smaller, next]), option(vec![leave])];
                let start = StatementKind::Assign { place, value: start };
                vec![
                    self.generated_with_text(start, format!("{name} = {}", from.text), mark),
                    self.generated(StatementKind::Do(choices), mark, Origin::Loop),
                ]
            }
        };
        StatementKind::Block(BlockKind::Loop, Sequence { statements, span })
    }
}

/// The parts in which loops differ.
struct Header {
    /// First value of the counter.
    start: Expr,
    /// Condition of another iteration.
    condition: Expr,
    counter: Place,
    /// First statements of an iteration.
    first: Vec<(StatementKind, String)>,
    words: Words,
}

/// Texts of the generated steps.
struct Words {
    start: String,
    condition: String,
    next: String,
}

impl Words {
    fn counting(name: &str, from: &str, to: &str) -> Self {
        Self {
            start: format!("{name} = {from}"),
            condition: format!("{name} <= {to}"),
            next: format!("{name}++"),
        }
    }
}

fn compare(op: BinaryOp, counter: &Place, right: Expr) -> Expr {
    let span = right.span;
    let left = Expr { kind: ExprKind::Read(counter.clone()), span: counter.span };
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
