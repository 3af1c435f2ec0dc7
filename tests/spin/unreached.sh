#!/usr/bin/env bash
# Asks pan which statements it did not reach, and writes unreached.tsv: model,
# proctype, the lines it lists (those of the model's own file). Only runs in
# which pan saw every state and found no error count; a proctype without such
# lines has `-`.
#
#   tests/spin/unreached.sh        the micro models and SPIN's own examples
set -u
here=$(cd "$(dirname "$0")" && pwd)
examples=/usr/share/doc/spin/examples
table=$here/unreached.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The lists of one model, if the search was complete.
lists() {
    local name=$1 file=$2 base
    base=$(basename "$file")
    rm -rf "$work/run" && mkdir "$work/run" && cp "$(dirname "$file")"/* "$work/run" 2>/dev/null
    (
        cd "$work/run" || exit
        timeout 20 spin -o1 -o2 -o3 -a "$base" > spin.out 2>&1 || exit
        [ -f pan.c ] || exit
        gcc -O0 -w -DSAFETY -DNOREDUCE -DNOCLAIM -o pan pan.c 2> /dev/null || exit
        ulimit -v 4000000
        timeout 60 ./pan -m200000 > pan.out 2>&1 || exit
        grep -q "errors: 0" pan.out || exit
        grep -qiE "not completed|depth too small|aborting|out of memory" pan.out && exit
        awk -v name="$name" -v base="$base" '
            function flush() { if (process != "") print name "\t" process "\t" (lines == "" ? "-" : lines) }
            /^unreached in (claim|never)/ { flush(); process = ""; next }
            /^unreached in proctype / { flush(); process = $4; lines = ""; next }
            /^unreached in init/ { flush(); process = "init"; lines = ""; next }
            /^\t[^(].*, state [0-9]+, / {
                split($1, place, ":")
                if (place[1] == base) { sub(/,$/, "", place[2]); lines = lines (lines == "" ? "" : ",") place[2] }
            }
            END { flush() }
        ' pan.out
    )
}

{
    printf 'model\tproctype\tlines\n'
    for file in "$here"/micro/*.pml; do
        grep -q '^/\* run:' "$file" || lists "micro/$(basename "$file" .pml)" "$file"
    done
    while IFS= read -r file; do
        lists "${file#"$examples"/}" "$file"
    done < <(find "$examples" -name '*.pml' | sort)
} > "$work/table"
mv "$work/table" "$table"
