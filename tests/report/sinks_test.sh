#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# More than a thousand hostile texts in every output, read by parsers of another hand: nothing in them may become an
# element, a link, a command, a column or an escape sequence. `injection_check.py` says what each output is held to.
set -eu
program=$(dirname "$FIREBREAK")/tests/injection_test
[ -x "$program" ] || { echo "skipped: $program is not built"; exit 77; }
for tool in cmark-gfm:cmark-gfm protoc:protobuf-compiler; do
	command -v "${tool%:*}" >/dev/null || { echo "skipped: ${tool%:*} is not installed (apt install ${tool#*:})"; exit 77; }
done
# That of the distribution has its packages, whatever other Pythons there are.
python=
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import lxml, prometheus_client, jsonschema' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || {
	echo "skipped: a parser is missing (apt install python3-lxml python3-prometheus-client python3-jsonschema)"
	exit 77
}
export SOURCE_DIR
checker=$SOURCE_DIR/tests/report/injection_check.py
"$python" "$checker" "$program"

# A store of baselines whose names are all hostile is printed, too.
store=$(dirname "$program")/hostilestore_test
[ -x "$store" ] || { echo "not tried on a store of baselines: $store is not built"; exit 0; }
"$store" >/dev/null 2>&1 || { echo "$store fails"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$(dirname "$FIREBREAK")/hostile-store.bundle
git init -q -b other "$work/clone"
git -C "$work/clone" fetch -q "$bundle" 'refs/heads/*:refs/heads/*' 'refs/firebreak/*:refs/firebreak/*'
for action in list 'show main' verify; do
	# shellcheck disable=SC2086 # an action and its argument
	"$FIREBREAK" -C "$work/clone" baseline $action >"$work/${action%% *}" || { echo "baseline $action fails"; exit 1; }
done
[ "$(wc -l <"$work/list")" -gt 40 ] || { echo "baseline list has too few lines"; exit 1; }
"$python" "$checker" --terminal "$work/list" "$work/show" "$work/verify"
echo "baselines are listed and shown as text"
