//! Cache of successors: if the values of a read set recur, the process takes the
//! same steps. They are computed once and stored as the bits that they change.
//!
//! Most states differ in parts that a given process neither reads nor writes at
//! its location ([`ReadSet`]), so nearly all steps are cached. Locations whose
//! values rarely recur are detected and not cached.

use super::View;
use super::read_set::ReadSet;
use crate::explicit::engine::Engine;
use crate::system::{Step, Successors, Word};

/// Maximum number of cached entries; when it is reached, the cache is cleared.
const MAX_ENTRIES: usize = 1 << 17;

/// Number of misses after which a location is no longer cached, if they are more
/// than a quarter of its lookups.
const TRIAL: u64 = 4096;

const FIRST_SLOTS: usize = 256;

/// Cached successors of all processes.
#[derive(Debug, Default)]
pub(super) struct StepCache<'e> {
    /// Index of the first location, per process number and tag.
    first_places: Vec<Vec<usize>>,
    places: Vec<CacheStatus<'e>>,
    entries: CacheEntries,
}

/// Values of read sets and the successors to which they lead.
#[derive(Debug, Default)]
struct CacheEntries {
    /// Masks, one after the other.
    masks: Vec<Word>,
    /// Hash table with open addressing. A slot consists of the number of a mask
    /// plus one, or 0 if it is empty; the bits under the mask; and the packed
    /// [`CachedSuccessors`].
    slots: Vec<Word>,
    /// Number of slots, a power of two.
    n_slots: usize,
    n_used: usize,
    /// Changed bits, as many words as a state each.
    changes: Vec<Word>,
    /// Steps that make these changes.
    steps: Vec<Step>,
    /// Maximum number of entries.
    max_entries: usize,
}

/// Cache status of a location.
#[derive(Debug, Default)]
enum CacheStatus<'e> {
    #[default]
    Unknown,
    /// Not cached: its read set is unknown or too large, or its values rarely
    /// recur.
    None,
    Some(Box<CachedLocation<'e>>),
}

#[derive(Debug)]
struct CachedLocation<'e> {
    read_set: ReadSet<'e>,
    /// Number of the mask of each choice plus one; 0 if the choice has not
    /// occurred, and `UNKNOWN` if it has no mask.
    masks: Vec<u32>,
    n_lookups: u64,
    n_misses: u64,
}

const UNKNOWN: u32 = u32::MAX;

/// Successors of a state by one process, as a range of changes.
#[derive(Clone, Copy)]
struct CachedSuccessors {
    /// Index of the first change.
    first: usize,
    /// Number of changes, less than `MAX_SUCCESSORS`.
    n: usize,
    /// Whether a step was taken. An infinite sequence has steps but no
    /// successors.
    has_moved: bool,
}

const MAX_SUCCESSORS: usize = 1 << 16;

impl CachedSuccessors {
    fn packed(self) -> Word {
        (self.first as Word) << 17 | (self.n as Word) << 1 | Word::from(self.has_moved)
    }

    fn unpacked(word: Word) -> Self {
        let n = (word >> 1) as usize % MAX_SUCCESSORS;
        Self { first: (word >> 17) as usize, n, has_moved: word & 1 != 0 }
    }
}

/// Returns the number of words of a slot.
fn stride(width: usize) -> usize {
    width + 2
}

/// Result of a lookup.
enum Found {
    CachedSuccessors(CachedSuccessors),
    /// Not found: the number of the mask plus one, and the slot where it
    /// belongs.
    Nothing(Word, usize),
    /// The location is not cached.
    Never,
}

impl<'e> StepCache<'e> {
    fn new(engine: &'e Engine<'e>, max_entries: usize) -> Self {
        let mut step_cache =
            Self { entries: CacheEntries { max_entries, ..CacheEntries::default() }, ..Self::default() };
        step_cache.entries.make_slots(FIRST_SLOTS, engine.layout.width);
        let mut n_places = 0;
        for tables in &engine.tables {
            let mut first_places = Vec::new();
            for table in tables {
                first_places.push(n_places);
                n_places += table.places.len();
            }
            step_cache.first_places.push(first_places);
        }
        step_cache.places.resize_with(n_places, CacheStatus::default);
        step_cache
    }

