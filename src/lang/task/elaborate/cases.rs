//! Case splits: provides what the evaluator needs, on one path per case.

use super::Elaborator;
use super::values::{Known, Need, Val};
use crate::diag::Span;
use crate::lang::task::ast::Expr;
use crate::lang::task::limits;
use crate::lang::task::program::{PointId, Value, VariableId};

/// The end of one path of a case split.
pub struct Case<T> {
    pub point: PointId,
    pub result: T,
    /// Whether the result depends on a value read from a variable.
    pub split: bool,
}

impl<'a> Elaborator<'a> {
    /// Runs `compute` until it has a result on every path. Reads become test
    /// edges, parts with effects are performed, choices are silent.
    pub(super) fn cases<T>(
        &mut self,
        from: PointId,
        span: Span,
        mut compute: impl FnMut(&mut Self, &Known<'a>) -> Result<T, Need<'a>>,
    ) -> Vec<Case<T>> {
        let mut done = Vec::new();
        let mut open = vec![(from, Known::default())];
        while let Some((point, known)) = open.pop() {
            if !self.step(span) {
                break;
            }
            if done.len() + open.len() > limits::CASES {
                self.exceed(span, "combinations of values in one expression", limits::CASES);
                break;
            }
            self.saw_split = known.split;
            match compute(self, &known) {
                Ok(result) => done.push(Case { point, result, split: self.saw_split }),
                Err(need) => self.answer(need, point, &known, span, &mut open),
            }
        }
        done
    }

    /// Pushes the paths with the needed value on the stack, the first one on
    /// top.
    pub(super) fn answer(
        &mut self,
        need: Need<'a>,
        point: PointId,
        known: &Known<'a>,
        span: Span,
        open: &mut Vec<(PointId, Known<'a>)>,
    ) {
        match need {
            Need::Fault => (),
            Need::Panic(failure, at) => self.panic(point, None, failure, at),
            Need::Effect(expr) => {
                // The point may be shared by alternatives; a loop in here must not return to it.
                let start = self.point(span);
                self.silent(point, start, span);
                let leaves = self.perform(expr, start);
                // Several results come from variables or choices.
                let mut known = known.clone();
                known.split |= leaves.len() > 1;
                let known = |val| known.with_effect(expr, val);
                open.extend(leaves.into_iter().rev().map(|(point, val)| (point, known(val))));
            }
            Need::Choice(expr, values) => {
                for val in values.into_iter().rev() {
                    let start = self.point(span);
                    self.silent(point, start, expr.span);
                    open.push((start, known.with_choice(expr, val)));
                }
            }
            Need::Read(expr, variable) => match known.read(variable) {
                Some(val) => open.push((point, known.with_read(expr, variable, val))),
                None => {
                    let paths = self.read_all(expr, variable, point, known, span);
                    open.extend(paths.into_iter().rev());
                }
            },
        }
    }

    fn read_all(
        &mut self,
        expr: &'a Expr,
        variable: VariableId,
        point: PointId,
        known: &Known<'a>,
        span: Span,
    ) -> Vec<(PointId, Known<'a>)> {
        let values = self.all_values(&self.types[variable.index()]);
        let mut paths = Vec::with_capacity(values.len());
        for (position, val) in values.into_iter().enumerate() {
            let to = self.point(span);
            self.test(point, to, variable, vec![position as Value], expr.span);
            paths.push((to, known.with_read(expr, variable, val)));
        }
        paths
    }

    /// Returns the values of an expression, one point per value.
    pub(super) fn values(&mut self, expr: &'a Expr, from: PointId) -> Vec<(PointId, Val)> {
        let cases = self.cases(from, expr.span, |this, known| this.eval(expr, known));
        let leaves = cases.into_iter().map(|case| (case.point, case.result)).collect();
        self.merge(leaves, expr.span)
    }
}
