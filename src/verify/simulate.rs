//! Runs a program step by step: at random, interactively, or along a trail of
//! SPIN.

use super::explicit::{BlockedProcess, Content, Fault, Semantics, described_step};
use super::follow::{Followed, TrailMismatch, follow};
use super::question::TrailDetail;
use super::trail::{Step, Trail};
use crate::base::cancel::caught;
use crate::base::control::Stop;
use crate::explicit::heuristics::TargetState;
use crate::explicit::layout::Shape;
use crate::explicit::view::{Moment, Taken};
use crate::explicit::{Engine, View};
use crate::lang::promela;
use crate::lang::promela::trail::TrailFile;
use crate::net::Network;
use crate::system::Word;

pub use crate::explicit::view::Ending;

/// Chooses the steps of a run.
pub trait Driver {
    /// Chooses one of the enabled steps; there may be none.
    fn choose(&mut self, scene: &Scene) -> Choice;

    /// Receives a step that was taken, with its number, counted from 1.
    fn taken(&mut self, number: usize, step: Step);
}

/// What a driver chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take the step with this index.
    Take(usize),
    /// Go back by one step.
    Back,
    /// Stop the run.
    Quit,
}

/// The situation in which a driver chooses.
#[derive(Debug)]
pub struct Scene<'s> {
    engine: &'s Engine<'s>,
    now: &'s Moment,
    possible: &'s [Taken],
    /// Number of steps so far.
    pub n_steps: usize,
    /// The reason why no step is enabled, if none is.
    pub ending: Option<Ending>,
}

impl Scene<'_> {
    /// Returns the number of enabled steps.
    pub fn n_possible(&self) -> usize {
        self.possible.len()
    }

    /// Returns the description of an enabled step.
    pub fn step(&self, index: usize) -> Step {
        described_step(self.engine, &self.now.state, &self.possible[index])
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// No step is enabled.
    Ended(Ending),
    /// The driver stopped the run.
    Quit,
    /// A limit was reached, or the user interrupted the run.
    Limit(Stop),
    /// The trail ended.
    TrailEnded,
    /// The trail reached the end of its cycle, which repeats forever.
    Repeats,
    /// The trail reached the end of the claim.
    Claimed,
    /// A recorded counterexample reached the violation of its property.
    Broken,
}

impl Stopped {
    /// Returns whether the run ended in an error.
    pub fn is_error(self) -> bool {
        self.fault().is_some() || matches!(self, Self::Repeats | Self::Claimed | Self::Broken)
    }

    /// Returns the runtime error at the end, if any.
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Ended(Ending::Fault(fault)) => Some(fault),
            _ => None,
        }
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// Number of steps.
    pub n_steps: usize,
    /// Why it stopped.
    pub stopped: Stopped,
    /// What each process is blocked at, if the run ends in an invalid end
    /// state.
    pub blocked: Vec<BlockedProcess>,
    /// Values of the variables at the end.
    pub last: Vec<Content>,
}

impl Simulated {
    pub(super) fn new(
        n_steps: usize,
        stopped: Stopped,
        engine: &Engine,
        view: &mut View,
        state: &[Word],
    ) -> Self {
        let is_blocked = stopped.fault().is_some_and(Fault::is_blocked_end);
        let blocked = if is_blocked { view.blocked(state) } else { Vec::new() };
        Self { n_steps, stopped, blocked, last: engine.contents(state) }
    }
}

/// Runs a program with the choices of the driver.
pub fn simulate(program: &Network, semantics: Semantics, driver: &mut dyn Driver) -> Simulated {
    let mut run = Run { semantics, shape: Shape::of(program), choices: Vec::new(), last: Vec::new() };
    loop {
        let engine = Engine::new(program, &run.shape);
        if let Some(simulated) = run.go_on(&engine, driver) {
            return simulated;
        }
    }
}

/// A run in progress. If states need more bits than the layout has, the run
/// starts again with a larger layout and repeats its choices.
struct Run {
    semantics: Semantics,
    shape: Shape,
    choices: Vec<usize>,
    /// Values of the variables at the restart.
    last: Vec<Content>,
}

