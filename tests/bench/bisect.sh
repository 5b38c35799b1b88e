#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bisections of generated histories (tests/bench/bisect.py): how many find the planted commit, with how many
# measurements. SEEDS, COMMITS, BROKEN (share of commits that do not build) and SLOWER (percent more passes in one of two
# loops) can be set for a try; REQUIRED of the seeds must be found. Where commits right before the planted one do not
# build, a range is found whose last commit is the planted one, and nothing else in it builds. FIREBREAK names the program, SOURCE_DIR the
# repository.
set -euo pipefail
SEEDS=${SEEDS:-20} COMMITS=${COMMITS:-200} BROKEN=${BROKEN:-.05} SLOWER=${SLOWER:-5} REQUIRED=${REQUIRED:-$((SEEDS - 1))}
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$work/cache
found=0 ranges=0 all=0
echo "$COMMITS commits, $BROKEN of them do not build, one loop of two has $SLOWER % more passes from the planted one on"
printf '%5s  %8s  %-8s  %9s  %7s  %10s  %8s\n' seed planted result measured skipped seconds confirmed
for ((seed = 1; seed <= SEEDS; seed++)); do
	repo=$work/repo-$seed
	git init -q -b main "$repo"
	python3 "$SOURCE_DIR/tests/bench/bisect.py" "$seed" "$COMMITS" "$BROKEN" "$SLOWER" --answer "$work/answer" |
		git -C "$repo" fast-import --quiet
	planted=$(cat "$work/answer")
	wanted=$(git -C "$repo" rev-parse "main~$((COMMITS - planted))")
	code=0
	"$FIREBREAK" -C "$repo" bisect -q --json --out "$work/out" --good "main~$((COMMITS - 1))" --bad main \
		--benchmark words >"$work/json" 2>"$work/err" || code=$?
	[ "$code" = 0 ] || [ "$code" = 3 ] || { cat "$work/err" >&2; exit 1; }
	result=wrong
	if [ "$code" = 0 ] && [ "$(jq -r '.suspects[-1]' "$work/json")" = "$wanted" ]; then
		result=found
		found=$((found + 1))
	elif jq -e --arg wanted "$wanted" '(.tests | map(select(.verdict == "untestable") | .sha)) as $broken
		| .suspects[-1] == $wanted and (.suspects[:-1] | length > 0 and all(IN($broken[]))) and .step.verdict == "bad"' "$work/json" >/dev/null; then
		result=range
		ranges=$((ranges + 1))
	fi
	measured=$(jq .measured "$work/json")
	all=$((all + measured))
	printf '%5d  %8d  %-8s  %9d  %7d  %10.1f  %8s\n' "$seed" "$planted" "$result" "$measured" \
		"$(jq '[.tests[] | select(.verdict == "untestable")] | length' "$work/json")" \
		"$(jq .elapsed_s "$work/json")" "$(jq .confirmed "$work/json")"
	rm -rf "$repo"
done
echo "$found of $SEEDS found alone, $ranges in a range with commits that do not build, $(awk "BEGIN { printf \"%.1f\", $all / $SEEDS }") measurements each on average"
[ "$((found + ranges))" -ge "$REQUIRED" ]
