#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""top_perf.py FIREBREAK DATA WHAT...: `firebreak top` shows the shares of `perf report --stdio` of the same recording.

WHAT is one of the names of CASES, `calls:NAME` for callers and callees of a function, beside the stacks of `perf script`,
or `addresses:MODULE` for addresses of code without names. Prints what differs by more than a rounding; exit code 1 then."""
import json
import re
import subprocess
import sys
from collections import Counter

ROUNDING_PP = 0.0051  # perf report prints two decimals
MIN_PCT = 1  # a sample or two of the loader, whose files and lines perf names in another way
FIREBREAK, DATA = sys.argv[1:3]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def report(sort, *options):
    """The rows of perf report: the numbers in percent and the keys, stripped."""
    text = run("perf", "report", "--stdio", "-i", DATA, "-g", "none", "--percent-limit", "0", "--sort", sort, "-t", "|", *options)
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if line.strip() and not line.startswith("#"):
            n = sum(cell.endswith("%") for cell in cells)
            yield [float(cell[:-1]) for cell in cells[:n]], tuple(cells[n:])


def top(*options):
    return json.loads(run(FIREBREAK, "top", "--json", "-n", "0", *options, DATA))


def base(path):
    """perf names a file without lines or a place without a file in other words."""
    return re.sub(r"^\[unknown\]$|^.*\[[0-9a-f]+\]$|^.*\+0x[0-9a-f]+$|^.*:0$", "", (path or "").rsplit("/", 1)[-1]).replace("[kernel.kallsyms]", "[kernel]")


def symbol(text):
    return re.sub(r"^\[.\] ", "", text)


def summed(rows):
    sums = Counter()
    for key, share in rows:
        sums[key] += share
    return sums


def differ(what, theirs, ours, slack_rows=None):
    """Compares shares by key, but for those that round to nothing."""
    wrong = []
    for key in sorted(set(theirs) | set(ours), key=str):
        a, b = theirs.get(key, 0), ours.get(key, 0)
        if max(a, b) < MIN_PCT:
            continue
        slack = ROUNDING_PP * (slack_rows or {}).get(key, 1)
        if abs(a - b) > slack:
            wrong.append(f"{what}: {key}: perf {a:.2f} %, firebreak {b:.2f} %")
    if not any(theirs.values()):
        wrong.append(f"{what}: perf report shows nothing")
    return wrong


def by(sort, keys, make, their_key):
    """Self cost by some keys: rows of perf that have one key in common add up, and so do their roundings."""
    rows = [(their_key(cells), shares[0]) for shares, cells in report(sort, "--no-children")]
    ours = summed((make(g["keys"]), g["self_pct"]) for g in top("--by", keys)["groups"])
    return differ(f"{keys}, self", summed(rows), ours, Counter(key for key, _ in rows))


def functions_inclusive():
    rows = [(symbol(cells[0]), shares[0]) for shares, cells in report("sym", "--children")]
    seen = {name for name, _ in rows}
    ours = summed((f["name"], f["inclusive_pct"]) for f in top()["functions"] if f["name"] in seen)
    return differ("function, inclusive", summed(rows), ours)


def stacks():
    """The stacks of perf script, leaf first, as names; its samples are blocks with a blank line after them."""
    text = run("perf", "script", "-i", DATA, "-F", "ip,sym", "--no-inline")
    for block in text.strip("\n").split("\n\n"):
        yield [line.split(None, 1)[1].strip() for line in block.splitlines() if line.strip()]


def calls(name):
    """A stack counts once: for the caller of the outermost frame of that name, and for the callee of the innermost."""
    n, callers, callees = 0, Counter(), Counter()
    for stack in stacks():
        if name in stack:
            n += 1
            outermost = len(stack) - 1 - stack[::-1].index(name)
            callers[stack[outermost + 1] if outermost + 1 < len(stack) else ""] += 1
            innermost = stack.index(name)
            callees[stack[innermost - 1] if innermost > 0 else ""] += 1
    found = top("--function", name)["calls"]
    wrong = [] if n > 0 else [f"perf script has no {name}"]
    for what, wanted in (("callers", callers), ("callees", callees)):
        got = {row["name"]: row["cost"] for row in found[what]}
        wanted = {key: count for key, count in wanted.items() if key}
        if got != wanted:
            wrong.append(f"{what} of {name}: perf {wanted}, firebreak {got}")
    return wrong


def addresses(module):
    """Code without names: perf report has a row for each address."""
    rows = [(int(symbol(cells[0]), 16), shares[0]) for shares, cells in report("sym,dso", "--no-children")
            if cells[1] == module and symbol(cells[0]).startswith("0x")]
    ours = {int(f["name"].split("<")[1].rstrip(">]"), 16): f["self_pct"] for f in top("--addresses")["functions"]
            if f["module"] == module and "<" in f["name"] and f["self_pct"] > 0}
    return differ(f"addresses of {module}", summed(rows), ours)


CASES = {
    "functions": lambda: by("sym,dso", "function,module", lambda k: (k["function"], k["module"]), lambda c: (symbol(c[0]), base(c[1]))),
    "modules": lambda: by("dso", "module", lambda k: k["module"], lambda c: base(c[0])),
    "commands": lambda: by("comm", "command", lambda k: k["command"], lambda c: c[0]),
    # perf calls the key "pid", and prints the number of the thread
    "threads": lambda: by("pid", "thread", lambda k: int(k["thread"]), lambda c: int(c[0].split(":")[0])),
    "cpus": lambda: by("cpu", "cpu", lambda k: int(k["cpu"]), lambda c: int(c[0])),
    "lines": lambda: by("srcline", "line", lambda k: base(k["line"]), lambda c: base(c[0])),
    "inclusive": functions_inclusive,
}

wrong = []
for what in sys.argv[3:]:
    name, _, of = what.partition(":")
    wrong += {"calls": calls, "addresses": addresses}[name](of) if of else CASES[name]()
print("\n".join(wrong))
sys.exit(bool(wrong))
