#!/bin/bash
# Benchmarks that say themselves what is measured and how it went: regions, own metrics, extra profiles. The service
# works under perf as it does under firebreak. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck disable=SC2016 # jq has its own variables
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
SERVICE=$SOURCE_DIR/tests/projects/service
CC=${CC:-cc}
fails() { ! "$@"; }

# --- the header and the shell example, without firebreak
check "the header is C99 that needs nothing else" "$CC" -std=c99 -pedantic -Wall -Wextra -Wshadow -Werror -O2 -I "$SOURCE_DIR/include" -o "$WORK/c99" -x c - <<'C'
#include <firebreak.h>
int main(void) { return firebreak_enable() || firebreak_disable() || firebreak_metric("a-b", 1.5, "us", FIREBREAK_LOWER) || firebreak_work(3); }
C
if command -v g++ >/dev/null; then
	check "and C++11" g++ -std=c++11 -pedantic -Wall -Wextra -Werror -I "$SOURCE_DIR/include" -o "$WORK/c++" -x c++ - <<'C'
#include <firebreak.h>
int main() { return firebreak_metric("throughput", 4e3, "req/s", FIREBREAK_HIGHER) + firebreak_work(0.5); }
C
fi
check "without firebreak its functions do nothing" env -u FIREBREAK_METRICS -u FIREBREAK_CTL_FIFO "$WORK/c99"
check "metrics are lines of text" bash -c "FIREBREAK_METRICS='$WORK/lines' '$WORK/c99' && diff '$WORK/lines' <(printf 'a-b 1.5 us lower\nwork 3\n')"
mkfifo "$WORK/nobody"
check "a pipe that nobody reads is an error, not a wait" fails env FIREBREAK_CTL_FIFO="$WORK/nobody" FIREBREAK_ACK_FIFO="$WORK/nobody" timeout 10 "$WORK/c99"
"$CC" -O2 -g -fno-omit-frame-pointer -I "$SOURCE_DIR/include" -o "$WORK/service" "$SERVICE/service.c"
check "the service runs without firebreak" "$WORK/service"
check "the script runs without firebreak" "$SERVICE/bench.sh"
check "the script is the one that docs/REGION.md shows" diff <(tail -n +2 "$SERVICE/bench.sh") <(sed -n '/^```sh$/,/^```$/p' "$SOURCE_DIR/docs/REGION.md" | grep -v '^```')

reason=$(perf_events_open 2>&1) || { echo "skipped: the rest: $reason"; finish; exit; }

# --- the same programs under perf's own control
# cpu_time COMMAND...: milliseconds of CPU time that perf counts while measuring is on.
cpu_time() {
	rm -f "$WORK/ctl" "$WORK/ack" && mkfifo "$WORK/ctl" "$WORK/ack" &&
		FIREBREAK_CTL_FIFO=$WORK/ctl FIREBREAK_ACK_FIFO=$WORK/ack timeout 60 perf stat -D -1 -e task-clock:u -x, -o "$WORK/stat" --control "fifo:$WORK/ctl,$WORK/ack" -- "$@" >/dev/null 2>&1 &&
		awk -F, '/task-clock/ { print $1 }' "$WORK/stat"
}
whole_time() { perf stat -e task-clock:u -x, -o "$WORK/stat" -- "$@" >/dev/null 2>&1 && awk -F, '/task-clock/ { print $1 }' "$WORK/stat"; }
# perf counts less than this share of the whole run in the region, and not nothing
counts_a_part() { # counts_a_part SHARE COMMAND...
	local part whole
	part=$(cpu_time "${@:2}") && whole=$(whole_time "${@:2}") && echo "$part of $whole ms" &&
		awk -v p="$part" -v w="$whole" -v s="$1" 'BEGIN { exit !(p > 0.02 * w && p < s * w) }'
}
if perf stat -e task-clock:u --control "fifo:$WORK/nobody" -- true >/dev/null 2>&1; then
	check "perf measures the region of the service" counts_a_part 0.8 "$WORK/service"
	check "perf measures the region of the script" counts_a_part 0.9 "$SERVICE/bench.sh"
else
	echo "skipped: the same under perf: perf stat --control does not work here"
fi

