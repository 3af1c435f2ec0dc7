//! The state of the elaboration of a task: its graph, the inlined functions,
//! the names in scope and the enclosing loops.

use super::Elaborator;
use super::atomic::AtomicBlock;
use super::graph::Graph;
use super::values::{Binding, Place, Ty, Val};
use crate::diag::Span;
use crate::lang::task::ast::{Function, Let};
use crate::lang::task::limits;
use crate::lang::task::program::{self, Action, Edge, Panic, PointId, Role, TaskId, Value, VariableId};
use crate::net::Failure;
use std::collections::HashMap;

/// The task instance that is being elaborated.
pub struct TaskContext<'a> {
    pub id: TaskId,
    pub name: String,
    pub graph: Graph,
    /// The task, then the inlined functions.
    pub frames: Vec<Frame<'a>>,
    /// Number of accept bodies around the current point.
    pub accept_depth: usize,
    /// The atomic block around the current point.
    pub atomic: Option<AtomicBlock>,
    /// Local variables by declaration and type: copies of a declaration
    /// share their variable, since at most one of them is alive.
    pub locals: HashMap<(*const Let, Ty), Place>,
    /// Number of local variables per name.
    pub local_names: HashMap<String, usize>,
    /// Number of inlinings so far.
    pub n_stacks: usize,
}

/// A function that is being inlined, or the task itself.
pub struct Frame<'a> {
    pub function: Option<&'a Function>,
    /// Position of the call.
    pub call: Span,
    pub scopes: Vec<Vec<(String, Binding)>>,
    pub loops: Vec<Jumps>,
    /// The exit point of each result.
    pub exits: Vec<(Val, PointId)>,
    pub accept_depth: usize,
    /// Whether it was called in an atomic block.
    pub in_atomic: bool,
    stack_id: usize,
}

/// The targets of `break` and `continue`.
pub struct Jumps {
    pub label: Option<String>,
    /// Target of `continue`; `None` for a labelled block.
    pub next: Option<PointId>,
    pub exits: Vec<(Val, PointId)>,
    pub accept_depth: usize,
    /// Whether it is in an atomic block.
    pub in_atomic: bool,
}

impl Default for TaskContext<'_> {
    fn default() -> Self {
        Self {
            id: TaskId::default(),
            name: String::new(),
            graph: Graph::new(),
            frames: Vec::new(),
            accept_depth: 0,
            atomic: None,
            locals: HashMap::new(),
            local_names: HashMap::new(),
            n_stacks: 0,
        }
    }
}

impl<'a> TaskContext<'a> {
    pub fn push_frame(&mut self, function: Option<&'a Function>, call: Span, scope: Vec<(String, Binding)>) {
        self.n_stacks += 1;
        self.frames.push(Frame {
            function,
            call,
            scopes: vec![scope],
            loops: Vec::new(),
            exits: Vec::new(),
            accept_depth: self.accept_depth,
            in_atomic: self.atomic.is_some(),
            stack_id: self.n_stacks,
        });
    }

    pub fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a task is being elaborated")
    }

    /// Returns a number that distinguishes inlinings in the same task. Tasks do
    /// not share sites.
    pub fn stack_id(&self) -> usize {
        let inlining = self.frames.last().map_or(0, |frame| frame.stack_id);
        // The body of a task needs no distinction between its instances.
        if self.frames.len() <= 1 { 0 } else { (self.id.index() << 32) + inlining }
    }

    pub fn stack(&self) -> Vec<program::Frame> {
        let inlined = self.frames.iter().filter_map(|frame| Some((frame.function?, frame.call)));
        inlined
            .map(|(function, span)| program::Frame { function: function.name.text.clone(), span })
            .collect()
    }
}

impl<'a> Elaborator<'a> {
    pub(super) fn point(&mut self, span: Span) -> PointId {
        self.n_points += 1;
        if self.n_points > limits::POINTS {
            self.exceed(span, "control points", limits::POINTS);
        }
        self.task.graph.point()
    }

