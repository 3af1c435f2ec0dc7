//! Changes of a property file that keep everything else byte for byte.
//!
//! The spans of the YAML tree tell where a value is; only these bytes are
//! replaced. The new text is parsed again and must have the same values, apart
//! from the changed one.

use super::file::parse_property_file;
use super::yaml::{self, Node, Spanned, Value};
use crate::diag::{Diagnostic, SourceId};
use crate::lang::library::Library;
use std::ops::Range;

/// Keys after which `constraints` is inserted.
const EARLIER_KEYS: &[&str] = &["name", "description", "model", "set", "events", "executions"];

/// Replaces the constraints of a property of a property file, or inserts the
/// key `constraints`. Returns the new text as a source of the same name;
/// comments, order, indentation and line ends stay.
///
/// # Errors
///
/// If the file is not a property file or has no such property, or if the new
/// text would change another value, for example that of an alias.
pub fn with_constraints<L: Library>(
    source: SourceId,
    property: &str,
    constraints: &[String],
    library: &mut L,
) -> Result<SourceId, Vec<Diagnostic>> {
    let sources = library.sources();
    let parsed = parse_property_file(source, sources)?;
    let (name, text) = (sources.get(source).name.clone(), sources.get(source).text.clone());
    let root = yaml::read(source, sources).map_err(|fault| vec![fault])?;
    let Some(index) = parsed.properties.iter().position(|it| it.name.value == property) else {
        let message = format!("`{name}` has no property `{property}`");
        return Err(vec![Diagnostic::error_without_place("no-property", message)]);
    };
    let known = &parsed.properties[index].constraints;
    if known.iter().map(|it| &it.value).eq(constraints) {
        return Ok(source);
    }
    let is_right = |edited: SourceId, library: &L| {
        let sources = library.sources();
        let other = yaml::read(edited, sources).ok()?;
        let parsed = parse_property_file(edited, sources).ok()?;
        let found = &parsed.properties.get(index)?.constraints;
        Some(found.iter().map(|it| &it.value).eq(constraints) && are_alike(&root, &other, index))
    };
    let edited =
        edits(&text, &root, index, constraints).map(|edits| library.add(&name, &apply(&text, edits)));
    let fault = || {
        let span = parsed.properties[index].name.span;
        let message = format!("the constraints of `{property}` cannot be written into `{name}`");
        let help = format!("write them by hand: `constraints: {}`", flow_list(constraints));
        vec![Diagnostic::error("spec-edit", span, message).with_help(help)]
    };
    edited.filter(|it| is_right(*it, library) == Some(true)).ok_or_else(fault)
}

/// A key of a map and its value.
type Entry = (Spanned<String>, Node);

/// Bytes of a text and their replacement.
type Edit = (Range<usize>, String);

/// Applies edits that do not overlap.
fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut edited = text.to_string();
    for (range, new) in edits.into_iter().rev() {
        edited.replace_range(range, &new);
    }
    edited
}

/// Returns the edits that change the constraints of a property; `None` if the
/// text is not of a known form.
fn edits(text: &str, root: &Node, index: usize, constraints: &[String]) -> Option<Vec<Edit>> {
    let property = property_of(root, index)?;
    let Value::Map(entries) = &property.value else { return None };
    match entries.iter().find(|(key, _)| key.value == "constraints") {
        Some((key, value)) => replacement(text, key, value, constraints),
        None => insertion(text, property, entries, constraints).map(|it| vec![it]),
    }
}

/// Returns the map of a property.
fn property_of(root: &Node, index: usize) -> Option<&Node> {
    let Value::Map(entries) = &root.value else { return None };
    match entries.iter().find(|(key, _)| key.value == "properties").map(|(_, value)| &value.value) {
        Some(Value::List(items)) => items.get(index),
        Some(_) => None,
        None => Some(root),
    }
}

