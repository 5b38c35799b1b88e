#!/bin/bash
# `firebreak fold`: inputs, options, errors. The readers have tests of their own; here is what the command makes of them.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1

# --- folded stacks
firebreak fold a.folded
check "folded stacks come out sorted" stdout_is 'lexi;main;parse 2' 'lexi;main;parse;read_word 10' 'lexi;main;score 5'
check "with exit code 0" ends_with 0
check "and nothing on stderr" is "$(cat "$WORK/stderr")" ''
firebreak fold a.folded b.folded
check "several files add up" stdout_is 'lexi;main;parse 2' 'lexi;main;parse;read_word 13' 'lexi;main;score 5' 'lexi;main;write 4'
cp "$WORK/stdout" "$WORK/ab"
firebreak fold b.folded a.folded
check "in any order" cmp "$WORK/stdout" "$WORK/ab"
firebreak fold a.folded b.folded
check "and twice the same bytes" cmp "$WORK/stdout" "$WORK/ab"
firebreak_reads a.folded fold b.folded -
check "- is standard input" cmp "$WORK/stdout" "$WORK/ab"
firebreak fold - <a.folded
cp a.folded ./-q.folded
firebreak fold -- -q.folded
check "-- ends the options" stdout_is 'lexi;main;parse 2' 'lexi;main;parse;read_word 10' 'lexi;main;score 5'
firebreak fold a.folded -o out.folded
check "-o writes a file" cmp out.folded <("$FIREBREAK" fold a.folded)
check "and nothing to stdout" is "$(cat "$WORK/stdout")" ''
ln -s out.folded link.folded
firebreak fold b.folded -o link.folded
check "-o follows a link" test -L link.folded
check "and writes what it leads to" cmp out.folded <("$FIREBREAK" fold b.folded)
mkfifo pipe
timeout 60 cat pipe >from-pipe &
firebreak fold a.folded -o pipe
wait
check "-o writes into a pipe instead of replacing it" cmp from-pipe <("$FIREBREAK" fold a.folded)
check "which is still one" test -p pipe

# --- text of perf script
firebreak fold script.txt
check "text of perf script is folded, a sample counts one" stdout_is 'lexi;_start;main;parse 1' 'lexi;_start;main;parse;read_word 2' 'lexi;_start;main;score 1'
firebreak fold --weight=period script.txt
check "--weight=period counts what samples stand for" stdout_is 'lexi;_start;main;parse 500000' 'lexi;_start;main;parse;read_word 750000' 'lexi;_start;main;score 250000'
firebreak_reads script.txt fold -
check "from standard input, too" stdout_is 'lexi;_start;main;parse 1' 'lexi;_start;main;parse;read_word 2' 'lexi;_start;main;score 1'
firebreak fold --stackcollapse script.txt
check "--stackcollapse drops the last sample without an empty line and counts periods" stdout_is 'lexi;_start;main;parse 500000' 'lexi;_start;main;parse;read_word 750000'
firebreak fold --stackcollapse --weight=samples script.txt
check "or samples, if asked for" stdout_is 'lexi;_start;main;parse 1' 'lexi;_start;main;parse;read_word 2'
firebreak fold --format=perf-script script.txt
check "--format says what it is" ends_with 0
firebreak fold --annotate kernel.txt
check "--annotate marks kernel functions" prints '^lexi;_start;main;vfs_write_\[k\] 1$'

firebreak fold --stackcollapse --annotate --weight=samples kernel.txt
check "with the rules of the script, too" prints '^lexi;_start;main;vfs_write_\[k\] 1$'
firebreak fold --root-pid two.txt
check "--root-pid names the process at the root" stdout_is 'lexi-100;main 1' 'sort-200;main 2'
firebreak fold --root-tid two.txt
check "--root-tid the thread, too" stdout_is 'lexi-100/100;main 1' 'sort-200/200;main 1' 'sort-200/201;main 1'
firebreak fold --addresses unknown.txt
check "--addresses names what has no name by its address" prints '^lexi;main;\[unknown <401010>\] 1$'
firebreak fold --skip-after=main script.txt
check "--skip-after cuts what called a function" stdout_is 'main;parse 1' 'main;parse;read_word 2' 'main;score 1'

# --- filters
firebreak fold --comm=lexi two.txt
check "--comm keeps one command" stdout_is 'lexi;main 1'
firebreak fold --pid=200 two.txt
check "--pid keeps one process" stdout_is 'sort;main 2'
firebreak fold --tid=201 two.txt
check "--tid keeps one thread" stdout_is 'sort;main 1'
firebreak fold events.txt
check "two events without a choice end with 2" ends_with 2
check "and name them" says 'cycles.*page-faults|page-faults.*cycles'
firebreak fold --event=page-faults events.txt
check "--event chooses" stdout_is 'lexi;main 1'

