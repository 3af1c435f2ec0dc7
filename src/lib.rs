//! Trapline verifies event-sequence properties of concurrent programs and
//! finds short counterexamples fast.
//!
//! The rooms, lowest first; `ARCHITECTURE.md` says what each may name and
//! `tests/library/layers.rs` checks it.
//!
//! - [`base`]: typed ids; no word of verification.
//! - [`diag`]: source texts, spans, diagnostics.
//! - [`automata`]: finite automata and their operations, temporal formulas
//!   and Büchi automata.
//! - [`net`]: networks of processes, which front ends make and the explicit
//!   engine runs.
//! - [`lang`]: front ends for task models and specifications.
//! - [`verify`]: model, property and constraints to a verdict.
//! - [`experiment`]: studies that compare strategies.
//! - [`report`]: verdicts, graphs and studies as text and pictures.
//! - [`cli`]: flags, files, terminal, exit code.

pub mod automata;
pub mod base;
pub mod cli;
pub mod diag;
pub mod experiment;
pub mod explicit;
pub mod flow;
pub mod lang;
pub mod net;
pub mod report;
pub mod search;
pub mod system;
pub mod verify;
