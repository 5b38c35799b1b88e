#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The keys that the sources write into an object of JSON are the keys that its schema in docs/schema/ names: a key that is
# written and not in the schema fails, as does one that the schema has and nothing writes. Each object of a schema, and
# each table of report/ and cli/, has a row below. SOURCE_DIR names the repository.
set -u
cd "$SOURCE_DIR" || exit 1
python3 - <<'PY'
import glob, json, re, subprocess, sys

# Object in the schema: tables of Field, and functions() that set keys, all of them together. "+" in front of an object:
# its schema names some of the keys only. In history-1 and report-1 a history is the same.
HISTORY = {"history": "historyjson.history_fields", "history/properties/changes/items": "historyjson.change_fields",
           "history/properties/points/items": "historyjson.point_fields"}
FINDING = "findingjson.finding_list_json()"
DOCUMENT = "document.json_document()"
DEFS = {
    "shards": "shardjson.set_fields", "shards/properties/parts/items": "shardjson.part_fields",
    "side": "reportjson.side_fields", "side/properties/compilers/items": "toolchainjson.compiler_fields",
    "benchmark/properties/programs": "toolchainjson.programs_json()", "program": "toolchainjson.program_fields",
    "benchmark": "benchmarkjson.comparison_fields benchmarkjson.pair_fields benchmarkjson.benchmark_json()",
    "benchmark/properties/accepted/items": "acceptancejson.accepted_fields",
    "benchmark/properties/unstable/items": "profilejson.unstable_fields",
    "benchmark/properties/runs/items": "runsjson.runs_json()",
    "extra_profile": "profilejson.profile_json()", "gap": "annotationjson.gap_json()",
    "changed_code": "changedjson.code_fields", "changed_file": "changedjson.file_fields",
    "changed_hunk": "changedjson.hunk_fields", "changed_line": "changedjson.line_fields",
    "changed_hunk/properties/functions/items": "changedjson.function_fields",
    "changed_hunk/properties/costs_of": "changedjson.costs_fields",
    "annotation": "annotationjson.annotation_fields", "annotated_line": "annotationjson.line_fields",
    "annotated_instruction": "annotationjson.instruction_fields",
    "campaign": "campaignjson.campaign_fields", "yardstick": "campaignjson.yardstick_fields",
    "calibration": "campaignjson.calibration_fields",
    "metric": "metricjson.metric_fields", "metric/properties/looks/items": "metricjson.look_fields",
    "profile": "profilejson.facts_fields", "inlined": "functionjson.inlined_fields",
    "function": "functionjson.function_fields", "run": "runsjson.run_fields",
}
TOP_CALLS = "/properties/calls/anyOf/1"
NEIGHBOUR = "topjson.identity_fields topjson.neighbour_fields"
FUNCTION_OF_TOP = "topjson.identity_fields topjson.costs_fields topjson.function_fields"
OBJECTS = {
    "report-1": {
        "": "reportjson.result_fields", "/properties/reasons/items": "reportjson.reason_fields",
        "/properties/findings/items": FINDING + " reportjson.finding_fields",
        "/properties/acceptances/items": "acceptancejson.acceptance_fields",
        **{"/$defs/" + name: keys for name, keys in {**DEFS, **HISTORY}.items()},
    },
    "bisect-1": {
        "": "bisectjson.fields", "/$defs/commit": "bisectjson.good_fields bisectjson.bad_fields",
        "/$defs/test": "bisectjson.test_fields", "/properties/asked": "bisectjson.asked_fields",
        "/properties/target": "bisectjson.target_fields",
    },
    "history-1": {"": DOCUMENT + " historyset.set_fields", "/properties/findings/items": FINDING,
                  **{"/$defs/" + name: keys for name, keys in HISTORY.items()}},
    "top-1": {
        "": DOCUMENT + " topjson.document_fields",
        "/properties/functions/items": FUNCTION_OF_TOP,
        "/properties/recording/anyOf/1": "topjson.head_fields",
        "/properties/recording/anyOf/1/properties/events/items": "topjson.event_fields",
        "/properties/comparison/anyOf/1": "topjson.comparison_fields",
        "/properties/comparison/anyOf/1/properties/rows/items": "topjson.pair_fields",
        "/properties/groups/items": "topjson.costs_fields topjson.group_fields",
        TOP_CALLS: "topjson.calls_fields topjson.costs_fields",
        TOP_CALLS + "/properties/functions/items": "topjson.identity_fields",
        TOP_CALLS + "/properties/callers/items": NEIGHBOUR, TOP_CALLS + "/properties/callees/items": NEIGHBOUR,
        "/properties/hints/items": "topjson.pattern_fields", "+/properties/findings/items": FINDING,
    },
    "diff-1": {
        "": DOCUMENT + " difftable.document_fields", "/$defs/side": "difftable.side_fields", "+/$defs/finding": FINDING,
        "+/$defs/function": "functionjson.function_fields difftable.inclusive_fields difftable.functions_with_inclusive()",
    },
    "doctor-1": {
        "": DOCUMENT + " cmd_doctor.report_fields", "/$defs/check": "cmd_doctor.check_fields",
        "/$defs/run": "cmd_doctor.run_fields", "+/$defs/finding": FINDING,
    },
    "init-1": {"+": DOCUMENT + " cmd_init.report_fields", "/$defs/benchmark": "cmd_init.benchmark_fields"},
    "record-1": {
        "": DOCUMENT + " cmd_record.report_fields", "/$defs/counter": "cmd_record.counter_fields",
        "/$defs/recording": "cmd_record.counts_fields", "+/$defs/finding": FINDING,
    },
    "baselines-1": {"/$defs/baseline": "baselinelist.entry_fields"},
    "sync-1": {"": DOCUMENT + " baselinesync.sync_fields", "+/$defs/finding": FINDING},
    "verify-1": {"": DOCUMENT + " cmd_baseline.verify_fields", "+/$defs/finding": FINDING},
    "measurements-1": {
        "": DOCUMENT + " measurementjson.list_fields", "/$defs/measurement": "measurementjson.row_fields",
        "/$defs/metric": "measurementjson.metric_fields", "/$defs/field": "measurementjson.environment_fields",
        "/$defs/reason": "measurementjson.reason_fields", "/$defs/finding": FINDING,
    },
    "glossary-1": {"+": DOCUMENT + " cmd_glossary.document_fields", "/$defs/term": "cmd_glossary.term_fields"},
    "prune-1": {"": DOCUMENT + " baselinesync.prune_fields", "+/$defs/finding": FINDING},
}
# Keys that files of artifacts have: report/output/ names them.
BY_OTHERS = {("report-1", "/$defs/benchmark/properties/artifacts")}
KEY = re.compile(r'\bFIELD\w*\(\s*"(\w+)"|json_set\(\s*\w+,\s*"(\w+)"|json_pack\("\{s:i\}", "(\w+)"')
FUNCTION = r"^(?:[\w *]+[ *])?%s\([^;{}]*\)\n\{\n(.*?)^\}"

