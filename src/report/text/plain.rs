//! Text for narrow terminals and terminals without UTF-8.

/// Replaces every character that is not ASCII by one or more that are. Keeps
/// lines and columns as far as possible.
pub fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if c.is_ascii() => plain.push(c),
            '─' | '–' | '—' | '‐' => plain.push('-'),
            '│' => plain.push('|'),
            '┌' | '└' | '┐' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => plain.push('+'),
            '●' => plain.push('*'),
            '·' => plain.push('.'),
            '→' | '⇢' | '▶' => plain.push('>'),
            '←' | '◀' => plain.push('<'),
            '⇄' => plain.push('='),
            '↓' => plain.push('v'),
            '↑' | '▲' => plain.push('^'),
            '…' => plain.push_str("..."),
            '×' => plain.push('x'),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            '‘' | '’' => plain.push('\''),
            '“' | '”' => plain.push('"'),
            '\u{a0}' => plain.push(' '),
            _ => plain.push('?'),
        }
    }
    plain
}

/// Width below which tables become lists and lines are folded.
pub const NARROW: usize = 60;

/// Folds the lines to fit a narrow terminal; leaves the text unchanged for
/// others.
pub fn fitted(text: String, columns: usize) -> String {
    if columns < NARROW { fold(&text, columns) } else { text }
}

/// Breaks lines of more than `columns` between words and indents the
/// continuation.
fn fold(text: &str, columns: usize) -> String {
    let mut folded = String::with_capacity(text.len());
    for line in text.lines() {
        fold_line(line, columns, &mut folded);
        folded.push('\n');
    }
    folded
}

fn fold_line(line: &str, columns: usize, out: &mut String) {
    let indent = (line.len() - line.trim_start_matches(' ').len()).min(columns / 3) + 2;
    let mut used = 0;
    for (position, word) in line.split(' ').enumerate() {
        let width = visible(word);
        let fits = used + 1 + width <= columns;
        if position > 0 && fits {
            out.push(' ');
            used += 1;
        } else if position > 0 {
            while out.ends_with(' ') {
                out.pop();
            }
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        }
        out.push_str(word);
        used += width;
    }
}

/// Returns the width of a text that may contain escape sequences of colours.
fn visible(text: &str) -> usize {
    let mut n_columns = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => drop(chars.by_ref().find(|c| c.is_ascii_alphabetic())),
            _ => n_columns += 1,
        }
    }
    n_columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_become_ascii_without_moving() {
        let drawn = "  1 ↓ ●─●   t1 → t2  t2.lock  ◀ lock\n      │ ┌ x…";
        assert_eq!(ascii(drawn), "  1 v *-*   t1 > t2  t2.lock  < lock\n      | + x...");
        assert_eq!(ascii("größer"), "gr??er");
    }

    #[test]
    fn long_lines_are_broken_between_words_and_indented() {
        assert_eq!(fold("a short line\n", 20), "a short line\n");
        assert_eq!(fold("  one two three four\n", 12), "  one two\n    three\n    four\n");
        let coloured = "\u{1b}[1mone\u{1b}[0m two three\n";
        assert_eq!(fold(coloured, 8), "\u{1b}[1mone\u{1b}[0m two\n  three\n");
        assert_eq!(fold("averyveryverylongword\n", 8), "averyveryverylongword\n");
    }
}
