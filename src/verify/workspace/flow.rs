//! Questions for the flow engine: a property file and a task model.

use super::constraints::ConstraintRequest;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::lang::spec::property::Executions;
use crate::lang::spec::{self, Property, PropertySpec, parse_constraint_file};
use crate::lang::task::program::Program;
use crate::verify::flow::{Adjacency, Constraint, FlowProblem, GraphCache, KnownSets};
use crate::verify::select::select;
use crate::verify::{Form, Question};

/// Options of the flow engine.
#[derive(Clone, Debug)]
pub struct FlowOptions {
    /// The executions that must satisfy the property; `None` for the default of
    /// the property.
    pub executions: Option<Executions>,
    /// The form of the graph.
    pub form: Form,
    /// When the graphs of fewer constraints are used as constraints.
    pub adjacency: Adjacency,
    /// Graphs of the model that were built before.
    pub graphs: GraphCache,
    /// Verdicts of earlier checks of the property.
    pub known: KnownSets,
}

/// A property that was resolved against the labels of a task model, with its
/// constraints.
#[derive(Debug)]
pub struct AssembledProperty<'a> {
    program: &'a Program,
    property: Property,
    contexts: Vec<spec::Constraint>,
    /// Constraints that are generated from the model.
    generated: Vec<Constraint<'static>>,
    executions: Executions,
    options: FlowOptions,
}

impl<'a> AssembledProperty<'a> {
    /// Resolves a property and its constraints.
    pub fn new(
        program: &'a Program,
        spec: &PropertySpec,
        constraints: &[ConstraintRequest],
        options: FlowOptions,
        sources: &Sources,
    ) -> Result<Self, Vec<Diagnostic>> {
        let labels = program.labels();
        let property = spec.resolve(&labels)?;
        let contexts = contexts(constraints, &labels, sources)?;
        let generated = generated(program, constraints)?;
        let executions = executions(&property, options.executions)?;
        Ok(Self { program, property, contexts, generated, executions, options })
    }

    /// Returns the question for the flow engine.
    pub fn question(&self) -> Question<'_> {
        let problem = FlowProblem {
            program: self.program,
            property: &self.property.automaton,
            constraints: self.generated.iter().cloned().chain(assumed(&self.contexts)).collect(),
            executions: self.executions,
            form: self.options.form,
            adjacency: self.options.adjacency,
            graphs: self.options.graphs.clone(),
            known: self.options.known.clone(),
        };
        let description = self.property.description.clone();
        Question { description, ..Question::about(self.property.name.clone(), problem) }
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.contexts.iter().flat_map(|it| &it.warnings).chain(&self.property.warnings)
    }
}

/// Returns the chosen executions, if they can decide the property.
pub(super) fn executions(
    property: &Property,
    asked: Option<Executions>,
) -> Result<Executions, Vec<Diagnostic>> {
    if asked == Some(Executions::Prefixes) && !property.automaton.dfa.is_safety() {
        let message = format!("`{}` is not a safety property, so prefixes cannot decide it", property.name);
        let help = "remove --executions prefixes";
        return Err(vec![Diagnostic::error_without_place("executions", message).with_help(help)]);
    }
    Ok(asked.unwrap_or_else(|| property.executions_or_default()))
}

/// Returns the context constraints, in the order of the requests.
pub(super) fn contexts(
    wanted: &[ConstraintRequest],
    labels: &[String],
    sources: &Sources,
) -> Result<Vec<spec::Constraint>, Vec<Diagnostic>> {
    let mut contexts: Vec<spec::Constraint> = Vec::new();
    for file in files(wanted) {
        let mut context = parse_constraint_file(file, sources)?.resolve(labels)?;
        let n_same =
            contexts.iter().filter(|other| other.name.split('#').next() == Some(&context.name)).count();
        if n_same > 0 {
            context.name = format!("{}#{}", context.name, n_same + 1);
        }
        contexts.push(context);
    }
    Ok(contexts)
}

/// Returns the constraint files without duplicates.
fn files(wanted: &[ConstraintRequest]) -> Vec<SourceId> {
    let mut files = Vec::new();
    for wanted in wanted {
        if let ConstraintRequest::Context(file) = wanted
            && !files.contains(file)
        {
            files.push(*file);
        }
    }
    files
}

/// Returns the constraints that are generated from the model, without
/// duplicates.
pub(super) fn generated(
    program: &Program,
    wanted: &[ConstraintRequest],
) -> Result<Vec<Constraint<'static>>, Vec<Diagnostic>> {
    let mut all: Vec<Constraint<'static>> = Vec::new();
    for wanted in wanted {
        let ConstraintRequest::Generated(reference, span) = wanted else { continue };
        for constraint in select(program, reference, *span).map_err(|fault| vec![fault])? {
            let name = constraint.name(program);
            if all.iter().all(|known| known.name(program) != name) {
                all.push(constraint);
            }
        }
    }
    Ok(all)
}

/// Converts context constraints to those of a question.
pub(super) fn assumed(contexts: &[spec::Constraint]) -> impl Iterator<Item = Constraint<'_>> {
    contexts.iter().map(|it| Constraint::Context { name: it.name.clone(), automaton: &it.automaton })
}

/// Returns all constraints without duplicates: generated ones, then contexts.
pub(super) fn constraints<'a>(
    program: &Program,
    wanted: &[ConstraintRequest],
    contexts: &'a [spec::Constraint],
) -> Result<Vec<Constraint<'a>>, Vec<Diagnostic>> {
    let generated = generated(program, wanted)?;
    Ok(generated.into_iter().chain(assumed(contexts)).collect())
}

/// Returns the names of all constraints for the command line, without
/// duplicates: `*` is expanded, and a file, which must fit the model, is its
/// path.
pub fn names(
    program: &Program,
    wanted: &[ConstraintRequest],
    sources: &Sources,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    contexts(wanted, &program.labels(), sources)?;
    let mut names: Vec<String> = generated(program, wanted)?.iter().map(|it| it.name(program)).collect();
    names.extend(files(wanted).into_iter().map(|file| sources.get(file).name.clone()));
    Ok(names)
}
