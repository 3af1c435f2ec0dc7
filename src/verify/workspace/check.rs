//! Checks subjects.

use super::candidates::Candidate;
use super::constraints::definitions;
use super::flow::{AssembledProperty, FlowOptions};
use super::options::{CheckOptions, ProposalScope};
use super::promela::{self, LoadedModel};
use super::subjects::{Goal, Subject, engine_for};
use super::tasks::{TaskQuestion, task_questions_for};
use super::{TaskModel, Workspace};
use crate::diag::Diagnostic;
use crate::lang::library::Library;
use crate::lang::spec::PropertySpec;
use crate::search::Watcher;
use crate::verify::confirm::{Decision, confirm};
use crate::verify::engine::{FLOW, ModelKind};
use crate::verify::explicit::{self, Aim, Marks, Semantics};
use crate::verify::flow::{self, Answer, FlowProblem, Witness};
use crate::verify::{ExplicitProblem, Problem, Question, Report, SearchOptions};
use std::path::Path;
use std::time::Instant;

impl<L: Library> Workspace<L> {
    /// Checks a subject. `watch` regularly receives the counters of the search
    /// and can stop it.
    pub fn check(
        &mut self,
        subject: &Subject,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        let start = Instant::now();
        let file = &subject.file;
        let mut report = match &subject.goal {
            Goal::Promela(loaded, aim) => {
                let report = self.ask_promela(loaded, aim, options, watch)?;
                Report { model: shown(file), settings: options.definitions.clone(), ..report }
            }
            Goal::Tasks(model, question) => {
                let report = self.ask_tasks(model, question, &[], options, watch)?;
                Report { model: shown(file), ..report }
            }
            Goal::Property(spec) => {
                let path = self.model_path(file, spec, options)?;
                let report = match self.kind_of_model(&path, options) {
                    ModelKind::Promela => self.check_promela(&path, spec, options, watch)?,
                    ModelKind::Task if engine_for(spec, options).name == FLOW.name => {
                        self.check_flow(file, &path, spec, options, watch)?
                    }
                    ModelKind::Task => self.check_tasks(file, &path, spec, options, watch)?,
                };
                Report { model: shown(&path), description: spec.description.clone(), ..report }
            }
        };
        report.file = shown(file);
        report.elapsed = subject.reading + start.elapsed();
        Ok(report)
    }

    /// Checks a property of a task model by the flow engine.
    fn check_flow(
        &mut self,
        file: &Path,
        path: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        let model = self.tasks_of(path, spec, options)?;
        let constraints = self.constraints(file, spec, options)?;
        let source = self.texts.add("--strategy", &options.strategy);
        let strategy = FLOW.strategy(source, self.texts.sources()).map_err(|fault| vec![fault])?;
        let search = SearchOptions { strategy, limits: options.limits };
        let graph = FlowOptions {
            executions: options.executions,
            form: options.form,
            adjacency: options.adjacency,
            graphs: model.graphs.clone(),
            known: options.known.clone(),
        };
        let assembled =
            AssembledProperty::new(&model.program, spec, &constraints, graph, self.texts.sources());
        let answer = assembled.and_then(|it| {
            let question = Question { search, ..it.question() };
            let Problem::Flow(problem) = &question.problem else { unreachable!("the engine is chosen") };
            let mut decision = Decision::new(options.confirm);
            let is_decided = &mut |n, watch: Watcher| decision.is_reached(problem, n, options.limits, watch);
            let report = question.check_with(watch, is_decided, &mut |problem, answer, watch| {
                self.propose(file, spec, options, (problem, answer), watch);
            })?;
            let mut report = confirm(problem, report, options.confirm, options.limits, options.detail, watch);
            report.notes.extend(it.warnings().cloned());
            Ok(report)
        });
        // What was left out of the model may be why a label is missing.
        let mut report = answer.map_err(|faults| with_notes(faults, &model))?;
        report.notes.splice(0..0, model.notes);
        report.settings = model.settings;
        Ok(report)
    }

    /// Returns for each trial whether a counterexample of the flow engine passes
    /// all constraints of the options but the named one.
    pub fn passes(
        &mut self,
        subject: &Subject,
        options: &CheckOptions,
        trials: &[(Witness, String)],
        watch: Watcher,
    ) -> Result<Vec<bool>, Vec<Diagnostic>> {
        let Some(spec) = subject.spec() else { return Ok(Vec::new()) };
        let path = self.model_path(&subject.file, spec, options)?;
        let model = self.tasks_of(&path, spec, options)?;
        let constraints = self.constraints(&subject.file, spec, options)?;
        let graph = FlowOptions {
            executions: options.executions,
            form: options.form,
            adjacency: options.adjacency,
            graphs: model.graphs.clone(),
            known: options.known.clone(),
        };
        let assembled =
            AssembledProperty::new(&model.program, spec, &constraints, graph, self.texts.sources())?;
        match assembled.question().problem {
            Problem::Flow(problem) => Ok(flow::passes(&problem, trials, watch)),
            Problem::Explicit(_) => Ok(Vec::new()),
        }
    }

    /// Adds the constraints that reject a counterexample.
    fn propose(
        &mut self,
        file: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
        (problem, answer): (&FlowProblem, &mut Answer),
        watch: Watcher,
    ) {
        match options.proposals {
            ProposalScope::Nothing => (),
            ProposalScope::Best => answer.propose_best(problem, watch),
            ProposalScope::Folders => answer.propose(problem, watch),
        }
        let proposals = answer.counterexample.as_ref().and_then(|it| it.proposals.as_ref());
        let is_needed = proposals
            .is_some_and(|it| options.proposals == ProposalScope::Folders || it.rejecting.is_empty());
        if is_needed {
            let candidates = self.candidates(file, spec, problem.program);
            let candidates = candidates.iter().map(Candidate::constraints);
            answer.propose_named(problem, candidates, watch);
        }
    }

