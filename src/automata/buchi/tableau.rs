//! Translation of a formula to a generalised Büchi automaton.
//!
//! A state is a set of formulas that must hold from its position on. Each
//! formula is unfolded into [`Cover`]s, the alternatives that satisfy it: the
//! required letter, the formulas for the next position, and the promises that
//! are postponed, as `q` is when `p U q` is satisfied by `p` now and `p U q`
//! next. A run is accepted if it postpones no promise for ever, so there is one
//! acceptance set per promise (Couvreur, *On-the-fly Verification of Linear
//! Temporal Logic*, 1999). Promises are identified by the promised formula,
//! hence `p U q` and `<> q` share one.
//!
//! States with the same covers are one state.

use super::generalised::{Edge, Generalised};
use super::guard::Guard;
use crate::automata::ltl::store::{Id, Node, Store};
use crate::automata::{MAX_EFFORT, MAX_STATES, TooLarge};
use crate::base::cancel::checkpoint;
use std::collections::HashMap;
use std::rc::Rc;

/// Maximum number of acceptance sets.
const MAX_PROMISES: usize = 64;

/// Maximum number of formulas of the form `[]<> g` that are unfolded together.
/// Each doubles the number of transitions; if there are more, a transition
/// satisfies one at a time.
const MAX_TOGETHER: usize = 4;

/// An alternative that satisfies a formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cover {
    guard: Guard,
    /// Formulas that must hold from the next position on; sorted.
    next: Vec<Id>,
    promises: u64,
}

impl Cover {
    const NOTHING: Cover = Cover { guard: Guard::TRUE, next: Vec::new(), promises: 0 };

    fn and(&self, other: &Cover) -> Option<Cover> {
        let guard = self.guard.and(other.guard)?;
        let mut next = [&self.next[..], &other.next[..]].concat();
        next.sort_unstable();
        next.dedup();
        Some(Cover { guard, next, promises: self.promises | other.promises })
    }

    /// Returns whether this cover requires at most what the other one requires.
    fn asks_less(&self, other: &Cover) -> bool {
        other.guard.is_within(self.guard)
            && self.promises & !other.promises == 0
            && self.next.iter().all(|formula| other.next.binary_search(formula).is_ok())
    }
}

/// Returns the automaton of a formula.
pub(super) fn translate(store: &mut Store, formula: Id) -> Result<Generalised, TooLarge> {
    let mut tableau = Tableau { store, promises: Vec::new(), covers: HashMap::new(), effort: 0 };
    let mut states = States::default();
    let set = tableau.conjuncts(formula);
    states.number(&mut tableau, set)?;
    let mut edges = Vec::new();
    while edges.len() < states.covers.len() {
        checkpoint();
        let covers = states.covers[edges.len()].clone();
        let mut row = Vec::with_capacity(covers.len());
        for Cover { guard, next, promises } in covers.iter().cloned() {
            row.push(Edge { guard, marks: promises, target: states.number(&mut tableau, next)? });
        }
        edges.push(row);
    }
    let n_sets = tableau.promises.len();
    let all = super::generalised::all_marks(n_sets);
    for edge in edges.iter_mut().flatten() {
        edge.marks = all & !edge.marks;
    }
    Ok(Generalised { n_sets, start: 0, edges, state_based: false })
}

/// States created so far.
#[derive(Default)]
struct States {
    covers: Vec<Rc<Vec<Cover>>>,
    by_set: HashMap<Vec<Id>, u32>,
    by_covers: HashMap<Rc<Vec<Cover>>, u32>,
}

impl States {
    fn number(&mut self, tableau: &mut Tableau<'_>, set: Vec<Id>) -> Result<u32, TooLarge> {
        if let Some(&state) = self.by_set.get(&set) {
            return Ok(state);
        }
        let covers = Rc::new(tableau.covers_of_all(&set)?);
        let state = match self.by_covers.get(&covers) {
            Some(&state) => state,
            None if self.covers.len() == MAX_STATES => return Err(TooLarge),
            None => {
                self.covers.push(covers.clone());
                let state = self.covers.len() as u32 - 1;
                self.by_covers.insert(covers, state);
                state
            }
        };
        self.by_set.insert(set, state);
        Ok(state)
    }
}

struct Tableau<'a> {
    store: &'a mut Store,
    /// Promised formula of each acceptance set.
    promises: Vec<Id>,
    covers: HashMap<Id, Rc<Vec<Cover>>>,
    effort: usize,
}

