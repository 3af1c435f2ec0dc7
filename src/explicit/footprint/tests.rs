//! Footprints against what the engine does: on random walks through small
//! models, nothing changes that is not in a write set, and a part of the
//! state that is in no read set can be changed without any effect.

use super::{Channel, Footprint, Footprints, Owner, Part, Resource, Resources};
use crate::diag::Sources;
use crate::explicit::layout::{Field, Shape};
use crate::explicit::program::{Program, TransitionId};
use crate::explicit::view::{Passage, View};
use crate::explicit::{Engine, lower};
use crate::lang::promela::tree::{ProctypeId, Type};
use crate::lang::promela::{Reading, parse};
use crate::system::{TransitionSystem, Word};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;

fn program(text: &str) -> Option<Program> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    lower(parsed.model?).ok()
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let program = program(text).expect("the model is right");
    let footprints = Footprints::new(&program);
    let mut shown = String::new();
    for (index, process) in program.processes.iter().enumerate() {
        let proctype = ProctypeId::new(index);
        for (id, transition) in process.transitions.iter().enumerate() {
            let span = transition.span;
            let statement = text[span.start as usize..span.end as usize].split_whitespace();
            let statement: Vec<&str> = statement.collect();
            let it = footprints.of(proctype, TransitionId::new(id));
            let names = |all: &Resources| {
                all.iter().map(|it| it.name(&program.model, proctype)).collect::<Vec<_>>().join(", ")
            };
            let lists = [
                ("if", &it.guard),
                ("reads", &it.reads),
                ("writes", &it.writes),
                ("partner if", &it.partner.guard),
                ("partner writes", &it.partner.writes),
            ];
            shown.push_str(&statement.join(" "));
            if it.may_fail {
                shown.push_str(" (may fail)");
            }
            shown.push('\n');
            for (what, all) in lists.into_iter().filter(|(_, all)| !all.is_empty()) {
                shown.push_str(&format!("    {what} {}\n", names(all)));
            }
            for (channel, operation) in &it.operations {
                let channel = channel.name(&program.model, proctype);
                shown.push_str(&format!("    {} on {channel}\n", operation.name()));
            }
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn elements_and_fields_are_told_apart_where_the_index_is_constant() {
    check(
        "typedef R { byte x; byte y[3] }
         R r[2]; byte a[4]; byte i;
         active proctype P() { byte k; a[2] = a[i]; r[1].y[k] = r[0].x + k / 2 }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            r[1].y[k] = r[0].x + k / 2 (may fail)
                reads r[0].x, k
                writes r[1].y[*]
            a[2] = a[i] (may fail)
                reads a[*], i
                writes a[2]
        "#]],
    );
}

#[test]
fn channels_are_known_by_variables_that_are_never_assigned() {
    check(
        "chan c = [2] of {byte}; chan d[2] = [1] of {byte}; chan e = [1] of {byte};
         active proctype P() { byte x; chan f = [1] of {byte};
           c!x; d[1]??eval(x); d[x]?<x>; e!!1; e = c; f?_; len(c) < 2; nfull(f) && d[0]?[1] }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            nfull(f) && d[0]?[1] (may fail)
                if d[0], f, channel d[0], channel f, channels
                reads d[0], f, channel d[0], channel f, channels
                poll on channel d[0]
                nfull on channel f
            len(c) < 2
                if c, channel c
                reads c, channel c
                len on channel c
            f?_
                if f, channel f, channels
                reads f, channel f, channels
                writes channel f
                receive on channel f
            e = c
                reads c
                writes e
            e!!1 (may fail)
                if e, any channel, channels
                reads e, any channel, channels
                writes any channel
                sorted-send on any channel
            d[x]?<x> (may fail)
                if d[*], x, channel d[*]
                reads d[*], x, channel d[*]
                writes x
                copy on channel d[*]
            d[1]??eval(x)
                if d[1], x, channel d[1]
                reads d[1], x, channel d[1]
                writes channel d[1]
                random-receive on channel d[1]
            c!x
                if c, channel c
                reads c, x, channel c
                writes channel c
                send on channel c
        "#]],
    );
}

#[test]
fn a_rendezvous_is_a_step_of_two() {
    check(
        "chan c = [0] of {byte}; byte g;
         active proctype S() { c!g }
         active proctype R() provided (g < 2) { byte y; if :: c?y :: else fi }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            c!g
                if c, g, channel c
                reads c, g, channel c
                writes channel c
                partner if c, g, channel c, R@, processes
                partner writes R:y, channel c, R@
                send on channel c
            }
                if g, processes
                reads g, processes
                writes processes, channels
            c?y
                if c, g, channel c
                reads c, g, channel c
                writes y, channel c
                partner if c, g, channel c, S@, processes
                partner writes channel c, S@
                receive on channel c
            else
                if c, g, channel c, S@, processes
                reads c, g, channel c, S@, processes
        "#]],
    );
}

#[test]
fn processes_and_their_places() {
    check(
        "byte g, r;
         proctype P(byte n) { byte k = g; l: k++ }
         init { r = run P(1); P[1]@l; P[1]:k == 2; _nr_pr == 1; timeout }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            k++
                reads k
                writes k
            }
                if processes
                reads processes
                writes processes, channels
            timeout
                if everything
                reads everything
            _nr_pr == 1
                if processes
                reads processes
            P[1]:k == 2
                if P:k, processes
                reads P:k, processes
            P[1]@l
                if P@, processes
                reads P@, processes
            r = run P(1) (may fail)
                reads g, processes, channels
                writes r, processes, channels
        "#]],
    );
}

