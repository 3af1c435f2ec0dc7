//! The reference interpreter against models whose sequences are known, and
//! the random models against what they promise.

#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use std::collections::BTreeSet;

use common::generate::{Shape, generate};
use common::interpret::{Graph, Limits, explore, unmatched_calls};
use common::language::{Which, adjacency, co_enabled, determinise, sequences};
use common::model::*;
use common::print::print;

/// Compares all sequences with the expected ones, written with blanks between
/// the labels.
#[track_caller]
fn check(model: &Model, which: Which, expected: &[&str]) {
    check_seen(model, which, |_| true, expected);
}

#[track_caller]
fn check_seen(model: &Model, which: Which, seen: impl Fn(&str) -> bool, expected: &[&str]) {
    let found = sequences(&graph(model), seen, which, 12, 10_000);
    let found: BTreeSet<String> = found.words.into_iter().map(|word| word.join(" ")).collect();
    let expected: BTreeSet<String> = expected.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(found, expected, "{}", print(model));
}

/// The complete sequences.
#[track_caller]
fn complete(model: &Model, expected: &[&str]) {
    check(model, Which::Complete, expected);
}

fn graph(model: &Model) -> Graph {
    explore(model, &Limits::default()).unwrap()
}

pub fn tasks(tasks: Vec<Task>) -> Model {
    Model { tasks, ..Model::default() }
}

/// One task `t` and shared variables.
pub fn alone(statics: Vec<Static>, body: Block) -> Model {
    Model { statics, tasks: vec![Task::single("t", body)], ..Model::default() }
}

pub fn number(label: &str, hi: i64, initial: i64) -> Static {
    Static::new(label, Type::Int(0, hi), Some(int(initial)))
}

pub fn flag(label: &str, initial: bool) -> Static {
    Static::new(label, Type::Bool, Some(Expr::Bool(initial)))
}

pub fn when(condition: Expr, yes: &str, no: &str) -> Stmt {
    Stmt::If(condition, vec![event(yes)], vec![event(no)])
}

/// The lock of the FLAVERS papers: two tasks and a flag.
pub fn lock() -> Model {
    let talk = |entry: &str| Talk::Accept(accept(entry, vec![]));
    let server = vec![
        assign("LOCKED", Expr::Bool(false)),
        endless(vec![Stmt::Select(vec![
            alternative(Some(not(name("LOCKED"))), talk("lock"), vec![assign("LOCKED", Expr::Bool(true))]),
            alternative(Some(name("LOCKED")), talk("unlock"), vec![assign("LOCKED", Expr::Bool(false))]),
            Alternative::Terminate,
        ])]),
    ];
    let client = vec![any_times(vec![
        Stmt::Call(call("t2", "lock", vec![])),
        Stmt::Call(call("t2", "unlock", vec![])),
    ])];
    Model {
        statics: vec![Static::new("LOCKED", Type::Bool, None)],
        tasks: vec![Task::single("t1", client), Task::single("t2", server)],
        ..Model::default()
    }
}

#[test]
fn tasks_interleave() {
    let model =
        tasks(vec![Task::single("a", vec![event("x"), event("y")]), Task::single("b", vec![event("z")])]);
    complete(&model, &["x y z", "x z y", "z x y"]);
    check(&model, Which::Prefixes, &["", "x", "z", "x y", "x z", "z x", "x y z", "x z y", "z x y"]);
}

#[test]
fn the_lock_alternates() {
    let model = lock();
    let found = adjacency(&graph(&model), |label| label.starts_with("t2."));
    let pairs = [("t2.lock", "t2.unlock"), ("t2.unlock", "t2.lock")];
    assert_eq!(found.pairs, pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).into());
    assert_eq!(found.first, ["t2.lock".to_owned()].into());
    assert_eq!(found.last, ["t2.unlock".to_owned()].into());
    assert!(found.empty);
}

/// The published count of the example is 14 states, with one state for the
/// unknown flag before the first assignment. Here each value is one, before
/// and after the client has ended.
#[test]
fn the_lock_has_the_published_number_of_states() {
    let mut model = lock();
    assert_eq!(graph(&model).n_states, 14 + 2);
    model.statics[0].initial = Some(Expr::Bool(false));
    assert_eq!(graph(&model).n_states, 14);
}

#[test]
fn a_rendezvous_is_one_step_of_two_tasks() {
    let model = tasks(vec![
        Task::single("a", vec![event("x"), Stmt::Call(call("b", "e", vec![])), event("y")]),
        Task::single("b", vec![Stmt::Accept(accept("e", vec![])), event("z")]),
    ]);
    complete(&model, &["x b.e y z", "x b.e z y"]);
    let graph = graph(&model);
    let meeting = graph.transitions.iter().find(|step| step.label() == Some("b.e")).unwrap();
    assert_eq!(meeting.tasks, [0, 1]);
}

