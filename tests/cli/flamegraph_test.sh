#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
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
printf 'a;b 1.5\na;c 0.25\n' >parts.folded
firebreak flamegraph parts.folded -o parts.svg
check "fractions are shown as such" shows parts.svg 'a (1.75 counts, 100.00%)'
check "above the picture, too" is "$(texts parts.svg | grep -cx '1.75 counts')" 1
firebreak flamegraph --countname=ms parts.folded -o parts.svg
check "with a name for them" shows parts.svg 'b (1.5 ms, 85.71%)'
check "and above the picture" is "$(texts parts.svg | grep -cx '1.75 ms')" 1
firebreak flamegraph --total=3.5 parts.folded -o parts.svg
check "--total is in the same unit" shows parts.svg 'a (1.75 counts, 50.00%)'
printf 'a;b 3\na;c 1\n' >whole.folded
firebreak flamegraph whole.folded parts.folded -o parts.svg
check "files with and without fractions add up" shows parts.svg 'b (4.5 counts, 78.26%)'
printf 'a;<b onload="x">\001\xff;c 3\n' >hostile.folded
firebreak flamegraph hostile.folded -o hostile.svg
check "hostile names stay text" is_svg hostile.svg

# --- options that users of flamegraph.pl know
tooltips() { xmllint --xpath '//*[local-name()="title"]/text()' "$1" | grep -E '\('; }
firebreak flamegraph --colors=hot --countname=calls --nametype=Method: --notes='a < b' --width=900 --height=20 \
	--fonttype='Comic Sans' --fontsize=13 --fontwidth=.5 --bgcolors=blue --factor=2 a.folded -o options.svg
check "they are taken" ends_with 0
check "and the picture is well-formed" is_svg options.svg
check "--countname and --factor show in the tooltips" shows options.svg 'main (34 calls, 100.00%)'
check "and above the picture" shows options.svg '34 calls, with factor 2'
firebreak flamegraph --color=hot --count=calls --namet=Method: --notes='a < b' --wid=900 --he=20 --fontt='Comic Sans' \
	--fonts=13 --fontw .5 --bgcolor blue --fact=2 a.folded -o cut.svg
check "so are names that are cut where one option alone begins so" cmp options.svg cut.svg
firebreak flamegraph --title=x --font=13 a.folded -o cut.svg
check "but not where several do" ends_with 2
firebreak_reads a.folded flamegraph --title=x -o piped.svg
check "without a file what comes through a pipe is drawn" shows piped.svg '17 counts'
for option in width height fontsize fontwidth factor total; do
	firebreak flamegraph "--$option=0" a.folded -o none.svg
	check "--$option=0 is refused" says "--$option takes a number above 0"
done
for part in 'width="900"' 'font-family="Comic Sans"' 'data-before="Method:"' '<desc>a &lt; b</desc>' '#e0e0ff'; do
	check "the picture has $part" grep -F -- "$part" options.svg
done
check "--colors=hot is red to yellow" grep -E 'fill="#(c[d-f]|[d-f][0-9a-f])[0-9a-f]{2}[0-3][0-9a-f]"' options.svg
firebreak flamegraph --inverted a.folded -o icicle.svg
check "--inverted has the bottom above" grep -F '<title>all (17 samples, 100%)</title><svg x="0%" y="0"' icicle.svg
check "and is called so" shows icicle.svg 'Icicle graph'
firebreak flamegraph --reverse a.folded -o reverse.svg
check "--reverse begins with the leaves" grep -E '<g class="f" data-d="1" [^>]*><title>read_word \(10 samples, 58.82%\)' reverse.svg
check "and ends with the roots" grep -E '<g class="f" data-d="4" [^>]*><title>lexi \(10 samples' reverse.svg
firebreak flamegraph --minwidth=30% a.folded -o coarse.svg
check "--minwidth leaves out what is narrower" shows coarse.svg '1 frame is too narrow to be drawn (29.4 % of the cost)'
firebreak flamegraph --minwidth=600 a.folded -o coarser.svg
check "in pixels, too" is "$(tooltips coarser.svg | wc -l)" 5
firebreak flamegraph --total=34 a.folded -o total.svg
check "--total is the whole width" shows total.svg 'main (17 samples, 50.00%)'
firebreak flamegraph --total=3 a.folded -o total.svg
check "one that is too small is ignored" shows total.svg 'main (17 samples, 100.00%)'
check "with a word" says 'total 3 is ignored'
for scheme in module kind hash hot mem io red green blue yellow purple aqua orange java js perl wakeup chain; do
	firebreak flamegraph --colors=$scheme a.folded -o scheme.svg
	check "--colors=$scheme is drawn" is_svg scheme.svg
