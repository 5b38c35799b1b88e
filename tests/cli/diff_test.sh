#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak diff`: two sets of files as table, picture and two columns; with enough runs the functions are tested.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1

is_svg() { xmllint --noout "$1" && [ "$(xmllint --xpath 'local-name(/*)' "$1")" = svg ]; }
texts() { xmllint --xpath '//*[local-name()="text" or local-name()="title"]/text()' "$1"; }
shows() { texts "$1" | grep -F -- "$2" || { echo "does not show: $2"; texts "$1" | head -n 20; return 1; }; }
# The tooltip of a frame, and whether its group has a text in it.
tooltip_has() {
	xmllint --xpath "string(//*[local-name()='title' and starts-with(., '$2')])" "$1" | grep -F -- "$3"
}
frame_has() { grep -E "<title>$2&#10;" "$1" | grep -F -- "$3"; }
result_is() { json "$WORK/stdout" "[.functions[] | select(.name == \"$1\")][0].class == \"$2\""; }
say() { printf '%s\n' "$@"; }

# Functions vanish, appear, grow with a new callee, recur, and double.
say 'main;foo 1' 'main;gone 40' 'main;keep 100' 'main;rec;rec 10' >base.folded
say 'main;foo 2' 'main;keep 100' 'main;keep;child 60' 'main;new 5' 'main;rec;rec 10' >head.folded

# --- one run of either side
firebreak diff base.folded head.folded -o pair.svg
check "two files are compared" ends_with 0
check "the totals are said" prints '^151 counts → 177 counts per run, \+17\.2 %$'
check "as is that there are too few runs" prints '^not tested: base has 1 and head 1 runs, and 5 of each are needed$'
check "a new function is there" prints '\+39\.7 pp +child +new +not tested'
check "a function that vanished, too" prints '-26\.5 pp +gone +gone +not tested'
check "the picture is well-formed" is_svg pair.svg
check "names the files" shows pair.svg 'base base.folded → head head.folded'
check "says that nothing was tested" shows pair.svg 'too few runs to test it'
check "draws what vanished, hatched" frame_has pair.svg gone 'url(#gone)'
check "and what is new, outlined" frame_has pair.svg new 'stroke="#1f2328"'
check "a parent has the change of its subtree" tooltip_has pair.svg keep '+60.0 % of this frame'
check "a change is that of the frame itself" tooltip_has pair.svg foo '+100.0 % of this frame'
firebreak diff base.folded -- head.folded -o - && cp "$WORK/stdout" stdout.svg
check "with -- and -o - the picture is the output" cmp pair.svg stdout.svg
firebreak diff --width=800 --height=20 --title=Tea --subtitle='cup by cup' --countname=sips --nametype=Leaf: --bgcolors=blue \
	--inverted --fontsize=10 --fontwidth=.5 --fonttype=Serif --notes=hot base.folded head.folded -o options.svg
check "the picture has the options of flamegraph" is_svg options.svg
check "width and font" grep -E '^<svg [^>]*width="800" [^>]*font-family="Serif">' options.svg
check "heading and text beside it" shows options.svg 'Tea: cup by cup'
check "what is counted" tooltip_has options.svg keep '100 sips → '
check "the word before names" grep -F 'data-before="Leaf:"' options.svg
check "the background" grep -F '#e0e0ff' options.svg
check "notes" is "$(xmllint --xpath 'string(//*[local-name()="desc"])' options.svg)" hot
check "icicles" grep -F 'data-up="0"' options.svg
check "size of labels" grep -E 'data-label="5 [^>]* font-size="10"' options.svg
firebreak diff --minwidth=25% base.folded head.folded -o coarse.svg
check "and the least width" shows coarse.svg 'too narrow to be drawn'
firebreak diff --compat --colors=inferno --width=700 --inverted base.folded head.folded -o compat.svg
check "as has that of other tools" grep -F 'width="700"' compat.svg
for option in --reverse --factor=2 --total=9 --hash --minwidth=5furlongs --bgcolors=pink --countname='a(b)' --width=-1; do
	firebreak diff $option base.folded head.folded -o never.svg
	check "$option is refused" ends_with 2
	check "with a reason" says "^firebreak diff: .*${option%%=*}"
