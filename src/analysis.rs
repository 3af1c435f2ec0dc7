//! Static analyses of [networks](crate::net): the reads and writes of
//! transitions, and their consequences.
//!
//! [`accesses`] is the traversal of expressions and actions that all analyses
//! here use, and the engine and the front ends as well. [`part`] determines the
//! elements and fields to which a place can refer, [`channels`] the channels.
//!
//! - [`footprint`]: the parts of the state that each transition of a template
//!   reads and writes, and on which it depends whether it is executable.
//! - [`liveness`]: locations from which the value of a variable may be read;
//!   [`rest`]: locations at which a process can be between two steps.
//! - [`dependence`]: which transitions of a system commute, and which can enable
//!   others.
//! - [`steady`]: whether processes are started or end.

pub mod accesses;
pub mod channels;
pub mod dependence;
pub mod footprint;
pub mod liveness;
pub mod part;
pub mod rest;
#[cfg(test)]
pub(crate) mod samples;
pub mod steady;
