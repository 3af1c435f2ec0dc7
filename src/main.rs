//! The command line; see `trapline::cli`.

fn main() -> std::process::ExitCode {
    trapline::cli::main()
}
