#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Flame graphs inside of other pages: see embedding_test.mjs.
# shellcheck source=tests/browser/browser.sh
. "$SOURCE_DIR/tests/browser/browser.sh" || exit 1
need_browser
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
drive embedding_test "$WORK"
