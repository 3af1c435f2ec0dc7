//! The arguments as the user typed them; `options` interprets them.

use super::language::LanguageName;
use super::values::OutputFile;
use super::{help, values};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;
use trapline::verify::Form;
use trapline::verify::workspace::Setting;

/// Verifies models of concurrent programs and finds short counterexamples fast.
#[derive(Debug, Parser)]
#[command(name = "trapline", version, propagate_version = true)]
#[command(after_help = help::EXAMPLES, after_long_help = help::program())]
pub(super) struct Arguments {
    #[command(flatten)]
    pub look: Look,
    #[command(subcommand)]
    pub command: Command,
}

/// How to speak to the terminal.
#[derive(Debug, Args)]
pub(super) struct Look {
    /// When to colour the output; auto obeys NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = "Terminal")]
    pub color: Color,
    /// Print only the verdicts
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Terminal")]
    pub quiet: bool,
    /// Print everything: all notes, all counters, properties that hold
    #[arg(short, long, global = true, help_heading = "Terminal")]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check properties
    Check(Box<CheckArguments>),
    /// Draw control flow, trace flow graphs, automata and the processes of models
    #[command(after_help = help::GRAPH)]
    Graph(GraphArguments),
    /// Run a model step by step: at random, interactively, or along a trail
    #[command(after_help = help::SIMULATE)]
    Simulate(SimulateArguments),
    /// Make a counterexample shorter
    #[command(after_help = help::improve())]
    Improve(Box<ImproveArguments>),
    /// List the event labels of a model, from which properties are written
    #[command(after_help = help::LABELS)]
    Labels(LabelsArguments),
    /// Add constraints to a property of a task model until it is proved or really violated
    #[command(after_help = help::REFINE)]
    Refine(RefineArguments),
    /// Compare strategies on many subjects: tables and figures
    Experiment(ExperimentArguments),
    /// List what --strategy understands: rules, operators, heuristics, presets
    #[command(after_help = help::STRATEGIES)]
    Strategies,
    /// Print the JSON schema of a file format
    Schema(SchemaArguments),
    /// Print completions for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Print the manual page, or write all manual pages to a directory
    Man(ManualArguments),
}

#[derive(Debug, Args)]
#[command(after_help = help::check())]
pub(super) struct CheckArguments {
    /// Property files (.yaml), Promela models (.pml) or task models (.rs), or files recognised by their text; the default is what trapline.yaml names
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Check only properties whose name matches; * matches any text
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Use this model instead of the one the property files name
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Read FILES, or the model given by --model, in this language; task applies to the models of property files
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Set a constant of the model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,

    #[command(flatten)]
    pub promela: PromelaArguments,

    /// Add a constraint: task:NAME, variable:NAME, a constraint file or FILE#SET; may be repeated or a
    /// comma list
    #[arg(short, long, value_name = "C", value_parser = values::constraints, help_heading = "Precision")]
    pub constraint: Vec<String>,
    /// Ignore the constraints that the property files name
    #[arg(long, help_heading = "Precision")]
    pub no_default_constraints: bool,
    /// Which executions must satisfy the property; the default is what the property says
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Precision")]
    pub executions: Option<ExecutionsName>,
    /// Form of the trace flow graph: a comma list of faithful, reduced, [no-]end-nodes, [no-]merge, [no-]prune, [no-]eliminate, [no-]drop-dead
    #[arg(long, value_name = "FORM", default_value = "reduced", value_parser = values::graph_form, help_heading = "Precision")]
    pub graph: Form,
    /// When to use the graphs of fewer constraints as constraints, so that an additional constraint never loses a proof
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Precision")]
    pub adjacency: Adjacency,

    /// The engine that checks task models
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE", help_heading = "Precision")]
    pub engine: EngineName,
    #[command(flatten)]
    pub confirm: ConfirmArguments,

    #[arg(long, default_value = "auto", value_name = "S", help = help::strategy(), help_heading = "Search")]
    pub strategy: String,
    /// Stop after storing N states or node-tuples: 10k, 5M
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true, help_heading = "Search")]
    pub max_states: Option<u64>,
    /// Stop when the search uses this much memory: 500M, 4GiB; the default is three quarters of the free memory
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true, help_heading = "Search")]
    pub max_memory: Option<u64>,
    /// Stop the work on a property after this time: 10s, 5m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Search")]
    pub timeout: Option<Duration>,

    /// Keep counterexamples as the search finds them; by default, steps that do not matter are dropped
    #[arg(long, help_heading = "Models searched state by state")]
    pub no_shorten: bool,

    /// Show counterexamples to the end of the execution
    #[arg(long, help_heading = "Output")]
    pub full: bool,
    /// Format of the report; the default is json if the output file ends in .json, else text
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<ReportFormat>,
    /// Write the result to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
}

