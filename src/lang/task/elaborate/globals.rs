//! Constants, settings, enums, shared variables and the table of functions.

use super::Elaborator;
use super::values::{Binding, Known, Need, Ty, Val};
use crate::diag::{Diagnostic, did_you_mean};
use crate::lang::task::Setting;
use crate::lang::task::ast::{Constant, Expr, ExprKind, Name, Static, TypeKind};
use crate::lang::task::program::Value;
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
                    let message = format!("the name `{}` is used twice", name.text);
                    let diagnostic = Diagnostic::error("task-duplicate", name.span, message);
                    self.report(diagnostic.with_related(before.span, "first used here"));
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
            let message = format!("the model has no constant `{}` to set", setting.name);
            let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let help = did_you_mean(&setting.name, names.iter().copied())
                .or_else(|| (!all.is_empty()).then(|| format!("the constants are {}", all.join(", "))));
            let diagnostic =
                Diagnostic::new(crate::diag::Severity::Error, "task-setting", setting.span, message);
            self.report(diagnostic.with_optional_help(help));
        }
    }

    /// Evaluates constants in the order of their dependence.
    fn all_constants(&mut self, settings: &[Setting]) {
        let mut open: Vec<&'a Constant> = self.model.constants.iter().collect();
        loop {
            let before = open.len();
            open.retain(|item| {
                let ready = !self.mentions_any(&item.value, &self.model.constants);
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

    /// Does an expression use a constant that has no value yet?
    fn mentions_any(&self, expr: &Expr, constants: &[Constant]) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                constants.iter().any(|item| item.name.text == *name)
                    && !self.constants.contains_key(name.as_str())
            }
            ExprKind::Not(inner) | ExprKind::Negate(inner) | ExprKind::Cast(inner, _) => {
                self.mentions_any(inner, constants)
            }
            ExprKind::Binary(_, left, right) => {
                self.mentions_any(left, constants) || self.mentions_any(right, constants)
            }
            _ => false,
        }
    }

    fn one_constant(&mut self, item: &'a Constant, settings: &[Setting]) {
        let n_errors = self.n_errors;
        if !matches!(item.ty.kind, TypeKind::Bool | TypeKind::Builtin(_)) {
            let diagnostic =
                Diagnostic::error("task-type", item.ty.span, "a constant is an integer or a `bool`")
                    .with_help("write `usize`, `i64` or `bool`");
            self.report(diagnostic);
            self.constants.insert(&item.name.text, None);
            return;
        }
        let written = self.constant(&item.value);
        let val = match (settings.iter().rev().find(|setting| setting.name == item.name.text), &item.ty.kind)
        {
            (Some(setting), TypeKind::Bool) => self.bool_setting(setting),
            (Some(setting), _) => Some(Val::Int(setting.value)),
            (None, _) => written,
        };
        self.saw_split = false;
        if let Some(val) = val {
            self.check_written(&item.ty, val, item.value.span);
        }
        let known = if n_errors == self.n_errors { val } else { None };
        self.constants.insert(&item.name.text, known);
    }

    fn bool_setting(&mut self, setting: &Setting) -> Option<Val> {
        match setting.value {
            0 => Some(Val::Bool(false)),
            1 => Some(Val::Bool(true)),
            value => {
                let message = format!("`{}` is a `bool`, it cannot be set to {value}", setting.name);
                let diagnostic =
                    Diagnostic::new(crate::diag::Severity::Error, "task-setting", setting.span, message);
                self.report(diagnostic.with_help("0 is `false`, 1 is `true`"));
                None
            }
        }
    }

    fn shared_variable(&mut self, item: &'a Static) {
        let place = self.variable_type(&item.ty).and_then(|ty| {
            let initial = self.initial_values(&item.initial, &ty);
            self.declare(&item.name.text, None, &ty, initial.as_deref(), item.name.span)
        });
        self.statics.entry(&item.name.text).or_insert(place.map_or(Binding::Broken, Binding::Place));
    }

    /// One value per scalar of a type, `None` being unknown.
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
            (_, Ty::Array(..)) => {
                let message = format!("`{}` is needed here", self.type_name(ty));
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
        self.error("task-type", value.span, format!("an array of {wanted} elements is needed here"));
        None
    }

    fn initial_scalar(&mut self, value: &'a Expr, ty: &Ty) -> Option<Vec<Option<Value>>> {
        let val = match self.eval(value, &Known::default()) {
            Ok(Val::Unknown) => return Some(vec![None]),
            Ok(val) => val,
            Err(Need::Read(..) | Need::Effect(_) | Need::Choice(..)) => {
                let diagnostic =
                    Diagnostic::error("task-not-constant", value.span, "an initial value must be constant")
                        .with_help("`any!()` is any value");
                self.report(diagnostic);
                return None;
            }
            Err(Need::Fault | Need::Blocked) => return None,
        };
        if let Some(value) = self.encode(ty, val) {
            return Some(vec![Some(value)]);
        }
        let (wanted, found) = (self.type_name(ty), self.describe(val));
        match Self::same_kind(ty, val) {
            true => self.error("task-value", value.span, format!("{} is not in `{wanted}`", self.show(val))),
            false => {
                self.error("task-type", value.span, format!("`{wanted}` is needed here, this is {found}"))
            }
        }
        None
    }
}
