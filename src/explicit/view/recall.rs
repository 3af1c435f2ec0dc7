//! What a process did before in the same circumstances, it does again: its
//! steps are worked out once and then recalled, as the bits that they change.
//!
//! Most of a model's states differ in parts that a given process neither reads
//! nor writes where it stands ([`Circumstances`]), so nearly all steps are
//! recalled. Places where this does not hold are found out and left alone.

use super::View;
use super::circumstances::Circumstances;
use crate::explicit::engine::Engine;
use crate::system::{Successors, Word};

/// So many circumstances are kept at most; then all are forgotten.
const MOST_KEPT: usize = 1 << 17;

/// Of so many tries, one in four must have been in vain for a place to be
/// left alone.
const TRIAL: u64 = 4096;

const FIRST_SLOTS: usize = 256;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Recall {
    /// Per process number and tag the number of its first place.
    first_places: Vec<Vec<usize>>,
    places: Vec<Habit>,
    kept: Kept,
}

/// Circumstances and what followed.
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
    circumstances: Circumstances,
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

impl Recall {
    fn new(engine: &Engine) -> Self {
        let mut recall = Self::default();
        recall.kept.make_slots(FIRST_SLOTS, engine.layout.width);
        let mut n_places = 0;
        for tables in &engine.tables {
            let mut first_places = Vec::new();
            for table in tables {
                first_places.push(n_places);
                n_places += table.places.len();
            }
            recall.first_places.push(first_places);
        }
        recall.places.resize_with(n_places, Habit::default);
        recall
    }

    fn look_up(
        &mut self,
        engine: &Engine,
        (process, tag, location): (usize, usize, usize),
        state: &[Word],
    ) -> Found {
        let place = self.first_places[process][tag] + location;
        let habit = &mut self.places[place];
        if let Habit::Unknown = habit {
            *habit = match Circumstances::new(engine, process, tag, location) {
                None => Habit::None,
                Some(circumstances) => {
                    let masks = vec![0; circumstances.n_choices()];
                    Habit::Some(Box::new(Known { circumstances, masks, n_tries: 0, n_in_vain: 0 }))
                }
            };
        }
        let Habit::Some(known) = habit else { return Found::Never };
        let choice = known.circumstances.choice(state);
        if known.masks[choice] == 0 {
            known.masks[choice] = match known.circumstances.mask(engine, state) {
                None => UNKNOWN,
                Some(mask) => {
                    // Places share no masks: the number says where the process stands.
                    self.kept.masks.extend(mask);
                    (self.kept.masks.len() / state.len()) as u32
                }
            };
        }
        let number = known.masks[choice];
        if number == UNKNOWN {
            return Found::Never;
        }
        known.n_tries += 1;
        let found = self.kept.find(Word::from(number), state);
        if let Found::Nothing(..) = found {
            known.n_in_vain += 1;
            if known.n_in_vain > TRIAL && known.n_in_vain > known.n_tries / 4 {
                *habit = Habit::None;
            }
        }
        found
    }
}

impl Kept {
    /// Empty slots instead of those that were there.
    fn make_slots(&mut self, n_slots: usize, width: usize) -> Vec<Word> {
        self.n_slots = n_slots;
        std::mem::replace(&mut self.slots, vec![0; n_slots * stride(width)])
    }

