//! Counterexamples of the flow engine, judged by the explicit engine, on random models.
//!
//! The reference interpreter in the exact meaning says which executions a model has:
//!
//! - a confirmed violation is one, and the events of the shown execution are those of an execution
//!   that violates the property;
//! - a refuted one is none;
//! - a path is called an execution or spurious only if there is, or is not, an execution with its
//!   events;
//! - the steps before the first impossible step can happen in their order, and with this step they
//!   cannot; the values that the reason gives are those of a state in between.

use crate::common::generate::{Random, Shape, generate};
use crate::common::interpret::{Graph, Limits as ExactLimits, Meaning, explore_as};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::{random_constraints, random_property};
use crate::exact_tasks::violates;
use crate::loading::compile;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::time::Duration;
use trapline::flow::Form;
use trapline::lang::spec::property::Executions;
use trapline::lang::task::program::Action;
use trapline::verify::confirm::confirm;
use trapline::verify::flow::{GraphCache, KnownSets};
use trapline::verify::report::{ConfirmBudget, ImpossibleStep, Outcome, Reason, Report};
use trapline::verify::trail::{self, Step};
use trapline::verify::{
    Adjacency, Confirm, ConfirmOptions, Constraint, FlowProblem, Limits, Question, TrailDetail, Verdict,
};

const N_MODELS: u64 = 2_000;

#[test]
fn judgements_are_those_of_the_reference_interpreter() {
    let share = Share::of(N_MODELS);
    let mut total: BTreeMap<&str, u64> = BTreeMap::new();
    for found in share.in_parallel("judgements_are", check_model).iter().flatten() {
        *total.entry(found).or_default() += 1;
    }
    println!("{total:?}");
    if share.is_whole {
        let common = ["confirmed", "refuted", "execution", "inconclusive", "inconclusive, spurious"];
        for what in common.into_iter().chain(["impossible step", "impossible end", "values of a reason"]) {
            assert!(total.get(what).is_some_and(|it| *it >= 20), "{what} is rare: {total:?}");
        }
    }
}

fn check_model(seed: u64) -> Vec<&'static str> {
    let shape = match seed % 5 {
        0 => Shape::default(),
        1 => Shape::rich(),
        2 => Shape { objects: 40, ..Shape::exact() },
        3 => Shape { objects: 30, atomic: 30, ..Shape::rich() },
        _ => Shape { atomic: 40, arrays: 30, ..Shape::exact() },
    };
    let model = generate(seed, &shape);
    let limits = ExactLimits { states: 3_000, transitions: 15_000 };
    let Some(exact) = explore_as(&model, Meaning::Exact, &limits) else { return Vec::new() };
    if exact.labels().len() < 3 {
        return Vec::new();
    }
    let source = print(&model);
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0xc0f1);
    let mut found = Vec::new();
    for _ in 0..3 {
        let property = random_property(&mut random, &exact, &program);
        let mut constraints = random_constraints(&mut random, &program);
        constraints.truncate(random.below(4));
        let executions = match property.dfa.is_safety() && random.below(2) == 0 {
            true => Executions::Prefixes,
            false => Executions::Complete,
        };
        let problem = FlowProblem {
            program: &program,
            property: &property,
            constraints,
            executions,
            form: if random.below(3) == 0 { Form::FAITHFUL } else { Form::REDUCED },
            adjacency: Adjacency::Auto,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        // Without assumptions, which the interpreter does not know.
        if problem.constraints.iter().any(|it| matches!(it, Constraint::Context { .. })) {
            continue;
        }
        let report = Question::about("p", problem.clone()).check(&mut |_| None).expect("it can be answered");
        if report.verdict != Verdict::Violated {
            continue;
        }
        let max_states = *random.pick(&[3, 40, 100, 250, 1_000_000, 1_000_000]);
        let budget = ConfirmBudget { max_states, max_bytes: u64::MAX, timeout: Duration::MAX };
        let options = ConfirmOptions { when: Confirm::Auto, budget };
        let (limits, detail) = (Limits::default(), TrailDetail::default());
        let judged = confirm(&problem, report.clone(), options, limits, detail, &mut |_| None);
        let about =
            || format!("{executions:?} {max_states}\n{:?}\n{property:?}\n{source}", problem.constraints);
        let judge = Judge { exact: &exact, problem: &problem, path: &report };
        found.extend(judge.check(&judged).unwrap_or_else(|why| panic!("{why}\n{}", about())));
    }
    found
}

