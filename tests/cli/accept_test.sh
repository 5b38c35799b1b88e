#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
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
	printf '%s\n' 'version: 1' 'build: {command: cc -O2 bench.c -o bench}' 'benchmarks:' \
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
check "the terminal says it" grep -q 'accepted in firebreak.yml:6' "$WORK/stdout"
check "summary.md says it, escaped" holds summary.md 'correct at last: &#60;b&#62;'
check "report.html says it, escaped" holds report.html 'correct at last: &lt;b&gt;'
check "junit.xml counts it as skipped" holds junit.xml '<skipped message="accepted">'
for format in text markdown github junit codequality json html; do
	run "$FIREBREAK" report "$OUT" --format "$format"
	[ "$format" = codequality ] || check "report --format $format says that it is accepted" grep -qi accepted "$WORK/stdout"
done
checked base entry
cp "$REPORT" "$WORK/first.json"
checked base entry
judged() { jq '[.verdict, .acceptances, .benchmarks[0].accepted]' "$1"; }
check "the same commits have the same verdict again" is "$(judged "$REPORT")" "$(judged "$WORK/first.json")"

# tests/gate/policy/gateaccept_test.c and tests/gate/context/gatedrift_test.c show what an acceptance is for, until when,
# of which function, benchmark or drift, and what the policy allows of it. Here is what only the program shows.

# --- trailers
from slow && commit 'more' 'Perf-Accepted: count: it is worth it' && git branch named
checked base HEAD
check "a trailer of a commit since base accepts a regression" ends_with 0
run "$FIREBREAK" compare base HEAD --out "$WORK/compared"
check "compare reads no acceptances" ends_with 1
git clone -q --depth 1 -b named "file://$REPO" "$WORK/shallow"
git -C "$WORK/shallow" fetch -q --depth 1 origin tag base
cd "$WORK/shallow" && checked base HEAD && cd "$REPO" || exit 1
check "in a shallow clone a commit that base may have accepts nothing" ends_with 1
check "and what is cut is said" reports '.findings[] | select(.code == "acceptance_cut") | .text | test("fetch-depth: 0")'

# --- a mistake
from base
config 'accept: [{benchmark: cuont, reason: x}]' && commit 'typing error'
checked base HEAD
check "an entry for no benchmark is an error with its place" ends_with 2
check "and the nearest name" grep -q 'firebreak.yml:5:22: no benchmark is named "cuont"; did you mean "count"?' "$WORK/stderr"
finish