#[derive(Debug, Args)]
pub(super) struct ImproveArguments {
    /// The model (.pml, .rs) or property file (.yaml) that was checked
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The counterexample: a report of check in JSON, or a trail file of SPIN
    #[arg(short, long, value_name = "FILE")]
    pub trail: PathBuf,
    /// The property that the counterexample violates; the default is the first of the report
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Use this model instead of the one the property file names
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Read FILE, or the model given by --model, in this language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Set a constant of the model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,

    /// Only remove and reorder steps of the counterexample; do not search for other runs
    #[arg(long, help_heading = "Improvement")]
    pub reorder: bool,
    /// Reorder independent steps so that the process changes as seldom as possible
    #[arg(long, help_heading = "Improvement")]
    pub few_switches: bool,
    /// What the shorter counterexample must end in
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", help_heading = "Improvement")]
    pub keep: KeptEnd,
    /// Stop the search for other runs after expanding N states: 10k, 5M; the default is 1M
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true, help_heading = "Improvement")]
    pub max_states: Option<u64>,
    /// Stop when the search uses this much memory: 500M, 4GiB; the default is three quarters of the free memory
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true, help_heading = "Improvement")]
    pub max_memory: Option<u64>,
    /// Stop after this time, and report the shortest counterexample so far: 10s, 5m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Improvement")]
    pub timeout: Option<Duration>,

    /// Define a macro; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition, help_heading = "Promela models")]
    pub define: Vec<(String, String)>,
    /// A formula of temporal logic that was also checked; may be repeated
    #[arg(long, value_name = "FORMULA", help_heading = "Question")]
    pub ltl: Vec<String>,
    /// An expression that was also checked in every state; may be repeated
    #[arg(long, value_name = "EXPRESSION", help_heading = "Question")]
    pub invariant: Vec<String>,
    /// Acceptance cycles were also checked
    #[arg(long, help_heading = "Promela models")]
    pub acceptance: bool,
    /// Non-progress cycles were also checked
    #[arg(long, help_heading = "Promela models")]
    pub progress: bool,
    /// Weak fairness was assumed
    #[arg(long, help_heading = "Question")]
    pub fair: bool,
    /// An assumption that was added: a constraint file or FILE#SET; may be repeated or a comma list
    #[arg(short, long, value_name = "C", value_parser = values::constraints, help_heading = "Question")]
    pub constraint: Vec<String>,
    /// The constraints that the property file names were ignored
    #[arg(long, help_heading = "Question")]
    pub no_default_constraints: bool,
    /// Which executions had to satisfy the property; the default is what the property says
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Question")]
    pub executions: Option<ExecutionsName>,
    #[command(flatten)]
    pub semantics: SemanticsArguments,

    /// Write the shorter counterexample as a trail file that `spin -t` and `pan -r` replay
    #[arg(long, value_name = "FILE", help_heading = "Promela models")]
    pub spin_trail: Option<PathBuf>,
    /// In JSON, give all variables after each step, not only those that changed
    #[arg(long, help_heading = "Output")]
    pub states: bool,
    /// Show all steps of a long counterexample
    #[arg(long, help_heading = "Output")]
    pub full: bool,
    /// Format of the report; the default is json if the output file ends in .json, else text
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<ReportFormat>,
    /// Write the result to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
}

/// What an improved counterexample ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum KeptEnd {
    /// An error of the same kind
    #[default]
    Error,
    /// The same state
    State,
}

/// Whether counterexamples of the flow engine are confirmed.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct ConfirmArguments {
    /// Whether the explicit engine decides if a counterexample of the flow engine is an execution
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Precision")]
    pub confirm: ConfirmName,
    /// With --confirm auto, stop confirming after storing N states: 10k, 5M; the default is 100k
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true, help_heading = "Precision")]
    pub confirm_states: Option<u64>,
    /// With --confirm auto, stop confirming when it uses this much memory: 500M, 4GiB; the default is 256 MiB
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true, help_heading = "Precision")]
    pub confirm_memory: Option<u64>,
    /// With --confirm auto, stop confirming after this time: 10s, 5m; the default is 10s
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Precision")]
    pub confirm_time: Option<Duration>,
}

/// When a counterexample of the flow engine is confirmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ConfirmName {
    /// Within a budget of states, memory and time
    #[default]
    Auto,
    /// Not at all: every counterexample is a violation
    Never,
    /// For as long as it takes
    Always,
}

