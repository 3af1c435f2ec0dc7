//! Locations where a process can be between two steps.

use crate::net::{Action, Graph, Location, Network, TemplateId, Transition};

/// Returns, for each location of a template, whether a process can be there
/// between two steps. It cannot be inside a `d_step`, nor where it keeps control
/// and can always continue.
pub fn resting_locations(network: &Network, template: TemplateId) -> Vec<bool> {
    let template = network.template(template);
    let graph = &template.graph;
    // With these, a process can be stopped inside an atomic sequence.
    if network.uses.priorities || template.provided.is_some() {
        return vec![true; graph.locations.len()];
    }
    let mut is_reached = vec![false; graph.locations.len()];
    let mut may_rest = vec![false; graph.locations.len()];
    may_rest[Graph::ENTRY.index()] = true;
    for Transition { action, to, keeps_control, .. } in &graph.transitions {
        is_reached[to.index()] = true;
        may_rest[to.index()] |= !keeps_control && graph.location(*to).deterministic.is_none();
        if let Action::Deterministic(first) = action {
            may_rest[first.index()] = true;
        }
    }
    let is_passed = |(index, location): (usize, &Location)| {
        is_reached[index]
            && !may_rest[index]
            && (location.deterministic.is_some() || never_blocks(graph, location))
    };
    graph.locations.iter().enumerate().map(|it| !is_passed(it)).collect()
}

fn never_blocks(graph: &Graph, location: &Location) -> bool {
    location.out.iter().any(|id| match graph.transition(*id).action {
        Action::Skip | Action::Else | Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
        Action::SetPriority(..) => true,
        Action::Guard(_) | Action::Fail(..) | Action::Otherwise | Action::Send(_) | Action::Receive(_) => {
            false
        }
        Action::Deterministic(_) | Action::End => false,
    })
}
