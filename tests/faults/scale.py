# SPDX-License-Identifier: Apache-2.0
"""Time and memory of the commands that touch the store, with growing numbers of stored baselines.

    scale.py NUMBER...

Baselines are made by git fast-import, one per commit, and packed as `git gc` does. Prints a Markdown table:
CPU time, time by the clock, peak memory."""
import os
import resource
import shutil
import subprocess
import sys
import time

import faultlib as lib

CONFIG = """version: 1
benchmarks:
  - name: one
    command: [sh, -c, 'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done']
    engines: [callgrind]
"""
KEPT = 200
SHOWN = 100
METRIC = "instructions"
MAX_REMOTE = 10000  # refs of a remote that is pruned here: git push compares each one with all that go


def make_store(repo, n):
    """A repository of n commits with a baseline each; returns the newest commit."""
    os.makedirs(repo)
    lib.git(repo, "init", "-q", "--template=")
    commits = lib.commits_of(repo, n)
    stream = subprocess.Popen([lib.GIT, "fast-import", "--quiet"], cwd=repo, env=lib.environment(), stdin=subprocess.PIPE)
    for part in lib.fast_import(((c, 1700000000 + 60 * i) for i, c in enumerate(commits)), "one"):
        stream.stdin.write(part)
    stream.stdin.close()
    if stream.wait() != 0:
        raise RuntimeError("git fast-import")
    lib.git(repo, "pack-refs", "--all")
    lib.git(repo, "checkout", "-q", "main")
    with open(os.path.join(repo, "firebreak.yml"), "w", encoding="ascii") as file:
        file.write(CONFIG)
    lib.git(repo, "add", "firebreak.yml")
    lib.git(repo, "commit", "-q", "-m", "benchmark")
    lib.git(repo, "commit", "-q", "--allow-empty", "-m", "head")
    return commits


def measure(argv, cwd):
    """CPU seconds of all its processes, seconds by the clock, and peak resident MiB of the largest process."""
    start = time.monotonic()
    with subprocess.Popen(argv, cwd=cwd, env=lib.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as child:
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        print(f"{argv[1:]} ended with {child.returncode}: {said.decode(errors='replace')[-300:]}", file=sys.stderr)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def one_size(n):
    """Rows (what, CPU seconds, seconds, MiB) for a store of n baselines."""
    repo, clone, remote = (os.path.join(lib.FAULTS_DIR, name) for name in (f"repo{n}", "clone", "remote.git"))
    commits = make_store(repo, n)
    export = os.path.join(lib.FAULTS_DIR, "one.json")
    rows = []

    def row(what, cwd, *args):
        rows.append((what, *measure([lib.FIREBREAK, *args], cwd)))
        print(n, *rows[-1], file=sys.stderr, flush=True)

    row("`show` of one", repo, "baseline", "show", commits[-1])
    done = lib.firebreak(repo, "baseline", "export", commits[-1], "-o", export)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    row("storing one (`import`)", repo, "baseline", "import", export, "--commit", "HEAD")
    row("`check` of a tiny program, counted exactly", repo, "check", "--base", "HEAD~1", "--quiet")
    lib.git(lib.FAULTS_DIR, "clone", "-q", "--depth=1", "--template=", "file://" + repo, clone)
    row("`fetch` of one, into a shallow clone", clone, "baseline", "fetch", "origin", commits[-2])
    row("`push` of one", clone, "baseline", "push", "origin")
    row(f"`history` of {SHOWN} commits", repo, "history", "-n", str(SHOWN))
    row(f"`history` of {SHOWN} commits, as HTML", repo, "history", "-n", str(SHOWN), "-f", "html")
    row(f"`history` of one metric over {SHOWN} commits", repo, "history", "one", "-n", str(SHOWN), "-m", METRIC)
    row("`list`", repo, "baseline", "list")
    row("`verify`", repo, "baseline", "verify")
    lib.git(lib.FAULTS_DIR, "clone", "-q", "--mirror", "--template=", "file://" + repo, remote)
    lib.git(repo, "remote", "add", "origin", "file://" + remote)
    row(f"`prune --keep {KEPT}`", repo, "baseline", "prune", "--keep", str(KEPT))
    if n <= MAX_REMOTE:
        row(f"`prune --keep {KEPT} --remote`", repo, "baseline", "prune", "--keep", str(KEPT), "--remote", "origin")
    else:
        rows.append((f"`prune --keep {KEPT} --remote`", None, None, None))
    shutil.rmtree(remote)
    shutil.rmtree(clone)
    shutil.rmtree(repo)
    return rows


def main(sizes):
    lib.write_gitconfig()
    columns = [one_size(n) for n in sizes]
    print("| | " + " | ".join(f"{n}" for n in sizes) + " |\n|---|" + "---|" * len(sizes))
    for rows in zip(*columns):
        cells = ["not measured" if cpu is None else f"{cpu:.2f} s, {wall:.2f} s, {mib:.0f} MiB" for _, cpu, wall, mib in rows]
        print(f"| {rows[0][0]} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main([int(text) for text in sys.argv[1:]])
