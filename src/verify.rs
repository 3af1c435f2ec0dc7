//! Puts engine, names and search together: from a checked model, a property
//! and constraints to a [`Report`].
//!
//! [`engine`] has the table of engines, and [`assemble`] makes questions of texts. [`question`] is what is asked, [`check()`] answers it, [`replay`] checks
//! every counterexample again by other means before anyone sees it, and
//! [`report`] is the answer as plain data, with names from [`summary`].

mod adjacency;
pub mod assemble;
mod check;
mod counterexample;
pub mod draw;
pub mod drawing;
pub mod engine;
pub mod explicit;
mod follow;
pub mod outline;
pub mod question;
pub mod replay;
pub mod report;
pub mod select;
pub mod simulate;
pub mod summary;
pub mod trail;
pub mod unreached;

pub use crate::flow::Form;
pub use crate::search::strategy::manual;
pub use crate::search::{Choice, Limits};
pub use check::{Answer, Assembly, check};
pub use question::{Adjacency, Constraint, Question, strategy, strategy_of};
pub use report::{Report, Verdict};
pub use select::select;
pub use summary::{Subject, report as report_of};
