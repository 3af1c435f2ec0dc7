//! Watches a computation: shows progress and enforces limits of time and
//! memory.

use super::arguments::LimitArguments;
use super::exit::Exit;
use super::memory;
use super::output::Terminal;
use super::progress_line::ProgressLine;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use trapline::base::cancel::cancellable;
use trapline::base::control::{Control, Counters, Phase, Stop};
use trapline::diag::{Diagnostic, Severity, Sources, visible};
use trapline::report::text::measure::{bytes, number};

/// Time before progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Interval between updates of the progress line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Interval between measurements of the memory.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Time in which a computation must stop when requested. All long computations
/// poll; this catches those that do not.
const GRACE: Duration = Duration::from_secs(10);

/// Limits of a computation; the search also counts its own bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub timeout: Option<Duration>,
    /// Bytes for the computation.
    pub max_memory: Option<u64>,
    /// Time between the request to stop and the end of the process.
    pub grace: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { timeout: None, max_memory: None, grace: GRACE }
    }
}

/// A computation that did not stop when requested.
#[derive(Clone, Debug)]
pub(super) struct Overdue {
    /// The property or file.
    pub name: String,
    /// The phase that did not stop.
    pub phase: Phase,
    /// The limit that was reached.
    pub stop: Stop,
    grace: Duration,
}

impl Overdue {
    #[cfg(test)]
    pub fn new(name: &str, phase: Phase, stop: Stop) -> Self {
        Self { name: name.to_string(), phase, stop, grace: GRACE }
    }

    /// Returns the message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = format!(
            "`{}` is undecided: {}, but {} did not stop within {} s",
            visible(&self.name),
            reason(self.stop),
            self.phase.name(),
            self.grace.as_secs()
        );
        let help = "the process ends now with the results so far; please report this input as a bug";
        Diagnostic::new(Severity::Warning, "limit", None, message).with_help(help)
    }
}

/// Returns the reason to stop as a sentence.
pub(super) fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Interrupt => "the run was interrupted",
        Stop::Memory => "the memory limit was reached",
        _ => "the time limit was reached",
    }
}

/// Reports the results so far and ends the process; called when a computation
/// does not stop.
pub(super) type OverdueHandler = Box<dyn FnOnce(Overdue) + Send>;

impl Bounds {
    /// Returns the maximum memory of the whole process: its current memory, the
    /// limit of the computation, and a reserve.
    fn max_resident(self) -> Option<u64> {
        let max = self.max_memory?;
        Some(memory::resident()?.saturating_add(max).saturating_add(max / 4).saturating_add(64 << 20))
    }
}

/// Runs a command other than check within its limits. Work that does not stop
/// is reported by a message only.
pub(super) fn limited<T>(
    control: &Arc<Control>,
    name: &Path,
    limits: &LimitArguments,
    terminal: &Terminal,
    work: impl FnOnce() -> T,
) -> Result<T, Stop> {
    limited_with((control, false), (&name.display().to_string(), "steps"), limits, terminal, work)
}

