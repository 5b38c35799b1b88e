#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stored measurements compared without running anything. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr" "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
compare() { firebreak compare --json "$@"; }
fails() { ! "$@"; }
reports() { jq -e "$1" "$WORK/stdout" >/dev/null || { jq -c '.reasons[], .findings[]' "$WORK/stdout"; return 1; }; }

# --- a program that is counted, with a slower version and one whose benchmark has a companion
git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
program() { # program TURNS
	cat >bench.c <<C
static volatile unsigned sum;
static __attribute__((noinline)) void hash_word(void)
{
	for (unsigned i = 0; i < $1; i++)
		sum = sum * 33 + i;
}
int main(void)
{
	for (unsigned i = 0; i < 100; i++)
		hash_word();
	return 0;
}
C
}
config() { # config MARGIN
	cat >firebreak.yml <<Y
version: 1
build:
  command: cc -O1 -g -fno-omit-frame-pointer -o bench bench.c
benchmarks:
  - name: hash
    command: [./bench]
    engines: [callgrind]
    gate: {instructions: {margin: $1%}}
Y
}
commit() { git add -A && git commit -q -m "$1" && git tag "$1"; }
program 1000 && config 1 && commit base
program 1100 && commit slower
program 1005 && commit little
program 900 && commit faster
config 30 && program 1100 && commit lax
for rev in base slower little faster lax; do
	firebreak run --quiet "$rev"
	[ "$CODE" = 0 ] || { tail "$WORK/stderr"; exit 1; }
done
rm -rf "$WORK/cache"

# --- revisions
compare base slower
check "more instructions than the margin end with 1" ends_with 1
check "and are a regression of that metric" reports '.benchmarks[0].metrics[] | select(.name == "instructions") | .verdict == "regression" and .gates'
check "with the function that is why" reports '.benchmarks[0].functions[0] | .name == "hash_word" and .gates'
check "base is said to be stored" reports '.benchmarks[0].base_source == "stored"'
check "and that nothing was run again" reports '.benchmarks[0].confirmation == "not_run"'
check "both commits are named" reports ".base.sha == \"$(git rev-parse base)\" and .head.sha == \"$(git rev-parse slower)\" and .base.chosen_by == \"revision\""
check "nothing was built" test ! -e "$WORK/cache"
cp "$WORK/stdout" "$WORK/first"
compare base slower
check "the same data gives the same bytes" cmp "$WORK/first" "$WORK/stdout"
compare base little
check "less than the margin passes" ends_with 0
compare slower base
check "fewer instructions pass" ends_with 0
compare base base
check "a commit passes against itself" ends_with 0
firebreak compare base slower
check "the text says what changed" prints 'hash runs 8\.[0-9]+ % more instructions .*, caused by hash_word'
firebreak compare -q base slower
check "-q prints the verdict alone" prints '^regression: instructions regressed'
compare base lax
check "a head that widens a margin ends with 9" ends_with 9
compare --allow-policy-change base lax
check "unless that is allowed: then base's margin judges" ends_with 1
git checkout -q -b bare base && git rm -q firebreak.yml && git commit -q -m bare && git checkout -q -
"$FIREBREAK" baseline export base -o "$WORK/moved.export" 2>/dev/null
"$FIREBREAK" baseline import "$WORK/moved.export" --commit bare >/dev/null 2>&1
compare base bare
check "a head that removes the configuration ends with 9, as in a check" ends_with 9
check "and that is said" reports '.reasons[0].text | test("head removes firebreak.yml")'
compare bare base
check "one that brings it is judged by the default margins" ends_with 0
compare lax base
check "a stricter head is none of that" ends_with 0

# --- output
firebreak compare -o "$WORK/out" base slower
check "-o writes a report" json "$WORK/out/report.json" '.exit_code == 1'
check "and a differential flame graph of what is stored" test -s "$WORK/out/hash.diff.svg"
check "and a page" test -s "$WORK/out/report.html"
mkdir "$WORK/mine" && touch "$WORK/mine/file"
firebreak compare -o "$WORK/mine" base slower
check "what is no output folder is not replaced" ends_with 7