#[test]
fn the_caller_waits_while_the_body_runs() {
    let model = tasks(vec![
        Task::single("a", vec![Stmt::Call(call("b", "e", vec![])), event("y")]),
        Task::single("b", vec![Stmt::Accept(accept_do("e", vec![], vec![event("x")])), event("z")]),
    ]);
    complete(&model, &["b.e x b.e.end y z", "b.e x b.e.end z y"]);
}

#[test]
fn accepts_nest() {
    let inner = Stmt::Accept(accept("f", vec![]));
    let model = tasks(vec![
        Task::single("a", vec![Stmt::Call(call("s", "e", vec![])), event("x")]),
        Task::single("b", vec![Stmt::Call(call("s", "f", vec![])), event("y")]),
        Task::single("s", vec![Stmt::Accept(accept_do("e", vec![], vec![inner]))]),
    ]);
    complete(&model, &["s.e s.f s.e.end x y", "s.e s.f s.e.end y x", "s.e s.f y s.e.end x"]);
}

#[test]
fn a_body_may_call_a_third_task() {
    let model = tasks(vec![
        Task::single("a", vec![Stmt::Call(call("b", "e", vec![]))]),
        Task::single(
            "b",
            vec![Stmt::Accept(accept_do("e", vec![], vec![Stmt::Call(call("c", "f", vec![]))]))],
        ),
        Task::single("c", vec![Stmt::Accept(accept_do("f", vec![], vec![event("x")]))]),
    ]);
    complete(&model, &["b.e c.f x c.f.end b.e.end"]);
}

#[test]
fn copying_is_two_steps() {
    let model = Model {
        statics: vec![number("X", 1, 0), number("Y", 1, 0)],
        tasks: vec![
            Task::single("a", vec![assign("X", name("Y"))]),
            Task::single("b", vec![assign("Y", int(1))]),
        ],
        ..Model::default()
    };
    complete(&model, &["Y==0 X=0 Y=1", "Y==0 Y=1 X=0", "Y=1 Y==1 X=1"]);
}

#[test]
fn leaving_the_domain_forgets_the_value() {
    let see = Stmt::Match(place("X"), (0..3).map(|value| arm(vec![int(value)], vec![])).collect());
    let up = Stmt::Shift(place("X"), 1);
    let model = alone(vec![number("X", 2, 1)], vec![up.clone(), up, see.clone()]);
    complete(&model, &["X+=1 X+=1 X==0", "X+=1 X+=1 X==1", "X+=1 X+=1 X==2"]);
    let too_much = assign("X", binary(name("Y"), Op::Add, int(2)));
    let model = alone(vec![number("X", 2, 0), number("Y", 1, 1)], vec![too_much, see.clone()]);
    complete(&model, &["Y==1 X=? X==0", "Y==1 X=? X==1", "Y==1 X=? X==2"]);
    let down = assign("X", binary(name("X"), Op::Sub, int(1)));
    complete(&alone(vec![number("X", 2, 1)], vec![down, see]), &["X-=1 X==0"]);
}

#[test]
fn unknown_values_are_any_value() {
    let model = alone(vec![Static::new("B", Type::Bool, None)], vec![when(name("B"), "yes", "no")]);
    complete(&model, &["B==true yes", "B==false no"]);
    let model =
        alone(vec![flag("B", false)], vec![assign("B", Expr::Any), when(not(name("B")), "off", "on")]);
    complete(&model, &["B=? B==true on", "B=? B==false off"]);
}

#[test]
fn tests_have_their_simplest_label() {
    let label = |condition: Expr, hi: i64| {
        let graph =
            graph(&alone(vec![Static::new("X", Type::Int(0, hi), None)], vec![Stmt::Wait(condition)]));
        graph.labels().join(" ")
    };
    let x = || name("X");
    assert_eq!(label(binary(x(), Op::Lt, int(2)), 3), "X<2");
    assert_eq!(label(binary(x(), Op::Le, int(1)), 3), "X<2");
    assert_eq!(label(binary(x(), Op::Gt, int(1)), 3), "X>=2");
    assert_eq!(label(binary(x(), Op::Lt, int(3)), 3), "X!=3");
    assert_eq!(label(binary(x(), Op::Gt, int(2)), 3), "X==3");
    assert_eq!(label(binary(x(), Op::Ne, int(1)), 3), "X!=1");
    assert_eq!(label(binary(x(), Op::Ne, int(1)), 1), "X==0");
    assert_eq!(label(equal(binary(x(), Op::Rem, int(2)), int(0)), 3), "X in {0,2}");
}

