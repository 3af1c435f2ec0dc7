//! From expressions to code.

use super::{Code, Op, Piece, Poll};
use crate::explicit::layout::Path;
use crate::explicit::layout::{Cells, Field, Layout};
use crate::lang::promela::tree::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Model, Pattern, Place, ProctypeId, Root, UnaryOp,
};

/// Makes code for expressions in one scope: a process number and proctype, or
/// the global one.
pub(in crate::explicit) struct Compiler<'a> {
    pub model: &'a Model,
    pub cells: &'a Cells,
    pub layout: &'a Layout,
    pub code: &'a mut Code,
    pub scope: Option<Scope>,
    /// Per proctype and label, the number of the location.
    pub labels: &'a [Vec<u32>],
}

/// The process that code is made for.
#[derive(Clone, Copy, Debug)]
pub(in crate::explicit) struct Scope {
    pub process: usize,
    pub proctype: ProctypeId,
    /// Where its locals begin in `Code::fields`.
    pub fields: u32,
}

/// Where a place is: known now, or a number of cells behind a start.
pub(in crate::explicit) enum Target {
    /// `_`
    Nowhere,
    Field(Field),
    /// The code leaves a number of cells; the start is in `Code::fields`.
    Indexed(u32),
}

impl Compiler<'_> {
    pub(in crate::explicit) fn piece(&mut self, expr: &Expr) -> Piece {
        let start = self.here();
        self.expr(expr);
        start..self.here()
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(value) => self.emit(Op::Constant(*value)),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.emit(match op {
                    UnaryOp::Negate => Op::Negate,
                    UnaryOp::Not => Op::Not,
                    UnaryOp::Complement => Op::Complement,
                });
            }
            ExprKind::Binary(BinaryOp::And, left, right) => self.conditional(left, Some(right), None),
            ExprKind::Binary(BinaryOp::Or, left, right) => self.conditional(left, None, Some(right)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition);
                let to_else = self.hole();
                self.expr(then);
                let to_end = self.hole();
                self.fill(to_else, Op::JumpIfZero);
                self.expr(otherwise);
                self.fill(to_end, Op::Jump);
            }
            ExprKind::Channel(query, place) => {
                self.read(place);
                self.emit(Op::Channel(*query));
            }
            ExprKind::Poll { channel, any, patterns } => self.poll(channel, *any, patterns),
            ExprKind::Timeout => self.emit(Op::Timeout),
            ExprKind::Pid => self.emit(Op::Constant(self.scope.map_or(0, |scope| scope.process as i32))),
            ExprKind::NumberOfProcesses => self.emit(Op::NumberOfProcesses),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.process_number(pid.as_deref(), *proctype);
                let location = self.labels[proctype.index()][label.index()];
                self.emit(Op::IsAt(*proctype, location));
            }
            ExprKind::RemoteVariable { proctype, pid, place } => {
                self.remote(*proctype, pid.as_deref(), place)
            }
            ExprKind::Run { .. } => unreachable!("the checker lets `run` stand alone only"),
            ExprKind::NonProgress => self.emit(Op::NonProgress),
            ExprKind::Last => self.emit(Op::Load(self.layout.last)),
            ExprKind::Priority => match self.scope {
                Some(scope) => self.emit(Op::Load(self.layout.processes[scope.process].priority)),
                None => self.emit(Op::Constant(0)),
            },
            ExprKind::GetPriority(pid) => {
                self.expr(pid);
                self.emit(Op::Priority);
            }
            ExprKind::Enabled(pid) => {
                self.expr(pid);
                self.emit(Op::Enabled(self.asking()));
            }
            ExprKind::PcValue(_) => unreachable!("the model was refused"),
        }
    }

    /// The process that the code is made for, if it is one.
    fn asking(&self) -> Option<u8> {
        let scope = self.scope?;
        let room = self.layout.processes.get(scope.process)?;
        let is_there = room.options.iter().any(|option| option.proctype == scope.proctype);
        is_there.then_some(scope.process as u8)
    }

    /// `left && then` with 0 otherwise, or `left || otherwise` with 1.
    fn conditional(&mut self, left: &Expr, then: Option<&Expr>, otherwise: Option<&Expr>) {
        self.expr(left);
        let to_else = self.hole();
        self.truth_or(then, 1);
        let to_end = self.hole();
        self.fill(to_else, Op::JumpIfZero);
        self.truth_or(otherwise, 0);
        self.fill(to_end, Op::Jump);
    }

    fn truth_or(&mut self, expr: Option<&Expr>, constant: i32) {
        match expr {
            Some(expr) => {
                self.expr(expr);
                self.emit(Op::Truth);
            }
            None => self.emit(Op::Constant(constant)),
        }
    }

    fn hole(&mut self) -> usize {
        self.emit(Op::Jump(0));
        self.code.ops.len() - 1
    }

    fn fill(&mut self, hole: usize, op: impl Fn(u32) -> Op) {
        self.code.ops[hole] = op(self.here());
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let compares = matches!(
            op,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        );
        if compares
            && let (ExprKind::Read(place), ExprKind::Constant(value)) = (&left.kind, &right.kind)
            && let Some(field) = self.fixed(place)
        {
            return self.emit(Op::Compare(field, op, *value));
        }
        self.expr(left);
        self.expr(right);
        self.emit(Op::Binary(op));
    }

    /// The field of a place without an index that is unknown.
    fn fixed(&mut self, place: &Place) -> Option<Field> {
        let before = self.code.ops.len();
        match self.target(place) {
            Target::Field(field) => Some(field),
            _ => {
                self.code.ops.truncate(before);
                None
            }
        }
    }

    fn read(&mut self, place: &Place) {
        match self.target(place) {
            Target::Field(field) => self.emit(Op::Load(field)),
            Target::Indexed(start) => self.emit(Op::LoadAt(start)),
            Target::Nowhere => self.emit(Op::Constant(0)),
        }
    }

    /// Makes code that computes the cells of an index, if there is one.
    pub(in crate::explicit) fn target(&mut self, place: &Place) -> Target {
        let (first, start, variable) = match place.root {
            Root::Scratch => return Target::Nowhere,
            Root::Global(global) => {
                (self.cells.global_starts[global.index()], 0, &self.model.globals[global.index()])
            }
            Root::Local(local) => {
                let scope = self.scope.expect("locals are read by processes");
                let proctype = scope.proctype.index();
                let variable = &self.model.proctypes[proctype].body.locals[local.index()];
                (self.cells.local_starts[proctype][local.index()], scope.fields, variable)
            }
        };
        let path = Path::new(self.model, variable, place);
        let offset = self.constant_part(&path);
        match self.index_code(&path) {
            false => Target::Field(self.code.fields[start as usize + first + offset]),
            true => Target::Indexed(start + (first + offset) as u32),
        }
    }

    /// The cells that constant indices within range make.
    fn constant_part(&self, path: &Path) -> usize {
        path.offset + path.indices.iter().filter_map(known).sum::<usize>()
    }

    /// Code for the indices that are not constant; `false` if there are none.
    fn index_code(&mut self, path: &Path) -> bool {
        let mut is_any = false;
        for index in path.indices.iter().filter(|it| known(it).is_none()) {
            let (expr, n_elements, size) = index;
            self.expr(expr);
            self.emit(Op::Index { n_elements: *n_elements as u32, size: *size as u32 });
            if std::mem::replace(&mut is_any, true) {
                self.emit(Op::Binary(BinaryOp::Add));
            }
        }
        is_any
    }

    fn poll(&mut self, channel: &Place, any: bool, patterns: &[Pattern]) {
        let mut matches = Vec::new();
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                self.expr(expr);
            }
            matches.push(matches!(pattern, Pattern::Match(_)));
        }
        self.read(channel);
        self.code.polls.push(Poll { any, matches });
        self.emit(Op::Poll(self.code.polls.len() as u32 - 1));
    }

    fn process_number(&mut self, pid: Option<&Expr>, proctype: ProctypeId) {
        match pid {
            Some(expr) => self.expr(expr),
            None => {
                // SPIN takes the first process of the proctype.
                let has = |room: &crate::explicit::layout::ProcessRoom| {
                    room.options.iter().any(|option| option.proctype == proctype)
                };
                let number = self.layout.processes.iter().position(has).unwrap_or(0);
                self.emit(Op::Constant(number as i32));
            }
        }
    }

    fn remote(&mut self, proctype: ProctypeId, pid: Option<&Expr>, place: &Place) {
        let Root::Local(local) = place.root else { return self.read(place) };
        let variable = &self.model.proctypes[proctype.index()].body.locals[local.index()];
        let path = Path::new(self.model, variable, place);
        let first = self.cells.local_starts[proctype.index()][local.index()] + self.constant_part(&path);
        if !self.index_code(&path) {
            self.emit(Op::Constant(0));
        }
        self.process_number(pid, proctype);
        self.emit(Op::Remote(proctype, first as u32));
    }
}

/// The cells of an index that is a constant within range.
fn known((expr, n_elements, size): &(&Expr, usize, usize)) -> Option<usize> {
    match expr.kind {
        ExprKind::Constant(value) if (0..*n_elements as i64).contains(&i64::from(value)) => {
            Some(value as usize * size)
        }
        _ => None,
    }
}

/// The answer for a channel that holds `length` messages.
pub(super) fn answer(query: ChannelQuery, length: usize, capacity: usize) -> i32 {
    match query {
        ChannelQuery::Length => length as i32,
        ChannelQuery::Empty => i32::from(length == 0),
        ChannelQuery::Full => i32::from(length == capacity),
        ChannelQuery::NotEmpty => i32::from(length != 0),
        ChannelQuery::NotFull => i32::from(length != capacity),
    }
}
