#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The published schema of firebreak.yml and the parser agree: on every example here and on every configuration shown in
# the documentation. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
python3 -c 'import yaml, jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || skip_all "python3-jsonschema or python3-yaml is not installed"
reason=$(perf_events_open 2>&1) || skip_all "$reason" # the program looks at the machine before the configuration

python3 - "$SOURCE_DIR" "$WORK" <<'PY' || exit 1
"""Writes WORK/cases/N.yml with what the schema says of it in N.schema (good, or why not), and N.name."""
import json, os, re, sys
import jsonschema, yaml

source, work = sys.argv[1:]
schema = json.load(open(f"{source}/docs/schema/config-1.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

class Loader(yaml.SafeLoader):
    """Plain scalars as YAML 1.2 and the parser take them: no `yes`, no 1e6 that is text, no sexagesimal numbers."""
    yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "^(true|false)$", "tf"), ("null", "^(~|null|)$", ["~", "n", ""]),
                            ("int", "^-?[0-9]+$", "-0123456789"),
                            ("float", r"^-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$", "-.0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))

def with_benchmark(line):
    return f"version: 1\nbenchmarks:\n  - name: b\n    command: ./b\n    {line}\n"
def with_root(line):
    return f"version: 1\n{line}\nbenchmarks: [{{name: b, command: ./b}}]\n"
def benchmarks(text):
    return f"version: 1\nbenchmarks: {text}\n"

lines_of_a_benchmark = {
    "good": ["cwd: sub/folder", "cwd: a..b", "cwd: 12", "work: 1", "work: 1e6", "work: 0.25", "engines: [perf]",
        "timeout: 168h", "timeout: 10080m", "timeout: 604800s", "timeout: 604800000ms", "timeout: 007s",
        "sampling: 10", "sampling: 20000", "cpus: 1024", "schedule: auto", "schedule: 'coscheduled'",
        "schedule: sequential", "rounds: auto", "rounds: 1", "rounds: 62", "gate: {}", "gate: {functions: false}", "gate: {functions: strict}",
        "gate: {task-clock: {}}", "gate: {wall: {margin: 5%, pass_margin: 15%}, functions: true}",
        "gate: {cycles: {margin: 0%}, instructions: {margin: .5%}, page-faults: {margin: 100%}}",
        "gate: {peak-rss: {margin: '7.5%'}, branch-misses: {gates: false}, cache-misses: {gates: true}}",
        "gate: {context-switches: {margin: 3%, pass_margin: 3%}, cpu-migrations: {pass_margin: 9%}}",
        "work: reported", "work: 'reported'", "metrics: [latency-p99, throughput]", "metrics: [99]", "metrics: [%s]" % ("m" * 64), "measure: region",
        "measure: whole", "unwind: frame-pointers", "unwind: 'dwarf'", "stack_bytes: 256", "stack_bytes: 65528",
        "profiles: [off-cpu]", "profiles: [page-faults, off-cpu, cache-misses]",
        "metrics: [rate]\n    gate: {rate: {margin: 8%}}", "layouts: 1", "layouts: 16", "waits: true", "waits: false", "gate: {wait: {margin: 20%}}", "yardstick: true",
        "yardstick: false", "privileges: allow", "privileges: none", "engines: [callgrind]", "engines: [perf, callgrind]", "engines: ['callgrind', perf]",
        "engines: [callgrind]\n    cache: true\n    heap: false\n    call_depth: 1",
        "engines: [callgrind, perf]\n    call_depth: 200\n    metrics: [rate]",
        "engines: [callgrind]\n    gate: {instructions: {margin: 0%, pass_margin: 0%}, task-clock: {gates: false}}",
        "engines: [callgrind]\n    gate: {allocations: {margin: 0%}, system-calls: {}}",
        "engines: [callgrind]\n    cache: true\n    gate: {estimated-cycles: {}, l1-misses: {}, ll-misses: {}, branch-misses: {}}",
        "engines: [callgrind]\n    heap: true\n    gate: {allocated-bytes: {}, peak-heap: {margin: 5%}}",
        "engines: [callgrind]\n    rounds: 12\n    sampling: 99\n    layouts: 2\n    profiles: [off-cpu]"],
    "bad": ["cmd: ./c", "cwd: /tmp", "cwd: ../other", "cwd: a/..", "cwd: ''", "cwd: [a]", "work: 0", "work: -1",
        "work: '1'", "work: 1e19", "work: many", "work: [reported]", "work: Reported", "engines: []", "engines: perf", "engines: callgrind", "engines: [perf, perf]",
        "engines: [cachegrind]", "engines: [[perf]]", "cache: true", "heap: true", "call_depth: 48", "engines: [perf]\n    cache: false",
        "engines: [callgrind]\n    cache: 1", "engines: [callgrind]\n    heap: 'true'", "engines: [callgrind]\n    call_depth: 0",
        "engines: [callgrind]\n    call_depth: 201", "engines: [callgrind]\n    call_depth: all",
        "engines: [callgrind]\n    metrics: [rate]", "metrics: [peak-heap]", "metrics: [system-calls]", "timeout: 60",
        "timeout: 0s", "timeout: 1.5m", "timeout: 169h", "timeout: 10081m", "timeout: 604801s", "timeout: 604800001ms",
        "timeout: 1d", "timeout:", "sampling: 9", "sampling: 20001", "sampling: 99.5", "sampling: '99'", "sampling: auto",
        "cpus: 0", "cpus: 1025", "schedule: parallel", "schedule: 1", "rounds: 0", "rounds: 63", "rounds: few",
        "gate:", "gate: task-clock", "gate: [task-clock]", "gate: {Time: {}}", "gate: {task-clock: }",
        "metrics: []", "metrics: rate", "metrics: [Rate]", "metrics: [a_b]", "metrics: [wall]", "metrics: [functions]",
        "metrics: [a, a]", "metrics: [%s]" % ("m" * 65), "metrics: [%s]" % ", ".join(f"m{i}" for i in range(65)),
        "measure: part", "measure: true", "unwind: none", "unwind: lbr", "stack_bytes: 255", "stack_bytes: 65529",
        "stack_bytes: 16k", "profiles: []", "profiles: off-cpu", "profiles: [off-cpu, off-cpu]", "profiles: [[a]]",
        "gate: {task-clock: 3%}", "gate: {task-clock: {margin: 3}}", "gate: {task-clock: {margin: 101%}}",
        "gate: {task-clock: {margin: -1%}}", "gate: {task-clock: {margin: three%}}", "gate: {task-clock: {limit: 3%}}",
        "gate: {task-clock: {gates: yes}}", "gate: {task-clock: {gates: 'true'}}", "gate: {functions: 1}",
        "gate: {functions: often}",
        "layouts: 0", "layouts: 17", "layouts: auto", "layouts: [3]", "waits: 1", "waits: long", "metrics: [wait]", "yardstick: 1", "yardstick: 'true'",
        "privileges: all", "privileges: true", "privileges: [allow]", "calibrate_every: 2"],
}
lines_of_the_root = {
    "good": ["build: {}", "build: {command: make}", "build: {command: [make, -j2]}", "build: {timeout: 90s}",
        "build: {privileges: allow}", "build: {command: make, privileges: none}", "defaults: {privileges: allow}",
        "env: [JAVA_HOME]", "baselines: {}", "baselines: {anchor: release}", "baselines: {anchor: none, drift_margin: 100%}",
        "baselines: {anchor: 1}", "baselines: {anchor: 10000}", "baselines: {anchor: '50', gate_drift: false}", "baselines: {anchor: origin/main~3}", "baselines: {anchor: 1.5}",
        "defaults: {}", "defaults: {timeout: 2m, sampling: 499, cpus: 2, schedule: sequential}",
        "defaults: {rounds: 12, gate: {task-clock: {margin: 3%}}}",
        "defaults: {unwind: dwarf, stack_bytes: 16384, measure: region, profiles: [off-cpu]}",
        "defaults: {layouts: 3, yardstick: false}", "defaults: {gate: {allocations: {gates: false}}}", "calibrate_every: 0", "calibrate_every: 1000",
        "accept: []", "accept: [{benchmark: b, reason: worth it}]", "accept: [{benchmark: b, reason: 12}]",
        "accept: [{benchmark: b, function: 'ns::f(int)', until: 2026-12-31, reason: x}, {benchmark: b, reason: y}]",
        "accept: [{benchmark: b, until: '2028-02-29', reason: 'on: a leap day'}]", "accept: [{benchmark: b, reason: %s}]" % ("r" * 1000),
        "accept_from: none", "accept_from: [config]", "accept_from: [trailer, config]", "accept_from: ['trailer']"],
    "bad": ["baselines:", "baselines: release", "baselines: {margin: 5%}", "baselines: {anchor: 0}", "baselines: {anchor: 10001}",
        "baselines: {anchor: -x}", "baselines: {anchor: ''}", "baselines: {anchor: [1]}", "baselines: {drift_margin: 5}",
        "baselines: {gate_drift: 1}", "builds: {}", "build: make", "build:", "build: {command: []}", "build: {command: ''}", "build: {comand: make}",
        "build: {timeout: 10}", "env: JAVA_HOME", "env: []", "env: [[A]]", "env: {A: 1}", "defaults:",
        "defaults: {work: 2}", "defaults: {name: b}", "defaults: {sampling: 1}", "defaults: {metrics: [a]}",
        "calibrate_every: -1", "calibrate_every: 1001", "calibrate_every: never", "defaults: {calibrate_every: 5}",
        "defaults: {engines: [callgrind]}", "defaults: {cache: yes}", "defaults: {call_depth: 201}",
        "accept:", "accept: b", "accept: {benchmark: b, reason: x}", "accept: [b]", "accept: [{benchmark: b}]", "accept: [{reason: x}]",
        "accept: [{benchmark: b, reason: ''}]", "accept: [{benchmark: b, reason: ' '}]", "accept: [{benchmark: b, reason: [x]}]",
        "accept: [{benchmark: b, reason: %s}]" % ("r" * 1001), "accept: [{benchmark: b, reason: x, function: ''}]",
        "accept: [{benchmark: b, reason: x, until: tomorrow}]", "accept: [{benchmark: b, reason: x, until: 2026-1-31}]",
        "accept: [{benchmark: b, reason: x, until: 20261231}]", "accept: [{benchmark: b, reason: x, metric: wall}]",
        "accept: [%s]" % ", ".join(["{benchmark: b, reason: x}"] * 201), "accept_from:", "accept_from: config", "accept_from: []",
        "accept_from: [config, config]", "accept_from: [none]", "accept_from: [label]", "accept_from: false", "accept_from: {config: true}"],
}
whole = {
    "good": [benchmarks("[{name: a, command: ./a}, {name: b, command: [./a, -1, 2.5, true]}]"),
        benchmarks("[{name: 12, command: 7}]"), benchmarks("[{name: _a.b-C9, command: 'x && y'}]"),
        benchmarks("[{name: %s, command: x}]" % ("n" * 64)),
        "defaults: {cache: true, heap: true, call_depth: 9}\n" +
        benchmarks("[{name: a, command: x, engines: [callgrind]}, {name: b, command: x}]"), '{"version": 1, "benchmarks": [{"name": "j", "command": ["./j"]}]}\n'],
    "bad": ["version: 1\n", "benchmarks: [{name: b, command: ./b}]\n", "version: 2\nbenchmarks: [{name: b, command: ./b}]\n",
        "version: '1'\nbenchmarks: [{name: b, command: ./b}]\n", "[1, 2]\n", "text\n", benchmarks("[]"), benchmarks("{}"),
        benchmarks("[b]"), benchmarks("[{name: b}]"), benchmarks("[{command: ./b}]"), benchmarks("[{name: b, command: }]"),
        benchmarks("[{name: b, command: []}]"), benchmarks("[{name: b, command: {a: b}}]"),
        benchmarks("[{name: 'a b', command: x}]"), benchmarks("[{name: .a, command: x}]"), benchmarks("[{name: -a, command: x}]"),
        benchmarks("[{name: a/b, command: x}]"), benchmarks("[{name: %s, command: x}]" % ("n" * 65)),
        benchmarks("[{name: '', command: x}]")],
    # what a schema cannot say
    "parser": [benchmarks("[{name: b, command: x}, {name: b, command: y}]"),
        with_benchmark("gate: {wall: {margin: 5%, pass_margin: 4%}}"), with_benchmark("gate: {time: {}}"),
        with_benchmark("profiles: [no-such-event]"), with_benchmark("gate: {allocations: {}}"),
        with_benchmark("engines: [callgrind]\n    gate: {task-clock: {}}"),
        with_benchmark("engines: [callgrind]\n    gate: {peak-heap: {}}"),
        with_benchmark("engines: [callgrind, perf]\n    gate: {l1-misses: {}}"), with_root("defaults: {cache: true}"),
        with_root("accept: [{benchmark: c, reason: x}]"), with_root("accept: [{benchmark: b, until: 2026-02-29, reason: x}]"),
        "defaults: {gate: {wall: {}}}\n" + benchmarks("[{name: a, command: x, engines: [callgrind]}]")],
}
cases = [(verdict, make(line), line) for lines, make in ((lines_of_a_benchmark, with_benchmark), (lines_of_the_root, with_root))
         for verdict in lines for line in lines[verdict]]
cases += [(verdict, text, text) for verdict in whole for text in whole[verdict]]

shown = 0
for document in ("README.md", "docs/CONFIG.md"):
    for block in re.findall(r"^```yaml\n(.*?)^```", open(f"{source}/{document}").read(), re.M | re.S):
        if block.startswith("version:"):
            cases.append(("good", block, f"an example of {document}"))
            shown += 1
assert shown >= 2, "the documentation shows too few configurations"
cases.append(("good", open(f"{source}/tests/projects/sample/firebreak.yml").read(), "that of the sample project"))

os.mkdir(f"{work}/cases")
for number, (verdict, text, name) in enumerate(cases):
    error = jsonschema.exceptions.best_match(validator.iter_errors(yaml.load(text, Loader)))
    says = "good" if error is None else f"bad: {error.json_path}: {error.message}"
    for suffix, content in (("yml", text), ("wanted", verdict), ("schema", says), ("name", " ".join(name.split())[:90])):
        with open(f"{work}/cases/{number:03}.{suffix}", "w") as out:
            out.write(content)
PY

git init -q --initial-branch=main "$WORK/repo" && cd "$WORK/repo" || exit 1
git -c user.name=dev -c user.email=dev@example.org commit -q --allow-empty -m 'nothing yet'
mkdir "$WORK/cache"
export XDG_CACHE_HOME=$WORK/cache GIT_CONFIG_GLOBAL=/dev/null

# Prints what the parser says of firebreak.yml. No benchmark has the name that is asked for, so a good configuration ends with
# that complaint, before anything is built or run.
parse() { "$FIREBREAK" run -b no-such-name worktree 2>&1 >/dev/null </dev/null; }
# agree CASE WANTED: schema and parser both say so; of "parser" only the parser may complain.
agree() {
	local schema said code=0
	schema=$(cat "$1.schema")
	cp "$1.yml" firebreak.yml
	said=$(parse) || code=$?
	echo "schema: $schema"
	echo "parser ($code): $said"
	[ "$code" = 2 ] || return 1
	case $2 in
	good) [ "$schema" = good ] && [[ $said == *'no benchmark is named "no-such-name"'* ]] ;;
	bad) [ "$schema" != good ] && [[ $said == *'firebreak.yml:'[0-9]*:[0-9]*': '* ]] ;;
	parser) [ "$schema" = good ] && [[ $said == *'firebreak.yml:'[0-9]*:[0-9]*': '* ]] ;;
	*) return 1 ;;
	esac
}

for file in "$WORK"/cases/*.yml; do
	case=${file%.yml}
	wanted=$(cat "$case.wanted")
	check "$wanted: $(cat "$case.name")" agree "$case" "$wanted"
done
finish
