#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Opens report.html in headless Chromium: see html_test.mjs. The test of the report writes the pages.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
PAGES=$(dirname "$FIREBREAK")/tests/htmlreport_test
[ -x "$PAGES" ] || skip_browser "$PAGES, which writes the pages, is not built"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# Anything else that the test says is its own affair.
HTML_PAGES=$WORK "$PAGES" >"$WORK/log" 2>&1 || [ -f "$WORK/hostile-0.html" ] || {
	cat "$WORK/log"
	exit 1
}
drive html_test "$WORK"
