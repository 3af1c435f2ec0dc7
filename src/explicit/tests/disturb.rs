//! On random walks through small models, only parts of the state in a write set
//! change, and changing a part that is in no read set has no effect.

mod spots;

use crate::analysis::footprint::{Footprint, Footprints, Resource};
use crate::analysis::samples::program;
use crate::explicit::Engine;
use crate::explicit::layout::{Shape, Widths};
use crate::explicit::view::{Passage, View};
use crate::net::{Network, TransitionId};
use crate::system::{TransitionSystem, Word};
use spots::{Random, Spot, Walk};
use std::collections::BTreeSet;

fn all_passages(view: &mut View, state: &[Word]) -> Vec<Passage> {
    let all = view.passages(state);
    let passage = |(choice, state): (usize, &[Word])| Passage {
        observer: Vec::new(),
        steps: all.steps(choice),
        state: state.to_vec(),
    };
    all.states().enumerate().map(passage).collect()
}

impl Walk<'_> {
    fn footprint(&self, process: usize, id: TransitionId, state: &[Word]) -> &Footprint {
        self.footprints.of(self.engine.template(process, state), id)
    }

    /// Returns whether a step of the passage may write the spot.
    fn writes(&self, passage: &Passage, spot: Spot, state: &[Word]) -> bool {
        let layout = &self.engine.layout;
        // Parts that are created or removed with a process or channel belong to
        // it.
        let goes_with = match spot {
            Spot::Local { process, .. } | Spot::Place { process } => {
                (process >= layout.n_processes.get(&passage.state) as usize).then_some(Resource::Processes)
            }
            Spot::Message { channel } => {
                (channel >= layout.n_channels.get(&passage.state) as usize).then_some(Resource::Channels)
            }
            Spot::Global { .. } => None,
        };
        passage.steps.iter().any(|step| {
            let footprint = self.footprint(step.process, step.transition, state);
            if goes_with.as_ref().is_some_and(|it| footprint.writes.contains(it)) {
                return true;
            }
            let by_partner = &footprint.partner.writes;
            self.is_covered(&footprint.writes, step.process, spot, state)
                || step.partner.is_some() && self.is_covered(by_partner, step.process, spot, state)
                || matches!(spot, Spot::Place { process } if process == step.process)
        })
    }

    /// Returns whether the passage may depend on the spot.
    fn reads(&self, passage: &Passage, spot: Spot, state: &[Word]) -> bool {
        let mut all: Vec<(usize, TransitionId)> = Vec::new();
        for step in &passage.steps {
            all.push((step.process, step.transition));
            all.extend(step.partner);
            // If a process keeps control, the sequence continues with any
            // executable transition.
            for (process, id) in [(step.process, step.transition)].into_iter().chain(step.partner) {
                let process_graph =
                    &self.engine.network.templates[self.engine.template(process, state).index()].graph;
                let transition = process_graph.transition(id);
                if transition.keeps_control {
                    let location = process_graph.location(transition.to);
                    let places = location.escapes.iter().map(|&it| process_graph.location(it));
                    for place in places.chain([location]) {
                        all.extend(place.out.iter().map(|&it| (process, it)));
                    }
                }
            }
        }
        all.into_iter().any(|(process, id)| {
            let footprint = self.footprint(process, id, state);
            self.is_covered(&footprint.reads, process, spot, state)
                || self.is_covered(&footprint.partner.reads, process, spot, state)
                || matches!(spot, Spot::Place { process: other } if other == process)
        })
    }

    /// Returns the enabled transitions by process; a rendezvous is one of each
    /// side.
    fn enabled(&self, passages: &[Passage]) -> BTreeSet<(usize, TransitionId)> {
        let mut enabled = BTreeSet::new();
        for step in passages.iter().filter_map(|it| it.steps.first()) {
            enabled.insert((step.process, step.transition));
            enabled.extend(step.partner);
        }
        enabled
    }

    /// Checks the steps of a state and returns the first error.
    fn check<'e>(
        &'e self,
        view: &mut View<'e>,
        state: &[Word],
        random: &mut Random,
    ) -> Result<usize, String> {
        let layout = &self.engine.layout;
        let passages = all_passages(view, state);
        let spots = self.spots(state);
        let mut n_checks = 0;
        for passage in &passages {
            let after = &passage.state;
            for &spot in &spots {
                let is_there = match spot {
                    Spot::Local { process, .. } | Spot::Place { process } => {
                        process < layout.n_processes.get(after) as usize
                    }
                    Spot::Message { channel } => channel < layout.n_channels.get(after) as usize,
                    Spot::Global { .. } => true,
                };
                let is_changed = is_there && self.content(spot, state) != self.content(spot, after);
                n_checks += 1;
                if is_changed && !self.writes(passage, spot, state) {
                    return Err(format!("{spot:?} is written by {:?}", passage.steps));
                }
            }
        }
        for &spot in &spots {
            let mut other = state.to_vec();
            if !self.disturb(spot, &mut other, random) {
                continue;
            }
            n_checks += 1;
            self.check_disturbed(view, state, &passages, spot, &other)?;
        }
        Ok(n_checks)
    }

    fn check_disturbed<'e>(
        &'e self,
        view: &mut View<'e>,
        state: &[Word],
        passages: &[Passage],
        spot: Spot,
        other: &[Word],
    ) -> Result<(), String> {
        let disturbed = all_passages(view, other);
        if view.missing_room().is_some() {
            *view = View::new(self.engine);
            return Ok(());
        }
        let (before, after) = (self.enabled(passages), self.enabled(&disturbed));
        for &(process, id) in before.symmetric_difference(&after) {
            let footprint = self.footprint(process, id, state);
            let is_read = self.is_covered(&footprint.guard, process, spot, state)
                || self.is_covered(&footprint.partner.guard, process, spot, state)
                || matches!(spot, Spot::Place { process: other } if other == process);
            if !is_read {
                return Err(format!("{spot:?} decides whether {process} can do {id:?}"));
            }
        }
        for passage in passages.iter().filter(|it| it.steps.len() < 200 && !it.steps.is_empty()) {
            if self.reads(passage, spot, state) {
                continue;
            }
            let is_same = |it: &&Passage| {
                // A write set may name parts that do not change.
                let mut undone = it.state.clone();
                self.put(spot, &passage.state, &mut undone);
                let is_written = self.writes(passage, spot, state) && it.state == passage.state;
                let is_kept = self.content(spot, &it.state) == self.content(spot, other);
                it.steps == passage.steps && (is_written || is_kept && undone == passage.state)
            };
            if disturbed.iter().find(is_same).is_none() {
                return Err(format!("{spot:?} is read by {:?}", passage.steps));
            }
        }
        Ok(())
    }
}

