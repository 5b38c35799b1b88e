# SPDX-License-Identifier: Apache-2.0
"""Code that the fault tests share: stores of baselines made by hand, and the check that a store has kept its promises.

FIREBREAK names the program, SOURCE_DIR the source tree, FAULTS_DIR an empty folder of the caller's to work in; without
them nothing runs."""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

ZEROS = b"0" * 64
# A repetition that takes longer counts as blocked, on a machine that has nothing else to do.
PATIENCE_S = 5.0


def need(name):
    value = os.environ.get(name, "")
    if not value.startswith("/") or not os.path.exists(value):
        sys.exit(f"{name} must name something that is there, by its whole path")
    return value


FIREBREAK, SOURCE_DIR, FAULTS_DIR = need("FIREBREAK"), need("SOURCE_DIR"), need("FAULTS_DIR")
if os.path.realpath(FAULTS_DIR).count("/") < 2:
    sys.exit("FAULTS_DIR is no folder to work in")
GIT = shutil.which("git")


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env.update(GIT_CONFIG_GLOBAL=os.path.join(FAULTS_DIR, "gitconfig"), GIT_CONFIG_NOSYSTEM="1", LC_ALL="C", **more)
    return env


def write_gitconfig():
    with open(os.path.join(FAULTS_DIR, "gitconfig"), "w", encoding="ascii") as file:
        file.write("[user]\n\tname = t\n\temail = t@t\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
                   "[protocol \"file\"]\n\tallow = always\n")


def run(argv, cwd, **options):
    """The finished process, its output as bytes."""
    return subprocess.run(argv, cwd=cwd, env=options.pop("env", environment()), stdin=options.pop("stdin", None),
                          capture_output=True, check=False, **options)


def git(cwd, *args, data=None):
    done = subprocess.run([GIT, *args], cwd=cwd, env=environment(), input=data, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"git {args}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def firebreak(cwd, *args, **options):
    return run([FIREBREAK, *args], cwd, **options)


def importing(export, commit):
    return [FIREBREAK, "baseline", "import", export, "--commit", commit]


# --- baselines by hand

def seal(text):
    """The sealed JSON text with the hash that fits it."""
    at = text.index(b'"sha256": "') + len(b'"sha256": "')
    text = text[:at] + ZEROS + text[at + 64:]
    return text[:at] + hashlib.sha256(text).hexdigest().encode() + text[at + 64:]


def stored_texts():
    """Manifest and stacks as a firebreak has once stored them."""
    folder = os.path.join(SOURCE_DIR, "tests/baselines/version1")
    with open(f"{folder}/manifest.json", "rb") as manifest, open(f"{folder}/stacks", "rb") as stacks:
        return manifest.read(), stacks.read()


def manifest_for(text, commit, benchmark):
    text = text.replace(b"0123456789abcdef0123456789abcdef01234567", commit.encode(), 1)
    return seal(text.replace(b'"benchmark": "parse-large"', f'"benchmark": "{benchmark}"'.encode(), 1))


def entry_folder(manifest, benchmark):
    return json.loads(manifest)["fingerprint"][:16] + "/" + benchmark


def data_command(content):
    return b"data %d\n%s\n" % (len(content), content)


def fast_import(commits, benchmark, prefix="refs/firebreak/"):
    """Yields what git fast-import makes a baseline of each commit from; `commits` gives pairs of SHA and time."""
    manifest, stacks = stored_texts()
    folder = entry_folder(manifest, benchmark).encode()
    yield b"blob\nmark :1\n" + data_command(stacks)
    for commit, time_s in commits:
        who = b"firebreak <firebreak@localhost> %d +0000\n" % time_s
        yield (b"commit %s%s\nauthor " % (prefix.encode(), commit.encode()) + who + b"committer " + who +
               data_command(f"firebreak baseline of {commit}\n".encode()) +
               b"M 100644 inline %s/manifest.json\n" % folder +
               data_command(manifest_for(manifest, commit, benchmark)) +
               b"M 100644 :1 %s/stacks\n\n" % folder)


def make_export(repo, commit, benchmark, path):
    """A file of one baseline, made by way of a ref that goes again."""
    time_s = int(git(repo, "show", "-s", "--format=%ct", commit))
    git(repo, "fast-import", "--quiet", "--force", data=b"".join(fast_import([(commit, time_s)], benchmark)))
    done = firebreak(repo, "baseline", "export", commit, "-o", path)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    git(repo, "update-ref", "-d", f"refs/firebreak/{commit}")


def commits_of(repo, n):
    """n empty commits on main; their SHAs, oldest first."""
    stream = []
    for i in range(n):
        stream.append(b"commit refs/heads/main\nmark :%d\ncommitter t <t@t> %d +0000\n" % (i + 1, 1700000000 + 60 * i) +
                      data_command(b"commit %d\n" % i) + (b"from :%d\n" % i if i else b"") + b"\n")
    git(repo, "fast-import", "--quiet", data=b"".join(stream))
    return git(repo, "rev-list", "--reverse", "main").decode().split()


# --- what must be true of a store at any time

def holdings(repo):
    """Pairs of commit and benchmark that can be read; None if the list cannot be had."""
    done = firebreak(repo, "baseline", "list", "--json")
    if done.returncode != 0:
        return None
    return {(row["sha"], row["benchmark"]) for row in json.loads(done.stdout)}


def left_files(repo, suffix=".lock"):
    found = []
    for folder, _, names in os.walk(repo):
        found += [os.path.join(folder, name) for name in names if name.endswith(suffix)]
    return found


def problems(repo, wanted):
    """The faults of a store that must have all of `wanted`, as texts."""
    found = []
    done = firebreak(repo, "baseline", "verify")
    if done.returncode != 0:
        found.append("verify: " + (done.stdout + done.stderr).decode(errors="replace").strip())
    held = holdings(repo)
    lost = wanted - held if held is not None else wanted
    if lost:
        found.append(f"lost: {sorted(lost)}")
    done = run([GIT, "fsck", "--strict", "--no-dangling", "--no-progress"], repo)
    if done.returncode != 0:
        found.append("fsck: " + done.stderr.decode(errors="replace").strip())
    return found


def patience_s():
    """PATIENCE_S, longer by as much as the processes of this machine wait for its CPUs."""
    return PATIENCE_S * max(1, os.getloadavg()[0] / os.cpu_count())


def timed(argv, cwd, **options):
    start = time.monotonic()
    done = run(argv, cwd, **options)
    return done, time.monotonic() - start
