//! Resolves a specification against the labels of a model: the result is an
//! automaton.

use super::automaton::TRAP;
use super::body::{Body, Notation};
use super::events::{Alphabet, EventsSpec};
use super::file::{ConstraintSpec, PropertySpec, Says, StateFormula};
use super::glob::Glob;
use super::property::{EventAutomaton, Executions};
use super::qre::QreSpec;
use super::yaml::Spanned;
use crate::automata::{Dfa, MAX_STATES, State, Symbol, TooLarge};
use crate::diag::{Diagnostic, Span};

/// A property over the events of a model.
#[derive(Clone, Debug)]
pub struct Property {
    /// Name; the default is the name of the file.
    pub name: String,
    /// Description by the author.
    pub description: Option<String>,
    /// The path of the model as written.
    pub model: Option<Spanned<String>>,
    /// Constants of the model to override.
    pub set: Vec<(Spanned<String>, Spanned<i64>)>,
    /// The executions, if given; `Prefixes` only for a safety property.
    pub executions: Option<Executions>,
    /// The constraints as written.
    pub constraints: Vec<Spanned<String>>,
    /// Accepts the good sequences.
    pub automaton: EventAutomaton,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

impl Property {
    /// Returns the executions to check: those given, else prefixes for a safety
    /// property and complete executions for any other.
    pub fn executions_or_default(&self) -> Executions {
        let default = || match self.automaton.dfa.is_safety() {
            true => Executions::Prefixes,
            false => Executions::Complete,
        };
        self.executions.unwrap_or_else(default)
    }
}

/// A context constraint over the events of a model.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Name; the default is the name of the file.
    pub name: String,
    /// Description by the author.
    pub description: Option<String>,
    /// Accepts the sequences that are assumed to be possible.
    pub automaton: EventAutomaton,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

impl PropertySpec {
    /// Returns the formula over states, if the property is not about events.
    pub fn state_formula(&self) -> Option<&StateFormula> {
        match &self.says {
            Says::States(formula) => Some(formula),
            Says::Sequences(_) => None,
        }
    }

    /// Returns the span that makes a label of the model an event.
    pub fn place_of(&self, label: &str) -> Span {
        let place = match &self.says {
            Says::Sequences(body) => body.place_of(label),
            Says::States(_) => None,
        };
        place.unwrap_or(self.name.span)
    }

    /// Returns the property over a model with these labels.
    pub fn resolve(&self, labels: &[String]) -> Result<Property, Vec<Diagnostic>> {
        let body = match &self.says {
            Says::Sequences(body) => body,
            Says::States(formula) => return Err(vec![needs_expressions(formula)]),
        };
        let Compiled { automaton, warnings } = body.compile(labels, "property")?;
        if let Some(Spanned { value: Executions::Prefixes, span }) = self.executions {
            check_safety(&automaton, span, body.span)?;
        }
        Ok(Property {
            name: self.name.value.clone(),
            description: self.description.clone(),
            model: self.model.clone(),
            set: self.set.clone(),
            executions: self.executions.as_ref().map(|executions| executions.value),
            constraints: self.constraints.clone(),
            automaton,
            warnings,
        })
    }
}

impl ConstraintSpec {
    /// Returns the constraint over a model with these labels.
    pub fn resolve(&self, labels: &[String]) -> Result<Constraint, Vec<Diagnostic>> {
        let Compiled { automaton, warnings } = self.body.compile(labels, "constraint")?;
        Ok(Constraint {
            name: self.name.value.clone(),
            description: self.description.clone(),
            automaton,
            warnings,
        })
    }
}

/// Returns the error of a formula for an over-approximation, which has no
/// states.
fn needs_expressions(formula: &StateFormula) -> Diagnostic {
    let key = if formula.is_invariant { "invariant" } else { "ltl" };
    Diagnostic::error("spec-states", formula.span(), format!("`{key}` needs the explicit engine"))
        .with_help("use `--engine explicit`, or express the property over events, with `all:` or `none:`")
}

struct Compiled {
    automaton: EventAutomaton,
    warnings: Vec<Diagnostic>,
}

impl Body {
    fn compile(&self, labels: &[String], what: &str) -> Result<Compiled, Vec<Diagnostic>> {
        let alphabet = self.alphabet(labels)?;
        let (dfa, names, mut warnings) = self.dfa(&alphabet)?;
        let dfa = if self.is_none { dfa.complement() } else { dfa };
        let (dfa, map) = dfa.minimise_with_map();
        let state_names = state_names(&dfa, &map, &names);
        warnings.extend(triviality(&dfa, what, self.span));
        Ok(Compiled { automaton: EventAutomaton { events: alphabet.events, dfa, state_names }, warnings })
    }

    /// Returns the span that makes a label an event; exact names precede
    /// patterns.
    fn place_of(&self, label: &str) -> Option<Span> {
        let declared = self.events.iter().flat_map(EventsSpec::labels);
        let patterns: Vec<&Spanned<String>> = match &self.notation {
            Notation::Qre(qre) => declared.chain(&qre.events).collect(),
            _ => declared.collect(),
        };
        let exact = patterns.iter().find(|it| it.value == label);
        let by = exact.or_else(|| patterns.iter().find(|it| Glob::new(it.value.as_str()).matches(label)));
        by.map(|it| it.span)
    }

