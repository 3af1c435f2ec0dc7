//! Statements that are never executed, against what pan lists:
//! `tests/spin/unreached.tsv`, written by `tests/spin/unreached.sh`.
//!
//! SPIN calls a statement reached as soon as a process has come to it, and
//! lists no `skip`: these are left out of the comparison.

use crate::read;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use trapline::diag::SourceId;
use trapline::verify::explicit::Aim;
use trapline::verify::outline::statement;
use trapline::verify::unreached::{UnreachedStatement, Why};
use trapline::verify::{ExplicitProblem, Question};
use trapline::verify::{Limits, Verdict};

const FOLDER: &str = "/usr/share/doc/spin/examples";

/// What SPIN does not list.
const SKIPS: &[&str] = &["skip", "true", "1", "(1)", "(true)"];

/// Larger models are left out.
const MOST_STATES: u64 = 100_000;

/// What is not the same, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("micro/atomic_goto_in", "SPIN forgets the beginning of an atomic sequence that is only jumped into"),
    (
        "Examples/abp.pml",
        "SPIN lists a loop that nobody comes back to, though its options were executed at its entry",
    ),
];

type Lines = BTreeMap<String, BTreeSet<usize>>;

/// Per model and proctype the lines that pan lists.
fn theirs() -> BTreeMap<String, Lines> {
    let table = fs::read_to_string("tests/spin/unreached.tsv").expect("the table is there");
    let mut all: BTreeMap<String, Lines> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let lines = cells[2].split(',').filter_map(|line| line.parse().ok()).collect();
        all.entry(cells[0].to_string()).or_default().insert(cells[1].to_string(), lines);
    }
    all
}

fn path_of(name: &str) -> PathBuf {
    match name.strip_prefix("micro/") {
        Some(name) => PathBuf::from(format!("tests/spin/micro/{name}.pml")),
        None => Path::new(FOLDER).join(name),
    }
}

/// Ours, if every state could be seen.
fn ours(path: &Path) -> Option<Lines> {
    let (program, sources) = read::program(path, &[]).ok()?;
    let limits = Limits { max_states: Some(MOST_STATES), max_bytes: None };
    let question = Question::from(ExplicitProblem::of_promela(&program, Aim::Safety).without_reduction())
        .with_limits(limits);
    let report = question.check(&mut |_| None).expect("safety can be asked of any model");
    let unreached = report.explicit().and_then(|it| it.unreached.clone());
    assert_eq!(unreached.is_some(), report.verdict == Verdict::Holds, "only a whole search says it");
    let mut lines = Lines::new();
    for found in unreached? {
        let is_listed = |it: &&UnreachedStatement| {
            let is_skip = SKIPS.contains(&statement(it.span, &sources).as_str());
            it.why != Why::NeverPossible && it.span.source == SourceId::new(0) && !is_skip
        };
        let never = found.statements.iter().filter(is_listed);
        let never = never.map(|it| sources.position(it.span).line).collect();
        lines.insert(found.proctype, never);
    }
    Some(lines)
}

#[test]
fn what_is_unreached_is_what_pan_lists() {
    let (mut n_compared, mut n_lines, mut wrong) = (0, 0, Vec::new());
    for (name, theirs) in theirs() {
        if DIFFERENT.iter().any(|(different, _)| name == *different) {
            continue;
        }
        let Some(ours) = ours(&path_of(&name)) else { continue };
        n_compared += 1;
        for (proctype, theirs) in &theirs {
            let ours = ours.get(proctype).cloned().unwrap_or_default();
            n_lines += theirs.len();
            if ours != *theirs {
                let only_ours: Vec<_> = ours.difference(theirs).collect();
                let only_theirs: Vec<_> = theirs.difference(&ours).collect();
                wrong
                    .push(format!("{name} {proctype}: only ours {only_ours:?}, only SPIN's {only_theirs:?}"));
            }
        }
    }
    println!("{n_compared} models, {n_lines} lines");
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_compared >= 20 && n_lines > 0, "only {n_compared} models with {n_lines} lines were compared");
}
