#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak record`: a command keeps its input and output, its recording is complete however it ends, and the exit code
# says what happened. Real perf events; skipped where there are none. FIREBREAK names the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
cd "$WORK" || exit 1

# firebreak ARG...: its exit code in $CODE, its texts in $WORK/stdout and $WORK/stderr.
firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr"
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
silent() { [ ! -s "$WORK/$1" ] || { echo "$1 is not empty:"; cat "$WORK/$1"; return 1; }; }
at_least() { [ "$1" -ge "$2" ] || { echo "got $1, wanted at least $2"; return 1; }; }
# near GOT WANTED TOLERANCE
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; if (d > t) { print "got " a ", wanted " b; exit 1 } }'; }
# share FUNCTION FOLDED: percent of the weight below the function
share() { awk -v f="$1" '{ n = $NF; sub(/ [0-9]+$/, ""); total += n; if (index(";" $0 ";", ";" f ";")) hit += n } END { printf "%.1f\n", total ? 100 * hit / total : 0 }' "$2"; }
total() { awk '{ t += $NF } END { printf "%d\n", t }' "$1"; }

# --- usage: nothing is run
refused() { # refused PATTERN ARG...
	rm -f ran
	firebreak record "${@:2}"
	check "\`record ${*:2}\` is a usage error" ends_with 2
	check "which says $1" says "$1"
	check "and nothing is run" test ! -e ran
}
refused 'name the command to record'
refused 'put -- in front of the command' touch ran
refused 'did you mean "page-faults"' -e page-fauls -- touch ran
refused 'exclude each other' -F 99 -c 1000 -- touch ran
refused 'call-graph is fp, leaf' --call-graph=lbr -- touch ran
refused 'is not a number from 256' --call-graph=dwarf,12 -- touch ran
refused 'cpu is a list' --cpu=x -- touch ran
refused 'timeout takes a number' --timeout=-1 -- touch ran
refused 'at least 0\.001' --timeout=0.0004 -- touch ran
refused 'at least 0\.001' --timeout=0 -- touch ran
refused 'at least 1' -c 0 -- touch ran
refused 'from 1 to 1000000' -F 0 -- touch ran
refused 'put -- in front of the command: record ... -- touch' -qo x.data touch -n ran
refused 'CPU 1023 is not among 0' --cpu=0,1023 -- touch ran
refused 'page-faults and faults are the same' -e page-faults,faults -- touch ran
refused 'breakpoints .* not supported' -e mem:0x1000:rw -- touch ran
refused 'mix the recording with the output' -o - -- touch ran
check "and no file is called -" test ! -e ./-

reason=$(perf_events_open 2>&1) || { echo "skipped: what needs perf events: $reason"; finish; exit; }

# --- a command and its input and output
echo hello | "$FIREBREAK" record -o out.data -- cat >stdout 2>stderr
check "the command reads our input and writes to our output" is "$(cat stdout)" hello
check "the table is on stderr" says '^  task-clock +[0-9.]+ s$'
check "with the wall time" says '^  wall +[0-9.]+ s$'
check "and the samples" says '^  samples +[0-9]+$'
firebreak record -q -- sh -c 'echo problem >&2'
check "with -q stderr is the command's alone" is "$(cat stderr)" problem
check "the file is perf.data by itself" test -s perf.data
firebreak record -o folder/none/out.data -- touch ran
check "a file that cannot be written ends with 7" ends_with 7
check "before the command runs" test ! -e ran
FIREBREAK_TEST=kept firebreak record -q -- printenv FIREBREAK_TEST
check "the command keeps its environment" is "$(cat stdout)" kept

# --- the file is there whole or not at all
echo old >keep.data
firebreak record -o keep.data -- ./no/such/command
check "a command that cannot be started leaves an earlier recording alone" is "$(cat keep.data)" old
firebreak record -o keep.data -e tracepoint:nonsense -- true
check "and so does an event that is refused" is "$(cat keep.data)" old
check "without leaving anything behind" is "$(find . -name 'keep.data*')" ./keep.data
firebreak record -q -o keep.data -- sh -c 'exit 3'
check "a command that fails is recorded" is "$(head -c 8 keep.data)" PERFILE2
ln -s keep.data link.data
firebreak record -q -o link.data -- true
check "a link is followed" test -L link.data
firebreak record -q -o /dev/full -- true
check "a device that is full ends with 7" ends_with 7
check "and stays a device" test -c /dev/full
mkfifo pipe
cat pipe >piped.data &
reader=$!
firebreak record -q -o pipe -- sh -c 'exit 0'
wait $reader
check "a pipe gets the whole recording" is "$(head -c 8 piped.data)" PERFILE2
check "and stays a pipe" test -p pipe
mkdir folder
firebreak record -o folder -- touch ran
check "a folder is refused before the command runs" test "$CODE/$(ls ran 2>/dev/null)" = 7/
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	# shellcheck disable=SC2016
	firebreak record -q -F 20000 -o full/out.data -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
	check "a full disk ends with 7" ends_with 7
	check "and has no truncated file" is "$(ls -A full)" ""
	umount full
