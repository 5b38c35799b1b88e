#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first check of a project, as the documentation has it: `firebreak check --head worktree` judges what is not
# committed yet against HEAD, with a firebreak.yml that is not committed either, and then with a new benchmark.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"

OUT=$WORK/out REPORT=$WORK/out/report.json SAID=$WORK/said
mkdir "$WORK/tmp" "$WORK/cache"
export TMPDIR=$WORK/tmp XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null

gate() {
	"$FIREBREAK" check --head worktree --rounds 8 --no-confirm --no-store --out "$OUT" "$@" >"$WORK/stdout" 2>"$SAID" </dev/null
	CODE=$?
}
says() { grep -F -- "$1" "$SAID" "$WORK/stdout" || { tail -n 15 "$SAID"; return 1; }; }
reports() { json "$REPORT" "$1" || { jq -c '.exit_code, .reasons' "$REPORT"; return 1; }; } # with the ending if it does not

# main is one commit ahead of its remote's, so that the merge base is another commit than HEAD.
git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
git config user.name dev && git config user.email dev@example.org
cat >work.c <<'C'
volatile unsigned long sink;
__attribute__((noinline)) static void burn(void)
{
	for (unsigned long i = 0; i < 20000000; i++)
		sink += i;
}
int main(void)
{
	burn();
	return 0;
}
C
git add -A && git commit -qm first
git update-ref refs/remotes/origin/main HEAD && git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
echo words >README && git add -A && git commit -qm second
cat >firebreak.yml <<'YML'
version: 1
build: {command: "cc -O2 -o work work.c && { ! test -e new.c || cc -O2 -o new new.c; }"}
benchmarks:
  - {name: work, command: ./work, gate: {task-clock: {}}}
YML

sed -i 's/20000000/40000000/' work.c
settled gate
check "a slower working tree fails, by a configuration that is not committed" is "$CODE" 1
check "it is compared with HEAD" reports ".base.sha == \"$(git rev-parse HEAD)\" and .base.chosen_by == \"HEAD\""
check "why is said" says "(HEAD, which the working tree changes)"
check "whose configuration it is stands in the report" reports '.findings | any(.code == "policy_from_head")'

git checkout -q work.c && git add -A && git commit -qm gate
sed 's/20000000/40000000/' work.c >new.c
echo '  - {name: new, command: ./new, gate: {task-clock: {}}}' >>firebreak.yml
settled gate
check "a new benchmark that base lacks is nothing to compare, and the other one is judged" reports \
	'.reasons[-1] | .code == "nothing_to_compare" and .benchmark == "new" and .exit_code == 0'
check "head was measured" reports '.benchmarks[1] | .name == "new" and .metrics != null'
sed -i 's/name: new,/&files: [new.c],/' firebreak.yml
settled gate
check "with its files base runs it" reports '.findings | any(.code == "files_laid_over" and (.text | test("new.c")))'
check "and both are judged" reports '[.benchmarks[].metrics | length > 0] == [true, true]'
check "so nothing is left to compare later" reports '.reasons | all(.code != "nothing_to_compare")'

git add -A && git commit -qm new
gate --benchmark no-such
check "without changes it has the base that HEAD has, and that is said" says "the working tree has no changes, so it is compared as HEAD is"
finish
