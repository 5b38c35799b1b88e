#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real files of DHAT: what is read from them against the totals that valgrind prints itself.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
for tool in valgrind gcc; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
cd "$WORK" || exit 1

cat >program.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *keep[4];
static inline __attribute__((always_inline)) void *wrap(size_t n) { return malloc(n); }
__attribute__((noinline)) void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else
		keep[0] = wrap(1000);
	__asm__ volatile("");
}
__attribute__((noinline)) void grow(void)
{
	for (int i = 0; i < 10; i++) {
		void *p = calloc(3, 7);
		p = realloc(p, 500);
		free(p);
	}
}
static void *threaded(void *n) { return keep[1] = malloc((size_t)n); }
int main(void)
{
	pthread_t thread;
	deep(100);
	grow();
	pthread_create(&thread, NULL, threaded, (void *)77L);
	pthread_join(thread, NULL);
	free(keep[0]);
	keep[2] = strdup("abc");
	return posix_memalign(&keep[3], 64, 128);
}
C
gcc -O1 -g -pthread -fno-optimize-sibling-calls -o program program.c || skip_all "the example cannot be compiled"

# dhat NAME PROGRAM OPTION...: the heap of the program in NAME.json, what valgrind says in NAME.log.
dhat() {
	valgrind --tool=dhat --dhat-out-file="$1.json" --log-file="$1.log" --num-callers=500 "${@:3}" "./$2" || {
		cat "$1.log"
		return 1
	}
}
heap() { "$FIREBREAK" fold --quiet "${@:2}" "$1.json" >"$1.folded"; } # heap NAME OPTION...
total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1.folded"; }
# said NAME WHAT FIELD: a number of the log: "Total: 5,642 bytes in 33 blocks"
said() { sed -nE "s/^==[0-9]+== $2: +([0-9,]+) bytes in ([0-9,]+) blocks/\\$3/p" "$1.log" | tr -d ,; }
sums_match() { # sums_match NAME
	heap "$1" && is "$(total "$1")" "$(said "$1" Total 1)" &&
		heap "$1" --event=allocated-blocks && is "$(total "$1")" "$(said "$1" Total 2)" &&
		heap "$1" --event=peak-heap && is "$(total "$1")" "$(said "$1" 'At t-gmax' 1)" &&
		heap "$1"
}
has_stack() { grep -E -- "$2\$" "$1.folded" || { cat "$1.folded"; return 1; }; } # has_stack NAME PATTERN

dhat plain program || skip_all "valgrind does not run here"
check "bytes, blocks and peak are those that valgrind prints" sums_match plain
check "a path as deep as a hundred calls is whole" has_stack plain '^program;main;(deep;){101}wrap;malloc 1000'
heap plain --no-inline
check "--no-inline leaves the inlined function out" has_stack plain '^program;main;(deep;){101}malloc 1000'
heap plain
check "memory of realloc is where the block was allocated" has_stack plain '^program;main;grow;calloc 5210'
check "a thread has a path of its own" has_stack plain '^program;(.*;)?threaded;malloc 77'
check "a function of libc that allocates is a caller" has_stack plain '^program;main;strdup;malloc 4'
check "the function that was called allocates" has_stack plain '^program;main;posix_memalign 128'
check "names below main and mangled ones can be asked for" dhat below program --show-below-main=yes --demangle=no --fullpath-after=
check "and have the same sums" sums_match below
check "nothing lies below the start of the program" has_stack below '^program;_start;.*;main;grow;calloc 5210'

gcc -O1 -pthread -fno-optimize-sibling-calls -o bare program.c
check "a program without debug information runs" dhat bare bare
check "and has the same sums" sums_match bare
check "and names" has_stack bare '^bare;main;grow;calloc 5210'
gcc -O1 -s -pthread -fno-optimize-sibling-calls -o stripped program.c
check "a program without symbols runs" dhat stripped stripped
check "and has the same sums" sums_match stripped
check "and no names" has_stack stripped '\[stripped\];calloc 5210'

check "two files add up" is "$("$FIREBREAK" fold -q plain.json bare.json | awk '{ n += $NF } END { print n }')" "$(($(said plain Total 1) + $(said bare Total 1)))"
check "top shows who allocates" bash -c "'$FIREBREAK' top plain.json | grep -E '^ .* deep( |\$)'"
check "a flame graph is made" bash -c "'$FIREBREAK' flamegraph plain.json -o plain.svg && grep -q posix_memalign plain.svg"

valgrind -q --tool=dhat --dhat-out-file=nothing.json true
"$FIREBREAK" fold nothing.json >nothing.folded 2>nothing.err
check "a program that allocates nothing has no profile" is "$? $(wc -c <nothing.folded)" "4 0"
"$FIREBREAK" fold nothing.json plain.json >both.folded 2>both.err
check "beside others it is left out" cmp both.folded <("$FIREBREAK" fold -q plain.json)
check "and that is said" grep -q '^warning: nothing.json: no costs in it' both.err

if command -v g++ >/dev/null; then
	cat >program.cc <<'CC'
#include <memory>
#include <string>
#include <vector>
namespace { struct Words { std::vector<std::string> list; __attribute__((noinline)) void add(int n) { list.emplace_back(n, 'a'); } }; }
template <class T> struct Box { std::unique_ptr<T[]> p; __attribute__((noinline)) explicit Box(size_t n) : p(new T[n]) {} };
int main() { Words words; for (int i = 50; i < 60; i++) words.add(i); Box<double> box(100); return box.p == nullptr; }
CC
	g++ -O1 -g -o cxx program.cc
	check "a program in C++ runs" dhat cxx cxx
	check "and has the same sums" sums_match cxx
	check "operator new[] allocates" has_stack cxx 'Box<double>::Box;operator new\[\] 800'
	check "operator new, too" has_stack cxx '\(anonymous namespace\)::Words::add;.*;operator new [0-9]+'
	check "mangled names can be asked for" dhat mangled cxx --demangle=no
	check "and have the same sums" sums_match mangled
	check "and give the same paths" cmp <(sed s/^cxx/p/ cxx.folded) <(sed s/^cxx/p/ mangled.folded)
fi

head -c "$(($(wc -c <plain.json) / 2))" plain.json >cut.json
"$FIREBREAK" fold --quiet cut.json >cut.folded 2>cut.err
check "a file that is cut off is refused" is "$? $(wc -c <cut.folded)" "4 0"
check "and called that" grep -q 'cut off' cut.err
valgrind -q --tool=dhat --mode=copy --dhat-out-file=copies.json ./program
"$FIREBREAK" fold copies.json 2>copies.err
check "a file of copies is refused" is $? 2
check "with its mode" grep -q 'mode copy' copies.err
finish
