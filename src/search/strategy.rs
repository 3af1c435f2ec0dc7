//! The strategy language: one string selects how to search.
//!
//! ```text
//! strategy = stage [ "/" stage ]         the second stage stays among trapped states
//! stage    = queue { "|" queue }         queues take turns over one visited set
//! queue    = rule { "+" rule }           the next rule breaks the ties of the one before
//! rule     = name [ "(" argument { "," argument } ")" ]
//! ```
//!
//! The first stage passes every trapped state to the second, which is served as
//! long as it is not empty. When it is empty the first stage continues with the
//! same visited set: the search is complete, and no work is repeated.
//!
//! [`parse()`] reads a string, [`manual`] describes the language, and a
//! [`Strategy`] prints itself in a form that parses to the same strategy.

pub mod manual;
mod parse;
#[cfg(test)]
mod tests;

use crate::system::Guide;
use std::fmt;

pub use parse::{StrategyChoice, parse};

/// A search strategy with one or two stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// One stage, or two.
    pub stages: Vec<Stage>,
}

/// Queues that take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// At least one queue.
    pub queues: Vec<Chain>,
}

/// A list of rules; each breaks the ties of those before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// At least one rule.
    pub rules: Vec<Rule>,
}

/// A rule that selects the next state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The state with the shortest path.
    Bfs,
    /// The state with the shortest path, once its stage has taken `turns`
    /// states; then the other queues are dropped.
    BfsAfter {
        /// Number of states.
        turns: u32,
    },
    /// The state with the shortest path, with a depth-first search beside it.
    Mixed,
    /// The newest state.
    Dfs {
        /// Maximum length of paths.
        depth: Option<u32>,
    },
    /// The newest state, and after a goal only on paths that can lead to a
    /// shorter counterexample.
    Shorten(Shorten),
    /// All states of a region, then all of the next, to the fixpoint.
    Propagate,
    /// The state with the smallest estimate.
    Best {
        /// The heuristic.
        heuristic: String,
        /// Number of turns after which the queue is dropped; its states are
        /// also in another queue of the stage.
        turns: Option<u32>,
    },
    /// The state with the smallest sum of path length and weighted estimate.
    Weighted {
        /// The heuristic.
        heuristic: String,
        /// Weight of the estimate.
        weight: Weight,
        /// Which path determines the length.
        g: PathLength,
    },
    /// The state with the smallest sum of path length and estimate; a goal is
    /// reported when it is taken from the queue, not when it is generated.
    AStar {
        /// The heuristic.
        heuristic: String,
    },
    /// Depth-first searches along paths whose length plus estimate does not
    /// exceed a growing bound.
    Deepening {
        /// The heuristic.
        heuristic: String,
        /// How visited states are stored.
        memory: DeepeningMemory,
    },
}

/// How iterative deepening stores the states of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeepeningMemory {
    /// Not at all: every path is followed.
    Nothing,
    /// As whole states.
    Table,
    /// As bits: states may be missed.
    Bits,
}

/// How a depth-first search continues after a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorten {
    /// On shorter paths only, until there is none: SPIN's `-i`.
    Exact,
    /// On paths of half the length only, each state once: SPIN's `-I`.
    Quick,
}

/// A weight with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Weight in hundredths.
    hundredths: u32,
}

/// Which of several paths to a state determines its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathLength {
    /// The first path found.
    First,
    /// The shortest path so far: a shorter one reopens the state.
    Best,
}

/// Guarantees of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// If no counterexample is found, none exists.
    pub complete: bool,
    /// No counterexample is shorter.
    pub shortest: bool,
    /// No counterexample has a shorter prefix up to a trapped state.
    pub shortest_prefix: bool,
}

impl Strategy {
    /// Returns breadth-first search.
    pub fn bfs() -> Self {
        Self::of(Rule::Bfs)
    }

    /// Returns breadth-first search with a depth-first search beside it.
    pub fn mixed() -> Self {
        Self::of(Rule::Mixed)
    }

    /// Returns the strategy of a single rule.
    pub fn of(rule: Rule) -> Self {
        Self { stages: vec![Stage { queues: vec![Chain { rules: vec![rule] }] }] }
    }

