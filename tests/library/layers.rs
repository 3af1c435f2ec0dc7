//! The rooms of `src` name only the rooms below them.

use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms it may name, lowest first. A room may always
/// name itself. `ARCHITECTURE.md` explains the table.
const ROOMS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diag", &["base"]),
    ("automata", &["base"]),
    ("system", &["base"]),
    ("net", &["base", "diag", "automata"]),
    ("analysis", &["base", "diag", "net"]),
    ("lang", &["base", "diag", "automata", "net", "analysis"]),
    ("flow", &["base", "diag", "automata", "system", "lang"]),
    ("explicit", &["base", "diag", "automata", "system", "net", "analysis", "lang"]),
    ("search", &["base", "diag", "system"]),
    (
        "verify",
        &["base", "diag", "automata", "system", "net", "analysis", "lang", "flow", "explicit", "search"],
    ),
    (
        "refine",
        &[
            "base", "diag", "automata", "system", "net", "analysis", "lang", "flow", "explicit", "search",
            "verify",
        ],
    ),
    (
        "experiment",
        &[
            "base", "diag", "automata", "system", "net", "analysis", "lang", "flow", "explicit", "search",
            "verify",
        ],
    ),
    ("report", &["base", "diag", "verify", "refine", "experiment"]),
    ("cli", &["base", "diag", "net", "lang", "verify", "refine", "experiment", "report"]),
];

