# SPDX-License-Identifier: Apache-2.0
# No attack: head moves work from one inlined piece of a function to another, as compilers do. Such a change failed
# checks, naming the piece that grew, at totals of no change at all.
WANTED="0 3"

attack() {
	cat >work.c <<'C'
volatile unsigned long sink;
#define PIECE(name) \
	static inline __attribute__((always_inline)) void name(unsigned long turns) \
	{ \
		for (unsigned long i = 0; i < turns; i++) \
			sink += i; \
	}
PIECE(count)
PIECE(put)
__attribute__((noinline)) static void compress(void)
{
	count(6000000);
	put(4000000);
}
int main(void)
{
	for (int i = 0; i < 20; i++)
		compress();
	return 0;
}
C
	configure './work' '{task-clock: {}}' '"cc -g -O2 -o work work.c"'
	commit base
	sed -i 's/count(6000000)/count(4000000)/; s/put(4000000)/put(6000000)/' work.c
	commit head
	gate --no-store
}

facts() {
	check "inlined-siblings: compress is one function" json "$REPORT" '[.benchmarks[0].functions[] | select(.name == "compress")] | length == 1'
	check "inlined-siblings: its pieces are none" json "$REPORT" 'all(.benchmarks[0].functions[]; .name != "count" and .name != "put" and (.gates | not))'
	check "inlined-siblings: they explain it" json "$REPORT" '[.benchmarks[0].functions[] | select(.name == "compress") | .inlined[] | {(.name): .contribution_pp}] | add | .put > 10 and .count < -10'
}
