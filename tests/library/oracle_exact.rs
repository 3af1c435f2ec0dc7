//! The exact meaning of the reference interpreter against models whose runs are
//! known. Words have blanks between steps and `+` between the labels of a step.

#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use crate::common::share::Share;
use crate::oracle_self::{alone, flag, lock, number, tasks, when};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use common::constructs::{RICH, constructs};
use common::generate::{Shape, generate};
use common::interpret::{Graph, Limits, Meaning, Status, explore, explore_as, unmatched_calls};
use common::language::{Which, sequences};
use common::model::*;
use common::print::print;

fn graph(model: &Model) -> Graph {
    explore_as(model, Meaning::Exact, &Limits::default()).unwrap()
}

#[track_caller]
fn check(model: &Model, which: Which, expected: &[&str]) {
    let found = sequences(&graph(model).joined(), |_| true, which, 12, 10_000);
    let found: BTreeSet<String> = found.words.into_iter().map(|word| word.join(" ")).collect();
    let expected: BTreeSet<String> = expected.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(found, expected, "{}", print(model));
}

#[track_caller]
fn complete(model: &Model, expected: &[&str]) {
    check(model, Which::Complete, expected);
}

#[track_caller]
fn prefixes(model: &Model, expected: &[&str]) {
    check(model, Which::Prefixes, expected);
}

/// Can a run deadlock, and can it end in an error?
#[track_caller]
fn faults(model: &Model, deadlock: bool, error: bool) {
    let graph = graph(model);
    let found = (!graph.deadlocks().is_empty(), !graph.errors().is_empty());
    assert_eq!(found, (deadlock, error), "{}", print(model));
}

fn calls(entry: &str) -> Stmt {
    Stmt::Call(call("s", entry, vec![]))
}

fn offers(entry: &str) -> Talk {
    Talk::Accept(accept(entry, vec![]))
}

fn both(left: Expr, right: Expr) -> Expr {
    Expr::And(Box::new(left), Box::new(right))
}

fn either(left: Expr, right: Expr) -> Expr {
    Expr::Or(Box::new(left), Box::new(right))
}

/// A client `c`, a server `s` and shared variables.
fn pair(statics: Vec<Static>, client: Block, server: Block) -> Model {
    Model { statics, ..tasks(vec![Task::single("c", client), Task::single("s", server)]) }
}

/// A server with one `select!`.
fn served(statics: Vec<Static>, client: Block, alternatives: Vec<Alternative>) -> Model {
    pair(statics, client, vec![Stmt::Select(alternatives)])
}

/// A server with one guarded alternative, and a client that calls it.
fn guarded(statics: Vec<Static>, guard: Expr) -> Model {
    served(statics, vec![calls("e")], vec![alternative(Some(guard), offers("e"), vec![])])
}

fn unknown(label: &str) -> Static {
    Static::new(label, Type::Bool, None)
}

// Rule 1: steps and silent choices.

#[test]
fn a_choice_commits() {
    let choice = |entry: &str| Choice::Block(vec![calls(entry)]);
    let server = vec![Stmt::Accept(accept("e", vec![]))];
    let model = pair(vec![], vec![Stmt::Choose(vec![choice("e"), choice("f")])], server.clone());
    complete(&model, &["s.e"]);
    faults(&model, true, false);
    let model = pair(vec![], vec![Stmt::If(Expr::Any, vec![calls("e")], vec![])], server);
    complete(&model, &["s.e"]);
    faults(&model, true, false);
}

#[test]
fn a_choice_is_a_step() {
    let choice = |label: &str| Choice::Block(vec![event(label)]);
    let model = alone(vec![], vec![Stmt::Choose(vec![choice("a"), choice("b")])]);
    let graph = graph(&model);
    assert_eq!((graph.n_states, graph.out(0).count()), (4, 2));
    assert!(graph.out(0).all(|step| step.labels.is_empty()));
    complete(&model, &["a", "b"]);
    let each = Choice::Each("i".into(), below(3), vec![event_of("a", vec![name("i")])]);
    assert_eq!(self::graph(&alone(vec![], vec![Stmt::Choose(vec![each])])).n_states, 5);
    let value = either(Expr::Any, name("B"));
    let model = alone(vec![flag("A", false), flag("B", false)], vec![assign("A", value)]);
    complete(&model, &["A=true", "B==false A=false"]);
}

