//! Constructors that simplify formulas.
//!
//! Rules are stated for `||`, `X`, `<>`, `U` and strong release; their duals
//! `&&`, `[]`, `V` and `W` negate, build the other one, and negate again.
//! Rules about eventual and universal formulas follow Etessami and Holzmann
//! (*Optimizing Büchi Automata*, 2000), those about formulas that are both,
//! here called suspendable, Babiak and others (*LTL to Büchi Automata
//! Translation: Fast and More Deterministic*, 2012).

use super::store::{Id, Node, Store};

impl Store {
    pub fn and(&mut self, parts: &[Id]) -> Id {
        let negated: Vec<Id> = parts.iter().map(|part| part.negated()).collect();
        self.or(&negated).negated()
    }

    pub fn always(&mut self, f: Id) -> Id {
        self.eventually(f.negated()).negated()
    }

    pub fn release(&mut self, f: Id, g: Id) -> Id {
        self.until(f.negated(), g.negated()).negated()
    }

    pub fn weak_until(&mut self, f: Id, g: Id) -> Id {
        self.strong_release(f.negated(), g.negated()).negated()
    }

    pub fn or(&mut self, parts: &[Id]) -> Id {
        let mut parts = self.flat(parts);
        while let Some(fused) = self.fuse(&parts) {
            parts = self.flat(&fused);
        }
        self.drop_implied(&mut parts);
        if self.covers_everything(&parts) {
            return Id::TRUE;
        }
        if let Some(shorter) = self.resolve(&parts) {
            return self.or(&shorter);
        }
        match parts[..] {
            [] => Id::FALSE,
            [part] => part,
            _ => self.intern(Node::Or(parts)),
        }
    }

    pub fn next(&mut self, f: Id) -> Id {
        if self.is_suspendable(f) { f } else { self.intern(Node::Next(f)) }
    }

    pub fn eventually(&mut self, f: Id) -> Id {
        if self.is_eventual(f) {
            return f;
        }
        match self.node(f).clone() {
            Node::Next(g) => {
                let inner = self.eventually(g);
                self.next(inner)
            }
            Node::Until(_, g) => self.eventually(g),
            Node::StrongRelease(g, h) => {
                let both = self.and(&[g, h]);
                self.eventually(both)
            }
            Node::WeakUntil(g, h) => {
                let always = self.always(g);
                let either = self.or(&[always, h]);
                self.eventually(either)
            }
            Node::Release(g, h) => {
                let (always, both) = (self.always(h), self.and(&[g, h]));
                let either = self.or(&[always, both]);
                self.eventually(either)
            }
            Node::Or(parts) => match self.split(&parts, Store::is_eventual) {
                Some((mut outside, inside)) => {
                    let inside = self.or(&inside);
                    outside.push(self.eventually(inside));
                    self.or(&outside)
                }
                None => match self.drop_later(&parts, Node::Eventually) {
                    Some(needed) => self.eventually(needed),
                    None => self.intern(Node::Eventually(f)),
                },
            },
            Node::And(parts) => match self.split(&parts, Store::is_suspendable) {
                Some((mut outside, inside)) => {
                    let inside = self.and(&inside);
                    outside.push(self.eventually(inside));
                    self.and(&outside)
                }
                None => self.intern(Node::Eventually(f)),
            },
            _ => self.intern(Node::Eventually(f)),
        }
    }

    pub fn until(&mut self, f: Id, g: Id) -> Id {
        if self.is_eventual(g) || self.implies(f, g) {
            return g;
        }
        if self.implies(f.negated(), g) {
            return self.eventually(g);
        }
        if self.is_universal(f) {
            let later = self.eventually(g);
            let both = self.and(&[f, later]);
            return self.or(&[g, both]);
        }
        if let Some(simpler) = self.until_by_left(f, g) {
            return simpler;
        }
        if let Some(simpler) = self.until_by_right(f, g) {
            return simpler;
        }
        self.intern(Node::Until(f, g))
    }