# --- files
for rev in base slower; do "$FIREBREAK" baseline export "$rev" -o "$WORK/$rev.export" 2>/dev/null; done
compare "$WORK/base.export" slower
check "a file and a revision can be compared" ends_with 1
check "and the report says that it is a file" reports '.base.chosen_by == "file" and .head.chosen_by == "revision"'
mkdir "$WORK/nowhere" && cd "$WORK/nowhere" || exit 1
compare "$WORK/base.export" "$WORK/slower.export"
check "two files are compared outside of any repository" ends_with 1
check "with the default margins, which is said" reports 'any(.findings[]; .code == "default_policy")'
firebreak compare base slower
check "a revision there is none, which ends with 2" ends_with 2
printf x | dd of="$WORK/base.export" bs=1 seek=900 conv=notrunc 2>/dev/null
compare "$WORK/base.export" "$WORK/slower.export"
check "a damaged file ends with 6" ends_with 6
cd "$WORK/repo" || exit 1

# --- what cannot be compared never passes
git commit -q --allow-empty -m empty
compare base HEAD
check "a commit without measurements ends with 6" ends_with 6
check "and the remedy is named" reports 'any(.reasons[]; .text | test("firebreak run HEAD"))'
compare base no-such-revision
check "an unknown revision ends with 2" ends_with 2
compare -b nothing base slower
check "an unknown benchmark ends with 2" ends_with 2
firebreak compare base
check "one side alone is a usage error" ends_with 2
cat >>firebreak.yml <<'Y'
  - name: other
    command: [./bench]
    engines: [callgrind]
Y
sed -i 's/margin: 30%/margin: 1%/' firebreak.yml
program 1000 && commit two && program 1000 && git commit -q --allow-empty -m two-again && git tag two-again
firebreak run --quiet two
firebreak run --quiet -b hash two-again
compare two two-again
check "a benchmark that head lacks ends with 6" ends_with 6
check "and is named" reports 'any(.reasons[]; .benchmark == "other" and .code == "no_baseline" and .exit_code == 6)'
for rev in two two-again; do "$FIREBREAK" baseline export "$rev" -o "$WORK/$rev.export" 2>/dev/null; done
compare "$WORK/two.export" "$WORK/two-again.export"
check "a file that lacks one ends with 6, too" ends_with 6
check "and is not to be measured as if it were a revision" reports '.reasons[0].text | test("two-again.export, which is head, does not hold it") and (test("firebreak run") | not)'
compare -b hash two two-again
check "without it the rest passes" ends_with 0
check "and that it was left out is said" reports 'any(.findings[]; .code == "not_measured" and .benchmark == "other")'
compare slower two
check "a benchmark that is new in head does not matter" ends_with 0
check "and is named" reports 'any(.findings[]; .code == "new_benchmark" and .benchmark == "other")'
git commit -q --allow-empty -m elsewhere
printf '#!/bin/sh\necho another compiler\n' >"$WORK/other-cc" && chmod +x "$WORK/other-cc"
CC=$WORK/other-cc firebreak run --quiet HEAD
compare two HEAD
check "another environment ends with 6" ends_with 6
check "and what differs is named" reports 'any(.reasons[]; .code == "not_comparable" and (.text | test("\\(compiler\\)")))'

# --- time is shown, not judged
if reason=$(perf_events_open 2>&1); then
	cat >firebreak.yml <<'Y'
version: 1
benchmarks:
  - name: hash
    command: [sh, -c, 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done']
Y
	commit timed && git commit -q --allow-empty -m timed-again
	firebreak run --quiet --rounds 3 timed
	firebreak run --quiet --rounds 3 HEAD
	compare timed HEAD
	check "what was only timed is inconclusive" ends_with 3
	check "and why is said" reports '.reasons[0].code == "time_not_judged"'
	check "its time is shown with both medians" reports '.benchmarks[0].metrics[] | select(.name == "task-clock") | .base > 0 and .head > 0 and (.gates | not) and .ci_pct == [null, null]'
	firebreak compare -o "$WORK/timed" timed HEAD
	check "it is no lack of rounds but of runs made together" prints '^ +task-clock .* not judged: other times$'
	check "nor has it an interval" fails grep -E 'too few|[^-]none' "$WORK/stdout" "$WORK/timed/summary.md"
	check "the page says the same" grep -F 'not judged: other times' "$WORK/timed/report.html"
	check "the benchmark is named once" prints '^\? Inconclusive: hash: both sides were timed at different times'
	compare --on-inconclusive=pass timed HEAD
	check "--on-inconclusive=pass does not apply to what was not judged" ends_with 3
	compare --on-inconclusive=fail timed HEAD
	check "--on-inconclusive=fail does" ends_with 1
else
	echo "not tested here, time of baselines: $reason"
fi
finish
