#!/usr/bin/env bash
# Models that are hard for a model checker, by us and by SPIN's verifier: deep
# errors, values that grow, deep and narrow graphs, atomic sequences, wide states.
#
#   benches/hard-cases.sh [-o FILE] [-t SECONDS] [CASE ...]
#
#   -o FILE      for the table (default: standard output)
#   -t SECONDS   for each run (default: 60)
#   CASE         only cases whose names begin like this, such as `deep`
#
# TRAPLINE names the program (default: target/release/trapline). Each model is
# made here, so that its size can be changed. A row has the verdict, the length
# of the trail, CPU seconds in user mode, states, and bytes per state of each
# program, and two ratios: ours by pan's time and ours by pan's bytes. pan is
# built by benches/pan.sh and searches depth first; with `bfs`, breadth first.
set -eu

fail() { echo "hard-cases.sh: $*" >&2; exit 2; }

cd "$(dirname "$0")/.."
output=/dev/stdout
seconds=60
while getopts "o:t:" option; do
    case $option in
        o) output=$(realpath -m "$OPTARG") ;;
        t) seconds=$OPTARG ;;
        *) fail "see the head of this file" ;;
    esac
done
shift $((OPTIND - 1))
trapline=${TRAPLINE:-target/release/trapline}
[ -x "$trapline" ] || fail "$trapline is missing: build it with \`cargo build --release\`"
for tool in spin gcc jq /usr/bin/time; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Deep errors: no breadth-first search gets there.
cat > "$work/deep-counters.pml" << 'PML'
/* Six processes count to 40; when all are done, an assertion fails. */
#define N 6
byte x[N], done;
proctype P(byte i) { do :: x[i] < 40 -> x[i]++ :: x[i] == 40 -> done++; break od }
init { byte i; atomic { for (i : 0 .. N-1) { run P(i) } } done == N -> assert(false) }
PML
cat > "$work/deep-channels.pml" << 'PML'
/* Five full buffers, and an error after 200 receives. */
#define N 5
chan c[N] = [6] of { byte };
byte got;
active [N] proctype W() {
  byte v;
  do
  :: c[_pid]!1
  :: atomic { c[_pid]?v; got = (got < 200 -> got + 1 : got) }
  :: got == 200 -> assert(false)
  od
}
PML
cat > "$work/deep-pegs.pml" << 'PML'
/* Peg solitaire on 5 x 5 holes: an error when few pegs are left. */
bit b[25]; byte n = 24;
active proctype S() {
  byte i, r, c;
  d_step { i = 0; do :: i < 25 -> b[i] = 1; i++ :: i == 25 -> break od; b[12] = 0 }
  do
  :: n > 3 ->
     select (i : 0 .. 24);
     r = i / 5; c = i % 5;
     if
     :: atomic { c < 3 && b[i] && b[i+1] && !b[i+2] -> b[i] = 0; b[i+1] = 0; b[i+2] = 1; n-- }
     :: atomic { c > 1 && b[i] && b[i-1] && !b[i-2] -> b[i] = 0; b[i-1] = 0; b[i-2] = 1; n-- }
     :: atomic { r < 3 && b[i] && b[i+5] && !b[i+10] -> b[i] = 0; b[i+5] = 0; b[i+10] = 1; n-- }
     :: atomic { r > 1 && b[i] && b[i-5] && !b[i-10] -> b[i] = 0; b[i-5] = 0; b[i-10] = 1; n-- }
     :: else
     fi
  :: else -> assert(false)
  od
}
PML
cat > "$work/deep-shallow.pml" << 'PML'
/* The opposite: nine steps, but depth first goes astray. */
int x[8];
active [8] proctype P() { do :: x[_pid] = (x[_pid] + 1) % 1000 od }
active proctype M() { (x[0] == 2 && x[1] == 2 && x[2] == 2 && x[3] == 1) -> assert(false) }
PML

# Values that grow.
cat > "$work/grow-many.pml" << 'PML'
/* Forty integers that outgrow their first bits one after the other. */
int x[40]; byte at, turn;
active [3] proctype P() {
  do
  :: atomic { turn < 250 && at < 40 -> x[at] = x[at] + 7 * (turn + 1); turn++ }
  :: atomic { turn >= 250 && at < 40 -> at++; turn = 0 }
  :: at == 40 -> break
  od
}
PML
cat > "$work/grow-late.pml" << 'PML'
/* A counter that starts to grow when a million states have been seen. */
byte a, b; int late;
active proctype A() { do :: a < 250 -> a++ :: a == 250 -> break od }
active proctype B() { do :: b < 250 -> b++ :: b == 250 -> break od }
active proctype C() { (a == 250 && b == 250) -> do :: late < 100000 -> late = late + 3 :: else -> break od }
PML
cat > "$work/grow-started.pml" << 'PML'
/* A sieve: a process for each prime, channels with growing numbers. */
mtype = { number, eof };
chan root = [0] of { mtype, int };
proctype sieve(chan c; int prime) {
  chan child = [0] of { mtype, int };
  bool haschild; int i;
  do
  :: c?number(i) ->
     if
     :: (i % prime) == 0
     :: else ->
        if :: !haschild -> haschild = true; run sieve(child, i) :: haschild -> child!number(i) fi
     fi
  :: c?eof(0) -> break
  od;
  if :: haschild -> child!eof(0) :: else fi
}
init { int i = 2; run sieve(root, i); do :: i < 24 -> i++; root!number(i) :: i >= 24 -> root!eof(0); break od }
PML

