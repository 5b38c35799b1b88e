#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml, run as a runner does, with a program that only pretends to measure: inputs, outputs, exit codes,
# annotations, summary and comment for each way in which the gate can end; and what is installed.
# SOURCE_DIR is the repository.
# shellcheck disable=SC2016 # texts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
ACTION=$SOURCE_DIR/action.yml
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
for tool in curl jq; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
mkdir "$WORK/bin" "$WORK/home"
cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/bin/firebreak"
chmod 500 "$WORK/home"
fails() { ! "$@"; }

# step ID [NAME=VALUE...]: runs a step with the inputs' defaults, as a runner does; its exit code in $CODE.
for id in release install check publish; do
	"${LINT[@]}" github "$ACTION" $id >"$WORK/$id.sh"
	"${LINT[@]}" env "$ACTION" $id >"$WORK/$id.env"
done
step() {
	local id=$1 environment
	mapfile -t environment <"$WORK/$id.env"
	shift
	: >"$WORK/outputs"
	: >"$WORK/summary"
	: >"$WORK/arguments.all"
	rm -f "$WORK/arguments"
	env -i PATH="$PATH" HOME="$WORK/home" TMPDIR="${TMPDIR:-/tmp}" CI=true GITHUB_ACTIONS=true GITHUB_OUTPUT="$WORK/outputs" \
		GITHUB_STEP_SUMMARY="$WORK/summary" GITHUB_REPOSITORY=example/catalog "${environment[@]}" ACTION="$SOURCE_DIR" \
		SOURCE="$SOURCE_DIR" PROGRAM="$WORK/bin/firebreak" OUT="$WORK/out" STUB_ARGUMENTS="$WORK/arguments" "$@" \
		bash --noprofile --norc -e -o pipefail "$WORK/$id.sh" >"$WORK/log" 2>&1 </dev/null
	CODE=$?
}
gate() { # gate CODE REPORTED [NAME=VALUE...]
	step check STUB_CODE="$1" STUB_REPORTED="$2" "${@:3}"
}
output() { sed -n "s/^$1=//p" "$WORK/outputs"; }
arguments_are() { diff "$WORK/arguments" <(printf '%s\n' "$@"); }
logs() { grep -qE -- "$1" "$WORK/log" || { cat "$WORK/log"; return 1; }; }

# --- endings
for pair in 0:pass 1:regression 3:inconclusive 4:error; do
	gate "${pair%:*}" "${pair%:*}"
	check "exit code ${pair%:*} ends the step with it" is "$CODE" "${pair%:*}"
	check "${pair%:*} gives its outputs" is "$(output verdict) $(output exit-code) $(output headline)" "${pair#*:} ${pair%:*} because"
	check "${pair%:*} names the report" json "$(output report)" .verdict
done
gate 1 1
check "a regression is an error annotation" logs '^::error title=firebreak%3A regression::because$'
check "and its functions are annotated where they stand" logs '^::error file=src/a.c,line=3,title=x::slow$'
check "after the output of the program is trusted again" bash -c "sed -n '/forged by the benchmark/,\$p' '$WORK/log' | sed -n 3p | grep -q '^::error title='"
gate 1 1 STUB_REPORT_CODE=2
check "without annotations the verdict is one" is "$CODE $(grep -c '^::error title=firebreak regression::because$' "$WORK/log") $(grep -c half "$WORK/log")" "1 1 0"
gate 4 4
check "an error hides no function that another benchmark accuses" logs '^::error file=src/a.c,line=3,title=x::slow$'
gate 5 5
check "a failed build is one" is "$CODE $(output verdict)" "5 error"
gate 4 none
check "an error without a report is one annotation" is "$(grep -c '^::error title=firebreak error::' "$WORK/log") $(grep -c 'file=' "$WORK/log")" "1 0"
gate 3 3 ON_INCONCLUSIVE=pass
check "what is inconclusive passes if told so" is "$CODE" 0
check "with a warning" logs '^::warning title=firebreak inconclusive::because$'
check "and its outputs unchanged" is "$(output verdict) $(output exit-code)" "inconclusive 3"
gate 3 3 ON_INCONCLUSIVE=pass STUB_MEASURED=false
check "what was not measured is not let through" is "$CODE" 3
check "and no warning says otherwise" fails logs '^::warning'
gate 3 3 ON_INCONCLUSIVE=pass STUB_MEASURED=null
check "nor what does not say that it was" is "$CODE" 3
gate 1 1 ON_INCONCLUSIVE=pass
check "a regression fails all the same" is "$CODE" 1
gate 1 1 ON_REGRESSION=pass
check "unless told so" is "$CODE $(grep -c '^::warning title=firebreak regression::because$' "$WORK/log")" "0 1"
gate 4 4 ON_REGRESSION=pass ON_INCONCLUSIVE=pass
check "an invalid measurement never passes" is "$CODE" 4
gate 0 none
check "nor does a pass without a report" is "$CODE $(output verdict)" "4 error"
gate 0 1
check "nor a pass that the report denies" is "$CODE $(output verdict)" "4 error"

