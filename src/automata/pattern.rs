//! Specification patterns and their scopes as automata.
//!
//! A pattern (Dwyer, Avrunin, Corbett 1999) is a small *base* automaton; a
//! scope selects the segments of a sequence in which the base runs. The
//! published templates assume disjoint events. Four rules decide the other
//! cases:
//!
//! - The event that opens a scope is not part of it, nor is the event that
//!   closes it. Inside a scope its opening event is an ordinary event, so "no
//!   second lock between lock and unlock" is absence of `lock`.
//! - An event that closes a scope does not open the next one.
//! - An event that is both a request and a response is a response.
//! - `without` is a prohibition: after the first element of the pair has
//!   occurred where the chain applies, the forbidden event before the second
//!   element is a violation.

use super::{Dfa, MAX_EFFORT, MAX_STATES, State, Symbol, TooLarge};
use crate::base::cancel::checkpoint;
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

#[cfg(test)]
mod tests;

/// Any one of these symbols.
pub type Symbols = Vec<Symbol>;

/// A requirement within a scope. Fields are named as in the notation.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// No `of`.
    Absence { of: Symbols },
    /// At least one `of`.
    Existence { of: Symbols },
    /// At most `at_most` times `of`.
    BoundedExistence { of: Symbols, at_most: u32 },
    /// The condition that `starts` makes true and `stops` makes false is true
    /// throughout the scope. It is tracked outside the scope too.
    Universality { starts: Symbols, stops: Symbols, initially: bool },
    /// `before` only after a `first`.
    Precedence { first: Symbols, before: Symbols },
    /// Every `of` is followed by a `to`.
    Response { of: Symbols, to: Symbols },
    /// `before` only after `first`, then `second`.
    PrecedenceChain21 { first: Symbols, second: Symbols, before: Symbols, without: Symbols },
    /// `second` after a `first` only if `required` came before that `first`.
    PrecedenceChain12 { required: Symbols, first: Symbols, second: Symbols, without: Symbols },
    /// Every `of` is followed by `first`, then `second`.
    ResponseChain12 { of: Symbols, first: Symbols, second: Symbols, without: Symbols },
    /// Every `first` with a `second` after it is then followed by a `to`.
    ResponseChain21 { first: Symbols, second: Symbols, to: Symbols, without: Symbols },
}

/// Segments of a sequence in which a pattern must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// Up to the first of these events, if there is one.
    Before(Symbols),
    /// From the first of these events on.
    After(Symbols),
    /// In every segment from the first set to the second that is closed.
    Between(Symbols, Symbols),
    /// In every segment from the first set to the second, closed or not.
    AfterUntil(Symbols, Symbols),
}

impl Pattern {
    /// Returns the minimal automaton of the sequences that satisfy the pattern
    /// in the scope.
    pub fn compile(&self, scope: &Scope, n_symbols: usize) -> Result<Dfa, TooLarge> {
        let base = self.base(n_symbols)?;
        Ok(Scoped { base: &base, scope, n_symbols }.explore())
    }

    fn base(&self, n_symbols: usize) -> Result<Base, TooLarge> {
        let base = |accepting: &[State]| Base::new(n_symbols, accepting);
        Ok(match self {
            Pattern::Absence { of } => base(&[0]).with(0, of, TRAP),
            Pattern::Existence { of } => base(&[1]).with(0, of, 1),
            Pattern::BoundedExistence { of, at_most } => bounded(n_symbols, of, *at_most)?,
            Pattern::Universality { starts, stops, initially } => {
                universality(n_symbols, starts, stops, *initially)
            }
            Pattern::Precedence { first, before } => base(&[0, 1]).with(0, first, 1).with(0, before, TRAP),
            Pattern::Response { of, to } => base(&[0]).with(0, of, 1).with(0, to, 0).with(1, to, 0),
            Pattern::PrecedenceChain21 { first, second, before, without } => base(&[0, 1, 2])
                .with(0, first, 1)
                .with(0, before, TRAP)
                .with(1, second, 2)
                .with(1, before, TRAP)
                .with(1, without, TRAP),
            Pattern::PrecedenceChain12 { required, first, second, without } => base(&[0, 1, 2])
                .with(0, required, 2)
                .with(0, first, 1)
                .with(1, second, TRAP)
                .with(1, without, TRAP),
            // States: nothing pending; `first` pending; `second` pending; both
            // pending, the `second` for an earlier `of`.
            Pattern::ResponseChain12 { of, first, second, without } => base(&[0])
                .with(0, of, 1)
                .with(1, first, 2)
                .with(2, second, 0)
                .with(2, without, TRAP)
                .with(2, of, 3)
                .with(3, &common(first, second), 2)
                .with(3, second, 1)
                .with(3, without, TRAP)
                .with(3, first, 2),
            // States: nothing; `first` seen; `to` pending; both. A `second`
            // that is also a `first` begins the next pair.
            Pattern::ResponseChain21 { first, second, to, without } => base(&[0, 1])
                .with(0, first, 1)
                .with(1, &common(first, second), 3)
                .with(1, second, 2)
                .with(1, without, TRAP)
                .with(2, to, 0)
                .with(2, first, 3)
                .with(3, &common(first, second), 3)
                .with(3, second, 2)
                .with(3, without, TRAP)
                .with(3, to, 1),
        })
    }
}

/// The trap of every base; the other states are numbered from zero.
const TRAP: State = State::MAX;

