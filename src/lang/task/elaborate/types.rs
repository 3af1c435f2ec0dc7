//! Types: from syntax, to domains, and the values in them.

use super::Elaborator;
use super::values::{Known, Need, Place, Ty, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Binder, Expr, Range, RangeKind, Type, TypeKind};
use crate::lang::task::limits;
use crate::lang::task::program::{Domain, TaskId, Value, Variable, VariableId};

impl<'a> Elaborator<'a> {
    /// Returns the finite type of a variable; reports errors.
    pub(super) fn variable_type(&mut self, ty: &'a Type) -> Option<Ty> {
        match &ty.kind {
            TypeKind::Bool => Some(Ty::Bool),
            TypeKind::Named(name) => self.enum_type(name, ty.span),
            TypeKind::Int(range) => self.int_type(range),
            TypeKind::Array(element, len) => {
                let element = self.variable_type(element)?;
                let count = self.constant_int(len)?;
                match usize::try_from(count) {
                    Ok(count) if count <= limits::VARIABLES => Some(Ty::Array(Box::new(element), count)),
                    Ok(_) => {
                        self.exceed(len.span, "variables", limits::VARIABLES);
                        None
                    }
                    Err(_) => {
                        self.error("task-range", len.span, format!("an array cannot have {count} elements"));
                        None
                    }
                }
            }
            TypeKind::Builtin(name) => {
                let diagnostic = Diagnostic::error(
                    "task-unbounded",
                    ty.span,
                    format!("a variable of type `{name}` has no range"),
                )
                .with_help("give it a range: `int!(0..=7)`");
                self.report(diagnostic);
                None
            }
            TypeKind::Inferred
            | TypeKind::Unit
            | TypeKind::Reference(_)
            | TypeKind::Channel(_)
            | TypeKind::Other(_) => {
                let diagnostic = Diagnostic::error("task-type", ty.span, "a variable cannot have this type")
                    .with_help(
                        "use `bool`, an enum of the file, `int!(0..=7)` or an array `[T; N]` of these",
                    );
                self.report(diagnostic);
                None
            }
        }
    }

    fn enum_type(&mut self, name: &str, span: Span) -> Option<Ty> {
        if let Some((index, _)) = self.enums.get(name) {
            return Some(Ty::Enum(*index));
        }
        let mut names: Vec<&str> = self.enums.keys().copied().chain(["bool"]).collect();
        names.sort_unstable();
        let help = match name {
            "Lock" | "Semaphore" => Some(format!("a `{name}` can only be declared by a `static` item")),
            "Channel" => Some("give the type of its messages: `static Q: Channel<bool> = …;`".to_string()),
            _ => did_you_mean(name, names),
        };
        let diagnostic = Diagnostic::error("task-unknown", span, format!("no enum is named `{name}`"));
        self.report(diagnostic.with_optional_help(help));
        None
    }

    fn int_type(&mut self, range: &'a Range) -> Option<Ty> {
        if matches!(range.kind, RangeKind::Error) {
            return None;
        }
        let RangeKind::Between { lo, hi, inclusive, .. } = &range.kind else {
            let diagnostic =
                Diagnostic::error("task-range", range.span, "`int!` needs a range with both bounds")
                    .with_help("write `int!(0..=7)`");
            self.report(diagnostic);
            return None;
        };
        let (lo, end) = (self.constant_int(lo)?, self.constant_int(hi)?);
        let hi = if *inclusive { Some(end) } else { end.checked_sub(1) };
        let Some(hi) = hi.filter(|hi| lo <= *hi) else {
            let shown = hi.map_or_else(|| format!("before {end}"), |hi| hi.to_string());
            self.error("task-range", range.span, format!("the range from {lo} to {shown} is empty"));
            return None;
        };
        self.bounded(lo, hi, range.span)
    }

    /// Returns the type `int!(lo..=hi)` if it is not too large.
    pub(super) fn bounded(&mut self, lo: i64, hi: i64, span: Span) -> Option<Ty> {
        if hi.saturating_sub(lo) >= limits::DOMAIN {
            let message = format!("a variable may have at most {} values", limits::DOMAIN);
            self.error("task-limit", span, message);
            return None;
        }
        Some(Ty::Int(lo, hi))
    }

