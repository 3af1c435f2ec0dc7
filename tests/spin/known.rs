//! Differences from SPIN that SEMANTICS.md names, recognised one by one. Only
//! a model that differs is looked at: a model that agrees counts as compared
//! whatever it contains.

use super::mutate::words;
use super::pan::Counted;
use std::collections::BTreeSet;

/// Why SPIN refuses a model that we accept, if SEMANTICS.md names the reason.
pub fn spin_refuses(text: &str, message: &str) -> Option<&'static str> {
    if names_field_like_proctype(&words(text), message) {
        return Some("SPIN refuses a field named like a proctype");
    }
    let reasons = [
        ("jump into d_step sequence", "SPIN refuses a jump onto a d_step"),
        ("breaks from d_step seq", "SPIN refuses a d_step that ends with nested blocks"),
        ("run operator in d_step", "SPIN refuses `run` in a d_step"),
        ("'run' in d_step sequence", "SPIN refuses `run` in a d_step"),
        ("goto loop", "SPIN refuses labels that jump to each other in a circle"),
        ("cycle of goto", "SPIN refuses labels that jump to each other in a circle"),
        ("confusing control structure", "SPIN refuses labels that jump to each other in a circle"),
    ];
    reasons.iter().find(|(part, _)| message.contains(part)).map(|(_, reason)| *reason)
}

/// Why we refuse a model that SPIN accepts, if SEMANTICS.md names the reason
/// for each error of `diagnostics`.
pub fn we_refuse(text: &str, diagnostics: &str, theirs: &Counted) -> Option<&'static str> {
    let n_errors = diagnostics.lines().filter(|it| it.starts_with("error[")).count();
    if theirs.broken == Some("vector") && n_errors == 1 && diagnostics.contains("error[promela-size]") {
        return Some("a state is larger than our limit and pan's VECTORSZ");
    }
    let words = words(text);
    let is_proctype = |name: &str| words.windows(2).any(|it| it[0] == "proctype" && it[1] == name);
    let name_of = |line: &'_ str| -> Option<String> {
        let rest = line.strip_prefix("error[promela-redeclared]: variable `")?;
        rest.strip_suffix("` is already declared").map(String::from)
    };
    let n_named = diagnostics.lines().filter_map(name_of).filter(|it| is_proctype(it)).count();
    (n_errors > 0 && n_errors == n_named).then_some("a local variable has the name of a later proctype")
}

/// Why the counts or errors of a model differ, if SEMANTICS.md names the
/// reason.
pub fn differs(text: &str, ours: &BTreeSet<&str>, theirs: &Counted) -> Option<&'static str> {
    let words = words(text);
    let has_theirs = |kind: &str| theirs.kinds.contains(&kind);
    match () {
        () if has_theirs("other") && nests_d_step_in_option(&words) => {
            Some("an option of a d_step begins with a d_step")
        }
        () if ours.contains("crash") && divides_one(&words) => Some("gcc folds `1 / x`"),
        () => None,
    }
}

/// Is the first error of SPIN the use of a field that has the name of a proctype?
fn names_field_like_proctype(words: &[String], message: &str) -> bool {
    let Some(first) = message.lines().find(|it| it.contains("Error: ")) else { return false };
    let Some((_, rest)) = first.split_once("saw 'process name' near '") else { return false };
    let name = rest.trim_end_matches('\'');
    let follows = |before: &str| words.windows(2).any(|it| it[0] == before && it[1] == name);
    follows("proctype") && follows(".")
}

/// Is there an option that begins with a d_step, within a d_step?
fn nests_d_step_in_option(words: &[String]) -> bool {
    let mut open = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match &word[..] {
            "{" => open.push(at > 0 && words[at - 1] == "d_step"),
            "}" => {
                open.pop();
            }
            "::" if open.contains(&true) && words.get(at + 1).is_some_and(|it| it == "d_step") => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Is 1 divided by anything but a number?
fn divides_one(words: &[String]) -> bool {
    let is_number = |it: &str| it.starts_with(|c: char| c.is_ascii_digit());
    words.windows(3).any(|it| it[0] == "1" && ["/", "%"].contains(&&it[1][..]) && !is_number(&it[2]))
}
