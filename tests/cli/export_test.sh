#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak export`: every format is read back by exported.py, which shares no code with firebreak.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1
command -v python3 >/dev/null || skip_all "no python3 to read what is written"

# exported FORMAT FILE: what an independent reader sees, in $WORK/stdout; its failure is that of the check.
exported() { python3 "$SOURCE_DIR/tests/cli/exported.py" "$1" "$2" >"$WORK/stdout"; }
# stacks PART: the stacks of a part of what exported() read, sorted as fold sorts them.
stacks() { grep -E -- "^$1 " "$WORK/stdout" | cut -d' ' -f2- | LC_ALL=C sort; }
reads_back() { # reads_back FORMAT FILE PART FOLDED: all stacks of that part are those of a folded file
	exported "$1" "$2" && diff <(stacks "$3") "$4"
}

# --- one profile
firebreak fold a.folded b.folded -o ab.folded
for format in pprof speedscope firefox folded; do
	firebreak export a.folded b.folded --to $format -o ab.$format
	check "export to $format ends with 0" ends_with 0
	check "and prints nothing" is "$(cat "$WORK/stdout" "$WORK/stderr")" ''
	firebreak export a.folded b.folded --to $format -o again.$format
	check "the same files give the same bytes of $format" cmp again.$format ab.$format
done
check "folded is what fold writes" cmp ab.folded <("$FIREBREAK" fold a.folded b.folded)
check "pprof has the same stacks and counts" reads_back pprof ab.pprof - ab.folded
check "as samples alone" prints '^types samples/count$'
check "and says where it comes from" prints '^comment firebreak '
check "speedscope has the same stacks and counts" reads_back speedscope ab.speedscope 'a.folded and 1 more' <(sed 's/^/and 1 more /' ab.folded | LC_ALL=C sort)
firebreak export ab.folded --to speedscope -o ab.speedscope
check "under the name of the file" reads_back speedscope ab.speedscope ab.folded ab.folded
check "without a unit" prints '^unit none$'
firebreak export ab.folded --to firefox -o ab.firefox
check "the Firefox Profiler has the same stacks and counts" reads_back firefox ab.firefox ab.folded ab.folded
check "as samples" prints '^unit samples$'
firebreak fold ab.pprof -o back.folded
check "firebreak reads its own pprof" cmp back.folded ab.folded
firebreak_reads a.folded export - --to folded
check "- is standard input" stdout_is 'lexi;main;parse 2' 'lexi;main;parse;read_word 10' 'lexi;main;score 5'
"$FIREBREAK" export a.folded --to pprof | gzip -dc >plain.pb
check "pprof goes to standard output, too" cmp plain.pb <("$FIREBREAK" export a.folded -t pprof -o - | gzip -dc)
firebreak export a.folded --to pprof --label commit=5d6e7f8 --label side=head --time 1789000000 -o labelled.pprof
check "a profile has the labels that it is given" reads_back pprof labelled.pprof 'commit=5d6e7f8,side=head' <(LC_ALL=C sort a.folded)
check "and a time" prints '^time 1789000000000000000$'
firebreak export --base a.folded --head b.folded --to pprof --label side=both -o labelled.pprof
check "so has a comparison" exported pprof labelled.pprof
check "beside the label of base" prints '^pprof::base=true,side=both '
for wrong in '--label commit' '--label 1=x' '--label a-b=x' '--label commit=' '--label a=1 --label a=2' '--time now' '--time -1' '--time 99999999999'; do
	# shellcheck disable=SC2086 # several words
	firebreak export a.folded --to pprof $wrong -o wrong.pprof
	check "$wrong is refused" ends_with 2
done
firebreak export a.folded --to speedscope --label a=b -o wrong.pprof
check "labels are for pprof" ends_with 2
if command -v protoc >/dev/null; then
	check "protoc reads the same" grep '^6: "read_word"' <(protoc --decode_raw <plain.pb)
else
	echo "skipped: no protoc to read pprof once more"
fi

