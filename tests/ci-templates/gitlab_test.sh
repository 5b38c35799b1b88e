#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The templates of GitLab: their scripts, run as a runner does, with a program that only pretends to measure, for each way
# in which the gate can end; what they install; and that no file of git's is written. SOURCE_DIR is the repository.
# shellcheck disable=SC2016 # texts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
LINT=(python3 "$SOURCE_DIR/tests/ci-templates/lint.py")
ONE=$SOURCE_DIR/templates/firebreak/template.yml SPLIT=$SOURCE_DIR/templates/firebreak-shards/template.yml
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
for tool in curl jq; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
unset GITHUB_ACTIONS GITLAB_CI

# --- an image with firebreak's package, and a clone
mkdir -p "$WORK/usr/bin" "$WORK/usr/share/firebreak" "$WORK/home" "$WORK/tmp" && chmod 500 "$WORK/home"
cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/usr/bin/firebreak"
ln -s "$SOURCE_DIR/ci-templates" "$WORK/usr/share/firebreak/ci-templates"
# a file of this test, never a device: a script that wrote there as root would replace it
: >"$WORK/gitconfig"
export GIT_CONFIG_GLOBAL=$WORK/gitconfig STUB_ARGUMENTS=$WORK/arguments
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done
git init -q "$WORK/project"
mkdir "$WORK/scripts"
"${LINT[@]}" gitlab "$ONE" firebreak >"$WORK/scripts/check"
"${LINT[@]}" gitlab "$SPLIT" firebreak-shard >"$WORK/scripts/shard"
"${LINT[@]}" gitlab "$SPLIT" firebreak >"$WORK/scripts/merge"
for script in check shard merge; do
	template=$ONE
	[ $script = check ] || template=$SPLIT
	"${LINT[@]}" variables "$template" firebreak >"$WORK/scripts/$script.env"
done

# job SCRIPT CODE REPORTED [NAME=VALUE...]: as a runner with bash starts it, with all inputs as they are by default.
job() {
	local environment
	mapfile -t environment <"$WORK/scripts/$1.env"
	rm -f "$STUB_ARGUMENTS"
	# shellcheck disable=SC2086 # a command with options
	(cd "$WORK/project" && env -i PATH="$WORK/usr/bin:$PATH" HOME="$WORK/home" TMPDIR="$WORK/tmp" CI=true GITLAB_CI=true \
		CI_PROJECT_DIR="$WORK/project" CI_JOB_URL=https://gitlab.example/g/p/-/jobs/7 STUB_ARGUMENTS="$STUB_ARGUMENTS" \
		GIT_CONFIG_GLOBAL="$GIT_CONFIG_GLOBAL" "${environment[@]}" STUB_CODE="$2" STUB_REPORTED="$3" "${@:4}" \
		${RUNNER:-bash -eo pipefail} "$WORK/scripts/$1") >"$WORK/log" 2>&1 </dev/null
	CODE=$?
}
arguments_are() { diff "$STUB_ARGUMENTS" <(printf '%s\n' "$@"); }
out() { cat "$WORK/project/firebreak-out/$1"; }
variable() { sed -n "s/^$1=//p" "$WORK/project/firebreak-out/verdict.env"; }
logs() { grep -qE -- "$1" "$WORK/log" || { cat "$WORK/log"; return 1; }; }
fails() { ! "$@"; }

# --- endings
for RUNNER in 'bash -eo pipefail' 'sh -e'; do
	for pair in 0:pass 1:regression 3:inconclusive 4:error; do
		code=${pair%:*}
		job check "$code" "$code"
		check "$RUNNER: exit code $code ends the job with it" is "$CODE" "$code"
		check "$RUNNER: $code is in the dotenv report" is "$(variable FIREBREAK_EXIT_CODE) $(variable FIREBREAK_VERDICT) $(variable FIREBREAK_HEADLINE)" "$code ${pair#*:} because"
		check "$RUNNER: $code leaves a code quality report" is "$(out codequality.json)" '[]'
	done
