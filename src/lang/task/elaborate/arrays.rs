//! Constant arrays: their table, their elements and the lists of `for`.
//!
//! An array is a value like any other: equal arrays have the same number, so a
//! parameter, a name of `for` and an element of another array can be arrays.

use super::Elaborator;
use super::values::{Binding, Known, Need, Ty, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Expr, ExprKind, Name, Type, TypeKind};
use crate::lang::task::limits;
use crate::lang::task::program::Value;
use indexmap::IndexMap;

/// All constant arrays of a model.
#[derive(Default)]
pub struct Arrays {
    /// Elements, and the total number of their scalars.
    table: IndexMap<Vec<Val>, usize>,
}

impl Arrays {
    /// Returns the elements of an array.
    pub fn elements(&self, index: usize) -> &[Val] {
        self.table.get_index(index).map_or(&[], |(elements, _)| elements)
    }

    /// Returns the number of an array, unless it has too many scalars.
    fn insert(&mut self, elements: Vec<Val>) -> Option<usize> {
        let size = |val: &Val| match val {
            Val::Array(index) => self.table.get_index(*index).map_or(0, |(_, size)| *size),
            _ => 1,
        };
        let n_scalars: usize = elements.iter().map(size).sum();
        if n_scalars as i64 > limits::RANGE || elements.len() as i64 > limits::RANGE {
            return None;
        }
        Some(self.table.insert_full(elements, n_scalars).0)
    }
}

impl<'a> Elaborator<'a> {
    /// Evaluates `[a, b, c]`; unknown if an element is.
    pub(super) fn list(
        &mut self,
        elements: &'a [Expr],
        span: Span,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        let mut all: Vec<Val> = Vec::with_capacity(elements.len());
        for element in elements {
            let val = self.eval(element, known)?;
            if let Some(first) = all.first().filter(|first| !self.are_alike(**first, val)) {
                let (wanted, found) = (self.describe(*first), self.describe(val));
                let message = format!("expected {wanted} like the elements before it, found {found}");
                let help =
                    "all elements of an array must have the same type, and nested arrays the same length";
                self.report(Diagnostic::error("task-type", element.span, message).with_help(help));
                return Err(Need::Fault);
            }
            all.push(val);
        }
        self.array(all, span)
    }

