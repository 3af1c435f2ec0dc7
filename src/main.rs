//! The command line; see `trapline::cli`.

fn main() {}
