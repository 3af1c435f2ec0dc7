//! The alphabet of a specification: events and their labels.

use super::fields::Mistakes;
use super::glob::Glob;
use super::property::Event;
use super::yaml::{Node, Spanned, Value};
use crate::automata::Symbol;
use crate::diag::{Diagnostic, Span, did_you_mean};
use std::collections::BTreeMap;

/// `events` as written.
#[derive(Clone, Debug)]
pub(super) struct EventsSpec {
    span: Span,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// `None` in a list: the event has the name of its label.
    name: Option<Spanned<String>>,
    labels: Vec<Spanned<String>>,
}

impl EventsSpec {
    pub fn parse(node: &Node, mistakes: &mut Mistakes) -> Option<Self> {
        let entries: Vec<Entry> = match &node.value {
            Value::List(items) => items
                .iter()
                .filter_map(|item| mistakes.string(item, "an event"))
                .map(|label| Entry { name: None, labels: vec![label] })
                .collect(),
            Value::Map(_) => mistakes
                .map(node, "`events`")?
                .entries()
                .iter()
                .filter_map(|(name, labels)| {
                    mistakes.expect_name(name, "the name of an event");
                    let labels = mistakes.strings(labels, &format!("the event `{}`", name.value))?;
                    Some(Entry { name: Some(name.clone()), labels })
                })
                .collect(),
            _ => {
                mistakes.wrong_kind(node, "`events`", "a list of labels or a map from names to labels");
                return None;
            }
        };
        if entries.is_empty() && mistakes.list.is_empty() {
            mistakes.error("spec-event", node.span, "`events` is empty: the property would observe nothing");
        }
        Some(Self { span: node.span, entries })
    }

    /// Creates one event per label, for the alphabet of a QRE.
    pub fn of_labels(labels: &[Spanned<String>], span: Span) -> Self {
        let entries = labels.iter().map(|label| Entry { name: None, labels: vec![label.clone()] }).collect();
        Self { span, entries }
    }

    /// Returns labels and patterns as written.
    pub fn labels(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.entries.iter().flat_map(|it| &it.labels)
    }

    /// Returns the alphabet over a model with these labels.
    pub fn resolve(&self, labels: &[String]) -> Result<Alphabet, Vec<Diagnostic>> {
        let mut assignment = Assignment { labels, claims: BTreeMap::new(), mistakes: Mistakes::default() };
        for (at, entry) in self.entries.iter().enumerate() {
            for label in &entry.labels {
                assignment.claim(at, label);
            }
        }
        let mut events = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let mine = assignment.labels_of(at);
            match &entry.name {
                None => events
                    .extend(mine.into_iter().map(|label| Event { name: label.clone(), labels: vec![label] })),
                Some(name) => {
                    assignment.check_some_left(name, &mine);
                    events.push(Event { name: name.value.clone(), labels: mine });
                }
            }
        }
        let alphabet = Alphabet { events, labels: labels.to_vec(), declared: self.span };
        assignment.mistakes.finish(Some(alphabet))
    }
}

/// The entry that a label belongs to, and its pattern.
struct Claim {
    entry: usize,
    is_exact: bool,
    by: Spanned<String>,
}

struct Assignment<'a> {
    labels: &'a [String],
    claims: BTreeMap<&'a str, Claim>,
    mistakes: Mistakes,
}

