//! Construction of an engine from a network and a shape.

use super::{
    Act, Engine, InitialValue, LocationMoves, Match, Move, ObserverTable, Promise, SequenceTable, Table,
    Target, TraceTable,
};
use crate::analysis::channels::Channels;
use crate::analysis::steady::is_steady;
use crate::base::cancel::checkpoint;
use crate::explicit::code::{self, Code, Compiler, Scope};
use crate::explicit::hidden::forgotten;
use crate::explicit::layout::{
    Cell, CellInitial, Cells, Field, Layout, Needs, ProcessOption, ProcessRoom, Shape,
};
use crate::explicit::print::{Form, Text};
use crate::explicit::sequence::Sequence;
use crate::explicit::view::Fault;
use crate::net::{self, Expr, ExprKind, Format, Pattern, TemplateId};
use crate::net::{
    Action, Graph, Location, LocationId, Network, Observer, ObserverKind, TraceAutomaton, TransitionId,
};

impl<'p> Engine<'p> {
    /// Creates the engine of a network with room for `shape`.
    pub fn new(network: &'p Network, shape: &Shape) -> Self {
        Self::build(None, None, network, shape)
    }

    /// Creates an engine with an observer.
    pub fn with_observer(observer: Option<&Observer>, network: &'p Network, shape: &Shape) -> Self {
        Self::build(observer, None, network, shape)
    }

    /// Creates an engine that checks a property of the order of events.
    pub fn following(sequence: &Sequence, network: &'p Network, shape: &Shape) -> Self {
        Self::build(None, Some(sequence), network, shape)
    }

    fn build(
        observer: Option<&Observer>,
        sequence: Option<&Sequence>,
        network: &'p Network,
        shape: &Shape,
    ) -> Self {
        let kinds = network.channel_kinds();
        let cells = Cells::new(network, &kinds);
        let n_locations: Vec<usize> = network.graphs().map(|it| it.locations.len()).collect();
        let layout = Layout::new(
            &Needs {
                network,
                cells: &cells,
                kinds: &kinds,
                n_locations: &n_locations,
                // One more, for references to states that are stored separately.
                n_faults: Fault::ALL.len() + 2,
                n_observed: observer.map_or(1, |it| n_locations[it.template.index()]),
                n_sequenced: sequence.map_or(1, |it| it.monitor().n_states()),
                // One more location, for a trace that was left and has no end
                // state.
                n_traced: network.trace.map_or(1, |it| n_locations[it.template.index()] + 1),
                uses: network.uses,
                is_steady: is_steady(network),
            },
            shape,
        );
        let labels: Vec<Vec<u32>> =
            network.graphs().map(|it| it.labels.iter().map(|label| label.0).collect()).collect();
        let mut code = Code::default();
        code.fields.extend(&layout.globals);
        let mut first_transitions = Vec::new();
        let mut n_transitions = 0;
        for graph in network.graphs() {
            first_transitions.push(n_transitions);
            n_transitions += graph.transitions.len();
        }
        let mut builder = Builder {
            network,
            cells: &cells,
            layout: &layout,
            labels: &labels,
            first_transitions: &first_transitions,
            code: &mut code,
        };
        let globals = builder.starts(None, &cells.globals, 0);
        let tables = builder.tables();
        let observer = observer.map(|it| builder.watching(it));
        let trace = network.trace.map(|it| builder.tracing(it));
        let following = sequence.map(|it| following(it, network, &layout));
        let hidden = hidden(network, &cells, &layout);
        let fixed = fixed(network, &cells, &layout);
        Self {
            network,
            fixed,
            kinds,
            tables,
            globals,
            hidden,
            following,
            observer,
            trace,
            code,
            layout,
            cells,
            first_transitions,
            n_transitions,
            reduction: None,
        }
    }
}

