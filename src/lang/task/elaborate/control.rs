//! Blocks, branches, loops and jumps.
//!
//! Invariant: the point where a statement starts has no outgoing edge yet, so
//! a loop may use it as its head.

use super::Elaborator;
use super::calls::is_idle;
use super::conditions::Exits;
use super::context::Jumps;
use super::graph::Graph;
use super::values::{Binding, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Block, Choice, Expr, ExprKind, Name, Range, Statement};
use crate::lang::task::program::PointId;

/// The points where control arrives, each with a value.
pub type Leaves = Vec<(PointId, Val)>;

impl<'a> Elaborator<'a> {
    /// Performs an expression for its effects.
    pub(super) fn run(&mut self, expr: &'a Expr, from: PointId) -> PointId {
        let leaves = self.perform(expr, from);
        self.join(leaves.into_iter().map(|(point, _)| point).collect(), expr.span)
    }

    /// Performs an expression: its effects, then its values.
    pub(super) fn perform(&mut self, expr: &'a Expr, from: PointId) -> Leaves {
        if !self.step(expr.span) {
            return vec![(from, Val::Unknown)];
        }
        self.deeper(expr.span, |this| this.dispatch(expr, from)).unwrap_or_default()
    }

    fn dispatch(&mut self, expr: &'a Expr, from: PointId) -> Leaves {
        let span = expr.span;
        let point = match &expr.kind {
            ExprKind::Block(label, block) => return self.labelled_block(label.as_ref(), block, from),
            ExprKind::If { condition, then, otherwise } => {
                return self.if_else(condition, then, otherwise.as_deref(), from, span);
            }
            ExprKind::Match(subject, arms) => return self.match_arms(subject, arms, from, span),
            ExprKind::Loop(label, body) => return self.repeat(label.as_ref(), None, body, from, span),
            ExprKind::While(label, condition, body) => {
                return self.repeat(label.as_ref(), Some(condition), body, from, span);
            }
            ExprKind::For { label, name, range, body } => {
                self.unroll(label.as_ref(), name.as_ref(), range, body, from, span)
            }
            ExprKind::Atomic(block) => return self.atomic(block, from, span),
            ExprKind::Break(label, value) => {
                return self.break_out(label.as_ref(), value.as_deref(), from, span);
            }
            ExprKind::Continue(label) => return self.continue_with(label.as_ref(), from, span),
            ExprKind::Return(value) => return self.return_from(value.as_deref(), from, span),
            ExprKind::Call { path, args } => return self.call(expr, path, args, from),
            ExprKind::Method { args, name }
                if args.first().is_some_and(|object| self.names_object(object)) =>
            {
                return self.operate(args, name, from, span);
            }
            ExprKind::Method { args, name } => {
                return self.call_outside(&format!(".{}()", name.text), args, from, span, true);
            }
            ExprKind::Opaque { what, parts } => return self.opaque(what, parts, from, span),
            ExprKind::Assign(place, value) => self.assign(place, value, from, span),
            ExprKind::Update(operator, place, value) => self.update(*operator, place, value, from, span),
            ExprKind::Event(target) => self.event(target, from, span),
            ExprKind::CallEntry(target) => self.call_entry(target, from, span),
            ExprKind::Accept(accept) => self.accept(accept, None, from, span),
            ExprKind::Select(alternatives) => self.select(alternatives, from, span),
            ExprKind::Choose(choices) => self.choose(choices, from, span),
            ExprKind::Wait(condition) => {
                let to = self.point(span);
                let first = self.task.graph.next_point();
                self.enable(condition, from, to);
                // A call can have effects, so it is a step of its own.
                if is_idle(condition) {
                    let site = self.site(condition.span);
                    self.task.graph.wait_since(first, site);
                }
                to
            }
            ExprKind::Error => from,
            _ => return self.values(expr, from),
        };
        vec![(point, Val::Unit)]
    }

    fn labelled_block(&mut self, label: Option<&'a Name>, block: &'a Block, from: PointId) -> Leaves {
        if label.is_none() {
            return self.block(block, from);
        }
        self.push_loop(label, None);
        let mut leaves = self.block(block, from);
        leaves.extend(self.pop_loop());
        self.merge(leaves, block.span)
    }

    /// Elaborates a block in its own scope.
    pub(super) fn block(&mut self, block: &'a Block, from: PointId) -> Leaves {
        self.scoped(|this| this.statements(block, from))
    }

