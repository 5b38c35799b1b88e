# SPDX-License-Identifier: Apache-2.0
"""Every system call of an operation on the store goes wrong once: the process is killed there, or the call fails.

    sweep.py kill|error OPERATION [STRIDE]

OPERATION is import, replace, push, fetch, prune, show, list or run. Of `run`, which counts a tiny program, the part after
the last process that it starts is swept: the storing. For the operations that run git, every system call of each
git process that firebreak starts is swept, too. STRIDE n takes every n-th point only. After each point: nothing that was
acknowledged is lost, nothing half-written is visible, an exit code tells what happened, and the same command, repeated,
does its work at once without anybody having cleared up."""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import sys
import threading

import faultlib as lib

# Which errors the kernel may give for which call.
DISK = ("ENOSPC", "EIO", "EROFS", "EDQUOT")
ERRORS = {
    "openat": DISK + ("EMFILE",), "open": DISK + ("EMFILE",), "write": ("ENOSPC", "EIO", "EDQUOT"),
    "pwrite64": ("ENOSPC", "EIO", "EDQUOT"), "fsync": ("ENOSPC", "EIO", "EDQUOT"), "fdatasync": ("ENOSPC", "EIO"),
    "close": ("EIO",), "mkdir": DISK, "mkdirat": DISK, "rename": DISK, "renameat2": DISK, "renameat": DISK,
    "link": DISK, "linkat": DISK, "unlink": ("EIO", "EROFS"), "unlinkat": ("EIO", "EROFS"), "rmdir": ("EIO", "EROFS"),
    "ftruncate": ("EIO", "EROFS"), "chmod": ("EIO", "EROFS"), "fchmod": ("EIO", "EROFS"), "flock": ("EIO",),
    "read": ("EIO",), "pread64": ("EIO",), "getdents64": ("EIO",), "pipe2": ("EMFILE",), "poll": ("EINTR",),
    "clone": ("EAGAIN",), "clone3": ("EAGAIN",), "vfork": ("EAGAIN",), "fcntl": ("EMFILE",),
    "newfstatat": ("EIO",), "lstat": ("EIO",), "stat": ("EIO",), "readlink": ("EIO",), "access": ("EIO",),
}
# Before the program itself runs, and where a failure has no meaning.
NEVER = {"execve", "exit_group", "exit"}
# Messages of the loader of programs if a library cannot be had: not firebreak's to decide.
LOADER = 127
EXPECTED_CODES = {0, 2, 4, 6, 7, 8, LOADER}
START = re.compile(r"^(?:\d+ +)?(?:clone3?|vfork|fork)\(")
PROGRAM = "int main(void) { for (volatile int i = 0; i < 2000; i++) ; return 0; }\n"
CONFIG = """version: 1
build: {command: cc -g -O1 bench.c -o bench}
benchmarks:
  - {name: count, engines: [callgrind], command: [./bench]}
"""
TRACE = re.compile(r"^(?:\d+ +)?([a-z_0-9]+)\(")