#[test]
fn conjunctions_are_control_flow() {
    let statics = || vec![Static::new("X", Type::Bool, None), Static::new("Y", Type::Bool, None)];
    let (x, y) = (Box::new(name("X")), Box::new(name("Y")));
    let both = when(Expr::And(x.clone(), y.clone()), "yes", "no");
    let model = alone(statics(), vec![both]);
    complete(&model, &["X==true Y==true yes", "X==true Y==false no", "X==false no"]);
    let neither = when(not(Expr::Or(x, y)), "yes", "no");
    let model = alone(statics(), vec![neither]);
    complete(&model, &["X==true no", "X==false Y==true no", "X==false Y==false yes"]);
}

#[test]
fn comparisons_read_from_left_to_right() {
    let less = when(binary(name("X"), Op::Lt, name("Y")), "yes", "no");
    let model = alone(vec![number("X", 2, 1), Static::new("Y", Type::Int(0, 2), None)], vec![less]);
    complete(&model, &["X==1 Y!=2 no", "X==1 Y==2 yes"]);
}

#[test]
fn an_index_is_read_first() {
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(1)));
    let here = || element("W", name("I"));
    let body = vec![Stmt::Shift(here(), 1), when(equal(Expr::Place(here()), int(2)), "yes", "no")];
    let model = alone(vec![array, number("I", 1, 1)], body);
    complete(&model, &["I==1 W[1]+=1 I==1 W[1]==2 yes"]);
}

#[test]
fn select_may_choose_else_or_terminate() {
    let server = |last: Alternative| {
        let one = alternative(None, Talk::Accept(accept("e", vec![])), vec![event("x")]);
        Task::single("s", vec![Stmt::Select(vec![one, last]), event("z")])
    };
    let client = || Task::single("c", vec![Stmt::Call(call("s", "e", vec![]))]);
    let model = tasks(vec![client(), server(Alternative::Else(vec![event("y")]))]);
    check(&model, Which::Prefixes, &["", "s.e", "y", "s.e x", "y z", "s.e x z"]);
    complete(&model, &["s.e x z"]);
    let model = tasks(vec![server(Alternative::Terminate), client()]);
    check(&model, Which::Prefixes, &["", "s.e", "s.e x", "s.e x z"]);
    let model = tasks(vec![server(Alternative::Terminate), Task::single("c", vec![])]);
    complete(&model, &[""]);
}

#[test]
fn a_guard_is_tested_before_the_alternative_waits() {
    let guarded = alternative(Some(name("OPEN")), Talk::Accept(accept("e", vec![])), vec![]);
    let model = Model {
        statics: vec![flag("OPEN", true)],
        tasks: vec![
            Task::single("s", vec![Stmt::Select(vec![guarded])]),
            Task::single("c", vec![assign("OPEN", Expr::Bool(false)), Stmt::Call(call("s", "e", vec![]))]),
        ],
        ..Model::default()
    };
    check(
        &model,
        Which::Prefixes,
        &["", "OPEN==true", "OPEN=false", "OPEN==true OPEN=false", "OPEN==true OPEN=false s.e"],
    );
    complete(&model, &["OPEN==true OPEN=false s.e"]);
    assert_eq!(graph(&model).deadlocks().len(), 1);
}

#[test]
fn a_select_may_call() {
    let calls = ["e", "f"]
        .map(|entry| alternative(None, Talk::Call(call("s", entry, vec![])), vec![event(entry)]))
        .to_vec();
    let model = tasks(vec![
        Task::single("c", vec![Stmt::Select(calls)]),
        Task::single("s", vec![Stmt::Accept(accept("f", vec![]))]),
    ]);
    complete(&model, &["s.f f"]);
    assert_eq!(unmatched_calls(&model), ["s.e"]);
}

#[test]
fn ranges_in_select_bind_names() {
    let names = vec![("p".to_owned(), below(2))];
    let guard = Some(binary(Expr::Place(element("W", name("p"))), Op::Gt, int(0)));
    let talk = Talk::Accept(accept("charge", vec![Param::Value(name("p"))]));
    let then = vec![Stmt::Shift(element("W", name("p")), -1)];
    let model = Model {
        statics: vec![Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(2)))],
        tasks: vec![
            Task::single("s", vec![Stmt::Select(vec![Alternative::Talk { names, guard, talk, then }])]),
            Task::single("c", vec![Stmt::Call(call("s", "charge", vec![int(1)]))]),
        ],
        ..Model::default()
    };
    complete(&model, &["W[1]!=0 s.charge(1) W[1]-=1"]);
}

