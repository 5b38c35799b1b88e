#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The comment on a pull request: one, kept current, whatever the API does; and for forks, that nothing which the artifact
# of a stranger's workflow holds gets further than text. The scripts run for real, against a pretended API on loopback.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # texts with $ and backquotes that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
GITHUB=$SOURCE_DIR/ci-templates/github
build=$(dirname "$FIREBREAK")
for tool in curl jq python3 unzip; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
[ -x "$build/tests/reportjson_test" ] || skip_all "$build/tests/reportjson_test is not built"
"$build/tests/reportjson_test" >/dev/null 2>&1 # leaves reports beside itself
unset GITHUB_ACTIONS GITLAB_CI

mkdir "$WORK/api"
python3 "$SOURCE_DIR/tests/ci-templates/fakeapi.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done
port=$(cat "$WORK/api/port")
export GITHUB_API_URL=http://127.0.0.1:$port GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=example/catalog
export API_PAUSE=0 TOKEN=token-of-the-job ID=firebreak

state() { # state FILTER: what there is, changed by jq
	: >"$WORK/api/log"
	jq -n '{comments: [], pulls: [], artifacts: [], fail: []} | '"$1" >"$WORK/api/state.json"
}
now() { jq -r "$1" "$WORK/api/state.json"; }
fails() { ! "$@"; }
calls() { cut -d ' ' -f 1,3 "$WORK/api/log" | tr '\n' ' '; }

