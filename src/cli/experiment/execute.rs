//! Executes all runs of a plan, one at a time or several in parallel.

use super::process;
use super::progress::Progress;
use super::store::Store;
use crate::cli::files::reason;
use crate::cli::output::Terminal;
use crate::cli::values;
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use trapline::base::control::{Control, Stop};
use trapline::diag::Diagnostic;
use trapline::experiment::plan::fingerprint;
use trapline::experiment::{Outcome, Plan, Record, Run};

/// Interval between updates of the progress line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Time that a process may need in addition to twice its time limit, to start
/// and to write a long counterexample.
const GRACE: Duration = Duration::from_secs(120);

/// Executes the runs and records each when it ends. Returns whether the user
/// interrupted.
pub(super) fn all(
    plan: &Plan,
    to_do: Vec<Run>,
    store: &mut Store,
    jobs: u16,
    control: &Control,
    terminal: &Terminal,
) -> Result<bool, Diagnostic> {
    if to_do.is_empty() {
        return Ok(false);
    }
    let (program, build) = this_program()?;
    let timeout = plan.option("timeout").and_then(|it| values::duration(it).ok()).map(|it| it * 2 + GRACE);
    let mut progress = Progress::new(plan, &to_do, terminal);
    let queue = Queue::new(to_do);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, queue, program) = (sender.clone(), &queue, &program);
            scope.spawn(move || {
                work(plan, queue, &sender, |run| {
                    process::run(program, &plan.arguments(run), timeout, control)
                });
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(UPDATE_INTERVAL) {
                Ok(News::Started(run)) => progress.started(run),
                Ok(News::Skipped(run)) => progress.ended(run),
                Ok(News::Ended(run, outcome)) => {
                    let kept = store.add(record(plan, run, &build, *outcome));
                    // If results cannot be stored, more of them are useless.
                    kept.inspect_err(|_| control.stop(Stop::Interrupt))?;
                    progress.ended(run);
                }
                Err(RecvTimeoutError::Timeout) => progress.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(control.stop_reason() == Some(Stop::Interrupt))
    })
}

/// A message of a worker.
enum News {
    Started(Run),
    /// An earlier repetition reached a limit, or the subject is too quick.
    Skipped(Run),
    Ended(Run, Box<Outcome>),
}

/// The queue that all workers share.
struct Queue {
    state: Mutex<Left>,
}

/// The remaining runs.
#[derive(Default)]
struct Left {
    runs: VecDeque<Run>,
    /// Pairs of subject and strategy that have reached a limit: there is no
    /// time to compare, so they are not repeated.
    limited: HashSet<(usize, usize)>,
    /// Subjects on which the baseline is too quick for a comparison.
    quick: HashSet<usize>,
}

impl Queue {
    fn new(to_do: Vec<Run>) -> Self {
        Self { state: Mutex::new(Left { runs: to_do.into(), ..Left::default() }) }
    }

    /// Locks the queue. A worker that panicked left it unchanged.
    fn left(&self) -> MutexGuard<'_, Left> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next run and returns it with whether to skip it.
    fn next(&self) -> Option<(Run, bool)> {
        let mut left = self.left();
        let run = left.runs.pop_front()?;
        let is_skipped =
            left.limited.contains(&(run.subject, run.strategy)) || left.quick.contains(&run.subject);
        Some((run, is_skipped))
    }

    /// Derives from an outcome which runs can be skipped.
    fn note(&self, plan: &Plan, run: Run, outcome: &Outcome) {
        if outcome.limit.is_some() {
            self.left().limited.insert((run.subject, run.strategy));
        } else if run.strategy == plan.baseline
            && outcome.measures.as_ref().is_some_and(|it| it.time < plan.at_least)
        {
            self.left().quick.insert(run.subject);
        }
    }
}

/// Takes runs from the queue until it is empty or one is interrupted.
fn work(plan: &Plan, queue: &Queue, sender: &Sender<News>, make: impl Fn(Run) -> Option<Outcome>) {
    while let Some((run, is_skipped)) = queue.next() {
        let news = if is_skipped {
            News::Skipped(run)
        } else {
            // A closed channel is detected below.
            let _ = sender.send(News::Started(run));
            let Some(outcome) = make(run) else { return };
            queue.note(plan, run, &outcome);
            News::Ended(run, Box::new(outcome))
        };
        if sender.send(news).is_err() {
            return;
        }
    }
}

fn record(plan: &Plan, run: Run, build: &str, outcome: Outcome) -> Record {
    Record {
        key: plan.key(run),
        subject: plan.subjects[run.subject].name.clone(),
        label: plan.label(run).to_string(),
        repetition: run.repetition,
        build: build.to_string(),
        command: plan.arguments(run),
        outcome,
    }
}

/// Returns the path and a fingerprint of this program.
fn this_program() -> Result<(PathBuf, String), Diagnostic> {
    let path = std::env::current_exe();
    let found = path.and_then(|path| std::fs::read(&path).map(|bytes| (path, bytes)));
    let (path, bytes) = found.map_err(|error| {
        let message = format!("cannot find the program file of trapline: {}", reason(&error));
        Diagnostic::error_without_place("study-program", message)
    })?;
    Ok((path, fingerprint([bytes.as_slice()])))
}