    /// Keeps what follows in a slot that was found for it.
    fn keep<'s>(
        &mut self,
        (number, slot): (Word, usize),
        has_moved: bool,
        state: &[Word],
        next: impl ExactSizeIterator<Item = &'s [Word]>,
    ) {
        let width = state.len();
        let what = Followers { first: self.changes.len() / width, n: next.len(), has_moved };
        for next in next {
            self.changes.extend(next.iter().zip(state).map(|(next, word)| next ^ word));
        }
        let mask = &self.masks[(number as usize - 1) * width..][..width];
        self.slots[slot] = number;
        for (index, (word, mask)) in state.iter().zip(mask).enumerate() {
            self.slots[slot + 1 + index] = word & mask;
        }
        self.slots[slot + 1 + width] = what.packed();
        self.n_used += 1;
        if self.n_used > MOST_KEPT {
            self.make_slots(FIRST_SLOTS, width);
            self.changes.clear();
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
    pub(super) fn recalls(engine: &Engine) -> bool {
        let is_watched = engine.following.is_some() || engine.trace.is_some();
        let is_ranked = engine.program.uses.priorities || engine.program.uses.last;
        !is_watched && !is_ranked && engine.hidden.is_empty()
    }

    /// Steps of one process with all that follows within its sequences, as
    /// they were before or by working them out.
    pub(super) fn recalled_moves(&mut self, process: usize, state: &[Word], out: &mut Successors) {
        let engine = self.engine;
        let room = &engine.layout.processes[process];
        let at = (process, room.tag.get(state) as usize, room.location.get(state) as usize);
        let recall = self.recall.get_or_insert_with(|| Box::new(Recall::new(engine)));
        let found = recall.look_up(engine, at, state);
        if let Found::Followers(followers) = found {
            self.has_moved |= followers.has_moved;
            let width = state.len();
            let changes = &recall.kept.changes[followers.first * width..][..followers.n * width];
            for change in changes.chunks_exact(width) {
                let next = out.branch(state);
                for (word, change) in next.iter_mut().zip(change) {
                    *word ^= change;
                }
            }
            return;
        }
        let before = out.len();
        let had_moved = std::mem::replace(&mut self.has_moved, false);
        self.process_moves(process, state, out);
        self.go_on(out);
        let has_moved = self.has_moved;
        self.has_moved |= had_moved;
        let is_whole = self.lack.is_none() && !self.has_given_up && out.len() - before < MOST_FOLLOWERS;
        if let (Found::Nothing(number, slot), Some(recall)) = (found, &mut self.recall)
            && is_whole
        {
            recall.kept.keep((number, slot), has_moved, state, out.iter().skip(before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sources;
    use crate::explicit::layout::Shape;
    use crate::explicit::{Engine, lower};
    use crate::lang::promela::{Reading, parse};
    use crate::system::TransitionSystem;
    use std::collections::HashSet;
    use std::path::Path;

    /// Compares the successors of some thousand states with those that are
    /// worked out; how many were recalled?
    fn compare(text: &str) -> Option<u64> {
        let mut sources = Sources::default();
        let source = sources.add("model.pml", text);
        let mut load = |path: &str, _| Err(format!("no file {path}"));
        let mut reading = Reading { definitions: Vec::new(), load: &mut load };
        let program = lower(parse(source, &mut sources, &mut reading).model?).ok()?;
        let mut shape = Shape::of(&program);
        loop {
            let engine = Engine::new(&program, &shape);
            let mut view = View::new(&engine);
            let mut plain = View { recalls: false, ..View::new(&engine) };
            let width = engine.layout.width;
            let mut initial = vec![0; width];
            view.initial(&mut initial);
            let mut seen = HashSet::from([initial.clone()]);
            let mut states = vec![initial];
            let (mut one, mut other) = (Successors::new(width), Successors::new(width));
            for at in 0..4000 {
                if at == states.len() || view.lack.is_some() {
                    break;
                }
                let state = &states[at];
                one.clear();
                other.clear();
                view.successors(state, &mut one);
                plain.successors(state, &mut other);
                assert!(one.iter().eq(other.iter()), "of {text} in {state:x?}");
                let mut is_new = |next: &&[Word]| seen.insert(next.to_vec());
                states.extend(one.iter().filter(|next| is_new(next)).map(<[Word]>::to_vec));
            }
            match view.lack {
                Some(lack) => shape.grow(lack, 0),
                None => return Some(view.recall.map_or(0, |it| it.n_recalled())),
            }
        }
    }

    impl Recall {
        fn n_recalled(&self) -> u64 {
            let of = |habit: &Habit| match habit {
                Habit::Some(known) => known.n_tries - known.n_in_vain,
                _ => 0,
            };
            self.places.iter().map(of).sum()
        }
    }

    fn models(folder: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let mut paths: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
        paths.retain(|it| it.extension().is_some_and(|it| it == "pml"));
        paths.sort();
        paths.iter().map(|it| std::fs::read_to_string(it).expect("it can be read")).collect()
    }

    #[test]
    fn what_is_recalled_is_what_would_be_worked_out() {
        let mut n_recalled = 0;
        for text in models("examples/promela").iter().chain(&models("tests/spin/micro")) {
            n_recalled += compare(text).unwrap_or(0);
        }
        assert!(n_recalled > 100_000, "only {n_recalled} are recalled");
    }

    /// Each has something that decides about a step of one process and that
    /// another one changes.
    const DEPENDENT: [&str; 11] = [
        // What is received must be equal to a variable.
        "chan q = [2] of {byte}; byte x;
         active proctype A() { do :: q!0 :: q!1 od }
         active proctype B() { do :: q?eval(x) od }
         active proctype C() { do :: x = 1 - x od }",
        // Is anyone there, and where?
        "active proctype A() { do :: _nr_pr < 4 -> run P() od }
         active proctype B() { do :: P[2]@here :: else od }
         proctype P() { skip; here: skip }",
        "active proctype A() { do :: _nr_pr < 4 -> run P() od }
         active proctype B() { byte i; do :: P[i + 2]@here -> i = 1 - i :: else od }
         proctype P() { skip; here: skip }",
        // An element of an array, of an array of records, and where it is put.
        "byte a[3]; byte i; active proctype A() { do :: a[i] < 2 -> a[i]++ :: a[i] == 2 -> a[i] = 0 od }
         active proctype B() { do :: i = (i + 1) % 3 od }",
        "typedef R { byte x; byte y[2] } R r[2]; byte i;
         active proctype A() { do :: r[i].y[1 - i] < 2 -> r[i].y[1 - i]++; r[i].x = r[1 - i].y[i] od }
         active proctype B() { do :: i = 1 - i :: r[0].y[i] = 0 od }",
        // Channels by index and by parameter, their length and what they hold.
        "chan q[2] = [1] of {byte}; byte i;
         active proctype A() { do :: q[i]!i :: nfull(q[i]) :: q[1 - i]?_ :: q[i]?[1] od }
         active proctype B() { do :: i = 1 - i od }",
        "chan a = [2] of {byte}; chan b = [2] of {byte};
         proctype P(chan in, out) { byte x; do :: out!!x :: in??x :: in?<x> :: len(in) > 1 -> x = 1 - x od }
         init { run P(a, b); run P(b, a) }",
        // More than one step at a time.
        "byte a[3]; byte n; active proctype A() { byte i;
           do :: d_step { n < 2; i = 0; do :: i < 3 -> a[i] = (a[i] + n) % 3; i++ :: else -> break od; i = 0 } od }
         active proctype B() { do :: atomic { n == 1 -> n = 2; n = a[0] } :: n = 1 - (n % 2) od }
         active proctype C() { byte z; do :: z < 3 -> z++ od }",
        // Escapes, and who may move at all.
        "byte x; active proctype A() provided (x != 3) { do :: { do :: x == 1 -> x = 2 od } unless { x == 2 -> x = 3 } od }
         active proctype B() { do :: x = (x + 1) % 4 od }",
        // Values that did not fit before, negative ones among them.
        "short x; active proctype A() { do :: x < 9 -> x++ :: x > -9 -> x-- :: else od }
         active proctype B() { short y; do :: y = x; y < 0 -> x = 0 od }",
        // A rendezvous is a step of two.
        "chan q = [0] of {byte}; byte x; active proctype A() { do :: q!x :: x = 1 - x od }
         active proctype B() { byte y; do :: q?y :: q?1 -> y = 0 od }",
    ];

    #[test]
    fn all_that_decides_is_looked_at() {
        for text in DEPENDENT {
            let n_recalled = compare(text).expect("the model is right");
            assert!(n_recalled > 0, "nothing is recalled in {text}");
        }
    }

    #[test]
    fn an_endless_sequence_is_a_move_each_time() {
        let endless = "byte x; active proctype P() { do :: x < 3 -> x++ od }
                       active proctype Q() { atomic { do :: skip od } }";
        assert!(compare(endless).is_some());
    }
}
