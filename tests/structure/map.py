#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""map.py: the map of the product's C code, as figures and as rules that fail.

A module is NAME.h with NAME.c. Prints include cycles between modules, the fullest folder, uses between modules against
the order of their folders (layers.txt), lines of C, the share of prototypes with a comment, the share of
comment lines in sources, which modules of gate/ that decide have a unit test, which files outside compare/ assign a
verdict, and the calls from gate_benchmark() to both judges. Ends with 1 if modules include each other in a circle, if one includes another whose folder comes later in
layers.txt, if a folder has more than MAX_MODULES, if a prototype has no comment, or if more than MAX_UNTESTED modules of
gate/ that decide have no unit test. Runs in the root of the repository.
"""
import collections
import os
import re
import signal
import sys

LAYERS = "core model profile runner baselines compare report gate cli".split()
MAX_MODULES = 30
MIN_COMMENTED_PERCENT = 100
MAX_UNTESTED = 0  # modules of gate/ that decide; may only become fewer
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
PROTOTYPE = re.compile(r"^[A-Za-z].*\b([a-z][a-z0-9_]+)\s*\(")
NO_PROTOTYPE = ("typedef", "G_", "#", "static inline", "struct", "enum", "extern")
DEFINITION = re.compile(r"^(static )?(?:[A-Za-z_][\w \*]*[ \*])?([a-z]\w*)\([^;{}]*\)\n\{\n(.*?)^\}", re.M | re.S)
NO_JUDGES = ("compare/", "report/json/", "report/flame/flamediff.c", "baselines/calibrationtext.c")
VERDICT = re.compile(r"(?:->|\.)verdict = ")
DECISION = re.compile(r"\b(?:if|switch) \(|\s\? ")  # a module without any only hands on
SELF_EXPLAINING = re.compile(r"_(new|free|ref|unref|clear)$")


def module_of(path):
    return os.path.splitext(path)[0]


def read_sources():
    paths = [os.path.join(folder, name) for layer in LAYERS for folder, _, names in os.walk(layer) for name in names]
    return {path: open(path).read() for path in sorted(paths) if path.endswith((".c", ".h"))}


def includes(sources):
    modules = {module_of(path) for path in sources}
    graph = {module: set() for module in modules}
    for path, text in sources.items():
        targets = {module_of(header) for header in INCLUDE.findall(text)}
        graph[module_of(path)] |= (targets & modules) - {module_of(path)}
    return graph


def reach(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        for target in graph[waiting.pop()] - seen:
            seen.add(target)
            waiting.append(target)
    return seen


def find_cycles(graph):
    """The sets of modules that all reach each other, as sorted lists."""
    reached = {module: reach(graph, module) for module in graph}
    cycles = set()
    for module in graph:
        if module in reached[module]:
            cycles.add(tuple(sorted(other for other in reached[module] if module in reached[other])))
    return sorted(cycles)


def without_comment(sources):
    """The number of prototypes of headers that need a comment in the line above, and `file:line: name` of those that lack it."""
    needed, lacking = 0, []
    for path, text in sources.items():
        lines = text.split("\n") if path.endswith(".h") else []
        for i, line in enumerate(lines):
            found = PROTOTYPE.match(line)
            if not found or line.startswith(NO_PROTOTYPE) or SELF_EXPLAINING.search(found.group(1)):
                continue
            end = next((later for later in lines[i:] if ";" in later or "{" in later), "{")
            if ";" in end:
                needed += 1
                if not lines[i - 1].rstrip().endswith("*/"):
                    lacking.append(f"{path}:{i + 1}: {found.group(1)}() has no comment right above")
    return needed, lacking


def comment_lines(text):
    """Lines that are nothing but a comment, or a part of one; the line of the licence is none."""
    n, inside = 0, False
    for line in (line.strip() for line in text.split("\n") if "SPDX-License" not in line):
        begins = inside or line.startswith(("/*", "//"))
        n += begins and (inside or line.startswith("//") or "*/" not in line or line.endswith("*/"))
        inside = begins and not line.startswith("//") and "*/" not in line
    return n


def comment_share(sources):
    """The share of comment lines in the sources, in percent; headers, which are manuals, do not count."""
    texts = [text for path, text in sources.items() if path.endswith(".c")]
    return 100 * sum(map(comment_lines, texts)) / max(sum(text.count("\n") for text in texts), 1)


def against_order(graph):
    """Includes of modules whose folder stands below that of the including one in layers.txt."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.txt")
    order = [line.split(":")[0] for line in open(path) if ":" in line and not line.startswith("#")]
    place = {folder: i for i, folder in enumerate(order)}
    uses = [(a, b) for a in sorted(graph) for b in sorted(graph[a])]
    return [f"{a} uses {b}, whose folder comes later in layers.txt" for a, b in uses
            if place.get(os.path.dirname(a), len(place)) < place.get(os.path.dirname(b), -1)]


