//! Liveness of variables: the locations from which a process may read the
//! current value of a variable.
//!
//! A variable is *live* at a location if a path of the process from there reads
//! it before the process overwrites it. An assignment to a variable that reads
//! it and cannot fail (`x = x + 1`) is an update: it needs the value only if the
//! new value is needed. Any other assignment reads the variables on its right
//! side, even if its target is not live, because targets are part of the state.
//!
//! The value of a local variable is relevant in a state if the variable is live
//! at the location of its process; that of a global variable, if it is live at
//! the location of any process or observer.

use super::accesses::{Access, AccessKind, Role, Scope};
use crate::base::bits::BitMatrix;
use crate::base::cancel::checkpoint;
use crate::net::{Action, LocationId, Network, Place, Root, Template, TemplateId};
use std::collections::BTreeSet;

/// The live variables of a network.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Per template, one row of live variables per location.
    live: Vec<BitMatrix>,
    numbers: Numbers,
}

/// Numbering of variables: globals first, then locals of the template.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    n_globals: usize,
}

/// Uses of variables by a transition, by number.
#[derive(Debug, Default)]
struct Uses {
    /// Variables whose values are needed.
    reads: BTreeSet<usize>,
    /// Variables whose previous values are not needed.
    overwrites: BTreeSet<usize>,
}

impl Liveness {
    /// Computes the live variables of all locations.
    pub fn new(network: &Network) -> Self {
        let numbers = Numbers { n_globals: network.globals.len() };
        let rows =
            |it: &Template| BitMatrix::new(it.graph.locations.len(), network.globals.len() + it.locals.len());
        let mut liveness = Self { live: network.templates.iter().map(rows).collect(), numbers };
        for index in 0..network.templates.len() {
            let scope = Scope::any(network, TemplateId::new(index));
            liveness.add_reads_of_others(scope);
            liveness.add_reads_everywhere(scope);
            liveness.solve(scope);
        }
        liveness
    }

    /// Returns whether a process of the template at the location may read the
    /// value of a variable before it overwrites it; false for `_`.
    pub fn is_live(&self, template: TemplateId, location: LocationId, variable: Root) -> bool {
        let number = self.numbers.of(variable);
        number.is_some_and(|it| self.live[template.index()].contains(location.index(), it))
    }

    /// Makes local variables that other processes read live everywhere.
    fn add_reads_of_others(&mut self, scope: Scope) {
        let code = scope.network.template(scope.template);
        let mut note = |access: Access| {
            if let AccessKind::ReadRemote { template, place, .. } = access.kind {
                self.add_everywhere(scope.network, template, place.root);
            }
        };
        code.graph.transitions.iter().for_each(|it| scope.action(&it.action, &mut note));
        code.provided.iter().for_each(|it| scope.guard(it, &mut note));
        scope.initials(&mut note);
    }

    /// Makes variables that `provided` reads live everywhere.
    fn add_reads_everywhere(&mut self, scope: Scope) {
        let code = scope.network.template(scope.template);
        let mut note = |access: Access| {
            if let Some(place) = read_by(access.kind) {
                self.add_everywhere(scope.network, scope.template, place.root);
            }
        };
        code.provided.iter().for_each(|it| scope.guard(it, &mut note));
    }

    fn add_everywhere(&mut self, network: &Network, template: TemplateId, variable: Root) {
        let Some(number) = self.numbers.of(variable) else { return };
        for at in 0..network.template(template).graph.locations.len() {
            self.live[template.index()].insert(at, number);
        }
    }

    fn solve(&mut self, scope: Scope) {
        let graph = &scope.network.template(scope.template).graph;
        let live = &mut self.live[scope.template.index()];
        let uses: Vec<Uses> =
            graph.transitions.iter().map(|it| self.numbers.uses(scope, &it.action)).collect();
        let mut row = vec![0; live.words_per_row()];
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (at, location) in graph.locations.iter().enumerate() {
                checkpoint();
                let escapes = location.escapes.iter().map(|it| graph.location(*it));
                for &id in escapes.chain([location]).flat_map(|it| &it.out) {
                    let transition = graph.transition(id);
                    let next = match transition.action {
                        Action::Deterministic(first) => first,
                        Action::End => continue,
                        _ => transition.to,
                    };
                    row.copy_from_slice(live.row(next.index()));
                    uses[id.index()].apply(&mut row);
                    has_changed |= live.union_row(at, &row);
                }
            }
        }
    }
}

impl Uses {
    /// Changes a row from the variables that are live after the transition to
    /// those that are live before it.
    fn apply(&self, row: &mut [u64]) {
        self.overwrites.iter().for_each(|it| row[it / 64] &= !(1 << (it % 64)));
        self.reads.iter().for_each(|it| row[it / 64] |= 1 << (it % 64));
    }
}