    pub(super) fn edge(&mut self, from: PointId, to: PointId, action: Action, span: Span) {
        self.edge_of(Role::Plain, from, to, action, span);
    }

    /// Adds an edge with a role.
    pub(super) fn edge_of(&mut self, role: Role, from: PointId, to: PointId, action: Action, span: Span) {
        let site = self.site(span);
        self.task.graph.edge(Edge { from, to, action, site, role });
    }

    /// Adds an error of the run at a point; with a test, only for these values
    /// of the variable.
    pub(super) fn panic(
        &mut self,
        from: PointId,
        test: Option<(VariableId, Vec<Value>)>,
        failure: Failure,
        span: Span,
    ) {
        let site = self.site(span);
        self.task.graph.panic(Panic { from, test, failure, site });
    }

    /// Records a statement that can never be executed.
    pub(super) fn never(&mut self, point: PointId, span: Span) {
        let site = self.site(span);
        self.task.graph.never(point, site);
    }

    pub(super) fn silent(&mut self, from: PointId, to: PointId, span: Span) {
        self.edge(from, to, Action::Silent, span);
    }

    /// Adds a test edge; no edge if no value passes, a silent one if all do.
    pub(super) fn test(
        &mut self,
        from: PointId,
        to: PointId,
        variable: VariableId,
        values: Vec<Value>,
        span: Span,
    ) {
        let size = self.program.variables[variable.index()].domain.size();
        self.n_test_values += values.len();
        if self.n_test_values > limits::TEST_VALUES {
            self.exceed(span, "values in tests of variables", limits::TEST_VALUES);
        }
        match values.len() {
            0 => (),
            n_values if n_values == size => self.silent(from, to, span),
            _ => self.edge(from, to, Action::Test { variable, values }, span),
        }
    }

    /// Merges leaves with the same value, so that there is one point per value.
    pub(super) fn merge(&mut self, leaves: Vec<(PointId, Val)>, span: Span) -> Vec<(PointId, Val)> {
        let mut groups: Vec<(Val, Vec<PointId>)> = Vec::new();
        for (point, val) in leaves {
            match groups.iter_mut().find(|(known, _)| *known == val) {
                Some((_, points)) => points.push(point),
                None => groups.push((val, vec![point])),
            }
        }
        groups.into_iter().map(|(val, points)| (self.join(points, span), val)).collect()
    }

    /// Joins all points into one.
    pub(super) fn join(&mut self, points: Vec<PointId>, span: Span) -> PointId {
        if let [point] = points.as_slice() {
            return *point;
        }
        let to = self.point(span);
        for point in points {
            self.silent(point, to, span);
        }
        to
    }

    pub(super) fn is_live(&self, point: PointId) -> bool {
        self.task.graph.is_live(point)
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        let frame = self.task.frame();
        frame.scopes.last_mut().expect("a frame has a scope").push((name.to_string(), binding));
    }

    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.task.frame().scopes.push(Vec::new());
        let result = inside(self);
        self.task.frame().scopes.pop();
        result
    }

    /// Resolves a name.
    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        let scopes = self.task.frames.last().into_iter().flat_map(|frame| frame.scopes.iter().rev());
        let local = scopes.flat_map(|scope| scope.iter().rev()).find(|(known, _)| known == name);
        if let Some((_, binding)) = local {
            return Some(binding.clone());
        }
        match self.constants.get(name) {
            Some(Some(val)) => Some(Binding::Value { val: *val, split: false }),
            Some(None) => Some(Binding::Broken),
            None => self.statics.get(name).cloned(),
        }
    }

    /// Returns all names in scope.
    pub(super) fn names_in_scope(&self) -> Vec<&str> {
        let scopes = self.task.frames.last().into_iter().flat_map(|frame| &frame.scopes);
        let local = scopes.flatten().map(|(name, _)| name.as_str());
        let mut names: Vec<&str> =
            local.chain(self.constants.keys().copied()).chain(self.statics.keys().copied()).collect();
        names.sort_unstable();
        names
    }
}
