//! Statements that are never executed.

use super::measure::{count, cut, number};
use super::steps::place;
use super::{Detail, Writer};
use crate::diag::Sources;
use crate::verify::outline::statement;
use crate::verify::report::ExplicitBasis;
use crate::verify::unreached::{Unreached, Why};

impl Writer<'_> {
    /// Writes the unreached statements, if every state was visited.
    pub(super) fn unreached(&mut self, basis: &ExplicitBasis, sources: &Sources) {
        let found = match &basis.unreached {
            Some(found) if !found.is_empty() => found,
            _ => return,
        };
        let is_full = self.style.detail == Detail::Verbose;
        let part = |it: &Unreached| {
            let n_unreached = number(it.statements.len() as u64);
            format!("{n_unreached} of {} of {}", count(it.n_statements as u64, "statement"), it.proctype)
        };
        let hint = if is_full { "" } else { "; --verbose lists them" };
        let parts: Vec<String> = found.iter().map(part).collect();
        self.field("unreached", &format!("{}{hint}", parts.join(", ")));
        if !is_full {
            return;
        }
        for it in found.iter().flat_map(|it| &it.statements) {
            let why = match it.why {
                Why::NoPath => "  (no control-flow path)",
                Why::NotReached => "",
                Why::NeverPossible => "  (never executable)",
            };
            let text = cut(&statement(it.span, sources), 60);
            let line = format!("             {text}{why}  {}", self.paint.dim(place(it.span, sources)));
            self.line(line);
        }
    }
}