done
for option in --random --negate --flamechart --nameattr=x --colors=nice --bgcolors=pink --width=0x \
	--height=-1 --minwidth=5furlongs --minwidth=200% --fontsize=nan --factor=-2 --countname='a(b)'; do
	firebreak flamegraph $option a.folded -o never.svg
	check "$option is refused" ends_with 2
	check "with a reason" says "^firebreak flamegraph: .*${option%%=*}"
done
check "and there is no picture" fails test -e never.svg
firebreak flamegraph a.folded -o usual.svg
firebreak flamegraph --cp --encoding=utf-8 a.folded -o same.svg
check "--cp and --encoding are taken" ends_with 0
check "and change nothing" cmp usual.svg same.svg
check "of which --cp says so" says '^firebreak: --cp changes nothing'
check "and utf-8 nothing" fails says encoding
firebreak flamegraph --encoding=latin1 a.folded -o same.svg
check "another encoding is spoken of" says '^firebreak: --encoding changes nothing'
firebreak flamegraph -q --cp --encoding=latin1 a.folded -o same.svg
check "-q is quiet" fails says changes
firebreak flamegraph --help
for option in title subtitle width height minwidth fonttype fontsize countname nametype colors bgcolors hash reverse inverted \
	notes factor total; do
	check "--help names --$option" prints "^ +(-., )?--$option"
done

# --- pictures of other tools go wrong on these
printf 'a;b 10\na;b(int) 10\na;b c 3\na;b;c 10\n' >siblings.folded
firebreak flamegraph siblings.folded -o siblings.svg
check "a frame whose name begins like others is drawn once" is "$(tooltips siblings.svg | grep -c '^b (')" 1
check "with all of its cost" shows siblings.svg 'b (20 samples, 60.61%)'
printf 'a;op 3 10\na;name with 42 5\n' >numbers.folded
firebreak flamegraph numbers.folded -o numbers.svg
check "a name may end in a number" shows numbers.svg 'op 3 (10 samples, 66.67%)'
check "and have words" shows numbers.svg 'name with 42 (5 samples, 33.33%)'
firebreak flamegraph siblings.folded -o again.svg
check "the same input gives the same bytes" cmp siblings.svg again.svg
tac siblings.folded >tac.folded
firebreak_reads tac.folded flamegraph --subtitle=x - -o tac.svg
firebreak flamegraph --subtitle=x siblings.folded -o straight.svg
check "the order of lines does not matter" cmp straight.svg tac.svg
LC_ALL=C TZ=Asia/Tokyo firebreak flamegraph siblings.folded -o again.svg
check "nor do locale and time zone" cmp siblings.svg again.svg
printf 'a;b 99\n' >few.folded
firebreak flamegraph few.folded -o few.svg
check "fewer than 100 samples are warned of" says 'only 99 samples: record longer'
check "and drawn" ends_with 0
firebreak flamegraph -q few.folded -o few.svg
check "-q does not warn" fails says samples
printf 'a;b 100\n' >enough.folded
firebreak flamegraph enough.folded -o enough.svg
check "100 are enough" fails says samples
printf 'a;b 0\n' >zero.folded
firebreak flamegraph zero.folded -o never.svg
check "no cost at all is no picture" ends_with 4
if command -v python3 >/dev/null; then
	cat >hostile.py <<'PY'
import sys
names = [b"]]>", b"<![CDATA[", b"--><script>", b"&#0;", b"\xff\xfe", b"\xed\xa0\x80", b"\x01x", b"%s%n", b"\xe2\x80\xae", b"'\"", b"</title>", b"<?xml?>"]
sys.stdout.buffer.write(b"".join(b"root;" + name + b" 5\n" for name in names))
PY
	python3 hostile.py >hostile2.folded
	firebreak flamegraph --title=']]>' --nametype='<b>' --countname='"' --notes='--><!--' --fonttype='"/><script>' hostile2.folded -o hostile2.svg
	check "hostile names and options stay text for expat" python3 -c 'import xml.parsers.expat as e; p = e.ParserCreate(); p.Parse(open("hostile2.svg", "rb").read(), True)'
	check "there is one script" is "$(xmllint --xpath 'count(//*[local-name()="script"])' hostile2.svg)" 1
fi

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
