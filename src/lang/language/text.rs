//! Recognition of languages by their texts.
//!
//! The first line that is neither empty nor a comment distinguishes YAML from
//! the others: it begins with a key. Promela and Rust are distinguished by the
//! word that begins the text or, if that is a macro, by words that only one of
//! them has.

use super::Language;

/// Words that begin a part of a Promela model.
const PROMELA: &[&str] = &[
    "D_proctype",
    "active",
    "bit",
    "bool",
    "byte",
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
    "chan",
    "hidden",
    "init",
    "inline",
    "int",
    "local",
    "ltl",
    "mtype",
    "never",
    "notrace",
    "pid",
    "proctype",
    "short",
    "show",
    "trace",
    "typedef",
    "unsigned",
];

/// Words that begin a part of a task model.
const TASK: &[&str] = &[
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "use",
];

/// Directives of the preprocessor.
const DIRECTIVES: &[&str] = &[
    "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "line", "pragma", "undef",
];

/// Returns the language of a text, if it is recognised.
pub(super) fn language(text: &str) -> Option<Language> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let start = Start::of(text);
    if start.text.starts_with("#[") || start.text.starts_with("#![") {
        return Some(Language::Task);
    }
    if is_yaml(start.text) {
        return of_keys(start.text);
    }
    let words = words(start.text);
    let first = words.first().copied().unwrap_or_default();
    if PROMELA.contains(&first) {
        return Some(Language::Promela);
    }
    if TASK.contains(&first) {
        return Some(Language::Task);
    }
    let has = |wanted: &[&str]| words.iter().any(|it| wanted.contains(it));
    if has(&["proctype", "od", "fi"]) || words.windows(2).any(|it| it == ["init", "{"]) {
        return Some(Language::Promela);
    }
    if has(&["fn"]) {
        return Some(Language::Task);
    }
    (start.has_directives && !words.is_empty()).then_some(Language::Promela)
}

/// A text from its first line that is neither empty nor a comment.
struct Start<'a> {
    text: &'a str,
    /// Whether directives of the preprocessor precede it.
    has_directives: bool,
}

impl<'a> Start<'a> {
    fn of(text: &'a str) -> Self {
        let mut start = Self { text, has_directives: false };
        loop {
            let rest = start.text.trim_start();
            let first = rest.lines().next().unwrap_or_default();
            start.text = if let Some(comment) = rest.strip_prefix("/*") {
                comment.find("*/").map_or("", |end| &comment[end + 2..])
            } else if rest.starts_with("//") || (rest.starts_with('#') && !is_attribute(rest)) {
                start.has_directives |= is_directive(rest);
                let end = continued_line(rest);
                &rest[end..]
            } else {
                // The indentation of a first line of YAML does not matter.
                start.text = rest;
                return start;
            };
            if first.is_empty() {
                return start;
            }
        }
    }
}

fn is_attribute(text: &str) -> bool {
    text.starts_with("#[") || text.starts_with("#![")
}

fn is_directive(line: &str) -> bool {
    let word = line.trim_start_matches('#').trim_start();
    let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    DIRECTIVES.contains(&&word[..end])
}

/// Returns the number of bytes of the first line with its continuation lines.
fn continued_line(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

/// Returns whether the text begins with a key or another construct of YAML.
fn is_yaml(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let is_marker = line.starts_with("---") || line.starts_with("%YAML") || line.starts_with("- ");
    is_marker || line.starts_with(['{', '[']) || key(line).is_some_and(|it| it != "mtype")
}

/// Returns the key with which a line begins.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let key = key.trim_end().trim_matches(['"', '\'']);
    let is_name = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    (is_name && (rest.is_empty() || rest.starts_with([' ', '\t', '\r']))).then_some(key)
}

/// Returns the kind of a YAML file, by keys that only this kind has.
fn of_keys(text: &str) -> Option<Language> {
    let keys: Vec<&str> = text.lines().filter_map(key).collect();
    let has = |names: &[&str]| names.iter().any(|it| keys.contains(it));
    if has(&["strategies", "subjects"]) {
        Some(Language::Study)
    } else if has(&["sets"]) {
        Some(Language::Constraint)
    } else if has(&["model", "properties", "executions", "ltl", "invariant"]) {
        Some(Language::Property)
    } else {
        None
    }
}

/// Returns the words and punctuation outside comments, strings and directives.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(text) = rest.strip_prefix('"') {
            text.find('"').map_or(rest.len(), |end| end + 2)
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            words.push(&rest[..end]);
            end
        } else {
            if !c.is_whitespace() {
                words.push(&rest[..c.len_utf8()]);
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_recognised_by_text() {
        use Language::{Constraint, Promela, Property, Study, Task};
        let cases = [
            ("byte x;\ninit{ x = 1 }\n", Some(Promela)),
            ("/* a\nname: b */\n#define N 3\\\n  fn\n\n// c\nmtype: fruit = { apple };\n", Some(Promela)),
            ("#include \"x.h\"\nP(3)\n", Some(Promela)),
            ("MAKE(a)\nactive proctype P() { do :: skip od }", Some(Promela)),
            ("init\n{\n skip }", Some(Promela)),
            ("\u{feff}never { skip }", Some(Promela)),
            ("//! proctype\n#[task]\nfn t() {}\n", Some(Task)),
            ("#![allow(x)]\nfn t() {}\n", Some(Task)),
            ("/// proctype P()\nconst N: i64 = 3;\n", Some(Task)),
            ("# proctype P() init { }\nname: a\nmodel: b.pml\ninvariant: x\n", Some(Property)),
            ("properties:\n  - name: a\n", Some(Property)),
            ("---\nname: a\nstrategies: [bfs]\nsubjects: []\n", Some(Study)),
            ("# sets\nsets:\n  a: [task:b]\n", Some(Constraint)),
            ("{\"name\": \"init\"}", None),
            ("name: a\nevents: {}\n", None),
            ("", None),
            ("# a comment only\n", None),
            ("some words in a file", None),
            ("\u{0}\u{1}\"", None),
        ];
        for (text, expected) in cases {
            assert_eq!(language(text), expected, "{text}");
        }
    }
}