/// What concerns models that are searched state by state, most of it Promela models.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PromelaArguments {
    /// Define a macro; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition, help_heading = "Promela models")]
    pub define: Vec<(String, String)>,
    /// Also check a formula of temporal logic, such as '[] (p -> <> q)'; may be repeated
    #[arg(long, value_name = "FORMULA", help_heading = "Models searched state by state")]
    pub ltl: Vec<String>,
    /// Also check that an expression is true in every state; may be repeated
    #[arg(long, value_name = "EXPRESSION", help_heading = "Models searched state by state")]
    pub invariant: Vec<String>,
    /// Also check that no run passes an accept label infinitely often or stops at one
    #[arg(long, help_heading = "Promela models")]
    pub acceptance: bool,
    /// Also check that every cycle passes through a progress label
    #[arg(long, help_heading = "Promela models")]
    pub progress: bool,
    /// Write the first error as a trail file that `spin -t` and `pan -r` replay
    #[arg(long, value_name = "FILE", help_heading = "Promela models")]
    pub spin_trail: Option<PathBuf>,
    /// In JSON, give all variables after each step of a trail, not only those that changed
    #[arg(long, help_heading = "Models searched state by state")]
    pub states: bool,
    /// Assume weak fairness: ignore infinite runs in which a continuously enabled process never moves
    #[arg(long, help_heading = "Models searched state by state")]
    pub fair: bool,
    #[command(flatten)]
    pub semantics: SemanticsArguments,
    /// Labels or events that the heuristic `dangerous` approaches: a name, Process.name, or a beginning and *; may be repeated
    #[arg(long, value_name = "LABEL", help_heading = "Models searched state by state")]
    pub dangerous: Vec<String>,
    /// A trail whose last state the heuristics `hamming` and `fsm` approach: a report in JSON or a trail file of SPIN
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Models searched state by state")]
    pub target: Option<PathBuf>,
    /// How visited states are stored; the default is exact, the others search depth first
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Models searched state by state")]
    pub store: Option<StoreName>,
    /// Whether to leave out steps that no counterexample needs, and no shortest one
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHICH",
        help_heading = "Models searched state by state"
    )]
    pub reduction: ReductionName,
    /// Threads for breadth-first search, or `all` for one per processor; cycles are searched for by one thread
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true, help_heading = "Models searched state by state")]
    pub threads: Option<u16>,
}

/// How a model is run where there is a choice.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SemanticsArguments {
    /// Kinds of errors to ignore
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        value_delimiter = ',',
        help_heading = "Models searched state by state"
    )]
    pub ignore: Vec<IgnoredKind>,
    /// Also report runs that end with messages left in channels
    #[arg(long, help_heading = "Promela models")]
    pub empty_channels: bool,
    /// A send to a full channel loses its message instead of waiting
    #[arg(long, help_heading = "Promela models")]
    pub lose_messages: bool,
    /// For nested `unless`, try the inner escape before the outer one, as `pan -J` does
    #[arg(long, help_heading = "Promela models")]
    pub inner_unless_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum IgnoredKind {
    /// Failed assertions
    Assertions,
    /// Invalid end states
    EndStates,
    /// Channels used against `xr` and `xs` declarations
    Promises,
}

/// Which steps of a state are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ReductionName {
    /// Stubborn sets, where they are possible and worth their cost
    #[default]
    Auto,
    /// Stubborn sets, where they are possible
    Stubborn,
    /// All steps
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StoreName {
    /// Whole states
    Exact,
    /// Trees with shared parts: exact, in less memory
    Compressed,
    /// Hashes of 64 bits: states may be missed
    Compact,
    /// Three bits per state in a bit field of half of --max-memory: states may be missed
    Bitstate,
}

