#!/usr/bin/env bash
# Compares us with SPIN's verifier: speed, memory, formulas, start-up, two cores.
#
#   benches/pan-compare.sh [-n RUNS] [-o FILE] [MODEL ...]
#
#   -n RUNS   of each program on each model, taking turns (default: 3)
#   -o FILE   for the tables (default: benches/results/pan/table.md)
#   MODEL     only these, such as `leader`; then nothing is written unless -o is given
#
# TRAPLINE names the program (default: target/release/trapline). Every model of
# examples/promela is searched to the end, depth-first and breadth-first, by one
# core, by us and by pan in turn; pan is built by benches/pan.sh with `-O3 -DSAFETY
# -DNOREDUCE` (and `-DBFS`). A rate is states per second of CPU time in user mode,
# the best of the runs: on a machine that does other things too, the least
# disturbed one. Both programs must count the same states, or the script fails.
# Formulas that hold are proved by both, some under weak fairness; pan is built
# without `-DSAFETY` for them and runs with `-a` (and `-f`).
set -eu

fail() { echo "pan-compare.sh: $*" >&2; exit 2; }

cd "$(dirname "$0")/.."
runs=3
output=""
while getopts "n:o:" option; do
    case $option in
        n) runs=$OPTARG ;;
        o) output=$(realpath -m "$OPTARG") ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
trapline=${TRAPLINE:-target/release/trapline}
[ -x "$trapline" ] || fail "$trapline is missing: build it with \`cargo build --release\`"
for tool in spin gcc jq /usr/bin/time; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done

subjects="philosophers -DN=8
philosophers -DN=9
leader -DN=8 -DSTRIDE=3
peterson -DN=4
szymanski -DN=4
bakery -DN=3 -DMAX=8
fischer -DN=7
gobackn -DW=3 -DQ=2
iprotocol -DW=3 -DQ=2
mesi -DN=4"
# Model, formula, fair or any, definitions.
formulas="leader elected any -DN=7
philosophers meals any -DN=8
buffer flow any
elevator served fair
peterson served fair -DN=4
szymanski served fair -DN=4"
# A model of some ten thousand states, where starting takes longer than searching.
small="bakery -DN=2 -DMAX=6"
if [ $# -gt 0 ]; then
    all=$subjects
    subjects=$(for name in "$@"; do grep "^$name " <<< "$all" || fail "no model $name"; done)
    formulas=$(for name in "$@"; do grep "^$name " <<< "$formulas" || true; done)
else
    output=${output:-$PWD/benches/results/pan/table.md}
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# ours MODEL DEFINES FLAGS [PROPERTY]: "user wall states bytes" of one run.
ours() {
    local model=$1 defines=$2 flags=$3 property=${4:-safety}
    # shellcheck disable=SC2086
    /usr/bin/time -q -o "$work/usage" -f '%U %e' "$trapline" check "examples/promela/$model.pml" \
        $defines $flags --property "$property" --reduction none --format json > "$work/report" || true
    echo "$(tail -n 1 "$work/usage") $(jq -r '.results[0] | "\(.search.stored) \(.search.bytes)"' "$work/report")"
}

# pan MODEL DEFINES FLAGS: "user wall states bytes_of_states bytes_with_table" of one run.
pan() {
    local model=$1 defines=$2 flags=$3
    # shellcheck disable=SC2086
    benches/pan.sh -m 20000 -c "-O3 -DSAFETY -DNOREDUCE -DNOCLAIM $flags" "examples/promela/$model.pml" $defines > "$work/pan"
    # Breadth-first, pan also keeps states within atomic sequences and counts them.
    awk -F= -v within="$([[ $flags == *BFS* ]] && echo atomic)" '{ value[$1] = $2 }
        END { print value["user_s"], value["wall_s"], value["stored"] - value[within], value["states_mb"] * 1048576,
                    (value["states_mb"] + value["table_mb"]) * 1048576 }' "$work/pan"
}

# less A B: the smaller of two numbers, where the first may be missing.
less() { awk -v one="$1" -v other="$2" 'BEGIN { print (one == "" || other + 0 < one + 0) ? other : one }'; }

# compare MODE OUR_FLAGS PAN_FLAGS: lines "model|defines|states|ours/s|pan's/s|our bytes|pan's|pan's with table".
compare() {
    local model defines states our_s pan_s our pan_run
    while read -r model defines; do
        our_s="" pan_s=""
        for _ in $(seq "$runs"); do
            our=($(ours "$model" "$defines" "$2"))
            pan_run=($(pan "$model" "$defines" "$3"))
            our_s=$(less "$our_s" "${our[0]}")
            pan_s=$(less "$pan_s" "${pan_run[0]}")
        done
        states=${our[2]}
        [ "$states" = "${pan_run[2]}" ] ||
            fail "$model $defines: we count $states states, pan ${pan_run[2]}"
        echo "$model|$defines|$states|$our_s|$pan_s|${our[3]}|${pan_run[3]}|${pan_run[4]}"
    done <<< "$subjects" | tee "$work/$1" | sed -u "s/^/$1 /" >&2
}

# table TITLE FILE: rates, ratios, bytes, and their geometric means.
table() {
    echo
    echo "## $1"
    echo
    echo "| model | states | ours, M states/s | pan, M states/s | ratio | our bytes/state | pan's states | and hash table | ratio | ratio with table |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    awk -F'|' '{
        our = $3 / $4 / 1e6; pan = $3 / $5 / 1e6; bytes = $6 / $3; theirs = $7 / $3; all = $8 / $3
        printf "| %s `%s` | %d | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f | %.2f | %.2f |\n",
            $1, $2, $3, our, pan, our / pan, bytes, theirs, all, bytes / theirs, bytes / all
        speed += log(our / pan); memory += log(bytes / theirs); with_table += log(bytes / all); n++
    } END {
        printf "| geometric mean | | | | **%.2f** | | | | **%.2f** | **%.2f** |\n", exp(speed / n), exp(memory / n), exp(with_table / n)
    }' "$2"
}

