//! Front ends: text in, checked plain data and diagnostics out. No file is
//! read here: [`library`] is where texts come from, and [`language`] says what
//! a text is.

pub mod language;
pub mod library;
pub mod promela;
pub mod spec;
pub mod task;
