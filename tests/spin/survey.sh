#!/usr/bin/env bash
# What SPIN says about every model of a directory tree: one Markdown table row
# per .pml file. The differential tests repeat the same runs with our engine.
#
#   tests/spin/survey.sh [FILE or DIRECTORY ...]
#                                  default: the examples of SPIN's package
#
# Per model up to four runs, each limited in time and memory (SECONDS_MAX,
# MB_MAX in the environment; 60 CPU seconds and 4000):
#
#   default   spin -a, pan without flags
#   cycles    the same with -a, if the model has accept labels, a claim or ltl
#   counts    optimisations and reduction off: -o1 -o2 -o3, -DSAFETY -DNOREDUCE,
#             and errors counted, not stopped at (-c0), so that counts are whole;
#             a claim or ltl is left out (-DNOCLAIM)
#   bfs       if default found a safety violation: the length of the trail of a
#             breadth-first search, claim included, reduction off; `ok` there
#             means that pan missed it, as it may with rendezvous
#
# A verdict is written `ok` or `violation: kind`, see benches/pan.sh for the
# words; a count is missing when the run was cut short, and the verdict says why.
set -u
here=$(cd "$(dirname "$0")" && pwd)
pan=$here/../../benches/pan.sh
root=/usr/share/doc/spin/examples
[ $# -gt 0 ] || set -- "$root"
seconds=${SECONDS_MAX:-60}
mb=${MB_MAX:-4000}
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# measure SPIN-FLAGS CC-FLAGS PAN-FLAGS MODEL: fills the array `got`.
declare -A got
measure() {
    got=()
    local key value
    while IFS='=' read -r key value; do got[$key]=$value; done < <(
        "$pan" -t "$seconds" -m "$mb" -o "$output" -s "$1" -c "$2" -r "$3" "$4")
}

verdict() {
    case ${got[verdict]} in
        violation) echo "violation: ${got[kind]}" ;;
        *) echo "${got[verdict]}" ;;
    esac
}

# Embedded C by name, outside of comments as far as a regular expression can tell.
embedded_c() { grep -qE '\bc_(code|expr|decl|state|track)\b' "$1" && echo yes || echo no; }
has_cycles() { grep -qE '\b(accept[A-Za-z0-9_]*[ \t]*:|never\b|ltl\b)' "$1"; }

echo "| model | spin -a | C | default | cycles (-a) | counts run | stored | transitions | depth | errors | bfs trail |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
find "$@" -name '*.pml' | LC_ALL=C sort | while IFS= read -r model; do
    name=${model#"$root"/}
    c=$(embedded_c "$model")
    measure "" "-O0" "-m1000000" "$model" < /dev/null
    default=$(verdict) safety=${got[verdict]} kind=${got[kind]}
    if [ "$default" = rejected ] || [ "$default" = uncompiled ]; then
        why=$(grep -m 1 -iE 'error' "$output" | sed 's/|/\\|/g')
        echo "| $name | $default: $why | $c | | | | | | | | |"
        continue
    fi
    cycles=""
    if has_cycles "$model"; then
        measure "" "-O0" "-m1000000 -a" "$model" < /dev/null
        cycles=$(verdict)
    fi
    measure "-o1 -o2 -o3" "-O1 -DSAFETY -DNOREDUCE -DNOCLAIM" "-m1000000 -c0" "$model" < /dev/null
    counts=$(verdict)
    # pan reports what it has when it is out of time or memory: not the whole.
    case ${got[verdict]} in
        ok | violation) ;;
        *) got[stored]="" got[transitions]="" ;;
    esac
    row="$counts | ${got[stored]-} | ${got[transitions]-} | ${got[depth]-} | ${got[errors]-}"
    bfs=""
    if [ "$safety" = violation ] && [[ $kind != acceptance && $kind != non-progress ]]; then
        measure "-o1 -o2 -o3" "-O0 -DSAFETY -DNOREDUCE -DBFS" "-m1000000" "$model" < /dev/null
        [ "${got[verdict]}" = violation ] && bfs=${got[trail]} || bfs=$(verdict)
        # The trail of a deadlock ends with a step that cannot be taken.
        [ "${got[kind]}" = end-state ] && bfs=$((bfs - 1))
    fi
    echo "| $name | yes | $c | $default | $cycles | $row | $bfs |"
done
