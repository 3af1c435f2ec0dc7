//! `match` and patterns.

use super::Elaborator;
use super::conditions::Exits;
use super::control::Leaves;
use super::values::{Binding, Known, Need, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Arm, Expr, ExprKind, Pattern, PatternKind};
use crate::lang::task::program::{PointId, Value, VariableId};

/// The values that the previous arms do not match.
struct Rest {
    point: PointId,
    subject: Subject,
}

/// The subject on one path. A plain `match` has one value, a tuple several.
#[derive(Clone)]
enum Subject {
    /// The values, each of which may be `Unknown`.
    Known(Vec<Val>),
    /// The last value is a variable.
    Variable(Variable),
}

/// A variable with one of the values `left`.
#[derive(Clone)]
struct Variable {
    /// The values of the tuple before it.
    before: Vec<Val>,
    id: VariableId,
    left: Vec<(Value, Val)>,
    /// Whether an edge to this point has tested these values.
    tested: bool,
}

impl Variable {
    fn with(&self, val: Val) -> Vec<Val> {
        self.before.iter().copied().chain([val]).collect()
    }
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
            let mut starts = Vec::new();
            for rest in rests {
                self.arm(arm, rest, &mut next, &mut starts);
            }
            self.enter_all(arm, starts, &mut next, &mut leaves);
            rests = self.meet(next, span);
        }
        self.not_exhaustive(&rests, span);
        self.merge(leaves, span)
    }

    /// Returns the values that are matched against patterns.
    pub(super) fn subject_values(
        &mut self,
        subject: &'a Expr,
        known: &Known<'a>,
    ) -> Result<Vec<Val>, Need<'a>> {
        match &subject.kind {
            ExprKind::Tuple(parts) => parts.iter().map(|part| self.eval(part, known)).collect(),
            _ => self.eval(subject, known).map(|val| vec![val]),
        }
    }

    /// Returns the subject on each path. Its last variable stays a variable, so
    /// that an arm can be one test.
    fn subjects(&mut self, subject: &'a Expr, from: PointId) -> Vec<Rest> {
        let (before, last) = match &subject.kind {
            ExprKind::Tuple(parts) => match parts.split_last() {
                Some((last, before)) => (before, last),
                None => return Vec::new(),
            },
            _ => (&[][..], subject),
        };
        let cases = self.cases(from, subject.span, |this, known| {
            let before: Result<Vec<Val>, Need<'a>> =
                before.iter().map(|part| this.eval(part, known)).collect();
            let mut before = before?;
            match this.eval(last, known) {
                Err(Need::Read(expr, id)) if std::ptr::eq(expr, last) && known.read(id).is_none() => {
                    let values = this.all_values(&this.types[id.index()]).into_iter().enumerate();
                    let left = values.map(|(value, val)| (value as Value, val)).collect();
                    Ok(Subject::Variable(Variable { before, id, left, tested: false }))
                }
                other => {
                    before.push(other?);
                    Ok(Subject::Known(before))
                }
            }
        });
        cases.into_iter().map(|case| Rest { point: case.point, subject: case.result }).collect()
    }

    /// Adds the points where an arm starts to `starts`, with the subject there;
    /// what it leaves to the arms below goes to `next`.
    fn arm(&mut self, arm: &'a Arm, rest: Rest, next: &mut Vec<Rest>, starts: &mut Vec<Rest>) {
        if !self.step(arm.pattern.span) {
            return;
        }
        match rest.subject {
            Subject::Known(vals) => match self.matches(&arm.pattern, &vals) {
                Ok(Some(false)) => next.push(Rest { point: rest.point, subject: Subject::Known(vals) }),
                Ok(found) => {
                    // Arms may share the point of an unknown subject.
                    let mut start = rest.point;
                    if vals.contains(&Val::Unknown) {
                        start = self.point(arm.pattern.span);
                        self.silent(rest.point, start, arm.pattern.span);
                    }
                    starts.push(Rest { point: start, subject: Subject::Known(vals.clone()) });
                    if found.is_none() {
                        next.push(Rest { point: rest.point, subject: Subject::Known(vals) });
                    }
                }
                Err(_) => (),
            },
            Subject::Variable(variable) => self.arm_of_variable(arm, rest.point, variable, next, starts),
        }
    }

    fn arm_of_variable(
        &mut self,
        arm: &'a Arm,
        point: PointId,
        variable: Variable,
        next: &mut Vec<Rest>,
        starts: &mut Vec<Rest>,
    ) {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        self.steps += variable.left.len() / 8;
        // An unknown value before it: the arm and those below are possible.
        let mut is_unknown = false;
        for &(value, val) in &variable.left {
            match self.matches(&arm.pattern, &variable.with(val)) {
                Ok(Some(true)) => inside.push((value, val)),
                Ok(Some(false)) => outside.push((value, val)),
                Ok(None) => {
                    is_unknown = true;
                    inside.push((value, val));
                    outside.push((value, val));
                }
                Err(_) => return,
            }
        }
        let took_some = !inside.is_empty();
        // A name for the value needs one path per value. So does a guard: when
        // it fails, the arms below continue with the value read here.
        let parts: Vec<Vec<(Value, Val)>> = match arm.guard.is_some() || self.has_names(&arm.pattern) {
            true => inside.into_iter().map(|one| vec![one]).collect(),
            false => vec![inside],
        };
        // Nothing else leaves the point and the values are known to match.
        let passes = variable.tested && outside.is_empty() && parts.len() == 1 && !is_unknown;
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let mut start = point;
            if !passes {
                start = self.point(arm.pattern.span);
                let values = part.iter().map(|(value, _)| *value).collect();
                self.test(point, start, variable.id, values, arm.pattern.span);
            }
            let subject = Subject::Variable(Variable { left: part, tested: true, ..variable.clone() });
            starts.push(Rest { point: start, subject });
        }
        if !outside.is_empty() {
            let tested = variable.tested && !took_some;
            let subject = Subject::Variable(Variable { left: outside, tested, ..variable });
            next.push(Rest { point, subject });
        }
    }

    /// Merges paths with an unknown subject, since guards would double them
    /// with every arm.
    fn meet(&mut self, rests: Vec<Rest>, span: Span) -> Vec<Rest> {
        let mut unknown: Vec<(Vec<Val>, Vec<PointId>)> = Vec::new();
        let mut others = Vec::new();
        for rest in rests {
            match rest.subject {
                Subject::Known(vals) if vals.contains(&Val::Unknown) => {
                    match unknown.iter_mut().find(|(known, _)| *known == vals) {
                        Some((_, points)) => points.push(rest.point),
                        None => unknown.push((vals, vec![rest.point])),
                    }
                }
                subject => others.push(Rest { point: rest.point, subject }),
            }
        }
        for (vals, points) in unknown {
            let point = self.join(points, span);
            others.push(Rest { point, subject: Subject::Known(vals) });
        }
        others
    }

    /// Performs an arm on all paths whose values it matches: once, unless it
    /// depends on the values.
    fn enter_all(&mut self, arm: &'a Arm, starts: Vec<Rest>, next: &mut Vec<Rest>, leaves: &mut Leaves) {
        if starts.is_empty() {
            return;
        }
        if arm.guard.is_none() && !self.has_names(&arm.pattern) {
            let point = self.join(starts.into_iter().map(|rest| rest.point).collect(), arm.pattern.span);
            return leaves.extend(self.perform(&arm.body, point));
        }
        for start in starts {
            self.enter(arm, start, next, leaves);
        }
    }

    /// Performs an arm whose pattern matches; a false guard leaves the
    /// subject to the arms below.
    fn enter(&mut self, arm: &'a Arm, start: Rest, next: &mut Vec<Rest>, leaves: &mut Leaves) {
        let vals = match &start.subject {
            Subject::Known(vals) => vals.clone(),
            Subject::Variable(variable) => {
                variable.with(variable.left.first().map_or(Val::Unknown, |(_, val)| *val))
            }
        };
        self.scoped(|this| {
            this.bind_names(&arm.pattern, &vals);
            let mut body = start.point;
            if let Some(guard) = &arm.guard {
                let (yes, no) = (this.point(guard.span), this.point(guard.span));
                this.branch(guard, start.point, Exits { yes: Some(yes), no: Some(no) });
                if this.is_live(no) {
                    next.push(Rest { point: no, subject: start.subject });
                }
                body = yes;
            }
            if this.is_live(body) {
                leaves.extend(this.perform(&arm.body, body));
            }
        });
    }

    fn not_exhaustive(&mut self, rests: &[Rest], span: Span) {
        let mut missing: Vec<String> = Vec::new();
        for rest in rests {
            match &rest.subject {
                Subject::Known(vals) => missing.extend(self.show_values(vals)),
                Subject::Variable(variable) => {
                    let shown = variable.left.iter();
                    missing.extend(shown.filter_map(|(_, val)| self.show_values(&variable.with(*val))));
                }
            }
        }
        missing.dedup();
        if !missing.is_empty() {
            let shown: Vec<String> = missing.iter().take(5).map(|value| format!("`{value}`")).collect();
            let diagnostic = Diagnostic::error(
                "task-match",
                span,
                format!("no arm of this `match` covers {}", shown.join(", ")),
            )
            .with_help("add `_ => {}`");
            self.report(diagnostic);
        }
    }

    /// Returns the values of a subject, if all are known.
    fn show_values(&self, vals: &[Val]) -> Option<String> {
        let shown: Vec<String> = vals.iter().map(|val| self.show(*val)).collect();
        match vals {
            _ if vals.contains(&Val::Unknown) => None,
            [_] => Some(shown.concat()),
            _ => Some(format!("({})", shown.join(", "))),
        }
    }

    /// Returns whether a pattern binds a name.
    fn has_names(&self, pattern: &'a Pattern) -> bool {
        match &pattern.kind {
            PatternKind::Name(name) => !self.constants.contains_key(name.as_str()),
            PatternKind::Tuple(parts) | PatternKind::Or(parts) => {
                parts.iter().any(|part| self.has_names(part))
            }
            _ => false,
        }
    }

    /// Binds the names of a pattern that matches these values.
    fn bind_names(&mut self, pattern: &'a Pattern, vals: &[Val]) {
        match (&pattern.kind, vals) {
            (PatternKind::Name(name), [val]) if !self.constants.contains_key(name.as_str()) => {
                self.bind(name, Binding::Value { val: *val, split: true });
            }
            (PatternKind::Tuple(parts), _) => {
                for (part, val) in parts.iter().zip(vals) {
                    self.bind_names(part, &[*val]);
                }
            }
            (PatternKind::Or(cases), _) => {
                let fits = |case: &&'a Pattern| !matches!(self.matches(case, vals), Ok(Some(false)) | Err(_));
                let case = cases.iter().find(fits);
                if let Some(case) = case {
                    self.bind_names(case, vals);
                }
            }
            _ => (),
        }
    }

    /// Returns whether the values match; `None` if that is unknown.
    pub(super) fn matches(&mut self, pattern: &'a Pattern, vals: &[Val]) -> Result<Option<bool>, Need<'a>> {
        match (&pattern.kind, vals) {
            (PatternKind::Wild, _) => Ok(Some(true)),
            (PatternKind::Or(cases), _) => {
                self.steps += cases.len() / 64;
                let mut result = Some(false);
                for case in cases {
                    match self.matches(case, vals)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => (),
                        None => result = None,
                    }
                }
                Ok(result)
            }
            (PatternKind::Error, _) => Err(Need::Fault),
            (PatternKind::Tuple(parts), _) if parts.len() == vals.len() && vals.len() > 1 => {
                let mut result = Some(true);
                for (part, val) in parts.iter().zip(vals) {
                    match self.matches(part, &[*val])? {
                        Some(true) => (),
                        // The parts after it are still checked.
                        Some(false) => result = Some(false),
                        None if result == Some(true) => result = None,
                        None => (),
                    }
                }
                Ok(result)
            }
            (PatternKind::Tuple(parts), _) => {
                let message = match vals.len() {
                    1 => "this pattern is a tuple, but the matched value is not".to_string(),
                    wanted => format!(
                        "this tuple pattern has {} parts, but the matched tuple has {wanted}",
                        parts.len()
                    ),
                };
                self.error("task-type", pattern.span, message);
                Err(Need::Fault)
            }
            (_, [val]) => self.matches_value(pattern, *val),
            _ => {
                let parts = vec!["_"; vals.len()].join(", ");
                let message = format!(
                    "expected a pattern for a tuple of {} values, found a pattern for one value",
                    vals.len()
                );
                let help = format!("write a pattern for each value: `({parts})`");
                self.report(Diagnostic::error("task-type", pattern.span, message).with_help(help));
                Err(Need::Fault)
            }
        }
    }

    fn matches_value(&mut self, pattern: &'a Pattern, val: Val) -> Result<Option<bool>, Need<'a>> {
        match &pattern.kind {
            PatternKind::Name(name) => match self.constants.get(name.as_str()).copied() {
                None => Ok(Some(true)),
                Some(constant) => self.equals(pattern, constant.ok_or(Need::Fault)?, val),
            },
            PatternKind::Value(expr) => {
                let wanted = self.constant(expr).ok_or(Need::Fault)?;
                self.equals(pattern, wanted, val)
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
                    other => {
                        let found = self.describe(other);
                        let message = format!("this pattern is a range, but the matched value is {found}");
                        self.error("task-type", pattern.span, message);
                        Err(Need::Fault)
                    }
                }
            }
            _ => Err(Need::Fault),
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
                format!("this pattern is {wanted}, but the matched value is {found}"),
            );
            return Err(Need::Fault);
        }
        Ok(Some(wanted == val))
    }
}