/// An automaton that runs inside a scope. Missing transitions stay in their
/// state.
struct Base {
    /// The first transition added for a state and symbol is kept.
    arrows: BTreeMap<(State, Symbol), State>,
    accepting: Vec<State>,
    n_symbols: usize,
    condition: Option<Condition>,
}

/// The condition of universality, which is tracked outside scopes too.
struct Condition {
    starts: Symbols,
    stops: Symbols,
    initially: bool,
}

impl Base {
    fn new(n_symbols: usize, accepting: &[State]) -> Self {
        Self { arrows: BTreeMap::new(), accepting: accepting.to_vec(), n_symbols, condition: None }
    }

    /// Adds transitions; earlier ones have precedence.
    fn with(mut self, from: State, symbols: &[Symbol], to: State) -> Self {
        for &symbol in symbols {
            assert!((symbol as usize) < self.n_symbols, "pattern arguments are symbols");
            self.arrows.entry((from, symbol)).or_insert(to);
        }
        self
    }

    fn next(&self, state: State, symbol: Symbol) -> State {
        self.arrows.get(&(state, symbol)).copied().unwrap_or(state)
    }

    fn accepts(&self, state: State) -> bool {
        self.accepting.contains(&state)
    }

    /// Returns the truth of the condition after `symbol`.
    fn follow(&self, truth: bool, symbol: Symbol) -> bool {
        match &self.condition {
            Some(condition) if condition.starts.contains(&symbol) => true,
            Some(condition) if condition.stops.contains(&symbol) => false,
            _ => truth,
        }
    }
}

fn common(a: &[Symbol], b: &[Symbol]) -> Symbols {
    a.iter().copied().filter(|symbol| b.contains(symbol)).collect()
}

fn bounded(n_symbols: usize, of: &[Symbol], at_most: u32) -> Result<Base, TooLarge> {
    if at_most as usize >= MAX_STATES / 2 || at_most as usize * of.len() > MAX_EFFORT / 8 {
        return Err(TooLarge);
    }
    let states: Vec<State> = (0..=at_most).collect();
    let base = Base::new(n_symbols, &states);
    Ok(states
        .iter()
        .fold(base, |base, &state| base.with(state, of, if state == at_most { TRAP } else { state + 1 })))
}

/// Creates the base of universality. State 0: true so far; state 1: it was
/// false at some position.
fn universality(n_symbols: usize, starts: &[Symbol], stops: &[Symbol], initially: bool) -> Base {
    let condition = Condition { starts: starts.to_vec(), stops: stops.to_vec(), initially };
    let base = Base::new(n_symbols, &[0]).with(0, starts, 0).with(0, stops, 1);
    Base { condition: Some(condition), ..base }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Outside { truth: bool },
    Inside { base: State, truth: bool },
    Satisfied,
    Violated,
}

/// A base in its scope.
struct Scoped<'a> {
    base: &'a Base,
    scope: &'a Scope,
    n_symbols: usize,
}

impl Scoped<'_> {
    fn explore(&self) -> Dfa {
        let mut places = vec![self.start()];
        let mut numbers = BTreeMap::from([(places[0], 0)]);
        let mut next = Vec::new();
        let mut done = 0;
        while done < places.len() {
            checkpoint();
            for symbol in 0..self.n_symbols as Symbol {
                let place = self.next(places[done], symbol);
                next.push(*numbers.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() as State - 1
                }));
            }
            done += 1;
        }
        let mut accepting = FixedBitSet::with_capacity(places.len());
        for (state, &place) in places.iter().enumerate() {
            accepting.set(state, self.accepts(place));
        }
        Dfa::new(self.n_symbols, 0, accepting, next).minimise()
    }

    fn start(&self) -> At {
        let truth = self.base.condition.as_ref().is_none_or(|condition| condition.initially);
        match self.scope {
            Scope::Global | Scope::Before(_) => self.enter(truth),
            _ => At::Outside { truth },
        }
    }

    fn enter(&self, truth: bool) -> At {
        At::Inside { base: State::from(!truth), truth }
    }

    fn next(&self, at: At, symbol: Symbol) -> At {
        match at {
            At::Outside { truth } => {
                let truth = self.base.follow(truth, symbol);
                if self.opens(symbol) { self.enter(truth) } else { At::Outside { truth } }
            }
            At::Inside { base, truth } if self.closes(symbol) => match self.scope {
                _ if !self.base.accepts(base) => At::Violated,
                Scope::Before(_) => At::Satisfied,
                _ => At::Outside { truth: self.base.follow(truth, symbol) },
            },
            At::Inside { base, truth } => {
                At::Inside { base: self.base.next(base, symbol), truth: self.base.follow(truth, symbol) }
            }
            At::Satisfied | At::Violated => at,
        }
    }

    fn opens(&self, symbol: Symbol) -> bool {
        match self.scope {
            Scope::Global | Scope::Before(_) => false,
            Scope::After(open) | Scope::Between(open, _) | Scope::AfterUntil(open, _) => {
                open.contains(&symbol)
            }
        }
    }

    fn closes(&self, symbol: Symbol) -> bool {
        match self.scope {
            Scope::Global | Scope::After(_) => false,
            Scope::Before(close) | Scope::Between(_, close) | Scope::AfterUntil(_, close) => {
                close.contains(&symbol)
            }
        }
    }

    fn accepts(&self, at: At) -> bool {
        match at {
            At::Outside { .. } | At::Satisfied => true,
            At::Violated => false,
            At::Inside { base, .. } => {
                matches!(self.scope, Scope::Before(_) | Scope::Between(..)) || self.base.accepts(base)
            }
        }
    }
}
