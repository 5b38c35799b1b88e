#!/bin/bash
# Builds keep their own flags and get what profiling needs from the wrapped compilers: with make, CMake, Meson, Autotools,
# ccache and rustc, as far as this machine has them. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck disable=SC2016 # make and jq have variables of their own
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
export XDG_CACHE_HOME=$WORK/cache
unset CC CXX CFLAGS CXXFLAGS LDFLAGS RUSTFLAGS
wanted() { # wanted PROGRAM WHAT: says why a part is left out where the machine lacks the program
	command -v "$1" >/dev/null && return
	echo "left out: $2: no $1 here"
	return 1
}

# project NAME COMMAND: a repository whose build makes ./bench of bench.c; `main` is its only commit.
project() {
	mkdir -p "$WORK/$1" && cd "$WORK/$1" || exit 1
	git init -q -b main . && git config user.email a@b && git config user.name a
	cat >bench.c <<-'C'
		#include <stdio.h>
		__attribute__((noinline)) unsigned score(unsigned n) { unsigned s = 0; for (volatile unsigned i = 0; i < n; i++) s += i; return s; }
		int main(void) { return printf("%u\n", score(1000000)) < 0; }
	C
	printf 'version: 1\nbuild: {command: %s}\nbenchmarks: [{name: bench, command: [./bench]}]\n' "$2" >firebreak.yml
}
commit() { git add -A && git commit -q -m "$1"; }
# built: builds main twice under other names (a stored baseline is not made) and prints the program that came out.
built() {
	rm -rf "$XDG_CACHE_HOME"
	"$FIREBREAK" check --base main --head main --rounds 1 --no-store --out "$WORK/out" >"$WORK/log" 2>&1
	find "$XDG_CACHE_HOME/firebreak/builds" -path '*/tree/bench' -type f | head -n 1
}
producer() { readelf --debug-dump=info "$1" 2>/dev/null | grep -m1 'DW_AT_producer' | sed 's/.*): //'; }
has_options() { # has_options PROGRAM OPTION...: all of them are in what the compiler wrote down, the last word on its kind
	local options program=$1 option
	options=" $(producer "$program") "
	shift
	for option; do
		[[ $options == *" $option "* ]] || { echo "$option is not in:$options"; tail -n 5 "$WORK/log"; return 1; }
	done
}
can_be_profiled() {
	has_options "$1" -fno-omit-frame-pointer -falign-functions=32 &&
		readelf -n "$1" | grep -q 'Build ID' && nm "$1" | grep -q ' score$' &&
		readelf --debug-dump=info "$1" | grep -m1 'DW_AT_comp_dir' | grep -qE ': [.](/b)?$'
}

project make 'make -s'
printf 'CFLAGS = -O3 -fomit-frame-pointer\nLDFLAGS = -s\nbench: bench.c\n\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<\n' >Makefile
commit make
program=$(built)
check "a Makefile keeps its -O3" has_options "$program" -O3
check "and its program can be profiled, though it says otherwise" can_be_profiled "$program"
check "the report names no missing frame pointers" json "$WORK/out/report.json" 'all(.findings[]; .code != "no_frame_pointers" and .code != "no_debug_info")'

sed -i 's|^CFLAGS.*|CC = /usr/bin/cc\nCFLAGS = -O2 -g|; s/^LDFLAGS.*//' Makefile
commit 'past the wrappers'
built >/dev/null
check "a compiler called by its path is a finding" json "$WORK/out/report.json" 'any(.findings[]; .code == "no_frame_pointers" and (.text | contains("PATH")))'

project chosen 'make -s'
printf 'CFLAGS = -O1\nbench: bench.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >Makefile
commit make
export CC=/usr/bin/gcc CFLAGS=-O3
program=$(built)
unset CC CFLAGS
check "a compiler chosen by its path in the environment is wrapped" can_be_profiled "$program"

