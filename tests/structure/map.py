#!/usr/bin/env python3
"""map.py: the map of the product's C code, as figures and as rules that fail.

A module is NAME.h with NAME.c. Prints include cycles between modules, the fullest folder, lines of C and the share of
prototypes with a comment. Ends with 1 if there is a cycle that cycles.txt beside this file does not list, if one of
those is gone or smaller (then its line is to be removed or shortened), or if a folder has more than MAX_MODULES.

    map.py          in the root of the repository
    map.py --list   prints the cycles as cycles.txt has them
"""
import collections
import os
import re
import sys

LAYERS = "core model profile runner baselines compare report gate cli".split()
MAX_MODULES = 30
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
PROTOTYPE = re.compile(r"^[A-Za-z].*\b([a-z][a-z0-9_]+)\s*\(")
NO_PROTOTYPE = ("typedef", "G_", "#", "static inline", "struct", "enum", "extern")
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


def listed_cycles():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cycles.txt")
    lines = [line for line in open(path) if line.strip() and not line.startswith("#")]
    return sorted(tuple(line.split()) for line in lines)


def commented(sources):
    """Prototypes in headers that need a comment, and those that have one in the line above."""
    needed = have = 0
    for path, text in sources.items():
        lines = text.split("\n") if path.endswith(".h") else []
        for i, line in enumerate(lines):
            found = PROTOTYPE.match(line)
            if not found or line.startswith(NO_PROTOTYPE) or SELF_EXPLAINING.search(found.group(1)):
                continue
            end = next((later for later in lines[i:] if ";" in later or "{" in later), "{")
            if ";" in end:
                needed += 1
                have += lines[i - 1].rstrip().endswith("*/")
    return needed, have


def main():
    sources = read_sources()
    graph = includes(sources)
    cycles = find_cycles(graph)
    if sys.argv[1:] == ["--list"]:
        print("\n".join(" ".join(cycle) for cycle in cycles))
        return 0
    folders = collections.Counter(os.path.dirname(module) for module in graph)
    folder, most = folders.most_common(1)[0]
    needed, have = commented(sources)
    lines = sum(text.count("\n") for text in sources.values())
    print(f"{len(graph)} modules in {len(folders)} folders, the fullest is {folder}/ with {most}")
    print(f"{len(cycles)} include cycles, the largest of {max(map(len, cycles), default=0)} modules")
    print(f"{lines} lines of C, {100 * have // max(needed, 1)} % of {needed} prototypes with a comment")
    listed, failed = listed_cycles(), 0
    for cycle in cycles:
        if cycle not in listed:
            print("a cycle that cycles.txt does not list: " + " ".join(cycle))
            failed = 1
    for cycle in listed:
        if cycle not in cycles:
            print("cycles.txt lists a cycle that is not there any more: " + " ".join(cycle))
            failed = 1
    for folder, n in sorted(folders.items()):
        if n > MAX_MODULES:
            print(f"{folder}/ has {n} modules, more than {MAX_MODULES}: give them sub-folders")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
