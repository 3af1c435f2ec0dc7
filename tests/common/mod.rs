//! An independent second opinion on task models, shared by integration tests.
//!
//! Nothing here names trapline. A [`model::Model`] is a syntax tree of its
//! own; [`print`] writes it as source text for trapline, [`interpret`] runs it
//! by the book (`docs/task-language.md`), [`generate`] invents small ones from
//! a seed, [`constructs`] counts what they have, and [`language`] reads label
//! sequences off the explored graph. [`share`]
//! says how many models a run takes.

#![allow(dead_code, missing_docs, clippy::unwrap_used)]

pub mod constructs;
pub mod generate;
pub mod interpret;
pub mod language;
pub mod machine;
pub mod model;
pub mod print;
pub mod share;
pub mod values;
