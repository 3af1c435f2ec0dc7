//! Assignments, events and the check of values against types.

use super::Elaborator;
use super::values::{Binding, Found, Known, Need, Place, Ty, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Argument, Expr, ExprKind, Operator, Target, Type, TypeKind};
use crate::lang::task::program::{Action, PointId, Role, VariableId};

/// The effect of an assignment on one path.
struct Write {
    /// The variables of which exactly one changes; several if an index is
    /// unknown.
    targets: Vec<VariableId>,
    change: Change,
}

enum Change {
    Set(Val),
    Shift(i64),
}

impl Change {
    fn shift(operator: Operator, by: i64) -> Self {
        let by = if operator == Operator::Add { Some(by) } else { by.checked_neg() };
        by.map_or(Self::Set(Val::Unknown), Self::Shift)
    }
}

impl<'a> Elaborator<'a> {
    pub(super) fn assign(&mut self, place: &'a Expr, value: &'a Expr, from: PointId, span: Span) -> PointId {
        if let ExprKind::Opaque { parts, .. } = &place.kind
            && parts.is_empty()
        {
            return self.effects(value, from);
        }
        self.write(from, span, value.span, |this, known| {
            let targets = this.scalars(place, known)?;
            if let [target] = targets[..]
                && let Some((operator, by)) = this.shift_shape(target, value, known)
            {
                return Ok(Write { targets, change: Change::shift(operator, by) });
            }
            Ok(Write { targets, change: Change::Set(this.eval(value, known)?) })
        })
    }

    /// Elaborates `x += e`. The value is read before the variable, as in Rust.
    pub(super) fn update(
        &mut self,
        operator: Operator,
        place: &'a Expr,
        value: &'a Expr,
        from: PointId,
        span: Span,
    ) -> PointId {
        self.write(from, span, value.span, |this, known| {
            let targets = this.scalars(place, known)?;
            let is_int = targets.first().is_some_and(|id| matches!(this.types[id.index()], Ty::Int(..)));
            let operand = this.eval(value, known)?;
            let shifts = is_int && matches!(operator, Operator::Add | Operator::Sub);
            let change = match operand {
                Val::Int(by) if shifts => Change::shift(operator, by),
                Val::Unknown if shifts => Change::Set(Val::Unknown),
                other if shifts => return this.wrong_type(value.span, "an integer", other),
                _ => {
                    let operands = (this.eval(place, known)?, operand);
                    Change::Set(this.apply(operator, operands, span, known)?)
                }
            };
            Ok(Write { targets, change })
        })
    }

    fn write(
        &mut self,
        from: PointId,
        span: Span,
        value_span: Span,
        compute: impl FnMut(&mut Self, &Known<'a>) -> Result<Write, Need<'a>>,
    ) -> PointId {
        let cases = self.cases(from, span, compute);
        let to = self.point(span);
        for case in cases {
            for variable in case.result.targets {
                match case.result.change {
                    Change::Set(val) => {
                        let place = Place { first: variable, ty: self.types[variable.index()].clone() };
                        self.set(case.point, to, &place, val, case.split, value_span, span);
                    }
                    Change::Shift(0) => self.silent(case.point, to, span),
                    Change::Shift(by) => self.edge(case.point, to, Action::Shift { variable, by }, span),
                }
            }
        }
        to
    }

    /// Returns the scalar variables of which an assignment writes one.
    fn scalars(&mut self, place: &'a Expr, known: &Known<'a>) -> Result<Vec<VariableId>, Need<'a>> {
        let found = self.place(place, known)?.places();
        if found.iter().any(|place| matches!(place.ty, Ty::Array(..))) {
            let diagnostic =
                Diagnostic::error("task-type", place.span, "an array cannot be assigned as a whole")
                    .with_help("assign its elements: `for i in 0..N { w[i] = …; }`");
            self.report(diagnostic);
            return Err(Need::Fault);
        }
        Ok(found.into_iter().map(|place| place.first).collect())
    }

    /// Recognises `x + k` and `x - k`, where `x` is the variable written and
    /// `k` is constant.
    fn shift_shape(
        &mut self,
        target: VariableId,
        value: &'a Expr,
        known: &Known<'a>,
    ) -> Option<(Operator, i64)> {
        let ExprKind::Binary(operator @ (Operator::Add | Operator::Sub), left, right) = &value.kind else {
            return None;
        };
        if !matches!(self.types[target.index()], Ty::Int(..)) {
            return None;
        }
        let swapped =
            *operator == Operator::Add && !matches!(left.kind, ExprKind::Name(_) | ExprKind::Index(..));
        let (variable, amount) = if swapped { (right, left) } else { (left, right) };
        let is_place = match &variable.kind {
            ExprKind::Name(name) => matches!(self.lookup(name), Some(Binding::Place(_))),
            ExprKind::Index(..) => true,
            _ => false,
        };
        if !is_place || !matches!(self.place(variable, known), Ok(Found::One(place)) if place.first == target)
        {
            return None;
        }
        match self.eval(amount, &Known::default()) {
            Ok(Val::Int(by)) => Some((*operator, by)),
            _ => None,
        }
    }

