//! The numbers of statements in trails, and which steps keep control, against
//! the tables of the real SPIN (`pan -d`).

use crate::read;
use crate::real;
use real::{Folder, compare_all, files};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use trapline::lang::promela::Program;
use trapline::lang::promela::merge::Merges;
use trapline::net::{Action, Graph, TemplateId, TransitionId};

fn program(path: &Path) -> Option<Program> {
    read::program(path, &[]).ok().map(|(program, _)| program)
}

/// Number, and whether control is kept, of each transition that can be
/// reached.
fn ours(program: &Program, index: usize) -> BTreeSet<String> {
    let graph = &program.network.templates[index].graph;
    let places = graph.locations.iter().filter(|it| it.deterministic.is_none());
    places
        .flat_map(|it| &it.out)
        .map(|id| {
            let it = graph.transition(*id);
            let letter = match it.action {
                _ if it.keeps_control => 'A',
                Action::Deterministic(_) => 'D',
                _ => '-',
            };
            format!("{} {letter}", number(program, index, *id))
        })
        .collect()
}

fn number(program: &Program, index: usize, id: TransitionId) -> u32 {
    program.statements.number(TemplateId::new(index), id).unwrap_or(u32::MAX)
}

/// Numbers of the statements that are steps where others are merged into
/// them.
fn merged(program: &Program, merges: &Merges, index: usize) -> BTreeSet<String> {
    let process = &program.network.templates[index].graph;
    let mut seen = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    let mut pending = vec![Graph::ENTRY];
    while let Some(at) = pending.pop() {
        if !seen.insert(at.index()) {
            continue;
        }
        pending.extend(&process.location(at).escapes);
        for id in &process.location(at).out {
            let chain = merges.chain(index, *id);
            let last = chain.then.last().unwrap_or(id);
            numbers.extend(chain.lands_on.map(|it| it.to_string()));
            numbers.insert(number(program, index, *id).to_string());
            if process.transition(*id).action != Action::End {
                pending.push(process.transition(*last).to);
            }
        }
    }
    numbers
}

/// The same from a table of `pan -d`.
fn theirs(table: &str, name: &str) -> BTreeSet<String> {
    let titles = [format!("proctype {name}"), name.to_string()];
    let lines = table.lines().skip_while(|line| !titles.iter().any(|it| it == line)).skip(1);
    lines
        .take_while(|line| line.starts_with('\t'))
        .filter_map(|line| {
            let (_, rest) = line.split_once("[id")?;
            let number = rest.split_whitespace().next()?;
            let (_, flags) = rest.split_once("] [")?;
            Some(format!("{number} {}", flags.chars().next()?))
        })
        .collect()
}

/// What differs, if anything; `None` if there is nothing to compare.
fn compare(path: &Path) -> Option<Vec<String>> {
    let program = program(path)?;
    let folder = Folder::new();
    let source = path.parent().expect("a file is in a folder");
    for file in fs::read_dir(source).expect("the folder is there").flatten().filter(|it| it.path().is_file())
    {
        if file.path().extension().is_none_or(|it| it != "pml") || file.path() == path {
            fs::copy(file.path(), folder.0.join(file.file_name())).ok()?;
        }
    }
    fs::copy(path, folder.0.join("model.pml")).ok()?;
    folder.make_pan(&["-o1", "-o2", "-o3"], &["-DNOREDUCE", "-DSAFETY"])?;
    let table = folder.run("./pan", &["-d"]);
    folder.make_pan(&[], &[])?;
    let merged_table = folder.run("./pan", &["-d"]);
    let merges = Merges::of(&program);
    let mut wrong = Vec::new();
    for (index, proctype) in program.network.templates.iter().enumerate() {
        let (ours, theirs) = (ours(&program, index), theirs(&table, &proctype.name));
        if theirs.is_empty() {
            continue;
        }
        let steps = self::theirs(&merged_table, &proctype.name);
        let steps: BTreeSet<String> =
            steps.iter().filter_map(|it| it.split(' ').next()).map(str::to_string).collect();
        let merged = merged(&program, &merges, index);
        if merged != steps {
            let name = &proctype.name;
            wrong.push(format!("{} {name}: merged {merged:?}, SPIN {steps:?}", path.display()));
        }
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.difference(other).cloned().collect::<Vec<_>>().join(", ")
        };
        if ours != theirs {
            let (ours, theirs) = (only(&ours, &theirs), only(&theirs, &ours));
            wrong.push(format!("{} {}: only we {ours}; only SPIN {theirs}", path.display(), proctype.name));
        }
    }
    Some(wrong)
}

/// Small models that are always compared, besides those of
/// `tests/spin/merge`: what has places, steps or numbers of its own.
const ALWAYS: &[&str] = &[
    "atomic_adjacent",
    "atomic_break_out",
    "atomic_choice",
    "atomic_else_timeout",
    "atomic_entrance",
    "atomic_goto_again",
    "atomic_goto_in",
    "atomic_goto_out",
    "atomic_goto_past",
    "atomic_last_statement",
    "atomic_loop",
    "atomic_nested",
    "atomic_regain",
    "atomic_run",
    "atomic_silent_steps",
    "block",
    "block_goto",
    "break_alone",
    "break_in_if",
    "claim_atomic",
    "claim_dstep",
    "claim_numbers",
    "claim_remote_goto",
    "claim_unless",
    "dstep_choice",
    "dstep_guard",
    "dstep_in_atomic",
    "dstep_loop",
    "dstep_unless_escape",
    "else_block_goto",
    "goto_after_statement",
    "goto_chain",
    "goto_option",
    "number_everything",
    "remote_break",
    "remote_break_atomic",
    "remote_goto_atomic",
    "remote_goto_labels",
    "remote_goto_unless",
    "remote_variable",
    "unless_after",
    "unless_atomic",
    "unless_break",
    "unless_dstep",
    "unless_goto",
    "unless_goto_main",
    "unless_nested",
    "unless_rendezvous",
];

/// `TRAPLINE_MODELS` names others.
#[test]
fn statements_have_the_numbers_of_spin() {
    let always = || {
        let small = ALWAYS.iter().map(|name| PathBuf::from(format!("tests/spin/micro/{name}.pml")));
        files(Path::new("tests/spin/merge"), "pml").into_iter().chain(small).collect()
    };
    let named = std::env::var("TRAPLINE_MODELS").ok();
    let is_fixed = named.is_none();
    let models =
        named.map_or_else(always, |named| named.split_whitespace().map(PathBuf::from).collect::<Vec<_>>());
    if let Some(n_compared) = compare_all(&models, |path| compare(path)).filter(|_| is_fixed) {
        assert_eq!(n_compared, models.len(), "a model of the fixed choice is refused");
    }
}

#[test]
#[ignore = "compiles some 600 verifiers"]
fn statements_of_all_small_models_have_the_numbers_of_spin() {
    let folders = ["tests/spin/merge", "tests/spin/micro"];
    let models: Vec<PathBuf> = folders.iter().flat_map(|it| files(Path::new(it), "pml")).collect();
    compare_all(&models, |path| compare(path));
}
