//! What the flow engine can prove with atomic blocks and locks, and cannot
//! without.

use crate::loading::compile;
use trapline::automata::Dfa;
use trapline::flow::Form;
use trapline::lang::spec::property::{Event, EventAutomaton, Executions};
use trapline::lang::task::program::{Program, TaskId, VariableId};
use trapline::verify::flow::{GraphCache, KnownSets, solve};
use trapline::verify::{Adjacency, Constraint, FlowProblem, SearchOptions, Verdict};

/// Between `enter(0)` and `leave(0)` there is no `enter(1)`, nor the other way
/// round.
fn exclusion() -> EventAutomaton {
    let events = ["enter(0)", "leave(0)", "enter(1)", "leave(1)"];
    let event = |label: &str| Event { name: label.into(), labels: vec![label.into()] };
    let (free, first, second, trap) = (0, 1, 2, 3);
    let next = [
        [first, free, second, free],
        [first, free, trap, first],
        [trap, second, second, free],
        [trap, trap, trap, trap],
    ];
    let mut accepting = fixedbitset::FixedBitSet::with_capacity(4);
    accepting.insert_range(..3);
    let state_names = ["free", "first", "second", "trap"].map(String::from).to_vec();
    let dfa = Dfa::new(events.len(), 0, accepting, next.concat());
    EventAutomaton { dfa, events: events.into_iter().map(event).collect(), state_names }
}

fn verdict(program: &Program, constraints: Vec<Constraint<'static>>, form: Form) -> Verdict {
    let property = exclusion();
    let problem = FlowProblem {
        program,
        property: &property,
        constraints,
        executions: Executions::Prefixes,
        form,
        adjacency: Adjacency::Auto,
        graphs: GraphCache::default(),
        known: KnownSets::default(),
    };
    solve(&problem, &SearchOptions::default(), &mut |_| None).verdict
}

/// The verdict with all tasks and variables as constraints.
fn with_all(source: &str) -> [Verdict; 2] {
    let program = compile(source);
    let tasks = (0..program.tasks.len()).map(|task| Constraint::Task(TaskId::new(task)));
    let variables = (0..program.variables.len()).map(|id| Constraint::Variable(VariableId::new(id)));
    let all: Vec<Constraint> = tasks.chain(variables).collect();
    [Form::FAITHFUL, Form::REDUCED].map(|form| verdict(&program, all.clone(), form))
}

#[test]
fn test_and_set_is_a_lock_if_it_is_atomic() {
    let model = |take: &str| {
        format!(
            "static mut TAKEN: bool = false;
            #[task(i in 0..2)] fn user(i: usize) {{
                while any!() {{ {take} event!(enter(i)); event!(leave(i)); TAKEN = false; }}
            }}"
        )
    };
    let atomic = model("atomic! { wait!(!TAKEN); TAKEN = true; }");
    assert_eq!(with_all(&atomic), [Verdict::Holds; 2]);
    let interrupted = model("wait!(!TAKEN); TAKEN = true;");
    assert_eq!(with_all(&interrupted), [Verdict::Violated; 2]);
}

/// The order of the actions in the blocks alone excludes the others.
#[test]
fn a_block_needs_no_constraint() {
    let model = |open: &str, close: &str| {
        format!(
            "#[task(i in 0..2)] fn user(i: usize) {{
                while any!() {{ {open} event!(enter(i)); event!(leave(i)); {close} }}
            }}"
        )
    };
    let program = compile(&model("atomic! {", "}"));
    assert_eq!(verdict(&program, Vec::new(), Form::REDUCED), Verdict::Holds);
    let program = compile(&model("", ""));
    assert_eq!(verdict(&program, Vec::new(), Form::REDUCED), Verdict::Violated);
}

#[test]
fn a_lock_excludes() {
    let model = |unlock: &str| {
        format!(
            "static M: Lock = Lock::new();
            static S: Semaphore = Semaphore::new(2);
            #[task(i in 0..2)] fn user(i: usize) {{
                while any!() {{ M.lock(); event!(enter(i)); {unlock} event!(leave(i)); M.unlock(); }}
            }}
            #[task] fn other() {{ S.acquire(); S.release(); }}"
        )
    };
    let program = compile(&model(""));
    // Which stations can be current together says enough.
    assert_eq!(verdict(&program, Vec::new(), Form::REDUCED), Verdict::Holds);
    assert_eq!(with_all(&model("")), [Verdict::Holds; 2]);
    assert_eq!(with_all(&model("M.unlock(); M.lock();")), [Verdict::Violated; 2]);
}