#[test]
fn jumps_and_constant_conditions_are_no_steps() {
    let leave = Stmt::If(equal(int(1), int(1)), vec![Stmt::Break(None)], vec![event("never")]);
    let model = alone(vec![], vec![endless(vec![leave]), event("a")]);
    assert_eq!(graph(&model).n_states, 2);
    complete(&model, &["a"]);
    // Nothing left to do is the end, not a step to it.
    let model =
        alone(vec![], vec![when(equal(int(1), int(2)), "never", "b"), Stmt::If(Expr::Any, vec![], vec![])]);
    assert_eq!(graph(&model).n_states, 2);
    assert_eq!(graph(&model).status, [Status::Running, Status::Ended]);
}

#[test]
fn an_endless_choice_is_not_a_deadlock() {
    let model = alone(vec![], vec![endless(vec![Stmt::If(Expr::Any, vec![event("a")], vec![])])]);
    faults(&model, false, false);
    complete(&model, &[]);
    faults(&alone(vec![], vec![endless(vec![])]), true, false);
}

// Rule 2: guard and rendezvous are one step.

#[test]
fn a_guard_is_tested_with_its_rendezvous() {
    let model = guarded(vec![flag("OPEN", true)], name("OPEN"));
    complete(&model, &["OPEN==true+s.e"]);
    faults(&model, false, false);
    let close = vec![assign("OPEN", Expr::Bool(false)), calls("e")];
    let guard = alternative(Some(name("OPEN")), offers("e"), vec![]);
    let model = served(vec![flag("OPEN", true)], close, vec![guard]);
    prefixes(&model, &["", "OPEN=false"]);
    faults(&model, true, false);
}

#[test]
fn a_select_keeps_all_its_alternatives() {
    // By the book the server may commit to `e` while only `f` is called.
    let alternatives = vec![
        alternative(Some(name("A")), offers("e"), vec![]),
        alternative(Some(name("A")), offers("f"), vec![]),
    ];
    let model = served(vec![flag("A", true)], vec![calls("f")], alternatives);
    complete(&model, &["A==true+s.f"]);
    faults(&model, false, false);
}

#[test]
fn tests_of_the_caller_come_first() {
    let ask = alternative(Some(name("A")), Talk::Call(call("s", "e", vec![name("V")])), vec![event("x")]);
    let take = Talk::Accept(accept("e", vec![Param::In("v".into(), below(2))]));
    let take = alternative(Some(not(name("B"))), take, vec![event_of("y", vec![name("v")])]);
    let statics = vec![flag("A", true), flag("B", false), number("V", 1, 1)];
    let model = served(statics, vec![Stmt::Select(vec![ask])], vec![take]);
    let first = "A==true+V==1+B==false+s.e(1)";
    complete(&model, &[&format!("{first} x y(1)"), &format!("{first} y(1) x")]);
    assert_eq!(graph(&model).transitions[0].tasks, [0, 1]);
}

#[test]
fn a_call_outside_a_select_reads_its_arguments_before() {
    let take = Talk::Accept(accept("e", vec![Param::In("v".into(), below(2))]));
    let take = alternative(Some(not(name("B"))), take, vec![]);
    let client = vec![Stmt::Call(call("s", "e", vec![name("V")]))];
    let model = served(vec![flag("B", false), number("V", 1, 1)], client, vec![take]);
    complete(&model, &["V==1 B==false+s.e(1)"]);
}

