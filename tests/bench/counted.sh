#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures what counts are worth: do they repeat, are they those of callgrind, what is the smallest change that is found,
# and what do they cost? Prints Markdown tables; docs/COUNTED.md quotes them.
#
#     repeat       the same benchmark again and again: C programs, a pipeline, threads, Python
#     sums         whole call paths against what callgrind itself and callgrind_annotate say
#     planted      more instructions in one function at a time, one run of head against stored counts of base
#     cost         time and size, by what is counted and by call_depth
#     environment  the same program in other places and under other conditions
#
# FIREBREAK names the program, SOURCE_DIR the repository. PARTS chooses from the names above (all), RUNS (20) is how often
# `repeat` runs, TIMES (5) how often `cost` does; KEEP names a folder that keeps all files. Takes some 15 minutes on a
# CPU or two that do nothing else.
set -euo pipefail

PARTS=${PARTS:-repeat sums planted cost environment}
RUNS=${RUNS:-20} TIMES=${TIMES:-5}
BUILD=$(dirname "$FIREBREAK")
WORK=${KEEP:-$(mktemp -d)}
mkdir -p "$WORK"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
say() { printf 'counted: %s\n' "$*" >&2; }
for program in valgrind callgrind_annotate gcc git gzip jq make nm python3 sqlite3 xz; do
	command -v $program >/dev/null || { say "$program is missing"; exit 2; }
done
PYTHON=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
CC1=$(gcc -print-prog-name=cc1)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 XDG_CACHE_HOME=$WORK/cache

libraries=("$BUILD/runner/librunner.a" "$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a")
for file in "${libraries[@]}" "$BUILD"/firebreak-{spawn,symbols}; do
	[ -f "$file" ] || { say "$file is not built; run it as ./dev bench"; exit 2; }
done
read -ra flags < <(pkg-config --cflags glib-2.0)
read -ra linked < <(pkg-config --libs glib-2.0 libgit2 jansson yaml-0.1 libdw libelf libzstd capstone)
for tool in countedruns countedfold; do
	"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -I"$SOURCE_DIR" "${flags[@]}" -o "$WORK/$tool" \
		"$SOURCE_DIR/tests/bench/$tool.c" "${libraries[@]}" "${linked[@]}" -liberty -lm
done
cp "$BUILD"/firebreak-{spawn,symbols} "$WORK"
table() { python3 "$SOURCE_DIR/tests/bench/counted.py" "$@"; }

# --- what is run: the sample project, programs that everybody has, and their inputs
TREE=$WORK/tree
[ ! -e "$TREE" ] || rm -rf "$TREE"
"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$TREE" >/dev/null
cd "$TREE"
CFLAGS='-g -O2' make -s >/dev/null
awk 'BEGIN { srand(7); for (i = 0; i < 60000; i++) printf "%x ", int(rand() * 60000) }' >text
awk 'BEGIN { for (i = 0; i < 12; i++) printf "unsigned f%d(unsigned *p, unsigned n) { unsigned s = %d; for (unsigned i = 0; i < n; i++) { if (p[i] %% %d == 0) s += p[i] * %d; else s ^= p[i] >> (i & 7); } return s; }\n", i, i, i + 2, i + 3 }' >generated.c
cat >query.sql <<'SQL'
create table t(a integer primary key, b text);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000) insert into t select x, hex(x * 7919 % 100003) from c;
create index i on t(b);
select count(*), sum(length(b)) from t where b like '%3%' group by substr(b, 1, 2) order by 2 limit 3;
SQL
cat >words.py <<'PY'
names = {}
for i in range(20000):
    names["k%d" % (i % 3000)] = str(i * i % 7)
print(len(set(names.values())), sorted(names)[0])
PY
# three workers take numbers out of a queue of sixteen that the main thread fills
cat >queue.c <<'C'
#include <pthread.h>
#include <stdio.h>
#define WORKERS 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned items[16], n, closed;

