//! Puts engine, names and search together: from a checked model, a property
//! and constraints to a [`Report`].

pub mod report;

pub use report::{Report, Verdict};
