//! The strategy language: one string selects how to search.
//!
//! ```text
//! strategy = stage [ "/" stage ]         the second stage stays among trapped states
//! stage    = queue { "|" queue }         queues take turns over one visited set
//! queue    = rule { "+" rule }           the next rule breaks the ties of the one before
//! rule     = name [ "(" argument { "," argument } ")" ]
//! ```
//!
//! The first stage hands every trapped state to the second, which is served
//! as long as it holds any. When it is exhausted the first goes on where it
//! stopped, over the same visited set: the whole is complete, and no work is
//! done twice.
//!
//! [`parse()`] reads a string, [`manual`] has what can be said in it, and a
//! [`Strategy`] shows itself in a form that, read again, is the same.

pub mod manual;
mod parse;
#[cfg(test)]
mod tests;

use crate::system::Guide;
use std::fmt;

pub use parse::{Choice, parse};

/// How to search, in one or two stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The first, and for two-stage searches the second.
    pub stages: Vec<Stage>,
}

/// Queues that take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// At least one.
    pub queues: Vec<Chain>,
}

/// Rules of which each breaks the ties of those before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// At least one.
    pub rules: Vec<Rule>,
}

/// Which state comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The one with the shortest path.
    Bfs,
    /// The same once its stage has taken so many states: from then on the
    /// other queues are given up.
    BfsAfter {
        /// How many.
        turns: u32,
    },
    /// The one with the shortest path, with a depth-first search beside it.
    Mixed,
    /// The newest one.
    Dfs {
        /// Paths may be this long.
        depth: Option<u32>,
    },
    /// The newest one, and behind a goal only what may lead to another sooner.
    Shorten(Shorten),
    /// All of a region, then all of the next, to the fixpoint.
    Propagate,
    /// The one with the smallest estimate.
    Best {
        /// The heuristic.
        heuristic: String,
        /// After so many turns its queue is given up; what waits there waits
        /// in another queue of the stage too.
        turns: Option<u32>,
    },
    /// The one with the smallest sum of path length and weighted estimate.
    Weighted {
        /// The heuristic.
        heuristic: String,
        /// Of the estimate.
        weight: Weight,
        /// Which path counts.
        g: PathLength,
    },
    /// The one with the smallest sum of path length and estimate; a goal
    /// counts when its turn comes, not when it is first seen.
    AStar {
        /// The heuristic.
        heuristic: String,
    },
}

/// How a depth-first search goes on behind a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorten {
    /// Along shorter ways only, until there is none: SPIN's `-i`.
    Exact,
    /// Along ways of half the length only, each state once: SPIN's `-I`.
    Quick,
}

/// A weight with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Hundredths.
    hundredths: u32,
}

/// Which path to a state counts when several lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathLength {
    /// The first that was found.
    First,
    /// The shortest so far: a shorter one opens the state again.
    Best,
}

/// What a strategy promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Nothing found means nothing there.
    pub complete: bool,
    /// No counterexample is shorter.
    pub shortest: bool,
    /// No counterexample is trapped sooner.
    pub shortest_prefix: bool,
}

impl Strategy {
    /// Breadth first.
    pub fn bfs() -> Self {
        Self::of(Rule::Bfs)
    }

    /// Breadth first with depth first beside it.
    pub fn mixed() -> Self {
        Self::of(Rule::Mixed)
    }

    /// One rule, one queue, one stage.
    pub fn of(rule: Rule) -> Self {
        Self { stages: vec![Stage { queues: vec![Chain { rules: vec![rule] }] }] }
    }

    /// The rule, if there is only one.
    pub fn only_rule(&self) -> Option<&Rule> {
        match &self.stages[..] {
            [stage] => match &stage.queues[..] {
                [chain] if chain.rules.len() == 1 => chain.rules.first(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is there a second stage, so that a trap is needed?
    pub fn has_two_stages(&self) -> bool {
        self.stages.len() > 1
    }

    /// All rules, from left to right.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.stages.iter().flat_map(|stage| &stage.queues).flat_map(|chain| &chain.rules)
    }

    /// Does a goal count only when its turn comes?
    pub fn waits_for_turn(&self) -> bool {
        self.rules().any(|rule| matches!(rule, Rule::AStar { .. }))
    }

    /// Does a shorter path open a state again?
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

    /// Is breadth-first search one rule among others, so that states wait in a
    /// queue ordered by the lengths of their paths?
    pub fn ranks_by_length(&self) -> bool {
        self.only_rule().is_none() && self.rules().any(|rule| *rule == Rule::Bfs)
    }

    /// The longest path allowed.
    pub fn depth_bound(&self) -> Option<u32> {
        self.rules().find_map(|rule| match rule {
            Rule::Dfs { depth } => *depth,
            _ => None,
        })
    }

    /// What it promises, given what the heuristics do.
    pub fn claims(&self, guides: &[Guide]) -> Claims {
        let admissible = |name: &str| guides.iter().any(|guide| guide.name == name && guide.admissible);
        let is_shortest = |stage: &Stage| match &stage.queues[..] {
            [chain] => match chain.rules.first() {
                Some(Rule::Bfs | Rule::Shorten(Shorten::Exact)) => true,
                Some(Rule::AStar { heuristic }) => admissible(heuristic),
                _ => false,
            },
            _ => false,
        };
        let two_stages = self.has_two_stages();
        Claims {
            complete: self.depth_bound().is_none(),
            shortest: !two_stages && is_shortest(&self.stages[0]),
            shortest_prefix: two_stages && is_shortest(&self.stages[0]),
        }
    }
}

impl Chain {
    /// When it takes over from the other queues of its stage, if it does.
    pub fn after(&self) -> Option<u32> {
        match self.rules[..] {
            [Rule::BfsAfter { turns }] => Some(turns),
            _ => None,
        }
    }
}

impl Rule {
    /// The heuristic that is asked.
    pub fn heuristic(&self) -> Option<&str> {
        match self {
            Self::Best { heuristic, .. } | Self::Weighted { heuristic, .. } | Self::AStar { heuristic } => {
                Some(heuristic)
            }
            _ => None,
        }
    }
}

impl Weight {
    /// The estimate as it is.
    pub const ONE: Self = Self { hundredths: 100 };

    /// Most that a weight can be.
    pub const MOST: u32 = 1000;

    /// Reads a number with at most two decimals, not above [`Self::MOST`].
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if whole.is_empty() || whole.len() > 4 || decimals.len() > 2 || !digits(whole) || !digits(decimals) {
            return None;
        }
        let hundredths = format!("{whole}{decimals:0<2}").parse().ok()?;
        (hundredths <= Self::MOST * 100).then_some(Self { hundredths })
    }

    /// Numerator and denominator, as small as they can be.
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
