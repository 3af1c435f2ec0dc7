//! Every shipped property holds with its constraints, and needs each of them.
//!
//! That is shown for the constraints that a specification names, and for the
//! sets of `constraints/SYSTEM.yaml` that are minimal for complete executions
//! in the faithful and in the reduced graph. What is left of such a set
//! without one member is a *subject* of the study of searches.

use crate::shipped;
use shipped::subjects::{SYSTEMS, Shelf};
use std::fs;
use std::path::{Path, PathBuf};
use trapline::diag::Span;
use trapline::lang::library::Library;
use trapline::lang::spec::property::Executions;
use trapline::lang::spec::{
    Constraint as Context, Expanded, Property, PropertySpec, expand, parse_constraint_file,
    parse_constraint_sets, parse_property_file,
};
use trapline::lang::task::program::Program;
use trapline::lang::task::{Setting, load};
use trapline::verify::engine::strategy_of;
use trapline::verify::flow::{GraphCache, KnownSets, solve};
use trapline::verify::{Adjacency, Constraint, FlowProblem, Form, SearchOptions, Verdict, select};

#[test]
fn shipped_properties_hold_and_their_constraints_are_needed() {
    let mut files: Vec<_> = fs::read_dir("specs").expect("specs are shipped").flatten().collect();
    files.retain(|file| file.path().is_file());
    files.sort_by_key(std::fs::DirEntry::path);
    let (mut n_properties, mut n_constraints) = (0, 0);
    for file in files {
        for case in cases(&file.path(), &[]) {
            let asked = Asked {
                constraints: case.spec.constraints.iter().map(|text| text.value.clone()).collect(),
                executions: case.property.executions_or_default(),
                form: Form::REDUCED,
                adjacency: Adjacency::Auto,
            };
            n_properties += 1;
            n_constraints += case.expect_minimal(&asked);
        }
    }
    assert!(
        n_properties >= 45 && n_constraints >= 150,
        "{n_properties} properties, {n_constraints} constraints"
    );
}

#[test]
fn sets_for_the_faithful_graph_are_minimal() {
    let n_subjects = subjects("faithful", Form::FAITHFUL, Adjacency::Never);
    assert!(n_subjects >= 200, "{n_subjects} subjects");
}

#[test]
fn sets_for_the_reduced_graph_are_minimal() {
    let n_subjects = subjects("reduced", Form::REDUCED, Adjacency::Auto);
    assert!(n_subjects >= 180, "{n_subjects} subjects");
}

/// Sets for other sizes have the size in their name.
const SIZES: &[(&str, &[(&str, i64)])] =
    &[("", &[]), ("-3-artists", &[("ARTISTS", 3)]), ("-6-servers", &[("N", 6)])];

/// A second size for systems whose sets fit every size.
const LARGER: &[(&str, &[(&str, i64)])] = &[
    ("cyclic-scheduler", &[("N", 6)]),
    ("gas-station", &[("N", 3)]),
    ("handshake", &[("SLOTS", 2)]),
    ("memory", &[("USERS", 3), ("BLOCKS", 5)]),
    ("peterson", &[("N", 4)]),
    ("relay", &[("RUNNERS", 5), ("TEAMS", 3)]),
];

/// Checks the sets for complete executions in a form of the graph, and counts
/// their members.
fn subjects(ending: &str, form: Form, adjacency: Adjacency) -> usize {
    let asked = |system: &str, set: &str| Asked {
        constraints: vec![format!("../constraints/{system}.yaml#{set}")],
        executions: Executions::Complete,
        form,
        adjacency,
    };
    let mut n_subjects = 0;
    for system in SYSTEMS {
        let sets = names_of_sets(system);
        for (size, settings) in SIZES {
            let named = |case: &Case| format!("{}-{ending}{size}", case.spec.name.value);
            if !sets.iter().any(|set| set.ends_with(&format!("-{ending}{size}"))) {
                continue;
            }
            let cases = cases(&spec_of(system), settings);
            for case in cases.iter().filter(|case| size.is_empty() || sets.contains(&named(case))) {
                n_subjects += case.expect_minimal(&asked(system, &named(case)));
            }
        }
    }
    for (system, settings) in LARGER {
        for case in cases(&spec_of(system), settings) {
            case.expect_minimal(&asked(system, &format!("{}-{ending}", case.spec.name.value)));
        }
    }
    n_subjects
}

/// A set that belongs to no property would be minimal for nothing.
#[test]
fn sets_are_named_after_properties() {
    for system in SYSTEMS {
        let properties: Vec<String> =
            cases(&spec_of(system), &[]).iter().map(|case| case.spec.name.value.clone()).collect();
        for name in names_of_sets(system) {
            let rest = |property: &String| name.strip_prefix(property.as_str()).map(str::to_owned);
            let endings = ["-faithful", "-reduced"].iter();
            let known: Vec<String> = endings
                .flat_map(|ending| SIZES.iter().map(move |(size, _)| format!("{ending}{size}")))
                .collect();
            let is_known =
                properties.iter().filter_map(rest).any(|rest| rest.is_empty() || known.contains(&rest));
            assert!(is_known, "{system}: {name}");
        }
    }
}

