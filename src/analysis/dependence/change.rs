//! Changes of a conjunct by an effect.

use super::conjunct::{BufferTest, Conjunct, Patterns, Side};
use super::effect::{BufferUse, Effect, Message, Written};
use super::state_part::{StatePart, VariablePart};
use crate::analysis::accesses::Scope;
use crate::net::{Expr, ExprKind, Graph, Pattern, Type};

/// Change of the parts that an expression reads.
enum Disturbance<'a> {
    /// No change.
    None,
    /// One variable may get this value.
    Constant(&'a VariablePart, i32),
    /// Any other change.
    Other,
}

impl Effect<'_> {
    /// Returns whether the effect may make a false conjunct true; or, if `value`
    /// is `false`, whether it may make a true one false while all other
    /// conjuncts of its transition are true.
    pub fn may_change(&self, conjunct: &Conjunct, value: bool) -> bool {
        match conjunct {
            Conjunct::At { process, template, locations } => {
                let moves =
                    self.movements.get(process).is_some_and(|movement| match (value, &movement.from) {
                        (true, _) => locations.iter().any(|it| movement.to.contains(it)),
                        (false, Some(from)) => locations.iter().any(|it| from.contains(it)),
                        (false, None) => true,
                    });
                moves || value && self.starts.contains(template) && locations.contains(&Graph::ENTRY)
            }
            Conjunct::Test(side) => match self.disturbance(&side.reads) {
                Disturbance::None => false,
                Disturbance::Constant(part, constant) => {
                    side.value_if(part, constant).is_none_or(|it| (it != 0) == value)
                }
                Disturbance::Other => true,
            },
            Conjunct::Equal { sent, wanted, ty } => match self.disturbance(sent.reads.union(&wanted.reads)) {
                Disturbance::None => false,
                Disturbance::Constant(part, constant) => {
                    are_equal(sent, wanted, *ty, part, constant).is_none_or(|it| it == value)
                }
                Disturbance::Other => true,
            },
            Conjunct::Buffer(channel, test) => {
                let patterns = match test {
                    BufferTest::Contains(patterns) | BufferTest::FirstMatches(patterns) => Some(patterns),
                    _ => None,
                };
                let disturbs = |it: &Patterns| !matches!(self.disturbance(&it.reads), Disturbance::None);
                patterns.is_some_and(disturbs) || self.uses_of(channel).any(|it| it.may_change(test, value))
            }
            Conjunct::Youngest(process) => {
                let next = if value { process + 1 } else { *process };
                !self.starts.is_empty() || self.ends.contains(&next)
            }
            Conjunct::Timeout => true,
            Conjunct::AnyOf(all) => all.iter().flatten().any(|it| self.may_change(it, value)),
            Conjunct::NoneOf(all) => all.iter().flatten().any(|it| self.may_change(it, !value)),
            Conjunct::DependsOn(parts) => parts.iter().any(|it| self.writes_to(it)),
        }
    }

    fn disturbance<'r>(&self, reads: impl IntoIterator<Item = &'r StatePart>) -> Disturbance<'_> {
        let mut found = Disturbance::None;
        for part in reads.into_iter().filter(|it| self.writes_to(it)) {
            let StatePart::Variable(read) = part else { return Disturbance::Other };
            for (written, how) in self.writes.iter().filter(|(it, _)| it.overlaps(read)) {
                found = match (&found, how) {
                    (Disturbance::None, Written::Constant(constant))
                        if written == read && read.is_certain() =>
                    {
                        Disturbance::Constant(written, *constant)
                    }
                    _ => return Disturbance::Other,
                };
            }
        }
        found
    }
}

impl BufferUse<'_> {
    fn may_change(self, test: &BufferTest, value: bool) -> bool {
        match (test, self) {
            (_, Self::Read | Self::ReadFirst) => false,
            (_, Self::Change) => true,
            (BufferTest::Empty | BufferTest::NotFull, Self::Append(_)) => !value,
            (BufferTest::Empty | BufferTest::NotFull, Self::TakeFirst) => value,
            (BufferTest::NotEmpty | BufferTest::Full, Self::Append(_)) => value,
            (BufferTest::NotEmpty | BufferTest::Full, Self::TakeFirst) => !value,
            (BufferTest::Contains(patterns), Self::Append(message)) => value && message.may_match(patterns),
            (BufferTest::Contains(_), Self::TakeFirst) => !value,
            // An appended message is the first one only in an empty buffer,
            // where the test was true before.
            (BufferTest::FirstMatches(_), Self::Append(_)) => false,
            (BufferTest::FirstMatches(_), Self::TakeFirst) => true,
        }
    }
}

impl Message<'_> {
    /// Returns whether no fields are known to differ.
    fn may_match(self, patterns: &Patterns) -> bool {
        let fields = self.values.iter().zip(self.types).zip(patterns.patterns);
        !fields.into_iter().any(|((sent, ty), pattern)| {
            let Pattern::Match(wanted) = pattern else { return false };
            let wanted = wanted.constant(patterns.scope.process);
            let sent = sent.constant(self.scope.process).map(|it| ty.stored(it));
            sent.zip(wanted).is_some_and(|(sent, wanted)| sent != wanted)
        })
    }
}

impl Side<'_> {
    /// Returns the value of the expression if a variable has this value.
    fn value_if(&self, part: &VariablePart, constant: i32) -> Option<i32> {
        value_if(self.scope, self.expr, part, constant)
    }
}

fn value_if(scope: Scope, expr: &Expr, part: &VariablePart, constant: i32) -> Option<i32> {
    expr.value(&mut |leaf| match &leaf.kind {
        ExprKind::Pid => scope.process.map(|it| it as i32),
        ExprKind::Read(place) => (VariablePart::of(scope, place).as_ref() == Some(part)).then_some(constant),
        _ => None,
    })
}

fn are_equal(
    sent: &Side,
    wanted: &Side,
    ty: Option<Type>,
    part: &VariablePart,
    constant: i32,
) -> Option<bool> {
    let sent = ty?.stored(sent.value_if(part, constant)?);
    Some(sent == wanted.value_if(part, constant)?)
}
