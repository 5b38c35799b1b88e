#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A generated history for `git fast-import`: a small program, commits that change it without slowing it, some that do
not build, and one that makes it slower. Prints the stream; `--answer FILE` gets the number of the planted commit.

    bisect.py SEED COMMITS BROKEN_SHARE SLOWER_PERCENT --answer FILE | git fast-import
"""
import random
import sys

CONFIG = """version: 1
build: {command: cc -O1 -g -fno-omit-frame-pointer -o bench bench.c}
benchmarks:
  - name: words
    command: [./bench]
    engines: [callgrind]
"""

PROGRAM = """#include "sizes.h"

static unsigned char text[256];

static __attribute__((noinline)) unsigned hash_words(unsigned passes)
{
	unsigned h = 2166136261u;
	for (unsigned p = 0; p < passes; p++)
		for (unsigned i = 0; i < sizeof text; i++)
			h = (h ^ text[i]) * 16777619u;
	return h;
}

static __attribute__((noinline)) unsigned draw_rows(unsigned cells)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < cells; i++)
		sum = sum * 33 + text[i % sizeof text];
	return sum;
}

int main(void)
{
	return hash_words(HASH_PASSES) + draw_rows(DRAWN_CELLS) == 1;
}
"""

seed, commits, broken_share, slower = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
rng = random.Random(seed)
# 1 is good and `commits` is bad; what is slow must build, or nobody could see it
broken = {n for n in range(2, commits) if rng.random() < broken_share}
planted = rng.choice([n for n in range(2, commits + 1) if n not in broken])
with open(sys.argv[sys.argv.index("--answer") + 1], "w", encoding="utf-8") as answer:
    answer.write(f"{planted}\n")


def data(text):
    return f"data {len(text)}\n{text}\n"


def sizes(n):
    passes = 400 + (round(400 * slower / 100) if n >= planted else 0)
    cells = 40000 + rng.randrange(-20, 21)  # up and down, far within the margin
    return f"#define HASH_PASSES {passes}\n#define DRAWN_CELLS {cells}\n"


for n in range(1, commits + 1):
    what = "break the build" if n in broken else f"change {n}"
    out = "commit refs/heads/main\n"
    out += f"committer dev <dev@example.org> {1700000000 + 600 * n} +0000\n" + data(what)
    if n == 1:
        out += "M 644 inline firebreak.yml\n" + data(CONFIG)
    if n == 1 or n in broken or n - 1 in broken:
        out += "M 644 inline bench.c\n" + data(PROGRAM + ("}\n" if n in broken else ""))
    out += "M 644 inline sizes.h\n" + data(sizes(n))
    sys.stdout.write(out + "\n")
