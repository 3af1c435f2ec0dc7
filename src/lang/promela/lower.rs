//! Lowers the checked tree of a Promela model to control graphs.
//!
//! Statements are lowered from the last to the first, each with the location
//! after it. A `goto` or `break` after a statement is not a step: the statement
//! continues at its target. As the first statement of an option it is a step.
//! An `if` or `do` is one location, from which the first statements of all its
//! options leave.

mod assemble;
mod atomic_position;
mod bits;
mod blocks;
mod choices;
mod claims;
mod escapes;
mod jumps;
mod program;
mod prune;
mod refuse;

use super::tree::{
    BlockKind, Body, LabelId, LabelUse, Model, Origin as StatementOrigin, Proctype, Statement, StatementKind,
};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::net::{Action, Graph, Location, LocationId, Network, Template, Transition, TransitionId};
use atomic_position::AtomicPosition;
use program::SpinTemplate;

pub use claims::NoFormula;
pub use program::{Program, SpinStatement, SpinStatements};

/// The order in which the escapes of nested `unless` are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// The outer one first, the default of SPIN.
    #[default]
    OuterFirst,
    /// The inner one first, as with pan's `-J`.
    InnerFirst,
}

/// Lowers a model; returns an error if it uses unsupported features.
pub fn lower(model: Model) -> Result<Program, Vec<Diagnostic>> {
    lower_with(model, Escapes::OuterFirst)
}

/// Lowers a model with the given order of escapes.
pub fn lower_with(mut model: Model, escapes: Escapes) -> Result<Program, Vec<Diagnostic>> {
    let mut network = declared(&model);
    network.uses = refuse::refuse(&model, &network)?;
    prune::prune(&mut model);
    let mut program = Program { model, network, statements: SpinStatements::default(), escapes };
    for index in 0..program.model.proctypes.len() {
        let Proctype { body, span, .. } = &program.model.proctypes[index];
        let (graph, statements) = lowered(body, *span, escapes);
        program.network.templates[index].graph = graph;
        program.statements.templates.push(statements);
    }
    program.add_claims();
    program.add_trace();
    bits::widen(&mut program.network);
    Ok(program)
}

/// Returns the declarations of a model; its templates have no graphs yet.
fn declared(model: &Model) -> Network {
    let template = |it: &Proctype| Template {
        name: it.name.clone(),
        span: it.span,
        is_single: false,
        is_object: false,
        is_deterministic: it.is_deterministic,
        active: it.active,
        priority: it.priority,
        provided: it.provided.clone(),
        parameters: it.parameters,
        exclusive: it.exclusive.clone(),
        locals: it.body.locals.clone(),
        labels: it.body.labels.clone(),
        graph: Graph::default(),
    };
    Network {
        records: model.records.clone(),
        mtypes: model.mtypes.clone(),
        globals: model.globals.clone(),
        templates: model.proctypes.iter().map(template).collect(),
        ..Network::default()
    }
}

/// Returns the control graph of a body, and SPIN's data about its statements.
fn lowered(body: &Body, span: Span, escapes: Escapes) -> (Graph, SpinTemplate) {
    let mut builder = Builder::new(body);
    let last = Span { start: body.sequence.span.end.saturating_sub(1), ..body.sequence.span };
    let end = builder.add_location(last);
    let nowhere = builder.add_location(span);
    builder.add(end, Action::End, nowhere, Origin::statement(last, body.end, false));
    builder.graph.locations[end.index()].is_end = true;
    let first = builder.sequence(&body.sequence.statements, Next::outside(end), false);
    builder.finish(first, escapes)
}

