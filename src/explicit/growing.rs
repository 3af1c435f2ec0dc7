//! A transition system whose layout grows during the search.

use super::engine::Engine;
use super::layout::{Field, MissingRoom};
use super::overflow::{Growth, Level, Reference, SearchStart, converted};
use super::probe::probe;
use super::view::{Product, Semantics, View};
use crate::system::{Abort, Marked, Successors, TransitionSystem, Word};
use std::sync::atomic::Ordering::Relaxed;

/// Number of expanded states before random walks are made, and number of steps
/// of these walks.
const PROBES: [(u64, u64); 2] = [(1024, 2048), (8192, 16384)];

/// Random steps per state whose expansion was lost.
const STEPS_PER_LOSS: u64 = 4;

/// Minimum and maximum number of random steps before a restart.
const STEPS: (u64, u64) = (256, 4096);

/// A view of an engine that can run out of room in its layout.
pub trait Stepper: TransitionSystem + Send {
    /// Returns the room that the layout is missing.
    fn missing_room(&self) -> Option<MissingRoom>;

    /// Clears the missing room and the results of the expansion that needed it.
    fn clear_missing_room(&mut self);

    /// Returns the number of steps within atomic sequences and `d_step`s so far.
    fn n_inner(&self) -> u64;
}

/// Creates views of engines.
pub trait Views: Sync {
    /// Type of the views.
    type View<'e>: Stepper;

    /// Creates a view of an engine.
    fn view<'e>(&self, engine: &'e Engine<'e>) -> Self::View<'e>;
}

/// Creates views of the system without an observer.
#[derive(Clone, Copy, Debug)]
pub struct SystemViews(pub Semantics);

/// Creates views of the system with its observer.
#[derive(Clone, Copy, Debug)]
pub struct ProductViews {
    /// Options of the semantics.
    pub semantics: Semantics,
    /// Whether weak fairness is assumed.
    pub is_fair: bool,
}

impl Views for SystemViews {
    type View<'e> = View<'e>;

    fn view<'e>(&self, engine: &'e Engine<'e>) -> View<'e> {
        View::new(engine).with_semantics(self.0)
    }
}

impl Views for ProductViews {
    type View<'e> = Product<'e>;

    fn view<'e>(&self, engine: &'e Engine<'e>) -> Product<'e> {
        Product::new(engine, self.semantics, self.is_fair)
    }
}

/// The states of a search, some of which are stored separately in a larger
/// layout.
pub struct Growing<'e, 'a, V: Views> {
    start: &'e SearchStart<'a>,
    views: &'e V,
    /// View of the layout of the search.
    first: V::View<'e>,
    /// Views of larger layouts, the current one last.
    others: Vec<V::View<'e>>,
    /// The current larger layout.
    level: Option<&'e Level<'a>>,
    n_expanded: u64,
    /// Number of expanded states before random walks are made; `u64::MAX` for
    /// never.
    probe_at: u64,
    /// Number of the fault of a state, or the mark of a reference.
    fault: Field,
    /// Buffer for a state in the larger layout.
    spare: Vec<Word>,
    /// Successors in the larger layout.
    successors: Successors,
    /// Buffer for a state of the search.
    narrow: Vec<Word>,
    /// Whether each fault makes a state a goal, by number. No other state is a
    /// goal.
    goals: Vec<bool>,
}

/// Computes successors with a view, and their marks if they are needed.
type Advance<S> = fn(&mut S, &[Word], &mut Successors, &mut Vec<u64>) -> Result<(), Abort>;

