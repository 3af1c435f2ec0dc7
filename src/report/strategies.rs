//! The description of the strategy language, from the tables of parser and
//! search.

use super::text::measure::{pad, width, wrap};
use super::text::plain::{NARROW, fitted};
use crate::verify::engine::{ENGINES, Engine};
use crate::verify::manual;

/// Renders the page for a terminal with this many columns.
pub fn render(columns: usize) -> String {
    let yes_or_no = |it: bool| if it { "yes" } else { "no" };
    let mut page = String::new();
    let rules = manual::ALGORITHMS.iter().map(|it| [it.form, it.complete, it.shortest, it.brief]);
    table(&mut page, ["RULE", "COMPLETE", "SHORTEST", ""], rules, columns);
    let operators = manual::OPERATORS.iter().map(|it| [it.form, it.complete, it.shortest, it.brief]);
    table(&mut page, ["OPERATOR", "COMPLETE", "SHORTEST", ""], operators, columns);
    let engines: Vec<[String; 3]> = ENGINES.iter().map(engine).collect();
    let heuristics =
        ENGINES.iter().flat_map(|engine| engine.guides().into_iter().map(|it| (engine.name, it)));
    let heuristics: Vec<[&str; 5]> = heuristics
        .map(|(engine, it)| [it.name, engine, yes_or_no(it.admissible), yes_or_no(it.monotone), it.brief])
        .collect();
    let titles = ["HEURISTIC", "ENGINE", "ADMISSIBLE", "MONOTONE", ""];
    table(&mut page, titles, heuristics.into_iter(), columns);
    let presets: Vec<[String; 3]> =
        ENGINES.iter().flat_map(|engine| engine.presets.iter().map(|it| preset(engine, it))).collect();
    table(&mut page, ["PRESET", "ENGINE", ""], presets.iter().map(texts), columns);
    table(&mut page, ["ENGINE", "ACCEPTS", ""], engines.iter().map(texts), columns);
    page += "SHORTEST: no counterexample is shorter. ADMISSIBLE: never more than the remaining steps.\n";
    page += "MONOTONE: a step lowers the estimate by at most one. H is a heuristic.\n";
    fitted(page, columns)
}

fn texts(row: &[String; 3]) -> [&str; 3] {
    row.each_ref().map(String::as_str)
}

fn engine(engine: &Engine) -> [String; 3] {
    let models: Vec<&str> = engine.models.iter().map(|it| it.name()).collect();
    [engine.name.to_owned(), models.join(", "), engine.brief.to_owned()]
}

fn preset(engine: &Engine, preset: &manual::Preset) -> [String; 3] {
    let mut meaning = match preset.with_trap == preset.without_trap {
        true => format!("{}: {}", preset.brief, preset.with_trap),
        false => format!(
            "{}: {}; if no trap of the property is reachable: {}",
            preset.brief, preset.with_trap, preset.without_trap
        ),
    };
    if let Some(strategy) = preset.ending_anywhere {
        meaning += &format!("; for prefixes of executions: {strategy}");
    }
    [preset.name.to_owned(), engine.name.to_owned(), meaning]
}

/// Renders the rows for a narrow terminal, with the cells below the name.
fn list<'t, const N: usize>(
    page: &mut String,
    titles: [&'t str; N],
    rows: impl Iterator<Item = [&'t str; N]>,
) {
    for row in rows {
        let named = |column: usize| format!("{}: {}", titles[column].to_lowercase(), row[column]);
        let cells: Vec<String> = (1..N - 1).map(named).collect();
        *page += &format!("{}  {}\n", titles[0], row[0]);
        for line in cells.iter().map(String::as_str).chain([row[N - 1]]).filter(|it| !it.is_empty()) {
            *page += &format!("  {line}\n");
        }
    }
    page.push('\n');
}

/// Renders rows whose last cell continues in the same column.
fn table<'t, const N: usize>(
    page: &mut String,
    titles: [&'t str; N],
    rows: impl Iterator<Item = [&'t str; N]> + Clone,
    columns: usize,
) {
    if columns < NARROW {
        return list(page, titles, rows);
    }
    let all = std::iter::once(titles).chain(rows);
    let widths: Vec<usize> =
        (0..N - 1).map(|column| all.clone().map(|row| width(row[column])).max().unwrap_or(0) + 2).collect();
    let indent: usize = widths.iter().sum();
    for row in all {
        let head: String = row.iter().zip(&widths).map(|(cell, &width)| pad(cell, width)).collect();
        let lines = wrap(row[N - 1].split(' '), columns.saturating_sub(indent).max(30));
        for (index, line) in lines.iter().enumerate() {
            let start = if index == 0 { head.clone() } else { " ".repeat(indent) };
            *page += format!("{start}{line}").trim_end();
            page.push('\n');
        }
    }
    page.push('\n');
}
