#!/bin/bash
# docs/FORMATS.md has a row for each format of `firebreak report`, with its file, in the order of --help; the README and
# the test of the command name no other. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

helped=$("$FIREBREAK" report --help | sed -nE 's/^  ([a-z]+) +([a-z]+\.[a-z]+) .*/\1 \2/p')
# shellcheck disable=SC2016 # backquotes of Markdown
documented=$(sed -nE 's/^\| `([a-z]+)` \| `([a-z]+\.[a-z]+)` \|.*/\1 \2/p' "$SOURCE_DIR/docs/FORMATS.md")
unknown() { # unknown FILE: formats in it that there are not
	grep -oE 'report (\[DIR\] )?(--format|-f) [a-z,]+' "$SOURCE_DIR/$1" | sed 's/.* //' | tr ',' '\n' | sort -u |
		while read -r name; do grep -q "^$name " <<<"$helped" || echo "$name"; done
}
check "there are formats" [ "$(wc -l <<<"$helped")" -ge 11 ]
check "FORMATS.md lists them with their files" is "$documented" "$helped"
check "the README names no other" is "$(unknown README.md)" ''
check "nor does FORMATS.md" is "$(unknown docs/FORMATS.md)" ''
finish