fi

# --- how it ends
firebreak record -- true
check "a command that succeeds ends with 0" ends_with 0
firebreak record -- sh -c 'exit 3'
check "a command that fails keeps its exit code" ends_with 3
firebreak record -- sh -c 'kill -SEGV $$'
check "a command that is killed ends with 128 and the signal" ends_with 139
check "and the signal is named" says 'SIGSEGV'
firebreak record -- ./no/such/command
check "a command that is not there is a usage error" ends_with 2
check "and named" says 'no/such/command could not be started: No such file or directory'
firebreak record --timeout 0.3 -- sleep 100
check "a command that takes too long is ended" says 'timed out'
check "with the code of its signal" ends_with 143
# shellcheck disable=SC2016
firebreak record --json --timeout 0.3 -- sh -c 'trap "kill \$!; exit 0" TERM; sleep 100 & wait'
check "one that then says that it ended well has not" ends_with 4
check "and its end is said" says 'timed out after [0-9.]+ s'
check "in the JSON, too" json stdout '.exit_code == 0 and (.failure | test("^timed out"))'
(ulimit -n 16; firebreak record -- true; echo "$CODE" >code)
CODE=$(cat code)
check "without descriptors to be had it ends with 8" ends_with 8
check "and says what to raise" says 'raise .ulimit -n.: Too many open files'

# shellcheck disable=SC2016 # for the shell that is recorded
BUSY='i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done'
# shells start what runs in the background with SIGINT ignored
env --default-signal=INT "$FIREBREAK" record -o ended.data -- sh -c "$BUSY; touch started; sleep 100" >stdout 2>stderr &
pid=$!
for ((i = 0; i < 3000; i++)); do [ -e started ] && break; sleep 0.1; done
kill -INT $pid
wait $pid
CODE=$?
check "SIGINT ends the command with 130" ends_with 130
"$FIREBREAK" fold ended.data >ended.folded 2>/dev/null
check "and what was recorded is complete" at_least "$(total ended.folded)" 20

firebreak record --json -- sh -c "$BUSY"
check "--json is JSON" json stdout '.schema == "firebreak-record/1"'
check "as its schema says" keeps_to_schema record stdout
check "with counters" json stdout '.counters[] | select(.name == "task-clock") | .value > 1000000 and .unit == "ns"'
check "and counts of samples" json stdout '.recording.samples > 20 and .recording.lost == 0'
check "and the command's fate" json stdout '.exit_code == 0 and .failure == null and .doubt == null'

# --- what is recorded
samples() { "$FIREBREAK" fold "$@" 2>/dev/null | awk '{ t += $NF } END { printf "%d\n", t }'; }
firebreak record -q -o faults.data -e page-faults -c 1 -- /bin/true
check "every page fault is a sample" at_least "$(samples faults.data)" 10
firebreak record -o every.data -e page-faults -c 10 --json -- sh -c '/bin/true; /bin/true; /bin/true'
# shellcheck disable=SC2016
check "with -c 10, every tenth is" json stdout '(.counters[] | select(.name == "page-faults") | .value) as $n | .recording.samples > 0 and .recording.samples * 10 <= $n'
if command -v perf >/dev/null; then
	check "perf reads its period" is "$(perf script -i every.data -F period 2>/dev/null | sort -u | tr -d ' ')" 10
fi
if ! jq -e '.findings[] | select(.severity == "info")' stdout >why; then
	echo "skipped: findings in text: there is nothing to remark on this machine"
else
	firebreak record -- true
	check "remarks are printed" says '^info: '
	firebreak record -q -- true
	check "but not with -q" silent stderr
