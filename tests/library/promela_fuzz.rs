//! Broken and odd Promela models: whatever the text, it is refused in order or
//! run for a while; nothing panics, hangs or eats all memory.
//!
//! The texts are shipped models with words taken out, doubled, swapped and
//! exchanged between models. A few are tried with every run of the tests, many with
//!
//! ```sh
//! TRAPLINE_FUZZ_SECONDS=600 TRAPLINE_FUZZ_SEED=7 cargo test --release --test library promela_fuzz -- --ignored --nocapture
//! ```
//!
//! `TRAPLINE_FUZZ_FIRST` begins with a later text of the seed.
//! `fuzz/fuzz_targets/promela.rs` does the same, led by coverage.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use trapline::diag::Sources;
use trapline::lang::promela::{Reading, parse};
use trapline::verify::Limits;
use trapline::verify::explicit::{Aim, lower};
use trapline::verify::outline::outline;
use trapline::verify::select::templates;
use trapline::verify::{ExplicitProblem, Question};

/// A text that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(120);

/// A text that takes longer is shown.
const SLOW: Duration = Duration::from_secs(5);

/// Bytes in use that are too many.
const MOST_BYTES: u64 = 4 << 30;

/// A generator whose numbers depend on its seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn try_text(text: &str) {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| match path {
        "self" => Ok((path.to_string(), text.to_string())),
        _ => Err("no such file".to_string()),
    };
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    for diagnostic in &parsed.diagnostics {
        diagnostic.render(&sources, false);
    }
    let is_refused = parsed.diagnostics.iter().any(|it| it.is_error());
    assert_eq!(parsed.model.is_none(), is_refused, "a model is refused if and only if it has an error");
    let Some(model) = parsed.model else { return };
    let program = match lower(model) {
        Ok(program) => program,
        Err(refused) => return refused.iter().for_each(|it| drop(it.render(&sources, false))),
    };
    if let Ok(all) = templates(&program.network, &trapline::lang::spec::Glob::new("*"), "proctype") {
        outline(&program.network, &all, &sources);
    }
    let limits = Limits { max_states: Some(2_000), max_bytes: Some(64 << 20) };
    let question = Question::from(ExplicitProblem::of_promela(&program, Aim::Safety)).with_limits(limits);
    question.check(&mut |_| None).expect("safety can be asked of any model");
}

/// The words of all models, each with the blanks before it.
fn corpus() -> Vec<Vec<String>> {
    let mut corpus = Vec::new();
    for folder in ["tests/spin/micro", "examples/promela", "/usr/share/doc/spin/examples/Examples"] {
        let mut files: Vec<_> = fs::read_dir(Path::new(folder)).into_iter().flatten().flatten().collect();
        files.sort_by_key(std::fs::DirEntry::path);
        for file in files.iter().filter(|it| it.path().extension().is_some_and(|it| it == "pml")) {
            let text = fs::read(file.path()).expect("a model is readable");
            let text = String::from_utf8_lossy(&text).into_owned();
            if text.len() < 6_000 {
                corpus.push(words(&text));
            }
        }
    }
    corpus
}

fn words(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_whitespace() => 0,
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ => 2,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        let starts = last.is_none_or(|last| kind(last) != kind(c) && kind(last) != 0)
            || kind(c) == 2 && last != Some(c);
        match words.last_mut() {
            Some(word) if !starts => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = Some(c);
    }
    words
}

/// Numbers and words that are at the edge of something.
const ODD: &[&str] = &[
    " 0",
    " -1",
    " 1",
    " 255",
    " 256",
    " 65535",
    " 2147483647",
    " -2147483648",
    " 4294967296",
    " timeout",
    " else",
    " atomic {",
    " d_step {",
    " unless {",
    " run",
    " do ::",
    " :: break",
    " _",
    " _pid",
    " _nr_pr",
    " chan",
    " eval(",
    " [0] of {",
    " [255] of {",
    " int",
    " unsigned u : 32",
    " goto",
    " skip;",
    " }",
    " ;",
    " od",
    " fi",
    " ??",
    " !!",
    " >> 33",
    " << -1",
    " / 0",
    " % 0",
    " hidden",
    " provided (0)",
    " active [255]",
    " #define x x",
];

fn mutated(corpus: &[Vec<String>], random: &mut Random) -> String {
    let mut words = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len());
        let other = random.below(words.len());
        match random.below(9) {
            0 => drop(words.remove(at)),
            1 => words.insert(other, words[at].clone()),
            2 => words.swap(at, other),
            3 => words[at] = words[other].clone(),
            4 => drop(words.drain(at..words.len().min(at + 1 + random.below(12)))),
            5 => words[at] = ODD[random.below(ODD.len())].to_string(),
            6 => words.insert(at, ODD[random.below(ODD.len())].to_string()),
            7 => {
                let end = words.len().min(at + 1 + random.below(20));
                let piece = words[at..end].to_vec();
                words.splice(other..other, piece);
            }
            _ => {
                let from = &corpus[random.below(corpus.len())];
                let start = random.below(from.len());
                let end = from.len().min(start + 1 + random.below(30));
                words.splice(at..at, from[start..end].to_vec());
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// Most bytes this process ever had in memory, where the system tells.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Tries the texts of a seed from `first` on while `goes_on` says so of their number.
fn fuzz(seed: u64, first: u64, mut goes_on: impl FnMut(u64) -> bool) -> u64 {
    let corpus = corpus();
    let at_hand: Arc<Mutex<(Instant, String)>> = Arc::new(Mutex::new((Instant::now(), String::new())));
    let watched = Arc::downgrade(&at_hand);
    std::thread::spawn(move || {
        while let Some(at_hand) = watched.upgrade() {
            if let Ok(at_hand) = at_hand.lock()
                && at_hand.0.elapsed() > LONGEST
            {
                println!("this takes longer than {LONGEST:?}:\n{}", at_hand.1);
                std::process::abort();
            }
            drop(at_hand);
            std::thread::sleep(Duration::from_secs(1));
        }
    });
    let mut n_texts = first;
    let mut slowest = Duration::ZERO;
    while goes_on(n_texts) {
        let number = seed.wrapping_mul(1 << 32).wrapping_add(n_texts + 1);
        let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number) | 1);
        let text = mutated(&corpus, &mut random);
        let start = Instant::now();
        *at_hand.lock().expect("the watcher does not panic") = (start, text.clone());
        let outcome = std::panic::catch_unwind(|| try_text(&text));
        assert!(outcome.is_ok(), "seed {seed}, text {n_texts} panics:\n{text}");
        assert!(peak_bytes() < MOST_BYTES, "seed {seed}, text {n_texts} eats memory:\n{text}");
        if start.elapsed() > slowest {
            slowest = start.elapsed();
            println!("text {n_texts}: {slowest:?}, {} MiB at most so far", peak_bytes() >> 20);
            if slowest > SLOW {
                println!("{text}");
            }
        }
        n_texts += 1;
    }
    n_texts
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn some_broken_models_are_refused_or_run() {
    fuzz(1, 0, |n_texts| n_texts < 400);
}

#[test]
#[ignore = "takes as long as TRAPLINE_FUZZ_SECONDS says"]
fn many_broken_models_are_refused_or_run() {
    let end = Instant::now() + Duration::from_secs(setting("TRAPLINE_FUZZ_SECONDS", 600));
    let first = setting("TRAPLINE_FUZZ_FIRST", 0);
    let n_texts = fuzz(setting("TRAPLINE_FUZZ_SEED", 2), first, |_| Instant::now() < end);
    println!("{n_texts} texts");
}
