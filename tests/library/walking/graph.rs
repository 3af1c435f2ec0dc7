//! All states of a model and the steps between them, and which formulas hold on
//! its runs.

use super::{At, MOST_STATES, State, Walker};
use std::collections::{HashMap, HashSet};
use trapline::lang::task::program::PointId;

/// States that can be seen between steps.
pub struct StateGraph {
    pub states: Vec<State>,
    pub initial: Vec<usize>,
    /// Per state its successors. A run that has come to its end stays there.
    pub next: Vec<Vec<usize>>,
}

impl StateGraph {
    /// The states of a model, not counting those inside atomic blocks. Points
    /// that are `passed` are left at once.
    pub fn new(walker: &Walker, passed: Option<&[Vec<bool>]>) -> Option<Self> {
        let mut graph = Self { states: Vec::new(), initial: Vec::new(), next: Vec::new() };
        let mut numbers: HashMap<State, usize> = HashMap::new();
        for state in walker.initial()? {
            let number = graph.number(state, &mut numbers);
            graph.initial.push(number);
        }
        let mut at = 0;
        while at < graph.states.len() {
            if graph.states.len() > MOST_STATES / 10 {
                return None;
            }
            let state = graph.states[at].clone();
            let (next, fails) = walker.successors(&state);
            let is_over = next.is_empty() && !fails;
            let mut numbered: Vec<usize> =
                seen(walker, passed, next).into_iter().map(|it| graph.number(it, &mut numbers)).collect();
            if is_over {
                numbered.push(at);
            }
            graph.next[at] = numbered;
            at += 1;
        }
        Some(graph)
    }

    fn number(&mut self, state: State, numbers: &mut HashMap<State, usize>) -> usize {
        *numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.next.push(Vec::new());
            self.states.len() - 1
        })
    }

    /// Is there a run from a state of `from` that is in `allowed` until it comes to
    /// `goal`?
    fn reaches(&self, from: &[bool], allowed: &[bool], goal: &[bool]) -> bool {
        let mut open: Vec<usize> = members(from);
        let mut known = from.to_vec();
        while let Some(state) = open.pop() {
            if goal[state] {
                return true;
            }
            if allowed[state] {
                open.extend(self.next[state].iter().filter(|it| !std::mem::replace(&mut known[**it], true)));
            }
        }
        false
    }

    /// Where infinite runs begin that stay within a set.
    fn stays(&self, within: &[bool]) -> Vec<bool> {
        let mut stays = within.to_vec();
        while let Some(state) =
            members(&stays).into_iter().find(|it| !self.next[*it].iter().any(|it| stays[*it]))
        {
            stays[state] = false;
        }
        stays
    }

    /// States that infinite runs come back to.
    fn recurs(&self) -> Vec<bool> {
        let on_cycle = |state: usize| {
            let after = self.set(|it| self.next[state].contains(&it));
            self.reaches(&after, &self.set(|_| true), &self.set(|it| it == state))
        };
        self.set(on_cycle)
    }

    fn set(&self, is_in: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.states.len()).map(is_in).collect()
    }

    /// Does a formula hold on all runs?
    pub fn holds(&self, formula: Shape, p: &[bool], q: &[bool]) -> bool {
        let all = self.set(|_| true);
        let start = self.set(|it| self.initial.contains(&it));
        let not = |set: &[bool]| set.iter().map(|it| !it).collect::<Vec<bool>>();
        let and = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<bool>>();
        let stays_in = |set: &[bool]| self.stays(set);
        let begins = |set: &[bool]| and(&start, set).contains(&true);
        match formula {
            Shape::Always => !self.reaches(&start, &all, &not(p)),
            Shape::Eventually => !begins(&stays_in(&not(p))),
            Shape::AgainAndAgain => !self.reaches(&start, &all, &stays_in(&not(p))),
            Shape::FinallyAlways => !self.reaches(&start, &all, &and(&not(p), &self.recurs())),
            Shape::Until => {
                let neither = and(&not(p), &not(q));
                !self.reaches(&start, &not(q), &neither) && !begins(&stays_in(&not(q)))
            }
            Shape::WeakUntil => !self.reaches(&start, &not(q), &and(&not(p), &not(q))),
            Shape::Response => !self.reaches(&start, &all, &and(p, &stays_in(&not(q)))),
        }
    }
}

fn members(set: &[bool]) -> Vec<usize> {
    (0..set.len()).filter(|it| set[*it]).collect()
}

/// Forms of formulas over two conditions.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Always,
    Eventually,
    AgainAndAgain,
    FinallyAlways,
    Until,
    WeakUntil,
    Response,
}

impl Shape {
    pub const ALL: [Self; 7] = [
        Self::Always,
        Self::Eventually,
        Self::AgainAndAgain,
        Self::FinallyAlways,
        Self::Until,
        Self::WeakUntil,
        Self::Response,
    ];

    pub fn text(self, p: &str, q: &str) -> String {
        match self {
            Self::Always => format!("[] ({p})"),
            Self::Eventually => format!("<> ({p})"),
            Self::AgainAndAgain => format!("[]<> ({p})"),
            Self::FinallyAlways => format!("<>[] ({p})"),
            Self::Until => format!("({p}) U ({q})"),
            Self::WeakUntil => format!("({p}) W ({q})"),
            Self::Response => format!("[] ({p} -> <> ({q}))"),
        }
    }
}

/// Goes on from states inside atomic blocks, and from points that are passed.
fn seen(walker: &Walker, passed: Option<&[Vec<bool>]>, states: Vec<State>) -> Vec<State> {
    let mut found = Vec::new();
    let mut known: HashSet<State> = HashSet::new();
    let mut open = states;
    while let Some(state) = open.pop() {
        if !known.insert(state.clone()) {
            continue;
        }
        let is_passed = |task: &usize| matches!(state.at[*task], At::Point(PointId(point)) if passed.is_some_and(|it| it[*task][point as usize]));
        if let Some(task) = (0..state.at.len()).find(is_passed) {
            let At::Point(point) = state.at[task] else { continue };
            let edges = &walker.program.tasks[task].edges;
            open.extend(walker.out[task][point.index()].iter().map(|&edge| {
                let mut next = state.clone();
                next.at[task] = At::Point(edges[edge].to);
                next
            }));
            continue;
        }
        let is_inside = (0..state.at.len()).any(|task| walker.is_inside(&state, task));
        let (next, fails) = if is_inside { walker.successors(&state) } else { Default::default() };
        match next.is_empty() && !fails {
            true => found.push(state),
            false => open.extend(next),
        }
    }
    found
}
