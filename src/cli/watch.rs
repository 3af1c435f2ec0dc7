//! Someone to watch a search: shows progress and keeps the time.

use super::progress_line::ProgressLine;
use crate::base::control::{Control, Counters, Stop};
use crate::report::text::measure::{bytes, number};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is quicker than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line of progress changes.
const BEAT: Duration = Duration::from_millis(200);

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
        timeout: Option<Duration>,
        progress: bool,
    ) -> Self {
        control.begin();
        if timeout.is_none() && !progress {
            return Self { sender: None, thread: None };
        }
        let (sender, receiver) = mpsc::channel::<()>();
        let mut watcher = Watcher {
            control: Arc::clone(control),
            name: name.to_string(),
            unit,
            start: Instant::now(),
            timeout,
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
    progress: bool,
    line: Option<ProgressLine>,
}

impl Watcher {
    /// Until the next beat, or until the time is over if that is sooner.
    fn pause(&self) -> Duration {
        let rest = self.timeout.map(|it| it.saturating_sub(self.start.elapsed()));
        match rest {
            Some(rest) if !rest.is_zero() => rest.min(BEAT),
            _ => BEAT,
        }
    }

    fn beat(&mut self) {
        let elapsed = self.start.elapsed();
        if self.timeout.is_some_and(|timeout| elapsed >= timeout) {
            self.control.stop(Stop::Time);
        }
        if self.progress && elapsed >= PATIENCE {
            let line =
                line((&self.name, self.unit), &self.control.counters(), elapsed, self.control.stop_reason());
            self.line.get_or_insert_with(ProgressLine::new).show(&line);
        }
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
        let watch = Watch::start(&control, ("p", "states"), Some(Duration::from_millis(5)), false);
        let start = Instant::now();
        while control.stop_reason().is_none() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(control.stop_reason(), Some(Stop::Time));
        drop(watch);
        let _next = Watch::start(&control, ("q", "states"), None, false);
        assert_eq!(control.stop_reason(), None);
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
