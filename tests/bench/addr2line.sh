#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Are our functions and lines those of eu-addr2line? Random code addresses of several programs (those of addresses.bash):
# raw names, files and lines of all inlined levels are compared with those of `eu-addr2line -f -i`, and llvm-symbolizer is
# the third opinion on what differs. Every address is either equal, or in a class of differences with a known cause, or
# unexplained and listed. Prints a Markdown table. Takes a quarter of an hour.
#
# eu-addr2line walks a whole unit for each address, so it has EU_SECONDS (300) per program; what it has answered by then
# is compared, and the order is random.
# FIREBREAK names the program, SOURCE_DIR the repository; ADDRESSES (10000) can be lowered for a try.
set -euo pipefail

ADDRESSES=${ADDRESSES:-10000}
EU_SECONDS=${EU_SECONDS:-300}
# shellcheck source=tests/bench/addresses.bash
. "$SOURCE_DIR/tests/bench/addresses.bash"
need_programs eu-addr2line llvm-symbolizer python3 readelf nm g++
build_addresses

cat >"$WORK/classify.py" <<'PY'
import re, subprocess, sys
from collections import Counter, defaultdict

folder, symbols_child, name, program, symbol_file, is_cut = sys.argv[1:]
NOTHING = ("??", "??:0")
# what eu-addr2line adds to the name of an inlined function
INLINED = re.compile(r" inlined (at|from|in) .*")
CLONE = re.compile(r"(\.(constprop|isra|part|lto_priv|llvm)\.\d+|\.cold(\.\d+)?)+$")
MAX_ROW = 128 # bytes of code that belong to one row of the line table

def read(lines):
    """Address -> frames, the innermost first, as pairs of raw name and file:line."""
    texts = {}
    for line in lines:
        line = line.rstrip("\n")
        if re.fullmatch("0x[0-9a-f]+", line):
            texts[int(line, 16)] = text = []
        elif line:
            text.append(line)
    return {address: [(INLINED.sub("", n), ":".join(at.split(" ")[0].split(":")[:2]))
                      for n, at in zip(text[::2], text[1::2])] for address, text in texts.items()}

def ask(addresses, *command):
    asked = "".join("0x%x\n" % address for address in addresses)
    out = subprocess.run(command, input=asked, stdout=subprocess.PIPE, check=True, text=True, errors="surrogateescape")
    return read(out.stdout.splitlines())
def ask_us(addresses):
    return ask(addresses, folder + "/addresses", symbols_child, program, "raw")

def without_clones(frames):
    return [(CLONE.sub("", function), at) for function, at in frames]

