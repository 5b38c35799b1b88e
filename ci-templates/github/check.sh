#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the gate in a job of GitHub Actions. Everything comes through the environment, and is one argument each.
#
#   PROGRAM OUT                      the program, and the output folder
#   MODE ... MIXED_MACHINES          as gate.sh has them; baseline also pushes what was measured
#   ON_REGRESSION ON_INCONCLUSIVE    fail, or pass: leave a warning where everything was measured
# Outputs: verdict, exit-code, headline, report. Ends with the exit code of the gate.
set -euo pipefail

refuse() {
	printf '::error title=firebreak::%s\n' "$1"
	exit 2
}
# shellcheck source=ci-templates/gate.sh
. "$(dirname "${BASH_SOURCE[0]}")/../gate.sh"
one_of on-regression "$ON_REGRESSION" fail pass
one_of on-inconclusive "$ON_INCONCLUSIVE" fail pass
gate_command
rm -rf "$OUT"

# Builds and benchmarks are foreign code: what they print must not be taken for workflow commands.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
code=0
echo "::stop-commands::$token"
"$PROGRAM" "${command[@]}" || code=$?
if [ "$MODE" = baseline ] && [ -z "$MERGE" ] && [ "$code" = 0 ]; then
	"$PROGRAM" baseline push origin || code=$?
fi
echo "::$token::"
if [ "$MODE" = baseline ] && [ -z "$MERGE" ]; then
	printf '%s\n' "exit-code=$code" >>"$GITHUB_OUTPUT"
	exit "$code"
fi

# Without a report that says the same as the exit code, nothing is believed: a pass becomes 4.
report=$OUT/report.json
field() { jq -r "$1" "$report"; }
believed=false verdict=error measured=false reason="firebreak ended with $code and left no report that says so"
if [ -s "$report" ] && [ "$(field .exit_code)" = "$code" ]; then
	believed=true
	verdict=$(field '.verdict | select(IN("pass", "regression", "inconclusive", "error"))')
	measured=$(field '.measured == true')
	reason=$(field '.reason // "" | tostring | .[:1000]')
elif [ "$code" = 0 ]; then
	code=4
fi
# The sentence at the top of the comment, which names benchmark and cause.
if [ "$believed" = true ] && "$PROGRAM" report "$OUT" --format dotenv -o "$OUT/.variables" >/dev/null 2>&1; then
	headline=$(sed -n 's/^FIREBREAK_HEADLINE=//p' "$OUT/.variables")
	reason=${headline:-$reason}
fi
rm -f "$OUT/.variables"
headline=$(printf '%s' "$reason" | tr '\000-\037\177' ' ' | cut -c 1-300)
reason=${reason//'%'/%25}
reason=${reason//$'\r'/%0D}
reason=${reason//$'\n'/%0A}
printf '%s\n' "verdict=$verdict" "exit-code=$code" "headline=$headline" "report=$report" >>"$GITHUB_OUTPUT"

[ "$code" != 0 ] || exit 0
# An inconclusive result is let through only if everything was measured.
if [ "$code" = 3 ] && [ "$ON_INCONCLUSIVE" = pass ] && [ "$measured" != true ]; then
	reason="not everything was measured, so on-inconclusive does not apply: $reason"
elif { [ "$code" = 3 ] && [ "$ON_INCONCLUSIVE" = pass ]; } || { [ "$code" = 1 ] && [ "$ON_REGRESSION" = pass ]; }; then
	echo "::warning title=firebreak $verdict::$reason"
	exit 0
fi
# Functions that became slower are annotated where they stand, whatever else went wrong: what could not be measured in
# one benchmark must not hide what regressed in another. The program escapes text of the repository.
annotations="::error title=firebreak $verdict::$reason"
if [ "$believed" = true ]; then
	annotations=$("$PROGRAM" report "$OUT" --format github) || annotations="::error title=firebreak $verdict::$reason"
fi
printf '%s\n' "$annotations"
exit "$code"