# --- samples and what they stand for
firebreak fold script.txt -o script.samples
firebreak fold --weight=period script.txt -o script.periods
firebreak export script.txt --to pprof -o script.pprof
check "pprof has samples and their cost" exported pprof script.pprof
check "both named" prints '^types samples/count cpu-clock:u/nanoseconds$'
check "samples are first" diff <(stacks - | sed 's/ [0-9]*$//') script.samples
check "the cost is last" diff <(stacks - | sed -E 's/ [0-9]+( [0-9]+)$/\1/') script.periods
check "the module is a mapping" prints '^mapping lexi$'
firebreak fold script.pprof
check "firebreak counts samples of it, as of the recording" cmp "$WORK/stdout" script.samples
sed 's/cpu-clock:u/cycles:u/' script.txt >cycles.txt
firebreak export cycles.txt --to pprof -o cycles.pprof
check "cycles have their own unit" exported pprof cycles.pprof
check "so that samples stay samples" prints '^types samples/count cycles:u/cycles$'
firebreak fold cycles.pprof
check "also when they are read back" cmp "$WORK/stdout" script.samples
printf 'lexi;;main 3\n;b 1\n' >nameless.folded
firebreak export nameless.folded --to pprof -o nameless.pprof
check "functions without a name are exported" exported pprof nameless.pprof
firebreak export --weight=samples script.txt --to pprof -o only.pprof
check "--weight=samples leaves the cost out" exported pprof only.pprof
check "of pprof, too" prints '^types samples/count$'
firebreak top only.pprof
check "which are called samples when they are read back" prints '^4 samples, 0\.00 % without a name$'
firebreak top --event=samples script.pprof
check "as are those beside a cost" prints '^4 samples, 0\.00 % without a name$'
firebreak flamegraph only.pprof -o only.svg
check "in a picture" grep -F '<title>all (4 samples, 100%)' only.svg
firebreak diff only.pprof script.pprof --event=samples
check "and in a comparison" prints '^4 samples → 4 samples per run'
sed -E 's/ +[0-9]+ (cpu-clock:u)/ \1/' script.txt >without.txt
firebreak export without.txt --to pprof -o without.pprof
check "text without periods is exported" ends_with 0
check "as samples" reads_back pprof without.pprof - script.samples
firebreak export --weight=period script.txt --to speedscope -o script.speedscope
check "speedscope has nanoseconds" reads_back speedscope script.speedscope script.txt script.periods
check "as its unit" prints '^unit nanoseconds$'
firebreak export --weight=period script.txt --to firefox -o script.firefox
check "the Firefox Profiler has milliseconds" exported firefox script.firefox
check "exactly" prints '^script.txt lexi;_start;main;parse;read_word 0.75$'
check "as its unit" prints '^unit tracing-ms$'

# --- comparisons
for format in pprof speedscope firefox folded; do
	firebreak export --base a.folded --head b.folded --to $format -o two.$format
	check "a comparison is exported to $format" ends_with 0
done
firebreak fold a.folded -o a.sorted
firebreak fold b.folded -o b.sorted
sed -E 's/ ([0-9]+)$/ -\1/' a.sorted >a.negative
check "pprof has head as it is" reads_back pprof two.pprof - b.sorted
check "and base below 0, labelled" reads_back pprof two.pprof pprof::base=true a.negative
check "speedscope has base" reads_back speedscope two.speedscope base a.sorted
check "and head" reads_back speedscope two.speedscope head b.sorted
check "and what head costs more" diff <(stacks increases) <(echo 'lexi;main;write 4')
check "the Firefox Profiler has base" reads_back firefox two.firefox base a.sorted
check "and head" reads_back firefox two.firefox head b.sorted
check "and the difference" diff <(stacks difference) <(printf '%s\n' 'lexi;main;parse -2' 'lexi;main;parse;read_word -7' 'lexi;main;score -5' 'lexi;main;write 4')
check "folded has a column for each" diff two.folded <(printf '%s\n' 'lexi;main;parse 2 0' 'lexi;main;parse;read_word 10 3' 'lexi;main;score 5 0' 'lexi;main;write 0 4')
firebreak fold two.pprof
check "fold refuses the difference of two profiles" ends_with 2
firebreak export --base a.folded --base b.folded --head b.folded --head b.folded --to folded
check "files of a side add up" prints '^lexi;main;parse;read_word 13 6$'
firebreak export --base a.folded --base b.folded --head b.folded --to folded
check "sums of two files are not compared with one" ends_with 2
firebreak export --base a.folded --head a.folded --to speedscope -o same.speedscope
check "equal sides are a comparison without increases" exported speedscope same.speedscope
check "and nothing in it" fails grep '^increases' "$WORK/stdout"
firebreak_reads a.folded export --base - --head b.folded --to folded
check "one side may be standard input" prints '^lexi;main;parse 2 0$'
firebreak export --base script.txt --head script.txt --weight=period --to pprof -o times.pprof
check "both values of base are below 0" exported pprof times.pprof
check "samples and cost" prints '^pprof::base=true lexi;_start;main;parse -1 -500000$'