#[test]
fn a_guard_and_the_arguments_read_separately() {
    let guard = both(equal(name("V"), int(1)), binary(name("V"), Op::Gt, int(0)));
    let args = vec![name("V"), name("V")];
    let ask = alternative(Some(guard), Talk::Call(call("s", "e", args)), vec![]);
    let params = ["v", "w"].map(|bound| Param::In(bound.into(), below(3))).to_vec();
    let server = vec![Stmt::Accept(accept("e", params))];
    let model = pair(vec![number("V", 2, 1)], vec![Stmt::Select(vec![ask])], server);
    complete(&model, &["V==1+V!=0+V==1+s.e(1,1)"]);
}

#[test]
fn a_disjunction_is_a_choice_of_tests() {
    let (a, b) = (|| name("A"), || name("B"));
    let model = guarded(vec![flag("A", true), flag("B", true)], either(a(), b()));
    complete(&model, &["A==true+s.e", "B==true+s.e"]);
    let model = guarded(vec![flag("A", false), flag("B", true)], either(a(), b()));
    complete(&model, &["B==true+s.e"]);
    let model = guarded(vec![unknown("A"), unknown("B")], not(both(a(), b())));
    complete(&model, &["A==false+s.e", "B==false+s.e"]);
    faults(&model, true, false);
    let model = guarded(vec![unknown("A"), unknown("B")], both(a(), not(b())));
    complete(&model, &["A==true+B==false+s.e"]);
    let model = guarded(vec![unknown("A"), unknown("B")], not(either(a(), b())));
    complete(&model, &["A==false+B==false+s.e"]);
}

#[test]
fn a_guard_compares_several_variables() {
    let y = || Static::new("Y", Type::Int(0, 2), None);
    let model = guarded(vec![number("X", 2, 1), y()], binary(name("X"), Op::Lt, name("Y")));
    complete(&model, &["X==1+Y==2+s.e"]);
    faults(&model, true, false);
    let model = guarded(vec![number("X", 2, 0), y()], binary(name("X"), Op::Le, name("Y")));
    complete(&model, &["X==0+s.e"]);
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(1)));
    let guard = binary(Expr::Place(element("W", name("I"))), Op::Ne, int(2));
    complete(&guarded(vec![array, number("I", 1, 1)], guard), &["I==1+W[1]!=2+s.e"]);
}

#[test]
fn ranges_offer_each_value() {
    let names = vec![("p".to_owned(), below(2))];
    let guard = Some(binary(Expr::Place(element("W", name("p"))), Op::Gt, int(0)));
    let talk = Talk::Accept(accept("charge", vec![Param::Value(name("p"))]));
    let then = vec![Stmt::Shift(element("W", name("p")), -1)];
    let charge = Alternative::Talk { names, guard, talk, then };
    let array = Static::new("W", Type::Array(Box::new(Type::Int(0, 2)), 2), Some(int(2)));
    let client = vec![Stmt::Call(call("s", "charge", vec![int(1)]))];
    let model = served(vec![array], client, vec![charge]);
    complete(&model, &["W[1]!=0+s.charge(1) W[1]-=1"]);
}

/// A guard with a call: `ask` answers the value of `X`.
fn asking(guard: Expr, others: Vec<Alternative>, client: Block) -> Model {
    let body = vec![event("asked"), Stmt::Return(Some(name("X")))];
    let function = Function { name: "ask".into(), params: vec![], result: Some(Type::Bool), body };
    let mut alternatives = vec![alternative(Some(guard), offers("e"), vec![])];
    alternatives.extend(others);
    Model { functions: vec![function], ..served(vec![flag("X", true)], client, alternatives) }
}

