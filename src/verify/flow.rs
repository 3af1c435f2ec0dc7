//! Answers questions about task models by the flow engine: searches the trace
//! flow graph, which contains every execution and some paths that are not
//! executions, for a path that every constraint accepts and the property does
//! not.
//!
//! [`solve()`] answers a [`problem`], `adjacency` keeps an additional constraint
//! from losing a proof, `attempt` bounds what that costs, [`replay`] checks every counterexample again by other
//! means before it is reported, `proposals` finds constraints that reject it, and
//! `summary` creates a report.

mod adjacency;
mod attempt;
mod counterexample;
mod graphs;
pub mod problem;
mod proposals;
pub mod replay;
mod solve;
mod summary;

pub use crate::flow::Form;
pub use graphs::GraphCache;
pub use problem::{Adjacency, Constraint, FlowProblem, KnownSets};
pub use proposals::{Witness, passes};
pub use solve::{Answer, Assembly, IsDecided, solve, solve_unless};
pub(super) use summary::report;
