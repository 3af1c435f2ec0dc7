//! Task models in Rust syntax. `docs/task-language.md` is the reference.

pub mod program;
