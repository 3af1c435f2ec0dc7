//! Computation of stubborn sets.
//!
//! Most members of a set are disabled because their process is elsewhere; then
//! everything that leaves its current location is a necessary enabling set. So
//! these members are not followed one by one: rows of bits say which
//! transitions need a process elsewhere (`away`), and the first of them in the
//! set adds what leaves the current location. Only transitions whose processes
//! are all at the right locations are followed.
//!
//! A transition that no process can reach any more is ignored. A new process
//! may reach it again, but every start of a process is a goal.

use super::condition::{Evaluation, Test};
use super::relations::{NodeId, Parts, Place, Relations};
use super::{Reduction, UNKNOWN};
use crate::automata::State;
use crate::base::bits::ones;
use crate::explicit::code::Machine;
use crate::explicit::engine::Engine;
use crate::net::LocationId;
use crate::system::{Successors, Word};

/// Computes the stubborn sets of the states of an engine.
#[derive(Debug)]
pub(in crate::explicit) struct Stubborn {
    /// The set.
    set: Vec<u64>,
    /// Enabled transitions.
    enabled: Vec<u64>,
    /// Transitions whose processes are not all at the right locations.
    away: Vec<u64>,
    /// Those of them that cannot be executed any more.
    unreachable: Vec<u64>,
    /// Per process, whether the set contains what moves it away.
    is_moved: Vec<bool>,
    /// Members whose conditions are not satisfied yet.
    open: Vec<u32>,
    /// Values of conjuncts in the current state, with the number of the state.
    values: Vec<(u32, Option<bool>)>,
    number: u32,
    machine: Machine,
    /// Numbers of the transitions of the successors.
    numbers: Vec<u32>,
    /// The set before and the best set, while keys are tried.
    before: Snapshot,
    best: Snapshot,
    spare: Vec<Vec<u64>>,
}

/// A copy of a set.
#[derive(Debug, Default)]
struct Snapshot {
    set: Vec<u64>,
    is_moved: Vec<bool>,
}

/// The state whose set is computed.
struct Situation<'a, 'e> {
    relations: &'a Relations<'e>,
    tests: &'a [Test],
    evaluation: Evaluation<'a>,
    /// The place of each living process.
    places: Vec<&'a Place>,
}

/// Cost of adding transitions to a set: the number of enabled ones, then of all.
type Cost = (u32, u32);

impl Stubborn {
    pub fn new(reduction: &Reduction, machine: &Machine) -> Self {
        let row = || vec![0; reduction.relations.n_words()];
        Self {
            set: row(),
            enabled: row(),
            away: row(),
            unreachable: row(),
            is_moved: vec![false; reduction.relations.n_processes()],
            open: Vec::new(),
            values: vec![(0, None); reduction.relations.nodes.len()],
            number: 0,
            machine: machine.clone(),
            numbers: Vec::new(),
            before: Snapshot::default(),
            best: Snapshot::default(),
            spare: Vec::new(),
        }
    }

