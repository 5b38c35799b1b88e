#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All that README.md and docs/ show is true. In blocks that begin with ```console, a line `$ COMMAND` is followed by what it
# prints. Commands that cost nothing (firebreak --version, --help) are run and compared. Of the others it is checked that
# the program and its options are there. Files, functions and links that the documentation names exist.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck disable=SC2016 # backquotes in single quotes are Markdown
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
firebreak() { "$FIREBREAK" "$@"; }

# Writes COMMAND to DIR/N.command and the lines below it to DIR/N.shown, for every `$ ` line of a console block.
examples() { # examples FILE DIR
	mkdir -p "$2" && awk -v dir="$2" '
		/^```/ { inside = /^```console$/; command = 0; next }
		inside && /^\$ / { command = 1; file = sprintf("%s/%02d", dir, ++n); print substr($0, 3) >(file ".command"); printf "" >(file ".shown"); next }
		inside && command { print >(file ".shown") }' "$1"
}

# --- commands
prints_what_is_shown() { # prints_what_is_shown EXAMPLE WORD...
	diff "$1.shown" <("${@:2}" 2>&1)
}
# Every word that begins with -- is an option in the help of the command.
firebreak_knows() { # firebreak_knows COMMAND [ARG...]
	local help word
	help=$(firebreak "$1" --help) || return 1
	for word in "${@:2}"; do
		case $word in --*) grep -E -- "(^|[ ,])${word%%=*}([= ]|$)" <<<"$help" || { echo "firebreak $1 has no option $word"; return 1; } ;; esac
	done
}
# the installed program finds its helpers, and its pages and completions are where man and the shells look
installs() {
	local page
	cmake --install "$(dirname "$FIREBREAK")" --prefix "$WORK/installed" >/dev/null || return 1
	for page in man/man1/firebreak.1 man/man1/firebreak-check.1 man/man5/firebreak.yml.5 bash-completion/completions/firebreak \
		zsh/site-functions/_firebreak fish/vendor_completions.d/firebreak.fish; do
		[ -s "$WORK/installed/share/$page" ] || { echo "share/$page is not installed"; return 1; }
	done
	[ -x "$WORK/installed/libexec/firebreak/firebreak-spawn" ] && [ -x "$WORK/installed/libexec/firebreak/firebreak-symbols" ] &&
		"$WORK/installed/bin/firebreak" --version
}
dev_knows() { ./dev help | grep -E "^  $1( |$)"; } # dev_knows COMMAND
run_example() { # run_example EXAMPLE
	local words
	read -ra words <"$1.command"
	case "${words[*]}" in
	'firebreak --version' | 'firebreak --help' | firebreak\ *\ --help) prints_what_is_shown "$1" "${words[@]}" ;;
	firebreak\ *) firebreak_knows "${words[@]:1}" ;;
	./dev\ *) dev_knows "${words[1]}" ;;
	'cmake --install build/release --prefix ~/.local') installs ;;
	*) echo "do not know how to check this command"; return 1 ;;
	esac
}
for document in README.md docs/*.md; do
	examples "$document" "$WORK/$(basename "$document")"
	for example in "$WORK/$(basename "$document")"/*.command; do
		[ -f "$example" ] || continue
		check "$document: $(cat "$example")" run_example "${example%.command}"
	done
done
check "README.md has examples" test -f "$WORK/README.md/05.command"

# --- exit codes: the table has those that the program names, and no others
codes_of_program() { firebreak --help | sed 's/,/\n/g' | grep -oE '(^|: | )(128\+n|[0-9]) [a-z]' | grep -oE '128\+n|[0-9]' | sort -u; }
codes_explained() { sed -n '/^## Exit codes/,/^## report/p' docs/FORMATS.md | sed -nE 's/^\| (128\+n|[0-9]) \|.*/\1/p' | sort -u; }
check "docs/FORMATS.md explains every exit code" diff <(codes_of_program) <(codes_explained)

# --- what the documentation names
named() { grep -ohE '`[^`]+`' README.md SECURITY.md CONTRIBUTING.md docs/*.md | tr -d '`' | sort -u; }
files_exist() {
	local name missing=0 seen=0
	while read -r name; do
		[[ $name =~ ^(core|model|profile|runner|baselines|compare|report|gate|cli|tests|docs|ci-templates)/[A-Za-z0-9_./-]+\.(c|h|sh|json|md|yml)$ && $name != */x/* ]] || continue
		seen=$((seen + 1))
		[ -e "$name" ] || { echo "$name is not there"; missing=1; }
	done < <(named)
	[ $missing = 0 ] && [ $seen -gt 20 ]
}
functions_exist() {
	local name missing=0
	while read -r name; do
		[[ $name =~ ^([a-z_0-9]+)\(\)$ ]] || continue
		grep -rqwF "${BASH_REMATCH[1]}" --include='*.[ch]' core model profile runner baselines compare report gate cli || { echo "$name is not there"; missing=1; }
	done < <(named)
	return $missing
}
measurements_exist() {
	local name missing=0
	while read -r name; do
		[[ $name =~ ^\./dev\ bench\ ([a-z0-9]+) ]] || continue
		[ -e "tests/bench/${BASH_REMATCH[1]}.sh" ] || { echo "$name: there is no such measurement"; missing=1; }
	done < <(named)
	return $missing
}
links_lead_somewhere() {
	local document link missing=0
	for document in README.md SECURITY.md CONTRIBUTING.md docs/*.md; do
		while read -r link; do
			case $link in http*) continue ;; esac
			if [[ $link == '#'* ]]; then
				sed -nE 's/^#+ //p' "$document" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qxF -- "${link#\#}" || { echo "$document: $link"; missing=1; }
			else
				[ -e "$(dirname "$document")/${link%%#*}" ] || { echo "$document: $link"; missing=1; }
			fi
		done < <(grep -oE '\]\([^)]+\)' "$document" | sed -E 's/^\]\(|\)$//g')
	done
	return $missing
}
check "files that the documentation names are there" files_exist
check "functions that the documentation names are there" functions_exist
check "measurements that the documentation names are there" measurements_exist
check "links of the documentation lead somewhere" links_lead_somewhere

# The rules above can say no.
mkdir "$WORK/rules"
printf '```console\n$ firebreak --version\nfirebreak 99\n$ firebreak check --no-such-option\n$ ./dev nonsense\n```\n' >"$WORK/rules.md"
examples "$WORK/rules.md" "$WORK/rules"
is_refused() { ! run_example "$1"; }
for example in 01 02 03; do
	check "a wrong example is found: $(cat "$WORK/rules/$example.command")" is_refused "$WORK/rules/$example"
done
finish
