#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `run` ends with 0 only if what it counted is stored: one small program, counted under valgrind.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh"

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done

firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
fails() { ! "$@"; }
runs() { "$FIREBREAK" baseline list --json | jq -c 'map(.runs)'; }

git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
cat >bench.c <<'C'
#include <sys/random.h>

int main(int n_arguments, char **arguments)
{
	unsigned short turns = 2000;
	(void)arguments;
	if (n_arguments > 1 && getrandom(&turns, sizeof turns, 0) != sizeof turns)
		return 1;
	for (volatile unsigned i = 0; i < turns; i++)
		;
	return 0;
}
C
cat >firebreak.yml <<'Y'
version: 1
build: {command: cc -g -O1 bench.c -o bench}
benchmarks:
  - {name: count, engines: [callgrind], command: [./bench]}
  - {name: dice, engines: [callgrind], command: [./bench, x]}
Y
git add . && git commit -q -m one || exit 1
REF=refs/firebreak/$(git rev-parse HEAD)
fresh() { git update-ref -d "$REF" && firebreak run -b count --quiet; }

fresh
check "\`run\` stores what it counts" ends_with 0
check "with its runs" is "$(runs)" '[2]'

# --- where nothing can be stored
echo garbage >".git/$REF"
firebreak run -b count --quiet
check "a ref that cannot be read ends \`run\` with 6" ends_with 6
check "and is named" says "$REF"
check "and stays as it is" is "$(cat ".git/$REF")" garbage
firebreak check --base HEAD -b count --out "$WORK/out" --quiet
check "a check, which only has no place for its counts, is not stopped by it" ends_with 0
check "but says so" json "$WORK/out/report.json" 'any(.findings[]; .code == "not_stored")'
rm ".git/$REF" && fresh
check "without it \`run\` stores again" ends_with 0
TREE=$(git rev-parse "$REF^{tree}")
OBJECT=.git/objects/${TREE:0:2}/${TREE:2}
chmod u+w "$OBJECT" && : >"$OBJECT"
firebreak run -b count --quiet
check "an object that cannot be read ends \`run\` with 6" ends_with 6
check "and the remedy is named" says 'verify --set-aside'
"$FIREBREAK" baseline verify --set-aside >/dev/null
firebreak run -b count --quiet
check "after that \`run\` stores again" ends_with 0

# --- what has more runs stays, and that is said
# what does not repeat is counted more than twice, unless dice fall so that head looks slower at once
for _ in 1 2 3 4 5 6 7 8 9; do
	git update-ref -d "$REF"
	firebreak check --base HEAD --measure-base -b dice --out "$WORK/out" --quiet
	MANY=$(runs)
	[ "${MANY//[^0-9]/}" -gt 2 ] && break
done
check "what does not repeat is counted more than twice" test "${MANY//[^0-9]/}" -gt 2
firebreak run -b dice
check "fewer runs than are stored are no failure" ends_with 0
check "and said" says 'info: dice this measurement is not kept: a stored one of .* has more than its 2 runs'
check "and change nothing" is "$(runs)" "$MANY"
finish
