//! One model by us and by SPIN: states, arrivals, kinds of errors and lengths
//! of breadth-first trails.

use super::explore::{Found, explore, kind_of};
use super::pan::{self, Counted};
use super::{breadth, known, read};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

/// What came of a model.
pub enum Outcome {
    Agrees,
    /// Why it is not compared: it has too few or too many states, or SPIN did
    /// not finish.
    LeftOut(&'static str),
    BothRefuse,
    /// It differs for a reason that SEMANTICS.md names.
    Known(&'static str),
    /// With our diagnostics.
    WeRefuse(String),
    /// With what SPIN or the C compiler prints.
    SpinRefuses(String),
    Differs(String),
}

impl Outcome {
    /// What came of a model, in words.
    pub fn how(self) -> String {
        match self {
            Self::Agrees => "agrees".to_string(),
            Self::LeftOut(why) => format!("left out: {why}"),
            Self::Known(why) => format!("differs for a known reason: {why}"),
            Self::BothRefuse => "refused by both".to_string(),
            Self::WeRefuse(how) => format!("refused by us: {how}"),
            Self::SpinRefuses(how) => format!("refused by SPIN: {how}"),
            Self::Differs(how) => format!("differs: {how}"),
        }
    }
}

/// Compares a model that has as many states as `sizes` says; others are left
/// out.
pub fn compare(text: &str, folder: &Path, sizes: RangeInclusive<usize>) -> Outcome {
    let ours = explore(text, "model.pml", *sizes.end());
    if let Ok(found) = &ours
        && (found.is_cut || found.stored < *sizes.start())
    {
        return Outcome::LeftOut(if found.is_cut { "too many states" } else { "too few states" });
    }
    match (ours, pan::count(text, folder)) {
        (Err(_), Err(_)) => Outcome::BothRefuse,
        (Err(_), Ok(counted)) if counted.broken == Some("refused") => Outcome::BothRefuse,
        (Err(ours), Ok(counted)) => match known::we_refuse(text, &ours, &counted) {
            Some(why) => Outcome::Known(why),
            None => Outcome::WeRefuse(ours),
        },
        (Ok(_), Err(theirs)) => match known::spin_refuses(text, &theirs) {
            Some(why) => Outcome::Known(why),
            None => Outcome::SpinRefuses(theirs),
        },
        (Ok(found), Ok(counted)) => match compare_counts(&found, &counted) {
            Outcome::Agrees if !counted.kinds.is_empty() => compare_trails(folder),
            Outcome::Differs(how) => match known::differs(text, &kinds_of(&found), &counted) {
                Some(why) => Outcome::Known(why),
                None => Outcome::Differs(how),
            },
            outcome => outcome,
        },
    }
}

fn kinds_of(found: &Found) -> BTreeSet<&'static str> {
    found.faults.iter().map(|it| kind_of(*it)).collect()
}

/// Compares what breadth-first search tells of the model counted last.
fn compare_trails(folder: &Path) -> Outcome {
    let Some(pan::Shortest { kind, n_statements, is_sure }) = pan::breadth_first(folder) else {
        return Outcome::Agrees;
    };
    let (program, _) = read::program(&folder.join("model.pml"), &[]).expect("it has been read before");
    let ours = [1, 2].map(|n_threads| breadth::n_statements(&program, n_threads));
    // A deadlock and an assertion that fails with one statement more are in
    // the same layer: either may be found first.
    let is_same_layer = |it: usize| match kind {
        "end-state" => it == n_statements + 1,
        _ => it + 1 == n_statements,
    };
    let is_as_short = |it: usize| it == n_statements || is_same_layer(it) || !is_sure && it < n_statements;
    match ours.iter().all(|it| is_as_short(*it)) {
        true => Outcome::Agrees,
        false => Outcome::Differs(format!("SPIN: {kind} after {n_statements} statements; we: {ours:?}")),
    }
}

fn compare_counts(found: &Found, counted: &Counted) -> Outcome {
    let ours = kinds_of(found);
    let theirs: BTreeSet<&str> = counted.kinds.iter().copied().collect();
    let goes_on = |kinds: &BTreeSet<&str>| kinds.iter().all(|it| ["assertion", "end-state"].contains(it));
    let agrees = match counted.broken {
        Some("depth") => return Outcome::LeftOut("pan's depth limit"),
        Some("time") => return Outcome::LeftOut("pan's time limit"),
        Some("vector") => return Outcome::LeftOut("pan's VECTORSZ"),
        Some("refused") => return Outcome::LeftOut("pan refuses to start"),
        // SPIN goes on behind an event that a trace does not expect; we do not.
        _ if ours.contains("trace") || theirs.contains("trace") => {
            ours.contains("trace") && theirs.contains("trace")
        }
        // Other errors end our runs; SPIN goes on with whatever the memory
        // holds, or crashes. What it finds beyond them says nothing.
        _ if !goes_on(&ours) || !goes_on(&theirs) => {
            let is_fatal = |it: &&&str| !goes_on(&[**it].into());
            theirs.iter().filter(is_fatal).any(|it| ours.contains(it))
                || theirs.contains("crash") && !goes_on(&ours)
        }
        _ => ours == theirs && (found.stored, found.arrivals) == (counted.stored, counted.arrivals),
    };
    match agrees {
        true => Outcome::Agrees,
        false => Outcome::Differs(format!(
            "SPIN: {} states, {} arrivals, {theirs:?}; we: {} states, {} arrivals, {ours:?}",
            counted.stored, counted.arrivals, found.stored, found.arrivals,
        )),
    }
}
