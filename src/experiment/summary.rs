//! Comparison of records: medians of repetitions, ratios to the baseline, and
//! everything that makes a comparison doubtful.

use super::measure::{Measure, Measures};
use super::plan::{Plan, Run};
use super::record::{Outcome, Record, Records};
use super::statistics::{Spread, median, ratio};

/// The comparison of the records of a plan.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Results by subject, then by strategy.
    pub cells: Vec<Vec<Cell>>,
    /// Results by strategy.
    pub rows: Vec<Row>,
    /// Verdicts that differ from the baseline's, in the order of the plan.
    pub disagreements: Vec<Disagreement>,
    /// Number of verdicts compared with those of the baseline.
    pub n_compared: usize,
    /// Counters that differ between repetitions, with the indices of subject
    /// and strategy.
    pub unsteady: Vec<(usize, usize, Measure)>,
    /// Runs that ended without a report.
    pub failures: Vec<(Run, String)>,
    /// Whether the baseline is too quick for a comparison, by subject.
    pub quick: Vec<bool>,
    /// Number of runs with a record.
    pub n_runs: usize,
    /// Number of runs of the plan without a record.
    pub n_missing: usize,
    /// Number of different builds of the program that made the runs.
    pub n_builds: usize,
}

/// One strategy on one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// State of the runs.
    pub state: State,
    /// Number of repetitions with a record.
    pub repetitions: usize,
    /// Medians, also of runs that reached a limit.
    pub measures: Option<Measures>,
}

/// The state of the runs of a strategy on a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// No run yet.
    Missing,
    /// No report.
    Failed,
    /// The search was stopped by this limit.
    Limit(String),
    /// The search ended with this verdict.
    Answer(String),
}

/// One strategy on all subjects.
#[derive(Clone, Debug)]
pub struct Row {
    /// The distribution of the ratios of each measure, in the order of
    /// [`Measure::ALL`]; `None` where no ratio is known.
    pub ratios: [Option<Spread>; Measure::ALL.len()],
    /// Number of subjects with an answer.
    pub answered: usize,
    /// Number of subjects on which a limit was reached.
    pub limited: usize,
    /// Number of subjects without a report.
    pub failed: usize,
    /// Number of subjects not run yet.
    pub missing: usize,
    /// Number of subjects with an answer for which the baseline has none.
    pub without_baseline: usize,
}

/// A verdict that differs from that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Index of the subject.
    pub subject: usize,
    /// Index of the strategy.
    pub strategy: usize,
    /// Verdict of the strategy.
    pub verdict: String,
    /// Verdict of the baseline.
    pub expected: String,
}

impl Row {
    /// Returns the distribution of one measure.
    pub fn spread(&self, measure: Measure) -> Option<&Spread> {
        let at = Measure::ALL.iter().position(|it| *it == measure)?;
        self.ratios[at].as_ref()
    }

    /// Returns the number of subjects that the means leave out.
    pub fn left_out(&self) -> usize {
        self.limited + self.failed + self.missing + self.without_baseline
    }
}

impl Cell {
    /// Returns whether there is a verdict.
    pub fn is_answered(&self) -> bool {
        matches!(self.state, State::Answer(_))
    }

    /// Returns a measure, if the search was not stopped.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.measures.as_ref().filter(|_| self.is_answered())?.get(measure)
    }
}

impl Summary {
    /// Compares the records of the runs of a plan.
    pub fn new(plan: &Plan, records: &Records) -> Self {
        let mut summary = Self {
            cells: Vec::new(),
            rows: Vec::new(),
            disagreements: Vec::new(),
            n_compared: 0,
            unsteady: Vec::new(),
            failures: Vec::new(),
            quick: Vec::new(),
            n_runs: 0,
            n_missing: 0,
            n_builds: 0,
        };
        summary.collect(plan, records);
        summary.compare_verdicts(plan);
        summary.rows = (0..plan.strategies.len()).map(|it| summary.row(it, plan.baseline)).collect();
        summary
    }

    /// Returns the ratio of a strategy to the baseline on a subject.
    pub fn ratio(&self, subject: usize, strategy: usize, baseline: usize, measure: Measure) -> Option<f64> {
        if self.quick[subject] {
            return None;
        }
        let cells = &self.cells[subject];
        ratio(cells[strategy].value(measure)?, cells[baseline].value(measure)?)
    }

