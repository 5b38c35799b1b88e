#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Benchmarks that calibrate themselves: refused unless their framework is named, and then told how much to do.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
mkdir "$WORK/cache" "$WORK/home"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 15 "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
# Two rounds of a commit with itself: too few for a verdict, enough to see whether it is measured, and in which units.
run() {
	"$FIREBREAK" check --base HEAD --head HEAD --rounds 2 --no-confirm --out "$WORK/out" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
is_measured() { [ "$CODE" -le 1 ] || ends_with 3; }
reason_is() { json "$WORK/out/report.json" ".reasons[0].code == \"$1\""; }

# entry KEYS: the only benchmark, with these keys beside its name
entry() {
	printf 'version: 1\nbuild: {command: "%s"}\nbenchmarks:\n  - {name: one, %s}\n' "$BUILD" "$1" >firebreak.yml
	git add . && git commit -q --allow-empty -m entry
}
project() { # project NAME BUILD: goes to a new repository
	BUILD=$2
	git init -q -b main "$WORK/$1" && cd "$WORK/$1" || exit 1
	git config user.name dev && git config user.email dev@example.org
}
units() { json "$WORK/out/report.json" ".benchmarks[0].runs[0].head.work $1"; }

# --- google-benchmark, whatever version is installed
if echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1; then
	project google "g++ -O2 -g bench.cc -o bench -lbenchmark -lpthread"
	cat >bench.cc <<'CC'
#include <benchmark/benchmark.h>
static void BM_work(benchmark::State &state)
{
	unsigned long x = 1;
	for (auto _ : state) {
		for (int i = 0; i < state.range(0); i++)
			x = x * 6364136223846793005UL + 1442695040888963407UL;
		benchmark::DoNotOptimize(x);
	}
}
BENCHMARK(BM_work)->Arg(100)->Arg(200);
BENCHMARK_MAIN();
CC
	entry 'command: [./bench]'
	run
	check "google-benchmark without framework ends with 4" ends_with 4
	check "and the reason is that it calibrates itself" reason_is calibrates_itself
	check "it says the lines to write" prints 'write .framework: google-benchmark.'
	printf 'speed:\n\t./bench --benchmark_min_time=0.1\n' >Makefile
	cat >inner.sh <<'SH'
#!/bin/sh
exec "$(dirname "$0")"/bench "$@"
SH
	sed s,/bench,/inner.sh, inner.sh >outer.sh
	chmod +x outer.sh inner.sh
	for command in 'make speed' './outer.sh' 'timeout 60 sh -c \"exec ./benc[h]\"'; do
		entry "command: \"$command\""
		run
		check "started by $command it ends with 4, too" ends_with 4
		check "and is named" prints 'its command starts bench, which is written with google-benchmark'
	done
	entry 'command: "./benc[h] --benchmark_min_time=0.01", engines: [callgrind]'
	run
	check "so it does under callgrind" ends_with 4
	check "and for the same reason" reason_is calibrates_itself
	entry 'command: [./bench], framework: google-benchmark, filter: ^BM_work/100$'
	run
	check "with it, it is measured" is_measured
	check "in units of many iterations" units '> 1000'
	check "its own time stands beside" json "$WORK/out/report.json" '[.. | .name? // empty | select(. == "time-per-iteration")] | length > 0'
	entry 'command: [./bench], framework: google-benchmark, filter: nothing'
	run
	check "a filter that matches nothing ends with 4" ends_with 4
	check "and is named" says '.filter: nothing. matches none'
	entry 'command: [./bench, --benchmark_min_time=0.01], framework: google-benchmark, iterations: 5'
	run
	check "iterations that are not those that were asked for end with 4" ends_with 4
	entry 'command: [./bench, "--benchmark_filter=100", "--benchmark_min_time=0.01"], framework: none'
	run
	check "framework: none takes it as it is" is_measured
else
	echo "skipped: google-benchmark: no benchmark/benchmark.h (libbenchmark-dev)"
fi

# --- Go
if go version >/dev/null 2>&1 && HOME=$WORK/home go env GOROOT >/dev/null 2>&1; then
	project go "go test -c -o bench ."
	printf 'module example.org/work\n\ngo 1.19\n' >go.mod
	cat >work_test.go <<'GO'
package work

import "testing"

var sum uint64

func BenchmarkWork(b *testing.B) {
	for i := 0; i < b.N; i++ {
		for j := 0; j < 200; j++ {
			sum = sum*6364136223846793005 + 1442695040888963407
		}
	}
}
GO
	entry 'command: [./bench, -test.bench=.]'
	run
	check "Go without framework ends with 4" ends_with 4
	check "and says which it is" prints 'write .framework: go.'
	cat >hidden.sh <<'SH'
#!/bin/sh
tool=go
exec $tool te""st -be""nch=.
SH
	chmod +x hidden.sh
	entry 'command: [./hidden.sh]'
	run
	check "so it is where go starts a program that it removes" prints 'its command starts work.test, which is written with go'
	entry 'command: [./bench], framework: go, filter: BenchmarkWork, iterations: 200000'
	run
	check "Go is measured" is_measured
	check "with the iterations that were asked for and the one before them" units '== 200001'
	entry 'command: "./bench", framework: go, filter: BenchmarkNone'
	run
	check "no case of Go ends with 4" ends_with 4
else
	echo "skipped: Go: no go (golang-go)"
fi

# --- A timer of the benchmark's own
project timer "cc -O2 -g timer.c -o timer && cc -O2 -g -DFIXED timer.c -o fixed"
cat >timer.c <<'C'
#include <stdio.h>
#include <time.h>
int main(void)
{
	volatile unsigned long x = 1;
	clock_t end = clock() + CLOCKS_PER_SEC / 5;
#ifdef FIXED
	for (unsigned long i = 0; i < 80000000; i++)
		x = x * 3;
#else
	while (clock() < end)
		for (int i = 0; i < 10000; i++)
			x = x * 3;
#endif
	printf("%ld\n", (long)(clock() - end));
}
C
entry 'command: [./timer]'
run
check "a timer by CPU time ends with 4" ends_with 4
check "and says so" prints 'it works until a time is over'
entry 'command: [./fixed]'
run
check "a program that only asks how long it took is measured" is_measured

# --- Rust's libtest
if echo 'fn main() {}' | RUSTC_BOOTSTRAP=1 rustc --test -o "$WORK/probe" - >/dev/null 2>&1; then
	project rust "RUSTC_BOOTSTRAP=1 $(command -v rustc) --test -O bench.rs -o bench"
	cat >bench.rs <<'RS'
#![feature(test)]
extern crate test;
#[bench]
fn work(b: &mut test::Bencher) {
    let mut x: u64 = 1;
    b.iter(|| { for _ in 0..200 { x = test::black_box(x).wrapping_mul(3); } x });
}
#[bench]
fn twice(b: &mut test::Bencher) {
    let mut x: u64 = 1;
    b.iter(|| { for _ in 0..200 { x = test::black_box(x).wrapping_mul(3); } x });
    b.iter(|| { for _ in 0..200 { x = test::black_box(x).wrapping_mul(3); } x });
}
#[bench]
fn reads_the_clock(b: &mut test::Bencher) {
    let mut x: u64 = 1;
    b.iter(|| { for _ in 0..200 { x = test::black_box(x).wrapping_mul(3); } (x, std::time::Instant::now()) });
}
RS
	entry 'command: [./bench, --bench]'
	run
	if [ "$CODE" = 5 ]; then
		echo "skipped: libtest: rustc does not build without the user's HOME"
	else
		check "libtest without framework ends with 4" ends_with 4
		check "and says which it is" prints 'write .framework: libtest.'
		entry 'command: [./bench], framework: libtest, filter: work'
		run
		check "libtest is measured" is_measured
		check "it did as many iterations as it was made to, 1 + 300 n" units '| . > 1000 and . % 300 == 1'
		check "the number is the same on both sides" json "$WORK/out/report.json" \
			'[.benchmarks[0].runs[] | .base.work, .head.work] | unique | length == 1'
		entry 'command: [./bench], framework: libtest, filter: work, iterations: 20000'
		run
		check "it does the number of the configuration" units '== 6000001'
		entry 'command: [./bench], framework: libtest, filter: twice, iterations: 5000'
		run
		check "a function that measures twice does twice as many" units '== 3000002'
		entry 'command: [./bench], framework: libtest, filter: work, iterations: 20000, engines: [callgrind]'
		if valgrind --version >/dev/null 2>&1; then
			run
			check "its instructions are counted" json "$WORK/out/report.json" \
				'.benchmarks[0].metrics[] | select(.name == "instructions") | .base > 400 and .base < 4000'
		fi
		entry 'command: [./bench], framework: libtest, filter: reads_the_clock'
		run
		check "a case that reads the clock itself is measured by what it says" is_measured
		check "which is told" json "$WORK/out/report.json" '.findings[] | select(.code == "framework_own_word")'
	fi
else
	echo "skipped: libtest: no rustc (cargo)"
fi

# --- Catch2, which takes half a minute to compile: once, so that builds only copy
if echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1; then
	project catch2 "cp $WORK/catch2-bench bench && cp $WORK/catch2-alone alone"
	cat >bench.cc <<'CC'
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <chrono>
TEST_CASE("work")
{
	volatile unsigned long x = 1;
	BENCHMARK("hot") { for (int i = 0; i < 200; i++) x = x * 3; return x + 0; };
}
TEST_CASE("two")
{
	volatile unsigned long x = 1;
	for (int twice = 0; twice < 2; twice++)
		BENCHMARK_ADVANCED("again")(Catch::Benchmark::Chronometer meter)
		{
			x = 1;
			meter.measure([&] { for (int i = 0; i < 200; i++) x = x * 3; return x + 0; });
		};
}
TEST_CASE("clock")
{
	volatile unsigned long x = 1;
	BENCHMARK("reads")
	{
		for (int i = 0; i < 20000; i++) x = x * 3;
		return std::chrono::steady_clock::now().time_since_epoch().count() + x;
	};
}
CC
	g++ -O1 -g -fno-omit-frame-pointer -c bench.cc -o "$WORK/catch2.o"
	g++ "$WORK/catch2.o" -o "$WORK/catch2-bench"
	g++ -static "$WORK/catch2.o" -o "$WORK/catch2-alone"
	entry 'command: [./bench]'
	run
	check "Catch2 without framework ends with 4" ends_with 4
	entry 'command: [./bench], framework: catch2, filter: work'
	run
	check "Catch2 is measured" is_measured
	check "in units of many iterations" units '> 1000'
	check "the number is the same on both sides" json "$WORK/out/report.json" \
		'[.benchmarks[0].runs[] | .base.work, .head.work] | unique | length == 1'
	entry 'command: [./bench], framework: catch2, filter: work, iterations: 100000'
	run
	check "it does the number of the configuration, and some before its samples" units '== 25000 * 4 + 7'
	entry 'command: [./bench], framework: catch2, filter: two, iterations: 100000'
	run
	check "a case that is measured twice does twice as many" units '== 2 * (25000 * 4 + 7)'
	if valgrind --version >/dev/null 2>&1; then
		entry 'command: [./bench], framework: catch2, filter: work, iterations: 20000, engines: [callgrind]'
		run
		check "its instructions are counted" json "$WORK/out/report.json" \
			'.benchmarks[0].metrics[] | select(.name == "instructions") | .base > 400 and .base < 4000'
	fi
	entry 'command: [./bench], framework: catch2, filter: clock'
	run
	check "a case that reads the clock itself is measured by what it says" is_measured
	check "which is told" json "$WORK/out/report.json" '.findings[] | select(.code == "framework_own_word")'
	entry 'command: [./alone], framework: catch2, filter: work'
	run
	check "so is a program that is linked statically" is_measured
	check "which is told, too" json "$WORK/out/report.json" '.findings[] | select(.code == "framework_own_word")'
else
	echo "skipped: Catch2: no catch2/catch.hpp (catch2)"
fi
finish