class World:
    """A repository and its remote, before the operation; copied for each point."""

    def __init__(self, operation):
        self.operation = operation
        self.template = os.path.join(lib.FAULTS_DIR, "template")
        self.export = {name: os.path.join(lib.FAULTS_DIR, name + ".json") for name in ("one", "two")}
        repo, remote = os.path.join(self.template, "repo"), os.path.join(self.template, "remote.git")
        os.makedirs(repo)
        lib.write_gitconfig()
        lib.git(repo, "init", "-q", "--template=")
        lib.git(repo, "init", "-q", "--bare", "--template=", remote)
        lib.git(repo, "remote", "add", "origin", "../remote.git")
        self.commits = lib.commits_of(repo, 4)
        for name, path in self.export.items():
            lib.make_export(repo, self.commits[0], name, path)
        lib.git(repo, "push", "-q", "origin", "main")
        self.wanted, self.wanted_there = set(), set()
        self.fill(repo, remote)
        if operation == "run":
            self.add_program(repo)
        lib.git(repo, "prune", "--expire=now")

    def put(self, repo, name, commit):
        done = lib.run(lib.importing(self.export[name], commit), repo)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())

    def fill(self, repo, remote):
        """The first commit has one baseline here and another there; the second the same; the others only on one side."""
        first, second, third, last = self.commits
        here, there = (repo, remote) if self.operation != "fetch" else (remote, repo)
        for commit, name in ((first, "one"), (second, "one"), (third, "one"), (last, "one")):
            self.put(here, name, commit)
        self.put(there, "two", first)
        self.put(there, "one", second)
        held = {(commit, "one") for commit in self.commits}
        other = {(first, "two"), (second, "one")}
        self.wanted, self.wanted_there = (held, other) if here == repo else (other, held)
        if self.operation == "prune":
            self.wanted = {(last, "one")}
        self.after, self.after_there = {
            "import": (self.wanted | {(last, "two")}, self.wanted_there), "replace": (self.wanted, self.wanted_there),
            "push": (held | other, held | other), "fetch": (held | other, held),
        }.get(self.operation, (self.wanted, self.wanted_there))

    def add_program(self, repo):
        """A commit that can be measured, and has been built before."""
        lib.git(repo, "reset", "-q", "--hard", "main")
        for name, text in (("bench.c", PROGRAM), ("firebreak.yml", CONFIG)):
            with open(os.path.join(repo, name), "w", encoding="ascii") as file:
                file.write(text)
        lib.git(repo, "add", ".")
        lib.git(repo, "commit", "-q", "-m", "program")
        head = lib.git(repo, "rev-parse", "HEAD").decode().strip()
        os.makedirs(os.path.join(self.template, "tmp"))
        done = lib.run(self.command(), repo, env=self.environment(self.template))
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())
        lib.git(repo, "update-ref", "-d", f"refs/firebreak/{head}")
        self.after = self.wanted | {(head, "count")}

    @staticmethod
    def environment(place, **more):
        return lib.environment(XDG_CACHE_HOME=os.path.join(place, "cache"), **more,
                               **({"TMPDIR": os.path.join(place, "tmp")}
                                  if os.path.exists(os.path.join(place, "tmp")) else {}))

    def patience_s(self):
        return 6 * lib.patience_s() if self.operation == "run" else lib.patience_s()

    def command(self):
        last = self.commits[-1]
        return {
            "import": lib.importing(self.export["two"], last), "replace": lib.importing(self.export["one"], last),
            "push": [lib.FIREBREAK, "baseline", "push"], "fetch": [lib.FIREBREAK, "baseline", "fetch"],
            "prune": [lib.FIREBREAK, "baseline", "prune", "--keep", "1"],
            "show": [lib.FIREBREAK, "baseline", "show", last], "list": [lib.FIREBREAK, "baseline", "list", "--json"],
            "run": [lib.FIREBREAK, "run", "--quiet"],
        }[self.operation]

    def copy(self, worker):
        path = os.path.join(lib.FAULTS_DIR, f"world{worker}")
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.template, path, symlinks=True)
        return path


# --- where faults go

# git_call 0 is firebreak itself, n its n-th call of git
Point = collections.namedtuple("Point", "git_call call number fault")

WRAPPER = """#!/bin/sh
# Stands in for git: the FAULT_CALL-th start of it runs under strace.
n=$(($(cat "$FAULT_COUNT" 2>/dev/null || echo 0) + 1))
echo $n >"$FAULT_COUNT"
[ "$n" = "$FAULT_CALL" ] || exec {git} "$@"
exec strace -o "$FAULT_TRACE" $FAULT_OPTIONS {git} "$@"
"""


def write_wrapper():
    folder = os.path.join(lib.FAULTS_DIR, "bin")
    os.makedirs(folder)
    with open(os.path.join(folder, "git"), "w", encoding="ascii") as file:
        file.write(WRAPPER.format(git=lib.GIT))
    os.chmod(os.path.join(folder, "git"), 0o755)
    return folder


class Runner:
    def __init__(self, world):
        self.world = world
        self.bin = write_wrapper()

    def run(self, place, git_call, options):
        """The operation in the copied world, with strace on one of its processes; trace in `<place>/trace`."""
        trace = os.path.join(place, "trace")
        env = self.world.environment(place, FAULT_COUNT=os.path.join(place, "count"), FAULT_CALL=str(git_call), FAULT_TRACE=trace,
                                     FAULT_OPTIONS=" ".join(options))
        env["PATH"] = self.bin + ":" + env["PATH"]
        argv = self.world.command()
        if git_call == 0:
            argv = ["strace", "-o", trace, *options, *argv]
        return lib.timed(argv, os.path.join(place, "repo"), env=env)

    def points_of(self, git_call, kind, lines):
        """The points of one process, by call and number."""
        before, counts = collections.Counter(), collections.Counter()
        for line in lines:
            match = TRACE.match(line)
            if match and match[1] not in NEVER:
                counts[match[1]] += 1
            if self.world.operation == "run" and START.match(line):
                before = counts.copy()
        return [Point(git_call, call, i + 1, fault) for call, n in sorted(counts.items())
                for i in range(before[call], n)
                for fault in (["KILL"] if kind == "kill" else ERRORS.get(call, ()))]

    def points(self, kind, stride):
        """All points of the operation, as an undisturbed run shows them."""
        found = []
        for git_call in range(1000):
            place = self.world.copy("-count")
            self.run(place, git_call, [])
            if not os.path.exists(os.path.join(place, "trace")):
                break
            with open(os.path.join(place, "trace"), encoding="utf-8", errors="replace") as file:
                found += self.points_of(git_call, kind, file.readlines())
        return found[::stride]


