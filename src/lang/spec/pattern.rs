//! The notation `pattern:`: a pattern, its arguments and a scope.

use super::events::Alphabet;
use super::fields::{Fields, Mistakes, list_of};
use super::yaml::{Node, Spanned, Value};
use crate::automata::Symbol;
use crate::automata::pattern::{Pattern, Scope};
use crate::diag::{Diagnostic, Span, did_you_mean};

/// A pattern and its keys.
pub(super) struct Entry {
    pub name: &'static str,
    pub keys: &'static [&'static str],
    pub optional: &'static [&'static str],
}

/// Every pattern, in the order of the manual.
pub(super) static PATTERNS: &[Entry] = &[
    Entry { name: "absence", keys: &["of"], optional: &[] },
    Entry { name: "existence", keys: &["of"], optional: &[] },
    Entry { name: "bounded-existence", keys: &["of", "at-most"], optional: &[] },
    Entry { name: "universality", keys: &["starts", "stops"], optional: &["initially"] },
    Entry { name: "precedence", keys: &["first", "before"], optional: &[] },
    Entry { name: "response", keys: &["of", "to"], optional: &[] },
    Entry { name: "precedence-chain", keys: &["first", "before"], optional: &["without"] },
    Entry { name: "response-chain", keys: &["of", "to"], optional: &["without"] },
];

pub(super) const SCOPES: &[&str] = &["before", "after", "between", "after-until"];

/// Alternative names.
type Names = Vec<Spanned<String>>;

/// A pattern as written.
#[derive(Clone, Debug)]
pub(super) struct PatternSpec {
    name: &'static str,
    span: Span,
    /// The events by key: one element, or two for a chain.
    events: Vec<(&'static str, Vec<Names>)>,
    at_most: u32,
    initially: bool,
    scope: ScopeSpec,
}

#[derive(Clone, Debug)]
enum ScopeSpec {
    Global,
    Before(Names),
    After(Names),
    Between(Names, Names),
    AfterUntil(Names, Names),
}

impl PatternSpec {
    pub fn parse(node: &Node, mistakes: &mut Mistakes) -> Option<Self> {
        let entry = pattern_entry(node, mistakes)?;
        let mut known = vec!["pattern"];
        known.extend(entry.keys.iter().chain(entry.optional).chain(&["scope"]));
        let fields = mistakes.fields(node, &format!("the pattern `{}`", entry.name), &known)?;
        check_required(entry, fields, mistakes)?;
        let mut spec = Self {
            name: entry.name,
            span: node.span,
            events: Vec::new(),
            at_most: 0,
            initially: true,
            scope: ScopeSpec::Global,
        };
        let is_chain = entry.name.ends_with("-chain");
        for &key in entry.keys.iter().chain(entry.optional) {
            let Some(value) = fields.get(key) else { continue };
            match key {
                "at-most" => spec.at_most = number(value, mistakes)?,
                "initially" => spec.initially = truth(value, mistakes)?,
                "without" => spec.events.push((key, vec![names(value, key, mistakes)?])),
                key if is_chain => spec.events.push((key, chain(value, key, mistakes)?)),
                key => spec.events.push((key, vec![names(value, key, mistakes)?])),
            }
        }
        if is_chain {
            check_chain(entry, fields, &spec, mistakes)?;
        }
        if let Some(scope) = fields.get("scope") {
            spec.scope = parse_scope(scope, mistakes)?;
        }
        Some(spec)
    }

    /// Returns the pattern over the symbols of an alphabet.
    pub fn resolve(&self, alphabet: &Alphabet) -> Result<(Pattern, Scope), Vec<Diagnostic>> {
        let mut mistakes = Mistakes::default();
        let scope = self.scope.resolve(alphabet, &mut mistakes);
        let roles: Vec<(&str, Vec<Vec<Symbol>>)> = self
            .events
            .iter()
            .map(|(key, elements)| {
                (*key, elements.iter().map(|names| symbols(names, alphabet, &mut mistakes)).collect())
            })
            .collect();
        if mistakes.list.is_empty() {
            self.check_overlap(&roles, alphabet, &mut mistakes);
        }
        mistakes.finish(Some((self.pattern(&roles), scope)))
    }

