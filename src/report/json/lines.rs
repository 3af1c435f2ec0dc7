//! JSON that is indented up to a depth: values nested deeper, such as a step of
//! a trail, are on one line.

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{Result, Write};

/// Renders a document as text, ending with a newline. Lists and objects within
/// the `depth`-th are written on one line.
pub(super) fn text(document: &impl Serialize, depth: usize) -> String {
    let mut bytes = Vec::new();
    let lines = Lines { pretty: PrettyFormatter::new(), depth: 0, max_indented: depth };
    let mut serializer = Serializer::with_formatter(&mut bytes, lines);
    document.serialize(&mut serializer).expect("the document has string keys only");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

struct Lines {
    pretty: PrettyFormatter<'static>,
    /// Number of open lists and objects.
    depth: usize,
    /// Number of levels that are indented.
    max_indented: usize,
}

impl Lines {
    fn begin<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        bracket: &[u8],
        pretty: impl FnOnce(&mut PrettyFormatter<'static>, &mut W) -> Result<()>,
    ) -> Result<()> {
        self.depth += 1;
        match self.is_indented() {
            true => pretty(&mut self.pretty, writer),
            false => writer.write_all(bracket),
        }
    }

    fn end<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        bracket: &[u8],
        pretty: impl FnOnce(&mut PrettyFormatter<'static>, &mut W) -> Result<()>,
    ) -> Result<()> {
        let is_indented = self.is_indented();
        self.depth -= 1;
        match is_indented {
            true => pretty(&mut self.pretty, writer),
            false => writer.write_all(bracket),
        }
    }

    fn is_indented(&self) -> bool {
        self.depth <= self.max_indented
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.begin(writer, b"[", |pretty, writer| pretty.begin_array(writer))
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.end(writer, b"]", |pretty, writer| pretty.end_array(writer))
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        match self.is_indented() {
            true => self.pretty.begin_array_value(writer, first),
            false if first => Ok(()),
            false => writer.write_all(b", "),
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        match self.is_indented() {
            true => self.pretty.end_array_value(writer),
            false => Ok(()),
        }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.begin(writer, b"{", |pretty, writer| pretty.begin_object(writer))
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.end(writer, b"}", |pretty, writer| pretty.end_object(writer))
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        match self.is_indented() {
            true => self.pretty.begin_object_key(writer, first),
            false if first => Ok(()),
            false => writer.write_all(b", "),
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        match self.is_indented() {
            true => self.pretty.end_object_value(writer),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn what_is_nested_deeper_is_on_one_line() {
        let document = json!({
            "a": [{ "b": 1, "c": [], "d": { "e": [1, 2] } }, {}],
            "f": [],
            "g": { "h": "i" },
        });
        expect![[r#"
            {
              "a": [
                {"b": 1, "c": [], "d": {"e": [1, 2]}},
                {}
              ],
              "f": [],
              "g": {
                "h": "i"
              }
            }
        "#]]
        .assert_eq(&text(&document, 2));
        let pretty = serde_json::to_string_pretty(&document).expect("a value is JSON");
        assert_eq!(text(&document, 9), pretty + "\n");
    }
}