/// Builds a control graph.
struct Builder<'a> {
    body: &'a Body,
    graph: Graph,
    /// SPIN's data, per transition.
    statements: Vec<SpinStatement>,
    /// Per label, a location that represents the one that it will mark.
    labels: Vec<LocationId>,
    /// Per label, the position of its statement.
    label_positions: Vec<AtomicPosition>,
    /// Per label, the number of the jump that it marks, if any.
    jumps: Vec<Option<u32>>,
    /// Per location, the one that it represents, if any.
    forwards_to: Vec<Option<LocationId>>,
    /// Per transition, whether it skips jumps, because control is released.
    skips_jumps: Vec<bool>,
    /// Per location of a jump that is a step, its target.
    jump_targets: Vec<Option<LocationId>>,
    /// Per location, SPIN's number of the construct that begins there, if it is
    /// not a step.
    numbers: Vec<Option<u32>>,
    /// Per transition, the first locations of the escapes that guard its
    /// statement, outermost first.
    guards: Vec<Vec<LocationId>>,
    /// Labels at the first statements of options, where a process never is:
    /// they mark the locations after these statements.
    option_labels: Vec<LabelId>,
    /// Context of the current statement.
    context: BlockContext,
    n_blocks: u32,
}

/// Properties that all statements of a block share.
#[derive(Clone, Default)]
struct BlockContext {
    atomic: Option<u32>,
    deterministic: Option<u32>,
    escapes: Vec<LocationId>,
    /// Target of `break`.
    exit: Option<Next>,
    /// SPIN's number of that location.
    exit_number: Option<u32>,
    /// In a `d_step`: whether the process keeps control after it.
    keeps_control: bool,
}

/// The continuation of a statement.
#[derive(Clone, Copy, Debug)]
struct Next {
    at: LocationId,
    /// Position of the next statement, whether it is a step or not.
    atomic_position: AtomicPosition,
}

/// The statement of a transition.
#[derive(Clone, Copy)]
struct Origin {
    span: Span,
    /// SPIN's number of the statement, if it has one.
    number: Option<u32>,
    keeps_control: bool,
    is_jump: bool,
    is_labelled: bool,
    has_used_label: bool,
    lands_on: Option<u32>,
}

impl Origin {
    fn statement(span: Span, number: impl Into<Option<u32>>, keeps_control: bool) -> Self {
        let number = number.into();
        Self {
            span,
            number,
            keeps_control,
            is_jump: false,
            is_labelled: false,
            has_used_label: false,
            lands_on: None,
        }
    }
}

impl Next {
    fn outside(at: LocationId) -> Self {
        Self { at, atomic_position: AtomicPosition::Outside }
    }
}

impl<'a> Builder<'a> {
    fn new(body: &'a Body) -> Self {
        let mut builder = Self {
            body,
            graph: Graph::default(),
            statements: Vec::new(),
            labels: Vec::new(),
            label_positions: atomic_position::of_labels(body),
            jumps: atomic_position::jumps(body),
            forwards_to: Vec::new(),
            skips_jumps: Vec::new(),
            jump_targets: Vec::new(),
            numbers: Vec::new(),
            guards: Vec::new(),
            option_labels: Vec::new(),
            context: BlockContext::default(),
            n_blocks: 0,
        };
        builder.labels = body.labels.iter().map(|label| builder.add_location(label.span)).collect();
        builder
    }

    fn add_location(&mut self, span: Span) -> LocationId {
        let id = LocationId::new(self.graph.locations.len());
        self.graph.locations.push(Location {
            span,
            atomic: self.context.atomic,
            deterministic: self.context.deterministic,
            escapes: self.context.escapes.clone(),
            ..Location::default()
        });
        self.forwards_to.push(None);
        self.jump_targets.push(None);
        self.numbers.push(None);
        id
    }

    /// Adds a location to which SPIN gives a separate number.
    fn add_numbered(&mut self, span: Span, number: u32) -> LocationId {
        let id = self.add_location(span);
        self.numbers[id.index()] = Some(number);
        id
    }

    /// Adds the location of one statement.
    fn add_statement_location(&mut self, span: Span) -> LocationId {
        let id = self.add_location(span);
        self.graph.locations[id.index()].is_statement = true;
        id
    }

    /// Adds a jump that is a step for processes that keep control; others skip
    /// it.
    fn add_jump(&mut self, from: LocationId, to: LocationId, origin: Origin) {
        self.add(from, Action::Skip, to, origin);
        self.jump_targets[from.index()] = Some(to);
    }

