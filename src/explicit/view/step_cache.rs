//! What a process did before with the same values in its read set, it does again: its
//! steps are worked out once and then recalled, as the bits that they change.
//!
//! Most of a model's states differ in parts that a given process neither reads
//! nor writes where it stands ([`ReadSet`]), so nearly all steps are
//! recalled. Places where this does not hold are found out and left alone.

use super::View;
use super::read_set::ReadSet;
use crate::explicit::engine::Engine;
use crate::system::{Step, Successors, Word};

/// So many circumstances are kept at most; then all are forgotten.
const MOST_KEPT: usize = 1 << 17;

/// Of so many tries, one in four must have been in vain for a place to be
/// left alone.
const TRIAL: u64 = 4096;

const FIRST_SLOTS: usize = 256;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct StepCache {
    /// Per process number and tag the number of its first place.
    first_places: Vec<Vec<usize>>,
    places: Vec<Habit>,
    kept: Kept,
}

/// Values of read sets and the successors they led to.
#[derive(Debug, Default)]
struct Kept {
    /// Masks, one after the other.
    masks: Vec<Word>,
    /// A table by open addressing. A slot is the number of a mask plus one, 0
    /// if there is none; the bits under the mask; what follows: the number of
    /// the first change and how many there are.
    slots: Vec<Word>,
    /// A power of two.
    n_slots: usize,
    n_used: usize,
    /// Changes, each a state's words.
    changes: Vec<Word>,
    /// The steps that make them.
    steps: Vec<Step>,
    /// So many circumstances at most.
    most: usize,
}

/// What is known of a place.
#[derive(Debug, Default)]
enum Habit {
    #[default]
    Unknown,
    /// It cannot be said what counts there, or too much does.
    None,
    Some(Box<Known>),
}

#[derive(Debug)]
struct Known {
    read_set: ReadSet,
    /// Per choice the number of its mask plus one; 0 if it was not met, and
    /// `UNKNOWN` if there is none.
    masks: Vec<u32>,
    n_tries: u64,
    n_in_vain: u64,
}

const UNKNOWN: u32 = u32::MAX;

/// What follows.
#[derive(Clone, Copy)]
struct Followers {
    /// The first change.
    first: usize,
    /// How many there are, fewer than `MOST_FOLLOWERS`.
    n: usize,
    /// Was any step taken? Of an endless sequence there is nothing to see.
    has_moved: bool,
}

const MOST_FOLLOWERS: usize = 1 << 16;

impl Followers {
    fn packed(self) -> Word {
        (self.first as Word) << 17 | (self.n as Word) << 1 | Word::from(self.has_moved)
    }

    fn unpacked(word: Word) -> Self {
        let n = (word >> 1) as usize % MOST_FOLLOWERS;
        Self { first: (word >> 17) as usize, n, has_moved: word & 1 != 0 }
    }
}

/// Words of a slot.
fn stride(width: usize) -> usize {
    width + 2
}

/// Where something is, or belongs.
enum Found {
    Followers(Followers),
    /// The number of the mask plus one, and the slot.
    Nothing(Word, usize),
    /// It is not kept.
    Never,
}

impl StepCache {
    fn new(engine: &Engine, most: usize) -> Self {
        let mut step_cache = Self { kept: Kept { most, ..Kept::default() }, ..Self::default() };
        step_cache.kept.make_slots(FIRST_SLOTS, engine.layout.width);
        let mut n_places = 0;
        for tables in &engine.tables {
            let mut first_places = Vec::new();
            for table in tables {
                first_places.push(n_places);
                n_places += table.places.len();
            }
            step_cache.first_places.push(first_places);
        }
        step_cache.places.resize_with(n_places, Habit::default);
        step_cache
    }

    /// Looks for what followed a state before. The common case is inlined into
    /// the loop over processes: a search spends a quarter of its time here.
    #[inline(always)]
    fn look_up(&mut self, engine: &Engine, at: (usize, usize, usize), state: &[Word]) -> Found {
        let (process, tag, location) = at;
        let place = self.first_places[process][tag] + location;
        let Habit::Some(known) = &mut self.places[place] else {
            return self.look_up_first(engine, place, at, state);
        };
        let choice = known.read_set.choice(state);
        let number = match known.masks[choice] {
            0 => known.add_mask(choice, engine, state, &mut self.kept.masks),
            number => number,
        };
        if number == UNKNOWN {
            return Found::Never;
        }
        known.n_tries += 1;
        let found = self.kept.find(Word::from(number), state);
        if let Found::Nothing(..) = found {
            self.places[place].count_miss();
        }
        found
    }

    /// The same where nothing is known of the place.
    #[cold]
    fn look_up_first(
        &mut self,
        engine: &Engine,
        place: usize,
        at: (usize, usize, usize),
        state: &[Word],
    ) -> Found {
        let (process, tag, location) = at;
        let Habit::Unknown = self.places[place] else { return Found::Never };
        let Some(read_set) = ReadSet::new(engine, process, tag, location) else {
            self.places[place] = Habit::None;
            return Found::Never;
        };
        let masks = vec![0; read_set.n_choices()];
        self.places[place] = Habit::Some(Box::new(Known { read_set, masks, n_tries: 0, n_in_vain: 0 }));
        self.look_up(engine, at, state)
    }
}

impl Habit {
    /// Counts a look-up in vain; a place with too many of them is left alone.
    #[cold]
    fn count_miss(&mut self) {
        let Self::Some(known) = self else { return };
        known.n_in_vain += 1;
        if known.n_in_vain > TRIAL && known.n_in_vain > known.n_tries / 4 {
            *self = Self::None;
        }
    }
}

