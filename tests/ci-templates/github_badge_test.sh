#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The badge of the default branch: what it says for each result, that nothing else of a report gets into it, and that it is
# one commit of one branch, whatever the API does. The step runs as a runner does, against a pretended API on loopback.
# SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in curl jq python3 xmllint; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
ACTION=$SOURCE_DIR/ci-templates/github/badge/action.yml
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
"${LINT[@]}" github "$ACTION" badge >"$WORK/step.sh"
"${LINT[@]}" env "$ACTION" badge >"$WORK/step.env"
mapfile -t defaults <"$WORK/step.env"
mkdir "$WORK/api"
python3 "$SOURCE_DIR/tests/ci-templates/fakeapi.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done

COMMIT=0123456789abcdef0123456789abcdef01234567
badge() { # badge [NAME=VALUE...]
	env -i PATH="$PATH" HOME=/nonexistent GITHUB_API_URL="http://127.0.0.1:$(cat "$WORK/api/port")" \
		GITHUB_REPOSITORY=example/catalog API_PAUSE=0 "${defaults[@]}" ACTION="$SOURCE_DIR/ci-templates/github/badge" \
		TOKEN=token-of-the-job SHA=$COMMIT REPORT="$WORK/report.json" "$@" \
		bash --noprofile --norc -e -o pipefail "$WORK/step.sh" >"$WORK/log" 2>&1 </dev/null
	CODE=$?
}
state() { # state FILTER: what there is, changed by jq
	: >"$WORK/api/log"
	jq -n '{comments: [], pulls: [], artifacts: [], fail: []} | '"$1" >"$WORK/api/state.json"
}
now() { jq -r "$1" "$WORK/api/state.json"; }
calls() { cut -d ' ' -f 1,3 "$WORK/api/log" | tr '\n' ' '; }
file() { now "[.git[] | select(.tree | type == \"array\")][-1].tree[] | select(.path == \"$1\").content"; }
says() { file badge.json | jq -r '"\(.message); \(.isError)"'; }
report() { # report VERDICT [VERDICT-OF-A-BENCHMARK...]
	jq -n '{verdict: $ARGS.positional[0], benchmarks: [$ARGS.positional[1:][] | {verdict: .}]}' --args "$@" >"$WORK/report.json"
}
fails() { ! "$@"; }

# --- what it says
state .
report pass pass pass
badge
check "it is published" is "$CODE" 0
check "as one commit without parents, on a branch of its own" is \
	"$(now '[.refs, (.git[1] | .parents, .message)] | tojson')" "[{\"refs/heads/firebreak-badge\":\"$(printf %040x 2)\"},[],\"Badge of $COMMIT\"]"
check "a pass has the number of benchmarks" is "$(says)" "pass, 2 benchmarks; false"
check "shields.io gets what it wants" is "$(file badge.json | jq -c '[keys[], .schemaVersion, .label]')" \
	'["color","isError","label","message","schemaVersion",1,"firebreak"]'
file badge.svg >"$WORK/badge.svg"
check "the picture is well-formed" xmllint --noout "$WORK/badge.svg"
check "it says the same, and of which commit" is "$(xmllint --xpath 'string(//*[local-name()="title"])' "$WORK/badge.svg")" \
	"firebreak at ${COMMIT:0:12}: pass, 2 benchmarks"
for case in 'regression pass regression inconclusive:regression in 1 of 3; false' 'inconclusive inconclusive inconclusive:inconclusive in 2 of 2; false' \
	'error pass error:error; true' 'pass pass:pass, 1 benchmark; false' 'pass:pass; false' 'regression:regression; false'; do
	state .
	# shellcheck disable=SC2086 # several words
	report ${case%%:*}
	badge
	check "of ${case%%:*} it says ${case#*:}" is "$CODE $(says)" "0 ${case#*:}"
done

# --- what is no result
for text in '' 'no JSON' '[]' '"pass"' '{"verdict": ["pass"]}' '{"verdict": "pass</title><script>"}' '{"verdict": "pass", "benchmarks": 3'; do
	state .
	printf '%s' "$text" >"$WORK/report.json"
	badge
	check "a report that is $text is an error" is "$CODE $(says)" "0 error; true"
done
state .
badge REPORT="$WORK/none"
check "so is one that is not there" is "$CODE $(says)" "0 error; true"
state .
report regression regression '</text><script>alert(1)</script>'
badge
check "no text of a report gets into the badge" fails grep -q script <<<"$(file badge.svg)$(file badge.json)"

# --- what the API does
state '.refs = {"refs/heads/firebreak-badge-2": "x", "refs/heads/firebreak-badge": "x"}'
report pass pass
badge
check "the badge of another commit is replaced" is "$CODE $(calls)" "0 POST 201 POST 201 GET 200 PATCH 201 "
check "and no other branch" is "$(now '.refs["refs/heads/firebreak-badge-2"]')" x
state '.refs = {"refs/heads/firebreak-badge-2": "x"}'
badge
check "a longer name is another branch" is "$CODE $(calls)" "0 POST 201 POST 201 GET 200 POST 201 "
state '.fail = [{match: "POST", status: 502, times: 1}]'
badge
check "an error of the server is tried again" is "$CODE" 0
state '.fail = [{match: "POST", status: 403, times: 9}]'
badge
check "without the right to write the step says what it needs" bash -c "[ $CODE = 2 ] && grep -q '^::error title=firebreak::badge: .*contents: write' '$WORK/log'"
for input in BRANCH=main BRANCH='firebreak badge' BRANCH=../firebreak SHA=main TOKEN= GITHUB_REPOSITORY=x; do
	state .
	badge "$input"
	check "$input is refused" is "$CODE $(calls)" "2 "
done
check "the workflow publishes what its other job measured, whatever became of it" python3 - "$SOURCE_DIR" <<'PY'
import os, sys, yaml
load = lambda name: yaml.safe_load(open(os.path.join(sys.argv[1], name)))
jobs = load("ci-templates/github/workflow-badge.yml")["jobs"]
download, publish = jobs["badge"]["steps"]
assert jobs["badge"]["needs"] == "measure" and jobs["badge"]["if"] == "${{ !cancelled() }}" and "permissions" not in jobs["measure"]
assert download["with"]["name"] == load("action.yml")["inputs"]["artifact-name"]["default"] and download["continue-on-error"] is True
assert load("ci-templates/github/badge/action.yml")["inputs"]["report"]["default"] == download["with"]["path"] + "/report.json"
PY
finish
