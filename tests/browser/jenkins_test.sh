#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Opens report.html and a flame graph as Jenkins serves them, without scripts and styles: see jenkins_test.mjs.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
PAGES=$(dirname "$FIREBREAK")/tests/htmlreport_test
[ -x "$PAGES" ] || skip_browser "$PAGES, which writes the pages, is not built"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
HTML_PAGES=$WORK "$PAGES" >/dev/null 2>&1
cp "$SOURCE_DIR/tests/golden/report/diff.svg" "$WORK/"
drive jenkins_test "$WORK"