    fn until_by_left(&mut self, f: Id, g: Id) -> Option<Id> {
        match self.node(f).clone() {
            Node::Next(inner) => {
                let Node::Next(other) = *self.node(g) else { return None };
                let until = self.until(inner, other);
                Some(self.next(until))
            }
            Node::Until(h, other) if other == g => Some(self.until(h, g)),
            Node::WeakUntil(h, other) if other == g => Some(self.until(h, g)),
            Node::Or(parts) => {
                let needed: Vec<Id> = parts.iter().copied().filter(|&part| !self.implies(part, g)).collect();
                if needed.len() == parts.len() {
                    return None;
                }
                let left = self.or(&needed);
                Some(self.until(left, g))
            }
            _ => None,
        }
    }

    fn until_by_right(&mut self, f: Id, g: Id) -> Option<Id> {
        match self.node(g).clone() {
            Node::Until(h, _) if self.implies(f, h) => Some(g),
            Node::And(parts) => {
                let (mut outside, inside) = self.split(&parts, Store::is_suspendable)?;
                let inside = self.and(&inside);
                outside.push(self.until(f, inside));
                Some(self.and(&outside))
            }
            Node::Or(parts) => {
                let goal = |part: Id| match *self.node(part) {
                    Node::Until(h, goal) if h == f => goal,
                    _ => part,
                };
                let goals: Vec<Id> = parts.iter().map(|&part| goal(part)).collect();
                let right = match goals == parts {
                    true => self.drop_later(&parts, |part| Node::Until(f, part))?,
                    false => self.or(&goals),
                };
                Some(self.until(f, right))
            }
            _ => None,
        }
    }

    /// Returns `g U (f && g)`: `g` up to and including the first `f`, which
    /// must occur.
    pub fn strong_release(&mut self, f: Id, g: Id) -> Id {
        if self.implies(g, f) {
            return g;
        }
        if self.implies(f, g) {
            return self.until(g, f);
        }
        if self.is_eventual(f) {
            return self.and(&[f, g]);
        }
        if self.is_universal(g) {
            let later = self.eventually(f);
            return self.and(&[g, later]);
        }
        if let (Node::Next(f), Node::Next(g)) = (self.node(f).clone(), self.node(g).clone()) {
            let inner = self.strong_release(f, g);
            return self.next(inner);
        }
        self.intern(Node::StrongRelease(f, g))
    }

