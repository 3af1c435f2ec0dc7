//! Distance to the error condition of a property, by its structure.
//!
//! - An assertion fails when its process has reached it and its condition is
//!   false. The first takes the statements to its location, the second what the
//!   condition takes.
//! - Other errors of a run occur at the statements that can fail.
//! - No process can move only where every process is at a location that can
//!   block.
//! - An observer violates its formula when it reaches its end: one move per
//!   step, each when its guard is true.
//!
//! With the maximum, no estimate exceeds the cost of an error. With the sum, an
//! assertion is what counts, if there is one: other errors are ignored.

use super::condition::{Combine, Condition, Conditions, may_fail};
use super::control::{Control, NEVER, Paths, executed, inside, transitions};
use super::{Aim, Estimator, Goal, HeuristicEntry, Refusal, bounded};
use crate::analysis::accesses::{AccessKind, Scope as Names};
use crate::analysis::channels::Channels;
use crate::base::cancel::checkpoint;
use crate::explicit::engine::Engine;
use crate::net::{
    Action, Expr, ExprKind, Graph, Location, LocationId, MAX_INSTANCES, Network, TemplateId, Transition,
    TransitionId,
};
use crate::system::{Guide, Word};

/// Entry of the table of heuristics.
pub(super) const MAXIMUM: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "formula",
        brief: "statements to the nearest error of the property: locations, channels, comparisons; the maximum where several are needed",
        admissible: true,
        monotone: true,
    },
    refuse,
    build: |engine, goal| build(engine, goal, Combine::Max),
};

/// Entry of the table of heuristics.
pub(super) const SUM: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "formula-sum",
        brief: "the same with the sum where several are needed; only assertions, if there are any",
        admissible: false,
        monotone: false,
    },
    refuse,
    build: |engine, goal| build(engine, goal, Combine::Sum),
};

fn refuse(_: &Network, goal: &Goal) -> Option<Refusal> {
    matches!(goal.aim, Aim::Sequence).then(|| Refusal {
        why: "estimates the distance to a state, but this property is an order of events".to_string(),
        help: "use `reach` or `trap`".to_string(),
    })
}

fn build<'e>(engine: &Engine<'e>, goal: &Goal, combine: Combine) -> Box<dyn Estimator + 'e> {
    match goal.aim {
        Aim::Observer(template) => Box::new(Observed::new(engine, template, combine)),
        Aim::Errors | Aim::Sequence => Box::new(Errors::new(engine, goal, combine)),
    }
}

/// Estimates the distance to an error of the system.
struct Errors<'e> {
    conditions: Conditions<'e>,
    control: Control,
    combine: Combine,
    /// Per process number and option, its errors with a condition.
    sites: Vec<Vec<Sites>>,
    /// Per node, the distance to other errors, of the process and of those that
    /// it starts.
    others: Vec<u32>,
    /// Paths of process numbers, and the distance to a location that can block;
    /// `None` if blocking is not an error.
    blocking: Option<(Control, Vec<u32>)>,
    /// Whether any step can be an error.
    can_always_fail: bool,
    /// Maximum number of channels that a process creates, if processes are
    /// started.
    n_channels: Option<usize>,
}

/// Errors of a template with a condition.
#[derive(Default)]
struct Sites {
    conditions: Vec<Condition>,
    /// Per location, the distances to the statements with these conditions, the
    /// nearest first.
    nearest: Vec<Vec<(u32, usize)>>,
}

/// A statement that can be an error.
struct Site<'n> {
    location: usize,
    /// The condition under which it is: an expression that is true, or false.
    /// `None` if that is not known.
    condition: Option<(&'n Expr, bool)>,
}