paths = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.c"], text=True).split()
sources = {re.sub(r".*/|\.c$", "", path): path for path in paths if path.startswith(("report/", "core/", "cli/"))}
wrong = []


def written(names):
    keys = set()
    for name in names.split():
        module, part = name.split(".")
        text = open(sources[module]).read()
        pattern = FUNCTION % part[:-2] if part.endswith("()") else r"^static const Field %s\[\] = \{(.*?)\};" % part
        found = re.search(pattern, text, re.M | re.S)
        if found is None:
            wrong.append(f"{sources[module]} has no {part}")
            continue
        keys |= {a or b or c for a, b, c in KEY.findall(found[1])}
    return keys


def objects(node, pointer=""):
    """The objects of a schema with properties, conditions left out."""
    if isinstance(node, dict):
        if "properties" in node:
            yield pointer, set(node["properties"])
        for key, value in node.items():
            if key not in ("allOf", "if", "then", "else"):
                yield from objects(value, f"{pointer}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from objects(value, f"{pointer}/{index}")


for schema, rows in OBJECTS.items():
    path = f"docs/schema/{schema}.json"
    named = dict(objects(json.load(open(path))))
    for pointer in named:
        if pointer not in rows and "+" + pointer not in rows and (schema, pointer) not in BY_OTHERS:
            wrong.append(f"{path}{pointer}: nothing is said to write it; add a row to tests/structure/jsonkeys_test.sh")
    for row, names in rows.items():
        pointer = row.lstrip("+")
        if pointer not in named:
            wrong.append(f"{path} has no {pointer}")
            continue
        keys = written(names)
        for key in sorted(named[pointer] - keys):
            wrong.append(f"{path}{pointer}: `{key}` is in the schema, and {names} does not write it")
        for key in sorted(keys - named[pointer]) if row == pointer else ():
            wrong.append(f"{path}{pointer}: {names} writes `{key}`, and the schema does not have it")

used = {name for rows in OBJECTS.values() for names in rows.values() for name in names.split()}
for path in sorted(path for path in sources.values() if not path.startswith("core/")):
    module = re.sub(r".*/|\.c$", "", path)
    text = open(path).read()
    for table in re.findall(r"^static const Field (\w+)\[\]", text, re.M):
        if f"{module}.{table}" not in used:
            wrong.append(f"{path}: {table} belongs to no object of a schema; add it to tests/structure/jsonkeys_test.sh")
    if path.startswith("cli/") and re.search(r"\bjson_(pack|set|object_set_new)\(", text):
        wrong.append(f"{path}: keys of JSON stand in tables (core/json/document.h), which this test reads")
    for name in re.findall(r'"firebreak-(\w+)/1"', text):
        if f"{name}-1" not in OBJECTS:
            wrong.append(f"{path}: firebreak-{name}/1 has no schema in docs/schema/")
if {f"docs/schema/{schema}.json" for schema in OBJECTS} != set(glob.glob("docs/schema/*.json")) - {"docs/schema/config-1.json"}:
    wrong.append("docs/schema/ has other files than tests/structure/jsonkeys_test.sh")
# Stored files have no schema: their keys stand in a document.
formats = open("docs/FORMATS.md").read()
for module in ("manifest", "calibrationtext"):
    for key in {a or b for a, b, _ in KEY.findall(open(f"baselines/{module}.c").read())}:
        if not re.search(rf"\b{key}\b", formats):
            wrong.append(f"baselines/{module}.c writes `{key}`, and docs/FORMATS.md does not have it")
print("\n".join(wrong) or f"{sum(map(len, OBJECTS.values()))} objects have the keys of their schemas")
sys.exit(bool(wrong))
PY