    /// Assigns a value after checking it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn set(
        &mut self,
        from: PointId,
        to: PointId,
        place: &Place,
        val: Val,
        split: bool,
        value_span: Span,
        span: Span,
    ) {
        if !Self::same_kind(&place.ty, val) {
            let (wanted, found) = (self.type_name(&place.ty), self.describe(val));
            return self.error("task-type", value_span, format!("expected `{wanted}`, found {found}"));
        }
        let value = self.encode(&place.ty, val);
        if value.is_none() && val != Val::Unknown && !split {
            let message = format!("{} is outside `{}`", self.show(val), self.type_name(&place.ty));
            return self.error("task-value", value_span, message);
        }
        let role = if value.is_none() && val != Val::Unknown { Role::OutOfRange } else { Role::Plain };
        self.edge_of(role, from, to, Action::Assign { variable: place.first, value }, span);
    }

    /// Checks a value against a written type that is not that of a variable.
    pub(super) fn check_written(&mut self, ty: &'a Type, val: Val, span: Span) -> bool {
        let fits = match (&ty.kind, val) {
            (_, Val::Unknown) | (TypeKind::Inferred | TypeKind::Other(_), _) => true,
            (TypeKind::Builtin(_), Val::Int(_))
            | (TypeKind::Bool, Val::Bool(_))
            | (TypeKind::Unit, Val::Unit) => true,
            (TypeKind::Reference(inner), _) => return self.check_written(inner, val, span),
            (TypeKind::Array(of, len), Val::Array(index)) => return self.check_array(of, len, index, span),
            (TypeKind::Named(_) | TypeKind::Int(_), _) => match self.variable_type(ty) {
                Some(ty) if Self::same_kind(&ty, val) => {
                    // A value read from a variable may be a case that never happens.
                    if self.encode(&ty, val).is_none() && !self.saw_split {
                        let message = format!("{} is outside `{}`", self.show(val), self.type_name(&ty));
                        self.error("task-value", span, message);
                    }
                    true
                }
                Some(_) => false,
                None => true,
            },
            _ => false,
        };
        if !fits {
            let wanted = self.written(ty);
            let message = format!("expected `{wanted}`, found {}", self.describe(val));
            self.error("task-type", span, message);
        }
        fits
    }

    fn written(&mut self, ty: &'a Type) -> String {
        match &ty.kind {
            TypeKind::Bool => "bool".into(),
            TypeKind::Builtin(name) | TypeKind::Named(name) => name.clone(),
            TypeKind::Int(_) | TypeKind::Array(..) => {
                self.variable_type(ty).map_or_else(|| "int!".into(), |ty| self.type_name(&ty))
            }
            TypeKind::Unit => "()".into(),
            TypeKind::Channel(_) => "Channel".into(),
            TypeKind::Reference(_) | TypeKind::Inferred | TypeKind::Other(_) => "value".into(),
        }
    }

    pub(super) fn event(&mut self, target: &'a Target, from: PointId, span: Span) -> PointId {
        let cases = self.cases(from, span, |this, known| {
            let indices = this.arguments(&target.indices, known)?;
            let args = this.arguments(&target.args, known)?;
            for (argument, val) in target.indices.iter().chain(&target.args).zip(indices.iter().chain(&args))
            {
                if let (Argument::Value(expr), Val::Unknown | Val::Unit) = (argument, val) {
                    let diagnostic = Diagnostic::error(
                        "task-value",
                        expr.span,
                        "the argument of an event must have a known value",
                    )
                    .with_help("choose a value: `choose! { i in 0..N => { event!(…(i)); } }`");
                    this.report(diagnostic);
                    return Err(Need::Fault);
                }
            }
            Ok(this.label(&target.name.text, &indices, &args))
        });
        let to = self.point(span);
        for case in cases {
            self.edge(case.point, to, Action::Event(case.result), span);
        }
        to
    }

    pub(super) fn arguments(
        &mut self,
        args: &'a [Argument],
        known: &Known<'a>,
    ) -> Result<Vec<Val>, Need<'a>> {
        let value = |this: &mut Self, argument: &'a Argument| match argument {
            Argument::Value(expr) => this.eval(expr, known),
            Argument::Each(binder) => match this.lookup(&binder.name.text) {
                Some(Binding::Value { val, .. }) => Ok(val),
                _ => Err(Need::Fault),
            },
        };
        args.iter().map(|argument| value(self, argument)).collect()
    }

    /// Returns the label `name[i](a,b)`.
    pub(super) fn label(&self, name: &str, indices: &[Val], args: &[Val]) -> String {
        let mut label = name.to_string();
        for index in indices {
            label.push_str(&format!("[{}]", self.show(*index)));
        }
        if !args.is_empty() {
            let shown: Vec<String> = args.iter().map(|arg| self.show(*arg)).collect();
            label.push_str(&format!("({})", shown.join(",")));
        }
        label
    }
}