static unsigned long crunch(unsigned item)
{
	unsigned long s = item;
	for (int i = 0; i < 400; i++)
		s = s * 6364136223846793005ul + item;
	return s;
}
static void *worker(void *out)
{
	unsigned long *sum = out;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (n == 0 && !closed)
			pthread_cond_wait(&filled, &lock);
		if (n == 0)
			break;
		unsigned item = items[--n];
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&lock);
		*sum += crunch(item);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t threads[WORKERS];
	unsigned long sums[WORKERS] = {0}, sum = 0;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, worker, &sums[i]);
	for (unsigned i = 0; i < 30000; i++) {
		pthread_mutex_lock(&lock);
		while (n == sizeof items / sizeof *items)
			pthread_cond_wait(&emptied, &lock);
		items[n++] = i;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&filled);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], NULL);
		sum += sums[i];
	}
	return printf("%lu\n", sum) < 0;
}
C
gcc -g -O2 -pthread queue.c -o queue

declare -A COMMAND=(
	[lexi]='[./lexi, "3"]'
	[sqlite3]='[sqlite3, ":memory:", ".read query.sql"]'
	[xz]='[xz, -1, -k, -c, text]'
	[git]='[git, log, -p, --stat, --all]'
	[cc1]="[$CC1, -quiet, -O1, generated.c, -o, /dev/null]"
	[pipeline]='seq 3000 | sort -n --parallel=1 | gzip -6 | wc -c'
	[queue]='[./queue]'
	[xz-T2]='[xz, -1, -T2, --block-size=100000, -k, -c, text]'
	[python3]="[$PYTHON, -S, words.py]"
)
# benchmark NAME [OPTIONS [RUNS]]: runs one of these commands; what countedruns says of it goes to standard output. STARTER
# starts countedruns.
STARTER=()
benchmark() {
	local name=$1 options=${2:-} runs=${3:-$RUNS}
	printf 'version: 1\nenv: [PYTHONHASHSEED]\nbenchmarks:\n  - {name: %s, command: %s, engines: [callgrind], timeout: 10m%s}\n' \
		"$name" "$(case ${COMMAND[$name]} in '['*) echo "${COMMAND[$name]}" ;; *) echo "'${COMMAND[$name]}'" ;; esac)" "$options" >"$WORK/runs.yml"
	rm -rf "$WORK/runs"
	mkdir "$WORK/runs"
	"${STARTER[@]}" "$WORK/countedruns" "$WORK/runs.yml" "$name" "$runs" "$TREE" "$WORK/runs"
}
part() { [[ " $PARTS " = *" $1 "* ]]; }

if part repeat; then
	say "the same benchmark $RUNS times"
	results=()
	repeat() { # repeat LABEL NAME
		say "  $1"
		local out="$WORK/repeat.${#results[@]}"
		benchmark "$2" >"$out"
		results+=("$1=$out")
	}
	for name in lexi sqlite3 xz git cc1 pipeline queue xz-T2; do repeat $name $name; done
	repeat 'python3' python3
	export PYTHONHASHSEED=0
	repeat 'python3, PYTHONHASHSEED=0' python3
	unset PYTHONHASHSEED
	if chrt --fifo 1 true 2>/dev/null; then
		STARTER=(chrt --fifo 1)
		for name in queue xz-T2; do repeat "$name, \`chrt --fifo 1\`" $name; done
		STARTER=()
	else
		say '  not permitted: chrt --fifo 1'
	fi
	table repeat "${results[@]}"
fi

# symbols_of FILE...: path, address, size and name of the functions of those object files and of their debug information.
symbols_of() {
	local path file id options
	for path; do
		[ -f "$path" ] || continue
		id=$(readelf -n "$path" 2>/dev/null | sed -n 's/.*Build ID: //p')
		for file in "$path" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"; do
			[ -f "$file" ] || continue
			for options in "" -D; do
				# shellcheck disable=SC2086 # none or one word
				{ nm -S $options --defined-only "$file" 2>/dev/null || true; } | awk -v path="$path" '
					$3 ~ /^[tTwWiI]$/ { print path "\t" $1 "\t" $2 "\t" $4 }
					$2 ~ /^[tTwWiI]$/ { print path "\t" $1 "\t0\t" $3 }'
			done
		done
	done | sort -u
}

