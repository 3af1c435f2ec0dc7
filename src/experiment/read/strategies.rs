//! The strategies of a study, with one variant per value of `for`.

use crate::experiment::study::Strategy;
use crate::lang::spec::{Mistakes, Node, Spanned, Value};

/// The keys of a strategy that is a map.
pub(in crate::experiment) const STRATEGY_KEYS: &[&str] = &["label", "strategy", "for"];

/// Maximum number of strategies per entry.
const MAX_VARIANTS: usize = 1000;

/// A name and its value in one variant.
type Binding = (String, String);

pub(super) fn parse(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Strategy>> {
    let items = mistakes.list(node, "`strategies`")?;
    if items.is_empty() {
        mistakes.error("study-value", node.span, "a study needs at least one strategy");
    }
    let mut all: Vec<Strategy> = Vec::new();
    for item in items {
        for strategy in variants(item, mistakes) {
            let label = &strategy.label;
            mistakes.expect_name(label, "the label of a strategy");
            if let Some(first) = all.iter().find(|other| other.label.value == label.value) {
                let message = format!("two strategies have the label `{}`", label.value);
                let mistake = mistakes.error("study-label", label.span, message);
                mistake.related = vec![(first.label.span, "the first strategy".to_string())];
                mistake.help = Some("give one of them another `label`".to_string());
                // One error per entry: its other variants collide as well.
                break;
            }
            all.push(strategy);
        }
    }
    Some(all)
}

fn variants(node: &Node, mistakes: &mut Mistakes) -> Vec<Strategy> {
    if let Value::Text(text) = &node.value {
        let text = Spanned::new(text.text.clone(), node.span);
        return vec![Strategy { label: text.clone(), text }];
    }
    parse_map(node, mistakes).unwrap_or_default()
}

fn parse_map(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Strategy>> {
    let fields = mistakes.fields(node, "a strategy", STRATEGY_KEYS)?;
    let Some(text) = fields.get("strategy") else {
        let message = "this strategy needs the key `strategy`";
        mistakes.error("study-key", fields.span, message).help =
            Some("write a strategy as for `check --strategy`, such as `strategy: bfs`".to_string());
        return None;
    };
    let label = fields.get("label").unwrap_or(text);
    let bindings = match fields.get("for") {
        Some(node) => bindings(node, mistakes)?,
        None => vec![Vec::new()],
    };
    let names: Vec<&str> = bindings.first()?.iter().map(|(name, _)| name.as_str()).collect();
    check_names(text, &names, mistakes)?;
    check_names(label, &names, mistakes)?;
    let (label, text) = (mistakes.string(label, "`label`")?, mistakes.string(text, "`strategy`")?);
    let variant = |bindings: &Vec<Binding>| Strategy {
        label: Spanned::new(filled(&label.value, bindings), label.span),
        text: Spanned::new(filled(&text.value, bindings), text.span),
    };
    Some(bindings.iter().map(variant).collect())
}

/// Returns every combination of values; the first name varies slowest.
fn bindings(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<Vec<Binding>>> {
    let fields = mistakes.map(node, "`for`")?;
    let mut all = vec![Vec::new()];
    for (name, node) in fields.entries() {
        let values = mistakes.strings(node, &format!("the values of `{}`", name.value))?;
        if values.is_empty() {
            mistakes.error("study-value", node.span, format!("`{}` has no values", name.value));
            return None;
        }
        if all.len().saturating_mul(values.len()) > MAX_VARIANTS {
            let message = format!("`for` generates more than {MAX_VARIANTS} strategies");
            mistakes.error("study-limit", name.span, message).help =
                Some("there is one strategy per combination of values: use fewer values".to_string());
            return None;
        }
        let with = |known: &Vec<Binding>, value: &Spanned<String>| {
            let mut known = known.clone();
            known.push((name.value.clone(), value.value.clone()));
            known
        };
        all = all.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect();
    }
    Some(all)
}

/// Checks that every `{name}` has values.
fn check_names(node: &Node, names: &[&str], mistakes: &mut Mistakes) -> Option<()> {
    let text = mistakes.text(node, "this")?;
    let mut from = 0;
    let mut fine = Some(());
    while let Some(start) = text.text[from..].find('{').map(|at| from + at) {
        let Some(length) = text.text[start..].find('}') else { break };
        let end = start + length;
        let name = &text.text[start + 1..end];
        if !names.contains(&name) {
            let place = text.place(start..end + 1);
            mistakes.error("study-variable", place, format!("`{{{name}}}` has no values")).help =
                Some(format!("list them: `for: {{ {name}: [1, 2] }}`"));
            fine = None;
        }
        from = end;
    }
    fine
}

fn filled(template: &str, bindings: &[Binding]) -> String {
    let fill = |text: String, (name, value): &Binding| text.replace(&format!("{{{name}}}"), value);
    bindings.iter().fold(template.to_string(), fill)
}
