#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures a patch set of Gerrit against its first parent, which is all that the patch set changes: the one below it in a
# series, or the target branch. Runs in a clone of the project, and ends with the exit code of the gate.
#
#   check.sh [OPTION...]             options of `firebreak check`, such as --max-time 20m
#
#   GERRIT_PATCHSET_REVISION         full SHA of the patch set
#   GERRIT_REFSPEC                   its ref, refs/changes/34/1234/5: fetched from origin where the commit is missing
#   PROGRAM OUT                      the program, and the output folder (firebreak, firebreak-out)
#
# It needs no password, and the code that it runs could read one: give it to review.sh alone, in a later step.
set -euo pipefail
refuse() {
	printf 'firebreak for Gerrit: %s\n' "$1" >&2
	exit 2
}
revision=${GERRIT_PATCHSET_REVISION:-}
[[ $revision =~ ^[0-9a-f]{40}$ ]] || refuse "GERRIT_PATCHSET_REVISION is \"$revision\": it takes a full SHA"
if ! git rev-parse --quiet --verify "$revision^1^{commit}" >/dev/null; then
	[[ ${GERRIT_REFSPEC:-} =~ ^refs/changes/[0-9]{2}/[0-9]+/[0-9]+$ ]] ||
		refuse "the clone lacks $revision or its parent; set GERRIT_REFSPEC, such as refs/changes/34/1234/5"
	git fetch --quiet --no-tags origin "$GERRIT_REFSPEC"
	git rev-parse --quiet --verify "$revision^1^{commit}" >/dev/null ||
		refuse "$GERRIT_REFSPEC has not brought $revision and its parent: fetch without --depth"
fi
exec "${PROGRAM:-firebreak}" check --base "$(git rev-parse "$revision^1")" --head "$revision" --out "${OUT:-firebreak-out}" "$@"
