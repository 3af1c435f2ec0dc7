//! The notation `automaton:`: states and transitions by name.

use super::events::Alphabet;
use super::fields::Mistakes;
use super::yaml::{Node, Spanned};
use crate::automata::{Dfa, State};
use crate::diag::{Diagnostic, Span, did_you_mean};
use fixedbitset::FixedBitSet;

pub(super) const KEYS: &[&str] = &["start", "accepting", "transitions", "otherwise"];

/// The rejecting state that is never left.
pub(super) const TRAP: &str = "trap";

/// An automaton as written.
#[derive(Clone, Debug)]
pub(super) struct AutomatonSpec {
    start: Spanned<String>,
    accepting: Option<Vec<Spanned<String>>>,
    rows: Vec<Row>,
    otherwise: Otherwise,
}

#[derive(Clone, Debug)]
struct Row {
    state: Spanned<String>,
    /// Event and target.
    arrows: Vec<(Spanned<String>, Spanned<String>)>,
}

impl Row {
    /// Writes the arrows into the row of the table, which is indexed by symbol.
    fn draw(&self, next: &mut [State], names: &[String], alphabet: &Alphabet, mistakes: &mut Mistakes) {
        let mut drawn: Vec<Option<Span>> = vec![None; next.len()];
        for (event, target) in &self.arrows {
            let symbols =
                alphabet.symbols(event).map_err(|mistake| mistakes.push(mistake)).unwrap_or_default();
            let Some(to) = find(names, target, mistakes) else { continue };
            for symbol in symbols {
                next[symbol as usize] = to;
                if let Some(first) = drawn[symbol as usize].replace(event.span) {
                    let name = &alphabet.events[symbol as usize].name;
                    let message =
                        format!("state `{}` has two transitions for the event `{name}`", self.state.value);
                    mistakes.error("spec-state", event.span, message).related =
                        vec![(first, "the first transition".to_string())];
                    break;
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Otherwise {
    Trap,
    Stay,
}

/// The automaton over an alphabet, before minimisation.
pub(super) struct NamedDfa {
    pub dfa: Dfa,
    /// Indexed by state.
    pub names: Vec<String>,
    pub warnings: Vec<Diagnostic>,
}

impl AutomatonSpec {
    pub fn parse(node: &Node, mistakes: &mut Mistakes) -> Option<Self> {
        let fields = mistakes.fields(node, "an automaton", KEYS)?;
        let start = match fields.get("start") {
            Some(start) => mistakes.string(start, "`start`"),
            None => {
                mistakes.error("spec-state", fields.span, "the automaton needs the key `start`");
                None
            }
        };
        let accepting = fields.get("accepting").map(|node| mistakes.strings(node, "`accepting`"));
        let rows = match fields.get("transitions") {
            Some(node) => parse_rows(node, mistakes),
            None => {
                mistakes.error("spec-state", fields.span, "the automaton needs the key `transitions`");
                None
            }
        };
        let words = [("trap", Otherwise::Trap), ("stay", Otherwise::Stay)];
        let otherwise = match fields.get("otherwise") {
            Some(node) => mistakes.word(node, "`otherwise`", &words)?.value,
            None => Otherwise::Trap,
        };
        Some(Self { start: start?, accepting: accepting.flatten(), rows: rows?, otherwise })
    }

    /// Returns the automaton over an alphabet.
    pub fn resolve(&self, alphabet: &Alphabet) -> Result<NamedDfa, Vec<Diagnostic>> {
        let mut mistakes = Mistakes::default();
        let names = self.state_names();
        let start = find(&names, &self.start, &mut mistakes);
        let next = self.table(&names, alphabet, &mut mistakes);
        let accepting = self.accepting_states(&names, &mut mistakes);
        let start = mistakes.finish(start)?;
        let dfa = Dfa::new(alphabet.n_symbols(), start, accepting, next);
        let warnings = self.unreachable(&dfa, &names);
        Ok(NamedDfa { dfa, names, warnings })
    }

    /// Returns every state once, in the order of the file, the trap last.
    fn state_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let targets = self.rows.iter().flat_map(|row| row.arrows.iter().map(|(_, target)| target));
        for name in self.rows.iter().map(|row| &row.state).chain(targets) {
            if name.value != TRAP && !names.contains(&name.value) {
                names.push(name.value.clone());
            }
        }
        names.push(TRAP.to_string());
        names
    }

    /// Returns the target of every state and symbol.
    fn table(&self, names: &[String], alphabet: &Alphabet, mistakes: &mut Mistakes) -> Vec<State> {
        let n_symbols = alphabet.n_symbols();
        let trap = names.len() - 1;
        let missing = |state: usize| match self.otherwise {
            Otherwise::Trap => trap as State,
            Otherwise::Stay => state as State,
        };
        let mut next: Vec<State> =
            (0..names.len()).flat_map(|state| vec![missing(state); n_symbols]).collect();
        for row in &self.rows {
            if let Some(from) = find(names, &row.state, mistakes) {
                let start = from as usize * n_symbols;
                row.draw(&mut next[start..start + n_symbols], names, alphabet, mistakes);
            }
        }
        next
    }

    fn accepting_states(&self, names: &[String], mistakes: &mut Mistakes) -> FixedBitSet {
        let mut accepting = FixedBitSet::with_capacity(names.len());
        let Some(listed) = &self.accepting else {
            accepting.insert_range(..names.len() - 1);
            return accepting;
        };
        for name in listed {
            if name.value == TRAP {
                mistakes
                    .error("spec-state", name.span, "the predefined state `trap` cannot be accepting")
                    .help = Some("give the accepting state another name".to_string());
            } else if let Some(state) = find(names, name, mistakes) {
                accepting.insert(state as usize);
            }
        }
        accepting
    }

    fn unreachable(&self, dfa: &Dfa, names: &[String]) -> Vec<Diagnostic> {
        let reachable = dfa.reachable();
        let is_lost = |row: &&Row| {
            names.iter().position(|name| *name == row.state.value).is_some_and(|at| !reachable.contains(at))
        };
        let warn = |row: &Row| {
            let message = format!("the state `{}` is unreachable", row.state.value);
            Diagnostic::warning("spec-unreachable", row.state.span, message)
        };
        self.rows.iter().filter(is_lost).map(warn).collect()
    }
}

fn parse_rows(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Row>> {
    let fields = mistakes.map(node, "`transitions`")?;
    let mut rows = Vec::new();
    for (state, arrows) in fields.entries() {
        if state.value == TRAP {
            mistakes
                .error("spec-state", state.span, "the predefined state `trap` cannot have transitions")
                .help = Some("give the state another name".to_string());
            continue;
        }
        let what = format!("the transitions of `{}`", state.value);
        let Some(arrows) = mistakes.map(arrows, &what) else { continue };
        let arrows = arrows.entries().iter();
        let arrows = arrows.filter_map(|(event, to)| Some((event.clone(), mistakes.string(to, "a state")?)));
        rows.push(Row { state: state.clone(), arrows: arrows.collect() });
    }
    Some(rows)
}

fn find(names: &[String], name: &Spanned<String>, mistakes: &mut Mistakes) -> Option<State> {
    if let Some(at) = names.iter().position(|known| *known == name.value) {
        return Some(at as State);
    }
    let help = did_you_mean(&name.value, names.iter().map(String::as_str)).unwrap_or_else(|| {
        format!(
            "states are declared in `transitions`; write a state without transitions as `{}: {{}}`",
            name.value
        )
    });
    mistakes.error("spec-state", name.span, format!("no state is named `{}`", name.value)).help = Some(help);
    None
}