def inject(point, onwards):
    what = f"signal={point.fault}" if point.fault == "KILL" else f"error={point.fault}"
    return ["-e", "trace=" + point.call, "-e", f"inject={point.call}:{what}:when={point.number}{'+' if onwards else ''}"]


# --- what must hold after it

def check_state(world, place, here, there):
    repo, remote = os.path.join(place, "repo"), os.path.join(place, "remote.git")
    found = lib.problems(repo, here)
    if world.operation in ("push", "fetch"):
        found += ["remote: " + text for text in lib.problems(remote, there)]
    return found


def says_as_much(world, output, plain_output):
    """True if nothing is missing: a list may have another order, and name as damaged what it could not read."""
    if world.operation == "list":
        rows = {row["sha"]: row for row in json.loads(output)}
        return all(row["sha"] in rows and (rows[row["sha"]]["problem"] or rows[row["sha"]] == row)
                   for row in json.loads(plain_output))
    return world.operation != "show" or output == plain_output


def check_code(world, point, done, plain_output):
    code = done.returncode
    if point.fault == "KILL" and code == -9:
        return []
    if code not in EXPECTED_CODES:
        return [f"ended with {code}: {done.stderr.decode(errors='replace')[-300:]}"]
    if code not in (0, LOADER) and point.call != "write" and not done.stderr and not done.stdout:
        return [f"ended with {code} without a word"]
    if code == 0 and not says_as_much(world, done.stdout, plain_output):
        return ["ended with 0 but printed something else than usual: " + done.stdout.decode(errors="replace")[:300]]
    return []


def check_point(runner, worker, point, onwards, plain_output):
    """Problems, the exit code, and how long the repetition took."""
    world = runner.world
    place = world.copy(worker)
    repo = os.path.join(place, "repo")
    done, _ = runner.run(place, point.git_call, inject(point, onwards))
    found = check_code(world, point, done, plain_output)
    acknowledged = done.returncode == 0
    found += check_state(world, place, world.after if acknowledged else world.wanted,
                         world.after_there if acknowledged else world.wanted_there)
    again, took = lib.timed(world.command(), repo, env=world.environment(place))
    if again.returncode != 0:
        found.append(f"repeated: {again.returncode}: {again.stderr.decode(errors='replace')[-300:]}")
    if took > world.patience_s():
        found.append(f"repeated: took {took:.1f} s")
    found += ["then: " + text for text in check_state(world, place, world.after, world.after_there)]
    locks = lib.left_files(os.path.join(repo, ".git", "refs")) + lib.left_files(os.path.join(place, "remote.git", "refs"))
    if locks:
        found.append("left: " + " ".join(locks))
    return found, done.returncode, took


def sweep(kind, operation, stride):
    world = World(operation)
    runner = Runner(world)
    place = world.copy("-plain")
    plain = lib.run(world.command(), os.path.join(place, "repo"), env=world.environment(place))
    points = [(point, onwards) for point in runner.points(kind, stride)
              for onwards in ((False,) if kind == "kill" else (False, True))]
    names = threading.local()
    free = iter(range(1000))

    def one(job):
        if not hasattr(names, "worker"):
            names.worker = next(free)
        return job, check_point(runner, names.worker, *job, plain.stdout)

    codes, failed, slowest = collections.Counter(), 0, 0.0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for (point, onwards), (found, code, took) in pool.map(one, points):
            codes[code] += 1
            slowest = max(slowest, took)
            if found:
                failed += 1
                who = "firebreak" if point.git_call == 0 else f"git call {point.git_call}"
                print(f"FAIL {who}: {point.call} no {point.number}{'+' if onwards else ''} {point.fault}: "
                      + "; ".join(found), flush=True)
    ends = ", ".join(f"{n} x {code}" for code, n in sorted(codes.items()))
    print(f"{kind} {operation}: {len(points)} points, {failed} failed; exit codes: {ends}; "
          f"slowest repetition {slowest:.2f} s", flush=True)
    return failed == 0 and len(points) > 0


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("kill", "error"):
        sys.exit(__doc__)
    sys.exit(0 if sweep(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1) else 1)
