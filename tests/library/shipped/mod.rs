//! Shipped properties over their models, as questions for tests and benchmarks.

#![allow(dead_code, missing_docs)]

pub mod subjects;

use std::fs;
use trapline::diag::Sources;
use trapline::flow::Form;
use trapline::lang::spec::property::EventAutomaton;
use trapline::lang::spec::{ConstraintRef, Property, parse_property_file};
use trapline::lang::task::program::Program;
use trapline::lang::task::{Setting, load};
use trapline::verify::engine::strategy_of;
use trapline::verify::flow::{GraphCache, KnownSets};
use trapline::verify::{Adjacency, Constraint, FlowProblem, SearchOptions, select};

/// A shipped property over its model.
pub struct Case {
    pub program: Program,
    property: Property,
    constraints: Vec<Constraint<'static>>,
}

impl Case {
    /// Reads `specs/SPEC.yaml`, takes the property called `name`, and sets
    /// constants of its model. `constraints` are names such as `task:*`.
    pub fn load(spec: &str, name: &str, settings: &[(&str, i64)], constraints: &[&str]) -> Self {
        Self::load_changed(spec, name, settings, constraints, &[])
    }

    /// The same with a model in which texts are replaced.
    pub fn load_changed(
        spec: &str,
        name: &str,
        settings: &[(&str, i64)],
        constraints: &[&str],
        changes: &[(&str, &str)],
    ) -> Self {
        let mut sources = Sources::default();
        let text = fs::read_to_string(format!("specs/{spec}.yaml")).expect("the specification is shipped");
        let id = sources.add(spec, text);
        let file = parse_property_file(id, &sources).expect("the specification is right");
        let spec =
            file.properties.iter().find(|spec| spec.name.value == name).expect("the property is there");
        let model = spec.model.as_ref().expect("the specification names its model");
        let path = format!("specs/{}", model.value);
        let mut text = fs::read_to_string(&path).expect("the model is shipped");
        for (before, after) in changes {
            assert!(text.contains(before), "the model has no `{before}`");
            text = text.replace(before, after);
        }
        let model = sources.add(path, text);
        let settings: Vec<Setting> = settings
            .iter()
            .map(|&(name, value)| Setting { name: name.to_owned(), value, span: None })
            .collect();
        let loaded = load(model, &sources, &settings);
        let shown = || loaded.diagnostics.iter().map(|mistake| mistake.render(&sources, false) + "\n");
        let program = loaded.program.clone().unwrap_or_else(|| panic!("{}", shown().collect::<String>()));
        let property = spec.resolve(&program.labels()).unwrap_or_else(|mistakes| {
            panic!("{}", mistakes.iter().map(|mistake| mistake.render(&sources, false)).collect::<String>())
        });
        let mut chosen = Vec::new();
        for text in constraints {
            let reference = ConstraintRef::parse(text, Default::default()).expect("a constraint");
            chosen.extend(select(&program, &reference, None).expect("a name of the model"));
        }
        Self { program, property, constraints: chosen }
    }

    /// The property's automaton.
    pub fn automaton(&self) -> &EventAutomaton {
        &self.property.automaton
    }

    /// The problem in our form, as the command line would pose it.
    pub fn problem(&self) -> FlowProblem<'_> {
        FlowProblem {
            program: &self.program,
            property: &self.property.automaton,
            constraints: self.constraints.clone(),
            executions: self.property.executions_or_default(),
            form: Form::REDUCED,
            adjacency: Adjacency::Auto,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        }
    }
}

/// A search by this strategy, without limits.
pub fn by(strategy: &str) -> SearchOptions {
    SearchOptions { strategy: strategy_of(strategy).expect("a strategy"), ..SearchOptions::default() }
}
