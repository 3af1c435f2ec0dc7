//! Puts engine, names and search together: from a model, a property and
//! constraints to a [`Report`].
//!
//! [`workspace`] goes from texts to reports; [`engine`] has the table of
//! engines. A [`Question`] is what is asked of any engine; [`Question::check`] is
//! the door to all of them, and [`report`] is the answer as plain data. What
//! only one engine knows is in [`flow`] and [`explicit`].

pub mod confirm;
pub mod draw;
pub mod drawing;
pub mod engine;
pub mod explicit;
pub mod flow;
mod follow;
pub mod outline;
pub mod question;
pub mod recorded;
pub mod report;
pub mod select;
pub mod simulate;
pub mod trail;
pub mod unreached;
pub mod workspace;

pub use crate::search::strategy::manual;
pub use crate::search::{Limits, StrategyChoice};
pub use confirm::{Confirm, ConfirmBudget, ConfirmOptions};
pub use explicit::ExplicitProblem;
pub use flow::{Adjacency, Constraint, FlowProblem, Form};
pub use question::{Problem, Question, SearchOptions, TrailDetail};
pub use report::{Report, Verdict};
pub use select::select;
