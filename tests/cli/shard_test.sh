#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A check that is split over several machines and joined again. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
unset CI_NODE_INDEX CI_NODE_TOTAL BUILDKITE_PARALLEL_JOB BUILDKITE_PARALLEL_JOB_COUNT CIRCLE_NODE_INDEX CIRCLE_NODE_TOTAL \
	SYSTEM_JOBPOSITIONINPHASE SYSTEM_TOTALJOBSINPHASE SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT JOB_COMPLETION_INDEX
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr" "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
shard() { # shard I/N FOLDER ARG...
	local part=$1 out=$2
	shift 2
	firebreak check --base base --head head --shard "$part" --out "$out" --seed 7 "$@"
}
merge() { # merge FOLDER...: into $WORK/joined
	rm -rf "$WORK/joined"
	firebreak merge -o "$WORK/joined" "$@"
}
JOINED=$WORK/joined/report.json
reports() { json "$JOINED" "$1" || { jq -c '.reasons[], .findings[]' "$JOINED"; return 1; }; }
names() { jq -r '[.benchmarks[].name] | join(" ")' "$1/report.json"; }
changed() { # changed FOLDER COPY EXPRESSION: a copy whose report was edited
	rm -rf "$2" && cp -r "$1" "$2" && jq "$3" "$1/report.json" >"$2/report.json"
}

# --- four benchmarks, of which one becomes slower
git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
program() { # program TURNS: of the function that the change is about
	cat >bench.c <<C
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned sum;
static __attribute__((noinline)) void hash_word(void)
{
	for (unsigned i = 0; i < $1; i++)
		sum = sum * 33 + i;
}
static __attribute__((noinline)) void spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum += i;
}
int main(int argc, char **argv)
{
	if (argc > 2 && argv[2][0] == 'h')
		hash_word();
	if (argc > 2 && argv[2][0] == 's')
		sleep(5);
	spin((unsigned)atoi(argv[1]) * 1000u);
	return 0;
}
C
}
cat >firebreak.yml <<'Y'
version: 1
build:
  command: cc -O1 -g -fno-omit-frame-pointer -o bench bench.c
benchmarks:
  - {name: long, engines: [callgrind], command: [./bench, "50", sleep]}
  - {name: hash, engines: [callgrind], command: [./bench, "50", hash]}
  - {name: tiny, engines: [callgrind], command: [./bench, "60"]}
  - {name: more, engines: [callgrind], command: [./bench, "70"]}
Y
program 10000 && git add -A && git commit -q -m base && git tag base
program 12000 && git commit -qam head && git tag head

# --- without stored times
shard 1/2 "$WORK/even-1"
check "a shard without the regression passes" ends_with 0
check "it measures every second benchmark where no times are stored" is "$(names "$WORK/even-1")" 'long tiny'
check "and says which shard it is" json "$WORK/even-1/report.json" '.reason | startswith("shard 1 of 2: 2 benchmarks passed")'
shard 2/2 "$WORK/even-2"
check "the shard with the regression ends with 1" ends_with 1
check "it measures the others, although the first has stored something by now" is "$(names "$WORK/even-2")" 'hash more'
merge "$WORK/even-1" "$WORK/even-2"
check "joined they end with 1" ends_with 1
check "with all benchmarks in the order of the configuration" is "$(names "$WORK/joined")" 'long hash tiny more'
check "and one reason" reports '.reasons | length == 1 and .[0].benchmark == "hash"'
check "the report names the shards" reports '.shards.total == 2 and [.shards.parts[].index] == [1, 2] and [.shards.parts[].exit_code] == [0, 1]'
check "and is valid for its own reader" "$FIREBREAK" report "$WORK/joined"
cp -r "$WORK/joined" "$WORK/first"
merge "$WORK/even-2" "$WORK/even-1"
check "in another order they give the same folder" diff -r "$WORK/first" "$WORK/joined"
check "flame graphs are those of the shards" cmp "$WORK/joined/hash.diff.svg" "$WORK/even-2/hash.diff.svg"
check "and all are there" test -s "$WORK/joined/long.diff.svg" -a -s "$WORK/joined/tiny.diff.svg" -a -s "$WORK/joined/more.diff.svg"
check "the page shows them" grep -q 'hash.diff.svg' "$WORK/joined/report.html"
firebreak check --base base --head head --out "$WORK/whole" --seed 7 --no-store
same='del(.shards, .environment.load_average, .elapsed_s, .seed, .findings) | .benchmarks |= map(del(.campaign.elapsed_s, .campaign.estimate_s, .runs, .base_source))'
check "a machine alone gives the same result" diff <(jq -S "$same" "$JOINED") <(jq -S "$same" "$WORK/whole/report.json")

