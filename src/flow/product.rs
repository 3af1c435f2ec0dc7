//! The node-tuple graph: a node of the trace flow graph and a state of every
//! automaton, packed into a few words.
//!
//! Successors are computed without iterating over edges. Every node has a row
//! of bits for its successors, and every state of every constraint has a row
//! for the nodes it allows; the successors are the intersection of these rows.

use super::adjacency::AdjacencyMemory;
use super::component::{Component, VIOLATION};
use super::graph::TraceFlowGraph;
use crate::base::bits::{BitMatrix, ones};
use crate::base::control::Stop;
use crate::base::random::Random;
use crate::lang::spec::property::Executions;
use crate::system::{Abort, Step, StepId, Successors, TransitionSystem, Word};

/// The node-tuple graph of a trace flow graph and its automata.
#[derive(Clone, Debug)]
pub struct Product {
    pub(super) n_nodes: usize,
    width: usize,
    pub(super) node_field: Field,
    /// Per component, the property first.
    pub(super) fields: Vec<Field>,
    starts: Vec<u32>,
    /// Per component and state.
    accepting: Vec<Vec<bool>>,
    /// Per state of the property: whether no accepting state is reachable.
    trapped: Vec<bool>,
    /// Per node, its successors; the initial node comes after the others.
    pub(super) follows: BitMatrix,
    guards: Vec<Guard>,
    /// Per node.
    reactions: Vec<Reaction>,
    /// Per node, whether it can be the last; the initial node comes after the
    /// others.
    pub(super) is_last: Vec<bool>,
    prefixes: bool,
    /// Whether an execution was seen that every constraint accepts; for
    /// prefixes, one that is accepted without a continuation.
    pub witnessed: bool,
    /// Whether such an execution is the goal, instead of a violation.
    wants_witness: bool,
    /// Per component and state, for [`Product::witnessed`] of prefixes.
    witnesses: Vec<Vec<bool>>,
    scratch: Vec<u64>,
    /// Number of successors that may still be generated.
    n_allowed: u64,
    /// Whether more of them were requested.
    is_stopped: bool,
    /// What smaller graphs forbid, and the field of its number.
    memory: Option<(Box<AdjacencyMemory>, Field)>,
    /// Seed of the order of successors; none for the order of the nodes.
    shuffled_by: Option<u64>,
    /// The next nodes in that order, for reuse.
    order: Vec<usize>,
}

/// Bits of one word of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

/// A component that can forbid nodes: per state, the nodes it allows.
#[derive(Clone, Debug)]
struct Guard {
    field: Field,
    allowed: BitMatrix,
}

/// Effect of a step to a node.
#[derive(Clone, Debug)]
struct Reaction {
    step: Step,
    /// Per word, the changes that do not depend on the state: the node itself,
    /// and every component with the same next state wherever it allows the
    /// node.
    fixed: Box<[Overwrite]>,
    /// The other components that react.
    looked_up: Vec<LookUp>,
}

/// Bits of a word and their new value.
#[derive(Clone, Copy, Debug, Default)]
struct Overwrite {
    mask: u64,
    value: u64,
}

/// A component whose next state depends on its state.
#[derive(Clone, Debug)]
struct LookUp {
    field: Field,
    /// Per state, the next state, shifted to its position in the word; unused
    /// where the node is not allowed.
    next: Box<[u64]>,
}

impl Field {
    pub(super) fn get(self, state: &[Word]) -> u64 {
        state[self.word as usize] >> self.shift & self.mask
    }

    fn put(self, state: &mut [Word], value: u64) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | value << self.shift;
    }
}

/// Lays out fields so that no field crosses a word boundary.
fn layout(sizes: impl Iterator<Item = usize>) -> (Vec<Field>, usize) {
    let (mut word, mut used) = (0, 0);
    let place = |size: usize| {
        let n_bits = (size.max(2) - 1).ilog2() + 1;
        if used + n_bits > 64 {
            (word, used) = (word + 1, 0);
        }
        used += n_bits;
        Field { word, shift: used - n_bits, mask: (1 << n_bits) - 1 }
    };
    let fields = sizes.map(place).collect();
    (fields, word as usize + 1)
}

