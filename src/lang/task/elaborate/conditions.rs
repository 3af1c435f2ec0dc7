//! Conditions: `&&`, `||` and `!` become control flow, other parts become
//! tests.

use super::Elaborator;
use super::calls::is_idle;
use super::values::{Known, Need, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Expr, ExprKind, Operator};
use crate::lang::task::limits;
use crate::lang::task::program::{PointId, Value, VariableId};
use crate::net::Failure;
use indexmap::IndexMap;

/// Targets of the two outcomes; `None` drops the outcome.
#[derive(Clone, Copy)]
pub struct Exits {
    pub yes: Option<PointId>,
    pub no: Option<PointId>,
}

/// The context of a part of a blocking condition.
#[derive(Clone, Copy)]
struct Waiting {
    /// The point where the task waits.
    start: PointId,
    /// The value of the part that the task waits for.
    wanted: bool,
}

impl<'a> Elaborator<'a> {
    /// Elaborates a condition with short-circuit evaluation.
    pub(super) fn branch(&mut self, condition: &'a Expr, from: PointId, exits: Exits) {
        self.deeper(condition.span, |this| this.branch_inside(condition, from, exits));
    }

    fn branch_inside(&mut self, condition: &'a Expr, from: PointId, exits: Exits) {
        match &condition.kind {
            ExprKind::Not(inner) => self.branch(inner, from, Exits { yes: exits.no, no: exits.yes }),
            ExprKind::Binary(Operator::And, left, right) => {
                let middle = self.point(condition.span);
                self.branch(left, from, Exits { yes: Some(middle), ..exits });
                if self.is_live(middle) {
                    self.branch(right, middle, exits);
                }
            }
            ExprKind::Binary(Operator::Or, left, right) => {
                let middle = self.point(condition.span);
                self.branch(left, from, Exits { no: Some(middle), ..exits });
                if self.is_live(middle) {
                    self.branch(right, middle, exits);
                }
            }
            _ => self.decide(condition, from, exits),
        }
    }

    /// Elaborates a blocking condition: the task continues when it is true. An
    /// alternative that is not true yet is not taken, hence `a || b` is a
    /// choice of two tests. Effects cannot be undone: if a function call makes
    /// the condition false, the task returns to the point where it waits.
    pub(super) fn enable(&mut self, condition: &'a Expr, from: PointId, to: PointId) {
        self.enable_part(condition, from, to, Waiting { start: from, wanted: true });
    }

    fn enable_part(&mut self, condition: &'a Expr, from: PointId, to: PointId, waiting: Waiting) {
        self.deeper(condition.span, |this| this.enable_inside(condition, from, to, waiting));
    }

    fn enable_inside(&mut self, condition: &'a Expr, from: PointId, to: PointId, waiting: Waiting) {
        let Waiting { start, wanted } = waiting;
        match &condition.kind {
            ExprKind::Not(inner) => self.enable_part(inner, from, to, Waiting { start, wanted: !wanted }),
            ExprKind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                if (*operator == Operator::And) == wanted {
                    let middle = self.point(condition.span);
                    self.enable_part(left, from, middle, waiting);
                    if self.is_live(middle) {
                        self.enable_part(right, middle, to, waiting);
                    }
                } else {
                    self.enable_part(left, from, to, waiting);
                    self.enable_part(right, from, to, waiting);
                }
            }
            _ => {
                let again = (!is_idle(condition)).then_some(start);
                let (yes, no) = if wanted { (Some(to), again) } else { (again, Some(to)) };
                let first = self.task.graph.edges().len();
                self.decide(condition, from, Exits { yes, no });
                self.waited_since(first);
            }
        }
    }

    /// Returns the value of a condition that needs no variable.
    pub(super) fn constant_condition(&mut self, condition: &'a Expr) -> Option<bool> {
        self.saw_split = false;
        match self.eval(condition, &Known::default()) {
            Ok(Val::Bool(value)) => Some(value),
            _ => None,
        }
    }

    fn decide(&mut self, condition: &'a Expr, from: PointId, exits: Exits) {
        let span = condition.span;
        let mut open = vec![(from, Known::default())];
        let mut n_cases = 0;
        while let Some((point, known)) = open.pop() {
            n_cases += 1;
            if n_cases > limits::CASES {
                self.exceed(span, "combinations of values in one expression", limits::CASES);
            }
            if !self.step(span) {
                return;
            }
            self.saw_split = known.split;
            match self.eval(condition, &known) {
                Ok(val) => self.decided(condition, val, point, exits),
                Err(Need::Read(expr, variable)) if known.read(variable).is_none() => {
                    if !self.last_test(condition, (expr, variable), point, &known, exits) {
                        self.answer(Need::Read(expr, variable), point, &known, span, &mut open);
                    }
                }
                Err(need) => self.answer(need, point, &known, span, &mut open),
            }
        }
    }

    fn decided(&mut self, condition: &'a Expr, val: Val, point: PointId, exits: Exits) {
        let (yes, no) = match val {
            Val::Bool(value) => (value, !value),
            Val::Unknown => (true, true),
            other => {
                let message = format!("expected a `bool` as the condition, found {}", self.describe(other));
                return self.report(Diagnostic::error("task-type", condition.span, message));
            }
        };
        for (holds, exit) in [(yes, exits.yes), (no, exits.no)] {
            match exit {
                Some(to) if holds => self.silent(point, to, condition.span),
                None if holds => self.never(point, condition.span),
                _ => (),
            }
        }
    }

    /// Evaluates a condition; a variable that occurs again has the value
    /// already read.
    fn eval_again(&mut self, condition: &'a Expr, mut known: Known<'a>) -> Result<Val, Need<'a>> {
        loop {
            match self.eval(condition, &known) {
                Err(Need::Read(expr, variable)) => match known.read(variable) {
                    Some(val) => known = known.with_read(expr, variable, val),
                    None => return Err(Need::Read(expr, variable)),
                },
                other => return other,
            }
        }
    }

    /// Tests the last variable of a condition against the sets of values that
    /// make it true and false. Returns `false` if other variables follow.
    fn last_test(
        &mut self,
        condition: &'a Expr,
        (expr, variable): (&'a Expr, VariableId),
        point: PointId,
        known: &Known<'a>,
        exits: Exits,
    ) -> bool {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut panics: IndexMap<(Failure, Span), Vec<Value>> = IndexMap::new();
        let values = self.all_values(&self.types[variable.index()]);
        for (position, val) in values.into_iter().enumerate() {
            if !self.step(condition.span) {
                return true;
            }
            match self.eval_again(condition, known.with_read(expr, variable, val)) {
                Ok(val @ (Val::Bool(_) | Val::Unknown)) => {
                    yes.extend((val != Val::Bool(false)).then_some(position as Value));
                    no.extend((val != Val::Bool(true)).then_some(position as Value));
                }
                Ok(other) => {
                    self.decided(condition, other, point, exits);
                    return true;
                }
                Err(Need::Read(..) | Need::Effect(_) | Need::Choice(..)) => return false,
                Err(Need::Panic(failure, span)) => {
                    panics.entry((failure, span)).or_default().push(position as Value);
                }
                Err(Need::Fault) => (),
            }
        }
        for ((failure, span), values) in panics {
            self.panic(point, Some((variable, values)), failure, span);
        }
        for (values, exit) in [(yes, exits.yes), (no, exits.no)] {
            if let Some(to) = exit {
                self.test(point, to, variable, values, condition.span);
            }
        }
        true
    }
}
