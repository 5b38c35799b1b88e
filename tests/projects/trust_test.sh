#!/bin/bash
# A verdict can be trusted, as the sample project shows: regressions measured once more, lines that the change edits,
# the yardstick, base against base, planted delays, a limited time, and several layouts.
# shellcheck disable=SC2016 # jq has its own variables
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"

REPO=$WORK/lexi OUT=$WORK/out REPORT=$WORK/out/report.json SAID=$WORK/said
mkdir "$WORK/tmp" "$WORK/cache"
export TMPDIR=$WORK/tmp XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null
"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$REPO" || exit 1
cd "$REPO" || exit 1

# gate ARG...: runs the gate; its exit code in $CODE, its report in $REPORT, what it said in $SAID.
gate() {
	rm -rf "$OUT"
	"$FIREBREAK" check --out "$OUT" "$@" >"$WORK/stdout" 2>"$SAID" </dev/null
	CODE=$?
}
ends_with() { # ends_with CODE: shows what was said if it was another
	[ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$SAID"; return 1; }
}
says() { grep -E -- "$1" "$SAID" || { echo "does not say: $1"; tail -n 15 "$SAID"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
fails() { ! "$@"; }
from() { git checkout -q -b "$2" "$1"; }
commit() { git commit -q -a -m "$(git branch --show-current)"; }
refs() { git for-each-ref --format='%(refname) %(objectname)' refs/firebreak; }

# One gating metric and shorter runs: eight rounds, and soon done.
from base short && sed -i 's/"130"\]/"100"]\n    gate: {task-clock: {}}/' firebreak.yml && commit
from short slower && git apply "$SOURCE_DIR/tests/projects/sample/variants/slow.patch" && commit

# --- a delay that is planted must be found
settled gate --base short --self-test
check "a self-test passes" ends_with 0
check "it says what it plants" says 'more in firebreak_planted_delay'
check "the planted function is accused" json "$REPORT" \
	'.mode == "self_test" and (.benchmarks[0].functions | any(.gates and .name == "firebreak_planted_delay"))'
check "both sides are base" json "$REPORT" '.base.sha == .head.sha'
check "nothing is stored" is "$(refs)" ''

# --- base against base
settled gate --base short --calibrate --campaigns 2
check "a calibration passes" ends_with 0
check "it counts its campaigns" says 'A/A campaign 2 of 2'
check "and reports them" json "$REPORT" '.mode == "calibrate" and .benchmarks[0].calibration.campaigns == 2'
check "it is stored" is "$(refs | wc -l)" 1
stored=$(refs)

# --- a regression is measured once more, and related to the change
settled gate --base short --head slower --no-store
check "a regression ends with 1" ends_with 1
check "the second campaign is announced" says 'measured once more to confirm it, about [0-9.]+ (s|min)'
check "the regression is confirmed" json "$REPORT" '.benchmarks[0].confirmation == "confirmed"'
check "the guilty function is touched by the change" json "$REPORT" \
	'[.benchmarks[0].functions[] | select(.gates)][0] | .name == "score_hits" and .relation == "touched"'
check "the rate of false alarms is reported" json "$REPORT" '.benchmarks[0].calibration | .campaigns == 2 and .false_alarms == 0'
check "the yardstick ran in every round" json "$REPORT" '.benchmarks[0].campaign | .yardstick.rounds == .rounds and (.yardstick.contaminated | not)'
check "both runs of a round ran at the same time" json "$REPORT" '.benchmarks[0].campaign.overlap_pct > 50'
check "with --no-store nothing is stored" is "$(refs)" "$stored"
check "the estimate is there before the first round" says '^lexi: .*rounds.* about '

# More queries for the same functions: slower, and none of their lines was edited.
from short more && sed -i 's/QUERIES = 1300/QUERIES = 1700/' main.c && commit
settled gate --base short --head more --no-confirm --no-store
check "more work is a regression" ends_with 1
check "with --no-confirm it is not measured once more" json "$REPORT" '.benchmarks[0].confirmation == "not_run"'
check "the slower functions are not touched by the change" json "$REPORT" \
	'[.benchmarks[0].functions[] | select(.gates)] | length > 0 and all(.relation == "untouched")'
check "and their code is the same" json "$REPORT" '[.benchmarks[0].functions[] | select(.gates)] | all(.code_changed == false)'

# --- a limited time, of which one benchmark needs more than there is
from base slowly && cat >firebreak.yml <<'YML' && commit
version: 1
build: {command: make -j2}
benchmarks:
  - {name: little, command: [./lexi, "5"]}
  - {name: more, command: [./lexi, "500"]}
  - {name: rest, command: [./lexi, "130"], gate: {task-clock: {margin: 0.01%, pass_margin: 0.01%}}}
YML
# tests/gate/gatebenchmark_test.c tells by a clock of its own that the time is kept, and that the one that needs little is
# measured: here a busy machine may take the time of its rounds for the builds.
gate --base slowly --head slowly --max-time 20s --no-store
check "too little time is inconclusive" ends_with 3
check "that is the reason of the benchmark that needs more" json "$REPORT" '[.reasons[] | select((.code == "out_of_time" or .code == "not_measured") and .benchmark == "more")] | length == 1'
check "and how much would do is said" json "$REPORT" '.reasons[] | select(.benchmark == "more").text | test("--max-time [0-9]+[sm] would do|give --max-time more")'
gate --base slowly --head slowly --max-time 1ms --no-store
check "no time at all is inconclusive" ends_with 3
check "for the same reason" json "$REPORT" '[.reasons[] | select(.code == "not_measured")] | length == 3'

# --- every so many checks calibrate the gate
from short often && sed -i -e '1a calibrate_every: 1' -e 's/"100"/"40"/' firebreak.yml && commit
gate --base often --head often
check "a check whose turn it is measures base against base, too" says 'base against base: (pass|regression|inconclusive)'
check "and stores it" json "$REPORT" '.benchmarks[0].calibration.campaigns == 3'
gate --base often --head often --max-time 12s --no-store
check "with --no-store it does not" fails says 'base against base'

# --- layouts
if command -v ld.lld >/dev/null; then
	from short laid && sed -i 's/"100"\]/"60"]\n    layouts: 2/' firebreak.yml && commit
	from laid laid-slow && git apply "$SOURCE_DIR/tests/projects/sample/variants/slow.patch" && commit
	settled gate --base laid --head laid-slow --no-confirm --no-store
	check "a regression is found over several layouts" ends_with 1
	check "which are counted" json "$REPORT" '.benchmarks[0].campaign.layouts == 2'
	check "one function of several links has one name" json "$REPORT" \
		'[.benchmarks[0].functions[] | select(.gates) | .name] == ["score_hits"]'
	check "and a source file without the checkout's path" json "$REPORT" \
		'[.benchmarks[0].functions[] | select(.name == "score_hits")][0].file == "rank.c"'
else
	echo "skipped: layouts need ld.lld"
fi

check "no temporary file is left" is "$(ls -A "$WORK/tmp")" ''
check "no campaign is left" is "$(ls -A "$WORK/cache/firebreak/campaigns")" ''
finish
