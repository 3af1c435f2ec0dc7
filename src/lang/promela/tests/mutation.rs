//! Mutated texts: an error is a diagnostic, never a panic or a hang.

use super::super::lex::lex;
use super::{read, shown};
use crate::diag::SourceId;

const MODELS: &[&str] = &[
    "#define N 3\n#define sum(a, b) ((a) + (b))\nmtype = {msg, ack}\ntypedef R { byte x; int y[2] = 7 }\n\
     R r; chan q = [N] of {mtype, byte}; byte a[N] = 1; bool ok;\n\
     inline send(m, v) { q!m(v); ok = true }\n\
     inline next(v) { return v + 1 }\n\
     active [2] proctype P() provided (ok) {\n  byte i = 2, j;\n  xs q;\n  do\n  :: send(ack, i)\n  :: q?msg(i) -> break\n\
       :: i > 3 -> atomic { i++; goto end }\n  od unless { timeout };\n  for (i : 1 .. N) { a[i - 1] = sum(i, j) }\n\
       select (j : 0 .. 2);\n  i = next(j);\nend: d_step { r.y[1] = (i > 1 -> 2 : 3); assert(r.x == 0) }\n}\n\
     init { run P(); printf(\"%d %e\\n\", a[1], msg) }\n\
     ltl safe { [] (ok -> <> (len(q) < 2 && P[1]@end)) }\nnever { do :: !q?[ack, 1] :: np_ od }\n",
    "typedef R { unsigned u : 3; pid p }\nchan c = [0] of {R}\nproctype D(chan d; R s) { d??<s>; d!!s; goto L; L: }\n\
     #if defined(X) && X > 1\ninit { skip }\n#else\ninit {\n  R r\n  run D(c, r) priority 2\n  c?r\n  L: M: skip\n  {\n    byte z\n    z = z\n      - 1\n  }\n}\n#endif\n\
     trace { c!_,_; c?eval(1),2 }\n",
];

/// A random generator with a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Splits a text into tokens with the blanks before them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for token in lex(SourceId::default(), text) {
        let end = token.mark.span.end as usize;
        pieces.push(text[start..end].to_string());
        start = end;
    }
    pieces.push(text[start..].to_string());
    pieces
}

fn mutated(pieces: &[String], random: &mut Random) -> String {
    let mut pieces = pieces.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(other, pieces[at].clone()),
            2 => pieces.swap(at, other),
            3 => pieces[at] = pieces[other].clone(),
            4 => pieces.truncate(at + 1),
            _ => drop(pieces.drain(at.min(other)..at.max(other).min(at.min(other) + 20))),
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn broken_texts_are_refused_in_order() {
    let models: Vec<Vec<String>> = MODELS.iter().map(|model| pieces(model)).collect();
    let rounds = std::env::var("TRAPLINE_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_500);
    for seed in 1..=rounds {
        let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let model = &models[random.below(models.len())];
        let text = mutated(model, &mut random);
        let outcome = std::panic::catch_unwind(|| {
            let (parsed, sources) = read(&text, &[]);
            shown(&parsed.diagnostics, &sources);
        });
        assert!(outcome.is_ok(), "seed {seed} makes the parser panic:\n{text}");
    }
}

#[test]
fn the_models_are_right() {
    for model in MODELS {
        let (parsed, sources) = read(model, &[]);
        assert_eq!(shown(&parsed.diagnostics, &sources), "");
    }
}
