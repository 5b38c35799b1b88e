#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The help, man pages, completions and docs/COMMANDS.md name the same options, as they come from the same rows; the man
# pages have no fault, and the completions work in a bash, a zsh and a fish. BLESS=1 writes docs/COMMANDS.md again.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck disable=SC2016 # scripts of sed and fish
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

PAGES=$(dirname "$FIREBREAK")/pages
[ -f "$PAGES/COMMANDS.md" ] || { echo "no pages at $PAGES"; exit 1; }
PATH=$(dirname "$FIREBREAK"):$PATH
export LC_ALL=C.UTF-8 HOME=$WORK XDG_CONFIG_HOME=$WORK/config XDG_DATA_HOME=$WORK/data

reference=$SOURCE_DIR/docs/COMMANDS.md
[ -z "${BLESS:-}" ] || cp "$PAGES/COMMANDS.md" "$reference"
check "docs/COMMANDS.md is what the program says (BLESS=1 writes it again)" diff "$reference" "$PAGES/COMMANDS.md"

mapfile -t commands < <(firebreak --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
check "there are commands" test ${#commands[@]} -gt 10

in_help() { firebreak help "$1" | grep -oE '^ +(-[A-Za-z], )?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]*' | sort -u; }
in_man() { sed 's/\\-/-/g' "$PAGES/man1/firebreak-$1.1" | grep -A 1 -x '\.TP' | grep -oE '^\\fB.*--[a-z-]*' | grep -oE -- '--[a-z-]*' | sort -u; }
in_reference() { sed -n "/^## firebreak $1\$/,/^## /p" "$reference" | sed -n 's,^| \(`.*`\) | .*,\1,p' | grep -oE -- '--[a-z][a-z-]*' | cat - <(echo --help) | sort -u; }
in_bash() {
	bash -c '. "$1"; compopt() { :; }; COMP_WORDS=(firebreak "$2" --); COMP_CWORD=2; _firebreak; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$PAGES/bash/firebreak" "$1" | sed 's/=$//' | sort
}
in_fish() { fish -c 'source $argv[1]; complete -C "firebreak $argv[2] --"' "$PAGES/fish/firebreak.fish" "$1" | grep -oE -- '^--[a-z][a-z-]*' | sort -u; }
in_zsh() { timeout 60 zsh -f "$SOURCE_DIR/tests/cli/completions.zsh" "$PAGES/zsh" "firebreak $1 --" | sort -u; }

for command in "${commands[@]}"; do
	in_help "$command" >"$WORK/options"
	check "firebreak $command --help has options" grep -qx -- --help "$WORK/options"
	check "its man page has the same" diff "$WORK/options" <(in_man "$command")
	check "docs/COMMANDS.md, too" diff "$WORK/options" <(in_reference "$command")
	check "bash offers them" diff "$WORK/options" <(in_bash "$command")
done

# --- man pages
for page in "$PAGES"/man?/*; do
	if command -v groff >/dev/null; then
		check "$(basename "$page") has no fault" is "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" ''
	fi
	[ -n "$(command -v mandoc)" ] && check "mandoc finds none either" is "$(mandoc -T lint -W warning "$page" 2>&1 | grep -v 'missing date')" ''
done
if command -v man >/dev/null; then
	man -l "$PAGES/man1/firebreak-check.1" 2>"$WORK/warnings" | col -b >"$WORK/page"
	check "man shows firebreak-check.1" grep -q -- '--on-inconclusive=WHAT' "$WORK/page"
	check "without a warning" test ! -s "$WORK/warnings"
else
	echo "skipped: man is not installed (package man-db)"
fi

# --- firebreak.yml.5: the keys of the schema
if python3 -c 'import json' 2>/dev/null; then
	# the names of all properties, but for the metrics that a gate may name
	keys_of_schema() {
		python3 - "$SOURCE_DIR/docs/schema/config-1.json" <<-'PY'
			import json, sys
			def keys(node):
			    if isinstance(node, dict):
			        for name, value in node.items():
			            if name == "properties":
			                yield from (key for key in value if value[key] != value.get("task-clock"))
			            yield from keys(value)
			    elif isinstance(node, list):
			        for value in node:
			            yield from keys(value)
			print("\n".join(sorted(set(keys(json.load(open(sys.argv[1])))))))
		PY
	}
	keys_of_man() { sed -nE 's/\\-/-/g; s/^\\fB([^ ]*\.)?([a-z_]+)\\fR \(.*/\2/p' "$PAGES/man5/firebreak.yml.5" | sort -u; }
	check "firebreak.yml.5 has the keys of the schema" diff <(keys_of_man) <(keys_of_schema)
fi

# --- what is offered for values and arguments
cd "$WORK" && git init -q -b trunk . && git -c user.name=dev -c user.email=dev@example.org commit -q --allow-empty -m one
mkdir results
bash_offers() { # bash_offers WORD...
	bash -c '. "$1"; compopt() { :; }; COMP_WORDS=(firebreak "${@:2}"); COMP_CWORD=$(($# - 1)); _firebreak; echo "${COMPREPLY[*]}"' \
		bash "$PAGES/bash/firebreak" "$@"
}
check "bash offers commands" is "$(bash_offers ch)" check
check "the values of an option" is "$(bash_offers check --color '')" "auto always never"
check "also after =" is "$(bash_offers check --color = al)" always
check "revisions" is "$(bash_offers check --base tr)" trunk
check "folders" is "$(bash_offers check -o resu)" results
check "files" is "$(bash_offers fold opt)" options
check "actions" is "$(bash_offers baseline pr)" prune
check "after -C, too" is "$(bash_offers -C results baseline pr)" prune
check "and commands to explain" is "$(bash_offers help bise)" bisect
# A terminal as people use it: readline itself calls the function.
in_a_terminal() {
	echo "PS1=; . '$PAGES/bash/firebreak'" >bashrc
	printf 'firebreak check --on-\t\nexit\n' | script -qec 'bash --rcfile bashrc -i' /dev/null
}
check "a bash in a terminal completes the line" grep -q 'check --on-inconclusive=' <(in_a_terminal 2>&1)

if command -v fish >/dev/null; then
	for command in "${commands[@]}"; do
		in_help "$command" >"$WORK/options"
		check "fish offers the options of $command" diff "$WORK/options" <(in_fish "$command")
	done
	fish_offers() { fish -c 'source $argv[1]; complete -C $argv[2]' "$PAGES/fish/firebreak.fish" "$1" | cut -f 1 | tr '\n' ' '; }
	check "fish offers commands" is "$(fish_offers 'firebreak ch')" 'check '
	check "the values of an option" is "$(fish_offers 'firebreak check --color=')" '--color=always --color=auto --color=never '
	check "revisions" is "$(fish_offers 'firebreak run tr')" 'trunk '
	check "actions" is "$(fish_offers 'firebreak baseline pr')" 'prune '
else
	echo "skipped: fish is not installed"
fi

if command -v zsh >/dev/null; then
	for command in check diff baseline; do
		in_help "$command" >"$WORK/options"
		check "zsh offers the options of $command" diff "$WORK/options" <(in_zsh "$command")
	done
else
	echo "skipped: zsh is not installed"
fi
finish
