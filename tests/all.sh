#!/usr/bin/env bash
# Everything that must pass: format, lints, tests, doc tests, documentation.
# Needs a Rust toolchain (1.89 or newer). On Debian, as root, the C linker is
# installed if it is missing, and SPIN and lbt, which some tests compare us with;
# without them those tests say that they compare nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v cc >/dev/null && command -v apt-get >/dev/null; then
    apt-get update -q && apt-get install -y -q gcc libc6-dev
fi
if ! { command -v spin && command -v lbt; } >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    { apt-get update -q && apt-get install -y -q spin lbt; } || echo "SPIN or lbt cannot be installed"
fi

cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo clippy --locked --lib --no-default-features -- -D warnings
cargo test --locked --lib --bins --tests --no-fail-fast
cargo test --locked --doc
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items
