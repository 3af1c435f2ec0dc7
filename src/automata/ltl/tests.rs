//! Parsing, printing and simplifying.
