//! Texts that could crash the front end: deep, long, wide. Each must end soon,
//! in a program or in an error.

use super::{check, show};
use expect_test::expect;

fn body(text: &str) -> String {
    format!("static mut X: bool = false; static mut N: int!(0..=3) = 0; #[task] fn t() {{ {text} }}")
}

/// Tests a deep text: once within the limit, once beyond it.
fn deep(make: impl Fn(usize) -> String) {
    for depth in [300, 3000, 100_000] {
        let shown = show(&body(&make(depth)), &[]);
        let is_model = shown.contains("task t: ");
        let first = shown.lines().next().unwrap_or_default();
        assert!(is_model || depth > 300 && first.contains("task-limit"), "{depth}: {first}");
    }
}

#[test]
fn parentheses() {
    deep(|depth| format!("X = {}true{};", "(".repeat(depth), ")".repeat(depth)));
}

#[test]
fn blocks() {
    deep(|depth| format!("{}event!(a);{}", "{".repeat(depth), "}".repeat(depth)));
}

#[test]
fn unary_operators() {
    deep(|depth| format!("X = {}true;", "!".repeat(depth)));
    deep(|depth| format!("if {}X {{}}", "!".repeat(depth)));
    deep(|depth| format!("N = {}1;", "- ".repeat(depth * 2)));
}

#[test]
fn binary_operators() {
    deep(|depth| format!("N = 0{};", " + 0".repeat(depth)));
    deep(|depth| format!("if X{} {{}}", " && X".repeat(depth)));
    deep(|depth| format!("wait!(X{});", " || X".repeat(depth)));
}

#[test]
fn else_if_chains() {
    deep(|depth| format!("if X {{ event!(a); }}{}", " else if X { event!(b); }".repeat(depth)));
}

#[test]
fn macros_inside_each_other() {
    deep(|depth| format!("{}event!(a);{}", "choose! {{".repeat(depth), "}}".repeat(depth)));
    deep(|depth| format!("println!({}1{});", "a(".repeat(depth), ")".repeat(depth)));
}

/// Shapes that are errors anyway: they only have to end.
#[test]
fn other_shapes() {
    for depth in [900, 1900, 3800, 100_000] {
        let nested = |open: &str, close: &str| (open.repeat(depth), close.repeat(depth));
        let shapes = [
            (nested("&", ""), "let x: ", "bool = true;"),
            (nested("Vec<", ">"), "let x: ", ";"),
            (nested("[", "; 1]"), "let x: ", ";"),
            (nested("(", ")"), "match N { ", " => {} }"),
            (nested("&", ""), "match N { ", "_ => {} }"),
            (nested("return ", ""), "", ";"),
            (nested("|| ", ""), "X = ", "1;"),
            (nested("", " as u8"), "N = N", ";"),
            (nested("", "[0]"), "N = N", ";"),
            (nested("", ".a()"), "N", ";"),
            (nested("", "()"), "a", ";"),
            (nested("a = ", ""), "", "1;"),
            (nested("if true {", "}"), "", ""),
            (nested("'a: loop {", "}"), "", ""),
            (nested("match N { _ => ", "}"), "", "1"),
            (nested("select! { else => {", "} }"), "", ""),
            (nested("f(", ")"), "", ";"),
            (nested("a::", ""), "", "b();"),
            (nested("0..", ""), "for i in ", "1 {}"),
            (nested("unsafe {", "}"), "", ""),
        ];
        for ((open, close), before, after) in shapes {
            show(&body(&format!("{before}{open}{close}{after}")), &[]);
        }
    }
}

#[test]
fn long_bodies_are_no_problem() {
    let shown = show(&body(&"if X { event!(a); } N = 2; ".repeat(5000)), &[]);
    assert!(shown.starts_with("variable X"), "{}", &shown[..200]);
    let arms: String = (0..2000).map(|value| format!("{value} => {{}} ")).collect();
    let shown = show(&body(&format!("match N {{ {arms} }}")), &[]);
    assert!(shown.starts_with("variable X"), "{}", &shown[..200]);
}

#[test]
fn long_chains_of_functions() {
    let chain = |len: usize| {
        let functions: String =
            (0..len).map(|index| format!("fn f{index}() {{ f{}(); }} ", index + 1)).collect();
        format!("{functions} fn f{len}() {{ event!(a); }} #[task] fn t() {{ f0(); }}")
    };
    assert!(show(&chain(500), &[]).starts_with("task t"));
    assert!(show(&chain(5000), &[]).contains("task-limit"));
}

#[test]
fn cut_texts_are_errors_or_models() {
    let text = include_str!("../../../../examples/lock.rs");
    for (end, _) in text.char_indices() {
        show(&text[..end], &[]);
        show(&text[end..], &[]);
    }
}

