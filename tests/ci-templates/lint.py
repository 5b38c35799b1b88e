# SPDX-License-Identifier: Apache-2.0
"""Checks CI templates and takes their scripts out, so that they can be run.

usage: lint.py check FILE...          prints what breaks a rule, exit 1 if anything does
       lint.py github FILE STEP-ID    prints the bash of one step of a composite action
       lint.py env FILE STEP-ID       prints its environment, NAME=VALUE: of inputs their defaults, of all else ""
       lint.py gitlab FILE JOB        prints before_script and script of a job
       lint.py variables FILE JOB     prints its variables, NAME=VALUE: of inputs their defaults
"""
import re
import sys
import yaml

# OWNER/firebreak@SHA is for the reader to fill in: a word that no runner takes for a commit.
PINNED = re.compile(r"^(\./.*|[\w.-]+/[\w./-]+@[0-9a-f]{40}|OWNER/firebreak(/[\w./-]+)?@SHA)$")
# Permissions that a job may have besides reading, and on which events: never where the code of a pull request could use
# it, but for the comment on pull requests of the repository itself, whose authors may write to it anyway, and a merge queue,
# to which somebody who may write has added what is in it. A release, which a pushed tag makes, is attested with an identity
# of its job.
RIGHTS = {
    "contents: write": {"push"},
    "id-token: write": {"push"},
    "attestations: write": {"push"},
    "pull-requests: write": {"pull_request", "merge_group", "workflow_run", "issue_comment"},
    "actions: read": {"workflow_run", "issue_comment"},
}


def steps(document):
    """All steps of a composite action or of the jobs of a workflow."""
    yield from document.get("runs", {}).get("steps", [])
    for job in (document.get("jobs") or {}).values():
        yield from job.get("steps", [])


def workflow_offences(path, document):
    events = set(document.get(True) or {})  # YAML 1.1 reads the key `on` as true
    if document.get("permissions") not in ({"contents": "read"}, {}):
        yield f"{path}: a workflow must say permissions: contents: read, or {{}}"
    if "pull_request_target" in events:
        yield f"{path}: pull_request_target runs foreign code with the rights of the repository"
    for name, job in document["jobs"].items():
        has_rights = "workflow_run" in events or "issue_comment" in events and "write" in (job.get("permissions") or {}).values()
        if has_rights and any("actions/checkout" in step.get("uses", "") for step in job["steps"]):
            yield f"{path}: {name}: a checkout may bring foreign code to the rights of the repository"
        for scope, level in (job.get("permissions") or {}).items():
            right = f"{scope}: {level}"
            if right != "contents: read" and not events <= RIGHTS.get(right, set()):
                yield f"{path}: {name}: {right} on {', '.join(sorted(events))}"


def offences(path):
    documents = list(yaml.safe_load_all(open(path, encoding="utf-8")))
    for document in documents:
        for number, step in enumerate(steps(document), 1):
            where = f"{path}: step {step.get('id') or step.get('name') or number}"
            if "run" in step:
                if "${{" in step["run"]:
                    yield f"{where}: an expression inside run: is expanded before the shell parses it; use env:"
                if "runs" in document and "shell" not in step:
                    yield f"{where}: run: without shell:"
            if "uses" in step and not PINNED.match(step["uses"]):
                yield f"{where}: {step['uses']} is not pinned to a full SHA"
        if "jobs" in document:
            yield from workflow_offences(path, document)
        for name, job in document.items() if "jobs" not in document and "runs" not in document else ():
            for line in isinstance(job, dict) and job.get("script") or ():
                if "$[[" in line:
                    yield f"{path}: {name}: an input inside script: is expanded before the shell parses it; use variables:"


def main(command, path, *rest):
    if command == "check":
        found = [offence for file in (path, *rest) for offence in offences(file)]
        print("\n".join(found))
        sys.exit(1 if found else 0)
    documents = list(yaml.safe_load_all(open(path, encoding="utf-8")))
    if command == "github":
        print(next(step["run"] for step in steps(documents[0]) if step.get("id") == rest[0]))
    elif command == "env":
        step = next(step for step in steps(documents[0]) if step.get("id") == rest[0])
        for name, value in step.get("env", {}).items():
            given = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)
            default = documents[0]["inputs"][given[1]]["default"] if given else ""
            print(f"{name}={'' if '${{' in default else default}")
    else:
        job = documents[-1][rest[0]]
        parent = documents[-1].get(job.get("extends"), {})
        if command == "gitlab":
            whole = {**parent, **job}
            print("\n".join(whole["before_script"] + whole["script"]))
            return
        for name, value in {**parent.get("variables", {}), **job.get("variables", {})}.items():
            given = re.fullmatch(r"\$\[\[ inputs\.(\w+) \]\]", value)
            default = documents[0]["spec"]["inputs"][given[1]]["default"] if given else value
            print(f"{name}={str(default).lower() if isinstance(default, bool) else default}")


main(*sys.argv[1:])