fi
firebreak record -e major-faults -c 1000000 -- true
check "a recording without samples says so" says 'no samples: '
firebreak record -F 50000 -- true
check "a rate that slows the program is said" says 'sampling itself slows the program|kernel\.perf_event_max_sample_rate'
firebreak record -q -o two.data -e 'cpu-clock,page-faults' -- sh -c "$BUSY"
check "events are told apart" at_least "$(samples --event cpu-clock:u two.data)" 20
check "each has its own profile" at_least "$(samples --event page-faults:u two.data)" 5
firebreak record -e cycles:z -- true
check "an unknown modifier is a usage error" ends_with 2
if ! firebreak record -q -e cycles -- true || [ $CODE != 0 ]; then
	check "an event that this machine does not have ends with 8" ends_with 8
	firebreak record -q -e cpu/event=0x3c/ -- true
	check "by whatever name" ends_with 8
	firebreak record -q -e cycles -- true
	check "and says so in one line" is "$(grep -c 'perf_event_open(cycles:u): ' stderr)/$(wc -l <stderr)" 1/1
fi
firebreak record -q --cpu 0 -- sh -c 'grep Cpus_allowed_list /proc/self/status'
check "--cpu pins the command" grep -qE '^Cpus_allowed_list:[[:space:]]0$' stdout

# a program that says itself what is to be measured
cat >region.sh <<'S'
exec 8<>"$FIREBREAK_CTL_FIFO" 9<>"$FIREBREAK_ACK_FIFO"
i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done
[ -z "$1" ] || { echo enable >&8; read -r _ <&9; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo disable >&8; read -r _ <&9; }
S
firebreak record -o region.data --off-at-start --json -- bash region.sh yes
check "a command may switch measuring on and off" ends_with 0
check "and is sampled meanwhile" json stdout '.recording.samples > 20'
firebreak record -o region.data --off-at-start -- bash region.sh
check "a command that never does so has no recording" ends_with 4
check "and reads how" says 'never switched on.*FIREBREAK_CTL_FIFO'
# shellcheck disable=SC2016
firebreak record -o region.data --off-at-start --json -- sh -c 'printf "enable\ndisable\n" >"$FIREBREAK_CTL_FIFO"'
check "nor has one that is on for nothing" ends_with 4
check "which is said" says 'nothing ran while measuring was switched on'
check "in the JSON, too" json stdout '.doubt | test("nothing ran")'
cat >left.sh <<'S'
exec 8<>"$FIREBREAK_CTL_FIFO" 9<>"$FIREBREAK_ACK_FIFO"
echo enable >&8; read -r _ <&9; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done
S
firebreak record -o region.data --off-at-start -- bash left.sh
check "a region that is left on is not to be trusted" ends_with 4
check "and its end is asked for" says 'still on when the command ended.*"disable"'
# shellcheck disable=SC2016
firebreak record -o region.data --off-at-start -- sh -c 'exec 8<>"$FIREBREAK_CTL_FIFO"; echo enabel >&8'
check "a command that is not known is named" says 'but wrote "enabel"'

# --- losses are a failure
if [ -r /proc/sys/kernel/perf_event_max_sample_rate ] && command -v python3 >/dev/null; then
	cat >faults.py <<'S'
import mmap
for _ in range(40):
    m = mmap.mmap(-1, 8192 * 4096)
    for at in range(0, len(m), 4096):
        m[at] = 1
    m.close()
S
	firebreak record -e page-faults:u -c 1 --call-graph dwarf,65528 -o lost.data -- python3 faults.py
	if grep -qE '^  lost +0$' stderr; then
		echo "skipped: losses: this machine is too fast for them"
	else
		check "a recording that lost samples ends with 4" ends_with 4
		check "and says how many" says 'of [0-9]+ samples were lost'
	fi
fi

# --- waits
if ! command -v gcc >/dev/null; then
	echo "skipped: waits: no gcc"
elif ! "$FIREBREAK" record -q --off-cpu -o try.data -- true 2>why; then
	echo "skipped: waits: $(cat why)"
else
	cat >waits.c <<'C'
#include <time.h>
#include <unistd.h>

static volatile int sink;

static void sleep_ms(long ms)
{
	struct timespec t = {.tv_nsec = ms * 1000000};
	nanosleep(&t, NULL);
}

__attribute__((noinline)) void nap(void)
{
	sleep_ms(30);
	sink++;
}

__attribute__((noinline)) void take(int fd)
{
	char byte;
	sink += (int)read(fd, &byte, 1);
}

