//! Formulas in negation normal form, each stored once.
//!
//! A formula and its negation are created together and stored in neighbouring
//! positions, so negation flips a bit, and a rule for `U` is a rule for `V` as
//! well: `simplify` states only one of the two.

use super::{AtomId, Formula};
use std::collections::HashMap;

/// A formula of a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::automata) struct Id(u32);

impl Id {
    pub const TRUE: Id = Id(0);
    pub const FALSE: Id = Id(1);

    #[must_use]
    pub fn negated(self) -> Id {
        Id(self.0 ^ 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula in negation normal form; parts of `And` and `Or` are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::automata) enum Node {
    True,
    False,
    Literal(AtomId, bool),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
    WeakUntil(Id, Id),
    StrongRelease(Id, Id),
    Always(Id),
    Eventually(Id),
}

/// Properties of a formula that hold for every word.
#[derive(Clone, Copy, Debug)]
struct Nature {
    /// If it holds at a position, it holds at every earlier one.
    eventual: bool,
    /// If it holds at a position, it holds at every later one.
    universal: bool,
}

/// All formulas created so far.
pub(in crate::automata) struct Store {
    nodes: Vec<Node>,
    natures: Vec<Nature>,
    ids: HashMap<Node, Id>,
    /// Cache of the results of [`Store::implies`].
    pub(super) implications: HashMap<(Id, Id), bool>,
}

impl Store {
    pub fn new() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            natures: Vec::new(),
            ids: HashMap::new(),
            implications: HashMap::new(),
        };
        store.intern(Node::True);
        store
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn is_eventual(&self, id: Id) -> bool {
        self.natures[id.index()].eventual
    }

    pub fn is_universal(&self, id: Id) -> bool {
        self.natures[id.index()].universal
    }

    /// Returns whether the formula holds at all positions of a word or at none.
    pub fn is_suspendable(&self, id: Id) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// Stores a node without simplification, with its negation next to it.
    pub(super) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        let nature = self.nature(&node);
        let negation = negation(&node);
        self.ids.insert(node.clone(), id);
        self.ids.insert(negation.clone(), id.negated());
        self.nodes.extend([node, negation]);
        self.natures.extend([nature, Nature { eventual: nature.universal, universal: nature.eventual }]);
        id
    }

    fn nature(&self, node: &Node) -> Nature {
        let all = |parts: &[Id]| Nature {
            eventual: parts.iter().all(|&part| self.is_eventual(part)),
            universal: parts.iter().all(|&part| self.is_universal(part)),
        };
        match node {
            Node::True | Node::False => Nature { eventual: true, universal: true },
            Node::Literal(..) => Nature { eventual: false, universal: false },
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Next(f) => all(&[*f]),
            Node::Until(f, g) | Node::Release(f, g) | Node::WeakUntil(f, g) | Node::StrongRelease(f, g) => {
                all(&[*f, *g])
            }
            Node::Always(f) => Nature { universal: true, ..all(&[*f]) },
            Node::Eventually(f) => Nature { eventual: true, ..all(&[*f]) },
        }
    }

    /// Adds a formula, simplified.
    pub fn add(&mut self, formula: &Formula) -> Id {
        let parts: Vec<Id> = formula.parts().into_iter().map(|part| self.add(part)).collect();
        match formula {
            Formula::True => Id::TRUE,
            Formula::False => Id::FALSE,
            Formula::Atom(atom) => self.intern(Node::Literal(*atom, true)),
            Formula::Not(_) => parts[0].negated(),
            Formula::And(_) => self.and(&parts),
            Formula::Or(_) => self.or(&parts),
            Formula::Implies(..) => self.or(&[parts[0].negated(), parts[1]]),
            Formula::Equivalent(..) => {
                let both = self.and(&parts);
                let neither = self.and(&[parts[0].negated(), parts[1].negated()]);
                self.or(&[both, neither])
            }
            Formula::Next(_) => self.next(parts[0]),
            Formula::Until(..) => self.until(parts[0], parts[1]),
            Formula::Release(..) => self.release(parts[0], parts[1]),
            Formula::WeakUntil(..) => self.weak_until(parts[0], parts[1]),
            Formula::StrongRelease(..) => self.strong_release(parts[0], parts[1]),
            Formula::Always(_) => self.always(parts[0]),
            Formula::Eventually(_) => self.eventually(parts[0]),
        }
    }

    /// Returns the formula as a tree.
    pub fn formula(&self, id: Id) -> Formula {
        let one = |f: &Id| Box::new(self.formula(*f));
        let all = |parts: &[Id]| parts.iter().map(|&part| self.formula(part)).collect();
        match self.node(id) {
            Node::True => Formula::True,
            Node::False => Formula::False,
            Node::Literal(atom, true) => Formula::Atom(*atom),
            Node::Literal(atom, false) => Formula::Atom(*atom).negated(),
            Node::And(parts) => Formula::And(all(parts)),
            Node::Or(parts) => Formula::Or(all(parts)),
            Node::Next(f) => Formula::Next(one(f)),
            Node::Until(f, g) => Formula::Until(one(f), one(g)),
            Node::Release(f, g) => Formula::Release(one(f), one(g)),
            Node::WeakUntil(f, g) => Formula::WeakUntil(one(f), one(g)),
            Node::StrongRelease(f, g) => Formula::StrongRelease(one(f), one(g)),
            Node::Always(f) => Formula::Always(one(f)),
            Node::Eventually(f) => Formula::Eventually(one(f)),
        }
    }
}

impl Formula {
    /// Returns an equivalent formula in negation normal form, which is usually
    /// smaller.
    #[must_use]
    pub fn simplified(&self) -> Formula {
        let mut store = Store::new();
        let id = store.add(self);
        store.formula(id)
    }
}

fn negation(node: &Node) -> Node {
    let all = |parts: &[Id]| parts.iter().map(|part| part.negated()).collect();
    match node {
        Node::True => Node::False,
        Node::False => Node::True,
        Node::Literal(atom, positive) => Node::Literal(*atom, !positive),
        Node::And(parts) => Node::Or(all(parts)),
        Node::Or(parts) => Node::And(all(parts)),
        Node::Next(f) => Node::Next(f.negated()),
        Node::Until(f, g) => Node::Release(f.negated(), g.negated()),
        Node::Release(f, g) => Node::Until(f.negated(), g.negated()),
        Node::WeakUntil(f, g) => Node::StrongRelease(f.negated(), g.negated()),
        Node::StrongRelease(f, g) => Node::WeakUntil(f.negated(), g.negated()),
        Node::Always(f) => Node::Eventually(f.negated()),
        Node::Eventually(f) => Node::Always(f.negated()),
    }
}
