//! Cached steps, compared with computed ones.

use super::*;
use crate::analysis::samples::program;
use crate::explicit::Engine;
use crate::explicit::layout::Shape;
use crate::system::TransitionSystem;
use std::collections::HashSet;
use std::path::Path;

/// Compares the cached successors of some thousand states with computed ones.
/// Returns the number of cached ones.
fn compare(text: &str, max_entries: usize) -> Option<u64> {
    let network = program(text)?;
    let mut shape = Shape::of(&network);
    loop {
        let engine = Engine::new(&network, &shape);
        let step_cache = Some(Box::new(StepCache::new(&engine, max_entries)));
        let mut view = View { step_cache, ..View::new(&engine) };
        let mut plain = View { uses_step_cache: false, ..View::new(&engine) };
        let width = engine.layout.width;
        let mut initial = vec![0; width];
        view.initial(&mut initial);
        let mut seen = HashSet::from([initial.clone()]);
        let mut states = vec![initial];
        let (mut one, mut other) = (Successors::new(width), Successors::new(width));
        for at in 0..4000 {
            if at == states.len() || view.missing_room.is_some() {
                break;
            }
            let state = &states[at];
            one.clear();
            other.clear();
            let made = [view.successors(state, &mut one), plain.successors(state, &mut other)];
            assert_eq!(made[0], made[1], "of {text} in {state:x?}");
            assert!(one.iter().eq(other.iter()), "of {text} in {state:x?}");
            assert_eq!(one.steps(), other.steps(), "of {text} in {state:x?}");
            let mut is_new = |next: &&[Word]| seen.insert(next.to_vec());
            states.extend(one.iter().filter(|next| is_new(next)).map(<[Word]>::to_vec));
        }
        match view.missing_room {
            Some(missing_room) => shape.grow(missing_room),
            None => return Some(view.step_cache.map_or(0, |it| it.n_cached())),
        }
    }
}

impl StepCache<'_> {
    fn n_cached(&self) -> u64 {
        let of = |habit: &CacheStatus| match habit {
            CacheStatus::Some(known) => known.n_lookups - known.n_misses,
            _ => 0,
        };
        self.places.iter().map(of).sum()
    }
}

fn models(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let mut paths: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "pml"));
    paths.sort();
    paths.iter().map(|it| std::fs::read_to_string(it).expect("the model is readable")).collect()
}

#[test]
fn cached_steps_equal_computed_steps() {
    let mut n_cached = 0;
    for text in models("examples/promela").iter().chain(&models("tests/spin/micro")) {
        n_cached += compare(text, MAX_ENTRIES).unwrap_or(0);
    }
    assert!(n_cached > 100_000, "only {n_cached} are cached");
}

/// Models in which another process changes a value that determines a step.
const DEPENDENT: [&str; 14] = [
    // A received value determines where the rest is stored.
    "chan q = [1] of {byte, byte}; byte t[3]; byte i;
     active proctype A() { do :: q!1,i :: q!2,1 od }
     active proctype B() { do :: q?i,t[i] od }
     active proctype C() { do :: t[1] = 1 - t[1] :: t[2] = 2 - t[2] od }",
    // Promises to be the only sender of a channel.
    "chan q = [1] of {byte};
     active proctype A() { do :: q!1 :: q?_ od }
     active proctype B() { do :: _nr_pr < 3 -> run P() :: _nr_pr < 3 -> run R() od }
     proctype P() { xs q; skip }
     proctype R() { skip }",
    "chan q[2] = [1] of {byte}; byte x;
     active proctype A() { do :: nfull(q[0]) -> x = 1 - x od }
     active proctype P() { chan own; xs own; do :: own = q[0] :: own = q[1] od }",
    // A received value must be equal to a variable.
    "chan q = [2] of {byte}; byte x;
     active proctype A() { do :: q!0 :: q!1 od }
     active proctype B() { do :: q?eval(x) od }
     active proctype C() { do :: x = 1 - x od }",
    // Number and locations of other processes.
    "active proctype A() { do :: _nr_pr < 4 -> run P() od }
     active proctype B() { do :: P[2]@here :: else od }
     proctype P() { skip; here: skip }",
    "active proctype A() { do :: _nr_pr < 4 -> run P() od }
     active proctype B() { byte i; do :: P[i + 2]@here -> i = 1 - i :: else od }
     proctype P() { skip; here: skip }",
    // Elements of arrays and of arrays of records, read and written.
    "byte a[3]; byte i; active proctype A() { do :: a[i] < 2 -> a[i]++ :: a[i] == 2 -> a[i] = 0 od }
     active proctype B() { do :: i = (i + 1) % 3 od }",
    "typedef R { byte x; byte y[2] } R r[2]; byte i;
     active proctype A() { do :: r[i].y[1 - i] < 2 -> r[i].y[1 - i]++; r[i].x = r[1 - i].y[i] od }
     active proctype B() { do :: i = 1 - i :: r[0].y[i] = 0 od }",
    // Channels by index and by parameter, their length and messages.
    "chan q[2] = [1] of {byte}; byte i;
     active proctype A() { do :: q[i]!i :: nfull(q[i]) :: q[1 - i]?_ :: q[i]?[1] od }
     active proctype B() { do :: i = 1 - i od }",
    "chan a = [2] of {byte}; chan b = [2] of {byte};
     proctype P(chan in, out) { byte x; do :: out!!x :: in??x :: in?<x> :: len(in) > 1 -> x = 1 - x od }
     init { run P(a, b); run P(b, a) }",
    // Several steps at a time.
    "byte a[3]; byte n; active proctype A() { byte i;
       do :: d_step { n < 2; i = 0; do :: i < 3 -> a[i] = (a[i] + n) % 3; i++ :: else -> break od; i = 0 } od }
     active proctype B() { do :: atomic { n == 1 -> n = 2; n = a[0] } :: n = 1 - (n % 2) od }
     active proctype C() { byte z; do :: z < 3 -> z++ od }",
    // Escapes and `provided`.
    "byte x; active proctype A() provided (x != 3) { do :: { do :: x == 1 -> x = 2 od } unless { x == 2 -> x = 3 } od }
     active proctype B() { do :: x = (x + 1) % 4 od }",
    // Values that did not fit before, including negative ones.
    "short x; active proctype A() { do :: x < 9 -> x++ :: x > -9 -> x-- :: else od }
     active proctype B() { short y; do :: y = x; y < 0 -> x = 0 od }",
    // A rendezvous is a step of two processes.
    "chan q = [0] of {byte}; byte x; active proctype A() { do :: q!x :: x = 1 - x od }
     active proctype B() { byte y; do :: q?y :: q?1 -> y = 0 od }",
];

#[test]
fn all_that_decides_is_looked_at() {
    for text in DEPENDENT {
        let n_cached = compare(text, MAX_ENTRIES).expect("the model is valid");
        assert!(n_cached > 0, "nothing is cached in {text}");
    }
}

#[test]
fn what_is_forgotten_is_worked_out_again() {
    for text in models("examples/promela").iter().chain(&DEPENDENT.map(str::to_string)) {
        compare(text, 3).expect("the model is valid");
    }
}

#[test]
fn an_endless_sequence_is_a_move_each_time() {
    let endless = "byte x; active proctype P() { do :: x < 3 -> x++ od }
                   active proctype Q() { atomic { do :: skip od } }";
    assert!(compare(endless, MAX_ENTRIES).is_some());
}
