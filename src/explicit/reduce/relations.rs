//! Relations between the transitions of a network, as rows of bits that are
//! computed when they are first needed.

use super::MAX_TRANSITIONS;
use super::events::Events;
use super::target::Target;
use crate::analysis::dependence::{
    Conjunct, Dependence, ErrorCondition, SystemTransition, SystemTransitionId,
};
use crate::base::cancel::checkpoint;
use crate::define_id;
use crate::explicit::view::Semantics;
use crate::net::{Action, Graph, LocationId, Network, TemplateId};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A set of transitions, as bits.
pub(super) type Row = Box<[u64]>;

define_id!(
    /// A conjunct of the relations.
    NodeId
);

/// The transitions of a system with their conjuncts, goals and relations.
#[derive(Debug)]
pub struct Relations<'n> {
    dependence: Dependence<'n>,
    /// Conjuncts per transition.
    conjuncts: Vec<Vec<NodeId>>,
    pub(super) nodes: Vec<Node<'n>>,
    /// Goals with conditions.
    pub(super) goals: Vec<Goal>,
    /// The events of a property of their order, which has further goals.
    pub(super) events: Option<Events>,
    /// Whether the states in which no process can move are needed.
    pub(super) keeps_ends: bool,
    /// Per transition, those with which it does not accord.
    conflicts: Vec<OnceLock<Row>>,
    /// Templates that each process number can have.
    processes: Vec<Vec<TemplateId>>,
    /// Per process, option and location, how it concerns the transitions.
    places: Vec<Vec<Vec<OnceLock<Place>>>>,
    /// Per process, the transitions that need it at a location.
    needing: Vec<OnceLock<Row>>,
    /// Goals that are transitions without further conditions.
    pub(super) plain_goals: Row,
    /// Per template and location, the locations that can follow.
    reach: Vec<Vec<Row>>,
}

/// How a location of a process concerns the transitions of the system.
#[derive(Debug)]
pub(super) struct Place {
    /// Transitions that need the process at a location, but not at this one.
    pub away: Row,
    /// Those of them that need it where it cannot get from here.
    pub unreachable: Row,
    /// Transitions that can move the process away from here.
    pub leaving: Row,
}

/// A conjunct, with those of which it consists.
#[derive(Debug)]
pub(super) struct Node<'n> {
    pub conjunct: Conjunct<'n>,
    pub parts: Parts,
    enablers: OnceLock<Row>,
    disablers: OnceLock<Row>,
}

/// The parts of a conjunct.
#[derive(Debug)]
pub(super) enum Parts {
    /// It has none.
    Leaf,
    /// At least one of these is entirely true.
    AnyOf(Vec<Vec<NodeId>>),
    /// None of these is entirely true.
    NoneOf(Vec<Vec<NodeId>>),
}

/// What the search is for: the execution of a transition, or a state.
#[derive(Debug)]
pub(super) struct Goal {
    /// The transition that is executed; `None` for a state.
    pub transition: Option<usize>,
    /// Further conditions, all of which are true then.
    pub conditions: Vec<NodeId>,
}