/// Returns the edits that replace the value of the key.
fn replacement(text: &str, key: &Spanned<String>, value: &Node, constraints: &[String]) -> Option<Vec<Edit>> {
    let range = range_of_value(text, key, value)?;
    let is_in = |item: &Node| range.start <= item.span.start as usize && item.span.end as usize <= range.end;
    let Value::List(items) = &value.value else {
        return Some(vec![(range, flow_list(constraints))]);
    };
    let is_alias = text[range.clone()].starts_with('*');
    let is_flow = text[range.clone()].starts_with('[');
    if is_alias || (is_flow && !text[range.clone()].contains('\n')) {
        return Some(vec![(range, flow_list(constraints))]);
    }
    if !items.iter().all(is_in) {
        return None;
    }
    let items: Vec<(Range<usize>, &str)> = items
        .iter()
        .map(|item| match &item.value {
            Value::Text(it) => Some((item.span.start as usize..item.span.end as usize, it.text.as_str())),
            _ => None,
        })
        .collect::<Option<_>>()?;
    match is_flow {
        true => edits_of_flow_list(text, range, &items, constraints),
        false => edits_of_block_list(text, key, &items, constraints),
    }
}

/// Divides the items of a list into those that stay, which are the first
/// constraints, and those that go; returns the number of constraints that stay.
fn kept(items: &[(Range<usize>, &str)], constraints: &[String]) -> (Vec<bool>, usize) {
    let mut n_kept = 0;
    let keeps = |(_, item): &(Range<usize>, &str)| {
        let stays = constraints.get(n_kept).is_some_and(|it| it == item);
        n_kept += usize::from(stays);
        stays
    };
    (items.iter().map(keeps).collect(), n_kept)
}

/// Changes the items of a flow list with line ends and maybe comments.
fn edits_of_flow_list(
    text: &str,
    range: Range<usize>,
    items: &[(Range<usize>, &str)],
    constraints: &[String],
) -> Option<Vec<Edit>> {
    let (stay, n_kept) = kept(items, constraints);
    let new: Vec<String> = constraints[n_kept..].iter().map(|it| scalar(it)).collect();
    let mut edits = Vec::new();
    let last_kept = stay.iter().rposition(|stays| *stays);
    for (index, (item, _)) in items.iter().enumerate() {
        if Some(index) == last_kept && !new.is_empty() {
            edits.push((item.end..item.end, format!(", {}", new.join(", "))));
        }
        if stay[index] {
            continue;
        }
        let takes_place = last_kept.is_none() && index == 0 && !new.is_empty();
        edits.push((item.clone(), if takes_place { new.join(", ") } else { String::new() }));
        if !(takes_place && items.len() == 1) {
            edits.extend(comma(text, item.end..range.end).map(|at| (at..at + 1, String::new())));
        }
    }
    if items.is_empty() {
        edits.push((range.start + 1..range.start + 1, new.join(", ")));
    }
    Some(edits)
}

/// Returns the position of the next comma, unless the list ends before it.
fn comma(text: &str, range: Range<usize>) -> Option<usize> {
    let mut is_comment = false;
    for (at, c) in text[range.clone()].char_indices() {
        match c {
            '\n' => is_comment = false,
            '#' => is_comment = true,
            ',' if !is_comment => return Some(range.start + at),
            c if !is_comment && !c.is_whitespace() => return None,
            _ => (),
        }
    }
    None
}