    pub(super) fn block_end(&mut self, block: &'a Block, from: PointId) -> PointId {
        let leaves = self.block(block, from);
        self.join(leaves.into_iter().map(|(point, _)| point).collect(), block.span)
    }

    fn statements(&mut self, block: &'a Block, from: PointId) -> Leaves {
        let mut point = from;
        for (index, statement) in block.statements.iter().enumerate() {
            if self.stopped {
                break;
            }
            let reached = self.is_live(point);
            *self.statements.entry(statement.span()).or_insert(false) |= reached;
            if !reached {
                return Vec::new();
            }
            let is_tail = block.has_tail && index + 1 == block.statements.len();
            let n_errors = self.n_errors;
            let start = point;
            point = match statement {
                Statement::Let(item) => self.declaration(item, point),
                Statement::Expr(expr) if is_tail => return self.perform(expr, point),
                Statement::Expr(expr) => self.run_statement(expr, point),
            };
            // After an error the rest is still checked.
            if !self.is_live(point) && n_errors < self.n_errors {
                self.silent(start, point, block.span);
            }
        }
        if self.is_live(point) { vec![(point, Val::Unit)] } else { Vec::new() }
    }

    /// Elaborates a statement; the value of a pure expression is not computed.
    fn run_statement(&mut self, expr: &'a Expr, from: PointId) -> PointId {
        match &expr.kind {
            ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Binary(..)
            | ExprKind::Not(_)
            | ExprKind::Negate(_) => self.effects(expr, from),
            _ => self.run(expr, from),
        }
    }

    fn if_else(
        &mut self,
        condition: &'a Expr,
        then: &'a Block,
        otherwise: Option<&'a Expr>,
        from: PointId,
        span: Span,
    ) -> Leaves {
        let (yes, no) = (self.point(span), self.point(span));
        self.branch(condition, from, Exits { yes: Some(yes), no: Some(no) });
        let mut leaves = Vec::new();
        if self.is_live(yes) {
            leaves.extend(self.block(then, yes));
        }
        if self.is_live(no) {
            match otherwise {
                Some(expr) => leaves.extend(self.perform(expr, no)),
                None => leaves.push((no, Val::Unit)),
            }
        }
        self.merge(leaves, span)
    }

    fn repeat(
        &mut self,
        label: Option<&'a Name>,
        condition: Option<&'a Expr>,
        body: &'a Block,
        head: PointId,
        span: Span,
    ) -> Leaves {
        self.push_loop(label, Some(head));
        let mut leaves = Vec::new();
        let start = match condition {
            None => head,
            Some(condition) => {
                let (yes, no) = (self.point(span), self.point(span));
                self.branch(condition, head, Exits { yes: Some(yes), no: Some(no) });
                if self.is_live(no) {
                    leaves.push((no, Val::Unit));
                }
                yes
            }
        };
        if self.is_live(start) {
            for (end, _) in self.block(body, start) {
                self.silent(end, head, span);
            }
        }
        leaves.extend(self.pop_loop());
        self.merge(leaves, span)
    }

    fn unroll(
        &mut self,
        label: Option<&'a Name>,
        name: Option<&'a Name>,
        range: &'a Range,
        body: &'a Block,
        from: PointId,
        span: Span,
    ) -> PointId {
        let mut point = from;
        let mut ends = Vec::new();
        for val in self.range_values(range).unwrap_or_default() {
            if !self.step(span) || !self.is_live(point) {
                break;
            }
            let next = self.point(span);
            self.push_loop(label, Some(next));
            let leaves = self.scoped(|this| {
                if let Some(name) = name {
                    this.bind(&name.text, Binding::Value { val, split: false });
                }
                this.block(body, point)
            });
            for (end, _) in leaves {
                self.silent(end, next, span);
            }
            ends.extend(self.pop_loop().into_iter().map(|(end, _)| end));
            point = next;
        }
        if self.is_live(point) || ends.is_empty() {
            ends.push(point);
        }
        self.join(ends, span)
    }

