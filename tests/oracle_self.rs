//! The reference interpreter against models whose sequences are known.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::interpret::{Limits, explore};
use common::language::{Which, sequences};
use common::model::*;

/// Explores, and compares all sequences with the expected ones, each written
/// with blanks between the labels.
#[track_caller]
fn check(model: &Model, which: Which, expected: &[&str]) {
    let graph = explore(model, &Limits::default()).unwrap();
    let found = sequences(&graph, |_| true, which, 12, 10_000);
    let found: Vec<String> = found.words.into_iter().map(|word| word.join(" ")).collect();
    let mut expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
    expected.sort();
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(sorted, expected, "{}", common::print::print(model));
}

fn tasks(tasks: Vec<Task>) -> Model {
    Model { tasks, ..Model::default() }
}

#[test]
fn tasks_interleave() {
    let model =
        tasks(vec![Task::single("a", vec![event("x"), event("y")]), Task::single("b", vec![event("z")])]);
    check(&model, Which::Complete, &["x y z", "x z y", "z x y"]);
}