impl Assignment<'_> {
    fn claim(&mut self, entry: usize, by: &Spanned<String>) {
        let glob = Glob::new(by.value.as_str());
        let is_exact = glob.is_exact();
        let mut matched = false;
        for label in self.labels {
            if !glob.matches(label) {
                continue;
            }
            matched = true;
            match self.claims.get(label.as_str()) {
                Some(other) if other.entry == entry => (),
                Some(other) if other.is_exact && !is_exact => (),
                Some(other) if other.is_exact == is_exact => {
                    let other = other.by.clone();
                    self.overlap(label, by, &other, is_exact);
                    return;
                }
                _ => {
                    self.claims.insert(label, Claim { entry, is_exact, by: by.clone() });
                }
            }
        }
        if !matched {
            self.no_match(by);
        }
    }

    /// Returns the labels of an entry, each once, in the order of the model.
    fn labels_of(&self, entry: usize) -> Vec<String> {
        let mut mine: Vec<String> = Vec::new();
        for label in self.labels {
            let is_mine = self.claims.get(label.as_str()).is_some_and(|claim| claim.entry == entry);
            if is_mine && !mine.contains(label) {
                mine.push(label.clone());
            }
        }
        mine
    }

    fn check_some_left(&mut self, name: &Spanned<String>, mine: &[String]) {
        if mine.is_empty() && self.mistakes.list.is_empty() {
            let message = format!("the event `{}` has no labels", name.value);
            self.mistakes.error("spec-event", name.span, message).help = Some(
                "all labels that it matches are claimed by other events with the exact name".to_string(),
            );
        }
    }

    fn overlap(&mut self, label: &str, by: &Spanned<String>, other: &Spanned<String>, is_exact: bool) {
        let message = if is_exact {
            format!("the label `{label}` is listed twice")
        } else {
            format!("`{}` and `{}` both match the label `{label}`", other.value, by.value)
        };
        let mistake = self.mistakes.error("spec-event", by.span, message);
        mistake.related = vec![(other.span, "the other entry".to_string())];
        mistake.help =
            (!is_exact).then(|| format!("assign `{label}` to one of them by listing its exact name"));
    }

    fn no_match(&mut self, by: &Spanned<String>) {
        let message = format!("no label of the model matches `{}`", by.value);
        let help = did_you_mean(&by.value, self.labels.iter().map(String::as_str));
        self.mistakes.error("spec-event", by.span, message).help =
            help.or_else(|| Some(labels_help(self.labels)));
    }
}

/// Lists some labels of the model, for help texts.
fn labels_help(labels: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = labels.iter().take(SHOWN).map(|label| format!("`{label}`")).collect();
    match labels.len() {
        0 => "the model has no events".to_string(),
        n if n <= SHOWN => format!("the labels of the model are {}", shown.join(", ")),
        n => format!("the labels of the model are {} and {} more", shown.join(", "), n - SHOWN),
    }
}

/// Events that have been resolved against a model.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    pub events: Vec<Event>,
    /// All labels of the model, for suggestions.
    labels: Vec<String>,
    declared: Span,
}

impl Alphabet {
    pub fn n_symbols(&self) -> usize {
        self.events.len()
    }

    /// Returns the symbols of an event name, which may contain `*`.
    pub fn symbols(&self, name: &Spanned<String>) -> Result<Vec<Symbol>, Diagnostic> {
        let glob = Glob::new(name.value.as_str());
        let matching = self.events.iter().enumerate().filter(|(_, event)| glob.matches(&event.name));
        let symbols: Vec<Symbol> = matching.map(|(symbol, _)| symbol as Symbol).collect();
        if symbols.is_empty() { Err(self.unknown(name)) } else { Ok(symbols) }
    }

    /// Returns the part of the alphabet that a QRE declares.
    pub fn restrict(&self, symbols: &[Symbol]) -> Alphabet {
        let events = symbols.iter().map(|&symbol| self.events[symbol as usize].clone()).collect();
        Alphabet { events, ..self.clone() }
    }

    /// Adds events whose labels must be new.
    pub fn extend(&mut self, others: Alphabet) -> Result<(), Diagnostic> {
        for event in others.events {
            let clash =
                self.events.iter().find(|mine| mine.labels.iter().any(|label| event.labels.contains(label)));
            if let Some(mine) = clash {
                let message = format!("the label `{}` is already the event `{}`", event.name, mine.name);
                return Err(Diagnostic::error("spec-event", others.declared, message));
            }
            self.events.push(event);
        }
        Ok(())
    }

    fn unknown(&self, name: &Spanned<String>) -> Diagnostic {
        let names = || self.events.iter().map(|event| event.name.as_str());
        let owner = self.events.iter().find(|event| event.labels.contains(&name.value));
        let help = match owner {
            Some(event) => Some(format!("the event of this label is named `{}`", event.name)),
            None if self.labels.contains(&name.value) => {
                Some("it is a label of the model: add it to `events`".to_string())
            }
            None => did_you_mean(&name.value, names()),
        };
        let diagnostic =
            Diagnostic::error("spec-event", name.span, format!("no event is named `{}`", name.value))
                .with_optional_help(help);
        if diagnostic.help.is_some() {
            return diagnostic;
        }
        diagnostic.with_related(self.declared, "the events are declared here")
    }
}