#[test]
fn arguments_are_part_of_the_entry() {
    let phase = || Type::Enum("Phase".into());
    let params = vec![Param::In("c".into(), Range::Type(phase())), Param::Value(int(1))];
    let put = Accept {
        family: vec![int(0)],
        ..accept_do(
            "put",
            params,
            vec![Stmt::If(
                equal(name("c"), Expr::Variant("Phase".into(), "Busy".into())),
                vec![event("busy")],
                vec![event("idle")],
            )],
        )
    };
    let ask = Call { family: vec![int(0)], ..call("s", "put", vec![name("PHASE"), int(1)]) };
    let model = Model {
        enums: vec![Enum { name: "Phase".into(), variants: vec!["Idle".into(), "Busy".into()] }],
        statics: vec![Static::new("PHASE", phase(), None)],
        tasks: vec![Task::single("s", vec![Stmt::Accept(put)]), Task::single("c", vec![Stmt::Call(ask)])],
        ..Model::default()
    };
    complete(
        &model,
        &[
            "PHASE==Idle s.put[0](Idle,1) idle s.put[0](Idle,1).end",
            "PHASE==Busy s.put[0](Busy,1) busy s.put[0](Busy,1).end",
        ],
    );
}

#[test]
fn families_have_instances() {
    let local = Stmt::Let { name: "x".into(), ty: Type::Int(0, 2), value: Some(name("id")) };
    let ping = Call { index: vec![int(1)], ..call("w", "ping", vec![]) };
    let model = tasks(vec![
        Task::family(
            "w",
            "id",
            2,
            vec![
                local,
                Stmt::If(
                    equal(name("id"), int(0)),
                    vec![Stmt::Event { name: "zero".into(), args: vec![name("id")], brackets: true }],
                    vec![Stmt::Accept(accept("ping", vec![]))],
                ),
            ],
        ),
        Task::single("c", vec![Stmt::Call(ping)]),
    ]);
    assert_eq!(graph(&model).tasks, ["w[0]", "w[1]", "c"]);
    check_seen(
        &model,
        Which::Complete,
        |label| !label.starts_with("w[0]") && label != "zero[0]",
        &["w[1].x=1 w[1].ping"],
    );
    check_seen(&model, Which::Complete, |label| !label.starts_with("w[1]"), &["w[0].x=0 zero[0]"]);
}

#[test]
fn functions_are_inlined() {
    let body = vec![
        Stmt::Let { name: "x".into(), ty: Type::Bool, value: Some(Expr::Bool(true)) },
        Stmt::Assign(pointee("out"), name("k")),
        Stmt::If(equal(name("k"), int(0)), vec![Stmt::Return(None)], vec![]),
        event_of("more", vec![name("k")]),
    ];
    let params =
        vec![("k".to_owned(), ParamType::Index), ("out".to_owned(), ParamType::Ref(Type::Int(0, 2)))];
    let function = Function { name: "f".into(), params, result: None, body };
    let run = |k: Expr| Stmt::Run {
        result: None,
        function: "f".into(),
        args: vec![Arg::Value(k), Arg::Ref(place("X"))],
    };
    let with = |stmts: Block| Model {
        functions: vec![function.clone()],
        ..alone(vec![number("X", 2, 0), number("Y", 1, 1)], stmts)
    };
    complete(&with(vec![run(int(0)), event("end")]), &["t.f.x=true X=0 end"]);
    complete(&with(vec![run(name("Y"))]), &["Y==1 t.f.x=true X=1 more(1)"]);
}

#[test]
fn functions_return_values() {
    let body =
        vec![Stmt::If(Expr::Any, vec![Stmt::Return(Some(int(1)))], vec![]), Stmt::Return(Some(name("Y")))];
    let function = Function { name: "f".into(), params: vec![], result: Some(Type::Int(0, 2)), body };
    let run = Stmt::Run { result: Some(place("X")), function: "f".into(), args: vec![] };
    let model =
        Model { functions: vec![function], ..alone(vec![number("X", 2, 0), number("Y", 2, 2)], vec![run]) };
    complete(&model, &["X=1", "Y==2 X=2"]);
}

#[test]
fn labels_say_which_loop_is_left() {
    let outer = || Some("out".to_owned());
    let inner = Stmt::Loop {
        label: None,
        body: vec![
            event("b"),
            Stmt::If(Expr::Any, vec![Stmt::Break(None)], vec![Stmt::Break(outer())]),
            event("never"),
        ],
    };
    let body =
        vec![Stmt::Loop { label: outer(), body: vec![event("a"), inner, event("c"), Stmt::Break(None)] }];
    complete(&alone(vec![], [body, vec![event("d")]].concat()), &["a b c d", "a b d"]);

    let skip = Stmt::For {
        label: None,
        name: "k".into(),
        range: below(2),
        reverse: false,
        body: vec![Stmt::Continue(outer())],
    };
    let body = vec![Stmt::For {
        label: outer(),
        name: "i".into(),
        range: Range::Closed(int(0), int(1)),
        reverse: true,
        body: vec![event_of("a", vec![name("i")]), skip, event("never")],
    }];
    complete(&alone(vec![], body), &["a(1) a(0)"]);
}