    /// Returns the value of a constant expression; reports errors.
    pub(super) fn constant(&mut self, expr: &'a Expr) -> Option<Val> {
        match self.eval(expr, &Known::default()) {
            Ok(Val::Unknown) | Err(Need::Read(..) | Need::Effect(_) | Need::Choice(..)) => {
                let diagnostic = Diagnostic::error("task-not-constant", expr.span, "this must be constant")
                    .with_help("only constants, parameters and names bound by a range can be used here");
                self.report(diagnostic);
                None
            }
            Ok(val) => Some(val),
            Err(Need::Fault | Need::Panic(..)) => None,
        }
    }

    pub(super) fn constant_int(&mut self, expr: &'a Expr) -> Option<i64> {
        match self.constant(expr)? {
            Val::Int(number) => Some(number),
            other => {
                let message = format!("expected an integer, found {}", self.describe(other));
                self.error("task-type", expr.span, message);
                None
            }
        }
    }

    /// Returns the values of a range, in order; reports errors.
    pub(super) fn range_values(&mut self, range: &'a Range) -> Option<Vec<Val>> {
        match &range.kind {
            RangeKind::Between { lo, hi, inclusive, reversed } => {
                let (lo, hi) = (self.constant_int(lo), self.constant_int(hi));
                let (lo, hi) = (lo?, hi?);
                let Some(hi) = (if *inclusive { Some(hi) } else { hi.checked_sub(1) }) else {
                    return Some(Vec::new());
                };
                if hi.saturating_sub(lo) >= limits::RANGE {
                    self.error(
                        "task-limit",
                        range.span,
                        format!("a range may have at most {} values", limits::RANGE),
                    );
                    return None;
                }
                let mut values: Vec<Val> = (lo..=hi).map(Val::Int).collect();
                if *reversed {
                    values.reverse();
                }
                Some(values)
            }
            RangeKind::Type(name) if name == "bool" => Some(vec![Val::Bool(false), Val::Bool(true)]),
            RangeKind::Type(name) if self.is_array_name(name) => self.array_range(name, range.span),
            RangeKind::Elements { array, reversed } => self.element_range(array, *reversed),
            RangeKind::Type(name) => match self.enums.get(name.as_str()) {
                Some((index, item)) => {
                    Some((0..item.variants.len()).map(|variant| Val::Enum(*index, variant)).collect())
                }
                None => {
                    let mut names: Vec<&str> = self.enums.keys().copied().collect();
                    names.sort_unstable();
                    let help = did_you_mean(name, names).unwrap_or_else(|| {
                        "write `0..N`, a list, a constant array, an enum's name or `bool`".into()
                    });
                    let diagnostic =
                        Diagnostic::error("task-range", range.span, format!("`{name}` is not a range"));
                    self.report(diagnostic.with_help(help));
                    None
                }
            },
            RangeKind::Error => None,
            RangeKind::Other => {
                let diagnostic =
                    Diagnostic::error("task-range", range.span, "this is not a range of constants")
                        .with_help("write `0..N`, `0..=N`, a list of constants, an enum's name or `bool`");
                self.report(diagnostic);
                None
            }
        }
    }

    /// Returns all combinations of the values of binders, the last one fastest;
    /// empty after an error. A range may use the names before it.
    pub(super) fn combinations(&mut self, binders: &'a [Binder]) -> Vec<Vec<Val>> {
        let Some((first, rest)) = binders.split_first() else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for val in self.range_values(&first.range).unwrap_or_default() {
            let tails = self.scoped(|this| {
                this.bind(&first.name.text, super::values::Binding::Value { val, split: false });
                this.combinations(rest)
            });
            for mut tail in tails {
                tail.insert(0, val);
                all.push(tail);
            }
            if all.len() as i64 > limits::RANGE {
                self.exceed(
                    first.range.span,
                    "combinations of the values of these ranges",
                    limits::RANGE as usize,
                );
                return Vec::new();
            }
        }
        all
    }

    pub(super) fn domain(&self, ty: &Ty) -> Domain {
        match ty {
            Ty::Int(lo, hi) => Domain::Int { lo: *lo, hi: *hi },
            Ty::Enum(index) => {
                let item = &self.model.enums[*index];
                let variants = item.variants.iter().map(|variant| variant.text.clone()).collect();
                Domain::Enum { name: item.name.text.clone(), variants }
            }
            Ty::Bool | Ty::Array(..) => Domain::Bool,
        }
    }