impl<'e, 'a, V: Views> Growing<'e, 'a, V> {
    /// Creates the states of one start of a search.
    pub fn new(start: &'e SearchStart<'a>, views: &'e V) -> Self {
        let width = start.engine().layout.width;
        // With several threads, only the first one makes random walks.
        let is_first = start.n_views.fetch_add(1, Relaxed) == 0;
        let probe = PROBES.get(start.n_probes.load(Relaxed)).filter(|_| is_first);
        let first = views.view(start.engine());
        let fault = start.engine().layout.fault;
        let is_goal = |number: i32| {
            let mut state = vec![0; width];
            fault.set(&mut state, number);
            first.is_goal(&state)
        };
        Self {
            start,
            views,
            goals: (0..Reference::MARK).map(is_goal).collect(),
            first,
            others: Vec::new(),
            level: None,
            n_expanded: 0,
            probe_at: probe.map_or(u64::MAX, |it| it.0),
            fault,
            spare: Vec::new(),
            successors: Successors::new(width),
            narrow: vec![0; width],
        }
    }

    /// Returns the number of states expanded so far.
    pub fn n_expanded(&self) -> u64 {
        self.n_expanded
    }

    /// Iterates over its views.
    pub fn parts(&self) -> impl Iterator<Item = &V::View<'e>> {
        std::iter::once(&self.first).chain(&self.others)
    }

    #[inline]
    fn advance(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
        by: Advance<V::View<'e>>,
    ) -> Result<(), Abort> {
        self.n_expanded += 1;
        if self.n_expanded == self.probe_at {
            self.look_ahead()?;
        }
        if self.fault.get(state) != 0 {
            return self.advance_kept(state, out, marks, by);
        }
        let (n_before, n_marks) = (out.len(), marks.len());
        let advanced = by(&mut self.first, state, out, marks);
        if advanced == Err(Abort::Restart) {
            out.truncate(n_before);
            marks.truncate(n_marks);
            return self.advance_with_room(state, out, marks, by);
        }
        advanced
    }

    /// Appends the successors of a reference, or of a state with a fault, which
    /// has none.
    #[cold]
    fn advance_kept(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
        by: Advance<V::View<'e>>,
    ) -> Result<(), Abort> {
        let Some(reference) = self.start.reference(state).filter(|it| it.fault == 0) else { return Ok(()) };
        let mut wide = std::mem::take(&mut self.spare);
        let level = self.start.copy(reference, &mut wide);
        self.catch_up(level);
        self.advance_apart(wide, out, marks, by)
    }

    /// Appends the successors of a state for which the layout of the search is
    /// too small.
    #[cold]
    fn advance_with_room(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
        by: Advance<V::View<'e>>,
    ) -> Result<(), Abort> {
        self.catch_up(self.start.last_level());
        let level = match (self.level, self.first.missing_room()) {
            (Some(level), _) => level,
            (None, Some(missing_room)) => self.grow(self.start.first(), missing_room)?,
            (None, None) => return Err(Abort::Restart),
        };
        self.first.clear_missing_room();
        let wide = converted(&self.start.engine().layout, &level.engine.layout, state);
        self.advance_apart(wide, out, marks, by)
    }

    /// Appends the successors of a state in the current larger layout.
    fn advance_apart(
        &mut self,
        mut state: Vec<Word>,
        out: &mut Successors,
        marks: &mut Vec<u64>,
        by: Advance<V::View<'e>>,
    ) -> Result<(), Abort> {
        let n_marks = marks.len();
        let mut advanced = Ok(());
        while let (Some(level), Some(view)) = (self.level, self.others.last_mut()) {
            self.successors.clear();
            advanced = by(view, &state, &mut self.successors, marks);
            let Some(missing_room) = view.missing_room() else { break };
            view.clear_missing_room();
            marks.truncate(n_marks);
            let next = self.grow(level, missing_room)?;
            state = converted(&level.engine.layout, &next.engine.layout, &state);
        }
        let Some(level) = self.level else { return advanced };
        let layout = &self.start.engine().layout;
        for (index, next) in self.successors.iter().enumerate() {
            if !layout.convert(&level.engine.layout, next, &mut self.narrow) {
                self.start.keep(level, next, &mut self.narrow);
            }
            out.branch(self.successors.steps()[index], &self.narrow);
        }
        self.spare = state;
        advanced
    }

    /// Returns the level after `level`, which is too small, unless the search
    /// restarts.
    #[cold]
    fn grow(&mut self, level: &'e Level<'a>, missing_room: MissingRoom) -> Result<&'e Level<'a>, Abort> {
        match self.start.grow(level, missing_room, self.n_expanded) {
            Growth::Level(next) => {
                self.enter(next);
                Ok(next)
            }
            Growth::Again(mut shape) => {
                let n_steps = (self.n_expanded * STEPS_PER_LOSS).clamp(STEPS.0, STEPS.1);
                if self.start.is_cheap(self.n_expanded + n_steps) {
                    probe(self.start, self.views, &mut shape, n_steps);
                }
                self.start.begin_again(shape);
                Err(Abort::Restart)
            }
        }
    }

    /// Continues in a larger layout.
    fn enter(&mut self, level: &'e Level<'a>) {
        self.level = Some(level);
        self.others.push(self.views.view(&level.engine));
        self.successors = Successors::new(level.engine.layout.width);
    }

    /// Continues in the last level, which another view may have created.
    #[inline]
    fn catch_up(&mut self, last: &'e Level<'a>) {
        if !std::ptr::eq(self.level.unwrap_or(self.start.first()), last) {
            self.enter(last);
        }
    }

    /// Requests a restart if random walks meet states that do not fit.
    #[cold]
    fn look_ahead(&mut self) -> Result<(), Abort> {
        let number = self.start.n_probes.fetch_add(1, Relaxed);
        self.probe_at = PROBES.get(number + 1).map_or(u64::MAX, |it| it.0);
        let Some(&(_, n_steps)) = PROBES.get(number) else { return Ok(()) };
        if self.level.is_some() || !self.start.is_cheap(self.n_expanded + n_steps) {
            return Ok(());
        }
        let mut shape = self.start.first().shape.clone();
        probe(self.start, self.views, &mut shape, n_steps);
        if shape == self.start.first().shape {
            return Ok(());
        }
        self.start.begin_again(shape);
        Err(Abort::Restart)
    }
}