impl Run {
    /// Continues until the run ends; returns `None` if it must restart.
    fn go_on(&mut self, engine: &Engine, driver: &mut dyn Driver) -> Option<Simulated> {
        let mut view = View::new(engine).with_semantics(self.semantics).cancellable();
        let mut moments = vec![view.beginning()];
        for index in 0..self.choices.len() {
            match caught(|| self.possible(&mut view, &moments[index])) {
                Ok(possible) => moments.push(possible?.swap_remove(self.choices[index]).next),
                Err(stop) => {
                    let (n_steps, stopped) = (self.choices.len(), Stopped::Limit(stop));
                    let last = std::mem::take(&mut self.last);
                    return Some(Simulated { n_steps, stopped, blocked: Vec::new(), last });
                }
            }
        }
        loop {
            let now = moments.last()?;
            let mut possible = match caught(|| self.possible(&mut view, now)) {
                Ok(Some(possible)) => possible,
                Ok(None) => {
                    self.last = engine.contents(&now.state);
                    return None;
                }
                Err(stop) => {
                    let stopped = Stopped::Limit(stop);
                    return Some(Simulated::new(self.choices.len(), stopped, engine, &mut view, &now.state));
                }
            };
            let ending = possible.is_empty().then(|| view.ending(&now.state));
            let n_steps = self.choices.len();
            let choice = driver.choose(&Scene { engine, now, possible: &possible, n_steps, ending });
            match choice {
                Choice::Take(index) if index < possible.len() => {
                    let taken = possible.swap_remove(index);
                    self.choices.push(index);
                    driver.taken(n_steps + 1, described_step(engine, &now.state, &taken));
                    moments.push(taken.next);
                }
                Choice::Back if n_steps > 0 => {
                    moments.pop();
                    self.choices.pop();
                }
                Choice::Back => {}
                Choice::Take(_) | Choice::Quit => {
                    let stopped = ending.map_or(Stopped::Quit, Stopped::Ended);
                    return Some(Simulated::new(n_steps, stopped, engine, &mut view, &now.state));
                }
            }
        }
    }

    /// Returns the enabled steps unless the run is cancelled; `None` if it must
    /// restart.
    fn possible(&mut self, view: &mut View, now: &Moment) -> Option<Vec<Taken>> {
        let possible = view.steps(now);
        match view.missing_room() {
            Some(missing_room) => {
                self.shape.grow(missing_room);
                None
            }
            None => Some(possible),
        }
    }
}

/// A trail that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Its steps.
    pub trail: Trail,
    /// The end of the run.
    pub end: Simulated,
    /// Whether it continues after a violated assertion.
    pub passes_assertions: bool,
    /// Its last state.
    pub last: TargetState,
}

/// Replays a trail of SPIN. If necessary, it continues after violated
/// assertions, as SPIN does when it searches for several errors.
pub fn replay(
    program: &promela::Program,
    semantics: Semantics,
    file: &TrailFile,
    detail: TrailDetail,
) -> Result<Replayed, TrailMismatch> {
    let tolerant = Semantics { allows_failed_assertions: true, ..semantics };
    let strictly = replay_in(program, semantics, semantics, file, detail);
    strictly.or_else(|mismatch| match replay_in(program, tolerant, semantics, file, detail) {
        Ok(replayed) => Ok(Replayed { passes_assertions: true, ..replayed }),
        Err(_) => Err(mismatch),
    })
}

/// Replays a trail, with separate semantics for the last step.
fn replay_in(
    program: &promela::Program,
    semantics: Semantics,
    at_end: Semantics,
    file: &TrailFile,
    detail: TrailDetail,
) -> Result<Replayed, TrailMismatch> {
    let network = &program.network;
    let mut shape = Shape::of(network);
    loop {
        let engine = Engine::new(network, &shape);
        let mut view = View::new(&engine).with_semantics(semantics).cancellable();
        let followed = follow(program, &engine, &mut view, file);
        match view.missing_room() {
            Some(missing_room) => shape.grow(missing_room),
            None => {
                let mut last = View::new(&engine).with_semantics(at_end).cancellable();
                let views = (&mut view, &mut last);
                return Ok(described_run(&engine, &shape, views, followed?, file, detail));
            }
        }
    }
}

fn described_run(
    engine: &Engine,
    shape: &Shape,
    (view, last): (&mut View, &mut View),
    followed: Followed,
    file: &TrailFile,
    detail: TrailDetail,
) -> Replayed {
    let Followed { steps, cycle, mut end } = followed;
    let n_steps = steps.len();
    let mut trail = Trail { n_steps, cycle, ..Trail::default() };
    let mut now = view.beginning();
    for (index, step) in steps.into_iter().enumerate() {
        let is_last = index + 1 == n_steps;
        let possible = if is_last { last.steps(&now) } else { view.steps(&now) };
        let Some(taken) = possible.into_iter().find(|it| it.step == step) else { break };
        if detail.describes(index, n_steps) {
            trail.steps.push((index, described_step(engine, &now.state, &taken)));
        }
        now = taken.next;
        if is_last {
            end = now.clone();
        }
    }
    let is_over = last.steps(&end).is_empty();
    let stopped = match (cycle, file.claim) {
        (Some(_), _) => Stopped::Repeats,
        (None, Some(_)) => Stopped::Claimed,
        (None, None) if is_over => Stopped::Ended(last.ending(&end.state)),
        (None, None) => Stopped::TrailEnded,
    };
    let state = end.state;
    let end = Simulated::new(n_steps, stopped, engine, last, &state);
    Replayed { trail, end, passes_assertions: false, last: TargetState::new(engine, shape, &state) }
}
