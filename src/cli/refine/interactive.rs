//! Asks the user which constraints to add.

use crate::cli::output::Terminal;
use crate::cli::read::awaited_line;
use std::io::{self, IsTerminal};
use trapline::diag::{Diagnostic, Sources, visible};
use trapline::refine::{Addition, Choice};
use trapline::report::constraint_arguments;
use trapline::report::text::{self, Style, proposal_effect};
use trapline::verify::Report;
use trapline::verify::report::{NamedProposal, Proposal};

/// Maximum number of candidates that are shown.
const SHOWN: usize = 20;

const HELP: &str = "\
  a number adds these constraints; Enter adds number 1
  a  continue automatically
  e  let the explicit engine decide whether the path is an execution
  q  stop with what is known
";

/// Refuses streams that are not a terminal.
pub(super) fn expect_terminal() -> Result<(), Diagnostic> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    let message = "--interactive needs a terminal for input and output";
    Err(Diagnostic::error_without_place("usage", message)
        .with_help("remove it: without it, the constraints are chosen automatically"))
}

/// The user at a terminal.
pub(super) struct User<'a> {
    terminal: &'a Terminal,
    style: Style,
    is_automatic: bool,
}

impl<'a> User<'a> {
    pub fn new(terminal: &'a Terminal, style: Style) -> Self {
        Self { terminal, style, is_automatic: false }
    }

    /// Shows the counterexample and the candidates, and reads a choice.
    pub fn choose(&mut self, report: &Report, sources: &Sources) -> Choice {
        let candidates = candidates(report);
        if self.is_automatic || candidates.is_empty() {
            return Choice::Automatic;
        }
        let mut shown = text::counterexample(report, sources, &self.style);
        for (index, (typed, effect, addition)) in candidates.iter().enumerate() {
            let kind = if addition.is_assumption { "assumption, not checked: " } else { "" };
            shown += &format!("  ({}) {kind}{}  {effect}\n", index + 1, visible(typed));
        }
        self.say(&shown);
        loop {
            self.say(&format!("1 to {}, a, e, q or ? [1]: ", candidates.len()));
            let Some(line) = awaited_line() else {
                self.say("\n");
                return Choice::Stop;
            };
            match line.trim() {
                "q" => return Choice::Stop,
                "e" => return Choice::Exact,
                "a" => {
                    self.is_automatic = true;
                    return Choice::Automatic;
                }
                "?" => self.say(HELP),
                typed => {
                    let number = if typed.is_empty() { Ok(1) } else { typed.parse::<usize>() };
                    let chosen = number.ok().and_then(|it| candidates.get(it.checked_sub(1)?));
                    match chosen {
                        Some((.., addition)) => return Choice::Add(addition.clone()),
                        None => self.say(&format!("`{}` is not a choice\n", visible(typed))),
                    }
                }
            }
        }
    }

    /// Writes to the terminal; errors are ignored, since the terminal may be gone.
    fn say(&self, text: &str) {
        let _ = self.terminal.print(text, None);
    }
}

/// Returns the candidates: arguments, effect and addition; facts come before
/// assumptions.
fn candidates(report: &Report) -> Vec<(String, String, Addition)> {
    let Some(found) = &report.counterexample else { return Vec::new() };
    let Some(proposals) = &found.proposals else { return Vec::new() };
    let n_steps = found.length();
    let fact =
        |it: &Proposal| (constraint_arguments(it.names()), proposal_effect(it, n_steps), Addition::from(it));
    let named = |it: &NamedProposal, is_assumption| {
        let typed = constraint_arguments([&it.name]);
        (typed, proposal_effect(&it.proposal, n_steps), Addition::named(it, is_assumption))
    };
    let facts = proposals.rejecting.iter().map(fact).take(SHOWN);
    let sets = proposals.sets.iter().map(|it| named(it, false)).take(SHOWN);
    let assumptions = proposals.assumptions.iter().map(|it| named(it, true)).take(SHOWN);
    facts.chain(sets).chain(assumptions).collect()
}
