#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak fold`: inputs, options, errors. The readers have tests of their own; here is what the command makes of them.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1

at_least() { [ "$1" -ge "$2" ] || { echo "$1 is less than $2"; return 1; }; }

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
printf 'a;b 1.5\na;c 0.25\na;d 0.000\n' >parts.folded
firebreak fold parts.folded
check "fractions come out as they went in" stdout_is 'a;b 1.5' 'a;c 0.25'
firebreak fold --annotate parts.folded
check "with other names, too" stdout_is 'a;b 1.5' 'a;c 0.25'
printf 'a;b 0.000000001\n' >tiny.folded
printf 'a;b 99999999999\n' >huge.folded
for files in 'tiny.folded huge.folded' 'huge.folded tiny.folded'; do
	# shellcheck disable=SC2086 # two files
	firebreak fold $files
	check "counts without a common scale are refused: $files" ends_with 2
	check "as too far apart" says 'folded: .*too far apart'
done
mkfifo pipe
timeout 300 cat pipe >from-pipe &
firebreak fold a.folded -o pipe
wait
check "-o writes into a pipe instead of replacing it" cmp from-pipe <("$FIREBREAK" fold a.folded)
check "which is still one" test -p pipe

for output in a.folded ./a.folded hard.folded soft.folded; do
	[ -e "$output" ] || case $output in hard*) ln a.folded $output ;; soft*) ln -s a.folded $output ;; esac
	firebreak fold b.folded a.folded -o "$output"
	check "-o $output, which is an input, is refused" ends_with 2
	check "and the input is still there" is "$(cat a.folded)" "$(cat ./-q.folded)"
done
firebreak_reads a.folded fold - -o a.folded
check "so it is if the input is standard input" ends_with 2
check "which stays" cmp a.folded ./-q.folded

printf 'm;a 18446744073709551615\nm;b 18446744073709551615\n' >endless.folded
firebreak fold endless.folded
check "counts whose sum is no number are refused" ends_with 2
check "which is said" says 'their sum is more than 18446744073709551615'
printf 'm;a 18446744073709551615\n' >most.folded
firebreak fold most.folded a.folded
check "so are those of several files" ends_with 2
printf 'collected by us\nm;a 7\nm;b 3\n' >titled.folded
firebreak fold titled.folded
check "folded stacks after a title are not taken for any" ends_with 2
check "with how to read them" says '--format=folded'
firebreak fold --format=folded titled.folded
check "which is so" stdout_is 'm;a 7' 'm;b 3'
printf 'm 1 2\nm;a 3 4\nm;b 5 6\nm;c 7 8\n' >columns.folded
firebreak fold columns.folded
check "two counts on each line are refused" ends_with 2
check "with the command that reads them" says 'firebreak diff --two-columns'
firebreak fold --format=folded columns.folded
check "and read as names with numbers if told so" stdout_is 'm;a_3 4' 'm;b_5 6' 'm;c_7 8' 'm_1 2'
printf 'heap profile: 1: 2 [3: 4] @ heap/1\n' >old.heap
firebreak fold --format=pprof old.heap
check "an old profile that is said to be one of pprof is no damage" ends_with 2
check "but can be converted" says 'pprof -proto'
seq -f 'main;f%.0f 3' 60000 >many.folded
for command in fold 'top -n 0' 'diff --json many.folded' 'export --to folded' 'flamegraph --minwidth=0'; do
	# shellcheck disable=SC2086 # words
	{ "$FIREBREAK" $command many.folded 2>unread.err; echo $? >unread.code; } | head -n 1 >unread.out
	check "a reader that goes is no error worth a word: $command" is "$(cat unread.err)" ''
	check "and the program ends like any other" is "$(cat unread.code)" 141
done
"$FIREBREAK" fold many.folded >/dev/full 2>unread.err
check "what cannot be written is one" is $? 7
check "with a word" grep -q 'cannot write to standard output' unread.err

