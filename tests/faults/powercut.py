# SPDX-License-Identifier: Apache-2.0
"""The power fails while baselines are stored: an ext4 file system in a file, of which a copy is taken as it is at a random
moment and looked at after the journal has been replayed.

    powercut.py CUTS

The cuts hit by turns
    import   `baseline import`
    fetch    `baseline fetch`
    killed   `baseline import` that is repeated after it was killed, and finds what the killed one wrote
    found    `baseline import` that finds all its objects written by a git that does not sync
half of them right after something was acknowledged. What was acknowledged before the cut must be in the copy, and the
copy must take the next baseline. That the copy really lacks what was not synced shows in a file that is written
without syncing before each cut. Needs root, loop devices and mkfs.ext4; exits with 77 where it cannot mount."""
import os
import random
import shutil
import subprocess
import sys
import threading
import time

import faultlib as lib

SIZE = "96M"
COMMITS = 400
LONGEST_WAIT_S = 20
KINDS = ("import", "fetch", "killed", "found")
KILLED_AFTER_S = 0.02 # at most


def mount(image, folder):
    os.makedirs(folder, exist_ok=True)
    return subprocess.run(["mount", "-o", "loop", image, folder], capture_output=True, check=False)


def umount(folder):
    subprocess.run(["umount", folder], capture_output=True, check=False)


class Writer(threading.Thread):
    """Stores one baseline after the other until it is stopped, and notes which were acknowledged."""

    def __init__(self, kind, repo, commands, chance):
        super().__init__()
        self.kind, self.repo, self.commands, self.chance = kind, repo, commands, chance
        self.acknowledged, self.child, self.is_over = set(), None, False

    def execute(self, argv, kill_after_s=None):
        """True if it ended with 0."""
        with subprocess.Popen(argv, cwd=self.repo, env=lib.environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as self.child:
            if kill_after_s is not None:
                time.sleep(kill_after_s)
                self.child.kill()
        return self.child.returncode == 0

    def bring_unsynced(self, commit):
        """The objects of a baseline that the remote has, as files of their own."""
        self.execute([lib.GIT, "-c", "core.fsync=none", "-c", "fetch.unpackLimit=1000", "fetch", "-q",
                      "--no-write-fetch-head", "origin", f"refs/firebreak/{commit}"])

    def run(self):
        for commit, argv in self.commands:
            if self.is_over:
                return
            if self.kind == "killed":
                self.execute(argv, self.chance.uniform(0, KILLED_AFTER_S))
            if self.kind == "found":
                self.bring_unsynced(commit)
            if not self.is_over and self.execute(argv) and not self.is_over:
                self.acknowledged.add((commit, "one"))
            if self.kind == "found":
                return  # what a git has not synced may be damaged, which is its affair

    def wait_for_one(self, longest_s):
        """Returns the moment that the first one is acknowledged."""
        deadline = time.monotonic() + longest_s
        while not self.acknowledged and self.is_alive() and time.monotonic() < deadline:
            time.sleep(0.001)

    def stop(self):
        self.is_over = True
        if self.child is not None:
            self.child.kill()
        self.join()


class PowerCut:
    def __init__(self):
        self.image, self.copy = (os.path.join(lib.FAULTS_DIR, name) for name in ("disk", "copy"))
        self.disk, self.after = (os.path.join(lib.FAULTS_DIR, name) for name in ("mounted", "after"))
        self.repo = os.path.join(self.disk, "repo")
        self.remote = os.path.join(lib.FAULTS_DIR, "remote.git")
        self.export = os.path.join(lib.FAULTS_DIR, "one.json")
        lib.write_gitconfig()

    def fill_remote(self):
        lib.git(lib.FAULTS_DIR, "init", "-q", "--bare", "--template=", self.remote)
        self.commits = lib.commits_of(self.remote, COMMITS)
        lib.make_export(self.remote, self.commits[0], "one", self.export)
        pairs = [(commit, 1700000000 + 60 * i) for i, commit in enumerate(self.commits)]
        lib.git(self.remote, "fast-import", "--quiet", data=b"".join(lib.fast_import(pairs, "one")))

    def new_disk(self):
        """A file system with a repository in it; False if it cannot be mounted."""
        umount(self.disk)
        subprocess.run(["truncate", "-s", "0", self.image], check=True)
        subprocess.run(["truncate", "-s", SIZE, self.image], check=True)
        subprocess.run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0", self.image], check=True)
        done = mount(self.image, self.disk)
        if done.returncode != 0:
            print("skipped: " + done.stderr.decode().strip())
            return False
        lib.git(lib.FAULTS_DIR, "clone", "-q", "--template=", "file://" + self.remote, self.repo)
        subprocess.run(["sync", "-f", self.disk], check=True)
        return True

    def commands(self, kind, first):
        for commit in self.commits[first:]:
            yield commit, (lib.importing(self.export, commit) if kind != "fetch"
                           else [lib.FIREBREAK, "baseline", "fetch", "origin", commit])

    def cut(self, kind, chance, first, acknowledged):
        """Problems after one cut, and whether the unsynced file was lost. `acknowledged` grows."""
        writer = Writer(kind, self.repo, self.commands(kind, first), chance)
        writer.start()
        writer.wait_for_one(LONGEST_WAIT_S)
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, 0.2))
        control = os.path.join(self.disk, f"control{first}")
        with open(control, "wb") as file:
            file.write(b"not synced\n")
        writer.stop()
        shutil.copyfile(self.image, self.copy)
        acknowledged |= writer.acknowledged
        done = mount(self.copy, self.after)
        if done.returncode != 0:
            return ["mount: " + done.stderr.decode()], True, len(writer.acknowledged)
        try:
            after = os.path.join(self.after, "repo")
            found = lib.problems(after, acknowledged)
            held = lib.holdings(after) or set()
            again = lib.run(lib.importing(self.export, self.commits[first]), after)
            if again.returncode != 0:
                found.append("next import: " + again.stderr.decode())
            kept = os.path.join(self.after, os.path.basename(control))
            is_lost = not os.path.exists(kept) or os.path.getsize(kept) == 0
            return found + [f"lost: {x}" for x in sorted(acknowledged - held)], is_lost, len(writer.acknowledged)
        finally:
            umount(self.after)


def main(cuts):
    power = PowerCut()
    power.fill_remote()
    chance = random.Random(7)
    failed = lost_controls = stored = 0
    try:
        acknowledged, first = set(), COMMITS
        for i in range(cuts):
            if first > COMMITS - 60:
                acknowledged, first = set(), 0
                if not power.new_disk():
                    return 77
            found, is_lost, n = power.cut(KINDS[i % len(KINDS)], chance, first, acknowledged)
            first += n + 1
            stored, lost_controls = stored + n, lost_controls + is_lost
            failed += bool(found)
            for text in found:
                print(f"FAIL cut {i}, {KINDS[i % len(KINDS)]}: {text}", flush=True)
    finally:
        umount(power.after)
        umount(power.disk)
    print(f"{cuts} power cuts, {stored} baselines acknowledged before them: {failed} cuts lost or damaged something; "
          f"the unsynced file was lost in {lost_controls}")
    return 0 if failed == 0 and lost_controls > 0 and stored > 0 else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1])))