#[test]
fn a_guard_with_a_call_commits() {
    let ask = || Expr::Call("ask".into(), vec![]);
    let client = || vec![assign("X", Expr::Bool(false)), calls("e")];
    let model = asking(ask(), vec![], client());
    // With another answer the server is back at its `select!`.
    complete(&model, &["asked X==true X=false s.e"]);
    faults(&model, false, false);
    // It can always be asked: `else` has no chance.
    let otherwise = Alternative::Else(vec![event("y")]);
    let model = asking(ask(), vec![otherwise.clone()], client());
    complete(&model, &["asked X==true X=false s.e"]);
    let model = asking(both(not(name("X")), ask()), vec![otherwise], vec![]);
    complete(&model, &["y"]);
    // It is asked, answers yes, and nobody calls.
    let model = asking(both(name("X"), ask()), vec![Alternative::Terminate], vec![]);
    complete(&model, &[]);
    faults(&model, true, false);
    let model = asking(not(ask()), vec![Alternative::Terminate], client());
    let word = "asked X=false X==false s.e";
    assert!(
        sequences(&graph(&model), |_| true, Which::Complete, 4, 100)
            .words
            .iter()
            .any(|it| it.join(" ") == word)
    );
}

// Rule 3: else.

#[test]
fn else_needs_that_nothing_else_can_be_taken() {
    let alternatives = |guard: Option<Expr>| {
        vec![alternative(guard, offers("e"), vec![event("x")]), Alternative::Else(vec![event("y")])]
    };
    let model = served(vec![], vec![calls("e")], alternatives(None));
    prefixes(&model, &["", "s.e", "s.e x"]);
    let model = served(vec![], vec![event("z"), calls("e")], alternatives(None));
    prefixes(&model, &["", "y", "z", "y z", "z y", "z s.e", "z s.e x"]);
    complete(&model, &["z s.e x"]);
    faults(&model, true, false);
    let model = served(vec![flag("A", false)], vec![calls("e")], alternatives(Some(name("A"))));
    prefixes(&model, &["", "y"]);
    faults(&model, true, false);
    let model = served(vec![flag("A", true)], vec![calls("e")], alternatives(Some(name("A"))));
    prefixes(&model, &["", "A==true+s.e", "A==true+s.e x"]);
}

#[test]
fn else_of_the_caller() {
    let ask = |guard: Option<Expr>| {
        let ask = alternative(guard, Talk::Call(call("s", "e", vec![])), vec![]);
        vec![Stmt::Select(vec![ask, Alternative::Else(vec![event("busy")])])]
    };
    let server = || vec![alternative(None, offers("e"), vec![]), Alternative::Else(vec![event("idle")])];
    complete(&served(vec![], ask(None), server()), &["s.e"]);
    let model = served(vec![flag("A", false)], ask(Some(name("A"))), server());
    complete(&model, &["busy idle", "idle busy"]);
    // The partner of the call is not ready at first.
    let model = pair(vec![], ask(None), vec![event("z"), Stmt::Accept(accept("e", vec![]))]);
    prefixes(&model, &["", "busy", "z", "busy z", "z busy", "z s.e"]);
}

// Rules 4 and 5: terminate, deadlocks and proper ends.

#[test]
fn terminate_is_not_a_step() {
    let loops = |last: Vec<Alternative>| {
        let one = alternative(None, offers("e"), vec![event("x")]);
        vec![endless(vec![Stmt::Select([vec![one], last].concat())]), event("never")]
    };
    let model = pair(vec![], vec![calls("e")], loops(vec![Alternative::Terminate]));
    complete(&model, &["s.e x"]);
    faults(&model, false, false);
    assert_eq!(graph(&model).n_states, 3);
    let model = pair(vec![], vec![calls("e")], loops(vec![]));
    complete(&model, &[]);
    faults(&model, true, false);
}

#[test]
fn every_task_has_to_end_properly() {
    let waits = || vec![Stmt::Select(vec![alternative(None, offers("e"), vec![]), Alternative::Terminate])];
    faults(&pair(vec![], waits(), waits()), false, false);
    complete(&pair(vec![], waits(), waits()), &[""]);
    faults(&pair(vec![], vec![Stmt::Accept(accept("e", vec![]))], waits()), true, false);
    faults(&pair(vec![flag("A", false)], vec![Stmt::Wait(name("A"))], waits()), true, false);
    // The caller waits for the end of a body that waits for ever.
    let stuck = Stmt::Accept(accept_do("e", vec![], waits()));
    let model = pair(vec![], vec![calls("e")], vec![stuck]);
    prefixes(&model, &["", "s.e"]);
    faults(&model, true, false);
}