#[test]
fn loops_test_their_condition() {
    let body = vec![Stmt::While {
        label: None,
        condition: binary(name("X"), Op::Lt, int(2)),
        body: vec![Stmt::Shift(place("X"), 1)],
    }];
    complete(&alone(vec![number("X", 3, 0)], body), &["X<2 X+=1 X<2 X+=1 X>=2"]);
}

#[test]
fn wait_blocks() {
    let model = Model {
        statics: vec![flag("B", false)],
        tasks: vec![
            Task::single("a", vec![Stmt::Wait(name("B")), event("x")]),
            Task::single("b", vec![event("y"), assign("B", Expr::Bool(true))]),
        ],
        ..Model::default()
    };
    complete(&model, &["y B=true B==true x"]);
}

#[test]
fn match_tests_each_arm() {
    let arm =
        |patterns: Vec<i64>, label: &str| arm(patterns.into_iter().map(int).collect(), vec![event(label)]);
    let body = vec![Stmt::Match(
        place("X"),
        vec![arm(vec![1], "one"), arm(vec![0, 3], "some"), arm(vec![], "rest")],
    )];
    let model = alone(vec![Static::new("X", Type::Int(0, 3), None)], body);
    complete(&model, &["X==1 one", "X in {0,3} some", "X==2 rest"]);
}

#[test]
fn choices_and_early_ends() {
    let each = Choice::Each("i".into(), below(2), vec![event_of("a", vec![name("i")])]);
    let stop = Choice::Block(vec![event("stop"), Stmt::Return(None)]);
    let body = vec![Stmt::Choose(vec![each, stop, Choice::Block(vec![])]), event("z")];
    complete(&alone(vec![], body), &["a(0) z", "a(1) z", "stop", "z"]);
}

#[test]
fn a_second_local_has_a_number() {
    let local = |value: i64| Stmt::Let { name: "x".into(), ty: Type::Int(0, 2), value: Some(int(value)) };
    let body = vec![local(0), Stmt::If(Expr::Any, vec![local(1)], vec![]), assign("x", int(2))];
    complete(&alone(vec![], body), &["t.x=0 t.x#2=1 t.x=2", "t.x=0 t.x=2"]);
}

#[test]
fn limits_are_kept() {
    let busy = |task: &str| Task::single(task, (0..9).map(|_| event(task)).collect());
    let model = tasks(vec![busy("a"), busy("b"), busy("c")]);
    assert_eq!(graph(&model).n_states, 1000);
    assert!(explore(&model, &Limits { states: 999, ..Limits::default() }).is_none());
    let some = sequences(&graph(&model), |_| true, Which::Prefixes, 20, 50);
    assert!(some.capped && some.words.len() <= 50);
}

#[test]
fn models_print_as_source_text() {
    let expected = "\
static mut LOCKED: bool = any!();

#[task]
fn t1() {
    while any!() {
        call!(t2.lock);
        call!(t2.unlock);
    }
}

#[task]
fn t2() {
    LOCKED = false;
    loop {
        select! {
            when !LOCKED => accept!(lock) => {
                LOCKED = true;
            }
            when LOCKED => accept!(unlock) => {
                LOCKED = false;
            }
            terminate
        }
    }
}
";
    assert_eq!(print(&lock()), expected);
}