# --- the gate
REPO=$WORK/repo
mkdir "$WORK/tmp" "$WORK/cache" "$REPO"
export TMPDIR=$WORK/tmp XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null
cd "$REPO" || exit 1
git init -q -b main . && git config user.name dev && git config user.email dev@example.org
cp "$SERVICE"/* "$SOURCE_DIR/include/firebreak.h" . && echo service >.gitignore
git add . && git commit -q -m service && git tag base

from() { git checkout -q -b "$2" "$1"; }
commit() { git add -A && git commit -q -m "$(git branch --show-current)"; }
knob() { sed -i -E "s/^#define $1 .*/#define $1 $2/" knobs.h; }
gate() { # gate BASE HEAD BENCHMARK [ARG...]
	OUT=$WORK/out-$2 REPORT=$WORK/out-$2/report.json SAID=$WORK/said
	rm -rf "$OUT"
	"$FIREBREAK" check --base "$1" --head "$2" -b "$3" --out "$OUT" "${@:4}" >"$WORK/stdout" 2>"$SAID" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$SAID"; jq .reason "$REPORT"; return 1; }; }
reason_has() { jq -r '.reasons[].text' "$REPORT" | grep -E -- "$1" || { jq .reasons "$REPORT"; return 1; }; }
has_finding() { json "$REPORT" "any(.findings[]; .code == \"$1\")"; }

from base setup && knob SETUP_PASSES 4 && commit
settled gate base setup steady
check "a set-up that takes four times as long passes: it is outside of the region" ends_with 0
check "two thirds of head's time were not counted" json "$REPORT" \
	'.benchmarks[0] | (.metrics[] | select(.name == "task-clock").head) as $cpu | .runs[0].head.wall_ns > 3 * $cpu'
check "the set-up is in no stack" fails grep -q load_index "$OUT/steady.base.folded" "$OUT/steady.head.folded"
check "what follows it is" grep -q 'main;answer_requests;churn ' "$OUT/steady.head.folded"
check "both sides measured at the same time" json "$REPORT" '.benchmarks[0] | .schedule == "coscheduled" and all(.runs[].base; .overlap_pct > 80)'
check "nothing was lost, and the report says so" json "$REPORT" 'all(.benchmarks[0].runs[] | .base, .head; .lost_pct < 1)'
from base whole && sed -i 's/measure: region/measure: whole/' firebreak.yml && commit
from whole whole-setup && knob SETUP_PASSES 4 && commit
settled gate whole whole-setup steady --rounds 10 --no-confirm
check "measured whole, the same change is a regression" ends_with 1
check "of the set-up" json "$REPORT" '[.benchmarks[0].functions[] | select(.gates).name] == ["churn"]'
gate whole base steady
check "a head that measures less than base ends with 9" ends_with 9

# --- extra profiles
from base waits && knob WAIT_MS 20 && commit
gate base waits steady
check "a benchmark that sleeps longer does not pass" ends_with 3
check "and its waits are the reason" reason_has 'waits .* longer than base'
blocked() { awk '/wait_for_disk/ { n += $NF } END { printf "%d\n", n }' "$OUT/steady.off-cpu.$1.folded"; } # nanoseconds in all rounds
waits_longer() { echo "base $(blocked base) ns, head $(blocked head) ns" && [ "$(blocked base)" -gt 0 ] && [ "$(blocked head)" -gt $((2 * $(blocked base))) ]; }
check "its off-CPU profile shows where it waits" waits_longer
# 20 ms ten times a round: a busy machine makes it longer, and may cost some of the samples
check "and how long" json "$REPORT" ".benchmarks[0].runs | length as \$n | $(blocked head) / \$n | . > 100e6"
check "to be preempted by the other side is no wait" fails grep -q churn "$OUT/steady.off-cpu.base.folded" "$OUT/steady.off-cpu.head.folded"
check "page faults have a profile, too" grep -q 'main' "$OUT/steady.page-faults.head.folded"
check "all files are artifacts of the benchmark" json "$REPORT" '.benchmarks[0].artifacts | ."off-cpu.diff_svg" == "steady.off-cpu.diff.svg" and ."page-faults.base_folded" == "steady.page-faults.base.folded" and .diff_svg == "steady.diff.svg"'
check "the pictures are well formed" xmllint --noout "$OUT"/*.svg
check "the functions are still those of CPU time" json "$REPORT" '.benchmarks[0].profile.event | test("clock|cycles")'
# a machine that counts with software clocks because its counters are slow still has the event
if ! "$FIREBREAK" record -q -e cache-misses -o "$WORK/misses" -- true 2>/dev/null; then
	from base pmu && sed -i 's/profiles: .*/profiles: [cache-misses]/' firebreak.yml && commit
	gate pmu pmu steady --rounds 1
	check "an event that is not there is a finding" has_finding profile_not_possible
	check "and stops nothing" json "$REPORT" '.exit_code == 3 and (.benchmarks[0].runs | length) == 1'
fi

# --- stacks
has_no_finding() { json "$REPORT" "all(.findings[]; .code != \"$1\")"; }
from base nofp && sed -i 's|^CFLAGS ?=.*|CC = /usr/bin/cc\nCFLAGS = -O2 -g|' Makefile && commit
gate nofp nofp steady --rounds 1
check "a build without frame pointers is a finding" has_finding no_frame_pointers
unwind() { sed -i "0,/measure: region/s//measure: region\n    unwind: dwarf\n    stack_bytes: $1/" firebreak.yml && commit; }
from nofp dwarf && unwind 8192
gate dwarf dwarf steady --rounds 1
check "unless stacks are unwound without them" has_no_finding no_frame_pointers
check "which gives whole stacks" grep -q '_start;.*main;answer_requests;churn ' "$OUT/steady.head.folded"
check "and counts none as incomplete" json "$REPORT" 'all(.benchmarks[0].runs[] | .base, .head; .incomplete_samples == 0)'
if [ "$(uname -m)" = x86_64 ]; then
	from base lone && cat >lone.c <<'C'
void _start(void)
{
	for (volatile unsigned long i = 0; i < 60000000; i++)
		;
	__asm__("mov $60, %eax; xor %edi, %edi; syscall");
}
C
	cat >firebreak.yml <<'YML' && commit
version: 1
build: {command: "cc -O2 -nostdlib -static -o lone lone.c"}
benchmarks:
  - {name: lone, command: [./lone]}
YML
	gate lone lone lone --rounds 1
	check "stacks of one frame only are a finding" has_finding shallow_stacks
	check "which does not say that the frame pointers of this build are missing" json "$REPORT" 'all(.findings[]; .code != "shallow_stacks" or (.text | contains("frame pointers") | not))'
fi
from nofp shallow && sed -i 's/uint32_t seed = load_index(1);/volatile char far[4096] = "";\n\tuint32_t seed = load_index((uint32_t)far[0] + 1);/' service.c && unwind 256
gate shallow shallow steady --rounds 1
check "pieces of stack that are too small are a finding" has_finding incomplete_stacks
check "with the remedy" json "$REPORT" 'any(.findings[]; .code == "incomplete_stacks" and (.text | test("stack_bytes")))'
check "once, in one finding" json "$REPORT" '[.findings[] | select(.code | test("incomplete"))] | length == 1'
check "the size of the pieces is in the report" json "$REPORT" '.benchmarks[0].campaign.stack_bytes == 256'
check "and counted in every run" json "$REPORT" 'all(.benchmarks[0].runs[] | .base, .head; .incomplete_samples > .samples / 20)'

# More than any machine writes in time; one that does after all has lost less than one sample in a hundred.
from base flood && unwind 65528 && sed -i '0,/stack_bytes/s//sampling: 20000\n    stack_bytes/' firebreak.yml && commit
gate flood flood steady --rounds 1
lost_is_told() {
	jq -c '.exit_code, .reason' "$REPORT"
	case $CODE in
	3) json "$REPORT" 'all(.benchmarks[0].runs[] | .base, .head; .lost_pct <= 1)' ;;
	4) reason_has 'samples were lost|throttled' ;;
	*) return 1 ;;
	esac
}
check "a run that loses samples is invalid" lost_is_told

