#!/usr/bin/env bash
# Fuzzes every front end for ten minutes each (or SECONDS_EACH), starting from
# the shipped and the wrong inputs. Needs a nightly toolchain and cargo-fuzz
# (cargo install cargo-fuzz). A crash, a hang of 20 s or 4 GiB is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-600}
seeds=$(mktemp -d)
mkdir "$seeds"/task "$seeds"/property "$seeds"/constraint "$seeds"/promela
cp examples/*.rs tests/bad/task/*.rs "$seeds"/task
cp specs/*.yaml tests/bad/spec/*.yaml "$seeds"/property
cp constraints/*.yaml tests/bad/spec/*.yaml "$seeds"/constraint
cp tests/spin/micro/*.pml examples/promela/*.pml "$seeds"/promela
# The models that come with SPIN, if it is installed.
find /usr/share/doc/spin/examples -name "*.pml" -exec cp {} "$seeds"/promela \; 2>/dev/null || true
for target in task property constraint promela; do
    mkdir -p "fuzz/corpus/$target"
    dictionary=()
    [ -f "fuzz/$target.dict" ] && dictionary=(-dict="fuzz/$target.dict")
    cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "$seeds/$target" -- "${dictionary[@]}" \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=4096
done
