//! Models like a given one: a constant, an operator, a variable or a statement
//! is another one, so that most of them can be run.

#![allow(dead_code)]

/// A generator whose numbers depend on its seed alone.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| {
            random.below(2);
        });
        random
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn choose<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A token with the blanks, comments and directives before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    before: String,
    text: String,
}

/// Operators that can take each other's place.
const OPERATORS: &[&[&str]] = &[
    &["+", "-", "*", "/", "%"],
    &["==", "!=", "<", "<=", ">", ">="],
    &["&&", "||"],
    &["&", "|", "^"],
    &["<<", ">>"],
    &["++", "--"],
    &["!", "?", "!!", "??"],
];

/// Words that can take each other's place.
const WORDS: &[&[&str]] = &[
    &["bit", "bool", "byte", "short", "int", "pid"],
    &["true", "false"],
    &["atomic", "d_step"],
    &["len", "empty", "full", "nempty", "nfull"],
    &["break", "skip"],
    &["timeout", "true"],
];

const NUMBERS: &[&str] = &["0", "1", "2", "3", "7", "8", "127", "128", "255", "256", "32767", "65536"];

/// Where a simple statement ends or begins.
const SEPARATORS: &[&str] = &[";", "->", "::", "{", "}"];

/// What is no part of a simple statement.
const STRUCTURE: &[&str] = &[
    "if", "fi", "do", "od", "atomic", "d_step", "unless", "proctype", "active", "init", "never", "trace",
    "notrace", "inline", "typedef", "mtype", "chan", "bit", "bool", "byte", "short", "int", "unsigned",
    "pid", "ltl", "for", "select", "of", "hidden", "show", "local", "provided", ":",
];

/// A model like `text`, with up to three differences.
pub fn mutant(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=random.below(3) {
        change(&mut tokens, random);
    }
    tokens.iter().flat_map(|it| [&it.before[..], &it.text]).collect()
}

/// The tokens of a text without blanks, comments and directives.
pub fn words(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|it| it.text).collect()
}

fn change(tokens: &mut Vec<Token>, random: &mut Random) {
    // Not every place has every kind of difference: try until one has.
    for _ in 0..200 {
        let at = random.below(tokens.len());
        let is_changed = match random.below(10) {
            0 | 1 => number(tokens, at, random),
            2 | 3 => swap_in(tokens, at, OPERATORS, random),
            4 => swap_in(tokens, at, WORDS, random),
            5 => name(tokens, at, random),
            6 => selection(tokens, at),
            kind => statement(tokens, at, kind, random),
        };
        if is_changed {
            return;
        }
    }
}

fn number(tokens: &mut [Token], at: usize, random: &mut Random) -> bool {
    let Ok(value) = tokens[at].text.parse::<i64>() else { return false };
    let new = match random.below(4) {
        0 => (value + 1).to_string(),
        1 if value > 0 => (value - 1).to_string(),
        2 => NUMBERS[..5][random.below(5)].to_string(),
        _ => random.choose(NUMBERS).to_string(),
    };
    let is_new = new != tokens[at].text;
    tokens[at].text = new;
    is_new
}

fn swap_in(tokens: &mut [Token], at: usize, classes: &[&[&str]], random: &mut Random) -> bool {
    let Some(class) = classes.iter().find(|it| it.contains(&&tokens[at].text[..])) else { return false };
    let new = random.choose(class).to_string();
    let is_new = new != tokens[at].text;
    tokens[at].text = new;
    is_new
}

fn is_name(token: &Token) -> bool {
    let is_word = token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_word && !STRUCTURE.contains(&&token.text[..])
}

/// A name becomes another one of the model.
fn name(tokens: &mut [Token], at: usize, random: &mut Random) -> bool {
    let other = random.below(tokens.len());
    let fits = is_name(&tokens[at]) && is_name(&tokens[other]) && tokens[at].text != tokens[other].text;
    if fits {
        tokens[at].text = tokens[other].text.clone();
    }
    fits
}

