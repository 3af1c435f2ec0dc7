#!/usr/bin/env bash
# Everything that must pass: format, lints, tests, doc tests, documentation.
# Needs a Rust toolchain (1.89 or newer); on Debian the C linker is installed
# if it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v cc >/dev/null && command -v apt-get >/dev/null; then
    apt-get update -q && apt-get install -y -q gcc libc6-dev
fi

cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --locked --lib --bins --tests --no-fail-fast
cargo test --locked --doc
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items