# --- foreign text
gate 1 1 STUB_REASON=$'100 % slower\n::error::forged\nverdict=pass' STUB_REPORT_CODE=2
check "a reason cannot forge a command" is "$(grep -c '^::error.*100 %25 slower%0A::error::forged%0Averdict=pass$' "$WORK/log")" 1
check "nor an output" is "$(output verdict)" regression
check "the headline is one line" is "$(output headline)" '100 % slower ::error::forged verdict=pass'
token=$(sed -nE '1s/^::stop-commands::([0-9a-f]{32})$/\1/p' "$WORK/log")
check "nor can the output of the program" is "$(sed -n '/forged by the benchmark/,$p' "$WORK/log" | sed -n 2p)" "::${token:-no token}::"

# --- inputs
gate 0 0
check "without inputs it is a plain check" arguments_are check --out "$WORK/out"
gate 0 0 BASE='$(touch injected) --out x' CONFIG='my policy.yml' ENGINES=callgrind ROUNDS=12 MAX_TIME=20m BENCHMARKS=$' parse\n sort-2 ' ARGUMENTS=$'--no-store\n\n--color\nnever'
check "each input is one argument" arguments_are check --out "$WORK/out" --base '$(touch injected) --out x' --config 'my policy.yml' \
	--engine callgrind --rounds 12 --max-time 20m --benchmark parse --benchmark sort-2 --no-store --color never
gate 0 0 SHARD=2/4 BASE=main
check "a shard is told which part it is" arguments_are check --out "$WORK/out" --base main --shard 2/4
gate 1 1 MERGE='all shards' SHARD=2/4 BASE=main
check "a merge reads the folder of artifacts" arguments_are merge --out "$WORK/out" 'all shards'
check "and ends with the verdict of all" is "$CODE $(output verdict)" "1 regression"
gate 0 0 MERGE=shards MIXED_MACHINES=true
check "unlike machines are allowed if told so" arguments_are merge --out "$WORK/out" shards --mixed-machines
gate 0 none MERGE=shards
check "a merge without a report fails" is "$CODE $(output verdict)" "4 error"
gate 0 0 MODE=self-test
check "a self-test is asked for" arguments_are check --out "$WORK/out" --self-test
gate 0 none MODE=baseline
check "a baseline is measured, and pushed" is "$CODE $(tr '\n' ';' <"$WORK/arguments.all")" "0 run;baseline push origin;"
gate 5 none MODE=baseline
check "one that was not measured is not pushed" is "$CODE $(tr '\n' ';' <"$WORK/arguments.all")" "5 run;"
gate 0 none MODE=baseline STUB_PUSH_CODE=7
check "one that was not taken fails the job" is "$CODE $(output exit-code)" "7 7"
for input in MODE=gate ON_REGRESSION=ignore ON_INCONCLUSIVE='pass; true' MIXED_MACHINES=yes SHARD=2 SHARD='1/2 --out x' ENGINES='perf callgrind' ROUNDS=many \
	MAX_TIME=10 MAX_TIME='1h --x' BENCHMARKS='$(reboot)' BENCHMARKS=--out BASE=--help MERGE=--help; do
	gate 0 0 "$input"
	check "$input is refused" is "$CODE $(grep -c '^::error title=firebreak::' "$WORK/log") $(test -e "$WORK/arguments" && echo called)" "2 1 "
