#!/usr/bin/env bash
# Builds SPIN's verifier for one model, runs it once and reports the run as
# `key=value` lines (or one JSON object), so that a benchmark can alternate
# this run and ours without reading pan's prose.
#
#   benches/pan.sh [options] MODEL [-DNAME[=VALUE] ...]
#
#   -s FLAGS   for `spin -a`   (default: -o1 -o2 -o3, the optimisations off)
#   -c FLAGS   for the compiler (default: -O3 -DSAFETY -DNOREDUCE)
#   -r FLAGS   for pan          (default: -m10000000); given several times, the
#              same build runs once for each, reports separated by an empty line
#   -t SECONDS of CPU time for pan at most, ten times that by the clock
#              (default: 600)
#   -m MB      of address space at most (default: 6000)
#   -k FILE    keep the trail there
#   -o FILE    keep the whole output there
#   -j         JSON
#
# Everything happens in a temporary directory beside links to the files of the
# model's own directory, so that its #include lines still work.
#
# Keys: model, defines, verdict, kind, stored, visited, matched, transitions,
# atomic, depth, errors, error_depth, trail, vector, truncated, user_s, wall_s,
# pan_mb, states_mb, table_mb, rss_mb, build_s.
#
#   verdict  ok | violation | incomplete | rejected | uncompiled | crashed | timeout
#   kind     none | assertion | end-state | claim | acceptance | non-progress |
#            trace | bounds | channel | processes | depth | other
#   visited  differs from stored only in a search for cycles, which meets states twice
#   trail    steps in the trail, marker lines left out; 0 without a violation. With
#            -DBFS the trail of an invalid end state is one line too long: pan
#            adds a step that cannot be taken
#   states_mb and table_mb are parts of pan_mb: the stored states and the hash table;
#            empty where pan has too few states to tell them apart
#   user_s   CPU seconds of pan in user mode; build_s is wall time of spin and compiler
set -u

fail() { echo "pan.sh: $*" >&2; exit 2; }

spin_flags="-o1 -o2 -o3"
cc_flags="-O3 -DSAFETY -DNOREDUCE"
runs=()
limit_s=600
limit_mb=6000
keep_trail=""
keep_output=""
json=""
while getopts "s:c:r:t:m:k:o:j" option; do
    case $option in
        s) spin_flags=$OPTARG ;;
        c) cc_flags=$OPTARG ;;
        r) runs+=("$OPTARG") ;;
        t) limit_s=$OPTARG ;;
        m) limit_mb=$OPTARG ;;
        k) keep_trail=$(realpath -m "$OPTARG") ;;
        o) keep_output=$(realpath -m "$OPTARG") ;;
        j) json=yes ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || fail "no model given"
[ -r "$1" ] || fail "cannot read $1"
[ ${#runs[@]} -gt 0 ] || runs=("-m10000000")
model=$(realpath "$1")
shift
defines=("$@")

for tool in spin gcc /usr/bin/time; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done

dir=$(mktemp -d "${TMPDIR:-/tmp}/pan.XXXXXX") || fail "no temporary directory"
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
for file in "$(dirname "$model")"/*; do
    case ${file##*/} in
        pan | pan.* | *.trail | *.tmp) ;;
        *) [ -f "$file" ] && ln -s "$file" "$dir/" ;;
    esac