#[test]
fn rooms_name_only_rooms_below_them() {
    let mut wrong = Vec::new();
    for (room, below) in ROOMS {
        for file in files_of(room).into_iter().filter(|it| !is_sample(it)) {
            let text = fs::read_to_string(&file).expect("a source file is readable");
            let tokens: TokenStream = text.parse().expect("a source file is Rust");
            let mut named = Vec::new();
            rooms_named(tokens, &mut named);
            let allowed = |name: &String| name == room || below.contains(&name.as_str());
            let is_room = |name: &String| ROOMS.iter().any(|(room, _)| room == name);
            named.retain(|name| is_room(name) && !allowed(name));
            wrong.extend(named.into_iter().map(|name| format!("{} names `{name}`", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Does a file make the networks of unit tests from texts? It is compiled for
/// tests only, and names the front end that reads them.
fn is_sample(file: &Path) -> bool {
    file.ends_with("samples.rs")
}

/// Networks and the engine that runs them know of no input language. Only
/// tests read their models from texts.
#[test]
fn networks_and_their_engine_name_no_input_language() {
    let languages = ["promela", "task"];
    let is_test = |file: &Path| file.to_string_lossy().contains("tests") || is_sample(file);
    let mut wrong = Vec::new();
    for file in ["net", "analysis", "explicit"].into_iter().flat_map(files_of).filter(|it| !is_test(it)) {
        let text = fs::read_to_string(&file).expect("a source file is readable");
        let named = languages.iter().filter(|it| text.contains(&format!("lang::{it}")));
        wrong.extend(named.map(|it| format!("{} names `lang::{it}`", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A room must not hand out what another room may not name: what is re-exported
/// comes from the room itself or from one that all its users may name.
#[test]
fn re_exports_open_no_way_around_the_layers() {
    let mut wrong = Vec::new();
    for (room, _) in ROOMS {
        let users: Vec<&(&str, &[&str])> = ROOMS.iter().filter(|(_, below)| below.contains(room)).collect();
        for file in files_of(room) {
            let text = fs::read_to_string(&file).expect("a source file is readable");
            for from in text.lines().filter_map(|line| line.strip_prefix("pub use crate::")) {
                let from = from.split([':', ';']).next().unwrap_or_default();
                let is_hidden = |(user, below): &&&(&str, &[&str])| {
                    *user != from && !below.contains(&from) && !PASSED_ON.contains(&(*room, from))
                };
                let hidden = users.iter().filter(is_hidden);
                wrong.extend(hidden.map(|(user, _)| {
                    format!("{} hands `{from}` to `{user}`, which may not name it", file.display())
                }));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rooms whose types are part of what another room offers on purpose: `verify`
/// is the door to the engines.
const PASSED_ON: &[(&str, &str)] = &[
    ("verify", "flow"),
    ("verify", "explicit"),
    ("verify", "search"),
    ("verify", "lang"),
    ("verify", "net"),
];

#[test]
fn every_module_of_the_crate_is_a_room() {
    let library = fs::read_to_string("src/lib.rs").expect("the library has a root");
    let modules: Vec<&str> =
        library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(!modules.is_empty());
    for module in modules {
        assert!(ROOMS.iter().any(|(room, _)| *room == module), "`{module}` has no place in the layers");
    }
}

fn files_of(room: &str) -> Vec<PathBuf> {
    let mut files = vec![PathBuf::from(format!("src/{room}.rs"))];
    let mut folders = vec![PathBuf::from(format!("src/{room}"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension() == Some("rs".as_ref()) => files.push(path),
                false => {}
            }
        }
    }
    files.retain(|file| Path::new(file).exists());
    files
}

/// What follows `crate::`, or `trapline::` in the binary, or is in the braces
/// after it.
fn rooms_named(tokens: TokenStream, named: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            rooms_named(group.stream(), named);
        }
        let is = |offset: usize, text: &str| {
            tokens.get(index + offset).is_some_and(|token| token.to_string() == text)
        };
        if (is(0, "crate") || is(0, "trapline")) && is(1, ":") && is(2, ":") {
            match tokens.get(index + 3) {
                Some(TokenTree::Ident(name)) => named.push(name.to_string()),
                Some(TokenTree::Group(group)) => {
                    let first_of_path = group.stream().into_iter().map(|token| token.to_string());
                    named.extend(first_of_path);
                }
                _ => {}
            }
        }
    }
}

/// A heuristic is one file and one line of a table: its name, its type and its
/// module occur nowhere else in the code. Presets may use it.
#[test]
fn a_heuristic_is_one_file_and_one_line() {
    let folder = Path::new("src/flow/heuristics");
    let table = fs::read_to_string("src/flow/heuristics.rs").expect("the table is readable");
    let others: Vec<PathBuf> = ROOMS.iter().flat_map(|(room, _)| files_of(room)).collect();
    let files: Vec<PathBuf> = others.iter().filter(|it| it.parent() == Some(folder)).cloned().collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in &files {
        let stem = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let lines: Vec<&str> = table.lines().filter(|line| line.contains(&format!("{stem}:"))).collect();
        assert_eq!(lines.len(), 1, "`{stem}` in the table: {lines:?}");
        let text = fs::read_to_string(file).expect("a source file is readable");
        let types =
            text.lines().filter_map(|line| line.strip_prefix("pub struct ")?.split([' ', ';']).next());
        let words: Vec<String> = types.map(str::to_string).chain([format!("heuristics::{stem}")]).collect();
        assert!(text.contains("const ") && words.len() > 1, "{words:?}");
        for other in others.iter().filter(|it| *it != file) {
            let text = fs::read_to_string(other).expect("a source file is readable");
            let is_word = |text: &str, at: usize, word: &str| {
                let around = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
                around.iter().flatten().all(|c| !c.is_alphanumeric() && *c != '_')
            };
            let named =
                |word: &String| text.match_indices(word.as_str()).any(|(at, _)| is_word(&text, at, word));
            let named: Vec<&String> = words.iter().filter(|it| named(it)).collect();
            // Other rooms have types of the same short names.
            let is_own = |it: &&&String| other.starts_with("src/flow") || it.contains("::");
            let wrong: Vec<&&String> = named.iter().filter(is_own).collect();
            assert!(wrong.is_empty(), "{} names {wrong:?}", other.display());
        }
    }
    let of_flow = trapline::flow::heuristics::guides().into_iter().map(|it| ("src/flow", it));
    let of_states = trapline::explicit::heuristics::guides().into_iter().map(|it| ("src/explicit", it));
    for (room, guide) in of_flow.chain(of_states) {
        let literal = format!("name: \"{}\"", guide.name);
        let defining = others
            .iter()
            .filter(|it| it.starts_with(room))
            .filter(|it| fs::read_to_string(it).expect("a source file is readable").contains(&literal));
        assert_eq!(defining.count(), 1, "`{}` is defined once", guide.name);
    }
}
