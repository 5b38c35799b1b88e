#!/bin/bash
# The sample project is what the gate's tests and the demo take it for: every variant builds with the flags it is given,
# gives the same answer, and has the same SHA everywhere. SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
MAKE_HISTORY=$SOURCE_DIR/tests/projects/sample/make_history.sh

check "the history is made" "$MAKE_HISTORY" "$WORK/lexi"
(umask 077 && TZ=Asia/Tokyo GIT_AUTHOR_NAME=somebody "$MAKE_HISTORY" "$WORK/again" >/dev/null)
check "it has the same commits when somebody else makes it" is \
	"$(git -C "$WORK/again" for-each-ref --format='%(objectname) %(refname)')" \
	"$(git -C "$WORK/lexi" for-each-ref --format='%(objectname) %(refname)')"
check "a folder that is not empty is refused" bash -c "! '$MAKE_HISTORY' '$WORK/lexi'"

cd "$WORK/lexi" || exit 1
answers() {
	for variant in main slow fast shift rename noop; do
		git checkout -q $variant && make -s clean && CFLAGS='-g -fno-omit-frame-pointer -Werror' make -s && ./lexi 3 || return 1
	done
}
answers >"$WORK/answers" 2>"$WORK/errors"
check "all six variants build without a warning and run" is "$(wc -l <"$WORK/answers") $(cat "$WORK/errors")" "6 "
check "and give the same answer" is "$(sort -u "$WORK/answers" | wc -l)" 1
check "flags of the environment are added to -O2" bash -c "CFLAGS=-DX make -n -B rank.o | grep -q -- '-O2 -DX'"
check "and come after it, so that they win" bash -c "CFLAGS=-O0 make -n -B rank.o | grep -q -- '-O2 -O0'"
check "a build leaves the working tree clean" is "$(git status --porcelain)" ''
finish