#[test]
fn what_is_tried_first_decides() {
    check(
        "byte a, b, e, f;
         active proctype P() {
           { if :: a > 0 -> skip :: else fi; b = 1 } unless { e > 0; f = 1 };
           d_step { b == 1; a = f; assert(a) }
         }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            assert(a) (may fail)
                reads a
            a = f
                reads f
                writes a
            b == 1
                if b
                reads b
            d_step { b == 1; a = f; assert(a) } (may fail)
                if b
                reads a, b, f
                writes a
            f = 1
                writes f
            e > 0
                if e
                reads e
            b = 1
                if e
                reads e
                writes b
            skip
                if e
                reads e
            a > 0
                if a, e
                reads a, e
            else
                if a, e
                reads a, e
        "#]],
    );
}

/// A generator whose numbers depend on its seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Something in a state that can be changed.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Global { cell: usize },
    Local { process: usize, cell: usize },
    Message { channel: usize },
    Place { process: usize },
}

/// A program and footprints at hand, for one state.
struct Walk<'a> {
    engine: &'a Engine<'a>,
    footprints: &'a Footprints,
}

impl Walk<'_> {
    fn cells_of(&self, part: &Part, mover: ProctypeId) -> Vec<usize> {
        let cells = &self.engine.cells;
        let variable = part.variable as usize;
        let start = match part.owner {
            Owner::Global => cells.global_starts[variable],
            Owner::Own => cells.local_starts[mover.index()][variable],
            Owner::Process(proctype) => cells.local_starts[proctype.index()][variable],
        };
        part.cells(&self.engine.program.model, mover).into_iter().map(|it| start + it).collect()
    }

    /// Does a resource of a transition of `mover` mean the spot?
    fn covers(&self, resource: &Resource, mover: usize, spot: Spot, state: &[Word]) -> bool {
        let own = self.engine.proctype(mover, state);
        match (resource, spot) {
            (Resource::Everything, _) => true,
            (Resource::Variable(part), Spot::Global { cell }) => {
                part.owner == Owner::Global && self.cells_of(part, own).contains(&cell)
            }
            (Resource::Variable(part), Spot::Local { process, cell }) => {
                let is_meant = match part.owner {
                    Owner::Global => false,
                    Owner::Own => process == mover,
                    Owner::Process(proctype) => self.engine.proctype(process, state) == proctype,
                };
                is_meant && self.cells_of(part, own).contains(&cell)
            }
            (Resource::Channel(Channel::Any), Spot::Message { .. }) => true,
            (Resource::Channel(Channel::Of(part)), Spot::Message { channel }) => {
                self.fields_of(part, mover, state).any(|it| it.get(state) as usize == channel + 1)
            }
            (Resource::Control(proctype), Spot::Place { process }) => {
                self.engine.proctype(process, state) == *proctype
            }
            _ => false,
        }
    }

    /// The fields of a part in all processes that it may belong to.
    fn fields_of(&self, part: &Part, mover: usize, state: &[Word]) -> impl Iterator<Item = Field> {
        let layout = &self.engine.layout;
        let own = self.engine.proctype(mover, state);
        let cells = self.cells_of(part, own);
        let mut fields = Vec::new();
        if part.owner == Owner::Global {
            fields.extend(cells.iter().map(|&cell| layout.globals[cell]));
        }
        for process in 0..layout.n_processes.get(state) as usize {
            let is_meant = match part.owner {
                Owner::Global => false,
                Owner::Own => process == mover,
                Owner::Process(proctype) => self.engine.proctype(process, state) == proctype,
            };
            if is_meant {
                let locals = &self.locals(process, state);
                fields.extend(cells.iter().map(|&cell| locals[cell]));
            }
        }
        fields.into_iter()
    }

    fn locals(&self, process: usize, state: &[Word]) -> Vec<Field> {
        let room = &self.engine.layout.processes[process];
        room.options[room.tag.get(state) as usize].locals.clone()
    }

    fn footprint(&self, process: usize, id: TransitionId, state: &[Word]) -> &Footprint {
        self.footprints.of(self.engine.proctype(process, state), id)
    }

    fn is_covered(&self, all: &Resources, mover: usize, spot: Spot, state: &[Word]) -> bool {
        all.iter().any(|it| self.covers(it, mover, spot, state))
    }

    /// May any step of the passage write the spot?
    fn writes(&self, passage: &Passage, spot: Spot, state: &[Word]) -> bool {
        let layout = &self.engine.layout;
        // What comes and goes with a process or a channel belongs to it.
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

    /// May anything that the passage depends on read the spot?
    fn reads(&self, passage: &Passage, spot: Spot, state: &[Word]) -> bool {
        let mut all: Vec<(usize, TransitionId)> = Vec::new();
        for step in &passage.steps {
            all.push((step.process, step.transition));
            all.extend(step.partner);
            // Where control is kept, the sequence goes on with whatever is possible.
            for (process, id) in [(step.process, step.transition)].into_iter().chain(step.partner) {
                let process_graph =
                    &self.engine.program.processes[self.engine.proctype(process, state).index()];
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

    fn spots(&self, state: &[Word]) -> Vec<Spot> {
        let layout = &self.engine.layout;
        let mut spots: Vec<Spot> = (0..layout.globals.len()).map(|cell| Spot::Global { cell }).collect();
        for process in 0..layout.n_processes.get(state) as usize {
            let n_locals = self.locals(process, state).len();
            spots.extend((0..n_locals).map(|cell| Spot::Local { process, cell }));
            spots.push(Spot::Place { process });
        }
        let n_channels = layout.n_channels.get(state) as usize;
        spots.extend((0..n_channels).map(|channel| Spot::Message { channel }));
        spots
    }

    /// What stands at a spot.
    fn content(&self, spot: Spot, state: &[Word]) -> Vec<i32> {
        let layout = &self.engine.layout;
        match spot {
            Spot::Global { cell } => vec![layout.globals[cell].get(state)],
            Spot::Local { process, cell } => vec![self.locals(process, state)[cell].get(state)],
            Spot::Place { process } => vec![layout.processes[process].location.get(state)],
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(state) as usize];
                let messages = option.messages.iter().map(|it| it.get(state));
                [option.length.get(state)].into_iter().chain(messages).collect()
            }
        }
    }

    /// Puts something else there, if there is anything else.
    fn disturb(&self, spot: Spot, state: &mut [Word], random: &mut Random) -> bool {
        let layout = &self.engine.layout;
        let before = self.content(spot, state);
        match spot {
            Spot::Global { cell } => {
                let cell_of = &self.engine.cells.globals[cell];
                // Hidden variables are 0 between steps.
                if cell_of.ty != Type::Chan && !cell_of.is_hidden {
                    layout.globals[cell].set(state, random.below(5) as i32);
                }
            }
            Spot::Local { process, cell } => {
                let proctype = self.engine.proctype(process, state);
                let cell_of = &self.engine.cells.locals[proctype.index()][cell];
                if cell_of.ty != Type::Chan && !cell_of.is_hidden {
                    self.locals(process, state)[cell].set(state, random.below(5) as i32);
                }
            }
            Spot::Place { process } => {
                let graph = &self.engine.program.processes[self.engine.proctype(process, state).index()];
                let place = random.below(graph.locations.len());
                if graph.locations[place].deterministic.is_none() {
                    layout.processes[process].location.set(state, place as i32);
                }
            }
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(state) as usize];
                let length = option.length.get(state) as usize;
                let fields = &option.messages;
                if length > 0 && random.below(2) == 0 {
                    fields[random.below(length * option.n_fields)].set(state, random.below(5) as i32);
                } else if length > 0 {
                    option.length.set(state, length as i32 - 1);
                    fields[(length - 1) * option.n_fields..].iter().for_each(|it| it.set(state, 0));
                } else if option.capacity > 0 {
                    option.length.set(state, 1);
                }
            }
        }
        before != self.content(spot, state)
    }

    /// What processes can do at once, rendezvous counted on both sides.
    fn enabled(&self, passages: &[Passage]) -> BTreeSet<(usize, TransitionId)> {
        let mut enabled = BTreeSet::new();
        for step in passages.iter().filter_map(|it| it.steps.first()) {
            enabled.insert((step.process, step.transition));
            enabled.extend(step.partner);
        }
        enabled
    }

    /// What is wrong with the steps of a state.
    fn check<'e>(
        &'e self,
        view: &mut View<'e>,
        state: &[Word],
        random: &mut Random,
    ) -> Result<usize, String> {
        let layout = &self.engine.layout;
        let passages = view.passages(state);
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
        let disturbed = view.passages(other);
        if view.lack().is_some() {
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
                // What may be written need not be.
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

    /// Copies what stands at a spot.
    fn put(&self, spot: Spot, from: &[Word], to: &mut [Word]) {
        let layout = &self.engine.layout;
        let copy = |field: Field, to: &mut [Word]| field.set(to, field.get(from));
        match spot {
            Spot::Global { cell } => copy(layout.globals[cell], to),
            Spot::Local { process, cell } => copy(self.locals(process, from)[cell], to),
            Spot::Place { process } => copy(layout.processes[process].location, to),
            Spot::Message { channel } => {
                let room = &layout.channels[channel];
                let option = &room.options[room.tag.get(from) as usize];
                copy(option.length, to);
                option.messages.iter().for_each(|&field| copy(field, to));
            }
        }
    }
}

/// Walks at random through a model, from the start again and again; how many
/// checks were made.
fn walk(program: &Program, footprints: &Footprints, seed: u64) -> Result<usize, String> {
    let mut shape = Shape::at_start(&program.model);
    let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
    let mut n_checks = 0;
    for _ in 0..20 {
        let engine = Engine::new(program, &shape);
        let mut view = View::new(&engine);
        let walk = Walk { engine: &engine, footprints };
        let mut state = vec![0; engine.layout.width];
        view.initial(&mut state);
        for _ in 0..25 {
            let passages = view.passages(&state);
            if view.lack().is_some() || passages.is_empty() {
                break;
            }
            n_checks += walk.check(&mut view, &state, &mut random)?;
            state = passages[random.below(passages.len())].state.clone();
            if view.lack().is_some() || view.fault(&state).is_some() {
                break;
            }
        }
        if let Some(lack) = view.lack() {
            shape.grow(lack);
        }
    }
    Ok(n_checks)
}

/// The micro models that can be run, by name.
fn models() -> Vec<(String, Program)> {
    let mut files: Vec<_> = std::fs::read_dir("tests/spin/micro")
        .expect("the models are there")
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
    for (seed, (name, program)) in (1..).zip(&models) {
        match walk(program, &Footprints::new(program), seed) {
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
    let forgets: [(&str, fn(&mut Footprint, fn(&Resource) -> bool), fn(&Resource) -> bool); 5] = [
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
        let is_found_out = (1..).zip(&models).any(|(seed, (_, program))| {
            let mut footprints = Footprints::new(program);
            footprints.of.iter_mut().flatten().for_each(|it| forget(it, keep));
            walk(program, &footprints, seed).is_err()
        });
        assert!(is_found_out, "nobody notices that {what} are forgotten");
    }
}
