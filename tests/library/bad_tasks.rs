//! Models with mistakes: each `tests/bad/task/NAME.rs` has the diagnostics of
//! `NAME.expected`. `UPDATE_EXPECT=1` rewrites them.

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use trapline::diag::Sources;
use trapline::lang::task;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/task");
    let files = std::fs::read_dir(folder).expect("the folder of bad models exists");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let mut models: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "rs")).collect();
    models.sort();
    models
}

/// What the user sees.
fn shown(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a model is text");
    let name = path.file_name().expect("a model has a name").to_string_lossy();
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let loaded = task::load(source, &sources, &[]);
    let has_error = loaded.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert_eq!(loaded.program.is_none(), has_error, "{}", path.display());
    let rendered = loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&sources, false));
    rendered.collect::<Vec<_>>().join("\n\n") + "\n"
}

#[test]
fn every_mistake_is_explained() {
    let models = models();
    assert!(models.len() >= 45);
    for path in models {
        expect_file![path.with_extension("expected")].assert_eq(&shown(&path));
    }
}
