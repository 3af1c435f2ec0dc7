//! Constants, settings, enums, shared variables and the table of functions.

use super::Elaborator;
use super::values::{Binding, Known, Need, Ty, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::Setting;
use crate::lang::task::ast::{Constant, Enum, Expr, ExprKind, Name, Static, Type, TypeKind};
use crate::lang::task::limits;
use crate::lang::task::program::{self, ConstantValue, Domain, Value};
use std::collections::HashMap;

impl<'a> Elaborator<'a> {
    pub(super) fn globals(&mut self, settings: &[Setting]) {
        self.duplicates();
        let model = self.model;
        for (index, item) in model.enums.iter().enumerate() {
            self.enums.entry(&item.name.text).or_insert((index, item));
        }
        self.unknown_settings(settings);
        self.all_constants(settings);
        for item in &model.statics {
            self.shared_variable(item);
        }
        for function in &model.functions {
            if function.task.is_none() {
                self.functions.entry(&function.name.text).or_insert(function);
            }
        }
    }

    /// Keeps the constants and enums, which formulas may name.
    pub(super) fn keep_names(&mut self) {
        let model = self.model;
        let domain = |item: &Enum| Domain::Enum {
            name: item.name.text.clone(),
            variants: item.variants.iter().map(|it| it.text.clone()).collect(),
        };
        self.program.enums = model.enums.iter().map(domain).collect();
        let names = model.constants.iter().map(|item| item.name.text.as_str());
        let known = names.filter_map(|name| Some((name, (*self.constants.get(name)?)?)));
        let constants = known.filter_map(|(name, val)| {
            Some(program::Constant { name: name.to_string(), value: self.constant_value(val)? })
        });
        self.program.constants = constants.collect();
    }

    fn constant_value(&self, val: Val) -> Option<ConstantValue> {
        Some(match val {
            Val::Bool(value) => ConstantValue::Bool(value),
            Val::Int(value) => ConstantValue::Int(value),
            Val::Enum(index, value) => ConstantValue::Variant(index, value as Value),
            Val::Array(index) => {
                let elements = self.arrays.elements(index).iter().map(|it| self.constant_value(*it));
                ConstantValue::Array(elements.collect::<Option<_>>()?)
            }
            Val::Unit | Val::Unknown => return None,
        })
    }

    fn duplicates(&mut self) {
        let model = self.model;
        let values =
            model.constants.iter().map(|item| &item.name).chain(model.statics.iter().map(|item| &item.name));
        let values: Vec<&Name> = values.chain(model.functions.iter().map(|item| &item.name)).collect();
        self.duplicates_among(&values);
        self.duplicates_among(&model.enums.iter().map(|item| &item.name).collect::<Vec<_>>());
        for item in &model.enums {
            self.duplicates_among(&item.variants.iter().collect::<Vec<_>>());
        }
        for function in &model.functions {
            self.duplicates_among(&function.params.iter().map(|param| &param.name).collect::<Vec<_>>());
        }
    }

    fn duplicates_among(&mut self, names: &[&'a Name]) {
        let mut first: HashMap<&str, &Name> = HashMap::new();
        for name in names {
            match first.get(name.text.as_str()) {
                Some(before) => {
                    let message = format!("the name `{}` is defined twice", name.text);
                    let diagnostic = Diagnostic::error("task-duplicate", name.span, message);
                    self.report(diagnostic.with_related(before.span, "first defined here"));
                }
                None => {
                    first.insert(&name.text, name);
                }
            }
        }
    }

    fn unknown_settings(&mut self, settings: &[Setting]) {
        let names: Vec<&str> = self.model.constants.iter().map(|item| item.name.text.as_str()).collect();
        for setting in settings.iter().filter(|setting| !names.contains(&setting.name.as_str())) {
            let message = format!("the model has no constant `{}`", setting.name);
            let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let help = did_you_mean(&setting.name, names.iter().copied())
                .or_else(|| (!all.is_empty()).then(|| format!("the constants are {}", all.join(", "))));
            let diagnostic =
                Diagnostic::new(crate::diag::Severity::Error, "task-setting", setting.span, message);
            self.report(diagnostic.with_optional_help(help));
        }
    }

    /// Evaluates constants in the order of their dependencies.
    fn all_constants(&mut self, settings: &[Setting]) {
        let mut open: Vec<&'a Constant> = self.model.constants.iter().collect();
        loop {
            let before = open.len();
            open.retain(|item| {
                let constants = &self.model.constants;
                let ready = !self.mentions_any(&item.value, constants)
                    && !self.type_mentions_any(&item.ty, constants);
                if ready {
                    self.one_constant(item, settings);
                }
                !ready
            });
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        for item in open {
            let message = format!("the constant `{}` depends on itself", item.name.text);
            self.error("task-recursion", item.name.span, message);
            self.constants.insert(&item.name.text, None);
        }
    }

    /// Returns whether an expression uses a constant that has no value yet.
    fn mentions_any(&self, expr: &Expr, constants: &[Constant]) -> bool {
        let any = |exprs: &[Expr]| exprs.iter().any(|expr| self.mentions_any(expr, constants));
        match &expr.kind {
            ExprKind::Name(name) => {
                constants.iter().any(|item| item.name.text == *name)
                    && !self.constants.contains_key(name.as_str())
            }
            ExprKind::Not(inner) | ExprKind::Negate(inner) | ExprKind::Cast(inner, _) => {
                self.mentions_any(inner, constants)
            }
            ExprKind::Reference { place: inner, .. } => self.mentions_any(inner, constants),
            ExprKind::Binary(_, left, right)
            | ExprKind::Index(left, right)
            | ExprKind::Repeat(left, right) => {
                self.mentions_any(left, constants) || self.mentions_any(right, constants)
            }
            ExprKind::List(all) | ExprKind::Method { args: all, .. } => any(all),
            _ => false,
        }
    }

    /// Returns whether a written type uses a constant that has no value yet.
    fn type_mentions_any(&self, ty: &Type, constants: &[Constant]) -> bool {
        match &ty.kind {
            TypeKind::Array(of, len) => {
                self.mentions_any(len, constants) || self.type_mentions_any(of, constants)
            }
            _ => false,
        }
    }

    fn one_constant(&mut self, item: &'a Constant, settings: &[Setting]) {
        let n_errors = self.n_errors;
        if !self.is_constant_type(&item.ty) {
            let message = "a constant must be an integer, a `bool`, a value of an enum, or an array of these";
            let diagnostic = Diagnostic::error("task-type", item.ty.span, message)
                .with_help("write `usize`, `i64`, `bool`, the name of an enum, or `[T; N]`");
            self.report(diagnostic);
            self.constants.insert(&item.name.text, None);
            return;
        }
        let written = self.constant(&item.value);
        let val = match (settings.iter().rev().find(|setting| setting.name == item.name.text), &item.ty.kind)
        {
            (Some(setting), TypeKind::Bool) => self.bool_setting(setting),
            (Some(setting), TypeKind::Builtin(_)) => Some(Val::Int(setting.value)),
            (Some(setting), _) => self.no_setting(setting),
            (None, _) => written,
        };
        self.saw_split = false;
        if let Some(val) = val {
            self.check_written(&item.ty, val, item.value.span);
        }
        let known = if n_errors == self.n_errors { val } else { None };
        self.constants.insert(&item.name.text, known);
    }

    fn is_constant_type(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Bool | TypeKind::Builtin(_) => true,
            TypeKind::Named(name) => self.enums.contains_key(name.as_str()),
            TypeKind::Array(of, _) => self.is_constant_type(of),
            _ => false,
        }
    }

    fn no_setting(&mut self, setting: &Setting) -> Option<Val> {
        let message = format!("`{}` cannot be set: it is neither an integer nor a `bool`", setting.name);
        let diagnostic = Diagnostic::new(crate::diag::Severity::Error, "task-setting", setting.span, message);
        self.report(diagnostic.with_help("define its value by an integer constant, and set that one"));
        None
    }

    fn bool_setting(&mut self, setting: &Setting) -> Option<Val> {
        match setting.value {
            0 => Some(Val::Bool(false)),
            1 => Some(Val::Bool(true)),
            value => {
                let message = format!("`{}` is a `bool` and cannot be set to {value}", setting.name);
                let diagnostic =
                    Diagnostic::new(crate::diag::Severity::Error, "task-setting", setting.span, message);
                self.report(diagnostic.with_help("use 0 for `false` or 1 for `true`"));
                None
            }
        }
    }

    fn shared_variable(&mut self, item: &'a Static) {
        if let Some(binding) = self.shared_objects(item) {
            self.statics.entry(&item.name.text).or_insert(binding);
            return;
        }
        let place = self.variable_type(&item.ty).and_then(|ty| {
            if ty.n_scalars() > limits::VARIABLES {
                self.exceed(item.name.span, "variables", limits::VARIABLES);
                return None;
            }
            let initial = self.initial_values(&item.initial, &ty);
            self.declare(&item.name.text, None, &ty, initial.as_deref(), item.name.span)
        });
        self.statics.entry(&item.name.text).or_insert(place.map_or(Binding::Broken, Binding::Place));
    }

    /// Returns one value per scalar of a type; `None` is unknown.
    pub(super) fn initial_values(&mut self, value: &'a Expr, ty: &Ty) -> Option<Vec<Option<Value>>> {
        match (&value.kind, ty) {
            (ExprKind::Any, _) => Some(vec![None; ty.n_scalars()]),
            (ExprKind::Repeat(element, len), Ty::Array(of, wanted)) => {
                let len = self.constant_int(len)?;
                self.check_length(usize::try_from(len).ok(), *wanted, value)?;
                let one = self.initial_values(element, of)?;
                Some(std::iter::repeat_n(one, *wanted).flatten().collect())
            }
            (ExprKind::List(elements), Ty::Array(of, wanted)) => {
                self.check_length(Some(elements.len()), *wanted, value)?;
                let mut all = Vec::new();
                for element in elements {
                    all.extend(self.initial_values(element, of)?);
                }
                Some(all)
            }
            (ExprKind::Name(_) | ExprKind::Index(..), Ty::Array(..)) if self.names_constant(value) => {
                let val = self.constant(value)?;
                self.initial_array(val, ty, value.span)
            }
            (_, Ty::Array(..)) => {
                let message = format!("expected `{}`", self.type_name(ty));
                self.report(
                    Diagnostic::error("task-type", value.span, message)
                        .with_help("write `[0; 2]` or `[0, 1]`"),
                );
                None
            }
            _ => self.initial_scalar(value, ty),
        }
    }

    fn check_length(&mut self, found: Option<usize>, wanted: usize, value: &Expr) -> Option<()> {
        if found == Some(wanted) {
            return Some(());
        }
        self.error("task-type", value.span, format!("expected an array of {wanted} elements"));
        None
    }

    fn initial_scalar(&mut self, value: &'a Expr, ty: &Ty) -> Option<Vec<Option<Value>>> {
        let val = match self.eval(value, &Known::default()) {
            Ok(val) => val,
            Err(Need::Read(..) | Need::Effect(_) | Need::Choice(..)) => {
                let diagnostic =
                    Diagnostic::error("task-not-constant", value.span, "an initial value must be constant")
                        .with_help("write a constant, or `any!()` for any value");
                self.report(diagnostic);
                return None;
            }
            Err(Need::Fault | Need::Panic(..)) => return None,
        };
        self.initial_value(val, ty, value.span).map(|value| vec![value])
    }

    /// Returns the position of a value in the domain of a variable, or `None`
    /// for an unknown value; reports errors.
    pub(super) fn initial_value(&mut self, val: Val, ty: &Ty, span: Span) -> Option<Option<Value>> {
        if val == Val::Unknown {
            return Some(None);
        }
        if let Some(value) = self.encode(ty, val) {
            return Some(Some(value));
        }
        let (wanted, found) = (self.type_name(ty), self.describe(val));
        match Self::same_kind(ty, val) {
            true => self.error("task-value", span, format!("{} is outside `{wanted}`", self.show(val))),
            false => self.error("task-type", span, format!("expected `{wanted}`, found {found}")),
        }
        None
    }
}