# --- names that want to be something else
hostile=$(printf 'lexi;a"b\\c;</script>;\xe2\x80\xa8;\xff;x<!--')
printf '%s 5\n' "$hostile" >hostile.folded
visible=$(printf 'lexi;a"b\\c;</script>;\xe2\x80\xa8;\\xff;x<!--')
for format in pprof speedscope firefox; do
	firebreak export hostile.folded --to $format -o hostile.$format
	check "hostile names come out of $format as they were" exported $format hostile.$format
	check "and what is no UTF-8 is visible" grep -F -- "$visible 5" "$WORK/stdout"
done
check "nothing in JSON ends a script" fails grep -F '</script>' hostile.speedscope hostile.firefox
firebreak export hostile.folded --to folded
check "folded keeps them" is "$(cat "$WORK/stdout")" "$("$FIREBREAK" fold hostile.folded)"

# --- fractions
printf 'a;b 1.5\na;c 0.25\n' >parts.folded
firebreak export parts.folded --to folded
check "fractions are written as folded stacks" stdout_is 'a;b 1.5' 'a;c 0.25'
firebreak export parts.folded --to speedscope
check "for speedscope" prints '"weights":\[1\.5,0\.25\]'
check "with their sum" prints '"endValue":1\.75,'
firebreak export parts.folded --to firefox
check "and for the Firefox Profiler" prints '"weight":\[1\.5,0\.25\]'
firebreak export parts.folded --to pprof -o parts.pb
firebreak top parts.pb
check "pprof has whole numbers, whose unit says so" prints '^1750 thousandths'

printf 'a;b 3\na;c 1\n' >whole.folded
firebreak export --base parts.folded --head whole.folded --to folded
check "fractions and whole numbers are compared" stdout_is 'a;b 1.5 3' 'a;c 0.25 1'

# --- usage
for arguments in "" "a.folded" "--to pprof" "a.folded --to gprof" "--to folded --base a.folded" "--to folded --head a.folded" \
	"--to folded --base a.folded --head b.folded a.folded" "--to folded --base - --head -" "--to folded - -" "--nonsense a.folded"; do
	# shellcheck disable=SC2086 # several words
	firebreak export $arguments
	check "\`export $arguments\` is a usage error" ends_with 2
	check "that leads to --help" says '\-\-help'
	check "and writes nothing" is "$(cat "$WORK/stdout")" ''
done
firebreak export --base a.folded --head script.txt --weight=period --to pprof -o never.pprof
check "costs of different units are not compared" ends_with 2
check "and both are named" says 'samples.*cpu-clock:u in ns'
check "no file is made of it" fails test -e never.pprof
firebreak export a.folded --to speedscope -o a.folded
check "an input is not overwritten" ends_with 2
firebreak export --base a.folded --head b.folded --to speedscope -o b.folded
check "nor one of a comparison" ends_with 2
check "which stays" is "$(head -n 1 b.folded)" 'lexi;main;write 4'
firebreak export nowhere.data --to pprof -o never.pprof
check "a file that is not there ends with 7" ends_with 7
firebreak export a.folded --to pprof -o no-such-folder/out
check "output that cannot be written ends with 7" ends_with 7
"$FIREBREAK" export a.folded --to pprof >/dev/full 2>"$WORK/stderr"
CODE=$?
check "a full disk ends with 7" ends_with 7
firebreak export --help
check "--help names the formats" prints 'speedscope'
check "and the example of a report's folder" prints 'firebreak-out/parse.base.folded'

finish
