//! Dependence of transitions against what the engine does, on random walks
//! through the examples, the micro models and random models of both kinds.
//!
//! In every state of a walk: a transition is enabled if and only if its
//! conjuncts are true; two that accord and are enabled leave each other enabled
//! and end alike in both orders; and a step that makes a conjunct true is one of
//! its enablers.

mod evaluate;
mod walk;

use crate::common::generate::{Shape as ModelShape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::generate;
use crate::loading::compile;
use crate::read;
use std::path::PathBuf;
use trapline::diag::Sources;
use trapline::lang::promela::{Reading, lower, parse};
use trapline::lang::task::lower::{Steps, lower as lower_task};
use trapline::net::Network;
use walk::{Counts, walk};

/// Random models of each kind.
const N_MODELS: u64 = 300;

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|it| it.expect("an entry is readable").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "pml"));
    files.sort();
    files
}

fn promela(text: &str) -> Option<Network> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let mut reading = Reading { definitions: Vec::new(), load: &mut load };
    Some(lower(parse(source, &mut sources, &mut reading).model?).ok()?.network)
}

/// Walks per model.
const N_WALKS: usize = 12;

/// Walks through models by name, each so often; panics with all that is wrong.
fn walk_all(models: impl Iterator<Item = (u64, String, Network)>, n_walks: usize) -> Counts {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for (seed, name, network) in models {
        counts.n_models += 1;
        if let Err(message) = walk(&network, seed, n_walks, &mut counts) {
            wrong.push(format!("{name}: {message}"));
        }
    }
    println!("{counts:?}");
    let n_wrong = wrong.len();
    wrong.truncate(10);
    assert!(wrong.is_empty(), "{n_wrong} of {} models:\n{}", counts.n_models, wrong.join("\n"));
    counts
}

fn walk_files(folder: &str, n_walks: usize) -> Counts {
    let files = files(folder);
    let model = |(seed, path): (u64, &PathBuf)| {
        let (program, _) = read::program(path, &[]).ok()?;
        Some((seed, path.display().to_string(), program.network))
    };
    walk_all((1..).zip(&files).filter_map(model), n_walks)
}

#[test]
fn examples() {
    let counts = walk_files("examples/promela", 10 * N_WALKS);
    assert!(counts.n_models > 10 && counts.n_accords > 10_000, "{counts:?}");
    assert!(counts.n_enabled > 10_000 && counts.n_decided > 1_000_000, "{counts:?}");
}

#[test]
fn micro_models() {
    let counts = walk_files("tests/spin/micro", N_WALKS);
    assert!(counts.n_models > 400 && counts.n_accords > 2_000, "{counts:?}");
    assert!(counts.n_enabled > 30_000 && counts.n_decided > 400_000, "{counts:?}");
}

#[test]
fn random_promela_models() {
    let share = Share::of(N_MODELS);
    let model = |seed: u64| Some((seed, format!("TRAPLINE_SEED={seed}"), promela(&generate::model(seed))?));
    let counts = walk_all(share.seeds.filter_map(model), N_WALKS);
    if share.is_whole {
        assert!(counts.n_models > 250 && counts.n_accords > 20_000, "{counts:?}");
        assert!(counts.n_enabled > 40_000 && counts.n_decided > 1_000_000, "{counts:?}");
    }
}

#[test]
fn random_task_models() {
    let share = Share::of(N_MODELS);
    let model = |seed: u64| {
        let shape = match seed % 4 {
            0 => ModelShape::tiny(),
            1 => ModelShape { objects: 30, ..ModelShape::default() },
            2 => ModelShape { atomic: 30, ..ModelShape::default() },
            _ => ModelShape::exact(),
        };
        let program = compile(&print(&generate(seed, &shape)));
        let labels = program.labels().into_iter().take(2).collect();
        let steps = match seed % 3 {
            0 => Steps::Edges,
            1 => Steps::Actions,
            _ => Steps::Events { labels, with_ends: seed.is_multiple_of(2) },
        };
        let lowered = lower_task(&program, &steps).expect("a small model is lowered");
        (seed, format!("TRAPLINE_SEED={seed}"), lowered.network)
    };
    let counts = walk_all(share.seeds.map(model), N_WALKS);
    if share.is_whole {
        assert!(counts.n_models > 250 && counts.n_accords > 30_000, "{counts:?}");
        assert!(counts.n_enabled > 100_000 && counts.n_decided > 3_000_000, "{counts:?}");
    }
}
