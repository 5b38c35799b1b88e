#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts a comment of firebreak on a pull request, or replaces the one that is there: one for each id, which stands in the
# first line of the comment. Only what the same author wrote is replaced, so nobody can make it edit a comment of theirs.
#
#   NUMBER       of the pull request
#   BODY         the file with the comment, as `firebreak report --format comment` writes it
#   ID           its id
#   AUTHOR       who writes comments with this token (github-actions[bot])
#   TOKEN GITHUB_API_URL GITHUB_REPOSITORY
set -euo pipefail
# shellcheck source=ci-templates/github/api.sh
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"
MAX_BYTES=65000
MAX_PAGES=30

refuse() {
	printf 'comment: %s\n' "$1" >&2
	exit 2
}
[[ $NUMBER =~ ^[1-9][0-9]{0,9}$ ]] || refuse "\"$NUMBER\" is no number of a pull request"
[[ $GITHUB_REPOSITORY =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || refuse "no repository"
[[ $TOKEN =~ ^[A-Za-z0-9_.-]+$ ]] || refuse "no token"
marker="<!-- firebreak-comment: $ID -->"
[ "$(head -n 1 "$BODY")" = "$marker" ] || refuse "the text does not begin with $marker"
[ "$(wc -c <"$BODY")" -le $MAX_BYTES ] || refuse "the text is longer than a comment may be"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jq -n --rawfile body "$BODY" '{body: $body}' >"$work/new"

found=
for ((page = 1; page <= MAX_PAGES; page++)); do
	api GET "/repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments?per_page=100&page=$page" "$work/page"
	found=$(jq -r --arg marker "$marker" --arg author "${AUTHOR:-github-actions[bot]}" '[.[]
		| select(.user.login == $author and (.body // "" | split("\n")[0] | rtrimstr("\r")) == $marker) | .id][0] // empty' "$work/page")
	if [ -n "$found" ] || [ "$(jq length "$work/page")" != 100 ]; then break; fi
done
if [[ $found =~ ^[0-9]+$ ]]; then
	api PATCH "/repos/$GITHUB_REPOSITORY/issues/comments/$found" "$work/answer" "$work/new"
	echo "replaced the comment $found"
else
	api POST "/repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" "$work/answer" "$work/new"
	echo "added a comment"
fi
