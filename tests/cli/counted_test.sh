#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The exact engine end to end: one small program, counted under valgrind. What callgrind's files hold and how counts are
# judged has tests of its own. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
mkdir "$WORK/tmp"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
REPORT=$WORK/out/report.json
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
equal() { is "$1" "$2" && [ -n "$1" ]; }
run() { # run PROGRAM ARG...
	"$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
check_of() { run "$FIREBREAK" check --base base --out "$WORK/out" -b "$@"; } # check_of BENCHMARK ARG...
reports() { json "$REPORT" "$1" || { jq -c '.findings[], (.benchmarks[0] | {verdict, reason}, .functions[:3][], .metrics[])' "$REPORT" | cut -c1-300; return 1; }; }
metric() { jq -r --arg name "$1" ".benchmarks[0].metrics[] | select(.name == \$name) | $2" "$REPORT"; } # metric NAME KEYS
# cost_of FUNCTION BENCHMARK: its own instructions in head
cost_of() { awk -v name="$1" '$1 ~ ";" name "$" { n += $NF } END { printf "%d", n }' "$WORK/out/$2.head.folded"; }
builds() { find "$WORK/cache/firebreak/builds" -mindepth 1 -maxdepth 1 -type d | wc -l; }

# --- a program whose functions each do one thing, and what can be asked of it
REPO=$WORK/repo
git init -q -b main "$REPO" && cd "$REPO" || exit 1
git config user.name dev && git config user.email dev@example.org
cp "$SOURCE_DIR/include/firebreak.h" .
cat >bench.c <<'C'
#include "firebreak.h"

#include <sys/random.h>
#include <sys/wait.h>

#define OWN __attribute__((noinline))

static unsigned char text[4096];
static unsigned long sum;

static OWN void fill(void)
{
	for (unsigned i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)(i * 7 + (i >> 5));
}
static OWN unsigned hash(const unsigned char *at, unsigned n)
{
	unsigned h = 2166136261u;
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < n; i++)
			h = (h ^ at[i]) * 16777619u;
	return h;
}
static OWN void index_words(unsigned rounds)
{
	for (unsigned r = 0; r < rounds; r++)
		for (unsigned at = 0; at + 16 <= sizeof text; at += 16)
			sum += hash(text + at, 16);
}
static OWN void render(unsigned rounds)
{
	for (unsigned r = 0; r < rounds; r++) {
		unsigned row = r;
		for (unsigned i = 0; i < sizeof text; i++)
			row = row * 33 + text[i];
		sum += row;
	}
}
static OWN void roll_dice(void)
{
	unsigned short turns;
	if (getrandom(&turns, sizeof turns, 0) == sizeof turns)
		for (unsigned i = 0; i < turns % 4096u; i++)
			__asm__ volatile("");
}
static OWN void allocate(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char *block = malloc(64);
		sum += block != NULL;
		__asm__ volatile("" : : "r"(block) : "memory");
		free(block);
	}
}
static OWN int in_children(void)
{
	for (int i = 0; i < 2; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			index_words(20);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	fill();
	if (strcmp(what, "children") == 0 && in_children() != 0)
		return 1;
	if (strcmp(what, "region") == 0)
		firebreak_enable();
	index_words(strcmp(what, "long") == 0 ? 1000 : 40);
	if (strcmp(what, "region") == 0)
		firebreak_disable();
	render(30);
	if (strcmp(what, "dice") == 0)
		roll_dice();
	if (strcmp(what, "heap") == 0)
		allocate(100);
	return sum == 0;
}
C
cat >firebreak.yml <<'YML'
version: 1
build: {command: cc -O2 bench.c -o bench}
benchmarks:
  - {name: count, engines: [callgrind], command: [./bench]}
  - {name: strict, engines: [callgrind], command: [./bench], gate: {instructions: {margin: 0%}}}
  - {name: both, engines: [perf, callgrind], command: [./bench, long]}
  - {name: dice, engines: [callgrind], command: [./bench, dice]}
  - {name: region, engines: [callgrind], command: [./bench, region], measure: region}
  - {name: unmarked, engines: [callgrind], command: [./bench], measure: region}
  - {name: heap, engines: [callgrind], command: [./bench, heap], heap: true, cache: true, gate: {allocations: {margin: 0%}}}
  - {name: children, engines: [callgrind], command: [./bench, children]}
YML
git add . && git commit -qm base && git tag base
# variant NAME EXPRESSION: a branch from base whose program an expression of sed changed.
variant() {
	git checkout -q -b "$1" base && sed -i "$2" bench.c && git commit -qam "$1" && git checkout -q main
}
variant noop '1i /* nothing of this changes what the program does */'
variant slow 's/pass < 2/pass < 3/'
variant moved '/^static OWN void render(/,/^}/ {
	s/render(unsigned rounds)/render_row(unsigned r)/; /for (unsigned r/d; /^\t}/d
	s/^}/&\nstatic OWN void render(unsigned rounds)\n{\n\tfor (unsigned r = 0; r < rounds; r++)\n\t\trender_row(r);\n}/
}'
variant one 's/^\treturn sum == 0;/\t__asm__ volatile("nop");\n&/'
variant outside 's/^\trender(30)/\trender(60)/'
variant inside 's/: 40)/: 41)/'
variant renamed 's/\bhash(/digest_bytes(/'
variant leaky 's/allocate(100)/allocate(110)/'

