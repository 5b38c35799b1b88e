#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pull requests of a small project through the steps of action.yml, as a runner goes through them: a fresh shallow clone of
# the merge commit, the variables of the event, no terminal, a HOME that cannot be written to; measured by the real program
# (instructions, under valgrind), and commented on through a pretended API.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # backquotes of Markdown
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in valgrind curl jq python3 unzip; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
ACTION=$SOURCE_DIR/action.yml
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
unset GITHUB_ACTIONS GITLAB_CI
mkdir "$WORK/home" "$WORK/tmp" "$WORK/api" && chmod 500 "$WORK/home"
export GIT_CONFIG_GLOBAL=/dev/null
for id in check publish; do
	"${LINT[@]}" github "$ACTION" $id >"$WORK/$id.sh"
	"${LINT[@]}" env "$ACTION" $id >"$WORK/$id.env"
done
python3 "$SOURCE_DIR/tests/ci-templates/fakeapi.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done
port=$(cat "$WORK/api/port")

# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"

# job NUMBER [NAME=VALUE...]: checkout, check and publish of a pull request; the exit code in $CODE
step() { # step ID NAME=VALUE...
	local id=$1 environment
	mapfile -t environment <"$WORK/$id.env"
	shift
	(cd "$WORK/workspace" && env -i PATH="$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" XDG_CACHE_HOME="$WORK/cache" CI=true GITHUB_ACTIONS=true \
		GITHUB_OUTPUT="$WORK/outputs" GITHUB_STEP_SUMMARY="$WORK/summary" GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=example/catalog \
		GITHUB_API_URL="http://127.0.0.1:$port" API_PAUSE=0 GIT_CONFIG_GLOBAL=/dev/null GITHUB_EVENT_NAME=pull_request "${environment[@]}" \
		ACTION="$SOURCE_DIR" PROGRAM="$FIREBREAK" OUT="$WORK/out" "$@" \
		bash --noprofile --norc -e -o pipefail "$WORK/$id.sh") >>"$WORK/log" 2>&1 </dev/null
}
checkout() { # checkout NUMBER [--depth=2]: as actions/checkout does with fetch-depth: 2, or 0
	rm -rf "$WORK/workspace" "$WORK/out"
	git init -q "$WORK/workspace"
	git -C "$WORK/workspace" fetch -q --no-tags "${@:2}" "file://$WORK/origin" "+refs/pull/$1/merge:refs/remotes/pull/$1/merge"
	git -C "$WORK/workspace" checkout -q --detach "refs/remotes/pull/$1/merge"
	sha=$(git -C "$WORK/workspace" rev-parse HEAD)
	: >"$WORK/outputs"
	: >"$WORK/summary"
	: >"$WORK/log"
}
job() {
	local number=$1 depth=(--depth=2)
	shift
	[ "$number" != 7 ] || depth=() # trailers stand in commits that a shallow clone lacks
	checkout "$number" "${depth[@]}"
	jq -n '{comments: [], pulls: [], artifacts: [], fail: []}' >"$WORK/api/state.json"
	CODE=0
	step check GITHUB_REF="refs/pull/$number/merge" GITHUB_SHA="$sha" "$@" || CODE=$?
	step publish GITHUB_REF="refs/pull/$number/merge" GITHUB_SHA="$sha" ID=firebreak TOKEN=token-of-the-job EVENT=pull_request \
		HEAD_REPOSITORY=example/catalog NUMBER="$number" COMMENT=auto ARTIFACT_URL=https://github.com/example/catalog/actions/runs/1/artifacts/2
	jq -r '.comments[].body' "$WORK/api/state.json" >"$WORK/comment"
}
output() { sed -n "s/^$1=//p" "$WORK/outputs"; }
ended() { # ended CODE VERDICT COUNTS: job, outputs and comment say so
	if is "$CODE $(output verdict) $(output exit-code)" "$1 $2 $1" && is "$(sed -n 4p "$WORK/comment")" "$3" && [ -n "$(output headline)" ]; then return; fi
	tail -n 30 "$WORK/log"
	return 1
}
has() { grep -qF -- "$1" "$WORK/comment" || { echo "no: $1"; head -n 20 "$WORK/comment"; return 1; }; }
logs() { grep -qE -- "$1" "$WORK/log" || { tail -n 30 "$WORK/log"; return 1; }; }
path=$(printf bench.c | sha256sum | cut -d ' ' -f 1)

