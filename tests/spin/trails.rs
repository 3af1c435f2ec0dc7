//! Trails to and from the real SPIN: it replays ours to the same error, and
//! we replay its own. Claims, formulas and cycles are in `spin_cycles`.

use crate::real;
use real::{Folder, compare_all, n_lines};
use std::fs;
use std::path::{Path, PathBuf};

/// A model with an error.
struct Case {
    path: PathBuf,
    /// `-DNAME=VALUE`
    definitions: Vec<String>,
}

/// What is wrong at the end of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An assertion, by its line.
    Assertion(String),
    InvalidEnd,
}

/// The small models with a failing assertion or an invalid end state, SPIN's
/// examples of that kind, and the classic models with a mistake in them.
fn cases() -> Vec<Case> {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let plain = |path: PathBuf| Case { path, definitions: Vec::new() };
    let micro = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let is_plain = columns[1] == "-o1 -o2 -o3 | -DSAFETY -DNOREDUCE |";
        let is_wrong = ["assertion", "end-state"].contains(&columns[3]);
        let is_kept = !LEFT_OUT.iter().any(|(name, _)| *name == columns[0]);
        let path = PathBuf::from(format!("tests/spin/micro/{}.pml", columns[0]));
        (is_plain && is_wrong && is_kept).then(|| plain(path))
    });
    let examples = EXAMPLES.iter().map(|it| Path::new("/usr/share/doc/spin/examples/Examples").join(it));
    let examples = examples.filter(|it| it.exists()).map(plain);
    let classics = CLASSICS.iter().map(|(name, definitions)| Case {
        path: PathBuf::from(format!("examples/promela/{name}.pml")),
        definitions: definitions.split(' ').map(str::to_string).collect(),
    });
    micro.chain(examples).chain(classics).collect()
}

/// What cannot be compared, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("chan_xr_xs", "a promise is broken, of which `spin -t` knows nothing"),
    ("claim_dstep", "the error is one of its claim, which is not asked here"),
    ("claim_dstep_choice_first", "the error is one of its claim, which is not asked here"),
    ("claim_dstep_choices", "the error is one of its claim, which is not asked here"),
    ("claim_dstep_unless", "the error is one of its claim, which is not asked here"),
    ("dstep_choice", "SPIN forgets options that begin with an assignment"),
    ("ltl_safety", "the error is one of a formula, whose automaton is not SPIN's"),
    ("ltl_two", "the error is one of a formula, whose automaton is not SPIN's"),
    ("notrace_blocked", "only the trace is not over, of which `spin -t` knows nothing"),
    ("trace_alone", "only the trace is not over, of which `spin -t` knows nothing"),
    ("trace_blocked_end", "only the trace is not over, of which `spin -t` knows nothing"),
];

/// Not `sat.pml`, whose assertion has several lines: ours is the first of them,
/// that of `spin -t` the last.
const EXAMPLES: &[&str] = &[
    "Book_1991/p101.pml",
    "Book_1991/p104.1.pml",
    "Book_1991/p105.1.pml",
    "Book_1991/p107.pml",
    "Book_1991/p116.pml",
    "Book_1991/p117.pml",
    "Book_1991/p312.pml",
    "Book_1991/p319.pml",
    "Book_1991/p96.1.pml",
    "Book_1991/p97.1.pml",
    "Exercises/ex_1f.pml",
    "Exercises/ex_3c.pml",
    "Exercises/ex_4.pml",
    "for_select_example.pml",
    "pathfinder.pml",
    "test_mtype.pml",
];

const CLASSICS: &[(&str, &str)] = &[
    ("bakery", "-DBUG"),
    ("brp", "-DBUG"),
    ("buffer", "-DBUG"),
    ("elevator", "-DBUG"),
    ("fischer", "-DBUG"),
    ("gobackn", "-DBUG"),
    ("leader", "-DBUG"),
    ("mesi", "-DBUG"),
];

/// What `check` or `simulate` says is wrong, from a document.
fn of_trapline(text: &str) -> Option<Wrong> {
    // Warnings stand behind the document.
    let document: serde_json::Value = serde_json::Deserializer::from_str(text).into_iter().next()?.ok()?;
    let found = match document.get("results") {
        Some(results) => &results[0]["counterexample"],
        None => &document,
    };
    let steps = found["steps"].as_array()?;
    let last = steps.last();
    match found["fault"].as_str()? {
        "assertion violated" => {
            let step = last?;
            let inner = step["inside"].as_array().and_then(|it| it.last()).map(|it| &it["place"]);
            Some(Wrong::Assertion(inner.unwrap_or(&step["places"][0])["line"].to_string()))
        }
        "deadlock (invalid end state): no process can move, and not every process is at a valid end state" => {
            Some(Wrong::InvalidEnd)
        }
        _ => None,
    }
}

/// What `spin -t -p` says.
pub fn of_spin(text: &str, n_lines: usize) -> Option<Wrong> {
    let failed = text.lines().find(|line| line.contains("Error: assertion violated"));
    if let Some(line) = failed {
        let (_, rest) = line.split_once(".pml:")?;
        return Some(Wrong::Assertion(rest.split(',').next()?.to_string()));
    }
    // The whole trail was followed, and somebody is left where nobody may end.
    let is_whole = n_lines == 0 || text.contains(&format!("trail ends after {n_lines} steps"));
    let left = text.lines().skip_while(|line| !line.starts_with("#processes")).skip(1);
    let is_left = |line: &str| line.contains("\tproc") && !line.contains("<valid end state>");
    (is_whole && left.into_iter().any(is_left)).then_some(Wrong::InvalidEnd)
}

