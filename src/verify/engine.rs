//! The engines: what each accepts, and which heuristics and presets its
//! strategies may name.
//!
//! Everything that lists or reads strategies goes through [`ENGINES`]: the
//! page of `trapline strategies`, `--strategy`, study files and reports.

use crate::diag::{Diagnostic, SourceId, Sources, Span, did_you_mean};
use crate::search::StrategyChoice;
use crate::search::strategy::manual::{PRESETS, Preset};
use crate::search::strategy::{Rule, parse};
use crate::system::Guide;
use crate::{explicit, flow};

/// A language of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// Concurrent tasks in the syntax of Rust.
    Task,
    /// Promela.
    Promela,
}

impl ModelKind {
    /// Returns the name of such models for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task models",
            Self::Promela => "Promela models",
        }
    }
}

/// An engine: decides properties of models.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// The name in reports.
    pub name: &'static str,
    /// One line for the manual.
    pub brief: &'static str,
    /// The models that it accepts.
    pub models: &'static [ModelKind],
    /// The unit of its counters, in the singular.
    pub unit: &'static str,
    /// The unit of its counters, in the plural.
    pub units: &'static str,
    /// The named strategies, the default first.
    pub presets: &'static [Preset],
    /// Whether a search in two stages uses the first one alone if the property
    /// has no trap.
    pub falls_back_to_first_stage: bool,
    /// Whether it searches by iterative deepening.
    pub deepens: bool,
    guides: fn() -> Vec<Guide>,
}

/// Searches for paths of the trace flow graph that satisfy the constraints.
pub const FLOW: Engine = Engine {
    name: "flow",
    brief: "paths of the trace flow graph that satisfy the constraints; counts node-tuples",
    models: &[ModelKind::Task],
    unit: "node-tuple",
    units: "node-tuples",
    presets: PRESETS,
    falls_back_to_first_stage: false,
    deepens: false,
    guides: flow::heuristics::guides,
};

/// Searches the states of a model.
pub const EXPLICIT: Engine = Engine {
    name: "explicit",
    brief: "every reachable state of the model; counts states",
    models: &[ModelKind::Promela, ModelKind::Task],
    unit: "state",
    units: "states",
    presets: &[
        Preset {
            name: "auto",
            brief: "the default: finds deep errors and short trails",
            with_trap: "mixed",
            without_trap: "mixed",
            ending_anywhere: None,
        },
        Preset {
            name: "short",
            brief: "a shortest trail",
            with_trap: "bfs",
            without_trap: "bfs",
            ending_anywhere: None,
        },
    ],
    falls_back_to_first_stage: true,
    deepens: true,
    guides: explicit::heuristics::guides,
};

/// All engines, in the order of the manual.
pub const ENGINES: &[Engine] = &[FLOW, EXPLICIT];

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Engine {}

impl Engine {
    /// Returns the engine for models of a kind.
    pub fn of(kind: ModelKind) -> &'static Self {
        match kind {
            ModelKind::Task => &ENGINES[0],
            ModelKind::Promela => &ENGINES[1],
        }
    }

    /// Returns the heuristics that a strategy may use.
    pub fn guides(&self) -> Vec<Guide> {
        (self.guides)()
    }

    /// Reads a strategy or the name of a preset.
    pub fn strategy(&self, source: SourceId, sources: &Sources) -> Result<StrategyChoice, Diagnostic> {
        let text = sources.get(source).text.trim();
        let own = self.presets.iter().find(|preset| preset.name == text);
        if let Some(preset) = own {
            return Ok(StrategyChoice::from(preset));
        }
        let choice = any_strategy(source, sources)?;
        let fault = |message: String| {
            let span = Span::new(source, 0..sources.get(source).text.len());
            Diagnostic::error("strategy-engine", span, message)
        };
        if let Some(preset) = choice.preset {
            let names = self.presets.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>();
            let message = format!("the {} engine has no preset `{preset}`", self.name);
            return Err(fault(message).with_help(format!("use {} or a strategy", names.join(", "))));
        }
        let is_deepening = |rule: &Rule| matches!(rule, Rule::Deepening { .. });
        if !self.deepens && choice.resolve(true).rules().any(is_deepening) {
            let message = format!("the {} engine does not search by iterative deepening", self.name);
            return Err(fault(message).with_help("use `astar(H)` instead of `ida(H)`"));
        }
        let guides = self.guides();
        let names = || guides.iter().map(|it| it.name);
        let mut asked = choice.resolve(true).rules().filter_map(Rule::heuristic);
        match asked.find(|name| !names().any(|it| it == *name)) {
            None if self.falls_back_to_first_stage => Ok(choice.clone().with_first_stage_alone()),
            None => Ok(choice.clone()),
            Some(name) => {
                let message = format!("the {} engine has no heuristic `{name}`", self.name);
                let help = did_you_mean(name, names()).unwrap_or_else(|| {
                    format!("the heuristics are {}", names().collect::<Vec<_>>().join(", "))
                });
                Err(fault(message).with_help(help))
            }
        }
    }
}