done
check "and there is no picture" fails test -e never.svg
firebreak diff --cp --encoding=latin1 base.folded head.folded -o same.svg
check "--cp and --encoding are taken" ends_with 0
check "and change nothing" cmp pair.svg same.svg
check "which --cp says" says '^firebreak: --cp changes nothing'
check "and --encoding" says '^firebreak: --encoding changes nothing'
printf 'main;a 50\nmain;b 50\n' >named.folded
printf 'main;[unknown] 60\nmain;b 50\n' >nameless.folded
say 'sort;main;sort 50' 'sort;main;read 50' >own.folded
say 'sort;main;sort 150' 'sort;main;read 50' >slower.folded
firebreak diff --counted own.folded slower.folded
check "a function that is called like the command is compared" prints '\+100\.0 pp +sort +\+200\.0 %'
firebreak diff own.folded slower.folded --json
check "in the JSON, too" json "$WORK/stdout" '[.functions[] | select(.name == "sort")][0] | .base_cost == 50 and .head_cost == 150'
check "which has no class for what was not tested" json "$WORK/stdout" '[.functions[].class] | unique == [null]'
firebreak diff --counted named.folded nameless.folded
check "cost without a function is said below the functions" prints '^\+60\.00 pp is cost without a function'
seq -f 'main;f%.0f 3' 4000 >many.folded
firebreak diff many.folded many.folded -o many.svg
check "thousands of frames are more than a picture has" test "$(grep -c 'class="f"' many.svg)" -le 2501
check "which it says" shows many.svg 'frames are too narrow to be drawn'
firebreak diff --minwidth=0 many.folded many.folded -o many.svg
check "--minwidth=0 draws all" is "$(grep -c 'class="f"' many.svg)" 4002
printf 'main;a 9494\n' >before.folded
printf 'main;a 11234\n' >after.folded
firebreak diff "$PWD/before.folded" "$PWD/after.folded"
check "files are called as in the picture" prints '^base before\.folded → head after\.folded$'
check "both sides are in one step" prints '^9\.49 k counts → 11\.2 k counts per run'
firebreak diff --negate head.folded base.folded -o negated.svg
check "--negate swaps the sides" cmp <(sed 's/base\.folded/X/;s/head\.folded/Y/' pair.svg) \
	<(sed 's/base\.folded/X/;s/head\.folded/Y/' negated.svg)
firebreak diff --base-name=0123456789abcdef0123456789abcdef01234567 --head-name='<b>' --title='parser & co' \
	base.folded head.folded -o named.svg
check "a commit is shortened" shows named.svg 'base 0123456 → head &lt;b&gt;'
check "the heading is text" shows named.svg 'parser &amp; co'
firebreak_reads head.folded diff base.folded - --compat
check "standard input is a side" prints '^main;foo 1 2$'
firebreak diff <(cat base.folded) <(cat head.folded)
check "so is a pipe" prints '^151 counts → 177 counts per run'
mkfifo named
cat base.folded >named &
timeout 300 "$FIREBREAK" diff named head.folded >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
check "a named one is read once" prints '^151 counts → 177 counts per run'
firebreak diff --json base.folded head.folded
check "--json says what was not tested" json "$WORK/stdout" '.tested == false and (.remark | test("5 of each"))'
check "and counts a recursive function once" json "$WORK/stdout" \
	'.functions[] | select(.name == "rec") | .base_inclusive == 10 and .head_inclusive == 10'
firebreak diff base.folded base.folded
check "equal files have no differing function" prints '^no function differs$'

firebreak diff --json base.folded head.folded
check "the JSON of an untested comparison keeps to its schema" keeps_to_schema diff "$WORK/stdout"
firebreak diff --json --counted base.folded head.folded
check "as does that of counts" keeps_to_schema diff "$WORK/stdout"

# --- counts
firebreak diff --counted --json base.folded head.folded
check "--counted compares without tests" json "$WORK/stdout" '.counted and (.tested | not) and .remark == null'
check "a function is new" result_is child new
check "another is removed" result_is gone removed
check "one only took over what another one cost" result_is foo cost_shift
callgrind_out() {
	printf '%s\n' 'version: 1' 'creator: test' 'pid: 7' 'cmd: ./t' 'part: 1' 'positions: line' 'events: Ir' \
		"summary: $(($1 + 100))" '' 'fl=t.c' 'fn=work' "5 $1" 'fn=main' '1 100' 'cfn=work' 'calls=1 5' "2 $1" ''
}
callgrind_out 5000 >callgrind.base
callgrind_out 6000 >callgrind.head
firebreak diff --json callgrind.base callgrind.head
check "what callgrind counted is counted" json "$WORK/stdout" '.counted and .unit == "Ir"'
check "and changed for certain" result_is work regression

