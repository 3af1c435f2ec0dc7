//! Exact answers for task models, on random models.
//!
//! The interpreter (`common::interpret`) in the exact meaning says which runs a
//! model has. On each random model:
//!
//! - an engine for exact answers, if one is given, has the same verdicts: for
//!   deadlocks, for values that leave their domain, for random properties of
//!   events over prefixes and complete executions, and for random invariants;
//! - every violation by an exact run is one by the book, and the flow engine
//!   finds it with random constraints.
//!
//! An engine is plugged in by [`compare`].

use crate::common;
use crate::common::share::Share;
use crate::conservative::{random_constraints, random_property, symbols};
use crate::loading;
use common::generate::{Random, Shape, generate};
use common::interpret::{Graph, Limits as ExactLimits, Meaning, explore, explore_as};
use common::model::{Model, Op};
use common::print::print;
use common::values::{Kind, Value, World};
use loading::compile;
use std::collections::{HashSet, VecDeque};
use trapline::flow::Form;
use trapline::lang::spec::property::{EventAutomaton, Executions};
use trapline::lang::task::program::Program;
use trapline::verify::flow::{GraphCache, KnownSets, solve};
use trapline::verify::{Adjacency, FlowProblem, SearchOptions, Verdict};

/// Random models per run; a few are too large for the interpreter.
const N_MODELS: u64 = N_PLAIN + N_RICH;

/// How many of them come first and have none of the rich constructs.
const N_PLAIN: u64 = 2_200;

/// How many are rich.
const N_RICH: u64 = 2_200;

/// What is asked about a model.
// Only an engine reads the fields.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// Can a value leave its domain? Deadlocks do not matter.
    Errors,
    /// Can a run deadlock or a value leave its domain?
    Faults,
    /// Does every execution satisfy the property?
    Sequence(&'a EventAutomaton, Executions),
    /// Does the invariant hold in every state?
    Invariant(&'a Invariant),
}

/// What an engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    Holds,
    /// A run that does not satisfy the property or the invariant.
    Violated,
    Deadlock,
    /// A value leaves its domain.
    Error,
}

/// A disjunction of comparisons of shared variables with numbers.
#[derive(Clone, Debug)]
pub struct Invariant(pub Vec<Clause>);

/// `variable op value`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// `X` or `X[1]`
    pub variable: String,
    /// One of `==`, `!=`, `<`, `>=`.
    pub op: Op,
    /// `false` is 0, and the variants of an enum count from 0.
    pub value: i64,
    /// The value in the source text, without the name of an enum.
    pub shown: String,
}

/// Prepares answers for one program.
pub type Engine = for<'p> fn(&'p Program) -> Box<dyn Fn(Asked) -> Found + 'p>;

#[test]
fn the_flow_engine_finds_every_exact_violation() {
    compare("exact_tasks", None);
}

/// Runs all random models, or that of `TRAPLINE_SEED`, or as many as
/// `TRAPLINE_MODELS` says.
pub fn compare(test: &str, engine: Option<Engine>) {
    let share = Share::of(N_MODELS);
    let mut total = Tally::default();
    share.in_parallel(test, |seed| check_model(seed, engine)).iter().for_each(|one| total.add(one));
    println!("{total:?}");
    if share.is_whole {
        total.expect_both_answers();
    }
}

/// How often a question is answered by yes and by no.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    holds: u64,
    violated: u64,
}

impl Split {
    fn count(&mut self, violated: bool) {
        self.holds += u64::from(!violated);
        self.violated += u64::from(violated);
    }
}

#[derive(Clone, Debug, Default)]
struct Tally {
    models: u64,
    deadlocks: Split,
    errors: Split,
    prefixes: Split,
    complete: Split,
    invariants: Split,
    /// Properties that the book violates.
    book: Split,
    /// Answers of the flow engine.
    flow: Split,
}

