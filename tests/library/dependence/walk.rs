//! One model, walked through at random.

use super::evaluate::Evaluator;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use trapline::analysis::dependence::{Conjunct, Dependence, Edge, SystemTransition, SystemTransitionId};
use trapline::base::random::Random;
use trapline::explicit::layout::{Cells, MissingRoom, Shape, Widths};
use trapline::explicit::view::{Moment, Semantics, Step};
use trapline::explicit::{Engine, View};
use trapline::net::Network;
use trapline::system::{Successors, TransitionSystem, Word};

/// Steps per walk at most.
const N_STEPS: usize = 30;

/// Successors of a state that are looked at most; a model with more is walked
/// through no further.
const MOST_SUCCESSORS: usize = 200;

/// How much was checked.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub n_models: usize,
    pub n_states: usize,
    /// Pairs of enabled transitions that accord, tried in both orders.
    pub n_accords: usize,
    /// The same of pairs that are said not to.
    pub n_conflicts: usize,
    /// Conjuncts that a step made true.
    pub n_enabled: usize,
    /// Transitions of which the conjuncts say whether they are enabled.
    pub n_decided: usize,
}

type State = Vec<Word>;

/// What each enabled transition leads to. A sequence without end leads to
/// nothing.
type Outcomes = BTreeMap<SystemTransitionId, BTreeSet<State>>;

struct Walk<'a> {
    engine: &'a Engine<'a>,
    cells: &'a Cells,
    dependence: &'a Dependence<'a>,
    view: View<'a>,
    known: HashMap<State, Outcomes>,
}

/// Why a walk ended early.
enum Stop {
    MissingRoom(MissingRoom),
    /// Too much follows a state.
    TooMuch,
    Wrong(String),
}

/// Walks through a model a number of times; what is wrong, if anything is.
pub fn walk(network: &Network, seed: u64, most_walks: usize, counts: &mut Counts) -> Result<(), String> {
    let mut shape = Shape { widths: Widths::whole(), ..Shape::at_start(network) };
    let mut random = Random::new(seed);
    let cells = Cells::new(network, &network.channel_kinds());
    let mut n_walks = 0;
    while n_walks < most_walks {
        let engine = Engine::new(network, &shape);
        // Some models lose messages.
        let loses_messages = seed % 4 == 3;
        let dependence = Dependence::new(network, &shape.processes, loses_messages);
        let view = View::new(&engine).with_semantics(Semantics { loses_messages, ..Semantics::default() });
        let mut walk =
            Walk { engine: &engine, cells: &cells, dependence: &dependence, view, known: HashMap::new() };
        let mut stop = None;
        while n_walks < most_walks && stop.is_none() {
            stop = walk.once(&mut random, counts).err();
            n_walks += 1;
        }
        match stop {
            Some(Stop::MissingRoom(missing_room)) => shape.grow(missing_room),
            Some(Stop::Wrong(message)) => return Err(message),
            Some(Stop::TooMuch) => break,
            None => {}
        }
    }
    Ok(())
}

impl<'a> Walk<'a> {
    fn once(&mut self, random: &mut Random, counts: &mut Counts) -> Result<(), Stop> {
        let mut state = vec![0; self.engine.layout.width];
        self.view.initial(&mut state);
        for _ in 0..N_STEPS {
            let outcomes = self.outcomes(&state)?;
            counts.n_states += 1;
            self.check_enabled(&state, &outcomes, counts)?;
            let ids: Vec<SystemTransitionId> = outcomes.keys().copied().collect();
            for (index, &one) in ids.iter().enumerate() {
                for &other in &ids[index + 1..] {
                    self.check_pair(&outcomes, one, other, counts)?;
                }
            }
            let steps: Vec<(SystemTransitionId, &State)> =
                outcomes.iter().flat_map(|(id, states)| states.iter().map(|it| (*id, it))).collect();
            if steps.is_empty() {
                break;
            }
            let (id, next) = steps[random.below(steps.len() as u32) as usize];
            if self.is_fault(next) {
                continue;
            }
            let next_outcomes = self.outcomes(next)?;
            self.check_enablers((&state, &outcomes), id, (next, &next_outcomes), counts)?;
            state = next.clone();
        }
        Ok(())
    }

    fn is_fault(&self, state: &[Word]) -> bool {
        self.view.fault(state).is_some()
    }

    fn evaluator<'s>(&'s self, state: &'s [Word]) -> Evaluator<'s> {
        Evaluator { engine: self.engine, cells: self.cells, state }
    }

    fn outcomes(&mut self, state: &State) -> Result<Outcomes, Stop> {
        if let Some(known) = self.known.get(state) {
            return Ok(known.clone());
        }
        let mut successors = Successors::new(state.len());
        let made = self.view.successors(state, &mut successors);
        if let Some(missing_room) = self.view.missing_room() {
            return Err(Stop::MissingRoom(missing_room));
        }
        if made.is_err() || successors.len() > MOST_SUCCESSORS {
            return Err(Stop::TooMuch);
        }
        let mut outcomes = Outcomes::new();
        for taken in self.view.steps(&Moment { state: state.clone(), holder: None }) {
            outcomes.entry(self.number(&taken.step, state)?).or_default();
        }
        let passages = self.view.passages(state);
        for (choice, next) in passages.states().enumerate() {
            if let Some(first) = passages.steps(choice).first() {
                outcomes.entry(self.number(first, state)?).or_default().insert(next.to_vec());
            }
        }
        self.known.insert(state.clone(), outcomes.clone());
        Ok(outcomes)
    }

