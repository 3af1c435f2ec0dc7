//! Trails of claims, formulas and cycles, to and from the real SPIN: it follows
//! ours to the same state and round the same cycle, and we follow its own.

use crate::real;
use real::{Folder, compare_all, n_lines};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A `never` claim sees what it looks for.
    Claim,
    /// An `ltl` block does not hold.
    Formula,
    /// A cycle passes through an accept label of a process.
    Acceptance,
    /// A cycle passes through no progress label.
    Progress,
}

struct Case {
    path: PathBuf,
    kind: Kind,
    is_fair: bool,
    definitions: Vec<&'static str>,
}

/// What cannot be compared, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("claim_np_awake", "who follows a trail passes over what a claim changes"),
    ("claim_writes", "who follows a trail passes over what a claim changes"),
    ("label_on_guard", "SPIN moves the label behind the statement"),
    ("ltl_two", "`pan` looks at the first formula, which holds"),
];

const EXAMPLES: &[(&str, Kind)] = &[
    ("Book_1991/p123.pml", Kind::Claim),
    ("LTL/ltl_always_eventually.pml", Kind::Formula),
    ("LTL/zune.pml", Kind::Formula),
    ("loops.pml", Kind::Acceptance),
];

const CLASSICS: &[(&str, &[&str], bool)] = &[
    ("bakery", &["-DN=2"], true),
    ("fischer", &["-DN=3"], false),
    ("gobackn", &["-DW=1", "-DQ=1"], false),
    ("mesi", &["-DN=2"], true),
    ("peterson", &["-DN=2"], false),
    ("readers_writers", &["-DR=2", "-DK=1"], false),
];

/// The small models with such an error, and some larger ones.
fn cases() -> Vec<Case> {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let micro = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let path = PathBuf::from(format!("tests/spin/micro/{}.pml", columns[0]));
        let is_wrong = ["claim", "acceptance", "non-progress"].contains(&columns[3])
            || columns[0].starts_with("ltl_") && columns[3] == "assertion";
        let is_wrong = is_wrong && !LEFT_OUT.iter().any(|(name, _)| *name == columns[0]);
        let text = is_wrong.then(|| fs::read_to_string(&path).expect("the model is there"))?;
        let kind = match () {
            () if columns[3] == "non-progress" => Kind::Progress,
            () if text.contains("never") => Kind::Claim,
            () if text.contains("ltl ") => Kind::Formula,
            () => Kind::Acceptance,
        };
        Some(Case { path, kind, is_fair: columns[1].ends_with("-f"), definitions: Vec::new() })
    });
    let examples = EXAMPLES.iter().map(|(name, kind)| Case {
        path: Path::new("/usr/share/doc/spin/examples/Examples").join(name),
        kind: *kind,
        is_fair: false,
        definitions: Vec::new(),
    });
    let classics = CLASSICS.iter().map(|(name, definitions, is_fair)| Case {
        path: PathBuf::from(format!("examples/promela/{name}.pml")),
        kind: Kind::Formula,
        is_fair: *is_fair,
        definitions: definitions.to_vec(),
    });
    micro.chain(examples.filter(|it| it.path.exists())).chain(classics).collect()
}

/// What a document of ours says of the first error of the kind: what is wrong,
/// and what the variables hold at the end.
fn told(document: &Value, kind: Kind) -> Option<(String, &Value)> {
    let name = match kind {
        Kind::Claim => "claim",
        Kind::Acceptance => "acceptance",
        Kind::Formula | Kind::Progress => "formula",
    };
    let results = document["results"].as_array()?;
    let found = results.iter().find(|it| it["kind"] == name && it["verdict"] == "violated")?;
    let found = &found["counterexample"];
    let fault = if found["cycle"].is_null() { found["fault"].as_str()? } else { "cycle" };
    Some((fault.to_string(), &found["last"]))
}