/// What `pan -r` says; `None` also if it cannot follow the trail.
fn of_pan(text: &str) -> Option<Wrong> {
    if text.contains("transition") && text.contains("not found") {
        return None;
    }
    if let Some(line) = text.lines().find(|line| line.contains("assertion violated")) {
        return Some(Wrong::Assertion(line.to_string()));
    }
    text.contains("trail ends after").then_some(Wrong::InvalidEnd)
}

/// What differs.
fn compare(case: &Case) -> Result<(), String> {
    let folder = Folder::new();
    fs::copy(&case.path, folder.0.join("model.pml")).map_err(|error| error.to_string())?;
    let definitions: Vec<&str> = case.definitions.iter().map(String::as_str).collect();
    let checked = |strategy: &str, file: &str| {
        let arguments = ["check", "model.pml", "--strategy", strategy, "--format", "json"];
        let more = ["--spin-trail", file, "--property", "safety"];
        of_trapline(&folder.trapline(&[&arguments[..], &more, &definitions].concat()).1)
    };
    folder.make_pan(&definitions, &["-DSAFETY", "-DNOCLAIM"]).ok_or("SPIN refuses the model")?;
    for strategy in ["bfs", "dfs"] {
        let file = format!("{strategy}.trail");
        let ours = checked(strategy, &file).ok_or(format!("{strategy}: we find nothing"))?;
        let lines = fs::read_to_string(folder.0.join(&file)).map_err(|error| error.to_string())?;
        let said = folder.run("spin", &[&definitions[..], &["-t", "-p", "-k", &file, "model.pml"]].concat());
        let theirs = of_spin(&said, n_lines(&lines));
        if theirs.as_ref() != Some(&ours) {
            return Err(format!("{strategy}: we {ours:?}, spin -t {theirs:?}\n{lines}\n{said}"));
        }
        // A trail of steps that SPIN would have merged is for one that does not.
        let is_merged = lines.starts_with("-4");
        if !is_merged {
            let flags = [&definitions[..], &["-o3"]].concat();
            folder.make_pan(&flags, &["-DSAFETY", "-DNOCLAIM"]).ok_or("SPIN refuses the model")?;
        }
        let said = folder.run("./pan", &["-r", &file]);
        if !is_merged {
            folder.make_pan(&definitions, &["-DSAFETY", "-DNOCLAIM"]).ok_or("SPIN refuses the model")?;
        }
        let theirs = of_pan(&said);
        let is_same = match (&ours, &theirs) {
            (Wrong::Assertion(_), Some(Wrong::Assertion(_))) => true,
            (ours, theirs) => Some(ours) == theirs.as_ref(),
        };
        if !is_same {
            return Err(format!("{strategy}: we {ours:?}, pan -r {theirs:?}\n{lines}\n{said}"));
        }
    }
    replays_theirs(&folder, &definitions)
}

/// We follow the trail that `pan` writes to the error that `spin -t` shows.
fn replays_theirs(folder: &Folder, definitions: &[&str]) -> Result<(), String> {
    folder.run("./pan", &["-m100000"]);
    let lines = fs::read_to_string(folder.0.join("model.pml.trail")).map_err(|_| "pan finds nothing")?;
    let said = folder.run("spin", &[definitions, &["-t", "-p", "model.pml"]].concat());
    let theirs = of_spin(&said, n_lines(&lines));
    let arguments = ["simulate", "model.pml", "--trail", "model.pml.trail", "--format", "json"];
    let (code, text) = folder.trapline(&[&arguments[..], definitions].concat());
    let ours = of_trapline(&text);
    if ours.is_none() || ours != theirs || code != Some(1) {
        return Err(format!("trail of pan: it {theirs:?}, we {ours:?}\n{lines}\n{text}\n{said}"));
    }
    improves_theirs(folder, definitions, &lines)
}

/// The trail that `pan` writes, made shorter, is one that SPIN follows to the
/// same kind of error; the shortest of breadth-first search is not longer.
fn improves_theirs(folder: &Folder, definitions: &[&str], theirs: &str) -> Result<(), String> {
    let arguments = ["improve", "model.pml", "--trail", "model.pml.trail", "--format", "json"];
    let more = ["--spin-trail", "short.trail", "--few-switches"];
    let (code, text) = folder.trapline(&[&arguments[..], &more, definitions].concat());
    let ours =
        of_trapline(&text).filter(|_| code == Some(1)).ok_or(format!("not improved:\n{theirs}\n{text}"))?;
    let lines = fs::read_to_string(folder.0.join("short.trail")).map_err(|error| error.to_string())?;
    let said = folder.run("spin", &[definitions, &["-t", "-p", "-k", "short.trail", "model.pml"]].concat());
    let replayed = of_spin(&said, n_lines(&lines));
    let shortest = fs::read_to_string(folder.0.join("bfs.trail")).map_err(|error| error.to_string())?;
    let n_statements = |lines: &str| n_lines(lines);
    // Merged statements have one line, and SPIN merges less where it must.
    let is_comparable = lines.starts_with("-4") == shortest.starts_with("-4");
    let is_too_short = is_comparable && n_statements(&lines) < n_statements(&shortest);
    match replayed == Some(ours) && !is_too_short {
        true => Ok(()),
        false => {
            Err(format!("improved: spin -t {replayed:?}\n{theirs}\n{lines}\n{shortest}\n{text}\n{said}"))
        }
    }
}

#[test]
fn spin_replays_our_trails_and_we_replay_those_of_spin() {
    let cases = cases();
    compare_all(&cases, |case| {
        let wrong = compare(case).err();
        Some(wrong.into_iter().map(|why| format!("{:?}: {why}", case.path)).collect())
    });
    assert!(cases.len() >= 40, "only {} models were compared", cases.len());
}