# --- with stored times: `long` takes longer than two others together, however busy the machine is
firebreak run base --quiet
shard 1/2 "$WORK/timed-1"
check "stored times decide" is "$(names "$WORK/timed-1")" 'long'
shard 2/2 "$WORK/timed-2"
check "and the rest goes to the other shard" is "$(names "$WORK/timed-2")" 'hash tiny more'
git clone -q . "$WORK/clone"
(cd "$WORK/clone" && shard 1/2 "$WORK/clone-1")
mkdir "$WORK/artifacts" && cp -r "$WORK/timed-1" "$WORK/artifacts/firebreak-1" && cp -r "$WORK/timed-2" "$WORK/artifacts/firebreak-2"
merge "$WORK/artifacts"
check "a folder of artifacts is searched" ends_with 1
check "and gives the same as its folders" reports '[.benchmarks[].verdict] == ["pass", "regression", "pass", "pass"]'
firebreak merge -o "$WORK/artifacts/firebreak-1" "$WORK/artifacts"
check "a source is never replaced" ends_with 2
JOB_COMPLETION_INDEX=0 FIREBREAK_SHARD_TOTAL=1 shard auto "$WORK/only"
check "a job's own variables say which shard it is" json "$WORK/only/report.json" '.shards | .total == 1 and .parts[0].index == 1'
check "one shard of one measures everything" is "$(names "$WORK/only")" 'long hash tiny more'
merge "$WORK/only"
check "and can be joined alone" ends_with 1

# --- variables that say nothing of use
shard auto "$WORK/unsplit"
check "outside of a split job auto ends with 2" ends_with 2
check "and says what to set" says 'shard: auto: this job is not split: .* set FIREBREAK_SHARD_INDEX'
CI_NODE_INDEX=5 CI_NODE_TOTAL=4 shard auto "$WORK/unsplit"
check "impossible numbers end with 2" ends_with 2
check "and are named" says 'shard: auto: CI_NODE_INDEX is 5 with CI_NODE_TOTAL 4: GitLab counts from 1 to 4'

# --- what is missing never passes
merge "$WORK/timed-1"
check "a missing shard ends with 4" ends_with 4
check "and is named with its benchmarks" reports '.verdict == "error" and any(.reasons[]; .code == "shard_missing" and (.text | test("shard 2 of 2 .*hash, tiny, more")))'
mkdir -p "$WORK/dead"
merge "$WORK/timed-1" "$WORK/dead"
check "so does one that left nothing but a folder" ends_with 4
merge "$WORK/dead"
check "nothing at all ends with 2" ends_with 2
merge "$WORK/clone-1" "$WORK/timed-2"
check "shards that found other stored times end with 2 where a benchmark is there twice" ends_with 2
merge "$WORK/even-1" "$WORK/timed-2"
check "one that is there twice ends with 2" ends_with 2
check "and is named" says 'both measured tiny'
check "and nothing is written" test ! -e "$WORK/joined"
merge "$WORK/timed-1" "$WORK/even-2"
check "one that no shard measured ends with 4" ends_with 4
check "and is named" reports 'any(.reasons[]; .code == "benchmark_missing" and (.text | test("no shard measured tiny")))'
changed "$WORK/timed-2" "$WORK/edited" '.benchmarks |= map(select(.name != "more"))'
merge "$WORK/timed-1" "$WORK/edited"
check "a shard that lost a result of its own ends with 4" ends_with 4
check "with a reason of its own" reports 'any(.reasons[]; .benchmark == "more" and .exit_code == 4)'