fn spec_of(system: &str) -> PathBuf {
    PathBuf::from(format!("specs/{system}.yaml"))
}

fn names_of_sets(system: &str) -> Vec<String> {
    let mut shelf = Shelf::default();
    let source = shelf.read(Path::new(&format!("constraints/{system}.yaml")), "file of sets");
    let sets = parse_constraint_sets(source.expect("it is there"), &shelf.sources);
    sets.expect("the sets are right").sets.into_iter().map(|set| set.name.value).collect()
}

/// A shipped property over its model.
struct Case {
    path: PathBuf,
    spec: PropertySpec,
    program: Program,
    property: Property,
}

/// What is asked about a property.
struct Asked {
    /// As if they were written in the specification.
    constraints: Vec<String>,
    executions: Executions,
    form: Form,
    adjacency: Adjacency,
}

fn cases(path: &Path, settings: &[(&str, i64)]) -> Vec<Case> {
    let mut shelf = Shelf::default();
    let id = shelf.read(path, "specification").expect("it is there");
    let parsed = parse_property_file(id, &shelf.sources).expect("a shipped specification is right");
    parsed.properties.into_iter().map(|spec| Case::new(path, spec, settings, &mut shelf)).collect()
}

impl Case {
    fn new(path: &Path, spec: PropertySpec, settings: &[(&str, i64)], shelf: &mut Shelf) -> Self {
        let model = &spec.model.as_ref().expect("a specification names its model").value;
        let model = shelf.read(&shelf.beside(path, model), "model").expect("it is there");
        let setting = |name: &str, value: i64| Setting { name: name.to_owned(), value, span: None };
        let own = spec.set.iter().map(|(name, value)| setting(&name.value, value.value));
        let given = settings.iter().map(|(name, value)| setting(name, *value));
        let settings: Vec<Setting> = own.chain(given).collect();
        let program = load(model, &shelf.sources, &settings).program.expect("a shipped model is right");
        let property = spec.resolve(&program.labels()).expect("the events are those of the model");
        assert!(property.warnings.is_empty(), "{} {:?}", path.display(), property.warnings);
        Self { path: path.to_path_buf(), spec, program, property }
    }

    /// Checks that the property holds with the constraints and is violated
    /// without any one of them; gives their number.
    fn expect_minimal(&self, asked: &Asked) -> usize {
        let about = format!("{} {} {}", self.path.display(), self.spec.name.value, asked.form);
        let mut shelf = Shelf::default();
        let expanded: Vec<Expanded> = asked
            .constraints
            .iter()
            .flat_map(|text| {
                expand(text, Span::default(), &self.path, &mut shelf)
                    .unwrap_or_else(|mistakes| panic!("{about}: {mistakes:?}"))
            })
            .collect();
        let contexts: Vec<Context> = expanded
            .iter()
            .filter_map(|it| match it {
                Expanded::Context(source) => {
                    let parsed = parse_constraint_file(*source, &shelf.sources);
                    let parsed = parsed.expect("a shipped constraint is right");
                    Some(parsed.resolve(&self.program.labels()).expect("the events are those of the model"))
                }
                Expanded::Generated(..) => None,
            })
            .collect();
        let mut constraints: Vec<Constraint> = Vec::new();
        for it in &expanded {
            if let Expanded::Generated(reference, _) = it {
                constraints.extend(select(&self.program, reference, None).expect("names of the model"));
            }
        }
        constraints.extend(contexts.iter().map(|context| Constraint::Context {
            name: context.name.clone(),
            automaton: &context.automaton,
        }));
        assert_eq!(self.verdict(asked, constraints.clone(), "bfs"), Verdict::Holds, "{about}");
        for index in 0..constraints.len() {
            let mut fewer = constraints.clone();
            let left_out = fewer.remove(index).name(&self.program);
            let verdict = self.verdict(asked, fewer, "auto");
            assert_eq!(verdict, Verdict::Violated, "{about} without {left_out}");
        }
        constraints.len()
    }

    fn verdict(&self, asked: &Asked, constraints: Vec<Constraint>, strategy: &str) -> Verdict {
        let problem = FlowProblem {
            program: &self.program,
            property: &self.property.automaton,
            constraints,
            executions: asked.executions,
            form: asked.form,
            adjacency: asked.adjacency,
            graphs: GraphCache::default(),
            known: KnownSets::default(),
        };
        let strategy = strategy_of(strategy).expect("a strategy");
        let options = SearchOptions { strategy, ..SearchOptions::default() };
        solve(&problem, &options, &mut |_| None).verdict
    }
}
