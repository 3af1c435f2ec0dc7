//! Models and the programs they become.

use super::{Setting, load};
use crate::diag::Sources;
use expect_test::{Expect, expect};

fn show(source: &str, settings: &[Setting]) -> String {
    let mut sources = Sources::default();
    let id = sources.add("model.rs", source);
    let loaded = load(id, &sources, settings);
    let mut text: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&sources, false) + "\n").collect();
    text.push_str(&loaded.program.map(|program| program.dump()).unwrap_or_default());
    text
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    expected.assert_eq(&show(source, &[]));
}

#[test]
fn lock() {
    check(
        include_str!("../../../examples/lock.rs"),
        expect![[r#"
        variable t2.locked: bool = ?
        entry t2.lock
        entry t2.unlock
        task t1: 4 points, 0 to 3
          0 -> 1  silent
          0 -> 3  silent
          1 -> 2  call t2.lock
          2 -> 0  call t2.unlock
        task t2: 8 points, 0 to 7
          0 -> 1  t2.locked=false
          1 -> 2  silent
          1 -> 7  silent
          2 -> 3  test t2.locked==false
          3 -> 4  accept t2.lock
          4 -> 1  t2.locked=true
          2 -> 5  test t2.locked==true
          5 -> 6  accept t2.unlock
          6 -> 1  t2.locked=false
    "#]],
    );
}

#[test]
fn probe() {
    if let Ok(path) = std::env::var("PROBE") {
        let text = std::fs::read_to_string(path).unwrap();
        println!("{}", show(&text, &[]));
    }
}