    fn add(&mut self, from: LocationId, action: Action, to: LocationId, origin: Origin) {
        checkpoint();
        let id = TransitionId::new(self.graph.transitions.len());
        let atomic = self.graph.locations[from.index()].atomic;
        let Origin { span, number, keeps_control, is_jump, is_labelled, has_used_label, lands_on } = origin;
        let guards = self.graph.locations[from.index()].escapes.clone();
        let has_escape = !guards.is_empty();
        self.guards.push(guards);
        self.graph.transitions.push(Transition { action, to, atomic, keeps_control, span });
        self.statements.push(SpinStatement {
            number,
            is_jump,
            is_labelled,
            has_used_label,
            has_escape,
            lands_on,
        });
        self.graph.locations[from.index()].out.push(id);
        self.skips_jumps.push(!keeps_control && !self.context.keeps_control);
    }

    /// Returns the first location of a block of `statements`, in which an
    /// initial `goto` is a step.
    fn first_of(&mut self, statements: &'a [Statement], next: Next, is_tail: bool) -> LocationId {
        let Some((first, rest)) = statements.split_first() else { return next.at };
        let is_last = is_tail && rest.is_empty();
        let at = self.sequence(rest, next, is_tail);
        let next = match rest.first() {
            Some(second) => self.next(second, at, is_tail && rest.len() == 1),
            None => next,
        };
        self.entry(first, next, true, is_last)
    }

    /// Returns the first location of a sequence; `is_tail` if an atomic
    /// sequence ends with it.
    fn sequence(&mut self, statements: &'a [Statement], mut next: Next, is_tail: bool) -> LocationId {
        for (index, statement) in statements.iter().enumerate().rev() {
            let is_last = is_tail && index + 1 == statements.len();
            let at = self.entry(statement, next, false, is_last);
            next = self.next(statement, at, is_last);
        }
        next.at
    }

    /// Returns the continuation of the statements before one that begins at
    /// `at`.
    fn next(&self, statement: &Statement, at: LocationId, is_last: bool) -> Next {
        Next { at, atomic_position: self.atomic_position(statement, is_last) }
    }

    /// Returns the position of a statement. A jump out of an atomic sequence
    /// ends it.
    fn atomic_position(&self, statement: &Statement, is_last: bool) -> AtomicPosition {
        let target = match statement.kind {
            _ if statement.label_use != LabelUse::None => None,
            StatementKind::Goto(label) => Some(self.label_positions[label.index()]),
            StatementKind::Break => self.context.exit.map(|it| it.atomic_position),
            _ => None,
        };
        let leaves = target == Some(AtomicPosition::Outside);
        AtomicPosition::of(statement, self.context.atomic.is_some(), is_last || leaves)
    }

    /// Returns the location from which `statement` leads to `next`. `is_first`
    /// if it begins a block and is not reached otherwise, `is_last` if an
    /// atomic sequence ends with it.
    fn entry(&mut self, statement: &'a Statement, next: Next, is_first: bool, is_last: bool) -> LocationId {
        let place = self.location_of(statement, next, is_first, is_last);
        self.mark(&statement.labels, place);
        place
    }

