#!/usr/bin/env bash
# Strategies with heuristics on the faulty variants of examples/promela, and the
# speed of each heuristic.
#
#   benches/heuristics.sh [-o FILE] [-t SECONDS] [-s STRATEGY]... [MODEL ...]
#
#   -o FILE      for the table (default: standard output)
#   -t SECONDS   for each run (default: 60)
#   -s STRATEGY  only this one; may be repeated
#   MODEL        only models whose names begin like this, such as `peterson`
#
# TRAPLINE names the program (default: target/release/trapline). A row has the
# verdict, the steps of the trail, states stored, and states per second; at the
# end, per strategy, geometric means of ratios to the first one. The last table
# visits all states of correct models: what an evaluation costs.
set -eu

fail() { echo "heuristics.sh: $*" >&2; exit 2; }

cd "$(dirname "$0")/.."
output=/dev/stdout
seconds=60
strategies=()
while getopts "o:t:s:" option; do
    case $option in
        o) output=$(realpath -m "$OPTARG") ;;
        t) seconds=$OPTARG ;;
        s) strategies+=("$OPTARG") ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
trapline=${TRAPLINE:-target/release/trapline}
[ -x "$trapline" ] || fail "$trapline is missing: build it with \`cargo build --release\`"
command -v jq > /dev/null || fail "jq is not installed"
if [ ${#strategies[@]} -eq 0 ]; then
    strategies=(bfs auto dfs 'astar(formula)' 'bf(formula)' 'bf(formula-sum)' 'wa(formula-sum, w=2)' 'bf(active)'
        'wa(active, w=2)' 'ida(formula, memory=table)' 'ida(formula, memory=bits)')
fi

subjects=(
    "philosophers -DBUG -DN=6" "philosophers -DBUG -DN=8" "leader -DBUG -DN=5" "leader -DBUG -DN=6"
    "peterson -DBUG -DN=2" "peterson -DBUG -DN=3" "szymanski -DBUG -DN=3" "bakery -DBUG -DN=2"
    "fischer -DBUG -DN=4" "gobackn -DBUG -DW=2 -DQ=2" "iprotocol -DBUG -DW=2 -DQ=2" "mesi -DBUG -DN=3"
    "brp -DBUG" "elevator -DBUG -DN=3 -DP=1" "readers_writers -DBUG -DR=3 -DK=2" "buffer -DBUG -DP=2 -DC=2"
)
correct=("peterson -DN=3" "philosophers -DN=6" "leader -DN=5" "mesi -DN=3")
visits=(bfs 'bf(formula)' 'bf(formula-sum)' 'bf(active)')

is_wanted() {
    [ $# -eq 1 ] && return 0
    local name=$1 wanted
    shift
    for wanted in "$@"; do case $name in "$wanted"*) return 0 ;; esac; done
    return 1
}

# Verdict, steps, states stored, states expanded, seconds.
run() {
    local strategy=$1 model=$2 options=()
    shift 2
    for define in "$@"; do options+=(-D "${define#-D}"); done
    "$trapline" check "examples/promela/$model.pml" "${options[@]}" --property safety --strategy "$strategy" \
        --reduction none --timeout "${seconds}s" --max-memory 3G --format json 2> /dev/null |
        jq -r '.results[0] | [.verdict, (.counterexample.steps // [] | length), .search.stored, .search.expanded,
            .search.elapsed_seconds] | @tsv' || true
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
{
    echo "| model | strategy | verdict | steps | states stored | states expanded | seconds |"
    echo "|---|---|---|---|---|---|---|"
    for subject in "${subjects[@]}"; do
        read -r -a words <<< "$subject"
        is_wanted "${words[0]}" "$@" || continue
        for strategy in "${strategies[@]}"; do
            IFS=$'\t' read -r verdict steps stored expanded time <<< "$(run "$strategy" "${words[@]}")"
            printf '| %s | `%s` | %s | %s | %s | %s | %.3f |\n' \
                "$subject" "$strategy" "$verdict" "$steps" "$stored" "$expanded" "$time"
            printf '%s\t%s\t%s\t%s\t%s\t%s\n' \
                "$subject" "$strategy" "$verdict" "$steps" "$stored" "$time" >> "$work/runs"
        done
    done
    echo
    echo "| strategy | found | states stored | steps | seconds |"
    echo "|---|---|---|---|---|"
    awk -F'\t' -v first="${strategies[0]}" '
        { if (!($2 in seen)) { order[++n] = $2; seen[$2] = 1 } }
        $2 == first { steps[$1] = $4; stored[$1] = $5; time[$1] = $6; ok[$1] = ($3 == "violated") }
        $3 == "violated" { found[$2]++ }
        $3 == "violated" && ok[$1] && $4 > 0 {
            k[$2]++; s[$2] += log($5 / stored[$1]); l[$2] += log($4 / steps[$1]); t[$2] += log($6 / time[$1])
        }
        END { for (i = 1; i <= n; i++) { x = order[i]; if (k[x])
            printf "| `%s` | %d | %.3f | %.2f | %.2f |\n", x, found[x], exp(s[x]/k[x]), exp(l[x]/k[x]), exp(t[x]/k[x]) } }
    ' "$work/runs"
    echo
    echo "| correct model | strategy | states | states per second |"
    echo "|---|---|---|---|"
    for subject in "${correct[@]}"; do
        read -r -a words <<< "$subject"
        is_wanted "${words[0]}" "$@" || continue
        for strategy in "${visits[@]}"; do
            IFS=$'\t' read -r verdict steps stored expanded time <<< "$(run "$strategy" "${words[@]}")"
            printf '| %s | `%s` | %s | %.0f |\n' "$subject" "$strategy" "$stored" \
                "$(echo "$stored $time" | awk '{ print $1 / $2 }')"
        done
    done
} > "$output"
