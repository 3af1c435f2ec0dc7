//! Estimates for a condition: the statements that it takes to make it true.
//!
//! The estimate follows the structure of the expression, with negations moved to
//! the leaves. A disjunction takes the minimum of its parts; a conjunction the
//! maximum, which never exceeds the cost, or the sum, which guides better. A
//! leaf that is false takes at least one statement, and more where one can
//! count: messages must be received one by one, a process must walk to a label,
//! and a statement that can make a comparison true must be reached first.

use super::control::{Control, NEVER, executed};
use crate::analysis::accesses::{Access, AccessKind, Operation, Scope as Names};
use crate::analysis::channels::{Channel, Channels};
use crate::base::cancel::checkpoint;
use crate::explicit::code::{Compiler, Machine, Piece, Scope};
use crate::explicit::engine::Engine;
use crate::net::{
    Action, BinaryOp, ChannelQuery, Expr, ExprKind, GlobalId, LocationId, Place, Root, TemplateId,
    Transition, Type, UnaryOp, Visibility,
};
use crate::system::Word;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// How the parts of a conjunction are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    /// The maximum.
    Max,
    /// The sum.
    Sum,
}

impl Combine {
    /// Combines two estimates.
    pub fn both(self, left: u32, right: u32) -> u32 {
        match self {
            Self::Max => left.max(right),
            Self::Sum => left.saturating_add(right),
        }
    }
}

/// A condition whose estimate can be computed in every state.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    root: Part,
    /// Whether the evaluation of the condition can be an error of the run,
    /// which makes it true.
    can_fail: bool,
}

/// A part of a condition.
#[derive(Clone, Debug)]
enum Part {
    /// The truth value is known.
    Known(bool),
    /// The truth value cannot be computed.
    Unknown,
    And(Vec<Part>),
    Or(Vec<Part>),
    /// A leaf: its code, the wanted truth value, and the table of distances to a
    /// statement that can make it so.
    Leaf(Piece, bool, Option<usize>),
    /// The number of messages of a channel, compared with a number.
    Length(Piece, BinaryOp, Bound),
    /// A process number that is at a location: the table of distances to it.
    At(usize, usize),
}

/// What the number of messages is compared with.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Number(i32),
    Capacity,
}

/// Compiles conditions, and evaluates them.
pub(super) struct Conditions<'e> {
    /// A copy of the engine with the code of the conditions.
    pub engine: Engine<'e>,
    /// Location of each label, per template.
    labels: Vec<Vec<u32>>,
    machine: Machine,
    channels: Channels<'e>,
    /// Whether messages are sent and received one by one.
    counts_messages: bool,
    /// Whether variables change only by the statements of processes.
    knows_writers: bool,
    /// Paths of process numbers, for labels.
    numbers: OnceCell<Control>,
    /// Distances, per location.
    pub tables: Vec<Vec<u32>>,
    writer_tables: BTreeMap<Vec<usize>, usize>,
}

/// Maximum number of entries of all tables of distances.
const MAX_ENTRIES: usize = 1 << 24;

impl<'e> Conditions<'e> {
    /// Creates a compiler for the conditions of an engine.
    pub fn new(engine: &Engine<'e>) -> Self {
        let network = engine.network;
        let labels = network.graphs().map(|it| it.labels.iter().map(|label| label.0).collect()).collect();
        let is_claim = |template: usize| network.is_observer(TemplateId::new(template));
        let uses_channels = |action: &Action| matches!(action, Action::Send(_) | Action::Receive(_));
        let counts_messages = network.graphs().all(|graph| {
            graph.transitions.iter().all(|it| {
                !matches!(it.action, Action::Deterministic(_))
                    || !executed(graph, it).into_iter().any(uses_channels)
            })
        });
        let writes = |it: &Transition| matches!(it.action, Action::Assign(..) | Action::Deterministic(_));
        let knows_writers = network
            .graphs()
            .enumerate()
            .all(|(template, graph)| !is_claim(template) || !graph.transitions.iter().any(writes));
        Self {
            engine: engine.clone(),
            labels,
            machine: Machine::default(),
            channels: Channels::new(network),
            counts_messages,
            knows_writers,
            numbers: OnceCell::new(),
            tables: Vec::new(),
            writer_tables: BTreeMap::new(),
        }
    }

    /// Appends the local variables of a process to the fields that code can
    /// select, and returns its scope.
    pub fn scope(&mut self, process: usize, template: TemplateId) -> Option<Scope> {
        let room = self.engine.layout.processes.get(process)?;
        let option = room.options.iter().find(|it| it.template == template)?;
        let fields = self.engine.code.fields.len() as u32;
        self.engine.code.fields.extend(&option.locals);
        Some(Scope { process, template, fields })
    }

