#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation run: is the verdict code held by its tests?

usage: mutate.py [--every N] [--jobs N] [--list] [FILE...]

Changes one place of one source file at a time (an operator turned, a condition forced, a check removed, a number off by
one), builds the tests of its layer and runs them, that of the module itself first. FILE is a path, or the name of a module. A mutant that no test notices has survived. Prints the survivors and a
table; ends with 1 if fewer than 90 % were killed. Mutants that do not compile, or give the same object code, do not count.
--every takes every N-th mutant only, always the same ones. SOURCE_DIR is the repository; its working tree is copied, not
touched. A mutant that survives the plain build is tried once more with sanitizers, as ./dev test does.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE_DIR = os.environ.get("SOURCE_DIR", os.getcwd())
DEFAULT = ["attribution", "confirmation", "contamination", "culprit", "endpoints", "enginepair", "counted", "countedbase",
           "countedfunctions", "countedtotals", "exitcodes", "looks", "measured", "outcome", "policy", "reasons", "result",
           "selftest", "signedrank", "totals", "verdict", "waiting"]
LAYERS = ["compare", "gate"]
TEST_SECONDS = 60
GOAL = .90

# Pairs: a pattern that is looked for, and the text that it becomes.
SWAPS = [(r" <= ", " < "), (r" >= ", " > "), (r" < ", " <= "), (r" > ", " >= "), (r" == ", " != "), (r" != ", " == "),
         (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "),
         (r"\bTRUE\b", "FALSE"), (r"\bFALSE\b", "TRUE"), (r"(?<=[(& |])!(?=[a-z])", ""), (r"\bMIN\(", "MAX("),
         (r"\bMAX\(", "MIN("), (r"(?<=[ (\[])1(?=[;)\] ,])", "2"), (r"(?<=[ (\[])0(?=[;)\] ,])", "1"),
         (r"\blower\b(?=;| [<>])", "upper"), (r"\+\+", "--")]
CONDITION = re.compile(r"^(\s*(?:\} else )?if )\((.*)\)( \{)?$")


def without_comments(lines):
    """TRUE for lines that hold code that can be changed: no comments, directives, or declarations of constants."""
    inside, result = False, []
    for line in lines:
        code = not inside and not line.lstrip().startswith(("/*", "*", "#", "//")) and line.strip() not in ("", "{", "}")
        if "/*" in line and "*/" not in line[line.index("/*"):]:
            inside = True
        elif "*/" in line:
            inside = False
        result.append(code)
    return result


def outside_text(line, at):
    """TRUE if position `at` is not inside a string literal."""
    return line[:at].replace('\\"', "").count('"') % 2 == 0


def mutants_of(path):
    with open(os.path.join(SOURCE_DIR, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    code = without_comments(lines)
    for number, line in enumerate(lines):
        if not code[number] or re.search(r"g_assert|g_new|g_array_new|g_array_sized_new|g_ptr_array_new", line):
            continue
        for pattern, other in SWAPS:
            for match in re.finditer(pattern, line):
                if outside_text(line, match.start()):
                    yield number, line[:match.start()] + other + line[match.end():]
        condition = CONDITION.match(line)
        if condition:
            for forced in ("0", "1"):
                yield number, f"{condition.group(1)}({forced} && ({condition.group(2)}))".replace("1 && (", "1 || (") + (
                    condition.group(3) or "")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"mutate: {' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def layer_of(path):
    return path.split("/")[0]


def path_of(name):
    """The source of a module that is named by its path or by its name alone."""
    if os.path.exists(os.path.join(SOURCE_DIR, name)):
        return name
    found = [path for layer in LAYERS
             for path in glob.glob(f"{layer}/**/{name}.c", root_dir=SOURCE_DIR, recursive=True)]
    if len(found) != 1:
        sys.exit(f"mutate: {len(found)} sources of a module {name} in {', '.join(LAYERS)}")
    return found[0]


class Build:
    """A build of the tests of some layers from a copy of the sources."""

    def __init__(self, source, folder, flags, layers):
        self.folder = folder
        run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", *flags])
        self.tests = {}
        for layer in layers:
            found = glob.glob("**/*_test.c", root_dir=os.path.join(source, "tests", layer), recursive=True)
            self.tests[layer] = sorted(os.path.basename(path)[:-2] for path in found)
            run(["ninja", "-C", folder, layer, *self.tests[layer]])

    @staticmethod
    def object_name(path):
        layer = layer_of(path)
        return f"{layer}/CMakeFiles/{layer}.dir/{path[len(layer) + 1:]}.o"

    def object_hash(self, path):
        with open(os.path.join(self.folder, self.object_name(path)), "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def make(self, *targets):
        return subprocess.run(["ninja", "-C", self.folder, *targets], capture_output=True, check=False).returncode == 0

    def test(self, name):
        try:
            done = subprocess.run([os.path.join(self.folder, "tests", name)], capture_output=True, check=False,
                                  timeout=TEST_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def passes(self, path):
        """TRUE if all tests of the layer pass. That of the module itself, which notices most, is linked and run alone."""
        own = os.path.basename(path)[:-2] + "_test"
        others = [test for test in self.tests[layer_of(path)] if test != own]
        if len(others) < len(self.tests[layer_of(path)]) and not (self.make(own) and self.test(own)):
            return False
        return self.make(*others) and all(self.test(test) for test in others)


class Worker:
    """A copy of the sources with two builds of its own."""

    def __init__(self, folder, layers):
        self.source = os.path.join(folder, "source")
        shutil.copytree(SOURCE_DIR, self.source, ignore=shutil.ignore_patterns("build", ".git", "firebreak-out"))
        self.plain = Build(self.source, os.path.join(folder, "plain"), ["-DCMAKE_C_FLAGS=-O1 -g0"], layers)
        self.strict = Build(self.source, os.path.join(folder, "strict"),
                            ["-DCMAKE_C_FLAGS=-O1 -g0", "-DFIREBREAK_SANITIZE=address,undefined"], layers)

    def judge(self, path, number, changed):
        """"killed", "survived", "same" (code) or "invalid" (does not compile)."""
        name = os.path.join(self.source, path)
        with open(name, encoding="utf-8") as file:
            original = file.read()
        before = self.plain.object_hash(path)
        lines = original.split("\n")
        lines[number] = changed
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
            if not self.plain.make(self.plain.object_name(path)):
                return "invalid"
            if self.plain.object_hash(path) == before:
                return "same"
            return "survived" if self.plain.passes(path) and self.strict.passes(path) else "killed"
        finally:
            with open(name, "w", encoding="utf-8") as file:
                file.write(original)
            self.plain.make(self.plain.object_name(path))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = [path_of(name) for name in options.files or DEFAULT]
    layers = sorted({layer_of(path) for path in files})
    mutants = [(path, number, changed) for path in files for number, changed in mutants_of(path)][::options.every]
    if options.list:
        for path, number, changed in mutants:
            print(f"{path}:{number + 1}: {changed.strip()}")
        return 0

    with tempfile.TemporaryDirectory() as folder:
        workers = [Worker(os.path.join(folder, str(job)), layers) for job in range(options.jobs)]
        if not workers[0].plain.passes(files[0]) or not workers[0].strict.passes(files[0]):
            sys.exit("mutate: the tests fail without any mutant")
        counts = {path: {"killed": 0, "survived": 0, "same": 0, "invalid": 0} for path in files}

        def work(job):
            for path, number, changed in mutants[job::options.jobs]:
                verdict = workers[job].judge(path, number, changed)
                counts[path][verdict] += 1
                if verdict == "survived":
                    print(f"survived: {path}:{number + 1}: {changed.strip()}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, range(options.jobs)))

    print("\n| file | mutants | killed | survived | share killed |\n|---|---|---|---|---|")
    total = {"killed": 0, "survived": 0}
    for path in files:
        killed, survived = counts[path]["killed"], counts[path]["survived"]
        total["killed"] += killed
        total["survived"] += survived
        if killed + survived:
            print(f"| {path} | {killed + survived} | {killed} | {survived} | {100 * killed / (killed + survived):.1f} % |")
    judged = total["killed"] + total["survived"]
    print(f"| all | {judged} | {total['killed']} | {total['survived']} | {100 * total['killed'] / max(judged, 1):.1f} % |")
    return 0 if judged and total["killed"] >= GOAL * judged else 1


sys.exit(main())
