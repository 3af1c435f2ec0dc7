//! States that are stored separately, compared with a layout in which all fit.

use super::{Growing, SystemViews, Views};
use crate::analysis::samples::program;
use crate::explicit::describe::Content;
use crate::explicit::engine::Engine;
use crate::explicit::layout::Shape;
use crate::explicit::overflow::{MAX_SPENT, SearchStart, SeparateStorage, Spent};
use crate::explicit::view::Semantics;
use crate::net::Network;
use crate::system::{Successors, TransitionSystem, Word};
use std::collections::HashSet;
use std::path::Path;

/// Maximum number of states per model.
const MAX_STATES: usize = 1500;

/// Returns the states in breadth-first order, each with the number of its
/// successors and whether it is a goal.
fn explore(system: &mut impl TransitionSystem) -> Vec<(Vec<Word>, usize, bool)> {
    let mut initial = vec![0; system.width()];
    system.initial(&mut initial);
    let mut seen = HashSet::from([initial.clone()]);
    let mut states = vec![(initial, 0, false)];
    let mut successors = Successors::new(system.width());
    let mut at = 0;
    while at < states.len() && states.len() < MAX_STATES {
        successors.clear();
        if system.successors(&states[at].0, &mut successors).is_err() {
            break;
        }
        states[at].1 = successors.len();
        states[at].2 = system.is_goal(&states[at].0);
        let is_new = |next: &&[Word]| seen.insert(next.to_vec());
        states.extend(successors.iter().filter(is_new).map(|next| (next.to_vec(), 0, false)));
        at += 1;
    }
    states
}

/// A state as a search sees it.
type Seen = (Vec<Content>, usize, bool);

/// Returns all states and the number of those that do not fit into the first
/// layout and are stored separately.
fn kept_apart(network: &Network) -> (Vec<Seen>, usize) {
    let mut shape = Shape::at_start(network);
    let spent = Spent { n_steps: MAX_SPENT, ..Spent::default() };
    loop {
        let start =
            SearchStart::new(|shape| Engine::new(network, shape), shape, SeparateStorage::Always, spent);
        let alone = SystemViews(Semantics::default());
        let states = explore(&mut Growing::new(&start, &alone));
        match start.again() {
            Some(again) => shape = again.clone(),
            None => {
                let engine = start.widest();
                let seen = |(state, n, is_goal): &(Vec<Word>, usize, bool)| {
                    (engine.contents(&start.widened(state)), *n, *is_goal)
                };
                return (states.iter().map(seen).collect(), start.n_kept());
            }
        }
    }
}

/// Returns all states in a layout with room for them.
fn all_fit(network: &Network) -> Vec<Seen> {
    let mut shape = Shape::at_start(network);
    loop {
        let engine = Engine::new(network, &shape);
        let mut view = SystemViews(Semantics::default()).view(&engine);
        let states = explore(&mut view);
        match view.missing_room() {
            Some(missing_room) => shape.grow(missing_room),
            None => {
                let seen =
                    |(state, n, is_goal): &(Vec<Word>, usize, bool)| (engine.contents(state), *n, *is_goal);
                return states.iter().map(seen).collect();
            }
        }
    }
}

#[test]
fn states_kept_apart_are_the_states_of_the_model() {
    let (mut n_models, mut n_kept) = (0, 0);
    for folder in ["examples/promela", "tests/spin/micro"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder exists").flatten().collect();
        files.sort_by_key(|file| file.path());
        for file in files {
            let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
            let Some(network) = program(&text) else { continue };
            let (seen, n) = kept_apart(&network);
            assert!(seen == all_fit(&network), "{}", file.path().display());
            n_models += 1;
            n_kept += n;
        }
    }
    assert!(n_models > 100 && n_kept > 1000, "{n_models} models, {n_kept} states");
}

#[test]
fn room_grows_for_processes_channels_and_messages() {
    let text = "int n; mtype = { a, b }; chan q = [2] of { mtype, int };
        proctype P(int x) { chan own = [1] of { byte }; own!x; q!b(x * 1000); own?_ }
        active proctype A() {
            int y;
            do
            :: n < 6 -> n++; run P(n)
            :: q?b(y) -> y = -y
            od
        }";
    let network = program(text).expect("the model is valid");
    let (seen, n_kept) = kept_apart(&network);
    assert!(n_kept > 100, "{n_kept}");
    assert!(seen == all_fit(&network));
}

#[test]
fn walks_make_room_before_much_is_lost() {
    let text =
        "int n; byte m; active proctype A() { do :: n < 3000 -> n++ :: m < 9 -> m++ :: m == 9 -> m = 0 od }";
    let network = program(text).expect("the model is valid");
    let mut shape = Shape::of(&network);
    let mut spent = Spent::default();
    let mut n_expanded = 0;
    loop {
        let start =
            SearchStart::new(|shape| Engine::new(&network, shape), shape, SeparateStorage::Always, spent);
        let alone = SystemViews(Semantics::default());
        let mut growing = Growing::new(&start, &alone);
        explore(&mut growing);
        match start.again() {
            Some(again) => {
                spent = start.spent_with(growing.n_expanded());
                n_expanded += growing.n_expanded();
                shape = again.clone();
            }
            None => break,
        }
    }
    assert!(spent.n_restarts > 0 && spent.n_restarts < 12, "{spent:?}");
    assert!(n_expanded < 500 && spent.n_steps > n_expanded, "{n_expanded} states, {spent:?}");
}
