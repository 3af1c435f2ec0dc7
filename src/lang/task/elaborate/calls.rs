//! Function calls: functions of the file are inlined, others are events.

use super::Elaborator;
use super::control::Leaves;
use super::values::{Binding, Known, Need, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Argument, Expr, ExprKind, Function, Name, Param, Statement, TypeKind};
use crate::lang::task::program::{Action, PointId};

impl<'a> Elaborator<'a> {
    pub(super) fn call(&mut self, expr: &'a Expr, path: &'a Name, args: &'a [Expr], from: PointId) -> Leaves {
        let Some(function) = self.functions.get(path.text.as_str()).copied() else {
            if self.families.iter().any(|family| family.name == path.text) {
                let message =
                    format!("the task `{}` cannot be called: all tasks start by themselves", path.text);
                self.error("task-type", path.span, message);
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

    /// Goes to the exit of the current function for a result.
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
        self.silent(point, exit, span);
    }

    fn is_recursive(&mut self, function: &'a Function, span: Span) -> bool {
        let names = self.task.frames.iter().filter_map(|frame| frame.function);
        let names: Vec<&str> = names.map(|function| function.name.text.as_str()).collect();
        let Some(start) = names.iter().position(|name| *name == function.name.text) else { return false };
        let mut cycle = names[start..].to_vec();
        cycle.push(&function.name.text);
        let message = format!("functions of a model cannot be recursive: {}", cycle.join(" -> "));
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
        let by_reference = matches!(param.ty.kind, TypeKind::Reference(_));
        let named = match &arg.kind {
            ExprKind::Reference { place, .. } => Some(&**place),
            ExprKind::Name(_) | ExprKind::Index(..) if by_reference => Some(arg),
            _ => None,
        };
        if let Some(named) = named
            && self.is_variable(named)
            && let Some(place) = self.place(named, known)?
        {
            if let TypeKind::Reference(inner) = &param.ty.kind
                && !matches!(inner.kind, TypeKind::Other(_) | TypeKind::Builtin(_))
                && let Some(ty) = self.variable_type(inner)
                && ty != place.ty
            {
                let (wanted, found) = (self.type_name(&ty), self.type_name(&place.ty));
                self.error("task-type", arg.span, format!("`{wanted}` is needed here, this is `{found}`"));
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

    /// Does the expression name a variable rather than a value?
    fn is_variable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => !matches!(self.lookup(name), Some(Binding::Value { .. })),
            ExprKind::Index(base, _) => self.is_variable(base),
            _ => false,
        }
    }

    /// Is it a name that the model does not know?
    fn is_foreign(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name).is_none(),
            ExprKind::Index(base, _) => self.is_foreign(base),
            _ => false,
        }
    }

    /// A call that the model does not know: an event, and everything it may
    /// write is unknown afterwards.
    pub(super) fn call_outside(
        &mut self,
        label: &str,
        args: &'a [Expr],
        from: PointId,
        span: Span,
        is_method: bool,
    ) -> Leaves {
        let message = format!("`{label}` is outside the model: it is an event with an unknown result");
        let mut names: Vec<&str> = self.functions.keys().copied().collect();
        names.sort_unstable();
        let help = did_you_mean(label.trim_end_matches("()"), names);
        self.report(Diagnostic::note("task-abstracted", span, message).with_optional_help(help));
        let mut point = from;
        for arg in args {
            point = self.effects(arg, point);
        }
        let to = self.point(span);
        self.edge(point, to, Action::Event(label.to_string()), span);
        let mut point = to;
        for (index, arg) in args.iter().enumerate() {
            let written = match &arg.kind {
                ExprKind::Reference { mutable: true, place } => Some(&**place),
                ExprKind::Name(_) | ExprKind::Index(..) if is_method && index == 0 => Some(arg),
                _ => None,
            };
            let is_receiver = is_method && index == 0;
            if let Some(written) = written.filter(|written| self.is_variable(written))
                && !(is_receiver && self.is_foreign(written))
            {
                point = self.forget_written(written, point, span);
            }
        }
        vec![(point, Val::Unknown)]
    }

    fn forget_written(&mut self, written: &'a Expr, from: PointId, span: Span) -> PointId {
        let cases = self.cases(from, span, |this, known| this.place(written, known));
        let mut ends = Vec::new();
        for case in cases {
            match case.result {
                Some(place) => ends.push(self.forget(&place, case.point, span)),
                None => ends.push(case.point),
            }
        }
        self.join(ends, span)
    }

    /// Something that is not understood: its parts run, its value is unknown.
    pub(super) fn opaque(&mut self, what: &str, parts: &'a [Expr], from: PointId, span: Span) -> Leaves {
        let message = match what.ends_with("!`") {
            true => format!("{what} is not understood: it does nothing"),
            false => format!("{what} is not understood: its value is unknown"),
        };
        self.report(Diagnostic::note("task-abstracted", span, message));
        let point = parts.iter().fold(from, |point, part| self.effects(part, point));
        vec![(point, Val::Unknown)]
    }

    /// Performs the parts of an expression that have effects and asks for no
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
            // Nobody asks for its value, so it is not worth a note.
            ExprKind::Opaque { parts, .. } => {
                parts.iter().fold(from, |point, part| self.effects(part, point))
            }
            ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Cast(inner, _)
            | ExprKind::Matches(inner, _) => self.effects(inner, from),
            ExprKind::Reference { place, .. } => self.effects(place, from),
            ExprKind::Binary(_, left, right)
            | ExprKind::Index(left, right)
            | ExprKind::Repeat(left, right) => {
                let middle = self.effects(left, from);
                self.effects(right, middle)
            }
            ExprKind::List(all) => all.iter().fold(from, |point, part| self.effects(part, point)),
            _ => self.run(expr, from),
        }
    }

    /// Names bound by ranges.
    pub(super) fn bind_all(&mut self, binders: &'a [crate::lang::task::ast::Binder], values: &[Val]) {
        for (binder, val) in binders.iter().zip(values) {
            self.bind(&binder.name.text, Binding::Value { val: *val, split: false });
        }
    }

    /// The binders among the arguments of an `accept!`.
    pub(super) fn binders_of(
        args: &'a [Argument],
    ) -> impl Iterator<Item = &'a crate::lang::task::ast::Binder> {
        args.iter().filter_map(|argument| match argument {
            Argument::Each(binder) => Some(binder),
            Argument::Value(_) => None,
        })
    }
}