fn following(sequence: &Sequence, network: &Network, layout: &Layout) -> SequenceTable {
    let of_option = |process: usize, option: &ProcessOption| {
        let n_transitions = network.templates[option.template.index()].graph.transitions.len();
        sequence.symbols(process, option.template, n_transitions)
    };
    let of_room = |(process, room): (usize, &ProcessRoom)| {
        room.options.iter().map(|it| of_option(process, it)).collect()
    };
    SequenceTable {
        sequence: sequence.clone(),
        symbols: layout.processes.iter().enumerate().map(of_room).collect(),
    }
}

/// Returns the fields of hidden variables that are cleared after every step.
fn hidden(network: &Network, cells: &Cells, layout: &Layout) -> Vec<Field> {
    let is_forgotten = forgotten(network);
    let fields = cells.globals.iter().zip(&layout.globals);
    fields.filter(|(cell, _)| is_forgotten[cell.variable]).map(|(_, field)| *field).collect()
}

/// Returns the fields of global channel variables that are never assigned.
fn fixed(network: &Network, cells: &Cells, layout: &Layout) -> Vec<Field> {
    let channels = Channels::new(network);
    let is_fixed = |cell: &Cell| {
        matches!(cell.initial, CellInitial::Channel(_)) && !channels.is_assigned(cell.variable as u32)
    };
    cells.globals.iter().zip(&layout.globals).filter(|(cell, _)| is_fixed(cell)).map(|it| *it.1).collect()
}

struct Builder<'a> {
    network: &'a Network,
    cells: &'a Cells,
    layout: &'a Layout,
    labels: &'a [Vec<u32>],
    first_transitions: &'a [usize],
    code: &'a mut Code,
}