    fn choose(&mut self, choices: &'a [Choice], from: PointId, span: Span) -> PointId {
        let mut ends = Vec::new();
        let n_edges = self.task.graph.edges().len();
        for choice in choices {
            for values in self.combinations(&choice.binders) {
                let start = self.point(choice.block.span);
                self.silent(from, start, choice.block.span);
                let leaves = self.scoped(|this| {
                    this.bind_all(&choice.binders, &values);
                    this.block(&choice.block, start)
                });
                ends.extend(leaves.into_iter().map(|(end, _)| end));
            }
        }
        if self.task.graph.edges().len() == n_edges {
            self.never(from, span);
        }
        self.join(ends, span)
    }

    fn push_loop(&mut self, label: Option<&'a Name>, next: Option<PointId>) {
        let label = label.map(|label| label.text.clone());
        let (accept_depth, in_atomic) = (self.task.accept_depth, self.is_in_atomic());
        self.task.frame().loops.push(Jumps { label, next, exits: Vec::new(), accept_depth, in_atomic });
    }

    fn pop_loop(&mut self) -> Leaves {
        let jumps = self.task.frame().loops.pop();
        jumps.into_iter().flat_map(|jumps| jumps.exits).map(|(val, point)| (point, val)).collect()
    }

    /// Returns the loop or block that a jump leaves; reports an error if there
    /// is none.
    fn jump_target(&mut self, what: &str, label: Option<&'a Name>, span: Span) -> Option<usize> {
        let loops = &self.task.frame().loops;
        let fits = |jumps: &Jumps| match label {
            Some(label) => {
                jumps.label.as_ref() == Some(&label.text) && (what == "break" || jumps.next.is_some())
            }
            None => jumps.next.is_some(),
        };
        let found = loops.iter().rposition(fits);
        let depth = found.map(|index| loops[index].accept_depth);
        match (found, label) {
            (None, Some(label)) => {
                self.error(
                    "task-jump",
                    label.span,
                    format!("no enclosing loop has the label `'{}`", label.text),
                );
            }
            (None, None) => self.error("task-jump", span, format!("`{what}` outside a loop")),
            (Some(_), _) => (),
        }
        self.stays_inside(what, depth?, span).then_some(found?)
    }

    /// Reports a jump out of an accept body.
    pub(super) fn stays_inside(&mut self, what: &str, target_depth: usize, span: Span) -> bool {
        let stays = target_depth == self.task.accept_depth;
        if !stays {
            let diagnostic = Diagnostic::error(
                "task-jump",
                span,
                format!("`{what}` would leave the body of an `accept!`"),
            )
            .with_help("the caller waits until the body ends: set a variable and jump after the `accept!`");
            self.report(diagnostic);
        }
        stays
    }

    fn break_out(
        &mut self,
        label: Option<&'a Name>,
        value: Option<&'a Expr>,
        from: PointId,
        span: Span,
    ) -> Leaves {
        let leaves = match value {
            Some(value) => self.values(value, from),
            None => vec![(from, Val::Unit)],
        };
        let Some(index) = self.jump_target("break", label, span) else { return Vec::new() };
        for (point, val) in leaves {
            let exits = &self.task.frame().loops[index].exits;
            let known = exits.iter().find(|(known, _)| *known == val).map(|(_, exit)| *exit);
            let exit = known.unwrap_or_else(|| self.point(span));
            if known.is_none() {
                self.task.frame().loops[index].exits.push((val, exit));
            }
            let in_atomic = self.task.frame().loops[index].in_atomic;
            self.leaves_atomic(in_atomic, exit);
            self.silent(point, exit, span);
        }
        Vec::new()
    }

    fn continue_with(&mut self, label: Option<&'a Name>, from: PointId, span: Span) -> Leaves {
        if let Some(index) = self.jump_target("continue", label, span)
            && let Some(next) = self.task.frame().loops[index].next
        {
            let in_atomic = self.task.frame().loops[index].in_atomic;
            self.leaves_atomic(in_atomic, next);
            self.silent(from, next, span);
        }
        Vec::new()
    }

    fn return_from(&mut self, value: Option<&'a Expr>, from: PointId, span: Span) -> Leaves {
        let leaves = match value {
            Some(value) => self.values(value, from),
            None => vec![(from, Val::Unit)],
        };
        let depth = self.task.frame().accept_depth;
        if !self.stays_inside("return", depth, span) {
            return Vec::new();
        }
        for (point, val) in leaves {
            if self.task.frame().function.is_none() {
                self.silent(point, Graph::END, span);
            } else {
                self.leave_function(point, val, value.map_or(span, |value| value.span));
            }
        }
        Vec::new()
    }
}
