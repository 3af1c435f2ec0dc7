//! Text output of steps.

use super::Writer;
use super::measure::{count, cut, pad, width};
use crate::base::cancel::checkpoint;
use crate::diag::{Sources, Span, visible};
use crate::verify::explicit::Content;
use crate::verify::trail::{Change, InnerStep, InnerSteps, Step, Trail};

/// Number of steps shown at the beginning and at the end of a long trail.
pub const SHOWN: usize = 200;

/// Number of statements shown at the beginning and at the end of a long
/// `d_step`.
const INNER_SHOWN: usize = 20;

impl Writer<'_> {
    /// Writes the described steps, and the number of omitted steps in their
    /// place.
    pub(super) fn steps(&mut self, trail: &Trail, sources: &Sources) {
        let name_width = trail.steps.iter().map(|(_, step)| width(step.first())).max().unwrap_or(0);
        let mut next = 0;
        for (index, step) in &trail.steps {
            checkpoint();
            self.left_out(next, *index, trail.cycle);
            self.cycle_begins(*index, trail.cycle);
            self.taken(index + 1, step, name_width, sources);
            next = index + 1;
        }
        match trail.cycle {
            Some(start) if start == trail.n_steps => {
                self.line(self.paint.bad("       └─ no process moves from here on"));
            }
            Some(_) => self.line(self.paint.bad("       └─ end of the cycle")),
            None => {}
        }
    }

    fn left_out(&mut self, from: usize, to: usize, cycle: Option<usize>) {
        if from == to {
            return;
        }
        self.cycle_begins(from, cycle);
        let left_out = count((to - from) as u64, "step");
        self.line(self.paint.dim(format!("  … {left_out}; --full shows them")));
        if let Some(start) = cycle.filter(|start| (from + 1..to).contains(start)) {
            self.line(self.paint.bad(format!("       ┌─ cycle from step {}:", start + 1)));
        }
    }

    fn cycle_begins(&mut self, index: usize, cycle: Option<usize>) {
        if cycle == Some(index) {
            self.line(self.paint.bad("       ┌─ cycle:"));
        }
    }

    /// Writes a step with its changes and output.
    pub(super) fn taken(&mut self, number: usize, step: &Step, name_width: usize, sources: &Sources) {
        let span = step.span().unwrap_or_default();
        let place = place(span, sources);
        let text = statement(span, sources);
        let event = step.event.as_ref().map(|it| self.paint.event(format!("  ◀ {}", visible(it))));
        let line = format!(
            "{number:5}  {}  {}{}  {}",
            pad(step.first(), name_width),
            cut(&text, 60) + &alternative(step),
            event.unwrap_or_default(),
            self.paint.dim(place)
        );
        self.line(line);
        let beside = " ".repeat(9 + name_width);
        let first = step.actors.first().and_then(|it| it.place.as_ref());
        first.iter().for_each(|it| self.calls(&it.stack, &beside, sources));
        if let Some(partner) = step.partner() {
            let span = partner.place.as_ref().map_or_else(Default::default, |it| it.span);
            let text = cut(&statement(span, sources), 60);
            // A lock, a semaphore or a channel has no statement in the text, only its declaration.
            match partner.name.split('[').next() == Some(text.as_str()) {
                true => self.line(format!("{beside}⇄ {}", partner.name)),
                false => {
                    let place = self.paint.dim(self::place(span, sources));
                    self.line(format!("{beside}⇄ {}  {text}  {place}", partner.name));
                }
            }
            partner.place.iter().for_each(|it| self.calls(&it.stack, &format!("{beside}  "), sources));
        }
        match step.inside.n_steps {
            0 => self.changes(&beside, &step.changes),
            _ => self.inner_steps(&step.inside, &beside, sources),
        }
        for line in step.printed.lines() {
            // The mark distinguishes it from lines of the report.
            self.line(format!("{beside}{} {}", self.paint.dim("│"), with_blanks(line)));
        }
    }

    /// Writes the inlined calls that lead to a statement, innermost first.
    pub(super) fn calls(&mut self, calls: &[(String, Span)], beside: &str, sources: &Sources) {
        for (function, call) in calls.iter().rev() {
            let at = place(*call, sources);
            self.line(self.paint.dim(format!("{beside}in {}, called at {at}", visible(function))));
        }
    }

    /// Writes the statements of a `d_step`; if there are many, the first and
    /// the last.
    fn inner_steps(&mut self, inside: &InnerSteps, beside: &str, sources: &Sources) {
        let n_steps = inside.n_steps;
        let ends = if self.style.full { n_steps } else { INNER_SHOWN };
        let shown = inside.steps.iter().filter(|it| it.index < ends || it.index + ends >= n_steps);
        let mut next = 0;
        for InnerStep { index, span, changes } in shown {
            if next < *index {
                let left_out = count((index - next) as u64, "statement");
                self.line(self.paint.dim(format!("{beside}… {left_out}")));
            }
            if inside.cycle.is_some_and(|start| (next..=*index).contains(&start)) {
                self.line(self.paint.bad(format!("{beside}┌─ cycle:")));
            }
            let text = cut(&statement(*span, sources), 60);
            let place = self.paint.dim(self::place(*span, sources));
            self.line(format!("{beside}· {text}  {place}"));
            self.changes(&format!("{beside}  "), changes);
            next = index + 1;
        }
        if let Some(start) = inside.cycle {
            let repeated = count((n_steps - start) as u64, "statement");
            self.line(self.paint.bad(format!("{beside}└─ end of the cycle: {repeated}")));
        }
    }

    fn changes(&mut self, beside: &str, changes: &[Change]) {
        if !changes.is_empty() {
            let all: Vec<String> = changes.iter().map(|it| format!("{} = {}", it.name, it.to)).collect();
            self.line(self.paint.dim(format!("{beside}{}", all.join(", "))));
        }
    }

    /// Writes the values of variables, as many on a line as fit.
    pub(super) fn held(&mut self, contents: &[Content]) {
        let all: Vec<String> = contents.iter().map(assigned).collect();
        for line in super::wrap(all.iter().map(String::as_str), self.style.columns.saturating_sub(2)) {
            self.line(format!("  {line}"));
        }
    }
}

/// Returns the alternative of a statement that has several, in brackets.
pub(super) fn alternative(step: &Step) -> String {
    step.alternative.as_ref().map_or(String::new(), |it| format!("  [{}]", visible(it)))
}

fn assigned(content: &Content) -> String {
    format!("{} = {}", content.name, content.value)
}

pub(super) fn place(span: Span, sources: &Sources) -> String {
    let position = sources.position(span);
    format!("{}:{}:{}", visible(&sources.get(span.source).name), position.line, position.column)
}

/// Returns the statement on one line.
pub(super) fn statement(span: Span, sources: &Sources) -> String {
    let words: Vec<&str> = sources.slice(span).split_whitespace().collect();
    match words.is_empty() || words == ["}"] {
        true => "end of the process".to_string(),
        false => visible(&words.join(" ")).into_owned(),
    }
}

/// Replaces tabs by blanks up to the next multiple of eight columns.
fn with_blanks(line: &str) -> String {
    let mut shown = String::new();
    for (position, part) in line.split('\t').enumerate() {
        if position > 0 {
            shown = pad(&shown, (width(&shown) / 8 + 1) * 8);
        }
        shown.push_str(&visible(part));
    }
    shown
}
