//! SPIN's never claims.

use super::{Foreign, formula, name, output, split};
use std::collections::HashMap;
use std::time::Duration;
use trapline::automata::buchi::Buchi;
use trapline::automata::ltl::Formula;

/// The claim that SPIN makes of a formula; `None` if there is no SPIN,
/// an error if it takes longer than `limit`.
pub fn claim(formula: &Formula, n_atoms: u32, limit: Duration) -> Option<Result<Foreign, Duration>> {
    let text = formula.show(&name).to_string();
    let written = output("spin", &["-f", &text], "", limit)?;
    Some(written.map(|claim| read(&claim, n_atoms)))
}

/// A claim is a row of labelled blocks: `skip`, `false`, or options of the
/// form `:: guard -> goto label`. An option that asserts the contrary of its
/// guard ends the claim, as `goto accept_all` does.
fn read(claim: &str, n_atoms: u32) -> Foreign {
    let mut number: HashMap<&str, u32> = HashMap::new();
    let mut accepting: Vec<bool> = Vec::new();
    let mut options: Vec<Vec<(&str, &str)>> = Vec::new();
    let mut is_open = false;
    for line in claim.lines().skip(1).map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            if !is_open {
                accepting.push(false);
                options.push(Vec::new());
            }
            is_open = true;
            number.insert(label, options.len() as u32 - 1);
            *accepting.last_mut().expect("just pushed") |= label.starts_with("accept");
            continue;
        }
        is_open = false;
        let Some(block) = options.last_mut() else { continue };
        if line.starts_with("skip") {
            block.push(("1", "accept_all"));
        } else if let Some(option) = line.strip_prefix(":: atomic {") {
            block.push((option.split("->").next().expect("a guard"), "accept_all"));
        } else if let Some(option) = line.strip_prefix("::").filter(|option| option.trim() != "false") {
            block.push(option.split_once("-> goto ").unwrap_or_else(|| panic!("unexpected: {line}")));
        }
    }
    let row = |block: &Vec<(&str, &str)>| {
        block
            .iter()
            .flat_map(|(guard, label)| split(&formula(guard.trim()), n_atoms, number[label.trim()]))
            .collect()
    };
    Foreign {
        n_states: options.len(),
        n_edges: options.iter().map(Vec::len).sum(),
        automaton: Buchi::new(accepting, options.iter().map(row).collect()),
    }
}
