//! Automata as text for other tools: SPIN's never claims and the Hanoi
//! Omega-Automata format, version 1.

use super::{Buchi, Edge, Guard};
use crate::automata::State;
use crate::automata::ltl::AtomId;
use std::collections::BTreeMap;
use std::fmt::Write;

impl Buchi {
    /// Returns the automaton as a never claim. `name` returns the expression of
    /// an atom, `title` becomes a comment.
    pub fn to_never_claim(&self, title: &str, name: &dyn Fn(AtomId) -> String) -> String {
        let mut text = format!("never {{    /* {} */\n", title.replace("*/", "* /"));
        for state in (0..self.n_states() as State).filter(|&state| self.accept_all() != Some(state)) {
            let _ = writeln!(text, "{}:", self.label(state));
            if self.edges(state).is_empty() {
                text.push_str("\tfalse;\n");
                continue;
            }
            text.push_str("\tdo\n");
            for (target, edges) in by_target(self.edges(state)) {
                let guards: Vec<String> = edges.into_iter().map(|edge| conjunction(edge, name)).collect();
                let _ = writeln!(text, "\t:: ({}) -> goto {}", guards.join(" || "), self.label(target));
            }
            text.push_str("\tod;\n");
        }
        if self.accept_all().is_some() {
            text.push_str("accept_all:\n\tskip\n");
        }
        text + "}\n"
    }

    fn label(&self, state: State) -> String {
        match (state, self.is_accepting(state)) {
            _ if self.accept_all() == Some(state) => "accept_all".to_owned(),
            (0, true) => "accept_init".to_owned(),
            (0, false) => "T0_init".to_owned(),
            (_, true) => format!("accept_S{state}"),
            (_, false) => format!("T0_S{state}"),
        }
    }

    /// Returns a state from which every word is accepted. It is printed last,
    /// because a claim that reaches its end is violated.
    fn accept_all(&self) -> Option<State> {
        let stays = |state| Edge { guard: Guard::TRUE, target: state };
        let is_everything = |&state: &State| self.is_accepting(state) && self.edges(state) == [stays(state)];
        (0..self.n_states() as State).rev().find(is_everything)
    }

    /// Returns the automaton in the Hanoi format over the atoms `0..n_atoms`.
    pub fn to_hoa(&self, title: &str, n_atoms: u32, name: &dyn Fn(AtomId) -> String) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let atoms: String = (0..n_atoms).map(|atom| format!(" {}", quoted(&name(AtomId(atom))))).collect();
        let deterministic = if self.is_deterministic() { " deterministic" } else { "" };
        let mut text = format!(
            "HOA: v1\nname: {}\nStates: {}\nStart: 0\nAP: {n_atoms}{atoms}\nacc-name: Buchi\n\
             Acceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc{deterministic}\n--BODY--\n",
            quoted(title),
            self.n_states(),
        );
        for state in 0..self.n_states() as State {
            let _ = writeln!(text, "State: {state}{}", if self.is_accepting(state) { " {0}" } else { "" });
            for edge in self.edges(state) {
                let _ = writeln!(text, "[{}] {}", hoa_label(edge), edge.target);
            }
        }
        text + "--END--\n"
    }
}

fn by_target(edges: &[Edge]) -> BTreeMap<State, Vec<&Edge>> {
    let mut targets: BTreeMap<State, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        targets.entry(edge.target).or_default().push(edge);
    }
    targets
}

fn conjunction(edge: &Edge, name: &dyn Fn(AtomId) -> String) -> String {
    let literal = |(atom, positive): (AtomId, bool)| {
        let name = name(atom);
        if positive { format!("({name})") } else { format!("!({name})") }
    };
    let literals: Vec<String> = edge.guard.literals().map(literal).collect();
    match &literals[..] {
        [] => "1".to_owned(),
        [literal] => literal.clone(),
        _ => format!("({})", literals.join(" && ")),
    }
}

fn hoa_label(edge: &Edge) -> String {
    let literal = |(atom, positive): (AtomId, bool)| format!("{}{}", if positive { "" } else { "!" }, atom.0);
    let literals: Vec<String> = edge.guard.literals().map(literal).collect();
    if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
}
