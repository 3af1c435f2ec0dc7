//! A search that finds out late that states need more room loses little: the
//! work before its last start is bounded, and its answer does not depend on
//! when states outgrow the layout.

use trapline::diag::Sources;
use trapline::explicit::overflow::MAX_SPENT;
use trapline::lang::promela::{Program, lower};
use trapline::lang::promela::{Reading, parse};
use trapline::search::strategy::Rule;
use trapline::search::{Store, Strategy};
use trapline::verify::explicit::{Aim, SearchResources, Spent};
use trapline::verify::{ExplicitProblem, Question};
use trapline::verify::{Report, Verdict};

fn program(text: &str) -> Program {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |_: &str, _| Err("nothing is included".to_string());
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let faults: Vec<String> = parsed.diagnostics.iter().map(|it| it.render(&sources, false)).collect();
    lower(parsed.model.unwrap_or_else(|| panic!("{}", faults.join("\n")))).expect("the model can be run")
}

fn check(program: &Program, rule: Rule, means: SearchResources) -> Report {
    let strategy = Strategy::of(rule);
    let problem = ExplicitProblem::of_promela(program, Aim::Safety).without_reduction();
    let problem = ExplicitProblem { resources: means, ..problem };
    Question::from(problem).with_strategy(strategy).check(&mut |_| None).expect("the question makes sense")
}

/// Work that was abandoned.
fn spent(report: &Report) -> Spent {
    report.explicit().expect("the explicit engine was asked").spent
}

fn counts(report: &Report) -> (Verdict, u64, u64) {
    (report.verdict, report.search.counters.stored, report.search.counters.generated)
}

/// Many variables that grow one after the other.
fn many_counters() -> String {
    let declare = |index: usize| format!("int a{index};\n");
    let count = |index: usize| format!("do :: a{index} < 100 -> a{index}++ :: else -> break od;\n");
    let declared: String = (0..40).map(declare).collect();
    let counted: String = (0..40).map(count).collect();
    format!(
        "{declared} byte x, y;\n active proctype A() {{\n{counted}}}\n
        active proctype B() {{ do :: x < 5 -> x++ :: x == 5 -> x = 0; y = (y + 1) % 7 od }}"
    )
}

/// Values that jump when many states have been seen.
const JUMP: &str = "int x, y; byte a, b, c;
    active proctype A() {
        do :: a < 60 -> a++ :: a == 60 && b == 60 && c == 19 -> x = 1000000; y = -70000; a = 0 od
    }
    active proctype B() { do :: b < 60 -> b++ :: b == 60 && x != 0 -> b = 0 od }
    active proctype C() { do :: c < 19 -> c++ od }";

/// Messages that grow.
const MESSAGES: &str = "chan q = [4] of { int, byte }; int sent; byte got, other;
    active proctype S() { do :: sent < 300 -> q!sent, sent % 200; sent++ od }
    active proctype R() { int v; byte w; do :: q?v, w -> got = w od }
    active proctype O() { do :: other < 40 -> other++ :: other == 40 -> other = 0 od }";

/// Processes and channels that come when many states have been seen.
const LATE_PROCESSES: &str = "byte a, b, c; int d;
    proctype P(byte n) {
        chan own = [2] of { int };
        own!n * 100; own?d;
        do :: n > 0 -> n--; d = d + 100 :: else -> break od
    }
    active proctype A() {
        do :: a < 90 -> a++ :: else -> break od;
        b == 90 && c == 9; run P(3); run P(5);
        end: false
    }
    active proctype B() { end: do :: b < 90 -> b++ od }
    active proctype C() { end: do :: c < 9 -> c++ od }";

/// A record in an array of records.
const RECORDS: &str = "typedef T { int v; byte w[3] }; T t[3]; byte x, y;
    active [2] proctype A() {
        byte k = _pid;
        do
        :: t[k].v < 70 -> t[k].v = t[k].v + 1 + k; t[k].w[k] = t[k].v / 2
        :: else -> t[2].v = t[0].v + t[1].v
        od
    }
    active proctype B() { do :: x < 10 -> x++ :: else -> x = 0 od }";

#[test]
fn at_most_a_tenth_of_the_work_is_done_before_the_last_start() {
    let many = many_counters();
    let cases = [
        ("many counters", many.as_str(), 731_731),
        ("a jump", JUMP, 586_250),
        ("messages", MESSAGES, 733_408),
        ("late processes", LATE_PROCESSES, 627_032),
        ("records", RECORDS, 921_096),
    ];
    for (name, text, n_states) in cases {
        let program = program(text);
        for rule in [Rule::Bfs, Rule::Dfs { depth: None }] {
            let report = check(&program, rule.clone(), SearchResources::default());
            assert_eq!((report.verdict, report.search.counters.stored), (Verdict::Holds, n_states), "{name}");
            let total = report.search.counters.expanded + spent(&report).n_steps;
            assert!(spent(&report).n_steps <= MAX_SPENT, "{name} by {rule:?}: {:?}", spent(&report));
            assert!(
                spent(&report).n_steps * 10 <= total,
                "{name} by {rule:?}: {:?} of {total}",
                spent(&report)
            );
        }
    }
}

/// A model that grows when most of 240,000 states have been seen, where no
/// random walk comes: one process is far behind two others.
fn late_growth(bad: &str) -> String {
    format!(
        "byte a, b, c; int big, low; bool go; chan q = [1] of {{ int }};
        active proctype A() {{
            end: do
            :: a < 30 -> a++
            :: go -> a = 0; q!big + 1000; q?big; low = low - 300; go = false; assert(!({bad}))
            od
        }}
        active proctype B() {{ end: do :: b < 30 -> b++ od }}
        active proctype C() {{ end: do :: c < 30 -> c++ od }}
        active proctype D() {{
            end: do :: a == 28 && b == 2 && c == 28 && big < 3000 && !go -> go = true od
        }}"
    )
}

