#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A reader uses a differential flame graph in a browser: see diffpicture_test.mjs.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
drive diffpicture_test "$WORK"