# proves FORMULA MODEL FAIR DEFINES: "user states bytes" of one run of pan.
proves() {
    local fair=""
    [ "$3" = any ] || fair=-f
    # shellcheck disable=SC2086
    benches/pan.sh -m 20000 -c "-O3 -DNOREDUCE $([ "$3" = any ] && echo -DNOFAIR)" -r "-a $fair -N $1 -m10000000" \
        "examples/promela/$2.pml" $4 > "$work/pan"
    awk -F= '{ value[$1] = $2 } END { print value["user_s"], value["stored"], value["states_mb"] * 1048576 }' "$work/pan"
}

# Proofs of formulas: CPU time in user mode and memory.
liveness() {
    local model formula fair defines our_s pan_s our pan_run flags
    echo
    echo "## Formulas that hold"
    echo
    echo "| model | formula | states | ours, s | pan, s | ratio | our bytes/state | pan's states |"
    echo "|---|---|---|---|---|---|---|---|"
    while read -r model formula fair defines; do
        our_s="" pan_s="" flags=""
        [ "$fair" = any ] || flags=--fair
        for _ in $(seq "$runs"); do
            our=($(ours "$model" "$defines" "$flags" "$formula"))
            pan_run=($(proves "$formula" "$model" "$fair" "$defines"))
            our_s=$(less "$our_s" "${our[0]}")
            pan_s=$(less "$pan_s" "${pan_run[0]}")
        done
        [ "${our[2]}" = "${pan_run[1]}" ] ||
            fail "$model $defines $formula: we count ${our[2]} states, pan ${pan_run[1]}"
        echo "$model|$defines|$formula|$fair|${our[2]}|$our_s|$pan_s|${our[3]}|${pan_run[2]}"
    done <<< "$formulas" | awk -F'|' '{
        printf "| %s%s | %s%s | %d | %.2f | %.2f | %.2f | %.1f | %.1f |\n", $1, $2 == "" ? "" : " `" $2 "`",
            $3, $4 == "any" ? "" : ", fair", $5, $6, $7, $7 / $6, $8 / $5, $9 / $5
        sum += log($7 / $6); n++
    } END { printf "| geometric mean | | | | | **%.2f** | | |\n", exp(sum / n) }'
}

# Wall time from the command line to the verdict, the best of the runs.
start_up() {
    local model defines start our_s="" pan_s="" our pan_run
    read -r model defines <<< "$small"
    for _ in $(seq "$runs"); do
        start=$EPOCHREALTIME
        our=($(ours "$model" "$defines" "--strategy dfs"))
        our_s=$(less "$our_s" "$(awk "BEGIN { print $EPOCHREALTIME - $start }")")
        pan_run=($(pan "$model" "$defines" ""))
        pan_s=$(less "$pan_s" "$(awk -F= '{ value[$1] = $2 } END { print value["build_s"] + value["wall_s"] }' "$work/pan")")
    done
    echo
    echo "## From the command line to the verdict"
    echo
    awk "BEGIN { printf \"%s \`%s\`, %d states: ours %.3f s, spin + gcc + pan %.3f s: **%.0f times** faster.\n\", \"$model\", \"$defines\", ${our[2]}, $our_s, $pan_s, $pan_s / $our_s }"
}

# Wall time of one and of two threads, breadth-first.
threads() {
    local model defines one two n our
    echo
    echo "## Two cores, breadth-first (wall time)"
    echo
    echo "| model | one thread, s | two threads, s | ratio |"
    echo "|---|---|---|---|"
    while read -r model defines; do
        one="" two=""
        for _ in $(seq "$runs"); do
            our=($(ours "$model" "$defines" "--strategy bfs --threads 1"))
            one=$(less "$one" "${our[1]}")
            n=${our[2]}
            our=($(ours "$model" "$defines" "--strategy bfs --threads 2"))
            two=$(less "$two" "${our[1]}")
            [ "$n" = "${our[2]}" ] || fail "$model $defines: one thread counts $n states, two count ${our[2]}"
        done
        echo "$model|$defines|$one|$two"
    done <<< "$subjects" | awk -F'|' '{
        printf "| %s `%s` | %.2f | %.2f | %.2f |\n", $1, $2, $3, $4, $3 / $4; sum += log($3 / $4); n++
    } END { printf "| geometric mean | | | **%.2f** |\n", exp(sum / n) }'
}

compare dfs "--strategy dfs" ""
compare bfs "--strategy bfs --threads 1" "-DBFS"
{
    echo "# Us and pan"
    echo
    echo "$("$trapline" --version), $(spin -V), $(gcc --version | head -n 1); $(nproc) cores; best of $runs runs."
    table "Depth-first" "$work/dfs"
    table "Breadth-first" "$work/bfs"
    [ -z "$formulas" ] || liveness
    start_up
    threads
} > "$work/tables"
cat "$work/tables"
if [ -n "$output" ]; then
    mkdir -p "$(dirname "$output")"
    cp "$work/tables" "$output"
fi