impl Builder<'_> {
    fn compiler(&mut self, scope: Option<Scope>) -> Compiler<'_> {
        Compiler {
            network: self.network,
            cells: self.cells,
            layout: self.layout,
            code: self.code,
            scope,
            labels: self.labels,
        }
    }

    fn tables(&mut self) -> Vec<Vec<Table>> {
        let layout = self.layout;
        let mut tables = Vec::new();
        for (process, room) in layout.processes.iter().enumerate() {
            let mut options = Vec::new();
            for option in &room.options {
                let fields = self.code.fields.len() as u32;
                self.code.fields.extend(&option.locals);
                let scope = Scope { process, template: option.template, fields };
                options.push(self.table(scope));
            }
            tables.push(options);
        }
        tables
    }

    fn table(&mut self, scope: Scope) -> Table {
        let template = &self.network.templates[scope.template.index()];
        let cells = &self.cells.locals[scope.template.index()];
        let starts = &self.cells.local_starts[scope.template.index()];
        let n_parameters = template.parameters as usize;
        let n_cells = starts.get(n_parameters).copied().unwrap_or(cells.len());
        let fields = &self.code.fields[scope.fields as usize..];
        let parameters = fields[..n_cells].to_vec();
        let graph = &self.network.templates[scope.template.index()].graph;
        Table {
            fields: scope.fields,
            places: (0..graph.locations.len()).map(|at| self.place(scope, graph, at)).collect(),
            starts: self.starts(Some(scope), &cells[n_cells..], scope.fields as usize + n_cells),
            parameters,
            prints: self.prints(scope, graph),
            is_deterministic: template.is_deterministic,
            promises: template.exclusive.iter().map(|it| self.promise(scope, it)).collect(),
            provided: template.provided.as_ref().map(|expr| self.compiler(Some(scope)).piece(expr)),
        }
    }

    fn promise(&mut self, scope: Scope, promise: &net::Exclusive) -> Promise {
        let channel = &promise.channel;
        let expr = Expr { kind: ExprKind::Read(channel.clone()), span: channel.span };
        Promise { is_send: promise.is_send, channel: self.compiler(Some(scope)).piece(&expr) }
    }

    fn watching(&mut self, observer: &Observer) -> ObserverTable {
        let graph = &self.network.templates[observer.template.index()].graph;
        let scope = Scope { process: 0, template: observer.template, fields: self.code.fields.len() as u32 };
        ObserverTable {
            table: self.table(scope),
            writes: graph.transitions.iter().any(|it| matches!(it.action, Action::Assign(..))),
            sees_labels: observer.kind == ObserverKind::Claim,
        }
    }

    fn tracing(&mut self, trace: TraceAutomaton) -> TraceTable {
        let graph = &self.network.templates[trace.template.index()].graph;
        let scope = Scope { process: 0, template: trace.template, fields: self.code.fields.len() as u32 };
        let is_last = |it: &Location| it.out.iter().any(|&it| graph.transition(it).action == Action::End);
        let end = graph.locations.iter().position(is_last).unwrap_or(graph.locations.len());
        TraceTable { table: self.table(scope), is_negated: trace.is_negated, end }
    }

    fn starts(&mut self, scope: Option<Scope>, cells: &[Cell], first: usize) -> Vec<(Field, InitialValue)> {
        let mut starts = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            checkpoint();
            let start = match &cell.initial {
                CellInitial::Zero => continue,
                CellInitial::Value(expr) => InitialValue::Value(self.compiler(scope).piece(expr)),
                CellInitial::Channel(kind) => InitialValue::Channel(*kind),
            };
            starts.push((self.code.fields[first + index], start));
        }
        starts
    }

    fn prints(&mut self, scope: Scope, graph: &Graph) -> Vec<(TransitionId, Vec<Text>)> {
        let mut prints = Vec::new();
        for (index, transition) in graph.transitions.iter().enumerate() {
            if let Action::Print(pieces) = &transition.action {
                let texts = pieces.iter().map(|it| self.text(scope, it)).collect();
                prints.push((TransitionId::new(index), texts));
            }
        }
        prints
    }

    fn text(&mut self, scope: Scope, piece: &Format) -> Text {
        let (form, expr) = match piece {
            Format::Text(text) => return Text::Plain(text.clone()),
            Format::Decimal(expr) => (Form::Decimal, expr),
            Format::Unsigned(expr) => (Form::Unsigned, expr),
            Format::Hexadecimal(expr) => (Form::Hexadecimal, expr),
            Format::Octal(expr) => (Form::Octal, expr),
            Format::Character(expr) => (Form::Character, expr),
            Format::Mtype(expr, set) => (Form::Name(*set), expr),
        };
        Text::Value(form, self.compiler(Some(scope)).piece(expr))
    }

    fn place(&mut self, scope: Scope, graph: &Graph, at: usize) -> LocationMoves {
        checkpoint();
        let location = graph.location(LocationId::new(at));
        let mut place = LocationMoves {
            escapes: location.escapes.iter().map(|it| it.index()).collect(),
            is_end: location.is_end,
            is_accept: location.is_accept,
            is_progress: location.is_progress,
            deterministic: location.deterministic,
            ..LocationMoves::default()
        };
        for &id in &location.out {
            let transition = graph.transition(id);
            let act = self.act(scope, &transition.action);
            let to = transition.to.index() as i32;
            let mark = self.first_transitions[scope.template.index()] + id.index();
            let is_else = graph.is_else(transition);
            place.moves.push(Move { id, mark, act, is_else, to, keeps_control: transition.keeps_control });
        }
        let here = std::iter::once(location).chain(location.escapes.iter().map(|it| graph.location(*it)));
        place.receives = here.flat_map(|it| &it.out).any(|id| may_receive(&graph.transition(*id).action));
        place
    }

    fn act(&mut self, scope: Scope, action: &Action) -> Act {
        let mut compiler = self.compiler(Some(scope));
        match action {
            Action::Skip => Act::Skip,
            Action::Print(pieces) => {
                let values = pieces.iter().filter_map(Format::expr).map(|it| compiler.piece(it));
                let values: Vec<code::Piece> = values.collect();
                match values.iter().any(|it| compiler.code.can_fail(it)) {
                    true => Act::Print(values),
                    false => Act::Skip,
                }
            }
            Action::Else => Act::Else,
            Action::Otherwise => Act::Otherwise,
            Action::End => Act::End,
            Action::Deterministic(first) => Act::Deterministic(first.index()),
            Action::Guard(Expr { kind: ExprKind::Run { template, arguments, priority }, .. }) => {
                run(&mut compiler, *template, arguments, *priority, Target::Nowhere)
            }
            Action::Guard(expr) => Act::Guard(compiler.piece(expr)),
            Action::Assign(place, value) => {
                let target = target(&mut compiler, place);
                match &value.kind {
                    ExprKind::Run { template, arguments, priority } => {
                        run(&mut compiler, *template, arguments, *priority, target)
                    }
                    _ => match range_of(compiler.network, scope, place) {
                        Some(range) => Act::AssignWithin { target, value: compiler.piece(value), range },
                        None => Act::Assign { target, value: compiler.piece(value) },
                    },
                }
            }
            Action::Assert(expr) => Act::Assert(compiler.piece(expr)),
            Action::Fail(guard, failure) => Act::Fail(compiler.piece(guard), (*failure).into()),
            Action::Send(send) => Act::Send {
                channel: compiler.channel(&send.channel, true),
                values: send.values.iter().map(|expr| sent(&mut compiler, expr)).collect(),
                sorted: send.sorted,
            },
            Action::Receive(receive) => Act::Receive {
                channel: compiler.channel(&receive.channel, false),
                patterns: receive.patterns.iter().map(|it| pattern(&mut compiler, it)).collect(),
                any: receive.any,
                copy: receive.copy,
            },
            Action::SetPriority(pid, value) => {
                Act::SetPriority { process: compiler.piece(pid), value: compiler.piece(value) }
            }
        }
    }
}

