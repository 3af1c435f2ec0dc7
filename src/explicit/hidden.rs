//! Hidden variables that can be forgotten after every step.
//!
//! SPIN leaves a `hidden` variable out of the state: states that differ in it
//! alone are one, and a search goes on with the value that it met first. That
//! misses nothing as long as no step reads what an earlier one left there, and
//! then the variable is cleared after each step. One that is read later is
//! part of the state like any other.

use crate::base::cancel::checkpoint;
use crate::net::{Action, Graph, Location, LocationId, Network, Transition};
use crate::net::{
    BinaryOp, Expr, ExprKind, Format, GlobalId, Initial, Pattern, Place, Root, Template, Variable, Visibility,
};

/// Per global variable, is it hidden, and read by nobody between steps?
pub(super) fn forgotten(network: &Network) -> Vec<bool> {
    let globals = network.globals.iter().enumerate();
    let is_forgotten = |(index, variable): (usize, &Variable)| {
        variable.visibility == Visibility::Hidden && !Search { network, id: GlobalId::new(index) }.is_missed()
    };
    globals.map(is_forgotten).collect()
}

/// Looks for reads of one variable.
struct Search<'p> {
    network: &'p Network,
    id: GlobalId,
}

impl Search<'_> {
    /// Does anything depend on the value between two steps?
    fn is_missed(&self) -> bool {
        let templates = &self.network.templates;
        templates.iter().any(|template| {
            template.provided.as_ref().is_some_and(|it| self.reads(it))
                || template.locals.iter().any(|it| self.begins_with(it))
                || self.is_missed_in(template, &template.graph)
        })
    }

    fn begins_with(&self, local: &Variable) -> bool {
        match &local.initial {
            Initial::Value(expr) => self.reads(expr),
            Initial::List(values) => values.iter().any(|it| self.reads(it)),
            Initial::Zero | Initial::Channel(_) => false,
        }
    }

    fn is_missed_in(&self, template: &Template, process: &Graph) -> bool {
        let mut is_live = vec![false; process.locations.len()];
        loop {
            let mut changed = false;
            for (index, location) in process.locations.iter().enumerate() {
                checkpoint();
                let is_read = self.is_live(process, location, &is_live);
                changed |= is_read && !std::mem::replace(&mut is_live[index], is_read);
            }
            if !changed {
                break;
            }
        }
        let interrupted = self.network.uses.priorities || template.provided.is_some();
        let passed = passed(process);
        (0..is_live.len()).any(|at| is_live[at] && (interrupted || !passed[at]))
    }

    /// May the value at a location be read before it is overwritten?
    fn is_live(&self, process: &Graph, location: &Location, is_live: &[bool]) -> bool {
        let escapes = location.escapes.iter().map(|it| process.location(*it));
        escapes.chain([location]).flat_map(|it| &it.out).any(|id| {
            let Transition { action, to, .. } = process.transition(*id);
            match action {
                Action::Deterministic(first) => is_live[first.index()],
                _ => self.is_read_by(action) || !self.is_overwritten_by(action) && is_live[to.index()],
            }
        })
    }

    fn is_read_by(&self, action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::Otherwise | Action::Deterministic(_) | Action::End => false,
            Action::Guard(expr) | Action::Assert(expr) => self.reads(expr),
            Action::Assign(place, value) => {
                self.is_in_index(place) || self.reads(value) && !(self.is(place) && is_harmless(value))
            }
            Action::SetPriority(pid, value) => self.reads(pid) || self.reads(value),
            Action::Send(send) => {
                self.is_read_in(&send.channel) || send.values.iter().any(|it| self.reads(it))
            }
            Action::Receive(receive) => {
                self.is_read_in(&receive.channel)
                    || receive.patterns.iter().any(|pattern| match pattern {
                        Pattern::Any => false,
                        Pattern::Match(expr) => self.reads(expr),
                        Pattern::Store(place) => self.is_in_index(place),
                    })
            }
            Action::Print(pieces) => pieces.iter().filter_map(Format::expr).any(|it| self.reads(it)),
        }
    }

    fn is_overwritten_by(&self, action: &Action) -> bool {
        match action {
            Action::Assign(place, value) => self.is(place) && !self.reads(value),
            Action::Receive(receive) => {
                receive.patterns.iter().any(|it| matches!(it, Pattern::Store(place) if self.is(place)))
            }
            _ => false,
        }
    }

    /// Is it the variable itself, not a part of it?
    fn is(&self, place: &Place) -> bool {
        place.root == Root::Global(self.id) && place.index.is_none() && place.fields.is_empty()
    }

    fn is_read_in(&self, place: &Place) -> bool {
        place.root == Root::Global(self.id) || self.is_in_index(place)
    }

    fn is_in_index(&self, place: &Place) -> bool {
        let mut found = false;
        place.each_expr(&mut |it| found |= self.is_read_here(it));
        found
    }

    fn reads(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.each(&mut |it| found |= self.is_read_here(it));
        found
    }

    fn is_read_here(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Read(place) | ExprKind::Channel(_, place) | ExprKind::Poll { channel: place, .. } => {
                place.root == Root::Global(self.id)
            }
            _ => false,
        }
    }
}

