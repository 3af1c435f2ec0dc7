//! Positions of nodes.

use super::super::tree::StatementKind;
use super::read;

#[test]
fn statements_of_inlines_and_macros_know_where_they_are_used() {
    let text = "byte x;\n#define SET x = 1\ninline f() { x = 2 }\ninit { f(); SET }";
    let (parsed, sources) = read(text, &[]);
    let model = parsed.model.expect("the model is valid");
    let statements = &model.proctypes[0].body.sequence.statements;
    let StatementKind::Block(_, block) = &statements[0].kind else { panic!("an inline is a block") };
    let shown: Vec<(&str, &str)> = [&block.statements[0], &statements[1]]
        .iter()
        .map(|one| {
            (sources.slice(one.span), sources.slice(one.used_at.expect("the node comes from an expansion")))
        })
        .collect();
    assert_eq!(shown, [("x = 2", "f"), ("x = 1", "SET")]);
}
