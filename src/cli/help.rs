//! Long texts of `--help`, also part of the manual pages.

use trapline::verify::engine::ENGINES;

const EXIT_CODES: &str = "\
Exit codes:
  0  every property holds
  1  a property is violated
  2  bad input or usage; other verdicts of the run are still shown
  3  undecided (limit reached, interrupted), inconclusive (a counterexample was not confirmed),
     or holds only vacuously
With several properties, the first of 2, 1, 3, 0 that applies to any of them.";

pub(super) const EXAMPLES: &str = "\
Examples:
  trapline check specs/lock.yaml
  trapline check                               every property that trapline.yaml names
  trapline check specs/lock.yaml -c task:t1,variable:locked
  trapline graph tfg examples/lock.rs -o lock.svg
";

const CHECK: &str = "\
Without FILES, checks the files that `properties:` of trapline.yaml lists (paths; * matches
any text within one part of a path). The file is searched for in the current directory and
then in each directory above it.

Examples:
  trapline check specs/lock.yaml                      the verdict and a short counterexample
  trapline check specs/lock.yaml -c task:t1           with a constraint: more precise, slower
  trapline check specs/gas-station.yaml -c 'task:*' --set N=4
  trapline check specs/*.yaml --property 'no-*' --timeout 30s
  trapline check model.rs                             a task model: deadlocks, values out of range
  trapline check model.rs --invariant '!(a && b)'     also a condition on every state
  trapline check specs/lock.yaml --engine explicit    exactly, without constraints
  trapline check model.pml                            a Promela model: assertions, deadlocks, its claims and formulas
  trapline check model.pml -D N=4 --ltl '[]<> ready' --fair
  trapline check --format json -o all.json            for a program; see `trapline schema report`
";

const CTRL_C: &str = "\
The first Ctrl-C stops the run and prints the results so far, the second stops it at once;
SIGTERM and SIGHUP do the same.";

pub(super) const GRAPH: &str = "\
Examples:
  trapline graph model.pml -o model.svg                   the picture that fits the file
  trapline graph cfg examples/lock.rs --task t1 -o t1.svg
  trapline graph tfg specs/lock.yaml -o lock.svg          only what the property observes
  trapline graph program model.pml --proctype client -o client.svg
  trapline graph program model.pml --format json      described by `trapline schema program`
  trapline graph automaton specs/lock.yaml | dot -Tpdf > lock.pdf
  trapline graph automaton specs/lock.yaml -c variable:locked

Exit codes:
  0  the picture was written
  2  bad input or usage; a graph that is too large for the format
  3  a limit was reached";

pub(super) const LABELS: &str = "\
Examples:
  trapline labels examples/gas_station.rs
  trapline labels examples/gas_station.rs '*prepay*' --set N=4
  trapline labels examples/promela/peterson.pml -D N=2

Exit codes:
  0  the labels were written
  2  bad input or usage; no label matches
  3  a limit was reached";

pub(super) const REFINE: &str = "\
Each round checks the property by the flow engine and adds the best constraints that
reject the counterexample, and others that reject further ones. After a proof,
constraints that it does not need are dropped. The explicit engine is asked too: a
real violation ends the loop. If no task and no variable rejects a counterexample, it
decides with at most 1,000,000 states, and a rule that it proves is learned and added.

Constraint files are assumptions, which are not checked. Those in a folder
`constraints` (of the current directory, beside the property file or one level above)
are added only with --assume or --interactive.

Examples:
  trapline refine specs/lock.yaml --no-default-constraints
  trapline refine specs/lock.yaml --write             the file then names the constraints of the proof
  trapline refine specs/lock.yaml --format json       for a program; see `trapline schema refinement`
  trapline refine specs/gas-station.yaml --no-default-constraints --property 'pump*' --set N=3

Exit codes:
  0  every chosen property holds
  1  a property is violated by an execution
  2  bad input or usage
  3  undecided: a limit was reached, or a property holds only vacuously";

pub(super) const SIMULATE: &str = "\
Examples:
  trapline simulate model.pml                         a random run, with the seed that repeats it
  trapline simulate model.pml --seed 7 --steps 100
  trapline simulate model.pml --interactive           type the number of a step, b to go back, q to quit
  trapline simulate model.pml --trail model.pml.trail  the error that pan found
  trapline simulate model.rs --trail report.json       the counterexample that check --format json wrote

Exit codes:
  0  the run ended without an error, or at the requested number of steps
  1  the run ended in an error
  2  bad input or usage; a trail that does not fit the model
  3  a limit was reached, or the run was interrupted";

const IMPROVE: &str = "\
Give the options of the run that found the counterexample: the same -D, --set, --ltl, --fair.
Steps that do not matter are dropped, groups of steps are removed while the rest still replays,
and shorter runs are searched near the counterexample and near the initial state. The result is
always a run of the model that ends in an error of the same kind, or in a cycle if the
counterexample is one. The report says if no shorter one exists.

Examples:
  trapline improve model.pml --trail model.pml.trail       the error that pan found
  trapline improve model.rs --trail report.json            what `check --format json` wrote
  trapline improve model.pml -t model.pml.trail --spin-trail short.trail
  trapline improve model.rs -t report.json --reorder --few-switches
  trapline improve model.pml -t model.pml.trail --timeout 1m -o short.json
";

const IMPROVE_EXIT_CODES: &str = "\
Exit codes:
  1  the counterexample is an error, made shorter if that was possible
  2  bad input or usage; a trail that does not fit the model or violates no property
  3  a limit was reached before the counterexample was replayed";

pub(super) const EXPERIMENT: &str = "\
Each run is a separate process. Runs are recorded as they end, so the same command continues
an interrupted study. Results: table.md, summary.csv, summary.json, runs.csv,
runs.jsonl and the figures of the study.

Examples:
  trapline experiment benches/scaling.yaml --list
  trapline experiment benches/scaling.yaml -o results --subjects 'token-ring/*'
  trapline experiment benches/scaling.yaml -o results --summary-only

Exit codes:
  0  every run ended, with the verdict of the baseline or at a limit
  1  two strategies disagree on a verdict
  2  bad input or usage
  3  interrupted, or runs failed or are missing";

pub(super) const STRATEGIES: &str = "\
Examples:
  trapline check specs/lock.yaml --strategy short
  trapline check specs/lock.yaml --strategy 'wa(ta, w=2)'
  trapline check specs/lock.yaml --strategy 'bf(trap) + wa(ta, w=1) / bf(ta)'";

pub(super) const COMPLETIONS: &str = "\
Examples:
  trapline completions bash > ~/.local/share/bash-completion/completions/trapline
  trapline completions zsh > ~/.zfunc/_trapline
  trapline completions fish > ~/.config/fish/completions/trapline.fish";

/// Returns the help of `--strategy`, with the presets of all engines.
pub(super) fn strategy() -> String {
    let mut presets: Vec<&str> = ENGINES.iter().flat_map(|it| it.presets).map(|it| it.name).collect();
    presets.sort_unstable();
    presets.dedup();
    format!(
        "How to search: {}, or a strategy such as 'bf(trap) + wa(ta, w=1) / bf(ta)'; `trapline strategies` lists all",
        presets.join(", ")
    )
}

/// Returns the end of the help of `improve`.
pub(super) fn improve() -> String {
    format!("{IMPROVE}\n{IMPROVE_EXIT_CODES}\n{CTRL_C}")
}

/// Returns the end of the long help of the program.
pub(super) fn program() -> String {
    format!("{EXAMPLES}\n{EXIT_CODES}")
}

/// Returns the end of the help of `check`.
pub(super) fn check() -> String {
    format!("{CHECK}\n{EXIT_CODES}\n{CTRL_C}")
}
