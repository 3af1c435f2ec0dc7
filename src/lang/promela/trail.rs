//! SPIN's trail files: one line `step:process:number` per step, with the
//! [numbers](super::tree::Numbers) of statements.
//!
//! Lines with negative numbers precede them: `-4:-4:-4` if statements were
//! merged into one step, `-2:K:-2` if there is a claim, with K proctypes before
//! it in the text; then the claim is process 0 and the numbers of all others
//! are one higher. `-1:-1:-1` marks the beginning of a cycle. A rendezvous is
//! two lines, the sender first.

use crate::diag::{Diagnostic, SourceId, Sources, Span};
use std::fmt::{self, Display, Formatter};

/// The content of a trail file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrailFile {
    /// Whether statements that are merged into one step have one line.
    pub is_merged: bool,
    /// The claim, by its number among all proctypes.
    pub claim: Option<u32>,
    /// The steps.
    pub lines: Vec<TrailLine>,
    /// Number of lines before the cycle.
    pub cycle: Option<usize>,
}

/// A step of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailLine {
    /// The claim or process that moves.
    pub mover: Mover,
    /// SPIN's number of the statement.
    pub number: u32,
    /// Position in the file.
    pub span: Span,
}

/// The claim or process that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The claim.
    Claim,
    /// A process, by its number.
    Process(usize),
}

impl TrailFile {
    /// Reads a file.
    pub fn parse(source: SourceId, sources: &Sources) -> Result<Self, Diagnostic> {
        let mut file = Self::default();
        let text = &sources.get(source).text;
        if text.trim().is_empty() {
            let message = format!("the trail file `{}` is empty", sources.get(source).name);
            let help = "`pan` and `trapline check --spin-trail` write a trail when they find an error";
            return Err(Diagnostic::error_without_place("trail", message).with_help(help));
        }
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim();
            let at = start + line.find(content).unwrap_or(0);
            let span = Span::new(source, at..at + content.len());
            start += line.len();
            if !content.is_empty() {
                file.line(content, span)?;
            }
        }
        Ok(file)
    }

    fn line(&mut self, content: &str, span: Span) -> Result<(), Diagnostic> {
        let wrong = |message: &str| {
            let help = "a line of a SPIN trail has the form `step:process:number`, such as `12:0:7`";
            Diagnostic::error("trail", span, message).with_help(help)
        };
        let numbers: Vec<i64> = content.split(':').map_while(|it| it.trim().parse().ok()).collect();
        let [step, process, number] = numbers[..] else {
            return Err(wrong("this is not a line of a trail"));
        };
        if content.split(':').count() != 3 {
            return Err(wrong("this is not a line of a trail"));
        }
        match (step, process) {
            (-1, -1) => self.cycle = Some(self.lines.len()),
            (-2, claim) => {
                let claim = u32::try_from(claim).map_err(|_| wrong("the number of the claim is invalid"))?;
                self.claim = Some(claim);
            }
            // Processes that never move, and options of the search.
            (-6..=-3, _) => self.is_merged |= step == -4,
            _ => {
                let process = usize::try_from(process).map_err(|_| wrong("the process number is invalid"))?;
                let number = u32::try_from(number).map_err(|_| wrong("the statement number is invalid"))?;
                let mover = match (self.claim, process) {
                    (None, process) => Mover::Process(process),
                    (Some(_), 0) => Mover::Claim,
                    (Some(_), process) => Mover::Process(process - 1),
                };
                self.lines.push(TrailLine { mover, number, span });
            }
        }
        Ok(())
    }
}

/// Writes the file as SPIN does.
impl Display for TrailFile {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        if let Some(claim) = self.claim {
            writeln!(out, "-2:{claim}:-2")?;
        }
        if self.is_merged {
            writeln!(out, "-4:-4:-4")?;
        }
        let first = usize::from(self.claim.is_some());
        for (index, line) in self.lines.iter().enumerate() {
            if self.cycle == Some(index) {
                writeln!(out, "-1:-1:-1")?;
            }
            let process = match line.mover {
                Mover::Claim => 0,
                Mover::Process(process) => first + process,
            };
            writeln!(out, "{}:{process}:{}", index + 1, line.number)?;
        }
        if self.cycle == Some(self.lines.len()) {
            writeln!(out, "-1:-1:-1")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::default();
        let source = sources.add("model.pml.trail", text);
        let shown = match TrailFile::parse(source, &sources) {
            Ok(file) => file.to_string(),
            Err(fault) => fault.render(&sources, false),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn what_is_read_is_written_again() {
        check(
            "1:0:0\n2:1:13\n",
            expect![[r#"
                1:0:0
                2:1:13
            "#]],
        );
        check(
            "-2:1:-2\n-4:-4:-4\n1:0:7\n2:1:0\n-1:-1:-1\n3:0:14\n4:1:1\n",
            expect![[r#"
                -2:1:-2
                -4:-4:-4
                1:0:7
                2:1:0
                -1:-1:-1
                3:0:14
                4:1:1
            "#]],
        );
        check("-4:-4:-4\n", expect![["-4:-4:-4\n"]]);
    }

    #[test]
    fn the_claim_is_no_process() {
        let mut sources = Sources::default();
        let source = sources.add("t", "-2:1:-2\n1:0:7\n2:1:0\n");
        let file = TrailFile::parse(source, &sources).expect("the trail is valid");
        let movers: Vec<Mover> = file.lines.iter().map(|it| it.mover).collect();
        assert_eq!(movers, [Mover::Claim, Mover::Process(0)]);
        assert_eq!(file.claim, Some(1));
    }

    #[test]
    fn what_is_no_trail_is_told_by_its_line() {
        check(
            "\n",
            expect![[r#"
            error[trail]: the trail file `model.pml.trail` is empty
             |
             = help: `pan` and `trapline check --spin-trail` write a trail when they find an error"#]],
        );
        check(
            "1:0:0\n2:0\n",
            expect![[r#"
                error[trail]: this is not a line of a trail
                 --> model.pml.trail:2:1
                  |
                2 | 2:0
                  | ^^^
                  |
                  = help: a line of a SPIN trail has the form `step:process:number`, such as `12:0:7`"#]],
        );
        check(
            "1:-9:0\n",
            expect![[r#"
                error[trail]: the process number is invalid
                 --> model.pml.trail:1:1
                  |
                1 | 1:-9:0
                  | ^^^^^^
                  |
                  = help: a line of a SPIN trail has the form `step:process:number`, such as `12:0:7`"#]],
        );
    }
}
