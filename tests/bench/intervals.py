#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""intervals.py NAME=FOLDER ...: how far the intervals of functions hold across campaigns.

Each FOLDER holds the output folders of several campaigns of the same two commits. For the largest functions of each
benchmark the table has the spread of the contribution between campaigns, what the intervals say it is, and how many
of them hold the mean of all campaigns.

A campaign is itself part of the mean, so its distance from it is made larger by sqrt(n / (n - 1)): then it has the
variance of one campaign. Two campaigns agree if they differ by no more than the root of the sum of the squares of
their half widths, which 95 % of all pairs do if intervals hold."""
import itertools
import json
import math
import os
import statistics
import sys

LARGEST = 6  # functions by cost of either side
NOTICED = 0.5  # and all that contribute this many percentage points
T_TO_SD = 2.13  # half width over standard error: t(.975, 15), of 8 rounds


def campaigns(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "report.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                report = json.load(file)
            if report["benchmarks"] and report["benchmarks"][0].get("functions"):
                yield {f["name"]: f for f in reversed(report["benchmarks"][0]["functions"]) if f["tested"]}


def cost(rows):
    return sum(r["base_cost"] + r["head_cost"] for r in rows) / len(rows)


def chosen(table, n):
    """Functions that all campaigns have an interval for."""
    rows = {name: rows for name, rows in table.items() if len(rows) == n}
    largest = sorted(rows, key=lambda name: -cost(rows[name]))[:LARGEST]
    noticed = [name for name in rows if abs(statistics.mean(r["contribution_pp"] for r in rows[name])) >= NOTICED]
    return sorted(set(largest) | set(noticed), key=lambda name: -cost(rows[name]))


def measure(rows):
    n = len(rows)
    values = [r["contribution_pp"] for r in rows]
    half = [(r["ci_pp"][1] - r["ci_pp"][0]) / 2 for r in rows]
    mean, reach = statistics.mean(values), math.sqrt(n / (n - 1))
    pairs = list(itertools.combinations(range(n), 2))
    return {
        "mean": mean,
        "sd": statistics.stdev(values),
        "stated": math.sqrt(statistics.mean(h * h for h in half)) / T_TO_SD,
        "held": sum(abs(v - mean) * reach <= h for v, h in zip(values, half)),
        "agree": sum(abs(values[i] - values[j]) <= math.hypot(half[i], half[j]) for i, j in pairs),
        "campaigns": n,
        "pairs": len(pairs),
    }


def line(program, name, m):
    print(
        f"| {program} | {name} | {m['campaigns']} | {m['mean']:+.2f} | {m['sd']:.2f} | {m['stated']:.2f} "
        f"| {m['sd'] / m['stated']:.2f} | {100 * m['held'] / m['campaigns']:.0f} % "
        f"| {100 * m['agree'] / m['pairs']:.0f} % |"
    )


def total(program, measures):
    ratio = math.sqrt(statistics.mean((m["sd"] / m["stated"]) ** 2 for m in measures))
    n, pairs = sum(m["campaigns"] for m in measures), sum(m["pairs"] for m in measures)
    held, agree = sum(m["held"] for m in measures), sum(m["agree"] for m in measures)
    print(f"| **{program}** | all | | | | | {ratio:.2f} | {100 * held / n:.1f} % | {100 * agree / pairs:.1f} % |")


def main():
    print("| program | function | campaigns | contribution, pp | sd between campaigns | standard error stated | ratio "
          "| intervals that hold the mean | pairs that agree |")
    print("|---|---|---|---|---|---|---|---|---|")
    everything = []
    for argument in sys.argv[1:]:
        program, folder = argument.split("=", 1)
        table, n = {}, 0
        for functions in campaigns(folder):
            n += 1
            for name, row in functions.items():
                table.setdefault(name, []).append(row)
        names = chosen(table, n) if n > 1 else []
        measures = [measure(table[name]) for name in names]
        for name, m in zip(names, measures):
            line(program, name, m)
        if measures:
            total(program, measures)
        everything += measures
    if everything:
        total("all programs", everything)


main()
