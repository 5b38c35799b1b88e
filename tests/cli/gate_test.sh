#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A check says more than its verdict: what is missing, what cannot be shown, own metrics and extra profiles.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
mkdir "$WORK/tmp" "$WORK/cache"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
fails() { ! "$@"; }
run() { # run PROGRAM ARG...
	"$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}

# Two benchmarks: a program without names that reports a figure of its own, started by a shell.
REPO=$WORK/repo
git init -q -b main "$REPO" && cd "$REPO" || exit 1
git config user.name dev && git config user.email dev@example.org
cat >bench.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < 60000000; i++)
		sum += i;
	usleep(1000);
	FILE *file = fopen(getenv("FIREBREAK_METRICS"), "a");
	fprintf(file, "latency-p99 %lu us lower\n", 800 + (unsigned long)getpid() % 7);
	return fclose(file);
}
C
cat >firebreak.yml <<'YML'
version: 1
# by its path, past the wrapped compilers, so that it lacks what they add
build: {command: "/usr/bin/cc -O1 bench.c -o bench"}
defaults: {profiles: [off-cpu]}
benchmarks:
  - name: one
    command: ./bench 2>/dev/null
    metrics: [latency-p99]
  - name: two
    command: [./bench]
YML
git add . && git commit -q -m one

# --- parts of the package
mkdir "$WORK/bin"
cp "$FIREBREAK" "$(dirname "$FIREBREAK")/firebreak-spawn" "$WORK/bin/"
run "$WORK/bin/firebreak" check --base HEAD --out "$WORK/out"
check "without firebreak-symbols a check ends with 8" ends_with 8
check "and says what to do" says 'firebreak-symbols not found .*install the whole package'
check "nothing was built" fails says building
check "the error is said once" is "$(grep -c 'install the whole package' "$WORK/stderr")" 1
check "and once more with the verdict" prints '^✗ Error: .*install the whole package.* \(environment_unsupported\)$'
check "and last the exit code with its meaning" is "$(tail -n 1 "$WORK/stderr")" 'exit code 8: environment unsupported'
run "$WORK/bin/firebreak" check --base HEAD --out "$WORK/out" --quiet
check "with --quiet, too, it is said once" is "$(cat "$WORK/stdout" "$WORK/stderr" | grep -c 'install the whole package')" 1
run "$FIREBREAK" report "$WORK/out"
check "and \`report\` says it in full" prints 'install the whole package'

# --- too few rounds, own metrics, extra profiles, what the program lacks
run "$FIREBREAK" check -v --base HEAD --rounds 3 --no-store --out "$WORK/out"
check "three rounds are too few" ends_with 3
check "which is said before the build" is "$(grep -nE '3 rounds cannot decide|: building' "$WORK/stderr" | head -n 1 | grep -c 'takes at least 10;')" 1
check "and in the report, once for all benchmarks" json "$WORK/out/report.json" '[.findings[] | select(.code == "too_few_rounds")] | length == 1'
check "no end of an interval is infinite" fails grep -E '[+-]inf\b' "$WORK/stdout" "$WORK/out/summary.md"
check "too few rounds detect nothing" prints 'task-clock .* 3 rounds: too few'
check "a metric of the benchmark's own is shown" prints 'latency-p99 .* does not gate'
# shellcheck disable=SC2016 # backquotes in single quotes are Markdown
check "in the summary, too" grep -F '| `one` | `latency-p99` |' "$WORK/out/summary.md"
check "the files of extra profiles are named" prints 'extra profiles: one\.off-cpu\.diff\.svg$'
check "in the summary, too" grep -F 'one.off-cpu.diff.svg' "$WORK/out/summary.md"
check "a program that a shell starts is looked at" json "$WORK/out/report.json" '[.findings[] | select(.code == "no_debug_info" and .benchmark == "one" and (.text | startswith("./bench of ")))] | length >= 1'
check "a busy machine is said once at most" json "$WORK/out/report.json" '[.findings[] | select(.code == "busy_machine")] | length <= 1'

# --- a benchmark for which no time is left: a run takes a second, and two to warm up are all there is time for
cp firebreak.yml "$WORK/whole.yml"
cat >firebreak.yml <<'YML'
version: 1
build: {command: "true"}
defaults: {profiles: [off-cpu]}
benchmarks: [{name: slow, command: [sleep, "1"], gate: {task-clock: {margin: 9%}, page-faults: {margin: 9%}}}]
YML
git add . && git commit -q -m slow
run "$FIREBREAK" check --base HEAD --max-time 3s --no-store --out "$WORK/none"
check "what has no time for a round is inconclusive" ends_with 3
check "which is said of the benchmark, without a row for what was not measured" json "$WORK/none/report.json" \
	'.benchmarks[0] | .verdict == "inconclusive" and .reason_code == "not_measured" and (.reason | startswith("not measured: ")) and .metrics == []'
check "and not all was measured" json "$WORK/none/report.json" '.measured == false'
check "and no error" fails grep -E 'chip error|neither side|not compared' "$WORK/none/report.html" "$WORK/none/summary.md" "$WORK/stdout"
check "no pictures are made of nothing" fails ls "$WORK"/none/slow.*
run "$FIREBREAK" report "$WORK/none"
check "\`report\` says the same" prints 'Inconclusive: slow: not measured: '
sed -i 's/command: .sleep, "1".,/command: "echo started >\&2; exec sleep 30",/' firebreak.yml && git commit -qam 'slower than the limit'
run "$FIREBREAK" check --base HEAD --max-time 3s --no-store --out "$WORK/none"
check "a run that the limit cuts short is told in one line, with what to do" json "$WORK/none/report.json" \
	'.benchmarks[0].reason | test("timed out after [0-9.]+ s\\); give --max-time more, or let a run do less")'
mv "$WORK/whole.yml" firebreak.yml && git commit -qam whole

# --- what a program lacks is said for each event
sed -i 's/-o bench/-s -o bench/' firebreak.yml && git commit -qam stripped
run "$FIREBREAK" check --base HEAD --rounds 3 --no-store --out "$WORK/out" -b one
check "with one benchmark fewer rounds are needed" says 'with [3-5] gating metrics in this check that takes at least 9;'
share=$(awk '/\[unknown\] [0-9]+$/ { u += $NF } { t += $NF } END { printf "%.0f", 100 * u / t }' "$WORK"/out/one.{base,head}.folded)
check "the share of unknown functions is that of the profile that decides" json "$WORK/out/report.json" \
	"[.findings[] | select(.code == \"unknown_functions\" and (.text | test(\"^$share % of the samples of c\")))] | length == 1"
finish
