#!/bin/bash
# Source lines and instructions of the function that a change made slower, as the report has them: the line that was
# planted stands out, and what merely moved is still the same line.
# shellcheck disable=SC2016 # jq and the build have their own variables
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
command -v valgrind >/dev/null || skip_all "valgrind is not installed"

mkdir "$WORK/tmp" "$WORK/cache" "$WORK/repo"
export TMPDIR=$WORK/tmp XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null
cd "$WORK/repo" || exit 1

cat >firebreak.yml <<'YML'
version: 1
build:
  command: cc -O2 -g -o mixer mixer.c
benchmarks:
  - name: mixer
    command: [./mixer]
    engines: [perf, callgrind]
    rounds: 8
YML
cat >mixer.c <<'C'
#include <stdio.h>

/* Stirs a number. */
__attribute__((noinline)) unsigned mix(unsigned x, unsigned n)
{
	unsigned h = x;
	for (unsigned i = 0; i < n; i++)
		h = h * 31 + (h >> 7);
	h ^= h >> 16;
	return h;
}

int main(void)
{
	unsigned h = 1;
	for (unsigned i = 0; i < 20000; i++)
		h = mix(h, 1000);
	printf("%u\n", h);
	return 0;
}
C
PLANTED='	for (unsigned j = 0; j < n / 2; j++) h = h * 33 + (h >> 5);'
git init -q -b main . && git config user.name t && git config user.email t@example.org
printf 'mixer\nfirebreak-out/\n' >.gitignore
git add . && git commit -q -m base
sed -i '1i /* a line more */\n/* and one more */' mixer.c
sed -i "s|^	h ^= h >> 16;|$PLANTED\n&|" mixer.c
echo 'nothing is measured here' >notes.txt
git add . && git commit -q -a -m head

# gate HEAD: checks it against base; its exit code in $CODE.
REPORT=firebreak-out/report.json
gate() {
	"$FIREBREAK" check --base main~ --head "$1" --no-confirm >"$WORK/said" 2>&1 </dev/null
	CODE=$?
}
# The list of functions by samples, that by counts, and what either has of mix().
SAMPLED='.benchmarks[0]' COUNTED='.benchmarks[0].profiles[0]'
# mix LIST FILTER: true if the filter is, of its annotation in that list.
mix() { json "$REPORT" "$1"' | .annotations[] | select(.name == "mix") | '"$2"; }

# both ENGINE LIST: what holds for either engine.
both() {
	check "$1: the function is annotated, in its file" mix "$2" '.base_file == "mixer.c" and .head_file == "mixer.c"'
	check "$1: the planted line has the largest increase" mix "$2" '[.lines[] | select(.text)] | max_by((.head_self // 0) - (.base_self // 0)) | .text | test("n / 2")'
	check "$1: it is only in head, and edited" mix "$2" '.lines[] | select(.text // "" | test("n / 2")) | .edited and .base_line == null and .head_line == 11'
	check "$1: unchanged lines align though their numbers moved" mix "$2" '[.lines[] | select(.edited == false) | .head_line - .base_line] | unique == [2, 3]'
	check "$1: the loop that was there costs something on both sides" mix "$2" '.lines[] | select(.text // "" | test("h [*] 31")) | .base_self > 0 and .head_self > 0'
	check "$1: it begins with the line that names it" mix "$2" '.lines[0].text | test("unsigned mix")'
	check "$1: what the lines cost is what the function costs" json "$REPORT" "$2"' | (.annotations[] | select(.name == "mix") | .other_head + ([.lines[].head_self // 0] | add)) as $lines | .functions[] | select(.name == "mix") | .head_cost / $lines | . > 0.999 and . < 1.001'
	check "$1: its instructions are of both sides" mix "$2" '.instructions | any(.base_offset != null and .head_offset != null) and any(.base_offset == null and .head_offset != null)'
	check "$1: and add up to it as well" mix "$2" '(([.lines[].head_self // 0] | add) / ([.instructions[].head_self // 0] | add)) | . > 0.98 and . < 1.02'
	check "$1: instructions of the planted loop have its line" mix "$2" '[.instructions[] | select(.head_line == 11 and .head_self > 0)] | length > 0'
}