# --- own metrics
from base latency && knob LATENCY_US 325.0 && commit
settled gate base latency answers
check "a latency that rises beyond its margin ends with 1" ends_with 1
check "it is reported like any other metric" json "$REPORT" \
	'.benchmarks[0].metrics[] | select(.name == "latency-p99") | .engine == "benchmark" and .unit == "us" and .base == 250 and .head == 325 and .gates and .verdict == "regression"'
check "a throughput that falls is a regression with a negative change" json "$REPORT" \
	'.benchmarks[0].metrics[] | select(.name == "throughput") | .higher_is_better and .change_pct < -20 and .verdict == "regression"'
check "what was not declared is information" json "$REPORT" '.benchmarks[0].metrics[] | select(.name == "cache-hits") | .gates == false and .verdict == "pass"'
check "rounds are sequential where a clock may have been read" json "$REPORT" '.benchmarks[0].schedule == "sequential"'
check "the summary names it" grep -q 'latency-p99' "$OUT/summary.md"
check "it is stored, too" bash -c "'$FIREBREAK' baseline show latency | grep -q latency-p99"
settled gate latency base answers
check "the other way round it passes" ends_with 0
check "and is an improvement" json "$REPORT" '[.benchmarks[0].metrics[] | select(.gates).improved] == [true, true]'
from base units && sed -i 's/"us"/"ms"/' service.c && commit
gate base units answers --rounds 3
check "a metric in another unit on one side is an error" ends_with 4
check "which names both" reason_has 'base gives it in us .*head in ms'
settled gate base base script
check "the script is measured by what it says" ends_with 0
check "and reports its work" json "$REPORT" 'all(.benchmarks[0].runs[].head; .work == 400000)'

