//! Reference of the strategy language, one line per entry.

/// A rule of the language.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Name of the rule.
    pub name: &'static str,
    /// Syntax with arguments.
    pub form: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// Whether a search without a result is a proof.
    pub complete: &'static str,
    /// When no counterexample is shorter.
    pub shortest: &'static str,
}

/// An operator that combines rules.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Syntax.
    pub form: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// Whether a search without a result is a proof.
    pub complete: &'static str,
    /// When no counterexample is shorter.
    pub shortest: &'static str,
}

/// A name for a strategy that depends on whether the property has a trap.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// Strategy if a trap is reachable.
    pub with_trap: &'static str,
    /// Strategy otherwise.
    pub without_trap: &'static str,
    /// Strategy instead of both where an execution can end anywhere, so that
    /// the distance to its end is meaningless.
    pub ending_anywhere: Option<&'static str>,
}

/// All rules, in the order of the manual.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "bfs",
        form: "bfs",
        brief: "breadth first: the shortest path first",
        complete: "yes",
        shortest: "yes",
    },
    Algorithm {
        name: "bfs",
        form: "bfs(after=N)",
        brief: "replaces the other queues of its stage after N turns; heuristics are no longer evaluated",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "mixed",
        form: "mixed",
        brief: "breadth first alternating with depth first; a deep violation is shortened breadth first within a budget",
        complete: "yes",
        shortest: "within the budget, as reported",
    },
    Algorithm {
        name: "dfs",
        form: "dfs",
        brief: "depth first: the newest state first",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "dfs",
        form: "dfs(depth=N)",
        brief: "depth first along paths of at most N steps",
        complete: "up to the depth",
        shortest: "no",
    },
    Algorithm {
        name: "dfs",
        form: "dfs(shorten=exact)",
        brief: "depth first; after a violation only along shorter paths, until no shorter one exists",
        complete: "yes",
        shortest: "yes",
    },
    Algorithm {
        name: "dfs",
        form: "dfs(shorten=quick)",
        brief: "depth first; after a violation only along paths of half the length, each state once",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "astar",
        form: "astar(H)",
        brief: "A*: path length + estimate; shorter paths reopen states; goals are tested on expansion",
        complete: "yes",
        shortest: "if H is admissible",
    },
    Algorithm {
        name: "wa",
        form: "wa(H, w=1)",
        brief: "weighted A*: path length + w * estimate; only the first path to a state is used",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "wa",
        form: "wa(H, w=1, g=best)",
        brief: "weighted A*: path length + w * estimate; shorter paths reopen states",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "bf",
        form: "bf(H)",
        brief: "best first: the smallest estimate first",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "bf",
        form: "bf(H, turns=N)",
        brief: "best first for N turns; then the other queues of its stage continue without it",
        complete: "yes",
        shortest: "no",
    },
    Algorithm {
        name: "ida",
        form: "ida(H)",
        brief: "IDA*: depth first below a growing bound of path length + estimate; stores only the path",
        complete: "yes",
        shortest: "if H is admissible",
    },
    Algorithm {
        name: "ida",
        form: "ida(H, memory=table)",
        brief: "IDA* with a table of visited states, which are expanded again only on shorter paths",
        complete: "yes",
        shortest: "if H is admissible",
    },
    Algorithm {
        name: "ida",
        form: "ida(H, memory=bits)",
        brief: "IDA* with three bits per visited state; may miss states and shorter paths",
        complete: "no",
        shortest: "no",
    },
    Algorithm {
        name: "propagate",
        form: "propagate",
        brief: "state propagation: node by node to a fixpoint; violations are evaluated at the end",
        complete: "yes",
        shortest: "no",
    },
];

/// All operators, in the order of their precedence.
pub const OPERATORS: &[Operator] = &[
    Operator { form: "A + B", brief: "A; B breaks ties", complete: "yes", shortest: "if A is" },
    Operator {
        form: "A | B",
        brief: "two queues alternate over one visited set",
        complete: "yes",
        shortest: "no",
    },
    Operator {
        form: "A / B",
        brief: "two stages: A up to a trapped state, then B among trapped states; A continues if B finds nothing",
        complete: "yes",
        shortest: "prefix, if A is bfs",
    },
];

/// All presets, the default first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "auto",
        brief: "the default: finds short counterexamples fast",
        with_trap: "bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) / bf(ta)",
        without_trap: WITHOUT_TRAP,
        ending_anywhere: None,
    },
    Preset {
        name: "two-stage",
        brief: "the published two-stage search",
        with_trap: "bf(trap) + wa(ta, w=1) / bf(ta)",
        without_trap: WITHOUT_TRAP,
        ending_anywhere: None,
    },
    Preset {
        name: "quick",
        brief: "finds a counterexample fast, of any length",
        with_trap: "bf(reach) + wa(ta, w=1) + dfs / bf(ta) + dfs",
        without_trap: "bf(ta)",
        ending_anywhere: None,
    },
    Preset {
        name: "short",
        brief: "a shortest counterexample",
        with_trap: "astar(ta)",
        without_trap: "astar(ta)",
        ending_anywhere: Some("bfs"),
    },
];

/// Strategy that replaces a two-stage search if no trap is reachable.
pub const WITHOUT_TRAP: &str = "wa(ta, w=2)";
