#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every event of GitHub that the workflows know, from its payload to what the reader sees: jobs, checkout and steps as a
# runner goes through them (runner.py), with the variables of the event, no terminal, and a HOME that cannot be written to;
# measured by the real program (instructions, under valgrind), and commented on through a pretended API. It ends with a table
# of all paths. BLESS=1 renews tests/golden/github, where each path has exit code, outputs, annotations and comment.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # backquotes of Markdown
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in valgrind curl jq python3 unzip; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
TEMPLATES=$SOURCE_DIR/ci-templates/github
ACTION=$SOURCE_DIR/action.yml
GOLDEN=$SOURCE_DIR/tests/golden/github
RUNNER=(python3 "$SOURCE_DIR/tests/ci-templates/runner.py")
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
unset GITHUB_ACTIONS GITLAB_CI
mkdir "$WORK/home" "$WORK/tmp" "$WORK/api" && chmod 500 "$WORK/home"
: >"$WORK/gitconfig" # never a device: what wrote there as root would replace it
export GIT_CONFIG_GLOBAL=$WORK/gitconfig
python3 "$SOURCE_DIR/tests/ci-templates/fakeapi.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done
port=$(cat "$WORK/api/port")

# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"
# A merge queue has change 1 first, and change 2 on top of it.
git checkout -q -B queue refs/pull/1/merge && QUEUED=$(git rev-parse HEAD)
git merge -q --no-ff -m "Merge pull request #2" topic-2 >/dev/null
git update-ref "refs/heads/gh-readonly-queue/main/pr-2-$QUEUED" queue
git checkout -q main

ref_of() { git -C "$WORK/origin" rev-parse "$1"; }
# event PAYLOAD NUMBER REF [NAME=VALUE...]: the run that an event starts, in $WORK/context; REF is what it is about
event() {
	SHA=$(ref_of "$3") HEAD_SHA=$(ref_of "topic-$2")
	"${RUNNER[@]}" context "$SOURCE_DIR/tests/ci-templates/events/$1.json" NUMBER="$2" SHA="$SHA" HEAD="$HEAD_SHA" STALE="$(ref_of bare)" "${@:4}" |
		jq --arg sha "$SHA" --arg action "$SOURCE_DIR" --arg temp "$WORK/temp" --arg program "$FIREBREAK" '.github += {sha: $sha, action_path: $action, token: "token-of-the-job", run_id: 30433642}
			| .runner.temp = $temp | .program = $program' >"$WORK/context"
	rm -rf "$WORK/temp" && mkdir "$WORK/temp"
	: >"$WORK/summary"
	: >"$WORK/log"
	rm -f "$WORK/checkout"
	jq -n '{comments: [], pulls: [], artifacts: [], fail: []}' >"$WORK/api/state.json"
}
context() { jq "$@" "$WORK/context" >"$WORK/context.new" && mv "$WORK/context.new" "$WORK/context"; }
jobs() { "${RUNNER[@]}" jobs "$TEMPLATES/workflow-$1.yml" "$WORK/context" | tr '\n' ' '; } # jobs WORKFLOW: that start
given() { "${RUNNER[@]}" with "$TEMPLATES/workflow-$1.yml" "$2" "$3" "$WORK/context"; }  # given WORKFLOW JOB ACTION

