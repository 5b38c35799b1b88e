#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The recipes of docs/FRAMEWORKS.md work as they stand there: each block that begins with `build:` or `benchmarks:`
# becomes the firebreak.yml of a small project of its framework, which is measured in one run.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
mkdir "$WORK/cache" "$WORK/recipes"
export XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null

# Writes the blocks to recipes/1, recipes/2, ...
awk -v dir="$WORK/recipes/" '
	inside && !/^    / && !/^$/ { inside = 0 }
	!inside && /^    (build|benchmarks):/ { inside = 1; n += 1; name = dir n; print "version: 1" >name }
	inside { sub("^    ", ""); print >name }' "$SOURCE_DIR/docs/FRAMEWORKS.md"

# The framework of a recipe, and how many there are of each: what is not tried below would be noticed.
framework_of() { sed -n 's/.*framework: \([a-z0-9-]*\).*/\1/p' "$1"; }
names=$(for recipe in "$WORK"/recipes/*; do framework_of "$recipe"; done | tr '\n' ' ')
check "FRAMEWORKS.md has a recipe for each framework" is "$names" "google-benchmark google-benchmark go catch2 criterion libtest nanobench "

# lists NAME LIBRARIES: a CMakeLists.txt that builds parse.cc as NAME
lists() { printf 'cmake_minimum_required(VERSION 3.10)\nproject(parse CXX)\nadd_executable(%s parse.cc)\n%s\n' "$1" "$2"; }
work='unsigned long x = 1; for (int i = 0; i < 200; i++) x = x * 6364136223846793005UL + 1442695040888963407UL;'

# Writes the project of a framework into the current folder. $1 is the program that its recipe names.
make_google_benchmark() {
	lists "$(basename "$1")" "target_link_libraries($(basename "$1") benchmark pthread)
set_target_properties($(basename "$1") PROPERTIES RUNTIME_OUTPUT_DIRECTORY $(dirname "\${CMAKE_SOURCE_DIR}/$1"))" >CMakeLists.txt
	cat >parse.cc <<-CC
		#include <benchmark/benchmark.h>
		static void BM_parse(benchmark::State &state) { for (auto _ : state) { $work benchmark::DoNotOptimize(x); } }
		BENCHMARK(BM_parse);
		BENCHMARK(BM_parse)->Arg(64);
		BENCHMARK_MAIN();
	CC
}
make_go() {
	mkdir parse
	printf 'module example.org/parse\n\ngo 1.18\n' >go.mod
	cat >parse/parse_test.go <<-'GO'
		package parse

		import "testing"

		var sum uint64

		func BenchmarkParse(b *testing.B) {
			b.Run("large", func(b *testing.B) {
				for i := 0; i < b.N; i++ {
					for j := 0; j < 200; j++ {
						sum = sum*6364136223846793005 + 1442695040888963407
					}
				}
			})
		}
	GO
}
make_catch2() {
	# the header is compiled without optimisation, since that takes most of the time
	lists tests 'set_source_files_properties(parse.cc PROPERTIES COMPILE_OPTIONS -O0)' >CMakeLists.txt
	cat >parse.cc <<-CC
		#define CATCH_CONFIG_MAIN
		#define CATCH_CONFIG_ENABLE_BENCHMARKING
		#include <catch2/catch.hpp>
		TEST_CASE("parse large files") { BENCHMARK("parse") { $work return x; }; }
	CC
}
make_libtest() {
	mkdir -p src benches
	printf '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2018"\n' >Cargo.toml
	printf 'version = 3\n\n[[package]]\nname = "demo"\nversion = "0.1.0"\n' >Cargo.lock
	echo 'pub fn one() -> u64 { 1 }' >src/lib.rs
	cat >benches/parse.rs <<-'RS'
		#![feature(test)]
		extern crate test;
		#[bench]
		fn parse_large(b: &mut test::Bencher) {
		    let mut x: u64 = demo::one();
		    b.iter(|| { for _ in 0..200 { x = test::black_box(x).wrapping_mul(3); } x });
		}
	RS
}

# The reason why a framework cannot be tried here; nothing if it can.
lacks() {
	case $1 in
	google-benchmark) echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1 || echo "no benchmark/benchmark.h (libbenchmark-dev)" ;;
	catch2) echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1 || echo "no catch2/catch.hpp (catch2 2)" ;;
	go) go version >/dev/null 2>&1 || echo "no go (golang-go)" ;;
	libtest) cargo --version >/dev/null 2>&1 || echo "no cargo" ;;
	*) echo "not packaged by the distribution" ;;
	esac
}

measure() { # measure NAME: one round of two runs
	local code=0
	"$FIREBREAK" check --base HEAD --head HEAD --rounds 1 --no-confirm --no-store --out "$WORK/$1-out" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null || code=$?
	[ "$code" = 3 ] || { tail -n 8 "$WORK/stderr" "$WORK/stdout"; return 1; }
}

for recipe in "$WORK"/recipes/*; do
	framework=$(framework_of "$recipe")
	name=$framework-$(basename "$recipe")
	reason=$(lacks "$framework")
	[ -z "$reason" ] || { echo "skipped: $framework: $reason"; continue; }
	git init -q -b main "$WORK/$name" && cd "$WORK/$name" || exit 1
	git config user.name dev && git config user.email dev@example.org
	"make_${framework//-/_}" "$(sed -n 's/.*command: \[\([^],]*\).*/\1/p' "$recipe")"
	cp "$recipe" firebreak.yml
	git add . && git commit -q -m "recipe"
	check "the recipe for $framework ($(basename "$recipe")) measures" measure "$name"
	check "in units of many iterations" json "$WORK/$name-out/report.json" '.benchmarks[0].runs[0].head.work > 100'
done
finish
