//! Parser for strategies, with diagnostics.

use super::manual::{ALGORITHMS, PRESETS, Preset, WITHOUT_TRAP};
use super::{Chain, DeepeningMemory, PathLength, Rule, Shorten, Stage, Strategy, Weight};
use crate::diag::{Diagnostic, SourceId, Sources, Span, suggest};
use crate::system::Guide;

const CODE: &str = "strategy";

/// Maximum number of rules of a strategy: a state costs time and memory for
/// each.
const MAX_RULES: usize = 100;

/// Numeric options of all rules.
const OPTIONS: [&str; 4] = ["w", "depth", "turns", "after"];

/// The requested strategy, which can depend on whether a trap of the property
/// is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyChoice {
    /// Name of the preset, if a preset was requested.
    pub preset: Option<&'static str>,
    with_trap: Strategy,
    without_trap: Strategy,
    ending_anywhere: Option<Strategy>,
}

impl StrategyChoice {
    /// Returns the strategy for a property.
    pub fn resolve(&self, has_trap: bool) -> &Strategy {
        if has_trap { &self.with_trap } else { &self.without_trap }
    }

    /// Returns whether the strategy, with a trap, uses a heuristic.
    pub fn uses(&self, heuristic: &str) -> bool {
        self.with_trap.rules().any(|rule| rule.heuristic() == Some(heuristic))
    }

    /// Returns the choice for executions that can end anywhere.
    pub fn ending_anywhere(&self) -> Self {
        match &self.ending_anywhere {
            Some(strategy) => Self { preset: self.preset, ..Self::from(strategy.clone()) },
            None => self.clone(),
        }
    }

    /// Returns the choice that uses the first stage alone where there is no trap.
    pub fn with_first_stage_alone(self) -> Self {
        let first = self.with_trap.stages.first().cloned();
        match first.filter(|_| self.preset.is_none() && self.with_trap.has_two_stages()) {
            Some(first) => Self { without_trap: Strategy { stages: vec![first] }, ..self },
            None => self,
        }
    }

    /// Returns whether to report that another strategy is used because there is
    /// no trap. For the default this is not reported.
    pub fn falls_back(&self, has_trap: bool) -> bool {
        !has_trap && self.with_trap.has_two_stages() && self.preset != Some(PRESETS[0].name)
    }
}

impl Default for StrategyChoice {
    fn default() -> Self {
        Self::from(Strategy::bfs())
    }
}

impl From<Strategy> for StrategyChoice {
    /// Adds the fallback of a two-stage search, which needs a trap.
    fn from(strategy: Strategy) -> Self {
        let without_trap = if strategy.has_two_stages() { built_in(WITHOUT_TRAP) } else { strategy.clone() };
        Self { preset: None, with_trap: strategy, without_trap, ending_anywhere: None }
    }
}

impl From<&Preset> for StrategyChoice {
    fn from(preset: &Preset) -> Self {
        Self {
            preset: Some(preset.name),
            with_trap: built_in(preset.with_trap),
            without_trap: built_in(preset.without_trap),
            ending_anywhere: preset.ending_anywhere.map(built_in),
        }
    }
}

/// Parses a strategy or the name of a preset; heuristics are those of `guides`.
pub fn parse(source: SourceId, sources: &Sources, guides: &[Guide]) -> Result<StrategyChoice, Diagnostic> {
    let text = &sources.get(source).text;
    if let Some(preset) = PRESETS.iter().find(|preset| preset.name == text.trim()) {
        return Ok(StrategyChoice::from(preset));
    }
    let names: Vec<&str> = guides.iter().map(|guide| guide.name).collect();
    Parser::new(source, text, Some(&names)).strategy().map(StrategyChoice::from)
}

/// Parses a strategy with any names of heuristics; presets are not strategies.
impl std::str::FromStr for Strategy {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        Parser::new(SourceId::default(), text, None).strategy()
    }
}

/// Parses a strategy that is a constant of this program.
fn built_in(text: &str) -> Strategy {
    let strategy = Parser::new(SourceId::default(), text, None).strategy();
    strategy.unwrap_or_else(|fault| panic!("`{text}` is a strategy: {}", fault.message))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Number(&'t str),
    Sign(char),
    End,
}

struct Parser<'t> {
    source: SourceId,
    text: &'t str,
    /// Start of the next token.
    at: usize,
    token: Token<'t>,
    /// Span of the token.
    span: Span,
    /// End of the previous token.
    end_of_last: usize,
    /// Number of rules read so far.
    n_rules: usize,
    /// Known heuristics; `None` if any name is accepted.
    heuristics: Option<&'t [&'t str]>,
}

