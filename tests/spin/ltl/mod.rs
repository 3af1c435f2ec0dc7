//! What the comparison with other translators needs: to run them, to read
//! what they write, and something to compare.

pub mod lbt;
pub mod spin;
pub mod words;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use trapline::automata::buchi::{Buchi, Edge, Guard};
use trapline::automata::ltl::{AtomId, Formula, Lasso, Letter, ParseError, parse};

/// Another tool's automaton.
pub struct Foreign {
    /// For comparing languages; its transitions are split by letter.
    pub automaton: Buchi,
    /// As the tool wrote it.
    pub n_states: usize,
    pub n_edges: usize,
}

/// The name of an atom: `a`, `b`, and so on.
pub fn name(atom: AtomId) -> String {
    char::from(b'a' + atom.0 as u8).to_string()
}

/// A formula over the atoms `a`, `b`, and so on.
pub fn formula(text: &str) -> Formula {
    let mut atom = |range: std::ops::Range<usize>| -> Result<AtomId, ParseError> {
        Ok(AtomId(u32::from(text.as_bytes()[range.start] - b'a')))
    };
    parse(text, &mut atom).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// One transition per letter that satisfies a guard, which speaks of the
/// present alone.
fn split(guard: &Formula, n_atoms: u32, target: u32) -> Vec<Edge> {
    let satisfies = |letter: &Letter| guard.holds_on(&Lasso::new(&[], &[*letter]));
    let exactly = |letter: Letter| {
        let literals = (0..n_atoms).map(|atom| Guard::literal(AtomId(atom), letter >> atom & 1 == 1));
        literals.reduce(|all, literal| all.and(literal).expect("one literal per atom")).unwrap_or(Guard::TRUE)
    };
    (0..1 << n_atoms).filter(satisfies).map(|letter| Edge { guard: exactly(letter), target }).collect()
}

/// What a tool writes, unless it takes too long; `None` if there is no such
/// tool.
fn output(tool: &str, arguments: &[&str], input: &str, limit: Duration) -> Option<Result<String, Duration>> {
    let mut child = Command::new(tool)
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let mut stdout = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stdout, &mut text).map(|_| text)
    });
    let start = Instant::now();
    while child.try_wait().expect("a child can be waited for").is_none() {
        if limit < start.elapsed() {
            child.kill().ok();
            child.wait().ok();
            return Some(Err(limit));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(Ok(reader.join().expect("reading does not panic").expect("the output is text")))
}
