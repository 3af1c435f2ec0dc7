//! Front ends: text in, checked plain data and diagnostics out. No file is
//! read here.

pub mod promela;
pub mod spec;
pub mod task;