done
RUNNER='bash -eo pipefail'
job check 1 1 STUB_REPORT_CODE=2
check "what cannot be rendered changes no verdict" is "$CODE $(variable FIREBREAK_EXIT_CODE) $(variable FIREBREAK_VERDICT)" "1 1 error"
job check 0 none
check "a pass without a report fails" is "$CODE $(variable FIREBREAK_EXIT_CODE) $(variable FIREBREAK_VERDICT)" "4 4 error"
job check 0 1
check "so does a pass that the report denies" is "$CODE $(variable FIREBREAK_VERDICT)" "4 error"
job check 3 3 STUB_MEASURED=false
check "what was not measured is no warning" is "$CODE $(variable FIREBREAK_EXIT_CODE)" "4 4"
job check 3 3 STUB_MEASURED=null
check "nor what does not say that it was" is "$CODE" 4
job check 1 1
check "the page of the job links nothing that is not there" is "$(out links.json | jq -c .)" '{"firebreak":[]}'
cat >"$WORK/usr/bin/pictures" <<'SH2'
#!/bin/bash
"${0%/*}/firebreak" "$@"
code=$?
[ "$1" != check ] || for name in report.html b.diff.svg 'x"y.diff.svg'; do echo x >"$3/$name"; done
exit $code
SH2
chmod +x "$WORK/usr/bin/pictures"
mkdir -p "$WORK/other/bin" "$WORK/other/share" && ln -s "$WORK/usr/bin/pictures" "$WORK/other/bin/firebreak"
job check 1 1 PATH="$WORK/other/bin:$PATH"
check "an image without templates says so" is "$CODE $(grep -c 'the image has no package of firebreak' "$WORK/log")" "2 1"
mv "$WORK/usr/bin/firebreak" "$WORK/usr/bin/stub" && sed -i 's/firebreak" "\$@"/stub" "$@"/' "$WORK/usr/bin/pictures" && mv "$WORK/usr/bin/pictures" "$WORK/usr/bin/firebreak"
job check 1 1
check "it links the page and the pictures" is "$(out links.json | jq -r '.firebreak[].external_link | "\(.label) \(.url)"')" \
	'report.html https://gitlab.example/g/p/-/jobs/7/artifacts/file/firebreak-out/report.html
b.diff.svg https://gitlab.example/g/p/-/jobs/7/artifacts/file/firebreak-out/b.diff.svg'
mv "$WORK/usr/bin/stub" "$WORK/usr/bin/firebreak"
job check 1 1 CI_JOB_URL='https://x/"]'
check "an address that is none links nothing" is "$(out links.json | jq -c .)" '{"firebreak":[]}'

# --- inputs
job check 0 0
check "without inputs it is a plain check" arguments_are check --out firebreak-out
job check 0 0 FIREBREAK_BASE='a b; exit 9' FIREBREAK_CONFIG='my policy.yml' FIREBREAK_BENCHMARKS='parse sort-2' FIREBREAK_ENGINES=callgrind \
	FIREBREAK_ROUNDS=12 FIREBREAK_MAX_TIME=20m FIREBREAK_ARGUMENTS=$'--no-store\n--color\nnever'
check "each input is one argument" arguments_are check --out firebreak-out --base 'a b; exit 9' --config 'my policy.yml' --engine callgrind \
	--rounds 12 --max-time 20m --benchmark parse --benchmark sort-2 --no-store --color never
for input in FIREBREAK_ENGINES=both FIREBREAK_ROUNDS=many FIREBREAK_MAX_TIME='1h --x' FIREBREAK_BENCHMARKS='$(reboot)' FIREBREAK_BASE=--help; do
	job check 0 0 "$input"
	check "$input is refused" is "$CODE $(test -e "$STUB_ARGUMENTS" && echo called)" "2 "
done

# --- shards
mkdir -p "$WORK/project/firebreak-shards/9"
job shard 1 1 CI_NODE_INDEX=2 CI_NODE_TOTAL=4 FIREBREAK_BENCHMARKS='a b'
check "a shard is told which part it is, counted from 1" arguments_are check --out firebreak-shards/2 --shard 2/4 --benchmark a --benchmark b
check "it keeps nothing of an earlier pipeline" is "$(ls "$WORK/project/firebreak-shards")" 2
job shard 0 0 CI_NODE_INDEX= CI_NODE_TOTAL=
check "a job that is none of several is refused" is "$CODE" 2
job merge 1 1 FIREBREAK_BENCHMARKS='a b'
check "the join reads what the shards left" arguments_are merge --out firebreak-out firebreak-shards --mixed-machines
check "and ends with the verdict of all" is "$CODE $(variable FIREBREAK_EXIT_CODE)" "1 1"
job merge 0 0 FIREBREAK_MIXED_MACHINES=false
check "unlike machines are refused if told so" arguments_are merge --out firebreak-out firebreak-shards
job merge 3 3 STUB_MEASURED=false
check "a join of what was not measured is no warning" is "$CODE" 4
job merge 0 none
check "a join without a report fails" is "$CODE" 4