    fn alphabet(&self, labels: &[String]) -> Result<Alphabet, Vec<Diagnostic>> {
        let declared = self.events.as_ref().map(|events| events.resolve(labels)).transpose()?;
        match (&self.notation, declared) {
            (Notation::Qre(qre), Some(declared)) => qre_alphabet(qre, &declared, labels),
            (Notation::Qre(qre), None) => EventsSpec::of_labels(&qre.events, qre.events_span).resolve(labels),
            (_, Some(declared)) => Ok(declared),
            (_, None) => EventsSpec::of_labels(&[], self.span).resolve(labels),
        }
    }

    /// Returns the automaton as written, the names of its states, if any, and
    /// warnings.
    fn dfa(&self, alphabet: &Alphabet) -> Result<(Dfa, Vec<String>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let unnamed = |dfa: Result<Dfa, TooLarge>| {
            dfa.map(|dfa| (dfa, Vec::new(), Vec::new())).map_err(|TooLarge| vec![too_large(self.span)])
        };
        match &self.notation {
            Notation::Regex(regex) | Notation::Qre(QreSpec { regex, .. }) => {
                let mut mistakes = Vec::new();
                let regex = regex.resolve(alphabet, &mut mistakes);
                if !mistakes.is_empty() {
                    return Err(mistakes);
                }
                unnamed(regex.compile(alphabet.n_symbols()))
            }
            Notation::Pattern(pattern) => {
                let (pattern, scope) = pattern.resolve(alphabet)?;
                unnamed(pattern.compile(&scope, alphabet.n_symbols()))
            }
            Notation::Automaton(automaton) => {
                let named = automaton.resolve(alphabet)?;
                Ok((named.dfa, named.names, named.warnings))
            }
        }
    }
}

/// Returns the events that a QRE declares: by a name under `events`, or by a
/// label.
fn qre_alphabet(qre: &QreSpec, declared: &Alphabet, labels: &[String]) -> Result<Alphabet, Vec<Diagnostic>> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut by_label = Vec::new();
    for name in &qre.events {
        match declared.symbols(name) {
            Ok(found) => symbols.extend(found),
            Err(_) => by_label.push(name.clone()),
        }
    }
    symbols.sort_unstable();
    symbols.dedup();
    let mut alphabet = declared.restrict(&symbols);
    if !by_label.is_empty() {
        let others = EventsSpec::of_labels(&by_label, qre.events_span).resolve(labels)?;
        alphabet.extend(others).map_err(|mistake| vec![mistake])?;
    }
    Ok(alphabet)
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(
        "spec-too-large",
        span,
        format!("the automaton would have more than {MAX_STATES} states"),
    )
    .with_help(
        "use smaller counts; an event at a fixed distance from the end needs exponentially many states",
    )
}

/// Returns the names of states: `trap` for the trap; else the author's names,
/// joined for merged states; else the number.
fn state_names(dfa: &Dfa, map: &[Option<State>], names: &[String]) -> Vec<String> {
    let trap = dfa.trap();
    let name = |state: State| {
        if Some(state) == trap {
            return TRAP.to_string();
        }
        // In the trap of a `none:` automaton nothing bad can happen any more,
        // so the name `trap` would mislead.
        let mine = names.iter().zip(map).filter(|(name, new)| **new == Some(state) && *name != TRAP);
        let mine: Vec<&str> = mine.map(|(name, _)| name.as_str()).collect();
        match (mine.is_empty(), names.is_empty()) {
            (false, _) => mine.join("/"),
            (true, false) if !names.iter().any(|name| name == "safe") => "safe".to_string(),
            _ => state.to_string(),
        }
    };
    (0..dfa.n_states() as State).map(name).collect()
}

fn triviality(dfa: &Dfa, what: &str, span: Span) -> Option<Diagnostic> {
    let message = match (dfa.n_states(), dfa.is_accepting(dfa.start())) {
        (1, true) => format!("this {what} allows every sequence of events"),
        (1, false) => format!("this {what} allows no sequence of events"),
        _ => return None,
    };
    Some(Diagnostic::warning("spec-trivial", span, message))
}

/// Rejects `executions: prefixes` for a property that is not a safety property.
fn check_safety(automaton: &EventAutomaton, executions: Span, notation: Span) -> Result<(), Vec<Diagnostic>> {
    let dfa = &automaton.dfa;
    let dead = dfa.dead_states();
    let is_undecided = |state: State| !dfa.is_accepting(state) && !dead.contains(state as usize);
    let Some(before) = dfa.shortest_word_from(dfa.start(), is_undecided) else { return Ok(()) };
    let state = dfa.run(before.iter().copied());
    let after = dfa.shortest_word_from(state, |state| dfa.is_accepting(state)).unwrap_or_default();
    let show = |word: &[Symbol]| {
        let names: Vec<&str> =
            word.iter().map(|&symbol| automaton.events[symbol as usize].name.as_str()).collect();
        if names.is_empty() { "the beginning".to_string() } else { format!("`{}`", names.join("; ")) }
    };
    let message = "this is not a safety property, so prefixes of executions cannot decide it";
    let label = format!(
        "after {}, the property does not hold, but continuing with {} satisfies it",
        show(&before),
        show(&after)
    );
    Err(vec![
        Diagnostic::error("spec-executions", executions, message)
            .with_related(notation, label)
            .with_help("write `executions: complete`, or remove the key"),
    ])
}
