//! `call!`, `accept!` and `select!`.

use super::Elaborator;
use super::entries::{Key, PendingCall};
use super::graph::Graph;
use super::values::{Binding, Need, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Accept, Alternative, Binder, Block, Expr, ExprKind, Target};
use crate::lang::task::program::{Action, PointId, Role, TaskId};

impl<'a> Elaborator<'a> {
    pub(super) fn call_entry(&mut self, target: &'a Target, from: PointId, span: Span) -> PointId {
        let to = self.point(span);
        let Some((task, task_indices)) = &target.task else { return to };
        let Some(family) = self.families.iter().position(|family| family.name == task.text) else {
            let help = match self.statics.get(task.text.as_str()) {
                Some(Binding::Objects(_)) => Some(format!("write `{}.{}(…)`", task.text, target.name.text)),
                _ => did_you_mean(&task.text, self.families.iter().map(|family| family.name)),
            };
            let diagnostic =
                Diagnostic::error("task-unknown", task.span, format!("no task is named `{}`", task.text));
            self.report(diagnostic.with_optional_help(help));
            return to;
        };
        let n_indices = self.families[family].n_indices;
        if n_indices != task_indices.len() {
            self.wrong_indices(task.span, &task.text, n_indices, task_indices.len());
            return to;
        }
        let cases = self.cases(from, span, |this, known| {
            let instance: Result<Vec<Val>, Need<'a>> =
                task_indices.iter().map(|index| this.eval(index, known)).collect();
            let instance = instance?;
            let indices = this.arguments(&target.indices, known)?;
            Ok((instance, indices, this.arguments(&target.args, known)?))
        });
        for case in cases {
            let (instance, indices, args) = case.result;
            let tasks = self.instances(family, &instance, case.split, task.span);
            let call = PendingCall {
                tasks,
                name: target.name.clone(),
                indices,
                args,
                constant: !case.split,
                span: target.span,
            };
            let pending = self.entries.pend(call);
            self.edge(case.point, to, Action::Call { entry: pending }, span);
        }
        to
    }

    fn wrong_indices(&mut self, span: Span, name: &str, wanted: usize, found: usize) {
        let message = match wanted {
            0 => format!("`{name}` is a single task and takes no index"),
            _ => format!("`{name}` is a family of tasks and takes {wanted} index(es), not {found}"),
        };
        let help = (wanted > 0).then(|| format!("write `{name}{}`", "[i]".repeat(wanted)));
        self.report(Diagnostic::error("task-arguments", span, message).with_optional_help(help));
    }

    /// Returns the instances that a call may refer to; reports an invalid
    /// constant index.
    fn instances(&mut self, family: usize, indices: &[Val], split: bool, span: Span) -> Vec<TaskId> {
        let all = &self.families[family].instances;
        let fits = |known: &[Val]| known.iter().zip(indices).all(|(a, b)| *b == Val::Unknown || a == b);
        let found: Vec<TaskId> = all.iter().filter(|(known, _)| fits(known)).map(|(_, id)| *id).collect();
        if found.is_empty() && !split {
            let name = self.families[family].name;
            let wanted = self.label(name, indices, &[]);
            let last = all.last().map(|(known, _)| self.label(name, known, &[]));
            let first = all.first().map(|(known, _)| self.label(name, known, &[]));
            let help = match (first, last) {
                (Some(first), Some(last)) => format!("the tasks are `{first}` to `{last}`"),
                _ => format!("the family `{name}` is empty"),
            };
            let diagnostic = Diagnostic::error("task-index", span, format!("there is no task `{wanted}`"));
            self.report(diagnostic.with_help(help));
        }
        found
    }

    /// Accepts an entry, once per combination of its ranges; `then` follows
    /// in the scope of the bound names.
    pub(super) fn accept(
        &mut self,
        accept: &'a Accept,
        then: Option<&'a Block>,
        from: PointId,
        span: Span,
    ) -> PointId {
        let target = &accept.target;
        let binders: Vec<&'a Binder> =
            Self::binders_of(&target.indices).chain(Self::binders_of(&target.args)).collect();
        let to = self.point(span);
        let n_errors = self.n_errors;
        self.accept_each(&binders, accept, then, from, to, span);
        self.incomplete |= n_errors < self.n_errors;
        to
    }

