# SPDX-License-Identifier: Apache-2.0
"""Goes through workflows and composite actions as a runner of GitHub Actions does, from the event that starts them.

usage: runner.py context EVENT.json NAME=VALUE...   prints the context of a run: the payload, with @NAME@ replaced by VALUE
       runner.py jobs WORKFLOW CONTEXT              prints the names of the jobs that the event starts: of those that
                                                    need others, once these are in `needs`
       runner.py with WORKFLOW JOB ACTION CONTEXT   prints what the step that uses ACTION (a prefix) is given, as JSON
       runner.py outputs FILE CONTEXT               prints the outputs of an action, NAME=VALUE
       runner.py step FILE ID CONTEXT               prints the environment of one step of an action, NAME=VALUE ended by
                                                    NUL; ends with 1 if its `if:` says no

CONTEXT is a file of JSON: what expressions read (github, inputs, steps, runner, needs, matrix). A payload has two keys of
its own, "name" and "ref": the event's name, and the ref that it is about.
"""
import json
import re
import sys
import yaml

TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|(\d+)|(&&|\|\||==|!=|[!().,\[\]])|([A-Za-z_][\w-]*))")
# These start a workflow whose `on:` names no types
TYPES = {"pull_request": ["opened", "synchronize", "reopened"], "merge_group": ["checks_requested"]}


def truth(value):
    return value not in (None, False, "", 0)


def text(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Expression:
    """One ${{ expression }}: the operators and functions that this repository uses, and an error for any other."""

    def __init__(self, source, context):
        self.context, self.tokens, at = context, [], 0
        while source[at:].strip():
            match = TOKEN.match(source, at)
            assert match, f"no expression: {source}"
            self.tokens.append(match)
            at = match.end()

    def sign(self, *signs):
        if self.tokens and self.tokens[0][3] in signs and self.tokens[0][3]:
            return self.tokens.pop(0)[3]
        return None

    def value(self):
        value = self.either()
        assert not self.tokens, "an expression goes on where it should end"
        return value

    def either(self):
        left = self.both()
        while self.sign("||"):
            right = self.both()
            left = left if truth(left) else right
        return left

    def both(self):
        left = self.compared()
        while self.sign("&&"):
            right = self.compared()
            left = right if truth(left) else left
        return left

    def compared(self):
        left = self.negated()
        while sign := self.sign("==", "!="):
            right = self.negated()
            left = (text(left).lower() == text(right).lower()) == (sign == "==")
        return left

    def negated(self):
        return not truth(self.negated()) if self.sign("!") else self.single()

    def single(self):
        if self.sign("("):
            value = self.either()
            assert self.sign(")")
            return value
        token = self.tokens.pop(0)
        if token[1] is not None:
            return token[1].replace("''", "'")
        if token[2] is not None:
            return int(token[2])
        if self.sign("("):
            return self.call(token[4])
        if token[4] in ("true", "false"):
            return token[4] == "true"
        value = self.context.get(token[4])
        while self.sign("."):
            name = self.tokens.pop(0)[4]
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def call(self, name):
        arguments = []
        while not self.sign(")"):
            arguments.append(self.either())
            self.sign(",")
        if name == "cancelled":
            return self.context.get("cancelled", False)
        if name == "fromJSON":
            return json.loads(arguments[0])
        assert name == "contains", f"a function that is not known here: {name}"
        return arguments[1] in arguments[0]


def expand(value, context):
    """A text with all its expressions replaced; one that is an expression whole keeps its type."""
    if not isinstance(value, str):
        return value
    if whole := re.fullmatch(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", value, re.S):
        return Expression(whole[1], context).value()
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: text(Expression(match[1], context).value()), value, flags=re.S)


def allowed(node, context):
    return truth(expand(node["if"], context)) if "if" in node else True


def starts(events, github):
    """TRUE if `on:` names the event of the context, with its branch and type."""
    if github["event_name"] not in events:
        return False
    rule, event = events[github["event_name"]] or {}, github["event"]
    if isinstance(rule, list):
        return event.get("schedule") in [entry["cron"] for entry in rule]
    types = rule.get("types") or TYPES.get(github["event_name"])
    if types and event.get("action") not in types:
        return False
    if "branches" in rule and github["ref"].removeprefix("refs/heads/") not in rule["branches"]:
        return False
    return "workflows" not in rule or event["workflow"]["name"] in rule["workflows"]


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


def step_environment(path, step_id, context):
    document = load(path)
    step = next(step for step in document["runs"]["steps"] if step.get("id") == step_id)
    for name, given in document["inputs"].items():
        context["inputs"].setdefault(name, expand(given["default"], context))
    unknown = set(context["inputs"]) - set(document["inputs"])
    assert not unknown, f"{path} has no input {unknown}"
    if not allowed(step, context):
        return None
    return {name: text(expand(value, context)) for name, value in step.get("env", {}).items()}


def new_context(path, *given):
    with open(path, encoding="utf-8") as file:
        payload = file.read()
    for name, value in (pair.split("=", 1) for pair in given):
        payload = payload.replace(f"@{name}@", json.dumps(value)[1:-1])
    event = json.loads(payload)
    return {"github": {"event_name": event.pop("name"), "ref": event.pop("ref"), "repository": "example/catalog",
                       "server_url": "https://github.com", "action_repository": "OWNER/firebreak", "event": event},
            "inputs": {}, "steps": {}, "runner": {}, "needs": {}}


def main(command, path, *rest):
    if command == "context":
        print(json.dumps(new_context(path, *rest)))
        return
    with open(rest[-1], encoding="utf-8") as file:
        context = json.load(file)
    if command == "jobs":
        workflow = load(path)
        if starts(workflow[True], context["github"]):  # YAML 1.1 reads the key `on` as true
            for name, job in workflow["jobs"].items():
                if allowed(job, context) and job.get("needs", name) in {name, *context["needs"]}:
                    print(name)
    elif command == "with":
        step = next(step for step in load(path)["jobs"][rest[0]]["steps"] if step.get("uses", "").startswith(rest[1]))
        print(json.dumps({name: text(expand(value, context)) for name, value in step.get("with", {}).items()}))
    elif command == "outputs":
        for name, output in load(path)["outputs"].items():
            print(f"{name}={text(expand(output['value'], context))}")
    else:
        environment = step_environment(path, rest[0], context)
        if environment is None:
            sys.exit(1)
        sys.stdout.write("".join(f"{name}={value}\0" for name, value in environment.items()))


main(*sys.argv[1:])
