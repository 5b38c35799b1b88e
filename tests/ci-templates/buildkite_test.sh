#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Buildkite: the commands of the pipeline run as an agent starts them, with an agent that only notes what it is told and
# keeps artifacts in a folder, for all ways in which the gate can end. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # texts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
BUILDKITE=$SOURCE_DIR/ci-templates/buildkite
build=$(dirname "$FIREBREAK")
for tool in jq python3; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
[ -x "$build/tests/reportjson_test" ] || skip_all "$build/tests/reportjson_test is not built"
"$build/tests/reportjson_test" >/dev/null 2>&1 # leaves reports beside itself
unset GITHUB_ACTIONS GITLAB_CI
export GIT_CONFIG_GLOBAL=/dev/null STUB_ARGUMENTS=$WORK/arguments
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done

# --- the pretended agent
mkdir "$WORK/bin" "$WORK/artifacts" && cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/bin/firebreak"
cat >"$WORK/bin/buildkite-agent" <<'SH'
#!/bin/bash
printf '%s\n' "$*" >>"$AGENT/calls"
case "$1 $2" in
	'artifact upload') cp -r --parents ${3%/\*\*/\*} "$AGENT/artifacts/" ;;
	'artifact download') cp -r "$AGENT"/artifacts/${3%%/*} "$4/" ;;
	'annotate --context') cat >"$AGENT/annotation" ;;
esac
exit "${AGENT_CODE:-0}"
SH
chmod +x "$WORK/bin/buildkite-agent"
git init -q -b main "$WORK/server"
commit() { git -C "$WORK/server" commit -q --allow-empty -m "$1"; }
commit 'where the change begins' && FORK=$(git -C "$WORK/server" rev-parse HEAD)
git -C "$WORK/server" switch -q -c change && commit change && git -C "$WORK/server" switch -q main && commit later
git clone -q --single-branch --branch change "file://$WORK/server" "$WORK/checkout"
command_of() { # command_of KEY: what an agent runs, once the pipeline was uploaded
	python3 - "$BUILDKITE/pipeline.yml" "$1" <<'PY'
import sys, yaml
steps = {step["key"]: step for step in yaml.safe_load(open(sys.argv[1]))["steps"]}
print(steps[sys.argv[2]]["command"].replace("$$", "$"))
PY
}
job() { # job COMMAND CODE REPORTED [NAME=VALUE...]
	rm -f "$WORK/calls" "$WORK/annotation" "$STUB_ARGUMENTS"
	(cd "$WORK/checkout" && env PATH="$WORK/bin:$PATH" AGENT="$WORK" BUILDKITE=true CI=true BUILDKITE_PULL_REQUEST=false \
		BUILDKITE_COMMIT=HEAD FIREBREAK_TEMPLATES="$SOURCE_DIR/ci-templates" STUB_CODE="$2" STUB_REPORTED="$3" "${@:4}" \
		/bin/bash -e -c "$1") >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
calls() { cut -d ' ' -f 1,2 "$WORK/calls" 2>/dev/null | tr '\n' ';'; }
arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }
SHARD=$(command_of firebreak-shards) MERGE=$(command_of firebreak)
PR=(BUILDKITE_PULL_REQUEST=7 BUILDKITE_PULL_REQUEST_BASE_BRANCH=main)

# --- shards
for index in 0 1; do
	job "$SHARD" 1 1 BUILDKITE_PARALLEL_JOB=$index BUILDKITE_PARALLEL_JOB_COUNT=2 "${PR[@]}"
	check "shard $index ends with its exit code" is "$CODE" 1
	check "it measures its part against the commit where the change forked off" arguments_are \
		check --out "firebreak-shard-$index" --base "$FORK" --shard auto
done
check "a shard uploads its folder, and annotates nothing" is "$(calls)" "artifact upload;"
check "and keeps nothing of another job" is "$(cd "$WORK/checkout" && echo firebreak-*)" firebreak-shard-1
job "$SHARD" 0 none BUILDKITE_PARALLEL_JOB=1 BUILDKITE_PARALLEL_JOB_COUNT=2
check "a pass without a report is none" is "$CODE" 4
check "a build of a branch leaves the base to firebreak" arguments_are check --out firebreak-shard-1 --shard auto

# --- the join
for code in 0 1 3 4; do
	job "$MERGE" $code $code
	check "the join ends with $code" is "$CODE" $code
done
check "it reads what the step of the shards uploaded" grep -qx 'artifact download firebreak-shard-\*/\*\*/\* firebreak-shards.new --step firebreak-shards' "$WORK/calls"
check "all shards" arguments_are merge --out firebreak-out firebreak-shards.new
job "$MERGE" 0 none
check "a join without a report fails" is "$CODE" 4
job "$MERGE" 1 1 AGENT_CODE=1
check "an agent that cannot annotate changes no verdict" is "$CODE" 1
job 'bash "$FIREBREAK_TEMPLATES/buildkite/check.sh" --max-time 20m' 1 1
check "a check that is not split annotates itself" is "$CODE $(calls)" "1 artifact upload;annotate --context;"
check "and takes options" arguments_are check --out firebreak-out --max-time 20m

# --- the annotation, of a real report
OUT=$WORK/checkout/firebreak-out
annotate() { # annotate FILTER [NAME=VALUE...]: of the report of a regression, changed by jq
	rm -rf "$OUT" && mkdir "$OUT"
	jq "$1" "$build/report-regression.json" >"$OUT/report.json"
	echo '<svg/>' >"$OUT/catalog.diff.svg"
	echo page >"$OUT/report.html"
	rm -f "$WORK/bin/firebreak" && ln -s "$FIREBREAK" "$WORK/bin/firebreak"
	job 'bash "$FIREBREAK_TEMPLATES/buildkite/annotate.sh"' 0 0 "${@:2}"
}
WITH_PICTURE='.benchmarks[0].artifacts.diff_svg = "catalog.diff.svg"'
annotate "$WITH_PICTURE"
check "artifacts come first, so that links have a target" is "$CODE $(calls)" "0 artifact upload;annotate --context;"
check "one annotation, in its own context, as an error" grep -qx 'annotate --context firebreak --style error' "$WORK/calls"
check "its first line is the verdict" bash -c "head -n 1 '$WORK/annotation' | grep -q '^## ❌ Regression: catalog is 13 % slower'"
check "the flame graph is shown" grep -q '<img src="artifact://firebreak-out/catalog.diff.svg"' "$WORK/annotation"
check "the page is linked" grep -q '<a href="artifact://firebreak-out/report.html">' "$WORK/annotation"
check "without a pull request nothing is linked to one" bash -c "! grep -q 'github.com/' '$WORK/annotation'"
for repo in https://github.com/example/catalog.git git@github.com:example/catalog.git; do
	annotate . BUILDKITE_PULL_REQUEST=7 BUILDKITE_REPO="$repo"
	check "places in the code are links: $repo" grep -q 'https://github.com/example/catalog/blob/5d6e7f8' "$WORK/annotation"
done
for name in '../secret.svg' 'x" onerror="y.svg' 'missing.svg' 'a/b.svg'; do
	annotate ".benchmarks[0].artifacts.diff_svg = $(jq -n --arg name "$name" '$name')"
	check "no picture of the name $name" bash -c "! grep -q '<img' '$WORK/annotation'"
done
annotate . FIREBREAK_CONTEXT='a b'
check "a context takes a plain name" is "$CODE $(calls)" "2 "
cp "$build/report-calibrate.json" "$OUT/report.json"
job 'bash "$FIREBREAK_TEMPLATES/buildkite/annotate.sh"' 0 0
check "a pass is a success" grep -qx 'annotate --context firebreak --style success' "$WORK/calls"

# --- the pipeline
check "the join waits for all shards, and alone decides" python3 - "$BUILDKITE/pipeline.yml" <<'PY'
import sys, yaml
shards, join = yaml.safe_load(open(sys.argv[1]))["steps"]
assert shards["soft_fail"] is True and shards["parallelism"] > 1
assert join["depends_on"] == [{"step": shards["key"], "allow_failure": True}]
assert join["soft_fail"] == [{"exit_status": 3}], join["soft_fail"]
assert "parallelism" not in join
PY
# FIREBREAK_SCHEMAS is a folder with schema.json of github.com/buildkite/pipeline-schema as buildkite-pipeline.json.
SCHEMA=${FIREBREAK_SCHEMAS:-$build/schemas}/buildkite-pipeline.json
if [ -s "$SCHEMA" ] && python3 -c 'import jsonschema' 2>/dev/null; then
	check "the pipeline keeps to the schema of Buildkite, which knows wrong ones" python3 - "$BUILDKITE/pipeline.yml" "$SCHEMA" <<'PY'
import copy, json, sys, jsonschema, yaml
pipeline, schema = yaml.safe_load(open(sys.argv[1])), json.load(open(sys.argv[2]))
validator = jsonschema.Draft7Validator(schema)
errors = [error.message for error in validator.iter_errors(pipeline)]
assert not errors, errors
wrong = copy.deepcopy(pipeline)
wrong["steps"][0]["parallelism"] = "many"
assert list(validator.iter_errors(wrong))
PY
else
	echo "not looked at: the schema of Buildkite is not at $SCHEMA"
fi
finish
