#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures what the verdicts are worth on real programs: checks of an unchanged program and of planted slowdowns of +2, +3, +5 and
# +10 % in one function each, and what other rules say of the same measurements. Prints two Markdown tables.
#
# The programs are firebreak's own benchmarks (firebreak.yml: fold, fliptest, flamesvg), so what is measured is code that
# somebody wrote to work, not to be measured. "Unchanged" is a commit that edits comments. A slowdown is a loop that does
# nothing, put into one function of each program; a pilot check tells how long it has to be.
#
# FIREBREAK names the program, SOURCE_DIR the repository, whose HEAD is measured. UNCHANGED (100) and PLANTED (30, of each
# size) are the numbers of checks; KEEP names a folder that gets the reports; LANES (2) checks run at once. About 25 minutes
# on two CPUs that do nothing else.
set -euo pipefail

UNCHANGED=${UNCHANGED:-100} PLANTED=${PLANTED:-30} LANES=${LANES:-2}
lanes=()
SIZES=(2 3 5 10)
PROGRAMS=(fold fliptest flamesvg)
declare -A FILE=([fold]=profile/folded/folded.c [fliptest]=compare/statistics/fliptest.c [flamesvg]=report/flame/flamelayout.c)
declare -A FUNCTION=([fold]=stack_text [fliptest]=flip_dispersion [flamesvg]=add_node)
declare -A PILOT=([fold]=1000 [fliptest]=1000000 [flamesvg]=300)

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
KEEP=${KEEP:-$WORK/reports}
mkdir -p "$KEEP"
say() { printf 'verdicts: %s\n' "$*" >&2; }

git clone -q --no-hardlinks "$SOURCE_DIR" "$WORK/repo"
cd "$WORK/repo"
git config user.name verdicts
git config user.email verdicts@localhost
export XDG_CACHE_HOME=$WORK/cache
# .2 to .3 s of CPU time per run, as many benchmarks are
sed -i 's/fold_bench, "[0-9]*"/fold_bench, "2"/; s/fliptest_bench, "[0-9]*"/fliptest_bench, "24"/; s/flamesvg_bench, "[0-9]*"/flamesvg_bench, "10"/' firebreak.yml
git commit -qam 'shorter runs'
BASE=$(git rev-parse HEAD)

# plant PROGRAM TURNS: puts the loop after the opening brace of the program's function.
plant() {
	awk -v name="${FUNCTION[$1]}" -v turns="$2" '
		$0 ~ "(^|[ *])" name "\\(" { inside = 1 }
		{ print }
		inside && /^{/ {
			print "\tfor (unsigned long planted = 0; planted < " turns "ul; planted++)\n\t\t__asm__ volatile(\"\");"
			inside = 0; done = 1
		}
		END { exit !done }' "${FILE[$1]}" >"$WORK/planted.c" || { say "no function ${FUNCTION[$1]} in ${FILE[$1]}"; exit 2; }
	cp "$WORK/planted.c" "${FILE[$1]}"
}
commit() {
	git commit -qam "$1"
	git rev-parse HEAD
	git checkout -q "$BASE"
}

# check HEAD OUT [ARGUMENT...]: verdicts are data here, failures to measure are not.
check() {
	local head=$1 out=$2 code=0
	shift 2
	"$FIREBREAK" check -q --base "$BASE" --head "$head" --no-store --no-confirm --out "$out.d" "$@" >"$out.log" 2>&1 || code=$?
	case $code in
	0 | 1 | 3) ;;
	*)
		tail -n 5 "$out.log" >&2
		say "a check ended with $code"
		;;
	esac
	[ ! -f "$out.d/report.json" ] || cp "$out.d/report.json" "$out"
	rm -rf "$out.d" "$out.log"
}

say "building; a pilot check"
for program in "${PROGRAMS[@]}"; do plant "$program" "${PILOT[$program]}"; done
pilot=$(commit pilot)
check "$pilot" "$WORK/pilot.json" --rounds 12

declare -A HEAD
for program in "${PROGRAMS[@]}"; do printf '/* nothing of this changes what the program does */\n' >>"${FILE[$program]}"; done
HEAD[0]=$(commit 'only comments')
for size in "${SIZES[@]}"; do
	for program in "${PROGRAMS[@]}"; do
		turns=$(jq -r --arg name "$program" --argjson size "$size" --argjson turns "${PILOT[$program]}" \
			'.benchmarks[] | select(.name == $name).metrics[] | select(.name == "task-clock") | $turns * $size / .change_pct | round' "$WORK/pilot.json")
		[ "$turns" -gt 0 ] || { say "the pilot of $program shows no slowdown"; exit 2; }
		plant "$program" "$turns"
	done
	HEAD[$size]=$(commit "+$size %")
done

# All cases take turns, so that the moods of the machine fall on all of them alike.
turns=$((UNCHANGED > PLANTED ? UNCHANGED : PLANTED))
take_turn() {
	local i=$1 program=${PROGRAMS[$1 % ${#PROGRAMS[@]}]} planted size
	say "turn $((i + 1)) of $turns: $program"
	if ((i < UNCHANGED)); then check "${HEAD[0]}" "$KEEP/0.$program.$i.json" -b "$program"; fi
	# planted checks are spread over all turns
	if ((i * PLANTED / turns < (i + 1) * PLANTED / turns)); then
		planted=$((i * PLANTED / turns))
		program=${PROGRAMS[planted % ${#PROGRAMS[@]}]}
		for size in "${SIZES[@]}"; do check "${HEAD[$size]}" "$KEEP/$size.$program.$planted.json" -b "$program"; done
	fi
}
# Two checks at once, each with a CPU of its own and the other one as its neighbour.
lane() {
	local i
	taskset -cp "$1" "$BASHPID" >/dev/null
	for ((i = $1; i < turns; i += LANES)); do take_turn "$i"; done
}
for ((l = 0; l < LANES; l++)); do
	lane "$l" &
	lanes+=($!)
done
for l in "${lanes[@]}"; do wait "$l"; done

names=()
for program in "${PROGRAMS[@]}"; do names+=("$program=${FUNCTION[$program]}"); done
python3 "$SOURCE_DIR/tests/bench/verdicts.py" "$KEEP" "${names[@]}"