# --- nothing left, nothing there, nothing readable
for options in --pid=9 --tid=9 --comm=nobody --event=nothing; do
	firebreak fold $options two.txt
	check "$options that leaves nothing ends with 2" ends_with 2
	check "and writes nothing" is "$(cat "$WORK/stdout")" ''
	check "but says why" test -s "$WORK/stderr"
done
firebreak fold --pid=9 two.txt -o never.folded
check "no file is made of nothing" fails test -e never.folded
: >empty
firebreak fold empty
check "an empty file is an error" ends_with 2
firebreak_reads empty fold -
check "so is an empty standard input" ends_with 2
printf 'this is\nno profile\n' >text
firebreak fold text
check "a file of no known format ends with 2" ends_with 2
check "and is named" says 'text'
firebreak fold --format=perf.data a.folded
check "a format named by the user that is not it fails" fails ends_with 0
firebreak fold --format=perf a.folded
check "an unknown format ends with 2" ends_with 2
check "and the known ones are named" says 'perf\.data, perf-script, callgrind, pprof, folded'
firebreak fold nowhere.data
check "a file that is not there ends with 7" ends_with 7
check "and is named" says 'nowhere\.data'
firebreak fold a.folded nowhere.data
check "a second one, too" ends_with 7
check "and nothing is written" is "$(cat "$WORK/stdout")" ''
firebreak fold a.folded -o no-such-folder/out
check "output that cannot be written ends with 7" ends_with 7
cp a.folded kept.folded
firebreak fold text -o kept.folded
check "an error leaves the file of -o alone" cmp a.folded kept.folded
"$FIREBREAK" fold a.folded >/dev/full 2>"$WORK/stderr"
CODE=$?
check "a full disk ends with 7" ends_with 7
printf 'PERFILE2' >magic.data
firebreak fold magic.data
check "a recording that is cut off ends with 4" ends_with 4
check "and is named" says 'magic\.data'

# --- usage
for arguments in "" "--weight=both a.folded" "--pid=0 a.folded" "--pid=-3 a.folded" "--tid=x a.folded" "--nonsense a.folded" "- -"; do
	# shellcheck disable=SC2086 # several words
	firebreak fold $arguments
	check "\`fold $arguments\` is a usage error" ends_with 2
	check "that leads to --help" says '\-\-help'
done

# --- remarks on the recording
firebreak fold unknown.txt
check "functions without a name are remarked on" says '^warning: 50 % of the'
check "in a result that is there all the same" prints '^lexi;main;\[unknown\] 1$'
{ sample lexi 1/1 cpu-clock 1 memchr; sample lexi 1/1 cpu-clock 1 parse main _start; } >rootless.txt
firebreak fold rootless.txt
check "stacks without callers are remarked on" says '^warning: 50 % of the cost is in stacks that lost their callers'
lost() { printf 'lexi 100/100 12.345679: PERF_RECORD_LOST lost %s\n\n' "$1"; }
{ cat script.txt; echo; lost 1; } >lost.txt
firebreak fold lost.txt
check "samples that were lost are warned of" says '^warning: 1 samples were lost, 20 % of all'
{ for _ in {1..99}; do sample lexi 1/1 cpu-clock:u 1 main _start; done; lost 1; } >hundred.txt
firebreak fold hundred.txt
check "of up to one percent it is told" says '^info: 1 samples were lost, 1 % of all'
firebreak fold -q unknown.txt
check "-q keeps quiet" is "$(cat "$WORK/stderr")" ''
firebreak fold -v a.folded
check "-v says what was read" says '^a\.folded: '
printf 'lexi;\033[31mred;\xe2\x80\xaeback 5\n' >hostile.folded
firebreak fold hostile.folded
check "control bytes in names become blanks" stdout_is "$(printf 'lexi;[31mred;\xe2\x80\xaeback 5')"

# --- a recording
if reason=$(perf_events_open 2>&1); then
	# shellcheck disable=SC2016 # awk has its own dollar
	firebreak record -o own.data -- awk 'BEGIN { for (i = 0; i < 2000000; i++) s += i % 7; print s }'
	firebreak fold own.data
	check "a recording is folded" prints '^awk;.* [0-9]+$|^[a-z]*awk;.* [0-9]+$'
	cp "$WORK/stdout" own.folded
	firebreak fold own.data
	check "twice the same bytes" cmp own.folded "$WORK/stdout"
	firebreak_reads own.data fold -
	check "from standard input the same" cmp own.folded "$WORK/stdout"
	total() { awk '{ total += $NF } END { print total }' "$1"; }
	firebreak fold -q own.data own.folded
	check "its samples and those of folded stacks add up" is "$(total "$WORK/stdout")" $((2 * $(total own.folded)))
	firebreak fold --root-pid own.data
	check "an option that the format does not have ends with 2" ends_with 2
	head -c 3000 own.data >cut.data
	firebreak fold cut.data
	check "a recording that is cut off ends with 4" ends_with 4
	check "and prints nothing" is "$(cat "$WORK/stdout")" ''
else
	echo "skipped: a recording: $reason"
fi
finish