    fn accept_each(
        &mut self,
        binders: &[&'a Binder],
        accept: &'a Accept,
        then: Option<&'a Block>,
        from: PointId,
        to: PointId,
        span: Span,
    ) {
        let Some((binder, rest)) = binders.split_first() else {
            return self.accept_one(accept, then, from, to, span);
        };
        for val in self.range_values(&binder.range).unwrap_or_default() {
            if !self.step(span) {
                return;
            }
            self.scoped(|this| {
                this.bind(&binder.name.text, Binding::Value { val, split: false });
                this.accept_each(rest, accept, then, from, to, span);
            });
        }
    }

    fn accept_one(
        &mut self,
        accept: &'a Accept,
        then: Option<&'a Block>,
        from: PointId,
        to: PointId,
        span: Span,
    ) {
        let target = &accept.target;
        let cases = self.cases(from, span, |this, known| {
            let indices = this.arguments(&target.indices, known)?;
            Ok((indices, this.arguments(&target.args, known)?))
        });
        for case in cases {
            let (indices, args) = case.result;
            if indices.iter().chain(&args).any(|val| matches!(val, Val::Unknown | Val::Unit)) {
                let diagnostic = Diagnostic::error(
                    "task-value",
                    target.span,
                    "the arguments of `accept!` must have known values",
                )
                .with_help("accept every value: `accept!(entry(c in 0..N))`");
                self.report(diagnostic);
                continue;
            }
            let label = self.label(&format!("{}.{}", self.task.name, target.name.text), &indices, &args);
            let key = Key { task: self.task.id, name: target.name.text.clone(), indices, args };
            let entry = self.entries.accept(key, label, target.span);
            let after = if then.is_some() { self.point(span) } else { to };
            let body = accept.body.as_ref().map(|body| (self.point(body.span), self.point(body.span)));
            self.edge(case.point, after, Action::Accept { entry, body }, span);
            if let (Some(block), Some((start, end))) = (&accept.body, body) {
                self.accept_body(block, start, end);
            }
            if let Some(then) = then {
                for (end, _) in self.block(then, after) {
                    self.silent(end, to, then.span);
                }
            }
        }
    }

    fn accept_body(&mut self, body: &'a Block, start: PointId, end: PointId) {
        self.task.graph.enliven(start);
        self.task.accept_depth += 1;
        for (last, _) in self.block(body, start) {
            self.silent(last, end, body.span);
        }
        self.task.accept_depth -= 1;
    }

    pub(super) fn select(&mut self, alternatives: &'a [Alternative], from: PointId, span: Span) -> PointId {
        if alternatives.is_empty() {
            self.error("task-syntax", span, "`select!` has no alternative");
        }
        let to = self.point(span);
        self.task.graph.select(from);
        for alternative in alternatives {
            match alternative {
                Alternative::Rendezvous { binders, guard, rendezvous, then } => {
                    for values in self.combinations(binders) {
                        self.scoped(|this| {
                            this.bind_all(binders, &values);
                            this.alternative(guard.as_ref(), rendezvous, then.as_ref(), from, to);
                        });
                    }
                }
                Alternative::Otherwise(block) => {
                    let start = self.point(block.span);
                    self.edge_of(Role::Otherwise, from, start, Action::Silent, block.span);
                    for (end, _) in self.block(block, start) {
                        self.silent(end, to, block.span);
                    }
                }
                Alternative::Terminate(place) => {
                    if self.stays_inside("terminate", 0, *place) {
                        self.edge_of(Role::Terminate, from, Graph::END, Action::Silent, *place);
                    }
                }
            }
        }
        to
    }

    fn alternative(
        &mut self,
        guard: Option<&'a Expr>,
        rendezvous: &'a Expr,
        then: Option<&'a Block>,
        from: PointId,
        to: PointId,
    ) {
        let mut start = from;
        if let Some(guard) = guard {
            match self.constant_condition(guard) {
                Some(true) => (),
                Some(false) => return,
                None => {
                    start = self.point(guard.span);
                    self.enable(guard, from, start);
                    if !self.is_live(start) {
                        return;
                    }
                }
            }
        }
        let span = rendezvous.span;
        let end = match &rendezvous.kind {
            ExprKind::Accept(accept) => self.accept(accept, then, start, span),
            ExprKind::CallEntry(target) => {
                let end = self.call_entry(target, start, span);
                match then {
                    Some(then) if self.is_live(end) => self.block_end(then, end),
                    _ => end,
                }
            }
            _ => return,
        };
        if self.is_live(end) {
            self.silent(end, to, span);
        }
    }
}