/// Walks at random through a model, repeatedly from the start. Returns the
/// number of checks.
fn walk(network: &Network, footprints: &Footprints, seed: u64) -> Result<usize, String> {
    let mut shape = Shape { widths: Widths::whole(), ..Shape::at_start(network) };
    let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
    let mut n_checks = 0;
    for _ in 0..20 {
        let engine = Engine::new(network, &shape);
        let mut view = View::new(&engine);
        let walk = Walk { engine: &engine, footprints };
        let mut state = vec![0; engine.layout.width];
        view.initial(&mut state);
        for _ in 0..25 {
            let passages = all_passages(&mut view, &state);
            if view.missing_room().is_some() || passages.is_empty() {
                break;
            }
            n_checks += walk.check(&mut view, &state, &mut random)?;
            state = passages[random.below(passages.len())].state.clone();
            if view.missing_room().is_some() || view.fault(&state).is_some() {
                break;
            }
        }
        if let Some(missing_room) = view.missing_room() {
            shape.grow(missing_room);
        }
    }
    Ok(n_checks)
}

/// Returns the micro models that can be executed, by name.
fn models() -> Vec<(String, Network)> {
    let mut files: Vec<_> = std::fs::read_dir("tests/spin/micro")
        .expect("the folder exists")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|it| it == "pml"))
        .collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a model is readable");
        Some((path.display().to_string(), program(&text)?))
    };
    files.iter().filter_map(read).collect()
}

#[test]
fn nothing_is_read_or_written_that_a_footprint_does_not_name() {
    let (mut n_checks, mut wrong) = (0, Vec::new());
    let models = models();
    for (seed, (name, network)) in (1..).zip(&models) {
        match walk(network, &Footprints::new(network), seed) {
            Ok(checks) => n_checks += checks,
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    let n_models = models.len();
    println!("{n_models} models, {n_checks} checks");
    assert!(wrong.is_empty(), "{} of {n_models}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_models > 150 && n_checks > 100_000, "{n_models} models, {n_checks} checks");
}

#[test]
fn footprints_that_forget_something_are_found_out() {
    let variable = |it: &Resource| !matches!(it, Resource::Variable(_));
    let channel = |it: &Resource| !matches!(it, Resource::Channel(_));
    let control = |it: &Resource| !matches!(it, Resource::Control(_));
    type Keep = fn(&Resource) -> bool;
    type Forget = fn(&mut Footprint, Keep);
    let forgets: [(&str, Forget, Keep); 5] = [
        ("read variables", |it, keep| it.reads.retain(keep), variable),
        ("written variables", |it, keep| it.writes.retain(keep), variable),
        ("variables in guards", |it, keep| it.guard.retain(keep), variable),
        (
            "channels",
            |it, keep| [&mut it.guard, &mut it.writes].into_iter().for_each(|all| all.retain(keep)),
            channel,
        ),
        ("places", |it, keep| it.partner.guard.retain(keep), control),
    ];
    let models = models();
    for (what, forget, keep) in forgets {
        let is_found_out = (1..).zip(&models).any(|(seed, (_, network))| {
            let mut footprints = Footprints::new(network);
            footprints.each_mut().for_each(|it| forget(it, keep));
            walk(network, &footprints, seed).is_err()
        });
        assert!(is_found_out, "nobody notices that {what} are forgotten");
    }
}