    fn location_of(
        &mut self,
        statement: &'a Statement,
        next: Next,
        is_first: bool,
        is_last: bool,
    ) -> LocationId {
        let span = statement.span;
        let action = match &statement.kind {
            StatementKind::Goto(label) => {
                let at = self.labels[label.index()];
                let atomic_position = self.label_positions[label.index()];
                let target = Next { at, atomic_position };
                return self.jump(statement, target, self.jumps[label.index()], is_first, is_last);
            }
            StatementKind::Break => {
                let target = self.context.exit.unwrap_or(next);
                return self.jump(statement, target, self.context.exit_number, is_first, is_last);
            }
            StatementKind::If(choices) => {
                let next = self.continuation_after(next, statement, is_last);
                let place = self.add_numbered(span, statement.number);
                self.choices(place, choices, next);
                return place;
            }
            StatementKind::Do(choices) => {
                let next = self.continuation_after(next, statement, is_last);
                let place = self.add_numbered(span, statement.number);
                let exit = self.context.exit.replace(next);
                let exit_number = self.context.exit_number.replace(statement.number + 2);
                let again = self.next(statement, place, false);
                self.choices(place, choices, again);
                (self.context.exit, self.context.exit_number) = (exit, exit_number);
                return place;
            }
            StatementKind::Block(kind, sequence) => {
                let keeps_control = self.context.atomic.is_some() && !is_last;
                let origin = Origin::statement(sequence.span, statement.number, keeps_control);
                return self.block(*kind, sequence, next, is_first, is_last, origin);
            }
            StatementKind::Unless { main, escape } => {
                let next = self.continuation_after(next, statement, is_last);
                let escape = self.unless_part(escape, next);
                self.context.escapes.push(escape);
                // As a guard it must have a separate location.
                let place =
                    if is_first { self.entry(main, next, true, false) } else { self.unless_part(main, next) };
                self.context.escapes.pop();
                return place;
            }
            StatementKind::Skip => Action::Skip,
            StatementKind::Else => Action::Else,
            StatementKind::Guard(expr) => Action::Guard(expr.clone()),
            StatementKind::Assign { place, value } => Action::Assign(place.clone(), value.clone()),
            StatementKind::SetPriority { pid, value } => Action::SetPriority(pid.clone(), value.clone()),
            StatementKind::Send(send) => Action::Send(send.clone()),
            StatementKind::Receive(receive) => Action::Receive(receive.clone()),
            StatementKind::Assert(expr) => Action::Assert(expr.clone()),
            StatementKind::Print(pieces) => Action::Print(pieces.clone()),
        };
        let keeps_control = self.context.atomic.is_some() && !is_last;
        let place = self.add_statement_location(span);
        let is_labelled = !statement.labels.is_empty();
        // SPIN treats the declaration of a record like a jump.
        let is_jump = action == Action::Skip && statement.origin == StatementOrigin::Declaration;
        let origin = Origin { is_jump, ..Origin::statement(span, statement.number, keeps_control) };
        let has_used_label = matches!(statement.label_use, LabelUse::InModel(_));
        self.add(place, action, next.at, Origin { is_labelled, has_used_label, ..origin });
        place
    }

    /// Lowers a part of an `unless`. A jump at its beginning is a step only
    /// inside a nested block.
    fn unless_part(&mut self, statement: &'a Statement, next: Next) -> LocationId {
        let is_jump = |it: &Statement| it.is_jump() && it.label_use == LabelUse::None;
        match &statement.kind {
            StatementKind::Block(BlockKind::Plain, sequence)
                if sequence.statements.first().is_some_and(is_jump) =>
            {
                let place = self.sequence(&sequence.statements, next, false);
                self.mark(&statement.labels, place);
                place
            }
            _ => self.entry(statement, next, !is_jump(statement), false),
        }
    }

    /// Returns the continuation after a selection, loop or `unless`. Within an
    /// atomic sequence it is a separate step if no statement or only the last
    /// one follows.
    fn continuation_after(&mut self, next: Next, statement: &Statement, is_last: bool) -> Next {
        let span = statement.span;
        let is_loop = matches!(statement.kind, StatementKind::Do(_));
        let number = statement.number + if is_loop { 2 } else { 1 };
        if self.context.atomic.is_none() {
            return next;
        }
        let atomic_position = if is_last { AtomicPosition::Last } else { AtomicPosition::Inside };
        if next.atomic_position == AtomicPosition::Inside {
            return Next { atomic_position, ..next };
        }
        let at = self.add_statement_location(span);
        let origin =
            Origin { is_jump: true, is_labelled: is_loop, ..Origin::statement(span, number, !is_last) };
        self.add_jump(at, next.at, origin);
        Next { at, atomic_position }
    }

    fn mark(&mut self, labels: &[LabelId], place: LocationId) {
        for label in labels {
            self.forwards_to[self.labels[label.index()].index()] = Some(place);
        }
    }
}