firebreak_reads callgrind.base diff --json - callgrind.head
check "on standard input, too" json "$WORK/stdout" '.counted and .unit == "Ir"'
firebreak diff --json <(cat callgrind.base) <(cat callgrind.head)
check "and in pipes" json "$WORK/stdout" '.counted and .unit == "Ir"'

# --- enough runs
for run in 1 2 3 4 5 6; do
	say "app;main;parse $((400 + run * 3))" "app;main;draw $((300 + run % 2))" 'app;main;same 250' >b$run
	say "app;main;parse $((520 + run * 5))" "app;main;draw $((300 + run % 3))" 'app;main;same 250' >h$run
done
firebreak diff --json b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5
check "five runs are tested" json "$WORK/stdout" '.tested and .remark == null'
check "what rose in all of them is a regression" result_is parse regression
check "what did not is unchanged" result_is same unchanged
firebreak diff b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5 -o five.svg
check "what changed is said in a line" prints '^parse \+[0-9.]+ pp changed significantly$'
check "and in the picture" shows five.svg 'pp changed significantly'
firebreak diff b1 b2 b3 b4 -- h1 h2 h3 h4
check "four are not" prints '^not tested: base has 4'
firebreak diff b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5 h6 -o tested.svg
check "a run without a partner is left out" says 'base has 5 files and head 6: the last 1 of head'
check "a tested picture has the interval of either side" tooltip_has tested.svg parse 'base 409 counts ± '
check "and the test" tooltip_has tested.svg parse 'function test: significant, regression'
check "a frame without significant change is grey" frame_has tested.svg same 'fill="#e4e7eb"'
firebreak diff --json b1 b2 b3 b4 b5 -- b1 b2 b3 b4 b5
check "the same files show nothing" json "$WORK/stdout" '[.functions[].class] | unique == ["unchanged"]'

# --- scales
say 'm;x 1' 'm;y 199' >twice.folded
say 'm;x 1' 'm;y 99' >once.folded
firebreak diff -n twice.folded once.folded -o scaled.svg
check "-n makes the totals equal" prints '^100 counts → 100 counts per run, base scaled to the total of head'
check "and a small count stays" tooltip_has scaled.svg x '+100.0 % of this frame'
check "which is not new" fails frame_has scaled.svg x 'stroke="#1f2328"'
tail -n +2 "$WORK/stdout" >scaled.txt
firebreak diff scaled.svg
check "a picture remembers that" cmp scaled.txt <(tail -n +2 "$WORK/stdout")
firebreak diff --base-work=2 scaled.svg
check "and has no work" ends_with 2
check "which is said" says 'scaled\.svg was drawn with --normalize'
say 'm;x 1' 'm;y 1' 'm;z 2' >four.folded
say 'm;x 12' 'm;y 24' 'm;z 13' >fortynine.folded
firebreak diff -n four.folded fortynine.folded -o rounded.svg
check "what rounding leaves is no change" tooltip_has rounded.svg m 'change 0 counts: +0.00 % of this frame'
firebreak diff --base-work=2 twice.folded once.folded -o work.svg
firebreak diff -n work.svg
check "work that is scaled stays work" prints ' per unit of work, base scaled to the total of head'
firebreak diff --base-work=2 twice.folded once.folded
check "--base-work gives costs per unit of work" prints '^100 counts → 100 counts per unit of work'

for work in 0 -1 nan inf 1e999 2x ''; do
	for option in --base-work --head-work; do
		firebreak diff $option="$work" twice.folded once.folded
		check "$option=$work is refused" ends_with 2
		check "with what it is" says 'of one run, more than 0$'
	done
done

{
	sample lexi 1/1 cpu-clock:u 500000 parse main
	sample lexi 1/1 cpu-clock:u 500000 parse main
} >slow.txt
{
	for run in 1 2 3 4; do sample lexi 1/1 cpu-clock:u 250000 parse main; done
} >fast.txt
firebreak diff slow.txt fast.txt
check "another sampling frequency is no change" prints '^1\.00 ms → 1\.00 ms per run, \+0\.00 %$'

