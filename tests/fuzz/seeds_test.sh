#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every fuzz target begins with files of the kind that it reads: tests/fuzz/seeds.sh makes some for each, and firebreak
# reads those that are files of users.
set -uo pipefail
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT
failures=0 made=0
fail() { echo "failed: $*"; failures=$((failures + 1)); }

for source in "$SOURCE_DIR"/tests/fuzz/*.c; do
	target=$(basename "$source" .c)
	mkdir "$WORK/$target"
	bash "$SOURCE_DIR/tests/fuzz/seeds.sh" "$target" "$WORK/$target" "$FIREBREAK" 2>"$WORK/said" || fail "$target: no seeds are known"
	cat "$WORK/said"
	grep -q LLVMFuzzerInitialize "$source" && continue # makes its own, too
	# what a tool is missing for is said
	[ -n "$(ls "$WORK/$target")" ] || [ -s "$WORK/said" ] || fail "$target: neither a seed nor a word"
done
for seed in "$WORK"/{callgrind,folded,perfdata,pprof}/seed-* "$WORK/dhat/seed-heap"; do
	[ -e "$seed" ] || continue
	made=$((made + 1))
	options=()
	case $seed in *two-events) options=(--event cpu-clock) ;; esac
	if ! "$FIREBREAK" fold "${options[@]}" "$seed" >"$WORK/out" 2>"$WORK/said" || [ ! -s "$WORK/out" ]; then
		fail "${seed#"$WORK"/} is not read: $(tail -n 1 "$WORK/said")"
	fi
done
echo "$made seeds folded"
[ "$failures" = 0 ]