job 1
check "a regression fails the job" ended 1 regression "1 slower, 1 unchanged"
check "against the first parent of the merge commit" has 'base chosen by `merge-commit`'
check "with the function in the diff of the pull request" has "(https://github.com/example/catalog/pull/1/files#diff-${path}"
check "which is annotated where it was edited" logs '^::error file=bench.c,line=5,title=firebreak%3A hash::'
check "the comment begins with its marker" is "$(head -n 1 "$WORK/comment")" '<!-- firebreak-comment: firebreak -->'
check "and says how to reproduce it" has "firebreak check -b hash --base $(git rev-parse main) --head $sha"
check "the summary is the same" is "$(cat "$WORK/summary")" "$(tail -n +2 "$WORK/comment")"
cp -r "$WORK/out" "$WORK/regression"
cp "$WORK/comment" "$WORK/own"
job 2
check "a pass passes" ended 0 pass "2 unchanged"
check "without an annotation of an error" is "$(grep -c '^::error' "$WORK/log")" 0
job 3
check "what does not build is told" bash -c "[ $CODE = 5 ] && [ '$(output verdict)' = error ] && sed -n 2p '$WORK/comment' | grep -q '^## 🚫 Error: '"
job 4
check "an error beside a regression hides it nowhere" ended 4 error "1 slower, 1 broken"
check "nor does it hide its annotation" logs '^::error file=bench.c,line=5,'
job 5
check "an improvement is one" ended 0 pass "1 faster, 1 unchanged"
job 6
check "the first change has nothing to compare yet, or is compared by its own rules" bash -c "[ '$(output verdict)' = pass ] && [ $CODE = 0 ] && [ -s '$WORK/comment' ]"
job 7
check "an acceptance in a commit passes" ended 0 pass "1 accepted, 1 unchanged"
check "and names it" has 'every letter counts'

# --- two shards, and what joins them
for shard in 1 2; do
	checkout 1 --depth=2
	step check GITHUB_REF=refs/pull/1/merge GITHUB_SHA="$sha" SHARD=$shard/2
	mkdir -p "$WORK/shards" && cp -r "$WORK/out" "$WORK/shards/firebreak-shard-$shard"
done
rm -rf "$WORK/out"
job 1 MERGE="$WORK/shards"
check "joined shards have the verdict of all" ended 1 regression "1 slower, 1 unchanged; joined from 2 shards"

# --- the same pull request from a fork: measured without rights, commented on by the workflow that follows
(cd "$WORK/regression" && python3 -m zipfile -c "$WORK/api/zip" ./*)
head=$(git rev-parse topic-1)
jq -n --arg sha "$head" '{comments: [], fail: [],
	pulls: [{number: 1, state: "open", head: {sha: $sha, label: "stranger:topic", repo: {full_name: "stranger/catalog"}}, base: {repo: {full_name: "example/catalog"}}}],
	artifacts: [{id: 2, name: "firebreak", expired: false, size_in_bytes: 1000, workflow_run: {head_sha: $sha}}]}' >"$WORK/api/state.json"
env -i PATH="$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" PROGRAM="$FIREBREAK" GITHUB_API_URL="http://127.0.0.1:$port" GITHUB_SERVER_URL=https://github.com \
	GITHUB_REPOSITORY=example/catalog TOKEN=token-of-the-job ID=firebreak ARTIFACT_NAME=firebreak RUN_ID=1 RUN_EVENT=pull_request HEAD_SHA="$head" \
	HEAD_REPOSITORY=stranger/catalog HEAD_BRANCH=topic bash "$SOURCE_DIR/ci-templates/github/receive.sh" >"$WORK/log" 2>&1 </dev/null
check "that of a fork gets its comment" logs '^added a comment$'
jq -r '.comments[].body' "$WORK/api/state.json" >"$WORK/comment"
check "as that of a branch has it" is "$(sed -n 1,4p "$WORK/comment")" "$(sed -n 1,4p "$WORK/own")"
finish