    /// Returns the flattened parts, sorted, without duplicates and neutral
    /// constants.
    fn flat(&self, parts: &[Id]) -> Vec<Id> {
        let mut flat = Vec::new();
        for &part in parts {
            match self.node(part) {
                Node::Or(inner) => flat.extend(inner),
                Node::False => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Replaces two parts by one: `<>f || <>g` is `<>(f || g)`, and so on.
    fn fuse(&mut self, parts: &[Id]) -> Option<Vec<Id>> {
        for (index, &first) in parts.iter().enumerate() {
            for (offset, &second) in parts[index + 1..].iter().enumerate() {
                if let Some(fused) = self.fused(first, second) {
                    let mut rest = parts.to_vec();
                    rest.remove(index + 1 + offset);
                    rest[index] = fused;
                    return Some(rest);
                }
            }
        }
        None
    }

    fn fused(&mut self, first: Id, second: Id) -> Option<Id> {
        match (self.node(first).clone(), self.node(second).clone()) {
            (Node::Eventually(f), Node::Eventually(g))
                if !self.is_suspendable(first) || !self.is_suspendable(second) =>
            {
                let either = self.or(&[f, g]);
                Some(self.eventually(either))
            }
            (Node::Next(f), Node::Next(g)) => {
                let either = self.or(&[f, g]);
                Some(self.next(either))
            }
            (Node::Until(f, g), Node::Until(other, h)) if f == other => {
                let either = self.or(&[g, h]);
                Some(self.until(f, either))
            }
            (Node::WeakUntil(f, g), Node::WeakUntil(other, h)) if f == other => {
                let either = self.or(&[g, h]);
                Some(self.weak_until(f, either))
            }
            (Node::Release(f, g), Node::Release(h, other)) if g == other => {
                let either = self.or(&[f, h]);
                Some(self.release(either, g))
            }
            (Node::StrongRelease(f, g), Node::StrongRelease(h, other)) if g == other => {
                let either = self.or(&[f, h]);
                Some(self.strong_release(either, g))
            }
            (Node::Always(f), Node::Always(g)) if self.is_eventual(f) && self.is_eventual(g) => {
                let either = self.or(&[f, g]);
                Some(self.always(either))
            }
            _ => None,
        }
    }

    /// Removes parts that imply another part.
    fn drop_implied(&mut self, parts: &mut Vec<Id>) {
        let mut index = 0;
        while index < parts.len() {
            let part = parts[index];
            let others = [&parts[..index], &parts[index + 1..]].concat();
            if others.into_iter().any(|other| self.implies(part, other)) {
                parts.remove(index);
            } else {
                index += 1;
            }
        }
    }

    fn covers_everything(&mut self, parts: &[Id]) -> bool {
        let mut pairs = parts.iter().flat_map(|&f| parts.iter().map(move |&g| (f, g)));
        parts.contains(&Id::TRUE) || pairs.any(|(f, g)| self.implies(f.negated(), g))
    }

    /// Replaces `f || (!f && g)` by `f || g`.
    fn resolve(&mut self, parts: &[Id]) -> Option<Vec<Id>> {
        for (index, &part) in parts.iter().enumerate() {
            let Node::And(inner) = self.node(part).clone() else { continue };
            let others = [&parts[..index], &parts[index + 1..]].concat();
            let mut needed = inner.clone();
            needed.retain(|&f| !others.iter().any(|&other| self.implies(f.negated(), other)));
            if needed.len() < inner.len() {
                let mut shorter = others;
                shorter.push(self.and(&needed));
                return Some(shorter);
            }
        }
        None
    }

    /// Removes a part that implies that another holds `later`: `<>(f || g)` is
    /// `<> f` if `g` implies `<> f`.
    fn drop_later(&mut self, parts: &[Id], later: impl Fn(Id) -> Node) -> Option<Id> {
        for (index, &part) in parts.iter().enumerate() {
            let others = [&parts[..index], &parts[index + 1..]].concat();
            let mut comes_later = |other: Id| {
                let later = self.intern(later(other));
                self.implies(part, later)
            };
            if others.iter().any(|&other| comes_later(other)) {
                return Some(self.or(&others));
            }
        }
        None
    }

    /// Replaces `<> f || <> g || s` by `<>(f || g || s)` for suspendable `s`,
    /// so that an automaton can postpone the choice. The constructors keep
    /// suspendable formulas separate.
    pub fn postpone_choice(&mut self, parts: &[Id]) -> Option<Vec<Id>> {
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        let mut is_put_off = false;
        for &part in parts {
            match *self.node(part) {
                Node::Eventually(inner) => {
                    is_put_off = true;
                    inside.push(inner);
                }
                _ if self.is_suspendable(part) => inside.push(part),
                _ => outside.push(part),
            }
        }
        if !is_put_off || inside.len() < 2 {
            return None;
        }
        let inside = self.or(&inside);
        outside.push(self.intern(Node::Eventually(inside)));
        Some(outside)
    }

    /// Returns the parts of the given kind and the others, if there are any of
    /// the kind.
    fn split(&self, parts: &[Id], is_of_kind: fn(&Store, Id) -> bool) -> Option<(Vec<Id>, Vec<Id>)> {
        let (of_kind, others): (Vec<Id>, Vec<Id>) = parts.iter().partition(|&&part| is_of_kind(self, part));
        (!of_kind.is_empty()).then_some((of_kind, others))
    }
}
