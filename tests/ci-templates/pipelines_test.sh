#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The pipelines of this repository: what they run is there, with few rights, and they tell action and component only what
# these know. They and the templates are held to linters and published schemas, which ./dev installs into build/linters
# (package.json). With FIREBREAK_CI_TOOLS, a folder, also to what is in it: github-workflow.json and github-action.json (JSON
# schemas, as SchemaStore has them), actionlint, zizmor and gitlab-ci-local (programs). SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
TOOLS=${FIREBREAK_CI_TOOLS:-}
shopt -s nullglob
workflows=(.github/workflows/*.yml)
actions=(action.yml ci-templates/github/*/action.yml)

for workflow in "${workflows[@]}"; do
	check "$workflow keeps to the rules for templates" python3 tests/ci-templates/lint.py check "$workflow"
	check "its pins say their versions" is "$(grep -cE 'uses: ([^ ]+@[0-9a-f]{40} # v[0-9.]+|\./)$' "$workflow")" "$(grep -c 'uses:' "$workflow")"
done
check "tests and gate run on pull requests; both kinds of machines are tested" python3 - <<'PY'
import os, shlex, yaml
load = lambda path: yaml.safe_load(open(path))
ci, performance, action = load(".github/workflows/ci.yml"), load(".github/workflows/performance.yml"), load("action.yml")
assert "pull_request" in ci[True] and "pull_request" in performance[True]
assert {job["runs-on"] for job in ci["jobs"].values()} == {"ubuntu-24.04", "ubuntu-24.04-arm"}
assert not any("permissions" in job for job in ci["jobs"].values())
for job in ci["jobs"].values():
    program = shlex.split(job["steps"][-1]["run"])[0]
    assert os.access(program, os.X_OK), program
gate = performance["jobs"]["firebreak"]
assert gate["permissions"] == {"contents": "read", "pull-requests": "write"}
checkout, own = gate["steps"]
assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
assert own["uses"] == "./" and own["with"]["version"] == "source" and set(own["with"]) <= set(action["inputs"])
PY
check "that of GitLab runs the same" python3 - <<'PY'
import yaml
load = lambda path: list(yaml.safe_load_all(open(path)))
pipeline, = load(".gitlab-ci.yml")
include, = pipeline["include"]
inputs = load(include["local"])[0]["spec"]["inputs"]
assert set(include["inputs"]) <= set(inputs), set(include["inputs"]) - set(inputs)
assert include["inputs"]["version"] == "source" and include["inputs"]["revision"] == "$CI_COMMIT_SHA"
jobs = yaml.safe_load(open(".github/workflows/ci.yml"))["jobs"]
for name, job in jobs.items():
    assert pipeline[name]["script"] == [job["steps"][-1]["run"]], name
    assert pipeline[name]["variables"] == {"GIT_DEPTH": "0"}, name
PY

