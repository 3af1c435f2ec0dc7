//! Small models, one per fact of the language, against what SPIN counted:
//! `tests/spin/micro.tsv`, written by `tests/spin/micro.sh`.

use std::collections::HashSet;
use std::fs;
use trapline::diag::{Diagnostic, Sources};
use trapline::explicit::layout::Shape;
use trapline::explicit::view::Fault;
use trapline::explicit::{Engine, View, lower};
use trapline::lang::promela::{Reading, parse};
use trapline::system::{Successors, TransitionSystem, Word};

/// What a whole exploration found.
struct Found {
    stored: usize,
    faults: Vec<Fault>,
}

fn explore(text: &str, name: &str) -> Result<Found, String> {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let render = |faults: &[Diagnostic]| {
        faults.iter().map(|it| it.render(&sources, false)).collect::<Vec<_>>().join("\n")
    };
    let model = parsed.model.ok_or_else(|| render(&parsed.diagnostics))?;
    let program = lower(model).map_err(|faults| render(&faults))?;
    let mut shape = Shape::of(&program);
    loop {
        let engine = Engine::new(&program, &shape);
        let mut view = View::new(&engine);
        let found = everything(&engine, &mut view);
        match view.lack() {
            Some(lack) => shape.grow(lack, found.stored as u64),
            None => return Ok(found),
        }
    }
}

fn everything(engine: &Engine, view: &mut View) -> Found {
    let width = view.width();
    let mut first = vec![0; width];
    view.initial(&mut first);
    let mut seen: HashSet<Vec<Word>> = HashSet::from([first.clone()]);
    let mut found = Found { stored: 1, faults: Vec::new() };
    let mut pending = std::collections::VecDeque::from([first]);
    let mut out = Successors::new(width);
    while let Some(state) = pending.pop_front() {
        out.clear();
        view.successors(&state, &mut out);
        for next in out.iter() {
            if !seen.insert(next.to_vec()) {
                continue;
            }
            match view.fault(next) {
                // SPIN goes on behind an assertion.
                Some(Fault::Assertion) => {
                    found.faults.push(Fault::Assertion);
                    let mut next = next.to_vec();
                    engine.layout.fault.set(&mut next, 0);
                    if seen.insert(next.clone()) {
                        found.stored += 1;
                        pending.push_back(next);
                    }
                }
                Some(fault) => found.faults.push(fault),
                None => {
                    found.stored += 1;
                    pending.push_back(next.to_vec());
                }
            }
        }
    }
    found
}

/// What SPIN calls a fault.
fn kind_of(fault: Option<&Fault>) -> &'static str {
    match fault {
        None => "none",
        Some(Fault::Assertion) => "assertion",
        Some(Fault::InvalidEnd) => "end-state",
        Some(Fault::IndexOutOfRange) => "bounds",
        Some(Fault::DivisionByZero) => "crash",
        Some(Fault::NoChannel | Fault::MissingField | Fault::PollOfRendezvous) => "channel",
        Some(Fault::BlockedStep | Fault::TooMany) => "other",
    }
}

/// What we do not do as SPIN does, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("claim_", "never claims are refused"),
    ("ltl_", "formulas are not checked"),
    ("trace_", "trace assertions are refused"),
    ("notrace_", "trace assertions are refused"),
    ("priority_", "priorities are refused"),
    ("enabled_pc", "`enabled` and `pc_value` are refused"),
    ("last_used", "`_last` is refused"),
    ("chan_match_variable_twice", "a variable may take two fields of a message"),
    ("dstep_assert", "SPIN goes on within the `d_step` behind a failed assertion"),
    ("dstep_choice", "SPIN forgets options that begin with an assignment"),
    ("for_empty_constant", "an empty range of constants is a mistake"),
];

#[test]
fn small_models_have_the_states_and_errors_of_spin() {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let mut wrong = Vec::new();
    let mut n_compared = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, flags, verdict, kind, all_stored) =
            (columns[0], columns[1], columns[2], columns[3], columns[13]);
        if DIFFERENT.iter().any(|(start, _)| name.starts_with(start))
            || flags != "-o1 -o2 -o3 | -DSAFETY -DNOREDUCE |"
        {
            continue;
        }
        let text = fs::read_to_string(format!("tests/spin/micro/{name}.pml")).expect("the model is there");
        n_compared += 1;
        let ours = match explore(&text, name) {
            Err(message) => {
                println!("{name}: {message}");
                "rejected".to_string()
            }
            Ok(found) => {
                // Which of several kinds SPIN finds first is a matter of order.
                let same = found.faults.iter().find(|it| kind_of(Some(it)) == kind);
                match same.or(found.faults.first()) {
                    None => format!("ok {}", found.stored),
                    Some(Fault::InvalidEnd) => "end-state".to_string(),
                    fault @ Some(Fault::Assertion) => format!("{} {}", kind_of(fault), found.stored),
                    fault => kind_of(fault).to_string(),
                }
            }
        };
        let theirs = match (verdict, kind) {
            ("rejected", _) => "rejected".to_string(),
            ("crashed", _) => "crash".to_string(),
            ("ok", _) => format!("ok {all_stored}"),
            ("incomplete", _) => "ok 1".to_string(),
            (_, "assertion") => format!("{kind} {all_stored}"),
            _ => kind.to_string(),
        };
        if ours != theirs {
            wrong.push(format!("{name}: SPIN {theirs}, we {ours}"));
        }
    }
    assert!(n_compared > 200, "only {n_compared} models were compared");
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
