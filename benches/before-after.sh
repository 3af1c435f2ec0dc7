#!/usr/bin/env bash
# Compares two builds of Trapline: speed and memory of exhaustive searches.
#
#   benches/before-after.sh [-n RUNS] BEFORE AFTER
#
#   -n RUNS   of each program on each search, taking turns (default: 3)
#   BEFORE    the older program
#   AFTER     the newer program
#
# Models of examples/promela and properties of specs are searched to the end by
# one core. A speed is the ratio of CPU times in user mode, the best of the runs;
# above 1 the newer program is faster. Memory is the ratio of bytes per state that
# the searches report; above 1 the newer program needs more. Both programs must
# store the same number of states, or the script fails.
set -eu

fail() { echo "before-after.sh: $*" >&2; exit 2; }

runs=3
while getopts "n:" option; do
    case $option in
        n) runs=$OPTARG ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 2 ] || fail "name two programs"
before=$(realpath "$1")
after=$(realpath "$2")
cd "$(dirname "$0")/.."

searches="examples/promela/philosophers.pml -D N=9 --property safety
examples/promela/leader.pml -D N=8 -D STRIDE=3 --property safety
examples/promela/peterson.pml -D N=4 --property safety
examples/promela/szymanski.pml -D N=4 --property safety
examples/promela/bakery.pml -D N=3 -D MAX=16 --property safety
examples/promela/fischer.pml -D N=7 --property safety
examples/promela/gobackn.pml -D W=3 -D Q=3 --property safety
examples/promela/iprotocol.pml -D W=3 -D Q=3 --property safety
examples/promela/mesi.pml -D N=4 --property safety
specs/peterson.yaml --set N=4 --property first-two-exclude
specs/gas-station.yaml --set N=6 --property activate-once-per-prepay"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Seconds in user mode, bytes per state and stored states of one run.
measure() {
    local program=$1 strategy=$2
    shift 2
    TIMEFORMAT=%3U
    { time "$program" check "$@" --strategy "$strategy" --format json > "$work/out" 2> "$work/err" ||
        [ $? = 1 ] || fail "$* fails: $(cat "$work/err")"; } 2> "$work/time"
    # The first numbers of the report are those of the whole search.
    first() { sed -n "s/^ *\"$1\": \([0-9]*\),\$/\1/p" "$work/out" | head -1; }
    awk -v s="$(cat "$work/time")" -v b="$(first bytes)" -v n="$(first stored)" 'BEGIN { print s, b / n, n }'
}

printf '%-74s %8s %8s %8s\n' search seconds speed memory
for strategy in dfs bfs; do while read -r arguments; do
    : > "$work/before"
    : > "$work/after"
    for _ in $(seq "$runs"); do
        # shellcheck disable=SC2086
        measure "$before" "$strategy" $arguments >> "$work/before"
        # shellcheck disable=SC2086
        measure "$after" "$strategy" $arguments >> "$work/after"
    done
    states() { cut -d' ' -f3 "$1" | sort -u; }
    [ "$(states "$work/before")" = "$(states "$work/after")" ] ||
        fail "$strategy $arguments: $(states "$work/before") and $(states "$work/after") states"
    best() { cut -d' ' -f"$2" "$1" | sort -g | head -1; }
    awk -v a="$(best "$work/before" 1)" -v b="$(best "$work/after" 1)" -v c="$(best "$work/before" 2)" \
        -v d="$(best "$work/after" 2)" -v strategy="$strategy" -v what="$strategy $arguments" \
        'BEGIN { printf "%-74s %8.2f %8.3f %8.3f\n", what, b, a / b, d / c }'
done <<< "$searches"; done | tee "$work/table"

awk '{ n[$1]++; speed[$1] += log($(NF - 1)); memory[$1] += log($NF) }
    END { for (s in n) printf "%s: speed %.3f, memory %.3f (geometric means of %d)\n", s, exp(speed[s] / n[s]), exp(memory[s] / n[s]), n[s] }' \
    "$work/table"