/// The engine for task models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineName {
    /// flow for orders of events; explicit for formulas, invariants and deadlocks
    #[default]
    Auto,
    /// Paths of the trace flow graph that meet the constraints: an over-approximation
    Flow,
    /// Every reachable state, exactly
    Explicit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExecutionsName {
    /// Those in which every task reaches its end
    Complete,
    /// All prefixes of executions; for safety properties
    Prefixes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Adjacency {
    /// Where they can make a difference
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct GraphArguments {
    #[command(subcommand)]
    pub what: Option<GraphCommand>,
    #[command(flatten)]
    pub fitting: FittingArguments,
}

/// A picture whose kind follows from the file.
#[derive(Debug, Args)]
pub(super) struct FittingArguments {
    /// Draw what fits this file: the control flow of a task model, the control graphs of a Promela model, or the trace flow graph of a property file
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,
    /// Read the file in this language, whatever its name and text suggest
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Set a constant of a task model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// Define a macro of a Promela model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
    /// The default is svg or json for an output file that ends so, else dot; json is for models
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ProgramFormat>,
    /// Write the result to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum GraphCommand {
    /// The control flow of tasks
    Cfg {
        /// A model (.rs)
        #[arg(value_name = "MODEL")]
        file: PathBuf,
        /// Only tasks whose name matches; * matches any text
        #[arg(short, long, value_name = "NAME")]
        task: Option<String>,
        #[command(flatten)]
        common: PictureArguments,
    },
    /// The trace flow graph
    Tfg {
        /// A model (.rs), or a property file (.yaml): then what its properties do not see is left out
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Only for the property of this name
        #[arg(long, value_name = "NAME")]
        property: Option<String>,
        /// Form of the graph, as for check
        #[arg(long, value_name = "FORM", default_value = "reduced", value_parser = values::graph_form)]
        graph: Form,
        /// Also show what these constraints see, as for check
        #[arg(short, long, value_name = "C", value_parser = values::constraints)]
        constraint: Vec<String>,
        /// Leave out the dashed edges between tasks
        #[arg(long)]
        no_parallel: bool,
        #[command(flatten)]
        common: PictureArguments,
    },
    /// The control graphs of a model as the explicit engine runs it, or all of it as JSON
    Program(ProgramArguments),
    /// The automaton of a property or a constraint
    Automaton {
        /// A property file (.yaml)
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The property to draw, where the file has several
        #[arg(long, value_name = "NAME")]
        property: Option<String>,
        /// Draw this constraint on the model of the property instead
        #[arg(short, long, value_name = "C", value_parser = values::constraints)]
        constraint: Option<String>,
        #[command(flatten)]
        common: PictureArguments,
    },
}

#[derive(Debug, Args)]
pub(super) struct ProgramArguments {
    /// A Promela model (.pml) or a task model (.rs)
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// Only proctypes or tasks whose name matches; * matches any text
    #[arg(short, long, visible_alias = "task", value_name = "NAME")]
    pub proctype: Option<String>,
    /// Read the file in this language, whatever its name and text suggest
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Define a macro of a Promela model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
    /// Set a constant of a task model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// The default is svg or json for an output file that ends so, else dot
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ProgramFormat>,
    /// Write the result to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct LabelsArguments {
    /// A task model (.rs) or a Promela model (.pml)
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// Only labels that match; * matches any text
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Read the file in this language, whatever its name and text suggest
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Set a constant of a task model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// Define a macro of a Promela model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct RefineArguments {
    /// A property file (YAML) about a task model
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only properties whose name matches; * matches any text
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<String>,
    /// Use this model instead of the one that the property file names
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// Set a constant of the model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// Begin with this constraint, which is never dropped; may be repeated
    #[arg(short, long, value_name = "CONSTRAINT")]
    pub constraint: Vec<String>,
    /// Begin without the constraints of the property file
    #[arg(long)]
    pub no_default_constraints: bool,
    /// If no task and no variable rejects a counterexample, add a constraint file or a set from the folder constraints; the verdict then depends on this assumption, which is not checked
    #[arg(long)]
    pub assume: bool,
    /// Choose the constraints yourself in each round, in a terminal
    #[arg(short, long, conflicts_with_all = ["format", "output"])]
    pub interactive: bool,
    /// Write the constraints of a proof into the property file, as `constraints:` of the property
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Format of the output; the default is json if the output file ends in .json, else text
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<ReportFormat>,
    /// Write the result to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", help_heading = "Output", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
}

/// Limits of commands other than check.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct LimitArguments {
    /// Stop when the command uses this much memory: 500M, 4GiB; the default is three quarters of the free memory
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// Stop after this time: 10s, 5m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgramFormat {
    /// For Graphviz
    Dot,
    /// For a browser, laid out by Trapline itself
    Svg,
    /// For programs: locations, transitions with read and write sets, variables, channels
    Json,
}

#[derive(Debug, Args)]
pub(super) struct PictureArguments {
    /// Read the file in this language, whatever its name and text suggest
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Set a constant of the model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// The default is svg for an output file that ends in .svg, else dot
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// Write the picture to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE", value_parser = OutputFile::parser(), value_hint = ValueHint::FilePath)]
    #[arg(default_value = "-", hide_default_value = true)]
    pub output: OutputFile,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PictureFormat {
    /// For Graphviz
    Dot,
    /// For a browser, laid out by Trapline itself
    Svg,
}

#[derive(Debug, Args)]
pub(super) struct SimulateArguments {
    /// A Promela model (.pml) or a task model (.rs)
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Read the file in this language, whatever its name and text suggest
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
    /// Define a macro; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
    /// Set a constant of a task model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// Seed of the random choices; the default is a new one each time
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "trail"])]
    pub seed: Option<u64>,
    /// Stop after N steps: 500, 10k
    #[arg(long, value_name = "N", value_parser = values::count, default_value = "10k", conflicts_with_all = ["interactive", "trail"])]
    pub steps: u64,
    /// Choose each step yourself
    #[arg(short, long, conflicts_with_all = ["trail", "timeout"])]
    pub interactive: bool,
    /// Follow a trail: a report of check or a simulation in JSON, or a trail file of SPIN
    #[arg(short, long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// The property of the report whose counterexample is followed; the default is the first
    #[arg(long, value_name = "NAME", requires = "trail")]
    pub property: Option<String>,
    #[command(flatten)]
    pub semantics: SemanticsArguments,
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Show all steps of a long trail
    #[arg(long, requires = "trail", help_heading = "Output")]
    pub full: bool,
    /// Format of the output
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        conflicts_with = "interactive",
        help_heading = "Output"
    )]
    pub format: ReportFormat,
}

