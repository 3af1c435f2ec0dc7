//! Numbers, sizes and times as people read them, and columns of text.

use std::time::Duration;

/// Renders a number: `1,234,567`.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut shown = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Renders a count: `1 step`, `2,000 steps`.
pub fn count(value: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(value), if value == 1 { "" } else { "s" })
}

/// Renders a size: `640 B`, `1.5 MiB`.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = value as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{value} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// Renders a time: `0.04 s`, `12.3 s`, `2 m 05 s`.
pub fn time(value: Duration) -> String {
    let seconds = value.as_secs_f64();
    match value.as_secs() {
        0..10 => format!("{seconds:.2} s"),
        10..60 => format!("{seconds:.1} s"),
        whole @ 60..3600 => format!("{} m {:02} s", whole / 60, whole % 60),
        whole => format!("{} h {:02} m", whole / 3600, whole % 3600 / 60),
    }
}

/// Returns the width of a text without escape sequences.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

/// Pads the text with blanks to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Cuts the text with an ellipsis if it is wider than `columns`.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Packs words into lines of at most `columns`, with at least one word each.
pub fn wrap<'a>(words: impl IntoIterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_sizes_have_units() {
        assert_eq!(
            [number(0), number(999), number(1_000), number(12_345_678)].join(" "),
            "0 999 1,000 12,345,678"
        );
        assert_eq!([bytes(640), bytes(1536), bytes(5 << 30)].join(", "), "640 B, 1.5 KiB, 5.0 GiB");
        assert_eq!(count(1, "step") + ", " + &count(2, "step"), "1 step, 2 steps");
    }

    #[test]
    fn times_keep_three_digits() {
        let shown = [40, 12_340, 125_000, 7_260_000].map(|ms| time(Duration::from_millis(ms)));
        assert_eq!(shown.join(", "), "0.04 s, 12.3 s, 2 m 05 s, 2 h 01 m");
    }

    #[test]
    fn texts_are_cut_and_wrapped_by_characters() {
        assert_eq!(cut("größer als", 8), "größer…");
        assert_eq!(wrap(["a,", "bb,", "ccc"], 6), ["a, bb,".to_string(), "ccc".to_string()][..]);
        assert_eq!(pad("ab", 4), "ab  ");
    }
}