    fn pattern(&self, roles: &[(&str, Vec<Vec<Symbol>>)]) -> Pattern {
        let elements = |key: &str| roles.iter().find(|(role, _)| *role == key).map(|(_, elements)| elements);
        let element = |key: &str, at: usize| {
            elements(key).and_then(|elements| elements.get(at)).cloned().unwrap_or_default()
        };
        let one = |key: &str| element(key, 0);
        let is_pair = |key: &str| elements(key).is_some_and(|elements| elements.len() == 2);
        let without = one("without");
        match self.name {
            "absence" => Pattern::Absence { of: one("of") },
            "existence" => Pattern::Existence { of: one("of") },
            "bounded-existence" => Pattern::BoundedExistence { of: one("of"), at_most: self.at_most },
            "universality" => Pattern::Universality {
                starts: one("starts"),
                stops: one("stops"),
                initially: self.initially,
            },
            "precedence" => Pattern::Precedence { first: one("first"), before: one("before") },
            "response" => Pattern::Response { of: one("of"), to: one("to") },
            "precedence-chain" if is_pair("first") => Pattern::PrecedenceChain21 {
                first: element("first", 0),
                second: element("first", 1),
                before: one("before"),
                without,
            },
            "precedence-chain" => Pattern::PrecedenceChain12 {
                required: one("first"),
                first: element("before", 0),
                second: element("before", 1),
                without,
            },
            _ if is_pair("to") => Pattern::ResponseChain12 {
                of: one("of"),
                first: element("to", 0),
                second: element("to", 1),
                without,
            },
            _ => Pattern::ResponseChain21 {
                first: element("of", 0),
                second: element("of", 1),
                to: one("to"),
                without,
            },
        }
    }

    /// Rejects an event with two roles, since it is unclear which comes first.
    /// Only `without` may name any event.
    fn check_overlap(
        &self,
        roles: &[(&str, Vec<Vec<Symbol>>)],
        alphabet: &Alphabet,
        mistakes: &mut Mistakes,
    ) {
        for (at, (role, elements)) in roles.iter().enumerate().filter(|(_, (role, _))| *role != "without") {
            for (other, others) in &roles[..at] {
                let shared =
                    elements.iter().flatten().find(|symbol| others.iter().flatten().any(|s| s == *symbol));
                if let Some(&symbol) = shared {
                    let name = &alphabet.events[symbol as usize].name;
                    let message = format!("the event `{name}` is both `{other}` and `{role}`");
                    mistakes.error("spec-pattern", self.span, message);
                }
            }
        }
    }
}

impl ScopeSpec {
    fn resolve(&self, alphabet: &Alphabet, mistakes: &mut Mistakes) -> Scope {
        let mut of = |names: &Names| symbols(names, alphabet, mistakes);
        match self {
            Self::Global => Scope::Global,
            Self::Before(close) => Scope::Before(of(close)),
            Self::After(open) => Scope::After(of(open)),
            Self::Between(open, close) => Scope::Between(of(open), of(close)),
            Self::AfterUntil(open, close) => Scope::AfterUntil(of(open), of(close)),
        }
    }
}

fn symbols(names: &Names, alphabet: &Alphabet, mistakes: &mut Mistakes) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for name in names {
        match alphabet.symbols(name) {
            Ok(found) => symbols.extend(found),
            Err(mistake) => {
                mistakes.push(mistake);
            }
        }
    }
    symbols
}

fn pattern_entry(node: &Node, mistakes: &mut Mistakes) -> Option<&'static Entry> {
    let Value::Map(entries) = &node.value else { return None };
    let (_, name) = entries.iter().find(|(key, _)| key.value == "pattern")?;
    let text = mistakes.text(name, "`pattern`")?;
    let entry = PATTERNS.iter().find(|entry| entry.name == text.text);
    if entry.is_none() {
        let names: Vec<&str> = PATTERNS.iter().map(|entry| entry.name).collect();
        let help = did_you_mean(&text.text, names.iter().copied())
            .unwrap_or_else(|| format!("the patterns are {}", list_of(&names)));
        let message = format!("unknown pattern `{}`", text.text);
        mistakes.error("spec-pattern", name.span, message).help = Some(help);
    }
    entry
}