# --- text of perf script
firebreak fold script.txt
check "text of perf script is folded, a sample counts one" stdout_is 'lexi;_start;main;parse 1' 'lexi;_start;main;parse;read_word 2' 'lexi;_start;main;score 1'
firebreak fold --weight=period script.txt
check "--weight=period counts what samples stand for" stdout_is 'lexi;_start;main;parse 500000' 'lexi;_start;main;parse;read_word 750000' 'lexi;_start;main;score 250000'
firebreak_reads script.txt fold -
check "from standard input, too" stdout_is 'lexi;_start;main;parse 1' 'lexi;_start;main;parse;read_word 2' 'lexi;_start;main;score 1'
printf 'p 1 1.%s: %s\n\t1 f (/x)\n\n' 0 '1000 cycles:' 1 'cycles:' 2 '0 cycles:' >mixed.txt
firebreak fold mixed.txt
check "where some samples lack a period, samples are counted" stdout_is 'p;f 3'
check "with a warning" grep -q '2 of 3 samples have no period' "$WORK/stderr"
firebreak fold --weight=period mixed.txt
check "and not mixed with periods" ends_with 2
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

{ sample 'worker 1;x' 1/1 cpu-clock 1 main; sample other 2/2 cpu-clock 1 main; } >shown.txt
firebreak fold --comm='worker_1:x' shown.txt
check "--comm takes a name as fold shows it" stdout_is 'worker_1:x;main 1'
firebreak fold --comm='worker 1;x' shown.txt
check "and as it is" stdout_is 'worker_1:x;main 1'
firebreak fold --comm=nobody shown.txt
check "a command that is not there is an error with those that are" says 'worker_1:x, other$'

# --- what counts
{ sample lexi 1/1 page-faults:u 1 start main; sample lexi 1/1 page-faults:u 99 malloc main; } >faults.txt
firebreak fold faults.txt
check "faults that samples stand for differ, so they are added up" stdout_is 'lexi;main;malloc 99' 'lexi;main;start 1'
check "which is said" says '^info: samples of page-faults:u .*--weight=samples'
firebreak fold --weight=samples faults.txt
check "--weight=samples rules" stdout_is 'lexi;main;malloc 1' 'lexi;main;start 1'
check "without a word" fails says 'periods'
for event in cycles:u cpu-clock cpu/event=0x3c/u; do
	sed "s,page-faults:u,$event," faults.txt >other.txt
	firebreak fold other.txt
	check "samples of $event are counted" stdout_is 'lexi;main;malloc 1' 'lexi;main;start 1'
done
for event in offcpu-time sched:sched_switch; do
	sed "s,page-faults:u,$event," faults.txt >other.txt
	firebreak fold other.txt
	check "periods of $event are added up" stdout_is 'lexi;main;malloc 99' 'lexi;main;start 1'
done

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
printf 'lexi    4711 \n\t          401000 parse\n\t          401100 main\n\n' >fields.txt
firebreak fold fields.txt
check "frames of perf script without an event end with 2" ends_with 2
check "and the remedy is named" says "no event in this text; use perf script's default fields"
check "nothing is printed" is "$(cat "$WORK/stdout")" ''
printf 'a 1\nb 2\nno stack\nnor this\nnor that\n' >mostly.folded
firebreak fold mostly.folded
check "text of which most lines are no stacks is an error" ends_with 2
check "with its numbers" says '3 of 5 lines are not a stack with a count, the first is line 3'
printf 'a 1\nb 2\nno stack\n' >partly.folded
firebreak fold partly.folded
check "a single one is a warning" says '^warning: partly.folded: 1 line is not a stack with a count'
firebreak fold --format=perf.data a.folded
check "a format named by the user that is not it fails" fails ends_with 0
firebreak fold --format=perf a.folded
check "an unknown format ends with 2" ends_with 2
check "and the known ones are named" says 'perf\.data, perf-script, callgrind, dhat, pprof, folded'
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