int main(void)
{
	int go[2], come[2];
	if (pipe(go) != 0 || pipe(come) != 0)
		return 1;
	if (fork() == 0) {
		close(go[1]);
		for (char byte; read(go[0], &byte, 1) == 1;) {
			sleep_ms(20);
			sink += (int)write(come[1], "x", 1);
		}
		_exit(0);
	}
	for (int i = 0; i < 20; i++) {
		nap();
		sink += (int)write(go[1], "x", 1);
		take(come[0]);
	}
	return 0;
}
C
	gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o waits waits.c
	firebreak record --off-cpu --json -o waits.data -- ./waits
	check "waits are recorded" ends_with 0
	"$FIREBREAK" fold --weight=period waits.data >all.folded 2>fold.err
	check "with the functions that wait" grep -q ';main;nap;' all.folded
	grep -E ';(nap|take)(;| )' all.folded >main.folded
	check "sleeping took about 60 % of the time" near "$(share nap main.folded)" 60 3
	check "and reading about 40 %" near "$(share take main.folded)" 40 3
	check "and both together the whole time" near "$(total main.folded)" "$(jq .wall_ns stdout)" "$(jq '.wall_ns * 0.05' stdout)"
	firebreak record -q -e cpu-clock,off-cpu -o named.data -- ./waits
	check "off-cpu is also a name of an event" at_least "$(samples --event offcpu-time named.data)" 10
	check "libc functions have their callers" grep -qE ';main;nap;.*nanosleep' main.folded
fi

# --- another user
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	echo "skipped: another user's view: needs root and setpriv"
elif [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	echo "skipped: another user's view: kernel.perf_event_paranoid is above 2"
else
	mkdir bin nobody
	cp "$FIREBREAK" "$(dirname "$FIREBREAK")"/firebreak-* bin/
	chmod 755 "$WORK" bin && chown 65534 nobody
	as_nobody() {
		(ulimit -l 64 && cd nobody && setpriv --reuid=65534 --regid=65534 --clear-groups ../bin/firebreak "$@") >stdout 2>stderr
		CODE=$?
	}
	as_nobody record --json -- sh -c "$BUSY"
	check "a user without privileges records user mode" ends_with 0
	check "and has samples" json stdout '.recording.samples > 20'
	check "in smaller buffers" json stdout '.findings[] | select(.code == "small_ring_buffers") | .text | test("KiB per CPU instead of")'
	as_nobody record -- true
	check "which is said" says 'info: .*KiB per CPU instead of'
	as_nobody record --kernel -- true
	check "but not kernel mode" ends_with 8
	check "and reads the remedy" says 'CAP_PERFMON or kernel\.perf_event_paranoid <= 1 for kernel mode'
	as_nobody record --off-cpu -- true
	check "nor waits" ends_with 8
	if command -v gcc >/dev/null; then
		echo 'int main(void) { for (volatile long i = 0; i < 100000000; i++) ; return 0; }' >busy.c
		gcc -O1 -o busy busy.c
		cp busy other
		chmod 711 busy && chmod 4755 other
		as_nobody record -- ../busy
		check "a program that may not be read cannot be measured" ends_with 4
		check "and he reads why" says 'stops events for programs that the user may not read'
		as_nobody record -- ../other
		check "nor one that runs as another user" ends_with 4
		check "which is also said" says 'stops events for programs that run as another user'
		as_nobody record -- sh -c ../busy
		check "not even below another" ends_with 4
	fi
	if grep -q ' tracefs ' /proc/self/mounts && ! setpriv --reuid=65534 --regid=65534 --clear-groups test -r /sys/kernel/tracing/events; then
		as_nobody record -e sched:sched_switch -- true
		check "tracefs that is mounted for others is not to be mounted" says 'is mounted, but not for this user'
	fi
	as_nobody doctor --json
	check "doctor does not advise a setting that is there already" json stdout '[.checks[] | select(.name == "kernel names" and (.text | test("kptr_restrict is 0")) and .remedy != null and (.remedy | test("kptr_restrict=0")))] == []'
	check "doctor tells him so" json stdout '[.checks[] | select(.state == "limited") | .name] | contains(["kernel mode", "waiting time"])'
	check "with a remedy for each" json stdout '[.checks[] | select(.state != "good" and .remedy == null)] == []'
fi

firebreak doctor
check "doctor speaks of no engine that there is not" is "$(grep -c 'callgrind engine' stdout)" 0
firebreak doctor --json
check "doctor --json says what can be measured" json stdout '.schema == "firebreak-doctor/1" and .usable and (.checks | length) > 10'
finish
