//! Which layers are expanded by all threads, and that the result is the same.

use super::*;
use crate::base::cancel::{cancellable, checkpoint};
use crate::base::control::Control;
use crate::search::{SearchRun, Strategy, explore};
use crate::system::Step;
use std::sync::Arc;

/// Layers of the given widths, repeated, `n_layers` of them. Every state of a
/// layer leads to some of the next one; each step costs `length`.
#[derive(Clone)]
struct Layers {
    widths: Vec<Word>,
    n_layers: Word,
    length: u32,
    goal: Option<[Word; 2]>,
}

impl Layers {
    fn new(widths: &[Word], n_layers: Word, length: u32) -> Self {
        Self { widths: widths.to_vec(), n_layers, length, goal: None }
    }

    fn width_of(&self, layer: Word) -> Word {
        self.widths[layer as usize % self.widths.len()]
    }
}

impl TransitionSystem for Layers {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, state: &mut [Word]) {
        state.fill(0);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        let [layer, index] = [state[0], state[1]];
        let (here, next) = (self.width_of(layer), self.width_of(layer + 1));
        if layer + 1 == self.n_layers {
            return Ok(());
        }
        // All states of the next layer have a parent, some have several.
        let n_own = next.div_ceil(here);
        for to in (index * n_own..(index + 1) * n_own + 1).map(|to| to % next) {
            out.branch(Step::of_cost(self.length), state).copy_from_slice(&[layer + 1, to]);
        }
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.goal.is_some_and(|goal| goal == state)
    }
}

/// A system that checks in one of its views whether it must stop.
struct Cancelled {
    layers: Layers,
    looks: bool,
}

impl TransitionSystem for Cancelled {
    fn width(&self) -> usize {
        self.layers.width()
    }

    fn initial(&self, state: &mut [Word]) {
        self.layers.initial(state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        if self.looks {
            checkpoint();
        }
        self.layers.successors(state, out)
    }

    fn is_goal(&self, _: &[Word]) -> bool {
        false
    }
}

#[test]
fn all_threads_are_cancelled() {
    let control = Arc::new(Control::default());
    control.stop(Stop::Time);
    let view = |looks| Cancelled { layers: Layers::new(&[1, 50_000, 50_000], 3, 1), looks };
    let ended = cancellable(&control, || {
        breadth_first(vec![view(false), view(true)], Limits::default(), &mut |_| None).cut
    });
    assert_eq!(ended, Err(Stop::Time));
}

/// Searches with threads and compares the result with that of one thread.
#[track_caller]
fn search(system: &Layers, n_threads: usize) -> Layered<Layers> {
    let layered = breadth_first(vec![system.clone(); n_threads], Limits::default(), &mut |_| None);
    let none = |_: &str| unreachable!("no heuristic is named");
    let SearchRun { end, space, counters, .. } =
        explore(&mut system.clone(), &Strategy::bfs(), none, Limits::default(), &mut |_| None);
    match end {
        crate::search::End::Found(goal) => {
            let path = layered.path.as_ref().expect("there is a goal");
            assert_eq!(path.len(), space.path(goal).len());
            assert_eq!(path.last().map(Vec::as_slice), Some(space.state(goal)));
        }
        _ => {
            let of = |it: &Counters| (it.stored, it.expanded, it.generated, it.depth);
            assert_eq!(of(&layered.counters), of(&counters));
            assert!(layered.path.is_none());
        }
    }
    layered
}

#[test]
fn narrow_layers_are_expanded_by_one_thread() {
    for widths in [&[1][..], &[3, 1, 7], &[300]] {
        for length in [1, 5] {
            let layered = search(&Layers::new(widths, 3000, length), 3);
            assert_eq!(layered.n_rounds, 0, "{widths:?}");
        }
    }
}

#[test]
fn wide_layers_are_expanded_by_all_threads() {
    let layered = search(&Layers::new(&[1, 100, 10_000, 20_000, 20_000, 20_000], 6, 1), 2);
    // Half of a layer for each, in rounds of 2048.
    assert!((5..=40).contains(&layered.n_rounds), "{}", layered.n_rounds);
}

#[test]
fn a_wide_layer_among_narrow_ones_costs_few_rounds() {
    let mut widths = vec![1; 100];
    widths.extend([20, 400, 9000]);
    for length in [1, 3] {
        let layered = search(&Layers::new(&widths, 10 * 103, length), 2);
        assert!((10..=100).contains(&layered.n_rounds), "{}", layered.n_rounds);
    }
}

#[test]
fn goals_are_found_alone_and_together() {
    for (layer, index) in [(0, 0), (50, 0), (102, 8999), (103, 0), (309, 0)] {
        for length in [1, 2] {
            let mut widths = vec![1; 100];
            widths.extend([20, 400, 9000]);
            let goal = Some([layer, index]);
            let system = Layers { goal, ..Layers::new(&widths, 400, length) };
            assert!(search(&system, 2).path.is_some_and(|path| path.len() as Word == layer + 1));
            assert!(search(&system, 1).path.is_some());
        }
    }
}

#[test]
fn limits_are_obeyed_alone_and_together() {
    for widths in [&[1][..], &[1, 20_000]] {
        let limits = Limits { max_states: Some(5000), max_bytes: None };
        let system = Layers::new(widths, 100_000, 1);
        let layered = breadth_first(vec![system.clone(); 2], limits, &mut |_| None);
        assert_eq!(layered.cut, Some(Cut::Stopped(Stop::States)));
        assert!(layered.counters.stored < 30_000, "{}", layered.counters.stored);
        let mut n_looks = 0;
        let layered = breadth_first(vec![system; 2], Limits::default(), &mut |_| {
            n_looks += 1;
            (n_looks > 3).then_some(Stop::Time)
        });
        assert_eq!(layered.cut, Some(Cut::Stopped(Stop::Time)));
    }
}