impl Known {
    /// Adds the mask of a choice to `masks`. Places share no masks: the number
    /// says where the process is.
    #[cold]
    fn add_mask(&mut self, choice: usize, engine: &Engine, state: &[Word], masks: &mut Vec<Word>) -> u32 {
        self.masks[choice] = match self.read_set.mask(engine, state) {
            None => UNKNOWN,
            Some(mask) => {
                masks.extend(mask);
                (masks.len() / state.len()) as u32
            }
        };
        self.masks[choice]
    }
}

impl Kept {
    /// Empty slots instead of those that were there.
    fn make_slots(&mut self, n_slots: usize, width: usize) -> Vec<Word> {
        self.n_slots = n_slots;
        std::mem::replace(&mut self.slots, vec![0; n_slots * stride(width)])
    }

    /// Keeps what follows in a slot that was found for it.
    fn keep(
        &mut self,
        (number, slot): (Word, usize),
        has_moved: bool,
        state: &[Word],
        (out, before): (&Successors, usize),
    ) {
        let width = state.len();
        let first = self.steps.len();
        for next in out.iter().skip(before) {
            self.changes.extend(next.iter().zip(state).map(|(next, word)| next ^ word));
        }
        self.steps.extend_from_slice(&out.steps()[before..]);
        let what = Followers { first, n: out.len() - before, has_moved };
        let mask = &self.masks[(number as usize - 1) * width..][..width];
        self.slots[slot] = number;
        for (index, (word, mask)) in state.iter().zip(mask).enumerate() {
            self.slots[slot + 1 + index] = word & mask;
        }
        self.slots[slot + 1 + width] = what.packed();
        self.n_used += 1;
        if self.n_used > self.most {
            self.make_slots(FIRST_SLOTS, width);
            self.changes.clear();
            self.steps.clear();
            self.n_used = 0;
        } else if self.n_used * 2 > self.n_slots {
            let old = self.make_slots(self.n_slots * 2, width);
            for entry in old.chunks_exact(stride(width)).filter(|it| it[0] != 0) {
                if let Found::Nothing(_, slot) = self.find(entry[0], &entry[1..=width]) {
                    self.slots[slot..slot + stride(width)].copy_from_slice(entry);
                }
            }
        }
    }

    /// Looks for a state under the mask of a number.
    #[inline]
    fn find(&self, number: Word, state: &[Word]) -> Found {
        let width = state.len();
        let mask = &self.masks[(number as usize - 1) * width..][..width];
        let stride = stride(width);
        let mut hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for at in 0..width {
            let product = u128::from((state[at] & mask[at]) ^ hash) * u128::from(0xa076_1d64_78bd_642f_u64);
            hash = (product as u64) ^ ((product >> 64) as u64);
        }
        let mut slot = (hash as usize) & (self.n_slots - 1);
        loop {
            let entry = &self.slots[slot * stride..][..stride];
            if entry[0] == 0 {
                return Found::Nothing(number, slot * stride);
            }
            if entry[0] == number && (0..width).all(|at| entry[1 + at] == state[at] & mask[at]) {
                return Found::Followers(Followers::unpacked(entry[1 + width]));
            }
            slot = (slot + 1) & (self.n_slots - 1);
        }
    }
}

impl View<'_> {
    /// May steps be recalled? Not where more depends on them than their state,
    /// or is asked for.
    pub(super) fn uses_step_cache(engine: &Engine) -> bool {
        let is_watched = engine.following.is_some() || engine.trace.is_some();
        let is_ranked = engine.network.uses.priorities || engine.network.uses.last;
        !is_watched && !is_ranked && engine.hidden.is_empty()
    }

    /// Appends the successors by one process, with those of its atomic
    /// sequences: cached ones or computed. Returns whether the layout had room.
    #[inline(always)]
    pub(super) fn cached_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) -> bool {
        let engine = self.engine;
        let room = &engine.layout.processes[process];
        let at = (process, room.tag.get(state) as usize, room.location.get(state) as usize);
        let step_cache = self.step_cache.get_or_insert_with(|| Box::new(StepCache::new(engine, MOST_KEPT)));
        let found = step_cache.look_up(engine, at, state);
        if let Found::Followers(followers) = found {
            self.has_moved |= followers.has_moved;
            let width = state.len();
            let steps = &step_cache.kept.steps[followers.first..][..followers.n];
            let changes = &step_cache.kept.changes[followers.first * width..][..followers.n * width];
            out.branch_all(steps, state, changes);
            return true;
        }
        self.new_moves(process, found, state, out)
    }

    /// Computes the successors by one process and caches them.
    fn new_moves(&mut self, process: usize, found: Found, state: &[Word], out: &mut Successors) -> bool {
        let before = out.len();
        let had_moved = std::mem::replace(&mut self.has_moved, false);
        let has_room = self.computed_moves(process, state, out);
        let has_moved = self.has_moved;
        self.has_moved |= had_moved;
        let is_whole = self.lack.is_none() && !self.has_given_up && out.len() - before < MOST_FOLLOWERS;
        if let (Found::Nothing(number, slot), Some(step_cache)) = (found, &mut self.step_cache)
            && is_whole
        {
            step_cache.kept.keep((number, slot), has_moved, state, (out, before));
        }
        has_room
    }
}

#[cfg(test)]
mod tests;
