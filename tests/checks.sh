# SPDX-License-Identifier: Apache-2.0
# Sourced by the test scripts: one line per check, a closing line, exit 0 only if nothing failed.
# WORK is a temporary folder that goes when the script ends.
set -u
WORK=$(mktemp -d "${TMPDIR:-/tmp}/firebreak-test.XXXXXX") || exit 1
trap 'rm -rf "$WORK"' EXIT
PASSED=0 FAILED=0

# check "what" COMMAND...: passes if the command succeeds; shows the end of what it printed if not.
check() {
	local what=$1
	shift
	if "$@" >"$WORK/check.out" 2>&1; then
		PASSED=$((PASSED + 1))
		echo "ok   $what"
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $what"
		tail -n 20 "$WORK/check.out" | sed 's/^/       /'
	fi
}

# skip_all REASON: ends the script as skipped.
skip_all() {
	echo "skipped: $1"
	exit 77
}

finish() {
	echo "$PASSED passed, $FAILED failed"
	[ $((PASSED + FAILED)) -gt 0 ] && [ "$FAILED" = 0 ]
}

is() { # is GOT WANTED
	[ "$1" = "$2" ] || {
		echo "got: $1"
		echo "wanted: $2"
		return 1
	}
}

json() { jq -e "$2" "$1"; } # json FILE EXPRESSION: true if the expression is

# keeps_to_schema NAME FILE...: the values are those of docs/schema/NAME-1.json, which names every key, and would be refused
# without their last one, or that of the last of an array. Passes with a word where python3-jsonschema is not installed.
keeps_to_schema() {
	python3 - "$SOURCE_DIR/docs/schema/$1-1.json" "${@:2}" <<'PY'
import copy, json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(print("not looked at: python3-jsonschema is not installed"))
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)

def close(node):
    """Forbids keys that the schema does not name."""
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        close(value)
    if isinstance(node, dict) and "properties" in node and "required" in node:
        node.setdefault("additionalProperties", False)

strict = copy.deepcopy(schema)
close(strict)
for path in sys.argv[2:]:
    report = json.load(open(path))
    for error in jsonschema.Draft202012Validator(strict).iter_errors(report):
        sys.exit(f"{path}: {error.json_path}: {error.message}")
    (report[-1] if isinstance(report, list) else report).popitem()
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(report)), f"{path}: a part of it was accepted"
PY
}

# settled COMMAND...: runs what measures and sets CODE, up to three times until it ends with another code than 3: for facts
# that hold once it can be told, which neighbours on a busy machine may prevent.
settled() {
	for _ in 1 2 3; do
		"$@"
		[ "$CODE" = 3 ] || return 0
	done
}

# TRUE where everything is to be tried (`./dev test --all`): also what unit tests have shown with made-up runs already.
everything() { [ "${FIREBREAK_TESTS:-}" = all ]; }

# Fails, saying why, when this process may not count its own CPU time with perf_event_open.
perf_events_open() {
	python3 - <<'PY'
import ctypes, os, platform, struct, sys
number = {"x86_64": 298, "aarch64": 241}.get(platform.machine())
if number is None:
    sys.exit("the number of perf_event_open is not known on " + platform.machine())
SOFTWARE, SIZE, TASK_CLOCK, EXCLUDE_KERNEL_AND_HV = 1, 112, 1, 1 << 5 | 1 << 6
attr = struct.pack("<IIQQQQQ", SOFTWARE, SIZE, TASK_CLOCK, 0, 0, 0, EXCLUDE_KERNEL_AND_HV).ljust(SIZE, b"\0")
libc = ctypes.CDLL(None, use_errno=True)
fd = libc.syscall(number, ctypes.create_string_buffer(attr, SIZE), 0, -1, -1, ctypes.c_ulong(0))
if fd < 0:
    sys.exit("perf_event_open: " + os.strerror(ctypes.get_errno()))
PY
}