if part sums; then
	say 'against callgrind_annotate'
	results=()
	sums() { # sums NAME COMMAND...
		local name=$1 out=$WORK/sums.$1 dump
		shift
		say "  $name"
		rm -rf "$out"
		mkdir "$out"
		setarch -R valgrind --tool=callgrind --trace-children=yes --separate-callers=48 --dump-instr=yes --demangle=no \
			--callgrind-out-file="$out/callgrind.%p" --log-file="$out/log.%p" "$@" >/dev/null
		"$WORK/countedfold" fold "$out"/callgrind.* >"$out/ours"
		for dump in "$out"/callgrind.*; do
			callgrind_annotate --threshold=100 --inclusive=no --auto=no "$dump"
		done | "$WORK/countedfold" annotate >"$out/theirs"
		mapfile -t objects < <(sed -nE 's/^c?ob=\([0-9]+\) (.+)$/\1/p' "$out"/callgrind.* | sort -u)
		symbols_of "${objects[@]}" | "$WORK/countedfold" names >"$out/symbols"
		cat "$out"/log.* >"$out/log"
		results+=("$name=$out")
	}
	sums sqlite3 sqlite3 :memory: '.read query.sql'
	sums xz xz -1 -k -c text
	sums gzip gzip -6 -c text
	sums git git log -p --stat --all
	sums cc1 "$CC1" -quiet -O1 generated.c -o /dev/null
	sums python3 env PYTHONHASHSEED=0 "$PYTHON" -S words.py
	table sums "${results[@]}"
fi

# Functions of the sample project, the file of each, and how often one collection calls it. Those that are called
# oftener cannot get .1 % slower: a single instruction is more.
PLACES=(match_documents:query.c:1300 answer_query:query.c:1300 order_hits:rank.c:1300 score_hits:rank.c:1300
	lexicon_find:lexicon.c:1988 corpus_document:corpus.c:2324 index_document:main.c:1024 corpus_write:corpus.c:1
	lexicon_clear:lexicon.c:1 rank_prepare:rank.c:1)
SIZES=(.1 .2 .5)

# plant FUNCTION FILE TURNS: puts a loop of so many turns after the function's opening brace.
plant() {
	awk -v name="$1" -v turns="$3" '
		$0 ~ "(^|[ *])" name "\\(" { inside = 1 }
		{ print }
		inside && /^{/ {
			print "\tfor (unsigned long planted = " turns "ul; planted != 0; planted--)\n\t\t__asm__ volatile(\"\" : \"+r\"(planted));"
			inside = 0; done = 1
		}
		END { exit !done }' "$2" >"$WORK/planted.c" || { say "no function $1 in $2"; exit 2; }
	cp "$WORK/planted.c" "$2"
}

if part planted; then
	say 'planted regressions'
	REPO=$WORK/planted
	rm -rf "$REPO"
	mkdir -p "$WORK/reports"
	"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$REPO" >/dev/null
	cd "$REPO"
	sed -i 's/"130"\]/"3"]\n    engines: [callgrind]\n    gate: {instructions: {margin: 0.05%}}/' firebreak.yml
	git commit -qam 'counted' && git tag -f base >/dev/null
	"$FIREBREAK" run -q base >/dev/null
	check() { # check FUNCTION SIZE
		local code=0 out="$WORK/reports/$1.$2"
		"$FIREBREAK" check -q --base base --head HEAD --no-confirm --no-store --out "$out" >"$out.log" 2>&1 || code=$?
		[ $code -le 1 ] || say "the check of $1, $2 %, ended with $code: $(tail -n 1 "$out.log")"
	}
	printf '/* nothing of this changes what the program does */\n' >>rank.c && git commit -qam 'comment'
	check none 0
	total=$(jq '.benchmarks[0].metrics[] | select(.name == "instructions").base' "$WORK/reports/none.0/report.json")
	for place in "${PLACES[@]}"; do
		IFS=: read -r name file calls <<<"$place"
		for size in "${SIZES[@]}"; do
			git checkout -q base
			# a turn is two instructions and the loop three more, and there are three collections
			plant "$name" "$file" "$(awk -v t="$total" -v s="$size" -v c="$calls" 'BEGIN { print int((t * s / 100 / 3 / c - 3) / 2 + .5) }')"
			git commit -qam "$name $size"
			check "$name" "$size"
		done
	done
	table planted "$WORK/reports"
	cd "$TREE"
fi

if part cost; then
	say "cost, median of $TIMES"
	native() { # native NAME COMMAND...: wall seconds
		local i
		shift
		for ((i = 0; i < TIMES; i++)); do
			local start=$EPOCHREALTIME
			"$@" >/dev/null
			awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print "native\t" b - a }'
		done
	}
	measure() { # measure NAME COMMAND...
		local name=$1 depth
		say "  $name"
		rm -f "$WORK/cost.$name".*
		native "$@" >"$WORK/cost.$name.native"
		benchmark "$name" '' "$TIMES" >"$WORK/cost.$name.counts"
		benchmark "$name" ', cache: true' "$TIMES" >"$WORK/cost.$name.cache"
		benchmark "$name" ', heap: true' "$TIMES" >"$WORK/cost.$name.heap"
		benchmark "$name" ', cache: true, heap: true' "$TIMES" >"$WORK/cost.$name.all"
		for depth in 16 32 48 100; do
			benchmark "$name" ", call_depth: $depth" 1 >"$WORK/cost.$name.depth.$depth"
		done
	}
	measure lexi ./lexi 3
	measure sqlite3 sqlite3 :memory: '.read query.sql'
	measure cc1 "$CC1" -quiet -O1 generated.c -o /dev/null
	table cost "$WORK/cost" lexi sqlite3 cc1