struct Judge<'a> {
    exact: &'a Graph,
    problem: &'a FlowProblem<'a>,
    /// The report of the flow engine.
    path: &'a Report,
}

impl Judge<'_> {
    fn check(&self, judged: &Report) -> Result<Vec<&'static str>, String> {
        let FlowProblem { property, executions, .. } = *self.problem;
        let confirmation = judged.confirmation.as_ref().ok_or("it is not judged")?;
        let is_violated = violates(self.exact, property, executions);
        let mut seen = Vec::new();
        let expect = |is: bool, why: &str| if is { Ok(()) } else { Err(format!("{why}: {judged:?}")) };
        match &confirmation.outcome {
            Outcome::Confirmed => {
                expect(judged.verdict == Verdict::Violated && is_violated, "nothing is violated")?;
                let events: Vec<&str> = judged.steps().iter().flat_map(|(_, it)| events_of(it)).collect();
                expect(self.is_violation(&events), "the shown execution is none")?;
                seen.push("confirmed");
            }
            Outcome::Refuted => {
                expect(matches!(judged.verdict, Verdict::Holds | Verdict::HoldsVacuously), "no proof")?;
                expect(!is_violated, "an execution violates it")?;
                seen.push("refuted");
            }
            Outcome::Stopped(_) | Outcome::Refused(_) => {
                expect(judged.verdict == Verdict::Inconclusive, "it is not decided")?;
                let is_spurious = confirmation.is_execution == Some(false);
                seen.push(if is_spurious { "inconclusive, spurious" } else { "inconclusive" });
            }
        }
        let has_events = self.has_events();
        match confirmation.is_execution {
            Some(said) => {
                expect(said == has_events, "the events of the path are misjudged")?;
                seen.push(if said { "execution" } else { "spurious" });
            }
            None => seen.push("possible"),
        }
        if let Some(impossible) = &confirmation.impossible {
            seen.push(self.check_impossible(impossible.step)?);
            seen.extend(self.check_reasons(impossible)?);
        }
        Ok(seen)
    }

    /// Whether an execution has exactly these events, and violates the property.
    fn is_violation(&self, events: &[&str]) -> bool {
        let property = self.problem.property;
        let number = |name: &&str| property.events.iter().position(|it| it.name == **name);
        let word: Option<Vec<u32>> = events.iter().map(|it| number(it).map(|it| it as u32)).collect();
        word.is_some_and(|word| {
            let is_rejected = !property.dfa.accepts(word);
            is_rejected
                && self.is_possible(self.after(events, false, |it| self.event(it)), self.problem.executions)
        })
    }

    /// Returns the event of the property that a label is.
    fn event(&self, label: &str) -> Option<&str> {
        let mut events = self.problem.property.events.iter();
        events.find(|it| it.labels.iter().any(|it| it == label)).map(|it| it.name.as_str())
    }

    /// Whether an execution has the events of the path, up to the violation of the property.
    fn has_events(&self) -> bool {
        let steps = self.steps();
        let word: Vec<&str> = steps.iter().filter_map(|it| self.event(label(it)?)).collect();
        let is_open = self.path.counterexample.as_ref().is_some_and(|it| it.prefix.is_some());
        let after = self.after(&word, is_open, |it| self.event(it));
        match (is_open, self.problem.executions) {
            (true, Executions::Complete) => self.can_complete(after),
            (_, executions) => self.is_possible(after, executions),
        }
    }

    fn steps(&self) -> Vec<&Step> {
        let found = self.path.counterexample.as_ref().expect("a violation has a counterexample");
        let n_steps = found.prefix.unwrap_or(found.length());
        self.path.steps().iter().take(n_steps).map(|(_, step)| step).collect()
    }

    /// States after the events of `word`, by a search over states and positions. If `is_open`, more
    /// events may follow, which can be part of the same step.
    fn after<'s>(
        &'s self,
        word: &[&str],
        is_open: bool,
        event: impl Fn(&str) -> Option<&'s str>,
    ) -> HashSet<usize> {
        let mut pending: VecDeque<(usize, usize)> = self.exact.initial.iter().map(|&it| (it, 0)).collect();
        let mut seen: HashSet<(usize, usize)> = pending.iter().copied().collect();
        while let Some((state, position)) = pending.pop_front() {
            for step in self.exact.out(state) {
                let mut events = step.labels.iter().filter_map(|label| event(label));
                let next = events.try_fold(position, |position, event| match word.get(position) {
                    None if is_open => Some(position),
                    expected => (expected == Some(&event)).then_some(position + 1),
                });
                let Some(next) = next else { continue };
                if seen.insert((step.to, next)) {
                    pending.push_back((step.to, next));
                }
            }
        }
        seen.into_iter().filter(|(_, position)| *position == word.len()).map(|it| it.0).collect()
    }

    fn is_possible(&self, after: HashSet<usize>, executions: Executions) -> bool {
        after.into_iter().any(|state| executions == Executions::Prefixes || self.exact.ended[state])
    }

    /// Whether an execution ends that goes through one of these states.
    fn can_complete(&self, states: HashSet<usize>) -> bool {
        let mut seen = states;
        let mut pending: Vec<usize> = seen.iter().copied().collect();
        while let Some(state) = pending.pop() {
            if self.exact.ended[state] {
                return true;
            }
            pending.extend(self.exact.out(state).map(|it| it.to).filter(|it| seen.insert(*it)));
        }
        false
    }

    /// The steps before the impossible one can happen in their order, and with it they cannot.
    fn check_impossible(&self, step: usize) -> Result<&'static str, String> {
        let steps = self.steps();
        let followed = self.followed();
        let word = |n: usize| -> Vec<&str> {
            let labels = steps[..n.min(steps.len())].iter().filter_map(|it| label(it));
            labels.filter(|it| followed.contains(*it)).collect()
        };
        let is_possible =
            |word: &[&str]| !self.after(word, true, |it| followed.get(it).map(String::as_str)).is_empty();
        if !is_possible(&word(step - 1)) {
            return Err(format!("an earlier step than {step} is impossible"));
        }
        if step > steps.len() {
            return Ok("impossible end");
        }
        if !label(steps[step - 1]).is_some_and(|it| followed.contains(it)) {
            return Err(format!("step {step} is not followed"));
        }
        match is_possible(&word(step)) {
            false => Ok("impossible step"),
            true => Err(format!("step {step} is possible")),
        }
    }

    /// The values that a reason gives are those of a state after the steps before the impossible one.
    fn check_reasons(&self, impossible: &ImpossibleStep) -> Result<Option<&'static str>, String> {
        let (steps, followed) = (self.steps(), self.followed());
        let before = &steps[..(impossible.step - 1).min(steps.len())];
        let word: Vec<&str> =
            before.iter().filter_map(|it| label(it)).filter(|it| followed.contains(*it)).collect();
        let states = self.after(&word, false, |it| followed.get(it).map(String::as_str));
        let mut values: Vec<(usize, i64)> = Vec::new();
        for reason in &impossible.reasons {
            let Reason::False { values: given, .. } = reason else { continue };
            for it in given {
                let number = match it.value.as_str() {
                    "true" => Some(1),
                    "false" => Some(0),
                    other => other.parse().ok(),
                };
                let column = self.exact.variables.iter().position(|name| *name == it.name);
                values.extend(column.zip(number));
            }
        }
        let has_values = |state: &usize| {
            values.iter().all(|(column, number)| self.exact.values[*state][*column] == *number)
        };
        match (values.is_empty(), states.iter().any(has_values)) {
            (true, _) => Ok(None),
            (false, true) => Ok(Some("values of a reason")),
            (false, false) => Err(format!("no state has the values of {:?}", impossible.reasons)),
        }
    }

    /// Labels of the property and of the writes of variables in use.
    fn followed(&self) -> BTreeSet<String> {
        let program = self.problem.program;
        let mut all: BTreeSet<String> =
            self.problem.property.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
        for constraint in &self.problem.constraints {
            let Constraint::Variable(wanted) = constraint else { continue };
            for edge in program.tasks.iter().flat_map(|it| &it.edges) {
                if let Action::Assign { variable, .. } | Action::Shift { variable, .. } = &edge.action
                    && variable == wanted
                {
                    all.extend(program.label(&edge.action));
                }
            }
        }
        all
    }
}

fn label(step: &Step) -> Option<&str> {
    match &step.action {
        trail::Action::Label(label) => Some(label),
        _ => None,
    }
}

fn events_of(step: &Step) -> impl Iterator<Item = &str> {
    step.event.iter().flat_map(|it| it.split(", "))
}
