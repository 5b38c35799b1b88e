#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source file says its licence in one of its first two lines, as tools read it (SPDX). `--fix` adds the line where
# it is missing. Left out is what stands for other people's code (sample projects, golden files), and what is embedded in
# reports, which would grow by it. SOURCE_DIR is the repository.
SOURCE_DIR=${SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}
SOURCE_DIR=$(cd "$SOURCE_DIR" && pwd) || exit 1
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
LINE='SPDX-License-Identifier: Apache-2.0'

sources() { # sources FOLDER: files of ours that are read as sources
	(cd "$1" && find . -path ./build -prune -o -path ./.git -prune -o -path ./tests/projects -prune -o -path ./tests/golden -prune -o \
		-path '*/node_modules' -prune -o -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.bash' -o -name '*.py' -o \
		-name '*.cmake' -o -name CMakeLists.txt -o -name '*.mjs' -o -name '*.pc.in' -o -name Dockerfile -o -path './.github/*.yml' -o \
		-path ./dev -o -path ./.ci/run \) -print | sort)
}
without() { # without FOLDER: those of them that do not say it
	local file
	sources "$1" | while read -r file; do
		head -n 2 "$1/$file" | grep -qF "$LINE" || echo "$file"
	done
}
add() { # add FILE: after the line that names the interpreter, or first
	local line="# $LINE"
	case $1 in
	*.[ch]) line="/* $LINE */" ;;
	*.mjs) line="// $LINE" ;;
	esac
	if head -c 2 "$1" | grep -q '^#!'; then sed -i "1a $line" "$1"; else sed -i "1i $line" "$1"; fi
}
if [ "${1:-}" = --fix ]; then
	without . | while read -r file; do add "$file"; done
	exit
fi

check "there are sources" test "$(sources . | wc -l)" -gt 500
check "every source says its licence" is "$(without . | head -n 5)" ''
check "it is the licence of the repository" grep -q 'Apache License' LICENSE

# The rule can say no, and --fix keeps what a file is.
mkdir -p "$WORK/tree/core" "$WORK/tree/tests/projects"
printf '/* A module. */\n' >"$WORK/tree/core/module.h"
printf '#!/bin/sh\necho ran\n' >"$WORK/tree/tool.sh"
cp "$WORK/tree/core/module.h" "$WORK/tree/tests/projects/sample.c"
chmod 755 "$WORK/tree/tool.sh"
check "files without it are found" is "$(without "$WORK/tree" | xargs)" "./core/module.h ./tool.sh"
for file in $(without "$WORK/tree"); do add "$WORK/tree/$file"; done
check "they are mended" is "$(without "$WORK/tree")" ''
check "a script still runs" is "$("$WORK/tree/tool.sh")" ran
check "a header has nothing else new" is "$(sed 1d "$WORK/tree/core/module.h")" '/* A module. */'
finish