#[test]
fn the_lock_is_exact() {
    let mut model = lock();
    faults(&model, false, false);
    model.statics[0].initial = Some(Expr::Bool(false));
    let found = graph(&model);
    let mut steps: Vec<String> = found.transitions.iter().map(|step| step.labels.join("+")).collect();
    steps.sort_unstable();
    steps.dedup();
    assert_eq!(steps, ["", "LOCKED==false+t2.lock", "LOCKED==true+t2.unlock", "LOCKED=false", "LOCKED=true"]);
    // A client that stops with the lock held ends properly, too.
    model.tasks[0].body = vec![Stmt::Call(call("t2", "lock", vec![]))];
    complete(&model, &["LOCKED=false LOCKED==false+t2.lock LOCKED=true"]);
    // A second one does not get it.
    model.tasks.push(Task { name: "t3".into(), ..model.tasks[0].clone() });
    complete(&model, &[]);
    faults(&model, true, false);
}

// Rule 6: errors of the run.

#[test]
fn leaving_the_domain_is_an_error() {
    let shift = |by: i64| Stmt::Shift(place("X"), by);
    let model = alone(vec![number("X", 2, 1)], vec![shift(1), shift(1), event("never")]);
    prefixes(&model, &["", "X+=1"]);
    complete(&model, &[]);
    faults(&model, false, true);
    assert_eq!(graph(&model).status, [Status::Running, Status::Running, Status::Error]);
    assert_eq!(graph(&model).values, [[1], [2], [2]]);
    faults(&alone(vec![number("X", 2, 1)], vec![shift(1), shift(-1), shift(-1)]), false, false);
    let less = assign("X", binary(name("X"), Op::Sub, int(2)));
    faults(&alone(vec![number("X", 2, 1)], vec![less]), false, true);
    let more = assign("X", binary(name("Y"), Op::Add, int(2)));
    let model =
        alone(vec![number("X", 2, 0), Static::new("Y", Type::Int(0, 1), None)], vec![more, event("a")]);
    prefixes(&model, &["", "Y==0", "Y==1", "Y==0 X=2", "Y==0 X=2 a"]);
    faults(&model, false, true);
}

#[test]
fn other_tasks_move_until_the_error() {
    let model = pair(vec![number("X", 1, 1)], vec![Stmt::Shift(place("X"), 1)], vec![event("a"), event("b")]);
    prefixes(&model, &["", "a", "a b"]);
    assert_eq!(graph(&model).errors().len(), 3);
    faults(&model, false, true);
}

#[test]
fn one_element_may_leave_its_domain() {
    let array = || Static::new("W", Type::Array(Box::new(Type::Int(0, 1)), 2), Some(int(0)));
    let shift = |index: Expr| Stmt::Shift(element("W", index), 1);
    let model = alone(vec![array()], vec![shift(int(0)), shift(Expr::Any)]);
    complete(&model, &["W[0]+=1 W[1]+=1"]);
    faults(&model, false, true);
    let model =
        alone(vec![array(), Static::new("I", Type::Int(0, 1), None)], vec![shift(int(0)), shift(name("I"))]);
    prefixes(&model, &["", "W[0]+=1", "W[0]+=1 I==0", "W[0]+=1 I==1", "W[0]+=1 I==1 W[1]+=1"]);
    faults(&model, false, true);
}

#[test]
fn an_unknown_value_is_not_an_error() {
    let model = alone(
        vec![number("X", 1, 0)],
        vec![assign("X", Expr::Any), when(equal(name("X"), int(0)), "a", "b")],
    );
    complete(&model, &["X=? X==0 a", "X=? X==1 b"]);
    faults(&model, false, false);
}

