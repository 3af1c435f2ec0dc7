//! A fast, incomplete test whether one formula implies another.
//!
//! It compares the syntax of both and recognises no contradiction but `false`,
//! so *no* means that no rule applies. Answers are cached.

use super::store::{Id, Node, Store};

impl Store {
    /// Returns whether a simple rule shows that `g` holds wherever `f` does.
    pub fn implies(&mut self, f: Id, g: Id) -> bool {
        if f == g || f == Id::FALSE || g == Id::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        let found = self.by_parts_of_left(f, g) || self.by_parts_of_right(f, g) || self.by_both(f, g);
        self.implications.insert((f, g), found);
        found
    }

    fn by_parts_of_left(&mut self, f: Id, g: Id) -> bool {
        let is_eventual = self.is_eventual(g);
        match self.node(f).clone() {
            Node::Or(parts) => parts.into_iter().all(|part| self.implies(part, g)),
            Node::And(parts) => parts.into_iter().any(|part| self.implies(part, g)),
            Node::Next(a) => is_eventual && self.implies(a, g),
            Node::Always(a) => self.implies(a, g),
            Node::Eventually(a) => is_eventual && self.implies(a, g),
            Node::Until(a, b) => self.implies(b, g) && (is_eventual || self.implies(a, g)),
            Node::WeakUntil(a, b) => self.implies(a, g) && self.implies(b, g),
            Node::Release(_, b) => self.implies(b, g),
            Node::StrongRelease(a, b) => self.implies(b, g) || is_eventual && self.implies(a, g),
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    fn by_parts_of_right(&mut self, f: Id, g: Id) -> bool {
        let is_universal = self.is_universal(f);
        match self.node(g).clone() {
            Node::And(parts) => parts.into_iter().all(|part| self.implies(f, part)),
            Node::Or(parts) => parts.into_iter().any(|part| self.implies(f, part)),
            Node::Next(a) => is_universal && self.implies(f, a),
            Node::Always(a) => is_universal && self.implies(f, a),
            Node::Eventually(a) => self.implies(f, a),
            Node::Until(_, b) => self.implies(f, b),
            Node::WeakUntil(a, b) => self.implies(f, b) || is_universal && self.implies(f, a),
            Node::Release(a, b) => self.implies(f, b) && (is_universal || self.implies(f, a)),
            Node::StrongRelease(a, b) => self.implies(f, a) && self.implies(f, b),
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    fn by_both(&mut self, f: Id, g: Id) -> bool {
        use Node::{Next, Release, StrongRelease, Until, WeakUntil};
        match (self.node(f).clone(), self.node(g).clone()) {
            (Next(a), Next(b)) => self.implies(a, b),
            (Until(a, b), Until(c, d) | WeakUntil(c, d)) | (WeakUntil(a, b), WeakUntil(c, d)) => {
                self.implies(a, c) && self.implies(b, d)
            }
            (Release(a, b), Release(c, d)) | (StrongRelease(a, b), Release(c, d) | StrongRelease(c, d)) => {
                self.implies(a, c) && self.implies(b, d)
            }
            // `a V b` is `b W (a && b)`.
            (Release(a, b), WeakUntil(c, d)) | (StrongRelease(a, b), Until(c, d) | WeakUntil(c, d)) => {
                self.implies(b, c) && (self.implies(a, d) || self.implies(b, d))
            }
            (WeakUntil(a, b), Release(c, d)) | (Until(a, b), Release(c, d) | StrongRelease(c, d)) => {
                self.implies(b, c) && self.implies(a, d) && self.implies(b, d)
            }
            _ => false,
        }
    }
}
