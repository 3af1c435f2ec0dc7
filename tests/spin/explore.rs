//! Every state of a model, counted as SPIN counts, and what can go wrong.

#![allow(dead_code)]

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};
use trapline::diag::{Diagnostic, Sources};
use trapline::explicit::layout::Shape;
use trapline::explicit::view::{Fault, Semantics};
use trapline::explicit::{Engine, View};
use trapline::lang::promela::lower::{Escapes, lower_with};
use trapline::lang::promela::{Reading, parse};
use trapline::system::{Successors, TransitionSystem, Word};

/// What a whole exploration found.
pub struct Found {
    /// States that SPIN stores.
    pub stored: usize,
    /// Arrivals at such states, the first state being one: what SPIN calls
    /// transitions.
    pub arrivals: usize,
    /// One per state that is at fault.
    pub faults: Vec<Fault>,
    /// There are more states than were asked for, or it takes too long.
    pub is_cut: bool,
}

/// Within sequences there may be many more states than are stored.
const LONGEST: Duration = Duration::from_secs(3);

/// Explores a model as SPIN does without its reduction, which does not look
/// whether promises of channels are kept.
pub fn explore(text: &str, name: &str, most: usize) -> Result<Found, String> {
    explore_in(PLAIN, Escapes::OuterFirst, text, name, most)
}

/// How SPIN runs a model without its reduction.
pub const PLAIN: Semantics = Semantics {
    allows_blocked_end: false,
    allows_failed_assertions: false,
    allows_broken_promises: true,
    loses_messages: false,
    requires_empty_channels: false,
};

/// Explores a model, and on past assertions that fail; gives up behind `most`
/// states.
pub fn explore_in(
    semantics: Semantics,
    escapes: Escapes,
    text: &str,
    name: &str,
    most: usize,
) -> Result<Found, String> {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let render = |faults: &[Diagnostic]| {
        faults.iter().map(|it| it.render(&sources, false)).collect::<Vec<_>>().join("\n")
    };
    let model = parsed.model.ok_or_else(|| render(&parsed.diagnostics))?;
    let program = lower_with(model, escapes).map_err(|faults| render(&faults))?;
    let mut shape = Shape::of(&program.network);
    loop {
        let engine = Engine::new(&program.network, &shape);
        let mut tolerant =
            View::new(&engine).with_semantics(Semantics { allows_failed_assertions: true, ..semantics });
        let mut found = everything(&mut tolerant, most);
        let mut strict = View::new(&engine).with_semantics(semantics);
        if tolerant.missing_room().is_none() {
            found.faults.extend(everything(&mut strict, most).faults);
        }
        match tolerant.missing_room().or(strict.missing_room()) {
            Some(missing_room) => shape.grow(missing_room),
            None => return Ok(found),
        }
    }
}

fn everything(view: &mut View, most: usize) -> Found {
    let start = Instant::now();
    let width = view.width();
    let mut first = vec![0; width];
    view.initial(&mut first);
    let mut seen: HashSet<Vec<Word>> = HashSet::from([first.clone()]);
    let mut found = Found { stored: 1, arrivals: 1, faults: Vec::new(), is_cut: false };
    let mut pending = VecDeque::from([first]);
    let mut out = Successors::new(width);
    while let Some(state) = pending.pop_front() {
        out.clear();
        // What the layout lacks, or a sequence that is too long, is looked at below.
        let _ = view.successors(&state, &mut out);
        for next in out.iter() {
            let is_new = seen.insert(next.to_vec());
            match view.fault(next) {
                Some(fault) => found.faults.extend(is_new.then_some(fault)),
                None => {
                    found.arrivals += 1;
                    found.stored += usize::from(is_new);
                    pending.extend(is_new.then(|| next.to_vec()));
                }
            }
        }
        if found.stored > most || start.elapsed() > LONGEST {
            found.is_cut = true;
            break;
        }
    }
    found
}

/// What SPIN calls a fault.
pub fn kind_of(fault: Fault) -> &'static str {
    match fault {
        Fault::Assertion => "assertion",
        Fault::InvalidEnd | Fault::UnfinishedTrace | Fault::MessagesLeft => "end-state",
        Fault::IndexOutOfRange => "bounds",
        Fault::DivisionByZero => "crash",
        Fault::NoChannel | Fault::WrongFields | Fault::PollOfRendezvous | Fault::PromisedRendezvous => {
            "channel"
        }
        Fault::UnexpectedEvent | Fault::MatchedTrace => "trace",
        Fault::BlockedStep
        | Fault::TooMany
        | Fault::AmbiguousTrace
        | Fault::PriorityOutOfRange
        | Fault::EnabledAsksItself
        | Fault::EndlessStep
        | Fault::BrokenPromise
        | Fault::Nondeterminism
        | Fault::Observed
        | Fault::OutOfRange
        | Fault::MessageOutOfRange
        | Fault::Overflow
        | Fault::Sequence => "other",
    }
}
