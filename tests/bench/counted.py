#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of tests/bench/counted.sh. usage: counted.py repeat|sums|planted|cost|environment ARGUMENT..."""
import bisect
import glob
import json
import os
import re
import statistics
import sys
from collections import defaultdict


def rows_of(path, kind):
    """The lines of a file that begin with that word, as lists of the other fields."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return [line[1:] for line in lines if line[0] == kind]


def table(*columns):
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def millions(n):
    return f"{n / 1e6:.1f} M" if n >= 1e6 else str(n)


def percent(part, whole):
    """As many places as it takes to see that it is not nothing."""
    if part == 0 or whole == 0:
        return "0"
    share = 100 * part / whole
    return f"{share:.{max(1, 2 - int(f'{share:e}'.split('e')[1]))}f} %" if abs(share) < 1 else f"{share:.1f} %"


def named(arguments):
    return [argument.rsplit("=", 1) for argument in arguments]


# --- repeat: does it?

def repeat(arguments):
    table("program", "instructions", "processes", "runs", "distinct totals", "spread of the total", "functions",
          "of them not the same in all runs", "the least steady one")
    for name, path in named(arguments):
        runs = rows_of(path, "run")
        totals = [int(run[0]) for run in runs]
        middle = int(statistics.median(totals))
        functions = [(int(most) - int(least), f"`{function}`") for least, most, function, _ in rows_of(path, "function")]
        unsteady = sorted((f for f in functions if f[0] > 0), reverse=True)
        worst = f"{unsteady[0][1]}: {percent(unsteady[0][0], middle)} of the total" if unsteady else "-"
        row(name, millions(middle), runs[0][6], len(runs), len(set(totals)),
            percent(max(totals) - min(totals), middle), len(functions), len(unsteady), worst)
    print()


# --- sums: the same as others say?

UNKNOWN = "[unknown]"
BELOW_MAIN = {"(below main)", "__libc_start_main", "__libc_start_call_main", "__libc_start_main_impl", "_start"}


def costs_of(path):
    costs = defaultdict(int)
    for cost, name, module in rows_of(path, "function"):
        costs[module, UNKNOWN if name.endswith("@plt") else name] += int(cost)
    return costs


class Symbols:
    """Names from the symbol tables, which firebreak has no part in: which function is where, and which names are one."""

    def __init__(self, path):
        self.parents, by_address, self.ranges, self.modules = {}, {}, defaultdict(list), {}
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                path, address, size, name, module = line.rstrip("\n").split("\t")
                key = module, name.split("@")[0]
                self.modules[path] = module
                self.ranges[path].append((int(address, 16), int(size, 16), key))
                self.join(key, by_address.setdefault((path, address), key))
        for symbols in self.ranges.values():
            symbols.sort(key=lambda symbol: symbol[:2])

    def group(self, key):
        """The same for all names of one address, and for all functions of one name."""
        while self.parents.get(key, key) != key:
            key = self.parents[key]
        return key

    def join(self, a, b):
        a, b = self.group(a), self.group(b)
        self.parents[max(a, b)] = min(a, b)

    def at(self, path, address):
        """The group of the function there. A symbol without size reaches to the next one."""
        symbols = self.ranges.get(path, [])
        first = bisect.bisect_right(symbols, address, key=lambda symbol: symbol[0])
        for i in range(first - 1, max(first - 9, -1), -1):
            start, size, key = symbols[i]
            if address < start + size or (size == 0 and i == first - 1):
                return self.group(key)
        return (self.modules.get(path, ""), UNKNOWN)


def costs_by_address(paths, symbols):
    """Self cost of the functions at the addresses in dumps, whatever functions the dumps name there."""
    costs = defaultdict(int)
    for path in paths:
        by_address, objects, current, address, is_call = defaultdict(int), {}, "", 0, False
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                if line.startswith(("ob=", "cob=")):
                    number, _, name = line.rstrip("\n").split("=", 1)[1].partition(" ")
                    if name:
                        objects[number] = name
                    if line.startswith("ob="):
                        current = objects[number]
                elif line.startswith("calls="):
                    is_call = True
                elif line[0] in "0123456789+-*":
                    where, _, *cost = line.split()
                    address = (address if where == "*" else int(where, 16) if where.startswith("0x") else address + int(where))
                    if not is_call and cost:
                        by_address[current, address] += int(cost[0])
                    is_call = False
        for (name, where), cost in by_address.items():
            costs[symbols.at(name, where)] += cost
    return costs


def grouped(costs, group_of):
    sums, members = defaultdict(int), defaultdict(list)
    for key, cost in costs.items():
        sums[group_of(key)] += cost
        members[group_of(key)].append(key)
    return sums, members


def settle(ours, theirs, group_of):
    """Takes groups of functions whose sums are equal out of both; returns how many functions of theirs that were."""
    (a, our_members), (b, their_members) = grouped(ours, group_of), grouped(theirs, group_of)
    count = 0
    for group in set(a) & set(b):
        if a[group] == b[group]:
            count += len(their_members[group])
            for costs, members in ((ours, our_members), (theirs, their_members)):
                for key in members[group]:
                    del costs[key]
    return count


def explain(ours, theirs, by_address, group):
    """The same for functions to which callgrind adds code of others, or the other way round: what firebreak says is
    what lies at their addresses."""
    (a, our_members), (_, their_members) = grouped(ours, group), grouped(theirs, group)
    count = 0
    for name in set(our_members) | set(their_members):
        if a.get(name, 0) == by_address.get(name, 0):
            count += len(their_members.get(name, []))
            for costs, members in ((ours, our_members), (theirs, their_members)):
                for key in members.get(name, []):
                    del costs[key]
    return count


def sums(arguments):
    table("program", "`Collected`", "sum over all call paths", "functions", "equal", "equal under another name of that address",
          "equal by address", "rest", "instructions in the rest")
    details = []
    for name, folder in named(arguments):
        with open(folder + "/log", encoding="utf-8", errors="surrogateescape") as file:
            collected = sum(int(n) for n in re.findall(r"Collected : (\d+)", file.read()))
        total = int(rows_of(folder + "/ours", "total")[0][0])
        ours, theirs = costs_of(folder + "/ours"), costs_of(folder + "/theirs")
        n_functions, symbols = len(theirs), Symbols(folder + "/symbols")
        group = lambda key: (key[0], "_start") if key[1] in BELOW_MAIN else symbols.group(key)
        equal, alias = settle(ours, theirs, lambda key: key), settle(ours, theirs, group)
        by_address = costs_by_address(sorted(glob.glob(folder + "/callgrind.*")), symbols)
        moved = explain(ours, theirs, grouped(by_address, group)[0], group)
        row(name, collected, "the same" if total == collected else total, n_functions, equal, alias, moved, len(theirs),
            percent(sum(theirs.values()), collected))
        for label, costs in (("firebreak", ours), ("callgrind_annotate", theirs)):
            for (module, function), cost in sorted(costs.items(), key=lambda item: (-item[1], item[0]))[:12]:
                details.append(f"{name}, {label}: {cost} {function} of {module or 'no object file'}")
    print()
    print("\n".join(details))
    if details:
        print()


# --- planted: found and named?

def planted(arguments):
    found = first = checks = 0
    runs = set()
    sizes = (".1", ".2", ".5")
    table("function", *(f"{size} %" for size in sizes))
    results = defaultdict(dict)
    for path in glob.glob(arguments[0] + "/*/report.json"):
        function, size = re.fullmatch(r"(.*?)\.(\.\d|0)", os.path.basename(os.path.dirname(path))).groups()
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        if not report["benchmarks"] or not report["benchmarks"][0].get("metrics"):
            results[function][size] = "error: " + str(report.get("reason"))
            continue
        benchmark = report["benchmarks"][0]
        metric = [m for m in benchmark["metrics"] if m["name"] == "instructions"][0]
        accused = [f["name"] for f in benchmark["functions"] if f["class"] in ("regression", "new")]
        if function != "none":
            checks, found, first = checks + 1, found + (report["exit_code"] == 1), first + (accused[:1] == [function])
        runs.add((benchmark.get("base_source"), metric["rounds"]))
        results[function][size] = f"{metric['change_pct']:+.3f} %, " + (
            "passes" if report["exit_code"] == 0 else
            "found, named first" if accused[:1] == [function] else f"found, but {accused[:1]} leads" if report["exit_code"] == 1 else
            f"exit code {report['exit_code']}")
    for function, cells in sorted(results.items()):
        if function != "none":
            row(f"`{function}`", *(cells.get(size, "-") for size in sizes))
    print()
    print(f"{found} of {checks} found, {first} named first; base {', '.join(sorted(str(s) for s, _ in runs))}; "
          f"runs of head: {', '.join(sorted(str(n) for _, n in runs))}; a comment: {results['none'].get('0', '-')}.")
    print()


# --- cost

def seconds(path):
    return statistics.median(float(run[1]) for run in rows_of(path, "run"))


def cost(arguments):
    prefix, programs = arguments[0], arguments[1:]
    table("program", "native", "counted", "with `cache`", "with `heap`", "with both", "reading it")
    for name in programs:
        native = statistics.median(float(line[0]) for line in rows_of(f"{prefix}.{name}.native", "native"))
        cells = []
        for kind in ("counts", "cache", "heap", "all"):
            wall = seconds(f"{prefix}.{name}.{kind}")
            cells.append(f"{wall:.1f} s, {wall / native:.0f} x")
        runs = len(rows_of(f"{prefix}.{name}.counts", "run"))
        fold = float(rows_of(f"{prefix}.{name}.counts", "fold")[0][0]) / runs
        row(name, f"{1000 * native:.0f} ms", *cells, f"{fold:.2f} s")
    print()
    table("program", "call_depth", "counted", "dumps", "contexts", "of them without their outermost callers", "their instructions")
    for name in programs:
        for depth in (16, 32, 48, 100):
            run = rows_of(f"{prefix}.{name}.depth.{depth}", "run")[0]
            row(name, depth, f"{float(run[1]):.1f} s", f"{int(run[2]) / 1e6:.2f} MB", run[3], run[4],
                percent(int(run[5]), int(run[0])))
    print()


# --- environment

def folded(path):
    functions = defaultdict(int)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            stack, count = line.rsplit(" ", 1)
            functions[stack.rsplit(";", 1)[-1]] += int(count)
    return functions


def environment(arguments):
    folder, programs = arguments[0], arguments[1:]
    table("what is different", *programs)
    usual = {name: folded(f"{folder}/as it is/{name}.head.folded") for name in programs}
    for place in sorted(os.listdir(folder)):
        if place == "as it is" or not os.path.isdir(f"{folder}/{place}"):
            continue
        cells = []
        for name in programs:
            path = f"{folder}/{place}/{name}.head.folded"
            if not os.path.exists(path):
                cells.append("not measured")
                continue
            here = folded(path)
            differing = [f for f in set(here) | set(usual[name]) if here[f] != usual[name][f]]
            change = sum(here.values()) - sum(usual[name].values())
            cells.append("the same" if not differing else
                         f"{change:+d} instructions; not the same in {len(differing)} of the functions: " +
                         ", ".join(f"`{f}` {here[f] - usual[name][f]:+d}" for f in sorted(differing)[:4]))
        row(place, *cells)
    print()


if __name__ == "__main__":
    {"repeat": repeat, "sums": sums, "planted": planted, "cost": cost, "environment": environment}[sys.argv[1]](sys.argv[2:])
