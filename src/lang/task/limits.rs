//! Limits of models. Exceeding a limit is an error that names it, so that no
//! input exhausts memory or time.

/// Bytes of a source text.
pub const SOURCE_BYTES: usize = 4 << 20;
/// Tokens around a token that can nest it: brackets, operators, `else if`.
pub const NESTING: usize = 4096;
/// Task instances.
pub const TASKS: usize = 4096;
/// Scalar variables, array elements counted.
pub const VARIABLES: usize = 16_384;
/// Values of one variable.
pub const DOMAIN: i64 = 4096;
/// Values of one range (`for`, `accept!`, `choose!`, task families).
pub const RANGE: i64 = 65_536;
/// Cases of one expression after its variables have been read.
pub const CASES: usize = 4096;
/// Control points of the whole model.
pub const POINTS: usize = 400_000;
/// Values in the tests of the whole model.
pub const TEST_VALUES: usize = 8_000_000;
/// Inlined calls in the provenance of all actions.
pub const FRAMES: usize = 2_000_000;
/// Expressions and statements elaborated, copies counted.
pub const STEPS: usize = 1_000_000;
/// Expressions and inlined calls inside each other while elaborating.
pub const DEPTH: usize = 4096;
/// Stack of the thread that parses and elaborates; memory is only used when
/// the nesting needs it.
pub const STACK_BYTES: usize = 512 << 20;
