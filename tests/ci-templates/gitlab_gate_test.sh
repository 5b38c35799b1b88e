#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Merge requests of a small project through the jobs of templates/firebreak, as a runner goes through them: a fresh clone,
# the variables of the pipeline, no terminal, a HOME that cannot be written to, as root and as somebody else; measured by the
# real program (instructions, under valgrind), with a note through a pretended API. BLESS=1 renews the golden notes.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # backquotes of Markdown
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in valgrind curl jq python3; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
GOLDEN=$SOURCE_DIR/tests/golden/gitlab
unset GITHUB_ACTIONS GITLAB_CI
mkdir -p "$WORK/home" "$WORK/tmp" "$WORK/api" "$WORK/usr/bin" "$WORK/usr/share/firebreak" && chmod 500 "$WORK/home"
: >"$WORK/gitconfig" # never a device: what wrote there as root would replace it
export GIT_CONFIG_GLOBAL=$WORK/gitconfig
# an image with firebreak's package
printf '#!/bin/sh\nexec "%s" "$@"\n' "$FIREBREAK" >"$WORK/usr/bin/firebreak" && chmod +x "$WORK/usr/bin/firebreak"
ln -s "$SOURCE_DIR/ci-templates" "$WORK/usr/share/firebreak/ci-templates"
for job in firebreak:firebreak firebreak:firebreak-note firebreak-shards:firebreak-shard firebreak-shards:firebreak; do
	"${LINT[@]}" gitlab "$SOURCE_DIR/templates/${job%:*}/template.yml" "${job#*:}" >"$WORK/$job.sh"
	"${LINT[@]}" variables "$SOURCE_DIR/templates/${job%:*}/template.yml" "${job#*:}" >"$WORK/$job.env"
done
python3 "$SOURCE_DIR/tests/ci-templates/fakegitlab.py" "$WORK/api" &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/api/port" ] || break; sleep .1; done
port=$(cat "$WORK/api/port")
# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"