// Rule 7: as in the book.

#[test]
fn wait_takes_all_tests_together() {
    let (a, b) = (|| name("A"), || name("B"));
    let wait = |condition: Expr| {
        let other = vec![assign("A", Expr::Bool(false))];
        pair(vec![flag("A", true), flag("B", true)], vec![Stmt::Wait(condition)], other)
    };
    let model = wait(both(a(), b()));
    complete(&model, &["A==true+B==true A=false"]);
    faults(&model, true, false);
    complete(&wait(either(a(), b())), &["A==true A=false", "B==true A=false", "A=false B==true"]);
    faults(&wait(either(a(), b())), false, false);
    faults(&wait(not(both(a(), b()))), false, false);
}

#[test]
fn the_end_of_a_body_is_a_step_of_both() {
    let body = accept_do("e", vec![], vec![event("x")]);
    let model = served(
        vec![flag("A", true)],
        vec![calls("e"), event("y")],
        vec![alternative(Some(name("A")), Talk::Accept(body), vec![event("z")])],
    );
    complete(&model, &["A==true+s.e x s.e.end y z", "A==true+s.e x s.e.end z y"]);
    let graph = graph(&model).joined();
    let end = graph.transitions.iter().find(|step| step.label() == Some("s.e.end"));
    assert_eq!(end.unwrap().tasks, [0, 1]);
}

// Random models.

/// The states of the book after silent steps.
fn close(book: &Graph, mut states: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut pending: Vec<usize> = states.iter().copied().collect();
    while let Some(state) = pending.pop() {
        for step in book.out(state).filter(|step| step.labels.is_empty()) {
            if states.insert(step.to) {
                pending.push(step.to);
            }
        }
    }
    states
}

/// Follows the exact runs in the graph of the book: it has all of them, up to
/// an error. Returns how many pairs were followed.
fn included(exact: &Graph, book: &Graph, about: &str) -> usize {
    let start = close(book, book.initial.iter().copied().collect());
    let mut pending: VecDeque<_> = exact.initial.iter().map(|&state| (state, start.clone())).collect();
    let mut seen: HashSet<_> = pending.iter().cloned().collect();
    while let Some((state, set)) = pending.pop_front() {
        if exact.ended[state] {
            assert!(set.iter().any(|&state| book.ended[state]), "an end is missing\n{about}");
        }
        for step in exact.out(state) {
            let mut next = set.clone();
            for label in &step.labels {
                let steps = next.iter().flat_map(|&state| book.out(state));
                let to = steps.filter(|step| step.label() == Some(label)).map(|step| step.to).collect();
                next = close(book, to);
            }
            assert!(!next.is_empty(), "{:?} is missing\n{about}", step.labels);
            if seen.len() < 2_000 && seen.insert((step.to, next.clone())) {
                pending.push_back((step.to, next));
            }
        }
    }
    seen.len()
}

#[test]
fn the_book_has_every_exact_run() {
    const N_PLAIN: u64 = 1_000;
    let limits = Limits { states: 4_000, transitions: 20_000 };
    let [mut n_models, mut n_pairs] = [0; 2];
    let share = Share::of(N_PLAIN + 500);
    for seed in share.seeds {
        let shape = match seed < N_PLAIN {
            true => [Shape::exact(), Shape::default(), Shape::tiny()][seed as usize % 3],
            false => Shape::rich(),
        };
        let model = generate(seed, &shape);
        let about = format!("seed {seed}\n{}", print(&model));
        let Some(exact) = explore_as(&model, Meaning::Exact, &limits) else { continue };
        let Some(book) = explore(&model, &limits) else { continue };
        n_models += 1;
        n_pairs += included(&exact, &book, &about);
    }
    println!("{n_models} models, {n_pairs} pairs of an exact state and states of the book");
    assert!(!share.is_whole || n_models > 1_300);
}

