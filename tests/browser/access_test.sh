#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# axe-core looks for faults of accessibility in report.html and in pictures: see access_test.mjs.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
export AXE=${AXE:-$(dirname "$PLAYWRIGHT_CORE")/axe-core/axe.min.js}
[ -f "$AXE" ] || skip_browser "axe-core is not at $AXE (./dev installs it into build/browser)"
PAGES=$(dirname "$FIREBREAK")/tests/htmlreport_test
[ -x "$PAGES" ] || skip_browser "$PAGES, which writes the pages, is not built"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
HTML_PAGES=$WORK "$PAGES" >"$WORK/log" 2>&1 || {
	cat "$WORK/log"
	exit 1
}
# Pages of every ending. What else these two tests say is their own affair.
HTML_PAGES=$WORK "$(dirname "$FIREBREAK")/tests/comment_test" >"$WORK/log" 2>&1 || [ -f "$WORK/comment-first.md.html" ] || {
	cat "$WORK/log"
	exit 1
}
drive access_test "$WORK"