    /// Returns the position of a value in a scalar type, if the type contains
    /// it.
    pub(super) fn encode(&self, ty: &Ty, val: Val) -> Option<Value> {
        match (ty, val) {
            (Ty::Bool, Val::Bool(value)) => Some(Value::from(value)),
            (Ty::Int(lo, hi), Val::Int(number)) if (*lo..=*hi).contains(&number) => {
                Value::try_from(number - lo).ok()
            }
            (Ty::Enum(ty), Val::Enum(of, variant)) if *ty == of => Value::try_from(variant).ok(),
            _ => None,
        }
    }

    /// Returns the values of a scalar type, in order.
    pub(super) fn all_values(&self, ty: &Ty) -> Vec<Val> {
        match ty {
            Ty::Bool => vec![Val::Bool(false), Val::Bool(true)],
            Ty::Int(lo, hi) => (*lo..=*hi).map(Val::Int).collect(),
            Ty::Enum(index) => (0..self.model.enums[*index].variants.len())
                .map(|variant| Val::Enum(*index, variant))
                .collect(),
            Ty::Array(..) => Vec::new(),
        }
    }

    /// Returns whether a value belongs to a type, ignoring its range.
    pub(super) fn same_kind(ty: &Ty, val: Val) -> bool {
        match (ty, val) {
            (_, Val::Unknown) | (Ty::Bool, Val::Bool(_)) | (Ty::Int(..), Val::Int(_)) => true,
            (Ty::Enum(ty), Val::Enum(of, _)) => *ty == of,
            _ => false,
        }
    }

    pub(super) fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".into(),
            Ty::Int(lo, hi) => format!("int!({lo}..={hi})"),
            Ty::Enum(index) => self.model.enums[*index].name.text.clone(),
            Ty::Array(element, len) => format!("[{}; {len}]", self.type_name(element)),
        }
    }

    /// Returns the kind of a value for a message. With the value itself, copies
    /// of one error would differ.
    pub(super) fn describe(&self, val: Val) -> String {
        match val {
            Val::Bool(_) => "a `bool`".into(),
            Val::Int(_) => "an integer".into(),
            Val::Enum(index, _) => format!("a value of `{}`", self.model.enums[index].name.text),
            Val::Array(_) => "an array".into(),
            Val::Unit => "no value".into(),
            Val::Unknown => "an unknown value".into(),
        }
    }

    /// Returns a value as text in a label.
    pub(super) fn show(&self, val: Val) -> String {
        match val {
            Val::Bool(value) => value.to_string(),
            Val::Int(number) => number.to_string(),
            Val::Enum(index, variant) => self.model.enums[index].variants[variant].text.clone(),
            Val::Array(index) => {
                let shown: Vec<String> =
                    self.arrays.elements(index).iter().map(|element| self.show(*element)).collect();
                format!("[{}]", shown.join(","))
            }
            Val::Unit => "()".into(),
            Val::Unknown => "?".into(),
        }
    }

    /// Creates the variables of a place; `initial` has one value per scalar.
    pub(super) fn declare(
        &mut self,
        name: &str,
        owner: Option<TaskId>,
        ty: &Ty,
        initial: Option<&[Option<Value>]>,
        span: Span,
    ) -> Option<Place> {
        let first = self.program.variables.len();
        if first.saturating_add(ty.n_scalars()) > limits::VARIABLES {
            self.exceed(span, "variables", limits::VARIABLES);
            return None;
        }
        self.declare_scalars(name, owner, ty, span);
        for (variable, value) in self.program.variables[first..].iter_mut().zip(initial.unwrap_or_default()) {
            variable.initial = *value;
        }
        Some(Place { first: VariableId::new(first), ty: ty.clone() })
    }

    fn declare_scalars(&mut self, name: &str, owner: Option<TaskId>, ty: &Ty, span: Span) {
        if let Ty::Array(element, len) = ty {
            for index in 0..*len {
                self.declare_scalars(&format!("{name}[{index}]"), owner, element, span);
            }
            return;
        }
        let domain = self.domain(ty);
        self.program.variables.push(Variable { name: name.to_string(), owner, domain, initial: None, span });
        self.types.push(ty.clone());
    }
}