type Placed<T> = (T, Span);

impl<'t> Parser<'t> {
    fn new(source: SourceId, text: &'t str, heuristics: Option<&'t [&'t str]>) -> Self {
        let span = Span::new(source, 0..0);
        let mut parser =
            Self { source, text, at: 0, token: Token::End, span, end_of_last: 0, n_rules: 0, heuristics };
        parser.advance();
        parser
    }

    fn advance(&mut self) {
        self.end_of_last = self.span.end as usize;
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        let run = |accepts: fn(char) -> bool| rest.find(|c| !accepts(c)).unwrap_or(rest.len());
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let length = run(|c| c.is_alphanumeric() || c == '-' || c == '_' || c == '*');
                (Token::Word(&rest[..length]), length)
            }
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let length = run(|c| c.is_alphanumeric() || c == '.' || c == '-');
                (Token::Number(&rest[..length]), length)
            }
            Some(c) => (Token::Sign(c), c.len_utf8()),
        };
        self.token = token;
        self.span = Span::new(self.source, start..start + length);
        self.at = start + length;
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.token == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn fault<T>(&self, span: Span, message: String, help: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(CODE, span, message).with_help(help))
    }

    fn unexpected<T>(&self, expected: &str, help: impl Into<String>) -> Result<T, Diagnostic> {
        let found = match self.token {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", &self.text[self.span.range()]),
        };
        self.fault(self.span, format!("expected {expected}, found {found}"), help)
    }

    fn since(&self, start: Span) -> Span {
        Span::new(self.source, start.start as usize..self.end_of_last)
    }

    fn strategy(mut self) -> Result<Strategy, Diagnostic> {
        let mut stages = vec![self.stage()?];
        while self.token == Token::Sign('/') {
            let slash = self.span;
            self.advance();
            if stages.len() == 2 {
                return self.fault(
                    slash,
                    "a strategy has at most two stages".to_owned(),
                    "write at most one `/`",
                );
            }
            stages.push(self.stage()?);
        }
        if self.token != Token::End {
            let help = "join rules with `+`, queues with `|` and stages with `/`";
            return self.unexpected("an operator or the end", help);
        }
        self.check_whole(&stages)?;
        let strip = |stage: Vec<Vec<Placed<Rule>>>| Stage {
            queues: stage
                .into_iter()
                .map(|chain| Chain { rules: chain.into_iter().map(|(rule, _)| rule).collect() })
                .collect(),
        };
        Ok(Strategy { stages: stages.into_iter().map(strip).collect() })
    }

    fn stage(&mut self) -> Result<Vec<Vec<Placed<Rule>>>, Diagnostic> {
        let mut queues = vec![self.chain()?];
        while self.take('|') {
            queues.push(self.chain()?);
        }
        Ok(queues)
    }

    fn chain(&mut self) -> Result<Vec<Placed<Rule>>, Diagnostic> {
        let mut rules = vec![self.rule()?];
        while self.take('+') {
            rules.push(self.rule()?);
        }
        for (position, (rule, span)) in rules.iter().enumerate() {
            if matches!(rule, Rule::Dfs { .. }) && position + 1 < rules.len() {
                let help = "`dfs` leaves no ties: put it last";
                return self.fault(*span, "a rule after `dfs` has no effect".to_owned(), help);
            }
            if matches!(rule, Rule::AStar { .. }) && position > 0 {
                let help = "write `wa(H, w=1, g=best)` to break ties by path length and estimate";
                return self.fault(*span, "`astar` can only come first".to_owned(), help);
            }
            if matches!(rule, Rule::Best { turns: Some(_), .. }) && position > 0 {
                let message = "`turns` is only allowed in the first rule of a queue".to_owned();
                return self.fault(
                    *span,
                    message,
                    "move it to the first rule: it applies to the whole queue",
                );
            }
            if matches!(rule, Rule::BfsAfter { .. }) && rules.len() > 1 {
                let message = "`bfs(after=N)` cannot be combined with other rules in its queue".to_owned();
                return self.fault(
                    *span,
                    message,
                    "write `bfs` here, or use a separate queue: `bf(a) | bfs(after=N)`",
                );
            }
        }
        Ok(rules)
    }

    /// Checks the requirements of rules on the whole strategy.
    fn check_whole(&self, stages: &[Vec<Vec<Placed<Rule>>>]) -> Result<(), Diagnostic> {
        let rules: Vec<&Placed<Rule>> = stages.iter().flatten().flatten().collect();
        let n_queues: usize = stages.iter().map(Vec::len).sum();
        let is_bounded = |chain: &Vec<Placed<Rule>>| matches!(chain[0].0, Rule::Best { turns: Some(_), .. });
        let takes_over = |chain: &&Vec<Placed<Rule>>| matches!(chain[0].0, Rule::BfsAfter { .. });
        for stage in stages {
            let mut late = stage.iter().filter(takes_over);
            if let (Some(first), true) =
                (late.next(), stage.iter().all(|chain| takes_over(&chain) || is_bounded(chain)))
            {
                let message = "`bfs(after=N)` has no other queue to replace".to_owned();
                let help = "add a queue without `turns`: `bf(a) | bfs(after=1000000)`";
                return self.fault(first[0].1, message, help);
            }
            if let Some(second) = late.next() {
                let message = "this stage has two queues `bfs(after=N)`".to_owned();
                return self.fault(second[0].1, message, "remove one of them");
            }
            if stage.iter().all(is_bounded) {
                let message = "every queue of this stage ends after its `turns`".to_owned();
                let help = "add a queue without `turns`: `bf(a) | bf(b, turns=10000)`";
                return self.fault(stage[0][0].1, message, help);
            }
        }
        for (rule, span) in &rules {
            match rule {
                Rule::Propagate if rules.len() > 1 => {
                    let message = "`propagate` cannot be combined with other rules".to_owned();
                    let help = "it visits all states node by node, so other rules have no effect";
                    return self.fault(*span, message, help);
                }
                Rule::Mixed if rules.len() > 1 => {
                    let message = "`mixed` cannot be combined with other rules".to_owned();
                    return self.fault(*span, message, "write `bfs | dfs` for two alternating queues");
                }
                Rule::Deepening { .. } if rules.len() > 1 => {
                    let message = "`ida` cannot be combined with other rules".to_owned();
                    let help = "it follows one path at a time and has no queue; use `astar(H)` instead";
                    return self.fault(*span, message, help);
                }
                Rule::Shorten(_) if rules.len() > 1 => {
                    let message = "`shorten` cannot be combined with other rules".to_owned();
                    return self.fault(*span, message, "write `dfs` without `shorten`");
                }
                Rule::Dfs { depth: Some(_) } if rules.len() > 1 => {
                    let message = "a depth bound cannot be combined with other rules".to_owned();
                    return self.fault(*span, message, "write `dfs` without `depth`");
                }
                Rule::AStar { .. } if n_queues > 1 => {
                    let message = "`astar` needs one stage and one queue".to_owned();
                    let help = "it guarantees the shortest path only alone; use `wa(H, w=1)` instead";
                    return self.fault(*span, message, help);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn rule(&mut self) -> Result<Placed<Rule>, Diagnostic> {
        let Token::Word(name) = self.token else {
            let names = algorithm_names().join(", ");
            return self.unexpected("a rule", format!("the rules are {names}"));
        };
        let start = self.span;
        self.n_rules += 1;
        if self.n_rules > MAX_RULES {
            let message = format!("a strategy has at most {MAX_RULES} rules");
            return self.fault(start, message, "remove some rules: late ones break few ties");
        }
        self.advance();
        if !algorithm_names().contains(&name) {
            return self.unknown_rule(name, start);
        }
        let arguments = self.arguments()?;
        let rule = self.rule_of(name, start, arguments)?;
        Ok((rule, self.since(start)))
    }

    fn unknown_rule<T>(&self, name: &str, span: Span) -> Result<T, Diagnostic> {
        if PRESETS.iter().any(|preset| preset.name == name) {
            let message = format!("the preset `{name}` cannot be part of a strategy");
            return self.fault(span, message, "`trapline strategies` shows the strategy of the preset");
        }
        let heuristic = self.heuristics.unwrap_or_default().contains(&name);
        let presets = PRESETS.iter().map(|preset| preset.name);
        let help = match suggest(name, algorithm_names().into_iter().chain(presets)) {
            _ if name.eq_ignore_ascii_case("a*") => "did you mean `astar`?".to_owned(),
            _ if heuristic => format!("`{name}` is a heuristic: write `bf({name})` or `wa({name}, w=1)`"),
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "`trapline strategies` lists all rules and presets".to_owned(),
        };
        self.fault(span, format!("unknown rule `{name}`"), help)
    }

    fn arguments(&mut self) -> Result<Arguments<'t>, Diagnostic> {
        let mut arguments = Arguments { heuristic: None, keys: Vec::new() };
        if !self.take('(') || self.take(')') {
            return Ok(arguments);
        }
        loop {
            let (token, span) = (self.token, self.span);
            match token {
                Token::Word(name) => {
                    self.advance();
                    if self.take('=') {
                        let value = match self.token {
                            Token::Number(value) | Token::Word(value) => value,
                            _ => {
                                return self
                                    .unexpected("a value", format!("write a value, such as `{name}=2`"));
                            }
                        };
                        arguments.keys.push((name, span, value, self.span));
                        self.advance();
                    } else if arguments.heuristic.is_none() {
                        arguments.heuristic = Some((name, span));
                    } else if OPTIONS.contains(&name) {
                        return self
                            .unexpected("`=`", format!("an option needs a value, such as `{name}=2`"));
                    } else {
                        let help = "join two rules with `+`: `bf(a) + bf(b)`";
                        return self.fault(span, "a rule takes only one heuristic".to_owned(), help);
                    }
                }
                _ => {
                    return self
                        .unexpected("a heuristic or `key=value`", "write, for example, `wa(ta, w=2)`");
                }
            }
            if self.take(')') {
                return Ok(arguments);
            }
            if !self.take(',') {
                let help = match self.token {
                    Token::End => "close the parenthesis with `)`",
                    _ => "separate arguments by commas",
                };
                return self.unexpected("`,` or `)`", help);
            }
        }
    }

    fn rule_of(&self, name: &str, span: Span, arguments: Arguments<'t>) -> Result<Rule, Diagnostic> {
        match name {
            "bfs" => {
                self.expect_no_heuristic(name, &arguments)?;
                self.expect_keys(&arguments, &["after"])?;
                let turns = arguments.key("after").map(|(value, at)| self.turns(value, at)).transpose()?;
                Ok(turns.map_or(Rule::Bfs, |turns| Rule::BfsAfter { turns }))
            }
            "propagate" | "mixed" => {
                self.expect_no_heuristic(name, &arguments)?;
                self.expect_keys(&arguments, &[])?;
                Ok(if name == "mixed" { Rule::Mixed } else { Rule::Propagate })
            }
            "dfs" => {
                self.expect_no_heuristic(name, &arguments)?;
                self.expect_keys(&arguments, &["depth", "shorten"])?;
                if let Some((value, at)) = arguments.key("shorten") {
                    return self.shorten(value, at, &arguments);
                }
                let depth = arguments.key("depth").map(|(value, at)| self.depth(value, at)).transpose()?;
                Ok(Rule::Dfs { depth })
            }
            _ => {
                let heuristic = self.heuristic(name, span, &arguments)?;
                let keys: &[&str] = match name {
                    "wa" => &["w", "g"],
                    "bf" => &["turns"],
                    "ida" => &["memory"],
                    _ => &[],
                };
                self.expect_keys(&arguments, keys)?;
                match name {
                    "astar" => Ok(Rule::AStar { heuristic }),
                    "ida" => {
                        let memory = match arguments.key("memory") {
                            None => DeepeningMemory::Nothing,
                            Some(("table", _)) => DeepeningMemory::Table,
                            Some(("bits", _)) => DeepeningMemory::Bits,
                            Some((value, at)) => {
                                let message = format!("`{value}` is not a value of `memory`");
                                return self.fault(at, message, "write `memory=table` or `memory=bits`");
                            }
                        };
                        Ok(Rule::Deepening { heuristic, memory })
                    }
                    "bf" => {
                        let turns = arguments.key("turns").map(|(value, at)| self.turns(value, at));
                        Ok(Rule::Best { heuristic, turns: turns.transpose()? })
                    }
                    _ => {
                        let weight = match arguments.key("w") {
                            Some((value, at)) => self.weight(value, at)?,
                            None => Weight::ONE,
                        };
                        let g = match arguments.key("g") {
                            None | Some(("first", _)) => PathLength::First,
                            Some(("best", _)) => PathLength::Best,
                            Some((value, at)) => {
                                let message = format!("`{value}` is not a value of `g`");
                                return self.fault(at, message, "write `g=first` or `g=best`");
                            }
                        };
                        Ok(Rule::Weighted { heuristic, weight, g })
                    }
                }
            }
        }
    }

    fn expect_no_heuristic(&self, rule: &str, arguments: &Arguments) -> Result<(), Diagnostic> {
        match arguments.heuristic {
            None => Ok(()),
            Some((name, span)) => {
                let help = match OPTIONS.contains(&name) {
                    true => format!("an option needs a value, such as `{name}=2`"),
                    false => format!("to use a heuristic, write `bf({name})` or `wa({name}, w=1)`"),
                };
                self.fault(span, format!("`{rule}` takes no heuristic"), help)
            }
        }
    }

    fn heuristic(&self, rule: &str, span: Span, arguments: &Arguments) -> Result<String, Diagnostic> {
        let Some((name, at)) = arguments.heuristic else {
            let example = self.heuristics.and_then(|all| all.first()).copied().unwrap_or("ta");
            return self.fault(
                span,
                format!("`{rule}` needs a heuristic"),
                format!("write `{rule}({example})`"),
            );
        };
        let Some(known) = self.heuristics else { return Ok(name.to_owned()) };
        if known.contains(&name) {
            return Ok(name.to_owned());
        }
        let help = match suggest(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the heuristics are {}", known.join(", ")),
        };
        self.fault(at, format!("unknown heuristic `{name}`"), help)
    }

    fn expect_keys(&self, arguments: &Arguments, known: &[&str]) -> Result<(), Diagnostic> {
        for (index, (key, span, ..)) in arguments.keys.iter().enumerate() {
            if !known.contains(key) {
                let help = match (suggest(key, known.iter().copied()), known) {
                    (Some(meant), _) => format!("did you mean `{meant}`?"),
                    (None, []) => "this rule has no options".to_owned(),
                    (None, known) => format!("the options are {}", known.join(", ")),
                };
                return self.fault(*span, format!("unknown option `{key}`"), help);
            }
            if arguments.keys[..index].iter().any(|(other, ..)| other == key) {
                return self.fault(*span, format!("`{key}` is given twice"), "remove one of them");
            }
        }
        Ok(())
    }

    fn weight(&self, value: &str, span: Span) -> Result<Weight, Diagnostic> {
        match Weight::parse(value) {
            Some(weight) => Ok(weight),
            None => {
                let help = format!("write a number from 0 to {} with at most two decimals", Weight::MAX);
                self.fault(span, format!("`{value}` is not a valid weight"), help)
            }
        }
    }

    fn turns(&self, value: &str, span: Span) -> Result<u32, Diagnostic> {
        match value.parse::<u32>() {
            Ok(turns) if turns > 0 => Ok(turns),
            _ => {
                let help = format!("write a number from 1 to {}", u32::MAX);
                self.fault(span, format!("`{value}` is not a valid number of turns"), help)
            }
        }
    }

    fn shorten(&self, value: &str, span: Span, arguments: &Arguments) -> Result<Rule, Diagnostic> {
        if arguments.key("depth").is_some() {
            let message = "`shorten` and `depth` cannot be used together".to_owned();
            return self.fault(span, message, "remove one of them: `shorten` sets the depth automatically");
        }
        match value {
            "exact" => Ok(Rule::Shorten(Shorten::Exact)),
            "quick" => Ok(Rule::Shorten(Shorten::Quick)),
            _ => {
                let message = format!("`{value}` is not a value of `shorten`");
                self.fault(span, message, "write `shorten=exact` or `shorten=quick`")
            }
        }
    }

    fn depth(&self, value: &str, span: Span) -> Result<u32, Diagnostic> {
        match value.parse::<u32>() {
            Ok(depth) if depth > 0 => Ok(depth),
            _ => {
                let help = format!("write a number of steps from 1 to {}", u32::MAX);
                self.fault(span, format!("`{value}` is not a valid depth"), help)
            }
        }
    }
}

struct Arguments<'t> {
    heuristic: Option<(&'t str, Span)>,
    /// Key, its span, value, its span.
    keys: Vec<(&'t str, Span, &'t str, Span)>,
}

impl<'t> Arguments<'t> {
    fn key(&self, name: &str) -> Option<(&'t str, Span)> {
        self.keys.iter().find(|(key, ..)| *key == name).map(|&(_, _, value, at)| (value, at))
    }
}

fn algorithm_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    names.dedup();
    names
}
