#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: seeds.sh TARGET FOLDER FIREBREAK: files of the kind that a fuzz target reads, made here by the tools that make
# them for users, as a beginning for its corpus. Names begin with "seed-"; those of an earlier call are replaced. What
# cannot be made for want of a tool or of permission is said and left out. The targets perfdata and objectfile add
# written examples of their own.
# shellcheck disable=SC2317 # what makes a seed is called by add
set -uo pipefail
[ $# = 3 ] || { sed -n '2p' "$0" >&2; exit 2; }
TARGET=$1 FOLDER=$2 FIREBREAK=$3
SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT
export ASAN_OPTIONS=detect_leaks=0

say() { printf 'seeds of %s: %s\n' "$TARGET" "$*" >&2; }
# add NAME COMMAND...: its output as a seed, unless it fails or prints nothing
add() {
	if "${@:2}" >"$WORK/seed" 2>"$WORK/said" </dev/null && [ -s "$WORK/seed" ]; then
		mv "$WORK/seed" "$FOLDER/seed-$1"
	else
		say "no $1: $(tail -n 1 "$WORK/said")"
	fi
}

# A program that calls, recurses, asks for memory and the time, and takes some milliseconds.
make_program() {
	cat >"$WORK/work.c" <<'SOURCE'
#include <stdlib.h>
#include <string.h>
#include <time.h>
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * n;
}
__attribute__((noinline)) static void outer(unsigned long n) { inner(n); sink++; }
__attribute__((noinline)) static unsigned long deep(unsigned n) { return n == 0 ? sink : deep(n - 1) + 1; }
int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	struct timespec now;
	for (unsigned long i = 0; i < rounds; i++) {
		char *block = malloc(4096 + i);
		memset(block, (int)i, 4096);
		clock_gettime(CLOCK_MONOTONIC, &now);
		outer(20000);
		sink += deep(20) + (unsigned char)block[i % 4096];
		free(block);
	}
	return 0;
}
SOURCE
	"${CC:-cc}" -g -O1 -fno-omit-frame-pointer "$WORK/work.c" -o "$WORK/work"
}

record() { perf record -q -o - -F 2000 -e cpu-clock "$@" -- "$WORK/work" 2000; }
record_file() { # record_file OPTION...: as a file, not as a pipe
	perf record -q -o "$WORK/perf.data" -F 2000 -e cpu-clock "$@" -- "$WORK/work" 2000 && cat "$WORK/perf.data"
}
record_own() { "$FIREBREAK" record -q -o "$WORK/own.data" "$@" -- "$WORK/work" 2000 && cat "$WORK/own.data"; }
script() { # script RECORD-OPTIONS... -- SCRIPT-OPTIONS...
	local options=()
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	record_file "${options[@]}" >"$WORK/to-script" && perf script -i "$WORK/to-script" "$@" | sed -n 1,400p
}
counted() { # counted OPTION...: the dumps of callgrind
	rm -f "$WORK"/callgrind.out*
	valgrind -q --tool=callgrind --callgrind-out-file="$WORK/callgrind.out" "$@" "$WORK/work" 2 && cat "$WORK"/callgrind.out*
}
heap() { valgrind -q --tool=dhat --dhat-out-file="$WORK/dhat.out" "$@" "$WORK/work" 3 && cat "$WORK/dhat.out"; }
exported() { # exported FORMAT
	record_file -g >"$WORK/to-export" && "$FIREBREAK" export "$WORK/to-export" --to "$1" -o "$WORK/exported" && cat "$WORK/exported"
}
unpacked() { gunzip -c "$WORK/exported"; }
folded() { record_file -g >"$WORK/to-fold" && "$FIREBREAK" fold "$@" "$WORK/to-fold"; }
after_byte() { # after_byte OCTAL COMMAND...: the output after a byte, by which the target chooses options
	printf '%b' "\\0$1"
	"${@:2}"
}

