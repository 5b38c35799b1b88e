#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The JSON of a bisection as the writer makes it keeps to its published schema, and the schema names every key.
set -eu
build=$(dirname "$FIREBREAK")
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || { echo "skipped: python3-jsonschema is not installed"; exit 77; }
[ -x "$build/tests/bisectjson_test" ] || { echo "skipped: $build/tests/bisectjson_test is not built"; exit 77; }
rm -f "$build"/bisect-*.json
"$build/tests/bisectjson_test" >/dev/null 2>&1 # writes what it made into the folder of the build
python3 - "$SOURCE_DIR/docs/schema/bisect-1.json" "$build"/bisect-found.json "$build"/bisect-running.json <<'PY'
import copy, json, sys
import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)

def close(node):
    """Forbids keys that the schema does not name."""
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        close(value)
    if isinstance(node, dict) and "properties" in node and "required" in node:
        node["additionalProperties"] = False

strict = copy.deepcopy(schema)
close(strict)
made = [json.load(open(path)) for path in sys.argv[2:]]
for path, text in zip(sys.argv[2:], made):
    for error in jsonschema.Draft202012Validator(strict).iter_errors(text):
        sys.exit(f"{path}: {error.json_path}: {error.message}")

def refused(change):
    bad = copy.deepcopy(made[0])
    change(bad)
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(bad)), "something wrong was accepted"
refused(lambda b: b.update(outcome="guilty"))
refused(lambda b: b["good"].update(sha="main"))
refused(lambda b: b["tests"][0].update(verdict="ugly"))
refused(lambda b: b["tests"][0].pop("source"))
refused(lambda b: b.update(suspects=["HEAD"]))
print(f"{len(made)} bisections keep to the schema")
PY
