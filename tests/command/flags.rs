//! Flags that have no effect on any input of a command are refused; a flag that
//! applies to one of several inputs is accepted.

use crate::folder::Folder;
use std::path::Path;
use std::process::Command;

const TASKS: &str = "
static mut X: int!(0..=1) = 0;
#[task] fn a() { event!(first); X = 1; event!(second); }
";
const ORDER: &str = "name: order\nmodel: tasks.rs\nevents: { f: first, s: second }\nall: 'f; s'\n";
const STATES: &str = "name: states\nmodel: tasks.rs\ninvariant: X <= 1\n";
const PROMELA: &str = "#ifndef N\n#define N 1\n#endif\nbyte x; active proctype A() { x = N }\n";
const PROMELA_ORDER: &str = "name: promela-order\nmodel: model.pml\nevents: { e: 'A.x=*' }\nall: 'e'\n";
const PROMELA_STATES: &str = "name: promela-states\nmodel: model.pml\ninvariant: x <= 5\n";
const STUDY: &str = "
name: study
subjects: [{ spec: order.yaml }]
strategies: [bfs]
limits: { timeout: 60s }
";

/// A folder with one input of each kind.
fn inputs(name: &str) -> Folder {
    let folder = Folder::new(name);
    let files = [
        ("tasks.rs", TASKS),
        ("order.yaml", ORDER),
        ("states.yaml", STATES),
        ("model.pml", PROMELA),
        ("promela-order.yaml", PROMELA_ORDER),
        ("promela-states.yaml", PROMELA_STATES),
        ("study.yaml", STUDY),
        ("trapline.yaml", "properties: [order.yaml, states.yaml, promela-order.yaml, promela-states.yaml]\n"),
    ];
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("the folder is writable");
    }
    folder
}

