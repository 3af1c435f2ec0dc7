//! From the checked tree of a Promela model to control graphs.
//!
//! Statements are built from the last to the first, each with the place
//! where it goes on. A `goto` or `break` behind a statement is where that
//! statement goes on and no step; as the first statement of an option it is
//! a step. An `if` or `do` is the place from which the first
//! statements of all its options leave.

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
    BlockKind, Body, LabelId, LabelUse, Model, Origin as Who, Proctype, Statement, StatementKind,
};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use crate::net::{Action, Graph, Location, LocationId, Network, Template, Transition, TransitionId};
use atomic_position::AtomicPosition;
use program::SpinTemplate;

pub use claims::NoFormula;
pub use program::{Program, SpinStatement, SpinStatements};

/// Which of several escapes is tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// That of the outer `unless`, as by default in SPIN.
    #[default]
    OuterFirst,
    /// That of the inner one, as with pan's `-J`.
    InnerFirst,
}

/// The network of a model, or what in it cannot be run.
pub fn lower(model: Model) -> Result<Program, Vec<Diagnostic>> {
    lower_with(model, Escapes::OuterFirst)
}

/// The same with another order of escapes.
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
    bits::widen(&mut program.network);
    program.add_claims();
    program.add_trace();
    Ok(program)
}

/// The declarations of a model; its templates have no code yet.
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

/// The control graph of a body, and what SPIN knows of its statements.
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

/// A graph in the making.
struct Builder<'a> {
    body: &'a Body,
    graph: Graph,
    /// Per transition.
    statements: Vec<SpinStatement>,
    /// Per label a place that stands for the one it will turn out to mark.
    labels: Vec<LocationId>,
    /// Per label, where its statement stands.
    marked: Vec<AtomicPosition>,
    /// Per label the number of the jump that it marks, if it is one.
    jumps: Vec<Option<u32>>,
    /// Places that stand for others.
    same: Vec<Option<LocationId>>,
    /// Per transition, does it lead past jumps, since control is given up?
    passes: Vec<bool>,
    /// Per place of a jump that is a step, where it leads.
    beyond: Vec<Option<LocationId>>,
    /// Per place SPIN's number of what begins there, if that is no step.
    numbers: Vec<Option<u32>>,
    /// Per transition where the escapes begin that guard its statement,
    /// outermost first.
    guards: Vec<Vec<LocationId>>,
    /// Labels at the first statements of options, where no process rests: they
    /// mark what these statements lead to.
    passed_on: Vec<LabelId>,
    /// Around the statement at hand.
    around: Around,
    n_blocks: u32,
}

/// What holds for all statements of a block.
#[derive(Clone, Default)]
struct Around {
    atomic: Option<u32>,
    deterministic: Option<u32>,
    escapes: Vec<LocationId>,
    /// Where `break` leads.
    exit: Option<Next>,
    /// SPIN's number of the place there.
    exit_number: Option<u32>,
    /// In a `d_step`: does control stay where it is behind it?
    keeps_control: bool,
}

/// Where a statement goes on.
#[derive(Clone, Copy, Debug)]
struct Next {
    at: LocationId,
    /// What is met there first, be it a step or not.
    atomic_position: AtomicPosition,
}