impl<'n> Relations<'n> {
    /// Computes the transitions, conjuncts and goals of the processes; `None` if there
    /// are too many transitions. Errors are goals of every search, since all
    /// reports say whether some runs end in one.
    pub fn new(
        network: &'n Network,
        processes: &[Vec<TemplateId>],
        semantics: Semantics,
        target: &Target<'n>,
    ) -> Option<Self> {
        let dependence = Dependence::within(network, processes, semantics.loses_messages, MAX_TRANSITIONS)?;
        let n_transitions = dependence.n_transitions();
        let mut nodes = Nodes::default();
        let ids = || (0..n_transitions).map(SystemTransitionId::new);
        let conjuncts = ids().map(|id| nodes.add_all(dependence.conjuncts(id))).collect();
        let mut goals = Vec::new();
        for id in ids() {
            let conditions = match dependence.error(id) {
                _ if dependence.starts_process(id) => Vec::new(),
                ErrorCondition::Never => continue,
                ErrorCondition::Assertion(_) if semantics.allows_failed_assertions => continue,
                ErrorCondition::Possible { is_assertion: true } if semantics.allows_failed_assertions => {
                    continue;
                }
                ErrorCondition::Assertion(fails) => nodes.add_all(fails),
                ErrorCondition::Possible { .. } => Vec::new(),
            };
            goals.push(Goal { transition: Some(id.index()), conditions });
        }
        for expr in target.states() {
            let conditions =
                nodes.add_all(&Dependence::observed(network, processes, target.observer(), expr));
            goals.push(Goal { transition: None, conditions });
        }
        let is_plain = |it: &Goal| it.transition.is_some() && it.conditions.is_empty();
        let mut plain_goals = vec![0; n_transitions.div_ceil(64)].into_boxed_slice();
        for transition in goals.iter().filter(|it| is_plain(it)).filter_map(|it| it.transition) {
            plain_goals[transition / 64] |= 1 << (transition % 64);
        }
        goals.retain(|it| !is_plain(it));
        Some(Self {
            conjuncts,
            nodes: nodes.all,
            goals,
            events: target.sequence().map(|it| Events::new(&dependence, it)),
            keeps_ends: target.keeps_ends(semantics),
            dependence,
            conflicts: (0..n_transitions).map(|_| OnceLock::new()).collect(),
            places: processes.iter().map(|it| places(network, it)).collect(),
            needing: processes.iter().map(|_| OnceLock::new()).collect(),
            processes: processes.to_vec(),
            plain_goals,
            reach: network.graphs().map(reach).collect(),
        })
    }

    /// Returns the number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.dependence.n_transitions()
    }

    /// Returns the number of words of a row.
    pub(super) fn n_words(&self) -> usize {
        self.n_transitions().div_ceil(64)
    }

    /// Iterates over the transitions by number.
    pub(super) fn transitions(&self) -> impl Iterator<Item = SystemTransition> {
        (0..self.n_transitions()).map(|it| self.dependence.transition(SystemTransitionId::new(it)))
    }

    /// Returns the conjuncts of a transition.
    pub(super) fn conjuncts(&self, transition: usize) -> &[NodeId] {
        &self.conjuncts[transition]
    }

    /// Returns the transitions with which one does not accord, without itself.
    pub(super) fn conflicts(&self, transition: usize) -> &[u64] {
        self.conflicts[transition].get_or_init(|| {
            let one = SystemTransitionId::new(transition);
            let commute = |other: SystemTransitionId| {
                self.events.as_ref().is_none_or(|it| it.commute(transition, other.index()))
            };
            self.row(|other| other != one && !(self.dependence.accords(one, other) && commute(other)))
        })
    }

    /// Returns the transitions that can make a false conjunct true.
    pub(super) fn enablers(&self, node: NodeId) -> &[u64] {
        let node = &self.nodes[node.index()];
        node.enablers.get_or_init(|| self.row(|it| self.dependence.enables(it, &node.conjunct)))
    }

    /// Returns the transitions that can make a true conjunct false.
    pub(super) fn disablers(&self, node: NodeId) -> &[u64] {
        let node = &self.nodes[node.index()];
        node.disablers.get_or_init(|| self.row(|it| self.dependence.disables(it, &node.conjunct)))
    }

    /// Returns how the location of a process with this option concerns the
    /// transitions.
    #[inline]
    pub(super) fn place(&self, process: usize, option: usize, location: LocationId) -> &Place {
        self.places[process][option][location.index()].get_or_init(|| {
            let template = self.processes[process][option];
            let needs = |it: SystemTransitionId, is_met: &dyn Fn(TemplateId, &[LocationId]) -> bool| {
                !self.dependence.conjuncts(it).iter().all(|it| match it {
                    Conjunct::At { process: other, template, locations } if *other == process => {
                        is_met(*template, locations)
                    }
                    _ => true,
                })
            };
            Place {
                away: self.row(|it| needs(it, &|other, at| other == template && at.contains(&location))),
                unreachable: self.row(|it| {
                    needs(it, &|other, at| other == template && self.is_reachable(template, location, at))
                }),
                leaving: self.row(|it| self.dependence.may_leave(it, process, location)),
            }
        })
    }

    /// Returns the transitions that need a process at a location.
    pub(super) fn needing(&self, process: usize) -> &[u64] {
        self.needing[process].get_or_init(|| {
            self.row(|it| {
                let mut conjuncts = self.dependence.conjuncts(it).iter();
                conjuncts.any(|it| matches!(it, Conjunct::At { process: other, .. } if *other == process))
            })
        })
    }

    /// Returns the number of process numbers.
    pub(super) fn n_processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns whether one of the locations can follow another one.
    pub(super) fn is_reachable(&self, template: TemplateId, from: LocationId, to: &[LocationId]) -> bool {
        let row = &self.reach[template.index()][from.index()];
        to.iter().any(|it| row[it.index() / 64] >> (it.index() % 64) & 1 != 0)
    }

    /// Computes a row. It does not poll for a stop: that would abandon the search
    /// that needs it.
    fn row(&self, contains: impl Fn(SystemTransitionId) -> bool) -> Row {
        let mut row = vec![0; self.n_words()].into_boxed_slice();
        for index in (0..self.n_transitions()).filter(|it| contains(SystemTransitionId::new(*it))) {
            row[index / 64] |= 1 << (index % 64);
        }
        row
    }
}