    /// Looks up the successors of a state. The common case is inlined into the
    /// loop over processes: a search spends a quarter of its time here.
    #[inline(always)]
    fn look_up(&mut self, engine: &'e Engine<'e>, at: (usize, usize, usize), state: &[Word]) -> Found {
        let (process, tag, location) = at;
        let place = self.first_places[process][tag] + location;
        let CacheStatus::Some(known) = &mut self.places[place] else {
            return self.look_up_first(engine, place, at, state);
        };
        let choice = known.read_set.choice(state);
        let number = match known.masks[choice] {
            0 => known.add_mask(choice, engine, state, &mut self.entries.masks),
            number => number,
        };
        if number == UNKNOWN {
            return Found::Never;
        }
        known.n_lookups += 1;
        let found = self.entries.find(Word::from(number), state);
        if let Found::Nothing(..) = found {
            self.places[place].count_miss();
        }
        found
    }

    /// Looks up the successors at a location for the first time.
    #[cold]
    fn look_up_first(
        &mut self,
        engine: &'e Engine<'e>,
        place: usize,
        at: (usize, usize, usize),
        state: &[Word],
    ) -> Found {
        let (process, tag, location) = at;
        let CacheStatus::Unknown = self.places[place] else { return Found::Never };
        let Some(read_set) = ReadSet::new(engine, process, tag, location) else {
            self.places[place] = CacheStatus::None;
            return Found::Never;
        };
        let masks = vec![0; read_set.n_choices()];
        self.places[place] =
            CacheStatus::Some(Box::new(CachedLocation { read_set, masks, n_lookups: 0, n_misses: 0 }));
        self.look_up(engine, at, state)
    }
}

impl CacheStatus<'_> {
    /// Counts a miss; a location with too many of them is no longer cached.
    #[cold]
    fn count_miss(&mut self) {
        let Self::Some(known) = self else { return };
        known.n_misses += 1;
        if known.n_misses > TRIAL && known.n_misses > known.n_lookups / 4 {
            *self = Self::None;
        }
    }
}

impl CachedLocation<'_> {
    /// Adds the mask of a choice to `masks`. Locations do not share masks: the
    /// number of the mask identifies the location.
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

impl CacheEntries {
    /// Replaces the slots by empty ones.
    fn make_slots(&mut self, n_slots: usize, width: usize) -> Vec<Word> {
        self.n_slots = n_slots;
        std::mem::replace(&mut self.slots, vec![0; n_slots * stride(width)])
    }

    /// Stores successors in a slot that was found for them.
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
        let what = CachedSuccessors { first, n: out.len() - before, has_moved };
        let mask = &self.masks[(number as usize - 1) * width..][..width];
        self.slots[slot] = number;
        for (index, (word, mask)) in state.iter().zip(mask).enumerate() {
            self.slots[slot + 1 + index] = word & mask;
        }
        self.slots[slot + 1 + width] = what.packed();
        self.n_used += 1;
        if self.n_used > self.max_entries {
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

    /// Searches for the values of a state under a mask.
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
                return Found::CachedSuccessors(CachedSuccessors::unpacked(entry[1 + width]));
            }
            slot = (slot + 1) & (self.n_slots - 1);
        }
    }
}

impl View<'_> {
    /// Returns whether steps can be cached: not if they depend on more than the
    /// state, or if other results are needed.
    pub(super) fn uses_step_cache(engine: &Engine) -> bool {
        let is_watched = engine.following.is_some() || engine.trace.is_some();
        let is_ranked = engine.network.uses.priorities || engine.network.uses.last;
        !is_watched && !is_ranked && engine.hidden.is_empty()
    }

    /// Appends the successors by one process, with those of its atomic
    /// sequences, from the cache or computed. Returns whether the layout had
    /// room.
    #[inline(always)]
    pub(super) fn cached_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) -> bool {
        let engine = self.engine;
        let room = &engine.layout.processes[process];
        let at = (process, room.tag.get(state) as usize, room.location.get(state) as usize);
        let step_cache = self.step_cache.get_or_insert_with(|| Box::new(StepCache::new(engine, MAX_ENTRIES)));
        let found = step_cache.look_up(engine, at, state);
        if let Found::CachedSuccessors(successors) = found {
            self.has_moved |= successors.has_moved;
            if successors.n == 0 {
                return true;
            }
            let width = state.len();
            let steps = &step_cache.entries.steps[successors.first..][..successors.n];
            let changes = &step_cache.entries.changes[successors.first * width..][..successors.n * width];
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
        let is_whole =
            self.missing_room.is_none() && !self.is_sequence_too_long && out.len() - before < MAX_SUCCESSORS;
        if let (Found::Nothing(number, slot), Some(step_cache)) = (found, &mut self.step_cache)
            && is_whole
        {
            step_cache.entries.keep((number, slot), has_moved, state, (out, before));
        }
        has_room
    }
}

#[cfg(test)]
mod tests;