done
cd "$dir" || fail "cannot enter $dir"
name=${model##*/}

# Every figure starts empty: a run that was cut short reports what it has.
clear_figures() {
    verdict="" kind=none stored="" visited="" matched="" transitions="" atomic=""
    depth="" errors="" error_depth="" trail=0 vector="" truncated=no
    user_s="" wall_s="" pan_mb="" states_mb="" table_mb="" rss_mb=""
}
clear_figures
build_s=""

report() {
    local keys="model defines verdict kind stored visited matched transitions atomic depth
        errors error_depth trail vector truncated user_s wall_s pan_mb states_mb table_mb rss_mb build_s"
    local model=$name defines="${defines[*]-}" key value comma=""
    for key in $keys; do
        value=${!key}
        if [ -z "$json" ]; then
            printf '%s=%s\n' "$key" "$value"
            continue
        fi
        if [[ $value =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
            printf '%s"%s": %s' "$comma" "$key" "$value"
        elif [ -z "$value" ]; then
            printf '%s"%s": null' "$comma" "$key"
        else
            value=${value//\\/\\\\}
            printf '%s"%s": "%s"' "$comma" "$key" "${value//\"/\\\"}"
        fi
        comma=", "
    done | if [ -n "$json" ]; then sed 's/^/{/; s/$/}/'; echo; else cat; fi
}

save() { [ -z "$keep_output" ] || cp output "$keep_output"; }

# Flags are words separated by blanks, so they are split on purpose.
start=$EPOCHREALTIME
# shellcheck disable=SC2086
timeout 120 spin $spin_flags "${defines[@]}" -a "$name" > output 2>&1 < /dev/null
# Some of what spin calls an error is a warning: it writes pan.c all the same.
if [ ! -f pan.c ]; then
    verdict=rejected; save; report; exit 0
fi
# shellcheck disable=SC2086
if ! timeout 300 gcc -w $cc_flags -o pan pan.c -lm >> output 2>&1; then
    verdict=uncompiled; save; report; exit 0
fi
build_s=$(awk "BEGIN { printf \"%.3f\", $EPOCHREALTIME - $start }")

# pan prints counts with %g: 1.2345679e+08 from a hundred million on.
figure() { awk -v pattern="$1" '$0 ~ pattern { printf "%.0f\n", $1; exit }' output; }

# measure FLAGS: one run of pan and its report.
measure() {
    local status rss_kb first trails
    clear_figures
    rm -f ./*.trail usage
    # shellcheck disable=SC2086
    (
        ulimit -v $((limit_mb * 1024))
        ulimit -t "$limit_s"
        ulimit -c 0
        exec /usr/bin/time -q -o usage -f '%U %e %M' timeout $((10 * limit_s)) ./pan $1
    ) > output 2>&1 < /dev/null
    status=$?
    save

    read -r user_s wall_s rss_kb < <(tail -n 1 usage)
    rss_mb=$(awk "BEGIN { printf \"%.1f\", ${rss_kb:-0} / 1024 }")

    stored=$(figure 'states, stored')
    visited=$(sed -n 's/.*states, stored (\([0-9.e+]*\) visited).*/\1/p' output | head -n 1)
    [ -z "$visited" ] && visited=$stored || visited=$(awk "BEGIN { printf \"%.0f\", $visited }")
    matched=$(figure 'states, matched')
    transitions=$(figure 'transitions \(=')
    atomic=$(figure 'atomic steps')
    pan_mb=$(awk '/total actual memory usage/ { print $1; exit }' output)
    states_mb=$(awk '/actual memory usage for states/ { print $1; exit }' output)
    table_mb=$(awk '/memory used for hash table/ { print $1; exit }' output)
    read -r vector depth errors < <(sed -n \
        's/^State-vector \([0-9]*\) byte, depth reached \([0-9]*\).*errors: \([0-9]*\).*/\1 \2 \3/p' output)
    grep -q 'max search depth too small' output && truncated=yes

    first=$(grep -m 1 '^pan:[0-9]*: ' output)
    error_depth=$(sed -n 's/.*(at depth \([0-9]*\)).*/\1/p' <<< "$first")
    case $first in
        "") ;;
        *"invalid array index"*) kind=bounds ;;
        *"assertion violated"*) kind=assertion ;;
        *"invalid end state"*) kind=end-state ;;
        *"end state in claim"*) kind=claim ;;
        *"acceptance cycle"* | *"accept stutter"*) kind=acceptance ;;
        *"non-progress cycle"*) kind=non-progress ;;
        *event_trace*) kind=trace ;;
        *chan* | *"send stmnt"* | *"in receive"* | *"in recv"* | *queue*) kind=channel ;;
        *"too many processes"*) kind=processes ;;
        *"depth limit"*) kind=depth ;;
        *) kind=other ;;
    esac

    trails=(*.trail)
    if [ ${#trails[@]} -gt 0 ]; then
        trail=$(grep -c '^[0-9]' "${trails[0]}")
        [ -z "$keep_trail" ] || cp "${trails[0]}" "$keep_trail"
    fi

    # 124: timeout; 137 and 152: killed for its CPU time.
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ] || [ "$status" -eq 152 ]; then
        verdict=timeout
    elif [ -n "$errors" ] && [ "$errors" -gt 0 ]; then
        verdict=violation
    elif [ -z "$stored" ]; then
        verdict=crashed
    elif [ $truncated = yes ] || grep -q 'Search not completed' output; then
        verdict=incomplete
    else
        verdict=ok
    fi
    report
}

shopt -s nullglob
first_run=yes
for flags in "${runs[@]}"; do
    [ -n "$first_run" ] || echo
    first_run=""
    measure "$flags"
done
