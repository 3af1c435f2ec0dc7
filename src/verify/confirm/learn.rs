//! Rules learned from a counterexample that no execution follows.
//!
//! The events of the counterexample up to the first impossible step are a
//! sequence with which no execution begins. This rule is generalised step by step
//! as long as every execution satisfies it, which the explicit engine decides,
//! and the flow engine rejects the counterexample with it: the sequence may occur
//! anywhere, events are dropped from it, and other events are ignored.

use super::guide::Guide;
use crate::automata::{Dfa, State};
use crate::lang::spec::property::{Event, EventAutomaton};
use crate::verify::report::Learned;
use crate::verify::trail::{Action, Step};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Maximum number of events of a sequence that is generalised.
const MAX_EVENTS: usize = 64;

/// A sequence of labels that no execution has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The sequence; other labels of the alphabet do not occur between its labels.
    word: Vec<String>,
    /// The labels that are not ignored.
    alphabet: BTreeSet<String>,
    /// Whether only the beginning of an execution is meant.
    is_beginning: bool,
}

/// Whether every execution satisfies a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// Yes; the number of states that were visited.
    Proved(u64),
    /// Not known: the budget ended.
    Unknown,
    /// No, or the flow engine does not reject the counterexample with it.
    Useless,
}

impl Rule {
    /// Returns the rule that no execution begins with the events that the guide
    /// follows, up to and with the impossible step, counted from 1. `None` if only
    /// the end is impossible, or if there are too many events.
    pub fn of(guide: &Guide, steps: &[(usize, Step)], impossible: usize) -> Option<Self> {
        let last = guide.positions.iter().position(|&it| it + 1 == impossible)?;
        let label = |&position: &usize| match &steps.get(position)?.1.action {
            Action::Label(label) => Some(label.clone()),
            Action::Statement | Action::End => None,
        };
        let word: Vec<String> = guide.positions[..=last].iter().map(label).collect::<Option<_>>()?;
        let alphabet = guide.automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
        (word.len() <= MAX_EVENTS).then_some(Self { word, alphabet, is_beginning: true })
    }

    /// Generalises the rule as long as `test` proves the result. If not even the
    /// sequence alone can be proved, the rule is an assumption. `None` if the rule
    /// is useless.
    pub fn generalised(self, mut test: impl FnMut(&Self) -> Truth) -> Option<(Self, Truth)> {
        let first = test(&self);
        let anywhere = Self { is_beginning: false, ..self.clone() };
        let (mut rule, mut truth) = match (first, test(&anywhere)) {
            (Truth::Useless, _) => return None,
            (_, Truth::Unknown) => return Some((anywhere, Truth::Unknown)),
            (_, Truth::Proved(n_states)) => (anywhere, Truth::Proved(n_states)),
            (first, Truth::Useless) => (self, first),
        };
        let mut accept = |candidate: Self, rule: &mut Self| match test(&candidate) {
            found @ Truth::Proved(_) => {
                (*rule, truth) = (candidate, found);
                true
            }
            Truth::Unknown | Truth::Useless => false,
        };
        // The later events are more likely to matter: drop from the front, half of them at first.
        let mut n_dropped = rule.word.len() / 2;
        while n_dropped > 0 && !rule.is_beginning {
            let mut shorter = rule.clone();
            shorter.word.drain(..n_dropped.min(rule.word.len() - 1));
            let is_accepted = shorter.word.len() < rule.word.len() && accept(shorter, &mut rule);
            n_dropped = if is_accepted { n_dropped.min(rule.word.len() / 2) } else { n_dropped / 2 };
        }
        for label in rule.alphabet.clone() {
            let mut fewer = rule.clone();
            fewer.alphabet.remove(&label);
            fewer.word.retain(|it| *it != label);
            if rule.word.last() != Some(&label) {
                accept(fewer, &mut rule);
            }
        }
        let mut index = 0;
        while index + 1 < rule.word.len() {
            let mut shorter = rule.clone();
            shorter.word.remove(index);
            if !accept(shorter, &mut rule) {
                index += 1;
            }
        }
        Some((rule, truth))
    }

    /// Returns an automaton that accepts the sequences without the forbidden one.
    pub fn automaton(&self) -> EventAutomaton {
        let labels: Vec<&String> = self.alphabet.iter().collect();
        let (n_symbols, n) = (labels.len(), self.word.len());
        let (trap, other) = (n as State, n as State + 1);
        let mut next = Vec::with_capacity((n + 2) * n_symbols);
        for state in 0..n {
            for label in &labels {
                let is_next = self.word[state] == **label;
                next.push(match (is_next, self.is_beginning) {
                    (true, _) => state as State + 1,
                    (false, true) => other,
                    (false, false) => self.overlap(state, label),
                });
            }
        }
        next.extend(std::iter::repeat_n(trap, n_symbols));
        next.extend(std::iter::repeat_n(other, n_symbols));
        let mut accepting = FixedBitSet::with_capacity(n + 2);
        accepting.insert_range(..);
        accepting.remove(n);
        let event = |it: &&String| Event { name: (*it).clone(), labels: vec![(*it).clone()] };
        let events = labels.iter().map(event).collect();
        let state_names = (0..n + 2).map(|it| it.to_string()).collect();
        EventAutomaton { events, dfa: Dfa::new(n_symbols, 0, accepting, next), state_names }
    }

