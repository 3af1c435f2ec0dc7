//! Sends, receives and polls.

use super::super::ast::{self, Argument, ExprKind as Syntax, Reference};
use super::super::token::{Mark, count};
use super::super::tree::{
    Expr, ExprKind, Initial, Model, Pattern, Place, Receive, Root, Send, StatementKind, Type,
};
use super::{Checker, Context, constant};
use crate::diag::{Diagnostic, Span};

impl Checker<'_> {
    pub(super) fn send(&mut self, channel: &Reference, sorted: bool, values: &[ast::Expr]) -> StatementKind {
        let place = self.channel(channel);
        let values = self.values(values);
        let Some(place) = place else { return StatementKind::Skip };
        self.check_count(&place, values.len(), channel.mark, Direction::Sent);
        StatementKind::Send(Send { channel: place, sorted, values, meeting: None })
    }

    /// Checks the values of a message or of `run`; records are replaced by
    /// their fields.
    pub(super) fn values(&mut self, values: &[ast::Expr]) -> Vec<Expr> {
        let mut out = Vec::new();
        for value in values {
            match &value.kind {
                Syntax::Reference(reference) if self.is_record(reference) => {
                    let Some(place) = self.any_place(reference) else { continue };
                    let mut leaves = Vec::new();
                    self.leaves(place, &mut leaves);
                    let reads = leaves.into_iter().map(|leaf| {
                        let span = leaf.span;
                        Expr { kind: ExprKind::Read(leaf), span }
                    });
                    out.extend(reads);
                }
                _ => {
                    let value = self.plain_expr(value);
                    out.push(value);
                }
            }
        }
        out
    }

    /// Returns whether it is a record, without reporting errors.
    fn is_record(&mut self, reference: &Reference) -> bool {
        let name = &reference.name.text;
        let variable = match (self.body.visible(name), self.global_names.get(name)) {
            (Some(id), _) => self.body.local(id),
            (None, Some(id)) => &self.globals[id.index()],
            (None, None) => return false,
        };
        let mut ty = variable.ty;
        let mut current = reference;
        while let Some(field) = &current.field {
            let Type::Record(id) = ty else { return false };
            let fields = &self.records[id.index()].fields;
            let Some(found) = fields.iter().find(|known| known.name == *field.name.text) else {
                return false;
            };
            ty = found.ty;
            current = field;
        }
        matches!(ty, Type::Record(_))
    }

    pub(super) fn receive(
        &mut self,
        channel: &Reference,
        any: bool,
        copy: bool,
        arguments: &[Argument],
    ) -> StatementKind {
        match self.message_patterns(channel, arguments) {
            Some((channel, patterns)) => {
                StatementKind::Receive(Receive { channel, any, copy, patterns, meeting: None })
            }
            None => StatementKind::Skip,
        }
    }

    pub(super) fn message_patterns(
        &mut self,
        channel: &Reference,
        arguments: &[Argument],
    ) -> Option<(Place, Vec<Pattern>)> {
        let place = self.channel(channel);
        let mut patterns = Vec::new();
        for argument in arguments {
            self.pattern(argument, &mut patterns);
        }
        let place = place?;
        self.check_count(&place, patterns.len(), channel.mark, Direction::Received);
        Some((place, patterns))
    }

    fn pattern(&mut self, argument: &Argument, out: &mut Vec<Pattern>) {
        match argument {
            Argument::Constant(value) => match self.constant_of(value, "this argument") {
                Some(number) => out.push(Pattern::Match(constant(number as i32, value.mark.span))),
                None => out.push(Pattern::Any),
            },
            Argument::Eval(value) => {
                let value = self.plain_expr(value);
                out.push(Pattern::Match(value));
            }
            Argument::Reference(reference) => self.reference_pattern(reference, out),
        }
    }

    fn reference_pattern(&mut self, reference: &Reference, out: &mut Vec<Pattern>) {
        let is_simple = reference.index.is_none() && reference.field.is_none();
        if is_simple && let Some((_, value, _)) = self.visible_mtype(&reference.name) {
            out.push(Pattern::Match(constant(value, reference.mark.span)));
            return;
        }
        if is_simple && &*reference.name.text == "_pid" && self.context == Context::Proctype {
            return self.pid_pattern(reference, out);
        }
        if super::exprs::is_predefined(&reference.name.text) && &*reference.name.text != "_" {
            let name = &reference.name.text;
            let message = format!("`{name}` is read-only");
            let help = format!("to compare with it, write `eval({name})`");
            self.error_with_help("promela-read-only", reference.mark, message, &help);
            out.push(Pattern::Any);
            return;
        }
        let Some(place) = self.any_place(reference) else {
            out.push(Pattern::Any);
            return;
        };
        if place.root == Root::Scratch {
            out.push(Pattern::Any);
            return;
        }
        let mut leaves = Vec::new();
        self.leaves(place, &mut leaves);
        out.extend(leaves.into_iter().map(Pattern::Store));
    }

    /// Adds the pattern for `_pid`: a receive changes it, a poll ignores it.
    fn pid_pattern(&mut self, reference: &Reference, out: &mut Vec<Pattern>) {
        let diagnostic = Diagnostic::warning(
            "promela-read-only",
            reference.mark.span,
            "this receive assigns to `_pid` instead of comparing with it",
        );
        self.report.push(reference.mark, diagnostic.with_help("to compare with it, write `eval(_pid)`"));
        out.push(self.own_pid(reference.mark).map_or(Pattern::Any, Pattern::Store));
    }

    /// Checks the number of fields. A wrong number is a runtime error, as in
    /// SPIN, because the variable may contain another channel. SPIN only refuses
    /// a send with more values than the messages of any channel have.
    fn check_count(&mut self, place: &Place, given: usize, mark: Mark, direction: Direction) {
        let Some(channel) = self.channel_type(place) else { return };
        let (expected, span) = (channel.fields.len(), channel.span);
        if given == expected {
            return;
        }
        let verb = match (direction, given) {
            (Direction::Sent, 1) => "is sent",
            (Direction::Sent, _) => "are sent",
            (Direction::Received, 1) => "is received",
            (Direction::Received, _) => "are received",
        };
        let message =
            format!("messages of this channel have {}, but {given} {verb}", count(expected, "field"));
        if direction == Direction::Sent && given > expected {
            self.long_sends.push(LongSend { n_values: given, mark, message, channel: span });
            return;
        }
        let diagnostic = Diagnostic::warning("promela-message", mark.span, message);
        self.report.push(mark, diagnostic.with_related(span, "the channel"));
    }

    /// Reports the sends with too many values, when all channels are known.
    pub(super) fn report_long_sends(&mut self, model: &Model) {
        let bodies = model.proctypes.iter().map(|it| &it.body).chain(model.claims.iter().map(|it| &it.body));
        let fields = self.records.iter().flat_map(|it| &it.fields);
        let variables = self.globals.iter().chain(fields).chain(bodies.flat_map(|it| &it.locals));
        let n_fields = variables.filter_map(|it| match &it.initial {
            Initial::Channel(channel) => Some(channel.fields.len()),
            _ => None,
        });
        let largest = n_fields.max().unwrap_or(0);
        for LongSend { n_values, mark, message, channel } in std::mem::take(&mut self.long_sends) {
            let diagnostic = match n_values > largest {
                true => Diagnostic::error("promela-message", mark.span, message),
                false => Diagnostic::warning("promela-message", mark.span, message),
            };
            self.report.push(mark, diagnostic.with_related(channel, "the channel"));
        }
    }
}

/// A send of more values than the channel of its variable has fields.
pub(super) struct LongSend {
    n_values: usize,
    mark: Mark,
    message: String,
    /// Declaration of the channel.
    channel: Span,
}

/// Whether a message is sent or received.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Sent,
    Received,
}