    /// Removes the successors, from the first one on, whose transitions are not
    /// in the stubborn set of the state. Where only one transition is enabled,
    /// nothing is gained.
    pub fn reduce(
        &mut self,
        engine: &Engine,
        reduction: &Reduction,
        state: &[Word],
        is_timeout: bool,
        (out, first): (&mut Successors, usize),
    ) {
        if out.len() <= first + 1 {
            return;
        }
        self.enabled.fill(0);
        self.numbers.clear();
        for step in &out.steps()[first..] {
            let number = reduction.number(step.id);
            // A step that the relations do not contain cannot be reasoned about.
            if number == UNKNOWN {
                return;
            }
            self.numbers.push(number);
            self.enabled[number as usize / 64] |= 1 << (number % 64);
        }
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.values.fill((0, None));
            self.number = 1;
        }
        let relations = &*reduction.relations;
        let mut machine = std::mem::take(&mut self.machine);
        machine.timeout = is_timeout;
        let mut current = Situation {
            relations,
            tests: &reduction.tests,
            places: self.locate(engine, relations, state),
            evaluation: Evaluation { engine, machine: &mut machine, state, is_timeout },
        };
        self.compute(&mut current, engine.layout.sequence.get(state) as State);
        self.machine = machine;
        self.open.clear();
        if self.is_all() {
            return;
        }
        let (set, numbers) = (&self.set, &self.numbers);
        let mut index = 0;
        out.retain_from(first, |_| {
            let number = numbers[index] as usize;
            index += 1;
            contains(set, number)
        });
    }

    /// Determines what the locations of the processes mean, and returns the
    /// places of those that exist.
    fn locate<'a>(&mut self, engine: &Engine, relations: &'a Relations, state: &[Word]) -> Vec<&'a Place> {
        self.set.fill(0);
        self.away.fill(0);
        self.unreachable.fill(0);
        self.is_moved.fill(false);
        let layout = &engine.layout;
        let n_processes = layout.n_processes.get(state) as usize;
        let mut places = Vec::with_capacity(n_processes);
        for (process, room) in layout.processes.iter().enumerate() {
            if process >= n_processes {
                unite(&mut self.away, relations.needing(process));
                unite(&mut self.unreachable, relations.needing(process));
                continue;
            }
            let location = LocationId(room.location.get(state) as u32);
            let place = relations.place(process, room.tag.get(state) as usize, location);
            unite(&mut self.away, &place.away);
            unite(&mut self.unreachable, &place.unreachable);
            places.push(place);
        }
        places
    }

    fn compute(&mut self, state: &mut Situation, monitored: State) {
        let relations = state.relations;
        self.add_row(state, &relations.plain_goals);
        if let Some(events) = &relations.events {
            self.add_row(state, events.goals(monitored));
        }
        if self.close(state) {
            return;
        }
        for goal in &relations.goals {
            self.cover(state, goal.transition, &goal.conditions);
            if self.close(state) {
                return;
            }
        }
        if relations.keeps_ends && !self.has_enabled() {
            self.add_key(state);
        }
    }

    /// Adds a transition of every path to a goal: the execution of a transition,
    /// or a state, under further conditions.
    fn cover(&mut self, state: &mut Situation, goal: Option<usize>, conditions: &[NodeId]) {
        if goal.is_some_and(|it| contains(&self.set, it) || contains(&self.unreachable, it)) {
            return;
        }
        let (mut best, is_known) = self.enabling_of_all(state, conditions);
        if let Some(goal) = goal {
            if !is_known {
                self.spare.extend(best.take());
            }
            let is_blocked = !contains(&self.enabled, goal) && !contains(&self.away, goal);
            let blocked = is_blocked.then(|| self.enabling_of_all(state, state.relations.conjuncts(goal)));
            let row = match blocked {
                Some((Some(found), true)) => found,
                _ => {
                    let mut alone = self.empty();
                    alone[goal / 64] |= 1 << (goal % 64);
                    alone
                }
            };
            self.better(state, &mut best, row);
        }
        if let Some(best) = best {
            self.add_row(state, &best);
            self.spare.push(best);
        }
    }

    /// Adds the smallest set with an enabled transition.
    fn add_key(&mut self, state: &mut Situation) {
        let mut fewest = None;
        self.before.keep(&self.set, &self.is_moved);
        for index in 0..self.enabled.len() {
            let mut left = self.enabled[index];
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                self.before.restore(&mut self.set, &mut self.is_moved);
                self.open.clear();
                self.set[index] |= bit;
                self.open.push((index * 64) as u32 + bit.trailing_zeros());
                let is_all = self.close(state);
                let n_enabled = self.n_enabled();
                if !is_all && fewest.is_none_or(|it| n_enabled < it) {
                    fewest = Some(n_enabled);
                    self.best.keep(&self.set, &self.is_moved);
                    if n_enabled == 1 {
                        return;
                    }
                }
            }
        }
        match fewest {
            Some(_) => self.best.restore(&mut self.set, &mut self.is_moved),
            None => self.set.copy_from_slice(&self.enabled),
        }
    }

    /// Adds everything that the members of the set require. Returns whether it
    /// contains all enabled transitions; then it is not completed.
    fn close(&mut self, state: &mut Situation) -> bool {
        let relations = state.relations;
        while let Some(transition) = self.open.pop() {
            let transition = transition as usize;
            if contains(&self.enabled, transition) {
                self.add_row(state, relations.conflicts(transition));
                if self.is_all() {
                    return true;
                }
                continue;
            }
            let (found, is_known) = self.enabling_of_all(state, relations.conjuncts(transition));
            if let Some(found) = found {
                self.add_row(state, &found);
                self.spare.push(found);
            }
            if !is_known {
                // It may be enabled without successors.
                self.add_row(state, relations.conflicts(transition));
            }
        }
        self.is_all()
    }

    /// Returns a necessary enabling set of the false conjuncts of a transition,
    /// and whether one is known to be false. If none is, the set enables all
    /// whose value is unknown.
    fn enabling_of_all(&mut self, state: &mut Situation, conjuncts: &[NodeId]) -> (Option<Vec<u64>>, bool) {
        let mut best = None;
        let mut is_known = false;
        for &node in conjuncts {
            if self.value(state, node) == Some(false) {
                is_known = true;
                if let Some(found) = self.enabling(state, node) {
                    self.better(state, &mut best, found);
                }
            }
        }
        if !is_known {
            let mut all = self.empty();
            for &node in conjuncts {
                if self.value(state, node).is_none() {
                    unite(&mut all, state.relations.enablers(node));
                }
            }
            best = Some(all);
        }
        (best, is_known)
    }

    /// Returns the cheapest known set that contains what can make a false
    /// conjunct true; `None` if it is not known to be false.
    fn enabling(&mut self, state: &mut Situation, node: NodeId) -> Option<Vec<u64>> {
        if self.value(state, node) != Some(false) {
            return None;
        }
        let relations = state.relations;
        match &relations.nodes[node.index()].parts {
            Parts::Leaf => Some(self.enabling_leaf(state, node)),
            Parts::AnyOf(all) => {
                let mut found = self.empty();
                for alternative in all {
                    let (part, _) = self.enabling_of_all(state, alternative);
                    if let Some(part) = part {
                        unite(&mut found, &part);
                        self.spare.push(part);
                    }
                }
                Some(found)
            }
            Parts::NoneOf(all) => {
                // As long as one alternative stays true, the conjunct stays false.
                let mut best = None;
                for alternative in all {
                    if alternative.iter().all(|it| self.value(state, *it) == Some(true)) {
                        let mut found = self.empty();
                        alternative.iter().for_each(|it| unite(&mut found, relations.disablers(*it)));
                        self.better(state, &mut best, found);
                    }
                }
                best
            }
        }
    }

    fn enabling_leaf(&mut self, state: &mut Situation, node: NodeId) -> Vec<u64> {
        let relations = state.relations;
        match &state.tests[node.index()] {
            Test::Timeout => self.keeping_away_timeout(relations),
            Test::At(instance, locations) => match state.evaluation.location(*instance) {
                None => self.empty(),
                Some(at) => {
                    let at = LocationId(at as u32);
                    let mut locations = locations.iter().map(|it| LocationId(*it as u32));
                    match locations.any(|it| relations.is_reachable(instance.template, at, &[it])) {
                        true => self.copy_of(&state.places[instance.process].leaving),
                        false => self.empty(),
                    }
                }
            },
            _ => self.copy_of(relations.enablers(node)),
        }
    }

    /// Returns what must happen before a timeout: an enabled transition that is a
    /// member stays enabled as long as no member is executed.
    fn keeping_away_timeout(&mut self, relations: &Relations) -> Vec<u64> {
        let mut found = self.empty();
        if self.has_enabled() {
            return found;
        }
        let n_conflicts = |it: &usize| {
            let row = relations.conflicts(*it).iter().zip(&self.enabled);
            row.map(|(row, enabled)| (row & enabled).count_ones()).sum::<u32>()
        };
        match ones(&self.enabled).min_by_key(n_conflicts) {
            Some(transition) => found[transition / 64] |= 1 << (transition % 64),
            None => found.fill(u64::MAX),
        }
        found
    }

    /// Returns the value of a conjunct; `None` if it is not known.
    fn value(&mut self, state: &mut Situation, node: NodeId) -> Option<bool> {
        let (number, value) = self.values[node.index()];
        if number == self.number {
            return value;
        }
        let relations = state.relations;
        let value = match &relations.nodes[node.index()].parts {
            Parts::Leaf => state.evaluation.holds(state.tests, node),
            Parts::AnyOf(all) => self.any_of(state, all),
            Parts::NoneOf(all) => self.any_of(state, all).map(|it| !it),
        };
        self.values[node.index()] = (self.number, value);
        value
    }

    fn any_of(&mut self, state: &mut Situation, all: &[Vec<NodeId>]) -> Option<bool> {
        let mut result = Some(false);
        for alternative in all {
            let mut holds = Some(true);
            for &node in alternative {
                match self.value(state, node) {
                    Some(true) => {}
                    Some(false) => {
                        holds = Some(false);
                        break;
                    }
                    None => holds = None,
                }
            }
            match holds {
                Some(true) => return Some(true),
                Some(false) => {}
                None => result = None,
            }
        }
        result
    }

    /// Adds transitions. For those whose processes are elsewhere, it adds what
    /// leaves the current location of one of these processes.
    fn add_row(&mut self, state: &mut Situation, row: &[u64]) {
        let mut elsewhere = None;
        for (index, word) in row.iter().enumerate() {
            let new = word & !self.set[index] & !self.unreachable[index];
            self.set[index] |= new;
            if new & self.away[index] != 0 {
                elsewhere.get_or_insert_with(|| self.empty())[index] = new & self.away[index];
            }
            let mut here = new & !self.away[index];
            while here != 0 {
                self.open.push((index * 64) as u32 + here.trailing_zeros());
                here &= here - 1;
            }
        }
        if let Some(mut elsewhere) = elsewhere {
            self.move_processes(state, &mut elsewhere);
            self.spare.push(elsewhere);
        }
    }

    /// Adds what must happen before these transitions, whose processes are
    /// elsewhere.
    fn move_processes(&mut self, state: &mut Situation, left: &mut [u64]) {
        for process in (0..state.places.len()).filter(|it| self.is_moved[*it]) {
            subtract(left, &state.places[process].away);
        }
        for process in 0..state.places.len() {
            let place = state.places[process];
            if left.iter().zip(&place.away).all(|(left, away)| left & away == 0) {
                continue;
            }
            let is_free = self.is_moved[process] || self.cost(state, &place.leaving).0 == 0;
            if is_free || !self.have_other_obstacles(state, left, &place.away) {
                self.is_moved[process] = true;
                self.add_row(state, &place.leaving);
            }
            subtract(left, &place.away);
        }
    }

    /// Returns whether all transitions in two rows have a false conjunct that no
    /// enabled transition makes true at once. Adds what makes them true.
    fn have_other_obstacles(&mut self, state: &mut Situation, left: &[u64], away: &[u64]) -> bool {
        for index in 0..left.len() {
            let mut bits = left[index] & away[index];
            while bits != 0 {
                let transition = index * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if !self.has_other_obstacle(state, transition) {
                    return false;
                }
            }
        }
        true
    }

    fn has_other_obstacle(&mut self, state: &mut Situation, transition: usize) -> bool {
        let relations = state.relations;
        for &node in relations.conjuncts(transition) {
            let is_at = matches!(state.tests[node.index()], Test::At(..));
            if is_at || self.value(state, node) != Some(false) {
                continue;
            }
            let Some(found) = self.enabling(state, node) else { continue };
            let is_free = self.cost(state, &found).0 == 0;
            if is_free {
                self.add_row(state, &found);
            }
            self.spare.push(found);
            if is_free {
                return true;
            }
        }
        false
    }

    /// Returns the cost of a row, without what follows from it.
    fn cost(&self, state: &Situation, row: &[u64]) -> Cost {
        let (mut n_enabled, mut n_new) = (0, 0);
        let mut is_away = false;
        for (index, word) in row.iter().enumerate() {
            let new = word & !self.set[index] & !self.unreachable[index];
            is_away |= new & self.away[index] != 0;
            n_new += new.count_ones();
            n_enabled += (new & self.enabled[index]).count_ones();
        }
        if is_away {
            let unmoved = state.places.iter().zip(&self.is_moved).filter(|(_, is_moved)| !**is_moved);
            for (place, _) in unmoved {
                let words = row.iter().zip(&place.away).zip(&self.unreachable);
                let mut words = words.zip(&self.set);
                if words.any(|(((row, away), unreachable), set)| row & away & !unreachable & !set != 0) {
                    let leaving = place.leaving.iter().zip(&self.enabled).zip(&self.set);
                    let leaving = leaving.map(|((leaving, enabled), set)| leaving & enabled & !set);
                    n_enabled += leaving.map(u64::count_ones).sum::<u32>();
                }
            }
        }
        (n_enabled, n_new)
    }

    /// Keeps the cheaper one of two rows.
    fn better(&mut self, state: &Situation, best: &mut Option<Vec<u64>>, row: Vec<u64>) {
        let unused = match best {
            Some(old) if self.cost(state, old) <= self.cost(state, &row) => Some(row),
            _ => best.replace(row),
        };
        self.spare.extend(unused);
    }

    fn has_enabled(&self) -> bool {
        self.set.iter().zip(&self.enabled).any(|(set, enabled)| set & enabled != 0)
    }

    fn n_enabled(&self) -> u32 {
        self.set.iter().zip(&self.enabled).map(|(set, enabled)| (set & enabled).count_ones()).sum()
    }

    /// Returns whether the set contains all enabled transitions.
    fn is_all(&self) -> bool {
        self.set.iter().zip(&self.enabled).all(|(set, enabled)| enabled & !set == 0)
    }

    fn empty(&mut self) -> Vec<u64> {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.resize(self.set.len(), 0);
        row
    }

    fn copy_of(&mut self, from: &[u64]) -> Vec<u64> {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.extend_from_slice(from);
        row
    }
}

impl Snapshot {
    fn keep(&mut self, set: &[u64], is_moved: &[bool]) {
        self.set.clear();
        self.set.extend_from_slice(set);
        self.is_moved.clear();
        self.is_moved.extend_from_slice(is_moved);
    }

    fn restore(&self, set: &mut [u64], is_moved: &mut [bool]) {
        set.copy_from_slice(&self.set);
        is_moved.copy_from_slice(&self.is_moved);
    }
}

fn contains(row: &[u64], transition: usize) -> bool {
    row[transition / 64] >> (transition % 64) & 1 != 0
}

fn subtract(from: &mut [u64], row: &[u64]) {
    from.iter_mut().zip(row).for_each(|(from, word)| *from &= !word);
}

fn unite(into: &mut [u64], row: &[u64]) {
    into.iter_mut().zip(row).for_each(|(into, word)| *into |= word);
}
