//! `trapline improve`: a shorter counterexample from a known one.
//!
//! The options, limits, report and output are those of `check`; only the search
//! is another one.

use super::arguments::{
    Adjacency, CheckArguments, ConfirmArguments, EngineName, ImproveArguments, KeptEnd, PromelaArguments,
    ReductionName,
};
use super::exit::Exit;
use super::files::Texts;
use super::language::language_of;
use super::output::Terminal;
use super::{Faults, check};
use std::path::Path;
use trapline::diag::Diagnostic;
use trapline::lang::promela::trail::TrailFile;
use trapline::verify::Form;
use trapline::verify::explicit::{GivenTrail, ImproveOptions};
use trapline::verify::recorded::RecordedTrail;

pub(super) fn run(typed: &ImproveArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let options = ImproveOptions {
        same_state: typed.keep == KeptEnd::State,
        only_reorder: typed.reorder,
        few_switches: typed.few_switches,
    };
    check::run_with(&question(typed), terminal, |texts| {
        if let Some(states) = typed.max_states.filter(|_| typed.reorder) {
            let message =
                format!("`--max-states {states}` does not apply to `--reorder`, which does not search");
            return Err(Diagnostic::error_without_place("usage", message).with_help("remove one of them"));
        }
        let given = given(&typed.trail, typed.property.as_deref(), texts)?;
        Ok(Some((given, options)))
    })
}

/// Reads the trail.
fn given(path: &Path, property: Option<&str>, texts: &mut Texts) -> Result<GivenTrail, Diagnostic> {
    let source = texts.read_record(path, "trail")?;
    if texts.sources.get(source).text.trim_start().starts_with('{') {
        let record = RecordedTrail::parse(source, &texts.sources, property)?;
        return Ok(GivenTrail::Record(record, source));
    }
    let file = TrailFile::parse(source, &texts.sources)
        .map_err(|fault| language_of(path, None).map_or(fault, |other| other.unexpected(path, "a trail")))?;
    Ok(GivenTrail::Spin(file, source))
}

/// Returns the question whose counterexample is improved.
fn question(typed: &ImproveArguments) -> CheckArguments {
    CheckArguments {
        files: vec![typed.file.clone()],
        property: typed.property.clone(),
        model: typed.model.clone(),
        language: typed.language,
        set: typed.set.clone(),
        promela: PromelaArguments {
            define: typed.define.clone(),
            ltl: typed.ltl.clone(),
            invariant: typed.invariant.clone(),
            acceptance: typed.acceptance,
            progress: typed.progress,
            spin_trail: typed.spin_trail.clone(),
            states: typed.states,
            fair: typed.fair,
            semantics: typed.semantics.clone(),
            dangerous: Vec::new(),
            target: None,
            store: None,
            reduction: ReductionName::default(),
            threads: None,
        },
        constraint: typed.constraint.clone(),
        no_default_constraints: typed.no_default_constraints,
        executions: typed.executions,
        graph: Form::REDUCED,
        adjacency: Adjacency::Auto,
        engine: EngineName::Explicit,
        confirm: ConfirmArguments::default(),
        strategy: "auto".to_string(),
        max_states: typed.max_states,
        max_memory: typed.max_memory,
        timeout: typed.timeout,
        no_shorten: false,
        full: typed.full,
        format: typed.format,
        output: typed.output.clone(),
    }
}
