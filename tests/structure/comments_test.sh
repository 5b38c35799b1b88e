#!/bin/bash
# Comments are sentences with a subject and a verb: none begins with What, Whether or How, which announce a question and
# leave the reader to answer it. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# Folders that still have some; the list only gets shorter.
LEFT='baselines|cli|compare|gate|include|report|runner|tests'

questions() { # questions PATTERN: comments of C files that match, outside of the folders that are left
	find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^[.]/||' | grep -vE "^($LEFT)/" | sort | xargs grep -nE "$1" /dev/null
}
check "no comment begins with What, Whether or How" is "$(questions '(/\*|//)[[:space:]]*(What|Whether|How)\>')" ''
finish
