//! Properties and constraints in YAML. `docs/spec-language.md` is the
//! reference.

pub mod property;
