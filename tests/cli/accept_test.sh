#!/bin/bash
# Regressions that head says are accepted: by entries of its firebreak.yml, and by trailers of its commits. Counted, so
# that verdicts are certain. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
mkdir "$WORK/tmp"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
OUT=$WORK/out REPORT=$WORK/out/report.json
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; cat "$WORK/stderr"; tail -n 25 "$WORK/stdout"; return 1; }; }
reports() { json "$REPORT" "$1" || { jq -c '.verdict, .reason, .acceptances[], .findings[], (.benchmarks[] | {name, verdict, reason, accepted})' "$REPORT"; return 1; }; }
holds() { grep -qF -- "$2" "$OUT/$1" || { echo "$1 does not hold: $2"; grep -n accept "$OUT/$1" | cut -c1-300; return 1; }; } # holds FILE TEXT
run() { "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null; CODE=$?; }
checked() { run "$FIREBREAK" check --base "$1" --head "$2" --out "$OUT" "${@:3}"; } # checked BASE HEAD ARG...
state_is() { reports ".acceptances | length == 1 and .[0].state == \"$1\""; }

# --- a program of three functions, each as dear as a number says
REPO=$WORK/repo
git init -q -b main "$REPO" && cd "$REPO" || exit 1
git config user.name dev && git config user.email dev@example.org
cat >bench.c <<'C'
#define OWN __attribute__((noinline))
#include "turns.h"
static volatile unsigned long sum;
static OWN void hash(void) { for (int i = 0; i < HASH; i++) sum += (unsigned long)i; }
static OWN void sort(void) { for (int i = 0; i < SORT; i++) sum ^= (unsigned long)i; }
static OWN void scan(void) { for (int i = 0; i < SCAN; i++) sum -= (unsigned long)i; }
int main(void) { hash(); sort(); scan(); return 0; }
C
turns() { printf '#define HASH %s\n#define SORT %s\n#define SCAN %s\n' "$@" >turns.h; }
config() { # config LINE...: with these lines at the end
	# shellcheck disable=SC2016 # the build's shell expands it
	printf '%s\n' 'version: 1' 'build: {command: cc $CFLAGS bench.c -o bench}' 'benchmarks:' \
		'  - {name: count, engines: [callgrind], command: [./bench]}' "$@" >firebreak.yml
}
commit() { git add -A && git commit -q --allow-empty "${@/#/-m}"; } # commit PARAGRAPH...
from() { git checkout -q --detach "$1"; } # from TAG

config && turns 100000 100000 100000 && commit 'start' && git tag base
from base && turns 160000 100000 100000 && commit 'hash takes longer' && git tag slow
checked base slow
check "without an acceptance a regression fails" ends_with 1
check "and nothing is said of acceptances" reports '.acceptances == [] and (.benchmarks[0].accepted == [])'

# --- an entry
from slow
config 'accept:' '  - {benchmark: count, reason: "correct at last: <b>#12</b>"}' && commit 'accept' && git tag entry
checked base entry
check "an entry in head accepts the regression of its benchmark" ends_with 0
check "the verdict is a pass that says so" reports '.verdict == "pass" and .reasons == [] and .benchmarks[0].reason_code == "accepted"
	and (.reason | test("1 benchmark passed with a regression that is accepted: count, instructions .*firebreak.yml:6: correct at last"))'
check "metric and function are listed with reason and place" reports '[.benchmarks[0].accepted[] | [.kind, .name, .where, .reason]] ==
	[["metric", "instructions", "firebreak.yml:6", "correct at last: <b>#12</b>"], ["function", "hash", "firebreak.yml:6", "correct at last: <b>#12</b>"]]'
check "the metric is still a regression, and accepted" reports '.benchmarks[0].metrics[] | select(.name == "instructions") | .verdict == "regression" and .accepted'
check "the entry is reported as used" state_is used
check "and there is a warning for each" reports '[.findings[] | select(.code == "accepted_regression" and .severity == "warning")] | length == 2'
check "adding an entry is no weaker policy" reports '[.findings[], .reasons[] | select(.code == "policy_changed")] == []'
check "the terminal says it" grep -q 'a regression is accepted in firebreak.yml:6' "$WORK/stdout"
check "summary.md says it, escaped" holds summary.md 'correct at last: &#60;b&#62;'
check "report.html says it, escaped" holds report.html 'correct at last: &lt;b&gt;'
check "junit.xml counts it as skipped" holds junit.xml 'a regression that is accepted'
for format in text markdown github junit codequality json html; do
	run "$FIREBREAK" report "$OUT" --format "$format"
	[ "$format" = codequality ] || check "report --format $format says that it is accepted" grep -qi accepted "$WORK/stdout"
done
checked base entry
cp "$REPORT" "$WORK/first.json"
checked base entry
judged() { jq '[.verdict, .acceptances, .benchmarks[0].accepted]' "$1"; }
check "the same commits have the same verdict again" is "$(judged "$REPORT")" "$(judged "$WORK/first.json")"

# --- what an entry is not for
from entry && turns 230000 100000 100000 && commit 'and longer'
checked entry HEAD
check "an entry that base has too accepts nothing more" ends_with 1
check "which is said" reports '.findings[] | select(.code == "acceptance_refused") | .text | test("base has it, too")'
config 'accept:' '  - {benchmark: count, reason: "correct at last: <b>#12</b>"}' '  - {benchmark: count, reason: again}' && commit 'once more'
checked entry HEAD
check "an entry of its own accepts the next one" ends_with 0

from slow
config 'accept:' '  - {benchmark: count, until: 2026-03-31, reason: for now}'
git add -A && GIT_COMMITTER_DATE='2026-03-31T23:59:59Z' git commit -q -m 'in time' && git tag in_time
GIT_COMMITTER_DATE='2026-04-01T00:00:00Z' git commit -q --amend -m 'late' && git tag late
checked base in_time
check "the last day counts" ends_with 0
checked base late
check "a day later it does not" ends_with 1
check "which is said, too" reports '.findings[] | select(.code == "acceptance_refused") | .severity == "warning"'
from in_time && turns 230000 100000 100000 && git add -A && GIT_COMMITTER_DATE='2026-03-31T23:59:59Z' git commit -q -m 'next'
checked in_time HEAD
check "until its last day an entry that base has counts, too" ends_with 0

# --- functions
from slow
config 'accept:' '  - {benchmark: count, function: hash, reason: hash is worth it}' && commit 'accept hash'
checked base HEAD
check "an entry for the function covers what it costs more" ends_with 0
check "and says what is left without it" reports '.benchmarks[0].accepted[0].text | test("without hash it is instructions")'
turns 160000 140000 100000 && commit 'sort takes longer, too'
checked base HEAD
check "another function behind it still fails" ends_with 1
check "and is named" reports '.benchmarks[0] | (.reason | test("beyond what is accepted")) and (.functions[] | select(.name == "sort") | .gates)'
check "while the first is accepted" reports '.benchmarks[0] | .accepted == [.accepted[] | select(.kind == "function" and .name == "hash")] and (.functions[] | select(.name == "hash") | .accepted and (.gates | not))'

# --- trailers
from slow && commit 'more' 'Perf-Accepted: it is worth it'
SHA=$(git rev-parse HEAD) && commit 'and another commit'
checked base HEAD
check "a trailer of a commit since base accepts a regression" ends_with 0
check "with the commit as its place" reports ".acceptances[0] | .source == \"trailer\" and .sha == \"$SHA\" and .benchmark == \"count\" and .where == \"commit ${SHA:0:12}\""
run "$FIREBREAK" compare base HEAD --out "$WORK/compared"
check "compare reads no acceptances" ends_with 1
turns 230000 100000 100000 && commit 'longer still'
checked "$SHA" HEAD
check "base's own trailer accepts nothing" ends_with 1
from slow && commit 'more' 'Perf-Accepted: count: it is worth it' && git branch named
checked base HEAD
check "a trailer may name the benchmark" ends_with 0
check "and the warning says what it is for" reports '[.findings[] | select(.code == "accepted_regression") | .text | test("is accepted in commit [0-9a-f]{12} for count: instructions")] | any'
from slow && commit 'more' 'Perf-Accepted: count:it is worth it'
checked base HEAD
check "one that only looks like a name accepts nothing" ends_with 1
check "which is said with what to write" reports '.findings[] | select(.code == "acceptance_refused") | .text | test("does not say which benchmark .*Perf-Accepted: NAME: reason")'
check "and listed" state_is unnamed
from slow && commit 'squashed' '* more' 'Perf-Accepted: count: it is worth it' '* and another'
checked base HEAD
check "a line that is not in the last paragraph accepts nothing" ends_with 1
check "which is said" reports ".findings[] | select(.code == \"acceptance_misplaced\") | .severity == \"warning\" and (.text | test(\"commit $(git rev-parse HEAD | cut -c1-12) has a line\"))"
from slow && commit 'more' 'Perf-Accepted: cuont: it is worth it'
checked base HEAD
check "a trailer with another name accepts nothing" ends_with 1
check "and why is said" state_is unknown_benchmark
git clone -q --depth 1 -b named "file://$REPO" "$WORK/shallow"
git -C "$WORK/shallow" fetch -q --depth 1 origin tag base
cd "$WORK/shallow" && checked base HEAD && cd "$REPO" || exit 1
check "in a shallow clone a commit that base may have accepts nothing" ends_with 1
check "and what is cut is said" reports '.findings[] | select(.code == "acceptance_cut") | .text | test("fetch-depth: 0")'

# --- two benchmarks
words='  - {name: words, engines: [callgrind], command: [./bench, x]}'
from base && config "$words" && commit 'two benchmarks' && git tag two
from two && turns 160000 100000 100000 && commit 'slow' 'Perf-Accepted: it is worth it'
checked two HEAD
check "a trailer without a name accepts nothing where there are two" ends_with 1
check "of either benchmark" reports '[.benchmarks[].verdict] == ["regression", "regression"]'
check "and says so" state_is unnamed
from two && turns 160000 100000 100000 && commit 'slow' 'Perf-Accepted: *: it is worth it'
checked two HEAD
check "with a star it accepts both" ends_with 0
check "and the warning says that it is for any" reports '[.findings[] | select(.code == "accepted_regression") | .text | test("is accepted in [^:]+ for any benchmark: ")] | length == 4 and all'
from base && config "$words" && turns 160000 100000 100000 && commit 'slow, with a new benchmark' 'Perf-Accepted: it is worth it'
checked base HEAD
check "nor does it where head adds another benchmark" ends_with 1

# --- drift: 4.8 % of it is there before the change, whose own .4 % are within the margin
from base && config 'baselines: {anchor: base, drift_margin: 5%, gate_drift: true}' && turns 105100 105100 105100 && commit 'drift gates' && git tag drifting
drift() { config 'baselines: {anchor: base, drift_margin: 5%, gate_drift: true}' "${@:4}"; turns "$1" "$2" "$3"; commit 'drift'; } # drift HASH SORT SCAN LINE...
run "$FIREBREAK" run base
from drifting && drift 105550 105550 105550
checked drifting HEAD
check "drift that nobody accepted gates" ends_with 1
check "although every metric passes" reports '[.reasons[].code] == ["drift"] and .benchmarks[0].verdict == "pass"'
from drifting && drift 105550 105550 105550 'accept: [{benchmark: count, reason: it is worth it}]'
checked drifting HEAD
check "an entry for the benchmark accepts what the change adds to a drift" ends_with 0
check "which is said" reports '.findings[] | select(.code == "drift") | .text | test("adds to it is accepted in firebreak.yml:6: it is worth it")'
check "and listed as accepted" reports '.benchmarks[0].accepted | length == 1 and (.[0] | .name == "instructions" and (.text | test("since base")))'
check "the entry is used" state_is used
from drifting && drift 105550 105550 105550 'accept: [{benchmark: count, function: hash, reason: it is worth it}]'
checked drifting HEAD
check "an entry for a function that did not regress accepts no drift" ends_with 1
check "and is unused" state_is unused
from drifting && drift 130000 105100 105100 'accept: [{benchmark: count, function: hash, reason: it is worth it}]'
checked drifting HEAD
check "what is accepted of a function is no drift" ends_with 0
check "which is said, too" reports '.findings[] | select(.code == "drift") | .text | test("accepted in firebreak.yml:6")'
from drifting && drift 130000 105700 105700 'accept: [{benchmark: count, function: hash, reason: it is worth it}]'
checked drifting HEAD
check "what others add to the drift beside it gates" ends_with 1
check "for that alone" reports '[.reasons[].code] == ["drift"] and .benchmarks[0].reason_code == "accepted"'

# --- policy
from base && config 'accept_from: [config]' && commit 'no trailers' && git tag closed
from closed && turns 160000 100000 100000 && commit 'slow' 'Perf-Accepted: please'
checked closed HEAD
check "base may forbid trailers" ends_with 1
check "which is said in a warning" reports '.findings[] | select(.code == "acceptance_refused") | .severity == "warning"'
config && commit 'allow them again'
checked closed HEAD
check "head that allows more is a violation of policy" ends_with 9
checked closed HEAD --allow-policy-change
check "that does not help it when it is allowed" ends_with 1
from base && config 'accept_from: none' && commit 'nothing' && git tag none
turns 160000 100000 100000 && config 'accept_from: none' 'accept: [{benchmark: count, reason: please}]' && commit 'slow'
checked none HEAD
check "base may forbid all" ends_with 1

# --- what is never accepted
from base && echo 'int main(void) { return 1; }' >bench.c && config 'accept: [{benchmark: count, reason: all of it}]' && commit 'broken'
checked base HEAD
check "a benchmark that fails is not accepted" ends_with 4
echo 'no program' >bench.c && commit 'no build'
checked base HEAD
check "nor is a build that fails" ends_with 5
from base && config 'accept: [{benchmark: count, reason: in case}]' && commit 'only an entry'
checked base HEAD
check "without a regression an entry changes nothing" reports '.verdict == "pass" and .benchmarks[0].reason_code == ""'
check "and is reported as unused" state_is unused
config 'accept: [{benchmark: cuont, reason: x}]' && commit 'typing error'
checked base HEAD
check "an entry for no benchmark is an error with its place" ends_with 2
check "and the nearest name" grep -q 'firebreak.yml:5:22: no benchmark is named "cuont"; did you mean "count"?' "$WORK/stderr"
finish
