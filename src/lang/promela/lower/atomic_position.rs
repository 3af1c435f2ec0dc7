//! Positions of statements in atomic sequences.

use crate::lang::promela::tree::{BlockKind, Body, LabelId, LabelUse, Sequence, Statement, StatementKind};

/// The position of the first step of a statement. The process keeps control
/// inside an atomic sequence and releases it after the last statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicPosition {
    /// Outside atomic sequences.
    Outside,
    /// Inside one, not at its end.
    Inside,
    /// At the end of one.
    Last,
}

impl AtomicPosition {
    /// Returns the position of a statement; `is_last` if an atomic sequence ends
    /// with it.
    pub(super) fn of(statement: &Statement, in_atomic: bool, is_last: bool) -> Self {
        // These begin with a separate location, which is not their end.
        let is_long = match &statement.kind {
            StatementKind::If(_) | StatementKind::Do(_) | StatementKind::Unless { .. } => true,
            StatementKind::Block(kind, _) => *kind != BlockKind::Deterministic,
            _ => false,
        };
        match in_atomic {
            false => Self::Outside,
            true if is_last && !is_long => Self::Last,
            true => Self::Inside,
        }
    }
}

/// Returns, per label of a body, the position of its statement.
pub(super) fn of_labels(body: &Body) -> Vec<AtomicPosition> {
    let Finder { mut found, jumps } = Finder::of(body);
    let leaves = |from: LabelId, to: LabelId| {
        found[from.index()] != AtomicPosition::Outside && found[to.index()] == AtomicPosition::Outside
    };
    let leaving: Vec<LabelId> =
        jumps.into_iter().filter(|(from, to, _)| leaves(*from, *to)).map(|(from, ..)| from).collect();
    leaving.into_iter().for_each(|label| found[label.index()] = AtomicPosition::Last);
    found
}

/// Returns, per label of a body, the number of the `goto` that it marks.
pub(super) fn jumps(body: &Body) -> Vec<Option<u32>> {
    let mut numbers = vec![None; body.labels.len()];
    for (from, _, number) in Finder::of(body).jumps {
        numbers[from.index()] = Some(number);
    }
    numbers
}

struct Finder {
    found: Vec<AtomicPosition>,
    /// Labels of jumps, the labels that these lead to, and their numbers.
    jumps: Vec<(LabelId, LabelId, u32)>,
}

impl Finder {
    fn of(body: &Body) -> Self {
        let mut finder = Self { found: vec![AtomicPosition::Outside; body.labels.len()], jumps: Vec::new() };
        finder.sequence(&body.sequence, false, false);
        finder
    }

    fn sequence(&mut self, sequence: &Sequence, in_atomic: bool, is_tail: bool) {
        self.statements(&sequence.statements, in_atomic, is_tail);
    }

    fn statements(&mut self, statements: &[Statement], in_atomic: bool, is_tail: bool) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, in_atomic, is_tail && index + 1 == statements.len());
        }
    }

    fn note(&mut self, labels: &[LabelId], atomic_position: AtomicPosition) {
        labels.iter().for_each(|label| self.found[label.index()] = atomic_position);
    }

    fn statement(&mut self, statement: &Statement, in_atomic: bool, is_last: bool) {
        self.note(&statement.labels, AtomicPosition::of(statement, in_atomic, is_last));
        match &statement.kind {
            StatementKind::Goto(to) if statement.label_use == LabelUse::None => {
                self.jumps.extend(statement.labels.iter().map(|from| (*from, *to, statement.number)));
            }
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                choices.iter().for_each(|it| self.statements(&it.statements, in_atomic, false));
            }
            StatementKind::Block(BlockKind::Deterministic, sequence) => self.sequence(sequence, false, false),
            StatementKind::Block(BlockKind::Atomic, sequence) => {
                self.sequence(sequence, true, !in_atomic || is_last);
            }
            StatementKind::Block(_, sequence) => self.sequence(sequence, in_atomic, is_last),
            StatementKind::Unless { main, escape } => {
                self.statement(main, in_atomic, false);
                self.statement(escape, in_atomic, false);
            }
            _ => {}
        }
    }
}
