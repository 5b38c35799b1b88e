#!/bin/bash
# The CI templates: they parse, keep the rules against injection, and their scripts do the right thing for each way in
# which the gate can end. The scripts run for real, with a program that only pretends to measure.
# SOURCE_DIR is the repository.
# shellcheck disable=SC2016 # texts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
TEMPLATES=$SOURCE_DIR/ci-templates
ACTION=$TEMPLATES/github/action.yml
GITLAB=$TEMPLATES/gitlab/firebreak.gitlab-ci.yml
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"

# --- rules
mapfile -t templates < <(find "$TEMPLATES" -name '*.yml' | sort)
for template in "${templates[@]}"; do
	check "${template#"$TEMPLATES"/} parses and keeps the rules" "${LINT[@]}" check "$template"
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
printf 'job:\n  script:\n    - echo $[[ inputs.base ]]\n' >"$WORK/bad-gitlab.yml"
check "an input in a GitLab script is found" is "$("${LINT[@]}" check "$WORK/bad-gitlab.yml" | wc -l)" 1

# --- the pretended program: ends with STUB_CODE, reports STUB_REPORTED, renders with STUB_REPORT_CODE
mkdir "$WORK/bin"
cat >"$WORK/bin/firebreak" <<'STUB'
#!/bin/bash
if [ "$1" = report ]; then
	[ "${STUB_REPORT_CODE:-0}" = 0 ] || { echo half; exit "$STUB_REPORT_CODE"; }
	[ "$4" = github ] && printf '::error title=firebreak%%3A regression::because\n::error file=src/a.c,line=3,title=x::slow\n'
	[ "$4" = codequality ] && echo '[]' >"$6"
	exit 0
fi
printf '%s\n' "$@" >"$STUB_ARGUMENTS"
[ "$1" = check ] || [ "$1" = merge ] || { echo "firebreak 0"; exit 0; }
verdicts=(pass regression error inconclusive error error error error error error)
out=$3
echo "::error::forged by the benchmark"
if [ "$STUB_REPORTED" != none ]; then
	mkdir -p "$out"
	jq -n --argjson code "$STUB_REPORTED" --arg verdict "${verdicts[$STUB_REPORTED]}" --arg reason "${STUB_REASON:-because}" \
		--argjson measured "${STUB_MEASURED:-true}" \
		'{verdict: $verdict, exit_code: $code, measured: $measured, reason: $reason}' >"$out/report.json"
	head -c "${STUB_SUMMARY_BYTES:-100}" < <(yes 'a line of the summary') >"$out/summary.md"
fi
exit "$STUB_CODE"
STUB
chmod +x "$WORK/bin/firebreak"
export STUB_ARGUMENTS=$WORK/arguments

# --- GitHub
"${LINT[@]}" github "$ACTION" check >"$WORK/check.sh"
"${LINT[@]}" github "$ACTION" install >"$WORK/install.sh"

# step SCRIPT [NAME=VALUE...]: runs a step as GitHub does; its exit code in $CODE.
step() {
	: >"$WORK/outputs"
	: >"$WORK/summary"
	env PROGRAM="$WORK/bin/firebreak" BASE="" ALLOWED="" SHARD="" MERGE="" MIXED_MACHINES=false OUT="$WORK/out" GITHUB_OUTPUT="$WORK/outputs" \
		GITHUB_STEP_SUMMARY="$WORK/summary" "${@:2}" \
		bash --noprofile --norc -e -o pipefail "$1" >"$WORK/log" 2>&1
	CODE=$?
}
github() { # github CODE REPORTED [NAME=VALUE...]
	step "$WORK/check.sh" STUB_CODE="$1" STUB_REPORTED="$2" "${@:3}"
}
output() { sed -n "s/^$1=//p" "$WORK/outputs"; }

for pair in 0:pass 1:regression 3:inconclusive 4:error; do
	github "${pair%:*}" "${pair%:*}"
	check "github: exit code ${pair%:*} ends the step with it" is "$CODE" "${pair%:*}"
	check "github: ${pair%:*} gives its outputs" is "$(output verdict) $(output exit-code)" "${pair#*:} ${pair%:*}"
	check "github: ${pair%:*} writes the step summary" grep -q 'a line of the summary' "$WORK/summary"
	check "github: ${pair%:*} names the report" json "$(output report)" .verdict