# --- what is not one check is refused
merge "$WORK/timed-2" "$WORK/timed-2"
check "a shard that is there twice ends with 2" ends_with 2
check "and is named" says 'both shard 2 of 2'
merge "$WORK/timed-1" "$WORK/whole"
check "a check that was not split ends with 2" ends_with 2
changed "$WORK/timed-2" "$WORK/edited" '.shards.parts[0].machine.cpu_model = "another"'
merge "$WORK/timed-1" "$WORK/edited"
check "another kind of machine ends with 6" ends_with 6
check "and what differs is named" says 'cpu_model is .* and another'
merge --mixed-machines "$WORK/timed-1" "$WORK/edited"
check "unless that is meant" ends_with 1
check "then it is a finding" reports 'any(.findings[]; .code == "mixed_machines")'
changed "$WORK/timed-2" "$WORK/edited" '.shards.parts[0].toolchain.compiler = "another"'
merge --mixed-machines "$WORK/timed-1" "$WORK/edited"
check "another compiler ends with 6 all the same" ends_with 6
changed "$WORK/timed-2" "$WORK/edited" '.shards.parts[0].toolchain.firebreak_version = "9"'
merge --mixed-machines "$WORK/timed-1" "$WORK/edited"
check "and so does another firebreak" ends_with 6

for unknown in toolchain machine; do
	for i in 1 2; do changed "$WORK/timed-$i" "$WORK/edited-$i" ".shards.parts[0].$unknown = null"; done
	merge "$WORK/edited-1" "$WORK/edited-2"
	check "shards of which no $unknown is known end with 2" ends_with 2
done

# --- what comes from elsewhere is not believed
changed "$WORK/timed-2" "$WORK/edited" '.benchmarks[0].name = "long"'
merge "$WORK/timed-1" "$WORK/edited"
check "a result that is none of the shard's ends with 2" ends_with 2
changed "$WORK/timed-2" "$WORK/edited" '.benchmarks[0].artifacts.diff_svg = "../secret"'
merge "$WORK/timed-1" "$WORK/edited"
check "a file outside of the folder ends with 7" ends_with 7
changed "$WORK/timed-2" "$WORK/edited" '.benchmarks[0].artifacts.diff_svg = "long.diff.svg"'
merge "$WORK/timed-1" "$WORK/edited"
check "a file of another benchmark, too" ends_with 7
changed "$WORK/timed-2" "$WORK/edited" . && ln -sf /etc/passwd "$WORK/edited/hash.diff.svg"
merge "$WORK/timed-1" "$WORK/edited"
check "and a link" ends_with 7
check "nothing is written then" test ! -e "$WORK/joined"
changed "$WORK/timed-2" "$WORK/edited" . && truncate -s 1000 "$WORK/edited/report.json"
merge "$WORK/timed-1" "$WORK/edited"
check "a damaged report ends with 7" ends_with 7
denied=(
	'.reasons = [] | .exit_code = 0 | .verdict = "pass" | .benchmarks |= map(.verdict = "pass" | .reason_code = "")'
	'del(.exit_code)'
	'del(.benchmarks[1].metrics)'
	'.benchmarks[1].metrics = []'
	'.benchmarks[1].metrics |= map(.gates = false)'
	'.benchmarks[1].metrics |= map(.base = null | .head = null | .base_values = [] | .head_values = [] | .rounds = 0)'
	'.benchmarks[1].metrics |= map(del(.head_values))'
	'del(.benchmarks[1].runs)'
	'del(.benchmarks[1].sentence)'
	'.benchmarks += [.benchmarks[1]]'
)
for change in "${denied[@]}"; do
	changed "$WORK/timed-2" "$WORK/edited" "$change"
	merge "$WORK/timed-1" "$WORK/edited"
	check "a verdict that its numbers deny ends with 7: $change" ends_with 7
	check "and the file is named" says 'edited/report.json: .*(contradicts itself|exit_code|without a comparison)'
	firebreak report "$WORK/edited"
	check "it is not shown, either" ends_with 7