    fn collect(&mut self, plan: &Plan, records: &Records) {
        let mut builds: Vec<&str> = Vec::new();
        for subject in 0..plan.subjects.len() {
            let mut cells = Vec::new();
            let is_quick = is_quick(plan, records, subject);
            self.quick.push(is_quick);
            for strategy in 0..plan.strategies.len() {
                let runs = (1..=plan.repeat).map(|repetition| Run { subject, strategy, repetition });
                let known: Vec<(Run, &Record)> =
                    runs.filter_map(|run| Some((run, records.get(&plan.key(run))?))).collect();
                self.n_runs += known.len();
                for (run, record) in &known {
                    let failure = record.outcome.failure.clone();
                    self.failures.extend(failure.map(|reason| (*run, reason)));
                    if !builds.contains(&record.build.as_str()) {
                        builds.push(&record.build);
                    }
                }
                let outcomes: Vec<&Outcome> = known.iter().map(|(_, record)| &record.outcome).collect();
                let cell = cell(&outcomes);
                if !is_quick && !matches!(cell.state, State::Limit(_)) {
                    self.n_missing += plan.repeat as usize - known.len();
                }
                let unsteady = unsteady(&outcomes).map(|measure| (subject, strategy, measure));
                self.unsteady.extend(unsteady);
                cells.push(cell);
            }
            self.cells.push(cells);
        }
        self.n_builds = builds.len();
    }

    fn compare_verdicts(&mut self, plan: &Plan) {
        for (subject, cells) in self.cells.iter().enumerate() {
            let State::Answer(expected) = &cells[plan.baseline].state else { continue };
            for (strategy, cell) in cells.iter().enumerate() {
                let State::Answer(verdict) = &cell.state else { continue };
                self.n_compared += usize::from(strategy != plan.baseline);
                if verdict != expected {
                    let (verdict, expected) = (verdict.clone(), expected.clone());
                    self.disagreements.push(Disagreement { subject, strategy, verdict, expected });
                }
            }
        }
    }

    fn row(&self, strategy: usize, baseline: usize) -> Row {
        let compared = || self.cells.iter().zip(&self.quick).filter(|(_, quick)| !**quick);
        let count = |wanted: &dyn Fn(&[Cell]) -> bool| compared().filter(|(it, _)| wanted(it)).count();
        let spread = |measure| {
            let ratios = (0..self.cells.len()).filter_map(|it| self.ratio(it, strategy, baseline, measure));
            Spread::of(&ratios.collect::<Vec<f64>>())
        };
        Row {
            ratios: Measure::ALL.map(spread),
            answered: count(&|it| it[strategy].is_answered()),
            limited: count(&|it| matches!(it[strategy].state, State::Limit(_))),
            failed: count(&|it| it[strategy].state == State::Failed),
            missing: count(&|it| it[strategy].state == State::Missing),
            without_baseline: count(&|it| it[strategy].is_answered() && !it[baseline].is_answered()),
        }
    }
}

/// Returns whether the baseline is known to take too little time on a subject.
pub fn is_quick(plan: &Plan, records: &Records, subject: usize) -> bool {
    let first = Run { subject, strategy: plan.baseline, repetition: 1 };
    let outcome = records.get(&plan.key(first)).map(|record| &record.outcome);
    let time = outcome.filter(|it| it.limit.is_none()).and_then(|it| it.measures.as_ref()).map(|it| it.time);
    time.is_some_and(|time| time < plan.at_least)
}

/// Combines repetitions. One that reached a limit takes precedence over those
/// that did not, one that ended over one that failed.
fn cell(outcomes: &[&Outcome]) -> Cell {
    let limit = outcomes.iter().find_map(|it| it.limit.clone());
    let verdict = outcomes.iter().filter(|it| it.limit.is_none()).find_map(|it| it.verdict.clone());
    let state = match (limit, verdict) {
        (Some(limit), _) => State::Limit(limit),
        (None, Some(verdict)) => State::Answer(verdict),
        (None, None) if outcomes.is_empty() => State::Missing,
        (None, None) => State::Failed,
    };
    let measured: Vec<&Measures> = outcomes.iter().filter_map(|it| it.measures.as_ref()).collect();
    Cell { state, repetitions: outcomes.len(), measures: medians(&measured) }
}

fn medians(measured: &[&Measures]) -> Option<Measures> {
    let first = *measured.first()?;
    let of = |measure: Measure| median(measured.iter().filter_map(|it| it.get(measure)));
    let whole = |measure: Measure| of(measure).map(|it| it.round() as u64);
    Some(Measures {
        time: of(Measure::Time)?,
        search: of(Measure::Search)?,
        generated: whole(Measure::Generated)?,
        stored: whole(Measure::Stored)?,
        memory: whole(Measure::Memory)?,
        prefix: first.prefix.and_then(|_| whole(Measure::Prefix)),
        length: first.length.and_then(|_| whole(Measure::Length)),
    })
}