symbols = defaultdict(set) # name -> addresses
for line in subprocess.run(["nm", "--defined-only", symbol_file], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines():
    address, _, symbol = line.split(" ", 2)
    symbols[CLONE.sub("", symbol.split("@")[0])].add(address)

def is_same_name(a, b):
    """The same, or two symbols of one address."""
    return a == b or bool(symbols.get(a, set()) & symbols.get(b, set()))
def is_same(ours, theirs):
    """Only the outermost function has a symbol, and so aliases."""
    return (len(ours) == len(theirs) and ours[:-1] == theirs[:-1] and ours[-1][1] == theirs[-1][1] and
            is_same_name(ours[-1][0], theirs[-1][0]))
def without_lines(frames):
    """Without debug information, llvm-symbolizer takes a file from the symbol table, but no line."""
    return [(function, NOTHING[1] if at.endswith(":0") else at) for function, at in frames]

def is_only_symbol(ours, theirs):
    return len(theirs) == 1 and theirs[0][1] == ours[0][1] and is_same_name(ours[-1][0], theirs[0][0])

def same_callers(ours, theirs):
    return len(ours) == len(theirs) and (len(ours) == 1 or is_same(ours[1:], theirs[1:]))
def is_start_of_row(address, ours, theirs):
    """Are their callers ours of an address before this one, with nothing but the same line between?"""
    if ours[0] != theirs[0]:
        return False
    before = ask_us(range(address - MAX_ROW, address))
    for earlier in range(address - 1, address - MAX_ROW - 1, -1):
        frames = without_clones(before[earlier])
        if frames[0][1] != ours[0][1]:
            return False
        if same_callers(frames, theirs):
            return True
    return False

CLASSES = ["equal", "suffix", "alias", "padding", "symbol", "row", "llvm with us", "llvm with eu", "unexplained"]
def classify(address, ours, theirs, third):
    if ours == theirs:
        return "equal"
    ours, theirs, third = map(without_clones, (ours, theirs, third))
    if ours == theirs:
        return "suffix"
    if ours == [NOTHING] and theirs[0][0] == third[0][0] == "??":
        return "padding"
    if is_same(ours, theirs):
        return "alias"
    if is_same(ours, third) or ours[0][1] == NOTHING[1] and is_same(ours, without_lines(third)):
        return ("symbol" if is_only_symbol(ours, theirs) else
                "row" if is_start_of_row(address, ours, theirs) else "llvm with us")
    return "llvm with eu" if is_same(theirs, third) else "unexplained"

with open(folder + "/theirs", errors="surrogateescape") as lines:
    theirs = read(lines)
if is_cut == "yes" and theirs:
    theirs.popitem() # perhaps not whole
ours = ask_us(theirs)
differs = [address for address in theirs if ours[address] != theirs[address]]
third = ask(differs, "llvm-symbolizer", "--obj=" + program, "-a", "-f", "-i", "--no-demangle")
count = Counter()
with open(folder + "/unexplained", "a", errors="surrogateescape") as unexplained:
    for address in theirs:
        found = classify(address, ours[address], theirs[address], third.get(address, [NOTHING]))
        count[found] += 1
        if found == "unexplained":
            tell = lambda frames: " < ".join("%s %s" % frame for frame in frames)
            print("- %s 0x%x: we `%s`, eu `%s`, llvm `%s`" % (name, address, tell(ours[address]), tell(theirs[address]),
                                                              tell(third[address])), file=unexplained)
print("| %s | %d | %s |" % (name, len(theirs), " | ".join(str(count[c]) for c in CLASSES)))
PY

# The file that has the debug information and the symbols of FILE; fails where there is none.
debug_file() {
	local id file
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
	for file in "$1" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"; do
		if [ -f "$file" ] && readelf -SW "$file" 2>/dev/null | grep '\.debug_info' >/dev/null; then
			echo "$file"
			return
		fi
	done
	return 1
}

# compare NAME FILE: a row.
compare() {
	local name=$1 file=$2 debug status=0 is_cut=no
	debug=$(debug_file "$file") || { say "$name has no debug information"; return 0; }
	say "$name"
	random_addresses "$file" >"$WORK/list"
	timeout "$EU_SECONDS" stdbuf -oL eu-addr2line -a -f -i -e "$file" <"$WORK/list" >"$WORK/theirs" || status=$?
	case $status in
		0) ;;
		124) is_cut=yes ;;
		*) say "eu-addr2line ends with $status"; exit 2 ;;
	esac
	python3 "$WORK/classify.py" "$WORK" "$BUILD/firebreak-symbols" "$name" "$file" "$debug" $is_cut
}

# Column by column:
# - clone suffix: we print the symbol, with `.constprop.0` and the like, eu-addr2line the name in the debug information
# - alias: all is equal but for the name of the function with code of its own, and both names are symbols of one address,
#   such as C1 and C2 of a constructor, or functions that were merged because their code is the same
# - padding: no function covers the address, and eu-addr2line prints only the line of the code before it
# - no inlines: eu-addr2line goes down only into entries that have the address, so it does not find functions within a
#   namespace (Rust) or within another function (lambdas), nor those whose inlined code was declared in another unit
#   (link-time optimisation); it prints the symbol and the innermost line
# - start of the row: eu-addr2line -i lists the callers at the first address of the row of the line table
echo "| program | compared of $ADDRESSES | equal | clone suffix, which only we print | alias: another symbol of the address | padding: eu has a line only | no inlines in eu: function in a namespace or function, or declared in another unit | eu has the callers at the start of the row of lines | other, llvm agrees with us | llvm agrees with eu | unexplained |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
: >"$WORK/unexplained"
each_program compare
if [ -s "$WORK/unexplained" ]; then
	printf '\nUnexplained:\n\n'
	head -n 20 "$WORK/unexplained"
fi