# --- the token
job check 1 1 FIREBREAK_TOKEN=glpat-secret
check "a job that measures says if it can see the token" logs 'limit that variable to the environment firebreak-note'
check "the program does not see it" fails grep -q 'sees the token' "$WORK/log"
check "and nobody reads it in the log" fails grep -q glpat "$WORK/log"

# --- where git's configuration is
config_untouched() { is "$(cat "$WORK/gitconfig") $(stat -c %i "$WORK/gitconfig")" "$before"; }
echo '[user]' >"$WORK/gitconfig"
before="$(cat "$WORK/gitconfig") $(stat -c %i "$WORK/gitconfig")"
if [ "$(id -u)" = 0 ]; then
	chown -R 12345 "$WORK/project"
	job check 1 1
	check "in a clone of another user nothing is written into git's configuration" config_untouched
	cat >"$WORK/usr/bin/asks" <<'SH2'
#!/bin/bash
[ "$1" != check ] || git rev-parse --git-dir
exec "${0%/*}/stub" "$@"
SH2
	chmod +x "$WORK/usr/bin/asks" && mv "$WORK/usr/bin/firebreak" "$WORK/usr/bin/stub" && mv "$WORK/usr/bin/asks" "$WORK/usr/bin/firebreak"
	job check 1 1
	check "git trusts the clone of another user" logs '^\.git$'
	mv "$WORK/usr/bin/stub" "$WORK/usr/bin/firebreak"
	chown -R 0 "$WORK/project"
else
	echo "not looked at: a clone of another user, which only root can make"
fi

# --- what is installed
machine=$(uname -m)
git init -q "$WORK/source" && cp -r "$SOURCE_DIR/ci-templates" "$WORK/source/"
mkdir -p "$WORK/release/firebreak-1.2.3/bin" "$WORK/served/-/releases/v1.2.3/downloads" "$WORK/served/releases/download/v1.2.3"
cp "$WORK/usr/bin/firebreak" "$WORK/release/firebreak-1.2.3/bin/firebreak"
name=firebreak-1.2.3-linux-$machine.tar.xz
tar -cJf "$WORK/served/releases/download/v1.2.3/$name" -C "$WORK/release" firebreak-1.2.3
cp "$WORK/served/releases/download/v1.2.3/$name" "$WORK/served/-/releases/v1.2.3/downloads/"
(cd "$WORK/served/releases/download/v1.2.3" && sha256sum "$name") >"$WORK/source/ci-templates/releases.sha256"
printf '#!/bin/bash\nset -e\ncd "$(dirname "$0")"\nmkdir -p "build/$2"\ncp "%s" "build/$2/$3"\necho built\n' "$WORK/usr/bin/firebreak" >"$WORK/source/dev"
chmod +x "$WORK/source/dev"
git -C "$WORK/source" add -A && git -C "$WORK/source" commit -q -m source && git -C "$WORK/source" config uploadpack.allowAnySHA1InWant true
revision=$(git -C "$WORK/source" rev-parse HEAD)
python3 -u -m http.server --bind 127.0.0.1 --directory "$WORK/served" 0 >"$WORK/server" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for ((i = 0; i < 100; i++)); do ! grep -q port "$WORK/server" || break; sleep .1; done
address=http://127.0.0.1:$(sed -nE 's/.* port ([0-9]+) .*/\1/p' "$WORK/server")
pinned() { job check 1 1 PATH="$PATH" FIREBREAK_SOURCE="file://$WORK/source" FIREBREAK_REVISION="$revision" FIREBREAK_RELEASES="$address/releases/download" "$@"; }

