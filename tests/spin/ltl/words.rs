//! Random formulas and words.

use trapline::automata::ltl::{Formula, Lasso, Letter};

/// A small pseudo-random generator (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32 % bound
    }

    /// A formula that nests up to `depth` deep, of operators that `spin -f`
    /// knows.
    pub fn formula(&mut self, depth: u32, n_atoms: u32) -> Formula {
        if depth == 0 || self.below(10) == 0 {
            return Formula::atom(self.below(n_atoms));
        }
        let kind = self.below(12);
        let mut part = || Box::new(self.formula(depth - 1, n_atoms));
        match kind {
            0 | 1 => Formula::Not(part()),
            2 | 3 => Formula::Always(part()),
            4 | 5 => Formula::Eventually(part()),
            6 | 7 => Formula::Until(part(), part()),
            8 => Formula::Release(part(), part()),
            9 => Formula::Implies(part(), part()),
            10 => Formula::And(vec![*part(), *part()]),
            _ => Formula::Or(vec![*part(), *part()]),
        }
    }

    /// A word with a stem of up to three letters and a cycle of up to four.
    pub fn lasso(&mut self, n_atoms: u32) -> Lasso {
        let mut letters = |n_letters| -> Vec<Letter> {
            (0..n_letters).map(|_| u64::from(self.below(1 << n_atoms))).collect()
        };
        let (stem, cycle) = (letters(3), letters(4));
        let (n_stem, n_cycle) = (self.below(4), 1 + self.below(4));
        Lasso::new(&stem[..n_stem as usize], &cycle[..n_cycle as usize])
    }
}