# --- two columns
firebreak diff --compat base.folded head.folded
check "--compat writes two columns" stdout_is 'main;foo 1 2' 'main;gone 40 0' 'main;keep 100 100' \
	'main;keep;child 0 60' 'main;new 0 5' 'main;rec;rec 10 10'
cp "$WORK/stdout" two.folded
firebreak diff --compat pair.svg
check "the picture holds both sides" cmp two.folded "$WORK/stdout"
firebreak diff --two-columns two.folded -o again.svg
check "two columns are both sides" prints '^151 counts → 177 counts per run'
firebreak diff --compat --two-columns two.folded
check "and come out as they went in" cmp two.folded "$WORK/stdout"
say 'a;b 1.5 2' 'a;c 0.25 1' >fractions.folded
firebreak diff --two-columns fractions.folded
check "fractions keep their differences" prints ' per run, \+71\.4 %$'
say 'a;b 0.4' 'a;c 0.25' >parts.base
say 'a;b 0.5' 'a;c 0.3' >parts.head
firebreak diff --compat parts.base parts.head && cp "$WORK/stdout" parts.columns
firebreak diff parts.base parts.head && tail -n +2 "$WORK/stdout" >parts.txt
firebreak diff --two-columns parts.columns
check "and are in columns what they are in two files" cmp parts.txt <(tail -n +2 "$WORK/stdout")
check "which changed" prints '\+23\.1 %$'
firebreak diff --two-columns --pid=3 two.folded
check "filters are refused" ends_with 2
firebreak diff --compat -n twice.folded once.folded
check "--compat -n cuts to whole numbers" stdout_is 'm;x 0 1' 'm;y 99 99'
say 'a;b_[i] 3' 'a;c 4' >inlined.folded
firebreak diff --compat --no-inline inlined.folded inlined.folded
check "--no-inline is followed" stdout_is 'a 3 3' 'a;c 4 4'
for option in --pid=3 --tid=3 --comm=a --event=cycles --root-pid --addresses --skip-after=a; do
	firebreak diff --compat $option base.folded head.folded
	check "--compat $option is refused, as folded stacks do not tell" ends_with 2
done
say 'a;0x1f 1' 'a;0x2f 2' >hex.folded
firebreak diff --compat -s hex.folded hex.folded
check "-s strips addresses" stdout_is 'a;0x... 3 3'
firebreak diff -s --counted hex.folded hex.folded --json
check "in the comparison, too" json "$WORK/stdout" '[.functions[].name] | unique == ["0x..."]'
say 'a;op 3 10' 'a;b 1.5' >names.folded
firebreak diff --compat names.folded names.folded
check "names that end in a number stay, and fractions, too" stdout_is 'a;b 1.5 1.5' 'a;op 3 10 10'
say 'a;b 0.001' 'a;c 1' >seconds.folded
say 'a;b 0.1' 'a;c 1' >more.folded
firebreak diff seconds.folded more.folded
check "counts in seconds keep their differences" prints '9900 %.*0\.001 → 0\.10'
firebreak diff --compat slow.txt fast.txt
check "of recordings, samples are counted" stdout_is 'lexi;main;parse 2 4'
firebreak diff --compat <(cat slow.txt) <(cat fast.txt)
check "from pipes, too" stdout_is 'lexi;main;parse 2 4'
firebreak diff --compat -w period slow.txt fast.txt
check "unless -w says otherwise" stdout_is 'lexi;main;parse 1000000 1000000'
firebreak diff slow.txt fast.txt -o clocks.svg
check "which firebreak's own comparison adds up" prints '^1\.00 ms → 1\.00 ms per run'
firebreak diff --compat clocks.svg
check "a picture of recordings has their samples" stdout_is 'lexi;main;parse 2 4'
firebreak diff --compat -w period clocks.svg
check "and what they stand for" stdout_is 'lexi;main;parse 1000000 1000000'
firebreak diff --compat --colors=flamegraph.pl slow.txt fast.txt -o clocks-compat.svg
check "tooltips of other tools count samples" shows clocks-compat.svg 'parse (4 samples, 100.00%; +50.00%)'
sample lexi 1/1 offcpu-time 9000000 parse main >wait.txt
firebreak diff --compat wait.txt wait.txt
check "those of waits, too" stdout_is 'lexi;main;parse 1 1'
firebreak diff --compat callgrind.base callgrind.head
check "counts are not samples" prints 'work 5000 6000$'
firebreak diff --help
check "help says what counts" prints 'default: period; with'
say 'a;b 3' >some.folded
say 'a;b 0' >none.folded
firebreak diff some.folded none.folded -o gone.svg
check "a side without samples is drawn as gone" tooltip_has gone.svg b 'base 3 counts → head 0 counts'
check "with a warning" grep -q 'head has no samples: everything is gone' "$WORK/stderr"
firebreak diff none.folded none.folded -o never.svg
check "but not two of them" ends_with 4
say 'a;b 1 5' 'a;b 2 12' >twolines.folded
firebreak diff --two-columns twolines.folded -o twolines.svg
check "equal stacks add up before they are compared" tooltip_has twolines.svg b 'base 3 counts → head 17 counts'
say 'a;b 3 0' 'a;c 5 0' >allgone.folded
firebreak diff --two-columns allgone.folded -o allgone.svg
check "a head without counts is drawn" ends_with 0
check "as vanished" frame_has allgone.svg b 'url(#gone)'
say 'a;b 1' 'not a stack' 'a;c 2' >bad.folded
firebreak diff --compat bad.folded head.folded
check "bad lines are left out" prints '^a;c 2 0$'
check "and counted" says 'bad.folded: 1 line is not a stack with a count, the first is line 2'
check "no line has an empty stack" fails grep -E '^ ' "$WORK/stdout"

