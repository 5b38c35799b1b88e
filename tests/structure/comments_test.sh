#!/bin/bash
# Comments are sentences with a subject and a verb: none begins with What, Whether or How, which announce a question and
# leave the reader to answer it. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# The number that there may be; it only gets smaller.
MAX=70

found=$(find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^[.]/||' | sort |
	xargs grep -nE '(^|[^"])(/\*|//)[[:space:]]*(What|Whether|How)\>' /dev/null)
few() { [ "$(grep -c . <<<"$found")" -le $MAX ] || { echo "$found"; return 1; }; }
check "at most $MAX comments begin with What, Whether or How" few
finish
