//! The subjects of the study: each set of `constraints/SYSTEM.yaml` as it is,
//! and without each of its members.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trapline::diag::{Diagnostic, SourceId, Sources, Span};
use trapline::flow::Form;
use trapline::lang::library::{Include, Library};
use trapline::lang::spec::{
    Constraint as Context, Expanded, Property, PropertySpec, expand, parse_constraint_file,
    parse_property_file,
};
use trapline::lang::task::program::Program;
use trapline::lang::task::{Setting, load};
use trapline::verify::{Constraint, select};

/// The ten systems of the study.
pub const SYSTEMS: [&str; 10] = [
    "chiron",
    "chiron-decomposed",
    "cyclic-scheduler",
    "gas-station",
    "handshake",
    "memory",
    "peterson",
    "relay",
    "smokers",
    "token-ring",
];

/// A shipped property over its model, in the size of its specification.
pub struct Case {
    path: PathBuf,
    pub name: String,
    pub program: Program,
    pub property: Property,
}

/// A property and a set of constraints, or what is left of the set.
pub struct Subject {
    pub system: &'static str,
    pub case: Arc<Case>,
    pub form: Form,
    set: Arc<Set>,
    /// The member that is missing: without one the property holds.
    pub left_out: Option<usize>,
}

struct Set {
    generated: Vec<Constraint<'static>>,
    contexts: Vec<Context>,
}

/// All sets for both forms of the graph, whole and without each member.
pub fn subjects() -> Vec<Subject> {
    let mut all = Vec::new();
    for system in SYSTEMS {
        for case in cases(Path::new(&format!("specs/{system}.yaml"))).into_iter().map(Arc::new) {
            for (ending, form) in [("faithful", Form::FAITHFUL), ("reduced", Form::REDUCED)] {
                let set = format!("../constraints/{system}.yaml#{}-{ending}", case.name);
                let set = Arc::new(Set::new(&case, &set));
                let n_members = set.generated.len() + set.contexts.len();
                for left_out in (0..n_members).map(Some).chain([None]) {
                    all.push(Subject { system, case: case.clone(), form, set: set.clone(), left_out });
                }
            }
        }
    }
    all
}

impl Subject {
    pub fn constraints(&self) -> Vec<Constraint<'_>> {
        let mut constraints: Vec<Constraint> = self.set.generated.clone();
        for it in &self.set.contexts {
            constraints.push(Constraint::Context { name: it.name.clone(), automaton: &it.automaton });
        }
        if let Some(index) = self.left_out {
            constraints.remove(index);
        }
        constraints
    }

    pub fn name(&self) -> String {
        let names: Vec<String> = self.constraints().iter().map(|it| it.name(&self.case.program)).collect();
        format!("{} {} {} {names:?}", self.system, self.case.name, self.form)
    }
}

impl Set {
    fn new(case: &Case, reference: &str) -> Self {
        let mut shelf = Shelf::default();
        let members = expand(reference, Span::default(), &case.path, &mut shelf)
            .unwrap_or_else(|mistakes| panic!("{reference}: {mistakes:?}"));
        let mut set = Self { generated: Vec::new(), contexts: Vec::new() };
        for member in &members {
            match member {
                Expanded::Generated(reference, _) => {
                    let chosen = select(&case.program, reference, None);
                    set.generated.extend(chosen.expect("names of the model"));
                }
                Expanded::Context(source) => {
                    let parsed = parse_constraint_file(*source, &shelf.sources);
                    let parsed = parsed.expect("a shipped constraint is right");
                    let resolved = parsed.resolve(&case.program.labels());
                    set.contexts.push(resolved.expect("the events are those of the model"));
                }
            }
        }
        set
    }
}

/// Shipped files.
#[derive(Default)]
pub struct Shelf {
    pub sources: Sources,
}

impl Library for Shelf {
    fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        let text = fs::read_to_string(path).unwrap_or_else(|_| panic!("the {what} {path:?} is shipped"));
        Ok(self.sources.add(path.display().to_string(), text))
    }

    fn beginning(&self, path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn with_includes(&mut self) -> (&mut Sources, Include<'_>) {
        (&mut self.sources, Box::new(|_, named| panic!("shipped files do not include `{named}`")))
    }
}

fn cases(path: &Path) -> Vec<Case> {
    let mut shelf = Shelf::default();
    let id = shelf.read(path, "specification").expect("it is there");
    let parsed = parse_property_file(id, &shelf.sources).expect("a shipped specification is right");
    parsed.properties.into_iter().map(|spec| case(path, &spec, &mut shelf)).collect()
}

fn case(path: &Path, spec: &PropertySpec, shelf: &mut Shelf) -> Case {
    let model = &spec.model.as_ref().expect("a specification names its model").value;
    let model = shelf.read(&shelf.beside(path, model), "model").expect("it is there");
    let setting = |name: &str, value: i64| Setting { name: name.to_owned(), value, span: None };
    let settings: Vec<Setting> =
        spec.set.iter().map(|(name, value)| setting(&name.value, value.value)).collect();
    let program = load(model, &shelf.sources, &settings).program.expect("a shipped model is right");
    let property = spec.resolve(&program.labels()).expect("the events are those of the model");
    Case { path: path.to_path_buf(), name: spec.name.value.clone(), program, property }
}
