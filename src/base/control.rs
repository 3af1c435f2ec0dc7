//! Communication between a long computation and its watchers.
//!
//! The computation polls [`Control::stop_reason`] and publishes its counters at
//! intervals, for example every 1024 expansions. A watcher asks it to stop and
//! reads the counters. All accesses are relaxed: they order no other accesses,
//! and a counter that is slightly out of date does no harm.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Why a computation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// The limit on states was reached.
    States,
    /// The limit on memory was reached.
    Memory,
    /// Paths beyond the depth limit were not followed.
    Depth,
    /// The time limit was reached.
    Time,
    /// The search finished, but may have taken new states for visited ones.
    Omissions,
    /// The user interrupted this computation and those that would follow.
    Interrupt,
}

/// Phase of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Reading models and properties.
    #[default]
    Reading,
    /// Building graphs, automata and layouts.
    Building,
    /// Searching.
    Searching,
    /// Describing a counterexample.
    Describing,
    /// Writing the report.
    Reporting,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Reading, Self::Building, Self::Searching, Self::Describing, Self::Reporting];

    /// Returns a description for messages, such as "building the model".
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

/// State shared between one computation at a time and its watchers.
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

/// Progress of a computation; the same for the same input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Successors computed, including visited ones.
    pub generated: u64,
    /// Distinct states stored.
    pub stored: u64,
    /// States whose successors were computed.
    pub expanded: u64,
    /// States expanded again because a shorter path reached them.
    pub reopened: u64,
    /// States dropped because no goal is reachable from them.
    pub dropped: u64,
    /// States in the frontier.
    pub frontier: u64,
    /// Maximum number of states in the frontier.
    pub peak_frontier: u64,
    /// Length of the longest path followed.
    pub depth: u64,
    /// Maximum memory in use.
    pub bytes: u64,
}

const GO_ON: u8 = 0;
const TIME: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPT: u8 = 3;

impl Control {
    /// Returns why the computation must stop, if it must. One load: cheap
    /// enough for a hot loop.
    pub fn stop_reason(&self) -> Option<Stop> {
        match self.stop.load(Relaxed) {
            GO_ON => None,
            TIME => Some(Stop::Time),
            MEMORY => Some(Stop::Memory),
            _ => Some(Stop::Interrupt),
        }
    }

    /// Asks the computation to stop. An interrupt is never replaced by another
    /// reason.
    pub fn stop(&self, reason: Stop) {
        let code = match reason {
            Stop::Interrupt => INTERRUPT,
            Stop::Memory => MEMORY,
            _ => TIME,
        };
        self.stop.fetch_max(code, Relaxed);
    }

    /// Prepares for the next computation: resets the counters and clears the
    /// limits that the last one reached. An interrupt stays set.
    pub fn begin(&self) {
        for limit in [TIME, MEMORY] {
            // A failed exchange means that nothing was set, or an interrupt.
            let _ = self.stop.compare_exchange(limit, GO_ON, Relaxed, Relaxed);
        }
        self.enter(Phase::Reading);
        self.publish(&Counters::default());
    }

    /// Records that a phase begins.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }

    /// Returns the phase that began last.
    pub fn phase(&self) -> Phase {
        Phase::ALL[usize::from(self.phase.load(Relaxed))]
    }

    /// Publishes the progress of the computation to its watchers. A computation
    /// that has stored states is searching.
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

    /// Returns the published counters that watchers use.
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