impl<'e> Errors<'e> {
    fn new(engine: &Engine<'e>, goal: &Goal, combine: Combine) -> Self {
        let network = engine.network;
        let control = Control::new(network, Paths::Descendants);
        let mut conditions = Conditions::new(engine);
        let channels = Channels::new(network);
        let all: Vec<Vec<Site>> = (0..network.templates.len())
            .map(|index| sites(network, TemplateId::new(index), goal, &channels))
            .collect();
        let has_assertions = all.iter().flatten().any(|it| it.condition.is_some());
        let ignores_others = combine == Combine::Sum && has_assertions;
        let known = |it: &&Site| it.condition.is_some();
        let mut seeds = Vec::new();
        for (index, sites) in all.iter().enumerate() {
            let node = |it: &Site| control.node(TemplateId::new(index), it.location);
            seeds.extend(sites.iter().filter(|it| !ignores_others || known(it)).map(node));
        }
        // Errors of processes that are started later have no condition here.
        let any = control.distances(seeds.into_iter().map(|node| (node, 0)));
        let mut others = Vec::new();
        for (index, sites) in all.iter().enumerate() {
            let template = TemplateId::new(index);
            if !ignores_others {
                let unknown = sites.iter().filter(|it| it.condition.is_none());
                others.extend(unknown.map(|it| (control.node(template, it.location), 0)));
            }
            for (location, started) in starts(network, template) {
                let there = any[control.node(started, Graph::ENTRY.index())];
                if there != NEVER {
                    others.push((control.node(template, location), there + 1));
                }
            }
        }
        let others = control.distances(others);
        let mut tables = Vec::new();
        for (process, room) in engine.layout.processes.iter().enumerate() {
            let mut options = Vec::new();
            for option in &room.options {
                let sites = &all[option.template.index()];
                options.push(Sites::new(&mut conditions, (process, option.template), sites, &control));
            }
            tables.push(options);
        }
        let blocks = !goal.semantics.allows_blocked_end && !ignores_others;
        let n_channels = network
            .templates
            .iter()
            .enumerate()
            .flat_map(|(index, _)| starts(network, TemplateId::new(index)))
            .map(|(_, started)| engine.n_channels_of(started))
            .max();
        Self {
            conditions,
            combine,
            sites: tables,
            others,
            blocking: blocks.then(|| blocking(network)),
            can_always_fail: can_always_fail(network, &channels) && !ignores_others,
            n_channels: n_channels.filter(|_| !ignores_others),
            control,
        }
    }

    /// Returns the distance to a state in which no process can move.
    fn blocked(&self, state: &[Word]) -> u32 {
        let Some((numbers, distances)) = &self.blocking else { return NEVER };
        let engine = &self.conditions.engine;
        let n_processes = engine.layout.n_processes.get(state) as usize;
        let of_process = |process| distances[numbers.node_of(engine, process, state)];
        let all = (0..n_processes).map(of_process).fold(0_u32, u32::saturating_add);
        if all == NEVER { NEVER } else { all.div_ceil(numbers.unit) }
    }

    /// Returns the number of statements before there are too many processes or
    /// channels.
    fn too_many(&self, state: &[Word]) -> u32 {
        let Some(n_channels) = self.n_channels else { return NEVER };
        let layout = &self.conditions.engine.layout;
        let most = layout.n_processes.get(state).max(layout.n_channels.get(state)) as usize;
        (MAX_INSTANCES.saturating_sub(most) / n_channels.max(1)) as u32
    }

    /// Returns the distance to the statement that is an error.
    fn nearest(&mut self, state: &[Word]) -> u32 {
        let mut best = self.blocked(state).min(self.too_many(state));
        if self.can_always_fail {
            best = 0;
        }
        let n_processes = self.conditions.engine.layout.n_processes.get(state) as usize;
        for process in 0..n_processes {
            let engine = &self.conditions.engine;
            let room = &engine.layout.processes[process];
            let tag = room.tag.get(state) as usize;
            best = best.min(self.others[self.control.node_of(engine, process, state)]);
            let sites = &self.sites[process][tag];
            for &(distance, site) in &sites.nearest[room.location.get(state) as usize] {
                if distance >= best {
                    break;
                }
                let condition = &sites.conditions[site];
                let needed = self.conditions.estimate(condition, self.combine, &self.control, state);
                best = best.min(self.combine.both(distance, needed));
            }
        }
        best
    }
}

impl Estimator for Errors<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        match self.conditions.engine.layout.fault.get(state) {
            0 => bounded(self.nearest(state).saturating_add(1)),
            _ => 0,
        }
    }
}

