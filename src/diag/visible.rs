//! Escaping of user texts, so that they are safe to print.
//!
//! Names, statements, comments, file names and the output of `printf` can
//! contain anything: line ends, escape sequences that move the cursor, marks
//! that reverse the direction of the text. Printed unchanged, they could
//! imitate a line of the report. Therefore everything that is written to a
//! terminal passes through one of these functions. All of them leave harmless
//! text unchanged and are idempotent.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns the text as one line: each character that a terminal would interpret
/// instead of showing is written as an escape, such as `\n` or `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_obeyed(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns a text of several lines with the same lines and columns: line ends
/// and tabs are kept, and every other control character is replaced by one
/// visible character.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut chars = text.chars().peekable();
    let mut shown = String::with_capacity(text.len() + 8);
    while let Some(c) = chars.next() {
        let is_kept = matches!(c, '\n' | '\t') || (c == '\r' && chars.peek() == Some(&'\n'));
        shown.push(if is_kept || !is_obeyed(c) { c } else { picture(c) });
    }
    Cow::Owned(shown)
}

/// Returns a visible character for a control character; Unicode has one for
/// each ASCII control character.
fn picture(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Returns JSON text in which the characters that JSON permits but terminals
/// interpret are written as `\u` escapes. They occur only in strings, so the
/// document does not change.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_obeyed(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_obeyed(c) && c != '\n' {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(shown, "\\u{unit:04x}");
            }),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns whether a terminal interprets the character instead of showing it:
/// control characters, line and paragraph separators, direction marks, and
/// invisible characters.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\n\r\t\u{7}\u{8}\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{2066}\u{2028}\u{feff}b";

    #[test]
    fn what_a_terminal_obeys_is_spelt_out() {
        assert_eq!(
            visible(HOSTILE),
            "a\\n\\r\\t\\u{7}\\u{8}\\u{1b}[2J\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{2028}\\u{feff}b"
        );
        assert_eq!(visible(&visible(HOSTILE)), visible(HOSTILE));
        assert!(matches!(visible("größer → 'x' \\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(visible_lines("a\r\n\tb\rc\u{1b}\u{7f}\u{9b}\n"), "a\r\n\tb␍c␛␡\u{fffd}\n");
    }

    #[test]
    fn json_stays_the_same_document() {
        let text = serde_json::to_string_pretty(&[HOSTILE, "\u{e0041}"]).expect("strings are JSON");
        let shown = visible_json(&text);
        assert!(!shown.contains(|c| is_obeyed(c) && c != '\n'), "{shown}");
        let read: Vec<String> = serde_json::from_str(&shown).expect("it is JSON");
        assert_eq!(read, [HOSTILE, "\u{e0041}"]);
    }
}
