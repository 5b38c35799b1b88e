#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real files of callgrind: what is read from them against what callgrind_annotate says of them.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
for tool in valgrind callgrind_annotate gcc; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
cd "$WORK" || exit 1

cat >program.c <<'C'
#include <pthread.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int leaf(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i * n; return sum; }
int few(int n) { return leaf(n) + 1; }
int many(int n) { return leaf(2 * n) + leaf(n); }
static void *threaded(void *n) { return (void *)(long)leaf((int)(long)n); }

int main(void)
{
	int values[200];
	pthread_t thread;
	for (int i = 0; i < 200; i++)
		values[i] = i * 37 % 200;
	qsort(values, 200, sizeof values[0], compare);
	pthread_create(&thread, NULL, threaded, (void *)300L);
	volatile int result = few(100) + many(50) + fib(12);
	pthread_join(thread, NULL);
	return result & 0;
}
C
gcc -O1 -g -fno-inline -pthread -o program program.c || skip_all "the example cannot be compiled"

# callgrind NAME OPTION...: the program's costs in NAME.out.
callgrind() {
	local name=$1
	shift
	valgrind -q --tool=callgrind --callgrind-out-file="$name.out" "$@" ./program 2>valgrind.err || {
		cat valgrind.err
		return 1
	}
}
read_costs() { "$FIREBREAK" fold --quiet --weight=period "${@:2}" "$1.out" >"$1.folded"; } # read_costs NAME OPTION...
total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1.folded"; }
totals() { awk '$1 == "totals:" { sum += $2 } END { printf "%d\n", sum }' "$1.out"; }
# Self cost of functions, largest first: by callgrind_annotate, and from the folded stacks. Levels of recursion add up.
annotated() {
	callgrind_annotate --threshold=100 "$1.out" | tr -d , |
		sed -nE "s/^ *([0-9]+) \([^)]*\) .*:(main|few|many|leaf|fib|compare|threaded)('[^ ]*)?( \[.*)?$/\2 \1/p" |
		awk '{ sum[$1] += $2 } END { for (name in sum) print name, sum[name] }' | sort -k2,2nr -k1,1
}
self_costs() {
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, frame, ";"); sum[frame[k]] += n }
		END { for (name in sum) print name, sum[name] }' "$1.folded" |
		grep -E '^(main|few|many|leaf|fib|compare|threaded) ' | sort -k2,2nr -k1,1
}
same_functions() { is "$(self_costs "$1")" "$(annotated "$1")"; }
has_stack() { grep -E -- "$2 [0-9]+\$" "$1.folded"; } # has_stack NAME PATTERN

callgrind plain || skip_all "valgrind does not run here"
check "a plain file is read" read_costs plain
check "its self costs add up to its totals" is "$(total plain)" "$(totals plain)"
check "functions cost what callgrind_annotate says" same_functions plain
check "all functions of the program are there" is "$(self_costs plain | wc -l)" 7
check "recursion is a frame of its own" has_stack plain '^fib;fib'

check "addresses, lines, jumps and caches are recorded" \
	callgrind full --dump-instr=yes --dump-line=yes --collect-jumps=yes --cache-sim=yes
check "and read" read_costs full
check "the costs of instructions add up" is "$(total full)" "$(totals full)"
check "another event is read" read_costs full --event=Dr
check "and adds up" is "$(total full)" "$(awk '$1 == "totals:" { sum += $3 } END { print sum }' full.out)"

check "callers are recorded" callgrind callers --separate-callers=8 --separate-recs=3
check "and read" read_costs callers
check "costs by caller add up" is "$(total callers)" "$(totals callers)"
check "a function is listed once for each caller" bash -c "
	grep -qE ';main;few;leaf [0-9]+\$' callers.folded && grep -qE ';main;many;leaf [0-9]+\$' callers.folded"
check "a callback is called by whom it is called" has_stack callers ';main;qsort.*;compare'
check "levels of recursion end in the last" has_stack callers ';main;fib;fib;fib'

check "threads and parts are recorded" callgrind threads --separate-threads=yes --combine-dumps=yes --dump-before=main
check "and read" read_costs threads
check "costs of all threads and parts add up" is "$(total threads)" "$(totals threads)"

head -c "$(($(wc -c <plain.out) / 2))" plain.out >cut.out
"$FIREBREAK" fold --quiet cut.out >cut.folded 2>cut.err
check "a file that is cut off is refused" is "$? $(wc -c <cut.folded)" "4 0"
finish
