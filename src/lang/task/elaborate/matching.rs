//! `match` and patterns.

use super::Elaborator;
use super::conditions::Exits;
use super::control::Leaves;
use super::values::{Binding, Need, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Arm, Expr, Pattern, PatternKind};
use crate::lang::task::program::{PointId, Value, VariableId};

/// What the arms above have left of the subject.
struct Rest {
    point: PointId,
    subject: Subject,
}

#[derive(Clone)]
enum Subject {
    /// A value, or `Unknown`.
    Known(Val),
    /// A variable with one of these values; `tested` if an edge to this
    /// point has already made sure of it.
    Variable { id: VariableId, left: Vec<(Value, Val)>, tested: bool },
}

impl<'a> Elaborator<'a> {
    pub(super) fn match_arms(
        &mut self,
        subject: &'a Expr,
        arms: &'a [Arm],
        from: PointId,
        span: Span,
    ) -> Leaves {
        let mut rests = self.subjects(subject, from);
        let mut leaves = Vec::new();
        for arm in arms {
            let mut next = Vec::new();
            for rest in rests {
                self.arm(arm, rest, &mut next, &mut leaves);
            }
            rests = self.meet(next, span);
        }
        self.not_exhaustive(&rests, span);
        self.merge(leaves, span)
    }

    /// The subject on each path: a variable stays one, so that an arm can be
    /// one test.
    fn subjects(&mut self, subject: &'a Expr, from: PointId) -> Vec<Rest> {
        let cases = self.cases(from, subject.span, |this, known| match this.eval(subject, known) {
            Err(Need::Read(expr, id)) if std::ptr::eq(expr, subject) && known.read(id).is_none() => {
                let values = this.all_values(&this.types[id.index()]);
                let left = values.into_iter().enumerate().map(|(value, val)| (value as Value, val)).collect();
                Ok(Subject::Variable { id, left, tested: false })
            }
            other => other.map(Subject::Known),
        });
        cases.into_iter().map(|case| Rest { point: case.point, subject: case.result }).collect()
    }

    fn arm(&mut self, arm: &'a Arm, rest: Rest, next: &mut Vec<Rest>, leaves: &mut Leaves) {
        match rest.subject {
            Subject::Known(val) => match self.matches(&arm.pattern, val) {
                Ok(Some(false)) => next.push(rest),
                Ok(found) => {
                    // Arms may share the point of an unknown subject.
                    let mut start = rest.point;
                    if val == Val::Unknown {
                        start = self.point(arm.pattern.span);
                        self.silent(rest.point, start, arm.pattern.span);
                    }
                    self.enter(arm, start, Subject::Known(val), next, leaves);
                    if found.is_none() {
                        next.push(rest);
                    }
                }
                Err(_) => (),
            },
            Subject::Variable { id, left, tested } => {
                self.arm_of_variable(arm, rest.point, (id, left, tested), next, leaves);
            }
        }
    }