impl Sites {
    fn new<'e>(
        conditions: &mut Conditions<'e>,
        (process, template): (usize, TemplateId),
        sites: &[Site<'e>],
        control: &Control,
    ) -> Self {
        let network = conditions.engine.network;
        let graph = &network.template(template).graph;
        let mut all = Self { conditions: Vec::new(), nearest: vec![Vec::new(); graph.locations.len()] };
        let scope = conditions.scope(process, template);
        for site in sites {
            checkpoint();
            let Some((expr, is_positive)) = site.condition else { continue };
            let number = all.conditions.len();
            all.conditions.push(conditions.condition(expr, is_positive, scope, control));
            let distances = own_distances(graph, site.location);
            for (location, distance) in distances.into_iter().enumerate() {
                if distance != NEVER {
                    all.nearest[location].push((distance, number));
                }
            }
        }
        all.nearest.iter_mut().for_each(|it| it.sort_unstable());
        all
    }
}

/// Returns the distance of a process from each of its locations to one of them.
fn own_distances(graph: &Graph, target: usize) -> Vec<u32> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.locations.len()];
    for from in 0..graph.locations.len() {
        for id in transitions(graph, LocationId::new(from)) {
            let transition = graph.transition(id);
            match transition.action {
                Action::End => {}
                Action::Deterministic(first) => {
                    before[transition.to.index()].push(from);
                    inside(graph, first).1.into_iter().for_each(|to| before[to.index()].push(from));
                }
                _ => before[transition.to.index()].push(from),
            }
        }
    }
    let mut distances = vec![NEVER; graph.locations.len()];
    distances[target] = 0;
    let mut layer = vec![target];
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        for at in std::mem::take(&mut layer) {
            for &from in &before[at] {
                if distances[from] == NEVER {
                    distances[from] = distance;
                    layer.push(from);
                }
            }
        }
    }
    distances
}

/// Returns the statements of a template that can be errors. Where a `d_step`
/// can fail, the location before it is one.
fn sites<'n>(
    network: &'n Network,
    template: TemplateId,
    goal: &Goal,
    channels: &Channels<'n>,
) -> Vec<Site<'n>> {
    let graph = &network.template(template).graph;
    if network.is_observer(template) {
        return Vec::new();
    }
    let names = Names::any(network, template);
    let mut all = Vec::new();
    for location in 0..graph.locations.len() {
        checkpoint();
        for id in transitions(graph, LocationId::new(location)) {
            let transition = graph.transition(id);
            let condition = match &transition.action {
                Action::Assert(_) if goal.semantics.allows_failed_assertions => None,
                Action::Assert(expr) => Some((expr, false)),
                Action::Fail(guard, _) => Some((guard, true)),
                _ => None,
            };
            all.extend(condition.map(|it| Site { location, condition: Some(it) }));
            let can_fail = match transition.action {
                Action::Deterministic(first) => d_step_can_fail(names, graph, first, goal, channels),
                _ => can_fail(names, &transition.action, channels),
            };
            if can_fail {
                all.push(Site { location, condition: None });
            }
        }
    }
    all
}

/// Returns whether an action can be an error, apart from a failed assertion and
/// from too many processes.
fn can_fail<'n>(names: Names<'n>, action: &'n Action, channels: &Channels<'n>) -> bool {
    let mut n_failures = 0;
    names.action(action, &mut |access| n_failures += usize::from(may_fail(&access, names, channels)));
    let known = match action {
        Action::Assert(_) | Action::Fail(..) => 1,
        Action::SetPriority(..) => return true,
        Action::Guard(Expr { kind: ExprKind::Run { template, .. }, .. })
        | Action::Assign(_, Expr { kind: ExprKind::Run { template, .. }, .. }) => {
            let started = Names::any(names.network, *template);
            let mut fails = false;
            started.initials(&mut |access| fails |= may_fail(&access, started, channels));
            if fails {
                return true;
            }
            1
        }
        _ => 0,
    };
    n_failures > known
}

