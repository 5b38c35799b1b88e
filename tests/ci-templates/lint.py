"""Checks CI templates and takes their scripts out, so that they can be run.

usage: lint.py check FILE...          prints what breaks a rule, exit 1 if anything does
       lint.py github FILE STEP-ID    prints the bash of one step of a composite action
       lint.py gitlab FILE JOB        prints before_script and script of a job
"""
import re
import sys
import yaml

PINNED = re.compile(r"^(\./.*|[\w.-]+/[\w./-]+@[0-9a-f]{40})$")


def steps(document):
    """All steps of a composite action or of the jobs of a workflow."""
    yield from document.get("runs", {}).get("steps", [])
    for job in (document.get("jobs") or {}).values():
        yield from job.get("steps", [])


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
        if "jobs" in document and document.get("permissions") != {"contents": "read"}:
            yield f"{path}: a workflow must say permissions: contents: read"
        # YAML 1.1 reads the key `on` as true.
        if "pull_request_target" in str(document.get(True, "")):
            yield f"{path}: pull_request_target runs foreign code with the rights of the repository"
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
    else:
        job = documents[-1][rest[0]]
        whole = {**documents[-1].get(job.get("extends"), {}), **job}
        print("\n".join(whole["before_script"] + whole["script"]))


main(*sys.argv[1:])