    fn number(&self, step: &Step, state: &State) -> Result<SystemTransitionId, Stop> {
        let edge = |(process, transition)| Edge {
            process,
            template: self.engine.template(process, state),
            transition,
        };
        let first = edge((step.process, step.transition));
        let transition = SystemTransition { first, partner: step.partner.map(edge) };
        let id = self.dependence.find(&transition);
        id.ok_or_else(|| Stop::Wrong(format!("{transition:?} has no number")))
    }

    fn describe(&self, id: SystemTransitionId) -> String {
        let of = |edge: Edge| {
            let graph = &self.engine.network.template(edge.template).graph;
            format!("{}: {:?}", edge.process, graph.transition(edge.transition).action)
        };
        let transition = self.dependence.transition(id);
        transition.edges().map(of).collect::<Vec<_>>().join(" meets ")
    }

    /// A transition is enabled if and only if its conjuncts are true.
    fn check_enabled(&self, state: &State, outcomes: &Outcomes, counts: &mut Counts) -> Result<(), Stop> {
        let evaluator = self.evaluator(state);
        for id in (0..self.dependence.n_transitions()).map(SystemTransitionId::new) {
            let Some(expected) = evaluator.all_hold(self.dependence.conjuncts(id)) else { continue };
            counts.n_decided += 1;
            if expected != outcomes.contains_key(&id) {
                let conjuncts = self.dependence.conjuncts(id);
                return Err(Stop::Wrong(format!(
                    "{} is enabled: {}; conjuncts {conjuncts:?}",
                    self.describe(id),
                    !expected
                )));
            }
        }
        Ok(())
    }

    /// Two transitions that accord end alike in both orders.
    fn check_pair(
        &mut self,
        outcomes: &Outcomes,
        one: SystemTransitionId,
        other: SystemTransitionId,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        if !self.dependence.accords(one, other) {
            counts.n_conflicts += 1;
            return Ok(());
        }
        counts.n_accords += 1;
        let wrong = |walk: &Self, what: &str| {
            Err(Stop::Wrong(format!("{what}: {} and {}", walk.describe(one), walk.describe(other))))
        };
        let mut ends: [BTreeSet<State>; 2] = Default::default();
        let mut has_fault = outcomes[&one].is_empty() || outcomes[&other].is_empty();
        for (index, (first, second)) in [(one, other), (other, one)].into_iter().enumerate() {
            let second_fails = outcomes[&second].iter().any(|it| self.is_fault(it));
            for between in &outcomes[&first] {
                if self.is_fault(between) {
                    has_fault = true;
                    continue;
                }
                let after = self.outcomes(between)?;
                let Some(after) = after.get(&second) else {
                    return wrong(self, "the first disables the second");
                };
                if second_fails != after.iter().any(|it| self.is_fault(it)) {
                    return wrong(self, "the first changes whether the second fails");
                }
                ends[index].extend(after.iter().cloned());
            }
        }
        match has_fault || ends[0] == ends[1] {
            true => Ok(()),
            false => wrong(self, "the order matters"),
        }
    }

    /// A step that makes a conjunct true is an enabler of it.
    fn check_enablers(
        &self,
        (state, outcomes): (&State, &Outcomes),
        step: SystemTransitionId,
        (next, next_outcomes): (&State, &Outcomes),
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let (before, after) = (self.evaluator(state), self.evaluator(next));
        for id in (0..self.dependence.n_transitions()).map(SystemTransitionId::new) {
            let wrong = |what: &str| {
                Err(Stop::Wrong(format!("{} {what} {}", self.describe(step), self.describe(id))))
            };
            let conjuncts = self.dependence.conjuncts(id);
            let mut has_unknown = false;
            for conjunct in conjuncts {
                if !self.means_something(conjuncts, conjunct, &before) {
                    continue;
                }
                match (before.holds(conjunct), after.holds(conjunct)) {
                    (Some(false), Some(true)) => {
                        counts.n_enabled += 1;
                        if !self.dependence.enables(step, conjunct) {
                            return wrong(&format!("makes true {conjunct:?} of"));
                        }
                    }
                    (None, _) | (_, None) => has_unknown |= self.dependence.enables(step, conjunct),
                    _ => {}
                }
            }
            let is_enabled = !outcomes.contains_key(&id) && next_outcomes.contains_key(&id);
            let is_known = before.all_hold(conjuncts) == Some(false);
            if is_enabled && !is_known && !has_unknown {
                return wrong("enables, and is no enabler of any conjunct of");
            }
        }
        Ok(())
    }

    /// Only the location of a process that is not there means anything.
    fn means_something(&self, all: &[Conjunct], conjunct: &Conjunct, before: &Evaluator) -> bool {
        let is_there = |it: &Conjunct| match it {
            Conjunct::At { process, template, .. } => before.is_there(*process, *template),
            _ => true,
        };
        matches!(conjunct, Conjunct::At { .. }) || all.iter().all(is_there)
    }
}
