//! References to variables, elements and fields.

use super::super::ast::{ExprKind as Syntax, Name, Reference};
use super::super::token::Mark;
use super::super::tree::{
    ChannelQuery, ChannelType, Expr, ExprKind, FieldId, FieldStep, Initial, Place, Root, Type, Variable,
};
use super::{Checker, Meaning, constant};
use crate::diag::{Diagnostic, did_you_mean};

impl Checker<'_> {
    /// Resolves a name; reports an error if it is not declared.
    pub(super) fn meaning(&mut self, name: &Name) -> Option<Meaning> {
        if let Some(id) = self.body.visible(&name.text) {
            return Some(Meaning::Local(id));
        }
        if let Some(id) = self.global_names.get(&name.text) {
            return Some(Meaning::Global(*id));
        }
        if let Some((set, value, _)) = self.mtype_names.get(&name.text) {
            return Some(Meaning::Mtype(*set, *value));
        }
        self.unknown_name(name);
        None
    }

    fn unknown_name(&mut self, name: &Name) {
        if self.proctype_names.contains_key(&name.text) {
            let message = format!("`{}` is a proctype, not a value", name.text);
            let help = format!("start a process with `run {}(…)`", name.text);
            return self.error_with_help("promela-unknown", name.mark, message, &help);
        }
        if &*name.text == "STDIN" {
            let message =
                "a model that reads `STDIN` cannot be checked: it is only available in simulations by SPIN";
            return self.error("promela-unknown", name.mark, message.to_string());
        }
        let globals = self.global_names.keys().map(|known| &**known);
        let names = self.mtype_names.keys().map(|known| &**known);
        let words = ["skip", "true", "false", "timeout", "else", "break", "assert", "printf", "goto"];
        let mut candidates: Vec<&str> = self.body.names().chain(globals).chain(names).chain(words).collect();
        // The first of equally close names is suggested, and maps are
        // unordered.
        candidates.sort_unstable();
        let help = did_you_mean(&name.text, candidates);
        let message = format!("`{}` is not declared", name.text);
        let diagnostic =
            Diagnostic::error("promela-unknown", name.mark.span, message).with_optional_help(help);
        self.report.push(name.mark, diagnostic);
    }

    pub(super) fn variable_at(&self, root: Root) -> Option<&Variable> {
        match root {
            Root::Global(id) => Some(&self.globals[id.index()]),
            Root::Local(id) => Some(self.body.local(id)),
            Root::Scratch => None,
        }
    }

    /// Resolves a variable, element or field, which can be a whole record.
    pub(super) fn any_place(&mut self, reference: &Reference) -> Option<Place> {
        if &*reference.name.text == "_" {
            let span = reference.mark.span;
            return Some(Place { root: Root::Scratch, index: None, fields: Vec::new(), ty: Type::Int, span });
        }
        let root = match self.meaning(&reference.name)? {
            Meaning::Global(id) => Root::Global(id),
            Meaning::Local(id) => Root::Local(id),
            Meaning::Mtype(..) => {
                let message = format!("`{}` is a constant, not a variable", reference.name.text);
                self.error("promela-constant", reference.mark, message);
                return None;
            }
        };
        let variable = self.variable_at(root)?;
        let (ty, length) = (variable.ty, variable.length);
        self.place_from(root, ty, length, reference)
    }

    /// Resolves indices and fields from a root of the given type.
    pub(super) fn place_from(
        &mut self,
        root: Root,
        ty: Type,
        length: Option<u32>,
        reference: &Reference,
    ) -> Option<Place> {
        let index = self.index(reference, length)?;
        let mut place = Place { root, index, fields: Vec::new(), ty, span: reference.mark.span };
        let mut current = reference;
        while let Some(field) = &current.field {
            let (id, ty, length) = self.field(place.ty, current, field)?;
            let index = self.index(field, length)?;
            place.fields.push(FieldStep { field: id, index });
            place.ty = ty;
            current = field;
        }
        Some(place)
    }

    fn field(
        &mut self,
        ty: Type,
        owner: &Reference,
        field: &Reference,
    ) -> Option<(FieldId, Type, Option<u32>)> {
        let name = &field.name;
        let Type::Record(id) = ty else {
            let message = format!("`{}` is not a record and has no field `{}`", owner.name.text, name.text);
            self.error("promela-field", name.mark, message);
            return None;
        };
        let record = &self.records[id.index()];
        let position = record.fields.iter().position(|field| field.name == *name.text);
        if let Some(position) = position {
            let found = &record.fields[position];
            return Some((FieldId::new(position), found.ty, found.length));
        }
        let help = did_you_mean(&name.text, record.fields.iter().map(|field| field.name.as_str()));
        let message = format!("type `{}` has no field `{}`", record.name, name.text);
        let diagnostic = Diagnostic::error("promela-field", name.mark.span, message)
            .with_related(record.span, "the type")
            .with_optional_help(help);
        self.report.push(name.mark, diagnostic);
        None
    }

    /// Checks the index of a reference; `Some(None)` for a scalar.
    #[allow(clippy::option_option)]
    fn index(&mut self, reference: &Reference, length: Option<u32>) -> Option<Option<Box<Expr>>> {
        match (&reference.index, length) {
            (None, None) => Some(None),
            // In SPIN a scalar can have the index 0.
            (Some(index), None) if matches!(index.kind, Syntax::Constant(0)) => Some(None),
            (Some(index), None) => {
                let message = format!("`{}` is not an array", reference.name.text);
                self.error("promela-index", index.mark, message);
                None
            }
            (None, Some(_)) => {
                let message = format!("`{}` is an array and needs an index", reference.name.text);
                self.error("promela-index", reference.mark, message);
                None
            }
            (Some(index), Some(length)) => {
                let value = self.plain_expr(index);
                self.check_index(&value, length, index.mark);
                Some(Some(Box::new(value)))
            }
        }
    }

    fn check_index(&mut self, index: &Expr, length: u32, mark: Mark) {
        if let ExprKind::Constant(value) = index.kind
            && !(0..i64::from(length)).contains(&i64::from(value))
        {
            let message = format!("index {value} is out of range: the array has length {length}");
            self.warning("promela-index", mark, message);
        }
    }

    /// Resolves a place that is not a whole record.
    pub(super) fn place(&mut self, reference: &Reference) -> Option<Place> {
        let place = self.any_place(reference)?;
        self.no_record(&place, reference).then_some(place)
    }

    pub(super) fn no_record(&mut self, place: &Place, reference: &Reference) -> bool {
        let Type::Record(id) = place.ty else { return true };
        let record = self.records[id.index()].name.clone();
        let message = format!("expected a field, found a whole record of type `{record}`");
        self.error("promela-record", reference.mark, message);
        false
    }

    /// Resolves a place that can be assigned.
    pub(super) fn target(&mut self, reference: &Reference) -> Option<Place> {
        if super::exprs::is_predefined(&reference.name.text) && &*reference.name.text != "_" {
            let message = format!("`{}` is read-only", reference.name.text);
            self.error("promela-read-only", reference.mark, message);
            return None;
        }
        self.place(reference)
    }

    /// Resolves a channel.
    pub(super) fn channel(&mut self, reference: &Reference) -> Option<Place> {
        if super::exprs::is_predefined(&reference.name.text) {
            self.not_a_channel(reference);
            return None;
        }
        let place = self.place(reference)?;
        if place.ty != Type::Chan {
            self.not_a_channel(reference);
            return None;
        }
        Some(place)
    }

    /// Resolves the channel of a query. In SPIN the argument of `len` may be
    /// any variable with a channel number; an invalid number is a runtime
    /// error.
    pub(super) fn queried_channel(&mut self, query: ChannelQuery, reference: &Reference) -> Option<Place> {
        if query != ChannelQuery::Length || super::exprs::is_predefined(&reference.name.text) {
            return self.channel(reference);
        }
        let place = self.place(reference)?;
        if place.ty != Type::Chan {
            let message = format!("`{}` is not a channel", reference.name.text);
            let help = "`len` uses the value as a channel number; a value that is not the number of a channel is a runtime error";
            let diagnostic = Diagnostic::warning("promela-channel", reference.mark.span, message);
            self.report.push(reference.mark, diagnostic.with_help(help));
        }
        Some(place)
    }

    fn not_a_channel(&mut self, reference: &Reference) {
        let message = format!("`{}` is not a channel", reference.name.text);
        self.error("promela-channel", reference.mark, message);
    }

    /// Returns the type of a channel, if it is known.
    pub(super) fn channel_type(&self, place: &Place) -> Option<&ChannelType> {
        let mut variable = self.variable_at(place.root)?;
        for step in &place.fields {
            let Type::Record(id) = variable.ty else { return None };
            variable = &self.records[id.index()].fields[step.field.index()];
        }
        match &variable.initial {
            Initial::Channel(channel) => Some(channel),
            _ => None,
        }
    }

    /// Appends the scalar places of a record, in the order of its fields.
    pub(super) fn leaves(&self, place: Place, out: &mut Vec<Place>) {
        let Type::Record(id) = place.ty else {
            out.push(place);
            return;
        };
        for (position, field) in self.records[id.index()].fields.iter().enumerate() {
            for element in 0..field.length.unwrap_or(1) {
                if super::super::limits::MESSAGE_FIELDS < out.len() {
                    return;
                }
                let index = field.length.map(|_| Box::new(constant(element as i32, place.span)));
                let mut leaf = place.clone();
                leaf.fields.push(FieldStep { field: FieldId::new(position), index });
                leaf.ty = field.ty;
                self.leaves(leaf, out);
            }
        }
    }
}
