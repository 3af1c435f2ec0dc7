//! From the text of a generated model to a program.

#![allow(missing_docs)]

use trapline::diag::Sources;
use trapline::lang::task::program::Program;
use trapline::lang::task::{Loaded, load};

/// Compiles a model that is right by construction.
pub fn compile(source: &str) -> Program {
    let mut sources = Sources::default();
    let id = sources.add("model.rs", source);
    let Loaded { program, diagnostics } = load(id, &sources, &[]);
    program.unwrap_or_else(|| {
        let shown: Vec<String> = diagnostics.iter().map(|mistake| mistake.render(&sources, false)).collect();
        panic!("a generated model is refused:\n{source}\n{}", shown.join("\n"))
    })
}