const THREADS: SearchResources = SearchResources { store: Store::Exact, n_threads: 2 };

#[test]
fn a_trail_leads_through_states_that_are_kept_apart() {
    let program = program(&late_growth("big == 3000"));
    let bfs = check(&program, Rule::Bfs, SearchResources::default());
    assert_eq!(bfs.verdict, Verdict::Violated);
    assert!(spent(&bfs).n_steps <= MAX_SPENT, "{:?}", spent(&bfs));
    let threads = check(&program, Rule::Bfs, THREADS);
    assert!(spent(&threads).n_steps <= 2 * MAX_SPENT, "{:?}", spent(&threads));
    assert_eq!(threads.n_steps(), bfs.n_steps());
    assert_eq!(format!("{:?}", threads.last()), format!("{:?}", bfs.last()));
    let last = |name: &str| bfs.last().iter().find(|it| it.name == name).map(|it| it.value.as_str());
    assert_eq!((last("big"), last("low")), (Some("3000"), Some("-900")));
    let changes = bfs.steps().iter().flat_map(|(_, step)| &step.changes);
    let values: Vec<&str> = changes.map(|it| it.to.as_str()).collect();
    assert!(["1000", "2000", "3000", "-300", "-600", "-900"].iter().all(|value| values.contains(value)));
}

#[test]
fn every_store_meets_the_same_states_when_they_grow_late() {
    let program = program(&late_growth("false"));
    // Every state fits into the layout that this search begins with.
    let dfs = Rule::Dfs { depth: None };
    let compact = check(&program, dfs.clone(), SearchResources { store: Store::Compact, n_threads: 1 });
    assert_eq!(spent(&compact).n_restarts, 0, "{:?}", spent(&compact));
    let reference = check(&program, Rule::Bfs, SearchResources::default());
    assert_eq!(reference.verdict, Verdict::Holds);
    assert_eq!(compact.search.counters.stored, reference.search.counters.stored);
    let unreached = |report: &Report| format!("{:?}", report.explicit().map(|it| &it.unreached));
    let one = |store| SearchResources { store, n_threads: 1 };
    let cases = [
        (Rule::Bfs, one(Store::Exact)),
        (dfs.clone(), one(Store::Exact)),
        (dfs, one(Store::Compressed)),
        (Rule::Bfs, THREADS),
        (Rule::Mixed, THREADS),
        (Rule::Bfs, SearchResources { n_threads: 5, ..THREADS }),
    ];
    for (rule, means) in cases {
        let report = check(&program, rule.clone(), means);
        assert_eq!(counts(&report), counts(&reference), "{rule:?} with {means:?}");
        assert_eq!(unreached(&report), unreached(&reference), "{rule:?} with {means:?}");
        let most = means.n_threads as u64 * MAX_SPENT;
        assert!(spent(&report).n_steps <= most, "{rule:?} with {means:?}: {:?}", spent(&report));
    }
}

/// Every counter outgrows its bits several times, so threads go from level to
/// level at different moments.
#[test]
fn threads_agree_on_states_that_are_kept_apart() {
    let counters = ["a", "b", "c", "d"].map(|name| {
        format!(
            "active proctype P{name}() {{ end: do :: done && {name} < 4000 -> {name} = {name} * 3 + 1 od }}\n"
        )
    });
    let text = format!(
        "int a, b, c, d; byte x, y, z; bool done;
        active proctype W() {{
            end: do
            :: !done && x < 40 -> x++
            :: !done && y < 40 -> y++
            :: !done && z < 40 -> z++
            :: x == 40 && y == 40 && z == 40 && !done -> done = true
            od
        }}
        {}",
        counters.concat()
    );
    let program = program(&text);
    let reference = check(&program, Rule::Bfs, SearchResources::default());
    assert_eq!(reference.verdict, Verdict::Holds);
    for n_threads in [2, 3, 5] {
        let report = check(&program, Rule::Bfs, SearchResources { store: Store::Exact, n_threads });
        assert_eq!(counts(&report), counts(&reference), "{n_threads} threads");
    }
}

#[test]
fn formulas_are_checked_on_states_that_are_kept_apart() {
    let formulas =
        "ltl small { [] (big < 2000) } ltl returns { [] <> (big == 0) } ltl bounded { [] (big < 4000) }";
    let mut program = program(&format!("{}\n{formulas}", late_growth("false")));
    let formulas = program.model.ltl.clone();
    let mut answer = |name: &str, is_fair: bool| {
        let formula = formulas.iter().find(|it| it.name == name).expect("the formula is there");
        let observer = program.add_formula(&formula.name, &formula.formula).expect("the formula is small");
        let problem = ExplicitProblem::of_promela(&program, Aim::Observer(observer)).without_reduction();
        Question::from(ExplicitProblem { is_fair, ..problem })
            .check(&mut |_| None)
            .expect("the question makes sense")
    };
    let small = answer("small", false);
    assert_eq!(small.verdict, Verdict::Violated);
    assert!(small.last().iter().any(|it| it.name == "big" && it.value == "2000"), "{:?}", small.last());
    assert_eq!(answer("bounded", false).verdict, Verdict::Holds);
    for is_fair in [false, true] {
        let returns = answer("returns", is_fair);
        assert_eq!(returns.verdict, Verdict::Violated);
        assert!(returns.cycle().is_some());
        assert!(spent(&returns).n_steps <= MAX_SPENT, "{:?}", spent(&returns));
    }
}