impl<V: Views> TransitionSystem for Growing<'_, '_, V> {
    fn width(&self) -> usize {
        self.first.width()
    }

    fn initial(&self, state: &mut [Word]) {
        self.first.initial(state);
    }

    #[inline]
    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.advance(state, out, &mut Vec::new(), |view, state, out, _| view.successors(state, out))
    }

    fn successors_vary(&self) -> bool {
        // Other processes have other dependences.
        self.start.engine().has_reduction() && self.level.is_some()
    }

    fn all_successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.advance(state, out, &mut Vec::new(), |view, state, out, _| view.all_successors(state, out))
    }

    #[inline]
    fn is_goal(&self, state: &[Word]) -> bool {
        // Only its fault can make a state a goal.
        match self.fault.get(state) {
            0 => false,
            Reference::MARK => self.start.reference(state).is_some_and(|it| self.goals[it.fault as usize]),
            number => self.goals[number as usize],
        }
    }

    fn is_trapped(&self, state: &[Word]) -> bool {
        let Some(following) = &self.start.engine().following else { return false };
        let monitored = match self.start.reference(state) {
            None => self.start.engine().layout.sequence.get(state),
            Some(_) => self.start.widest().layout.sequence.get(&self.start.widened(state)),
        };
        following.sequence.is_trapped(monitored)
    }
}

impl<'e, V: Views> Marked for Growing<'e, '_, V>
where
    V::View<'e>: Marked,
{
    fn all_marks(&self) -> u64 {
        self.first.all_marks()
    }

    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort> {
        self.advance(state, out, marks, |view, state, out, marks| view.marked_successors(state, out, marks))
    }
}

#[cfg(test)]
mod tests;
