#!/usr/bin/env bash
# Runs SPIN over the micro models and writes what pan counted to micro.tsv.
#
#   tests/spin/micro.sh            all models, writes micro.tsv
#   tests/spin/micro.sh NAME ...   these only, and replaces their rows
#
# A model may say how it is to be run, once per wanted row:
#
#   /* run: SPIN FLAGS | COMPILER FLAGS | PAN FLAGS */
#
# Without such a line: -o1 -o2 -o3 | -DSAFETY -DNOREDUCE | (none). A row with a
# violation of a safety property gets the length of a breadth-first trail too:
# the same flags and -DBFS. Flags are recorded as written, so a row can be
# repeated from the table alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
pan=$here/../../benches/pan.sh
default="-o1 -o2 -o3 | -DSAFETY -DNOREDUCE | "

# One build, two runs: as the flags say, and on past every error (-c0), whose
# counts do not depend on the order of the search. Then breadth first, if asked.
row() {
    local file=$1 flags=$2 spin cc run line bfs="" key value at=first
    IFS='|' read -r spin cc run <<< "$flags"
    local -A got=()
    while IFS='=' read -r key value; do
        [ -n "$key" ] && got[$at.$key]=$value || at=all
    done < <("$pan" -t 60 -s "$spin" -c "-O0 $cc" \
        -r "-m10000 -w14 $run" -r "-m10000 -w14 $run -c0" "$file")
    if [ "${got[first.verdict]}" = violation ] && [[ $cc == *-DSAFETY* && $cc != *-DBFS* ]]; then
        bfs=$("$pan" -t 60 -s "$spin" -c "-O0 -DBFS $cc" -r "-m10000 -w14 $run -c1" "$file")
        value=$(sed -n 's/^kind=//p' <<< "$bfs")
        bfs=$(sed -n 's/^trail=//p' <<< "$bfs")
        # The trail of a deadlock ends with a step that cannot be taken.
        [ "$value" = end-state ] && [ "$bfs" -gt 0 ] && bfs=$((bfs - 1))
    fi
    line=$(basename "$file" .pml)
    line+=$'\t'$(tr -s ' ' <<< "$flags" | sed 's/^ //; s/ $//')
    for key in verdict kind errors stored visited matched transitions atomic depth trail; do
        value=${got[first.$key]-}
        line+=$'\t'${value:--}
    done
    for key in errors stored transitions; do
        value=${got[all.$key]-}
        line+=$'\t'${value:--}
    done
    printf '%s\t%s\n' "$line" "${bfs:--}"
}

rows() {
    local file flags any
    for file in "$@"; do
        any=""
        while IFS= read -r flags; do
            any=yes
            row "$file" "$flags"
        done < <(sed -n 's,^/\* run: \(.*\) \*/$,\1,p' "$file")
        [ -n "$any" ] || row "$file" "$default"
    done
}

header=$'name\tflags\tverdict\tkind\terrors\tstored\tvisited\tmatched\ttransitions\tatomic\tdepth\ttrail\tall_errors\tall_stored\tall_transitions\tbfs_trail'
table=$here/micro.tsv
new=$(mktemp)
trap 'rm -f "$new"' EXIT
if [ $# -eq 0 ]; then
    rows "$here"/micro/*.pml > "$new"
else
    files=()
    for name in "$@"; do files+=("$here/micro/${name%.pml}.pml"); done
    rows "${files[@]}" | tee "$new"
    # The old rows of the other models stay.
    [ -f "$table" ] && awk -F '\t' 'NR == FNR { seen[$1] = 1; next }
        FNR > 1 && !($1 in seen)' "$new" "$table" >> "$new.old"
    [ -f "$new.old" ] && cat "$new.old" >> "$new" && rm "$new.old"
fi
{ echo "$header"; LC_ALL=C sort -s -t $'\t' -k 1,1 "$new"; } > "$table"
