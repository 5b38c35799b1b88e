#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The scripts and style sheets of flame graphs and report.html are read, formatted and linted as what they are, by Biome
# (biome.json), and hold nothing that would end the element they are embedded in. `--fix` formats them instead.
# SOURCE_DIR names the repository, BIOME the program if it is not the one that ./dev installs.
SOURCE_DIR=${SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}
SOURCE_DIR=$(cd "$SOURCE_DIR" && pwd) || exit 1
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

case $(uname -m) in aarch64) machine=arm64 ;; *) machine=x64 ;; esac
BIOME=${BIOME:-$SOURCE_DIR/build/browser/node_modules/@biomejs/cli-linux-$machine/biome}
if [ "${1:-}" = --fix ]; then
	[ -x "$BIOME" ] || skip_all "Biome is not at $BIOME (./dev installs it into build/browser)"
	"$BIOME" format --write --config-path="$SOURCE_DIR" report
	exit
fi

# ends_element FILE: lines that would end a CDATA section or an element, in a page or in a picture, or that XML takes for
# markup; a script stands in a CDATA section there, a style sheet does not
ends_element() {
	case $1 in
		*.js) grep -niE ']]>|</script|<!--' "$1" ;;
		*) grep -nE '[<&]|]]>' "$1" ;;
	esac
}

mapfile -t files < <(find report -name '*.js' -o -name '*.css' | sort)
check "there are scripts and style sheets" test ${#files[@]} -ge 6
for file in "${files[@]}"; do
	check "$file ends no element" is "$(ends_element "$file")" ''
	check "$file is embedded" grep -qE "^embed\([a-z_]+ ${file#report/}\)" report/CMakeLists.txt
done
printf 'x("]]>");\nx("</Script>");\nx(a < b && c);\n' >"$WORK/bad.js"
printf 'a > b{}\nb::after{content:"<"}\n' >"$WORK/bad.css"
check "what ends a script is found" is "$(ends_element "$WORK/bad.js" | cut -d: -f1 | xargs)" '1 2'
check "markup in a style sheet is found" is "$(ends_element "$WORK/bad.css" | cut -d: -f1)" 2

if command -v node >/dev/null; then
	for file in "${files[@]}"; do
		[[ $file != *.js ]] || check "$file is JavaScript" node --check "$file"
	done
fi

if [ ! -x "$BIOME" ]; then
	[ "$FAILED" = 0 ] || finish || exit 1
	skip_all "Biome is not at $BIOME (./dev installs it into build/browser), so nothing was linted"
fi
biome() { # biome COMMAND FILE, under the rules of the repository; warnings fail, too
	"$BIOME" "$1" --error-on-warnings --colors=off "$2"
}
for file in "${files[@]}"; do
	check "$file is formatted" biome format "$file"
	check "$file has nothing to complain about" biome lint "$file"
done

# The rules themselves, on a tree with one offence each.
mkdir -p "$WORK/tree/report/html" && cp biome.json "$WORK/tree/" && cd "$WORK/tree" || exit 1
good=report/html/good.js tangled=report/html/tangled.css wrong=report/html/wrong.js
printf "window.addEventListener('resize', function () {});\n" >$good
printf 'a{color:red}\n' >$tangled
printf 'var unused = 1,\n\ttwice = 2;\nif ((twice = 3)) window.stop();\n' >$wrong
check "a good script passes" biome format $good
check "a good script has no complaint" biome lint $good
check "a style sheet that is not formatted is found" is "$(biome format $tangled >/dev/null 2>&1 || echo found)" found
check "a fault in a script is found" grep -q noAssignInExpressions <(biome lint $wrong 2>&1)
finish
