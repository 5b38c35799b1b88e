#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the time and the memory that a flame graph of a million different stacks takes. Each step by itself
# (flamestacks.c): reading the text and interning its stacks, layout, layout and writing; then the whole program. Once
# with sorted lines, as folded stacks are written, and once shuffled. Prints a Markdown table; the best of ROUNDS.
# FIREBREAK names the program, SOURCE_DIR the repository; STACKS (1000000) and ROUNDS (5) can be lowered for a try.
set -euo pipefail

STACKS=${STACKS:-1000000}
ROUNDS=${ROUNDS:-5}
BUILD=$(dirname "$FIREBREAK")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf 'flamestacks: %s\n' "$*" >&2; }
for program in python3 shuf "${CC:-gcc}" pkg-config; do
	command -v "$program" >/dev/null || { say "$program is missing"; exit 2; }
done

libraries=("$BUILD/report/libreport.a" "$BUILD/compare/libcompare.a" "$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a")
for file in "${libraries[@]}"; do
	[ -f "$file" ] || { say "$file is not built; run it as ./dev bench"; exit 2; }
done
read -ra flags < <(pkg-config --cflags glib-2.0)
read -ra linked < <(pkg-config --libs glib-2.0 jansson)
"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -I"$SOURCE_DIR" -I"$SOURCE_DIR/tests" "${flags[@]}" -o "$WORK/flamestacks" \
	"$SOURCE_DIR/tests/bench/flamestacks.c" "$SOURCE_DIR/tests/bench/workload.c" "${libraries[@]}" "${linked[@]}" -lm

say "writing $STACKS stacks"
"$WORK/flamestacks" write "$STACKS" "$WORK/sorted"
shuf --random-source=<(yes 1) "$WORK/sorted" >"$WORK/shuffled"

python3 - "$WORK" "$FIREBREAK" "$ROUNDS" <<'PY'
import os, subprocess, sys, time

work, firebreak, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])

def steps(name):
    """Seconds per step, and the peak of all in MB."""
    lines = subprocess.run([f"{work}/flamestacks", "time", f"{work}/{name}"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    rows = [line.split() for line in lines if len(line.split()) == 3 and not line.startswith("(")]
    return {step: float(seconds) for step, seconds, _ in rows}, max(int(peak) for *_, peak in rows) / 1024

def whole(name):
    """Seconds, seconds of CPU time, peak in MB."""
    start = time.monotonic()
    process = subprocess.Popen([firebreak, "flamegraph", "-q", f"{work}/{name}", "-o", f"{work}/out.svg"])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("firebreak flamegraph failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

print("| lines | read and intern | layout | layout and write | peak | `firebreak flamegraph` | CPU time | peak | picture |")
print("|---|---|---|---|---|---|---|---|---|")
for name in ("sorted", "shuffled"):
    parts = [steps(name) for _ in range(rounds)]
    best = {step: min(seconds[step] for seconds, _ in parts) for step in parts[0][0]}
    runs = [whole(name) for _ in range(rounds)]
    size = os.path.getsize(f"{work}/out.svg")
    print(f"| {name} | " + " | ".join(f"{best[step]:.2f} s" for step in ("read-and-intern", "layout", "layout-and-write")) +
          f" | {max(peak for _, peak in parts):.0f} MB | {min(run[0] for run in runs):.2f} s"
          f" | {min(run[1] for run in runs):.2f} s | {max(run[2] for run in runs):.0f} MB | {size / 1e6:.1f} MB |")
PY
