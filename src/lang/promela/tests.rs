//! Texts and their diagnostics and trees.

mod claims;
mod declarations;
mod directives;
mod dump;
mod expressions;
mod formulas;
mod inlines;
mod limits;
mod lines;
mod messages;
mod mutation;
mod refused;
mod statements;
mod trees;
mod wrong_statements;

use super::{Parsed, Reading, parse, parse_expression, parse_formula};
use crate::diag::{Diagnostic, Sources};
use expect_test::Expect;

/// Reads a text that can include only `lib.pml`.
fn read(text: &str, definitions: &[(&str, &str)]) -> (Parsed, Sources) {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let definitions = definitions.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let mut load = |path: &str, _| match path {
        "lib.pml" => Ok((path.to_string(), "byte shared;\n#define TWICE(x) ((x) + (x))\n".to_string())),
        "self.pml" => Ok((path.to_string(), "#include \"self.pml\"\n".to_string())),
        "deep/one.pml" => {
            Ok((path.to_string(), "#include \"two.pml\"\n#include \"../lib.pml\"\n".to_string()))
        }
        "deep/two.pml" => Ok((path.to_string(), "byte two;\n".to_string())),
        "deep/../lib.pml" => Ok((path.to_string(), "byte three;\n".to_string())),
        "wrong.pml" => Ok((path.to_string(), "byte b = nothing;\n".to_string())),
        _ => Err("no such file".to_string()),
    };
    let parsed = parse(source, &mut sources, &mut Reading { definitions, load: &mut load });
    let refused = parsed.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(parsed.model.is_none(), refused, "a model is refused if and only if it has an error");
    (parsed, sources)
}

fn shown(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let texts: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.render(sources, false)).collect();
    texts.join("\n")
}

/// Checks the diagnostics of a text.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let (parsed, sources) = read(text, &[]);
    let said = match parsed.diagnostics.is_empty() {
        true => "accepted".to_string(),
        false => shown(&parsed.diagnostics, &sources),
    };
    expected.assert_eq(&said);
}

/// Checks the tree of a text and its diagnostics.
#[track_caller]
fn check_tree(text: &str, expected: Expect) {
    check_tree_with(text, &[], expected);
}

#[track_caller]
fn check_tree_with(text: &str, definitions: &[(&str, &str)], expected: Expect) {
    let (parsed, sources) = read(text, definitions);
    let mut said = parsed.model.map_or_else(String::new, |model| dump::model(&model));
    said.push_str(&shown(&parsed.diagnostics, &sources));
    expected.assert_eq(&said);
}

/// Checks an expression and a formula in the scope of a model.
#[track_caller]
fn check_in(model: &str, text: &str, expected: Expect) {
    let (parsed, mut sources) = read(model, &[]);
    let model = parsed.model.expect("the model is valid");
    let source = sources.add("--invariant", text);
    let expr = parse_expression(source, &sources, &model);
    let expr = expr.map_or_else(|found| shown(&found, &sources), |expr| dump::expr(&expr, &model, None));
    let formula = parse_formula(source, &sources, &model);
    let formula =
        formula.map_or_else(|found| shown(&found, &sources), |formula| dump::formula(&formula, &model));
    let said = if expr == formula { expr } else { format!("expression: {expr}\nformula: {formula}") };
    expected.assert_eq(&said);
}