    /// Returns the rule, if there is only one.
    pub fn only_rule(&self) -> Option<&Rule> {
        match &self.stages[..] {
            [stage] => match &stage.queues[..] {
                [chain] if chain.rules.len() == 1 => chain.rules.first(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether there is a second stage, which needs a trap.
    pub fn has_two_stages(&self) -> bool {
        self.stages.len() > 1
    }

    /// Iterates over all rules from left to right.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.stages.iter().flat_map(|stage| &stage.queues).flat_map(|chain| &chain.rules)
    }

    /// Returns whether a goal is reported only when it is taken from the queue.
    pub fn waits_for_turn(&self) -> bool {
        self.rules().any(|rule| matches!(rule, Rule::AStar { .. }))
    }

    /// Returns whether a shorter path reopens a state.
    pub fn reopens(&self) -> bool {
        self.rules().any(|rule| {
            matches!(
                rule,
                Rule::AStar { .. }
                    | Rule::Weighted { g: PathLength::Best, .. }
                    | Rule::Dfs { depth: Some(_) }
            )
        })
    }

    /// Returns whether breadth-first search is one rule among others, so that
    /// states are in a queue ordered by path length.
    pub fn ranks_by_length(&self) -> bool {
        self.only_rule().is_none() && self.rules().any(|rule| *rule == Rule::Bfs)
    }

    /// Returns the maximum length of paths.
    pub fn depth_bound(&self) -> Option<u32> {
        self.rules().find_map(|rule| match rule {
            Rule::Dfs { depth } => *depth,
            _ => None,
        })
    }

    /// Returns whether states can be missed because others look like them.
    pub fn may_miss_states(&self) -> bool {
        self.rules().any(|rule| matches!(rule, Rule::Deepening { memory: DeepeningMemory::Bits, .. }))
    }

    /// Returns the guarantees of the strategy, given those of the heuristics.
    pub fn claims(&self, guides: &[Guide]) -> Claims {
        let admissible = |name: &str| guides.iter().any(|guide| guide.name == name && guide.admissible);
        let is_shortest = |stage: &Stage| match &stage.queues[..] {
            [chain] => match chain.rules.first() {
                Some(Rule::Bfs | Rule::Shorten(Shorten::Exact)) => true,
                Some(Rule::AStar { heuristic }) => admissible(heuristic),
                Some(Rule::Deepening { heuristic, memory }) => {
                    *memory != DeepeningMemory::Bits && admissible(heuristic)
                }
                _ => false,
            },
            _ => false,
        };
        let two_stages = self.has_two_stages();
        Claims {
            complete: self.depth_bound().is_none() && !self.may_miss_states(),
            shortest: !two_stages && is_shortest(&self.stages[0]),
            shortest_prefix: two_stages && is_shortest(&self.stages[0]),
        }
    }
}

impl Chain {
    /// Returns the number of turns after which this queue replaces the others
    /// of its stage, if it does.
    pub fn after(&self) -> Option<u32> {
        match self.rules[..] {
            [Rule::BfsAfter { turns }] => Some(turns),
            _ => None,
        }
    }
}

impl Rule {
    /// Returns the heuristic that the rule uses.
    pub fn heuristic(&self) -> Option<&str> {
        match self {
            Self::Best { heuristic, .. }
            | Self::Weighted { heuristic, .. }
            | Self::AStar { heuristic }
            | Self::Deepening { heuristic, .. } => Some(heuristic),
            _ => None,
        }
    }
}

impl Weight {
    /// The weight 1.
    pub const ONE: Self = Self { hundredths: 100 };

    /// Maximum weight.
    pub const MAX: u32 = 1000;

    /// Parses a number with at most two decimals that is not above
    /// [`Self::MAX`].
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if whole.is_empty() || whole.len() > 4 || decimals.len() > 2 || !digits(whole) || !digits(decimals) {
            return None;
        }
        let hundredths = format!("{whole}{decimals:0<2}").parse().ok()?;
        (hundredths <= Self::MAX * 100).then_some(Self { hundredths })
    }

    /// Returns numerator and denominator of the reduced fraction.
    pub fn fraction(self) -> (u32, u32) {
        let divisor = [100, 50, 25, 20, 10, 5, 4, 2].into_iter().find(|d| self.hundredths.is_multiple_of(*d));
        let divisor = divisor.unwrap_or(1);
        (self.hundredths / divisor, 100 / divisor)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        match rest {
            0 => write!(f, "{whole}"),
            rest if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            rest => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Bfs => f.write_str("bfs"),
            Self::Mixed => f.write_str("mixed"),
            Self::BfsAfter { turns } => write!(f, "bfs(after={turns})"),
            Self::Dfs { depth: None } => f.write_str("dfs"),
            Self::Dfs { depth: Some(depth) } => write!(f, "dfs(depth={depth})"),
            Self::Shorten(Shorten::Exact) => f.write_str("dfs(shorten=exact)"),
            Self::Shorten(Shorten::Quick) => f.write_str("dfs(shorten=quick)"),
            Self::Propagate => f.write_str("propagate"),
            Self::Best { heuristic, turns: None } => write!(f, "bf({heuristic})"),
            Self::Best { heuristic, turns: Some(turns) } => write!(f, "bf({heuristic}, turns={turns})"),
            Self::Weighted { heuristic, weight, g: PathLength::First } => {
                write!(f, "wa({heuristic}, w={weight})")
            }
            Self::Weighted { heuristic, weight, g: PathLength::Best } => {
                write!(f, "wa({heuristic}, w={weight}, g=best)")
            }
            Self::AStar { heuristic } => write!(f, "astar({heuristic})"),
            Self::Deepening { heuristic, memory: DeepeningMemory::Nothing } => write!(f, "ida({heuristic})"),
            Self::Deepening { heuristic, memory: DeepeningMemory::Table } => {
                write!(f, "ida({heuristic}, memory=table)")
            }
            Self::Deepening { heuristic, memory: DeepeningMemory::Bits } => {
                write!(f, "ida({heuristic}, memory=bits)")
            }
        }
    }
}

fn join<T: fmt::Display>(f: &mut fmt::Formatter, items: &[T], separator: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        join(f, &self.rules, " + ")
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        join(f, &self.queues, " | ")
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        join(f, &self.stages, " / ")
    }
}
