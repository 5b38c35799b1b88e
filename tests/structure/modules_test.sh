#!/bin/bash
# docs/ARCHITECTURE.md names every module of profile/, runner/ and report/.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

unnamed() { # unnamed FOLDER: its modules that the document does not name
	local header
	find "$1" -name '*.h' | sort | while read -r header; do
		grep -qE "(^|[^a-z])$(basename "$header" .h)([^a-z]|$)" docs/ARCHITECTURE.md || echo "$header"
	done
}
for folder in profile runner report; do
	check "ARCHITECTURE.md names every module of $folder/" is "$(unnamed $folder)" ''
done
finish