# --- samples that weigh differently
perf_sample() { say "prog 100/100 1.000: $2 cycles:u:" "	1000 $1+0x1 (/usr/bin/prog)" "	2000 main+0x1 (/usr/bin/prog)" ''; }
{ perf_sample foo 1000 && perf_sample foo 1000 && perf_sample bar 3000; } >varying-base.txt
{ perf_sample foo 100 && perf_sample bar 4900; } >varying-head.txt
firebreak diff --compat varying-base.txt varying-head.txt
cp "$WORK/stdout" columns
firebreak diff varying-base.txt varying-head.txt -o varying.svg
firebreak diff --compat varying.svg
check "a picture keeps how many samples there were" cmp columns "$WORK/stdout"

# --- the pictures of other tools
frame_is() { grep -F -- "<title>$2</title>" "$1" | grep -F -- "fill=\"$3\""; }
firebreak diff --compat --colors=flamegraph.pl base.folded head.folded -o compat.svg
check "--compat --colors draws a picture" is_svg compat.svg
check "with the tooltips and colours of flamegraph.pl" frame_is compat.svg 'child (60 samples, 33.90%; +33.90%)' '#ff0000'
check "without what vanished" fails grep '<title>gone' compat.svg
check "which it says" shows compat.svg 'gone in head and not drawn: 1 stack, 40 samples'
check "and names the sides" shows compat.svg 'base base.folded → head head.folded'
firebreak diff --compat --colors=flamegraph.pl --countname=ms base.folded head.folded -o named.svg
check "--countname names what is counted" frame_is named.svg 'child (60 ms, 33.90%; +33.90%)' '#ff0000'
check "above the frames, too" shows named.svg 'gone in head and not drawn: 1 stack, 40 ms'
check "and nothing else does" fails grep samples, named.svg
firebreak diff --compat --colors=inferno two.folded --two-columns -o inferno.svg
check "or those of inferno" frame_is inferno.svg 'child (60 samples, 33.90%; +33.90%)' '#ff6464'
firebreak diff --compat --colors=flamegraph.pl --negate head.folded base.folded -o negated.svg
check "--negate shows what vanished" frame_is negated.svg 'gone (40 samples, 26.49%; -26.49%)' '#4646ff'
check "and names the sides as they are" shows negated.svg 'base base.folded → head head.folded'
firebreak diff --compat --colors=flamegraph.pl twolines.folded --two-columns -o lines.svg
check "changes of equal stacks add up" frame_is lines.svg 'b (17 samples, 100.00%; +82.35%)' '#ff0000'
firebreak diff --compat --colors=inferno allgone.folded --two-columns -o never.svg
check "without counts in head there is nothing to draw" ends_with 2
check "which is said" says 'as wide as the counts of head, which has none'
firebreak diff --compat --colors=nice base.folded head.folded -o never.svg
check "--colors has two values" ends_with 2
firebreak diff --colors=inferno base.folded head.folded -o never.svg
check "and belongs to --compat" ends_with 2
check "and there is no picture" fails test -e never.svg