impl Product {
    /// Creates the product of a graph with its property (first) and
    /// constraints.
    pub fn new(graph: &TraceFlowGraph, components: &[Component]) -> Self {
        Self::build(graph, components, None)
    }

    /// Creates the product in which smaller graphs forbid paths too. Few
    /// memories per node-tuple are kept, so paths can be missing.
    pub fn with_memory(graph: &TraceFlowGraph, components: &[Component], memory: AdjacencyMemory) -> Self {
        Self::build(graph, components, Some(memory))
    }

    fn build(graph: &TraceFlowGraph, components: &[Component], memory: Option<AdjacencyMemory>) -> Self {
        let n_nodes = graph.nodes.len();
        let sizes = std::iter::once(n_nodes + 2).chain(components.iter().map(Component::n_states));
        let (mut fields, width) = layout(sizes.chain(memory.as_ref().map(|_| AdjacencyMemory::MAX)));
        let memory = memory.and_then(|memory| Some((Box::new(memory), fields.pop()?)));
        let (node_field, fields) = (fields[0], fields[1..].to_vec());
        let mut follows = BitMatrix::new(n_nodes + 1, n_nodes);
        for node in 0..n_nodes {
            follows.union_row(node, graph.control.row(node));
            follows.union_row(node, graph.mip.row(node));
        }
        follows.union_row(n_nodes, graph.initial.row(0));
        let is_last = (0..n_nodes).map(|node| graph.last.contains(0, node)).chain([graph.empty_execution]);
        let guards =
            components.iter().zip(&fields).filter(|(component, _)| component.is_violation_possible());
        Self {
            n_nodes,
            width,
            node_field,
            starts: components.iter().map(|component| component.start).collect(),
            accepting: components.iter().map(|component| component.accepting.clone()).collect(),
            trapped: components[0].dead_states(),
            guards: guards.map(|(component, &field)| Guard::new(component, field, n_nodes)).collect(),
            reactions: (0..n_nodes)
                .map(|node| {
                    let process = graph.nodes[node].sides.first().map_or(0, |side| side.task.0);
                    let step = Step { id: StepId(node as u64), cost: 1, process };
                    Reaction::new(components, node_field, &fields, width, step)
                })
                .collect(),
            fields,
            scratch: vec![0; follows.words_per_row()],
            follows,
            is_last: is_last.collect(),
            prefixes: graph.executions == Executions::Prefixes,
            witnessed: false,
            wants_witness: false,
            memory,
            n_allowed: u64::MAX,
            is_stopped: false,
            shuffled_by: None,
            order: Vec::new(),
            witnesses: components.iter().map(|component| component.complete.clone()).collect(),
        }
    }

    /// Returns whether the property can reach its trap on some path of the
    /// graph.
    pub fn can_be_trapped(&self, property: &Component) -> bool {
        if !self.trapped.contains(&true) {
            return false;
        }
        let mut seen = BitMatrix::new(self.n_nodes + 1, property.n_states());
        let mut pending = vec![(self.n_nodes, property.start)];
        while let Some((node, state)) = pending.pop() {
            if self.trapped[state as usize] {
                return true;
            }
            for next in self.follows.ones(node) {
                let next_state = property.next(state, next);
                if seen.insert(next, next_state as usize) {
                    pending.push((next, next_state));
                }
            }
        }
        false
    }

    /// Returns whether prefixes of executions are checked.
    pub(super) fn is_prefixes(&self) -> bool {
        self.prefixes
    }

    /// Returns the number of node-tuples that were generated and left out
    /// because of their memory.
    pub fn n_left_out(&self) -> u64 {
        self.memory.as_ref().map_or(0, |(memory, _)| memory.n_left_out)
    }

