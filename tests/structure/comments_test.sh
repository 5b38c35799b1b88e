#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Comments are sentences with a subject and a verb: none begins with What, Whether or How, which announce a question and
# leave the reader to answer it, nor with Behind or Likewise, which say it of something else. Files that they name are there. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

found=$(find . -path ./build -prune -o -name '*.[ch]' -print | sed 's|^[.]/||' | sort |
	xargs grep -nE '(^|[^"])(/\*|//)[[:space:]]*(What|Whether|How|Behind|Likewise)\>' /dev/null)
# Scripts, by their own comments; the second line of a comment may begin with any word. Those in report/ are a part of
# every picture.
# shellcheck disable=SC2016 # awk has its own variables
found+=$(find . \( -path ./build -o -path ./tests/golden -o -path ./report -o -path ./.git \) -prune -o \( -name '*.sh' -o -name '*.py' -o \
	-name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name CMakeLists.txt \) -print | sed 's|^[.]/||' | sort |
	xargs awk 'FNR == 1 { before = "" }
		/^[ \t]*(#|\/\/|\/\*|""")[ \t]*(What|Whether|How|Behind|Likewise)[ \t]/ && before !~ /^[ \t]*(#|\/\/)[^!]*$/ {
			print FILENAME ":" FNR ": " $0 }
		{ before = $0 }')
check "no comment begins with What, Whether, How, Behind or Likewise" is "$found" ''

# missing FOLDER: paths of the tree that its sources name, in comments or #include, and that are not in this repository.
missing() {
	grep -rohE '\b(core|model|profile|runner|baselines|compare|report|gate|cli|tests)/[a-z0-9_/]+\.(c|h|sh|py)\b' \
		--include='*.[ch]' "$@" | sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done
}
check "files that comments name are there" is \
	"$(missing core model profile runner baselines compare report gate cli tests)" ''
echo '/* as profile/canonical.h says; core/error.h */' >"$WORK/stale.h"
check "one that moved is found" is "$(missing "$WORK")" profile/canonical.h
finish
