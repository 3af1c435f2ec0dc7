//! Names with `*` for any text.

use std::fmt;

/// A name in which `*` matches any text, including none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(String);

impl Glob {
    /// Creates a pattern.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Returns the pattern as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether it contains no `*`.
    pub fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    /// Returns whether it matches `name`.
    pub fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or("");
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let mut parts: Vec<&str> = parts.collect();
        let Some(last) = parts.pop() else { return rest.is_empty() };
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let matches = |pattern: &str, name: &str| Glob::new(pattern).matches(name);
        assert!(matches("lock", "lock") && !matches("lock", "locks") && !matches("lock", "loc"));
        assert!(matches("*", "") && matches("*", "a.b"));
        assert!(matches("w[*].end", "w[12].end") && !matches("w[*].end", "w[12].start"));
        assert!(matches("a*b*c", "abc") && matches("a*b*c", "a-b-b-c") && !matches("a*b*c", "acb"));
        assert!(!matches("aa*aa", "aaa"), "the ends may not overlap");
    }
}
