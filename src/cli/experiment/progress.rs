//! Progress of a study: an updated line on a terminal, a line per finished
//! subject elsewhere.

use crate::cli::output::Terminal;
use crate::cli::progress_line::ProgressLine;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use trapline::diag::visible;
use trapline::experiment::{Plan, Run};
use trapline::report::text::Detail;
use trapline::report::text::measure::{count, time};

pub(super) struct Progress<'a> {
    plan: &'a Plan,
    start: Instant,
    done: usize,
    total: usize,
    /// Remaining runs of a subject in a repetition.
    left: HashMap<(usize, u32), usize>,
    current: String,
    line: Option<ProgressLine>,
    /// Whether to print finished subjects: without a terminal and without
    /// `--quiet`.
    prints_subjects: bool,
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
            line: terminal.progress.then(ProgressLine::new),
            prints_subjects: !terminal.progress && terminal.detail != Detail::Quiet,
        }
    }

    pub fn started(&mut self, run: Run) {
        self.current = format!("{} with {}", self.plan.subjects[run.subject].name, self.plan.label(run));
        self.tick();
    }

    /// Records that a run has ended or was skipped.
    pub fn ended(&mut self, run: Run) {
        self.done += 1;
        let left = self.left.entry((run.subject, run.repetition)).or_insert(1);
        *left -= 1;
        if *left == 0 && self.prints_subjects {
            let name = &self.plan.subjects[run.subject].name;
            // Standard error may be closed.
            let _ = writeln!(io::stderr(), "{}  {}", self.head(), visible(name));
        }
        self.tick();
    }

    pub fn tick(&self) {
        if let Some(line) = &self.line {
            line.show(&format!("{}  {}", self.head(), self.current));
        }
    }

    /// Returns a text such as `12/36 runs, 0:40 left`.
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