/// Where a transition comes from.
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
            marked: atomic_position::of_labels(body),
            jumps: atomic_position::jumps(body),
            same: Vec::new(),
            passes: Vec::new(),
            beyond: Vec::new(),
            numbers: Vec::new(),
            guards: Vec::new(),
            passed_on: Vec::new(),
            around: Around::default(),
            n_blocks: 0,
        };
        builder.labels = body.labels.iter().map(|label| builder.add_location(label.span)).collect();
        builder
    }

    fn add_location(&mut self, span: Span) -> LocationId {
        let id = LocationId::new(self.graph.locations.len());
        self.graph.locations.push(Location {
            span,
            atomic: self.around.atomic,
            deterministic: self.around.deterministic,
            escapes: self.around.escapes.clone(),
            ..Location::default()
        });
        self.same.push(None);
        self.beyond.push(None);
        self.numbers.push(None);
        id
    }

    /// A place that SPIN gives a number of its own.
    fn add_numbered(&mut self, span: Span, number: u32) -> LocationId {
        let id = self.add_location(span);
        self.numbers[id.index()] = Some(number);
        id
    }

    /// The place of one statement.
    fn add_place(&mut self, span: Span) -> LocationId {
        let id = self.add_location(span);
        self.graph.locations[id.index()].is_statement = true;
        id
    }

    /// A jump that is a step for those who keep control; others are led past it.
    fn add_jump(&mut self, from: LocationId, to: LocationId, origin: Origin) {
        self.add(from, Action::Skip, to, origin);
        self.beyond[from.index()] = Some(to);
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
        self.passes.push(!keeps_control && !self.around.keeps_control);
    }

    /// Where a block goes on that begins with `statements`: there a `goto` is
    /// a step.
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

    /// `is_tail` where the last of the statements is the last one of an
    /// atomic sequence.
    fn sequence(&mut self, statements: &'a [Statement], mut next: Next, is_tail: bool) -> LocationId {
        for (index, statement) in statements.iter().enumerate().rev() {
            let is_last = is_tail && index + 1 == statements.len();
            let at = self.entry(statement, next, false, is_last);
            next = self.next(statement, at, is_last);
        }
        next.at
    }

    /// What a statement that begins at `at` is to those before it.
    fn next(&self, statement: &Statement, at: LocationId, is_last: bool) -> Next {
        Next { at, atomic_position: self.atomic_position(statement, is_last) }
    }

    /// A jump out of an atomic sequence ends it.
    fn atomic_position(&self, statement: &Statement, is_last: bool) -> AtomicPosition {
        let target = match statement.kind {
            _ if statement.label_use != LabelUse::None => None,
            StatementKind::Goto(label) => Some(self.marked[label.index()]),
            StatementKind::Break => self.around.exit.map(|it| it.atomic_position),
            _ => None,
        };
        let leaves = target == Some(AtomicPosition::Outside);
        AtomicPosition::of(statement, self.around.atomic.is_some(), is_last || leaves)
    }

    /// The place from which `statement` leads to `next`. `is_first` where
    /// nothing leads to it but the beginning of a block, `is_last` where an
    /// atomic sequence ends with it.
    fn entry(&mut self, statement: &'a Statement, next: Next, is_first: bool, is_last: bool) -> LocationId {
        let place = self.place_of(statement, next, is_first, is_last);
        self.mark(&statement.labels, place);
        place
    }

    fn place_of(
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
                let atomic_position = self.marked[label.index()];
                let target = Next { at, atomic_position };
                return self.jump(statement, target, self.jumps[label.index()], is_first, is_last);
            }
            StatementKind::Break => {
                let target = self.around.exit.unwrap_or(next);
                return self.jump(statement, target, self.around.exit_number, is_first, is_last);
            }
            StatementKind::If(choices) => {
                let next = self.behind(next, statement, is_last);
                let place = self.add_numbered(span, statement.number);
                self.choices(place, choices, next);
                return place;
            }
            StatementKind::Do(choices) => {
                let next = self.behind(next, statement, is_last);
                let place = self.add_numbered(span, statement.number);
                let exit = self.around.exit.replace(next);
                let exit_number = self.around.exit_number.replace(statement.number + 2);
                let again = self.next(statement, place, false);
                self.choices(place, choices, again);
                (self.around.exit, self.around.exit_number) = (exit, exit_number);
                return place;
            }
            StatementKind::Block(kind, sequence) => {
                let keeps_control = self.around.atomic.is_some() && !is_last;
                let origin = Origin::statement(sequence.span, statement.number, keeps_control);
                return self.block(*kind, sequence, next, is_first, is_last, origin);
            }
            StatementKind::Unless { main, escape } => {
                let next = self.behind(next, statement, is_last);
                let escape = self.part(escape, next);
                self.around.escapes.push(escape);
                // As a guard it must have a place of its own.
                let place =
                    if is_first { self.entry(main, next, true, false) } else { self.part(main, next) };
                self.around.escapes.pop();
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
        let keeps_control = self.around.atomic.is_some() && !is_last;
        let place = self.add_place(span);
        let is_labelled = !statement.labels.is_empty();
        // SPIN makes nothing of the declaration of a record.
        let is_jump = action == Action::Skip && statement.origin == Who::Declaration;
        let origin = Origin { is_jump, ..Origin::statement(span, statement.number, keeps_control) };
        let has_used_label = matches!(statement.label_use, LabelUse::InModel(_));
        self.add(place, action, next.at, Origin { is_labelled, has_used_label, ..origin });
        place
    }

    /// A part of an `unless`. A jump that it begins with is no step, unless it
    /// stands in a block of its own.
    fn part(&mut self, statement: &'a Statement, next: Next) -> LocationId {
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

    /// The place behind a selection, loop or `unless`. Within an atomic
    /// sequence it is a step where nothing follows, or the last statement.
    fn behind(&mut self, next: Next, statement: &Statement, is_last: bool) -> Next {
        let span = statement.span;
        let is_loop = matches!(statement.kind, StatementKind::Do(_));
        let number = statement.number + if is_loop { 2 } else { 1 };
        if self.around.atomic.is_none() {
            return next;
        }
        let atomic_position = if is_last { AtomicPosition::Last } else { AtomicPosition::Inside };
        if next.atomic_position == AtomicPosition::Inside {
            return Next { atomic_position, ..next };
        }
        let at = self.add_place(span);
        let origin =
            Origin { is_jump: true, is_labelled: is_loop, ..Origin::statement(span, number, !is_last) };
        self.add_jump(at, next.at, origin);
        Next { at, atomic_position }
    }

    fn mark(&mut self, labels: &[LabelId], place: LocationId) {
        for label in labels {
            self.same[self.labels[label.index()].index()] = Some(place);
        }
    }
}
