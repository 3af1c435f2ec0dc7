//! The common part of properties and constraints: an alphabet, and under
//! `all:`, `none:` or `qre:` a language in one of the notations.

use super::automaton::AutomatonSpec;
use super::events::EventsSpec;
use super::fields::{Fields, Mistakes};
use super::pattern::PatternSpec;
use super::qre::QreSpec;
use super::regex::RegexSpec;
use super::yaml::{Node, Value};
use crate::diag::Span;

/// The keys of which exactly one is given.
pub(super) const LANGUAGE_KEYS: &[&str] = &["all", "none", "qre"];

/// The keys under `all` and `none` that choose a notation.
pub(super) const NOTATION_KEYS: &[&str] = &["regex", "automaton", "pattern"];

/// A language over events, as written.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub events: Option<EventsSpec>,
    pub notation: Notation,
    /// Whether the language contains the *bad* sequences.
    pub is_none: bool,
    /// Span of the notation.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Notation {
    Regex(RegexSpec),
    Automaton(AutomatonSpec),
    Pattern(PatternSpec),
    Qre(QreSpec),
}

impl Body {
    /// Reads the language of a property or constraint over `events`.
    pub fn parse(fields: Fields, events: Option<EventsSpec>, mistakes: &mut Mistakes) -> Option<Self> {
        let (key, node) = language_entry(fields, mistakes)?;
        let notation = parse_notation(key, node, mistakes);
        let is_missing = events.is_none() && !fields.has("events");
        if is_missing && key != "qre" {
            mistakes.error("spec-event", fields.span, "the key `events` is missing").help =
                Some("list the labels it observes: `events: [task.entry]`".to_string());
        }
        let notation = notation?;
        let is_none = matches!(&notation, Notation::Qre(qre) if qre.is_none) || key == "none";
        Some(Self { events, notation, is_none, span: node.span })
    }
}

fn language_entry<'a>(fields: Fields<'a>, mistakes: &mut Mistakes) -> Option<(&'static str, &'a Node)> {
    let given: Vec<&'static str> = LANGUAGE_KEYS.iter().copied().filter(|key| fields.has(key)).collect();
    match given[..] {
        [key] => Some((key, fields.get(key)?)),
        [] => {
            mistakes.error("spec-key", fields.span, "one of `all`, `none` and `qre` is missing").help = Some(
                "write `all:` for what every execution must satisfy, or `none:` for what no execution may satisfy".to_string(),
            );
            None
        }
        [first, second, ..] => {
            let (key, _) = fields.entry(second)?;
            let (other, _) = fields.entry(first)?;
            mistakes
                .error("spec-key", key.span, format!("`{first}` and `{second}` cannot be used together"))
                .related = vec![(other.span, "already used here".to_string())];
            None
        }
    }
}

fn parse_notation(key: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Notation> {
    if key == "qre" {
        let text = mistakes.text(node, "`qre`")?;
        return QreSpec::parse(text).map_err(|mistake| mistakes.push(mistake)).ok().map(Notation::Qre);
    }
    match &node.value {
        Value::Text(_) => parse_regex(node, mistakes),
        Value::Map(entries) if entries.iter().any(|(key, _)| key.value == "pattern") => {
            PatternSpec::parse(node, mistakes).map(Notation::Pattern)
        }
        Value::Map(_) => {
            let fields = mistakes.fields(node, &format!("`{key}`"), NOTATION_KEYS)?;
            match fields.entries() {
                [(notation, value)] if notation.value == "regex" => parse_regex(value, mistakes),
                [(notation, value)] if notation.value == "automaton" => {
                    AutomatonSpec::parse(value, mistakes).map(Notation::Automaton)
                }
                // An unknown key has been reported.
                [_] => None,
                _ => {
                    mistakes.error(
                        "spec-key",
                        node.span,
                        format!("`{key}` needs exactly one of `regex`, `automaton` and `pattern`"),
                    );
                    None
                }
            }
        }
        _ => {
            mistakes.wrong_kind(node, &format!("`{key}`"), "an expression, an automaton or a pattern");
            None
        }
    }
}

fn parse_regex(node: &Node, mistakes: &mut Mistakes) -> Option<Notation> {
    let text = mistakes.text(node, "an expression")?;
    RegexSpec::parse(text).map_err(|mistake| mistakes.push(mistake)).ok().map(Notation::Regex)
}