# As a runtime with a compiler writes it (tools/perf/Documentation/jitdump-specification.txt), little endian.
words() { python3 -c 'import struct,sys
out = sys.stdout.buffer
def head(kind, body, time): out.write(struct.pack("<IIQ", kind, 16 + len(body), time) + body)
out.write(struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 4711, 0, 0))
for i, name in enumerate([b"parse app.js:1", b"emit", b"LazyCompile:*sort"]):
    at = 0x1000 + 64 * i
    head(2, struct.pack("<QQ", at, 2) + b"".join(struct.pack("<QII", at + 8 * n, 10 + n, 0) + b"app.js\0" for n in range(2)), 5 + i)
    head(0, struct.pack("<IIQQQQ", 4711, 4711, at, at, 32, i) + name + b"\0" + b"\x90" * 32, 6 + i)
head(1, struct.pack("<IIQQQQQ", 4711, 4711, 0x1000, 0x1000, 0x2000, 32, 0), 20)
head(3, b"", 30)'; }

case $TARGET in
objectfile) ;; # begins its corpus itself
perfdata)
	make_program
	add file record_file
	add chains record_file -g
	add stacks record_file --call-graph dwarf,1024
	add pipe record -g
	add no-build-ids record_file -g -B
	add build-ids record_file -g --buildid-mmap
	add compressed record_file -g -z
	add two-events record_file -g -e page-faults
	add own record_own
	;;
perfscript)
	make_program
	add chains after_byte 000 script -g --
	add period after_byte 001 script -g -- -F comm,pid,tid,time,event,period,ip,sym,dso
	add lines after_byte 374 script --call-graph dwarf,1024 -- -F +srcline
	add flat after_byte 020 script --
	;;
callgrind | callgrindfold)
	make_program
	add plain counted
	add instructions counted --dump-instr=yes
	add caches counted --cache-sim=yes --branch-sim=yes
	add callers counted --separate-callers=3
	;;
dhat)
	make_program
	add heap heap
	add copies heap --mode=copy
	;;
folded)
	make_program
	add samples folded
	add kernel folded --kernel
	;;
pprof)
	make_program
	add exported exported pprof
	add unpacked unpacked
	;;
jitdump) add dump words ;;
perfmap) add map printf '%s\n' '10000100 10 parse app.js:1' '10000200 2a LazyCompile:*sort native array.js:1' '7f00deadbeef 100 void Foo::bar<int>(int)' ;;
yaml)
	while IFS= read -r file; do
		add "$(basename "$(dirname "$file")")-$(basename "$file")" cat "$file"
	done < <(find "$SOURCE_DIR"/firebreak.yml "$SOURCE_DIR"/tests/projects -name '*.yml' -size -32k | sort)
	;;
frameworks)
	add google printf '\000%s\000%s' '{"benchmarks": [{"name": "BM_a", "run_type": "iteration", "iterations": 5, "cpu_time": 1.5, "time_unit": "us", "items_per_second": 9e6}]}' '-- LOG(2): Running BM_a for 5'
	add go printf '\001goos: linux\nBenchmarkA-2   \t    1000\t       517.7 ns/op\t5789.76 MB/s\t 16 B/op\t 2 allocs/op\nPASS\n'
	add catch2 printf '\002%s' '<Catch name="t"><BenchmarkResults name="a" samples="20" iterations="5"><mean value="446.911" lowerBound="446"/></BenchmarkResults></Catch>'
	add libtest printf '\003test a  ... bench:       1,254.84 ns/iter (+/- 2.75) = 1600 MB/s\n'
	# shellcheck disable=SC2016 # backticks are what it prints
	add nanobench printf '\004| complexityN | ns/op | op/s | err%% | total | t\n|---:|---:|---:|---:|---:|:---\n| 10 | 2,447.15 | 408,638.07 | 0.4%% | 0.01 | `a b`\n'
	;;
*)
	say "no seeds are known"
	exit 2
	;;
esac
exit 0
