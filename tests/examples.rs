//! Every shipped property holds with its constraints, and needs each of them.

use std::fs;
use std::path::Path;
use trapline::diag::Sources;
use trapline::lang::spec::{ConstraintRef, PropertySpec, parse_constraint_file, parse_property_file};
use trapline::lang::task::{Setting, load};
use trapline::search::Limits;
use trapline::verify::{Adjacency, Constraint, Form, Question, Verdict, check, select};

#[test]
fn shipped_properties_hold_and_their_constraints_are_needed() {
    let mut files: Vec<_> = fs::read_dir("specs").expect("specs are shipped").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    let (mut n_properties, mut n_constraints) = (0, 0);
    for file in files {
        let path = file.path();
        let mut sources = Sources::default();
        let text = fs::read_to_string(&path).expect("a specification is text");
        let id = sources.add(path.display().to_string(), text);
        let parsed = parse_property_file(id, &sources).expect("a shipped specification is right");
        for spec in &parsed.properties {
            n_properties += 1;
            n_constraints += check_property(&path, spec, &mut sources);
        }
    }
    assert!(
        n_properties >= 18 && n_constraints >= 50,
        "{n_properties} properties, {n_constraints} constraints"
    );
}

fn check_property(path: &Path, spec: &PropertySpec, sources: &mut Sources) -> usize {
    let about = format!("{} {}", path.display(), spec.name.value);
    let folder = path.parent().expect("a specification is in a folder");
    let model = folder.join(&spec.model.as_ref().expect("a specification names its model").value);
    let text = fs::read_to_string(&model).expect("the model is shipped");
    let model = sources.add(model.display().to_string(), text);
    let setting = |name: &str, value: i64| Setting { name: name.to_owned(), value, span: None };
    let settings: Vec<Setting> =
        spec.set.iter().map(|(name, value)| setting(&name.value, value.value)).collect();
    let program = load(model, sources, &settings).program.expect("a shipped model is right");
    let labels = program.labels();
    let property = spec.resolve(&labels).expect("the events are those of the model");
    assert!(property.warnings.is_empty(), "{about}: {:?}", property.warnings);

    let references: Vec<ConstraintRef> = spec
        .constraints
        .iter()
        .map(|text| ConstraintRef::parse(&text.value, text.span).expect("a constraint"))
        .collect();
    let contexts: Vec<_> = references
        .iter()
        .filter_map(|reference| match reference {
            ConstraintRef::File(file) => {
                let text = fs::read_to_string(folder.join(file)).expect("the constraint is shipped");
                let id = sources.add(file.clone(), text);
                let parsed = parse_constraint_file(id, sources).expect("a shipped constraint is right");
                Some(parsed.resolve(&labels).expect("the events are those of the model"))
            }
            _ => None,
        })
        .collect();
    let mut constraints: Vec<Constraint> = Vec::new();
    for reference in &references {
        constraints.extend(select(&program, reference, None).expect("names of the model"));
    }
    constraints.extend(
        contexts
            .iter()
            .map(|context| Constraint::Context { name: context.name.clone(), automaton: &context.automaton }),
    );

    let verdict = |constraints: Vec<Constraint>| {
        let question = Question {
            program: &program,
            property: &property.automaton,
            constraints,
            executions: property.executions_or_default(),
            form: Form::REDUCED,
            adjacency: Adjacency::Auto,
            strategy: Default::default(),
            limits: Limits::default(),
        };
        check(&question, &mut |_| None).verdict
    };
    assert_eq!(verdict(constraints.clone()), Verdict::Holds, "{about}");
    for index in 0..constraints.len() {
        let mut fewer = constraints.clone();
        let left_out = fewer.remove(index).name(&program);
        assert_eq!(verdict(fewer), Verdict::Violated, "{about} without {left_out}");
    }
    constraints.len()
}
