//! From the checked tree of a Promela model to control graphs.
//!
//! Statements are built from the last to the first, each with the place
//! where it goes on. A `goto` or `break` behind a statement is where that
//! statement goes on and no step; as the first statement of an option it is
//! a step. An `if` or `do` is the place from which the first
//! statements of all its options leave.

mod assemble;
mod bits;
mod claims;
mod refuse;

use super::program::{Action, Location, LocationId, Process, Program, Transition, TransitionId};
use crate::diag::{Diagnostic, Span};
use crate::lang::promela::tree::{
    BlockKind, Body, Choice, Guard, LabelId, Model, Sequence, Statement, StatementKind,
};

pub use claims::{NoFormula, invariant, progress};

/// The control graphs of a model, or what in it cannot be run.
pub fn lower(mut model: Model) -> Result<Program, Vec<Diagnostic>> {
    let uses = refuse::refuse(&model)?;
    let processes: Vec<_> = model.proctypes.iter().map(|it| process(&it.body, it.span)).collect();
    bits::widen(&mut model, &processes);
    let mut program = Program { model, processes, observers: Vec::new(), trace: None, uses };
    program.add_claims();
    program.add_trace();
    Ok(program)
}

fn process(body: &Body, span: Span) -> Process {
    let mut builder = Builder::new(body);
    let last = Span { start: body.sequence.span.end.saturating_sub(1), ..body.sequence.span };
    let end = builder.add_location(last);
    let nowhere = builder.add_location(span);
    builder.add(end, Action::End, nowhere, last);
    builder.graph.locations[end.index()].is_end = true;
    let first = builder.sequence(&body.sequence.statements, end);
    builder.finish(first)
}

/// A graph in the making.
struct Builder<'a> {
    body: &'a Body,
    graph: Process,
    /// Per label a place that stands for the one it will turn out to mark.
    labels: Vec<LocationId>,
    /// Places that stand for others.
    same: Vec<Option<LocationId>>,
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
    exit: Option<LocationId>,
}