if wanted cmake CMake; then
	project cmake '"cmake -S . -B b -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build b >/dev/null && cp b/bench ."'
	printf 'cmake_minimum_required(VERSION 3.10)\nproject(bench C)\nadd_executable(bench bench.c)\n' >CMakeLists.txt
	commit cmake
	program=$(built)
	check "CMake keeps the flags of its build type" has_options "$program" -O3
	check "and its program can be profiled" can_be_profiled "$program"
	compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$(dirname "$program")/b/CMakeCache.txt")
	check "CMake sees a path that both sides have" is "$compiler" "$XDG_CACHE_HOME/firebreak/compilers/cc"
fi

if wanted meson Meson; then
	project meson '"meson setup b --buildtype=release >/dev/null && ninja -C b >/dev/null && cp b/bench ."'
	printf "project('bench', 'c')\nexecutable('bench', 'bench.c')\n" >meson.build
	commit meson
	program=$(built)
	check "Meson keeps the flags of its build type" has_options "$program" -O3
	check "and its program can be profiled" can_be_profiled "$program"
fi

if wanted automake Autotools; then
	project autotools '"autoreconf -i >/dev/null 2>&1 && ./configure >/dev/null && make -s"'
	printf 'AC_INIT([bench],[1])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	printf 'bin_PROGRAMS = bench\nbench_SOURCES = bench.c\n' >Makefile.am
	commit autotools
	program=$(built)
	check "configure keeps its own -O2" has_options "$program" -O2
	check "and its program can be profiled" can_be_profiled "$program"
fi

if wanted clang clang; then
	project clang '"clang -O2 -Werror -c bench.c && clang -Werror -o bench bench.o"'
	commit clang
	program=$(built)
	check "clang with -Werror builds each step" test -n "$program"
	check "and its program has names and a build-id" bash -c "readelf -n '$program' | grep -q 'Build ID' && nm '$program' | grep -q ' score$'"
fi

if wanted ccache ccache; then
	project ccache '"ccache gcc -O2 -c bench.c && gcc -o bench bench.o"'
	commit ccache
	program=$(CCACHE_DIR=$WORK/ccache built)
	check "ccache in front of a compiler does not go round in circles" can_be_profiled "$program"
fi

if wanted rustc Rust && rustc --version >/dev/null 2>&1; then
	project rust '"rustc -C opt-level=3 -C strip=symbols -o bench bench.rs"'
	# shellcheck disable=SC2016
	printf '#[inline(never)]\npub fn score(n: u64) -> u64 { (0..n).fold(0, |a, b| a ^ std::hint::black_box(b)) }\nfn main() { println!("{}", score(1000000)); }\n' >bench.rs
	commit rust
	program=$(built)
	check "rustc keeps names and lines" bash -c "nm '$program' | grep -q score && readelf --debug-dump=decodedline '$program' 2>/dev/null | grep -q bench.rs"
fi

# Go is called through its link alone: a check would compile its library anew
if wanted go Go && go version >/dev/null 2>&1; then
	mkdir -p "$WORK/go/links" && cd "$WORK/go" || exit 1
	ln -s "$(dirname "$FIREBREAK")/firebreak-cc" links/go
	printf 'module example.org/bench\n\ngo 1.18\n' >go.mod
	printf 'package main\n\n//go:noinline\nfunc score(n int) (s int) {\n\tfor i := 0; i < n; i++ {\n\t\ts ^= i\n\t}\n\treturn\n}\n\nfunc main() { println(score(1000)) }\n' >bench.go
	PATH=$WORK/go/links:$PATH GOFLAGS='-trimpath -ldflags=-w' FIREBREAK_COMPILER_LOG=$WORK/go/log go build -trimpath -ldflags='-s -w' -o bench . 2>"$WORK/go/err" || cat "$WORK/go/err"
	check "Go keeps names and lines" bash -c "nm bench | grep -q main.score && readelf --debug-dump=info bench 2>/dev/null | grep -q 'DW_TAG_compile_unit'"
	check "and sources lie in the checkout" grep -qaF "$WORK/go/bench.go" bench
	check "its call is noted" grep -q go "$WORK/go/log"
fi
finish