/// Changes the items of a list with one item per line.
fn edits_of_block_list(
    text: &str,
    key: &Spanned<String>,
    items: &[(Range<usize>, &str)],
    constraints: &[String],
) -> Option<Vec<Edit>> {
    let (stay, n_kept) = kept(items, constraints);
    let first = &items.first()?.0;
    let prefix = &text[line_start(text, first.start)..first.start];
    if prefix.trim() != "-" {
        return None;
    }
    let mut edits = Vec::new();
    if constraints.is_empty() {
        let colon = key.span.end as usize + text[key.span.end as usize..].find(':')? + 1;
        edits.push((colon..colon, " []".to_string()));
    }
    let last_kept = stay.iter().rposition(|stays| *stays);
    let line = |it: &String| format!("{prefix}{}", scalar(it));
    for (index, (item, _)) in items.iter().enumerate() {
        let (start, end) = (line_start(text, item.start), line_end(text, item.end));
        let eol = line_break(text);
        if Some(index) == last_kept {
            let new: String = constraints[n_kept..].iter().map(|it| format!("{eol}{}", line(it))).collect();
            edits.push((end..end, new));
        }
        if stay[index] {
            continue;
        }
        if last_kept.is_none() && index == 0 && !constraints.is_empty() {
            let new: Vec<String> = constraints.iter().map(line).collect();
            edits.push((start..end, new.join(eol)));
        } else {
            // Without the line end before it, which every item has.
            let start = text[..start].trim_end_matches('\n').trim_end_matches('\r').len();
            edits.push((start..end, String::new()));
        }
    }
    Some(edits)
}

/// Returns the edit that inserts the key into the map of a property.
fn insertion(text: &str, property: &Node, entries: &[Entry], constraints: &[String]) -> Option<Edit> {
    let is_earlier = |entry: &&Entry| EARLIER_KEYS.contains(&entry.0.value.as_str());
    let (key, value) = entries.iter().rfind(is_earlier).or(entries.last())?;
    let end = range_of_value(text, key, value)?.end;
    let new = format!("constraints: {}", flow_list(constraints));
    if text[property.span.start as usize..].starts_with('{') {
        return Some((end..end, format!(", {new}")));
    }
    let start = key.span.start as usize;
    // The first key of an item comes after a dash.
    let indentation: String = text[line_start(text, start)..start]
        .chars()
        .map(|c| if c.is_whitespace() { c } else { ' ' })
        .collect();
    // A block of text ends with its last line.
    let end = line_end(text, start + text[start..end].trim_end().len());
    Some((end..end, format!("{}{indentation}{new}", line_break(text))))
}

/// Returns the bytes of the value of a key; those of an alias, not of the value
/// that it refers to.
fn range_of_value(text: &str, key: &Spanned<String>, value: &Node) -> Option<Range<usize>> {
    let (start, end) = (value.span.start as usize, value.span.end as usize);
    let after_key = key.span.end as usize;
    if start >= after_key {
        return Some(start..end);
    }
    let start = after_key + text[after_key..].find('*')?;
    let is_end = |c: char| c.is_whitespace() || ",[]{}".contains(c);
    let end = text[start..].find(is_end).map_or(text.len(), |at| start + at);
    Some(start..end)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |it| it + 1)
}