done
check "nothing is written" test ! -e "$WORK/joined"
mkdir "$WORK/mine" && touch "$WORK/mine/file"
firebreak merge -o "$WORK/mine" "$WORK/artifacts"
check "what is no output folder is not replaced" ends_with 7

# --- what passed once does not stand for what came after it
for mistake in "--shard 3/2" "--shard 2/2 --rounds 99" "--shard 2/2 --no-such-option" "--shard 2/2 --calibrate --self-test" "--shard 2/2 more"; do
	rm -rf "$WORK/again" && cp -r "$WORK/timed-1" "$WORK/again"
	# shellcheck disable=SC2086
	firebreak check --base base --head head $mistake --out "$WORK/again"
	check "an attempt with $mistake ends with 2" ends_with 2
	check "and its folder says no other thing" json "$WORK/again/report.json" '.exit_code == 2 and .verdict == "error" and .benchmarks == []'
	check "nor does its summary" grep -q 'not started' "$WORK/again/summary.md"
	merge "$WORK/again" "$WORK/timed-2"
	check "so there is nothing to be joined" test ! -e "$WORK/joined" -a "$CODE" = 2
done
rm -rf "$WORK/again" && cp -r "$WORK/timed-2" "$WORK/again"
firebreak check --no-such-option --out="$WORK/again"
check "what failed stays, so that a slip costs nobody a measurement" cmp "$WORK/again/report.json" "$WORK/timed-2/report.json"
rm -rf "$WORK/again" && cp -r "$WORK/timed-1" "$WORK/again"
firebreak check --base no-such-commit --shard 1/2 --out "$WORK/again"
check "a revision that is not there ends with 2" ends_with 2
check "and replaces what was there" json "$WORK/again/report.json" '.exit_code == 2 and .shards.parts[0].index == 1'
rm -rf "$WORK/again" && cp -r "$WORK/timed-1" "$WORK/again"
"$FIREBREAK" check --base base --head head --shard 1/2 --no-store --measure-base --out "$WORK/again" >/dev/null 2>&1 </dev/null &
killed=$!
for _ in $(seq 6000); do grep -q '"exit_code": 0' "$WORK/again/report.json" || break; sleep .05; done
kill -9 $killed 2>/dev/null
wait $killed 2>/dev/null
check "a check that is killed leaves no pass" json "$WORK/again/report.json" '.exit_code == 4 and .reasons[0].code == "not_ended"'
merge "$WORK/again" "$WORK/timed-2"
check "and is a shard that did not end" ends_with 4
merge "$WORK/only"
jq '.exit_code = 0' "$WORK/joined/report.json" >"$WORK/made-up" && cp "$WORK/made-up" "$WORK/joined/report.json"
firebreak merge -o "$WORK/joined" "$WORK/timed-1" "$WORK/whole"
check "a merge that is refused ends with 2" ends_with 2
check "and what was joined there before is gone" reports '.exit_code == 4 and .reasons[0].code == "not_ended"'
mkdir "$WORK/around" && cp -r "$WORK/joined/." "$WORK/around" && cp -r "$WORK/timed-1" "$WORK/timed-2" "$WORK/around"
firebreak merge -o "$WORK/around" "$WORK/around/timed-1" "$WORK/around/timed-2"
check "a folder around its sources is never replaced" ends_with 2
check "and they are there" test -s "$WORK/around/timed-1/report.json"
ln -s "$WORK/timed-1" "$WORK/link"
firebreak merge -o "$WORK/link" "$WORK/timed-1" "$WORK/timed-2"
check "nor a source by way of a link" ends_with 2

# --- shards that end early
shard 5/5 "$WORK/five"
check "more shards than benchmarks end with 2" ends_with 2
firebreak check --shard 0/2
check "there is no shard 0" ends_with 2
firebreak check --shard 1/2 --head worktree
check "a working tree has no shards" ends_with 2
# With made-up counts, tests/gate/steps/gateshard_test.c has the ends of shards, what is accepted and how strictly each
# judges, and tests/compare/merge_test.c has what they may differ in.
finish
