#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Do the two sides of a co-scheduled round measure better if they alternate faster or slower? The spread of ln(head/base)
# of task-clock, same program on both sides, under several time slices that take turns (slices.c), above all for short
# programs. Prints a Markdown table. Takes some ten minutes.
# FIREBREAK names the program, SOURCE_DIR the repository; ROUNDS (32) can be lowered for a try, CPU (the last one) chosen.
set -euo pipefail

ROUNDS=${ROUNDS:-32}
CPU=${CPU:-$(($(nproc) - 1))}
BUILD=$(dirname "$FIREBREAK")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf 'slices: %s\n' "$*" >&2; }
for program in gcc make python3 xz; do
	command -v $program >/dev/null || { say "$program is missing"; exit 2; }
done

libraries=("$BUILD/runner/librunner.a" "$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a")
for file in "${libraries[@]}" "$BUILD/firebreak-spawn"; do
	[ -f "$file" ] || { say "$file is not built; run it as ./dev bench"; exit 2; }
done
read -ra flags < <(pkg-config --cflags glib-2.0)
read -ra linked < <(pkg-config --libs glib-2.0)
"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -I"$SOURCE_DIR" "${flags[@]}" -o "$WORK/slices" \
	"$SOURCE_DIR/tests/bench/slices.c" "${libraries[@]}" "${linked[@]}" -lm
cp "$BUILD/firebreak-spawn" "$WORK"

"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/sample" >/dev/null
make -s -C "$WORK/sample" >/dev/null
mv "$WORK/sample/lexi" "$WORK/lexi"
cd "$WORK"
awk 'BEGIN { srand(7); for (i = 0; i < 60000; i++) printf "%x ", int(rand() * 60000) }' >text
awk 'BEGIN { for (i = 0; i < 16; i++) printf "unsigned f%d(unsigned *p, unsigned n) { unsigned s = %d; for (unsigned i = 0; i < n; i++) { if (p[i] %% %d == 0) s += p[i] * %d; else s ^= p[i] >> (i & 7); } return s; }\n", i, i, i + 2, i + 3 }' >generated.c
printf 'total = 0\nfor i in range(500_000):\n    total += i * i %% 7\nprint(total)\n' >loop.py
# a walk all over 4 MiB, whose cost is what the caches still hold
cat >walk.c <<'C'
#include <stdio.h>
#include <sys/mman.h>
#define ENTRIES (1u << 20)
static unsigned next[ENTRIES] __attribute__((aligned(65536)));
int main(void)
{
	unsigned at = 0, sum = 0;
	madvise(next, sizeof next, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < ENTRIES; i++)
		next[i] = (i * 1664525u + 1013904223u) % ENTRIES;
	for (unsigned i = 0; i < 1500000; i++)
		sum += at = next[at];
	return printf("%u\n", sum) < 0;
}
C
"${CC:-gcc}" -O2 -o walk walk.c

say "$ROUNDS rounds of each setting on CPU $CPU"
echo '| program | CPU s | slice | switches per s | sd | robust sd | gain | CPU time |'
echo '|---|---|---|---|---|---|---|---|'
./slices "$ROUNDS" "$CPU" "$WORK" \
	lexi './lexi 17 >/dev/null' \
	gcc 'gcc -O2 -S -o - generated.c >/dev/null' \
	python3 'env PYTHONHASHSEED=0 python3 loop.py >/dev/null' \
	xz 'xz -6 -c text >/dev/null' \
	walk './walk >/dev/null' \
	lexi-long './lexi 60 >/dev/null'