fn run(folder: &Path, line: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    let command = command.args(line.split(' ')).current_dir(folder).env("LC_ALL", "C.UTF-8");
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

#[test]
fn flags_without_any_effect_are_refused() {
    let folder = inputs("flags-refused");
    assert_eq!(run(&folder, "simulate model.pml --seed 1 --format json").0, 0);
    let simulated = run(&folder, "simulate tasks.rs --seed 1 --format json").1;
    std::fs::write(folder.join("run.json"), simulated).expect("the folder is writable");
    let promela = "does not apply to a Promela model";
    let task = "does not apply to a task model";
    let exact = "does not apply to the explicit engine";
    let cases = [
        // Flags of property files.
        ("check model.pml --no-default-constraints", promela),
        ("check model.pml --executions prefixes", promela),
        ("check model.pml --constraint task:a", promela),
        ("check model.pml --model tasks.rs", promela),
        ("check tasks.rs --no-default-constraints", task),
        ("check tasks.rs --executions complete", task),
        ("check tasks.rs --constraint task:a", task),
        ("check tasks.rs --model tasks.rs", task),
        ("check tasks.rs model.pml --executions complete", "does not apply to these models"),
        // Executions matter for orders of events.
        ("check states.yaml --executions prefixes", "applies to orders of events only"),
        ("check promela-states.yaml --executions complete", "applies to orders of events only"),
        ("check states.yaml promela-states.yaml --executions complete", "applies to orders of events only"),
        ("check --property *states --executions complete", "applies to orders of events only"),
        // Flags of model files.
        ("check order.yaml --ltl []true", "`--ltl` applies to models, but only property files"),
        ("check order.yaml states.yaml --invariant true", "`--invariant` applies to models"),
        ("check promela-order.yaml --acceptance", "`--acceptance` applies to models"),
        ("check tasks.rs --acceptance", task),
        ("check tasks.rs --progress", task),
        ("check model.pml --set N=2", promela),
        // Flags of Promela models.
        ("check order.yaml -D N=2", "`--define` is only for Promela models"),
        ("check tasks.rs -D N=2", "`--define` is only for Promela models"),
        ("check tasks.rs --spin-trail tasks.rs.trail", "`--spin-trail` is only for Promela models"),
        ("check tasks.rs --empty-channels", "`--empty-channels` is only for Promela models"),
        ("check order.yaml --engine explicit --lose-messages", "`--lose-messages` is only for Promela"),
        ("check order.yaml --inner-unless-first", "`--inner-unless-first` is only for Promela models"),
        ("check promela-states.yaml --empty-channels", "does not apply to a formula or an invariant"),
        // Kinds of errors.
        ("check tasks.rs --ignore assertions", "only `--ignore end-states` applies to a task model"),
        ("check order.yaml --engine explicit --ignore promises", "only `--ignore end-states` applies"),
        ("check order.yaml --engine explicit --ignore end-states", "applies to the property `safety`"),
        ("check promela-order.yaml --ignore end-states", "applies to the property `safety`"),
        ("check promela-states.yaml --ignore end-states", "applies to the property `safety`"),
        ("check model.pml --ltl []true --property []true --ignore end-states", "property `safety`"),
        ("check order.yaml --ignore end-states", "applies to the property `safety`"),
        ("check order.yaml --ignore assertions", "only for models that are searched state by state"),
        // Flags of the explicit engine.
        ("check order.yaml --fair", "only for models that are searched state by state"),
        ("check order.yaml --states --format json", "only for models that are searched state by state"),
        ("check order.yaml --store compact", "only for models that are searched state by state"),
        ("check order.yaml --threads 2", "only for models that are searched state by state"),
        // Flags of the flow engine.
        ("check model.pml --graph faithful", promela),
        ("check promela-order.yaml --adjacency never", promela),
        ("check promela-order.yaml --constraint task:a", promela),
        ("check promela-order.yaml --engine flow", "the flow engine does not support Promela models"),
        ("check states.yaml --graph faithful", "`--graph` is only for the flow engine"),
        ("check order.yaml --engine explicit --adjacency never", "`--adjacency` is only for the flow engine"),
        ("check order.yaml --engine explicit --constraint task:a", exact),
        ("check states.yaml --constraint variable:X", exact),
        // Output.
        ("check tasks.rs --states", "`--states` needs a report in JSON"),
        ("check tasks.rs --full --format json", "`--full` does not apply to JSON"),
        ("check tasks.rs --full --quiet", "`--full` does not apply to `--quiet`"),
        ("simulate tasks.rs --trail run.json --full --format json", "`--full` does not apply to JSON"),
        ("simulate tasks.rs --trail run.json --full -q", "`--full` does not apply to `--quiet`"),
        ("simulate tasks.rs --full", "--trail <FILE>"),
        // Simulation.
        ("simulate tasks.rs --trail run.json --property safety", "a simulation, which has no properties"),
        ("simulate tasks.rs --property safety", "--trail <FILE>"),
        ("simulate tasks.rs --ignore assertions", "only `--ignore end-states` applies to a task model"),
        ("simulate tasks.rs --ignore promises,end-states", "only `--ignore end-states` applies"),
        ("simulate tasks.rs -D N=2", "`--define` is only for Promela models"),
        ("simulate tasks.rs --empty-channels", "`--empty-channels` is only for Promela models"),
        ("simulate tasks.rs --inner-unless-first", "`--inner-unless-first` is only for Promela models"),
        ("simulate model.pml --set N=2", promela),
        ("simulate model.pml --interactive --seed 1", "cannot be used with"),
        // Pictures and labels.
        ("graph model.pml --set N=2", promela),
        ("graph program model.pml --set N=2", promela),
        ("graph tasks.rs -D N=2", "`--define` is only for Promela models"),
        ("graph program tasks.rs -D N=2", "`--define` is only for Promela models"),
        ("graph order.yaml -D N=2", "`--define` is only for Promela models"),
        ("graph tfg tasks.rs --property order", "give a property file"),
        ("graph tfg tasks.rs --constraint task:a", "give a property file"),
        ("labels model.pml --set N=2", promela),
        ("labels tasks.rs -D N=2", "`--define` is only for Promela models"),
        // Studies.
        ("experiment study.yaml --list --format json", "cannot be used with"),
        ("experiment study.yaml --list --jobs 2", "cannot be used with"),
        ("experiment study.yaml --list --fresh", "cannot be used with"),
        ("experiment study.yaml --summary-only --jobs 2", "cannot be used with"),
    ];
    for (line, expected) in cases {
        let (code, stdout, stderr) = run(&folder, line);
        assert_eq!(code, 2, "{line}: {stdout}{stderr}");
        assert!(stderr.contains(expected), "{line}: {stderr}");
        let has_advice = stderr.contains("help: ") || stderr.contains("Usage: ");
        assert!(has_advice || line.contains("--spin-trail"), "{line}: {stderr}");
    }
}

#[test]
fn flags_that_apply_to_one_of_several_inputs_are_accepted() {
    let folder = inputs("flags-accepted");
    let cases = [
        "check",
        "check --executions complete",
        "check --no-default-constraints",
        "check --constraint task:a",
        "check --graph faithful",
        "check --adjacency never",
        "check --engine flow --property *order",
        "check -D N=2 --set N=3",
        "check --lose-messages --inner-unless-first --empty-channels",
        "check --ignore assertions,promises",
        "check --store compressed",
        "check --threads 2",
        "check --states --format json",
        "check order.yaml model.pml --no-default-constraints --constraint task:a --executions complete",
        "check order.yaml tasks.rs --graph faithful --invariant X<=1",
        "check tasks.rs model.pml --set X=1 --property nothing",
        "check tasks.rs model.pml -D N=2 --acceptance --ignore end-states,assertions",
        "check promela-order.yaml model.pml --ignore end-states",
        "check promela-order.yaml --set N=2",
        "check promela-order.yaml --empty-channels --no-default-constraints",
        "check states.yaml --no-default-constraints",
        "check model.pml --engine explicit",
        "simulate tasks.rs --seed 1 --ignore end-states",
        "simulate model.pml --seed 1 --ignore assertions -D N=3",
        "labels model.pml -D N=2",
        "experiment study.yaml --list --repeat 2 --subjects * --strategies *",
    ];
    for line in cases {
        let (code, stdout, stderr) = run(&folder, line);
        let is_wrong = line.contains("nothing") || line == "check -D N=2 --set N=3";
        assert!(is_wrong || code == 0, "{line}: {code} {stdout}{stderr}");
        assert!(!stderr.contains("error[usage]"), "{line}: {stderr}");
    }
}

/// Constraints of a property are ignored for Promela models too, if the user
/// asks for it.
#[test]
fn default_constraints_of_a_promela_model_can_be_ignored() {
    let folder = inputs("flags-constraints");
    let text = format!("{PROMELA_ORDER}constraints: ['task:A']\n");
    std::fs::write(folder.join("promela-order.yaml"), text).expect("the folder is writable");
    let (code, _, stderr) = run(&folder, "check promela-order.yaml");
    assert!(code == 2 && stderr.contains("--no-default-constraints"), "{stderr}");
    let (code, _, stderr) = run(&folder, "check promela-order.yaml --no-default-constraints");
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn macros_that_a_model_does_not_use_are_reported_by_every_command() {
    let folder = inputs("flags-macros");
    for line in [
        "check model.pml -D M=2",
        "check promela-order.yaml -D M=2",
        "simulate model.pml --seed 1 -D M=2",
        "labels model.pml -D M=2",
        "graph model.pml -D M=2",
    ] {
        let (code, _, stderr) = run(&folder, line);
        assert_eq!(code, 0, "{line}: {stderr}");
        assert_eq!(
            stderr.matches("the macro `M` is defined, but the model does not use it").count(),
            1,
            "{line}"
        );
    }
}

/// Hints name only flags of the command, or the command that has the flag.
#[test]
fn hints_name_flags_that_the_command_has() {
    let folder = inputs("flags-hints");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("the folder is writable");
    };
    write(
        "wide.rs",
        "static mut X: int!(9000000000..=9000000001) = 9000000000; #[task] fn a() { event!(e); }",
    );
    let says = "events: { f: first, s: second }, all: 'f; s'";
    let properties = format!("[{{ name: order, {says} }}, {{ name: again, {says} }}]");
    write("several.yaml", &format!("model: tasks.rs\nproperties: {properties}\n"));
    write("flow.yaml", &ORDER.replace("f; s", "s; f"));
    let (_, report, _) = run(&folder, "check flow.yaml --confirm never --format json");
    write("flow.json", &report);
    let cases = [
        ("graph states.yaml", "draw the processes of the model with `graph program`"),
        ("graph tfg states.yaml", "draw the processes of the model with `graph program`"),
        ("graph automaton states.yaml", "draw the processes of the model with `graph program`"),
        ("graph several.yaml", "choose one with `graph tfg --property NAME`: order, again"),
        ("graph automaton several.yaml", "choose one with `graph automaton --property NAME`: order, again"),
        (
            "graph program wide.rs",
            "orders of events can be checked by the flow engine, which has no such limit",
        ),
        ("simulate wide.rs", "orders of events can be checked by the flow engine, which has no such limit"),
        ("simulate tasks.rs --trail flow.json", "create the report by `check --engine explicit`"),
    ];
    for (line, hint) in cases {
        let (code, _, stderr) = run(&folder, line);
        assert_eq!(code, 2, "{line}: {stderr}");
        assert!(stderr.contains(hint), "{line}: {stderr}");
        assert!(!stderr.contains("use `--engine") && !stderr.contains("or the flow"), "{line}: {stderr}");
    }
}

#[test]
fn constants_that_a_promela_model_does_not_see_are_reported() {
    let folder = inputs("flags-constants");
    let family = "const K: usize = 1; #[task(i in 0..K)] fn t(i: usize) { event!(e); }\n";
    std::fs::write(folder.join("family.rs"), family).expect("the folder is writable");
    let warning = "`--set` has no effect on the Promela models among the files";
    let (code, stdout, stderr) = run(&folder, "check family.rs model.pml --set K=2");
    assert!(code == 0 && stderr.contains(warning), "{stdout}{stderr}");
    let (code, _, stderr) = run(&folder, "check family.rs promela-order.yaml --set K=2");
    assert!(code == 0 && !stderr.contains(warning), "{stderr}");
}
