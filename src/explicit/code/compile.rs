//! Compiler from expressions to code.

use super::constant::is_truth;
use super::{Code, Op, Piece, Poll, Use};
use crate::explicit::layout::{Cells, Field, Layout};
use crate::net::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Network, Path, Pattern, Place, Root, TemplateId, UnaryOp,
};

/// Compiles expressions in one scope: the global scope, or that of a process
/// number and template.
pub(in crate::explicit) struct Compiler<'a> {
    pub network: &'a Network,
    pub cells: &'a Cells,
    pub layout: &'a Layout,
    pub code: &'a mut Code,
    pub scope: Option<Scope>,
    /// Location of each label, per template.
    pub labels: &'a [Vec<u32>],
}

/// The process for which code is compiled.
#[derive(Clone, Copy, Debug)]
pub(in crate::explicit) struct Scope {
    pub process: usize,
    pub template: TemplateId,
    /// Index of its locals in `Code::fields`.
    pub fields: u32,
}

/// Field of a place: known now, or at an offset from a start.
pub(in crate::explicit) enum Target {
    /// `_`
    Nowhere,
    Field(Field),
    /// The code computes an offset in cells; the start is an index of
    /// `Code::fields`.
    Indexed(u32),
}

impl Compiler<'_> {
    pub(in crate::explicit) fn piece(&mut self, expr: &Expr) -> Piece {
        let start = self.here();
        self.expr(expr);
        start..self.here()
    }

    /// Compiles a channel that is sent to or received from.
    pub(in crate::explicit) fn channel(&mut self, place: &Place, sends: bool) -> Piece {
        let start = self.here();
        self.use_channel(place, sends, !sends);
        start..self.here()
    }

    /// Compiles a read of a channel variable. Where processes make promises
    /// about channels (`xr`, `xs`), the code also checks them. Observers do not
    /// use channels.
    fn use_channel(&mut self, place: &Place, sends: bool, receives: bool) {
        self.read(place);
        if let Some(process) = self.process()
            && self.network.templates.iter().any(|it| !it.exclusive.is_empty())
        {
            self.emit(Op::Use(Use { process, sends, receives }));
        }
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    fn expr(&mut self, expr: &Expr) {
        if let Some(value) = self.constant(expr) {
            return self.emit(Op::Constant(value));
        }
        match &expr.kind {
            ExprKind::Constant(value) => self.emit(Op::Constant(*value)),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.expr(left);
                let to_end = self.hole();
                self.truth(right);
                self.fill(to_end, Op::JumpIfZero);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                self.truth(left);
                let to_end = self.hole();
                self.truth(right);
                self.fill(to_end, Op::JumpUnlessZero);
            }
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
                let (sends, receives) = match query {
                    ChannelQuery::NotFull => (true, false),
                    ChannelQuery::NotEmpty => (false, true),
                    ChannelQuery::Length | ChannelQuery::Empty | ChannelQuery::Full => (true, true),
                };
                self.use_channel(place, sends, receives);
                self.emit(Op::Channel(*query));
            }
            ExprKind::Poll { channel, any, patterns } => self.poll(channel, *any, patterns),
            ExprKind::Timeout => self.emit(Op::Timeout),
            ExprKind::Pid => self.emit(Op::Constant(self.scope.map_or(0, |scope| scope.process as i32))),
            ExprKind::NumberOfProcesses => self.emit(Op::NumberOfProcesses),
            ExprKind::RemoteLabel { template, pid, label } => {
                self.process_number(pid.as_deref(), *template);
                let location = self.labels[template.index()][label.index()];
                self.emit(Op::IsAt(*template, location));
            }
            ExprKind::RemoteVariable { template, pid, place } => {
                self.remote(*template, pid.as_deref(), place)
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
                self.emit(Op::Enabled(self.process()));
            }
            ExprKind::PcValue(_) => unreachable!("the model was refused"),
        }
    }

    fn constant(&self, expr: &Expr) -> Option<i32> {
        expr.constant(Some(self.scope.map_or(0, |scope| scope.process)))
    }

    /// Returns the process for which the code is compiled, if there is one.
    fn process(&self) -> Option<u8> {
        let scope = self.scope?;
        let room = self.layout.processes.get(scope.process)?;
        let is_there = room.options.iter().any(|option| option.template == scope.template);
        is_there.then_some(scope.process as u8)
    }

    /// Compiles an expression to 0 or 1.
    fn truth(&mut self, expr: &Expr) {
        self.expr(expr);
        if !is_truth(expr) {
            self.emit(Op::Truth);
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        if op == UnaryOp::Not
            && let Some(field) = self.fixed(operand)
        {
            return self.emit(Op::Compare(field, BinaryOp::Equal, 0));
        }
        self.expr(operand);
        self.emit(match op {
            UnaryOp::Negate => Op::Negate,
            UnaryOp::Not => Op::Not,
            UnaryOp::Complement => Op::Complement,
        });
    }

    fn hole(&mut self) -> usize {
        self.emit(Op::Jump(0));
        self.code.ops.len() - 1
    }

    fn fill(&mut self, hole: usize, op: impl Fn(u32) -> Op) {
        self.code.ops[hole] = op(self.here());
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let (constant, field) = (self.constant(right), self.fixed(right));
        if op.compares()
            && let Some(left) = self.fixed(left)
        {
            match (constant, field) {
                (Some(value), _) => return self.emit(Op::Compare(left, op, value)),
                (_, Some(right)) => return self.emit(Op::CompareFields(left, op, right)),
                _ => {}
            }
        }
        self.expr(left);
        match (constant, field) {
            (Some(value), _) => self.emit(Op::WithConstant(op, value)),
            (_, Some(field)) => self.emit(Op::WithField(op, field)),
            _ => {
                self.emit(Op::Push);
                self.expr(right);
                self.emit(Op::Binary(op));
            }
        }
    }

    /// Returns the field of an expression that is a variable with known indices.
    fn fixed(&mut self, expr: &Expr) -> Option<Field> {
        let ExprKind::Read(place) = &expr.kind else { return None };
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
        if let Some(element) = self.element(place) {
            return self.emit(element);
        }
        match self.target(place) {
            Target::Field(field) => self.emit(Op::Load(field)),
            Target::Indexed(start) => self.emit(Op::LoadAt(start)),
            Target::Nowhere => self.emit(Op::Constant(0)),
        }
    }

    /// Compiles a read from an array of scalars whose index is a variable.
    fn element(&mut self, place: &Place) -> Option<Op> {
        let (start, path) = self.locate(place)?;
        let mut unknown = path.indices.iter().filter(|index| self.known(index).is_none());
        let (Some(&(index, n_elements, 1)), None) = (unknown.next(), unknown.next()) else { return None };
        let first = start + self.constant_part(&path) as u32;
        self.fixed(index).map(|index| Op::Element { index, n_elements: n_elements as u32, first })
    }

    /// Compiles the offset of a place, if an index is not constant.
    pub(in crate::explicit) fn target(&mut self, place: &Place) -> Target {
        let Some((start, path)) = self.locate(place) else { return Target::Nowhere };
        let first = start + self.constant_part(&path) as u32;
        match self.index_code(&path) {
            false => Target::Field(self.code.fields[first as usize]),
            true => Target::Indexed(first),
        }
    }

    /// Returns the index of the variable of a place in `Code::fields`, and the
    /// path of the place within it; `None` for `_`.
    fn locate<'p>(&self, place: &'p Place) -> Option<(u32, Path<'p>)> {
        let (start, variable) = match place.root {
            Root::Scratch => return None,
            Root::Global(global) => {
                (self.cells.global_starts[global.index()] as u32, &self.network.globals[global.index()])
            }
            Root::Local(local) => {
                let scope = self.scope.expect("locals are read by processes");
                let template = scope.template.index();
                let variable = &self.network.templates[template].locals[local.index()];
                (scope.fields + self.cells.local_starts[template][local.index()] as u32, variable)
            }
        };
        Some((start, Path::new(self.network, variable, place)))
    }

    /// Returns the offset in cells of the constant indices within range.
    fn constant_part(&self, path: &Path) -> usize {
        path.offset + path.indices.iter().filter_map(|index| self.known(index)).sum::<usize>()
    }

    /// Returns the offset in cells of an index that is a constant within range.
    fn known(&self, (expr, n_elements, size): &(&Expr, usize, usize)) -> Option<usize> {
        let value = usize::try_from(self.constant(expr)?).ok()?;
        (value < *n_elements).then_some(value * size)
    }

    /// Compiles the indices that are not constant. Returns `false` if there are
    /// none.
    fn index_code(&mut self, path: &Path) -> bool {
        let mut is_any = false;
        for index in &path.indices {
            let (expr, n_elements, size) = index;
            if self.known(index).is_some() {
                continue;
            }
            if is_any {
                self.emit(Op::Push);
            }
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
                self.emit(Op::Push);
            }
            matches.push(matches!(pattern, Pattern::Match(_)));
        }
        self.use_channel(channel, true, true);
        self.code.polls.push(Poll { any, matches });
        self.emit(Op::Poll(self.code.polls.len() as u32 - 1));
    }

    fn process_number(&mut self, pid: Option<&Expr>, template: TemplateId) {
        match pid {
            Some(expr) => self.expr(expr),
            None => {
                // SPIN uses the first process of the template.
                let has = |room: &crate::explicit::layout::ProcessRoom| {
                    room.options.iter().any(|option| option.template == template)
                };
                let number = self.layout.processes.iter().position(has).unwrap_or(0);
                self.emit(Op::Constant(number as i32));
            }
        }
    }

    fn remote(&mut self, template: TemplateId, pid: Option<&Expr>, place: &Place) {
        let Root::Local(local) = place.root else { return self.read(place) };
        let variable = &self.network.templates[template.index()].locals[local.index()];
        let path = Path::new(self.network, variable, place);
        let first = self.cells.local_starts[template.index()][local.index()] + self.constant_part(&path);
        if !self.index_code(&path) {
            self.emit(Op::Constant(0));
        }
        self.emit(Op::Push);
        self.process_number(pid, template);
        self.emit(Op::Remote(template, first as u32));
    }
}

/// Returns the result of a query of a channel with `length` messages.
pub(super) fn query_result(query: ChannelQuery, length: usize, capacity: usize) -> i32 {
    match query {
        ChannelQuery::Length => length as i32,
        ChannelQuery::Empty => i32::from(length == 0),
        // As in pan, a rendezvous channel is never full.
        ChannelQuery::Full => i32::from(length == capacity && capacity > 0),
        ChannelQuery::NotEmpty => i32::from(length != 0),
        ChannelQuery::NotFull => i32::from(length != capacity || capacity == 0),
    }
}
