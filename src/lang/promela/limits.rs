//! Limits on stack, time and memory for any input.

/// Stack for parser and checker, which are recursive.
pub const STACK_BYTES: usize = 64 << 20;

/// Number of tokens produced by macros and inlines.
pub const TOKENS: usize = 1_000_000;
/// Nesting depth of included files.
pub const INCLUDES: usize = 40;
/// Total number of included files.
pub const INCLUDED_FILES: usize = 1_000;
/// Nesting depth of macro calls in macro arguments, and of conditions.
pub const MACRO_NESTING: usize = 60;
/// Nesting depth of brackets.
pub const EXPRESSION_NESTING: usize = 100;
/// Number of operators on the longest path of an expression.
pub const EXPRESSION_DEPTH: u16 = 500;
/// Nesting depth of statements.
pub const STATEMENT_NESTING: usize = 100;
/// Number of errors after which parsing stops.
pub const ERRORS: usize = 100;
/// Number of elements of an array.
pub const ARRAY_LENGTH: i64 = 1 << 24;
/// Number of fields of a message.
pub const MESSAGE_FIELDS: usize = 10_000;
/// Number of diagnostics with the same message.
pub const SAME_MESSAGES: usize = 10;
/// Number of stored diagnostics.
pub const DIAGNOSTICS: usize = 200;
