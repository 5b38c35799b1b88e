#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The flame graphs are well-formed XML for a strict parser, whatever functions are called.
set -eu
build=$(dirname "$FIREBREAK")
command -v xmllint >/dev/null || { echo "skipped: xmllint is not installed (apt install libxml2-utils)"; exit 77; }
[ -x "$build/tests/flamesvg_test" ] || { echo "skipped: $build/tests/flamesvg_test is not built"; exit 77; }
rm -f "$build/hostile.svg"
"$build/tests/flamesvg_test" >/dev/null 2>&1 # writes a picture of hostile names
xmllint --noout --nonet "$build/hostile.svg" "$SOURCE_DIR"/tests/golden/report/*.svg
for picture in "$build/hostile.svg" "$SOURCE_DIR"/tests/golden/report/*.svg; do
	wanted=1
	case $picture in *diff.svg) wanted=2 ;; esac # one more, for its views
	scripts=$(xmllint --xpath 'count(//*[local-name()="script"])' "$picture")
	[ "$scripts" = $wanted ] || { echo "$picture has $scripts scripts"; exit 1; }
	outside=$(xmllint --xpath 'count(//@*[contains(., "//") or starts-with(local-name(), "on")][local-name() != "xmlns"])' "$picture")
	[ "$outside" = 0 ] || { echo "$picture refers to something outside or has event handlers"; exit 1; }
done
echo "all pictures are well-formed"
