#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The fixed cost of a recording: wall time of `firebreak record -- true` beside `perf record -- true` and `true` alone,
# in turns. Prints a Markdown table with medians. FIREBREAK names the program; ROUNDS (25) can be lowered for a try.
set -euo pipefail

ROUNDS=${ROUNDS:-25}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"

# took FILE COMMAND...: appends the milliseconds that the command took.
took() {
	local file=$1 before after
	shift
	before=$EPOCHREALTIME
	"$@" >/dev/null 2>&1
	after=$EPOCHREALTIME
	awk -v a="$before" -v b="$after" 'BEGIN { printf "%.3f\n", (b - a) * 1000 }' >>"$file"
}
# row NAME FILE: median and quartiles
row() {
	sort -n "$2" | awk -v name="$1" '{ v[NR] = $1 } END {
		printf "| `%s` | %.1f ms | %.1f to %.1f ms | %d |\n", name, v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 1) / 4)], NR }'
}

for ((i = 0; i < ROUNDS; i++)); do
	took plain /bin/true
	took leaf "$FIREBREAK" record -q -o leaf.data -- true
	took fp "$FIREBREAK" record -q --call-graph fp -o fp.data -- true
	took dwarf "$FIREBREAK" record -q --call-graph dwarf -o dwarf.data -- true
	if command -v perf >/dev/null; then took perf perf record -q -g -o perf.data -- true; fi
done

echo "| command | median | quartiles | runs |"
echo "|---|---|---|---|"
row '/bin/true' plain
row 'firebreak record -- true' leaf
row 'firebreak record --call-graph fp -- true' fp
row 'firebreak record --call-graph dwarf -- true' dwarf
if [ -f perf ]; then row 'perf record -g -- true' perf; fi
