//! Front ends: from texts to checked plain data and diagnostics. No file is
//! read here: [`library`] provides the texts, and [`language`] recognises their
//! languages.

pub mod language;
pub mod library;
pub mod promela;
pub mod spec;
pub mod task;