/// Returns room for the locations of a process, by option.
fn places(network: &Network, templates: &[TemplateId]) -> Vec<Vec<OnceLock<Place>>> {
    let of_template =
        |it: &TemplateId| network.template(*it).graph.locations.iter().map(|_| OnceLock::new()).collect();
    templates.iter().map(of_template).collect()
}

/// Collects conjuncts.
#[derive(Default)]
struct Nodes<'n> {
    all: Vec<Node<'n>>,
    /// Conditions on locations, which many transitions share.
    locations: HashMap<(usize, TemplateId, Vec<LocationId>), NodeId>,
}

impl<'n> Nodes<'n> {
    fn add_all(&mut self, conjuncts: &[Conjunct<'n>]) -> Vec<NodeId> {
        conjuncts.iter().map(|it| self.add(it)).collect()
    }

    fn add(&mut self, conjunct: &Conjunct<'n>) -> NodeId {
        let key = match conjunct {
            Conjunct::At { process, template, locations } => Some((*process, *template, locations.clone())),
            _ => None,
        };
        if let Some(known) = key.as_ref().and_then(|it| self.locations.get(it)) {
            return *known;
        }
        let parts = match conjunct {
            Conjunct::AnyOf(all) => Parts::AnyOf(all.iter().map(|it| self.add_all(it)).collect()),
            Conjunct::NoneOf(all) => Parts::NoneOf(all.iter().map(|it| self.add_all(it)).collect()),
            _ => Parts::Leaf,
        };
        let id = NodeId::new(self.all.len());
        let (enablers, disablers) = (OnceLock::new(), OnceLock::new());
        self.all.push(Node { conjunct: conjunct.clone(), parts, enablers, disablers });
        self.locations.extend(key.map(|it| (it, id)));
        id
    }
}

/// Returns, for each location of a graph, the locations that can follow, with
/// itself.
fn reach(graph: &Graph) -> Vec<Row> {
    let n_locations = graph.locations.len();
    let mut rows = Vec::with_capacity(n_locations);
    for start in 0..n_locations {
        checkpoint();
        let mut row = vec![0_u64; n_locations.div_ceil(64)].into_boxed_slice();
        let mut open = vec![LocationId::new(start)];
        while let Some(at) = open.pop() {
            let bit = 1 << (at.index() % 64);
            if row[at.index() / 64] & bit != 0 {
                continue;
            }
            row[at.index() / 64] |= bit;
            let location = graph.location(at);
            open.extend(&location.escapes);
            for &id in &location.out {
                let transition = graph.transition(id);
                open.push(transition.to);
                if let Action::Deterministic(first) = transition.action {
                    open.push(first);
                }
            }
        }
        rows.push(row);
    }
    rows
}
