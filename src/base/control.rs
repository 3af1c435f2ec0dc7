//! What a long computation and whoever watches it tell each other.
//!
//! The computation polls [`Control::stop_reason`] and publishes its counters
//! now and then, every 1024 expansions say; the watcher asks it to stop and
//! reads the counters. All accesses are relaxed: nothing else is ordered by
//! them, and a counter that is read a moment late harms nobody.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What ends a computation early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// As many states as allowed.
    States,
    /// As much memory as allowed.
    Memory,
    /// Paths longer than allowed were left out.
    Depth,
    /// The time is over.
    Time,
    /// It went through, but may have taken new states for known ones.
    Omissions,
    /// The user wants no more of it, nor of what would come after.
    Interrupt,
}

/// What a computation is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Reads models and properties.
    #[default]
    Reading,
    /// Builds graphs, automata and layouts.
    Building,
    /// Searches.
    Searching,
    /// Describes a counterexample.
    Describing,
    /// Writes the report.
    Reporting,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Reading, Self::Building, Self::Searching, Self::Describing, Self::Reporting];

    /// What is being done, for messages: "building the model".
    pub fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading the input",
            Self::Building => "building the model",
            Self::Searching => "searching",
            Self::Describing => "describing the counterexample",
            Self::Reporting => "writing the report",
        }
    }
}

/// Shared between one computation at a time and its watchers.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicU8,
    phase: AtomicU8,
    stored: AtomicU64,
    expanded: AtomicU64,
    frontier: AtomicU64,
    depth: AtomicU64,
    bytes: AtomicU64,
}

/// What a computation has done so far; the same for the same input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Successors computed, known ones included.
    pub generated: u64,
    /// Different states kept.
    pub stored: u64,
    /// States whose successors were computed.
    pub expanded: u64,
    /// States expanded again because a shorter path led there.
    pub reopened: u64,
    /// States left out because no goal can follow them.
    pub dropped: u64,
    /// States that wait.
    pub frontier: u64,
    /// Most states that waited at one time.
    pub peak_frontier: u64,
    /// Length of the longest path followed.
    pub depth: u64,
    /// Most memory in use.
    pub bytes: u64,
}

const GO_ON: u8 = 0;
const TIME: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPT: u8 = 3;

impl Control {
    /// Why to stop, if so. One load: cheap enough for a hot loop.
    pub fn stop_reason(&self) -> Option<Stop> {
        match self.stop.load(Relaxed) {
            GO_ON => None,
            TIME => Some(Stop::Time),
            MEMORY => Some(Stop::Memory),
            _ => Some(Stop::Interrupt),
        }
    }

    /// Asks the computation to end. An interrupt is never weakened again.
    pub fn stop(&self, reason: Stop) {
        let code = match reason {
            Stop::Interrupt => INTERRUPT,
            Stop::Memory => MEMORY,
            _ => TIME,
        };
        self.stop.fetch_max(code, Relaxed);
    }

    /// Makes ready for the next computation: counters at zero and no word of
    /// the limits of the last one. An interrupt stays.
    pub fn begin(&self) {
        for limit in [TIME, MEMORY] {
            // A failed exchange found nothing to clear or an interrupt to keep.
            let _ = self.stop.compare_exchange(limit, GO_ON, Relaxed, Relaxed);
        }
        self.enter(Phase::Reading);
        self.publish(&Counters::default());
    }

    /// Says that a phase begins.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }

    /// The phase that began last.
    pub fn phase(&self) -> Phase {
        Phase::ALL[usize::from(self.phase.load(Relaxed))]
    }

    /// Tells the watchers how far the computation is. One that has stored
    /// states is searching.
    pub fn publish(&self, counters: &Counters) {
        if counters.stored > 0 {
            self.enter(Phase::Searching);
        }
        self.stored.store(counters.stored, Relaxed);
        self.expanded.store(counters.expanded, Relaxed);
        self.frontier.store(counters.frontier, Relaxed);
        self.depth.store(counters.depth, Relaxed);
        self.bytes.store(counters.bytes, Relaxed);
    }

    /// What was published last, as far as watchers care.
    pub fn counters(&self) -> Counters {
        Counters {
            stored: self.stored.load(Relaxed),
            expanded: self.expanded.load(Relaxed),
            frontier: self.frontier.load(Relaxed),
            depth: self.depth.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            ..Counters::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_outlives_the_computation_and_a_timeout_does_not() {
        let control = Control::default();
        assert_eq!(control.stop_reason(), None);
        control.stop(Stop::Time);
        assert_eq!(control.stop_reason(), Some(Stop::Time));
        control.begin();
        assert_eq!(control.stop_reason(), None);
        control.stop(Stop::Interrupt);
        control.stop(Stop::Time);
        control.begin();
        assert_eq!(control.stop_reason(), Some(Stop::Interrupt));
    }

    #[test]
    fn published_counters_are_read_back() {
        let control = Control::default();
        let counters =
            Counters { stored: 5, expanded: 4, frontier: 3, depth: 2, bytes: 1, ..Counters::default() };
        control.enter(Phase::Building);
        control.publish(&counters);
        assert_eq!(control.counters(), counters);
        assert_eq!(control.phase(), Phase::Searching);
        control.begin();
        assert_eq!(control.phase(), Phase::Reading);
        for phase in Phase::ALL {
            control.enter(phase);
            assert_eq!(control.phase(), phase);
        }
    }
}