/// A loop becomes a selection or the other way round.
fn selection(tokens: &mut [Token], at: usize) -> bool {
    let (open, close, new_open, new_close) = match &tokens[at].text[..] {
        "if" => ("if", "fi", "do", "od"),
        "do" => ("do", "od", "if", "fi"),
        _ => return false,
    };
    let mut depth = 0;
    for end in at..tokens.len() {
        if tokens[end].text == open {
            depth += 1;
        } else if tokens[end].text == close {
            depth -= 1;
            if depth == 0 {
                tokens[at].text = new_open.to_string();
                tokens[end].text = new_close.to_string();
                return true;
            }
        }
    }
    false
}

/// A simple statement is left out, doubled, wrapped or exchanged.
fn statement(tokens: &mut Vec<Token>, at: usize, kind: usize, random: &mut Random) -> bool {
    let Some((start, end)) = simple_statement(tokens, at) else { return false };
    let word = |text: &str| Token { before: " ".to_string(), text: text.to_string() };
    let own: Vec<Token> = tokens[start..end].to_vec();
    let new = match (kind, random.below(6)) {
        (7, 0) => vec![word("skip")],
        (7, 1) => [&own[..], &[word(";")], &own[..]].concat(),
        (7, 2) => [&[word("atomic"), word("{")], &own[..], &[word("}")]].concat(),
        (7, 3) => [&[word("d_step"), word("{")], &own[..], &[word("}")]].concat(),
        (7, 4) => [&[word("if"), word("::")], &own[..], &[word("::"), word("else"), word("fi")]].concat(),
        (7, _) => vec![word("else")],
        _ => {
            let other = random.below(tokens.len());
            let Some((from, to)) = simple_statement(tokens, other) else { return false };
            let other = tokens[from..to].to_vec();
            match kind {
                8 => other,
                _ => [&own[..], &[word(";")], &other[..]].concat(),
            }
        }
    };
    if new == own {
        return false;
    }
    tokens.splice(start..end, new);
    true
}

fn simple_statement(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let is_separator = |it: &Token| SEPARATORS.contains(&&it.text[..]);
    let ends = |it: &Token| is_separator(it) || ["fi", "od"].contains(&&it.text[..]);
    if ends(&tokens[at]) {
        return None;
    }
    let start = (0..at).rev().find(|&index| is_separator(&tokens[index]))? + 1;
    let end = (at..tokens.len()).find(|&index| ends(&tokens[index]))?;
    let own = &tokens[start..end];
    let is_simple = own.iter().all(|it| !STRUCTURE.contains(&&it.text[..]) && !it.before.contains('#'));
    let is_closed =
        own.iter().filter(|it| it.text == "(").count() == own.iter().filter(|it| it.text == ")").count();
    (is_simple && is_closed).then_some((start, end))
}

/// Longest first.
const SIGNS: &[&str] =
    &["->", "::", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "++", "--", "!!", "??"];

fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at + blank(&text[at..]);
        let rest = &text[start..];
        let Some(first) = rest.chars().next() else { break };
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '"' => rest[1..].find('"').map_or(rest.len(), |it| it + 2),
            c => SIGNS.iter().find(|it| rest.starts_with(**it)).map_or(c.len_utf8(), |it| it.len()),
        };
        all.push(Token { before: text[at..start].to_string(), text: rest[..length].to_string() });
        at = start + length;
    }
    all.push(Token { before: text[at..].to_string(), text: String::new() });
    all
}

/// How many bytes are blank, a comment or a directive.
fn blank(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let length = match () {
            () if rest.starts_with(char::is_whitespace) => 1,
            () if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |it| it + 2),
            () if rest.starts_with("//") || rest.starts_with('#') => rest.find('\n').unwrap_or(rest.len()),
            () => return at,
        };
        at += length;
    }
}
