//! Local declarations: constants, variables and arrays.

use super::Elaborator;
use super::cases::Case;
use super::values::{Binding, Known, Need, Place, Ty, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Expr, ExprKind, Let, TypeKind};
use crate::lang::task::program::{Action, PointId, VariableId};

impl<'a> Elaborator<'a> {
    pub(super) fn declaration(&mut self, item: &'a Let, from: PointId) -> PointId {
        let Some(name) = &item.name else {
            return item.value.as_ref().map_or(from, |value| self.effects(value, from));
        };
        let Some(value) = &item.value else { return self.declare_unset(item, from) };
        let is_list = matches!(value.kind, ExprKind::List(_) | ExprKind::Repeat(..));
        let is_array = item.mutable && matches!(item.ty.kind, TypeKind::Array(..));
        if is_list || is_array {
            return self.declare_array(item, value, from);
        }
        if !item.mutable {
            self.saw_split = false;
            match self.eval(value, &Known::default()) {
                Ok(val) if val != Val::Unknown || matches!(value.kind, ExprKind::Name(_)) => {
                    self.check_written(&item.ty, val, value.span);
                    let split = self.saw_split;
                    self.bind(&name.text, Binding::Value { val, split });
                    return from;
                }
                Err(Need::Fault) => {
                    self.bind(&name.text, Binding::Broken);
                    return from;
                }
                _ => (),
            }
        }
        self.declare_set(item, value, from)
    }

    fn declare_set(&mut self, item: &'a Let, value: &'a Expr, from: PointId) -> PointId {
        let name = item.bound();
        let cases = self.cases(from, value.span, |this, known| this.eval(value, known));
        let is_finite = matches!(item.ty.kind, TypeKind::Bool | TypeKind::Named(_) | TypeKind::Int(_));
        if let (false, Some(case)) = (item.mutable, cases.first())
            && case.result != Val::Unit
            && !(case.result == Val::Unknown && is_finite)
            && cases.iter().all(|other| other.result == case.result)
        {
            // A value that is the same on every path is a constant.
            let (val, split) = (case.result, case.split);
            self.saw_split = split;
            self.check_written(&item.ty, val, value.span);
            self.bind(name, Binding::Value { val, split });
            return self.join(cases.into_iter().map(|case| case.point).collect(), item.span);
        }
        let ty = self.local_type(item, value, &cases);
        let Some(place) = ty.and_then(|ty| self.local(item, &ty)) else {
            self.bind(name, Binding::Broken);
            return self.join(cases.into_iter().map(|case| case.point).collect(), item.span);
        };
        let to = self.point(item.span);
        for case in cases {
            self.set(case.point, to, &place, case.result, case.split, value.span, item.span);
        }
        self.bind(name, Binding::Place(place));
        to
    }

    fn declare_unset(&mut self, item: &'a Let, from: PointId) -> PointId {
        let name = item.bound();
        if matches!(item.ty.kind, TypeKind::Inferred) {
            let message = format!("the type of `{name}` is unknown");
            let help = format!("write the type: `let mut {name}: bool;`");
            self.report(Diagnostic::error("task-type", item.span, message).with_help(help));
            self.bind(name, Binding::Broken);
            return from;
        }
        let Some(ty) = self.variable_type(&item.ty) else {
            self.bind(name, Binding::Broken);
            return from;
        };
        let n_variables = self.program.variables.len();
        let Some(place) = self.local(item, &ty) else { return from };
        let is_new = n_variables < self.program.variables.len();
        let repeats = !is_new || self.task.frames.iter().any(|frame| !frame.loops.is_empty());
        self.bind(name, Binding::Place(place.clone()));
        if repeats { self.forget(&place, from, item.span) } else { from }
    }

    fn declare_array(&mut self, item: &'a Let, value: &'a Expr, from: PointId) -> PointId {
        let name = item.bound();
        if matches!(item.ty.kind, TypeKind::Inferred) {
            let message = format!("the array `{name}` needs a type");
            let help = format!("write `let mut {name}: [bool; 2] = …;`");
            self.report(Diagnostic::error("task-type", item.span, message).with_help(help));
            self.bind(name, Binding::Broken);
            return from;
        }
        let place = self.variable_type(&item.ty).and_then(|ty| self.local(item, &ty));
        let initial = place.as_ref().and_then(|place| self.initial_values(value, &place.ty));
        let (Some(place), Some(initial)) = (place, initial) else {
            self.bind(name, Binding::Broken);
            return from;
        };
        self.bind(name, Binding::Place(place.clone()));
        let mut point = from;
        for (offset, value) in initial.into_iter().enumerate() {
            let to = self.point(item.span);
            let variable = VariableId::new(place.first.index() + offset);
            self.edge(point, to, Action::Assign { variable, value }, item.span);
            point = to;
        }
        point
    }