# --- heap memory
cat >heap.json <<'TEXT'
{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"cmd":"./lexi -x"
,"pid":42
,"pps":
 [{"tb":300,"tbk":3,"tl":1,"mb":0,"mbk":0,"gb":100,"gbk":1,"eb":0,"ebk":0,"fs":[1,2,3]}
 ,{"tb":50,"tbk":1,"tl":1,"mb":0,"mbk":0,"gb":0,"gbk":0,"eb":0,"ebk":0,"fs":[1,3]}
 ]
,"ftbl":
 ["[root]"
 ,"0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)"
 ,"0x1091A3: parse(char const*) (lexi.cc:6)"
 ,"0x1091E3: main (lexi.cc:7)"
 ]
}
TEXT
firebreak fold heap.json
check "a file of DHAT is folded by bytes" stdout_is 'lexi;main;malloc 50' 'lexi;main;parse;malloc 300'
check "without a remark" is "$(cat "$WORK/stderr")" ''
firebreak_reads heap.json fold -
check "from standard input, too" stdout_is 'lexi;main;malloc 50' 'lexi;main;parse;malloc 300'
firebreak fold --format=dhat --event=allocated-blocks heap.json
check "--event=allocated-blocks counts blocks" stdout_is 'lexi;main;malloc 1' 'lexi;main;parse;malloc 3'
firebreak fold --event=peak-heap heap.json
check "--event=peak-heap counts what was alive at the peak" stdout_is 'lexi;main;parse;malloc 100'
firebreak fold --event=cycles heap.json
check "other events end with 2" ends_with 2
check "and those of DHAT are named" says 'allocated-bytes, allocated-blocks and peak-heap'
firebreak fold --pid=42 --comm=lexi heap.json
check "its process and command can be asked for" stdout_is 'lexi;main;malloc 50' 'lexi;main;parse;malloc 300'
firebreak fold --comm=sort heap.json
check "of another command nothing is left" ends_with 2
check "and the one that there is, is named" says 'commands in it: lexi'
firebreak fold --tid=42 heap.json
check "threads cannot be asked for" ends_with 2
firebreak fold heap.json <(sed s/tb/tz/ heap.json)
check "a damaged one ends with 4" ends_with 4
sed 's/"heap"/"ad-hoc"/' heap.json >events.json
firebreak fold events.json
check "what is no heap memory ends with 2" ends_with 2
check "and is named" says 'mode ad-hoc'
firebreak top heap.json
check "top shows bytes with their unit" prints '^350 B of allocated-bytes'
firebreak flamegraph heap.json -o heap.svg
check "flamegraph draws them" grep -q parse heap.svg
echo '{"schema": 1}' >other.json
firebreak fold other.json
check "other JSON is still none of it" says 'JSON, which is not read'

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
printf 'lexi;memchr 5\nlexi;main;parse 5\n' >rootless.folded
firebreak fold rootless.folded
check "nothing is said of callers where nobody knows how stacks were made" is "$(cat "$WORK/stderr")" ''
lost() { printf 'lexi 100/100 12.345679: PERF_RECORD_LOST lost %s\n\n' "$1"; }
{ cat script.txt; echo; lost 1; } >lost.txt
firebreak fold lost.txt
check "samples that were lost are warned of" says '^warning: 1 sample was lost, 20 % of all'
{ for _ in {1..99}; do sample lexi 1/1 cpu-clock:u 1 main _start; done; lost 1; } >hundred.txt
firebreak fold hundred.txt
check "of up to one percent it is told" says '^info: 1 sample was lost, 1 % of all'
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
	cp own.data same.data
	firebreak fold same.data -o same.data
	check "a recording is not overwritten by what is made of it" ends_with 2
	check "and stays as it is" cmp own.data same.data
	# damage type|chain N: own.data with another type or length of the call chain in every second sample
	damage() {
		python3 - "$1" "$2" own.data damaged.data <<'EOF'
import struct, sys
what, value, source, target = sys.argv[1:]
data = bytearray(open(source, 'rb').read())
at, size = struct.unpack_from('<QQ', data, 40)
end, n = at + size, 0
while at < end:
    kind, misc, size = struct.unpack_from('<IHH', data, at)
    n += kind == 9
    if kind == 9 and n % 2 == 0:
        struct.pack_into('<I' if what == 'type' else '<Q', data, at if what == 'type' else at + 56, int(value))
    at += size
open(target, 'wb').write(data)
EOF
	}
	if command -v python3 >/dev/null; then
		damage chain $((1 << 40))
		firebreak fold damaged.data
		check "a recording with samples that cannot be decoded ends with 4" ends_with 4
		check "and is called damaged" says 'damaged: [0-9]+ records'
		damage type 89
		firebreak fold damaged.data
		check "one with records of unknown types is folded" ends_with 0
		check "and says so" says '[0-9]+ records are of a type that is not known'
	fi
	if command -v perf >/dev/null; then
		# shellcheck disable=SC2016 # awk has its own dollar
		perf_record() { perf record -q -e cpu-clock:u -F 999 -o "$1" "${@:2}" awk 'BEGIN { for (i = 0; i < 2000000; i++) s += i % 7; print s }' >/dev/null 2>&1; }
		perf_record flat.data && firebreak fold flat.data
		check "a recording without call chains is told to be one" says '^warning: 100 % of the samples have no call chain; record with perf record -g or firebreak record'
		perf_record short.data --call-graph dwarf,256 && firebreak fold short.data
		check "of pieces of stack that are too small, it is said that stacks do not reach the root" says '^warning: [0-9]+ % of the stacks end before the root of the program; record more stack'
		perf_record whole.data --call-graph dwarf && firebreak fold whole.data
		check "of whole ones nothing, though the root has no name" fails says 'stacks end|callers'
	else
		echo "skipped: recordings of perf: no perf command"
	fi
	head -c 3000 own.data >cut.data
	firebreak fold cut.data
	check "a recording that is cut off ends with 4" ends_with 4
	check "and prints nothing" is "$(cat "$WORK/stdout")" ''
