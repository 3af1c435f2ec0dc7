//! A run that is told while it goes on.

use super::measure::{count, cut};
use super::paint::Paint;
use super::{Style, Writer, fault_name, steps};
use crate::base::control::Stop;
use crate::diag::Sources;
use crate::verify::simulate::{Ending, Simulated, Stopped};
use crate::verify::trail::{Step, Trail};

/// Writes parts of a run as texts.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// How.
    pub style: &'a Style,
    /// The texts of the model.
    pub sources: &'a Sources,
    /// Columns for names of processes.
    pub name_width: usize,
}

impl Told<'_> {
    fn text(&self, write: impl FnOnce(&mut Writer)) -> String {
        let paint = Paint { colour: self.style.colour };
        let mut writer = Writer { style: self.style, paint, out: String::new() };
        write(&mut writer);
        self.style.fitted(writer.out)
    }

    /// A step that was taken.
    pub fn step(&self, number: usize, step: &Step) -> String {
        self.text(|writer| writer.taken(number, step, self.name_width, self.sources))
    }

    /// A step that can be chosen.
    pub fn choice(&self, number: usize, step: &Step) -> String {
        let span = step.span().unwrap_or_default();
        let place = steps::place(span, self.sources);
        let statement = steps::statement(span, self.sources);
        let partner = step.partner().map_or(String::new(), |it| format!(" ⇄ {}", it.name));
        self.text(|writer| {
            let what = format!("{}{partner}  {}", step.first(), cut(&statement, 60));
            let place = writer.paint.dim(place);
            writer.line(format!("  ({number}) {what}  {place}"));
        })
    }

    /// Why nothing can be chosen.
    pub fn stuck(&self, ending: Ending) -> String {
        self.text(|writer| match ending {
            Ending::Fault(fault) => writer.line(writer.paint.bad(format!("  ERROR: {}", fault_name(fault)))),
            Ending::AllEnded => writer.line("  every process has ended"),
            Ending::AtRest => writer.line("  nothing can move, and every process is where it may end"),
        })
    }

    /// The steps of a trail.
    pub fn trail(&self, trail: &Trail) -> String {
        self.text(|writer| writer.steps(trail, self.sources))
    }

    /// How it ended, and what the variables hold then.
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

/// How a run ended, in one line.
pub fn ending(simulated: &Simulated) -> String {
    let steps = count(simulated.n_steps as u64, "step");
    match simulated.stopped {
        Stopped::Ended(Ending::AllEnded) => format!("ended after {steps}: every process has ended"),
        Stopped::Ended(Ending::AtRest) => {
            format!("ended after {steps}: nothing can move, and every process is where it may end")
        }
        Stopped::Ended(Ending::Fault(fault)) => format!("ERROR after {steps}: {}", fault_name(fault)),
        Stopped::Quit => format!("stopped after {steps}"),
        Stopped::Limit(Stop::Interrupt) => format!("interrupted after {steps}"),
        Stopped::Limit(Stop::Memory) => format!("stopped after {steps}: the memory limit was reached"),
        Stopped::Limit(_) => format!("stopped after {steps}: the time limit was reached"),
        Stopped::Repeats => format!("ERROR after {steps}: the cycle is repeated for ever"),
        Stopped::Claimed => format!("ERROR after {steps}: the claim has come to its end"),
        Stopped::Broken => format!("ERROR after {steps}: the property of the report is broken here"),
        Stopped::TrailEnded => format!("the trail ends after {steps}; the run could go on"),
    }
}
