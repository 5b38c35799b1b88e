#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores change points against data that others published.

    changepoints.py PROGRAM TCPD OTAVA

PROGRAM is tests/bench/changepoints.c as built, TCPD a clone of github.com/alan-turing-institute/TCPD, OTAVA one of
github.com/apache/otava. Covering and F1 (margin 5) are those of van den Burg and Williams, arXiv 2003.06222: means over
the annotators of a series, and of those over the series. Series of more than one dimension, and those that the clone has
a script for instead of values, are left out. -v prints each series."""
import ast, json, pathlib, subprocess, sys

MARGIN = 5
# Other methods refuse series with missing values, so what is published of them is without this one.
GAPS = ["uk_coal_employ"]


def segments(changes, n):
    ends = sorted(set(changes) - {0}) + [n]
    return [(first, end) for first, end in zip([0] + ends[:-1], ends) if first < end]


def overlap(a, b):
    both = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return both / (a[1] - a[0] + b[1] - b[0] - both)


def covering(annotations, changes, n):
    """Mean over the annotators of the share of the series that is covered as they divided it."""
    ours = segments(changes, n)
    def of(own):
        return sum((s[1] - s[0]) * max(overlap(s, o) for o in ours) for s in segments(own, n)) / n
    return sum(of(own) for own in annotations) / len(annotations)


def hits(truth, found):
    """Changes of `truth` with one of `found` within the margin, each of which counts once."""
    left, hit = sorted(found), 0
    for t in sorted(truth):
        near = [f for f in left if abs(f - t) <= MARGIN]
        if near:
            left.remove(min(near, key=lambda f: abs(f - t)))
            hit += 1
    return hit


def f1(annotations, changes):
    truths, found = [set(own) | {0} for own in annotations], set(changes) | {0}
    precision = hits(set.union(*truths), found) / len(found)
    recall = sum(hits(t, found) / len(t) for t in truths) / len(truths)
    return 2 * precision * recall / (precision + recall)


def ask(program, series):
    lines = "".join(f"{name} {' '.join(map(repr, values))}\n" for name, values in series.items())
    out = subprocess.run([program, "read"], input=lines, capture_output=True, text=True, check=True).stdout
    return {name: [(int(at), float(size)) for at, size in (f.split(":") for f in found)]
            for name, *found in (line.split() for line in out.splitlines())}


def filled(values):
    """A value that is missing is the one before it."""
    out = []
    for value in values:
        out.append(value if value is not None else out[-1] if out else 0.0)
    return out


def read_tcpd(folder):
    series = {}
    for path in sorted(folder.glob("datasets/*/*.json")):
        data = json.loads(path.read_text())
        if data["n_dim"] == 1:
            series[data["name"]] = filled(data["series"][0]["raw"])
    return series


def tcpd(program, folder, verbose):
    series, truths = read_tcpd(folder), json.loads((folder / "annotations.json").read_text())
    found, rows = {name: [at for at, _ in own] for name, own in ask(program, series).items()}, []
    for name, values in series.items():
        own, n = list(truths[name].values()), len(values)
        score = [covering(own, found[name], n), f1(own, found[name]), covering(own, [], n), f1(own, [])]
        rows.append(score)
        if verbose:
            print(f"{name:20} {n:4}  {score[0]:.3f} {score[1]:.3f}  zero {score[2]:.3f} {score[3]:.3f}  {found[name]}  of {[sorted(o) for o in own]}")
    complete = [row for name, row in zip(series, rows) if name not in GAPS]
    for rows in (complete, rows):
        show(rows)


def show(rows):
    mean = [sum(column) / len(rows) for column in zip(*rows)]
    print(f"| {len(rows)} series of the Turing change point data set: cover, F1 | {mean[0]:.3f}, {mean[1]:.3f} |")
    print(f"| the same, if no change is ever found | {mean[2]:.3f}, {mean[3]:.3f} |")


def numbers_of(path, function, name=None):
    """The list that `function` of a Python file assigns to `name`, or returns."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for own in ast.walk(node):
                if name is None and isinstance(own, ast.Return):
                    return ast.literal_eval(own.value)
                if name and isinstance(own, ast.Assign) and own.targets[0].id == name:
                    return ast.literal_eval(own.value)
    raise SystemExit(f"{path}: no {name or 'list'} in {function}")


def sequence_of(path):
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "SEQUENCE":
            return ast.literal_eval(node.value.args[0])
    raise SystemExit(f"{path}: no SEQUENCE")


def otava(program, folder, verbose):
    tests = folder / "tests"
    cases = {
        "sequence": (sequence_of(tests / "change_point_divisive_test.py"), [5, 8]),
        "series_1": (numbers_of(tests / "series_test.py", "test_change_point_detection", "series_1"), [6]),
        "series_2": (numbers_of(tests / "series_test.py", "test_change_point_detection", "series_2"), [4]),
        "from_zero": (numbers_of(tests / "series_test.py", "test_div_by_zero", "series_1"), [3, 6]),
        "single": (numbers_of(tests / "analysis_test.py", "test_single_series", "series"), [10]),
        "tigerbeetle": (numbers_of(tests / "tigerbeetle_test.py", "_get_series"), [15, 71]),
    }
    found = ask(program, {name: values for name, (values, _) in cases.items()})
    same = 0
    for name, (_, wanted) in cases.items():
        # its setting reports changes of at least 5 %
        least = .05 if name == "tigerbeetle" else 0
        found[name] = [at for at, size in found[name] if abs(size) >= least]
        right = wanted == found[name]
        same += right
        if verbose:
            print(f"{name:20} {'same' if right else 'other'}: {found[name]}, published {wanted}")
    print(f"| published answers of Apache Otava's tests | {same} of {len(cases)} |")


def main():
    paths = [a for a in sys.argv[1:] if a != "-v"]
    if len(paths) != 3:
        raise SystemExit(__doc__)
    print("| what | |\n|---|---|")
    tcpd(paths[0], pathlib.Path(paths[1]), "-v" in sys.argv)
    otava(paths[0], pathlib.Path(paths[2]), "-v" in sys.argv)


main()
