#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --config FILE: a policy from outside of the repository. And a submodule that nobody fetched, which is a finding unless
# the build needs it. Nothing here is measured for long: builds fail, or a benchmark runs once.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
mkdir -p "$WORK/cache" "$WORK/tmp" "$WORK/lib" "$WORK/project/sub" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
reason=$(perf_events_open 2>&1) || skip_all "$reason"

repository() { # repository FOLDER: makes it one with all files in it
	git init -q -b main "$1" && git -C "$1" config user.name dev && git -C "$1" config user.email dev@example.org &&
		git -C "$1" add -A && git -C "$1" commit -q --allow-empty -m start
}

cat >"$WORK/trial.yml" <<'YML'
version: 1
build: {command: "cp run.sh built"}
benchmarks:
  - name: trial
    command: [sh, built]
YML
sed 's/cp run.sh/cp gone.sh/' "$WORK/trial.yml" >"$WORK/broken.yml"
printf 'version: 1\nbenchmarks:\n  - nam: trial\n' >"$WORK/wrong.yml"
echo 'int f;' >"$WORK/lib/lib.c"
repository "$WORK/lib" || exit 1
cd "$WORK/project" || exit 1
# shellcheck disable=SC2016 # for the script that is written
echo 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >run.sh
repository . && git -c protocol.file.allow=always submodule --quiet add "$WORK/lib" deps/lib && git commit -q -m lib || exit 1
git clone -q . "$WORK/clone" && mkdir "$WORK/clone/sub" && cd "$WORK/clone/sub" || exit 1

run() {
	"$FIREBREAK" run --rounds 1 "$@" >"$WORK/stdout" 2>"$WORK/stderr"
	CODE=$?
}
check_it() {
	"$FIREBREAK" check --base HEAD~1 --out "$WORK/out" --no-store "$@" >"$WORK/stdout" 2>"$WORK/stderr"
	CODE=$?
}
REPORT=$WORK/out/report.json

run
check "without a configuration there is nothing to measure" is "$CODE" 2
run --config ../../trial.yml
check "a file outside of the repository is enough" is "$CODE" 0
check "... and its benchmark is measured" grep -q '^trial ' "$WORK/stdout"
check "... which is said" grep -q 'policy is read from ../../trial.yml' "$WORK/stderr"
check "a submodule that nobody fetched is named" grep -q 'without the submodules deps/lib' "$WORK/stderr"

check_it --config ../../broken.yml
check "both sides are built as the file says" is "$CODE" 5
check "... the report names the file" json "$REPORT" '.config_source == "../../broken.yml"'
check "... and the build's failure the submodule that lacks" \
	json "$REPORT" '.reasons | map(.text) | any(contains("without the submodules deps/lib") and contains("git submodule update"))'
check_it --config ../../wrong.yml
check "a mistake in the file is one of usage" is "$CODE" 2
check "... with its place" grep -q '\.\./\.\./wrong\.yml:3:5: ' "$WORK/stderr"
check_it --config ../../gone.yml
check "so is a file that is not there" is "$CODE" 2
check "... which is named" grep -q 'gone.yml' "$WORK/stderr"

git -c protocol.file.allow=always submodule --quiet update --init
run --config ../../trial.yml
check "with the submodule nothing is missing" is "$CODE$(grep -c 'without the submodules' "$WORK/stderr")" 00
finish
