//! Any text as a Promela model: diagnostics, never a panic; and what can be
//! run is run for a while.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trapline::diag::Sources;
use trapline::lang::promela::{Reading, parse, parse_expression, parse_formula};
use trapline::verify::Limits;
use trapline::verify::explicit::{Aim, lower};
use trapline::verify::{ExplicitProblem, Question};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let id = sources.add("model.pml", text);
    let mut load = |path: &str, _| match path {
        "self" => Ok((path.to_string(), text.to_string())),
        _ => Err("no such file".to_string()),
    };
    let parsed = parse(id, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    for diagnostic in &parsed.diagnostics {
        diagnostic.render(&sources, false);
    }
    let refused = parsed.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert_eq!(parsed.model.is_none(), refused, "a model is refused if and only if it has an error");
    let Some(model) = parsed.model else { return };
    let last = text.lines().last().unwrap_or("");
    let formula = sources.add("--ltl", last);
    let _ = parse_expression(formula, &sources, &model);
    let _ = parse_formula(formula, &sources, &model);
    let program = match lower(model) {
        Ok(program) => program,
        Err(refused) => return refused.iter().for_each(|it| drop(it.render(&sources, false))),
    };
    let limits = Limits { max_states: Some(2_000), max_bytes: Some(64 << 20) };
    let question = Question::from(ExplicitProblem::of_promela(&program, Aim::Safety)).with_limits(limits);
    question.check(&mut |_| None).expect("safety can be asked of any model");
});
