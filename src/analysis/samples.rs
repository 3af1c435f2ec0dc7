//! Networks for tests.

use crate::diag::Sources;
use crate::lang::promela::{Reading, lower, parse};
use crate::net::Network;

/// Returns the network of a Promela text, if it is valid.
pub fn program(text: &str) -> Option<Network> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |path: &str, _| Err(format!("no file {path}"));
    let mut reading = Reading { definitions: Vec::new(), load: &mut load };
    Some(lower(parse(source, &mut sources, &mut reading).model?).ok()?.network)
}