/// Returns whether a `d_step` can be an error: it can fail, block or be endless.
fn d_step_can_fail<'n>(
    names: Names<'n>,
    graph: &'n Graph,
    first: LocationId,
    goal: &Goal,
    channels: &Channels<'n>,
) -> bool {
    let (all, _) = inside(graph, first);
    let fails = |id: &TransitionId| match &graph.transition(*id).action {
        Action::Assert(_) if !goal.semantics.allows_failed_assertions => true,
        Action::Fail(..) | Action::End | Action::Deterministic(_) => true,
        action => can_fail(names, action, channels) || starts_process(names, action),
    };
    let blocks = |id: &TransitionId| {
        let to = graph.transition(*id).to;
        graph.location(to).deterministic == graph.location(first).deterministic
            && !always_continues(graph, graph.location(to))
    };
    all.iter().any(|it| fails(it) || blocks(it)) || has_cycle(graph, &all)
}

/// Returns whether some of these transitions form a cycle.
fn has_cycle(graph: &Graph, transitions: &[TransitionId]) -> bool {
    let leaves = |at: LocationId| graph.location(at).out.iter().filter(|it| transitions.contains(it));
    let mut open: Vec<LocationId> = (0..graph.locations.len()).map(LocationId::new).collect();
    open.retain(|it| leaves(*it).next().is_some());
    // Locations from which no open one is reached are closed, one after another.
    loop {
        let goes_on =
            |at: &LocationId| leaves(*at).any(|id| open.contains(&graph.transition(*id).to));
        let left: Vec<LocationId> = open.iter().copied().filter(goes_on).collect();
        if left.len() == open.len() {
            return !left.is_empty();
        }
        open = left;
    }
}

fn starts_process<'n>(names: Names<'n>, action: &'n Action) -> bool {
    let mut starts = false;
    names.action(action, &mut |access| {
        starts |= matches!(access.kind, AccessKind::Start(_));
    });
    starts
}

/// Returns the locations of a template at which a process can be started, and
/// its template.
fn starts(network: &Network, template: TemplateId) -> Vec<(usize, TemplateId)> {
    let graph = &network.template(template).graph;
    let names = Names::any(network, template);
    let mut all = Vec::new();
    for location in 0..graph.locations.len() {
        for id in transitions(graph, LocationId::new(location)) {
            for action in executed(graph, graph.transition(id)) {
                names.action(action, &mut |access| {
                    if let AccessKind::Start(started) = access.kind {
                        all.push((location, started));
                    }
                });
            }
        }
    }
    all.sort_unstable_by_key(|&(location, started)| (location, started.index()));
    all.dedup();
    all
}

/// Returns whether any step of a network can be an error that is not the error
/// of a statement: of a trace, a promise, a priority.
fn can_always_fail<'n>(network: &'n Network, channels: &Channels<'n>) -> bool {
    let clause_can_fail = |(index, clause): (usize, &'n Expr)| {
        let names = Names::any(network, TemplateId::new(index));
        let mut fails = false;
        names.guard(clause, &mut |access| fails |= may_fail(&access, names, channels));
        fails
    };
    let mut clauses = network.templates.iter().enumerate().filter_map(|(index, it)| Some((index, it.provided.as_ref()?)));
    network.trace.is_some()
        || network.uses.priorities
        || network.templates.iter().any(|it| it.is_deterministic || !it.exclusive.is_empty())
        || clauses.any(clause_can_fail)
}

/// Returns the distances of process numbers to locations that can block.
fn blocking(network: &Network) -> (Control, Vec<u32>) {
    let numbers = Control::new(network, Paths::Numbers);
    let mut seeds = vec![(numbers.nowhere(), 0)];
    for (index, template) in network.templates.iter().enumerate() {
        let may_wait = template.provided.is_some() || network.uses.priorities;
        for (number, location) in template.graph.locations.iter().enumerate() {
            if may_wait || !always_continues(&template.graph, location) {
                seeds.push((numbers.node(TemplateId::new(index), number), 0));
            }
        }
    }
    let distances = numbers.distances(seeds);
    (numbers, distances)
}

