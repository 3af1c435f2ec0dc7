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

#[test]
fn generated_models_are_varied() {
    use common::generate::{Shape, generate};
    let (mut n, mut talk, mut vars, mut complete, mut over, mut states, mut bodies, mut dead) =
        (0, 0, 0, 0, 0, 0, 0, 0);
    let mut sizes = Vec::new();
    for seed in 0..500 {
        let model = generate(seed, &Shape::default());
        assert_eq!(
            common::interpret::unmatched_calls(&model),
            [""; 0],
            "seed {seed}\n{}",
            common::print::print(&model)
        );
        n += 1;
        let Some(graph) = explore(&model, &Limits::default()) else {
            over += 1;
            continue;
        };
        states += graph.n_states;
        sizes.push(graph.n_states);
        talk += usize::from(graph.transitions.iter().any(|step| step.tasks.len() == 2));
        bodies += usize::from(graph.labels().iter().any(|label| label.ends_with(".end")));
        vars += usize::from(!graph.variables.is_empty());
        complete += usize::from(graph.completes());
        dead += usize::from(!graph.deadlocks().is_empty());
    }
    sizes.sort_unstable();
    println!(
        "{n} models: {talk} talk, {bodies} with bodies, {vars} with variables, {complete} complete, {dead} may deadlock, {over} too big, {} states in all, median {}, 90% {}",
        states,
        sizes[sizes.len() / 2],
        sizes[sizes.len() * 9 / 10]
    );
}