impl<'a> Builder<'a> {
    fn new(body: &'a Body) -> Self {
        let mut builder = Self {
            body,
            graph: Process::default(),
            labels: Vec::new(),
            same: Vec::new(),
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
        id
    }

    fn add(&mut self, from: LocationId, action: Action, to: LocationId, span: Span) {
        let id = TransitionId::new(self.graph.transitions.len());
        let atomic = self.graph.locations[from.index()].atomic;
        self.graph.transitions.push(Transition { action, to, atomic, keeps_control: false, span });
        self.graph.locations[from.index()].out.push(id);
    }

    /// Where a block goes on that begins with `statements`: there a `goto` is
    /// a step.
    fn first_of(&mut self, statements: &'a [Statement], next: LocationId) -> LocationId {
        let Some((first, rest)) = statements.split_first() else { return next };
        let next = self.sequence(rest, next);
        self.entry(first, next, true)
    }

    fn sequence(&mut self, statements: &'a [Statement], next: LocationId) -> LocationId {
        statements.iter().rev().fold(next, |next, statement| self.entry(statement, next, false))
    }

    /// The place from which `statement` leads to `next`. `is_first` where
    /// nothing leads to it but the beginning of a block.
    fn entry(&mut self, statement: &'a Statement, next: LocationId, is_first: bool) -> LocationId {
        let place = self.place_of(statement, next, is_first);
        self.mark(&statement.labels, place);
        place
    }

    fn place_of(&mut self, statement: &'a Statement, next: LocationId, is_first: bool) -> LocationId {
        let span = statement.span;
        let action = match &statement.kind {
            StatementKind::Goto(label) => {
                let target = self.labels[label.index()];
                return self.jump(target, span, is_first || self.has_meaning(statement));
            }
            StatementKind::Break => {
                let target = self.around.exit.unwrap_or(next);
                return self.jump(target, span, is_first || self.has_meaning(statement));
            }
            StatementKind::If(choices) => {
                let place = self.add_location(span);
                self.choices(place, choices, next);
                return place;
            }
            StatementKind::Do(choices) => {
                let place = self.add_location(span);
                let exit = self.around.exit.replace(next);
                self.choices(place, choices, place);
                self.around.exit = exit;
                return place;
            }
            StatementKind::Block(kind, sequence) => return self.block(*kind, sequence, next, is_first),
            StatementKind::Unless { main, escape } => {
                let escape = self.entry(escape, next, true);
                self.around.escapes.push(escape);
                let place = self.entry(main, next, true);
                self.around.escapes.pop();
                return place;
            }
            StatementKind::Skip => Action::Skip,
            StatementKind::Guard(expr) => Action::Guard(expr.clone()),
            StatementKind::Assign { place, value } => Action::Assign(place.clone(), value.clone()),
            StatementKind::SetPriority { pid, value } => Action::SetPriority(pid.clone(), value.clone()),
            StatementKind::Send(send) => Action::Send(send.clone()),
            StatementKind::Receive(receive) => Action::Receive(receive.clone()),
            StatementKind::Assert(expr) => Action::Assert(expr.clone()),
            StatementKind::Print(pieces) => Action::Print(pieces.clone()),
        };
        let place = self.add_location(span);
        self.add(place, action, next, span);
        place
    }

    /// A jump with a label that means something is a step, so that there is a
    /// place to mark.
    fn has_meaning(&self, statement: &Statement) -> bool {
        let labels = statement.labels.iter().map(|label| &self.body.labels[label.index()]);
        labels.into_iter().any(|it| it.is_end() || it.is_progress() || it.is_accept())
    }

    fn jump(&mut self, target: LocationId, span: Span, is_first: bool) -> LocationId {
        if !is_first {
            return target;
        }
        let place = self.add_location(span);
        self.add(place, Action::Skip, target, span);
        place
    }

    fn choices(&mut self, place: LocationId, choices: &'a [Choice], next: LocationId) {
        // What `else` excludes stands before it.
        let is_else = |it: &&Choice| matches!(it.guard, Guard::Else { .. });
        let others = choices.iter().filter(|it| !is_else(it));
        for choice in others.chain(choices.iter().filter(is_else)) {
            let first = match &choice.guard {
                Guard::First => self.first_of(&choice.statements, next),
                Guard::Else { labels, inside, span } => {
                    let behind = self.sequence(&choice.statements, next);
                    let first = self.add_location(*span);
                    if *inside == Some(BlockKind::Atomic) && behind != next {
                        let atomic = self.graph.locations[behind.index()].atomic;
                        self.graph.locations[first.index()].atomic = atomic;
                    }
                    self.add(first, Action::Else, behind, *span);
                    self.mark(labels, first);
                    first
                }
            };
            self.leave_also(place, first);
        }
    }

    /// Labels of a place remember the sequence around them: before a sequence
    /// is not within it.
    fn mark(&mut self, labels: &[LabelId], place: LocationId) {
        for label in labels {
            let stand_in = self.labels[label.index()].index();
            self.same[stand_in] = Some(place);
            self.graph.locations[stand_in].atomic = self.around.atomic;
        }
    }

    /// What can happen at `first` can happen at `place` too.
    fn leave_also(&mut self, place: LocationId, first: LocationId) {
        let Location { out, escapes, .. } = self.graph.locations[first.index()].clone();
        let location = &mut self.graph.locations[place.index()];
        location.out.extend(out);
        let new: Vec<_> = escapes.into_iter().filter(|it| !location.escapes.contains(it)).collect();
        location.escapes.extend(new);
    }

    fn block(
        &mut self,
        kind: BlockKind,
        sequence: &'a Sequence,
        next: LocationId,
        is_first: bool,
    ) -> LocationId {
        self.n_blocks += 1;
        let around = self.around.clone();
        let number = Some(self.n_blocks);
        match kind {
            BlockKind::Atomic => self.around.atomic = around.atomic.or(number),
            BlockKind::Deterministic if around.deterministic.is_none() => {
                return self.deterministic(sequence, next, number);
            }
            _ => {}
        }
        let place = match is_first {
            true => self.first_of(&sequence.statements, next),
            false => self.sequence(&sequence.statements, next),
        };
        self.around = around;
        match kind {
            BlockKind::Plain if !is_first => self.entrance(place, sequence.span),
            _ => place,
        }
    }

    /// SPIN has a place for a block as such. It differs from that of the first
    /// statement where this can be come back to, as to a loop.
    fn entrance(&mut self, first: LocationId, span: Span) -> LocationId {
        if self.graph.locations[first.index()].out.is_empty() {
            return first;
        }
        let place = self.add_location(span);
        self.leave_also(place, first);
        place
    }

    fn deterministic(&mut self, sequence: &'a Sequence, next: LocationId, number: Option<u32>) -> LocationId {
        let place = self.add_location(sequence.span);
        let around = std::mem::take(&mut self.around);
        self.around = Around { deterministic: number, exit: around.exit, ..Around::default() };
        let first = self.first_of(&sequence.statements, next);
        self.around = around;
        self.add(place, Action::Deterministic(first), next, sequence.span);
        place
    }
}