impl Tableau<'_> {
    fn conjuncts(&self, formula: Id) -> Vec<Id> {
        match self.store.node(formula) {
            Node::And(parts) => parts.clone(),
            Node::True => Vec::new(),
            _ => vec![formula],
        }
    }

    fn covers_of_all(&mut self, formulas: &[Id]) -> Result<Vec<Cover>, TooLarge> {
        let (mut recurring, mut others): (Vec<Id>, Vec<Id>) =
            formulas.iter().partition(|&&formula| self.recurring(formula).is_some());
        if recurring.len() <= MAX_TOGETHER {
            others.append(&mut recurring);
        }
        let mut covers = vec![Cover::NOTHING];
        for formula in others {
            let of_one = self.covers(formula)?;
            covers = self.product(&covers, &of_one)?;
        }
        if !recurring.is_empty() {
            let of_recurring = self.one_at_a_time(&recurring)?;
            covers = self.product(&covers, &of_recurring)?;
        }
        covers.sort_unstable();
        Ok(covers)
    }

    /// Returns the `g` of `[]<> g`.
    fn recurring(&self, formula: Id) -> Option<Id> {
        let Node::Always(inner) = *self.store.node(formula) else { return None };
        let Node::Eventually(goal) = *self.store.node(inner) else { return None };
        Some(goal)
    }

    /// Returns covers that fulfil at most one promise. Goals that occur
    /// infinitely often can be fulfilled in turn.
    fn one_at_a_time(&mut self, recurring: &[Id]) -> Result<Vec<Cover>, TooLarge> {
        let mut all = Cover::NOTHING;
        let mut promises = Vec::new();
        for &formula in recurring {
            let goal = self.recurring(formula).expect("the caller chose those that recur");
            let postponed = self.postpone(formula, goal)?;
            all = all.and(&postponed).expect("no guard contradicts another");
            promises.push((goal, postponed.promises));
        }
        let mut covers = vec![all.clone()];
        for (goal, promise) in promises {
            let kept = Cover { promises: all.promises & !promise, ..all.clone() };
            covers.extend(self.with(goal, &[kept])?);
        }
        self.smallest(covers)
    }

    fn covers(&mut self, formula: Id) -> Result<Rc<Vec<Cover>>, TooLarge> {
        if let Some(known) = self.covers.get(&formula) {
            return Ok(known.clone());
        }
        let covers = Rc::new(self.unfold(formula)?);
        self.covers.insert(formula, covers.clone());
        Ok(covers)
    }

    fn unfold(&mut self, formula: Id) -> Result<Vec<Cover>, TooLarge> {
        match self.store.node(formula).clone() {
            Node::True => Ok(vec![Cover::NOTHING]),
            Node::False => Ok(Vec::new()),
            Node::Literal(atom, positive) => {
                Ok(vec![Cover { guard: Guard::literal(atom, positive), ..Cover::NOTHING }])
            }
            Node::And(parts) => self.covers_of_all(&parts),
            Node::Or(parts) => {
                let parts = self.store.postpone_choice(&parts).unwrap_or(parts);
                let mut covers = Vec::new();
                for part in parts {
                    covers.extend_from_slice(&self.covers(part)?);
                }
                self.smallest(covers)
            }
            Node::Next(f) => Ok(vec![Cover { next: self.conjuncts(f), ..Cover::NOTHING }]),
            Node::Until(f, g) => {
                let postponed = self.postpone(formula, g)?;
                self.now_or_later(g, Some(f), postponed)
            }
            Node::Eventually(g) => {
                let postponed = self.postpone(formula, g)?;
                self.now_or_later(g, None, postponed)
            }
            Node::WeakUntil(f, g) => self.now_or_later(g, Some(f), again(formula)),
            Node::Release(f, g) => {
                let released = self.now_or_later(f, None, again(formula))?;
                self.with(g, &released)
            }
            Node::StrongRelease(f, g) => {
                let both = self.store.and(&[f, g]);
                let postponed = self.postpone(formula, both)?;
                let released = self.now_or_later(f, None, postponed)?;
                self.with(g, &released)
            }
            Node::Always(f) => match self.recurring(formula) {
                Some(_) => self.one_at_a_time(&[formula]),
                None => self.with(f, &[again(formula)]),
            },
        }
    }

    /// Covers `now`, or otherwise `meanwhile` together with `later`.
    fn now_or_later(&mut self, now: Id, meanwhile: Option<Id>, later: Cover) -> Result<Vec<Cover>, TooLarge> {
        let mut covers = self.covers(now)?.to_vec();
        match meanwhile {
            Some(meanwhile) => covers.extend(self.with(meanwhile, &[later])?),
            None => covers.push(later),
        }
        self.smallest(covers)
    }

    fn with(&mut self, formula: Id, others: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
        let covers = self.covers(formula)?;
        self.product(&covers, others)
    }

    /// Returns the cover with the formula itself next, and `promise` postponed.
    fn postpone(&mut self, formula: Id, promise: Id) -> Result<Cover, TooLarge> {
        let known = self.promises.iter().position(|&other| other == promise);
        let index = known.unwrap_or_else(|| {
            self.promises.push(promise);
            self.promises.len() - 1
        });
        if index < MAX_PROMISES {
            Ok(Cover { promises: 1 << index, ..again(formula) })
        } else {
            Err(TooLarge)
        }
    }

    fn product(&mut self, left: &[Cover], right: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
        self.spend(left.len() * right.len())?;
        let both = left.iter().flat_map(|left| right.iter().filter_map(|right| left.and(right))).collect();
        self.smallest(both)
    }

    /// Removes covers that require more than another one.
    fn smallest(&mut self, mut covers: Vec<Cover>) -> Result<Vec<Cover>, TooLarge> {
        covers.sort_unstable();
        covers.dedup();
        let mut kept: Vec<Cover> = Vec::new();
        for cover in covers {
            self.spend(kept.len())?;
            if kept.iter().any(|other| other.asks_less(&cover)) {
                continue;
            }
            kept.retain(|other| !cover.asks_less(other));
            kept.push(cover);
        }
        Ok(kept)
    }

    fn spend(&mut self, effort: usize) -> Result<(), TooLarge> {
        checkpoint();
        self.effort += effort;
        if self.effort <= MAX_EFFORT { Ok(()) } else { Err(TooLarge) }
    }
}

fn again(formula: Id) -> Cover {
    Cover { next: vec![formula], ..Cover::NOTHING }
}