    /// Compiles the condition that an expression is true, or false. `control`
    /// has the paths of processes to statements that write variables.
    pub fn condition(
        &mut self,
        expr: &'e Expr,
        is_positive: bool,
        scope: Option<Scope>,
        control: &Control,
    ) -> Condition {
        let owner = scope.map_or(TemplateId::new(0), |it| it.template);
        let names =
            Names { network: self.engine.network, template: owner, process: scope.map(|it| it.process) };
        let mut can_fail = false;
        names.value(expr, &mut |access| can_fail |= self.may_fail(&access, names));
        let root = self.part(expr, is_positive, scope, control);
        Condition { root, can_fail }
    }

    fn may_fail(&self, access: &Access<'e>, names: Names<'e>) -> bool {
        may_fail(access, names, &self.channels)
    }

    fn part(&mut self, expr: &'e Expr, is_positive: bool, scope: Option<Scope>, control: &Control) -> Part {
        checkpoint();
        if let Some(value) = expr.constant(Some(scope.map_or(0, |it| it.process))) {
            return Part::Known((value != 0) == is_positive);
        }
        let both = |it: &mut Self, left: &'e Expr, right: &'e Expr, is_and: bool| {
            let parts =
                vec![it.part(left, is_positive, scope, control), it.part(right, is_positive, scope, control)];
            if is_and == is_positive { Part::And(parts) } else { Part::Or(parts) }
        };
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.part(operand, !is_positive, scope, control),
            ExprKind::Binary(BinaryOp::And, left, right) => both(self, left, right, true),
            ExprKind::Binary(BinaryOp::Or, left, right) => both(self, left, right, false),
            ExprKind::Conditional { condition, then, otherwise } => {
                let branch = |it: &mut Self, when: bool, branch: &'e Expr| {
                    let parts = vec![
                        it.part(condition, when, scope, control),
                        it.part(branch, is_positive, scope, control),
                    ];
                    Part::And(parts)
                };
                Part::Or(vec![branch(self, true, then), branch(self, false, otherwise)])
            }
            ExprKind::Channel(query, place) => {
                let (op, bound) = match query {
                    ChannelQuery::Length => (BinaryOp::NotEqual, Bound::Number(0)),
                    ChannelQuery::Empty => (BinaryOp::Equal, Bound::Number(0)),
                    ChannelQuery::NotEmpty => (BinaryOp::NotEqual, Bound::Number(0)),
                    ChannelQuery::Full => (BinaryOp::Equal, Bound::Capacity),
                    ChannelQuery::NotFull => (BinaryOp::NotEqual, Bound::Capacity),
                };
                self.length(place, (op, bound), is_positive, scope)
                    .unwrap_or_else(|| self.leaf(expr, is_positive, scope, control))
            }
            ExprKind::Binary(op, left, right) if op.compares() => {
                let part = match (&left.kind, right.constant(None)) {
                    (ExprKind::Channel(ChannelQuery::Length, place), Some(number)) => {
                        self.length(place, (*op, Bound::Number(number)), is_positive, scope)
                    }
                    _ => None,
                };
                part.unwrap_or_else(|| self.leaf(expr, is_positive, scope, control))
            }
            ExprKind::RemoteLabel { template, pid, label } if is_positive => self
                .at(*template, pid.as_deref(), label.index(), scope)
                .unwrap_or_else(|| self.leaf(expr, is_positive, scope, control)),
            _ => self.leaf(expr, is_positive, scope, control),
        }
    }

    /// Creates the comparison of the number of messages in a channel that a
    /// variable always contains.
    fn length(
        &mut self,
        place: &'e Place,
        (op, bound): (BinaryOp, Bound),
        is_positive: bool,
        scope: Option<Scope>,
    ) -> Option<Part> {
        let network = self.engine.network;
        let names = Names {
            network,
            template: scope.map_or(TemplateId::new(0), |it| it.template),
            process: Some(scope.map_or(0, |it| it.process)),
        };
        let Channel::Of(part) = self.channels.held_by(place, names) else { return None };
        let is_global = matches!(place.root, Root::Global(_));
        if !self.counts_messages || !is_global || !part.is_certain() {
            return None;
        }
        let op = if is_positive { op } else { opposite(op) };
        let read = Expr { kind: ExprKind::Read(place.clone()), span: place.span };
        Some(Part::Length(self.piece(&read, scope), op, bound))
    }

    /// Creates the test whether a process of a known number is at a label.
    fn at(
        &mut self,
        template: TemplateId,
        pid: Option<&Expr>,
        label: usize,
        scope: Option<Scope>,
    ) -> Option<Part> {
        let process = match pid {
            Some(pid) => usize::try_from(pid.constant(Some(scope.map_or(0, |it| it.process)))?).ok()?,
            None => {
                let rooms = &self.engine.layout.processes;
                rooms.iter().position(|it| it.options.iter().any(|option| option.template == template))?
            }
        };
        let network = self.engine.network;
        let numbers = self.numbers.get_or_init(|| Control::new(network, super::control::Paths::Numbers));
        let target = numbers.node(template, self.labels[template.index()][label] as usize);
        let unit = numbers.unit;
        let table = numbers.distances([(target, 0)]);
        let table = table.into_iter().map(|it| if it == NEVER { it } else { it.div_ceil(unit) }).collect();
        Some(Part::At(process, self.add_table(table)?))
    }

    /// Adds a table of distances, if there is room for it.
    pub fn add_table(&mut self, table: Vec<u32>) -> Option<usize> {
        let n_entries = (self.tables.len() + 1).saturating_mul(table.len());
        (n_entries <= MAX_ENTRIES).then(|| {
            self.tables.push(table);
            self.tables.len() - 1
        })
    }

    fn leaf(&mut self, expr: &'e Expr, is_positive: bool, scope: Option<Scope>, control: &Control) -> Part {
        let mut is_known = true;
        expr.each(&mut |it| {
            is_known &= !matches!(it.kind, ExprKind::Timeout | ExprKind::Run { .. } | ExprKind::PcValue(_));
        });
        if !is_known {
            return Part::Unknown;
        }
        let table = self.writers(expr, is_positive, scope, control);
        Part::Leaf(self.piece(expr, scope), is_positive, table)
    }

    fn piece(&mut self, expr: &Expr, scope: Option<Scope>) -> Piece {
        let engine = &mut self.engine;
        let mut compiler = Compiler {
            network: engine.network,
            cells: &engine.cells,
            layout: &engine.layout,
            code: &mut engine.code,
            scope,
            labels: &self.labels,
        };
        compiler.piece(expr)
    }

    /// Returns the table of distances to the statements that can change the
    /// value of an expression over global variables; `None` if other statements
    /// can change it too.
    fn writers(
        &mut self,
        expr: &'e Expr,
        is_positive: bool,
        scope: Option<Scope>,
        control: &Control,
    ) -> Option<usize> {
        let network = self.engine.network;
        if !self.knows_writers {
            return None;
        }
        let names = Names {
            network,
            template: scope.map_or(TemplateId::new(0), |it| it.template),
            process: Some(scope.map_or(0, |it| it.process)),
        };
        let mut read: Vec<GlobalId> = Vec::new();
        let mut is_global = true;
        names.value(expr, &mut |access| match access.kind {
            AccessKind::Read(Place { root: Root::Global(global), .. }) => read.push(*global),
            AccessKind::Failure => {}
            _ => is_global = false,
        });
        let is_hidden = |it: &GlobalId| network.globals[it.index()].visibility == Visibility::Hidden;
        if !is_global || read.is_empty() || read.iter().any(is_hidden) {
            return None;
        }
        let test = Test::of(expr, is_positive, &names);
        let mut nodes = Vec::new();
        for (index, graph) in network.graphs().enumerate() {
            let template = TemplateId::new(index);
            if network.is_observer(template) {
                continue;
            }
            let writer = Names::any(network, template);
            let writes: Vec<bool> = graph
                .transitions
                .iter()
                .map(|transition| {
                    let mut actions = executed(graph, transition).into_iter();
                    actions.any(|action| can_change(writer, action, &read, test.as_ref()))
                })
                .collect();
            for location in 0..graph.locations.len() {
                let mut here = super::control::transitions(graph, LocationId::new(location));
                if here.any(|id| writes[id.index()]) {
                    nodes.push(control.node(template, location));
                }
            }
        }
        if let Some(known) = self.writer_tables.get(&nodes) {
            return Some(*known);
        }
        let table = control.distances(nodes.iter().map(|&node| (node, 0)));
        let number = self.add_table(table)?;
        self.writer_tables.insert(nodes, number);
        Some(number)
    }

    /// Returns the number of statements after which a condition can be true; 0
    /// if it is true. `control` has the paths with which it was compiled.
    pub fn estimate(
        &mut self,
        condition: &Condition,
        combine: Combine,
        control: &Control,
        state: &[Word],
    ) -> u32 {
        self.machine.cause = None;
        let estimate = self.of_part(&condition.root, combine, control, state);
        // The evaluation of an expression that fails makes it true.
        let has_failed = self.machine.cause.take().is_some();
        match condition.can_fail {
            _ if has_failed => 0,
            true => estimate.min(1),
            false => estimate,
        }
    }

    fn of_part(&mut self, part: &Part, combine: Combine, control: &Control, state: &[Word]) -> u32 {
        match part {
            Part::Known(true) | Part::Unknown => 0,
            Part::Known(false) => NEVER,
            Part::And(parts) => {
                let each = |all, part| combine.both(all, self.of_part(part, combine, control, state));
                parts.iter().fold(0, each)
            }
            Part::Or(parts) => {
                parts.iter().map(|it| self.of_part(it, combine, control, state)).min().unwrap_or(NEVER)
            }
            Part::Leaf(piece, wanted, writers) => {
                if (self.machine.value(&self.engine, piece, state) != 0) == *wanted {
                    return 0;
                }
                let Some(table) = writers else { return 1 };
                control.nearest(&self.tables[*table], &self.engine, state).saturating_add(1)
            }
            Part::Length(channel, op, bound) => {
                let number = self.machine.value(&self.engine, channel, state);
                let Some(option) = self.engine.channel(number, state) else { return 0 };
                let bound = match bound {
                    // As in pan, a rendezvous channel is never full.
                    Bound::Capacity if option.capacity == 0 => -1,
                    Bound::Capacity => option.capacity as i32,
                    Bound::Number(number) => *number,
                };
                missing(*op, option.length.get(state), option.capacity as i32, bound)
            }
            Part::At(process, table) => {
                let engine = &self.engine;
                let is_alive = (*process as i32) < engine.layout.n_processes.get(state);
                let Some(numbers) = self.numbers.get() else { return 0 };
                let node = match is_alive {
                    true => numbers.node_of(engine, *process, state),
                    false => numbers.nowhere(),
                };
                self.tables[*table][node]
            }
        }
    }
}

