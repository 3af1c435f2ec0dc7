//! Replays a trail of SPIN step by step.
//!
//! If SPIN [merges](crate::lang::promela::merge) statements, only the first has
//! a line. The others are executed after it. If SPIN merged more than expected,
//! the rest is executed when the next line of the process, or the end of the
//! trail, requires it.

use crate::explicit::Engine;
use crate::explicit::view::{Ending, Moment, Step, Taken, View};
use crate::lang::promela::Program;
use crate::lang::promela::merge::Merges;
use crate::lang::promela::trail::{Mover, TrailFile, TrailLine};
use crate::net::{Action, Expr, ExprKind, Place, Root, Transition, TransitionId};

/// Maximum number of merged statements that are executed for one line.
const MAX_MERGED: usize = 10_000;

/// The run of a trail.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Executed steps.
    pub steps: Vec<Step>,
    /// Number of steps before the cycle.
    pub cycle: Option<usize>,
    /// Last state.
    pub end: Moment,
}

/// A line of a trail that the model cannot execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailMismatch {
    /// Index in [`TrailFile::lines`].
    pub line: usize,
    /// One sentence.
    pub message: String,
    /// The steps that are possible instead.
    pub help: Option<String>,
}

/// Replays a trail from the initial state. Steps of a claim are skipped, since
/// a claim only observes.
pub fn follow(
    program: &Program,
    engine: &Engine,
    view: &mut View,
    trail: &TrailFile,
) -> Result<Followed, TrailMismatch> {
    let merges = trail.is_merged.then(|| Merges::of(program));
    let merges = merges.as_ref();
    let mut follower = Follower { program, engine, now: view.beginning(), steps: Vec::new(), merges };
    let mut cycle = None;
    let mut at = 0;
    while let Some(line) = trail.lines.get(at) {
        if trail.cycle == Some(at) {
            cycle = Some(follower.steps.len());
        }
        let Mover::Process(process) = line.mover else {
            at += 1;
            continue;
        };
        let next = trail.lines.get(at + 1);
        if let Some(n_taken) = follower.take(view, process, line, next) {
            // The line of the receiver of a rendezvous belongs to it.
            at += n_taken;
        } else if view.missing_room().is_some() {
            break;
        } else if follower.is_landing(process, line) || is_past_end(view, &follower.now, at, trail) {
            at += 1;
        } else {
            return Err(follower.mismatch(view, at, process, line));
        }
    }
    if trail.cycle.is_some_and(|it| it >= trail.lines.len()) {
        cycle = Some(follower.steps.len());
    }
    if trail.claim.is_none() && trail.cycle.is_none() {
        follower.finish(view);
    }
    Ok(Followed { steps: follower.steps, cycle, end: follower.now })
}

/// Returns whether a line is beyond the end of the run. SPIN's breadth-first
/// search adds a step that is not enabled to the trail of a blocked system; its
/// depth-first search adds a step that it has tried before to the trail of a
/// claim that has reached its end.
fn is_past_end(view: &mut View, now: &Moment, at: usize, trail: &TrailFile) -> bool {
    let is_after_claim = || {
        trail.cycle.is_none() && at > 0 && trail.lines.get(at - 1).is_some_and(|it| it.mover == Mover::Claim)
    };
    let is_stuck =
        |view: &mut View| view.steps(now).is_empty() && matches!(view.ending(&now.state), Ending::Fault(_));
    at + 1 == trail.lines.len() && (is_after_claim() || is_stuck(view))
}

struct Follower<'e> {
    program: &'e Program,
    engine: &'e Engine<'e>,
    now: Moment,
    steps: Vec<Step>,
    /// The merged statements, which have no line, if SPIN merged any.
    merges: Option<&'e Merges>,
}