/// Returns the range of a variable, if it is smaller than that of its type.
fn range_of(network: &Network, scope: Scope, place: &net::Place) -> Option<(i32, i32)> {
    let variable = network.variable(place.root, scope.template)?;
    variable.range.filter(|_| place.fields.is_empty())
}

/// Returns whether an action can receive a message; a `d_step` can begin with a
/// receive.
fn may_receive(action: &Action) -> bool {
    matches!(action, Action::Receive(_) | Action::Deterministic(_))
}

/// Compiles a sent value; no code for `_`, which matches any value of a trace.
fn sent(compiler: &mut Compiler, expr: &Expr) -> code::Piece {
    match &expr.kind {
        ExprKind::Read(place) if place.root == net::Root::Scratch => 0..0,
        _ => compiler.piece(expr),
    }
}

/// Compiles a `run`. The checker allows it only as a statement or as the value
/// of an assignment.
fn run(
    compiler: &mut Compiler,
    template: TemplateId,
    arguments: &[Expr],
    priority: Option<u32>,
    target: Target,
) -> Act {
    let arguments = arguments.iter().map(|expr| compiler.piece(expr)).collect();
    // The priority of the template is for processes that exist at the start.
    let priority = priority.unwrap_or(1) as i32;
    Act::Run { template, arguments, priority, target }
}

fn pattern(compiler: &mut Compiler, pattern: &Pattern) -> Match {
    match pattern {
        Pattern::Any => Match::Any,
        Pattern::Match(expr) => Match::Equal(compiler.piece(expr)),
        Pattern::Store(place) => Match::Store(target(compiler, place)),
    }
}

fn target(compiler: &mut Compiler, place: &net::Place) -> Target {
    let start = compiler.code.ops.len() as u32;
    match compiler.target(place) {
        code::Target::Nowhere => Target::Nowhere,
        code::Target::Field(field) => Target::Field(field),
        code::Target::Indexed(fields) => Target::Indexed(start..compiler.code.ops.len() as u32, fields),
    }
}
