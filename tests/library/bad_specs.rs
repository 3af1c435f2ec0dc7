//! Every mistake in a specification and what the user is shown for it.
//!
//! `tests/bad/spec/NAME.yaml` is read as a property file, or as a constraint
//! file if its name begins with `constraint-`, or as a file of sets if it
//! begins with `sets-`; `NAME.expected` holds all diagnostics. `UPDATE_EXPECT=1` rewrites the expectations.

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Sources};
use trapline::lang::spec::{parse_constraint_file, parse_constraint_sets, parse_property_file};

/// The labels of an imagined model.
const LABELS: &[&str] = &[
    "t2.lock",
    "t2.unlock",
    "server.request",
    "server.grant",
    "worker[1].start",
    "worker[2].start",
    "worker[1].stop",
    "worker[2].stop",
    "open",
    "close",
];

/// No text, however mangled, brings the reader or the drawing down.
#[test]
fn mangled_specifications_are_refused_or_read() {
    const PIECES: &[&str] = &[
        "{", "}", "[", "]", "(", ")", "*", "+", "?", "^", ";", "|", ":", ",", ".", "-", "'", "\"", "\\", "#",
        "&a ", "*a", " ", "\n", "\n  ", "\t", "\r\n", "9", "99999", "trap", "é", "\u{3000}", "\u{feff}",
        "\0", "{0,3}", "---\n",
    ];
    let texts: Vec<String> = files().iter().map(|file| read(file)).collect();
    let mut seed: u64 = 1;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for round in 0..4_000 {
        let mut text: Vec<char> = texts[below(texts.len())].chars().collect();
        for _ in 0..1 + below(4) {
            let at = below(text.len() + 1);
            let end = (at + below(4)).min(text.len());
            text.splice(at..end, PIECES[below(PIECES.len())].chars());
        }
        let text: String = text.into_iter().collect();
        for name in ["property.yaml", "constraint-.yaml", "sets-.yaml"] {
            let outcome = std::panic::catch_unwind(|| shown(name, &text));
            assert!(outcome.is_ok(), "round {round} fails on {text:?}");
        }
    }
}

#[test]
fn every_bad_specification_is_explained() {
    let files = files();
    assert!(files.len() >= 25, "bad specifications have gone missing");
    for file in files {
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let shown = shown(&name, &read(&file));
        assert!(!shown.is_empty(), "{} is not bad", file.display());
        expect_file![file.with_extension("expected")].assert_eq(&shown);
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/spec");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of bad specifications exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    files
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a specification can be read")
}

fn shown(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let is_constraint = name.starts_with("constraint-");
    let source = sources.add(name, text);
    let labels: Vec<String> = LABELS.iter().map(|label| label.to_string()).collect();
    let diagnostics = if is_constraint {
        parse_constraint_file(source, &sources)
            .and_then(|constraint| constraint.resolve(&labels))
            .map_or_else(|mistakes| mistakes, |constraint| constraint.warnings)
    } else if name.starts_with("sets-") {
        parse_constraint_sets(source, &sources).map_or_else(|mistakes| mistakes, |_| Vec::new())
    } else {
        property_diagnostics(parse_property_file(source, &sources), &labels)
    };
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(&sources, false) + "\n")
        .collect::<Vec<_>>()
        .join("\n")
}

fn property_diagnostics(
    file: Result<trapline::lang::spec::PropertyFile, Vec<Diagnostic>>,
    labels: &[String],
) -> Vec<Diagnostic> {
    match file {
        Err(mistakes) => mistakes,
        Ok(file) => file
            .properties
            .iter()
            .flat_map(|property| property.resolve(labels).map_or_else(|mistakes| mistakes, |p| p.warnings))
            .collect(),
    }
}
