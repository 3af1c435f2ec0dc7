//! Bounds that keep any text from eating stack, time or memory.

/// Stack for parser and checker, which recurse on the nesting of the text.
pub const STACK_BYTES: usize = 64 << 20;

/// Tokens that macros and inlines may make.
pub const TOKENS: usize = 1_000_000;
/// Files within files.
pub const INCLUDES: usize = 40;
/// Included files in all.
pub const INCLUDED_FILES: usize = 1_000;
/// Arguments of macros within arguments of macros, conditions in directives.
pub const MACRO_NESTING: usize = 60;
/// Brackets within brackets.
pub const EXPRESSION_NESTING: usize = 100;
/// Operators on the longest way down an expression.
pub const EXPRESSION_DEPTH: u16 = 500;
/// Statements within statements.
pub const STATEMENT_NESTING: usize = 100;
/// Errors after which nobody reads on.
pub const ERRORS: usize = 100;
/// Elements of an array.
pub const ARRAY_LENGTH: i64 = 1 << 24;
/// Fields of a message.
pub const MESSAGE_FIELDS: usize = 10_000;
/// Diagnostics that say the same of different places.
pub const SAME_MESSAGES: usize = 10;
/// Diagnostics that are kept.
pub const DIAGNOSTICS: usize = 200;
