#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Takes the pictures of docs/images from a check of the sample project with its planted slowdown: screenshots.sh FOLDER.
# FIREBREAK names the program, SOURCE_DIR the repository. `./dev screenshots` is how to call it.
set -euo pipefail
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
FIREBREAK_BROWSER=required need_browser
MAX_BYTES=150000
OUT=${1:?a folder for the images}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/lexi" >/dev/null
code=0
"$FIREBREAK" -C "$WORK/lexi" check --base base --head slow --out "$WORK/out" >"$WORK/log" 2>&1 || code=$?
[ "$code" = 1 ] || {
	cat "$WORK/log"
	echo "screenshots: the check ended with $code, and 1, for the slowdown, is what the images are to show" >&2
	exit 1
}
mkdir -p "$OUT"
node "$SOURCE_DIR/tests/browser/screenshots.mjs" "$WORK/out" "$OUT"
if command -v optipng >/dev/null; then optipng -quiet -strip all "$OUT"/*.png; fi
for image in "$OUT"/*.png; do
	size=$(stat -c %s "$image")
	printf '%7d bytes  %s\n' "$size" "$image"
	[ "$size" -le $MAX_BYTES ] || {
		echo "screenshots: $image has more than $MAX_BYTES bytes" >&2
		exit 1
	}
done
