//! Colour, where it was asked for.

use crate::verify::Verdict;
use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// Wraps texts in escape sequences, or leaves them as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub colour: bool,
}

impl Paint {
    pub fn bold(self, text: impl Display) -> String {
        self.apply(Style::new().bold(), text)
    }

    /// For what is read last: line numbers, places, counts.
    pub fn dim(self, text: impl Display) -> String {
        self.apply(Style::new().dimmed(), text)
    }

    /// For what belongs to the property.
    pub fn event(self, text: impl Display) -> String {
        self.apply(AnsiColor::Cyan.on_default().bold(), text)
    }

    pub fn bad(self, text: impl Display) -> String {
        self.apply(AnsiColor::Red.on_default().bold(), text)
    }

    pub fn doubtful(self, text: impl Display) -> String {
        self.apply(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// In the colour of a verdict.
    pub fn verdict(self, verdict: Verdict, text: impl Display) -> String {
        match verdict {
            Verdict::Holds => self.apply(AnsiColor::Green.on_default().bold(), text),
            Verdict::Violated => self.bad(text),
            Verdict::HoldsVacuously | Verdict::Undecided(_) => self.doubtful(text),
        }
    }

    /// In the colour of one of several tasks, chosen by its position.
    pub fn lane(self, position: usize, text: impl Display) -> String {
        const COLOURS: [AnsiColor; 6] = [
            AnsiColor::Blue,
            AnsiColor::Magenta,
            AnsiColor::Green,
            AnsiColor::Yellow,
            AnsiColor::Cyan,
            AnsiColor::BrightBlue,
        ];
        self.apply(COLOURS[position % COLOURS.len()].on_default(), text)
    }

    fn apply(self, style: Style, text: impl Display) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}
