//! The list of the runs of a study.

use crate::experiment::Plan;
use crate::report::text::measure::{count, pad, width};
use crate::report::text::paint::printed_line;

/// Renders subjects, strategies and the number of runs.
pub fn render(plan: &Plan) -> String {
    let mut lines = vec![format!("subjects ({})", plan.subjects.len())];
    lines.extend(plan.subjects.iter().map(|subject| {
        let constraints = match subject.constraints.is_empty() {
            true => "no constraints".to_string(),
            false => subject.constraints.join(", "),
        };
        format!("  {}  [{constraints}]", subject.name)
    }));
    lines.push(format!("strategies ({})", plan.strategies.len()));
    let widest = plan.strategies.iter().map(|(label, _)| width(label)).max().unwrap_or(0);
    for (at, (label, text)) in plan.strategies.iter().enumerate() {
        let mark = if at == plan.baseline { "  (baseline)" } else { "" };
        let text = if label == text { "" } else { text };
        lines.push(format!("  {}  {text}{mark}", pad(label, widest)).trim_end().to_string());
    }
    if !plan.options.is_empty() {
        let options: Vec<String> =
            plan.options.iter().map(|(flag, value)| format!("--{flag} {value}")).collect();
        lines.push(format!("options  {}", options.join(" ")));
    }
    let n_runs = plan.runs().len() as u64;
    lines.push(format!("{}, {} each", count(n_runs, "run"), count(plan.repeat.into(), "repetition")));
    lines.iter().map(|line| printed_line(line) + "\n").collect()
}