#[test]
fn labels_of_different_tasks_may_happen_together() {
    let model = tasks(vec![
        Task::single("a", vec![event("x"), Stmt::Call(call("b", "e", vec![])), event("y")]),
        Task::single("b", vec![Stmt::Accept(accept("e", vec![])), event("z")]),
    ]);
    let pairs = [("y", "z"), ("z", "y")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(co_enabled(&graph(&model)), pairs.into());
}

/// The helpers look at one graph in three ways, which have to agree.
#[test]
fn sequences_and_adjacencies_agree() {
    for seed in 0..100 {
        let model = generate(seed, &Shape::tiny());
        let graph = graph(&model);
        let seen = |label: &str| label.len() < 5;
        let found = adjacency(&graph, seen);
        let all = sequences(&graph, seen, Which::Prefixes, 5, 2_000).words;
        let whole = sequences(&graph, seen, Which::Complete, 5, 2_000).words;
        let automaton = determinise(&graph, seen);
        for word in &all {
            assert!(automaton.run(word.iter().map(String::as_str)).is_some(), "seed {seed}: {word:?}");
            assert!(word.first().is_none_or(|label| found.first.contains(label)), "seed {seed}: {word:?}");
            for pair in word.windows(2) {
                assert!(found.pairs.contains(&(pair[0].clone(), pair[1].clone())), "seed {seed}: {pair:?}");
            }
        }
        for word in &whole {
            let ends = word.last().map_or(found.empty, |label| found.last.contains(label));
            assert!(all.contains(word) && ends, "seed {seed}: {word:?}");
        }
    }
}

/// What share of the random models has what.
#[test]
fn random_models_are_varied_and_small() {
    let mut sizes = Vec::new();
    let [mut too_big, mut talk, mut bodies, mut variables, mut complete, mut stuck] = [0; 6];
    for seed in 0..500 {
        let model = generate(seed, &Shape::default());
        assert_eq!(print(&model), print(&generate(seed, &Shape::default())), "seed {seed}");
        assert!(unmatched_calls(&model).is_empty(), "seed {seed}:\n{}", print(&model));
        let Some(graph) = explore(&model, &Limits::default()) else {
            too_big += 1;
            continue;
        };
        sizes.push(graph.n_states);
        talk += usize::from(graph.transitions.iter().any(|step| step.tasks.len() == 2));
        bodies += usize::from(graph.labels().iter().any(|label| label.ends_with(".end")));
        variables += usize::from(!graph.variables.is_empty());
        complete += usize::from(graph.completes());
        stuck += usize::from(!graph.deadlocks().is_empty());
    }
    sizes.sort_unstable();
    println!(
        "of 500 models {talk} have a rendezvous, {bodies} one with a body, {variables} have variables, \
         {complete} can end, {stuck} can get stuck, {too_big} are too big; \
         states: median {}, nine of ten below {}, most {}",
        sizes[sizes.len() / 2],
        sizes[sizes.len() * 9 / 10],
        sizes[sizes.len() - 1],
    );
    assert!(talk > 450 && bodies > 200 && variables > 300 && complete > 350 && stuck > 50 && too_big < 15);
}

#[test]
fn atomic_blocks_are_not_interrupted() {
    let body = vec![Stmt::Atomic(vec![event("x"), event("y")])];
    let model = tasks(vec![Task::single("a", body), Task::single("b", vec![event("z")])]);
    complete(&model, &["x y z", "z x y"]);
}

#[test]
fn an_atomic_block_may_be_left_early() {
    let early = Stmt::If(Expr::Any, vec![Stmt::Break(None)], vec![]);
    let body = vec![Stmt::Loop {
        label: None,
        body: vec![Stmt::Atomic(vec![event("x"), early, event("y")]), Stmt::Break(None)],
    }];
    let model = tasks(vec![Task::single("a", body), Task::single("b", vec![event("z")])]);
    complete(&model, &["x y z", "z x y", "x z", "z x"]);
}

#[test]
fn an_atomic_block_may_begin_with_waiting() {
    let take = |who: &str| {
        vec![Stmt::Atomic(vec![Stmt::Wait(not(name("X"))), assign("X", Expr::Bool(true)), event(who)])]
    };
    let mut model = tasks(vec![Task::single("a", take("a")), Task::single("b", take("b"))]);
    model.statics = vec![flag("X", false)];
    let seen = |label: &str| label.len() == 1;
    check_seen(&model, Which::Prefixes, seen, &["", "a", "b"]);
}

#[test]
fn locks_semaphores_and_channels() {
    let operate = |object: &str, operation: Operation, message: Option<Expr>| Stmt::Operate {
        result: None,
        object: place(object),
        operation,
        message,
    };
    let object = |label: &str, kind: ObjectKind| Object { name: label.into(), kind, len: None };
    let user = |who: &str| {
        let (lock, unlock) = (operate("M", Operation::Lock, None), operate("M", Operation::Unlock, None));
        vec![lock, event(who), unlock]
    };
    let mut model = tasks(vec![Task::single("a", user("a")), Task::single("b", user("b"))]);
    model.objects = vec![object("M", ObjectKind::Lock)];
    complete(&model, &["M.lock a M.unlock M.lock b M.unlock", "M.lock b M.unlock M.lock a M.unlock"]);

    let sender = [1, 0].map(|value| operate("Q", Operation::Send, Some(int(value)))).to_vec();
    let receiver = vec![operate("Q", Operation::Recv, None), operate("Q", Operation::Recv, None)];
    let mut model = tasks(vec![Task::single("a", sender), Task::single("b", receiver)]);
    model.objects = vec![object("Q", ObjectKind::Channel(Type::Int(0, 1), 1))];
    complete(&model, &["Q.send(1) Q.recv(1) Q.send(0) Q.recv(0)"]);
    model.objects = vec![object("Q", ObjectKind::Channel(Type::Int(0, 1), 2))];
    complete(&model, &["Q.send(1) Q.recv(1) Q.send(0) Q.recv(0)", "Q.send(1) Q.send(0) Q.recv(1) Q.recv(0)"]);

    let uses = [Operation::Release, Operation::Release].map(|op| operate("S", op, None)).to_vec();
    let mut model =
        tasks(vec![Task::single("a", uses), Task::single("b", vec![operate("S", Operation::Acquire, None)])]);
    model.objects = vec![object("S", ObjectKind::Semaphore(0, 1))];
    complete(&model, &["S.release S.acquire S.release"]);
}

#[test]
fn a_match_guard_is_tested_after_the_subject() {
    let shown = |label: &str| vec![event(label)];
    let open = || equal(name("Y"), Expr::Bool(true));
    let body = vec![Stmt::Match(
        place("X"),
        vec![
            arm_if(vec![int(1), int(2)], open(), shown("first")),
            arm(vec![int(0), int(2)], shown("second")),
            arm(vec![], shown("rest")),
        ],
    )];
    let x = || Static::new("X", Type::Int(0, 3), None);
    complete(
        &alone(vec![x(), flag("Y", true)], body.clone()),
        &["X==1 Y==true first", "X==2 Y==true first", "X==0 second", "X==3 rest"],
    );
    complete(
        &alone(vec![x(), flag("Y", false)], body),
        &["X==1 Y==false rest", "X==2 Y==false second", "X==0 second", "X==3 rest"],
    );
}

#[test]
fn an_arm_with_a_name_has_a_test_per_value() {
    let large = binary(name("n"), Op::Ge, int(1));
    let named = |guard: Option<Expr>, label: &str| Arm {
        name: Some("n".into()),
        guard,
        ..arm(vec![], vec![event_of(label, vec![name("n")])])
    };
    let x = Static::new("X", Type::Int(0, 2), None);
    let body = vec![Stmt::Match(place("X"), vec![named(Some(large), "large"), named(None, "other")])];
    complete(&alone(vec![x], body), &["X==0 other(0)", "X==1 large(1)", "X==2 large(2)"]);
}

#[test]
fn guards_of_tuples() {
    let arms = vec![
        TupleArm {
            patterns: vec![vec![Part::Name("n".into()), Part::Any]],
            guard: Some(equal(name("n"), int(1))),
            body: vec![event_of("one", vec![name("n")])],
        },
        TupleArm {
            patterns: vec![vec![Part::Any, Part::Value(int(0))]],
            guard: None,
            body: vec![event("zero")],
        },
        TupleArm { patterns: vec![], guard: None, body: vec![event("rest")] },
    ];
    let y = || Static::new("Y", Type::Int(0, 2), None);
    let matched = || vec![Stmt::MatchTuple(vec![place("X"), place("Y")], arms.clone())];
    complete(
        &alone(vec![number("X", 1, 1), y()], matched()),
        &["X==1 Y==0 one(1)", "X==1 Y==1 one(1)", "X==1 Y==2 one(1)"],
    );
    complete(
        &alone(vec![number("X", 1, 0), y()], matched()),
        &["X==0 Y==0 zero", "X==0 Y==1 rest", "X==0 Y==2 rest"],
    );
}

#[test]
fn nested_arrays_have_elements() {
    let grid = || {
        let row = Type::Array(Box::new(Type::Int(0, 2)), 2);
        Static::new("G", Type::Array(Box::new(row), 2), Some(int(1)))
    };
    let cell = |row: Expr, column: Expr| Place { indices: vec![row, column], ..place("G") };
    let body = vec![
        Stmt::LetConst("k".into(), int(0)),
        Stmt::Assign(cell(name("I"), name("k")), int(2)),
        assign("I", Expr::Place(cell(int(1), int(0)))),
    ];
    complete(&alone(vec![grid(), number("I", 2, 1)], body), &["I==1 G[1][0]=2 G[1][0]==2 I=2"]);
    let some = Stmt::Assign(cell(Expr::Any, name("I")), int(0));
    complete(&alone(vec![grid(), number("I", 2, 1)], vec![some]), &["I==1 G[0][1]=0", "I==1 G[1][1]=0"]);
    let outside = vec![Stmt::Shift(cell(int(0), name("I")), 1), event("never")];
    let model = alone(vec![grid(), number("I", 2, 2)], outside);
    check(&model, Which::Prefixes, &["", "I==2"]);
    assert_eq!(graph(&model).deadlocks().len(), 1);
}

#[test]
fn compound_assignments_read_the_value_first() {
    let statics = |x: i64, y: i64| vec![number("X", 3, x), number("Y", 3, y)];
    let compound = |op: Op, value: Expr| vec![Stmt::Compound(place("X"), op, value)];
    complete(&alone(statics(1, 2), compound(Op::Add, name("Y"))), &["Y==2 X+=2"]);
    complete(&alone(statics(3, 2), compound(Op::Sub, name("Y"))), &["Y==2 X-=2"]);
    complete(&alone(statics(1, 0), compound(Op::Add, name("Y"))), &["Y==0"]);
    complete(&alone(statics(1, 2), compound(Op::Mul, name("Y"))), &["Y==2 X==1 X=2"]);
    complete(&alone(statics(3, 0), compound(Op::BitXor, int(1))), &["X==3 X=2"]);
    complete(&alone(statics(2, 0), compound(Op::Shl, int(1))), &["X==2 X=?"]);
    complete(&alone(statics(1, 0), compound(Op::Mul, name("X"))), &["X==1 X=1"]);
    check(&alone(statics(1, 0), compound(Op::Div, name("Y"))), Which::Prefixes, &["", "Y==0", "Y==0 X==1"]);
    let flags = vec![flag("X", true), flag("Y", false)];
    complete(&alone(flags, compound(Op::BitOr, name("Y"))), &["Y==false X==true X=true"]);
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(1)));
    let some = Stmt::Compound(element("W", Expr::Any), Op::Mul, int(2));
    complete(&alone(vec![array], vec![some]), &["W[0]=?", "W[1]=?"]);
}