impl Follower<'_> {
    fn transition(&self, process: usize, id: TransitionId) -> &Transition {
        self.engine.transition(process, id, &self.now.state)
    }

    /// Returns SPIN's number of a statement.
    fn number(&self, process: usize, id: TransitionId) -> Option<u32> {
        self.program.statements.number(self.engine.template(process, &self.now.state), id)
    }

    /// Takes the step of a line, after the merged statements before it, and
    /// returns the number of lines used.
    fn take(
        &mut self,
        view: &mut View,
        process: usize,
        line: &TrailLine,
        next: Option<&TrailLine>,
    ) -> Option<usize> {
        let mut ahead = self.clone_here();
        for _ in 0..MAX_MERGED {
            let possible = view.steps(&ahead.now);
            if let Some(found) = possible.iter().find(|it| ahead.matches_line(it, process, line, next)) {
                let n_lines = 1 + usize::from(found.step.partner.is_some());
                ahead.go(found.clone());
                ahead.go_on(view);
                let Follower { now, steps, .. } = ahead;
                self.now = now;
                self.steps.extend(steps);
                return Some(n_lines);
            }
            let mover = ahead.now.holder.unwrap_or(process);
            let merged = ahead.only_step_of(mover, possible)?;
            ahead.go(merged);
        }
        None
    }

    /// Returns whether the line is the target of a jump out of an atomic
    /// sequence.
    fn is_landing(&self, process: usize, line: &TrailLine) -> bool {
        let is_there = process < self.engine.layout.n_processes.get(&self.now.state) as usize;
        is_there && {
            let proctype = self.engine.template(process, &self.now.state);
            self.program.statements.is_landing(proctype, line.number)
        }
    }

    fn clone_here(&self) -> Self {
        Self { now: self.now.clone(), steps: Vec::new(), ..*self }
    }

    fn go(&mut self, taken: Taken) {
        self.steps.push(taken.step);
        self.now = taken.next;
    }

    /// Executes the statements that are merged into the last step.
    fn go_on(&mut self, view: &mut View) {
        let (Some(merges), Some(step)) = (self.merges, self.steps.last().copied()) else { return };
        for (process, id) in [(step.process, step.transition)].into_iter().chain(step.partner) {
            if process >= self.engine.layout.n_processes.get(&self.now.state) as usize {
                continue;
            }
            let proctype = self.engine.template(process, &self.now.state);
            for id in &merges.chain(proctype.index(), id).then {
                let is_next = |it: &Taken| it.step.process == process && it.step.transition == *id;
                let Some(next) = view.steps(&self.now).into_iter().find(is_next) else { break };
                self.go(next);
            }
        }
    }

    fn matches_line(
        &self,
        taken: &Taken,
        process: usize,
        line: &TrailLine,
        next: Option<&TrailLine>,
    ) -> bool {
        let Step { process: mover, transition, partner, .. } = taken.step;
        let is_line = |line: &TrailLine, process: usize, id: TransitionId| {
            line.mover == Mover::Process(process) && self.number(process, id) == Some(line.number)
        };
        let meets =
            |(receiver, id): (usize, TransitionId)| next.is_some_and(|line| is_line(line, receiver, id));
        mover == process && is_line(line, mover, transition) && partner.is_none_or(meets)
    }

    /// Returns the only step that a process can take next, if it may have been
    /// merged: any step within an atomic sequence, else a local one.
    fn only_step_of(&self, process: usize, possible: Vec<Taken>) -> Option<Taken> {
        let mut own = possible.into_iter().filter(|it| it.step.process == process);
        let only = own.next()?;
        let is_hidden = || is_local(&self.transition(process, only.step.transition).action);
        let may_be = self.merges.is_some()
            && own.next().is_none()
            && only.step.partner.is_none()
            && (self.now.holder == Some(process) || is_hidden());
        may_be.then_some(only)
    }

    /// Executes the statements merged into the last steps, if they lead to an
    /// error.
    fn finish(&mut self, view: &mut View) {
        let is_wrong = |view: &mut View, now: &Moment| {
            view.steps(now).is_empty() && matches!(view.ending(&now.state), Ending::Fault(_))
        };
        if is_wrong(view, &self.now) {
            return;
        }
        let mut ahead = self.clone_here();
        let last = self.steps.last().map(|it| it.partner.map_or(it.process, |(process, _)| process));
        let everyone = self.engine.layout.n_processes.get(&self.now.state) as usize;
        for process in last.into_iter().chain(0..everyone) {
            for _ in 0..MAX_MERGED {
                let possible = view.steps(&ahead.now);
                let Some(merged) = ahead.only_step_of(ahead.now.holder.unwrap_or(process), possible) else {
                    break;
                };
                ahead.go(merged);
                if is_wrong(view, &ahead.now) {
                    self.steps.extend(ahead.steps);
                    self.now = ahead.now;
                    return;
                }
            }
        }
    }

    fn mismatch(&self, view: &mut View, line: usize, process: usize, named: &TrailLine) -> TrailMismatch {
        let n_processes = self.engine.layout.n_processes.get(&self.now.state) as usize;
        let number = named.number;
        if process >= n_processes {
            let message =
                format!("process {process} does not exist here: {n_processes} processes are running");
            return TrailMismatch { line, message, help: None };
        }
        let name = self.engine.process_name(process, &self.now.state);
        let mut possible = Vec::new();
        for taken in view.steps(&self.now) {
            let Step { process, transition, .. } = taken.step;
            let Some(number) = self.number(process, transition) else { continue };
            let text = format!("{process}:{number}");
            if !possible.contains(&text) {
                possible.push(text);
            }
        }
        let help = match possible.is_empty() {
            true => "no process can move here".to_string(),
            false => format!("the possible pairs of process and number are {}", possible.join(", ")),
        };
        let message = format!(
            "{name} cannot execute statement {number} here: the trail belongs to another model or to other options"
        );
        TrailMismatch { line, message, help: Some(help) }
    }
}

/// Returns whether an action affects only its own process.
fn is_local(action: &Action) -> bool {
    match action {
        Action::Skip | Action::Else | Action::Print(_) => true,
        Action::Guard(expr) | Action::Assert(expr) => is_own(expr),
        Action::Assign(place, value) => is_own_place(place) && is_own(value),
        _ => false,
    }
}

fn is_own(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Pid => true,
        ExprKind::Read(place) => is_own_place(place),
        ExprKind::Unary(_, operand) => is_own(operand),
        ExprKind::Binary(_, left, right) => is_own(left) && is_own(right),
        ExprKind::Conditional { condition, then, otherwise } => {
            is_own(condition) && is_own(then) && is_own(otherwise)
        }
        _ => false,
    }
}

fn is_own_place(place: &Place) -> bool {
    let indices = place.index.iter().chain(place.fields.iter().filter_map(|it| it.index.as_ref()));
    matches!(place.root, Root::Local(_) | Root::Scratch) && indices.into_iter().all(|it| is_own(it))
}
