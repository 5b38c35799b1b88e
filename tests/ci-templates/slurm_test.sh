#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A check as a Slurm array, on a real cluster of one node where Slurm is installed: verdicts, tasks that fail, what ends when
# its user ends it. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck disable=SC2016 # scripts with $ that must not be expanded
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/ci-templates/cluster.bash
. "$SOURCE_DIR/tests/ci-templates/cluster.bash"
for tool in valgrind jq python3; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
unset GITHUB_ACTIONS GITLAB_CI
SLURM=$SOURCE_DIR/ci-templates/slurm
: >"$WORK/gitconfig"
export GIT_CONFIG_GLOBAL=$WORK/gitconfig
mkdir "$WORK/bin" "$WORK/stub"
ln -s "$FIREBREAK" "$WORK/bin/firebreak"
cp "$SOURCE_DIR/tests/ci-templates/stub" "$WORK/stub/firebreak"
# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"
BASE=$(git rev-parse main)
slower=$(git rev-parse topic-1) commented=$(git rev-parse topic-2) unbuildable=$(git rev-parse topic-3)
git clone -q "file://$WORK/origin" "$WORK/clone"
cd "$WORK/clone" || exit 1

submit() { # submit PROGRAM-FOLDER BASE HEAD [NAME=VALUE...] [-- OPTION...]: the exit code in CODE
	local folder=$1 base=$2 head=$3 variables=()
	shift 3
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	env PATH="$WORK/$folder:$PATH" SHARDS=2 "${variables[@]}" bash "$SLURM/submit.sh" "$base" "$head" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}

# --- what is refused before anything is submitted
for variable in SHARDS=0 SHARDS='2 --x'; do
	submit bin "$BASE" "$slower" "$variable"
	check "$variable is refused" bash -c "[ $CODE = 2 ] && grep -q 'it takes a number' '$WORK/stderr'"
done
for name in main^9 '--output=x' ''; do
	submit bin "$name" "$slower"
	check "a base \"$name\" is refused" bash -c "[ $CODE = 2 ] && grep -q 'there is no commit' '$WORK/stderr'"
done

if ! cluster; then
	echo "not run: on a cluster: $WHY"
	finish
	exit
fi
trap 'end_cluster; rm -rf "$WORK"' EXIT
verdict() { jq -r .verdict firebreak-out/report.json; }
submit bin "$BASE" "$slower"
check "a regression is the exit code of the whole" is "$CODE $(verdict)" "1 regression"
check "its benchmarks come from two tasks" is "$(jq -r '.benchmarks | map(.name) | join(" ")' firebreak-out/report.json): $(jq -r '.benchmarks | map(.name) | join(" ")' firebreak-out.shards/[12]/report.json | sort | tr '\n' ' ')" \
	"hash sort: hash sort "
check "each task has a log" test -s firebreak-out.shards/1.log -a -s firebreak-out.shards/2.log
check "the clone has no file that git sees" is "$(git status --porcelain)" ''
submit bin "$BASE" "$commented"
check "a pass passes" is "$CODE $(verdict)" "0 pass"
submit bin "$BASE" "$unbuildable"
check "what does not build is an error" is "$CODE $(verdict)" "5 error"
submit bin "$BASE" "$slower" -- --bench-mark hash
check "options reach the check, and one that there is not fails it" bash -c "[ $CODE != 0 ] && grep -q 'bench-mark' '$WORK/stderr' firebreak-out.shards/1.log"
export STUB_ARGUMENTS=$WORK/arguments
submit stub "$BASE" "$slower" STUB_CODE=0 STUB_REPORTED=none
check "a pass without a report is none" is "$CODE" 4

# --- who ends the script ends its tasks
printf '#!/bin/sh\n[ "$1" != check ] || exec sleep 300\n' >"$WORK/stub/firebreak"
env PATH="$WORK/stub:$PATH" SHARDS=2 bash "$SLURM/submit.sh" "$BASE" "$slower" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null &
pid=$!
queued() { [ "$(squeue -h -r | wc -l)" = "$1" ]; }
for ((i = 0; i < 600; i++)); do ! queued 2 || ! squeue -h -t R | grep -q . || break; sleep .1; done
check "two tasks are there" queued 2
kill -TERM $pid
wait $pid
check "it ends as one that was ended" is $? 143
for ((i = 0; i < 600; i++)); do ! queued 0 || break; sleep .1; done
check "and its tasks end" queued 0
finish
