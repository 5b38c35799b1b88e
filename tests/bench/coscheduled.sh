#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures how much noise co-scheduled rounds take away: the spread of ln(head/base) of task-clock over 16 rounds of the same
# program on both sides, co-scheduled against back to back. Prints a Markdown table. Takes some minutes.
# FIREBREAK names the program, SOURCE_DIR the repository; ROUNDS (16) can be lowered for a try.
set -euo pipefail

ROUNDS=${ROUNDS:-16}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf '%s\n' "$*" >&2; }
for program in xz python3 gcc jq; do
	command -v $program >/dev/null || { say "coscheduled: $program is missing"; exit 2; }
done

# Text that compresses a little, from a fixed seed.
write_text() { awk 'BEGIN { srand(7); for (i = 0; i < 420000; i++) printf "%s ", sprintf("%x", int(rand() * 60000)); }'; }
# A C file with enough to optimise for about a second.
write_c() {
	awk 'BEGIN { for (i = 0; i < 400; i++) printf "unsigned f%d(unsigned *p, unsigned n) { unsigned s = %d; for (unsigned i = 0; i < n; i++) { if (p[i] %% %d == 0) s += p[i] * %d; else s ^= p[i] >> (i & 7); } return s; }\n", i, i, i + 2, i + 3 }'
}

"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/repo"
cd "$WORK/repo"
write_text >text
write_c >generated.c
printf 'total = 0\nfor i in range(6_000_000):\n    total += i * i %% 7\nprint(total)\n' >loop.py
cat >firebreak.yml <<'Y'
version: 1
build:
  command: make -j2
defaults: {timeout: 2m}
benchmarks:
  - name: lexi
    command: [./lexi, "130"]
  - name: xz
    command: xz -6 -c text >/dev/null
  - name: python3
    command: [env, PYTHONHASHSEED=0, python3, loop.py]
  - name: python3-random-hash
    command: [python3, loop.py]
  - name: gcc
    command: [gcc, -O2, -c, generated.c, -o, generated.o]
Y
git add -A
git commit -q -m 'programs'

# measure SCHEDULE: one check of the commit against itself. Its verdict does not matter here, its rounds do.
measure() {
	local code=0
	say "coscheduled: $ROUNDS rounds $1"
	"$FIREBREAK" check --base HEAD --head HEAD --schedule "$1" --rounds "$ROUNDS" --out "$WORK/$1" >"$WORK/$1.log" 2>&1 || code=$?
	case $code in 0 | 1 | 3) ;; *)
		tail -n 20 "$WORK/$1.log" >&2
		say "coscheduled: the check ended with $code"
		exit "$code"
		;;
	esac
}
measure sequential
measure coscheduled

jq -rn --slurpfile back "$WORK/sequential/report.json" --slurpfile beside "$WORK/coscheduled/report.json" '
	def clock($report; $name): $report[0].benchmarks[] | select(.name == $name).metrics[] | select(.name == "task-clock");
	def spread: [.base_values, .head_values] | transpose | map((.[1] / .[0]) | log)
		| (add / length) as $mean | (map((. - $mean) * (. - $mean)) | add) / (length - 1) | sqrt;
	def round_to($digits): pow(10; $digits) as $p | . * $p | round / $p;
	"| program | CPU s | sd, back to back | sd, co-scheduled | gain | rounds |",
	"|---|---|---|---|---|---|",
	($beside[0].benchmarks[].name as $name
	 | clock($back; $name) as $b | clock($beside; $name) as $c
	 | "| \($name) | \($c.base / 1e9 | round_to(2)) | \($b | spread * 100 | round_to(2)) % | \($c | spread * 100 | round_to(2)) % | \(($b | spread) / ($c | spread) | round_to(1)) | \($c.base_values | length) |")'
