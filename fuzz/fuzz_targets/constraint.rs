//! Any text as a constraint file: diagnostics, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trapline::diag::{Diagnostic, Sources};
use trapline::lang::spec::parse_constraint_file;

fuzz_target!(|text: &str| {
    let labels: Vec<String> =
        ["a", "b", "c", "t2.lock", "t2.unlock", "x=1", "enter[0]", "enter[1]"].map(String::from).into();
    let mut sources = Sources::default();
    let id = sources.add("constraint.yaml", text);
    let draw = |diagnostics: &[Diagnostic]| {
        for diagnostic in diagnostics {
            diagnostic.render(&sources, false);
        }
    };
    match parse_constraint_file(id, &sources) {
        Err(mistakes) => draw(&mistakes),
        Ok(constraint) => match constraint.resolve(&labels) {
            Err(mistakes) => draw(&mistakes),
            Ok(constraint) => draw(&constraint.warnings),
        },
    }
});