/// Returns whether an access can be an error of the run.
pub(super) fn may_fail<'n>(access: &Access<'n>, names: Names<'n>, channels: &Channels<'n>) -> bool {
    match access.kind {
        AccessKind::Failure => true,
        AccessKind::Channel(used) => {
            let channel = channels.held_by(used.place, names);
            let is_poll = matches!(used.operation, Operation::Poll | Operation::RandomPoll);
            let Some(ty) = channels.type_of(&channel, names.template) else { return true };
            channel == Channel::Any || is_poll || used.n_fields.is_some_and(|it| it != ty.fields.len())
        }
        _ => false,
    }
}

/// A comparison of a variable with a number, which an assignment of a constant
/// decides.
struct Test<'e> {
    variable: GlobalId,
    op: BinaryOp,
    number: i32,
    wanted: bool,
    ty: Type,
    place: &'e Place,
}

impl<'e> Test<'e> {
    fn of(expr: &'e Expr, wanted: bool, names: &Names) -> Option<Self> {
        let (place, op, number) = match &expr.kind {
            ExprKind::Read(place) => (place, BinaryOp::NotEqual, 0),
            ExprKind::Binary(op, left, right) if op.compares() => {
                let ExprKind::Read(place) = &left.kind else { return None };
                (place, *op, right.constant(names.process)?)
            }
            _ => return None,
        };
        let Root::Global(variable) = place.root else { return None };
        let is_certain = place.fields.is_empty()
            && place.index.as_ref().is_none_or(|it| it.constant(names.process).is_some());
        let ty = names.network.declared_type(place, names.template)?;
        is_certain.then_some(Self { variable, op, number, wanted, ty, place })
    }

