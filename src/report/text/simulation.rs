//! Text output of simulations, step by step.

use super::measure::{count, cut};
use super::paint::Paint;
use super::{Style, Writer, fault_name, steps};
use crate::base::control::Stop;
use crate::diag::Sources;
use crate::verify::simulate::{Ending, Simulated, Stopped};
use crate::verify::trail::{Step, Trail};

/// Renders the parts of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunWriter<'a> {
    /// Style of the text.
    pub style: &'a Style,
    /// Sources of the model.
    pub sources: &'a Sources,
    /// Width of the column of process names.
    pub name_width: usize,
}

impl RunWriter<'_> {
    fn text(&self, write: impl FnOnce(&mut Writer)) -> String {
        let paint = Paint { colour: self.style.colour };
        let mut writer = Writer { style: self.style, paint, out: String::new() };
        write(&mut writer);
        self.style.fitted(writer.out)
    }

    /// Renders a step that was taken.
    pub fn step(&self, number: usize, step: &Step) -> String {
        self.text(|writer| writer.taken(number, step, self.name_width, self.sources))
    }

    /// Renders a step that can be chosen.
    pub fn choice(&self, number: usize, step: &Step) -> String {
        let span = step.span().unwrap_or_default();
        let place = steps::place(span, self.sources);
        let statement = steps::statement(span, self.sources);
        let partner = step.partner().map_or(String::new(), |it| format!(" ⇄ {}", it.name));
        self.text(|writer| {
            let alternative = steps::alternative(step);
            let what = format!("{}{partner}  {}{alternative}", step.first(), cut(&statement, 60));
            let place = writer.paint.dim(place);
            writer.line(format!("  ({number}) {what}  {place}"));
        })
    }

    /// Renders the reason why no step can be chosen.
    pub fn stuck(&self, ending: Ending) -> String {
        self.text(|writer| match ending {
            Ending::Fault(fault) => writer.line(writer.paint.bad(format!("  ERROR: {}", fault_name(fault)))),
            Ending::AllEnded => writer.line("  every process has ended"),
            Ending::AtRest => writer.line("  no process can move, and every process is at a valid end state"),
        })
    }

    /// Renders the steps of a trail.
    pub fn trail(&self, trail: &Trail) -> String {
        self.text(|writer| writer.steps(trail, self.sources))
    }

    /// Renders the end of the run with the values of the variables.
    pub fn end(&self, simulated: &Simulated) -> String {
        self.text(|writer| {
            writer.line("");
            writer.blocked(&simulated.blocked, self.sources);
            if !simulated.last.is_empty() {
                writer.line(writer.paint.dim("At the end:"));
                writer.held(&simulated.last);
                writer.line("");
            }
            let line = ending(simulated);
            let line = match simulated.stopped.is_error() {
                true => writer.paint.bad(line),
                false => writer.paint.bold(line),
            };
            writer.line(line);
        })
    }
}

/// Returns how a run ended, in one line.
pub fn ending(simulated: &Simulated) -> String {
    let steps = count(simulated.n_steps as u64, "step");
    match simulated.stopped {
        Stopped::Ended(Ending::AllEnded) => format!("ended after {steps}: every process has ended"),
        Stopped::Ended(Ending::AtRest) => {
            format!("ended after {steps}: no process can move, and every process is at a valid end state")
        }
        Stopped::Ended(Ending::Fault(fault)) => format!("ERROR after {steps}: {}", fault_name(fault)),
        Stopped::Quit => format!("stopped after {steps}"),
        Stopped::Limit(Stop::Interrupt) => format!("interrupted after {steps}"),
        Stopped::Limit(Stop::Memory) => format!("stopped after {steps}: the memory limit was reached"),
        Stopped::Limit(_) => format!("stopped after {steps}: the time limit was reached"),
        Stopped::Repeats => format!("ERROR after {steps}: the cycle repeats forever"),
        Stopped::Claimed => format!("ERROR after {steps}: the claim has reached its end"),
        Stopped::Broken => format!("ERROR after {steps}: the property of the report is violated here"),
        Stopped::TrailEnded => format!("the trail ends after {steps}; the run could continue"),
    }
}