# --- a verdict needs one run of each side, and base only once
check_of count --head slow
check "a regression ends with 1" ends_with 1
check "base is counted, since nothing is stored of it" reports '.benchmarks[0].base_source == "measured"'
check "the guilty function leads" reports '[.benchmarks[0].functions[] | select(.class == "regression")][0] | .name == "hash" and .gates'
# shellcheck disable=SC2016 # jq's variable
check "and all functions together account for the change" reports \
	'.benchmarks[0] | (.metrics[] | select(.name == "instructions").change_pct) as $total | [.functions[].contribution_pp] | add - $total | fabs < 0.001'
check "stacks are whole call paths" grep -qE 'main;index_words;hash [0-9]+$' "$WORK/out/count.head.folded"
check "the stacks add up to the total" equal "$(awk '{ n += $NF } END { printf "%d", n }' "$WORK/out/count.head.folded")" "$(metric instructions .head)"
first=$(metric instructions .base) fill=$(cost_of fill count)
rm -rf "$WORK/cache"
check_of count --head noop
check "a comment passes" ends_with 0
check "base's counts come from the store" reports '.benchmarks[0].base_source == "stored"'
check "so base is not built" is "$(builds)" 1
check "not one instruction is different" is "$(metric instructions '.base - .head')" 0
check "in no function of ours" reports '[.benchmarks[0].functions[] | select(.module == "bench" and .contribution_pp != 0)] == []'
check "and the count is that of the check before" equal "$(metric instructions .base)" "$first"
check_of strict --head one
check "with a margin of 0 % one more instruction is a regression" ends_with 1
check "which is exactly one" is "$(metric instructions '.head - .base')" 1
check_of strict --head noop
check "and none is not" ends_with 0

# --- a change moves nothing but cost
check_of count --head moved --no-store
check "what moved into another function passes" ends_with 0
check "and is not taken for more" reports '.benchmarks[0].functions | any(.name == "render_row") and (any(.gates) | not)'

# --- counts that do not repeat
check_of dice --head noop --no-store
check "random counts are no false alarm" ends_with 0
check "but a finding" reports '.findings | any(.code == "counts_differ" and .benchmark == "dice")'
check "that names the function" reports '.findings[] | select(.code == "counts_differ").text | test("roll_dice")'

# --- what else can be counted
check_of region --head outside --no-store
check "what changes outside of the region does not count" is "$CODE $(metric instructions '.head - .base')" '0 0'
check_of region --head inside --no-store
check "what changes inside of it does" ends_with 1
check_of unmarked --head noop --no-store
check "a region without marks is no measurement" ends_with 4
check_of heap --head leaky --no-store
check "ten more allocations are a regression where they gate" ends_with 1
check "they are counted one by one" is "$(metric allocations '.head - .base') $(metric allocated-bytes '.head - .base')" '10 640'
for name in estimated-cycles l1-misses ll-misses branch-misses peak-heap system-calls; do
	check "there is the metric $name" test -n "$(metric $name .head)"
done
check "estimated cycles are more than instructions" reports '[.benchmarks[0].metrics[] | {(.name): .head}] | add | .["estimated-cycles"] > .instructions'
check_of children --head slow --no-store
check "what children do counts" ends_with 1
check "what came before the fork counts once" equal "$(cost_of fill children)" "$fill"
check "what the child does is on its path" grep -qE 'main;in_children;index_words;hash [0-9]+$' "$WORK/out/children.head.folded"

# --- a stored baseline
git update-ref -d "$(git for-each-ref --format='%(refname)' refs/firebreak | head -n 1)"
run "$FIREBREAK" run -b count base
check "\`run\` counts a commit" ends_with 0
check "and says what" prints "^count .* instructions "
check_of count --head slow --no-store
check "which the next check uses" reports '.benchmarks[0].base_source == "stored" and .verdict == "regression"'
check "after base was counted again, with the same result" reports '.benchmarks[0] | .confirmation == "confirmed" and (.confirmation_text | test("base was counted again"))'
check_of count --head renamed --no-store --no-confirm
check "another name is no regression, though nothing is known of stored code" ends_with 0
check "which is not counted again, since its callers and its cost are those of the one that is gone" reports '(.benchmarks[0].base_source == "stored") and (.findings | any(.code == "stored_base_recounted") | not)'
rm -rf "$WORK/cache"
check_of count --head noop --no-store
check "where nothing is different base is not even built" is "$(builds)" 1
check "and nothing said" reports '.findings | any(.code == "stored_base_recounted") | not'

# Stored counts that are not believed: tests/gate/counted/gatecountedbase_test.c; runs that fail: gatecounts_test.c there.

# --- both engines: what one decides where the other fails, passes or does not gate is in tests/gate/gatebenchmark_test.c
if reason=$(perf_events_open 2>&1); then
	check_of both --head slow --no-store --no-confirm
	check "with both engines there are metrics of both" reports '[.benchmarks[0].metrics[].engine] | unique | contains(["callgrind", "perf"])'
	check "each verdict has its confirmation" reports '.benchmarks[0].confirmation == "not_run"'
	check "and what they say together" reports '.benchmarks[0] | .pair == "more_work" and (.pair_text | test("instructions.*(task-clock|cycles)|(task-clock|cycles).*instructions"))'
else
	echo "skipped: both engines: $reason"
fi

# --- a planted delay
run "$FIREBREAK" check --base base --self-test -b count --out "$WORK/out"
check "a self-test passes" ends_with 0
check "since the planted delay is found" reports '.benchmarks[0].functions | any(.gates and .name == "firebreak_planted_delay")'
finish
