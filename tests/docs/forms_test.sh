#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of docs/FORMATS.md has the formats of `firebreak report` as --help lists them (BLESS=1 writes it again), and
# the documentation names no other. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

helped=$("$FIREBREAK" report --help | sed -nE 's/^  ([a-z]+) +([a-z]+\.[a-z]+) .*/\1 \2/p')
formats=$SOURCE_DIR/docs/FORMATS.md
# The document with the rows that --help gives, below the head of the table.
with_rows() {
	# shellcheck disable=SC2016 # backquotes of Markdown
	"$FIREBREAK" report --help | sed -nE 's/^  ([a-z]+) +([a-z]+\.[a-z]+) +(.*)/| `\1` | `\2` | \3 |/p' >"$WORK/rows"
	awk -v rows="$WORK/rows" '
		is_table && !/^\|/ { is_table = 0 }
		!is_table { print }
		/^\| format \| file \| content \|$/ {
			is_table = 1
			print "|---|---|---|"
			while ((getline row <rows) > 0) print row
		}' "$formats"
}
with_rows >"$WORK/FORMATS.md"
[ -z "${BLESS:-}" ] || cp "$WORK/FORMATS.md" "$formats"
unknown() { # unknown FILE: formats in it that there are not
	grep -oE 'report (\[DIR\] )?(--format|-f) [a-z,]+' "$SOURCE_DIR/$1" | sed 's/.* //' | tr ',' '\n' | sort -u |
		while read -r name; do grep -q "^$name " <<<"$helped" || echo "$name"; done
}
check "there are formats" [ "$(wc -l <<<"$helped")" -ge 11 ]
check "FORMATS.md lists them as --help does (BLESS=1 writes it again)" diff "$formats" "$WORK/FORMATS.md"
check "the README names no other" is "$(unknown README.md)" ''
check "nor does FORMATS.md" is "$(unknown docs/FORMATS.md)" ''
finish
