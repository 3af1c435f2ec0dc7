//! Types, records, sets of symbolic names, and variables.

use super::super::ast::{self, Declaration, Declarator, Mtype, Name, TypeName};
use super::super::limits;
use super::super::token::Mark;
use super::super::tree::{
    ChannelType, GlobalId, Initial, MtypeId, MtypeSet, Record, RecordId, Type, Variable, Visibility,
};
use super::{Checker, Context};
use crate::diag::{Diagnostic, Span, did_you_mean};
use std::collections::HashMap;

impl Checker<'_> {
    pub(super) fn typedef(&mut self, name: &Name, declarations: &[Declaration]) {
        if let Some(known) = self.record_names.get(&name.text) {
            let first = self.records[known.index()].span;
            self.redeclared(name.mark, &format!("type `{}`", name.text), first);
        }
        let mut fields: Vec<Variable> = Vec::new();
        let mut spans: HashMap<&str, Span> = HashMap::new();
        for declaration in declarations {
            for declarator in &declaration.variables {
                let field = &declarator.name;
                if let Some(first) = spans.get(&*field.text) {
                    self.redeclared(field.mark, &format!("field `{}`", field.text), *first);
                }
                spans.insert(&field.text, field.mark.span);
                if declaration.visibility == Visibility::Hidden {
                    let message =
                        format!("only global variables can be `hidden`, not the field `{}`", field.text);
                    self.error("promela-hidden", field.mark, message);
                }
                fields.push(self.variable(declaration, declarator));
            }
        }
        if fields.is_empty() {
            self.error("promela-empty", name.mark, format!("type `{}` has no fields", name.text));
            // An array of records without fields would have no cells.
            let (name, span) = (String::new(), name.mark.span);
            let (length, initial, visibility) = (None, Initial::Zero, Visibility::Plain);
            fields.push(Variable { name, span, ty: Type::Byte, length, initial, range: None, visibility });
        }
        let id = RecordId::new(self.records.len());
        self.records.push(Record { name: name.text.to_string(), span: name.mark.span, fields });
        self.record_names.insert(name.text.clone(), id);
    }

    pub(super) fn mtype(&mut self, mtype: &Mtype) {
        let id = match &mtype.set {
            Some(set) => self.mtype_set(set),
            None => MtypeId::new(0),
        };
        if mtype.names.is_empty() {
            self.error("promela-empty", mtype.mark, "an `mtype` declaration needs at least one name");
        }
        for name in mtype.names.iter().rev() {
            if let Some(first) = self.declared_at(&name.text) {
                self.redeclared(name.mark, &format!("name `{}`", name.text), first);
                continue;
            }
            let set = &mut self.mtypes[id.index()];
            set.names.push(name.text.to_string());
            let value = set.names.len() as i32;
            self.mtype_names.insert(name.text.clone(), (id, value, name.mark.span));
        }
        if self.mtypes[id.index()].names.len() > 255 {
            self.error("promela-limit", mtype.mark, "an `mtype` can have at most 255 names");
        }
    }

    fn mtype_set(&mut self, name: &Name) -> MtypeId {
        if let Some(id) = self.mtype_sets.get(&name.text) {
            return *id;
        }
        let id = MtypeId::new(self.mtypes.len());
        self.mtypes.push(MtypeSet { name: Some(name.text.to_string()), names: Vec::new() });
        self.mtype_sets.insert(name.text.clone(), id);
        id
    }

    pub(super) fn global_declaration(&mut self, declaration: &Declaration) {
        for declarator in &declaration.variables {
            let name = &declarator.name;
            self.check_free(name, "variable");
            let variable = self.variable(declaration, declarator);
            let id = GlobalId::new(self.globals.len());
            self.globals.push(variable);
            self.global_names.insert(name.text.clone(), id);
        }
    }

    /// Checks that the name is not yet declared; SPIN has no shadowing.
    pub(super) fn check_free(&mut self, name: &Name, what: &str) {
        if let Some(first) = self.declared_at(&name.text) {
            let message = format!("{what} `{}` is already declared", name.text);
            let diagnostic = Diagnostic::error("promela-redeclared", name.mark.span, message)
                .with_related(first, "first declared here");
            self.report.push(name.mark, diagnostic);
        } else {
            self.check_predefined(name);
        }
    }

    /// Reports a variable or proctype with the name of a predefined variable.
    pub(super) fn check_predefined(&mut self, name: &Name) {
        if super::exprs::is_predefined(&name.text) {
            let message = format!("`{}` is predefined", name.text);
            self.error_with_help("promela-redeclared", name.mark, message, "choose another name");
        }
    }

    /// Returns the declaration of a visible name.
    fn declared_at(&self, name: &str) -> Option<Span> {
        if let Some(id) = self.body.visible(name) {
            return Some(self.body.locals[id.index()].span);
        }
        if let Some(id) = self.global_names.get(name) {
            return Some(self.globals[id.index()].span);
        }
        if let Some((_, _, span)) = self.mtype_names.get(name) {
            return Some(*span);
        }
        self.proctype_names.get(name).map(|id| self.outlines[id.index()].span)
    }

    /// Creates a variable with its initial value, without declaring it.
    pub(super) fn variable(&mut self, declaration: &Declaration, declarator: &Declarator) -> Variable {
        let mut ty = self.type_of(&declaration.ty);
        if let Some(width) = &declarator.width {
            ty = self.width(ty, width, &declarator.name);
        }
        let length = declarator.length.as_ref().map(|length| {
            let what = format!("the length of `{}`", declarator.name.text);
            self.array_length(length, &what)
        });
        if declaration.visibility == Visibility::Hidden && self.context == Context::Proctype {
            let message = format!("only global variables can be `hidden`, not `{}`", declarator.name.text);
            self.error("promela-hidden", declarator.name.mark, message);
        } else if declaration.visibility == Visibility::Hidden && ty == Type::Chan {
            let message = format!("`{}` is a channel and cannot be `hidden`", declarator.name.text);
            self.error("promela-hidden", declarator.name.mark, message);
        }
        if ty == Type::Unsigned(1) && declarator.width.is_none() {
            let message = format!("the `unsigned` variable `{}` needs a width", declarator.name.text);
            let help = format!("write `unsigned {} : 8` for 8 bits", declarator.name.text);
            self.error_with_help("promela-width", declarator.name.mark, message, &help);
        }
        let initial = match &declarator.initial {
            None => Initial::Zero,
            Some(initial) => self.initial(initial, ty, length, &declarator.name),
        };
        Variable {
            name: declarator.name.text.to_string(),
            span: declarator.name.mark.span,
            ty,
            length,
            initial,
            range: None,
            visibility: declaration.visibility,
        }
    }

    fn width(&mut self, ty: Type, width: &ast::Expr, name: &Name) -> Type {
        if !matches!(ty, Type::Unsigned(_)) {
            let message = format!("`{}` cannot have a width: only `unsigned` variables have one", name.text);
            self.error("promela-width", name.mark, message);
            return ty;
        }
        let bits = self.bounded(width, &format!("the width of `{}`", name.text), 1, 32).unwrap_or(1);
        Type::Unsigned(bits as u8)
    }

    pub(super) fn type_of(&mut self, ty: &TypeName) -> Type {
        match &*ty.name.text {
            "bit" => Type::Bit,
            "bool" => Type::Bool,
            "byte" => Type::Byte,
            "short" => Type::Short,
            "int" => Type::Int,
            // In SPIN the default width is one bit.
            "unsigned" => Type::Unsigned(1),
            "pid" => Type::Pid,
            "chan" => Type::Chan,
            "mtype" => Type::Mtype(ty.set.as_ref().map_or(MtypeId::new(0), |set| self.mtype_set(set))),
            name => match self.record_names.get(name) {
                Some(id) => Type::Record(*id),
                None => self.unknown_type(&ty.name),
            },
        }
    }

    fn unknown_type(&mut self, name: &Name) -> Type {
        // The first of equally close names is suggested, and maps are
        // unordered.
        let mut known: Vec<&str> = self.record_names.keys().map(|known| &**known).collect();
        known.sort_unstable();
        known.extend(["byte", "bool", "int", "bit", "short", "unsigned", "pid", "mtype", "chan"]);
        let help = did_you_mean(&name.text, known);
        let message = format!("no type is named `{}`", name.text);
        let diagnostic =
            Diagnostic::error("promela-unknown", name.mark.span, message).with_optional_help(help);
        self.report.push(name.mark, diagnostic);
        Type::Int
    }

    fn initial(&mut self, initial: &ast::Initial, ty: Type, length: Option<u32>, name: &Name) -> Initial {
        if let (Type::Record(_), ast::Initial::Value(value)) = (ty, initial) {
            self.expr(value);
            return self.record_initial(name);
        }
        match initial {
            ast::Initial::Value(value) => self.initial_value(value, ty, name),
            ast::Initial::List(values) => {
                let Some(length) = length else {
                    let message = format!(
                        "`{}` is not an array and cannot be initialised with a list of values",
                        name.text
                    );
                    self.error("promela-initial", name.mark, message);
                    return Initial::Zero;
                };
                let what = "a value in the list";
                let constants = values.iter().map(|value| {
                    let constant = self.constant_of(value, what).unwrap_or(0);
                    super::constant(constant as i32, value.mark.span)
                });
                let mut list: Vec<_> = constants.collect();
                list.truncate(length as usize);
                match ty {
                    Type::Record(_) => self.record_initial(name),
                    _ => Initial::List(list),
                }
            }
            ast::Initial::Channel { capacity, fields, mark } => {
                if ty != Type::Chan {
                    let message = format!("`{}` is not a channel", name.text);
                    self.error("promela-initial", name.mark, message);
                    return Initial::Zero;
                }
                let capacity =
                    self.bounded(capacity, "the capacity of a channel", 0, 65535).unwrap_or(0) as u32;
                let fields = self.message_types(fields, *mark);
                Initial::Channel(ChannelType { capacity, fields, span: mark.span })
            }
        }
    }

    fn initial_value(&mut self, value: &ast::Expr, ty: Type, name: &Name) -> Initial {
        if let Some(run) = super::exprs::find_run(value) {
            self.error("promela-run", run, "`run` is not allowed in an initial value");
            return Initial::Zero;
        }
        self.check_set(ty, &name.text, value);
        Initial::Value(self.expr(value))
    }

    /// Checks the initial value of a record. SPIN ignores it at the beginning
    /// of a body; later, the verifier that it generates does not compile.
    fn record_initial(&mut self, name: &Name) -> Initial {
        let help = "initialise its fields in the `typedef`";
        if self.context == Context::Proctype && self.body.has_started {
            let message = format!("`{}` is a record and cannot be initialised with a value", name.text);
            self.error_with_help("promela-initial", name.mark, message, help);
        } else {
            let message = format!("the initial value of the record `{}` is ignored", name.text);
            let diagnostic = Diagnostic::warning("promela-initial", name.mark.span, message);
            self.report.push(name.mark, diagnostic.with_help(help));
        }
        Initial::Zero
    }

    /// Returns the types of the fields of a message; records are replaced by
    /// their fields.
    fn message_types(&mut self, fields: &[TypeName], mark: Mark) -> Vec<Type> {
        let mut types = Vec::new();
        for field in fields {
            let ty = self.type_of(field);
            let fits = self.flatten(ty, &mut types);
            if !fits {
                let message = format!("a message has more than {} fields", limits::MESSAGE_FIELDS);
                self.error("promela-limit", mark, message);
                break;
            }
        }
        types
    }

    /// Appends the scalar types of `ty`; returns `false` if there are too many.
    fn flatten(&self, ty: Type, types: &mut Vec<Type>) -> bool {
        let Type::Record(id) = ty else {
            types.push(ty);
            return types.len() <= limits::MESSAGE_FIELDS;
        };
        let fields = &self.records[id.index()].fields;
        fields.iter().all(|field| (0..field.length.unwrap_or(1)).all(|_| self.flatten(field.ty, types)))
    }
}
