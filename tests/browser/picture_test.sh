#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A reader uses a flame graph in a browser: see picture_test.mjs.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
drive picture_test "$WORK"