fi

if part environment; then
	say 'other places and conditions'
	rm -rf "$WORK/places" "$WORK/project"
	mkdir -p "$WORK/places"
	printf 'version: 1\nbuild: {command: make}\nenv: [PYTHONHASHSEED]\nbenchmarks:\n' >"$WORK/places.yml"
	for name in lexi sqlite3 python3; do
		printf '  - {name: %s, command: %s, engines: [callgrind]}\n' $name "${COMMAND[$name]}" >>"$WORK/places.yml"
	done
	export PYTHONHASHSEED=0
	# place NAME REPO COMMAND...: a check of the project in REPO, started by COMMAND
	place() {
		local name=$1 repo=$2 out=$WORK/places/$1 code=0
		shift 2
		say "  $name"
		mkdir -p "$(dirname "$repo")"
		"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$repo" >/dev/null
		cp "$TREE/query.sql" "$TREE/words.py" "$repo"
		cp "$WORK/places.yml" "$repo/firebreak.yml"
		(cd "$repo" && git add . && git commit -qm 'counted' && "$@" "$FIREBREAK" check -q --base HEAD --head HEAD --no-store --out "$out") \
			>"$out.log" 2>&1 || code=$?
		[ $code = 0 ] || { say "the check of $name ended with $code"; tail -n 5 "$out.log" >&2; }
		rm -rf "$repo"
	}
	long=$WORK/a-folder-with-a-name-that-is-longer-than-others/and-another-one-below-it
	place 'as it is' "$WORK/project" env
	place 'longer path of the project' "$long/project" env
	place 'longer cache folder' "$WORK/project" env XDG_CACHE_HOME="$long/cache"
	place 'longer HOME and TMPDIR' "$WORK/project" env HOME="$long" TMPDIR="$(mkdir -p "$long/tmp" && echo "$long/tmp")"
	place '40 variables more' "$WORK/project" env $(seq -f 'VARIABLE_%g=value' 40)
	place 'started without address randomisation' "$WORK/project" setarch -R
	place 'small stack limit' "$WORK/project" bash -c 'ulimit -s 1024; exec "$@"' -
	place 'one CPU' "$WORK/project" taskset -c 0
	place 'lowest priority' "$WORK/project" nice -n 19
	bash -c 'while :; do :; done' &
	busy=$!
	place 'a busy machine' "$WORK/project" env
	kill $busy
	wait $busy 2>/dev/null || true
	table environment "$WORK/places" lexi sqlite3 python3
	# what the environment does where nobody looks after it
	cd "$TREE"
	for ((bytes = 1; bytes <= 57; bytes += 8)); do
		env -i PATH="$PATH" PAD="$(printf "%0${bytes}d" 0)" setarch -R valgrind -q --tool=callgrind \
			--callgrind-out-file="$WORK/plain" ./lexi 3 >/dev/null
		sed -n 's/^totals: //p' "$WORK/plain"
	done | sort -n | awk '{ count[NR] = $1 } END { printf "Without firebreak, callgrind counts %d to %d instructions of lexi, %.2f %% apart, when the environment is 0 to 56 bytes longer.\n", count[1], count[NR], 100 * (count[NR] / count[1] - 1) }'
fi
