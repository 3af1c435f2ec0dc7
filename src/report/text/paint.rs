//! Colours of the text output.

use crate::diag::visible;
use crate::verify::Verdict;
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// The beginning of our escape sequences until the line is printed. No text of
/// a user can contain it, since it is random for each process.
static MARK: LazyLock<String> = LazyLock::new(|| format!("\u{1b}{:016x}", RandomState::new().hash_one(0)));

/// Returns a line as it is printed: colours become escape sequences, all other
/// control characters are spelt out.
pub(crate) fn printed_line(line: &str) -> String {
    let mut parts = line.split(MARK.as_str());
    let mut shown = visible(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let (sequence, text) = part.split_at(part.find('m').map_or(0, |end| end + 1));
        shown.push('\u{1b}');
        shown.push_str(sequence);
        shown.push_str(&visible(text));
    }
    shown
}

/// Marks texts with colours, or leaves them unchanged; [`printed_line`]
/// converts the marks to escape sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub colour: bool,
}

impl Paint {
    pub fn bold(self, text: impl Display) -> String {
        self.apply(Style::new().bold(), text)
    }

    /// Colours secondary text: line numbers, locations, counts.
    pub fn dim(self, text: impl Display) -> String {
        self.apply(Style::new().dimmed(), text)
    }

    /// Colours events of the property.
    pub fn event(self, text: impl Display) -> String {
        self.apply(AnsiColor::Cyan.on_default().bold(), text)
    }

    pub fn bad(self, text: impl Display) -> String {
        self.apply(AnsiColor::Red.on_default().bold(), text)
    }

    pub fn doubtful(self, text: impl Display) -> String {
        self.apply(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Uses the colour of a verdict.
    pub fn verdict(self, verdict: Verdict, text: impl Display) -> String {
        match verdict {
            Verdict::Holds => self.apply(AnsiColor::Green.on_default().bold(), text),
            Verdict::Violated => self.bad(text),
            Verdict::HoldsVacuously | Verdict::Inconclusive | Verdict::Undecided(_) => self.doubtful(text),
        }
    }

    /// Uses the colour of a task, chosen by its position.
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
        if !self.colour {
            return text.to_string();
        }
        let marked = |sequence: String| sequence.replace('\u{1b}', &MARK);
        format!("{}{text}{}", marked(style.render().to_string()), marked(style.render_reset().to_string()))
    }
}
