# SPDX-License-Identifier: Apache-2.0
# A head that makes one function slower and another one faster by as much. The total passes, so the check does, but the
# function has to be told first. With `functions: strict` it fails the check, unless it looks like cost that moved from
# the one function to the other, which costs cannot tell apart; then it is told as well.
WANTED="0 1 3"

masked_source() { # masked_source DECODE ENCODE
	cat <<C
volatile unsigned long sink;
__attribute__((noinline)) static void decode(void)
{
	for (unsigned long i = 0; i < $1; i++)
		sink += i;
}
__attribute__((noinline)) static void encode(void)
{
	for (unsigned long i = 0; i < $2; i++)
		sink ^= i;
}
int main(void)
{
	for (int i = 0; i < 20; i++) {
		decode();
		encode();
	}
	return 0;
}
C
}

commits() {
	configure ./work "{task-clock: {}, functions: $1}" '"cc -g -O2 -o work work.c"'
	masked_source 4000000 6000000 >work.c
	commit "$2"
	masked_source 6000000 4000000 >work.c
	commit "$3"
}

attack() {
	commits true base head
	gate --no-store --no-confirm
	LENIENT=$(said_of_decode)
	git tag -d base head >/dev/null
	commits strict base head
	gate --no-store --no-confirm
	STRICT=$(said_of_decode)
}

# The exit code and what is told first, in a line; "3" where a busy machine left it open.
said_of_decode() {
	[ "$CODE" = 3 ] && echo 3 && return
	echo "$CODE $(jq -r '.benchmarks[0] | .slower // .sentence' "$REPORT")"
}

facts() {
	check "masked-slowdown: it is told though the total passes" grep -qE '^(3$|0 (slower although the total passes: decode |cost moved from encode to decode: ))' <<<"$LENIENT"
	check "masked-slowdown: strict fails, or tells it" grep -qE '^(3$|[01] .*decode)' <<<"$STRICT"
}
