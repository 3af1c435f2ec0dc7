//! How a counterexample was made shorter.

use super::measure::{count, number};
use super::{Detail, Writer, limit_and_advice};
use crate::verify::report::{ImproveAction, ImproveHow, Improvement, TrailLength};

impl Writer<'_> {
    /// Writes the length before and what was done.
    pub(super) fn improvement(&mut self, found: &Improvement) {
        let (before, after) = (length(&found.before), length(&found.after));
        let is_same = (found.before.steps, found.before.prefix) == (found.after.steps, found.after.prefix);
        let mut text = match is_same {
            true => format!("the trail keeps its {after}"),
            false => format!("from {before} to {after}"),
        };
        text += match (found.is_shortest, found.same_state) {
            (true, false) => "; no shorter run ends in such an error",
            (true, true) => "; no shorter run ends in this state",
            (false, _) => "",
        };
        self.field("shortened", &text);
        let has_switches = found.actions.iter().any(|it| it.how == ImproveHow::Switches);
        if has_switches {
            let times = |it: usize| count(it as u64, "time");
            let switches = format!(
                "another process moves {}, before {}",
                times(found.after.switches),
                times(found.before.switches)
            );
            self.field("switches", &switches);
        }
        if self.style.detail == Detail::Verbose || found.stopped.is_some() {
            for action in &found.actions {
                self.field("", &shown(action));
            }
        }
        if found.is_other_error {
            self.field("", "the error is of the same kind, but at another statement than before");
        }
        if let Some(stop) = found.stopped {
            self.field("", &format!("{}; a shorter trail may exist", limit_and_advice(stop).0));
        }
    }
}

fn length(it: &TrailLength) -> String {
    match it.prefix {
        Some(prefix) => {
            format!("{} and a cycle of {}", count(prefix as u64, "step"), number((it.steps - prefix) as u64))
        }
        None => count(it.steps as u64, "step"),
    }
}

fn shown(action: &ImproveAction) -> String {
    let what = match action.how {
        ImproveHow::Loops => "parts between two visits of a state cut out",
        ImproveHow::Drop => "steps dropped at which no later step looks",
        ImproveHow::Minimise => "groups of steps removed while the rest replays",
        ImproveHow::Search => "shorter runs searched",
        ImproveHow::Switches => "independent steps reordered",
    };
    let incomplete = if action.is_complete { "" } else { ", not completed" };
    format!(
        "{what}: {}, {} expanded{incomplete}",
        count(action.statements as u64, "statement"),
        count(action.n_expanded, "state")
    )
}
