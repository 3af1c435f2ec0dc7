//! Texts that exceed the limits.

use super::read;

/// Checks the codes of the diagnostics, each listed once.
#[track_caller]
fn check(text: &str, codes: &[&str]) {
    let (parsed, _) = read(text, &[]);
    let mut found: Vec<&str> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    found.dedup();
    assert_eq!(found, codes);
}

#[test]
fn nesting_is_bounded() {
    let brackets = |n| format!("int x;\ninit {{ x = {}1{} }}", "(".repeat(n), ")".repeat(n));
    check(&brackets(90), &[]);
    check(&brackets(50_000), &["promela-limit"]);
    let braces = |n| format!("init {{ {} skip {} }}", "{".repeat(n), "}".repeat(n));
    check(&braces(90), &[]);
    check(&braces(50_000), &["promela-limit"]);
    let choices = |n| format!("init {{ {} skip {} }}", "if :: ".repeat(n), " fi".repeat(n));
    check(&choices(90), &[]);
    check(&choices(50_000), &["promela-limit"]);
    check(&format!("int x;\ninit {{ x = {}1 }}", "- ".repeat(50_000)), &["promela-limit"]);
    let indices = |n| format!("int x[2];\ninit {{ x[0] = {}1{} }}", "x[".repeat(n), "]".repeat(n));
    check(&indices(90), &[]);
    check(&indices(50_000), &["promela-limit"]);
    let fields = |n| format!("byte a; chan q;\ninit {{ q?{}a{} }}", "a(".repeat(n), ")".repeat(n));
    check(&fields(90), &[]);
    check(&fields(50_000), &["promela-limit"]);
}

#[test]
fn chains_of_operators_are_bounded() {
    let sum = |n| format!("int x;\ninit {{ x = {}1 }}", "x + ".repeat(n));
    check(&sum(400), &[]);
    check(&sum(200_000), &["promela-limit"]);
}

#[test]
fn macros_and_inlines_grow_up_to_a_bound() {
    let mut text = String::from("#define A0(x) x x\n");
    for n in 1..40 {
        text.push_str(&format!("#define A{n}(x) A{}(x) A{}(x)\n", n - 1, n - 1));
    }
    let (parsed, _) = read(&format!("{text}init {{ A39(skip;) }}"), &[]);
    assert_eq!(parsed.diagnostics[0].code, "promela-limit");
    let mut text = String::from("inline f0() { skip }\n");
    for n in 1..40 {
        text.push_str(&format!("inline f{n}() {{ f{}(); f{}() }}\n", n - 1, n - 1));
    }
    check(&format!("{text}init {{ f39() }}"), &["promela-limit"]);
}

#[test]
fn arguments_of_macros_are_bounded() {
    let text =
        format!("#define F(x) x\nint x = {}1{};\ninit {{ skip }}", "F(".repeat(5_000), ")".repeat(5_000));
    let (parsed, _) = read(&text, &[]);
    assert_eq!(parsed.diagnostics[0].code, "promela-macro");
    let condition = format!("#if {}1{}\n#endif\ninit {{ skip }}", "(".repeat(50_000), ")".repeat(50_000));
    check(&condition, &["promela-condition"]);
}

#[test]
fn messages_and_records_are_bounded() {
    let mut text = String::from("typedef R0 { byte a[1000] }\n");
    for n in 1..10 {
        text.push_str(&format!("typedef R{n} {{ R{} a[1000] }}\n", n - 1));
    }
    check(&format!("{text}R9 r; chan q = [1] of {{R9}};\ninit {{ q!r }}"), &["promela-limit"]);
}

#[test]
fn errors_are_bounded() {
    let (parsed, _) = read(&format!("init {{ {} }}", "x = ;\n".repeat(10_000)), &[]);
    assert!(parsed.diagnostics.len() <= 200);
}

#[test]
fn the_same_mistake_is_told_a_few_times() {
    let (parsed, _) = read(&format!("init {{ skip }}\n{}", "\u{1} 0x1 ".repeat(1_000)), &[]);
    let n_of = |code: &str| parsed.diagnostics.iter().filter(|it| it.code == code).count();
    assert_eq!(n_of("promela-character"), 20, "ten of each");
    let last = parsed.diagnostics.last().expect("there are diagnostics");
    assert_eq!((last.code, &*last.message), ("promela-more", "1980 similar messages are not shown"));
}

#[test]
fn of_a_text_that_is_not_whole_nothing_else_is_told() {
    check("#include \"self.pml\"\n#include \"self.pml\"\nbyte x; byte x; init { skip }", &["promela-limit"]);
}
