//! The results of a study as JSON.

use super::Results;
use super::table::state;
use crate::experiment::summary::{Cell, Row};
use crate::experiment::{Measure, Subject};
use serde_json::{Map, Value, json};

/// Renders the document, ending with a newline.
pub fn render(results: &Results) -> String {
    let (plan, summary) = (results.plan, results.summary);
    let label = |at: usize| plan.strategies[at].0.clone();
    let name = |at: usize| plan.subjects[at].name.clone();
    let options: Map<String, Value> =
        plan.options.iter().map(|(flag, value)| (flag.clone(), json!(value))).collect();
    let strategies = plan.strategies.iter().zip(&summary.rows);
    let strategies: Vec<Value> = strategies.map(|((label, text), row)| strategy(label, text, row)).collect();
    let subjects: Vec<Value> =
        plan.subjects.iter().enumerate().map(|(at, it)| subject(results, at, it)).collect();
    let disagreements = summary.disagreements.iter().map(|it| {
        json!({
            "subject": name(it.subject), "label": label(it.strategy),
            "verdict": it.verdict, "baseline_verdict": it.expected,
        })
    });
    let unsteady = summary.unsteady.iter().map(|(subject, strategy, measure)| {
        json!({ "subject": name(*subject), "label": label(*strategy), "measure": measure.name() })
    });
    let failures = summary.failures.iter().map(|(run, reason)| {
        json!({
            "subject": name(run.subject), "label": label(run.strategy),
            "repetition": run.repetition, "reason": reason,
        })
    });
    let document = json!({
        "schema_version": 1,
        "tool": { "name": "trapline", "version": plan.version },
        "study": plan.name,
        "description": plan.description,
        "options": options,
        "repeat": plan.repeat,
        "baseline": label(plan.baseline),
        "runs": summary.n_runs,
        "missing_runs": summary.n_missing,
        "strategies": strategies,
        "subjects": subjects,
        "disagreements": disagreements.collect::<Vec<_>>(),
        "unsteady": unsteady.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    });
    crate::report::json::text_of(&document)
}

fn strategy(label: &str, text: &str, row: &Row) -> Value {
    let mut ratios = Map::new();
    for measure in Measure::ALL {
        let shown = row.spread(measure).map(|it| {
            json!({
                "subjects": it.count, "mean": it.mean, "deviation": it.deviation,
                "least": it.least, "worst": it.worst,
            })
        });
        ratios.insert(measure.name().to_string(), shown.unwrap_or(Value::Null));
    }
    json!({
        "label": label, "strategy": text, "answered": row.answered, "at_limit": row.limited,
        "failed": row.failed, "not_run": row.missing, "without_baseline": row.without_baseline,
        "ratios": ratios,
    })
}

fn subject(results: &Results, at: usize, subject: &Subject) -> Value {
    let plan = results.plan;
    // Numbers stay numbers; a macro may be any text.
    let value = |text: &String| text.parse::<i64>().map_or_else(|_| json!(text), |it| json!(it));
    let settings: Map<String, Value> =
        subject.settings.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let cells = plan.strategies.iter().zip(&results.summary.cells[at]).enumerate();
    let cells = cells.map(|(strategy, ((label, _), cell))| {
        let ratio = |measure| results.summary.ratio(at, strategy, plan.baseline, measure);
        (label.clone(), result(cell, &ratio))
    });
    json!({
        "name": subject.name, "label": subject.label, "system": subject.system, "property": subject.property,
        "settings": settings, "constraints": subject.constraints, "left_out": subject.left_out,
        "results": cells.collect::<Map<String, Value>>(),
    })
}

fn result(cell: &Cell, ratio: &dyn Fn(Measure) -> Option<f64>) -> Value {
    let ratios: Map<String, Value> =
        Measure::ALL.into_iter().map(|it| (it.name().to_string(), json!(ratio(it)))).collect();
    json!({
        "state": state(&cell.state), "repetitions": cell.repetitions,
        "median": cell.measures, "ratios": ratios,
    })
}
