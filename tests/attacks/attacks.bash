# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2030,SC2031 # counts of the subshell of a case are its own, on purpose
# shellcheck disable=SC2034 # REPORT is for the cases
# Sourced by attacks_test.sh, after checks.sh: what the cases share.
#
# A case is a file cases/NAME.sh that is sourced in a subshell, in an empty git repository. It
#   - says in its first comment what the attack is, and which wrong verdict it led to;
#   - defines WANTED="4" or WANTED="3 4": the exit codes that are right;
#   - may call `skip REASON`;
#   - defines attack(), which makes the commits with the tags `base` and `head`, and runs `gate` (several times if need
#     be); the exit code of the last `gate` counts;
#   - may define facts(), which runs `check` lines about the report ($REPORT) and what was said ($SAID).
# The helpers below are for attack().

# gate ARG...: firebreak check of base and head; its exit code in $CODE, its report in $REPORT, its words in $SAID.
gate() {
	rm -rf "$OUT"
	"$FIREBREAK" check --base base --head head --out "$OUT" "$@" >"$CASE/stdout" 2>"$SAID" </dev/null
	CODE=$?
}

# commit TAG: everything in the folder becomes the commit TAG.
commit() {
	git add -A && git commit -q --allow-empty -m "$1" && git tag "$1"
}

# The source of `./work N`: N times about 10 ms of CPU time in burn(), which no compiler removes.
work_source() {
	cat <<'C'
#include <stdlib.h>
volatile unsigned long sink;
__attribute__((noinline)) static void burn(void)
{
	for (unsigned long i = 0; i < 5000000; i++)
		sink += i;
}
int main(int argc, char **argv)
{
	for (long n = argc > 1 ? atol(argv[1]) : 1; n > 0; n--)
		burn();
	return 0;
}
C
}

# configure [COMMAND [GATE [BUILD]]], each as YAML: a firebreak.yml with one benchmark, `work`.
configure() {
	cat >firebreak.yml <<YML
version: 1
build: {command: ${3:-\"cc -O2 -o work work.c\"}}
benchmarks:
  - name: work
    command: ${1:-[./work, \"10\"]}
    gate: ${2:-{task-clock: {\}\}}
YML
}

# bench_repo FILES: a project whose code under test is work(), in src.c, and whose benchmark is bench/main.c, which calls it
# ten times; committed as `base`. FILES are the lines of its entry that say which files make it.
bench_repo() {
	mkdir bench
	work_source | sed 's/^int main.*/void work(void) { burn(); }/; /^void work/q' >src.c
	cat >bench/main.c <<'C'
void work(void);
int main(void)
{
	for (int n = 0; n < 10; n++)
		work();
	return 0;
}
C
	configure ./work '{task-clock: {}}' '"cc -O2 -o work bench/main.c src.c"'
	printf '%s\n' "$1" >>firebreak.yml
	commit base
}
# Twice the work in the code under test.
slow_src() { sed -i 's/5000000/10000000/' src.c; }

says() { grep -E -- "$1" "$SAID" || { echo "does not say: $1"; tail -n 15 "$SAID"; return 1; }; }

skip() {
	echo "skip $(basename "$CASE"): $1"
	exit 77
}

# Runs one case and adds its row.
run_case() {
	local name=$1 got
	(
		CASE=$WORK/$name REPO=$WORK/$name/repo OUT=$WORK/$name/out CODE=none
		REPORT=$OUT/report.json SAID=$CASE/said
		mkdir -p "$REPO" "$CASE/tmp" "$CASE/cache"
		export TMPDIR=$CASE/tmp XDG_CACHE_HOME=$CASE/cache GIT_CONFIG_GLOBAL=/dev/null
		git init -q -b main "$REPO" && cd "$REPO" || exit 1
		git config user.name dev && git config user.email dev@example.org
		PASSED=0 FAILED=0
		# shellcheck disable=SC1090 # one of the cases
		. "$SOURCE_DIR/tests/attacks/cases/$name.sh" || exit 1
		attack
		case " $WANTED " in
		*" $CODE "*) echo "ok   $name: wanted ${WANTED// / or }, got $CODE" ;;
		*)
			FAILED=$((FAILED + 1))
			echo "FAIL $name: wanted ${WANTED// / or }, got $CODE"
			{ tail -n 15 "$SAID"; jq -r .reason "$REPORT"; } 2>&1 | sed 's/^/       /'
			[ "$CODE" != 0 ] || exit 10
			;;
		esac
		declare -F facts >/dev/null && facts
		[ "$FAILED" = 0 ]
	)
	got=$?
	case $got in
	0) PASSED=$((PASSED + 1)) ;;
	77) ;;
	*) FAILED=$((FAILED + 1)) ;;
	esac
	[ $got != 10 ] || FALSE_GREENS=$((FALSE_GREENS + 1))
	chmod -R u+rwX "$WORK/$name"
	rm -rf "${WORK:?}/$name"
}
