#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows the result of a job of GitHub Actions: the summary page, and a comment on the pull request, where the job may
# write one. The verdict is known by now, so nothing that fails here fails the job.
#
#   PROGRAM OUT       the program, and the output folder
#   ARTIFACT_URL      where the output folder is kept; "" = nowhere
#   COMMENT ID SHARD  auto or never; what tells the comment from those of other jobs; of several shards, which one
#   TOKEN             what may write the comment
#   EVENT HEAD_REPOSITORY NUMBER   of the event: its name, and the pull request's repository and number
# and of the environment of a job GITHUB_STEP_SUMMARY, GITHUB_REPOSITORY, GITHUB_API_URL.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
[ -s "$OUT/report.json" ] || exit 0
links=()
[ -z "$ARTIFACT_URL" ] || links=(--artifact "$ARTIFACT_URL")

# The text that the job wrote into its summary before counts, too, and above 1 MiB all of it would be lost.
before=$(wc -c <"$GITHUB_STEP_SUMMARY" 2>/dev/null || echo 0)
limit=$((900000 - before))
if [ "$limit" -ge 8192 ]; then
	if env -u TOKEN "$PROGRAM" report "$OUT" --format markdown --limit "$limit" "${links[@]}" >"$OUT/.summary"; then
		cat "$OUT/.summary" >>"$GITHUB_STEP_SUMMARY"
	else
		echo "::warning title=firebreak::the summary could not be made"
	fi
	rm -f "$OUT/.summary"
fi

# A pull request of a fork has no right to write; what posts its comment is the workflow that follows it.
# One of several shards has nothing to say alone.
if [ "$COMMENT" != auto ] || [ "$EVENT" != pull_request ] || [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ] ||
	[ -z "$TOKEN" ] || [ -n "$SHARD" ]; then exit 0; fi
body=$(mktemp)
trap 'rm -f "$body"' EXIT
env -u TOKEN "$PROGRAM" report "$OUT" --format comment --id "$ID" "${links[@]}" >"$body" || {
	echo "::warning title=firebreak::the comment could not be made"
	exit 0
}
NUMBER=$NUMBER BODY=$body TOKEN=$TOKEN ID=$ID bash "$here/comment.sh" ||
	echo "::notice title=firebreak::no comment on the pull request: the job may need the permission pull-requests: write. The summary has the same."
