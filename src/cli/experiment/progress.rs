//! How far a study is: a line that changes on a terminal, a line per
//! finished subject elsewhere.

use crate::cli::output::Terminal;
use crate::experiment::{Plan, Run};
use crate::report::text::Detail;
use crate::report::text::measure::{count, time};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashMap;
use std::time::{Duration, Instant};

pub(super) struct Progress<'a> {
    plan: &'a Plan,
    start: Instant,
    done: usize,
    total: usize,
    /// Runs left of a subject in a repetition.
    left: HashMap<(usize, u32), usize>,
    current: String,
    bar: Option<ProgressBar>,
    /// Without a terminal, and not asked to be quiet.
    tells_subjects: bool,
}

impl<'a> Progress<'a> {
    pub fn new(plan: &'a Plan, to_do: &[Run], terminal: &Terminal) -> Self {
        let mut left = HashMap::new();
        for run in to_do {
            *left.entry((run.subject, run.repetition)).or_insert(0) += 1;
        }
        Self {
            plan,
            start: Instant::now(),
            done: 0,
            total: to_do.len(),
            left,
            current: String::new(),
            bar: terminal.progress.then(bar),
            tells_subjects: !terminal.progress && terminal.detail != Detail::Quiet,
        }
    }

    pub fn started(&mut self, run: Run) {
        self.current = format!("{} by {}", self.plan.subjects[run.subject].name, self.plan.label(run));
        self.tick();
    }

    /// A run has ended or was skipped.
    pub fn ended(&mut self, run: Run) {
        self.done += 1;
        let left = self.left.entry((run.subject, run.repetition)).or_insert(1);
        *left -= 1;
        if *left == 0 && self.tells_subjects {
            let name = &self.plan.subjects[run.subject].name;
            eprintln!("{}  {name}", self.head());
        }
        self.tick();
    }

    pub fn tick(&self) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}  {}", self.head(), self.current));
            bar.tick();
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// `12/36 runs, 0:40 left`.
    fn head(&self) -> String {
        head(self.done, self.total, self.start.elapsed())
    }
}

fn head(done: usize, total: usize, elapsed: Duration) -> String {
    let rest = match done {
        0 => String::new(),
        done if done == total => format!(", {}", time(elapsed)),
        done => {
            let rest = elapsed.mul_f64((total - done) as f64 / done as f64);
            format!(", about {} left", time(rest))
        }
    };
    format!("{done}/{}{rest}", count(total as u64, "run"))
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_what_is_done() {
        let seconds = Duration::from_secs;
        assert_eq!(head(0, 4, seconds(0)), "0/4 runs");
        assert_eq!(head(1, 4, seconds(10)), "1/4 runs, about 30.0 s left");
        assert_eq!(head(4, 4, seconds(40)), "4/4 runs, 40.0 s");
    }
}