/// Returns the end of a line, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// Returns the line break that the text uses.
fn line_break(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns a list on one line.
fn flow_list(constraints: &[String]) -> String {
    let scalars: Vec<String> = constraints.iter().map(|it| scalar(it)).collect();
    format!("[{}]", scalars.join(", "))
}

/// Returns a text as YAML, in quotes where they are needed.
fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:#".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.');
    if begins && text.chars().all(is_plain) && !text.ends_with(':') && text != "null" {
        return text.to_string();
    }
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Returns whether two files are equal but for the constraints of a property.
fn are_alike(one: &Node, other: &Node, index: usize) -> bool {
    let in_property = |root: &Node| {
        let mut root = root.clone();
        let is_list =
            matches!(&root.value, Value::Map(all) if all.iter().any(|(key, _)| key.value == "properties"));
        match (&mut root.value, is_list) {
            (Value::Map(entries), true) => {
                for (_, value) in entries.iter_mut().filter(|(key, _)| key.value == "properties") {
                    let Value::List(items) = &mut value.value else { continue };
                    items.get_mut(index).into_iter().for_each(remove_constraints);
                }
            }
            _ => remove_constraints(&mut root),
        }
        root
    };
    are_equal(&in_property(one), &in_property(other))
}

fn remove_constraints(property: &mut Node) {
    if let Value::Map(entries) = &mut property.value {
        entries.retain(|(key, _)| key.value != "constraints");
    }
}

/// Returns whether two trees have the same values, wherever they are.
fn are_equal(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Null, Value::Null) => true,
        (Value::Text(one), Value::Text(other)) => one.text.trim_end() == other.text.trim_end(),
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_equal(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            let is_equal =
                |(one, other): (&Entry, &Entry)| one.0.value == other.0.value && are_equal(&one.1, &other.1);
            one.len() == other.len() && one.iter().zip(other).all(is_equal)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::library::Texts;
    use expect_test::{Expect, expect};
    use std::path::Path;

    fn edit(text: &str, property: &str, constraints: &[&str]) -> Result<String, String> {
        let mut texts = Texts::new().with("p.yaml", text);
        let source = texts.read(Path::new("p.yaml"), "property file").expect("it is there");
        let constraints: Vec<String> = constraints.iter().map(ToString::to_string).collect();
        match with_constraints(source, property, &constraints, &mut texts) {
            Ok(edited) => Ok(texts.sources().get(edited).text.clone()),
            Err(faults) => Err(faults.iter().map(|it| it.render(texts.sources(), false)).collect()),
        }
    }

    #[track_caller]
    fn check(text: &str, property: &str, constraints: &[&str], expected: Expect) {
        let edited = edit(text, property, constraints).unwrap_or_else(|fault| fault);
        // Line ends and tabs are shown, since they must stay.
        expected.assert_eq(&edited.replace('\r', "␍").replace('\t', "␉"));
    }

    const BODY: &str = "events: [a]\nnone: a\n";

    #[test]
    fn values_of_every_form_are_replaced() {
        for value in
            ["task:x", "[task:x]", "[ \"task:x\", variable:y ]", "'lib/x.yaml#s'", "[]", "\n- task:x"]
        {
            let text = format!("name: p\nconstraints: {value}  # why\n{BODY}");
            let edited = edit(&text, "p", &["task:pump[0]", "variable:w"]).expect("it can be edited");
            let list = "[\"task:pump[0]\", variable:w]";
            let expected = match value.starts_with('\n') {
                true => format!("name: p\nconstraints: \n- \"task:pump[0]\"\n- variable:w\n{BODY}"),
                false => format!("name: p\nconstraints: {list}  # why\n{BODY}"),
            };
            assert_eq!(edited, expected);
        }
    }

    #[test]
    fn items_that_stay_keep_their_comments() {
        check(
            "constraints:\n  # these\n  - task:x  # one\n  - 'task:y' # two\n\n  # last\n  - task:z\nevents: [a]\nnone: a",
            "p",
            &["task:x", "task:z", "../c/f.yaml#s"],
            expect![[r#"
                constraints:
                  # these
                  - task:x  # one

                  # last
                  - task:z
                  - ../c/f.yaml#s
                events: [a]
                none: a"#]],
        );
        check(
            "constraints: [task:x, # one\r\n  task:y, # two, really\r\n  task:z # three\r\n  ]\r\nevents: [a]\r\nnone: a\r\n",
            "p",
            &["task:y", "task:w", "task:v"],
            expect![[r#"
                constraints: [ # one␍
                  task:y, task:w, task:v, # two, really␍
                   # three␍
                  ]␍
                events: [a]␍
                none: a␍
            "#]],
        );
        check(
            "constraints: [\n  task:x, # one\n  task:y # two\n]\nevents: [a]\nnone: a\n",
            "p",
            &["task:w"],
            expect![[r#"
                constraints: [
                  task:w # one
                   # two
                ]
                events: [a]
                none: a
            "#]],
        );
        check(
            "constraints:\n- task:x\n- task:y\nevents: [a]\nnone: a\n",
            "p",
            &[],
            expect![[r#"
                constraints: []
                events: [a]
                none: a
            "#]],
        );
    }

    #[test]
    fn the_key_is_inserted_before_the_notation() {
        check(
            "# head\nname: p\nevents:\n  a: x  #\ttab\n\n# the rule\nnone: a",
            "p",
            &["task:t"],
            expect![[r#"
                # head
                name: p
                events:
                  a: x  #␉tab
                constraints: [task:t]

                # the rule
                none: a"#]],
        );
        check(
            "model: m.rs\r\nconstraints: task:s\r\nproperties:\r\n  - none: a\r\n    events: [a]\r\n  - name: q\r\n    none: b\r\n    events:\r\n      - b\r\n\r\n# end",
            "q",
            &["task:t", "variable:x y"],
            expect![[r#"
                model: m.rs␍
                constraints: task:s␍
                properties:␍
                  - none: a␍
                    events: [a]␍
                  - name: q␍
                    none: b␍
                    events:␍
                      - b␍
                    constraints: [task:t, "variable:x y"]␍
                ␍
                # end"#]],
        );
        check(
            "none: a\nevents: [a]",
            "p",
            &["task:t"],
            expect![[r#"
            none: a
            events: [a]
            constraints: [task:t]"#]],
        );
        check(
            "events: [a]\ndescription: |\n  one\n  two\n\nall: { pattern: absence, of: a }\n",
            "p",
            &["task:t"],
            expect![[r#"
                events: [a]
                description: |
                  one
                  two
                constraints: [task:t]

                all: { pattern: absence, of: a }
            "#]],
        );
        check(
            "events: [a]\ndescription: one\n  two # three\nall: { pattern: absence, of: a }\n",
            "p",
            &["task:t"],
            expect![[r#"
                events: [a]
                description: one
                  two # three
                constraints: [task:t]
                all: { pattern: absence, of: a }
            "#]],
        );
    }

    #[test]
    fn flow_maps_stay_flow_maps() {
        check(
            "{name: p, events: {a: x}, none: a}",
            "p",
            &["task:t"],
            expect!["{name: p, events: {a: x}, constraints: [task:t], none: a}"],
        );
        check(
            "properties: [{name: p, constraints: [task:x], events: [a], none: a}, {\"name\": \"q\", \"events\": [\"b\"], \"none\": \"b\"}]",
            "q",
            &["task:t"],
            expect![[
                r#"properties: [{name: p, constraints: [task:x], events: [a], none: a}, {"name": "q", "events": ["b"], constraints: [task:t], "none": "b"}]"#
            ]],
        );
    }

    #[test]
    fn aliases_are_replaced_and_anchors_that_others_use_are_not() {
        let text = "properties:\n- name: p\n  constraints: &c [task:x]\n  events: [a]\n  none: a\n- name: q\n  constraints: *c # same\n  events: &e [b]\n  none: b\n- name: r\n  events: *e # same\n  none: b\n";
        check(
            text,
            "q",
            &["task:t"],
            expect![[r#"
            properties:
            - name: p
              constraints: &c [task:x]
              events: [a]
              none: a
            - name: q
              constraints: [task:t] # same
              events: &e [b]
              none: b
            - name: r
              events: *e # same
              none: b
        "#]],
        );
        check(
            text,
            "r",
            &["task:t"],
            expect![[r#"
            properties:
            - name: p
              constraints: &c [task:x]
              events: [a]
              none: a
            - name: q
              constraints: *c # same
              events: &e [b]
              none: b
            - name: r
              events: *e # same
              constraints: [task:t]
              none: b
        "#]],
        );
        let fault = edit(text, "p", &["task:t"]).expect_err("`q` would change, too");
        assert!(fault.contains("write them by hand: `constraints: [task:t]`"), "{fault}");
    }

    #[test]
    fn constraints_that_are_right_change_nothing() {
        let text = "{constraints: 'task:t', events: [a], none: a}";
        assert_eq!(edit(text, "p", &["task:t"]).as_deref(), Ok(text));
    }
}