# Deep and narrow graphs.
cat > "$work/narrow-line.pml" << 'PML'
/* Two processes in lockstep: a graph of a million layers of one state. */
int n; bit turn;
active proctype A() { do :: turn == 0 && n < 300000 -> n++; turn = 1 :: n >= 300000 -> break od }
active proctype B() { do :: turn == 1 -> turn = 0 :: n >= 300000 && turn == 0 -> break od }
PML

# Memory.
cat > "$work/memory-atomic.pml" << 'PML'
/* Steps that count as several: breadth first, their ends wait. */
#define N 4
byte x[N];
active [N] proctype P() {
  byte k;
  do
  :: atomic { x[_pid] < 12 -> k = 0; do :: k < 6 -> k++ :: else -> break od; x[_pid]++ }
  :: atomic { x[_pid] > 0 -> x[_pid]--; k = 0 }
  od
}
PML
cat > "$work/memory-rendezvous.pml" << 'PML'
#define N 3
chan c[N] = [0] of { byte };
byte x[N], y[N];
active [N] proctype S() { do :: c[_pid]!x[_pid] -> x[_pid] = (x[_pid] + 1) % 5 od }
active [N] proctype R() { byte v; do :: c[_pid - N]?v -> y[_pid - N] = (y[_pid - N] + v) % 5 od }
PML
cat > "$work/memory-wide.pml" << 'PML'
/* A hundred processes, one of which may move at a time: wide states, deep stacks. */
#define N 100
byte x[N]; byte turns;
active [N] proctype P() {
  do
  :: atomic { turns < 3 && x[_pid] < 2 -> x[_pid]++; turns++ }
  :: atomic { turns > 0 && x[_pid] > 0 -> x[_pid]--; turns-- }
  od
}
PML

# Name, search of ours, compiler flags of pan.
cases="deep-counters --strategy=auto -DSAFETY
deep-channels --strategy=auto -DSAFETY
deep-pegs --strategy=auto -DSAFETY
deep-shallow --strategy=auto -DSAFETY -DBFS
grow-many --strategy=bfs -DSAFETY -DBFS
grow-many --strategy=dfs -DSAFETY
grow-late --strategy=bfs -DSAFETY -DBFS
grow-started --strategy=bfs -DSAFETY -DBFS
narrow-line --strategy=bfs -DSAFETY -DBFS
narrow-line --strategy=bfs,--threads=2 -DSAFETY -DBFS
memory-atomic --strategy=bfs -DSAFETY -DBFS
memory-atomic --strategy=dfs -DSAFETY
memory-rendezvous --strategy=bfs -DSAFETY -DBFS
memory-rendezvous --strategy=dfs -DSAFETY
memory-wide --strategy=bfs -DSAFETY -DBFS
memory-wide --strategy=dfs -DSAFETY"
if [ $# -gt 0 ]; then
    cases=$(for name in "$@"; do grep "^$name" <<< "$cases" || fail "no case $name"; done)
fi

{
    echo "| case | search | verdict, steps | s | states | bytes/state | pan | s | states | bytes/state | time | bytes |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
} > "$work/table"
while read -r name flags pan_flags; do
    # shellcheck disable=SC2086
    /usr/bin/time -q -o "$work/usage" -f '%U' "$trapline" check "$work/$name.pml" ${flags//,/ } \
        --property safety --reduction none --timeout "${seconds}s" --max-memory 4G --format json > "$work/report" || true
    ours=$(jq -r '.results[0] | "\(.verdict)|\(.counterexample.length // 0)|\(.search.stored)|\(.search.bytes)"' "$work/report")
    benches/pan.sh -t "$seconds" -m 8000 -c "-O3 -DNOREDUCE $pan_flags" "$work/$name.pml" > "$work/pan"
    pan=$(awk -F= '{ value[$1] = $2 }
        END { print value["verdict"] "|" value["trail"] "|" value["stored"] "|" (value["states_mb"] + value["table_mb"]) * 1048576 "|" value["user_s"] }' "$work/pan")
    echo "$name|${flags//,/ }|$(tail -n 1 "$work/usage")|$ours|$pan" | awk -F'|' '
        function per(bytes, states) { return (states > 0 && bytes > 0) ? sprintf("%.0f", bytes / states) : "–" }
        function by(one, other) { return (one > 0 && other > 0) ? sprintf("%.2f", one / other) : "–" }
        { printf "| %s | `%s` | %s, %s | %.2f | %d | %s | %s, %s | %.2f | %d | %s | %s | %s |\n",
            $1, $2, $4, $5, $3, $6, per($7, $6), $8, $9, $12, $10, per($11, $10), by($3, $12),
            by($6 > 0 ? $7 / $6 : 0, $10 > 0 ? $11 / $10 : 0) }' | tee -a "$work/table" >&2
done <<< "$cases"
cat "$work/table" > "$output"