gate main
check "the planted slowdown is found" is "$CODE" 1
both samples "$SAMPLED"
both counts "$COUNTED"
check "counts: each line of base costs what it is executed" mix "$COUNTED" '[.lines[] | select(.text // "" | test("h [*] 31")) | .base_self == .head_self] == [true]'

# The lines that the change edits, where they were measured.
CHANGED=.changed_code
HUNK="$CHANGED.files[0].hunks[0]"
check "changed code is the hunk that mix() stands in" json "$REPORT" "$CHANGED"' | .files_edited == 2 and .files_measured == 1 and .hunks_measured == 1 and .files[0].head_file == "mixer.c" and .files[0].hunks_edited == 2'
check "it names the function of either engine" json "$REPORT" "$HUNK"' | [.functions[] | select(.name == "mix" and .class == "regression" and .contribution_pp > 20) | .engine] | sort == ["callgrind", "perf"]'
check "its one edited line is the planted one" json "$REPORT" "$HUNK"' | [.lines[] | select(.kind != "context")] | length == 1 and (.[0] | .kind == "added" and .head_line == 11 and .base_line == null and (.text | test("n / 2")))'
check "with three lines around it, of both sides" json "$REPORT" "$HUNK"' | [.lines[] | select(.kind == "context") | .head_line - .base_line] == [2, 2, 2, 3, 3, 3]'
check "and what the line costs" json "$REPORT" "$HUNK"' | .costs_of.benchmark == "mixer" and (.lines[] | select(.kind == "added") | .head_self > 0 and .base_self == null)'
check "the page shows it, and leads to the function" grep -q '<li><a href="#[a-z]*-mixer-mix"><code>mix</code></a> +' firebreak-out/report.html
changed_part() { sed -n '/id="changed-code"/,/<.section>/p'; }
changed_part <firebreak-out/report.html >"$WORK/part"
"$FIREBREAK" report --format html | changed_part >"$WORK/again"
check "and rendered again it is the same" cmp "$WORK/part" "$WORK/again"

# Base is not counted again: its counts are stored, without lines.
printf '/* not committed */\n' | cat - mixer.c >again.c && mv again.c mixer.c
gate worktree
check "a working tree is compared with stored counts" json "$REPORT" '.benchmarks[0].base_source == "stored"'
check "its lines are those of the working tree" mix "$COUNTED" '.lines[] | select(.text // "" | test("n / 2")) | .head_line == 12'
check "base has its text beside them" mix "$COUNTED" '[.lines[] | select(.edited == false) | .head_line - .base_line] | unique == [3, 4]'
check "but no costs" mix "$COUNTED" '[.lines[].base_self] | unique == [null]'
check "the change is that of the working tree as well" json "$REPORT" "$HUNK"' | .lines[] | select(.kind == "added") | .head_line == 12 and .head_self > 0'
check "and the annotation says why" mix "$COUNTED" '.note | test("earlier check")'

# A function of a file that git does not have.
git checkout -q -f main
sed -i 's|cc -O2 -g -o mixer mixer.c|cp mixer.c made.c; cc -O2 -g -o mixer made.c|' firebreak.yml
git commit -q -a -m made
sed -i "s|n / 2|n|" mixer.c && git commit -q -a -m slower
"$FIREBREAK" check --base main~ --head main --no-confirm >"$WORK/said" 2>&1
check "generated source is a note and no failure" is "$?" 1
check "its lines have costs without text" mix "$COUNTED" '(.note | test("made.c is not a file of the commit")) and (.lines | any(.head_self > 0)) and ([.lines[].text] | unique == [""])'
finish