#[derive(Debug, Args)]
#[command(after_help = help::EXPERIMENT)]
pub(super) struct ExperimentArguments {
    /// A study (YAML); `trapline schema experiment` describes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the results go; the default is NAME.results in the current directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Only subjects whose name matches; * matches any text
    #[arg(long, value_name = "GLOB", help_heading = "Runs")]
    pub subjects: Option<String>,
    /// Only strategies whose label matches, and the baseline
    #[arg(long, value_name = "GLOB", help_heading = "Runs")]
    pub strategies: Option<String>,
    /// Repeat each run N times, whatever the study says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Runs")]
    pub repeat: Option<u32>,
    /// Number of runs at the same time; more than one disturbs the measured times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Runs")]
    pub jobs: u16,
    /// Discard recorded runs and start over
    #[arg(long, help_heading = "Runs")]
    pub fresh: bool,
    /// List the runs without running them
    #[arg(
        long,
        conflicts_with_all = ["fresh", "summary_only", "jobs", "format"],
        help_heading = "Runs"
    )]
    pub list: bool,
    /// Make tables and figures of the recorded runs without running anything
    #[arg(long, conflicts_with_all = ["fresh", "jobs"], help_heading = "Runs")]
    pub summary_only: bool,

    /// Format of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: ReportFormat,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Which format
    #[arg(value_enum)]
    pub what: SchemaName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaName {
    /// Property files
    Property,
    /// Constraint files
    Constraint,
    /// Studies for `experiment`
    Experiment,
    /// Files of subjects that studies include
    Subjects,
    /// `trapline.yaml`
    Config,
    /// What `check --format json` writes
    Report,
    /// What `graph program --format json` writes
    Program,
    /// What `simulate --format json` writes
    Simulation,
    /// What `refine --format json` writes
    Refinement,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManualArguments {
    /// Write one page per command into this directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use expect_test::{Expect, expect};

    #[test]
    fn the_description_of_the_arguments_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[track_caller]
    fn check_error(line: &str, expected: Expect) {
        let error = Arguments::try_parse_from(line.split(' ')).expect_err("the arguments are wrong");
        assert_eq!(error.exit_code(), 2);
        expected.assert_eq(&error.render().to_string());
    }

    #[test]
    fn wrong_arguments_say_what_would_be_right() {
        check_error(
            "trapline check --timeout 10",
            expect![[r#"
            error: invalid value '10' for '--timeout <DURATION>': a time needs a unit: write 10s or 10m

            For more information, try '--help'.
        "#]],
        );
        check_error(
            "trapline check --max-states many",
            expect![[r#"
            error: invalid value 'many' for '--max-states <N>': expected a number such as 20000, 10k or 5M

            For more information, try '--help'.
        "#]],
        );
        check_error(
            "trapline check --set N",
            expect![[r#"
            error: invalid value 'N' for '--set <NAME=VALUE>': expected NAME=VALUE, such as N=3

            For more information, try '--help'.
        "#]],
        );
        check_error(
            "trapline check --graph reduced,prun",
            expect![[r#"
            error: invalid value 'reduced,prun' for '--graph <FORM>': unknown form `prun`: did you mean `prune`?

            For more information, try '--help'.
        "#]],
        );
        check_error(
            "trapline check --stratgy bfs",
            expect![[r#"
            error: unexpected argument '--stratgy' found

              tip: a similar argument exists: '--strategy'

            Usage: trapline check --strategy <S> [FILES]...

            For more information, try '--help'.
        "#]],
        );
    }
}
