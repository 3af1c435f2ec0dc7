//! Runs a program step by step: at random, as a user says, or along a trail
//! of SPIN.

use super::explicit::{BlockedProcess, Content, Fault, Semantics, described_step};
use super::follow::{Followed, Misfit, follow};
use super::question::TrailDetail;
use super::trail::{Step, Trail};
use crate::base::cancel::caught;
use crate::base::control::Stop;
use crate::explicit::layout::Shape;
use crate::explicit::view::{Moment, Taken};
use crate::explicit::{Engine, View};
use crate::lang::promela;
use crate::lang::promela::trail::TrailFile;
use crate::net::Network;
use crate::system::Word;

pub use crate::explicit::view::Ending;

/// Says how a run goes on.
pub trait Driver {
    /// Chooses among the steps that are possible; there may be none.
    fn choose(&mut self, scene: &Scene) -> Choice;

    /// Is told that a step was taken, with its place from 1.
    fn taken(&mut self, number: usize, step: Step);
}

/// How a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By this step.
    Take(usize),
    /// As before the last step.
    Back,
    /// Not at all.
    Quit,
}

/// What a driver sees.
#[derive(Debug)]
pub struct Scene<'s> {
    engine: &'s Engine<'s>,
    now: &'s Moment,
    possible: &'s [Taken],
    /// Steps so far.
    pub n_steps: usize,
    /// Why nothing is possible, where nothing is.
    pub ending: Option<Ending>,
}

impl Scene<'_> {
    /// How many steps are possible.
    pub fn n_possible(&self) -> usize {
        self.possible.len()
    }

    /// What a step would do.
    pub fn step(&self, index: usize) -> Step {
        described_step(self.engine, &self.now.state, &self.possible[index])
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing can follow.
    Ended(Ending),
    /// The driver had enough.
    Quit,
    /// A limit was reached, or the user interrupted the run.
    Limit(Stop),
    /// A trail was at its end.
    TrailEnded,
    /// A trail came to where it repeats itself for ever.
    Repeats,
    /// A trail came to where the claim has seen what it was looking for.
    Claimed,
    /// A recorded counterexample came to where its property is broken.
    Broken,
}

impl Stopped {
    /// Was anything wrong?
    pub fn is_error(self) -> bool {
        self.fault().is_some() || matches!(self, Self::Repeats | Self::Claimed | Self::Broken)
    }

    /// What was wrong at the end, of the system itself.
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Ended(Ending::Fault(fault)) => Some(fault),
            _ => None,
        }
    }
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// Steps in all.
    pub n_steps: usize,
    /// Why it stopped.
    pub stopped: Stopped,
    /// What each process waits for, if none can move at the end though not
    /// all may end there.
    pub blocked: Vec<BlockedProcess>,
    /// What the variables hold at the end.
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

/// Runs a program as the driver says.
pub fn simulate(program: &Network, semantics: Semantics, driver: &mut dyn Driver) -> Simulated {
    let mut run = Run { semantics, shape: Shape::of(program), choices: Vec::new(), last: Vec::new() };
    loop {
        let engine = Engine::new(program, &run.shape);
        if let Some(simulated) = run.go_on(&engine, driver) {
            return simulated;
        }
    }
}

/// A run under way. Where states turn out to need more room it is begun
/// again, by the choices made so far.
struct Run {
    semantics: Semantics,
    shape: Shape,
    choices: Vec<usize>,
    /// What the variables held when it had to begin again.
    last: Vec<Content>,
}

impl Run {
    /// Until it is over; `None` if it must begin again.
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

    /// The steps that are possible, unless the run is cancelled meanwhile;
    /// `None` if it must begin again.
    fn possible(&mut self, view: &mut View, now: &Moment) -> Option<Vec<Taken>> {
        let possible = view.steps(now);
        match view.lack() {
            Some(lack) => {
                self.shape.grow(lack);
                None
            }
            None => Some(possible),
        }
    }
}

/// A trail that was followed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Its steps.
    pub trail: Trail,
    /// Where it led.
    pub end: Simulated,
    /// Does it go on behind an assertion that does not hold?
    pub passes_assertions: bool,
}

/// Follows a trail of SPIN. If need be it goes on behind assertions that do
/// not hold, as SPIN's own does where it looks for several errors.
pub fn replay(
    program: &promela::Program,
    semantics: Semantics,
    file: &TrailFile,
    detail: TrailDetail,
) -> Result<Replayed, Misfit> {
    let tolerant = Semantics { allows_failed_assertions: true, ..semantics };
    let strictly = replay_in(program, semantics, semantics, file, detail);
    strictly.or_else(|misfit| match replay_in(program, tolerant, semantics, file, detail) {
        Ok(replayed) => Ok(Replayed { passes_assertions: true, ..replayed }),
        Err(_) => Err(misfit),
    })
}

/// The same, the last step with semantics of its own.
fn replay_in(
    program: &promela::Program,
    semantics: Semantics,
    at_end: Semantics,
    file: &TrailFile,
    detail: TrailDetail,
) -> Result<Replayed, Misfit> {
    let network = &program.network;
    let mut shape = Shape::of(network);
    loop {
        let engine = Engine::new(network, &shape);
        let mut view = View::new(&engine).with_semantics(semantics).cancellable();
        let followed = follow(program, &engine, &mut view, file);
        match view.lack() {
            Some(lack) => shape.grow(lack),
            None => {
                let mut last = View::new(&engine).with_semantics(at_end).cancellable();
                return Ok(told(&engine, (&mut view, &mut last), followed?, file, detail));
            }
        }
    }
}

fn told(
    engine: &Engine,
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
    let end = Simulated::new(n_steps, stopped, engine, last, &end.state);
    Replayed { trail, end, passes_assertions: false }
}