/// What share of the random models has what.
#[test]
fn random_models_have_each_construct() {
    let n_models = 500;
    let mut shares: Vec<(&str, usize)> = Vec::new();
    let mut count = |what: &'static str, has: bool| match shares.iter_mut().find(|(known, _)| *known == what)
    {
        Some((_, n)) => *n += usize::from(has),
        None => shares.push((what, usize::from(has))),
    };
    for seed in 0..n_models as u64 {
        let model = generate(seed, &Shape::exact());
        assert!(unmatched_calls(&model).is_empty(), "seed {seed}:\n{}", print(&model));
        let text = print(&model);
        let has = |part: &str| text.contains(part);
        count("guard", has("when "));
        count("two guards", text.matches("when ").count() > 1);
        count("guard with ||", text.lines().any(|line| line.contains("when ") && line.contains("||")));
        count("guard with a call", text.lines().any(|line| line.contains("when ") && line.contains("ask()")));
        count("guarded call", text.lines().any(|line| line.contains("when ") && line.contains("call!")));
        count("else", has("else =>"));
        count("terminate", has("terminate"));
        count(
            "entry family",
            text.split("accept!(")
                .skip(1)
                .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')),
        );
        count("arguments", text.lines().any(|line| line.contains("call!") && line.contains("))")));
        count("array", text.lines().any(|line| line.starts_with("static") && line.contains('[')));
        count("enum", text.lines().any(|line| line.starts_with("static") && line.contains("Phase")));
        count("any!()", has("any!()"));
        count("function", has("fn visit") || has("fn ask") || has("fn touch") || has("fn local"));
        count("+=", has("+= ") || has("-= "));
        let Some(graph) = explore_as(&model, Meaning::Exact, &Limits::default()) else {
            count("too big", true);
            continue;
        };
        count("body", graph.labels().iter().any(|label| label.ends_with(".end")));
        count("several labels", graph.transitions.iter().any(|step| step.labels.len() > 1));
        count("three labels", graph.transitions.iter().any(|step| step.labels.len() > 2));
        count("ends", graph.completes());
        count("deadlock", !graph.deadlocks().is_empty());
        count("no deadlock", graph.deadlocks().is_empty());
        count("error", !graph.errors().is_empty());
        count("no error", graph.errors().is_empty());
    }
    println!("of {n_models} models: {shares:?}");
    for (what, n) in &shares {
        let least = if *what == "too big" { 0 } else { n_models / 20 };
        assert!(*n >= least, "{n} models with {what}");
    }
}

/// Each construct of rich models is in at least 100 of the usual ones, and
/// most of them are small.
#[test]
fn rich_models_have_each_construct() {
    const N_MODELS: u64 = 2_000;
    let share = Share::of(N_MODELS);
    let mut n_models: BTreeMap<&str, usize> = RICH.into_iter().map(|what| (what, 0)).collect();
    let mut times = n_models.clone();
    let (mut n_small, mut n_total) = (0, 0);
    for seed in share.seeds {
        let model = generate(seed, &Shape::rich());
        let about = || format!("seed {seed}\n{}", print(&model));
        assert!(unmatched_calls(&model).is_empty(), "{}", about());
        for (what, n) in constructs(&model) {
            *n_models.get_mut(what).unwrap_or_else(|| panic!("{what} is not listed")) += 1;
            *times.entry(what).or_default() += n;
        }
        let limits = Limits { states: 3_000, transitions: 15_000 };
        n_small += usize::from(explore_as(&model, Meaning::Exact, &limits).is_some());
        n_total += 1;
    }
    println!("{n_small} of {n_total} models are small");
    for (what, n) in &n_models {
        println!("{what}: in {n} models, {} times", times[what]);
    }
    if share.is_whole {
        assert!(n_small * 10 > n_total * 9, "{n_small} of {n_total} models are small");
        for (what, n) in n_models {
            assert!(n >= 100, "{n} models with {what}");
        }
    }
}