/// Words in random positions, from a seed: no text may cause a panic.
#[test]
fn shuffled_texts() {
    let text = include_str!("all.rs");
    let words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for _ in 0..1500 {
        let mut mixed = words.clone();
        for _ in 0..=random(3) {
            let (from, to) = (random(words.len()), random(words.len()));
            match random(3) {
                0 => mixed[to] = words[from],
                1 => mixed[to] = "",
                _ => mixed.insert(to, words[from]),
            }
        }
        show(&mixed.concat(), &[]);
    }
}

#[test]
fn odd_texts() {
    for text in [
        "",
        "\u{feff}",
        "#!",
        "#!\n",
        "}",
        "{",
        "fn",
        "#[task]",
        "'",
        "\"",
        "/*",
        "r#\"",
        "\0",
        "é",
        "#[task(",
        "1e999999999",
    ] {
        show(text, &[]);
    }
    expect![[r#"
        error[task-syntax]: this bracket is never closed
         --> model.rs:1:16
          |
        1 | #[task] fn t() { event!(a)
          |                ^
    "#]]
    .assert_eq(&show("#[task] fn t() { event!(a)", &[]));
}

#[test]
fn numbers_at_the_edge() {
    check(
        "static mut K: int!(0..=3) = 0;
        #[task] fn t() { K += -9223372036854775807 - 1; K -= -9223372036854775807 - 1; }",
        expect![[r#"
            variable K: int!(0..=3) = 0
            task t: 3 points, 0 to 2
              0 -> 1  K-=9223372036854775808
              1 -> 2  K=?
        "#]],
    );
    check(
        "const MIN: i64 = -9223372036854775807 - 1;
        static mut K: int!(MIN..MIN) = 0;
        static mut L: int!(MIN..=9223372036854775807) = 0;
        #[task] fn t() { for i in MIN..MIN { event!(never); } let x = if any!() { MIN } else { 9223372036854775807 }; }",
        expect![[r#"
            error[task-range]: the range from -9223372036854775808 to before -9223372036854775808 is empty
             --> model.rs:2:28
              |
            2 |         static mut K: int!(MIN..MIN) = 0;
              |                            ^^^^^^^^
            error[task-limit]: a variable may have at most 4096 values
             --> model.rs:3:28
              |
            3 |         static mut L: int!(MIN..=9223372036854775807) = 0;
              |                            ^^^^^^^^^^^^^^^^^^^^^^^^^
            error[task-limit]: a variable may have at most 4096 values
             --> model.rs:4:63
              |
            4 |         #[task] fn t() { for i in MIN..MIN { event!(never); } let x = if any!() { MIN } else { 9223372036854775807 }; }
              |                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn arrays_and_tuples() {
    deep(|depth| format!("atomic! {{{}event!(a);{}}}", "{".repeat(depth), "}".repeat(depth)));
    for depth in [300, 3000, 100_000] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let shown =
            show(&format!("const A: usize = 0; {}", body(&format!("for x in {open}1{close} {{}}"))), &[]);
        assert!(shown.contains("task t: ") || shown.contains("task-limit"), "{depth}");
    }
    let limited = [
        body("N = [0; 9223372036854775807][N];"),
        body("N = [[[0; 60000]; 60000]; 60000][0][0][N];"),
        body(&"N = [0; 65000][N]; ".repeat(20_000)),
        format!(
            "const A: [usize; 60000] = [1; 60000]; fn f(a: [usize; 60000]) {{}} {}",
            body(&"f(A); ".repeat(100_000))
        ),
        body(&format!("match (N, N, N) {{ {} _ => {{}} }}", "(0, 1, 2) => {} ".repeat(30_000))),
        format!(
            "static mut A: int!(0..=60) = 0; static mut B: int!(0..=4000) = 0; {}",
            body(&format!("match (A, B) {{ {} _ => {{}} }}", "(0, 1) | (1, 2) => {} ".repeat(30_000)))
        ),
        format!("static Q: Channel<int!(0..=4000)> = Channel::new(4000); {}", body("Q.send(N); Q.recv();")),
        format!(
            "static L: [[Lock; 64]; 64] = [[Lock::new(); 64]; 64]; {}",
            body("L[any!()][any!()].lock();")
        ),
        format!(
            "static S: [Semaphore; 4000] = [Semaphore::new(4000); 4000]; {}",
            body("S[any!()].acquire();")
        ),
    ];
    for (index, source) in limited.iter().enumerate() {
        let shown = show(source, &[]);
        assert!(
            shown.contains("task t: ") || shown.contains("task-limit"),
            "{index}: {}",
            &shown[..shown.len().min(300)]
        );
    }
}
