#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Are our stacks those of perf? Five programs are recorded with perf; `firebreak fold` of the recording is compared with
# the text of `perf script` folded by the rules of stackcollapse-perf.pl. Every sample is either in equal stacks, or in
# stacks that a named class of differences makes equal, or in the rest, which is listed. Prints a Markdown table.
# FIREBREAK names the program, SOURCE_DIR the repository (git's history is read from it); KEEP=DIR keeps all files.
set -euo pipefail

WORK=${KEEP:-$(mktemp -d)}
mkdir -p "$WORK"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
say() { printf '%s\n' "$*" >&2; }
for program in perf python3 gcc xz git sqlite3; do
	command -v $program >/dev/null || { say "stacks: $program is missing"; exit 2; }
done
PYTHON=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')

cd "$WORK"
awk 'BEGIN { for (i = 0; i < 900; i++) printf "unsigned f%d(unsigned *p, unsigned n) { unsigned s = %d; for (unsigned i = 0; i < n; i++) { if (p[i] %% %d == 0) s += p[i] * %d; else s ^= p[i] >> (i & 7); } return s; }\n", i, i, i + 2, i + 3 }' >generated.c
awk 'BEGIN { srand(7); for (i = 0; i < 600000; i++) printf "%x ", int(rand() * 60000) }' >text
cat >loop.py <<'PY'
total, names = 0, {}
for i in range(2_500_000):
    total += i * i % 7
    names[i % 1000] = str(i)
print(total, sorted(names.values())[0])
PY
cat >query.sql <<'SQL'
create table t(a integer primary key, b text);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 900000) insert into t select x, hex(x * 7919 % 100003) from c;
create index i on t(b);
select count(*), sum(length(b)) from t where b like '%3%' group by substr(b, 1, 2) order by 2 limit 3;
SQL

# compare NAME COMMAND...: records the command and folds the recording both ways.
compare() {
	local name=$1
	shift
	say "stacks: $name"
	perf record -q -e cpu-clock -F 999 -g -o "$name.data" "$@" >/dev/null 2>"$name.log"
	perf script -i "$name.data" --no-inline >"$name.txt" 2>>"$name.log"
	"$FIREBREAK" fold --quiet --no-inline --kernel "$name.data" -o "$name.ours"
	# the script takes frames in anonymous namespaces for notes of perf, and drops them
	sed 's/^\(\t *[0-9a-f]* \)(anonymous namespace)::/\1/' "$name.txt" >"$name.anonymous.txt"
	# a return address is never the first instruction of a function; kernel addresses begin with ffff
	awk '/^[^ \t]/ { leaf = 1 } /^\t/ { user = $1 !~ /^ffff/; if (user && !leaf) sub(/ [^ ].*\+0x0 \(/, " [unknown] ("); if (user) leaf = 0 } { print }' \
		"$name.anonymous.txt" >"$name.starts.txt"
	for text in "" .anonymous .starts; do
		"$FIREBREAK" fold --quiet --stackcollapse --weight=samples "$name$text.txt" -o "$name$text.theirs"
	done
	names_by_address "$name.data" >"$name.names"
}
# Prints MODULE ADDRESS NAME of all symbols of the modules of a recording, mangled and demangled.
names_by_address() {
	local id path file
	perf buildid-list -i "$1" 2>/dev/null | while read -r id path; do
		for file in "$path" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"; do
			[ -f "$file" ] || continue
			for options in "" -D -C "-D -C"; do
				# shellcheck disable=SC2086 # none, one or two words
				{ nm $options --defined-only "$file" 2>/dev/null || true; } |
					awk -v module="$path" '{ address = $1; $1 = $2 = ""; sub(/^ +/, ""); print module "\t" address "\t" $0 }'
			done
		done
	done | sort -u
	awk '{ print "kernel\t" $1 "\t" $3 }' /proc/kallsyms
}
compare cc1 gcc -O2 -c generated.c -o generated.o
compare sqlite3 sqlite3 :memory: '.read query.sql'
compare python3 "$PYTHON" loop.py
compare xz xz -k -f -6 text
compare git git -C "$SOURCE_DIR" log -p --stat -M -C --find-copies-harder

python3 - cc1 sqlite3 python3 xz git <<'PY'
import re, sys
from collections import Counter, defaultdict

UNKNOWN = "[unknown]"

def read(path):
    stacks = Counter()
    for line in open(path, errors="surrogateescape"):
        stack, count = line.rstrip("\n").rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += int(count)
    return stacks

def changed(stacks, change):
    result = Counter()
    for stack, count in stacks.items():
        result[change(stack)] += count
    return result

def per_frame(change):
    return lambda stack: stack[:1] + tuple(change(frame) for frame in stack[1:])

CLONE = re.compile(r"(\.(constprop|isra|part|lto_priv|llvm)\.\d+|\.cold(\.\d+)?)+$")
def without_clones(frame):
    return CLONE.sub("", frame)