    /// Makes all variables of a place unknown.
    pub(super) fn forget(&mut self, place: &Place, from: PointId, span: Span) -> PointId {
        let mut point = from;
        for offset in 0..place.ty.n_scalars() {
            let to = self.point(span);
            let variable = VariableId::new(place.first.index() + offset);
            self.edge(point, to, Action::Assign { variable, value: None }, span);
            point = to;
        }
        point
    }

    /// Returns the written type, else that of the variable read, else that of
    /// the values.
    fn local_type(&mut self, item: &'a Let, value: &'a Expr, cases: &[Case<Val>]) -> Option<Ty> {
        match &item.ty.kind {
            TypeKind::Inferred => (),
            TypeKind::Builtin(_) if !item.mutable => (),
            _ => return self.variable_type(&item.ty),
        }
        if let Ok(Some(place)) = self.read_place(value) {
            return Some(place.ty);
        }
        if let Some(ty) = self.received_type(value) {
            return Some(ty);
        }
        let known: Vec<Val> =
            cases.iter().map(|case| case.result).filter(|val| *val != Val::Unknown).collect();
        let complete = known.len() == cases.len();
        match known.first() {
            Some(Val::Bool(_)) => return Some(Ty::Bool),
            Some(Val::Enum(index, _)) => return Some(Ty::Enum(*index)),
            Some(Val::Int(_)) if complete && !item.mutable => {
                let numbers = || {
                    known
                        .iter()
                        .filter_map(|val| if let Val::Int(number) = val { Some(*number) } else { None })
                };
                let (lo, hi) = (numbers().min()?, numbers().max()?);
                return self.bounded(lo, hi, item.span);
            }
            None if cases.is_empty() => return None,
            _ => (),
        }
        let name = item.bound();
        let (message, help) = match known.first() {
            Some(Val::Int(_)) => (
                format!("the integer variable `{name}` has no range"),
                format!("give it a range: `let mut {name}: int!(0..=7) = …;`"),
            ),
            Some(Val::Unit) => (
                format!("`{name}` is initialised without a value"),
                "the expression on the right has no value".to_string(),
            ),
            _ => (
                format!("the type of `{name}` is unknown"),
                format!("write the type: `let {name}: bool = …;`"),
            ),
        };
        let code = if matches!(known.first(), Some(Val::Int(_))) { "task-unbounded" } else { "task-type" };
        self.report(Diagnostic::error(code, item.span, message).with_help(help));
        None
    }

    /// Returns the place that a plain variable expression names; reports no
    /// errors.
    fn read_place(&mut self, value: &'a Expr) -> Result<Option<Place>, Need<'a>> {
        match &value.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Place(place)) if !matches!(place.ty, Ty::Array(..)) => Ok(Some(place)),
                _ => Ok(None),
            },
            ExprKind::Index(base, _) => Ok(self.read_array(base).and_then(|ty| match ty {
                Ty::Array(element, _) if !matches!(*element, Ty::Array(..)) => {
                    Some(Place { first: VariableId::default(), ty: *element })
                }
                _ => None,
            })),
            _ => Ok(None),
        }
    }

    fn read_array(&self, base: &Expr) -> Option<Ty> {
        match &base.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Place(place)) => Some(place.ty),
                _ => None,
            },
            ExprKind::Index(inner, _) => match self.read_array(inner)? {
                Ty::Array(element, _) => Some(*element),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the variable of a declaration; creates it the first time.
    fn local(&mut self, item: &'a Let, ty: &Ty) -> Option<Place> {
        let key = (std::ptr::from_ref(item), ty.clone());
        if let Some(place) = self.task.locals.get(&key) {
            return Some(place.clone());
        }
        let name = item.name.as_ref()?;
        let function = self.task.frame().function.map(|function| format!("{}.", function.name.text));
        let full = format!("{}.{}{}", self.task.name, function.unwrap_or_default(), name.text);
        let count = self.task.local_names.entry(full.clone()).or_insert(0);
        *count += 1;
        let full = if *count == 1 { full } else { format!("{full}#{count}") };
        let owner = Some(self.task.id);
        let place = self.declare(&full, owner, ty, None, name.span)?;
        self.task.locals.insert(key, place.clone());
        Some(place)
    }
}
