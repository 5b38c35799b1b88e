#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From addresses to names with inlined functions, firebreak against llvm-symbolizer: 100,000 random code addresses of each
# program, once only names and once with source lines, which llvm-symbolizer always prints. Whole programs are timed,
# start and output included, in turn; the figure is the median of the ratios. Prints a Markdown table. Takes some minutes.
# The programs are those of addresses.bash.
# FIREBREAK names the program, SOURCE_DIR the repository; ADDRESSES (100000) and ROUNDS (7) can be lowered for a try.
set -euo pipefail

ADDRESSES=${ADDRESSES:-100000}
ROUNDS=${ROUNDS:-7}
# shellcheck source=tests/bench/addresses.bash
. "$SOURCE_DIR/tests/bench/addresses.bash"
need_programs llvm-symbolizer readelf g++
build_addresses

# seconds COMMAND...: wall time; addresses on standard input, output to a file.
seconds() {
	local from to
	from=$(date +%s%N)
	"$@" >"$WORK/out"
	to=$(date +%s%N)
	echo $(((to - from) / 1000))
}
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# compare NAME FILE: a row for names and one for lines.
compare() {
	local name=$1 file=$2 kind round ours theirs
	random_addresses "$file" >"$WORK/list"
	for kind in names lines; do
		: >"$WORK/ratios"
		: >"$WORK/ours"
		: >"$WORK/theirs"
		say "$name, $kind"
		for ((round = 0; round < ROUNDS; round++)); do
			ours=$(seconds "$WORK/addresses" "$BUILD/firebreak-symbols" "$file" $kind <"$WORK/list")
			theirs=$(seconds llvm-symbolizer --obj="$file" -f -i <"$WORK/list")
			echo "$ours" >>"$WORK/ours"
			echo "$theirs" >>"$WORK/theirs"
			awk -v a="$theirs" -v b="$ours" 'BEGIN { print a / b }' >>"$WORK/ratios"
		done
		awk -v name="$name" -v kind=$kind -v n="$ADDRESSES" -v ours="$(median <"$WORK/ours")" \
			-v theirs="$(median <"$WORK/theirs")" -v ratio="$(median <"$WORK/ratios")" 'BEGIN {
			printf "| %s, %s | %.2f s | %.2f s | %.0fk | %.0fk | %.2f |\n", name, kind, ours / 1e6, theirs / 1e6,
				n / ours * 1000, n / theirs * 1000, ratio }'
	done
}

echo "| $ADDRESSES addresses | firebreak | llvm-symbolizer | addresses/s | of llvm-symbolizer | times as fast |"
echo "|---|---|---|---|---|---|"
each_program compare