def without_parameters(frame):
    frame = frame.replace("(anonymous namespace)::", "")
    return frame if frame.startswith("(") else re.sub(r"\(.*$", "", frame).strip()
def one_unknown(frame):
    return UNKNOWN if frame.startswith("[") and frame.endswith("]") else frame
def without_lost_beginning(stack):
    at = 1
    while at < len(stack) - 1 and stack[at] == UNKNOWN:
        at += 1
    return stack[:1] + stack[at:]

def from_last_unknown(stack):
    """A chain of addresses that leaves the code is broken there; what lies below is what the memory held."""
    known = [i for i, frame in enumerate(stack[:-1]) if i > 0 and frame == UNKNOWN]
    return stack[:1] + stack[known[-1] + 1:] if known else stack

# Steps that make the two foldings comparable, one after the other; each adds to the ones before. (Two more are changes of
# the text, above.)
STEPS = [
    ("clone suffixes", per_frame(without_clones)),
    ("parameters", per_frame(without_parameters)),
    ("how unknown is written", per_frame(one_unknown)),
    ("unknown frames at the root", without_lost_beginning),
    ("frames below unknown ones", from_last_unknown),
]

NAMES = defaultdict(set) # name -> where it is, as pairs of module and address
for program in sys.argv[1:]:
    for line in open(program + ".names", errors="surrogateescape"):
        module, address, name = line.rstrip("\n").split("\t")
        NAMES[without_parameters(without_clones(name.split("@")[0]))].add((module, address))
def is_alias(a, b):
    """Two names of one address."""
    return bool(NAMES.get(a.split("@")[0], set()) & NAMES.get(b.split("@")[0], set()))
def every(allowed):
    return lambda ours, theirs: all(a == b or allowed(a, b) for a, b in zip(ours[1:], theirs[1:]))

# Stacks of the same length whose frames differ in some of their names only.
PAIRINGS = [
    ("alias", every(is_alias)),
    ("no name there", every(lambda a, b: b == UNKNOWN or is_alias(a, b))),
    ("no name here", every(lambda a, b: a == UNKNOWN or is_alias(a, b))),
]

def pair_up(ours, theirs, fits, pairs):
    """Takes stacks that fit out of both; returns the samples."""
    taken = 0
    by_shape = defaultdict(list)
    for stack in ours:
        by_shape[stack[0], len(stack)].append(stack)
    for stack in sorted(theirs):
        candidates = sorted((c for c in by_shape[stack[0], len(stack)] if ours[c] > 0 and fits(c, stack)),
                            key=lambda c: (sum(a != b for a, b in zip(c, stack)), c))
        for candidate in candidates:
            n = min(ours[candidate], theirs[stack])
            if n == 0:
                break
            for a, b in zip(candidate, stack):
                if a != b:
                    pairs[a, b] += n
            ours[candidate] -= n
            theirs[stack] -= n
            taken += n
    return taken

columns = ["as they are", "dropped by the script", "no return address"] + [name for name, _ in STEPS] + ["chain discarded by perf"] + [name for name, _ in PAIRINGS] + ["rest"]
print("| program | samples | stacks: ours, perf's | equal " + " | ".join(columns) + " |")
print("|---|---|---|" + "---|" * len(columns))
details = []
for program in sys.argv[1:]:
    ours, theirs = read(program + ".ours"), read(program + ".theirs")
    total = sum(theirs.values())
    row, equal = [], 0
    def count():
        global equal
        now = sum((ours & theirs).values())
        row.append(now - equal)
        equal = now
    n_stacks = f"{len(ours)}, {len(theirs)}"
    if sum(ours.values()) != total:
        details.append(f"{program}: {sum(ours.values())} samples of ours, {total} of perf's")
    count()
    for text in (".anonymous", ".starts"):
        theirs = read(program + text + ".theirs")
        count()
    for _, step in STEPS:
        ours, theirs = changed(ours, step), changed(theirs, step)
        count()
    both = ours & theirs
    ours, theirs = ours - both, theirs - both
    # perf discards a chain that has an address from -4095 to -1 in it
    discarded = Counter({stack: n for stack, n in theirs.items() if len(stack) == 1})
    row.append(sum(discarded.values()))
    theirs -= discarded
    for name, fits in PAIRINGS:
        pairs = Counter()
        row.append(pair_up(ours, theirs, fits, pairs))
        for (a, b), n in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:8]:
            details.append(f"{program}: {name}: {a} for perf's {b}: {n}")
    ours, theirs = +ours, +theirs
    row.append(sum(theirs.values()))
    for label, rest in (("ours", ours), ("perf", theirs)):
        for stack, n in sorted(rest.items(), key=lambda item: (-item[1], item[0]))[:6]:
            details.append(f"{program}: rest, {label}: {n} {';'.join(stack)[:200]}")
    print(f"| {program} | {total} | {n_stacks} | " + " | ".join(str(n) for n in row) + " |")
print()
print("\n".join(details))
PY