# --- recordings of others, with known answers
FIXTURES=${FIREBREAK_SHARED:-$SOURCE_DIR/../shared}/fixtures
if [ -d "$FIXTURES" ]; then
	firebreak diff --two-columns "$FIXTURES/jonhoo-inferno/differential/perf-cycles-instructions-01-collapsed-all-diff.txt" \
		-o cksum.svg
	check "two columns add up" prints '^333 counts → 513 counts per run, \+54\.1 %$'
	check "the largest change is that of main" prints '\+42\.3 pp +main'
	one=$FIXTURES/async-profiler/sample1.collapsed two=$FIXTURES/async-profiler/sample2.collapsed
	firebreak diff --compat "$one" "$two"
	check "12 stacks are common" is "$(grep -cvE ' 0( [0-9]+)?$' "$WORK/stdout")" 12
	check "5 are new" is "$(grep -cE ' 0 [0-9]+$' "$WORK/stdout")" 5
	check "5 vanished" is "$(grep -cE ' 0$' "$WORK/stdout")" 5
	check "one of them is known" prints 'ByteBuffer.get_\[i\];ByteBuffer.getArray_\[i\] 0 1$'
	firebreak diff "$one" "$two" -o async.svg
	firebreak diff --compat async.svg
	check "head can be rebuilt from the picture" cmp <(LC_ALL=C sort "$two") \
		<(sed -nE 's/ [0-9]+ ([1-9][0-9]*)$/ \1/p' "$WORK/stdout" | LC_ALL=C sort)
	check "and so can base" cmp <(LC_ALL=C sort "$one") \
		<(sed -nE 's/ ([1-9][0-9]*) [0-9]+$/ \1/p' "$WORK/stdout" | LC_ALL=C sort)
else
	echo "skipped: recordings with known answers: no $FIXTURES"
fi

# --- errors
say 'a;b 1 2' 'a;c 3' >mixed.folded
firebreak diff --two-columns mixed.folded -o never.svg
check "lines with one and with two counts do not mix" ends_with 2
check "the line is named" says 'mixed.folded:2: '
check "and there is no picture" fails test -e never.svg
firebreak diff --weight=samples script.txt base.folded
check "sides in different units end with 6" ends_with 6
check "and the message says what to do" says 'not comparable; record both alike, or choose with --event or --weight'
firebreak diff base.folded script.txt -- head.folded head.folded
check "files of one side in different units are a usage error" ends_with 2
firebreak diff callgrind.base base.folded
check "counts of instructions are not comparable with others" ends_with 6
firebreak diff base.folded
check "one file that is no picture is a usage error" ends_with 2
check "which says so" says 'no differential flame graph of firebreak'
firebreak diff --comm=nosuch <(cat slow.txt) fast.txt
check "a filter that leaves nothing of a pipe says what there is" says 'commands in it: lexi$'
cat slow.txt >named &
timeout 300 "$FIREBREAK" fold --comm=nosuch named >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
CODE=$?
check "and nobody waits for a named pipe to be written again" ends_with 2
for option in --pid=3 --tid=3 --comm=nosuch --event=cycles --kernel --no-inline --format=perf.data --symfs=. \
	--root-pid --root-tid --addresses --skip-after=main --stackcollapse --weight=samples; do
	firebreak diff $option clocks.svg
	check "of a picture, $option is refused" ends_with 2
	check "which is said" says "^firebreak diff: ${option%%=*} has no effect on clocks\.svg, a picture"