# checkout WORKFLOW JOB [OPTION...]: as actions/checkout does it with what it is given there; the options, such as --depth=2,
# go before that
checkout() {
	local ref depth=("${@:3}") refs=()
	[ -z "${WITHOUT_CHECKOUT:-}" ] || return 0
	ref=$(given "$1" "$2" actions/checkout@ | jq -r '.ref // empty')
	ref=${ref:-$(jq -r .github.ref "$WORK/context")}
	rm -rf "$WORK/workspace"
	git init -q "$WORK/workspace"
	git -C "$WORK/workspace" remote add origin "file://$WORK/origin"
	if [ ${#depth[@]} = 0 ]; then
		[ "$(given "$1" "$2" actions/checkout@ | jq -r '."fetch-depth"')" = 0 ] || depth=(--depth=1)
		[ ${#depth[@]} -gt 0 ] || refs=('+refs/heads/*:refs/remotes/origin/*')
	fi
	git -C "$WORK/workspace" fetch -q --no-tags "${depth[@]}" origin "${refs[@]}" "+$ref:refs/remotes/of-the-job"
	git -C "$WORK/workspace" checkout -q --detach refs/remotes/of-the-job
}
# step FILE ID: one step of an action, and its outputs into the context; the exit code, or "skipped", in CODE
step() {
	local environment
	CODE=skipped
	"${RUNNER[@]}" step "$1" "$2" "$WORK/context" >"$WORK/environment" || return 0
	mapfile -d '' -t environment <"$WORK/environment"
	"${LINT[@]}" github "$1" "$2" >"$WORK/step.sh"
	: >"$WORK/outputs"
	CODE=0
	(cd "$WORK/workspace" && env -i PATH="$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" XDG_CACHE_HOME="$WORK/cache" CI=true GITHUB_ACTIONS=true \
		GITHUB_OUTPUT="$WORK/outputs" GITHUB_STEP_SUMMARY="$WORK/summary" GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=example/catalog \
		GITHUB_API_URL="http://127.0.0.1:$port" API_PAUSE=0 GIT_CONFIG_GLOBAL="$GIT_CONFIG_GLOBAL" GITHUB_EVENT_NAME="$(jq -r .github.event_name "$WORK/context")" \
		GITHUB_REF="$(jq -r .github.ref "$WORK/context")" GITHUB_SHA="$SHA" "${environment[@]}" \
		bash --noprofile --norc -e -o pipefail "$WORK/step.sh") >>"$WORK/log" 2>&1 </dev/null || CODE=$?
	context --arg id "$2" --arg code "$CODE" --rawfile lines "$WORK/outputs" '.steps[$id] = {outcome: (if $code == "0" then "success" else "failure" end),
		outputs: ($lines | split("\n") | map(select(. != "") | capture("(?<key>[^=]*)=(?<value>.*)")) | from_entries)}'
}
UNPUBLISHED=()
# job WORKFLOW JOB [NAME=VALUE...]: what the job does with the action, given those inputs, too; its exit code in CODE
job() {
	local ended
	context --argjson with "$(given "$1" "$2" OWNER/firebreak@)" '.inputs = $with + {program: .program} | .steps = {}'
	for ended in "${@:3}"; do context --arg name "${ended%%=*}" --arg value "${ended#*=}" '.inputs[$name] = $value'; done
	step "$ACTION" install
	step "$ACTION" check
	ended=$CODE
	# the upload is a foreign action
	if "${RUNNER[@]}" step "$ACTION" keep "$WORK/context" >/dev/null; then
		context '.steps.keep = {outcome: "success", outputs: {"artifact-url": "https://github.com/example/catalog/actions/runs/30433642/artifacts/2"}}'
	fi
	step "$ACTION" publish
	[ "$CODE" = 0 ] || UNPUBLISHED+=("$*: $CODE")
	CODE=$ended
	"${RUNNER[@]}" outputs "$ACTION" "$WORK/context" >"$WORK/outputs"
	jq -r '.comments[].body' "$WORK/api/state.json" >"$WORK/comment"
}
output() { sed -n "s/^$1=//p" "$WORK/outputs"; }
has() { grep -qF -- "$1" "$WORK/comment" || { echo "no: $1"; head -n 20 "$WORK/comment"; return 1; }; }
annotations() { sed -nE '/^::[0-9a-f]{32}::$/,$p' "$WORK/log" | grep -E '^::(error|warning|notice)[ :]'; }
count() { annotations | grep -cE "^::$1[ :]"; }

# shown NAME CODE: what the path leaves is that of its golden file; and it is a line of the table
TABLE=()
shown() {
	local outputs note=none
	outputs="$(output verdict) $(output exit-code)"
	{
		echo "exit code: $CODE"
		sed -E "s|$WORK/temp|RUNNER_TEMP|; s|/[0-9]+(/artifacts/)[0-9]+|/N\\1N|; /^headline=/{s/ error: .*/ error: .../; s/\\b[0-9a-f]{12}\\b/SHA/g; s/[0-9]+([.,][0-9]+)?/N/g; s/[-+−]N/N/g}; s/^/output /" "$WORK/outputs"
		# the remarks depend on the machine
		annotations | grep -vE '^::(warning|notice) title=firebreak%3A [a-z]+_[a-z_]+::' |
			sed -E 's/ error: .*/ error: .../; s/\b[0-9a-f]{12}\b/SHA/g; s/,line=5,/,line=five,/; s/%3A /: /; s/[0-9]+([.,][0-9]+)?/N/g; s/[-+−]N/N/g; s/,line=five,/,line=5,/; s/^/annotation /'
		echo "comment:"
		without_numbers "$WORK/comment"
	} >"$WORK/seen"
	[ ! -s "$WORK/comment" ] || note="$GOLDEN/$1.txt"
	TABLE+=("$1|$(jq -r .github.event_name "$WORK/context")|$CODE|${outputs:-none}|$([ -z "$(output headline)" ] || echo yes)|$([ -z "$(output artifact-url)" ] || echo yes)|$(count error) $(count warning) $(count notice)|$(grep -c . "$WORK/summary")|${note#"$SOURCE_DIR"/}")
	if [ -n "${BLESS:-}" ]; then mkdir -p "$GOLDEN" && cp "$WORK/seen" "$GOLDEN/$1.txt"; fi
	if is "$CODE" "$2" && diff "$GOLDEN/$1.txt" "$WORK/seen"; then return; fi
	tail -n 30 "$WORK/log"
	return 1
}
pull_request() { # pull_request PAYLOAD NUMBER [OPTION-OF-THE-FETCH...]
	event "$1" "$2" "refs/pull/$2/merge"
	checkout example firebreak "${@:3}"
	job example firebreak
}
path=$(printf bench.c | sha256sum | cut -d ' ' -f 1)

# --- pull requests of the repository itself
pull_request pull-request-branch 1
check "a pull request starts the gate, and nothing else" is "$(jobs example)$(jobs badge)$(jobs baselines)$(jobs nightly)$(jobs command)$(jobs fork-comment)" "firebreak "
check "a regression fails the job" shown regression 1
check "against the first parent of the merge commit, and not the stale base of the event" has 'base chosen by `merge-commit`'
check "with the function in the diff of the pull request" has "(https://github.com/example/catalog/pull/1/files#diff-${path}"
check "and how to reproduce it" has "firebreak check -b hash --base $(ref_of main) --head $SHA"
check "the summary is the same" is "$(cat "$WORK/summary")" "$(tail -n +2 "$WORK/comment")"
check "the outputs name a report that is there" json "$(output report)" '.verdict == "regression"'
cp -r "$WORK/temp/firebreak-out" "$WORK/regression"
cp "$WORK/comment" "$WORK/own"
pull_request pull-request-branch 1 --depth=2
check "a clone of the merge commit and its parents will do" is "$CODE $(sed -n 2p "$WORK/comment")" "1 $(sed -n 2p "$WORK/own")"
pull_request pull-request-branch 1 --depth=1
check "one that is too shallow is no pass, and says what to set" bash -c "[ $CODE = 2 ] && grep -q 'fetch-depth: 0' '$WORK/log'"
pull_request pull-request-branch 2
check "a pass passes" shown pass 0
pull_request pull-request-branch 3
check "what does not build is told" shown build-failure 5
pull_request pull-request-branch 4
check "an error beside a regression hides neither it nor its annotation" shown error-beside-regression 4
pull_request pull-request-branch 5
check "an improvement is one" shown improvement 0
pull_request pull-request-branch 6
check "the first change has nothing to compare yet, or is compared by its own rules" shown first-change 0
pull_request pull-request-branch 7
check "an acceptance in a commit passes, and is named" shown accepted 0

# --- inconclusive, with everything measured
if reason=$(perf_events_open 2>&1); then
	settle() { # settle [NAME=VALUE...]: luck may tell the sides apart
		for _ in 1 2 3; do
			event pull-request-branch 9 refs/pull/9/merge
			checkout example firebreak
			job example firebreak "$@"
			[ "$(output verdict)" != inconclusive ] || return 0
		done
	}
	settle
	check "what cannot be told is inconclusive, and fails the job" shown inconclusive 3
	check "though everything was measured" json "$(output report)" '.measured == true and .exit_code == 3'
	settle on-inconclusive=pass
	check "where the project says so, it is a warning" shown inconclusive-let-through 0
	check "and no pass" is "$(output verdict) $(output exit-code)" "inconclusive 3"
else
	echo "not run: an inconclusive result: $reason"
fi

# --- two shards, and what joins them
for shard in 1 2; do
	event pull-request-branch 1 refs/pull/1/merge
	context --argjson shard $shard '.matrix = {shard: $shard} | .strategy = {"job-total": 2}'
	checkout shards-example shard
	job shards-example shard
	check "shard $shard is asked for, and has no comment" is "$(jq -r .inputs.shard "$WORK/context") $(wc -c <"$WORK/comment")" "$shard/2 0"
	mkdir -p "$WORK/shards" && cp -r "$WORK/temp/firebreak-out" "$WORK/shards/firebreak-shard-$shard"
done
event pull-request-branch 1 refs/pull/1/merge
rm -rf "$WORK/workspace" && mkdir "$WORK/workspace" && cp -r "$WORK/shards" "$WORK/workspace/shards" # that job checks nothing out
job shards-example firebreak
check "joined shards have the verdict of all" shown shards 1

# --- a merge queue: what is before the change in the queue is not blamed on it
event merge-group 2 queue BASE="$QUEUED"
check "a merge queue starts the gate" is "$(jobs example)$(jobs shards-example)" "firebreak shard "
checkout example firebreak
job example firebreak
check "of a merge queue only the change itself is judged" shown merge-queue 0
check "with what is before it as its base" json "$(output report)" ".base.sha == \"$QUEUED\""
check "and the summary page is there" grep -q '^## ✅ Pass: 2 benchmarks passed$' "$WORK/summary"

# --- commits of the default branch
git -C "$WORK/origin" update-ref refs/heads/main refs/pull/1/merge
event push 1 main BEFORE="$(ref_of main^1)"
check "a push starts badge and baselines" is "$(jobs badge)$(jobs baselines)$(jobs example)$(jobs nightly)" "measure baseline "
checkout badge measure
job badge measure
check "a commit of the default branch is compared with the one before" shown push 1
event push 1 main BEFORE="$(ref_of main^1)"
checkout baselines baseline
job baselines baseline
check "its baseline is measured" is "$CODE $(output exit-code)" "0 0"
check "and pushed" git -C "$WORK/origin" show-ref --quiet --verify "$(git -C "$WORK/origin" for-each-ref --format='%(refname)' refs/firebreak | head -n 1)"
event push 1 topic-1 BEFORE="$(ref_of main)"
context '.github.ref = "refs/heads/topic-1"'
check "a push to another branch starts nothing" is "$(jobs badge)$(jobs baselines)" ""
event schedule 1 main
check "the schedule starts the nightly job" is "$(jobs nightly)$(jobs example)$(jobs badge)" "trust "
context '.github.event.schedule = "0 0 * * 0"'
check "and no other schedule does" is "$(jobs nightly)" ""
event schedule 1 main
checkout nightly trust
job nightly trust
check "it is calibrated" shown nightly-calibrate 0
event schedule 1 main
job nightly trust mode=self-test
check "and tested with a planted delay" shown nightly-self-test 0
git -C "$WORK/origin" update-ref refs/heads/main refs/pull/1/merge^1

# --- the same pull request from a fork: measured without rights, commented on by the workflow that follows
pull_request pull-request-fork 1
check "in a fork the job fails as well, and writes nothing" is "$CODE $(wc -c <"$WORK/comment") $(wc -c <"$WORK/api/log" 2>/dev/null || echo 0)" "1 0 $(wc -c <"$WORK/api/log" 2>/dev/null || echo 0)"
check "its summary says the same" is "$(sed -n 1,3p "$WORK/summary")" "$(sed -n 2,4p "$WORK/own")"
check "and its functions are annotated" is "$(count error)" 3
cp "$WORK/outputs" "$WORK/outputs.fork" && cp "$WORK/log" "$WORK/log.fork" && cp "$WORK/summary" "$WORK/summary.fork"
pack() { rm -f "$WORK/api/zip" && (cd "$WORK/temp/firebreak-out" && python3 -m zipfile -c "$WORK/api/zip" ./*); }
pack
# receive WORKFLOW JOB ARTIFACT-SHA: the job that comments, with the pull request as the API has it
receive() {
	jq -n --arg head "$HEAD_SHA" --arg sha "$3" '{comments: [], fail: [],
		pulls: [{number: 1, state: "open", head: {sha: $head, label: "stranger:topic-1", repo: {full_name: "stranger/catalog"}}, base: {repo: {full_name: "example/catalog"}}}],
		artifacts: [{id: 2, name: "firebreak", expired: false, size_in_bytes: 1000, workflow_run: {head_sha: $sha}}]}' >"$WORK/api/state.json"
	context --argjson with "$(given "$1" "$2" OWNER/firebreak/ci-templates/github/comment@)" --arg action "$TEMPLATES/comment" \
		'.inputs = $with + {program: .program} | .steps = {} | .github.action_path = $action'
	step "$TEMPLATES/comment/action.yml" install
	step "$TEMPLATES/comment/action.yml" receive
	jq -r '.comments[].body' "$WORK/api/state.json" >"$WORK/comment"
}
event workflow-run 1 main WORKFLOW=performance EVENT=pull_request REPOSITORY=stranger/catalog
check "the end of that run starts the job that comments" is "$(jobs fork-comment)" "comment "
receive fork-comment comment "$HEAD_SHA"
check "which adds a comment" grep -q '^added a comment$' "$WORK/log"
cp "$WORK/outputs.fork" "$WORK/outputs" && cp "$WORK/log.fork" "$WORK/log" && cp "$WORK/summary.fork" "$WORK/summary"
CODE=1
check "as that of a branch has it" shown fork 1
for run in 'performance push stranger/catalog' 'performance pull_request example/catalog' 'other pull_request stranger/catalog'; do
	read -r workflow of repository <<<"$run"
	event workflow-run 1 main WORKFLOW="$workflow" EVENT="$of" REPOSITORY="$repository"
	check "the end of $run starts nothing" is "$(jobs fork-comment)" ""
done

# --- asked for by a comment
event issue-comment 1 main BODY=/firebreak ASSOCIATION=MEMBER
check "/firebreak of a member measures once more" is "$(jobs command)" "measure "
checkout command measure
job command measure
check "the pull request, against what it is merged with" shown command 1
pack
context '.needs = {measure: {result: "failure"}}'
check "and the other job comments" is "$(jobs command)" "measure comment "
receive command comment "$SHA"
check "on that pull request" is "$(jq -r '.comments | map(.issue) | tostring' "$WORK/api/state.json") $(sed -n 2p "$WORK/comment")" "[1] $(sed -n 2p "$WORK/own")"
for asked in '/firebreak NONE' '/firebreak CONTRIBUTOR' '/firebreak FIRST_TIMER' 'please /firebreak MEMBER' '/firebreak2 OWNER'; do
	event issue-comment 1 main BODY="${asked% *}" ASSOCIATION="${asked##* }"
	context '.needs = {measure: {result: "skipped"}}'
	check "\"${asked% *}\" of ${asked##* } starts nothing" is "$(jobs command)" ""
done
event issue-comment 1 main BODY=/firebreak ASSOCIATION=OWNER
context '.needs = {measure: {result: "skipped"}} | del(.github.event.issue.pull_request)'
check "nor does one on an issue" is "$(jobs command)" ""
check "publishing failed no job" is "${UNPUBLISHED[*]}" "baselines baseline: skipped"
check "jobs leave nothing behind" is "$(ls "$WORK/tmp")" ''

{
	echo "path|event|exit code|verdict, code|headline|artifact|errors, warnings, notices|lines of the summary|comment"
	printf '%s\n' "${TABLE[@]}"
} | column -t -s '|'
finish
