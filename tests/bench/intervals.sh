#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Do the intervals of functions hold across campaigns? Checks the same two commits CAMPAIGNS (20) times, 8 rounds each
# without confirmation, and prints a Markdown table: how far the contribution of each function differs from campaign to
# campaign, how far its intervals say it does, and how many of them hold the mean of all campaigns.
#
#     tests/bench/intervals.sh [NAME=REPOSITORY:BASE:HEAD ...]      FIREBREAK and SOURCE_DIR in the environment
#
# Without arguments, two programs of its own: the sample project with its slower commit, and `beat`, two functions that
# take turns by CPU time, one pair in just the time between two samples. KEEP names a folder that gets the reports; where
# it has some, they count, and only those that lack are measured. About 10 s for each campaign on two idle CPUs.
set -euo pipefail

CAMPAIGNS=${CAMPAIGNS:-20}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
KEEP=${KEEP:-$WORK/reports}
say() { printf 'intervals: %s\n' "$*" >&2; }

commit() {
	git add -A
	git -c user.name=intervals -c user.email=intervals@localhost commit -qm "$1"
	git tag "$1"
}

# A turn is one period of the default sampling rate, of CPU time; head spends 50 of its 500 microseconds in the other
# function.
make_beat() {
	git init -q "$WORK/beat"
	cd "$WORK/beat"
	cat >beat.c <<'C'
#include <time.h>

enum { TURN_NS = 500250, TURNS = 500, PARSE_NS = 200000 };

static volatile unsigned long sum;

static long cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

__attribute__((noinline)) static void parse(void)
{
	for (unsigned long i = 0; i < 4000; i++)
		sum += i;
}

__attribute__((noinline)) static void render(void)
{
	for (unsigned long i = 0; i < 4000; i++)
		sum ^= i;
}

int main(void)
{
	for (long t = cpu_ns(); t < (long)TURNS * TURN_NS; t = cpu_ns())
		t % TURN_NS < PARSE_NS ? parse() : render();
	return 0;
}
C
	cat >firebreak.yml <<'Y'
version: 1
build: {command: "cc -O2 -o beat beat.c"}
benchmarks:
  - {name: beat, command: [./beat]}
Y
	commit base
	sed -i 's/PARSE_NS = 200000/PARSE_NS = 250000/' beat.c
	commit head
	cd - >/dev/null
}

own_programs() {
	make_beat
	"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/lexi" >/dev/null
	printf '%s\n' "beat=$WORK/beat:base:head" "lexi=$WORK/lexi:base:slow"
}

# measure NAME REPOSITORY BASE HEAD: the campaigns that lack. Verdicts are no matter here, failures to measure are.
measure() {
	local i out code
	mkdir -p "$KEEP/$1"
	for ((i = 1; i <= CAMPAIGNS; i++)); do
		out=$KEEP/$1/$i code=0
		[ ! -f "$out/report.json" ] || continue
		say "$1: campaign $i of $CAMPAIGNS"
		"$FIREBREAK" -C "$2" check -q --base "$3" --head "$4" --rounds 8 --no-store --no-confirm --out "$out" \
			>"$out.log" 2>&1 || code=$?
		case $code in 0 | 1 | 3) ;; *)
			tail -n 20 "$out.log" >&2
			say "the check ended with $code"
			exit "$code"
			;;
		esac
	done
}

[ $# -gt 0 ] || { mapfile -t own < <(own_programs); set -- "${own[@]}"; }
folders=()
for program in "$@"; do
	name=${program%%=*}
	IFS=: read -r repository base head <<<"${program#*=}"
	measure "$name" "$repository" "$base" "$head"
	folders+=("$name=$KEEP/$name")
done
python3 "$SOURCE_DIR/tests/bench/intervals.py" "${folders[@]}"
