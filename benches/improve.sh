#!/usr/bin/env bash
# Shortens depth-first counterexamples, by us and by SPIN's verifier.
#
#   benches/improve.sh [-o FILE] [MODEL ...]
#
#   -o FILE   for the table (default: benches/results/improve/table.md)
#   MODEL     only these, such as `leader`; then nothing is written unless -o is given
#
# TRAPLINE names the program (default: target/release/trapline). For each model
# with an error, the trail of our depth-first search and that of `pan` (with its
# partial-order reduction) are improved: only by removing steps (`--reorder`),
# and with a search. Breadth-first search tells the optimum where it fits into
# the memory limit. `pan -I` and `pan -i` look for shorter trails themselves,
# with at most a minute each; their states are those stored in all rounds.
# Lengths are in statements. Every improved trail is replayed by `spin -t`.
set -eu

fail() { echo "improve.sh: $*" >&2; exit 2; }

cd "$(dirname "$0")/.."
output=""
while getopts "o:" option; do
    case $option in
        o) output=$(realpath -m "$OPTARG") ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
trapline=$(realpath "${TRAPLINE:-target/release/trapline}")
[ -x "$trapline" ] || fail "$trapline is missing: build it with \`cargo build --release\`"
for tool in spin gcc jq; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done

subjects="election benches -DN=5
election benches -DN=8
bakery examples/promela -DBUG
buffer examples/promela -DBUG
elevator examples/promela -DBUG
fischer examples/promela -DBUG
gobackn examples/promela -DBUG
leader examples/promela -DBUG
mesi examples/promela -DBUG"
if [ $# -gt 0 ]; then
    all=$subjects
    subjects=$(for name in "$@"; do grep "^$name " <<< "$all" || fail "no model $name"; done)
fi
[ -n "$output" ] || [ $# -gt 0 ] || output=$PWD/benches/results/improve/table.md
[ -n "$output" ] || output=/dev/stdout

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# length FILE: statements of a trail of pan that merges nothing.
length() { grep -c '^[0-9]' "$1" || true; }

# improved TRAIL FLAGS: "before after states" of an improved trail, which SPIN replays.
improved() {
    local trail=$1
    shift
    "$trapline" improve model.pml $definitions --property safety -t "$trail" --spin-trail short.trail \
        --timeout 2m -o short.json "$@" > /dev/null || [ $? = 1 ]
    # SPIN tells the failed assertion.
    spin $definitions -t -k short.trail model.pml > said 2>&1 || true
    grep -q "assertion violated" said || fail "SPIN does not replay the improved $trail of $name"
    jq -r '.results[0].explicit.improvement |
        "\(.before.statements) \(.after.statements) \([.actions[].expanded] | add)\(if .shortest then "*" else "" end)"' short.json
}

# by_pan FLAG: "length states" of the shortest trail that pan finds.
by_pan() {
    rm -f model.pml.trail
    timeout 60 ./pan-reach -m1000000 -w26 "$1" > pan.out 2>&1 || true
    local states
    states=$(awk '/states, stored/ { print $1 }' pan.out | tail -1)
    if [ -f model.pml.trail ]; then
        echo "$(length model.pml.trail) ${states:->60s}"
    else
        echo "- -"
    fi
}

{
    echo "| model | optimum | depth first | \`check\` | \`--reorder\` | states | search | states | trail of pan | \`--reorder\` | search | \`pan -I\` | states | \`pan -i\` | states |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    while read -r name folder definitions; do
        cp "$folder/$name.pml" "$work/model.pml"
        cd "$work"
        rm -f ./*.json ./*.trail pan*
        check() { "$trapline" check model.pml $definitions --property safety "$@" -o check.json > /dev/null || [ $? = 1 ]; }
        check --strategy bfs --max-memory 1G --timeout 5m
        optimum=$(jq -r '.results[0] | if .counterexample then .counterexample.steps | map(.processes | length) | add else "-" end' check.json)
        check --strategy dfs
        quick=$(jq -r '.results[0].explicit.improvement.after.statements // "-"' check.json)
        check --strategy dfs --no-shorten
        cp check.json deep.json
        read -r before reordered reorder_states <<< "$(improved deep.json --reorder)"
        read -r _ searched search_states <<< "$(improved deep.json)"
        spin -o3 $definitions -a model.pml > /dev/null
        gcc -O2 -w -DSAFETY -DNOCLAIM -o pan pan.c
        gcc -O2 -w -DSAFETY -DNOCLAIM -DREACH -o pan-reach pan.c
        rm -f model.pml.trail
        ./pan -m1000000 -w24 > pan.out 2>&1 || true
        mv model.pml.trail pan.trail
        theirs=$(length pan.trail)
        read -r _ theirs_reordered _ <<< "$(improved pan.trail --reorder)"
        read -r _ theirs_searched _ <<< "$(improved pan.trail)"
        read -r quick_pan quick_states <<< "$(by_pan -I)"
        read -r exact_pan exact_states <<< "$(by_pan -i)"
        cd - > /dev/null
        echo "| $name $definitions | $optimum | $before | $quick | $reordered | $reorder_states | $searched | $search_states | $theirs | $theirs_reordered | $theirs_searched | $quick_pan | $quick_states | $exact_pan | $exact_states |"
    done <<< "$subjects"
    echo
    echo "A \`*\` marks a search that proved that no shorter run ends in such an error."
} > "$work/table.md"
mkdir -p "$(dirname "$output")"
cat "$work/table.md" > "$output"