else
	echo "skipped: a recording: $reason"
fi
# --- a recording and its text: the same stacks, names of libraries of the system aside
from_main() { sed -n 's/^[^;]*;.*;main;/main;/p' | sort; } # a sample or two of the loader have names of the system's
as_text_says() { # what a recording folds to, from main on, and what the text of perf script folds to
	"$FIREBREAK" fold -q --no-inline "$1.data" | from_main >"$1.ours"
	perf script --no-inline -i "$1.data" 2>/dev/null | "$FIREBREAK" fold -q - | from_main >"$1.theirs"
}
cat >bare.c <<'C'
volatile unsigned long sink;
static __attribute__((noinline)) void work(void) { for (int i = 0; i < 300; i++) sink += i; }
__attribute__((noinline)) void one(void (*f)(void)) { work(); f(); sink++; }
__attribute__((noinline)) void two(void (*f)(void)) { one(f); work(); sink++; }
C
cat >calls.c <<'C'
void two(void (*f)(void));
volatile unsigned long n;
__attribute__((noinline)) void back(void) { for (int i = 0; i < 200; i++) n += i; }
int main(void) { for (int i = 0; i < 300000; i++) two(back); return 0; }
C
if gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fPIC -shared -s -Wl,-soname,libbare.so.1 -o libbare.so.1 bare.c 2>gcc.err &&
	gcc -O1 -fno-omit-frame-pointer -o calls calls.c ./libbare.so.1 -Wl,-rpath,"$PWD" 2>>gcc.err &&
	perf record -q -e cpu-clock:u -F 1999 -g -o calls.data ./calls 2>perf.err; then
	as_text_says calls
	check "a recording folds to the stacks of its text" cmp calls.ours calls.theirs
	check "with the file of what has no name" grep -q '^main;two;\(one;\)\?\[libbare.so.1\] ' calls.ours
	"$FIREBREAK" top -n 0 calls.data >calls.top 2>/dev/null
	check "top names the file, too" grep -qF '[libbare.so.1]' calls.top
	"$FIREBREAK" flamegraph -q calls.data -o calls.svg
	check "and so does the picture" grep -qF '[libbare.so.1]' calls.svg
	"$FIREBREAK" fold -q --addresses calls.data >calls.addresses
	check "addresses tell its functions apart" at_least "$(grep -o '\[libbare.so.1 <[0-9a-f]*>\]' calls.addresses | sort -u | wc -l)" 2
else
	echo "skipped: stacks beside those of perf script: perf cannot record, or gcc is missing: $(head -n 1 gcc.err perf.err 2>/dev/null | tr '\n' ' ')"
fi

finish