    fn arm_of_variable(
        &mut self,
        arm: &'a Arm,
        point: PointId,
        (id, left, tested): (VariableId, Vec<(Value, Val)>, bool),
        next: &mut Vec<Rest>,
        leaves: &mut Leaves,
    ) {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (value, val) in left {
            match self.matches(&arm.pattern, val) {
                Ok(Some(true)) => inside.push((value, val)),
                Ok(_) => outside.push((value, val)),
                Err(_) => return,
            }
        }
        let took_some = !inside.is_empty();
        // A name for the value needs one path per value. So does a guard: when
        // it fails, the arms below go on with the value read here.
        let parts: Vec<Vec<(Value, Val)>> =
            match arm.guard.is_some() || self.bound_name(&arm.pattern).is_some() {
                true => inside.into_iter().map(|one| vec![one]).collect(),
                false => vec![inside],
            };
        // Nothing else leaves the point and the values are known to fit.
        let passes = tested && outside.is_empty() && parts.len() == 1;
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let mut start = point;
            if !passes {
                start = self.point(arm.pattern.span);
                let values = part.iter().map(|(value, _)| *value).collect();
                self.test(point, start, id, values, arm.pattern.span);
            }
            self.enter(arm, start, Subject::Variable { id, left: part, tested: true }, next, leaves);
        }
        if !outside.is_empty() {
            let tested = tested && !took_some;
            next.push(Rest { point, subject: Subject::Variable { id, left: outside, tested } });
        }
    }

    /// Paths with an unknown subject meet, or guards would double them with
    /// every arm.
    fn meet(&mut self, rests: Vec<Rest>, span: Span) -> Vec<Rest> {
        let is_unknown = |rest: &Rest| matches!(rest.subject, Subject::Known(Val::Unknown));
        let (unknown, mut others): (Vec<Rest>, Vec<Rest>) = rests.into_iter().partition(is_unknown);
        if !unknown.is_empty() {
            let point = self.join(unknown.into_iter().map(|rest| rest.point).collect(), span);
            others.push(Rest { point, subject: Subject::Known(Val::Unknown) });
        }
        others
    }

    /// Performs an arm whose pattern matches; a false guard leaves the
    /// subject to the arms below.
    fn enter(
        &mut self,
        arm: &'a Arm,
        start: PointId,
        subject: Subject,
        next: &mut Vec<Rest>,
        leaves: &mut Leaves,
    ) {
        let val = match &subject {
            Subject::Known(val) => *val,
            Subject::Variable { left, .. } => left.first().map_or(Val::Unknown, |(_, val)| *val),
        };
        let name = self.bound_name(&arm.pattern);
        self.scoped(|this| {
            if let Some(name) = name {
                this.bind(name, Binding::Value { val, split: true });
            }
            let mut body = start;
            if let Some(guard) = &arm.guard {
                let (yes, no) = (this.point(guard.span), this.point(guard.span));
                this.branch(guard, start, Exits { yes: Some(yes), no: Some(no) });
                if this.is_live(no) {
                    next.push(Rest { point: no, subject });
                }
                body = yes;
            }
            if this.is_live(body) {
                leaves.extend(this.perform(&arm.body, body));
            }
        });
    }

    fn not_exhaustive(&mut self, rests: &[Rest], span: Span) {
        let mut missing = Vec::new();
        for rest in rests {
            match &rest.subject {
                Subject::Known(Val::Unknown) => (),
                Subject::Known(val) => missing.push(self.show(*val)),
                Subject::Variable { left, .. } => missing.extend(left.iter().map(|(_, val)| self.show(*val))),
            }
        }
        missing.dedup();
        if !missing.is_empty() {
            let shown: Vec<String> = missing.iter().take(5).map(|value| format!("`{value}`")).collect();
            let diagnostic =
                Diagnostic::error("task-match", span, format!("no arm matches {}", shown.join(", ")))
                    .with_help("add `_ => {}`");
            self.report(diagnostic);
        }
    }

    /// The name that a pattern gives to the value, if it is no constant.
    fn bound_name(&self, pattern: &'a Pattern) -> Option<&'a str> {
        match &pattern.kind {
            PatternKind::Name(name) if !self.constants.contains_key(name.as_str()) => Some(name),
            _ => None,
        }
    }

    /// Does a value match? `None` if that is unknown.
    pub(super) fn matches(&mut self, pattern: &'a Pattern, val: Val) -> Result<Option<bool>, Need<'a>> {
        match &pattern.kind {
            PatternKind::Wild => Ok(Some(true)),
            PatternKind::Name(name) => match self.constants.get(name.as_str()).copied() {
                None => Ok(Some(true)),
                Some(constant) => self.equals(pattern, constant.ok_or(Need::Fault)?, val),
            },
            PatternKind::Value(expr) => {
                let wanted = self.constant(expr).ok_or(Need::Fault)?;
                self.equals(pattern, wanted, val)
            }
            PatternKind::Or(cases) => {
                let mut result = Some(false);
                for case in cases {
                    match self.matches(case, val)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => (),
                        None => result = None,
                    }
                }
                Ok(result)
            }
            PatternKind::Range(lo, hi, inclusive) => {
                let lo = lo.as_ref().map(|bound| self.constant_int(bound).ok_or(Need::Fault)).transpose()?;
                let hi = hi.as_ref().map(|bound| self.constant_int(bound).ok_or(Need::Fault)).transpose()?;
                match val {
                    Val::Int(number) => {
                        let above = lo.is_none_or(|lo| lo <= number);
                        let below = hi.is_none_or(|hi| number < hi || *inclusive && number == hi);
                        Ok(Some(above && below))
                    }
                    Val::Unknown => Ok(None),
                    other => self.wrong_type(pattern.span, "a pattern for the matched value", other),
                }
            }
            PatternKind::Error => Err(Need::Fault),
        }
    }

    fn equals(&mut self, pattern: &'a Pattern, wanted: Val, val: Val) -> Result<Option<bool>, Need<'a>> {
        let same = match (wanted, val) {
            (Val::Unknown, _) | (_, Val::Unknown) => return Ok(None),
            (Val::Bool(_), Val::Bool(_)) | (Val::Int(_), Val::Int(_)) => true,
            (Val::Enum(a, _), Val::Enum(b, _)) => a == b,
            _ => false,
        };
        if !same {
            let (wanted, found) = (self.describe(wanted), self.describe(val));
            self.error(
                "task-type",
                pattern.span,
                format!("this pattern is {wanted}, the matched value is {found}"),
            );
            return Err(Need::Fault);
        }
        Ok(Some(wanted == val))
    }
}
