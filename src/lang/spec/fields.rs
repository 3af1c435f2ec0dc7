//! Keys and kinds: the checks that every part of a specification shares.

use super::yaml::{Node, Spanned, Text, Value};
use crate::diag::{Diagnostic, Span, did_you_mean};

/// Errors found so far; reading continues after each.
#[derive(Default)]
pub(crate) struct Mistakes {
    pub list: Vec<Diagnostic>,
}

/// The entries of a map whose keys have been checked.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    entries: &'a [(Spanned<String>, Node)],
    pub span: Span,
}

impl<'a> Fields<'a> {
    /// Returns the value of a key, if it is given.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|(_, value)| value)
    }

    pub fn entry(&self, key: &str) -> Option<&'a (Spanned<String>, Node)> {
        self.entries.iter().find(|(name, _)| name.value == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub fn entries(&self) -> &'a [(Spanned<String>, Node)] {
        self.entries
    }
}

impl Mistakes {
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Diagnostic::error(code, span, message))
    }

    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Returns the value, or all errors in the order of their positions.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<Diagnostic>> {
        self.list.sort_by_key(|mistake| mistake.span);
        match value {
            Some(value) if self.list.is_empty() => Ok(value),
            _ => Err(self.list),
        }
    }

    /// Returns the entries of a map that may have the keys `known`.
    pub fn fields<'a>(&mut self, node: &'a Node, what: &str, known: &[&str]) -> Option<Fields<'a>> {
        let fields = self.map(node, what)?;
        for (key, _) in fields.entries {
            if !known.contains(&key.value.as_str()) {
                let help = did_you_mean(&key.value, known.iter().copied());
                let help = help.unwrap_or_else(|| format!("the possible keys are {}", list_of(known)));
                self.error("spec-key", key.span, format!("{what} has no key `{}`", key.value)).help =
                    Some(help);
            }
        }
        Some(fields)
    }

    /// Returns the entries of a map whose keys are names.
    pub fn map<'a>(&mut self, node: &'a Node, what: &str) -> Option<Fields<'a>> {
        let Value::Map(entries) = &node.value else {
            self.wrong_kind(node, what, "a map of keys and values");
            return None;
        };
        for (at, (key, _)) in entries.iter().enumerate() {
            if let Some((first, _)) = entries[..at].iter().find(|(other, _)| other.value == key.value) {
                self.error("spec-key", key.span, format!("the key `{}` is used twice", key.value)).related =
                    vec![(first.span, "first used here".to_string())];
            }
        }
        Some(Fields { entries, span: node.span })
    }

    pub fn list<'a>(&mut self, node: &'a Node, what: &str) -> Option<&'a [Node]> {
        let Value::List(items) = &node.value else {
            self.wrong_kind(node, what, "a list");
            return None;
        };
        Some(items)
    }

    pub fn text<'a>(&mut self, node: &'a Node, what: &str) -> Option<&'a Text> {
        let Value::Text(text) = &node.value else {
            self.wrong_kind(node, what, "a string");
            return None;
        };
        Some(text)
    }

    pub fn string(&mut self, node: &Node, what: &str) -> Option<Spanned<String>> {
        self.text(node, what).map(|text| Spanned::new(text.text.clone(), node.span))
    }

    /// Reads a text or a list of texts.
    pub fn strings(&mut self, node: &Node, what: &str) -> Option<Vec<Spanned<String>>> {
        match &node.value {
            Value::List(items) => items.iter().map(|item| self.string(item, what)).collect(),
            Value::Text(text) => Some(vec![Spanned::new(text.text.clone(), node.span)]),
            _ => {
                self.wrong_kind(node, what, "a string or a list of strings");
                None
            }
        }
    }

    /// Rejects an empty name, since names appear in reports, files and options.
    pub fn expect_name(&mut self, name: &Spanned<String>, what: &str) {
        if name.value.trim().is_empty() {
            self.error("spec-name", name.span, format!("{what} is empty")).help =
                Some("write a name, or remove the key if it is optional".to_string());
        }
    }

    /// Checks the version of a file's format, if it is given; there is only
    /// one.
    pub fn expect_schema_version(&mut self, fields: Fields, version: u32) {
        let Some(node) = fields.get("schema_version") else { return };
        let Some(text) = self.text(node, "`schema_version`") else { return };
        if text.text.parse() != Ok(version) {
            let message = format!("this version of Trapline does not support `schema_version` {}", text.text);
            self.error("spec-version", node.span, message).help =
                Some(format!("write `schema_version: {version}`, or remove the key"));
        }
    }

    /// Reads one of these words.
    pub fn word<T: Copy>(&mut self, node: &Node, what: &str, words: &[(&str, T)]) -> Option<Spanned<T>> {
        let text = self.text(node, what)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.text) {
            return Some(Spanned::new(*value, node.span));
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let help = did_you_mean(&text.text, names.iter().copied())
            .unwrap_or_else(|| format!("the possible values are {}", list_of(&names)));
        let message = format!("{what} cannot be `{}`", text.text);
        self.error("spec-value", node.span, message).help = Some(help);
        None
    }

    pub fn wrong_kind(&mut self, node: &Node, what: &str, wanted: &str) {
        let found = match &node.value {
            Value::Null => "is empty",
            Value::Text(text) if text.text.parse::<f64>().is_ok() => "is a number",
            Value::Text(_) => "is a string",
            Value::List(_) => "is a list",
            Value::Map(_) => "is a map",
        };
        let label = format!("this {found}");
        self.error("spec-value", node.span, format!("{what} must be {wanted}")).label = Some(label);
    }
}

/// Returns a list such as `a`, `b` and `c`.
pub(crate) fn list_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
