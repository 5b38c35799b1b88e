#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Takes the pictures of docs/images from a check of the sample project with its planted slowdown: screenshots.sh FOLDER.
# FIREBREAK names the program, SOURCE_DIR the repository. `./dev screenshots` is how to call it. With RESULT the folder of
# such a check is taken, and it is not made again.
set -euo pipefail
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
FIREBREAK_BROWSER=required need_browser
export FIREBREAK_BROWSER_WAIT_MS=${FIREBREAK_BROWSER_WAIT_MS:-60000}
MAX_BYTES=150000
OUT=${1:?a folder for the images}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

check_sample() {
	local code=0
	"$SOURCE_DIR/tests/projects/sample/make_history.sh" "$WORK/lexi" >/dev/null
	# what stands at the end of a terminal: the text of the result, and the exit code
	COLUMNS=100 "$FIREBREAK" -C "$WORK/lexi" check --base base --head slow --out "$WORK/out" >"$WORK/block" 2>"$WORK/log" || code=$?
	tail -n 1 "$WORK/log" >>"$WORK/block"
	[ "$code" = 1 ] || {
		cat "$WORK/log"
		echo "screenshots: the check ended with $code, and 1, for the slowdown, is what the images are to show" >&2
		exit 1
	}
}

# page NAME: standard input, a part of a document, as a page that looks like a comment.
page() {
	printf '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>%s</title>\n<style>%s</style>\n' "$1" "$STYLE" >"$WORK/out/$1.html"
	cat >>"$WORK/out/$1.html"
}
STYLE='body{font:14px/1.5 system-ui,"DejaVu Sans",sans-serif;margin:16px;color:#1f2328}table{border-collapse:collapse}
td,th{border:1px solid #d0d7de;padding:6px 13px}code,pre{background:#f0f1f3;border-radius:6px;padding:.2em .4em;font-size:85%}
pre{padding:12px;overflow:auto;white-space:pre-wrap}pre code{padding:0}a{color:#0550ae}pre.terminal{background:#161b22;color:#e6edf3;padding:16px}'

if [ -n "${RESULT:-}" ]; then cp -r "$RESULT" "$WORK/out"; else check_sample; fi
mkdir -p "$OUT"
"$FIREBREAK" report "$WORK/out" --format comment | cmark-gfm --unsafe -e table -e autolink | page comment
# As the output folder is called in a check; of a result that was made before, the whole text.
terminal() {
	local text=$WORK/block
	[ -f "$text" ] || "$FIREBREAK" report "$WORK/out" --format text --color never >"$text"
	sed "s| $WORK/out$||; s|$WORK/out|firebreak-out|g" "$text" | head -n 32
}
{ printf '<pre class="terminal">' && terminal | sed 's/&/\&amp;/g; s/</\&lt;/g' && printf '</pre>\n'; } | page terminal
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
