//! Function calls: functions of the file are inlined, others are events.

use super::Elaborator;
use super::conditions::Exits;
use super::control::Leaves;
use super::values::{Binding, Found, Known, Need, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{
    Argument, Expr, ExprKind, Function, Name, Operator, Param, Statement, TypeKind,
};
use crate::lang::task::program::{Action, PointId};

impl<'a> Elaborator<'a> {
    pub(super) fn call(&mut self, expr: &'a Expr, path: &'a Name, args: &'a [Expr], from: PointId) -> Leaves {
        let Some(function) = self.functions.get(path.text.as_str()).copied() else {
            if self.families.iter().any(|family| family.name == path.text) {
                let message =
                    format!("the task `{}` cannot be called: every task starts with the model", path.text);
                self.error("task-type", path.span, message);
                return vec![(from, Val::Unknown)];
            }
            if self.is_misplaced_object(&path.text, expr.span) {
                return vec![(from, Val::Unknown)];
            }
            return self.call_outside(&format!("{}()", path.text), args, from, expr.span, false);
        };
        self.used_functions.insert(&function.name.text);
        if self.is_recursive(function, expr.span) || !self.has_arity(function, args, expr.span) {
            return vec![(from, Val::Unknown)];
        }
        let cases = self.cases(from, expr.span, |this, known| {
            function
                .params
                .iter()
                .zip(args)
                .map(|(param, arg)| this.bind_argument(param, arg, known))
                .collect()
        });
        let mut leaves = Vec::new();
        for case in cases {
            let bindings: Vec<Binding> = case.result;
            let scope = function.params.iter().zip(bindings).map(|(param, binding)| {
                let binding = match binding {
                    Binding::Value { val, .. } => Binding::Value { val, split: case.split },
                    place => place,
                };
                (param.name.text.clone(), binding)
            });
            let scope = scope.collect();
            leaves.extend(self.inline(function, scope, case.point, expr.span));
        }
        self.merge(leaves, expr.span)
    }

    fn inline(
        &mut self,
        function: &'a Function,
        scope: Vec<(String, Binding)>,
        from: PointId,
        span: Span,
    ) -> Leaves {
        self.task.push_frame(Some(function), span, scope);
        let end = match function.body.statements.last() {
            Some(Statement::Expr(tail)) => tail.span,
            _ => function.name.span,
        };
        for (point, val) in self.block(&function.body, from) {
            self.leave_function(point, val, end);
        }
        let frame = self.task.frames.pop().expect("the frame was pushed above");
        frame.exits.into_iter().map(|(val, point)| (point, val)).collect()
    }

    /// Adds the edge to the exit of the current function for a result.
    pub(super) fn leave_function(&mut self, point: PointId, val: Val, span: Span) {
        let ty = self.task.frame().function.and_then(|function| function.result.as_ref());
        self.saw_split = true;
        let fits = ty.is_none_or(|ty| self.check_written(ty, val, span));
        let val = if fits { val } else { Val::Unknown };
        let known = self.task.frame().exits.iter().find(|(known, _)| *known == val).map(|(_, exit)| *exit);
        let exit = known.unwrap_or_else(|| self.point(span));
        if known.is_none() {
            self.task.frame().exits.push((val, exit));
        }
        let in_atomic = self.task.frame().in_atomic;
        self.leaves_atomic(in_atomic, exit);
        self.silent(point, exit, span);
    }

    fn is_recursive(&mut self, function: &'a Function, span: Span) -> bool {
        let names = self.task.frames.iter().filter_map(|frame| frame.function);
        let names: Vec<&str> = names.map(|function| function.name.text.as_str()).collect();
        let Some(start) = names.iter().position(|name| *name == function.name.text) else { return false };
        let mut cycle = names[start..].to_vec();
        cycle.push(&function.name.text);
        let message = format!("recursive functions are not supported: {}", cycle.join(" -> "));
        let diagnostic = Diagnostic::error("task-recursion", span, message)
            .with_label("this call closes the cycle")
            .with_help("use a loop");
        self.report(diagnostic);
        true
    }

    fn has_arity(&mut self, function: &'a Function, args: &[Expr], span: Span) -> bool {
        let (wanted, found) = (function.params.len(), args.len());
        if wanted != found {
            let message = format!("`{}` takes {wanted} argument(s), not {found}", function.name.text);
            let diagnostic = Diagnostic::error("task-arguments", span, message);
            self.report(diagnostic.with_related(function.name.span, "declared here"));
        }
        wanted == found
    }

    fn bind_argument(
        &mut self,
        param: &'a Param,
        arg: &'a Expr,
        known: &Known<'a>,
    ) -> Result<Binding, Need<'a>> {
        if self.names_object(arg) {
            return self.bind_object(&param.ty, arg, known);
        }
        let by_reference = matches!(param.ty.kind, TypeKind::Reference(_));
        let named = match &arg.kind {
            ExprKind::Reference { place, .. } => Some(&**place),
            ExprKind::Name(_) | ExprKind::Index(..) if by_reference => Some(arg),
            _ => None,
        };
        if let Some(named) = named
            && self.is_variable(named)
        {
            let place = match self.place(named, known)? {
                Found::One(place) => place,
                // The body may write it: it is expanded for each element.
                Found::OneOf { index, len, .. } => {
                    return Err(Need::Choice(index, (0..len as i64).map(Val::Int).collect()));
                }
            };
            if let TypeKind::Reference(inner) = &param.ty.kind
                && !matches!(inner.kind, TypeKind::Other(_) | TypeKind::Builtin(_))
                && let Some(ty) = self.variable_type(inner)
                && ty != place.ty
            {
                let (wanted, found) = (self.type_name(&ty), self.type_name(&place.ty));
                self.error("task-type", arg.span, format!("expected `{wanted}`, found `{found}`"));
                return Err(Need::Fault);
            }
            return Ok(Binding::Place(place));
        }
        let val = self.eval(arg, known)?;
        match self.check_written(&param.ty, val, arg.span) {
            true => Ok(Binding::Value { val, split: false }),
            false => Err(Need::Fault),
        }
    }

    /// Returns whether the expression names a variable rather than a value.
    fn is_variable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => !matches!(self.lookup(name), Some(Binding::Value { .. })),
            ExprKind::Index(base, _) => self.is_variable(base),
            _ => false,
        }
    }

    /// Returns whether it is a name that the model does not define.
    fn is_foreign(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name).is_none(),
            ExprKind::Index(base, _) => self.is_foreign(base),
            _ => false,
        }
    }

    /// Elaborates a call of an unknown function: an event, after which
    /// everything that the function may write is unknown.
    pub(super) fn call_outside(
        &mut self,
        label: &str,
        args: &'a [Expr],
        from: PointId,
        span: Span,
        is_method: bool,
    ) -> Leaves {
        if !self.reported.contains(&("task-abstracted", Some(span))) {
            self.note_outside(label, span);
        }
        let mut ends = Vec::new();
        for (point, written) in self.outside_arguments(args, from, is_method) {
            let mut point = self.after_event(point, label, span);
            for found in written {
                let places = found.places();
                let forgotten = places.iter().map(|place| self.forget(place, point, span)).collect();
                point = self.join(forgotten, span);
            }
            ends.push(point);
        }
        vec![(self.join(ends, span), Val::Unknown)]
    }

    fn note_outside(&mut self, label: &str, span: Span) {
        let message = format!(
            "`{label}` is not defined in the model: it is treated as an event with an unknown result"
        );
        let mut names: Vec<&str> = self.functions.keys().copied().collect();
        names.sort_unstable();
        let help = did_you_mean(label.trim_end_matches("()"), names);
        self.report(Diagnostic::note("task-abstracted", span, message).with_optional_help(help));
    }

    fn after_event(&mut self, from: PointId, label: &str, span: Span) -> PointId {
        let to = self.point(span);
        self.edge(from, to, Action::Event(label.to_string()), span);
        to
    }

    /// Performs the arguments of a call of an unknown function; returns for
    /// each path what the call may write.
    fn outside_arguments(
        &mut self,
        args: &'a [Expr],
        from: PointId,
        is_method: bool,
    ) -> Vec<(PointId, Vec<Found<'a>>)> {
        let mut paths = vec![(from, Vec::new())];
        for (index, arg) in args.iter().enumerate() {
            let is_receiver = is_method && index == 0;
            let written = match &arg.kind {
                ExprKind::Reference { mutable: true, place } => Some(&**place),
                ExprKind::Name(_) | ExprKind::Index(..) if is_receiver => Some(arg),
                _ => None,
            };
            let written = written
                .filter(|written| self.is_variable(written) && !(is_receiver && self.is_foreign(written)));
            let mut longer = Vec::new();
            for (point, before) in paths {
                let Some(written) = written else {
                    longer.push((self.effects(arg, point), before));
                    continue;
                };
                for case in self.cases(point, arg.span, |this, known| this.place(written, known)) {
                    let mut all = before.clone();
                    all.push(case.result);
                    longer.push((case.point, all));
                }
            }
            paths = longer;
        }
        paths
    }

    /// Elaborates an unsupported expression: its parts run, its value is
    /// unknown.
    pub(super) fn opaque(&mut self, what: &str, parts: &'a [Expr], from: PointId, span: Span) -> Leaves {
        let message = match what.ends_with("!`") {
            true => format!("{what} is not supported: it is ignored"),
            false => format!("{what} is not supported: its value is treated as unknown"),
        };
        self.report(Diagnostic::note("task-abstracted", span, message));
        let point = parts.iter().fold(from, |point, part| self.effects(part, point));
        vec![(point, Val::Unknown)]
    }

    /// Performs the parts of an expression that have effects, without its
    /// value.
    pub(super) fn effects(&mut self, expr: &'a Expr, from: PointId) -> PointId {
        self.deeper(expr.span, |this| this.effects_inside(expr, from)).unwrap_or(from)
    }

    fn effects_inside(&mut self, expr: &'a Expr, from: PointId) -> PointId {
        match &expr.kind {
            ExprKind::Name(_)
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Variant(..)
            | ExprKind::Any
            | ExprKind::Error => from,
            // Its value is not used, so it needs no note.
            ExprKind::Opaque { parts, .. } => {
                parts.iter().fold(from, |point, part| self.effects(part, point))
            }
            ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Cast(inner, _)
            | ExprKind::Matches(inner, _) => self.effects(inner, from),
            ExprKind::Reference { place, .. } => self.effects(place, from),
            ExprKind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                self.lazy_effects(*operator == Operator::Or, left, right, from)
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Index(left, right)
            | ExprKind::Repeat(left, right) => {
                let middle = self.effects(left, from);
                self.effects(right, middle)
            }
            ExprKind::List(all) | ExprKind::Tuple(all) => {
                all.iter().fold(from, |point, part| self.effects(part, point))
            }
            _ => self.run(expr, from),
        }
    }

    /// Elaborates `left && right` or `left || right` without its value: `left`
    /// is tested only if something depends on it, and `right` is skipped if
    /// `left` is `decisive`.
    fn lazy_effects(&mut self, decisive: bool, left: &'a Expr, right: &'a Expr, from: PointId) -> PointId {
        if is_idle(right) {
            return self.effects(left, from);
        }
        let (goes_on, ends) = (self.point(right.span), self.point(right.span));
        let (yes, no) = if decisive { (ends, goes_on) } else { (goes_on, ends) };
        self.branch(left, from, Exits { yes: Some(yes), no: Some(no) });
        if self.is_live(goes_on) {
            let last = self.effects(right, goes_on);
            self.silent(last, ends, right.span);
        }
        ends
    }

    /// Binds names to values of their ranges.
    pub(super) fn bind_all(&mut self, binders: &'a [crate::lang::task::ast::Binder], values: &[Val]) {
        for (binder, val) in binders.iter().zip(values) {
            self.bind(&binder.name.text, Binding::Value { val: *val, split: false });
        }
    }

    /// Returns the binders among the arguments of an `accept!`.
    pub(super) fn binders_of(
        args: &'a [Argument],
    ) -> impl Iterator<Item = &'a crate::lang::task::ast::Binder> {
        args.iter().filter_map(|argument| match argument {
            Argument::Each(binder) => Some(binder),
            Argument::Value(_) => None,
        })
    }
}

/// Returns whether an expression whose value is not used has no effects.
pub(super) fn is_idle(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Variant(..)
        | ExprKind::Any
        | ExprKind::Error => true,
        ExprKind::Not(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Cast(inner, _)
        | ExprKind::Matches(inner, _)
        | ExprKind::Reference { place: inner, .. } => is_idle(inner),
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) | ExprKind::Repeat(left, right) => {
            is_idle(left) && is_idle(right)
        }
        ExprKind::Opaque { parts, .. } | ExprKind::List(parts) | ExprKind::Tuple(parts) => {
            parts.iter().all(is_idle)
        }
        _ => false,
    }
}
