#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CI templates: they parse, keep the rules against injection, and their scripts do the right thing for each way in
# which the gate can end. The scripts run for real, with a program that only pretends to measure.
# SOURCE_DIR is the repository.
# shellcheck disable=SC2016 # texts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
TEMPLATES=$SOURCE_DIR/ci-templates
ACTION=$SOURCE_DIR/action.yml
GITLAB=$TEMPLATES/gitlab/firebreak.gitlab-ci.yml
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"

# --- rules
mapfile -t templates < <(find "$TEMPLATES" -name '*.yml' | sort)
for template in "$ACTION" "${templates[@]}"; do
	check "${template#"$SOURCE_DIR"/} parses and keeps the rules" "${LINT[@]}" check "$template"
done
cat >"$WORK/bad.yml" <<'Y'
runs:
  using: composite
  steps:
    - run: echo ${{ inputs.base }}
    - uses: actions/checkout@v4
Y
check "an expression in run:, a missing shell: and an unpinned action are found" is \
	"$("${LINT[@]}" check "$WORK/bad.yml" | wc -l)" 3
cat >"$WORK/bad-workflow.yml" <<'Y'
on: {workflow_run: {}, pull_request: {}}
permissions: {contents: read}
jobs:
  x: {permissions: {contents: write, actions: read}, steps: [{uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1}]}
Y
check "rights beside foreign code and a checkout after workflow_run are found" is "$("${LINT[@]}" check "$WORK/bad-workflow.yml" | wc -l)" 3
printf 'job:\n  script:\n    - echo $[[ inputs.base ]]\n' >"$WORK/bad-gitlab.yml"
check "an input in a GitLab script is found" is "$("${LINT[@]}" check "$WORK/bad-gitlab.yml" | wc -l)" 1

# --- the pretended program
mkdir "$WORK/bin"
cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/bin/firebreak"
export STUB_ARGUMENTS=$WORK/arguments

arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }

# --- GitLab
"${LINT[@]}" gitlab "$GITLAB" firebreak >"$WORK/gitlab.sh"
git init -q "$WORK/project"
# gitlab SHELL CODE REPORTED [NAME=VALUE...]
gitlab() {
	(cd "$WORK/project" && env HOME="$WORK" PATH="$WORK/bin:$PATH" CI_PROJECT_DIR="$WORK/project" FIREBREAK_SOURCE="" \
		FIREBREAK_REVISION="" FIREBREAK_BASE="" STUB_CODE="$2" STUB_REPORTED="$3" "${@:4}" \
		"$1" -e "$WORK/gitlab.sh") >"$WORK/log" 2>&1
	CODE=$?
}
for shell in bash sh; do
	for code in 0 1 3 4; do
		gitlab $shell $code $code
		check "gitlab, $shell: exit code $code ends the job with it" is "$CODE" "$code"
		check "gitlab, $shell: $code is in the dotenv report" is "$(cat "$WORK/project/firebreak-out/verdict.env")" "FIREBREAK_EXIT_CODE=$code"
		check "gitlab, $shell: $code leaves a code quality report" is "$(cat "$WORK/project/firebreak-out/codequality.json")" '[]'
		check "gitlab, $shell: $code shows the summary" grep -q 'a line of the summary' "$WORK/log"
	done
	gitlab $shell 1 1 STUB_REPORT_CODE=2
	check "gitlab, $shell: without code quality report the verdict is the same" is "$CODE" 1
	gitlab $shell 0 none
	check "gitlab, $shell: a pass without a report fails" is "$CODE" 4
	gitlab $shell 3 3
	check "gitlab, $shell: what was measured and did not settle stays 3" is "$CODE" 3
	gitlab $shell 3 3 STUB_MEASURED=false
	check "gitlab, $shell: what was not measured is no warning" is "$CODE $(cat "$WORK/project/firebreak-out/verdict.env")" "4 FIREBREAK_EXIT_CODE=4"
	gitlab $shell 0 0 FIREBREAK_BASE='a b; exit 9'
	check "gitlab, $shell: a base stays one argument" grep -qxF 'a b; exit 9' "$STUB_ARGUMENTS"
done

mkdir "$WORK/source"
printf '#!/bin/bash\nset -e\ncd "$(dirname "$0")"\nmkdir -p "build/$2"\ncp "%s" "build/$2/$3"\n' "$WORK/bin/firebreak" >"$WORK/source/dev"
chmod +x "$WORK/source/dev"
git -C "$WORK/source" init -q
git -C "$WORK/source" add dev
git -C "$WORK/source" -c user.name=dev -c user.email=dev@example.org commit -q -m stub
mkdir "$WORK/tools"
for tool in bash git sh mkdir cp dirname mktemp rm cat jq head yes; do ln -s "$(command -v $tool)" "$WORK/tools/$tool"; done
gitlab bash 1 1 PATH="$WORK/tools" FIREBREAK_SOURCE="$WORK/source" FIREBREAK_REVISION="$(git -C "$WORK/source" rev-parse HEAD)"
check "gitlab: the program is built from the pinned revision" is "$CODE" 1
gitlab bash 0 0 PATH="$WORK/tools" FIREBREAK_SOURCE="$WORK/source" FIREBREAK_REVISION=main
check "gitlab: a revision that is no full SHA is refused" is "$CODE" 8
gitlab bash 0 0 PATH="$WORK/tools"
check "gitlab: without program and source the job says what to set" bash -c "[ $CODE = 8 ] && grep -q 'revision' '$WORK/log'"
check "gitlab: only an inconclusive result is a warning, artifacts are always kept" python3 - "$GITLAB" <<'PY'
import sys, yaml
job = list(yaml.safe_load_all(open(sys.argv[1])))[1]["firebreak"]
assert job["allow_failure"] == {"exit_codes": [3]}, job["allow_failure"]
assert job["artifacts"]["when"] == "always"
assert job["artifacts"]["reports"] == {"dotenv": "firebreak-out/verdict.env", "junit": "firebreak-out/junit.xml", "codequality": "firebreak-out/codequality.json"}
PY