/// Runs a command like [`limited`], given its name and the unit of its
/// counters. The flag beside the control says whether progress is shown.
pub(super) fn limited_with<T>(
    (control, progress): (&Arc<Control>, bool),
    counted: (&str, &'static str),
    limits: &LimitArguments,
    terminal: &Terminal,
    work: impl FnOnce() -> T,
) -> Result<T, Stop> {
    let max_memory = limits.max_memory.or_else(memory::default_limit);
    let bounds = Bounds { timeout: limits.timeout, max_memory, ..Bounds::default() };
    let voice = terminal.clone();
    let on_overdue = Box::new(move |overdue: Overdue| {
        voice.print_diagnostics(&[overdue.diagnostic()], &Sources::default());
        std::process::exit(Exit::Undecided.code().into());
    });
    let _watch = Watch::start(control, counted, bounds, progress, on_overdue);
    cancellable(control, work)
}

/// Warns that a command was stopped before it had a result.
pub(super) fn stopped_before_result(name: &Path, stop: Stop) -> Diagnostic {
    let message = format!("`{}` has no result: {}", name.display(), reason(stop));
    let warning = Diagnostic::new(Severity::Warning, "limit", None, message);
    match stop {
        Stop::Interrupt => warning,
        Stop::Memory => warning.with_help("raise `--max-memory`, or make the input smaller"),
        _ => warning.with_help("raise `--timeout`, or make the input smaller"),
    }
}

/// Watches one computation until dropped.
pub(super) struct Watch {
    /// Dropping it stops the watcher.
    sender: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Resets `control` and watches the computation under it, given its name
    /// and the unit of its counters.
    pub fn start(
        control: &Arc<Control>,
        (name, unit): (&str, &'static str),
        bounds: Bounds,
        progress: bool,
        on_overdue: OverdueHandler,
    ) -> Self {
        control.begin();
        let (sender, receiver) = mpsc::channel::<()>();
        let mut watcher = Watcher {
            control: Arc::clone(control),
            name: name.to_string(),
            unit,
            start: Instant::now(),
            timeout: bounds.timeout,
            max_resident: bounds.max_resident(),
            grace: bounds.grace,
            on_overdue: Some(on_overdue),
            last_update: None,
            stopped: None,
            progress,
            line: None,
        };
        let thread = thread::spawn(move || {
            while receiver.recv_timeout(watcher.pause()) == Err(RecvTimeoutError::Timeout) {
                watcher.tick();
            }
        });
        Self { sender: Some(sender), thread: Some(thread) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // A watcher that panicked has nothing left to clear up.
            let _ = thread.join();
        }
    }
}

struct Watcher {
    control: Arc<Control>,
    name: String,
    /// Unit of the counters.
    unit: &'static str,
    start: Instant,
    timeout: Option<Duration>,
    /// Maximum memory of the process.
    max_resident: Option<u64>,
    grace: Duration,
    on_overdue: Option<OverdueHandler>,
    /// Time of the last update of the progress line.
    last_update: Option<Instant>,
    /// Time at which the computation was asked to stop.
    stopped: Option<Instant>,
    progress: bool,
    line: Option<ProgressLine>,
}

impl Watcher {
    /// Returns the time until the next tick, or until the timeout if that is
    /// sooner.
    fn pause(&self) -> Duration {
        let rest = self.timeout.map(|it| it.saturating_sub(self.start.elapsed()));
        match rest {
            Some(rest) if !rest.is_zero() => rest.min(POLL_INTERVAL),
            _ => POLL_INTERVAL,
        }
    }

    fn tick(&mut self) {
        let elapsed = self.start.elapsed();
        if self.timeout.is_some_and(|timeout| elapsed >= timeout) {
            self.control.stop(Stop::Time);
        }
        if self.max_resident.is_some_and(|max| memory::resident().is_some_and(|bytes| bytes > max)) {
            self.control.stop(Stop::Memory);
        }
        self.end_overdue();
        let is_due = self.last_update.is_none_or(|last| last.elapsed() >= UPDATE_INTERVAL);
        if self.progress && elapsed >= PROGRESS_DELAY && is_due {
            self.last_update = Some(Instant::now());
            let line = line((&self.name, self.unit), &self.control, elapsed);
            self.line.get_or_insert_with(ProgressLine::new).show(&line);
        }
    }

    /// Ends the process if the computation does not end.
    fn end_overdue(&mut self) {
        let Some(stop) = self.control.stop_reason() else { return };
        if self.stopped.get_or_insert_with(Instant::now).elapsed() < self.grace {
            return;
        }
        let Some(on_overdue) = self.on_overdue.take() else { return };
        self.line = None;
        self.progress = false;
        let name = self.name.clone();
        on_overdue(Overdue { name, phase: self.control.phase(), stop, grace: self.grace });
    }
}

/// Returns the text of the progress line.
fn line((name, unit): (&str, &str), control: &Control, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
    if control.stop_reason().is_some() {
        return format!("{name} {clock}  stopping; Ctrl-C again ends at once");
    }
    let counters: Counters = control.counters();
    if control.phase() != Phase::Searching {
        return format!("{name} {clock}  {}", control.phase().name());
    }
    let rate = counters.stored as f64 / elapsed.as_secs_f64().max(0.001);
    format!(
        "{name} {clock}  {} {unit}, {}/s, frontier {}, depth {}, {}",
        number(counters.stored),
        number(rate as u64),
        number(counters.frontier),
        number(counters.depth),
        bytes(counters.bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_time_is_kept() {
        let control = Arc::new(Control::default());
        let bounds =
            Bounds { timeout: Some(Duration::from_millis(5)), max_memory: None, ..Bounds::default() };
        let watch = Watch::start(&control, ("p", "states"), bounds, false, Box::new(|_| ()));
        let start = Instant::now();
        while control.stop_reason().is_none() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(control.stop_reason(), Some(Stop::Time));
        drop(watch);
        let _next = Watch::start(&control, ("q", "states"), Bounds::default(), false, Box::new(|_| ()));
        assert_eq!(control.stop_reason(), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_nothing_counts_is_noticed() {
        let control = Arc::new(Control::default());
        let bounds = Bounds { timeout: None, max_memory: Some(1 << 20), ..Bounds::default() };
        let _watch = Watch::start(&control, ("p", "states"), bounds, false, Box::new(|_| ()));
        let start = Instant::now();
        let mut hoard: Vec<Vec<u8>> = Vec::new();
        while control.stop_reason().is_none() && start.elapsed() < Duration::from_secs(20) {
            if hoard.len() < 100 {
                hoard.push(vec![1; 4 << 20]);
            }
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(control.stop_reason(), Some(Stop::Memory));
    }

    #[test]
    fn a_line_of_progress() {
        let counters =
            Counters { stored: 120_000, frontier: 30_000, depth: 41, bytes: 5 << 20, ..Counters::default() };
        let control = Control::default();
        let after = Duration::from_secs(61);
        expect!["p 1:01  reading the input"].assert_eq(&line(("p", "states"), &control, after));
        control.publish(&counters);
        expect!["no-double-lock 1:01  120,000 node-tuples, 1,967/s, frontier 30,000, depth 41, 5.0 MiB"]
            .assert_eq(&line(("no-double-lock", "node-tuples"), &control, after));
        expect!["m.pml: safety 1:01  120,000 states, 1,967/s, frontier 30,000, depth 41, 5.0 MiB"]
            .assert_eq(&line(("m.pml: safety", "states"), &control, after));
        control.stop(Stop::Time);
        expect!["p 1:01  stopping; Ctrl-C again ends at once"].assert_eq(&line(
            ("p", "states"),
            &control,
            after,
        ));
    }

    #[test]
    fn what_does_not_stop_is_reported_once() {
        let control = Arc::new(Control::default());
        let grace = Duration::from_millis(5);
        let bounds = Bounds { timeout: Some(Duration::from_millis(5)), grace, ..Bounds::default() };
        let (sender, overdue) = mpsc::channel();
        let on_overdue = Box::new(move |it| sender.send(it).expect("the test waits"));
        let _watch = Watch::start(&control, ("m.pml: p", "states"), bounds, false, on_overdue);
        control.enter(Phase::Building);
        let overdue: Overdue = overdue.recv_timeout(Duration::from_secs(20)).expect("the time is over");
        assert_eq!((overdue.phase, overdue.stop), (Phase::Building, Stop::Time));
        expect!["`m.pml: p` is undecided: the time limit was reached, but building the model did not stop within 0 s"]
            .assert_eq(&overdue.diagnostic().message);
    }
}
