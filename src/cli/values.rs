//! Values of options: counts, sizes, times, settings, lists.
//!
//! Each parser is a function from the typed text to a value or to an error
//! message that says what to type.

use clap::builder::{OsStringValueParser, TypedValueParser};
use std::num::{IntErrorKind, ParseIntError};
use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;
use trapline::diag::did_you_mean;
use trapline::verify::Form;
use trapline::verify::workspace::Setting;

/// Where a result goes: a file, or standard output for `-`.
#[derive(Clone, Debug)]
pub(super) struct OutputFile(Option<PathBuf>);

impl OutputFile {
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().map(|typed| Self((typed != "-").then(|| typed.into())))
    }
}

impl Deref for OutputFile {
    type Target = Option<PathBuf>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Parses `NAME` or `NAME=TEXT`; the default text is 1, as for a C compiler.
pub(super) fn definition(typed: &str) -> Result<(String, String), String> {
    let (name, text) = typed.split_once('=').unwrap_or((typed, "1"));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(is_word) {
        true => Ok((name.to_string(), text.to_string())),
        false => Err("expected a name, or a name and its value, such as N=4".to_string()),
    }
}

/// Parses a count such as `10k`, `5M` or `1_000_000`.
pub(super) fn count(typed: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(typed).ok_or("expected a number such as 20000, 10k or 5M")?;
    let factor = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        _ => return Err(format!("unknown unit `{unit}`: expected k, M or G, as in 10k or 5M")),
    };
    scaled(number, factor)
}

/// Parses a number of threads; `all` is one per processor.
pub(super) fn threads(typed: &str) -> Result<u16, String> {
    const MAX_THREADS: u16 = 256;
    if typed == "all" {
        let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        return Ok(all.min(MAX_THREADS.into()) as u16);
    }
    let number = typed.parse().ok().filter(|it| (1..=MAX_THREADS).contains(it));
    number.ok_or(format!("expected a number from 1 to {MAX_THREADS}, or `all`"))
}

/// Parses a size such as `500M` or `4GiB`: powers of 1024, or of 1000 with a B
/// alone as in `500MB`.
pub(super) fn size(typed: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(typed).ok_or("expected a size such as 500M or 4GiB")?;
    let lower = unit.to_lowercase();
    let power = |letter: &str| ["k", "m", "g", "t"].iter().position(|it| *it == letter);
    let factor = match lower.as_str() {
        "" => return Err(format!("a size needs a unit: write {typed}M or {typed}GiB")),
        "b" => Some(1),
        unit => match (unit.strip_suffix("ib"), unit.strip_suffix('b')) {
            (Some(letter), _) => power(letter).map(|it| 1024_u64.pow(it as u32 + 1)),
            (None, Some(letter)) => power(letter).map(|it| 1000_u64.pow(it as u32 + 1)),
            (None, None) => power(unit).map(|it| 1024_u64.pow(it as u32 + 1)),
        },
    };
    let factor = factor.ok_or(format!("unknown unit `{unit}`: expected K, M, G or T, as in 500M or 4GiB"))?;
    scaled(number, factor)
}

/// Parses a duration such as `10s`, `5m`, `1h30m` or `250ms`.
pub(super) fn duration(typed: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a time such as 10s, 5m or 1h30m";
    let mut total = Duration::ZERO;
    let mut rest = typed.trim();
    if rest.is_empty() {
        return Err(EXPECTED.to_string());
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits);
        let tail = tail.trim_start();
        let letters = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let number: f64 = number.parse().map_err(|_| EXPECTED)?;
        let seconds = match unit {
            "ms" => 0.001,
            "s" | "sec" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            "" => return Err(format!("a time needs a unit: write {typed}s or {typed}m")),
            _ => return Err(format!("unknown unit `{unit}`: expected ms, s, m or h, as in 1h30m")),
        };
        let part = Duration::try_from_secs_f64(number * seconds).map_err(|_| "this time is too long")?;
        total = total.checked_add(part).ok_or("this time is too long")?;
        rest = tail.trim_start();
    }
    if total.is_zero() { Err("the time must be positive".to_string()) } else { Ok(total) }
}

