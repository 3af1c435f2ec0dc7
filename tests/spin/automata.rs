//! Automata of formulas against those of SPIN and lbt: the same language, and
//! not larger. Says so and passes where a tool is not installed.

use crate::ltl;
use ltl::words::Random;
use ltl::{Foreign, formula, lbt, name, spin};
use std::collections::BTreeSet;
use std::time::Duration;
use trapline::automata::buchi::Buchi;
use trapline::automata::ltl::Formula;

/// How long the others may think about one formula.
const LIMIT: Duration = Duration::from_secs(1);

/// How many random formulas are tried.
const N_RANDOM: usize = 300;

fn common() -> Vec<Formula> {
    let lines = include_str!("ltl/formulas.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(formula).collect()
}

/// Formulas with few temporal operators: with many, SPIN takes minutes.
fn random() -> Vec<Formula> {
    let mut random = Random(0x5eed_0fa1_1f00_d123);
    let formulas = std::iter::repeat_with(|| random.formula(4, 3));
    formulas.filter(|formula| n_temporal(formula) <= 5).take(N_RANDOM).collect()
}

fn n_temporal(formula: &Formula) -> usize {
    use Formula::{Always, Eventually, Release, Until};
    let own = usize::from(matches!(formula, Always(_) | Eventually(_) | Release(..) | Until(..)));
    formula.parts().into_iter().map(n_temporal).sum::<usize>() + own
}

/// States and transitions, a disjunction counted once as the others do.
#[derive(Default)]
struct Size {
    states: usize,
    edges: usize,
}

impl Size {
    fn of(buchi: &Buchi) -> Self {
        let targets =
            |state| buchi.edges(state).iter().map(|edge| edge.target).collect::<BTreeSet<_>>().len();
        Self { states: buchi.n_states(), edges: (0..buchi.n_states() as u32).map(targets).sum() }
    }

    fn add(&mut self, other: &Size) {
        self.states += other.states;
        self.edges += other.edges;
    }
}

/// What came of a list of formulas.
#[derive(Default)]
struct Comparison {
    formulas: usize,
    late: usize,
    larger: usize,
    ours: Size,
    theirs: Size,
}

type Translate = fn(&Formula, u32, Duration) -> Option<Result<Foreign, Duration>>;

/// `None` if the tool is missing.
fn compare(tool: &str, translate: Translate, formulas: &[Formula]) -> Option<Comparison> {
    let mut comparison = Comparison::default();
    let mut random = Random(0x0dd_ba11);
    for formula in formulas {
        let n_atoms = formula.max_atom().map_or(1, |atom| atom.0 + 1);
        let Ok(foreign) = translate(formula, n_atoms, LIMIT)? else {
            comparison.late += 1;
            continue;
        };
        let ours = Buchi::of(formula).expect("small");
        for _ in 0..60 {
            let word = random.lasso(n_atoms);
            let shown = formula.show(&name);
            assert_eq!(ours.accepts(&word), foreign.automaton.accepts(&word), "{tool}: {shown} on {word:?}");
        }
        let (size, theirs) = (Size::of(&ours), Size { states: foreign.n_states, edges: foreign.n_edges });
        if theirs.states < size.states {
            comparison.larger += 1;
            println!("{tool} has {} states, not {}: {}", theirs.states, size.states, formula.show(&name));
        }
        comparison.formulas += 1;
        comparison.ours.add(&size);
        comparison.theirs.add(&theirs);
    }
    Some(comparison)
}

#[track_caller]
fn check(tool: &str, translate: Translate, list: &str, formulas: &[Formula]) {
    let Some(comparison) = compare(tool, translate, formulas) else {
        println!("{tool} is not installed: nothing was compared");
        return;
    };
    let Comparison { formulas, late, larger, ours, theirs } = comparison;
    println!(
        "{tool}, {formulas} {list} formulas ({late} more took it too long): {} states and {} transitions, \
         ours {} and {}; ours has more states for {larger}",
        theirs.states, theirs.edges, ours.states, ours.edges,
    );
    assert!(ours.states <= theirs.states, "fewer states than {tool}");
    assert!(ours.edges <= theirs.edges, "fewer transitions than {tool}");
}

#[test]
fn common_formulas_have_the_language_of_spin() {
    check("spin", spin::claim, "common", &common());
}

#[test]
fn random_formulas_have_the_language_of_spin() {
    check("spin", spin::claim, "random", &random());
}

#[test]
fn common_formulas_have_the_language_of_lbt() {
    check("lbt", lbt::automaton, "common", &common());
}

#[test]
fn random_formulas_have_the_language_of_lbt() {
    check("lbt", lbt::automaton, "random", &random());
}