# --- GitLab, split
SPLIT=$TEMPLATES/gitlab/firebreak-shards.gitlab-ci.yml
"${LINT[@]}" gitlab "$SPLIT" firebreak-shard >"$WORK/shard.sh"
"${LINT[@]}" gitlab "$SPLIT" firebreak >"$WORK/join.sh"
split() { # split SCRIPT CODE REPORTED [NAME=VALUE...]
	cp "$1" "$WORK/gitlab.sh"
	gitlab sh "$2" "$3" FIREBREAK_MIXED_MACHINES=true CI_NODE_INDEX=2 CI_NODE_TOTAL=4 "${@:4}"
}
mkdir "$WORK/project/firebreak-shard-9"
split "$WORK/shard.sh" 1 1
check "gitlab: a shard is told which part it is, counted from 1" arguments_are check --out firebreak-shard-2 --shard 2/4
check "gitlab: and keeps nothing of an earlier pipeline" test ! -e "$WORK/project/firebreak-shard-9"
split "$WORK/shard.sh" 0 0 FIREBREAK_BASE='a b'
check "gitlab: a base stays one argument of a shard" arguments_are check --out firebreak-shard-2 --shard 2/4 --base 'a b'
mkdir "$WORK/project/firebreak-shard-1"
split "$WORK/join.sh" 1 1
check "gitlab: the join reads the folders of all shards" arguments_are merge --out firebreak-out --mixed-machines firebreak-shard-1 firebreak-shard-2
check "gitlab: and ends with the verdict of all" is "$CODE $(cat "$WORK/project/firebreak-out/verdict.env")" "1 FIREBREAK_EXIT_CODE=1"
split "$WORK/join.sh" 0 0 FIREBREAK_MIXED_MACHINES=false
check "gitlab: unlike machines are refused if told so" arguments_are merge --out firebreak-out firebreak-shard-1 firebreak-shard-2
split "$WORK/join.sh" 3 3 STUB_MEASURED=false
check "gitlab: a join of what was not measured is no warning" is "$CODE" 4
split "$WORK/join.sh" 0 none
check "gitlab: a join without a report fails" is "$CODE" 4
check "gitlab: the join alone decides, and the program is built as for one job" python3 - "$GITLAB" "$SPLIT" <<'PY'
import sys, yaml
one = list(yaml.safe_load_all(open(sys.argv[1])))[1]["firebreak"]
jobs = list(yaml.safe_load_all(open(sys.argv[2])))[1]
assert jobs["firebreak-shard"]["allow_failure"] is True
assert jobs["firebreak"]["allow_failure"] == one["allow_failure"]
assert jobs["firebreak"]["artifacts"] == one["artifacts"]
assert jobs[".firebreak"]["before_script"] == one["before_script"]
PY

# --- Kubernetes
CLUSTER=$TEMPLATES/kubernetes/firebreak-shards.yml
python3 - "$CLUSTER" >"$WORK/pod.sh" <<'PY'
import sys, yaml
print(list(yaml.safe_load_all(open(sys.argv[1])))[0]["spec"]["template"]["spec"]["containers"][0]["args"][0].replace("/work/", "./"))
PY
printf '#!/bin/sh\nmkdir -p repository\n' >"$WORK/tools/cloning" && chmod +x "$WORK/tools/cloning"
mkdir "$WORK/pod" "$WORK/pod/bin" && ln -s "$WORK/tools/cloning" "$WORK/pod/bin/git"
# shellcheck disable=SC2031 # the pod has a PATH of its own
(cd "$WORK/pod" && env PATH="$WORK/pod/bin:$WORK/bin:$PATH" JOB_COMPLETION_INDEX=0 SHARDS=4 RUN=r1 BASE=b HEAD=h REPOSITORY=x \
	STUB_CODE=0 STUB_REPORTED=none sh -ec "$(cat "$WORK/pod.sh")") >/dev/null 2>&1
check "kubernetes: the first pod is shard 1" arguments_are check --base b --head h --shard 1/4 --out /results/r1/shard-0
check "kubernetes: as many pods as shards, and only what another try may change is tried again" python3 - "$CLUSTER" <<'PY'
import sys, yaml
shards, join = yaml.safe_load_all(open(sys.argv[1]))
spec = shards["spec"]
assert spec["completionMode"] == "Indexed"
env = {e["name"]: e["value"] for e in spec["template"]["spec"]["containers"][0]["env"]}
assert int(env["SHARDS"]) == spec["completions"] == spec["parallelism"] == spec["maxFailedIndexes"]
assert spec["podFailurePolicy"]["rules"][0]["onExitCodes"]["values"] == [1, 2, 3, 5, 6, 8, 9]
assert join["spec"]["backoffLimit"] == 0
PY
finish