/// Returns the first counter that is not equal in all repetitions that reached
/// no limit.
fn unsteady(outcomes: &[&Outcome]) -> Option<Measure> {
    let ended = outcomes.iter().filter(|it| it.limit.is_none());
    let measured: Vec<&Measures> = ended.filter_map(|it| it.measures.as_ref()).collect();
    let first = *measured.first()?;
    let mut exact = Measure::ALL.into_iter().filter(|it| it.is_exact());
    exact.find(|measure| measured.iter().any(|it| it.get(*measure) != first.get(*measure)))
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;
    use crate::experiment::plan::samples::plan;

    /// Returns records in which strategy `s` takes `times[s][subject]` seconds
    /// and a tenth as many steps; zero seconds represent a limit.
    pub fn records(plan: &Plan, times: &[&[f64]]) -> Records {
        let mut records = Records::default();
        for run in plan.runs() {
            let time = times[run.strategy][run.subject];
            let limit = (time == 0.0).then(|| "time".to_string());
            let verdict = if limit.is_some() { "undecided" } else { "violated" };
            let steps = limit.is_none().then_some((time * 10.0) as u64);
            let measures = Measures {
                time: time * f64::from(run.repetition),
                search: time / 2.0,
                generated: (time * 100.0) as u64,
                stored: (time * 50.0) as u64,
                memory: (time * 1e6) as u64,
                prefix: steps,
                length: steps.map(|it| it + 1),
            };
            records.insert(Record {
                key: plan.key(run),
                subject: plan.subjects[run.subject].name.clone(),
                label: plan.label(run).to_string(),
                repetition: run.repetition,
                build: "b".to_string(),
                command: plan.arguments(run),
                outcome: Outcome {
                    verdict: Some(verdict.to_string()),
                    limit,
                    measures: Some(measures),
                    ..Outcome::default()
                },
            });
        }
        records
    }

    /// Returns a study with three subjects; the quick strategy reaches a limit
    /// on the last.
    pub fn small() -> (Plan, Summary) {
        let plan = plan(&["bfs", "quick", "slow"], 3, 1);
        let records = records(&plan, &[&[1.0, 2.0, 4.0], &[0.5, 0.25, 0.0], &[4.0, 2.0, 8.0]]);
        let summary = Summary::new(&plan, &records);
        (plan, summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::samples::plan;

    #[test]
    fn limits_are_counted_and_left_out_of_the_means() {
        let (_, summary) = samples::small();
        let quick = &summary.rows[1];
        assert_eq!((quick.answered, quick.limited, quick.left_out()), (2, 1, 1));
        let time = quick.spread(Measure::Time).expect("two ratios are known");
        assert_eq!((time.count, time.mean, time.least, time.worst), (2, 0.25, 0.125, 0.5));
        let slow = summary.rows[2].spread(Measure::Time).expect("three ratios are known");
        assert!((slow.mean - 2.0).abs() < 1e-12, "4 · 1 · 2 to the third root");
        assert_eq!(summary.rows[0].spread(Measure::Generated).map(|it| it.mean), Some(1.0));
        assert!(summary.disagreements.is_empty() && summary.n_missing == 0);
    }

    #[test]
    fn subjects_that_the_baseline_answers_at_once_are_left_out() {
        let mut plan = plan(&["bfs", "quick"], 3, 1);
        plan.at_least = 1.5;
        let records = samples::records(&plan, &[&[1.0, 2.0, 4.0], &[9.0, 1.0, 1.0]]);
        let summary = Summary::new(&plan, &records);
        assert_eq!(summary.quick, [true, false, false]);
        let time = summary.rows[1].spread(Measure::Time).expect("two ratios are known");
        assert_eq!((time.count, time.worst, summary.rows[1].answered), (2, 0.5, 2));
    }

    #[test]
    fn times_are_medians_and_counters_must_be_equal() {
        let plan = plan(&["bfs"], 1, 3);
        let mut records = samples::records(&plan, &[&[1.0]]);
        let summary = Summary::new(&plan, &records);
        assert_eq!(summary.cells[0][0].value(Measure::Time), Some(2.0));
        assert!(summary.unsteady.is_empty());
        let mut odd = records.get(&plan.key(plan.runs()[1])).expect("it was recorded").clone();
        odd.outcome.measures.as_mut().expect("it was measured").stored = 1;
        records.insert(odd);
        assert_eq!(Summary::new(&plan, &records).unsteady, [(0, 0, Measure::Stored)]);
    }

    #[test]
    fn another_verdict_is_a_disagreement_and_a_failure_is_not() {
        let plan = plan(&["bfs", "a", "b"], 1, 1);
        let mut records = samples::records(&plan, &[&[1.0], &[1.0], &[1.0]]);
        let runs = plan.runs();
        let mut change = |run: Run, outcome: Outcome| {
            let record = records.get(&plan.key(run)).expect("it was recorded").clone();
            records.insert(Record { outcome, ..record });
        };
        change(runs[1], Outcome { verdict: Some("holds".to_string()), ..Outcome::default() });
        change(runs[2], Outcome::failed("killed"));
        let summary = Summary::new(&plan, &records);
        let [disagreement] = &summary.disagreements[..] else { panic!("one verdict differs") };
        assert_eq!((disagreement.strategy, disagreement.verdict.as_str()), (1, "holds"));
        assert_eq!((summary.failures.len(), summary.rows[2].failed), (1, 1));
    }
}
