//! Hidden variables that can be cleared after every step.
//!
//! SPIN leaves a `hidden` variable out of the state: states that differ only in
//! it are equal, and a search continues with the first value it met. No state is
//! missed as long as no step reads a value that an earlier step stored. Such a
//! variable is cleared after each step; any other hidden variable is part of the
//! state.

use crate::analysis::accesses::{AccessKind, Scope};
use crate::analysis::liveness::Liveness;
use crate::analysis::rest::resting_locations;
use crate::net::{GlobalId, LocationId, Network, Root, TemplateId, Visibility};

/// Returns, for each global variable, whether it is hidden and no process reads
/// its value in a later step than the one that stored it.
pub(super) fn forgotten(network: &Network) -> Vec<bool> {
    let mut forgotten: Vec<bool> =
        network.globals.iter().map(|it| it.visibility == Visibility::Hidden).collect();
    if !forgotten.contains(&true) {
        return forgotten;
    }
    let liveness = Liveness::new(network);
    for template in (0..network.templates.len()).map(TemplateId::new) {
        let may_rest = resting_locations(network, template);
        for at in (0..may_rest.len()).filter(|&at| may_rest[at]) {
            for (id, is_forgotten) in forgotten.iter_mut().enumerate() {
                let variable = Root::Global(GlobalId::new(id));
                *is_forgotten &= !liveness.is_live(template, LocationId::new(at), variable);
            }
        }
        for id in read_at_start(network, template) {
            forgotten[id.index()] = false;
        }
    }
    forgotten
}

/// Returns the global variables that the initial values of an initial process
/// read.
fn read_at_start(network: &Network, template: TemplateId) -> Vec<GlobalId> {
    let mut read = Vec::new();
    if network.template(template).active > 0 {
        Scope::any(network, template).initials(&mut |access| {
            if let AccessKind::Read(place) = access.kind
                && let Root::Global(id) = place.root
            {
                read.push(id);
            }
        });
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples::program;

    /// Returns whether `h` is cleared.
    fn is_forgotten(text: &str) -> bool {
        let network = program(text).expect("the model is valid");
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