#[test]
fn results_are_combined() {
    let body = vec![event("f"), Stmt::Return(Some(name("i")))];
    let function = Function {
        name: "f".into(),
        params: vec![("i".into(), ParamType::Index)],
        result: Some(Type::Int(0, 2)),
        body,
    };
    let combine = |op: Op| Stmt::Combine {
        target: element("W", name("I")),
        op,
        function: "f".into(),
        args: vec![Arg::Value(int(2))],
    };
    let array = || Static::new("W", Type::Array(Box::new(Type::Int(0, 3)), 2), Some(int(1)));
    let model = |op: Op| Model {
        functions: vec![function.clone()],
        ..alone(vec![array(), number("I", 1, 1)], vec![combine(op)])
    };
    complete(&model(Op::Add), &["I==1 f W[1]+=2"]);
    complete(&model(Op::Mul), &["I==1 f W[1]==1 W[1]=2"]);
}

#[test]
fn all_copies_of_a_function_have_the_same_variables() {
    let body = vec![
        Stmt::Let { name: "m".into(), ty: Type::Int(0, 2), value: None },
        when(equal(name("m"), int(1)), "yes", "no"),
        assign("m", int(1)),
    ];
    let function = Function { name: "f".into(), params: vec![], result: None, body };
    let run = || Stmt::Run { result: None, function: "f".into(), args: vec![] };
    let model = Model { functions: vec![function], ..alone(vec![], vec![run(), run()]) };
    assert_eq!(graph(&model).variables, ["t.f.m"]);
}