    /// Returns whether the test can be passed after an assignment.
    fn is_passed_after(&self, value: Option<i32>) -> bool {
        let Some(value) = value else { return true };
        let fits =
            self.ty.range().is_some_and(|(least, largest)| (least..=largest).contains(&i64::from(value)));
        !fits || self.op.apply(value, self.number).is_none_or(|it| (it != 0) == self.wanted)
    }
}

/// Returns whether an action can change one of the variables so that a test is
/// passed.
fn can_change<'n>(names: Names<'n>, action: &'n Action, read: &[GlobalId], test: Option<&Test>) -> bool {
    let mut can_change = false;
    names.action(action, &mut |access| {
        let AccessKind::Write(place, value) = access.kind else { return };
        let Root::Global(global) = place.root else { return };
        if !read.contains(&global) {
            return;
        }
        let value = value.and_then(|it| it.constant(None));
        can_change |= match test {
            Some(test) if test.variable == global && place.fields == test.place.fields => {
                test.is_passed_after(value)
            }
            _ => true,
        };
    });
    can_change
}

/// Returns the comparison that is true where another one is false.
fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        other => other,
    }
}

/// Returns the number of sends or receives until the number of messages passes
/// a comparison.
fn missing(op: BinaryOp, length: i32, capacity: i32, bound: i32) -> u32 {
    let passes = |length: &i32| op.apply(*length, bound).is_some_and(|it| it != 0);
    (0..=capacity).filter(passes).map(|it| it.abs_diff(length)).min().unwrap_or(NEVER)
}
