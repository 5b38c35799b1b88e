#!/bin/bash
# `firebreak flamegraph`: any profile becomes a well-formed picture that keeps its total.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1

is_svg() { xmllint --noout "$1" && [ "$(xmllint --xpath 'local-name(/*)' "$1")" = svg ]; }
# The texts of a picture, one per line.
texts() { xmllint --xpath '//*[local-name()="text" or local-name()="title"]/text()' "$1"; }
shows() { texts "$1" | grep -F -- "$2" || { echo "does not show: $2"; texts "$1" | head -n 20; return 1; }; }

firebreak flamegraph a.folded -o a.svg
check "folded stacks are drawn" ends_with 0
check "well-formed" is_svg a.svg
check "and the total is kept" shows a.svg '17 counts'
for function in main parse read_word score; do check "$function is there" shows a.svg "$function"; done
check "the file is named" shows a.svg a.folded
firebreak flamegraph a.folded -o again.svg
check "twice the same bytes" cmp a.svg again.svg
firebreak flamegraph a.folded
check "without -o it goes to standard output" cmp a.svg "$WORK/stdout"
firebreak_reads a.folded flamegraph - -o stdin.svg
check "standard input is drawn" shows stdin.svg '17 counts'
firebreak flamegraph a.folded b.folded -o ab.svg
check "several files add up" shows ab.svg '24 counts'
check "and are said to be several" shows ab.svg 'a.folded and 1 more'
firebreak flamegraph script.txt -o script.svg
check "text of perf script is drawn" shows script.svg '4 samples of cpu-clock:u'
firebreak flamegraph --weight=period script.txt -o period.svg
check "--weight=period draws the cost" shows period.svg '1.50 ms of cpu-clock:u in 4 samples'
firebreak flamegraph --title='<script>&"' --subtitle='second line' a.folded -o title.svg
check "--title is shown as text" shows title.svg '&lt;script&gt;&amp;"'
check "--subtitle, too" shows title.svg 'second line'
check "and the picture stays well-formed" is_svg title.svg
printf 'a;<b onload="x">\001\xff;c 3\n' >hostile.folded
firebreak flamegraph hostile.folded -o hostile.svg
check "hostile names stay text" is_svg hostile.svg

# --- errors
cp a.folded same.folded
firebreak flamegraph same.folded -o same.folded
check "-o does not overwrite an input" ends_with 2
check "which stays" cmp a.folded same.folded
printf 'no profile\n' >text
cp a.svg kept.svg
firebreak flamegraph text -o kept.svg
check "a file of no known format ends with 2" ends_with 2
check "and leaves the file of -o alone" cmp a.svg kept.svg
firebreak flamegraph nowhere -o never.svg
check "a file that is not there ends with 7" ends_with 7
check "and makes no picture" fails test -e never.svg
firebreak flamegraph a.folded -o no-such-folder/x.svg
check "output that cannot be written ends with 7" ends_with 7
firebreak flamegraph
check "no file at all is a usage error" ends_with 2
firebreak flamegraph --comm=nobody two.txt -o never.svg
check "filters that leave nothing end with 2" ends_with 2
check "and make no picture" fails test -e never.svg
if command -v script >/dev/null; then
	script -qec "'$FIREBREAK' flamegraph a.folded; echo code=\$?" /dev/null >"$WORK/stdout" 2>&1 </dev/null
	check "a terminal gets no picture but a usage error" prints 'code=2'
	check "that names -o" prints 'with -o'
else
	echo "skipped: a picture for a terminal: no script command"
fi
finish
