#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak top` beside `perf report --stdio` of the same recordings, perf's own and ours: functions, modules, commands,
# threads, CPUs, source lines, inclusive costs, callers and callees, and addresses where names lack.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
command -v perf gcc python3 strip >/dev/null || skip_all "perf, gcc, python3 or strip is missing"
export HOME=$WORK LC_ALL=C.UTF-8
cd "$WORK" || exit 1

cat >mix.c <<'C'
unsigned long mix(unsigned long x, int turns)
{
	for (int i = 0; i < turns; i++)
		x = x * 6364136223846793005ul + 1442695040888963407ul;
	return x;
}
C
cat >main.c <<'C'
#include <pthread.h>
unsigned long mix(unsigned long x, int turns);
static unsigned long short_work(unsigned long x)
{
	return mix(x, 2000) + 1;
}
static unsigned long long_work(unsigned long x)
{
	unsigned long sum = 0;
	for (int i = 0; i < 3000; i++)
		sum += x ^ (sum >> 3);
	return sum + mix(x, 1000);
}
static unsigned long deep(unsigned long x, int level)
{
	return level == 0 ? short_work(x) : deep(x + 1, level - 1) + 1;
}
static void *run(void *turns)
{
	unsigned long x = 1;
	pthread_setname_np(pthread_self(), (long)turns > 20000 ? "heavy" : "light");
	for (long i = 0; i < (long)turns; i++)
		x += i % 3 ? long_work(x) : deep(x, 5);
	return (void *)x;
}
int main(void)
{
	pthread_t heavy, light;
	pthread_create(&heavy, 0, run, (void *)30000);
	pthread_create(&light, 0, run, (void *)12000);
	pthread_join(heavy, 0);
	pthread_join(light, 0);
	return 0;
}
C
FLAGS="-O1 -g -D_GNU_SOURCE -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls"
# shellcheck disable=SC2086 # several flags
gcc $FLAGS -shared -fPIC mix.c -o libmix.so && gcc $FLAGS main.c -o main -L. -lmix -Wl,-rpath,"$WORK" -pthread &&
	strip -o stripped main || exit 1

same() { python3 "$SOURCE_DIR/tests/cli/top_perf.py" "$FIREBREAK" "$@"; } # same DATA WHAT...
recorded() { # recorded DATA: 20 samples are enough to tell rows apart
	[ "$("$FIREBREAK" top --json "$1" | jq .samples)" -ge 20 ]
}
# A clock, whose samples all weigh the same for perf, too: a recording of cycles begins with samples of next to no period.
perf record -N -q -F 997 --sample-cpu -e cpu-clock:u --call-graph fp -o theirs.data ./main >/dev/null 2>perf.err ||
	skip_all "perf cannot record: $(head -n 1 perf.err)"
"$FIREBREAK" record -q -F 997 -e cpu-clock:u --call-graph fp -o ours.data -- ./main || exit 1
for data in theirs ours; do
	check "$data has samples" recorded $data.data
	for what in functions modules commands threads cpus lines; do
		check "$data: the self shares of $what are those of perf report" same $data.data $what
	done
	check "$data: so are inclusive shares, as perf report --children has them" same $data.data inclusive
	for function in mix deep run long_work; do
		check "$data: callers and callees of $function are those of the stacks of perf script" same $data.data calls:$function
	done
done

# Samples that stand for different costs: faults come in bursts, which a frequency answers with other periods.
cat >faults.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
static void touch(char *pages, long n)
{
	for (long i = 0; i < n; i++)
		pages[i * 4096] = 1;
}
static void many(void)
{
	char *pages = mmap(0, 8000 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch(pages, 8000);
	munmap(pages, 8000 * 4096);
}
static long few(long x)
{
	for (long i = 0; i < 3000000; i++)
		x = x * 3 + i;
	char *pages = mmap(0, 40 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch(pages, 40);
	munmap(pages, 40 * 4096);
	return x;
}
int main(void)
{
	long x = 1;
	for (int i = 0; i < 40; i++) {
		x = few(x);
		if (i % 8 == 0)
			many();
	}
	return x == 0;
}
C
# shellcheck disable=SC2086 # several flags
gcc $FLAGS faults.c -o faults || exit 1
perf record -N -q -F 5000 -e page-faults:u --call-graph fp -o bursts.data ./faults >/dev/null 2>&1
perf record -N -q -c 1000003 -e cpu-clock:u --call-graph fp -o fixed.data ./main >/dev/null 2>&1
perf record -N -q -F 997 -e cycles:u --call-graph fp -o cycles.data ./main >/dev/null 2>perf.err || rm -f cycles.data
periods() { perf script -i "$1" -F period 2>/dev/null | sort -u | wc -l; }
check "the samples of bursts.data have different periods" [ "$(periods bursts.data)" -gt 3 ]
for data in bursts fixed cycles; do
	[ -f $data.data ] || { echo "skipped: $data: $(head -n 1 perf.err)"; continue; }
	check "$data has samples" recorded $data.data
	check "$data: what samples weigh is what they weigh for perf report" same $data.data functions modules commands inclusive
done

perf record -N -q -F 997 -e cpu-clock:u -e page-faults:u --call-graph fp -o events.data ./faults >/dev/null 2>&1
"$FIREBREAK" top events.data >text
check "several events are shown one after the other, each with its total" is "$(grep -oE '(cpu-clock|page-faults):u' text | sort -u | tr '\n' ' ')" 'cpu-clock:u page-faults:u '

perf record -N -q -F 997 -e cpu-clock:u --call-graph fp -o stripped.data ./stripped >/dev/null 2>&1
check "where names lack, --addresses has the rows of perf report" same stripped.data addresses:stripped
"$FIREBREAK" top stripped.data >text
check "and top says how to see them" grep -q -- '--addresses' text
"$FIREBREAK" top --addresses stripped.data >text
check "but not where they are shown" is "$(grep -c -- '--addresses' text)" 0

fixtures=${FIREBREAK_SHARED:-$SOURCE_DIR/../shared}/fixtures/kdab-perfparser/vector_static_gcc
if [ -f "$fixtures/perf.data" ]; then
	for data in perf.data perf.data.zstd; do
		check "a recording of another machine, $data" same "$fixtures/$data" modules commands threads
	done
else
	echo "skipped: recordings of other machines: no $fixtures"
fi
finish
