//! The pure evaluator: returns a value, or what must be known first.

use super::Elaborator;
use super::values::{Binding, Found, Known, Need, PANIC_HELP, Place, Ty, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Expr, ExprKind, Name, Operator, Type, TypeKind};
use crate::lang::task::program::VariableId;
use crate::net::Failure;

impl<'a> Elaborator<'a> {
    pub(super) fn eval(&mut self, expr: &'a Expr, known: &Known<'a>) -> Result<Val, Need<'a>> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok(Val::Bool(*value)),
            ExprKind::Int(number) => Ok(Val::Int(*number)),
            ExprKind::Any => Ok(Val::Unknown),
            ExprKind::Name(_) | ExprKind::Index(..) => self.name_or_element(expr, known),
            ExprKind::Variant(ty, variant) => self.variant(ty, variant, expr.span),
            ExprKind::Reference { place, .. } => self.eval(place, known),
            ExprKind::Not(inner) => match self.eval(inner, known)? {
                Val::Bool(value) => Ok(Val::Bool(!value)),
                Val::Unknown => Ok(Val::Unknown),
                other => self.wrong_type(inner.span, "a `bool`", other),
            },
            ExprKind::Negate(inner) => match self.eval(inner, known)? {
                Val::Int(number) => self.number(number.checked_neg(), expr.span),
                Val::Unknown => Ok(Val::Unknown),
                other => self.wrong_type(inner.span, "an integer", other),
            },
            ExprKind::Binary(Operator::And, left, right) => self.lazy(left, right, false, known),
            ExprKind::Binary(Operator::Or, left, right) => self.lazy(left, right, true, known),
            ExprKind::Binary(operator, left, right) => {
                let operands = (self.eval(left, known)?, self.eval(right, known)?);
                self.apply(*operator, operands, expr.span, known)
            }
            ExprKind::Cast(inner, ty) => {
                let val = self.eval(inner, known)?;
                self.cast(val, ty)
            }
            ExprKind::Matches(inner, pattern) => {
                let vals = self.subject_values(inner, known)?;
                Ok(self.matches(pattern, &vals)?.map_or(Val::Unknown, Val::Bool))
            }
            ExprKind::List(elements) => self.list(elements, expr.span, known),
            ExprKind::Repeat(element, len) => self.repeated(element, len, expr.span, known),
            ExprKind::Method { args, name } if self.is_length(args, name) => self.length(&args[0]),
            ExprKind::Error => Err(Need::Fault),
            _ => known.result(expr).ok_or(Need::Effect(expr)),
        }
    }

    /// Evaluates with short-circuit: `left` decides if it is `decisive`. If it
    /// is unknown and `right` is more than a value, one path skips `right`.
    fn lazy(
        &mut self,
        left: &'a Expr,
        right: &'a Expr,
        decisive: bool,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        let first = match self.chosen(left, known)? {
            Val::Bool(value) if value == decisive => return Ok(Val::Bool(decisive)),
            val @ (Val::Bool(_) | Val::Unknown) => val,
            other => return self.wrong_type(left.span, "a `bool`", other),
        };
        let second = match self.eval(right, known) {
            Err(Need::Fault) => return Err(Need::Fault),
            Err(_) if first == Val::Unknown => {
                return Err(Need::Choice(left, vec![Val::Bool(decisive), Val::Bool(!decisive)]));
            }
            other => other?,
        };
        match second {
            Val::Bool(value) if value == decisive || first != Val::Unknown => Ok(Val::Bool(value)),
            Val::Bool(_) | Val::Unknown => Ok(Val::Unknown),
            other => self.wrong_type(right.span, "a `bool`", other),
        }
    }

    /// Returns the value of an expression, or the one chosen for it if it is
    /// unknown.
    fn chosen(&mut self, expr: &'a Expr, known: &Known<'a>) -> Result<Val, Need<'a>> {
        match known.result(expr) {
            Some(val) if val != Val::Unknown => Ok(val),
            _ => self.eval(expr, known),
        }
    }

    fn name_or_element(&mut self, expr: &'a Expr, known: &Known<'a>) -> Result<Val, Need<'a>> {
        if let ExprKind::Name(name) = &expr.kind {
            match self.lookup(name) {
                Some(Binding::Value { val, split }) => {
                    self.saw_split |= split;
                    return Ok(val);
                }
                Some(Binding::Broken) => return Err(Need::Fault),
                Some(Binding::Objects(_)) => return self.not_a_value(name, expr.span),
                Some(Binding::Place(_)) | None => (),
            }
        }
        if let Some(val) = self.constant_element(expr, known)? {
            return Ok(val);
        }
        let place = match self.place(expr, known)? {
            Found::One(place) => place,
            Found::OneOf { places, .. } => match places.first().map(|place| &place.ty) {
                Some(Ty::Array(..)) => places[0].clone(),
                _ => return Ok(Val::Unknown),
            },
        };
        match place.ty {
            Ty::Array(..) => {
                let message =
                    format!("expected a value, found an array of type `{}`", self.type_name(&place.ty));
                let help = "select an element: `w[i]`";
                self.report(Diagnostic::error("task-type", expr.span, message).with_help(help));
                Err(Need::Fault)
            }
            ty => self.read(expr, place.first, &ty, known),
        }
    }

    fn read(
        &mut self,
        expr: &'a Expr,
        variable: VariableId,
        ty: &Ty,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        if let Some(val) = known.result(expr) {
            return Ok(val);
        }
        match self.all_values(ty).as_slice() {
            [only] => Ok(*only),
            _ => Err(Need::Read(expr, variable)),
        }
    }

    /// Returns the variable or array that an expression names, after all its
    /// indices have a value.
    pub(super) fn place(&mut self, expr: &'a Expr, known: &Known<'a>) -> Result<Found<'a>, Need<'a>> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Place(place)) => Ok(Found::One(place)),
                Some(Binding::Value { .. }) => {
                    let message = format!("`{name}` is a constant here, not a variable");
                    let help = "declare a variable by `static mut` or by `let mut x: int!(0..=7) = …;`";
                    self.report(
                        Diagnostic::error("task-assign-constant", expr.span, message).with_help(help),
                    );
                    Err(Need::Fault)
                }
                Some(Binding::Objects(_)) => self.not_a_value(name, expr.span),
                Some(Binding::Broken) => Err(Need::Fault),
                None => self.unknown_name(name, expr.span),
            },
            ExprKind::Index(base, index) => {
                let array = self.place(base, known)?;
                let position = self.chosen(index, known)?;
                self.element(array, position, (base, index, expr.span), known)
            }
            ExprKind::Reference { place, .. } => self.place(place, known),
            ExprKind::Error => Err(Need::Fault),
            _ => {
                self.error("task-type", expr.span, "expected a variable");
                Err(Need::Fault)
            }
        }
    }

    fn element(
        &mut self,
        array: Found<'a>,
        position: Val,
        (base, index, span): (&'a Expr, &'a Expr, Span),
        known: &Known<'a>,
    ) -> Result<Found<'a>, Need<'a>> {
        let (arrays, unknown) = match array {
            Found::One(array) => (vec![array], None),
            Found::OneOf { places, index, len } => (places, Some((index, len))),
        };
        let mut places = Vec::new();
        let mut all = 0;
        for array in arrays {
            let Ty::Array(element, len) = array.ty else {
                let message = format!("cannot index a `{}`: it is not an array", self.type_name(&array.ty));
                self.error("task-type", base.span, message);
                return Err(Need::Fault);
            };
            let positions = match position {
                Val::Int(number) => {
                    let position = self.in_range(len, number, (index.span, span), known)?;
                    position..position + 1
                }
                Val::Unknown => 0..len,
                other => return self.wrong_type(index.span, "an integer", other),
            };
            all = len;
            let n_scalars = element.n_scalars();
            places.extend(positions.map(|position| Place {
                first: VariableId::new(array.first.index() + position * n_scalars),
                ty: (*element).clone(),
            }));
        }
        match (unknown, position) {
            (Some((index, len)), _) => Ok(Found::OneOf { places, index, len }),
            (None, Val::Unknown) => Ok(Found::OneOf { places, index, len: all }),
            (None, _) => places.pop().map(Found::One).ok_or(Need::Fault),
        }
    }

    /// Returns an index if it is in range; reports errors. The spans are those of the
    /// index and of the element.
    pub(super) fn in_range(
        &mut self,
        len: usize,
        number: i64,
        (index, element): (Span, Span),
        known: &Known<'a>,
    ) -> Result<usize, Need<'a>> {
        match usize::try_from(number) {
            Ok(index) if index < len => Ok(index),
            _ if known.split || self.saw_split => {
                let message = format!("this index can be {number}, but the array has {len} elements");
                self.report(Diagnostic::note("task-index", index, message).with_help(PANIC_HELP));
                Err(Need::Panic(Failure::IndexOutOfRange, element))
            }
            _ => {
                let message = format!("the index {number} is out of range: the array has {len} elements");
                self.error("task-index", index, message);
                Err(Need::Fault)
            }
        }
    }

    fn unknown_name<T>(&mut self, name: &str, span: Span) -> Result<T, Need<'a>> {
        if self.functions.contains_key(name) || self.families.iter().any(|family| family.name == name) {
            self.error("task-type", span, format!("the function `{name}` cannot be used as a value"));
            return Err(Need::Fault);
        }
        let help = did_you_mean(name, self.names_in_scope());
        let diagnostic =
            Diagnostic::error("task-unknown", span, format!("no variable or constant is named `{name}`"));
        self.report(diagnostic.with_optional_help(help));
        Err(Need::Fault)
    }

    fn variant(&mut self, ty: &'a Name, variant: &'a Name, span: Span) -> Result<Val, Need<'a>> {
        let Some((index, item)) = self.enums.get(ty.text.as_str()) else {
            let mut names: Vec<&str> = self.enums.keys().copied().collect();
            names.sort_unstable();
            let help = did_you_mean(&ty.text, names);
            let diagnostic =
                Diagnostic::error("task-unknown", ty.span, format!("no enum is named `{}`", ty.text));
            self.report(diagnostic.with_optional_help(help));
            return Err(Need::Fault);
        };
        if let Some(position) = item.variants.iter().position(|known| known.text == variant.text) {
            return Ok(Val::Enum(*index, position));
        }
        let help = did_you_mean(&variant.text, item.variants.iter().map(|known| known.text.as_str()));
        let message = format!("`{}` has no variant `{}`", ty.text, variant.text);
        self.report(Diagnostic::error("task-unknown", span, message).with_optional_help(help));
        Err(Need::Fault)
    }

    fn cast(&mut self, val: Val, ty: &'a Type) -> Result<Val, Need<'a>> {
        let number = match val {
            Val::Int(number) => number,
            Val::Bool(value) => i64::from(value),
            Val::Enum(_, variant) => variant as i64,
            Val::Array(_) => {
                self.error("task-type", ty.span, "an array cannot be cast");
                return Err(Need::Fault);
            }
            Val::Unit | Val::Unknown => return Ok(Val::Unknown),
        };
        match &ty.kind {
            TypeKind::Builtin(name) => Ok(if fits(name, number) { Val::Int(number) } else { Val::Unknown }),
            TypeKind::Bool if matches!(val, Val::Bool(_)) => Ok(val),
            _ => {
                self.error("task-type", ty.span, "only casts to integer types are supported");
                Err(Need::Fault)
            }
        }
    }

    pub(super) fn wrong_type<T>(&mut self, span: Span, wanted: &str, found: Val) -> Result<T, Need<'a>> {
        let message = format!("expected {wanted}, found {}", self.describe(found));
        self.error("task-type", span, message);
        Err(Need::Fault)
    }
}

/// Returns whether the number is in the range of a built-in integer type.
fn fits(ty: &str, number: i64) -> bool {
    let bits: u32 = ty[1..].parse().unwrap_or(64);
    let number = i128::from(number);
    match ty.starts_with('u') {
        true => number >= 0 && (bits >= 64 || number < 1 << bits),
        false => bits >= 64 || (-(1i128 << (bits - 1))..1 << (bits - 1)).contains(&number),
    }
}
