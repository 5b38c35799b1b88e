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
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"

# --- rules
mapfile -t templates < <(find "$TEMPLATES" "$SOURCE_DIR/templates" -name '*.yml' | sort)
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

# A job of root that writes where GIT_CONFIG_GLOBAL points replaces the device /dev/null by a file.
configures() { grep -rnE 'git( -C [^ ]+)? config .*--(global|system)' "$TEMPLATES" "$SOURCE_DIR/templates" "$SOURCE_DIR/.github" "$ACTION"; }
check "no script writes configuration of git that is not its own" is "$(configures)" ''

# --- the pretended program
mkdir "$WORK/bin"
cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/bin/firebreak"
export STUB_ARGUMENTS=$WORK/arguments

arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }

# --- Kubernetes
CLUSTER=$TEMPLATES/kubernetes/firebreak-shards.yml
python3 - "$CLUSTER" >"$WORK/pod.sh" <<'PY'
import sys, yaml
print(list(yaml.safe_load_all(open(sys.argv[1])))[0]["spec"]["template"]["spec"]["containers"][0]["args"][0].replace("/work/", "./"))
PY
mkdir "$WORK/pod" "$WORK/pod/bin"
printf '#!/bin/sh\nmkdir -p repository\n' >"$WORK/pod/bin/git" && chmod +x "$WORK/pod/bin/git"
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