impl Numbers {
    fn of(self, variable: Root) -> Option<usize> {
        match variable {
            Root::Global(id) => Some(id.index()),
            Root::Local(id) => Some(self.n_globals + id.index()),
            Root::Scratch => None,
        }
    }

    fn uses(self, scope: Scope, action: &Action) -> Uses {
        let (mut uses, mut computes_with, mut may_fail) = (Uses::default(), BTreeSet::new(), false);
        scope.action(action, &mut |access| match access.kind {
            AccessKind::Write(place, _) if place.index.is_none() && place.fields.is_empty() => {
                uses.overwrites.extend(self.of(place.root));
            }
            AccessKind::Failure => may_fail = true,
            AccessKind::Start(template) => self.start(Scope::any(scope.network, template), &mut uses),
            kind => {
                let number = read_by(kind).and_then(|it| self.of(it.root));
                match access.role {
                    Role::Effect => computes_with.extend(number),
                    _ => uses.reads.extend(number),
                }
            }
        });
        for number in computes_with {
            // An update needs the value only if the new value is needed.
            let is_update = !may_fail && uses.overwrites.remove(&number);
            if !is_update {
                uses.reads.insert(number);
            }
        }
        uses
    }

    /// Adds the global variables that a new process reads when it starts.
    fn start(self, scope: Scope, uses: &mut Uses) {
        scope.initials(&mut |access| {
            if let Some(Place { root: Root::Global(id), .. }) = read_by(access.kind) {
                uses.reads.insert(id.index());
            }
        });
    }
}

/// Returns the variable whose value an access needs.
fn read_by(access: AccessKind<'_>) -> Option<&Place> {
    match access {
        AccessKind::Read(place) => Some(place),
        AccessKind::Channel(used) => Some(used.place),
        // Locals of other processes are not variables of the template.
        AccessKind::ReadRemote { place, .. } if matches!(place.root, Root::Global(_)) => Some(place),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples::program;
    use crate::net::{GlobalId, LocalId};
    use expect_test::{Expect, expect};

    /// Prints the live variables of each location of the first template, by its
    /// first statement.
    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let network = program(text).expect("the model is valid");
        let liveness = Liveness::new(&network);
        let template = &network.templates[0];
        let mut shown = String::new();
        for (at, location) in template.graph.locations.iter().enumerate() {
            let span = location.span;
            let globals = (0..).zip(&network.globals).map(|(id, it)| (Root::Global(GlobalId(id)), it));
            let locals = (0..).zip(&template.locals).map(|(id, it)| (Root::Local(LocalId(id)), it));
            let is_live = |root: &Root| liveness.is_live(TemplateId(0), LocationId::new(at), *root);
            let live =
                globals.chain(locals).filter(|(root, _)| is_live(root)).map(|(_, it)| it.name.as_str());
            let names: Vec<&str> = live.collect();
            let statement = &text[span.start as usize..span.end as usize];
            shown.push_str(&format!("{statement} [{}]\n", names.join(", ")));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_value_matters_until_it_is_overwritten() {
        check(
            "byte g; active proctype P() { byte x, y; x = 1; y = x; x = g; g = y + x }",
            expect![[r#"
            x = 1 [g]
            } []
            g = y + x [x, y]
            x = g [g, y]
            y = x [g, x]
        "#]],
        );
    }

    #[test]
    fn an_update_needs_its_variable_as_much_as_what_follows() {
        check(
            "byte g; active proctype P() { byte x, y; x = x + 1; y = 3 / y; x--; x++; y = 1; g = y }",
            expect![[r#"
                x = x + 1 [y]
                } []
                g = y [y]
                y = 1 []
                x++ []
                x-- []
                y = 3 / y [y]
            "#]],
        );
    }

    #[test]
    fn choices_escapes_and_d_steps_join_their_alternatives() {
        check(
            "byte g; chan q = [1] of { byte };
             active proctype P() { byte x, y, z;
               { if :: x > 0 -> x = 0 :: q?y -> q!y fi; d_step { y = 1; g = y + x } } unless { z == 1 } }",
            expect![[r#"
                if :: x > 0 -> x = 0 :: q?y -> q!y fi [q, x, z]
                } []
                z == 1 [z]
                d_step { y = 1; g = y + x } [x, z]
                g = y + x [x, y]
                y = 1 [x]
                x = 0 [z]
                q!y [q, x, y, z]
            "#]],
        );
    }

    #[test]
    fn what_others_read_matters_everywhere() {
        check(
            "byte g, h, i;
             active proctype P() provided (h > 0) { byte x, y; x = 1; y = 2; run Q() }
             proctype Q() { byte k = g; P:x == 1; i = 0 }",
            expect![[r#"
                x = 1 [g, h, x]
                } [h, x]
                run Q() [g, h, x]
                y = 2 [g, h, x]
            "#]],
        );
    }
}