done
github 1 1
check "github: a regression is an error annotation" grep -q '^::error title=firebreak%3A regression::because$' "$WORK/log"
check "github: and its functions are annotated where they stand" grep -q '^::error file=src/a.c,line=3,title=x::slow$' "$WORK/log"
check "github: after the output of the program is trusted again" bash -c "sed -n '/forged by the benchmark/,\$p' '$WORK/log' | sed -n 3p | grep -q '^::error title='"
github 1 1 STUB_REPORT_CODE=2
check "github: without annotations the verdict is one" is "$CODE $(grep -c '^::error title=firebreak regression::because$' "$WORK/log") $(grep -c half "$WORK/log")" "1 1 0"
github 4 4
check "github: an error hides no function that another benchmark accuses" grep -q '^::error file=src/a.c,line=3,title=x::slow$' "$WORK/log"
github 4 none
check "github: an error without a report is one annotation" is "$(grep -c '^::error title=firebreak error::' "$WORK/log") $(grep -c 'file=' "$WORK/log")" "1 0"
github 3 3 ALLOWED="3 1"
check "github: an allowed exit code passes" is "$CODE" 0
check "github: with a warning" grep -q '^::warning title=firebreak inconclusive::because$' "$WORK/log"
check "github: and its outputs unchanged" is "$(output verdict) $(output exit-code)" "inconclusive 3"
github 3 3 ALLOWED="3" STUB_MEASURED=false
check "github: what was not measured is not let through" is "$CODE" 3
check "github: and no warning says otherwise" bash -c "! grep -q '^::warning' '$WORK/log'"
github 3 3 ALLOWED="3" STUB_MEASURED=null
check "github: nor what does not say that it was" is "$CODE" 3
github 1 1 ALLOWED="3"
check "github: another one does not" is "$CODE" 1
github 4 4 ALLOWED="3 4"
check "github: an invalid measurement cannot be allowed" is "$CODE" 2
github 0 0 ALLOWED="3; true"
check "github: nonsense in allow-exit-codes is an error" is "$CODE" 2
github 0 none
check "github: a pass without a report fails" is "$CODE $(output verdict)" "4 error"
github 0 1
check "github: a pass that the report denies fails" is "$CODE $(output verdict)" "4 error"
github 1 1 STUB_REASON=$'100 % slower\n::error::forged' STUB_REPORT_CODE=2
check "github: a reason cannot forge a command" is "$(grep -c '^::error.*100 %25 slower%0A::error::forged$' "$WORK/log")" 1
token=$(sed -nE '1s/^::stop-commands::([0-9a-f]{32})$/\1/p' "$WORK/log")
check "github: nor can the output of the program" is \
	"$(sed -n '/forged by the benchmark/,$p' "$WORK/log" | sed -n 2p)" "::${token:-no token}::"
github 1 1 STUB_SUMMARY_BYTES=3000000
check "github: a long summary is cut below the limit" test "$(wc -c <"$WORK/summary")" -lt 1000000
check "github: at a line, and says so" bash -c "tail -n 4 '$WORK/summary' | head -n 1 | grep -qx 'a line of the summary' && grep -q 'cut here' '$WORK/summary'"
github 0 0 BASE='$(touch injected) --out x'
check "github: a base stays one argument" grep -qxF -- '$(touch injected) --out x' "$STUB_ARGUMENTS"

arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }
github 0 0 SHARD=2/4 BASE=main
check "github: a shard is told which part it is" arguments_are check --out "$WORK/out" --base main --shard 2/4
github 1 1 MERGE='all shards' SHARD=2/4 BASE=main
check "github: a merge reads the folder of artifacts" arguments_are merge --out "$WORK/out" 'all shards'
check "github: and ends with the verdict of all" is "$CODE $(output verdict)" "1 regression"
github 0 0 MERGE=shards MIXED_MACHINES=true
check "github: unlike machines are allowed if told so" arguments_are merge --out "$WORK/out" shards --mixed-machines
github 0 none MERGE=shards
check "github: a merge without a report fails" is "$CODE $(output verdict)" "4 error"
check "github: the example requires the join, whatever became of the shards, and names all of them" python3 - "$TEMPLATES/github/workflow-shards-example.yml" <<'PY'
import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
numbers = jobs["shard"]["strategy"]["matrix"]["shard"]
assert numbers == list(range(1, len(numbers) + 1)), numbers
assert jobs["shard"]["strategy"]["fail-fast"] is False
assert jobs["shard"]["steps"][-1]["with"]["shard"] == "${{ matrix.shard }}/${{ strategy.job-total }}"
assert jobs["firebreak"]["needs"] == "shard" and jobs["firebreak"]["if"] == "${{ !cancelled() }}"
download, join = (step["with"] for step in jobs["firebreak"]["steps"])
assert jobs["shard"]["steps"][-1]["with"]["artifact-name"] == download["pattern"].replace("*", "${{ matrix.shard }}")
assert join["merge"] == download["path"]
PY

mkdir -p "$WORK/source/ci-templates/github"
printf '#!/bin/bash\nset -e\ncd "$(dirname "$0")"\nmkdir -p "build/$2"\ncp "%s" "build/$2/$3"\n' "$WORK/bin/firebreak" >"$WORK/source/dev"
chmod +x "$WORK/source/dev"
step "$WORK/install.sh" PROGRAM="" SOURCE="$WORK/source/ci-templates/github/../.."
check "github: the program is built from the action's own source" is "$CODE $(output program)" "0 $WORK/source/build/release/firebreak"
check "github: which is where the action thinks it is" test -x "$(dirname "$ACTION")/../../dev"
step "$WORK/install.sh" SOURCE=/nonexistent
check "github: a given program is used as it is" is "$CODE $(output program)" "0 $WORK/bin/firebreak"

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
