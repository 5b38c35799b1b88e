#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Jenkins: the pipeline runs for every way in which the gate can end, its shell steps as Jenkins starts them, with a
# program that only pretends to measure. SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
FILE=$SOURCE_DIR/ci-templates/jenkins/Jenkinsfile
for tool in groovy java jq; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
# each pipeline is a process of a second, too short for more compilers and threads
export JAVA_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
export JAVA_HOME GIT_CONFIG_GLOBAL=/dev/null STUB_ARGUMENTS=$WORK/arguments
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done
mkdir "$WORK/bin" && cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/bin/firebreak"

# The target branch goes on after the pull request forked off; the workspace knows only the pull request.
git init -q -b main "$WORK/server"
commit() { git -C "$WORK/server" commit -q --allow-empty -m "$1"; }
commit 'where the change begins' && FORK=$(git -C "$WORK/server" rev-parse HEAD)
git -C "$WORK/server" switch -q -c change && commit change
git -C "$WORK/server" switch -q main && commit later && TARGET=$(git -C "$WORK/server" rev-parse HEAD)
git clone -q --single-branch --branch change "file://$WORK/server" "$WORK/workspace"
pipeline() { # pipeline CODE REPORTED [NAME=VALUE...]
	(cd "$WORK/workspace" && env PATH="$WORK/bin:$PATH" STUB_CODE="$1" STUB_REPORTED="$2" "${@:3}" \
		groovy "$SOURCE_DIR/tests/ci-templates/jenkins.groovy" "${JENKINSFILE:-$FILE}") >"$WORK/run.json" 2>"$WORK/log" </dev/null
}
result() { jq -r .result "$WORK/run.json"; }
steps() { jq -r '[.steps[].step] | join(" ")' "$WORK/run.json"; }
arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }

for pair in 0:SUCCESS 1:FAILURE 2:FAILURE 3:UNSTABLE 4:FAILURE 6:UNSTABLE 8:FAILURE 9:FAILURE 137:FAILURE; do
	code=${pair%:*}
	pipeline "$code" "$((code > 9 ? 4 : code))"
	check "exit code $code is ${pair#*:}" is "$(result)" "${pair#*:}"
done
check "a failure keeps tests, artifacts and page" is "$(steps)" "sh error junit archiveArtifacts publishHTML"
pipeline 3 3
check "so does an unstable build" is "$(steps)" "sh unstable junit archiveArtifacts publishHTML"
pipeline 0 0
check "and a success" is "$(steps)" "sh junit archiveArtifacts publishHTML"
check "what is archived is what was measured" json "$WORK/run.json" '[.steps[] | .given[0]? // empty | .. | strings] | contains(["firebreak-out/junit.xml", "firebreak-out/**", "firebreak-out", "report.html"])'
check "a build of a branch leaves the base to firebreak" arguments_are check --out firebreak-out
touch "$WORK/workspace/firebreak-out/report.json"
pipeline 0 none
check "a pass without a report fails, also where an earlier build left one" is "$(result)" FAILURE
pipeline 1 1 CHANGE_TARGET=main
check "a pull request is compared with the commit where it forked off" arguments_are check --out firebreak-out --base "$FORK"
git -C "$WORK/workspace" -c advice.detachedHead=false checkout -q "$(git -C "$WORK/workspace" rev-parse HEAD)"
git -C "$WORK/workspace" merge -q -m merged refs/remotes/origin/main
pipeline 1 1 CHANGE_TARGET=main
check "one that Jenkins merged with its target, with that" arguments_are check --out firebreak-out --base "$TARGET"
rm "$STUB_ARGUMENTS"
pipeline 0 0 CHANGE_TARGET=gone
check "a target that is not to be had fails before anything runs" bash -c "[ $(result) = FAILURE ] && [ ! -e '$STUB_ARGUMENTS' ]"
git clone -q --depth 1 --branch change "file://$WORK/server" "$WORK/shallow" && mv "$WORK/workspace" "$WORK/deep" && mv "$WORK/shallow" "$WORK/workspace"
pipeline 0 0 CHANGE_TARGET=main
check "a shallow clone fails, and says what to change" bash -c "[ $(result) = FAILURE ] && grep -q 'switch shallow clones off' '$WORK/log'"
sed 's/archiveArtifacts /archivArtifacts /' "$FILE" >"$WORK/typo"
JENKINSFILE=$WORK/typo pipeline 0 0
check "the test itself finds a step that there is not" bash -c "[ ! -s '$WORK/run.json' ] && grep -q archivArtifacts '$WORK/log'"
finish
