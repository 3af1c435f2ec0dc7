//! Values: operators, truncation to a type, and constant expressions.

use super::data::Type;
use super::expr::{BinaryOp, Expr, ExprKind, UnaryOp};

impl BinaryOp {
    /// Returns the value of `left op right`; `None` for a division by zero.
    #[inline]
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            Self::Add => left.wrapping_add(right),
            Self::Subtract => left.wrapping_sub(right),
            Self::Multiply => left.wrapping_mul(right),
            Self::Divide if right == 0 => return None,
            Self::Divide => left.wrapping_div(right),
            Self::Remainder if right == 0 => return None,
            Self::Remainder => left.wrapping_rem(right),
            Self::BitAnd => left & right,
            Self::BitOr => left | right,
            Self::BitXor => left ^ right,
            Self::ShiftLeft => left.wrapping_shl(right as u32),
            Self::ShiftRight => left.wrapping_shr(right as u32),
            Self::Equal => i32::from(left == right),
            Self::NotEqual => i32::from(left != right),
            Self::Less => i32::from(left < right),
            Self::LessEqual => i32::from(left <= right),
            Self::Greater => i32::from(left > right),
            Self::GreaterEqual => i32::from(left >= right),
            Self::And => i32::from(left != 0 && right != 0),
            Self::Or => i32::from(left != 0 || right != 0),
        })
    }

    /// Returns whether it is `==`, `!=`, `<`, `<=`, `>` or `>=`.
    pub fn compares(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual
        )
    }
}

impl UnaryOp {
    /// Returns the value of `op value`.
    pub fn apply(self, value: i32) -> i32 {
        match self {
            Self::Negate => value.wrapping_neg(),
            Self::Not => i32::from(value == 0),
            Self::Complement => !value,
        }
    }
}

impl Expr {
    /// Evaluates the expression, if `leaf` returns the values of all operands
    /// that are needed. `leaf` is called with every subexpression that is
    /// neither a number nor an operator. Returns `None` also if the evaluation
    /// fails.
    pub fn value(&self, leaf: &mut dyn FnMut(&Self) -> Option<i32>) -> Option<i32> {
        match &self.kind {
            ExprKind::Constant(value) => Some(*value),
            ExprKind::Unary(op, operand) => Some(op.apply(operand.value(leaf)?)),
            ExprKind::Binary(op, left, right) => match (op, left.value(leaf)?) {
                (BinaryOp::And, 0) => Some(0),
                (BinaryOp::Or, left) if left != 0 => Some(1),
                (op, left) => op.apply(left, right.value(leaf)?),
            },
            ExprKind::Conditional { condition, then, otherwise } => match condition.value(leaf)? {
                0 => otherwise.value(leaf),
                _ => then.value(leaf),
            },
            _ => leaf(self),
        }
    }

    /// Returns the value of an expression that reads nothing but the number of
    /// its process, if that is known, and does not fail.
    pub fn constant(&self, process: Option<usize>) -> Option<i32> {
        self.value(&mut |leaf| match leaf.kind {
            ExprKind::Pid => process.map(|it| it as i32),
            _ => None,
        })
    }
}

impl Type {
    /// Returns the number of bits and whether the type is signed; for types
    /// other than records.
    pub fn bits(self) -> (u8, bool) {
        match self {
            Self::Bit | Self::Bool => (1, false),
            Self::Byte | Self::Pid | Self::Mtype(_) | Self::Chan => (8, false),
            Self::Short => (16, true),
            Self::Int => (32, true),
            Self::Unsigned(bits) => (bits, bits == 32),
            Self::Record(_) => unreachable!("records are taken apart"),
        }
    }

    /// Returns the minimum and maximum value; `None` for a record.
    pub fn range(self) -> Option<(i64, i64)> {
        if matches!(self, Self::Record(_)) {
            return None;
        }
        Some(match self.bits() {
            (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (bits, false) => (0, (1 << bits) - 1),
        })
    }

    /// Returns the value that a variable or message field of this type, which is
    /// not a record, has after storing `value`.
    pub fn stored(self, value: i32) -> i32 {
        let (bits, is_signed) = self.bits();
        truncate(bits, is_signed, value)
    }
}

/// Returns the lowest bits of a value, with sign extension if signed.
#[inline]
pub fn truncate(bits: u8, is_signed: bool, value: i32) -> i32 {
    if bits == 0 {
        return 0;
    }
    let unused = 32 - u32::from(bits);
    match is_signed {
        true => (value << unused) >> unused,
        false => (((value as u32) << unused) >> unused) as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;

    fn expr(kind: ExprKind) -> Expr {
        Expr { kind, span: Span::default() }
    }

    fn binary(op: BinaryOp, left: ExprKind, right: ExprKind) -> ExprKind {
        ExprKind::Binary(op, Box::new(expr(left)), Box::new(expr(right)))
    }

    #[test]
    fn what_depends_on_the_process_number_alone_is_constant() {
        let other = binary(BinaryOp::Subtract, ExprKind::Constant(1), ExprKind::Pid);
        assert_eq!(expr(other.clone()).constant(Some(1)), Some(0));
        assert_eq!(expr(other.clone()).constant(None), None);
        let unknown = ExprKind::NumberOfProcesses;
        let is_one = binary(BinaryOp::Equal, ExprKind::Pid, ExprKind::Constant(1));
        let both = expr(binary(BinaryOp::And, is_one, unknown.clone()));
        assert_eq!((both.constant(Some(0)), both.constant(Some(1))), (Some(0), None));
        let choice = expr(ExprKind::Conditional {
            condition: Box::new(expr(ExprKind::Pid)),
            then: Box::new(expr(unknown)),
            otherwise: Box::new(expr(other)),
        });
        assert_eq!((choice.constant(Some(0)), choice.constant(Some(1))), (Some(1), None));
    }

    #[test]
    fn what_fails_has_no_value() {
        let by_zero = expr(binary(BinaryOp::Divide, ExprKind::Constant(1), ExprKind::Constant(0)));
        assert_eq!(by_zero.constant(None), None);
    }

    #[test]
    fn types_keep_their_bits() {
        assert_eq!((Type::Byte.stored(257), Type::Short.stored(40_000)), (1, -25_536));
        assert_eq!((Type::Bool.range(), Type::Unsigned(3).range()), (Some((0, 1)), Some((0, 7))));
        assert_eq!(Type::Int.range(), Some((i64::from(i32::MIN), i64::from(i32::MAX))));
    }
}
