#!/bin/bash
# Comments are sentences with a subject and a verb: none begins with What, Whether or How, which announce a question and
# leave the reader to answer it. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

found=$(find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^[.]/||' | sort |
	xargs grep -nE '(^|[^"])(/\*|//)[[:space:]]*(What|Whether|How)\>' /dev/null)
check "no comment begins with What, Whether or How" is "$found" ''
finish