def deciding_modules(sources, layer):
    """Modules of a layer that decide something, and those of them that lack a unit test."""
    modules = [module_of(path) for path, text in sources.items()
               if path.startswith(layer + "/") and path.endswith(".c") and DECISION.search(text)]
    return modules, [module for module in modules if not os.path.exists(f"tests/{module}_test.c")]


def judges(sources):
    """Files that assign a verdict outside compare/; those that read or draw one do not decide it."""
    return [path for path, text in sources.items() if not path.startswith(NO_JUDGES) and VERDICT.search(text)]


def hops(sources, start, end):
    """Calls from one function to another on the shortest way; None if there is none. A static one is its file's own."""
    calls = {}
    for path, text in sources.items():
        for kind, name, body in DEFINITION.findall(text):
            node = (path if kind else "", name)
            calls.setdefault(node, set()).update((path, word) for word in re.findall(r"\b([a-z]\w*)\b", body))
    seen, layer, n = {("", start)}, {("", start)}, 0
    while layer and ("", end) not in layer:
        called = {call if call in calls else ("", call[1]) for node in layer for call in calls.get(node, ())}
        layer = {node for node in called if node in calls} - seen
        seen |= layer
        n += 1
    return n if layer else None


def main():
    sources = read_sources()
    graph = includes(sources)
    cycles = find_cycles(graph)
    folders = collections.Counter(os.path.dirname(module) for module in graph)
    folder, most = folders.most_common(1)[0]
    needed, lacking = without_comment(sources)
    percent = 100 * (needed - len(lacking)) // max(needed, 1)
    gate, untested = deciding_modules(sources, "gate")
    lines = sum(text.count("\n") for text in sources.values())
    print(f"{len(graph)} modules in {len(folders)} folders, the fullest is {folder}/ with {most}")
    print(f"{len(cycles)} include cycles, the largest of {max(map(len, cycles), default=0)} modules")
    print(f"{lines} lines of C, {percent} % of {needed} prototypes with a comment")
    print(f"comment lines of sources: {comment_share(sources):.1f} %")
    against = against_order(graph)
    print(f"{len(against)} uses between modules against the order of the folders in layers.txt")
    print(f"{len(gate)} modules of gate/ that decide, {len(gate) - len(untested)} with a unit test of their own")
    print("modules of gate/ that decide and lack one: " + (" ".join(untested) or "none"))
    print("files that assign a verdict outside compare/: " + (" ".join(judges(sources)) or "none"))
    for judge in ("compare_benchmark", "compare_counted"):
        print(f"calls from gate_benchmark() to {judge}(): {hops(sources, 'gate_benchmark', judge)}")
    failed = 1 if against or len(untested) > MAX_UNTESTED else 0
    print("\n".join(against), end="\n" if against else "")
    for cycle in cycles:
        print("modules that include each other in a circle: " + " ".join(cycle))
        failed = 1
    if needed > 0 and percent < MIN_COMMENTED_PERCENT:
        print("\n".join(lacking))
        failed = 1
    for folder, n in sorted(folders.items()):
        if n > MAX_MODULES:
            print(f"{folder}/ has {n} modules, more than {MAX_MODULES}: give them sub-folders")
            failed = 1
    return failed


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough is no error
    sys.exit(main())
