#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of what firebreak and other rules say of the same measurements. Used by verdicts.sh.

usage: verdicts.py FOLDER PROGRAM=FUNCTION...

FOLDER holds reports named SIZE.PROGRAM.NUMBER.json: of a change that makes PROGRAM SIZE percent slower in FUNCTION; 0 is
no change. The other rules judge the values of task-clock in all rounds of the report, which is what they would have seen:

  mean + 5 %       the mean of head is more than 5 % above that of base
  Welch            two-sided t test with unequal variances, p < .05, and head slower
  Mann-Whitney     two-sided, exact, p < .05, and the median of head higher (what benchstat calls a change)
  mean +- sd       the intervals mean +- one standard deviation of both sides do not meet, and head is slower
"""
import glob
import json
import math
import os
import statistics
import sys


def beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function (Lentz)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1 - (a + b) * x / (a + 1), tiny)
    h = d
    for m in range(1, 300):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + numerator * d or tiny)
            c = 1 + numerator / c or tiny
            h *= c * d
    return h


def incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def t_two_sided(t, df):
    return incomplete_beta(df / 2, .5, df / (df + t * t))


def mean_5(base, head):
    return statistics.mean(head) > 1.05 * statistics.mean(base)


def welch(base, head):
    vb, vh = statistics.variance(base) / len(base), statistics.variance(head) / len(head)
    difference = statistics.mean(head) - statistics.mean(base)
    if vb + vh == 0:
        return difference > 0
    df = (vb + vh) ** 2 / (vb * vb / (len(base) - 1) + vh * vh / (len(head) - 1))
    return difference > 0 and t_two_sided(difference / math.sqrt(vb + vh), df) < .05


def rank_counts(n, m):
    """The number of arrangements of n and m values with each value of U."""
    table = {(0, j): [1] for j in range(m + 1)}
    for i in range(1, n + 1):
        table[(i, 0)] = [1]
        for j in range(1, m + 1):
            row = [0] * (i * j + 1)
            for u, c in enumerate(table[(i - 1, j)]):
                row[u + j] += c
            for u, c in enumerate(table[(i, j - 1)]):
                row[u] += c
            table[(i, j)] = row
    return table[(n, m)]


def mann_whitney(base, head):
    u = sum((h > b) + .5 * (h == b) for b in base for h in head)
    counts = rank_counts(len(base), len(head))
    total, low = sum(counts), min(u, len(base) * len(head) - u)
    p = min(1, 2 * sum(c for value, c in enumerate(counts) if value <= low) / total)
    return statistics.median(head) > statistics.median(base) and p < .05


def mean_sd(base, head):
    return statistics.mean(head) - statistics.stdev(head) > statistics.mean(base) + statistics.stdev(base)


RULES = [("mean + 5 %", mean_5), ("Welch", welch), ("Mann-Whitney", mann_whitney), ("mean ± sd", mean_sd)]


class Case:
    """All that was seen of checks of one size."""

    def __init__(self):
        self.checks = self.errors = self.named = 0
        self.verdicts = {"pass": 0, "regression": 0, "inconclusive": 0}
        self.found = {name: 0 for name, _ in RULES}
        self.seconds, self.rounds, self.changes = [], [], []

    def add(self, report, function):
        self.checks += 1
        benchmarks = report.get("benchmarks", [])
        if report["verdict"] not in self.verdicts or not benchmarks or not benchmarks[0].get("metrics"):
            self.errors += 1
            return
        self.verdicts[report["verdict"]] += 1
        self.seconds.append(report["elapsed_s"])
        clock = next(m for m in benchmarks[0]["metrics"] if m["name"] == "task-clock")
        base, head = clock["base_values"], clock["head_values"]
        self.rounds.append(len(base))
        self.changes.append(clock["change_pct"])
        for name, rule in RULES:
            self.found[name] += rule(base, head)
        risen = [f["name"] for f in benchmarks[0]["functions"] if f["class"] in ("regression", "new")]
        self.named += report["verdict"] == "regression" and risen[:1] == [function]


def share(count, total):
    return f"{100 * count / total:.0f} %" if total else "-"


def main():
    functions = dict(argument.split("=", 1) for argument in sys.argv[2:])
    cases = {}
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
        size, program = os.path.basename(path).split(".")[:2]
        with open(path, encoding="utf-8") as file:
            cases.setdefault(int(size), Case()).add(json.load(file), functions[program])

    print("| true change of the total | checks | regression | inconclusive | pass | error | guilty function named first "
          "| rounds, mean | change seen, median | seconds, median |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size, case in sorted(cases.items()):
        found = case.verdicts["regression"]
        print(f"| {'none' if size == 0 else f'+{size} %'} | {case.checks} | {found} | {case.verdicts['inconclusive']} "
              f"| {case.verdicts['pass']} | {case.errors} | {'-' if size == 0 else share(case.named, found)} "
              f"| {statistics.mean(case.rounds or [math.nan]):.1f} "
              f"| {statistics.median(case.changes or [math.nan]):+.2f} % "
              f"| {statistics.median(case.seconds or [math.nan]):.1f} |")
    print()
    print("| calls it slower | " + " | ".join("unchanged" if s == 0 else f"+{s} %" for s in sorted(cases)) + " |")
    print("|---|" + "---|" * len(cases))
    rows = [("firebreak", lambda case: case.verdicts["regression"])]
    rows += [(name, lambda case, name=name: case.found[name]) for name, _ in RULES]
    for name, count in rows:
        cells = [share(count(case), case.checks - case.errors) for _, case in sorted(cases.items())]
        print(f"| {name} | " + " | ".join(cells) + " |")


main()