/// Parses a setting such as `N=3` or `FAIR=true`.
pub(super) fn setting(typed: &str) -> Result<Setting, String> {
    let (name, value) = typed.split_once('=').ok_or("expected NAME=VALUE, such as N=3")?;
    let (name, value) = (name.trim(), value.trim());
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if !is_name {
        return Err(format!("`{name}` is not the name of a constant: expected NAME=VALUE, such as N=3"));
    }
    let number = match value {
        "true" => Ok(1),
        "false" => Ok(0),
        _ => value.replace('_', "").parse(),
    };
    let value = number.map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => format!("`{value}` does not fit in 64 bits"),
        _ => format!("`{value}` is neither an integer nor true or false"),
    })?;
    Ok(Setting { name: name.to_string(), value, typed: typed.to_string() })
}

/// Checks that a list of constraints names at least one.
pub(super) fn constraints(typed: &str) -> Result<String, String> {
    match comma_list(typed).is_empty() {
        true => Err("expected task:NAME, variable:NAME, a constraint file or FILE#SET".to_string()),
        false => Ok(typed.to_string()),
    }
}

/// Parses a graph form such as `reduced,no-prune`: optionally a form, then
/// changes to it. No word may undo another.
pub(super) fn graph_form(typed: &str) -> Result<Form, String> {
    let mut form = Form::REDUCED;
    let mut earlier: Vec<&str> = Vec::new();
    for word in typed.split(',').map(str::trim) {
        if let Some(undone) = earlier.iter().find(|it| is_undone(it, word)) {
            return Err(format!(
                "`{word}` conflicts with `{undone}`: remove one of them; `faithful` and `reduced` must come first"
            ));
        }
        earlier.push(word);
        let (name, on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
        match word {
            "faithful" => form = Form::FAITHFUL,
            "reduced" => form = Form::REDUCED,
            _ if form.choose(name, on) => {}
            _ => {
                let choices = Form::REDUCED.choices().map(|(name, _)| name);
                let words: Vec<String> = ["faithful", "reduced"]
                    .into_iter()
                    .map(str::to_owned)
                    .chain(choices.into_iter().flat_map(|name| [name.to_owned(), format!("no-{name}")]))
                    .collect();
                let hint = did_you_mean(word, words.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("expected a comma-separated list of {}", words.join(", ")));
                return Err(format!("unknown form `{word}`: {hint}"));
            }
        }
    }
    Ok(form)
}

/// Returns whether a word of a form has no effect if `next` follows it.
fn is_undone(word: &str, next: &str) -> bool {
    let is_whole = |it: &str| matches!(it, "faithful" | "reduced");
    let is_opposite = |one: &str, other: &str| one.strip_prefix("no-") == Some(other);
    word != next && (is_whole(next) || is_opposite(word, next) || is_opposite(next, word))
}

/// Splits a comma-separated list, except at commas within brackets, braces and
/// parentheses.
pub(super) fn comma_list(typed: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for c in typed.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => (),
        }
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

fn number_and_unit(typed: &str) -> Option<(f64, &str)> {
    let typed = typed.trim();
    let end = typed.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(typed.len());
    let number = typed[..end].replace('_', "").parse().ok()?;
    Some((number, typed[end..].trim()))
}

fn scaled(number: f64, factor: u64) -> Result<u64, String> {
    let value = (number * factor as f64).round();
    match value {
        value if value < 1.0 => Err("expected at least 1".to_string()),
        value if value >= u64::MAX as f64 => Err("the number is too large".to_string()),
        value => Ok(value as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::fmt::Debug;

    #[track_caller]
    fn check<T: Debug>(parse: fn(&str) -> Result<T, String>, typed: &[&str], expected: Expect) {
        let show = |typed: &&str| match parse(typed) {
            Ok(value) => format!("{typed}: {value:?}\n"),
            Err(message) => format!("{typed}: error: {message}\n"),
        };
        expected.assert_eq(&typed.iter().map(show).collect::<String>());
    }

    #[test]
    fn counts() {
        check(
            count,
            &["7", "10k", "1.5M", "1_000", "", "x", "-3", "5q", "0", "9999999999999G"],
            expect![[r#"
                7: 7
                10k: 10000
                1.5M: 1500000
                1_000: 1000
                : error: expected a number such as 20000, 10k or 5M
                x: error: expected a number such as 20000, 10k or 5M
                -3: error: expected a number such as 20000, 10k or 5M
                5q: error: unknown unit `q`: expected k, M or G, as in 10k or 5M
                0: error: expected at least 1
                9999999999999G: error: the number is too large
            "#]],
        );
    }

    #[test]
    fn numbers_of_threads() {
        check(
            threads,
            &["1", "256", "0", "257", "-1", "two", ""],
            expect![[r#"
            1: 1
            256: 256
            0: error: expected a number from 1 to 256, or `all`
            257: error: expected a number from 1 to 256, or `all`
            -1: error: expected a number from 1 to 256, or `all`
            two: error: expected a number from 1 to 256, or `all`
            : error: expected a number from 1 to 256, or `all`
        "#]],
        );
        assert!(threads("all").is_ok_and(|it| it > 0));
    }

    #[test]
    fn sizes() {
        check(
            size,
            &["4GiB", "500M", "500MB", "64b", "1.5k", "100", "3X", "big"],
            expect![[r#"
            4GiB: 4294967296
            500M: 524288000
            500MB: 500000000
            64b: 64
            1.5k: 1536
            100: error: a size needs a unit: write 100M or 100GiB
            3X: error: unknown unit `X`: expected K, M, G or T, as in 500M or 4GiB
            big: error: expected a size such as 500M or 4GiB
        "#]],
        );
    }

    #[test]
    fn durations() {
        check(
            duration,
            &["10s", "5m", "1h30m", "250ms", "1.5h", "10", "", "5 minutes", "s", "0s", "1e9h"],
            expect![[r#"
                10s: 10s
                5m: 300s
                1h30m: 5400s
                250ms: 250ms
                1.5h: 5400s
                10: error: a time needs a unit: write 10s or 10m
                : error: expected a time such as 10s, 5m or 1h30m
                5 minutes: 300s
                s: error: expected a time such as 10s, 5m or 1h30m
                0s: error: the time must be positive
                1e9h: error: unknown unit `e`: expected ms, s, m or h, as in 1h30m
            "#]],
        );
    }

    #[test]
    fn settings() {
        check(
            setting,
            &["N=3", "N = -1", "FAIR=true", "N", "=3", "N=three", "3=N"],
            expect![[r#"
            N=3: Setting { name: "N", value: 3, typed: "N=3" }
            N = -1: Setting { name: "N", value: -1, typed: "N = -1" }
            FAIR=true: Setting { name: "FAIR", value: 1, typed: "FAIR=true" }
            N: error: expected NAME=VALUE, such as N=3
            =3: error: `` is not the name of a constant: expected NAME=VALUE, such as N=3
            N=three: error: `three` is neither an integer nor true or false
            3=N: error: `3` is not the name of a constant: expected NAME=VALUE, such as N=3
        "#]],
        );
    }

    #[test]
    fn graph_forms() {
        let show = |typed: &str| graph_form(typed).map(|form| form.to_string());
        check(
            show,
            &[
                "faithful",
                "reduced,no-prune",
                "faithful,faithful",
                "faithful,reduced",
                "prune,faithful",
                "end-nodes, no-end-nodes",
                "prun",
                "x",
                "",
            ],
            expect![[r#"
                faithful: "faithful"
                reduced,no-prune: "reduced,no-prune"
                faithful,faithful: "faithful"
                faithful,reduced: error: `reduced` conflicts with `faithful`: remove one of them; `faithful` and `reduced` must come first
                prune,faithful: error: `faithful` conflicts with `prune`: remove one of them; `faithful` and `reduced` must come first
                end-nodes, no-end-nodes: error: `no-end-nodes` conflicts with `end-nodes`: remove one of them; `faithful` and `reduced` must come first
                prun: error: unknown form `prun`: did you mean `prune`?
                x: error: unknown form `x`: expected a comma-separated list of faithful, reduced, end-nodes, no-end-nodes, merge, no-merge, prune, no-prune, eliminate, no-eliminate, drop-dead, no-drop-dead
                : error: unknown form ``: expected a comma-separated list of faithful, reduced, end-nodes, no-end-nodes, merge, no-merge, prune, no-prune, eliminate, no-eliminate, drop-dead, no-drop-dead
            "#]],
        );
    }

    #[test]
    fn a_list_of_constraints_names_one() {
        check(
            constraints,
            &["task:a,,", "", " , "],
            expect![[r#"
            task:a,,: "task:a,,"
            : error: expected task:NAME, variable:NAME, a constraint file or FILE#SET
             , : error: expected task:NAME, variable:NAME, a constraint file or FILE#SET
        "#]],
        );
    }

    #[test]
    fn comma_lists_keep_brackets_together() {
        let list = comma_list("task:a, variable:w[1,2],f(a,b).yaml,,");
        assert_eq!(list, ["task:a", "variable:w[1,2]", "f(a,b).yaml"]);
        assert_eq!(comma_list("]a,b"), ["]a", "b"]);
    }
}
