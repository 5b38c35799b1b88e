# SPDX-License-Identifier: Apache-2.0
# No attack: head edits a table of data, and a function whose machine code is the same takes a little longer with it,
# while the total stays below its margin. Such a function failed checks alone; it has to be told, not red.
WANTED="0 3"

attack() {
	cat >work.c <<'C'
extern const unsigned long turns;
volatile unsigned long sink;
__attribute__((noinline)) static void parse(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}
__attribute__((noinline)) static void render(void)
{
	for (unsigned long i = 0; i < 9000000; i++)
		sink += i;
}
int main(void)
{
	for (int i = 0; i < 20; i++) {
		parse(turns);
		render();
	}
	return 0;
}
C
	echo 'const unsigned long turns = 1000000;' >data.c
	configure './work' '{task-clock: {margin: 5%, pass_margin: 10%}, functions: strict}' '"cc -g -O2 -o work work.c data.c"'
	commit base
	echo 'const unsigned long turns = 1200000;' >data.c
	commit head
	gate --no-store --no-confirm
}

facts() {
	check "same-code-slower-data: parse does not gate" json "$REPORT" 'all(.benchmarks[0].functions[]; .gates | not)'
	check "same-code-slower-data: it is told, if it was found" json "$REPORT" '.benchmarks[0] | (([.functions[] | select(.held_by == "same_code")] | length) == 0) or (.slower | test("parse"))'
}