done
firebreak diff --compat --weight=cycles clocks.svg
check "--weight has two values, of a picture, too" ends_with 2
firebreak diff --weight=period clocks.svg
check "and one of them is what it shows" ends_with 0
firebreak diff --pid=3 base.folded
check "without a picture that is what is wrong" says 'no differential flame graph of firebreak'
firebreak diff base.folded head.folded head.folded
check "three files need a --" ends_with 2
firebreak diff base.folded --
check "and either side a file" ends_with 2
firebreak diff - -
check "standard input can be one side only" ends_with 2
firebreak diff base.folded nowhere -o never.svg
check "a file that is not there ends with 7" ends_with 7
firebreak diff base.folded head.folded -o head.folded
check "-o does not overwrite an input" ends_with 2
firebreak diff base.folded head.folded -o no-such-folder/x.svg
check "output that cannot be written ends with 7" ends_with 7
firebreak diff --compat --json base.folded head.folded
check "--compat has no JSON" ends_with 2
firebreak diff --normalize --head-work=2 base.folded head.folded
check "a scale and work are not both" ends_with 2
say 'a;b 0' >zero.folded
firebreak diff zero.folded zero.folded
check "nothing on either side ends with 4" ends_with 4
firebreak diff --help
check "--help explains" prints 'BASE\.\.\. -- HEAD\.\.\.'
mkdir reversed
for file in b1 b2 b3 b4 b5 h1 h2 h3 h4 h5; do tac $file >reversed/$file; done
firebreak diff b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5 -o five.svg && grep significant "$WORK/stdout" >five.txt
(cd reversed && firebreak diff b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5 -o five.svg)
check "the order of lines does not change a byte" cmp five.svg reversed/five.svg
firebreak diff five.svg && grep significant "$WORK/stdout" >again.txt
check "a picture of several runs can be tested again, with the same outcome" cmp five.txt again.txt

# --- fractions
printf 'a;b 1.5\na;c 0.25\n' >parts.folded
printf 'a;b 3\na;c 1\n' >whole.folded
firebreak diff parts.folded whole.folded -o parts.svg
check "fractions and whole numbers are compared" prints '^1\.75 counts → 4 counts per run, \+128\.6 %$'
check "function by function" prints '\+85\.7 pp +b .* 1\.50 → 3$'
check "and drawn" tooltip_has parts.svg c 'base 0.25 counts → head 1 counts per run'
check "fractions are no samples" fails grep -E 'samples 250|1,500' parts.svg
cp "$WORK/stdout" parts.txt
firebreak diff parts.svg
check "the picture holds both" cmp <(tail -n +2 parts.txt) <(tail -n +2 "$WORK/stdout")
firebreak diff --compat parts.svg
check "for other tools, too" is "$(cat "$WORK/stdout")" "$(printf 'a;b 1.5 3\na;c 0.25 1')"
cp "$WORK/stdout" both.folded
firebreak diff --two-columns both.folded
check "as does a file with both columns" cmp <(tail -n +2 parts.txt) <(tail -n +2 "$WORK/stdout")
firebreak diff --json whole.folded parts.folded
check "the JSON has fractions and no samples" json "$WORK/stdout" \
	'.base.total == 4 and .head.total == 1.75 and (.functions[] | select(.name == "b") | .head_cost == 1.5 and .head_samples == null)'
firebreak diff parts.folded parts.folded whole.folded parts.folded parts.folded -- \
	whole.folded whole.folded whole.folded whole.folded whole.folded
check "of several runs, some may have fractions" prints '^2\.20 counts → 4 counts per run'

printf 'a;b 0.000000001\n' >tiny.folded
printf 'a;b 99999999999\n' >huge.folded
firebreak diff tiny.folded huge.folded
check "counts without a common scale are refused" ends_with 2
check "as too far apart" says 'too far apart to be compared'

firebreak diff base.folded head.folded -o once.svg
firebreak diff base.folded head.folded -o twice.svg
check "twice the same bytes" cmp once.svg twice.svg
for way in '' '--compat --colors=inferno'; do
	# shellcheck disable=SC2086 # several words, or none
	firebreak diff $way base.folded head.folded -o once.svg
	# shellcheck disable=SC2086
	LC_ALL=C TZ=Asia/Tokyo G_SLICE=always-malloc MALLOC_PERTURB_=73 firebreak diff $way base.folded head.folded -o twice.svg
	check "locale, time zone and memory do not matter${way:+ with $way}" cmp once.svg twice.svg
	tac head.folded >turned
	# shellcheck disable=SC2086
	firebreak diff $way --head-name=head.folded base.folded turned -o twice.svg
	check "nor does the order of lines${way:+ with $way}" cmp once.svg twice.svg
done
finish