#[test]
fn an_unknown_element_may_be_passed() {
    let body = vec![Stmt::Assign(pointee("v"), int(0))];
    let params = vec![("v".to_owned(), ParamType::Ref(Type::Int(0, 2)))];
    let function = Function { name: "f".into(), params, result: None, body };
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(1)));
    let args = vec![Arg::Ref(element("W", Expr::Any))];
    let run = Stmt::Run { result: None, function: "f".into(), args };
    let model = Model { functions: vec![function], ..alone(vec![array], vec![run]) };
    complete(&model, &["W[0]=0", "W[1]=0"]);
}

#[test]
fn rich_statements_print_as_source_text() {
    let named = Arm { name: Some("n".into()), guard: Some(name("B")), ..arm(vec![], vec![]) };
    let call = Call { family: vec![name("I")], ..call("s", "e", vec![int(1)]) };
    let body = vec![
        Stmt::Match(place("I"), vec![arm_if(vec![int(0), int(1)], not(name("B")), vec![]), named]),
        Stmt::Compound(Place { indices: vec![int(0), name("I")], ..place("G") }, Op::Shl, name("I")),
        Stmt::Combine { target: place("I"), op: Op::BitOr, function: "f".into(), args: vec![] },
        Stmt::Call(call),
    ];
    let expected = "\
#[task]
fn t() {
    match I {
        0 | 1 if !B => {}
        n if B => {}
    }
    G[0][I] <<= I;
    I |= f();
    call!(s.e[I](1));
}
";
    assert_eq!(print(&alone(vec![], body)), expected);
}

#[test]
fn a_subject_that_is_its_own_index_is_read_once() {
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 1)), 2), Some(int(0)));
    let subject = element("W", Expr::Place(element("W", int(0))));
    let body = vec![Stmt::Match(subject, vec![arm(vec![int(0)], vec![event("zero")]), arm(vec![], vec![])])];
    complete(&alone(vec![array], body), &["W[0]==0 zero"]);
}