# --- one comment
{ echo '<!-- firebreak-comment: firebreak -->'; echo '## ✅ Pass: "quoted" \ $(touch injected) `code`'; } >"$WORK/body"
comment() { # comment [NAME=VALUE...]
	env NUMBER=12 BODY="$WORK/body" "$@" bash "$GITHUB/comment.sh" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
state .
comment
check "a comment is added" is "$CODE $(calls)" "0 GET 200 POST 201 "
check "with the text as it is" is "$(now '.comments[0].body')" "$(cat "$WORK/body")"
check "every call had the token" is "$(grep -c ' token$' "$WORK/api/log")" 2
echo 'newer' >>"$WORK/body"
comment
check "a second run replaces it" is "$CODE $(now '.comments | length')" "0 1"
check "by the newer text" is "$(now '.comments[0].body' | sed '/^$/d' | tail -n 1)" newer
sed 's/: firebreak -->/: arm64 -->/' "$WORK/body" >"$WORK/other"
comment BODY="$WORK/other" ID=arm64
check "another id has a comment of its own" is "$CODE $(now '.comments | length')" "0 2"
state '.comments = [range(250) | {id: ., issue: 12, login: "somebody", body: "x"}] + [{id: 900, issue: 12, login: "github-actions[bot]", body: "<!-- firebreak-comment: firebreak -->\r\nold"}]'
comment
check "it is found on the third page" is "$CODE $(calls)" "0 GET 200 GET 200 GET 200 PATCH 200 "
state '.comments = [{id: 5, issue: 12, login: "mallory", body: "<!-- firebreak-comment: firebreak -->\nmine"}]'
comment
check "a comment that somebody else wrote is not touched" is "$CODE $(now '[.comments[] | .login] | join(" ")')" "0 mallory github-actions[bot]"
state '.comments = [{id: 5, issue: 12, login: "github-actions[bot]", body: "see <!-- firebreak-comment: firebreak -->"}]'
comment
check "nor is one that only quotes the marker" is "$CODE $(now '.comments | length')" "0 2"

# --- what the API does
state '.fail = [{match: "POST", status: 502, times: 2}]'
comment
check "an error of the server is tried again" is "$CODE $(calls)" "0 GET 200 POST 502 POST 502 POST 201 "
state '.fail = [{match: "GET", status: 403, times: 1, headers: {"x-ratelimit-remaining": "0"}}, {match: "POST", status: 429, times: 1, headers: {"retry-after": "1"}}]'
comment
check "so is a rate limit" is "$CODE $(calls)" "0 GET 403 GET 200 POST 429 POST 201 "
state '.fail = [{match: "POST", status: 403, times: 9}]'
comment
check "a refusal is not, and is said" bash -c "[ $CODE = 1 ] && [ '$(calls)' = 'GET 200 POST 403 ' ] && grep -q 'GitHub says 403 to POST' '$WORK/stderr'"
state '.fail = [{match: "GET", status: 500, times: 9}]'
comment
check "it gives up after four tries" is "$CODE $(calls)" "1 GET 500 GET 500 GET 500 GET 500 "
comment GITHUB_API_URL=http://127.0.0.1:1
check "without a server, too" is "$CODE" 1
check "the token is in no message" bash -c "! grep -q token-of-the-job '$WORK/stdout' '$WORK/stderr'"
{ echo '<!-- firebreak-comment: firebreak -->'; head -c 65000 /dev/zero | tr '\0' x; } >"$WORK/long"
state .
comment BODY="$WORK/long"
check "what is too long is not sent" is "$CODE $(calls)" "2 "
comment BODY=/etc/passwd
check "nor what is no comment of firebreak" is "$CODE $(calls)" "2 "
for number in '' 0 12x '1/../2' "$(printf '1\n2')"; do
	comment NUMBER="$number"
	check "${number@Q} is no pull request" is "$CODE $(calls)" "2 "
done
comment TOKEN=$'a"\nurl = "http://evil.example'
check "a token cannot be more than one" is "$CODE $(calls)" "2 "

# --- forks
SHA=5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80
forked='.pulls = [{number: 7, state: "open", head: {sha: "'$SHA'", label: "stranger:fast/er", repo: {full_name: "stranger/catalog"}}, base: {repo: {full_name: "example/catalog"}}}]
	| .artifacts = [{id: 44, name: "firebreak", expired: false, size_in_bytes: 1000, workflow_run: {head_sha: "'$SHA'"}}]'
receive() { # receive [NAME=VALUE...]
	env PROGRAM="$FIREBREAK" RUN_ID=99 RUN_EVENT=pull_request HEAD_SHA=$SHA HEAD_REPOSITORY=stranger/catalog HEAD_BRANCH=fast/er \
		ARTIFACT_NAME=firebreak "$@" bash "$GITHUB/receive.sh" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
pack() { # pack NAME=FILE...: the artifact
	python3 - "$WORK/api/zip" "$@" <<'PY'
import sys, zipfile, warnings
warnings.simplefilter("ignore")
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for entry in sys.argv[2:]:
        name, _, file = entry.partition("=")
        link = name.startswith("link:")
        info = zipfile.ZipInfo(name.removeprefix("link:"))
        info.external_attr = (0o120777 if link else 0o100644) << 16
        archive.writestr(info, file if link else open(file, "rb").read(), zipfile.ZIP_DEFLATED)
PY
}
writes_nothing() { [ "$CODE" = 0 ] && ! grep -qE '^(POST|PATCH)' "$WORK/api/log" && grep -q '^::warning title=firebreak::no comment: ' "$WORK/stdout"; }
REPORT=$build/report-regression.json

state "$forked"
pack "report.json=$REPORT"
receive
check "the pull request of a fork gets its comment" is "$CODE $(now '.comments | map(.issue) | tostring')" "0 [7]"
check "which is rendered from its report" bash -c "jq -r '.comments[0].body' '$WORK/api/state.json' | sed -n 2p | grep -q '^## ❌ Regression: '"
check "and links to the run that measured" bash -c "jq -r '.comments[0].body' '$WORK/api/state.json' | grep -q 'https://github.com/example/catalog/actions/runs/99/artifacts/44'"
check "the storage did not get the token" is "$(grep -c '^GET /blob/zip 200 0 no-token$' "$WORK/api/log")" 1
receive
check "a second run replaces it" is "$CODE $(now '.comments | length')" "0 1"

for change in '.pulls[0].head.sha = "1111111111111111111111111111111111111111"' '.pulls[0].state = "closed"' '.pulls = []' \
	'.pulls[0].head.repo.full_name = "other/catalog"' '.pulls[0].base.repo.full_name = "stranger/catalog"' '.pulls += .pulls' \
	'.artifacts = []' '.artifacts += .artifacts' '.artifacts[0].expired = true' '.artifacts[0].size_in_bytes = 900000000' \
	'.artifacts[0].workflow_run.head_sha = "1111111111111111111111111111111111111111"'; do
	state "$forked | $change"
	receive
	check "no comment if $change" writes_nothing
done
state "$forked"
for variable in RUN_EVENT=push RUN_EVENT=workflow_dispatch RUN_ID=9/../8 RUN_ID= HEAD_SHA=main HEAD_SHA= HEAD_REPOSITORY=a/b/c \
	HEAD_REPOSITORY='$(touch injected)/x' HEAD_BRANCH= ARTIFACT_NAME='a&name=b'; do
	receive "$variable"
	check "nor with ${variable}" writes_nothing
done
receive HEAD_BRANCH='fast/er&state=closed'
check "a branch cannot add to the question" writes_nothing
check "it was asked for as it is" grep -q 'head=stranger%3Afast%2Fer%26state%3Dclosed ' "$WORK/api/log"

# --- asked for by a comment
asked() { receive RUN_EVENT=issue_comment NUMBER=7 HEAD_REPOSITORY= HEAD_BRANCH= "$@"; }
state "$forked"
asked
check "a comment that asks for it gets one" is "$CODE $(now '.comments | map(.issue) | tostring')" "0 [7]"
state "$forked"
for number in '' 8 0 '7/../8' '7?x'; do
	asked NUMBER="$number"
	check "asked of the pull request '$number' there is none" writes_nothing
done
state "$forked | .pulls[0].state = \"closed\""
asked
check "nor of a closed one" writes_nothing

# --- hostile artifacts
edited() { jq "$1" "$REPORT" >"$WORK/edited.json"; pack "report.json=$WORK/edited.json"; }
hostile() { # hostile WHAT: no comment, and nothing of it is anywhere
	state "$forked"
	receive
	check "$1: no comment" writes_nothing
}
echo '{}' >"$WORK/empty.json"
head -c 100000 /dev/urandom >"$WORK/noise"
pack "../../report.json=$REPORT" "/tmp/report.json=$REPORT" && hostile "a path that leads out"
pack 'link:report.json=/etc/passwd' && hostile "a link in place of the report"
pack "report.json=$REPORT" "report.json=$REPORT" && hostile "two reports"
pack "report.json=$WORK/empty.json" && hostile "a report that is none"
pack "report.json=$WORK/noise" && hostile "bytes"
cp "$WORK/noise" "$WORK/api/zip" && hostile "no archive"
pack "summary.md=$REPORT" "comment.md=$REPORT" && hostile "a text that claims to be the comment"
head -c 70000000 /dev/zero >"$WORK/zeros" && pack "report.json=$WORK/zeros" && hostile "a small archive with a huge report"
rm -f "$WORK/zeros"
edited '.verdict = "pass" | .exit_code = 0' && hostile "a verdict that its own numbers deny"
edited '.exit_code = 77' && hostile "an exit code that there is not"
head -c 2000000 "$WORK/noise" >"$WORK/api/zip"
state "$forked"
receive MAX_ARTIFACT=1000
check "an archive larger than the API said: no comment" writes_nothing

# Names that try to be more than text: the comment is there, and they are text in it.
edited '.benchmarks[0].name = "</details><script>alert(1)</script> @everyone [x](https://evil.example) `|` <!-- -->"
	| .head.subject = "<!-- firebreak-comment: firebreak -->\n@everyone #1"
	| .benchmarks[0].artifacts.diff_svg = "../../secret"'
state "$forked"
receive
body=$WORK/posted
now '.comments[0].body' >"$body"
check "a hostile name is posted as text" is "$CODE $(head -n 1 "$body")" "0 <!-- firebreak-comment: firebreak -->"
if command -v cmark-gfm >/dev/null; then
	cmark-gfm --unsafe -e table -e autolink "$body" | sed 's/<code[^>]*>[^<]*<\/code>//g' >"$WORK/rendered"
	check "no element of it is there" fails grep -qE '<script|<img|href="https?://evil' "$WORK/rendered"
	check "no mention" fails grep -q '@everyone' "$WORK/rendered"
	check "and one marker" is "$(grep -c '<!--' "$WORK/rendered")" 1
fi
check "nothing was written outside" is "$(find "$SOURCE_DIR" -maxdepth 1 -name injected; ls /tmp/report.json 2>/dev/null)" ''
finish