# --- what a benchmark can do wrong: each ends in the warm-up
wrong() { # wrong NAME SCRIPT: a branch whose benchmark is that script
	from base "$1"
	printf '#!/bin/sh\nset -e\nsay() { echo "$1" >"$FIREBREAK_CTL_FIFO"; read -r answer <"$FIREBREAK_ACK_FIFO"; }\nmetric() { echo "$*" >>"$FIREBREAK_METRICS"; }\n%s\n' "$2" >bench.sh
	sed -i -e '/name: script/a\    metrics: [speed]' -e '/work: reported/d' firebreak.yml
	commit
	gate "$1" "$1" script --rounds 1
}
wrong unasked 'metric speed 1 m/s higher; metric work 7; say enable; seq 100000 | sort -n >/dev/null; say disable'
check "work that is reported though the configuration does not say so ends with 4" ends_with 4
check "and the key is named" reason_has 'reported 7 units of work.*set .work: reported'
wrong never 'metric speed 1 m/s higher'
check "a region that never begins ends with 4" ends_with 4
check "and is explained" reason_has 'never switched measuring on'
wrong open 'say enable; metric speed 1 m/s higher; seq 100000 | sort -n >/dev/null'
check "a region that never ends ends with 4" ends_with 4
check "and is explained" reason_has 'ended with measuring still on'
wrong malformed 'say enable; seq 10000 | sort -n; say disable; metric speed 1 m/s higher; metric speed 2 furlongs'
check "a malformed metric ends with 4" ends_with 4
check "and its line is named" reason_has 'line 2 of its metrics'
wrong missing 'say enable; seq 10000 | sort -n; say disable; metric sped 1 m/s higher'
check "a metric that was promised and not reported ends with 4" ends_with 4
check "and is named" reason_has 'did not report speed'
wrong chatty 'say stop; [ "$answer" = error ]; for i in $(seq 200); do echo ping >"$FIREBREAK_CTL_FIFO"; done; say enable; seq 1000000 | sort -n >/dev/null; say disable; metric speed 1 m/s higher'
# whoever does not read answers reads an old one as the one to "enable", and goes on before it is served
check "answers that nobody reads, and commands that nobody knows, stop nothing" ends_with 3
check "but there is a finding" has_finding unknown_control_command

# Base and head cannot both hold the lock, so the one that does must not wait for the other for ever.
from base locked
sed -i 's/^    timeout.*//; /work: reported/d; /name: script/a\    timeout: 4s' firebreak.yml
printf '#!/bin/sh\nset -e\nsay() { echo "$1" >"$FIREBREAK_CTL_FIFO"; read -r answer <"$FIREBREAK_ACK_FIFO"; }\nexec 9>%s\nflock 9\nsay enable\nseq 200000 | sort -n >/dev/null\nsay disable\n' "$WORK/lock" >bench.sh
commit
gate locked locked script --rounds 1
check "runs that cannot be in their regions together are measured one after the other" ends_with 3
check "and there is a finding" has_finding regions_apart

# --- nothing left behind
check "no pipe, file or folder is left" is "$(ls -A "$WORK/tmp" "$WORK/cache/firebreak/campaigns")" "$(printf '%s\n' "$WORK/cache/firebreak/campaigns:" '' "$WORK/tmp:")"
finish
