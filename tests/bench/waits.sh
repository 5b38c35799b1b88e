#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Does an unchanged program that waits ever seem to wait longer? Checks two equal commits CAMPAIGNS (20) times, 8 rounds
# each without confirmation, for each of three programs: one computes, one naps 40 times, one is 60 pairs of processes at
# a pipe; on the machine as it is, and beside a busy loop on each CPU. Prints a Markdown table: how the checks ended, how
# many findings `wait_changed` there were, and how far the medians of the two sides parted.
#
#     tests/bench/waits.sh [PROGRAM ...]      FIREBREAK in the environment; programs: computes naps pipes
#
# KEEP names a folder that gets the reports; where it has some, they count, and only those that lack are measured.
# About 10 s for each campaign, so 20 minutes for all.
set -euo pipefail

CAMPAIGNS=${CAMPAIGNS:-20}
WORK=$(mktemp -d)
KEEP=${KEEP:-$WORK/reports}
LOAD=()
no_load() {
	[ ${#LOAD[@]} = 0 ] || kill "${LOAD[@]}" 2>/dev/null || true
	LOAD=()
}
trap 'no_load; rm -rf "$WORK"' EXIT
say() { printf 'waits: %s\n' "$*" >&2; }

source_of() {
	cat <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long sum;
static void work(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++)
		sum += i;
}
static void pair(void)
{
	int fd[2];
	char byte;
	if (pipe(fd) != 0)
		return;
	if (fork() == 0) {
		work(1000000);
		_exit(write(fd[1], "x", 1) != 1);
	}
	if (fork() == 0) {
		if (read(fd[0], &byte, 1) == 1)
			work(1000000);
		_exit(0);
	}
	close(fd[0]), close(fd[1]);
	while (wait(NULL) > 0)
		;
}
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "computes";
	for (int i = 0; i < (strcmp(what, "pipes") == 0 ? 60 : 40); i++) {
		if (strcmp(what, "pipes") == 0) {
			pair();
			continue;
		}
		work(3000000);
		if (strcmp(what, "naps") == 0)
			usleep(5000);
	}
	return 0;
}
C
}

make_repository() { # make_repository PROGRAM
	git init -q -b main "$WORK/$1"
	source_of >"$WORK/$1/work.c"
	cat >"$WORK/$1/firebreak.yml" <<Y
version: 1
build: {command: "cc -O2 -o work work.c"}
benchmarks:
  - name: $1
    command: [./work, $1]
    gate: {task-clock: {margin: 10%, pass_margin: 20%}}
Y
	git -C "$WORK/$1" add -A
	for tag in base head; do
		git -C "$WORK/$1" -c user.name=waits -c user.email=waits@localhost commit -q --allow-empty -m $tag
		git -C "$WORK/$1" tag $tag
	done
}

load_every_cpu() {
	local cpu
	for ((cpu = 0; cpu < $(nproc); cpu++)); do
		taskset -c $cpu sh -c 'while :; do :; done' &
		LOAD+=($!)
	done
}

measure() { # measure PROGRAM LABEL
	local i out
	mkdir -p "$KEEP/$2"
	for ((i = 1; i <= CAMPAIGNS; i++)); do
		out=$KEEP/$2/$i
		[ ! -f "$out/report.json" ] || continue
		say "$2: campaign $i of $CAMPAIGNS"
		"$FIREBREAK" -C "$WORK/$1" check -q --base base --head head --rounds 8 --no-store --no-confirm --out "$out" \
			>"$out.log" 2>&1 || true
	done
}

row() { # row LABEL PROGRAM LOAD
	jq -rs --arg program "$2" --arg load "$3" '
		def ms: . / 1e5 | round / 10;
		def count(f): map(select(f)) | length;
		[.[].benchmarks[0].metrics[]? | select(.name == "wait" and .base != null and .head != null)] as $waits
		| [$program, $load, length, count(.exit_code == 0), count(.exit_code == 1), count(.exit_code == 3),
		   count(.exit_code > 3), count(.findings | any(.code == "wait_changed")),
		   count(.reasons | any(.code == "waits_more")),
		   "\($waits | map(.base) | add / length | ms) ms",
		   "\($waits | map(.head - .base | fabs) | max | ms) ms"]
		| "| \(map(tostring) | join(" | ")) |"' "$KEEP/$1"/*/report.json
}

[ $# -gt 0 ] || set -- computes naps pipes
echo "| program | beside it | checks | pass | regression | inconclusive | invalid | \`wait_changed\` | \`waits_more\` | wait of base | largest difference |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for program in "$@"; do
	make_repository "$program"
	measure "$program" "$program"
	row "$program" "$program" "nothing of ours"
	load_every_cpu
	measure "$program" "$program-loaded"
	no_load
	row "$program-loaded" "$program" "a busy loop on each CPU"
done
