#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Are changes that are planted in a benchmark of a framework reported as large as they are? A case does 400 turns of a
# loop in one function and 60 of another in a second one; a head does 400, 460 (+13 % of the whole) or 800 turns (+87 %).
# Prints a Markdown table: how `firebreak check` ended, the change of the framework's own time, that of CPU time for each
# iteration with its interval, and the function that is named.
#
#     tests/bench/frameworks.sh [FRAMEWORK ...]      FIREBREAK in the environment
#
# Frameworks: catch2 criterion google go libtest nanobench. CRATES is a folder of crates with their sources that has
# criterion (/usr/share/cargo/registry, of Debian's librust-criterion-dev), NANOBENCH the folder of nanobench.h, GOOGLE
# one with include/ and lib/ of another google-benchmark than that of the system.
# TURNS (400 460 800) names the heads. KEEP names a folder that gets the reports. Some two minutes for each check, and
# five with criterion.
set -euo pipefail

TURNS=${TURNS:-400 460 800}
CRATES=${CRATES:-/usr/share/cargo/registry}
WORK=$(mktemp -d)
KEEP=${KEEP:-$WORK/reports}
mkdir -p "$KEEP" "$WORK/cache"
KEEP=$(cd "$KEEP" && pwd)
trap 'rm -rf "$WORK"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
say() { printf 'frameworks: %s\n' "$*" >&2; }

# The two functions, in a file of their own, so that what includes a framework is compiled once.
work_of() { # work_of TURNS
	cat <<CC
unsigned long hot(unsigned long x)
{
	for (int i = 0; i < $1; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}
unsigned long rest(unsigned long x)
{
	for (int i = 0; i < 60; i++)
		x = x * 2862933555777941757UL + 3037000493UL;
	return x;
}
CC
}
rust_of() { # rust_of TURNS
	cat <<RS
use std::hint::black_box;
#[inline(never)]
fn hot(mut x: u64) -> u64 {
    for _ in 0..$1 { x = black_box(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)); }
    x
}
#[inline(never)]
fn rest(mut x: u64) -> u64 {
    for _ in 0..60 { x = black_box(x.wrapping_mul(2862933555777941757).wrapping_add(3037000493)); }
    x
}
RS
}
libtest_of() { # libtest_of TURNS
	printf '#![feature(test)]\nextern crate test;\n'
	rust_of "$1"
	cat <<RS
#[bench]
fn work(b: &mut test::Bencher) {
    let mut x: u64 = 1;
    b.iter(|| { x = rest(hot(x)); x });
}
RS
}
criterion_of() { # criterion_of TURNS
	mkdir -p benches src .cargo
	touch src/lib.rs
	printf '[source.crates-io]\nreplace-with = "here"\n[source.here]\ndirectory = "%s"\n' "$CRATES" >.cargo/config.toml
	cat >Cargo.toml <<TOML
[package]
name = "work"
version = "0.1.0"
edition = "2018"
[dev-dependencies]
criterion = "0"
[profile.bench]
debug = true
[[bench]]
name = "work"
harness = false
TOML
	rust_of "$1" >benches/work.rs
	cat >>benches/work.rs <<RS
fn work(c: &mut criterion::Criterion) {
    let mut x: u64 = 1;
    c.bench_function("work", |b| b.iter(|| { x = rest(hot(x)); x }));
}
criterion::criterion_group!(benches, work);
criterion::criterion_main!(benches);
RS
}
go_of() { # go_of TURNS
	cat <<GO
package work

import "testing"

var sum uint64

//go:noinline
func hot(x uint64) uint64 {
	for i := 0; i < $1; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//go:noinline
func rest(x uint64) uint64 {
	for i := 0; i < 60; i++ {
		x = x*2862933555777941757 + 3037000493
	}
	return x
}

func BenchmarkWork(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sum = rest(hot(sum))
	}
}
GO
}
compile_case() { # compile_case OPTION...: standard input to case.o
	g++ -std=c++17 -O2 -g -fno-omit-frame-pointer "$@" -x c++ -c - -o "$WORK/case.o"
}
prepare() { # prepare FRAMEWORK: sets BUILD and KEYS, and what is compiled once
	case $1 in
	catch2)
		compile_case <<'CC'
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
unsigned long hot(unsigned long x), rest(unsigned long x);
TEST_CASE("work")
{
	unsigned long x = 1;
	BENCHMARK("hot and rest") { return x = rest(hot(x)); };
}
CC
		BUILD="g++ -O2 -g work.cc $WORK/case.o -o bench"
		KEYS="command: [./bench], framework: catch2, filter: work"
		;;
	google)
		compile_case ${GOOGLE:+-I "$GOOGLE/include"} <<'CC'