    /// Checks a property of a task model by the explicit engine.
    fn check_tasks(
        &mut self,
        file: &Path,
        path: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        let model = self.tasks_of(path, spec, options)?;
        let constraints = self.constraints(file, spec, options)?;
        let sources = self.texts.with_includes().0;
        let loaded = task_questions_for(&model.program, spec, &constraints, options.executions, sources)
            .map_err(|faults| with_notes(faults, &model))?;
        let question = loaded.questions.first().expect("a property asks for something");
        self.ask_tasks(&model, question, &loaded.warnings, options, watch)
    }

    /// Reads the task model of a property.
    fn tasks_of(
        &mut self,
        path: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
    ) -> Result<TaskModel, Vec<Diagnostic>> {
        let settings = self.settings(spec, &options.settings);
        self.texts.read(path, "model").map_err(|fault| vec![at_name(fault, spec, options)])?;
        self.tasks(path, &settings)
    }

    fn ask_tasks(
        &mut self,
        model: &TaskModel,
        question: &TaskQuestion,
        warnings: &[Diagnostic],
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        let problem = ExplicitProblem {
            assumptions: question.assumptions.clone(),
            marks: Marks { steps: &question.steps, ..Marks::default() },
            ..ExplicitProblem::new(&question.network, question.aim.clone())
        };
        let mut report = self.ask(problem, options, watch)?;
        report.notes.splice(0..0, model.notes.iter().chain(warnings).cloned());
        report.settings.clone_from(&model.settings);
        Ok(report)
    }

    /// Checks a property of a Promela model.
    fn check_promela(
        &mut self,
        path: &Path,
        spec: &PropertySpec,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        if let Some(constraint) = spec.constraints.first().filter(|_| options.default_constraints) {
            let message = "the states of a Promela model are searched exactly, without constraints";
            let fault = Diagnostic::error("promela-constraint", constraint.span, message);
            return Err(vec![fault.with_help("remove it, or use `--no-default-constraints`")]);
        }
        let definitions = definitions(spec, &options.settings, &options.definitions);
        self.texts.read_leniently(path, "model").map_err(|fault| vec![at_name(fault, spec, options)])?;
        let loaded = self.promela_for(path, spec, &definitions, options)?;
        let aim = loaded.aims.first().expect("a property asks for something");
        let report = self.ask_promela(&loaded, aim, options, watch)?;
        Ok(Report { settings: definitions, ..report })
    }

    /// Reads a Promela model for a property of a property file, with these
    /// macros.
    pub fn promela_for(
        &mut self,
        path: &Path,
        spec: &PropertySpec,
        definitions: &[(String, String)],
        options: &CheckOptions,
    ) -> Result<LoadedModel, Vec<Diagnostic>> {
        let loaded = self.with_promela(path, (definitions, options.escapes), |text, sources| {
            promela::model_for(text, spec, options.executions, sources)
        })?;
        self.warn(&loaded.warnings);
        self.warn(&promela::unused_definitions(&options.definitions, self.texts.sources()));
        Ok(loaded)
    }

    fn ask_promela(
        &mut self,
        loaded: &LoadedModel,
        aim: &Aim,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        self.ask(ExplicitProblem::of_promela(&loaded.program, aim.clone()), options, watch)
    }

    /// Checks a property by the explicit engine.
    fn ask(
        &mut self,
        problem: ExplicitProblem,
        options: &CheckOptions,
        watch: Watcher,
    ) -> Result<Report, Vec<Diagnostic>> {
        let source = self.texts.add("--strategy", &options.strategy);
        let strategy = explicit::strategy(source, self.texts.sources(), options.resources)
            .map_err(|fault| vec![fault])?;
        let problem = ExplicitProblem {
            is_fair: options.is_fair && !matches!(problem.aim, Aim::Safety),
            resources: options.resources,
            shortens: options.shortens,
            reduction: options.reduction,
            // Only Promela models have assertions.
            semantics: Semantics {
                allows_failed_assertions: options.semantics.allows_failed_assertions
                    || problem.promela.is_none(),
                ..options.semantics
            },
            ..problem
        };
        let target = options.target.as_ref().map(|path| self.target(path, &problem)).transpose();
        let target = target.map_err(|fault| vec![fault])?;
        let marks = Marks { dangerous: options.dangerous.clone(), target, ..problem.marks };
        let problem = ExplicitProblem { marks, ..problem };
        let search = SearchOptions { strategy, limits: options.limits };
        let question = Question { search, detail: options.detail, ..Question::from(problem) };
        match &options.improve {
            Some((given, how)) => question.improve((given, *how), self.texts.sources(), watch),
            None => question.check(watch),
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Moves the error of an unreadable model to the position where the property
/// file names it.
fn at_name(mut fault: Diagnostic, spec: &PropertySpec, options: &CheckOptions) -> Diagnostic {
    let named = if options.model.is_some() { None } else { spec.model.as_ref() };
    fault.span = fault.span.or(named.map(|it| it.span));
    fault
}

fn with_notes(faults: Vec<Diagnostic>, model: &TaskModel) -> Vec<Diagnostic> {
    faults.into_iter().chain(model.notes.iter().cloned()).collect()
}