pinned
check "a release is installed by its SHA-256, with the scripts of the pinned commit" is "$CODE $(grep -c '^firebreak 0$' "$WORK/log")" "1 1"
pinned FIREBREAK_RELEASES="$address/-/releases"
check "also from the releases of GitLab" is "$CODE" 1
check "the job leaves nothing of it behind" is "$(find "$WORK/tmp" -name '*.tar.xz*')" ''
pinned FIREBREAK_VERSION=9.9.9
check "a release that the commit does not know is refused" is "$CODE $(grep -c 'is not known to this commit' "$WORK/log") $(test -e "$STUB_ARGUMENTS" && echo called)" "2 1 "
pinned FIREBREAK_VERSION=source
check "the source is built if asked for" is "$CODE $(grep -c '^built$' "$WORK/log")" "1 1"
git -C "$WORK/source" config --unset uploadpack.allowAnySHA1InWant
git -C "$WORK/source" update-ref refs/pipelines/1 "$revision"
pinned FIREBREAK_SOURCE="$WORK/source" FIREBREAK_VERSION=source
check "a runner's clone is a source, as in the pipeline of firebreak itself" is "$CODE" 1
for value in main "${revision:0:12}" "${revision^^}x" '--upload-pack=touch injected'; do
	pinned FIREBREAK_REVISION="$value"
	check "revision $value is refused" is "$CODE $(test -e "$STUB_ARGUMENTS" && echo called)" "2 "
done
pinned FIREBREAK_SOURCE=
check "so is one without a source" is "$CODE" 2
git -C "$WORK/source" rm -q -r --cached ci-templates && git -C "$WORK/source" commit -q -m empty
pinned FIREBREAK_REVISION="$(git -C "$WORK/source" rev-parse HEAD)"
check "and a commit that is none of firebreak" is "$CODE" 2

# --- the templates as a whole
check "one job decides, warns of what it is told to, and keeps its reports" python3 - "$ONE" "$SPLIT" <<'PY'
import sys, yaml
(spec, one), (split_spec, split) = (list(yaml.safe_load_all(open(path))) for path in sys.argv[1:])
job = one["firebreak"]
assert job["allow_failure"] == {"exit_codes": "$[[ inputs.allow_failure ]]"} and spec["spec"]["inputs"]["allow_failure"]["default"] == [3]
assert job["artifacts"]["when"] == "always" and job["artifacts"]["expose_as"] == "firebreak"
assert job["artifacts"]["paths"] == ["firebreak-out/"]
assert job["artifacts"]["reports"] == {name: "firebreak-out/" + file for name, file in {"dotenv": "verdict.env", "junit": "junit.xml",
    "codequality": "codequality.json", "annotations": "links.json"}.items()}
assert split["firebreak-shard"]["allow_failure"] is True
for key in ("allow_failure", "artifacts"):
    assert split["firebreak"][key] == job[key], key
assert split[".firebreak"]["before_script"] == one[".firebreak"]["before_script"] and split["firebreak-note"] == one["firebreak-note"]
assert {**split_spec["spec"]["inputs"], "shards": 0, "mixed_machines": 0} == {**spec["spec"]["inputs"], "shards": 0, "mixed_machines": 0}
PY
check "each input is used" python3 - "$ONE" "$SPLIT" <<'PY'
import re, sys, yaml
for path in sys.argv[1:]:
    inputs = next(yaml.safe_load_all(open(path)))["spec"]["inputs"]
    used = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", open(path).read()))
    assert used == set(inputs), used ^ set(inputs)
    assert all("default" in value for value in inputs.values())
PY
check "the job that has the token takes nothing over from the one that measures, and checks nothing out" python3 - "$ONE" <<'PY'
import sys, yaml
jobs = list(yaml.safe_load_all(open(sys.argv[1])))[1]
note = jobs["firebreak-note"]
assert note["needs"] == [{"job": "firebreak", "artifacts": False}]
assert note["variables"] == {"GIT_STRATEGY": "none"}
assert note["environment"] == {"name": "firebreak-note", "action": "access"} and note["allow_failure"] is True
assert not any("environment" in job or "TOKEN" in str(job) for name, job in jobs.items() if name != "firebreak-note")
PY
finish