#include <benchmark/benchmark.h>
unsigned long hot(unsigned long x), rest(unsigned long x);
static void BM_work(benchmark::State &state)
{
	unsigned long x = 1;
	for (auto _ : state)
		benchmark::DoNotOptimize(x = rest(hot(x)));
}
BENCHMARK(BM_work);
BENCHMARK_MAIN();
CC
		BUILD="g++ -O2 -g work.cc $WORK/case.o -o bench ${GOOGLE:+-L$GOOGLE/lib} -lbenchmark -lpthread"
		KEYS="command: [./bench], framework: google-benchmark, filter: ^BM_work$"
		;;
	libtest)
		BUILD="RUSTC_BOOTSTRAP=1 $(command -v rustc) --test -O -g bench.rs -o bench"
		KEYS="command: [./bench], framework: libtest, filter: work"
		;;
	criterion)
		# the crates are compiled once for all heads; the program's name has a hash in it
		BUILD="rm -f $WORK/target/release/deps/work-* && CARGO_TARGET_DIR=$WORK/target $(command -v cargo) bench --offline --no-run --bench work && cp $WORK/target/release/deps/work-*[^d] bench"
		KEYS="command: [./bench], framework: criterion, filter: ^work\$"
		;;
	nanobench)
		compile_case -I "${NANOBENCH:?is not set}" <<'CC'
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>
unsigned long hot(unsigned long x), rest(unsigned long x);
int main(void)
{
	unsigned long x = 1;
	ankerl::nanobench::Bench().minEpochTime(std::chrono::milliseconds(50)).complexityN(10).run("work", [&] {
		ankerl::nanobench::doNotOptimizeAway(x = rest(hot(x)));
	});
}
CC
		BUILD="g++ -O2 -g work.cc $WORK/case.o -o bench"
		KEYS="command: [./bench], framework: nanobench"
		;;
	go)
		BUILD="go test -c -o bench ."
		KEYS="command: [./bench], framework: go, filter: BenchmarkWork"
		;;
	*)
		say "unknown framework $1"
		exit 2
		;;
	esac
}
put() { # put FRAMEWORK TURNS: the sources
	case $1 in
	libtest) libtest_of "$2" >bench.rs ;;
	criterion) criterion_of "$2" ;;
	go) go_of "$2" >work_test.go && printf 'module example.org/work\n\ngo 1.19\n' >go.mod ;;
	*) work_of "$2" >work.cc ;;
	esac
}
row() { # row FRAMEWORK TURNS CODE REPORT
	jq -r --arg name "$1" --arg turns "$2" --arg code "$3" '
		def percent: . * 10 | round / 10 | if . >= 0 then "+\(.)" else "\(.)" end;
		.benchmarks[0] as $b
		| ($b.metrics[] | select(.name == "task-clock")) as $cpu
		| ($b.metrics[] | select(.name == "time-per-iteration")) as $own
		| ([$b.functions[]? | select(.gates or .held_by != null) | .name] + ["-"])[0] as $function
		| "| \($name) | 400 → \($turns) turns | \($b.verdict) (\($code)) | \($own.change_pct | percent) % | " +
		  "\($cpu.change_pct | percent) % [\($cpu.ci_pct[0] | percent), \($cpu.ci_pct[1] | percent)] | \($function) |"' "$4"
}
try() { # try FRAMEWORK
	local framework=$1 turns code
	prepare "$framework"
	git init -q -b main "$WORK/$framework" && cd "$WORK/$framework"
	git config user.name dev && git config user.email dev@example.org
	printf 'version: 1\nbuild: {command: "%s"}\nbenchmarks:\n  - {name: work, %s}\n' "$BUILD" "$KEYS" >firebreak.yml
	put "$framework" 400 && git add . && git commit -q -m base && git tag base
	for turns in $TURNS; do
		git checkout -q base && put "$framework" "$turns" && git add . && git commit -q --allow-empty -m "$turns"
		code=0
		"$FIREBREAK" check --base base --head HEAD --out "$WORK/out" >"$KEEP/$framework-$turns.txt" 2>&1 </dev/null || code=$?
		say "$framework $turns ended with $code"
		cp "$WORK/out/report.json" "$KEEP/$framework-$turns.json" && rm -rf "$WORK/out"
		row "$framework" "$turns" "$code" "$KEEP/$framework-$turns.json" ||
			echo "| $framework | 400 → $turns turns | no comparison ($code) | | | |"
	done
}

[ -x "${FIREBREAK:-}" ] || { say "no program at FIREBREAK"; exit 2; }
echo "| framework | change | verdict | its own time | CPU time per iteration | function |"
echo "|---|---|---|---|---|---|"
for framework in "${@:-catch2}"; do
	(try "$framework")
done
