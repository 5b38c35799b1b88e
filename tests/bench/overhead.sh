#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures what recording costs the recorded program: CPU time of a recorded run against that of a plain run of the same program
# that shares its CPU at the same time, by `firebreak record` and `perf record` at several rates. Prints a Markdown table
# with the median of the ratios and an interval of at least 95 % for it. Takes some ten minutes.
#
# Of each pair both runs start together on one CPU, the recorder works on another, and who is released first takes turns.
# CPU time is user and system time of the program alone, as the kernel tells its parent.
# FIREBREAK names the program; PAIRS (20), RATES ("99 999 4999") and UNITS of work (40) can be lowered for a try.
set -euo pipefail

PAIRS=${PAIRS:-20}
RATES=${RATES:-99 999 4999}
UNITS=${UNITS:-40}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf '%s\n' "$*" >&2; }
for program in gcc python3 taskset; do
	command -v $program >/dev/null || { say "overhead: $program is missing"; exit 2; }
done
mapfile -t CPUS < <(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)), sep="\n")')
[ ${#CPUS[@]} -ge 2 ] || { say "overhead: needs two CPUs"; exit 2; }
MEASURED=${CPUS[-1]} OTHER=${CPUS[0]}
cd "$WORK"

# A program of the usual kind: calls a dozen levels deep, leaves, and libc's sorting and copying with callbacks.
cat >workload.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 20000
static uint32_t words[WORDS], sorted[WORDS];

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

__attribute__((noinline)) uint32_t mix(uint32_t x)
{
	return (x ^ x >> 15) * 0x2c1b3c6du;
}

__attribute__((noinline)) uint32_t descend(unsigned level, uint32_t x)
{
	return level == 0 ? mix(x) : descend(level - 1, mix(x)) + level;
}

int main(int argc, char **argv)
{
	uint32_t sum = 0;
	for (long unit = argc > 1 ? atol(argv[1]) : 1; unit > 0; unit--) {
		for (uint32_t i = 0; i < WORDS; i++)
			words[i] = descend(12, i + sum);
		for (int copy = 0; copy < 40; copy++)
			memcpy(sorted, words, sizeof words);
		qsort(sorted, WORDS, sizeof *sorted, by_value);
		sum += sorted[WORDS / 2];
	}
	printf("%u\n", sum);
	return 0;
}
C
gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o workload workload.c

# Starts a command on a CPU when its partner is there, too, and writes down the CPU time that it took.
cat >run.py <<'PY'
import os, resource, sys, time
own, partner, cpu, out, command = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:]
os.sched_setaffinity(0, {cpu})
open(own, "w").close()
deadline = time.monotonic() + 60
while not os.path.exists(partner):
    if time.monotonic() > deadline:
        sys.exit("the partner did not come")
    time.sleep(0.0005)
pid = os.fork()
if pid == 0:
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
    os.execvp(command[0], command)
_, status, usage = os.wait4(pid, 0)
with open(out, "a") as f:
    print(usage.ru_utime + usage.ru_stime, file=f)
sys.exit(status != 0)
PY

# pair NAME RECORDER...: one plain and one recorded run together; their times go to NAME.plain and NAME.recorded.
pair() {
	local name=$1 turn=$2
	shift 2
	rm -f here.plain here.recorded
	local plain=(python3 run.py here.plain here.recorded "$MEASURED" "$name.plain" ./workload "$UNITS")
	local recorded=(taskset -c "$OTHER" "$@" python3 run.py here.recorded here.plain "$MEASURED" "$name.recorded" ./workload "$UNITS")
	if [ $((turn % 2)) = 0 ]; then
		"${plain[@]}" & "${recorded[@]}" >"$name.log" 2>&1
	else
		"${recorded[@]}" >"$name.log" 2>&1 & "${plain[@]}"
	fi
	wait %% || { cat "$name.log" >&2; exit 2; }
}

# measure TITLE RATE RECORDER...
measure() {
	local title=$1 rate=$2 name=$1-$2 i
	shift 2
	say "overhead: $title at $rate Hz"
	for ((i = 0; i < PAIRS; i++)); do pair "$name" $i "$@"; done
	printf '%s\t%s\t%s\n' "$title" "$rate" "$name" >>list
}

measure "not recorded" 0 env
for rate in $RATES; do
	for how in fp leaf dwarf; do
		measure "firebreak $how" "$rate" "$FIREBREAK" record -q -e cpu-clock:u -F "$rate" --call-graph $how -o out.data --
	done
	command -v perf >/dev/null || continue
	for how in fp dwarf; do
		measure "perf $how" "$rate" perf record -q -e cpu-clock:u -F "$rate" --call-graph $how -o out.data --
	done
done

python3 - <<'PY'
import math
def interval(values):
    # order statistics around the median: the sign test turned round
    n, k, tail = len(values), 0, 0.0
    while k < n // 2:
        tail += math.comb(n, k) / 2 ** n
        if tail > 0.025:
            break
        k += 1
    return values[max(k - 1, 0)], values[n - max(k, 1)]
print("| recorder | rate | CPU time, median | interval | pairs |")
print("|---|---|---|---|---|")
for line in open("list"):
    title, rate, name = line.rstrip("\n").split("\t")
    plain, recorded = ([float(x) for x in open(name + kind)] for kind in (".plain", ".recorded"))
    ratios = sorted(r / p for p, r in zip(plain, recorded))
    n = len(ratios)
    median = (ratios[(n - 1) // 2] + ratios[n // 2]) / 2
    low, high = interval(ratios)
    rate = rate + " Hz" if rate != "0" else "-"
    print(f"| {title} | {rate} | {100 * (median - 1):+.1f} % | {100 * (low - 1):+.1f} to {100 * (high - 1):+.1f} % | {n} |")
PY
