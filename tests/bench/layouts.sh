#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures how much the place of its functions in memory changes the speed of a program: the sample project is built in several
# layouts of the same source, and each is compared with the first one and with itself, co-scheduled; and with the first
# one again without the flags that firebreak adds, which are frame pointers and functions aligned to 32 bytes. Prints a
# Markdown table. Takes four minutes. FIREBREAK names the program, SOURCE_DIR the repository; LAYOUTS (8) and ROUNDS (6)
# can be lowered for a try.
set -euo pipefail

LAYOUTS=${LAYOUTS:-8} ROUNDS=${ROUNDS:-6}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf '%s\n' "$*" >&2; }
for program in ld.lld jq; do
	command -v $program >/dev/null || { say "layouts: $program is missing"; exit 2; }
done
export XDG_CACHE_HOME=$WORK/cache
mkdir "$XDG_CACHE_HOME"

# commit_layout TAG SEED FLAGS: sources that differ only in how they are built.
commit_layout() {
	cat >firebreak.yml <<Y
version: 1
build:
  command: |
    export CFLAGS="-g -fno-omit-frame-pointer -falign-functions=32 -ffunction-sections $3"
    export LDFLAGS="-fuse-ld=lld -Wl,--shuffle-sections=.text*=$2"
    make -j2 CC=/usr/bin/cc
benchmarks:
  - {name: lexi, command: [./lexi, "130"], yardstick: false}
Y
	git commit -q -a -m "$1"
	git tag "$1"
}
"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/repo" >/dev/null
cd "$WORK/repo"
for ((layout = 1; layout <= LAYOUTS; layout++)); do
	commit_layout "layout$layout" "$layout" ""
	commit_layout "plain$layout" "$layout" "-fomit-frame-pointer -momit-leaf-frame-pointer -falign-functions=16"
done

# compare BASE HEAD: the change of task-clock from one build to another, in percent. The verdict does not matter here.
compare() {
	local code=0 out=$WORK/$1-$2
	say "layouts: $2 against $1"
	"$FIREBREAK" check --base "$1" --head "$2" --rounds "$ROUNDS" --no-store --no-confirm --out "$out" >"$out.log" 2>&1 || code=$?
	case $code in 0 | 1 | 3) ;; *)
		tail -n 20 "$out.log" >&2
		say "layouts: the check ended with $code"
		exit "$code"
		;;
	esac
	jq '.benchmarks[0].metrics[] | select(.name == "task-clock").change_pct' "$out/report.json"
}

for ((layout = 1; layout <= LAYOUTS; layout++)); do
	itself=$(compare "layout$layout" "layout$layout") first=null plain=null
	if [ $layout -gt 1 ]; then
		first=$(compare layout1 "layout$layout")
		plain=$(compare plain1 "plain$layout")
	fi
	echo "{\"layout\": $layout, \"itself\": $itself, \"first\": $first, \"plain\": $plain}"
done >"$WORK/changes"

jq -rs '
	def percent: if . == null then "-" else "\(. * 100 | round / 100) %" end;
	# the spread between layouts counts the first one, too, which differs by nothing from itself
	def spread: map(. // 0) | (add / length) as $mean | (map((. - $mean) * (. - $mean)) | add) / (length - 1) | sqrt | percent;
	"| layout of head | against itself | against layout 1 | the same with the flags of the compiler alone |",
	"|---|---|---|---|",
	(.[] | "| \(.layout) | \(.itself | percent) | \(.first | percent) | \(.plain | percent) |"),
	"| spread (sd) | \(map(.itself) | spread) | \(map(.first) | spread) | \(map(.plain) | spread) |"' "$WORK/changes"