    /// Returns the length of the longest beginning of the word that ends with
    /// `label` after the first `n_matched` labels.
    fn overlap(&self, n_matched: usize, label: &str) -> State {
        let is_end = |n: &usize| {
            let (begin, last) = (&self.word[..n - 1], &self.word[n - 1]);
            last == label && self.word[..n_matched].ends_with(begin)
        };
        (1..=n_matched).rev().find(is_end).unwrap_or(0) as State
    }

    /// Returns the rule as a constraint file.
    pub fn learned(&self, property: &str, truth: Truth) -> Learned {
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        let name = format!("learned-{}", property.chars().map(plain).collect::<String>());
        let names = event_names(&self.alphabet);
        let name_of =
            |label: &String| names[self.alphabet.iter().position(|it| it == label).unwrap_or(0)].as_str();
        let word: Vec<&str> = self.word.iter().map(name_of).collect();
        let begin = if self.is_beginning { "" } else { ".* ; " };
        let mut text = String::new();
        let _ = writeln!(text, "# Learned from a counterexample of the property {property:?}.");
        let known = match truth {
            Truth::Proved(n_states) => format!(
                "# Every execution satisfies it: proved by the explicit engine, {n_states} states.\n\
                 # With other settings of the model it is an assumption."
            ),
            Truth::Unknown | Truth::Useless => {
                "# An assumption: the budget of the explicit engine ended before it was proved.".to_string()
            }
        };
        let _ = writeln!(text, "{known}");
        let _ = writeln!(text, "name: {name}\nevents:");
        for (name, label) in names.iter().zip(&self.alphabet) {
            let _ = writeln!(text, "  {name}: {label:?}");
        }
        let _ = writeln!(text, "none: \"{begin}{} ; .*\"", word.join(" ; "));
        let is_proved = matches!(truth, Truth::Proved(_));
        Learned { name, text, is_proved }
    }
}

/// Returns a name for each label that a regular expression can contain.
fn event_names(labels: &BTreeSet<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for label in labels {
        let plain: String =
            label.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { ' ' }).collect();
        let mut name = plain.split_whitespace().collect::<Vec<_>>().join("_");
        if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
            name.insert_str(0, "e_");
        }
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(word: &str, alphabet: &str, is_beginning: bool) -> Rule {
        let labels = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        Rule { word: labels(word), alphabet: labels(alphabet).into_iter().collect(), is_beginning }
    }

    /// Whether a sequence of one-letter labels contains the word, other letters ignored.
    fn has(rule: &Rule, sequence: &str) -> bool {
        let seen: String = sequence.chars().filter(|it| rule.alphabet.contains(&it.to_string())).collect();
        let word = rule.word.concat();
        if rule.is_beginning { seen.starts_with(&word) } else { seen.contains(&word) }
    }

    #[test]
    fn automata_reject_exactly_the_sequences_with_the_word() {
        for (word, alphabet) in [("aba", "abc"), ("aab", "ab"), ("a", "abc"), ("abab", "abc"), ("cc", "abc")]
        {
            for is_beginning in [false, true] {
                let rule = rule(word, alphabet, is_beginning);
                let automaton = rule.automaton();
                for number in 0..4_usize.pow(6) {
                    let letter = |place: u32| ['a', 'b', 'c', 'd'][number / 4_usize.pow(place) % 4];
                    let sequence: String = (0..6).map(letter).collect();
                    let symbol =
                        |it: char| automaton.events.iter().position(|event| event.name == it.to_string());
                    let symbols = sequence.chars().filter_map(symbol).map(|it| it as u32);
                    assert_eq!(automaton.dfa.accepts(symbols), !has(&rule, &sequence), "{rule:?} {sequence}");
                }
            }
        }
    }

    #[test]
    fn a_rule_is_generalised_as_far_as_it_is_proved() {
        let is_true = |it: &Rule| it.word.ends_with(&["b".to_string()]) && it.word.contains(&"a".to_string());
        let test = |it: &Rule| if is_true(it) { Truth::Proved(1) } else { Truth::Useless };
        let (found, truth) = rule("xaxyb", "abxyz", true).generalised(test).expect("it is true");
        assert_eq!((found, truth), (rule("ab", "ab", false), Truth::Proved(1)));
        assert_eq!(rule("xy", "xy", true).generalised(test), None);
        let unknown = |it: &Rule| if it.is_beginning { Truth::Proved(1) } else { Truth::Unknown };
        let (found, truth) = rule("ab", "abc", true).generalised(unknown).expect("it is true");
        assert_eq!((found.is_beginning, truth), (false, Truth::Unknown));
    }
}
