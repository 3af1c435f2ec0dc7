//! Static analyses, compared with the steps of the engine.

mod disturb;
