#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# report.json as the writer makes it keeps to its published schema, and the schema describes every key that is written.
set -eu
build=$(dirname "$FIREBREAK")
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || { echo "skipped: python3-jsonschema is not installed"; exit 77; }
[ -x "$build/tests/reportjson_test" ] || { echo "skipped: $build/tests/reportjson_test is not built"; exit 77; }
rm -f "$build"/report-*.json
"$build/tests/reportjson_test" >/dev/null 2>&1 # writes its results beside itself
python3 - "$SOURCE_DIR/docs/schema/report-1.json" "$build"/report-*.json <<'PY'
import copy, json, sys
import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)

def close(node):
    """Forbids keys that the schema does not name."""
    if isinstance(node, dict):
        if "properties" in node and "required" in node:
            node.setdefault("additionalProperties", False)
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)

strict = copy.deepcopy(schema)
close(strict)
reports = [json.load(open(path)) for path in sys.argv[2:]]
assert len(reports) >= 5, "the writer's test left too few reports"
for path, report in zip(sys.argv[2:], reports):
    for validator in (schema, strict):
        for error in jsonschema.Draft202012Validator(validator).iter_errors(report):
            sys.exit(f"{path}: {error.json_path}: {error.message}")

# Reports of before a key was added are still reports.
def without(node, keys):
    if isinstance(node, dict):
        return {k: without(v, keys) for k, v in node.items() if k not in keys}
    return [without(v, keys) for v in node] if isinstance(node, list) else node
added = {"mode", "max_time_s", "campaign", "calibration", "confirmation", "confirmation_text", "code_changed", "relation", "called_through", "base_file", "base_line", "file_in_commit",
         "annotations", "changed_code", "history", "engine", "base_source", "pair", "pair_text", "unstable", "profiles", "base_spread_pct", "head_spread_pct", "repeats"}
assert any(b.get("annotations") and b.get("history") for r in reports for b in r["benchmarks"]), "nothing annotated was left"
for report in reports:
    old = without(report, added)
    for benchmark, plain in zip(report["benchmarks"], old["benchmarks"]):
        for metric, of_old in zip(benchmark["metrics"], plain["metrics"]):
            of_old["engine"] = metric["engine"] # was there before benchmarks had one
    for error in jsonschema.Draft202012Validator(schema).iter_errors(old):
        sys.exit(f"an old report: {error.json_path}: {error.message}")

# The schema can say no.
good = next(r for r in reports if r["verdict"] == "regression")
def refused(change):
    bad = copy.deepcopy(good)
    change(bad)
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(bad)), "a wrong report was accepted"
refused(lambda r: r.update(exit_code=0))
refused(lambda r: r.update(reason=""))
refused(lambda r: r.update(reasons=[]))
refused(lambda r: r["base"].update(sha="main"))
refused(lambda r: r["benchmarks"][0]["metrics"][0].pop("mde_pct"))
refused(lambda r: r["benchmarks"][0]["functions"][0].update({"class": "slower"}))
refused(lambda r: r.update(mode="prayer"))
refused(lambda r: r["benchmarks"][0].update(confirmation="maybe"))
refused(lambda r: r["benchmarks"][0].update(campaign={}))
refused(lambda r: r["benchmarks"][0].update(calibration={"campaigns": 0}))
refused(lambda r: r["benchmarks"][0]["functions"][0].update(relation="near"))
refused(lambda r: r["benchmarks"][0].update(engine="steam"))
refused(lambda r: r["benchmarks"][0].update(base_source="borrowed"))
refused(lambda r: r["benchmarks"][0].update(pair="odd"))
refused(lambda r: r["benchmarks"][0].update(unstable=[{"name": "f"}]))
refused(lambda r: r["benchmarks"][0].update(profiles=[{"name": "instructions"}]))
refused(lambda r: r["benchmarks"][0].update(annotations=[{"name": "f"}]))
refused(lambda r: r["benchmarks"][0].update(history=[{"metric": "wall"}]))
refused(lambda r: r["benchmarks"][0]["artifacts"].update(diff_svg="../x.svg"))
print(f"{len(reports)} reports keep to the schema")
PY