/// Where `spin -t` stands at the end: variables and processes, without the
/// numbers of the steps; `None` if it did not follow the whole file.
fn standing(folder: &Folder, definitions: &[&str], file: &str) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(folder.0.join(file)).map_err(|error| error.to_string())?;
    let said = folder.run("spin", &[definitions, &["-t", "-p", "-g", "-k", file, "model.pml"]].concat());
    // It counts the mark of a cycle that nothing stands behind.
    let ends_in_mark = text.lines().last() == Some("-1:-1:-1");
    let end = if ends_in_mark { "-1".to_string() } else { n_lines(&text).to_string() };
    let is_whole = text.is_empty() || said.contains(&format!("trail ends after {end} steps"));
    let has_mark = text.contains("-1:-1:-1") == said.contains("START OF CYCLE");
    let is_remark = |line: &str| line.contains("truncated") || line.contains("placed incorrectly");
    let is_wrong = |line: &str| line.to_lowercase().contains("error") && !is_remark(line);
    if !is_whole || !has_mark || said.lines().any(is_wrong) {
        return Err(format!("spin -t does not follow {file}:\n{text}\n{said}"));
    }
    let end = said.lines().skip_while(|line| !line.starts_with("#processes"));
    let bare = |line: &str| line.split_once(":\tproc").map_or(line, |(_, rest)| rest).to_string();
    Ok(end.take_while(|line| !line.contains("created")).map(bare).collect())
}

/// The global variables of a standing.
fn values(standing: &[String]) -> BTreeMap<&str, &str> {
    let globals = standing.iter().filter_map(|line| line.strip_prefix("\t\t"));
    globals.filter_map(|line| line.split_once(" = ")).collect()
}

/// Every variable that both know has one value.
fn expect_same(ours: &Value, standing: &[String]) -> Result<(), String> {
    let theirs = values(standing);
    let number = |it: &str| it.replace("true", "1").replace("false", "0");
    let differs =
        |(name, value): (&&str, &&str)| ours[*name].as_str().is_some_and(|it| number(it) != number(value));
    match theirs.iter().any(differs) {
        true => Err(format!("other values: we {ours}, spin -t {theirs:?}")),
        false => Ok(()),
    }
}

/// The state before the cycle is the one behind it.
fn expect_cycle(folder: &Folder, definitions: &[&str], file: &str) -> Result<(), String> {
    let text = fs::read_to_string(folder.0.join(file)).map_err(|error| error.to_string())?;
    let Some((before, _)) = text.split_once("-1:-1:-1\n") else { return Ok(()) };
    // Without a step SPIN does not follow a trail but runs at random.
    if n_lines(before) == 0 {
        return Ok(());
    }
    fs::write(folder.0.join("before.trail"), before).map_err(|error| error.to_string())?;
    let (begin, end) = (standing(folder, definitions, "before.trail")?, standing(folder, definitions, file)?);
    match begin == end {
        true => Ok(()),
        false => Err(format!("{file} is no cycle: from {begin:?} to {end:?}\n{text}")),
    }
}

fn compare(case: &Case) -> Result<(), String> {
    let folder = Folder::new();
    fs::copy(&case.path, folder.0.join("model.pml")).map_err(|error| error.to_string())?;
    let definitions = &case.definitions[..];
    let mut flags = vec!["--property", "*", "--format", "json", "--spin-trail", "our.trail"];
    flags.extend(["--fair"].iter().filter(|_| case.is_fair));
    flags.extend(match case.kind {
        Kind::Claim | Kind::Formula => None,
        Kind::Acceptance => Some("--acceptance"),
        Kind::Progress => Some("--progress"),
    });
    let (_, text) = folder.trapline(&[&["check", "model.pml"], &flags[..], definitions].concat());
    let first = serde_json::Deserializer::from_str(&text).into_iter().next();
    let document: Value = first.and_then(Result::ok).ok_or(format!("no document:\n{text}"))?;
    let (fault, last) = told(&document, case.kind).ok_or(format!("we find nothing:\n{text}"))?;
    let lines = fs::read_to_string(folder.0.join("our.trail")).map_err(|error| error.to_string())?;
    if (fault == "cycle") != lines.contains("-1:-1:-1") || (case.kind == Kind::Claim) != lines.contains("-2:")
    {
        return Err(format!("{fault} in our trail:\n{lines}"));
    }
    let ours = standing(&folder, definitions, "our.trail")?;
    expect_same(last, &ours)?;
    expect_cycle(&folder, definitions, "our.trail")?;
    if case.kind == Kind::Claim && !ours.iter().any(|it| it.contains("- (never_0")) {
        return Err(format!("the claim is not there:\n{}", ours.join("\n")));
    }
    let gcc: &[&str] = if case.kind == Kind::Claim { &[] } else { &["-DNOCLAIM"] };
    folder.make_pan(definitions, gcc).ok_or("SPIN refuses the model")?;
    let said = folder.run("./pan", &["-r", "our.trail"]);
    let has_mark = (fault == "cycle") == said.contains("START OF CYCLE");
    if !said.contains("trail ends after") || said.contains("not found") || !has_mark {
        return Err(format!("pan -r does not follow:\n{lines}\n{said}"));
    }
    follows_theirs(case, &folder)
}

