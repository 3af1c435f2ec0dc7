//! Random Promela models against the real SPIN: states, arrivals, kinds of
//! errors and the lengths of breadth-first trails. Says so and passes where SPIN or gcc is not installed.
//!
//! `TRAPLINE_SEED` is the first seed, `TRAPLINE_MODELS` the number of models to
//! compare, `TRAPLINE_FILE` a model or a folder of models to compare instead.

use crate::compare;
use crate::generate;
use crate::pan;
use compare::{Outcome, compare};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::{env, fs, process, thread};

/// Models that are compared unless told otherwise.
const N_MODELS: usize = 500;

/// A model with more states is left out, and one with fewer, which says little.
const SIZES: RangeInclusive<usize> = 6..=4_000;

/// Does SPIN take back a step of this model wrongly, or an escape?
fn is_wrong_in_spin(text: &str) -> bool {
    takes_back_wrongly(text) || escapes_wrongly(text)
}

/// Does a receive use a variable that it stores? SPIN takes such a step back
/// with the new value, and goes on from a state that was never there.
fn takes_back_wrongly(text: &str) -> bool {
    let has_word =
        |text: &str, word: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word);
    text.lines().any(|line| {
        let Some((_, fields)) = line.split_once('?') else { return false };
        let fields: Vec<&str> = fields.trim_matches(|c| "?<>; ".contains(c)).split(", ").collect();
        let is_name = |it: &&str| it.chars().all(|c| c.is_alphanumeric() || c == '_') && *it != "_";
        let clashes = |(index, name): (usize, &&str)| {
            is_name(name) && fields.iter().enumerate().any(|(other, it)| other != index && has_word(it, name))
        };
        fields.iter().enumerate().any(clashes)
    })
}

/// Where an escape begins with a rendezvous and nobody takes part in it, SPIN
/// forgets that another escape was possible. Where one begins with a jump to a
/// selection, SPIN takes the `else` of that whatever else can be taken.
fn escapes_wrongly(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let escapes: Vec<&str> =
        lines.windows(2).filter(|it| it[0].ends_with("unless {")).map(|it| it[1]).collect();
    let begins = |start: &str| escapes.iter().any(|it| it.starts_with(start));
    escapes.len() > 1 && begins("w!") || begins("goto") && lines.contains(&"else;")
}

fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("trapline-{}-{name}", process::id()));
    fs::create_dir_all(&folder).expect("there is a temporary folder");
    folder
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|it| it.parse().expect("a number"))
}

/// Compares one model, or all models of a folder.
fn compare_files(path: &Path) {
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("the folder is readable");
        files = entries.map(|it| it.expect("the entry is readable").path()).collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "pml"));
        files.sort();
    }
    let folder = folder("file");
    let mut n_different = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("the model is readable");
        let shown = match compare(&text, &folder, 0..=*SIZES.end()) {
            Outcome::Agrees => "agrees".to_string(),
            Outcome::LeftOut(_) | Outcome::BothRefuse => "left out".to_string(),
            other => {
                n_different += 1;
                other.how()
            }
        };
        println!("{}: {shown}", file.display());
    }
    let _ = fs::remove_dir_all(folder);
    assert_eq!(n_different, 0, "models that differ");
}

#[test]
fn random_models_have_the_states_and_errors_of_spin() {
    if !pan::is_installed() {
        println!("SPIN or gcc is not installed: nothing is compared");
        return;
    }
    if let Ok(path) = env::var("TRAPLINE_FILE") {
        return compare_files(Path::new(&path));
    }
    let n_wanted = number("TRAPLINE_MODELS").map_or(N_MODELS, |it| it as usize);
    let next_seed = AtomicU64::new(number("TRAPLINE_SEED").unwrap_or(0));
    let n_compared = AtomicUsize::new(0);
    let n_left_out = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for worker in 0..2 {
            let (next_seed, n_compared, n_left_out, wrong) = (&next_seed, &n_compared, &n_left_out, &wrong);
            scope.spawn(move || {
                let folder = folder(&worker.to_string());
                while n_compared.load(Ordering::Relaxed) < n_wanted {
                    let seed = next_seed.fetch_add(1, Ordering::Relaxed);
                    let text = generate::model(seed);
                    let outcome = match is_wrong_in_spin(&text) {
                        true => Outcome::LeftOut("SPIN is wrong"),
                        false => compare(&text, &folder, SIZES),
                    };
                    match outcome {
                        Outcome::Agrees => {
                            n_compared.fetch_add(1, Ordering::Relaxed);
                        }
                        Outcome::LeftOut(_) | Outcome::Known(_) => {
                            n_left_out.fetch_add(1, Ordering::Relaxed);
                        }
                        other => {
                            let how = other.how();
                            n_compared.fetch_add(1, Ordering::Relaxed);
                            let kept = env::temp_dir().join(format!("trapline-seed-{seed}.pml"));
                            fs::write(&kept, text).expect("there is a temporary folder");
                            let message = format!("{}: {how}", kept.display());
                            wrong.lock().expect("nobody panics").push(message);
                        }
                    }
                }
                let _ = fs::remove_dir_all(folder);
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics");
    println!("{n_compared:?} models compared, {n_left_out:?} left out");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