fn check_required(entry: &Entry, fields: Fields, mistakes: &mut Mistakes) -> Option<()> {
    let missing: Vec<&str> = entry.keys.iter().copied().filter(|key| !fields.has(key)).collect();
    if missing.is_empty() {
        return Some(());
    }
    let message = format!("the pattern `{}` also needs {}", entry.name, list_of(&missing));
    mistakes.error("spec-pattern", fields.span, message);
    None
}

/// Checks that exactly one of the two keys of a chain is a pair.
fn check_chain(entry: &Entry, fields: Fields, spec: &PatternSpec, mistakes: &mut Mistakes) -> Option<()> {
    let lengths: Vec<usize> =
        spec.events.iter().filter(|(key, _)| *key != "without").map(|(_, elements)| elements.len()).collect();
    if let [1, 2] | [2, 1] = lengths[..] {
        return Some(());
    }
    let message =
        format!("one of {} must be a list of two events, the other a single event", list_of(entry.keys));
    let help = match lengths[..] {
        [1, 1] => format!("for single events, use the pattern `{}`", entry.name.trim_end_matches("-chain")),
        _ => "for a choice between events, nest a list: `[[a, b], c]`".to_string(),
    };
    mistakes.error("spec-pattern", fields.span, message).help = Some(help);
    None
}

/// Reads a name, or a list of alternatives.
fn names(node: &Node, key: &str, mistakes: &mut Mistakes) -> Option<Names> {
    let names = mistakes.strings(node, &format!("`{key}`"))?;
    if names.is_empty() {
        mistakes.error("spec-pattern", node.span, format!("`{key}` needs at least one event"));
        return None;
    }
    Some(names)
}

/// Reads a name, or a list of consecutive elements.
fn chain(node: &Node, key: &str, mistakes: &mut Mistakes) -> Option<Vec<Names>> {
    match &node.value {
        Value::List(items) => items.iter().map(|item| names(item, key, mistakes)).collect(),
        _ => Some(vec![names(node, key, mistakes)?]),
    }
}

fn parse_scope(node: &Node, mistakes: &mut Mistakes) -> Option<ScopeSpec> {
    if let Value::Text(_) = &node.value {
        return mistakes.word(node, "`scope`", &[("global", ())]).map(|_| ScopeSpec::Global).or_else(|| {
            let last = mistakes.list.last_mut()?;
            last.help = Some(
                "scopes are `global`, `{ before: r }`, `{ after: q }`, `{ between: [q, r] }` and `{ after-until: [q, r] }`"
                    .to_string(),
            );
            None
        });
    }
    let fields = mistakes.fields(node, "a scope", SCOPES)?;
    let [(kind, value)] = fields.entries() else {
        mistakes.error(
            "spec-pattern",
            node.span,
            format!("a scope needs exactly one of {}", list_of(SCOPES)),
        );
        return None;
    };
    match kind.value.as_str() {
        "before" => Some(ScopeSpec::Before(names(value, "before", mistakes)?)),
        "after" => Some(ScopeSpec::After(names(value, "after", mistakes)?)),
        "between" => pair(value, "between", mistakes).map(|(open, close)| ScopeSpec::Between(open, close)),
        "after-until" => {
            pair(value, "after-until", mistakes).map(|(open, close)| ScopeSpec::AfterUntil(open, close))
        }
        _ => None,
    }
}

fn pair(node: &Node, key: &str, mistakes: &mut Mistakes) -> Option<(Names, Names)> {
    match &node.value {
        Value::List(items) if items.len() == 2 => {
            Some((names(&items[0], key, mistakes)?, names(&items[1], key, mistakes)?))
        }
        _ => {
            let message = format!(
                "`{key}` must be a list of two items: the events that open and the events that close the scope"
            );
            mistakes.error("spec-pattern", node.span, message);
            None
        }
    }
}

fn number(node: &Node, mistakes: &mut Mistakes) -> Option<u32> {
    let text = mistakes.text(node, "`at-most`")?;
    let number = text.text.parse().ok();
    if number.is_none() {
        mistakes.error("spec-value", node.span, "`at-most` must be an integer of at least 0");
    }
    number
}

fn truth(node: &Node, mistakes: &mut Mistakes) -> Option<bool> {
    mistakes.word(node, "`initially`", &[("true", true), ("false", false)]).map(|truth| truth.value)
}
