//! Graphs of one program that several problems have in common.
//!
//! Adjacency looks at the graphs of all subsets of the constraints, and so do the
//! tests of proposals. A refinement asks about one set after the other, whose
//! subsets are mostly the same: their graphs are built once. A graph depends on
//! the relevant actions; its reductions depend on the tasks with automata too and
//! are applied to a copy.

use crate::base::cancel::checkpoint;
use crate::flow::graph::InUse;
use crate::flow::{Form, Relevance, TraceFlowGraph};
use crate::lang::spec::property::Executions;
use crate::lang::task::program::{Program, VariableId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Maximum number of bytes of all stored graphs.
const MAX_BYTES: u64 = 64 << 20;

/// The graphs of one program that were built so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct GraphCache(Rc<RefCell<Stored>>);

#[derive(Debug, Default)]
struct Stored {
    graphs: HashMap<Key, Rc<TraceFlowGraph>>,
    bytes: u64,
}

/// What a graph without the automata of tasks depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    labels: BTreeSet<String>,
    variables: BTreeSet<VariableId>,
    form: [bool; 5],
    is_complete: bool,
}

impl GraphCache {
    /// Returns the graph for the automata in use. `stop` is called as in
    /// [`TraceFlowGraph::build`]; `None` if it ended the work.
    pub fn graph_for(
        &self,
        program: &Program,
        in_use: &InUse,
        form: Form,
        executions: Executions,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<TraceFlowGraph> {
        let whole = Form { prune: false, eliminate: false, ..form };
        let whole = self.graph(program, &in_use.relevance, whole, executions, stop)?;
        let mut graph = Rc::unwrap_or_clone(whole);
        graph.reduce(in_use, form);
        Some(graph)
    }

    /// Returns the graph of the relevant actions, in which only automata other than those of tasks
    /// observe nodes. `stop` is called as in [`TraceFlowGraph::build`]; `None` if it ended the work.
    pub fn graph(
        &self,
        program: &Program,
        relevance: &Relevance,
        form: Form,
        executions: Executions,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Rc<TraceFlowGraph>> {
        checkpoint();
        let key = Key {
            labels: relevance.labels.iter().cloned().collect(),
            variables: relevance.variables.iter().copied().collect(),
            form: Form { drop_dead: false, ..form }.choices().map(|(_, is_on)| is_on),
            is_complete: executions == Executions::Complete,
        };
        if let Some(known) = self.0.borrow().graphs.get(&key) {
            return Some(Rc::clone(known));
        }
        let in_use = InUse { relevance: relevance.clone(), tasks: Vec::new() };
        let mut n_bytes = 0;
        let mut counted = |bytes| {
            n_bytes = bytes;
            stop(bytes)
        };
        let graph = match form.prune || form.eliminate {
            true => self.graph_for(program, &in_use, form, executions, &mut counted)?,
            false => TraceFlowGraph::build(program, &in_use, form, executions, &mut counted)?,
        };
        let graph = Rc::new(graph);
        let mut stored = self.0.borrow_mut();
        if stored.bytes.saturating_add(n_bytes) <= MAX_BYTES {
            stored.bytes += n_bytes;
            stored.graphs.insert(key, Rc::clone(&graph));
        }
        Some(graph)
    }
}