/// We follow the trail that `pan` writes to where `spin -t` stands.
fn follows_theirs(case: &Case, folder: &Folder) -> Result<(), String> {
    let definitions = &case.definitions[..];
    let (gcc, search): (&[&str], _) = match case.kind {
        Kind::Progress => (&["-DNOREDUCE", "-DNP"], "-l"),
        _ => (&["-DNOREDUCE"], "-a"),
    };
    folder.make_pan(definitions, gcc).ok_or("SPIN refuses the model")?;
    let fair: &[&str] = if case.is_fair { &["-f"] } else { &[] };
    folder.run("./pan", &[&["-m100000", search], fair].concat());
    let lines = fs::read_to_string(folder.0.join("model.pml.trail")).map_err(|_| "pan finds nothing")?;
    let arguments = ["simulate", "model.pml", "--trail", "model.pml.trail", "--format", "json"];
    let (code, text) = folder.trapline(&[&arguments[..], definitions].concat());
    let first = serde_json::Deserializer::from_str(&text).into_iter().next();
    let document: Value =
        first.and_then(Result::ok).ok_or(format!("we do not follow pan:\n{lines}\n{text}"))?;
    let is_cycle = lines.contains("-1:-1:-1");
    let is_error = is_cycle || case.kind == Kind::Claim;
    if is_error && code != Some(1) || is_cycle == document["cycle"].is_null() {
        return Err(format!("the trail of pan ends otherwise ({code:?}):\n{lines}\n{text}"));
    }
    if is_error {
        improves_theirs(case, folder, (&lines, is_cycle))?;
    }
    let fault = folder.run("spin", &[definitions, &["-t", "-p", "-g", "model.pml"]].concat());
    // The automaton of a formula may be an assertion, which ends the replay.
    match fault.contains("assertion violated") {
        true => Ok(()),
        false => expect_same(&document["last"], &standing(folder, definitions, "model.pml.trail")?),
    }
}

/// The trail that `pan` writes, made shorter, is one that SPIN follows, and its
/// cycle is closed.
fn improves_theirs(case: &Case, folder: &Folder, (theirs, is_cycle): (&str, bool)) -> Result<(), String> {
    let definitions = &case.definitions[..];
    let mut flags = vec!["--format", "json", "--spin-trail", "short.trail"];
    flags.extend(["--fair"].iter().filter(|_| case.is_fair));
    flags.extend(match case.kind {
        Kind::Claim | Kind::Formula => None,
        Kind::Acceptance => Some("--acceptance"),
        Kind::Progress => Some("--progress"),
    });
    if case.kind == Kind::Progress {
        flags.extend(["--property", "progress"]);
    }
    let arguments = ["improve", "model.pml", "--trail", "model.pml.trail"];
    let (code, text) = folder.trapline(&[&arguments[..], &flags, definitions].concat());
    let first = serde_json::Deserializer::from_str(&text).into_iter().next();
    let document: Value =
        first.and_then(Result::ok).ok_or(format!("we do not improve pan's trail:\n{theirs}\n{text}"))?;
    let found = told(&document, case.kind).filter(|_| code == Some(1));
    let (fault, last) = found.ok_or(format!("the improved trail is no error:\n{theirs}\n{text}"))?;
    if (fault == "cycle") != is_cycle {
        return Err(format!("{fault} in the improved trail of:\n{theirs}"));
    }
    expect_same(last, &standing(folder, definitions, "short.trail")?)?;
    expect_cycle(folder, definitions, "short.trail")
}

#[test]
fn spin_replays_our_claims_and_cycles_and_we_replay_those_of_spin() {
    let cases = cases();
    compare_all(&cases, |case| {
        let wrong = compare(case).err();
        Some(wrong.into_iter().map(|why| format!("{:?} {:?}: {why}", case.path, case.kind)).collect())
    });
    for kind in [Kind::Claim, Kind::Formula, Kind::Acceptance, Kind::Progress] {
        assert!(cases.iter().any(|it| it.kind == kind), "no {kind:?}");
    }
}
