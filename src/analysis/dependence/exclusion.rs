//! Conjuncts that are never true together.

use super::conjunct::{BufferTest, Conjunct, Side};
use super::state_part::{StatePart, VariablePart};
use crate::net::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Returns whether two transitions with these conjuncts are never enabled
/// together.
pub(super) fn exclude(one: &[Conjunct], other: &[Conjunct]) -> bool {
    one.iter().chain(other).any(Conjunct::is_never)
        || waits_for_others(one, other)
        || waits_for_others(other, one)
        || one.iter().any(|one| other.iter().any(|other| contradict(one, other)))
}

/// Returns whether the first one needs a timeout and the second one does not.
fn waits_for_others(one: &[Conjunct], other: &[Conjunct]) -> bool {
    one.iter().any(|it| matches!(it, Conjunct::Timeout)) && !other.iter().any(mentions_timeout)
}

fn mentions_timeout(conjunct: &Conjunct) -> bool {
    match conjunct {
        Conjunct::Timeout => true,
        Conjunct::AnyOf(all) | Conjunct::NoneOf(all) => all.iter().flatten().any(mentions_timeout),
        Conjunct::Test(Side { reads, .. }) | Conjunct::DependsOn(reads) => {
            reads.contains(&StatePart::Everything)
        }
        Conjunct::Equal { sent, wanted, .. } => {
            [sent, wanted].into_iter().any(|it| it.reads.contains(&StatePart::Everything))
        }
        Conjunct::Buffer(_, BufferTest::Contains(patterns) | BufferTest::FirstMatches(patterns)) => {
            patterns.reads.contains(&StatePart::Everything)
        }
        Conjunct::At { .. } | Conjunct::Buffer(..) | Conjunct::Youngest(_) => false,
    }
}

fn contradict(one: &Conjunct, other: &Conjunct) -> bool {
    match (one, other) {
        (
            Conjunct::At { process, template, locations },
            Conjunct::At { process: other_process, template: other_template, locations: others },
        ) => {
            let shares = || template == other_template && locations.iter().any(|it| others.contains(it));
            process == other_process && !shares()
        }
        (Conjunct::Test(one), Conjunct::Test(other)) => match (Range::of(one), Range::of(other)) {
            (Some((one_part, one)), Some((other_part, other))) => {
                one_part == other_part && one.excludes(other)
            }
            _ => false,
        },
        (Conjunct::Buffer(channel, one), Conjunct::Buffer(other_channel, other)) => {
            let differ = |one: &BufferTest, other: &BufferTest| {
                use BufferTest::{Contains, Empty, Full, NotEmpty, NotFull};
                matches!((one, other), (Empty, NotEmpty | Full | Contains(_)) | (Full, NotFull))
            };
            channel == other_channel && channel.is_certain() && (differ(one, other) || differ(other, one))
        }
        _ => false,
    }
}

/// The values that a comparison with a constant allows.
#[derive(Clone, Copy, Debug)]
enum Range {
    From(i64, i64),
    AllBut(i64),
}

impl Range {
    fn of(side: &Side) -> Option<(VariablePart, Self)> {
        let (op, read, value) = comparison(side, side.expr)?;
        let ExprKind::Read(place) = &read.kind else { return None };
        let part = VariablePart::of(side.scope, place).filter(VariablePart::is_certain)?;
        let (least, most) = (i64::MIN, i64::MAX);
        let range = match op {
            BinaryOp::Equal => Self::From(value, value),
            BinaryOp::NotEqual => Self::AllBut(value),
            BinaryOp::Less => Self::From(least, value - 1),
            BinaryOp::LessEqual => Self::From(least, value),
            BinaryOp::Greater => Self::From(value + 1, most),
            BinaryOp::GreaterEqual => Self::From(value, most),
            _ => return None,
        };
        Some((part, range))
    }

    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::From(least, most), Self::From(other_least, other_most)) => {
                most < other_least || other_most < least
            }
            (Self::From(least, most), Self::AllBut(value))
            | (Self::AllBut(value), Self::From(least, most)) => least == value && most == value,
            (Self::AllBut(_), Self::AllBut(_)) => false,
        }
    }
}

/// Returns an expression as a comparison with a constant.
fn comparison<'e>(side: &Side, expr: &'e Expr) -> Option<(BinaryOp, &'e Expr, i64)> {
    let constant = |it: &Expr| it.constant(side.scope.process).map(i64::from);
    match &expr.kind {
        ExprKind::Read(_) => Some((BinaryOp::NotEqual, expr, 0)),
        ExprKind::Unary(UnaryOp::Not, operand) => {
            let (op, read, value) = comparison(side, operand)?;
            Some((negated(op)?, read, value))
        }
        ExprKind::Binary(op, left, right) if op.compares() => match (constant(left), constant(right)) {
            (None, Some(value)) => Some((*op, left, value)),
            (Some(value), None) => Some((flipped(*op), right, value)),
            _ => None,
        },
        _ => None,
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        _ => return None,
    })
}

/// Returns the same comparison with its sides exchanged.
fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        same => same,
    }
}
