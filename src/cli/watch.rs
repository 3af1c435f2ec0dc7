//! Someone to watch a search: shows progress and keeps the time.

use super::exit::Exit;
use super::memory;
use super::progress_line::ProgressLine;
use crate::base::control::{Control, Counters, Stop};
use crate::diag::visible;
use crate::report::text::measure::{bytes, number};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is quicker than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line of progress changes.
const BEAT: Duration = Duration::from_millis(200);

/// How often the memory in use is measured.
const PULSE: Duration = Duration::from_millis(20);

/// How long a computation that is to stop may take to do so. Everything that
/// takes long asks; this is for what was overlooked.
const GRACE: Duration = Duration::from_secs(10);

/// What a computation may take; the search counts its own bytes, too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub timeout: Option<Duration>,
    /// Bytes for the computation.
    pub max_memory: Option<u64>,
}

impl Bounds {
    /// Most bytes of the whole process: what it has now and what the
    /// computation may take, with some room for what cannot be counted.
    fn most_resident(self) -> Option<u64> {
        let most = self.max_memory?;
        Some(memory::resident()?.saturating_add(most).saturating_add(most / 4).saturating_add(64 << 20))
    }
}

/// Watches one computation until dropped.
pub(super) struct Watch {
    /// Dropping it is the signal to end.
    sender: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Makes `control` ready and watches what is done under it: the name of
    /// it, and what is counted.
    pub fn start(
        control: &Arc<Control>,
        (name, unit): (&str, &'static str),
        bounds: Bounds,
        progress: bool,
    ) -> Self {
        control.begin();
        let (sender, receiver) = mpsc::channel::<()>();
        let mut watcher = Watcher {
            control: Arc::clone(control),
            name: name.to_string(),
            unit,
            start: Instant::now(),
            timeout: bounds.timeout,
            most_resident: bounds.most_resident(),
            last_beat: None,
            stopped: None,
            progress,
            line: None,
        };
        let thread = thread::spawn(move || {
            while receiver.recv_timeout(watcher.pause()) == Err(RecvTimeoutError::Timeout) {
                watcher.beat();
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
    /// What is counted.
    unit: &'static str,
    start: Instant,
    timeout: Option<Duration>,
    /// Bytes of the process above which the computation is to stop.
    most_resident: Option<u64>,
    /// When the line of progress was drawn.
    last_beat: Option<Instant>,
    /// When the computation was asked to stop.
    stopped: Option<Instant>,
    progress: bool,
    line: Option<ProgressLine>,
}

impl Watcher {
    /// Until the next beat, or until the time is over if that is sooner.
    fn pause(&self) -> Duration {
        let rest = self.timeout.map(|it| it.saturating_sub(self.start.elapsed()));
        match rest {
            Some(rest) if !rest.is_zero() => rest.min(PULSE),
            _ => PULSE,
        }
    }

    fn beat(&mut self) {
        let elapsed = self.start.elapsed();
        if self.timeout.is_some_and(|timeout| elapsed >= timeout) {
            self.control.stop(Stop::Time);
        }
        if self.most_resident.is_some_and(|most| memory::resident().is_some_and(|bytes| bytes > most)) {
            self.control.stop(Stop::Memory);
        }
        self.end_what_does_not_stop();
        let is_due = self.last_beat.is_none_or(|last| last.elapsed() >= BEAT);
        if self.progress && elapsed >= PATIENCE && is_due {
            self.last_beat = Some(Instant::now());
            let line =
                line((&self.name, self.unit), &self.control.counters(), elapsed, self.control.stop_reason());
            self.line.get_or_insert_with(ProgressLine::new).show(&line);
        }
    }

    /// Ends the process if the computation does not end.
    fn end_what_does_not_stop(&mut self) {
        let Some(stop) = self.control.stop_reason() else { return };
        if self.stopped.get_or_insert_with(Instant::now).elapsed() < GRACE {
            return;
        }
        self.line = None;
        let (why, exit) = match stop {
            Stop::Time => ("the time limit was reached", i32::from(Exit::Undecided.code())),
            Stop::Interrupt => ("it was interrupted", 130),
            _ => ("the memory limit was reached", i32::from(Exit::Undecided.code())),
        };
        let seconds = GRACE.as_secs();
        // Nothing more can be done if standard error is closed.
        let _ = writeln!(
            io::stderr(),
            "error: `{}` did not stop within {seconds} s after {why}; the run ends without a report",
            visible(&self.name)
        );
        std::process::exit(exit);
    }
}

/// What a person wants to know while waiting.
fn line((name, unit): (&str, &str), counters: &Counters, elapsed: Duration, stop: Option<Stop>) -> String {
    let seconds = elapsed.as_secs();
    let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
    if stop.is_some() {
        return format!("{name} {clock}  stopping; Ctrl-C ends at once");
    }
    if counters.stored == 0 {
        return format!("{name} {clock}  preparing");
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
        let bounds = Bounds { timeout: Some(Duration::from_millis(5)), max_memory: None };
        let watch = Watch::start(&control, ("p", "states"), bounds, false);
        let start = Instant::now();
        while control.stop_reason().is_none() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(control.stop_reason(), Some(Stop::Time));
        drop(watch);
        let _next = Watch::start(&control, ("q", "states"), Bounds::default(), false);
        assert_eq!(control.stop_reason(), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_nothing_counts_is_noticed() {
        let control = Arc::new(Control::default());
        let bounds = Bounds { timeout: None, max_memory: Some(1 << 20) };
        let _watch = Watch::start(&control, ("p", "states"), bounds, false);
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
        expect!["no-double-lock 1:01  120,000 node-tuples, 1,967/s, frontier 30,000, depth 41, 5.0 MiB"]
            .assert_eq(&line(("no-double-lock", "node-tuples"), &counters, Duration::from_secs(61), None));
        expect!["m.pml: safety 1:01  120,000 states, 1,967/s, frontier 30,000, depth 41, 5.0 MiB"]
            .assert_eq(&line(("m.pml: safety", "states"), &counters, Duration::from_secs(61), None));
    }
}
