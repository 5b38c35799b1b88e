#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/FORMATS.md lists every code of a finding or a reason that the program can give, and no other.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
folders="core model profile runner baselines compare report gate cli"

# An argument of a call, with whole parentheses in it.
argument='(?(DEFINE)(?<p>\((?:[^()]|(?&p))*\))(?<a>(?:[^,;()]|(?&p))+))'

given() { # given FUNCTION POSITION: the texts in the argument at that position of all calls, one per line
	# shellcheck disable=SC2086 # the folders are words
	grep -rhozP "$argument\\b$1\\((?:(?&a),){$(($2 - 1))}\\K(?&a)" --include='*.c' $folders |
		tr '\0' '\n' | grep -oE '"[a-z0-9_]+"' | tr -d '"'
}
# shellcheck disable=SC2016 # backquotes are those of Markdown
rows() { # rows SECTION: the codes in the first column of its table, sorted
	sed -n "/^### $1\$/,/^##* [^C]/p" docs/FORMATS.md | sed '1d' | sed '/^###/,$d' | grep '^| `' | cut -d'|' -f2 |
		grep -oE '`[a-z0-9_]+`' | tr -d '`' | sort
}
listed() { rows "$1" | uniq; }
reason_codes() { # what becomes the code of a reason by other ways than a literal argument
	sed -nE 's/^#define (SELF_TEST_MISSED|NOT_MEASURED|NOTHING_TO_COMPARE) "(.*)"$/\2/p' compare/result.h
	sed -n "/^static const char \\*failure_code(/,/^}/p" compare/endings.c | grep -oE '"[a-z_]+"' | tr -d '"'
	given decide_open 2
	given end_in_error 2
	sed -n "/^const char \\*judgement_open_code(/,/^}/p" compare/comparison/judgement.c | grep -oE '"[a-z]+(_[a-z]+)+"' | tr -d '"'
	grep -rhoE '\(Objection\)\{"[a-z_]+"' compare | grep -oE '"[a-z_]+"' | tr -d '"'
	grep -rhoE 'reason_code = g_strdup\("[a-z_]+"' cli compare | grep -oE '"[a-z_]+"' | tr -d '"'
	given check_result_add_reason 3
	given benchmark_comparison_decide 3
}

findings=$(given finding_add 3 | sort -u)
check 'the codes of findings are found' test "$(wc -l <<<"$findings")" -gt 50
check 'FORMATS.md lists the codes of all findings' is "$(diff <(echo "$findings") <(listed 'Codes of findings'))" ''
check 'FORMATS.md lists the codes of all reasons' is "$(diff <(reason_codes | sort -u) <(listed 'Codes of reasons'))" ''
for section in 'Codes of findings' 'Codes of reasons'; do
	check "$section: each is listed once" is "$(rows "$section" | uniq -d)" ''
done
finish