    /// Returns the memory for another search.
    pub fn into_memory(self) -> Option<AdjacencyMemory> {
        self.memory.map(|(memory, _)| *memory)
    }

    /// Returns whether a node-tuple was left out that could lead elsewhere.
    pub fn has_lost_memories(&self) -> bool {
        self.memory.as_ref().is_some_and(|(memory, _)| memory.has_lost)
    }

    /// Stops the next search after about `n_allowed` successors.
    pub fn stop_after(&mut self, n_allowed: u64) {
        (self.n_allowed, self.is_stopped) = (n_allowed, false);
    }

    /// Appends successors in a random order, which depends on the seed and the
    /// state.
    pub fn shuffle(&mut self, seed: u64) {
        self.shuffled_by = Some(seed);
    }

    /// Returns whether a search was stopped by [`Self::stop_after`].
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Changes the goal to an execution that every constraint accepts,
    /// independent of the property.
    pub fn look_for_witness(&mut self) {
        self.wants_witness = true;
    }

    /// Returns the node of a node-tuple; `None` for the initial and the final
    /// one.
    pub fn node(&self, state: &[Word]) -> Option<usize> {
        Some(self.node_field.get(state) as usize).filter(|&node| node < self.n_nodes)
    }

    /// Returns the states of the components, the property first.
    pub fn tuple(&self, state: &[Word]) -> Vec<u32> {
        self.fields.iter().map(|field| field.get(state) as u32).collect()
    }

    /// Appends the node-tuple after a step to `next`, unless its memory is left out.
    #[inline]
    fn append(&mut self, state: &[Word], next: usize, out: &mut Successors) {
        let reaction = &self.reactions[next];
        let words = state.iter().zip(&reaction.fixed);
        let words = words.map(|(word, fixed)| word & !fixed.mask | fixed.value);
        let successor = out.branch_from(reaction.step, words);
        for LookUp { field, next } in &reaction.looked_up {
            let value = next[field.get(state) as usize];
            let word = &mut successor[field.word as usize];
            *word = *word & !(field.mask << field.shift) | value;
        }
        if let Some((memory, field)) = &mut self.memory {
            let id = memory.after(field.get(state) as u32, next);
            field.put(successor, 0);
            let is_admitted = memory.admits(successor, id);
            field.put(successor, u64::from(id));
            if !is_admitted {
                out.pop();
            }
        }
    }

    fn constraints_accept(&self, state: &[Word]) -> bool {
        self.fields
            .iter()
            .zip(&self.accepting)
            .skip(1)
            .all(|(field, accepting)| accepting[field.get(state) as usize])
    }

    fn needs_no_continuation(&self, state: &[Word]) -> bool {
        let mut constraints = self.fields.iter().zip(&self.witnesses).skip(1);
        constraints.all(|(field, witnesses)| witnesses[field.get(state) as usize])
    }

    fn property_accepts(&self, state: &[Word]) -> bool {
        self.accepting[0][self.fields[0].get(state) as usize]
    }

    fn final_node(&self) -> usize {
        self.n_nodes + 1
    }
}

impl Guard {
    fn new(component: &Component, field: Field, n_nodes: usize) -> Self {
        let mut allowed = BitMatrix::new(component.n_states(), n_nodes);
        for state in 0..component.n_states() {
            for node in 0..n_nodes {
                if component.next(state as u32, node) != VIOLATION {
                    allowed.insert(state, node);
                }
            }
        }
        Self { field, allowed }
    }
}

impl Reaction {
    fn new(components: &[Component], node_field: Field, fields: &[Field], width: usize, step: Step) -> Self {
        let node = step.id.0 as usize;
        let mut fixed = vec![Overwrite::default(); width];
        let mut fix = |field: Field, value: u64| {
            let word = &mut fixed[field.word as usize];
            word.mask |= field.mask << field.shift;
            word.value |= value << field.shift;
        };
        fix(node_field, node as u64);
        let mut looked_up = Vec::new();
        for (component, &field) in components.iter().zip(fields) {
            let Some(column) = component.column[node] else { continue };
            match component.only_next(column) {
                Some(next) => fix(field, u64::from(next)),
                None => looked_up.push(LookUp::new(component, field, node)),
            }
        }
        Self { step, fixed: fixed.into(), looked_up }
    }
}

