#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which files a check points at: those of head's commit, and none that the build made or that a submodule has. Counted,
# so that verdicts are certain. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
mkdir "$WORK/tmp"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done
REPORT=$WORK/out/report.json
run() { "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null; CODE=$?; }
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 25 "$WORK/stderr" "$WORK/stdout"; return 1; }; }
reports() { json "$REPORT" "$1" || { jq -c '.verdict, (.benchmarks[0].functions[] | {name, file, line, file_in_commit, relation, class})' "$REPORT"; return 1; }; }
of() { reports ".benchmarks[0].functions[] | select(.name == \"$1\") | $2"; } # of FUNCTION CONDITION
points() { # points FORMAT: everything in that format that names a place
	"$FIREBREAK" report "$WORK/out" --format "$1" | grep -oE '::[a-z]+ file=[^,]*|"path": "[^"]*"' | sort -u
}

# --- a program of three functions: one in a file of the commit, one in a file that the build makes, one of a submodule
turns() { # turns NAME N: the source of a function
	printf 'extern volatile unsigned long sum;\nvoid %s(void);\nvoid %s(void)\n{\n\tfor (int i = 0; i < %s; i++)\n\t\tsum += (unsigned long)i;\n}\n' "$1" "$1" "$2"
}
commit() { git add -A && git commit -q -m "$1"; }
git init -q -b main "$WORK/library" && cd "$WORK/library" || exit 1
turns theirs 100000 >theirs.c && commit base
git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
git -c protocol.file.allow=always submodule --quiet add "$WORK/library" third/library
cat >bench.c <<'C'
volatile unsigned long sum;
void own(void), made(void), theirs(void);
int main(void) { own(); made(); theirs(); return 0; }
C
cat >firebreak.yml <<'Y'
version: 1
build: {command: mkdir -p gen && sed s/TURNS/$(cat turns)/ made.c.in >gen/made.c && cc -g -O1 -o bench bench.c own.c gen/made.c third/library/theirs.c}
benchmarks: [{name: count, engines: [callgrind], command: [./bench]}]
Y
echo /gen >.gitignore
turns own 100000 >own.c && turns made TURNS >made.c.in && echo 100000 >turns && commit base && git tag base
turns own 150000 >own.c && echo 150000 >turns
turns theirs 150000 >"$WORK/library/theirs.c" && (cd "$WORK/library" && commit head)
git -C third/library -c protocol.file.allow=always pull -q && commit head

run "$FIREBREAK" check --base base --head HEAD --out "$WORK/out"
check "three functions make it a regression" ends_with 1
check "one is in a file of the commit" of own '.file == "own.c" and .file_in_commit'
check "one in a file that the build made" of made '.file == "gen/made.c" and .file_in_commit == false'
check "one in a file of a submodule" of theirs '.file == "third/library/theirs.c" and .file_in_commit == false'
check "what is edited is touched" of own '.relation == "touched"'
check "so is what a submodule that moved has" of theirs '.relation == "touched"'
check "what the build made is not known to be untouched" of made '.relation == "unknown"'
check "annotations point at the file of the commit alone" is "$(points github)" '::error file=own.c'
check "so do issues, and at the configuration for the others" is "$(points codequality)" "$(printf '"path": "firebreak.yml"\n"path": "own.c"')"
finish