/// Can it not go wrong, whatever its variables are?
fn is_harmless(expr: &Expr) -> bool {
    let mut is_harmless = true;
    expr.each(&mut |it| {
        is_harmless &= match &it.kind {
            ExprKind::Constant(_) | ExprKind::Unary(..) => true,
            ExprKind::Read(place) => place.index.is_none() && place.fields.is_empty(),
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Divide | BinaryOp::Remainder),
            _ => false,
        }
    });
    is_harmless
}

/// Per location, is it never where a process stands between two steps?
fn passed(process: &Graph) -> Vec<bool> {
    let mut is_reached = vec![false; process.locations.len()];
    let mut is_rested_at = vec![false; process.locations.len()];
    is_rested_at[Graph::ENTRY.index()] = true;
    for Transition { action, to, keeps_control, .. } in &process.transitions {
        is_reached[to.index()] = true;
        let LocationId(to) = *to;
        is_rested_at[to as usize] |= !keeps_control && process.locations[to as usize].deterministic.is_none();
        if let Action::Deterministic(first) = action {
            is_rested_at[first.index()] = true;
        }
    }
    let never_blocks = |location: &Location| {
        location.out.iter().any(|id| match process.transition(*id).action {
            Action::Skip | Action::Else | Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
            Action::SetPriority(..) => true,
            Action::Guard(_) | Action::Otherwise | Action::Send(_) | Action::Receive(_) => false,
            Action::Deterministic(_) | Action::End => false,
        })
    };
    let is_passed = |(index, location): (usize, &Location)| {
        is_reached[index]
            && !is_rested_at[index]
            && (location.deterministic.is_some() || never_blocks(location))
    };
    process.locations.iter().enumerate().map(is_passed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::samples::program;

    /// Is `h` forgotten?
    fn is_forgotten(text: &str) -> bool {
        let network = program(text).expect("the model is right");
        let at = network.globals.iter().position(|it| it.name == "h").expect("there is `h`");
        forgotten(&network)[at]
    }

    #[test]
    fn what_is_read_within_the_step_is_forgotten() {
        for body in [
            "h = 1; h++; h = h + x",
            "atomic { h = 1; x = h }",
            "d_step { h = 0; do :: h < 3 -> h++ :: else -> break od }",
            "atomic { h = 0; do :: h < 3 -> h++ :: else -> break od }; x = 1",
            "atomic { h = 1; if :: h == 1 -> x = 1 :: else -> x = 2 fi; skip }",
            "q?h; q?h",
        ] {
            let text =
                format!("chan q = [1] of {{byte}}; hidden byte h; byte x; active proctype A() {{ {body} }}");
            assert!(is_forgotten(&text), "{body}");
        }
    }

    #[test]
    fn what_is_read_later_is_kept() {
        for body in [
            "h = 1; assert(h == 1)",
            "h = 1; if :: h == 1 :: else fi",
            "atomic { h = 1; q?_; x = h }",
            "atomic { h = 1; x = 1 }; x = h",
            "d_step { x = h; h = 1 }",
            "h = 1; h = 1 / h",
            "h = 1; q!h",
            "q?eval(h)",
            "h = 1; a[h] = 1",
            "h = 1; q?a[h]",
            "{ x = 1 } unless { h == 1 }",
            "h = 1; printf(\"%d\", h)",
            "atomic { h = 1; goto there; }; there: x = h",
        ] {
            let text = format!(
                "chan q = [1] of {{byte}}; hidden byte h; byte x; byte a[2]; active proctype A() {{ {body} }}"
            );
            assert!(!is_forgotten(&text), "{body}");
        }
        let others = [
            "hidden byte h; active proctype A() provided (h == 0) { h = 1 }",
            "hidden byte h; active proctype A() { h = 1 } active proctype B() { h == 1 }",
            "hidden byte h; active proctype A() { h = 1 } never { do :: h < 2 od }",
            "hidden byte h; proctype P() { byte x = h; x = 1 } init { h = 1; run P() }",
            "hidden byte h; byte x; active proctype A() priority 2 { atomic { h = 1; x = h } }",
        ];
        others.iter().for_each(|text| assert!(!is_forgotten(text), "{text}"));
    }
}