impl LookUp {
    fn new(component: &Component, field: Field, node: usize) -> Self {
        let next = (0..component.n_states() as u32).map(|state| match component.next(state, node) {
            VIOLATION => 0,
            next => u64::from(next) << field.shift,
        });
        Self { field, next: next.collect() }
    }
}

impl TransitionSystem for Product {
    fn width(&self) -> usize {
        self.width
    }

    fn initial(&self, state: &mut [Word]) {
        self.node_field.put(state, self.n_nodes as u64);
        for (field, &start) in self.fields.iter().zip(&self.starts) {
            field.put(state, u64::from(start));
        }
        if let Some((memory, field)) = &self.memory {
            field.put(state, u64::from(memory.start()));
        }
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        let node = self.node_field.get(state) as usize;
        if node == self.final_node() {
            return Ok(());
        }
        if self.n_allowed == 0 {
            self.is_stopped = true;
            return Err(Abort::Stopped(Stop::States));
        }
        let n_before = out.len() as u64 + self.n_left_out();
        if self.prefixes && !self.witnessed {
            self.witnessed = self.needs_no_continuation(state);
        }
        self.scratch.copy_from_slice(self.follows.row(node));
        for guard in &self.guards {
            let allowed = guard.allowed.row(guard.field.get(state) as usize);
            for (word, allowed) in self.scratch.iter_mut().zip(allowed) {
                *word &= allowed;
            }
        }
        let mut may_end = true;
        if let Some((memory, field)) = &mut self.memory {
            let id = field.get(state) as u32;
            memory.restrict(id, &mut self.scratch);
            may_end = !self.is_last[node] || memory.may_end(id);
        }
        match self.shuffled_by {
            None => {
                for index in 0..self.scratch.len() {
                    let mut rest = self.scratch[index];
                    while rest != 0 {
                        self.append(state, index * 64 + rest.trailing_zeros() as usize, out);
                        rest &= rest - 1;
                    }
                }
            }
            Some(seed) => {
                let mut order = std::mem::take(&mut self.order);
                order.clear();
                order.extend(ones(&self.scratch));
                let seed = state.iter().fold(seed, |seed, &word| Random::new(seed ^ word).bits());
                Random::new(seed).shuffle(&mut order);
                order.iter().for_each(|&next| self.append(state, next, out));
                self.order = order;
            }
        }
        if self.is_last[node] && may_end && !self.prefixes {
            self.witnessed = self.witnessed || self.constraints_accept(state);
            let final_node = self.final_node();
            let end = Step { id: StepId(final_node as u64), ..Step::PLAIN };
            let successor = out.branch(end, state);
            self.node_field.put(successor, final_node as u64);
            if let Some((_, field)) = &self.memory {
                field.put(successor, 0);
            }
        }
        let n_after = out.len() as u64 + self.n_left_out();
        self.n_allowed = self.n_allowed.saturating_sub(n_after - n_before);
        if self.memory.as_ref().is_some_and(|(memory, _)| memory.is_full()) {
            self.n_allowed = 0;
        }
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        let complete = self.prefixes || self.node_field.get(state) as usize == self.final_node();
        match self.wants_witness {
            false => complete && !self.property_accepts(state) && self.constraints_accept(state),
            true if self.prefixes => self.needs_no_continuation(state),
            true => complete && self.constraints_accept(state),
        }
    }

    fn has_unit_costs(&self) -> bool {
        true
    }

    fn is_trapped(&self, state: &[Word]) -> bool {
        self.trapped[self.fields[0].get(state) as usize]
    }

    fn n_regions(&self) -> usize {
        self.n_nodes + 2
    }

    fn region(&self, state: &[Word]) -> usize {
        self.node_field.get(state) as usize
    }
}
