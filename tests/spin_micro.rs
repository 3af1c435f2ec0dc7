//! Small models, one per fact of the language, against what SPIN counted:
//! `tests/spin/micro.tsv`, written by `tests/spin/micro.sh`.

use std::collections::HashMap;
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
    shortest: Option<usize>,
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
    let mut shape = Shape::at_start(&program);
    loop {
        let engine = Engine::new(&program, &shape);
        let mut view = View::new(&engine);
        let found = everything(&mut view);
        match view.lack() {
            Some(lack) => shape.grow(lack),
            None => return Ok(found),
        }
    }
}

fn everything(view: &mut View) -> Found {
    let width = view.width();
    let mut first = vec![0; width];
    view.initial(&mut first);
    let mut depths: HashMap<Vec<Word>, usize> = HashMap::from([(first.clone(), 0)]);
    let mut found = Found { stored: 1, faults: Vec::new(), shortest: None };
    let mut pending = std::collections::VecDeque::from([first]);
    let mut out = Successors::new(width);
    while let Some(state) = pending.pop_front() {
        let depth = depths[&state] + 1;
        out.clear();
        view.successors(&state, &mut out);
        for next in out.iter() {
            if depths.contains_key(next) {
                continue;
            }
            depths.insert(next.to_vec(), depth);
            match view.fault(next) {
                Some(fault) => {
                    found.faults.push(fault);
                    found.shortest.get_or_insert(depth);
                }
                None => {
                    found.stored += 1;
                    pending.push_back(next.to_vec());
                }
            }
        }
    }
    found
}

#[test]
fn small_models_have_the_states_and_errors_of_spin() {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let mut wrong = Vec::new();
    let mut n_compared = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, flags, verdict, kind, all_stored) =
            (columns[0], columns[1], columns[2], columns[3], columns[13]);
        if flags != "-o1 -o2 -o3 | -DSAFETY -DNOREDUCE |" {
            continue;
        }
        let text = fs::read_to_string(format!("tests/spin/micro/{name}.pml")).expect("the model is there");
        n_compared += 1;
        match explore(&text, name) {
            Err(message) => wrong.push(format!("{name}: refused: {message}")),
            Ok(found) => {
                let ours = (found.stored.to_string(), found.faults.first().map(|it| format!("{it:?}")));
                if ours.0 != all_stored || found.faults.is_empty() != (verdict == "ok") {
                    wrong.push(format!("{name}: {verdict} {kind} {all_stored} states, not {ours:?}"));
                }
            }
        }
    }
    println!("{n_compared} models");
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
