#!/usr/bin/env bash
# Compares numbers of stored states and CPU seconds: full and reduced searches of ours,
# and the default of SPIN's verifier, which reduces, merges and resets dead variables.
#
#   benches/reduction.sh [-o FILE] [-t SECONDS]
#
#   -o FILE     for the table (default: benches/results/reduction/table.md)
#   -t SECONDS  per search (default: 120)
#
# TRAPLINE names the program (default: target/release/trapline). Ours searches
# breadth first for safety; pan, built with `spin -a` and `-O2 -DSAFETY`, depth first.
# Where it finds an error, states until then are shown.
set -eu

fail() { echo "reduction.sh: $*" >&2; exit 2; }

cd "$(dirname "$0")/.."
output=benches/results/reduction/table.md
limit=120
while getopts "o:t:" option; do
    case $option in
        o) output=$(realpath -m "$OPTARG") ;;
        t) limit=$OPTARG ;;
        *) fail "see the head of this file" ;;
    esac
done
trapline=${TRAPLINE:-target/release/trapline}
[ -x "$trapline" ] || fail "$trapline is missing: build it with \`cargo build --release\`"
for tool in spin gcc jq /usr/bin/time; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done

subjects="bakery
brp
buffer
elevator
fischer -DN=5
gobackn
gobackn -DW=3 -DQ=2
iprotocol
iprotocol -DW=3 -DQ=2
leader -DN=5
mesi
peterson
philosophers -DN=6
readers_writers
szymanski"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints verdict, stored states, whether stubborn sets were used, and CPU seconds in user mode.
ours() {
    local reduction=$1 model=$2
    shift 2
    /usr/bin/time -q -o "$work/usage" -f '%U' timeout "$limit" "$trapline" check "examples/promela/$model.pml" "$@" \
        --property safety --strategy bfs --reduction "$reduction" --format json > "$work/report" 2> /dev/null || true
    jq -r '.results[0] | "\(.verdict) \(.search.stored) \(.explicit.reduction)"' "$work/report" | tr '\n' ' '
    tail -n 1 "$work/usage"
}

# Prints the stored states of pan.
pans() {
    local model=$1
    shift
    (
        cd "$work"
        rm -f pan pan.c
        spin -a "$@" "$OLDPWD/examples/promela/$model.pml" > /dev/null 2>&1
        gcc -O2 -w -DSAFETY -DNOCLAIM -o pan pan.c
        timeout "$limit" ./pan -m10000000 -w24 2> /dev/null | sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p'
    )
}

mkdir -p "$(dirname "$output")"
{
    echo "| model | verdict | states, all steps | states, stubborn sets | part | by default | s, all steps | s, stubborn sets | s, by default | pan's default |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    while read -r model defines; do
        # shellcheck disable=SC2086
        {
            read -r verdict all _ all_s <<< "$(ours none "$model" $defines)"
            read -r reduced_verdict few _ few_s <<< "$(ours stubborn "$model" $defines)"
            read -r default_verdict default used default_s <<< "$(ours auto "$model" $defines)"
            pan=$(pans "$model" $defines)
        }
        [ "$verdict" = "$reduced_verdict" ] && [ "$verdict" = "$default_verdict" ] ||
            fail "$model $defines: $verdict, $reduced_verdict and $default_verdict"
        part=$(awk -v few="$few" -v all="$all" 'BEGIN { printf "%.2f", all ? few / all : 0 }')
        printf '| %s | %s | %d | %d | %s | %d (%s) | %.2f | %.2f | %.2f | %s |\n' "$model${defines:+ \`$defines\`}" \
            "$verdict" "$all" "$few" "$part" "$default" "$used" "$all_s" "$few_s" "$default_s" "${pan:--}"
    done <<< "$subjects"
} | tee "$output"
