//! Any text as a task model: diagnostics, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trapline::diag::Sources;
use trapline::lang::task::load;

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let id = sources.add("model.rs", text);
    let loaded = load(id, &sources, &[]);
    for diagnostic in &loaded.diagnostics {
        diagnostic.render(&sources, false);
    }
    let refused = loaded.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert_eq!(loaded.program.is_none(), refused, "a model is refused if and only if it has an error");
    if let Some(program) = loaded.program {
        program.labels();
    }
});