# --- what others have to say of them
export LINTERS=${FIREBREAK_LINTERS:-$SOURCE_DIR/build/linters/node_modules}
finds() { # finds TEXT MODE FILE: the linter does, and fails
	! lint "$2" "$3" >"$WORK/remarks" 2>&1 && grep -qF -- "$1" "$WORK/remarks" && return
	cat "$WORK/remarks"
	return 1
}
lint() { node tests/ci-templates/lint.mjs "$@"; }
if command -v node >/dev/null && [ -d "$LINTERS/actionlint" ]; then
	check "actionlint has nothing to say of workflows" lint workflows "${workflows[@]}" ci-templates/github/workflow-*.yml
	sed 's/workflow_run\.event ==/workflow_run.event) ==/' ci-templates/github/workflow-fork-comment.yml >"$WORK/workflow.yml"
	check "it finds an expression that is none" finds 'parser did not reach end' workflows "$WORK/workflow.yml"
	check "actions keep to GitHub's schema" lint actions "${actions[@]}"
	sed 's/^runs:/run:/' action.yml >"$WORK/action.yml"
	check "which finds a key that it does not know" finds "Additional property 'run'" actions "$WORK/action.yml"
	for manifest in ci-templates/kubernetes/*.yml; do
		python3 -c 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)' "$manifest" >"$WORK/manifest.json"
		check "$manifest keeps to the schemas of Kubernetes" lint kubernetes "$WORK/manifest.json"
		sed -e '/# without CAP_PERFMON$/d' -e 's/# with CAP_PERFMON: //' "$manifest" >"$WORK/perfmon.yml"
		python3 -c 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)' "$WORK/perfmon.yml" >"$WORK/perfmon.json"
		check "also with the capability" lint kubernetes "$WORK/perfmon.json"
	done
	jq '.[0].spec.completionMode = "Index"' "$WORK/manifest.json" >"$WORK/manifest-bad.json"
	check "which find a wrong word" finds 'completionMode must be equal to one of the allowed values' kubernetes "$WORK/manifest-bad.json"
	jq '.[0].spec.template.spec.containers[0].securityContext.capability = {}' "$WORK/manifest.json" >"$WORK/manifest-bad.json"
	check "and a key that there is not" finds 'Job.spec.template.spec.containers[0].securityContext.capability: no such key' kubernetes "$WORK/manifest-bad.json"
else
	echo "not looked at: actionlint, action-validator and the schemas of Kubernetes, which ./dev installs into build/linters"
fi
keeps_to() { # keeps_to SCHEMA FILE...: as GitHub reads YAML, where `on` is a word
	python3 - "$TOOLS/$1" "${@:2}" <<'PY'
import json, re, sys
import jsonschema, yaml
class Loader(yaml.SafeLoader):
    pass
Loader.yaml_implicit_resolvers = {key: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:bool"]
                                  for key, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
schema = json.load(open(sys.argv[1]))
checker = jsonschema.validators.validator_for(schema)(schema)
found = [f"{path}: {error.json_path}: {error.message[:200]}" for path in sys.argv[2:] for error in checker.iter_errors(yaml.load(open(path), Loader))]
sys.exit("\n".join(found) or 0)
PY
}
asked() { [ -n "$TOOLS" ] && [ -e "$TOOLS/$1" ]; }
if asked github-workflow.json; then check "workflows keep to GitHub's schema" keeps_to github-workflow.json "${workflows[@]}" ci-templates/github/workflow-*.yml; fi
if asked github-action.json; then check "actions keep to GitHub's schema" keeps_to github-action.json "${actions[@]}"; fi
if asked actionlint; then check "actionlint has nothing to say" "$TOOLS/actionlint" "${workflows[@]}" ci-templates/github/workflow-*.yml; fi
if asked zizmor; then check "zizmor has nothing to say" "$TOOLS/zizmor" --offline --no-progress action.yml .github/workflows ci-templates/github; fi
expands() { # expands [INPUT...]: gitlab-ci-local takes the pipeline in $WORK/project, which it holds to GitLab's schema
	(cd "$WORK/project" && git add -A && CI=1 "$TOOLS/gitlab-ci-local" --preview --ignore-schema-paths '#/definitions/tags/minItems' </dev/null >"$WORK/preview" 2>&1) &&
		grep -q 'json schema validated' "$WORK/preview" && return
	cat "$WORK/preview"
	return 1
}
includes() { # includes TEMPLATE [INPUT...]: a project that includes it
	printf 'include:\n  - local: templates/%s/template.yml\n    inputs:\n      source: https://example.org/x.git\n' "$1" >"$WORK/project/.gitlab-ci.yml"
	[ $# = 1 ] || printf '      %s\n' "${@:2}" >>"$WORK/project/.gitlab-ci.yml"
}
if asked gitlab-ci-local; then
	git init -q "$WORK/project" && cp -r templates "$WORK/project/"
	git -C "$WORK/project" -c user.name=dev -c user.email=dev@example.org commit -q --allow-empty -m empty
	git -C "$WORK/project" remote add origin git@gitlab.example:group/project.git
	git -C "$WORK/project" update-ref refs/remotes/origin/main HEAD
	git -C "$WORK/project" symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
	for template in firebreak firebreak-shards; do
		includes $template
		check "GitLab takes $template as it is" expands
		includes $template 'tags: [large]' 'allow_failure: [1, 3]' 'note: true' 'benchmarks: a b'
		check "and with inputs" expands
	done
	check "each of which arrives" grep -qx ' *FIREBREAK_BENCHMARKS: a b' "$WORK/preview"
	cp .gitlab-ci.yml "$WORK/project/"
	check "GitLab takes the pipeline of this repository" expands
fi
[ -n "$TOOLS" ] || echo "not looked at: schemas of SchemaStore, the newest actionlint, zizmor and gitlab-ci-local, for want of FIREBREAK_CI_TOOLS"
finish
