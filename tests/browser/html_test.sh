#!/bin/bash
# Opens report.html in headless Chromium: see html_test.mjs. Needs node, playwright-core (PLAYWRIGHT_CORE, or where node
# finds it) and Chromium (CHROMIUM, or `chromium` in PATH).
set -u
: "${FIREBREAK:?}" "${SOURCE_DIR:?}"
HERE=$SOURCE_DIR/tests/browser
PAGES=$(dirname "$FIREBREAK")/tests/htmlreport_test

skip() {
	echo "skipped: $1"
	exit 77
}

command -v node >/dev/null || skip "node is not installed"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser)} || skip "chromium is not installed"
[ -x "$PAGES" ] || skip "$PAGES, which writes the pages, is not built"
[ "$(node "$HERE/html_test.mjs" --probe 2>/dev/null)" = yes ] ||
	skip "playwright-core is not installed; npm install playwright-core, and name its folder in PLAYWRIGHT_CORE"

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
HTML_PAGES=$WORK "$PAGES" >"$WORK/log" 2>&1 || {
	cat "$WORK/log"
	exit 1
}
CHROMIUM=$CHROMIUM node "$HERE/html_test.mjs" "$WORK"