# pipeline TYPE NUMBER [TARGET]: a fresh clone of what a pipeline of the type is about, and its variables, in PIPELINE
pipeline() {
	local type=$1 number=$2 target=${3:-main} ref=merge
	[ "$type" != detached ] || ref='head'
	rm -rf "$WORK/builds"
	git init -q "$WORK/builds/group/catalog"
	cd "$WORK/builds/group/catalog" || exit 1
	git remote add origin "file://$WORK/origin"
	[ ${#DEPTH[@]} -gt 0 ] || git fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
	git fetch -q "${DEPTH[@]}" origin "+refs/merge-requests/$number/$ref:refs/pipelines/1"
	git checkout -q --detach refs/pipelines/1
	SHA=$(git rev-parse HEAD) SOURCE=$(git -C "$WORK/origin" rev-parse "refs/merge-requests/$number/head")
	PIPELINE=(CI=true GITLAB_CI=true CI_API_V4_URL="http://127.0.0.1:$port/api/v4" CI_PROJECT_DIR="$PWD" CI_PROJECT_ID=41
		CI_PROJECT_URL=https://gitlab.example/group/catalog CI_PIPELINE_ID=300 CI_PIPELINE_SOURCE=merge_request_event
		CI_JOB_URL=https://gitlab.example/group/catalog/-/jobs/55 CI_COMMIT_SHA="$SHA" CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000
		CI_MERGE_REQUEST_EVENT_TYPE="$type" CI_MERGE_REQUEST_PROJECT_ID=41 CI_MERGE_REQUEST_PROJECT_URL=https://gitlab.example/group/catalog
		CI_MERGE_REQUEST_IID=7 CI_MERGE_REQUEST_TARGET_BRANCH_NAME="$target"
		CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git -C "$WORK/origin" merge-base "$target" "$SOURCE")")
	[ "$type" = detached ] || PIPELINE+=(CI_MERGE_REQUEST_SOURCE_BRANCH_SHA="$SOURCE"
		CI_MERGE_REQUEST_TARGET_BRANCH_SHA="$(git -C "$WORK/origin" rev-parse "$target")")
}
DEPTH=()
run() { # run JOB [NAME=VALUE...]: one job of the pipeline; the exit code in CODE
	local environment
	mapfile -t environment <"$WORK/$1.env"
	"${AS[@]}" env -i PATH="$WORK/usr/bin:$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" GIT_CONFIG_GLOBAL="$GIT_CONFIG_GLOBAL" API_PAUSE=0 \
		"${PIPELINE[@]}" "${environment[@]}" "${@:2}" bash -eo pipefail "$WORK/$1.sh" >"$WORK/log" 2>&1 </dev/null
	CODE=$?
}
AS=()
note() { # what the pipeline leaves on the merge request, in $WORK/note
	mkdir -p "$WORK/api/artifacts/55"
	rm -rf "$WORK/api/artifacts/55/firebreak-out" && cp -r firebreak-out "$WORK/api/artifacts/55/"
	jq -n --arg sha "$SOURCE" '{user: 9, notes: [], fail: [], request: {state: "opened", sha: $sha},
		jobs: [{id: 55, name: "firebreak", pipeline: 300}]}' >"$WORK/api/state.json"
	run firebreak:firebreak-note FIREBREAK_TOKEN="${1-glpat-of-the-bot}"
	jq -r '.notes[].body' "$WORK/api/state.json" >"$WORK/note"
}
# merge_request TYPE NUMBER [TARGET] [NAME=VALUE...]: measure and note
merge_request() {
	pipeline "$1" "$2" "$3"
	run firebreak:firebreak "${@:4}"
	GATE=$CODE
	cp "$WORK/log" "$WORK/log.check"
	note
}
variable() { sed -n "s/^$1=//p" firebreak-out/verdict.env; }
has() { grep -qF -- "$1" "$WORK/note" || { echo "no: $1"; head -n 20 "$WORK/note"; return 1; }; }
ended() { # ended CODE VERDICT: the job, and its variables
	if is "$GATE $(variable FIREBREAK_EXIT_CODE) $(variable FIREBREAK_VERDICT)" "$1 $1 $2" && [ -n "$(variable FIREBREAK_HEADLINE)" ]; then return; fi
	tail -n 20 "$WORK/log.check"
	return 1
}
# golden NAME: what a reader of the note sees first
golden() {
	without_numbers "$WORK/note" >"$WORK/seen"
	if [ -n "${BLESS:-}" ]; then mkdir -p "$GOLDEN" && cp "$WORK/seen" "$GOLDEN/$1.md"; fi
	TABLE+=("$1|$(printf '%s\n' "${PIPELINE[@]}" | sed -n 's/^CI_MERGE_REQUEST_EVENT_TYPE=//p')|$GATE|$(variable FIREBREAK_VERDICT) $(variable FIREBREAK_EXIT_CODE) $(variable FIREBREAK_MEASURED)|$(jq length firebreak-out/codequality.json 2>/dev/null || echo none)|$(grep -c '<testcase' firebreak-out/junit.xml 2>/dev/null)|tests/golden/gitlab/$1.md")
	diff "$GOLDEN/$1.md" "$WORK/seen"
}
TABLE=()
path=$(printf bench.c | sha1sum | cut -d ' ' -f 1)

merge_request detached 1 main
check "a regression fails the job" ended 1 regression
check "its note" golden regression
check "in a detached pipeline base is that of the diff" has 'base chosen by `CI_MERGE_REQUEST_DIFF_BASE_SHA`'
check "the function is linked into the diff of the merge request" has "(https://gitlab.example/group/catalog/-/merge_requests/7/diffs#${path}"
check "flame graph and page are linked at the job that measured" has '(https://gitlab.example/group/catalog/-/jobs/55/artifacts/file/firebreak-out/report.html)'
check "the function is in the code quality report" json firebreak-out/codequality.json '.[0].location.path == "bench.c" and .[0].location.lines.begin == 5'
check "the benchmarks are tests" grep -q '<failure' firebreak-out/junit.xml
check "the page of the job links the report" json firebreak-out/links.json '.firebreak[0].external_link.url | endswith("/-/jobs/55/artifacts/file/firebreak-out/report.html")'
check "git's own configuration is as it was" is "$(cat "$WORK/gitconfig")" ''
cp -r firebreak-out "$WORK/regression"
note ''
check "without a token, as in a fork, there is no note, and no failure" is "$CODE $(wc -c <"$WORK/note") $(grep -c 'no FIREBREAK_TOKEN here, as in pipelines of forks' "$WORK/log")" "0 0 1"
for type in merged_result merge_train; do
	merge_request $type 1 main
	check "in a pipeline of type $type base is the target branch" bash -c "[ $GATE = 1 ] && grep -qF 'base chosen by \`merge-commit\`' '$WORK/note'"
done
merge_request detached 2 main
check "a pass passes" ended 0 pass
check "its note" golden pass
merge_request merged_result 3 main
check "what does not build is told" ended 5 error
check "its note" golden build-failure
merge_request merged_result 4 main
check "an error beside a regression hides it nowhere" ended 4 error
check "its note" golden error-beside-regression
merge_request merged_result 6 bare
check "the first change is compared by its own rules" ended 0 pass
check "its note" golden first-change
if reason=$(perf_events_open 2>&1); then
	merge_request merged_result 8 timed FIREBREAK_ROUNDS=2
	check "too few rounds are inconclusive, and no warning" is "$GATE $(variable FIREBREAK_VERDICT) $(variable FIREBREAK_MEASURED)" "4 inconclusive false"
	check "its note" golden inconclusive
	settle() { # luck may tell the sides apart
		for _ in 1 2 3; do
			merge_request merged_result 9 unsteady
			[ "$GATE" != 3 ] || return 0
		done
	}
	settle
	check "what cannot be told though all was measured ends with 3, which is a warning" is "$GATE $(variable FIREBREAK_VERDICT) $(variable FIREBREAK_MEASURED)" "3 inconclusive true"
	check "its note" golden unclear
else
	echo "not run: an inconclusive result: $reason"
fi
DEPTH=(--depth=1)
merge_request detached 1 main
check "a clone that is too shallow says what to set" grep -q 'GIT_DEPTH: 0' "$WORK/log.check"
check "and is no pass" is "$GATE $(variable FIREBREAK_VERDICT)" "2 error"
DEPTH=()

# --- two shards, and what joins them: each job with a clone of its own, the join with the artifacts of all
mkdir "$WORK/shards"
for shard in 1 2; do
	pipeline merged_result 1 main
	run firebreak-shards:firebreak-shard CI_NODE_INDEX=$shard CI_NODE_TOTAL=2
	check "shard $shard ends" [ "$CODE" -le 1 ]
	cp -r firebreak-shards/* "$WORK/shards/"
done
pipeline merged_result 1 main
mkdir firebreak-shards && cp -r "$WORK"/shards/* firebreak-shards/
run firebreak-shards:firebreak
GATE=$CODE && cp "$WORK/log" "$WORK/log.check"
note
check "joined shards have the verdict of all" ended 1 regression
check "their note" golden shards
pipeline merged_result 1 main
mkdir firebreak-shards && cp -r "$WORK/shards/2" firebreak-shards/
run firebreak-shards:firebreak
check "a shard that left nothing is an error" is "$CODE $(variable FIREBREAK_VERDICT)" "4 error"

# --- as somebody else, who owns the clone, or does not
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	AS=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 711 "$WORK" && chmod 755 "$WORK/home" && chmod 1777 "$WORK/tmp"
	if "${AS[@]}" test -x "$FIREBREAK" -a -r "$WORK/usr/share/firebreak/ci-templates/gitlab/job.sh"; then
		pipeline merged_result 1 main
		chown -R 65534:65534 "$WORK/builds"
		run firebreak:firebreak
		GATE=$CODE && cp "$WORK/log" "$WORK/log.check"
		check "nobody, whose HOME is somebody else's, gets the same verdict" ended 1 regression
		pipeline merged_result 1 main
		chmod -R a+rwX . # as runners leave it: of root, and writable
		run firebreak:firebreak
		GATE=$CODE && cp "$WORK/log" "$WORK/log.check"
		check "also in a clone of another user" ended 1 regression
	else
		echo "not run: as nobody, who cannot read $SOURCE_DIR"
	fi
fi
{
	echo "path|pipeline|exit code|verdict, code, measured|code quality|tests|note"
	printf '%s\n' "${TABLE[@]}"
} | column -t -s '|'
check "jobs leave nothing behind" is "$(ls "$WORK/tmp")" ''
finish
