# SPDX-License-Identifier: Apache-2.0
# Base's counts are stored, and then a data file outside of the tree is halved. A head that does 50 % more for each byte
# passed as an improvement of 25 %, and one that does exactly twice as much passed as no change: both were compared with
# counts of other data.
WANTED="1"

attack() {
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	head -c 200000 /dev/zero >"$CASE/data"
	cat >work.c <<'C'
#include <stdio.h>
#define TURNS 20
volatile unsigned long sink;
__attribute__((noinline)) static void take(int byte)
{
	for (int i = 0; i < TURNS; i++)
		sink += (unsigned long)byte;
}
int main(int argc, char **argv)
{
	FILE *data = fopen(argv[argc - 1], "r");
	if (data == NULL)
		return 1;
	for (int byte; (byte = getc_unlocked(data)) != EOF;)
		take(byte);
	return 0;
}
C
	cat >firebreak.yml <<YML
version: 1
build: {command: "cc -O2 -o work work.c"}
benchmarks:
  - {name: work, engines: [callgrind], command: [./work, $CASE/data], gate: {instructions: {margin: 1%}}}
YML
	commit base
	"$FIREBREAK" run base >"$CASE/stdout" 2>&1 </dev/null
	truncate -s 100000 "$CASE/data"
	sed -i 's/TURNS 20/TURNS 30/' work.c && commit head
	gate --no-confirm --no-store
	MORE=$CODE
	sed -i 's/TURNS 30/TURNS 42/' work.c && git commit -qam twice && git tag -f head >/dev/null
	gate --no-confirm --no-store
}

facts() {
	check "stale-base: 50 % more work beside a halved file is a regression" is "$MORE" 1
	check "stale-base: base was counted again, which is said" json "$REPORT" '.findings | any(.code == "stored_base_recounted" and (.text | test("counts of functions differ")))'
	check "stale-base: and what was stored is outdated" json "$REPORT" '.findings | any(.code == "stored_base_outdated")'
	check "stale-base: the change is that of counts made together" json "$REPORT" '.benchmarks[0].metrics[0].change_pct | . > 60 and . < 120'
}