    /// Evaluates `[a; n]`.
    pub(super) fn repeated(
        &mut self,
        element: &'a Expr,
        len: &'a Expr,
        span: Span,
        known: &Known<'a>,
    ) -> Result<Val, Need<'a>> {
        let count = self.constant_int(len).ok_or(Need::Fault)?;
        let val = self.eval(element, known)?;
        match usize::try_from(count) {
            Ok(count) if count as i64 <= limits::RANGE => self.array(vec![val; count], span),
            Ok(_) => self.too_long(span),
            Err(_) => {
                self.error("task-range", len.span, format!("an array cannot have {count} elements"));
                Err(Need::Fault)
            }
        }
    }

    fn array(&mut self, elements: Vec<Val>, span: Span) -> Result<Val, Need<'a>> {
        // A long list is more than one step of work.
        self.steps += elements.len() / 8;
        if !self.step(span) {
            return Err(Need::Fault);
        }
        if elements.contains(&Val::Unknown) {
            return Ok(Val::Unknown);
        }
        match self.arrays.insert(elements) {
            Some(index) => Ok(Val::Array(index)),
            None => self.too_long(span),
        }
    }

    fn too_long(&mut self, span: Span) -> Result<Val, Need<'a>> {
        let message = format!("a constant array may have at most {} elements", limits::RANGE);
        self.error("task-limit", span, message);
        Err(Need::Fault)
    }

    /// Returns whether two values can be elements of one array.
    fn are_alike(&self, a: Val, b: Val) -> bool {
        match (a, b) {
            (Val::Unknown, _) | (_, Val::Unknown) => true,
            (Val::Bool(_), Val::Bool(_)) | (Val::Int(_), Val::Int(_)) => true,
            (Val::Enum(a, _), Val::Enum(b, _)) => a == b,
            (Val::Array(a), Val::Array(b)) => {
                let (a, b) = (self.arrays.elements(a), self.arrays.elements(b));
                a.len() == b.len() && a.first().zip(b.first()).is_none_or(|(a, b)| self.are_alike(*a, *b))
            }
            _ => false,
        }
    }

    /// Returns the value of `base[index]`, if `base` is a constant array.
    pub(super) fn constant_element(
        &mut self,
        expr: &'a Expr,
        known: &Known<'a>,
    ) -> Result<Option<Val>, Need<'a>> {
        let ExprKind::Index(base, index) = &expr.kind else { return Ok(None) };
        let Some(array) = self.constant_base(base, known)? else { return Ok(None) };
        let position = self.eval(index, known)?;
        match (array, position) {
            (Val::Unknown, _) | (Val::Array(_), Val::Unknown) => Ok(Some(Val::Unknown)),
            (Val::Array(array), Val::Int(number)) => {
                let position =
                    self.in_range(self.arrays.elements(array).len(), number, (index.span, expr.span), known)?;
                Ok(self.arrays.elements(array).get(position).copied())
            }
            (Val::Array(_), other) => self.wrong_type(index.span, "an integer", other),
            (other, _) => {
                let message = format!("cannot index {}: it is not an array", self.describe(other));
                self.error("task-type", base.span, message);
                Err(Need::Fault)
            }
        }
    }

    fn constant_base(&mut self, base: &'a Expr, known: &Known<'a>) -> Result<Option<Val>, Need<'a>> {
        match &base.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Value { val, split }) => {
                    self.saw_split |= split;
                    Ok(Some(val))
                }
                _ => Ok(None),
            },
            ExprKind::Index(..) => self.constant_element(base, known),
            ExprKind::Reference { place, .. } => self.constant_base(place, known),
            ExprKind::List(_) | ExprKind::Repeat(..) => self.eval(base, known).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns whether it is `COST.len()` or `w[0].len()`.
    pub(super) fn is_length(&self, args: &[Expr], name: &Name) -> bool {
        let [array] = args else { return false };
        name.text == "len" && self.root_is_array(array)
    }

    fn root_is_array(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Value { val, .. }) => matches!(val, Val::Array(_)),
                Some(Binding::Place(place)) => matches!(place.ty, Ty::Array(..)),
                Some(Binding::Objects(objects)) => !objects.lengths.is_empty(),
                _ => false,
            },
            ExprKind::Index(base, _) => self.root_is_array(base),
            _ => false,
        }
    }

    /// Returns the length of an array. It needs no indices, since all elements
    /// of an array have the same type.
    pub(super) fn length(&mut self, array: &'a Expr) -> Result<Val, Need<'a>> {
        match self.shape(array).as_deref() {
            Some([len, ..]) => Ok(Val::Int(*len as i64)),
            _ => {
                self.error("task-type", array.span, "`len` is only defined for arrays");
                Err(Need::Fault)
            }
        }
    }

    /// Returns the lengths of an array and of the arrays in it.
    fn shape(&self, array: &Expr) -> Option<Vec<usize>> {
        match &array.kind {
            ExprKind::Name(name) => match self.lookup(name)? {
                Binding::Value { val, .. } => Some(self.lengths(val)),
                Binding::Place(place) => {
                    let (mut ty, mut lengths) = (&place.ty, Vec::new());
                    while let Ty::Array(element, len) = ty {
                        lengths.push(*len);
                        ty = element;
                    }
                    Some(lengths)
                }
                Binding::Objects(objects) => Some(objects.lengths),
                Binding::Broken => None,
            },
            ExprKind::Index(base, _) => self.shape(base).map(|shape| shape.into_iter().skip(1).collect()),
            _ => None,
        }
    }

    fn lengths(&self, val: Val) -> Vec<usize> {
        let (mut val, mut lengths) = (Some(val), Vec::new());
        while let Some(Val::Array(index)) = val {
            lengths.push(self.arrays.elements(index).len());
            val = self.arrays.elements(index).first().copied();
        }
        lengths
    }

    /// Returns whether the expression names a constant or a part of one.
    pub(super) fn names_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                matches!(self.lookup(name), Some(Binding::Value { .. } | Binding::Broken))
            }
            ExprKind::Index(base, _) => self.names_constant(base),
            _ => false,
        }
    }

    /// Returns whether it is an array, or a variable that could be mistaken for
    /// one.
    pub(super) fn is_array_name(&self, name: &str) -> bool {
        let binding = self.lookup(name);
        matches!(binding, Some(Binding::Place(_) | Binding::Broken))
            || matches!(binding, Some(Binding::Value { val: Val::Array(_) | Val::Unknown, .. }))
    }

    /// Returns the elements of a named array.
    pub(super) fn array_range(&mut self, name: &str, span: Span) -> Option<Vec<Val>> {
        match self.lookup(name) {
            Some(Binding::Value { val: Val::Array(index), .. }) => Some(self.arrays.elements(index).to_vec()),
            Some(Binding::Broken) => None,
            other => {
                let message = format!("`{name}` is not constant, but the values of a range must be");
                let help = match other {
                    Some(Binding::Place(place)) if matches!(place.ty, Ty::Array(..)) => {
                        format!("iterate over its indices: `for i in 0..{name}.len()`")
                    }
                    _ => "write `0..N`, a list of constants, an enum's name or `bool`".to_string(),
                };
                self.report(Diagnostic::error("task-not-constant", span, message).with_help(help));
                None
            }
        }
    }

    /// Returns the elements of a list or of a part of a constant array.
    pub(super) fn element_range(&mut self, array: &'a Expr, reversed: bool) -> Option<Vec<Val>> {
        if let ExprKind::Name(name) = &array.kind
            && self.is_array_name(name)
        {
            let mut values = self.array_range(name, array.span)?;
            if reversed {
                values.reverse();
            }
            return Some(values);
        }
        match self.constant(array)? {
            Val::Array(index) => {
                let mut values = self.arrays.elements(index).to_vec();
                if reversed {
                    values.reverse();
                }
                Some(values)
            }
            other => {
                let message = format!("expected an array, found {}", self.describe(other));
                self.error("task-range", array.span, message);
                None
            }
        }
    }

    /// Checks a constant array against a written array type.
    pub(super) fn check_array(&mut self, of: &'a Type, len: &'a Expr, index: usize, span: Span) -> bool {
        let Some(wanted) = self.constant_int(len) else { return true };
        let elements = self.arrays.elements(index).to_vec();
        self.steps += elements.len() / 64;
        if usize::try_from(wanted) != Ok(elements.len()) {
            let message = format!("expected an array of {wanted} elements, found {}", elements.len());
            self.error("task-type", span, message);
            return true;
        }
        // The elements have one type, but their own values.
        let same_type = matches!(of.kind, TypeKind::Bool | TypeKind::Builtin(_) | TypeKind::Inferred);
        let n_checked = if same_type { 1 } else { elements.len() };
        elements.into_iter().take(n_checked).all(|element| self.check_written(of, element, span))
    }

    /// Returns the positions of the elements of a constant array in the domains
    /// of an array of variables.
    pub(super) fn initial_array(&mut self, val: Val, ty: &Ty, span: Span) -> Option<Vec<Option<Value>>> {
        match (val, ty) {
            (Val::Array(index), Ty::Array(of, wanted)) => {
                let elements = self.arrays.elements(index).to_vec();
                if elements.len() != *wanted {
                    self.error("task-type", span, format!("expected an array of {wanted} elements"));
                    return None;
                }
                let mut all = Vec::new();
                for element in elements {
                    all.extend(self.initial_array(element, of, span)?);
                }
                Some(all)
            }
            _ => self.initial_value(val, ty, span).map(|value| vec![value]),
        }
    }
}
