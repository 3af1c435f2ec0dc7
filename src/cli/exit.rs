//! Exit codes of the process.

use std::process::ExitCode;
use trapline::verify::Verdict;

/// The four results, least severe first; the most severe one decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Every property holds; also the result of commands that check nothing.
    Holds,
    /// A limit was reached, a counterexample could not be confirmed, or a
    /// property holds only vacuously.
    Undecided,
    /// A property is violated.
    Violated,
    /// Some input could not be used.
    BadInput,
}

impl Exit {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Violated => 1,
            Self::BadInput => 2,
            Self::Undecided => 3,
        }
    }

    /// Returns the most severe result.
    pub fn worst(all: impl IntoIterator<Item = Exit>) -> Exit {
        all.into_iter().max().unwrap_or(Exit::Holds)
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Holds,
            Verdict::Violated => Self::Violated,
            Verdict::HoldsVacuously | Verdict::Inconclusive | Verdict::Undecided(_) => Self::Undecided,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trapline::verify::report::Stop;

    #[test]
    fn bad_input_is_worse_than_a_violation_and_that_than_a_doubt() {
        let verdicts = [Verdict::Holds, Verdict::Undecided(Stop::Time), Verdict::Violated];
        let worst = |n: usize| Exit::worst(verdicts[..n].iter().map(|it| Exit::from(*it))).code();
        assert_eq!([worst(0), worst(1), worst(2), worst(3)], [0, 0, 3, 1]);
        assert_eq!(Exit::from(Verdict::HoldsVacuously).code(), 3);
        assert_eq!(Exit::worst([Exit::Violated, Exit::BadInput, Exit::Undecided]).code(), 2);
    }
}
