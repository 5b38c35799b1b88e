# SPDX-License-Identifier: Apache-2.0
"""Imports killed at random times, each repeated right after.

    kills.py ROUNDS

What was acknowledged must be there in the end, and no repetition may be refused or take more than five seconds."""
import concurrent.futures
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import faultlib as lib

ROUNDS_PER_STORE = 250


def prepare():
    """A repository without baselines, and a file with one."""
    template = os.path.join(lib.FAULTS_DIR, "template")
    os.makedirs(template)
    lib.write_gitconfig()
    lib.git(template, "init", "-q", "--template=")
    commits = lib.commits_of(template, ROUNDS_PER_STORE)
    export = os.path.join(lib.FAULTS_DIR, "one.json")
    lib.make_export(template, commits[0], "one", export)
    lib.git(template, "prune", "--expire=now")
    return template, commits, export


def usual_time_s(template, commits, export):
    repo = os.path.join(lib.FAULTS_DIR, "warm")
    shutil.copytree(template, repo)
    took = [lib.timed(lib.importing(export, commit), repo)[1] for commit in commits[:20]]
    shutil.rmtree(repo)
    return statistics.median(took)


class Tally:
    def __init__(self):
        self.killed = self.in_time = self.refused = self.slow = self.lost = self.locks = 0
        self.slowest_s = 0.0
        self.problems = []


def killed_import(argv, repo, delay_s):
    """Exit code, and whether the store was acknowledged."""
    with subprocess.Popen(argv, cwd=repo, env=lib.environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        time.sleep(delay_s)
        child.kill()
        said = child.stdout.read()
    return child.returncode, len(said) == 41


def one_store(job):
    number, n, seed, (template, commits, export), longest_s = job
    chance = random.Random(seed)
    repo = os.path.join(lib.FAULTS_DIR, f"store{number}")
    shutil.copytree(template, repo)
    tally, wanted = Tally(), set()
    for commit in commits[:n]:
        argv = lib.importing(export, commit)
        code, acknowledged = killed_import(argv, repo, chance.uniform(0, longest_s))
        tally.killed += code == -9
        tally.in_time += acknowledged
        if acknowledged and chance.random() < 0.5:
            wanted.add((commit, "one"))
            continue  # whether it is there shows in the end, without a repetition that would mend it
        again, took = lib.timed(argv, repo)
        tally.refused += again.returncode != 0
        tally.slow += took > lib.patience_s()
        tally.slowest_s = max(tally.slowest_s, took)
        if again.returncode == 0:
            wanted.add((commit, "one"))
    held = lib.holdings(repo)
    tally.lost = len(wanted - (held or set()))
    tally.problems = lib.problems(repo, wanted)
    tally.locks = len(lib.left_files(os.path.join(repo, ".git", "refs")))
    shutil.rmtree(repo)
    return tally


def main(rounds):
    prepared = prepare()
    longest_s = 1.3 * usual_time_s(*prepared)
    jobs = [(i, min(ROUNDS_PER_STORE, rounds - i * ROUNDS_PER_STORE), 1000 + i, prepared, longest_s)
            for i in range((rounds + ROUNDS_PER_STORE - 1) // ROUNDS_PER_STORE)]
    whole = Tally()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for tally in pool.map(one_store, jobs):
            for name in ("killed", "in_time", "refused", "slow", "lost", "locks"):
                setattr(whole, name, getattr(whole, name) + getattr(tally, name))
            whole.slowest_s = max(whole.slowest_s, tally.slowest_s)
            whole.problems += tally.problems
    for text in whole.problems:
        print("FAIL " + text)
    print(f"{rounds} imports, killed at random within {1000 * longest_s:.0f} ms: {whole.killed} died, {whole.in_time} had "
          f"acknowledged; {whole.lost} acknowledged lost, {whole.refused} repetitions refused, {whole.slow} slow (slowest "
          f"{whole.slowest_s:.2f} s), {whole.locks} lock files left")
    return not whole.problems and whole.lost + whole.refused + whole.slow + whole.locks == 0 and whole.killed > 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(0 if main(int(sys.argv[1])) else 1)