impl Tally {
    fn splits(&mut self) -> [(&'static str, &mut Split); 7] {
        [
            ("deadlocks", &mut self.deadlocks),
            ("errors", &mut self.errors),
            ("prefixes", &mut self.prefixes),
            ("complete", &mut self.complete),
            ("invariants", &mut self.invariants),
            ("book", &mut self.book),
            ("flow", &mut self.flow),
        ]
    }

    fn add(&mut self, other: &Self) {
        self.models += other.models;
        let mut other = other.clone();
        for ((_, sum), (_, one)) in self.splits().into_iter().zip(other.splits()) {
            sum.holds += one.holds;
            sum.violated += one.violated;
        }
    }

    /// The comparison is worth something only if both answers are common.
    fn expect_both_answers(mut self) {
        assert!(self.models >= 4_000, "too many models were too large: {self:?}");
        for (name, Split { holds, violated }) in self.splits() {
            assert!(
                *holds >= 300 && *violated >= 300,
                "{name} is one-sided: {holds} hold, {violated} do not"
            );
        }
    }
}

fn check_model(seed: u64, engine: Option<Engine>) -> Tally {
    let shape = match seed.is_multiple_of(4) {
        _ if seed >= N_PLAIN => Shape::rich(),
        true => Shape::default(),
        false => Shape::exact(),
    };
    let model = generate(seed, &shape);
    let limits = ExactLimits { states: 3_000, transitions: 15_000 };
    let mut tally = Tally::default();
    let Some(exact) = explore_as(&model, Meaning::Exact, &limits) else { return tally };
    let Some(book) = explore(&model, &ExactLimits { states: 9_000, transitions: 60_000 }) else {
        return tally;
    };
    let source = print(&model);
    let program = compile(&source);
    let mut random = Random::new(seed ^ 0xe8ac7);
    tally.models = 1;

    let answer = engine.map(|engine| engine(&program));
    let expect = |asked: Asked, possible: &[Found]| {
        let Some(answer) = &answer else { return };
        let found = answer(asked);
        assert!(possible.contains(&found), "{asked:?}: {found:?}, expected {possible:?}\n{source}");
    };

    let (deadlock, error) = (!exact.deadlocks().is_empty(), !exact.errors().is_empty());
    tally.deadlocks.count(deadlock);
    tally.errors.count(error);
    expect(Asked::Errors, if error { &[Found::Error] } else { &[Found::Holds] });
    let faults: &[Found] = match (deadlock, error) {
        (false, false) => &[Found::Holds],
        (false, true) => &[Found::Error],
        (true, false) => &[Found::Deadlock],
        (true, true) => &[Found::Deadlock, Found::Error],
    };
    expect(Asked::Faults, faults);

    let verdict = |violated: bool| if violated { [Found::Violated] } else { [Found::Holds] };
    for invariant in random_invariants(&mut random, &model) {
        let violated = breaks(&exact, &invariant);
        tally.invariants.count(violated);
        expect(Asked::Invariant(&invariant), &verdict(violated));
    }

    for _ in 0..3 {
        let labels_of = if exact.labels().len() > 2 { &exact } else { &book };
        let property = random_property(&mut random, labels_of, &program);
        let constraints = random_constraints(&mut random, &program);
        let mut all = vec![Executions::Complete];
        if property.dfa.is_safety() {
            all.push(Executions::Prefixes);
        }
        for executions in all {
            let violated = violates(&exact, &property, executions);
            match executions {
                Executions::Complete => tally.complete.count(violated),
                Executions::Prefixes => tally.prefixes.count(violated),
            }
            expect(Asked::Sequence(&property, executions), &verdict(violated));

            let by_book = violates(&book, &property, executions);
            tally.book.count(by_book);
            let problem = FlowProblem {
                program: &program,
                property: &property,
                constraints: constraints.clone(),
                executions,
                form: Form::REDUCED,
                adjacency: Adjacency::Auto,
                graphs: GraphCache::default(),
                known: KnownSets::default(),
            };
            let by_flow =
                solve(&problem, &SearchOptions::default(), &mut |_| None).verdict == Verdict::Violated;
            tally.flow.count(by_flow);
            let about = || {
                let names = problem.constraints.iter().map(|constraint| constraint.name(&program));
                format!("{executions:?} {:?}\n{property:?}\n{source}", names.collect::<Vec<_>>())
            };
            assert!(by_book || !violated, "the book has no such violation\n{}", about());
            assert!(by_flow || !violated, "an exact violation was missed\n{}", about());
            assert!(by_flow || !by_book, "a violation by the book was missed\n{}", about());
        }
    }
    tally
}

/// Is there an execution that the property rejects? A step with several labels
/// is several events; one that leaves a domain is none.
pub fn violates(graph: &Graph, property: &EventAutomaton, executions: Executions) -> bool {
    let symbol = symbols(property);
    let start = property.dfa.start();
    let mut pending: VecDeque<(usize, u32)> = graph.initial.iter().map(|&state| (state, start)).collect();
    let mut seen: HashSet<(usize, u32)> = pending.iter().copied().collect();
    while let Some((state, automaton)) = pending.pop_front() {
        let counts = executions == Executions::Prefixes || graph.ended[state];
        if counts && !property.dfa.is_accepting(automaton) {
            return true;
        }
        for step in graph.out(state) {
            let events = step.labels.iter().filter_map(|label| symbol.get(&**label));
            let next = events.fold(automaton, |state, &symbol| property.dfa.next(state, symbol));
            if seen.insert((step.to, next)) {
                pending.push_back((step.to, next));
            }
        }
    }
    false
}

/// Some invariants over the shared variables.
fn random_invariants(random: &mut Random, model: &Model) -> Vec<Invariant> {
    let world = World::new(model);
    if world.scalars.is_empty() {
        return Vec::new();
    }
    let mut clause = |ops: &[Op]| {
        let scalar = random.pick(&world.scalars);
        // The values of `bool` and the variants of an enum have no order.
        let ops: Vec<Op> = match scalar.kind {
            Kind::Bool | Kind::Enum(_) => {
                ops.iter().map(|op| if *op == Op::Eq { Op::Eq } else { Op::Ne }).collect()
            }
            _ => ops.to_vec(),
        };
        let op = *random.pick(&ops);
        let (lo, hi) = if op == Op::Ne { (scalar.lo, scalar.hi) } else { (scalar.lo + 1, scalar.hi) };
        let value = random.between(lo, hi);
        let shown = world.show(Value { raw: value, kind: scalar.kind });
        Clause { variable: scalar.name.clone(), op, value, shown }
    };
    let one = Invariant(vec![clause(&[Op::Ne, Op::Lt, Op::Ge])]);
    let two = Invariant(vec![clause(&[Op::Ne, Op::Ge]), clause(&[Op::Ne, Op::Lt])]);
    let three = Invariant(vec![clause(&[Op::Eq, Op::Lt]), clause(&[Op::Ne]), clause(&[Op::Ne, Op::Eq])]);
    vec![one, two, three]
}

fn breaks(graph: &Graph, invariant: &Invariant) -> bool {
    let column = |clause: &Clause| graph.variables.iter().position(|name| *name == clause.variable);
    let columns: Vec<usize> =
        invariant.0.iter().map(|clause| column(clause).expect("it is a variable")).collect();
    let holds = |values: &Vec<i64>| {
        invariant.0.iter().zip(&columns).any(|(clause, &column)| match clause.op {
            Op::Eq => values[column] == clause.value,
            Op::Ne => values[column] != clause.value,
            Op::Lt => values[column] < clause.value,
            Op::Ge => values[column] >= clause.value,
            _ => panic!("invariants have no `{:?}`", clause.op),
        })
    };
    !graph.values.iter().all(holds)
}