/// Reads a strategy of the flow engine; an error is rendered as text.
pub fn strategy_of(text: &str) -> Result<StrategyChoice, String> {
    let mut sources = Sources::default();
    let source = sources.add("strategy", text);
    FLOW.strategy(source, &sources).map_err(|fault| fault.render(&sources, false).to_string())
}

/// Returns the heuristics of all engines, without duplicates.
pub fn all_guides() -> Vec<Guide> {
    let mut all: Vec<Guide> = Vec::new();
    for guide in ENGINES.iter().flat_map(Engine::guides) {
        if all.iter().all(|known| known.name != guide.name) {
            all.push(guide);
        }
    }
    all
}

/// Reads a strategy or preset of any engine.
pub fn any_strategy(source: SourceId, sources: &Sources) -> Result<StrategyChoice, Diagnostic> {
    parse(source, sources, &all_guides())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(engine: &Engine, text: &str, expected: Expect) {
        let mut sources = Sources::default();
        let source = sources.add("--strategy", text);
        let shown = match engine.strategy(source, &sources) {
            Ok(choice) => choice.resolve(true).to_string(),
            Err(fault) => format!("{}: {}; {}", fault.code, fault.message, fault.help.unwrap_or_default()),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn presets_mean_what_suits_the_engine() {
        check(&FLOW, "short", expect!["astar(ta)"]);
        check(&EXPLICIT, " short ", expect!["bfs"]);
        check(&EXPLICIT, "auto", expect!["mixed"]);
        check(
            &EXPLICIT,
            "quick",
            expect![
                "strategy-engine: the explicit engine has no preset `quick`; use `auto`, `short` or a strategy"
            ],
        );
    }

    #[test]
    fn an_engine_refuses_what_it_does_not_have() {
        check(&FLOW, "bf(trap) / bf(ta)", expect!["bf(trap) / bf(ta)"]);
        check(&EXPLICIT, "dfs(depth=3)", expect!["dfs(depth=3)"]);
        check(&EXPLICIT, "astar(formula)", expect!["astar(formula)"]);
        check(&EXPLICIT, "bf(trap) / bf(end)", expect!["bf(trap) / bf(end)"]);
        check(
            &EXPLICIT,
            "bf(ta)",
            expect![
                "strategy-engine: the explicit engine has no heuristic `ta`; the heuristics are formula, formula-sum, active, dangerous, hamming, fsm, reach, trap, end"
            ],
        );
        check(
            &FLOW,
            "bf(formula)",
            expect![
                "strategy-engine: the flow engine has no heuristic `formula`; the heuristics are ta, trap, trap-fine, dtrap, dend, reach"
            ],
        );
        check(&EXPLICIT, "ida(formula, memory=table)", expect!["ida(formula, memory=table)"]);
        check(
            &FLOW,
            "ida(ta)",
            expect![
                "strategy-engine: the flow engine does not search by iterative deepening; use `astar(H)` instead of `ida(H)`"
            ],
        );
    }

    #[test]
    fn every_preset_of_every_engine_is_a_strategy_of_it() {
        for engine in ENGINES {
            assert_eq!(engine.presets[0].name, "auto", "the default is `auto`");
            for preset in engine.presets {
                let mut sources = Sources::default();
                let source = sources.add("preset", preset.name);
                assert!(engine.strategy(source, &sources).is_ok(), "{}: {}", engine.name, preset.name);
            }
        }
    }
}
