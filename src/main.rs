//! The command line of Trapline; see `cli`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