done

# --- summary and comment
gate 1 1
publish() { step publish ARTIFACT_URL=https://ci.example/a/2 COMMENT=auto ID=firebreak TOKEN=secret-token EVENT=pull_request HEAD_REPOSITORY=example/catalog NUMBER=12 \
	GITHUB_API_URL=http://127.0.0.1:1 API_PAUSE=0 "$@"; }
publish
check "the summary is written" grep -qx 'a line of the summary' "$WORK/summary"
check "with the address of the artifact, and room for what is there" grep -q "^report $WORK/out --format markdown --limit 900000 --artifact https://ci.example/a/2$" "$WORK/arguments.all"
check "a comment that cannot be written is a notice, and no failure" bash -c "[ $CODE = 0 ] && grep -q '^::notice title=firebreak::no comment' '$WORK/log'"
check "the program does not see the token" fails grep -q 'sees the token' "$WORK/summary" "$WORK/log"
check "nor does the log" fails grep -q 'secret-token' "$WORK/log"
commented() { grep -q '^report .* --format comment ' "$WORK/arguments.all"; }
check "it was tried" commented
for variable in COMMENT=never EVENT=push HEAD_REPOSITORY=stranger/catalog HEAD_REPOSITORY= TOKEN= SHARD=1/4; do
	publish "$variable"
	check "with $variable there is none" fails commented
	check "and the summary is there" grep -qx 'a line of the summary' "$WORK/summary"
done
publish STUB_REPORT_CODE=7
check "what cannot be rendered fails no job" is "$CODE" 0
rm -rf "$WORK/out"
publish
check "without a report there is nothing to show" is "$CODE $(cat "$WORK/summary")" "0 "

# --- installing
machine=$(uname -m)
mkdir -p "$WORK/release/firebreak-1.2.3/bin" "$WORK/served/v1.2.3"
cp "$WORK/bin/firebreak" "$WORK/release/firebreak-1.2.3/bin/firebreak"
name=firebreak-1.2.3-linux-$machine.tar.xz
tar -cJf "$WORK/served/v1.2.3/$name" -C "$WORK/release" firebreak-1.2.3
(cd "$WORK/served/v1.2.3" && sha256sum "$name") >"$WORK/sums"
printf '%064d  firebreak-1.1.0-linux-%s.tar.xz\n' 0 "$machine" >>"$WORK/sums"
python3 -u -m http.server --bind 127.0.0.1 --directory "$WORK/served" 0 >"$WORK/server" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do ! grep -q port "$WORK/server" || break; sleep .1; done
port=$(sed -nE 's/.* port ([0-9]+) .*/\1/p' "$WORK/server")
install() { step install PROGRAM= VERSION= FOLDER="$WORK/kept" DOWNLOAD="http://127.0.0.1:$port" RELEASES="$WORK/sums" "$@"; }
installed() { [ "$CODE" = 0 ] && [ -x "$(output program)" ] && logs '^firebreak 0$'; }

install
check "the newest release is installed" installed
check "from its archive" is "$(output program)" "$WORK/kept/1.2.3-$machine/bin/firebreak"
install DOWNLOAD=http://127.0.0.1:1
check "what is kept is not downloaded again" installed
echo x >>"$WORK/kept/$name"
install
check "what was kept and damaged is" installed
echo x >>"$WORK/kept/$name"
install DOWNLOAD=http://127.0.0.1:1
check "and never used" is "$CODE $(output program)" "2 "
rm -rf "$WORK/kept"
install VERSION=1.1.0
check "a release that is not there is refused" is "$CODE" 2
echo changed >"$WORK/served/v1.2.3/other" && cp "$WORK/served/v1.2.3/other" "$WORK/served/v1.2.3/$name"
install
check "a changed archive is refused" bash -c "[ $CODE = 2 ] && grep -q 'SHA-256' '$WORK/log'"
for version in 9.9.9 ../1.2.3 1.2 latest '1.2.3; true'; do
	install VERSION="$version"
	check "version $version is refused" is "$CODE $(output program)" "2 "
done
install PROGRAM="$WORK/bin/firebreak" DOWNLOAD=http://127.0.0.1:1
check "a given program is used as it is" is "$CODE $(output program)" "0 $WORK/bin/firebreak"
mkdir "$WORK/source"
printf '#!/bin/bash\nset -e\ncd "$(dirname "$0")"\nmkdir -p "build/$2"\ncp "%s" "build/$2/$3"\n' "$WORK/bin/firebreak" >"$WORK/source/dev"
chmod +x "$WORK/source/dev"
ln -s "$SOURCE_DIR/ci-templates" "$WORK/source/ci-templates"
install VERSION=source SOURCE="$WORK/source"
check "the source is built if asked for" is "$CODE $(output program)" "0 $WORK/source/build/release/firebreak"
: >"$WORK/none"
install SOURCE="$WORK/source" RELEASES="$WORK/none"
check "where no release is known, nothing is built unasked" is "$CODE $(output program)" "2 "
check "and the error says what to pin or to set" logs '^::error title=firebreak::this commit of firebreak knows no release .* pin a commit .* or set version: source'
key() { step release PROGRAM= VERSION= RELEASES="$WORK/sums" "$@"; }
key
check "a cache keeps the release by its hash" is "$(output key)" "firebreak-$(sed -n "s/  $name//p" "$WORK/sums")"
key VERSION=source
check "a build is not kept" is "$CODE $(output key)" "0 "
key PROGRAM=/x
check "nor a given program" is "$CODE $(output key)" "0 "

# --- the action as a whole
check "it has what the Marketplace wants, and each input is used" python3 - "$ACTION" <<'PY'
import re, sys, yaml
text = open(sys.argv[1]).read()
action = yaml.safe_load(text)
assert {"name", "description", "branding", "inputs", "outputs", "runs"} <= set(action)
assert set(action["branding"]) == {"icon", "color"} and len(action["description"]) <= 125
used = set(re.findall(r"inputs\.([\w-]+)", text))
assert used == set(action["inputs"]), used ^ set(action["inputs"])
ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
assert set(re.findall(r"steps\.(\w+)\.", text)) <= ids
assert [step for step in action["runs"]["steps"] if "inputs.token" in str(step)] == [step for step in action["runs"]["steps"] if step.get("id") == "publish"]
PY
check "the example of shards requires the join, whatever became of the shards, and names all of them" \
	python3 - "$SOURCE_DIR/ci-templates/github/workflow-shards-example.yml" <<'PY'
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
check "the workflow of forks follows the one that measures, and takes its artifact" python3 - "$SOURCE_DIR/ci-templates/github" <<'PY'
import os, sys, yaml
load = lambda name: yaml.safe_load(open(os.path.join(sys.argv[1], name)))
measure, comment, action = load("workflow-example.yml"), load("workflow-fork-comment.yml"), load("comment/action.yml")
assert comment[True]["workflow_run"]["workflows"] == [measure["name"]]
assert action["inputs"]["artifact-name"]["default"] == load("../../action.yml")["inputs"]["artifact-name"]["default"]
assert len(comment["jobs"]["comment"]["steps"]) == 1
command = load("workflow-command.yml")["jobs"]
assert command["comment"]["steps"] == comment["jobs"]["comment"]["steps"] and command["comment"]["needs"] == "measure"
assert command["comment"]["permissions"] == comment["jobs"]["comment"]["permissions"] and "permissions" not in command["measure"]
assert "author_association" in command["measure"]["if"]
PY
finish