/// Returns whether a process can always move at a location.
fn always_continues(graph: &Graph, location: &Location) -> bool {
    let is_executable = |it: &Transition| {
        use Action::{Assert, Assign, Print, SetPriority, Skip};
        matches!(it.action, Skip | Assign(..) | Assert(_) | Print(_) | SetPriority(..))
    };
    // A rendezvous that is offered disables an `else`.
    let has_else = location.out.iter().any(|it| graph.transition(*it).action == Action::Else);
    let is_rendezvous =
        |it: &Transition| matches!(it.action, Action::Receive(_) | Action::Send(_) | Action::Deterministic(_));
    let mut out = location.out.iter().map(|it| graph.transition(*it));
    out.clone().any(is_executable) || has_else && !out.any(is_rendezvous)
}

/// A move of an observer: its source, its guard, which must be true or false, its
/// target, and its length in steps.
type ObserverMove<'n> = (usize, Option<(&'n Expr, bool)>, usize, u32);

/// Estimates the distance to the end of an observer.
struct Observed<'e> {
    conditions: Conditions<'e>,
    control: Control,
    combine: Combine,
    /// Per location of the observer, its moves to others: the guard, and the
    /// number of steps including this one until it has reached its end.
    moves: Vec<Vec<(Option<Condition>, u32)>>,
}

impl<'e> Observed<'e> {
    fn new(engine: &Engine<'e>, template: TemplateId, combine: Combine) -> Self {
        let network = engine.network;
        let graph = &network.template(template).graph;
        let control = Control::new(network, Paths::Descendants);
        let mut conditions = Conditions::new(engine);
        let channels = Channels::new(network);
        let names = Names::any(network, template);
        let is_end = |location: usize| {
            let first = graph.locations[location].out.first();
            first.is_some_and(|it| graph.transition(*it).action == Action::End)
        };
        // The end is one more location.
        let n_locations = graph.locations.len();
        let mut edges: Vec<ObserverMove> = Vec::new();
        for from in 0..n_locations {
            for id in transitions(graph, LocationId::new(from)) {
                let transition = graph.transition(id);
                let length = u32::from(!transition.keeps_control);
                let guard = match &transition.action {
                    Action::Guard(expr) => Some((expr, true)),
                    _ => None,
                };
                let mut targets = vec![transition.to.index()];
                let mut fails = can_fail(names, &transition.action, &channels);
                match &transition.action {
                    Action::Deterministic(first) => {
                        targets.extend(inside(graph, *first).1.into_iter().map(LocationId::index));
                        fails = true;
                    }
                    Action::Assert(expr) => edges.push((from, Some((expr, false)), n_locations, 1)),
                    _ => {}
                }
                if fails {
                    edges.push((from, None, n_locations, 1));
                }
                for to in targets {
                    let to = if is_end(to) { n_locations } else { to };
                    let length = if to == n_locations { 1 } else { length };
                    edges.push((from, guard, to, length));
                }
            }
        }
        let mut steps = vec![NEVER; n_locations + 1];
        steps[n_locations] = 0;
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            checkpoint();
            for &(from, _, to, length) in &edges {
                let through = steps[to].saturating_add(length);
                if through < steps[from] {
                    steps[from] = through;
                    has_changed = true;
                }
            }
        }
        let mut moves: Vec<Vec<(Option<Condition>, u32)>> = (0..n_locations).map(|_| Vec::new()).collect();
        let scope = None;
        for (from, guard, to, length) in edges {
            if from == to || steps[to] == NEVER {
                continue;
            }
            let guard = guard.map(|(expr, is_positive)| conditions.condition(expr, is_positive, scope, &control));
            moves[from].push((guard, steps[to] + length));
        }
        moves.iter_mut().for_each(|it| it.sort_by_key(|it| it.1));
        Self { conditions, control, combine, moves }
    }
}

impl Estimator for Observed<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        let layout = &self.conditions.engine.layout;
        if layout.fault.get(state) != 0 {
            return 0;
        }
        let mut best = NEVER;
        for (guard, steps) in &self.moves[layout.observer.get(state) as usize] {
            if *steps >= best {
                break;
            }
            let needed = match guard {
                Some(guard) => self.conditions.estimate(guard, self.combine, &self.control, state),
                None => 0,
            };
            best = best.min(needed.saturating_add(*steps));
        }
        bounded(best)
    }
}
