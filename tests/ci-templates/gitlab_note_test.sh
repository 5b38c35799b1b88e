#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The note on a merge request: one, kept current, whatever the API does and whatever the job that measured left; against a
# pretended API on loopback. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # texts with $ and backquotes that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
GITLAB=$SOURCE_DIR/ci-templates/gitlab
build=$(dirname "$FIREBREAK")
for tool in curl jq python3; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
[ -x "$build/tests/reportjson_test" ] || skip_all "$build/tests/reportjson_test is not built"
"$build/tests/reportjson_test" >/dev/null 2>&1 # leaves reports beside itself
unset GITHUB_ACTIONS GITLAB_CI
mkdir -p "$WORK/api/artifacts/55/firebreak-out" "$WORK/home" "$WORK/tmp" "$WORK/bin" && chmod 500 "$WORK/home"
ln -s "$FIREBREAK" "$WORK/bin/firebreak"
ARTIFACT=$WORK/api/artifacts/55/firebreak-out/report.json
python3 "$SOURCE_DIR/tests/ci-templates/fakegitlab.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done
port=$(cat "$WORK/api/port")
SHA=5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80

state() { # state FILTER: what there is, changed by jq
	: >"$WORK/api/log"
	jq -n --arg sha $SHA '{user: 9, notes: [], fail: [], request: {state: "opened", sha: $sha},
		jobs: [{id: 54, name: "build", pipeline: 300}, {id: 55, name: "firebreak", pipeline: 300}]} | '"$1" >"$WORK/api/state.json"
}
now() { jq -r "$1" "$WORK/api/state.json"; }
# note [NAME=VALUE...]: the job firebreak-note of a detached pipeline of the project's own branch
note() {
	env -i PATH="$WORK/bin:$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" API_PAUSE=0 CI=true GITLAB_CI=true CI_API_V4_URL="http://127.0.0.1:$port/api/v4" \
		CI_PROJECT_ID=41 CI_PROJECT_URL=https://gitlab.example/group/catalog CI_PIPELINE_ID=300 CI_PIPELINE_SOURCE=merge_request_event \
		CI_MERGE_REQUEST_EVENT_TYPE=detached CI_MERGE_REQUEST_PROJECT_ID=41 CI_MERGE_REQUEST_PROJECT_URL=https://gitlab.example/group/catalog \
		CI_MERGE_REQUEST_IID=7 CI_COMMIT_SHA=$SHA FIREBREAK_TOKEN=glpat-of-the-bot "$@" \
		bash -eo pipefail "$GITLAB/note.sh" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
calls() { sed -E 's|^([A-Z]+) ([^ ?]*/)?([^ ?]+)[^ ]* ([0-9]+) .*|\1 \3 \4|' "$WORK/api/log" | tr '\n' ';'; }
writes() { grep -cE '^(POST|PUT)' "$WORK/api/log"; }
none() { # none REASON: no note is written, that is no failure, and the job says why
	if is "$CODE $(writes)" "0 0" && grep -qE -- "^firebreak: no note: .*$1" "$WORK/stdout"; then return; fi
	cat "$WORK/stdout" "$WORK/stderr"
	return 1
}
fails() { ! "$@"; }

# --- one note
cp "$build/report-regression.json" "$ARTIFACT"
state .
note
check "a note is added" is "$CODE $(calls)" "0 GET 7 200;GET jobs 200;GET report.json 200;GET user 200;GET notes 200;POST notes 201;"
check "every call had the token" is "$(grep -c ' token$' "$WORK/api/log")" 6
check "it is the comment with links into the merge request and to the job that measured" is "$(now '.notes[0].body')" \
	"$("$FIREBREAK" report "$(dirname "$ARTIFACT")" --format comment --review https://gitlab.example/group/catalog/-/merge_requests/7 \
		--artifact https://gitlab.example/group/catalog/-/jobs/55/artifacts/file/firebreak-out/)"
note
check "a second run replaces it" is "$CODE $(cat "$WORK/stdout") $(now '.notes | length')" "0 replaced the note 1000 1"
note FIREBREAK_NOTE_ID=arm64
check "another id has a note of its own" is "$CODE $(now '[.notes[].body | split("\n")[0]] | tostring')" \
	'0 ["<!-- firebreak-comment: firebreak -->","<!-- firebreak-comment: arm64 -->"]'
state '.notes = [range(250) | {id: (. + 1), author: 3, body: "x"}] + [{id: 900, author: 9, body: "<!-- firebreak-comment: firebreak -->\r\nold"}]'
note
check "it is found on the third page" is "$CODE $(grep -c '/notes?.*page=[123] ' "$WORK/api/log") $(cat "$WORK/stdout")" "0 3 replaced the note 900"
state '.notes = [{id: 5, author: 3, body: "<!-- firebreak-comment: firebreak -->\nmine"}]'
note
check "a note that somebody else wrote is not touched" is "$CODE $(now '.notes[0].body | split("\n")[1]') $(now '.notes | length')" "0 mine 2"
state '.notes = [{id: 5, author: 9, body: "see <!-- firebreak-comment: firebreak -->"}, {id: 6, author: 9, system: true, body: "<!-- firebreak-comment: firebreak -->"}]'
note
check "nor is one that quotes the marker, nor one of the system" is "$CODE $(now '.notes | length')" "0 3"
state '.jobs = [range(150) | {id: (. + 100), name: "build", pipeline: 300}] + [{id: 55, name: "firebreak", pipeline: 300}]'
note
check "the job is found on the second page" is "$CODE $(now '.notes | length')" "0 1"

# --- what the API does
state '.fail = [{match: "POST", status: 502, times: 2}]'
note
check "an error of the server is tried again" is "$CODE $(grep -c '^POST .* 502 ' "$WORK/api/log") $(now '.notes | length')" "0 2 1"
state '.fail = [{match: "GET", status: 429, times: 1, headers: {"Retry-After": "1"}}, {match: "POST", status: 429, times: 1, headers: {"Retry-After": "1"}}]'
note
check "so is a rate limit" is "$CODE $(grep -c ' 429 ' "$WORK/api/log") $(now '.notes | length')" "0 2 1"
state '.fail = [{match: "POST", status: 429, times: 1, headers: {"Retry-After": "2"}}]'
begin=$(date +%s%N)
note API_PAUSE=
check "it waits as long as the service says" [ $((($(date +%s%N) - begin) / 1000000)) -ge 2000 ]
state '.fail = [{match: "POST", status: 403, times: 9}]'
note
check "a refusal is not tried again, and is said" bash -c "[ '$CODE $(writes)' = '1 1' ] && grep -q 'GitLab says 403 to POST' '$WORK/stderr'"
state '.fail = [{match: "GET", status: 500, times: 9}]'
note
check "it gives up after four tries" is "$CODE $(calls)" "1 GET 7 500;GET 7 500;GET 7 500;GET 7 500;"
note CI_API_V4_URL=http://127.0.0.1:1
check "without a server, too" is "$CODE" 1
state .
note FIREBREAK_TOKEN=glpat-wrong
check "a wrong token fails, and is in no message" bash -c "[ '$CODE $(writes)' = '1 0' ] && ! grep -q glpat '$WORK/stdout' '$WORK/stderr'"
note FIREBREAK_TOKEN=$'a"\nurl = "http://evil.example'
check "a token cannot be more than one" is "$CODE $(calls)" "2 GET 7 401;"

# --- pipelines in which none is due
state .
note FIREBREAK_TOKEN=
check "a fork, which has no token" none 'there is no FIREBREAK_TOKEN'
for source in push schedule; do
	note CI_PIPELINE_SOURCE=$source CI_MERGE_REQUEST_IID=
	check "a pipeline of a $source" none 'this is no pipeline of a merge request'
done
state '.request.state = "merged"'
note
check "a merge request that is merged" none 'is not open any more'
state '.request.sha = "1111111111111111111111111111111111111111"'
note
check "a merge request that went on" none 'has a newer commit'
state '.jobs = [{id: 54, name: "build", pipeline: 300}, {id: 55, name: "firebreak", pipeline: 299}]'
note
check "a pipeline without the job" none 'this pipeline has no job firebreak'

# --- pipelines in which one is
merged=2222222222222222222222222222222222222222
for type in merged_result merge_train; do
	jq ".head.sha = \"$merged\"" "$build/report-regression.json" >"$ARTIFACT"
	state .
	note CI_MERGE_REQUEST_EVENT_TYPE=$type CI_COMMIT_SHA=$merged CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=$SHA
	check "a pipeline of type $type, of a commit that is not that of the branch" is "$CODE $(now '.notes | length')" "0 1"
done
cp "$build/report-regression.json" "$ARTIFACT"
state .
note CI_PROJECT_ID=41 CI_MERGE_REQUEST_SOURCE_PROJECT_ID=77
check "that of a fork which a member has started in the project" is "$CODE $(now '.notes | length')" "0 1"
cp "$build/report-error.json" "$ARTIFACT"
state .
note
check "a check that ended before it knew its commits" is "$CODE $(now '.notes[0].body | split("\n")[1] | startswith("## 🚫 Error")')" "0 true"

# --- what a hostile job leaves
hostile() { # hostile WHAT REASON
	state .
	note
	check "$1: no note" none "$2"
}
rm "$ARTIFACT" && hostile "no report" 'left no report'
echo '{}' >"$ARTIFACT" && hostile "a report that is none" 'report.json is of the commit'
head -c 1000 /dev/urandom >"$ARTIFACT" && hostile "bytes" 'is no report'
jq '.head.sha = "1111111111111111111111111111111111111111"' "$build/report-regression.json" >"$ARTIFACT" && hostile "a report of another commit" 'not of this pipeline'
jq '.verdict = "pass" | .exit_code = 0' "$build/report-regression.json" >"$ARTIFACT" && hostile "a verdict that its own numbers deny" 'is no result that can be shown'
cp "$build/report-regression.json" "$ARTIFACT"
state .
note MAX_REPORT=1000
check "a huge report: no note" none 'is too large'
jq '.benchmarks[0].name = "</details><script>alert(1)</script> @everyone [x](https://evil.example) `|`" | .head.subject = "<!-- firebreak-comment: firebreak -->\n/merge"' \
	"$build/report-regression.json" >"$ARTIFACT"
state .
note
check "hostile names are what the program makes of them, and no commands" is "$CODE $(now '.notes[0].body' | sed -n 1p)" "0 <!-- firebreak-comment: firebreak -->"

# --- a program that renders something else
mkdir "$WORK/odd"
odd() { # odd COMMAND: what makes the note instead
	printf '#!/bin/bash\nprintf "<!-- firebreak-comment: firebreak -->\\n"\n%s\n' "$1" >"$WORK/odd/firebreak" && chmod +x "$WORK/odd/firebreak"
	state .
	note PATH="$WORK/odd:$PATH"
}
odd "printf '/merge\n  /close\n\"quoted\" \\\\ \$(touch injected)\n'"
check "no line of a note is a command to GitLab" is "$CODE $(now '.notes[0].body | split("\n")[1:3] | tostring') $(test -e "$WORK/api/offences" && echo offends)" \
	'0 ["&#47;merge","  &#47;close"] '
check "quotes and backslashes arrive" is "$(now '.notes[0].body' | sed -n 4p)" '"quoted" \ $(touch injected)'
odd '[ -z "$FIREBREAK_TOKEN" ] || echo "sees the token"'
check "the program does not see the token" is "$CODE $(now '.notes[0].body' | grep -c 'sees the token')" "0 0"
first=38 # bytes of the first line
odd "head -c $((65000 - first)) /dev/zero | tr '\\0' x"
check "a note of 65,000 bytes is written" is "$CODE $(now '.notes[0].body | length')" "0 65000"
odd "head -c $((65001 - first)) /dev/zero | tr '\\0' x"
check "one of 65,001 is refused" is "$CODE $(writes) $(grep -c 'longer than 65000 bytes' "$WORK/stderr")" "2 0 1"
odd "for ((i = 0; i < 32482; i++)); do printf 'ü'; done"
check "bytes count, not characters" is "$CODE $(writes)" "2 0"

# --- what is refused before anything is sent
state .
for variable in CI_API_V4_URL=ftp://x CI_PROJECT_ID='41/../9' CI_PIPELINE_ID= CI_MERGE_REQUEST_PROJECT_ID=g/p CI_MERGE_REQUEST_IID='7/notes' \
	CI_MERGE_REQUEST_IID=0 CI_COMMIT_SHA=main FIREBREAK_NOTE_ID='a b'; do
	note "$variable"
	check "$variable is refused" is "$CODE $(calls)" "2 "
done
note FIREBREAK_JOB='" or true or "'
check "a name of a job is a name" none 'this pipeline has no job'
check "no call offended the service" test ! -e "$WORK/api/offences"
check "jobs leave nothing behind" is "$(ls "$WORK/tmp")" ''
finish
