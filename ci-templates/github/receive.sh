#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Comments on a pull request that a job without rights has measured: that of a fork, in a workflow that follows the one of
# the pull request, or one that was asked for by a comment, in another job. All that was left there is hostile: the code of
# the pull request ran there, and it can change its own workflow. So
#  - which pull request it is comes from the event and the API, never from the artifact: open, of that repository and
#    branch, its head still the commit that was measured; or the one that somebody commented on,
#  - of the artifact one file is read, report.json, of bounded size and into a file of our own naming: nothing is unpacked,
#  - the comment is rendered here, by the trusted program, which checks the report and escapes all text in it.
#
#   PROGRAM                                   the trusted program
#   RUN_ID RUN_EVENT HEAD_SHA HEAD_REPOSITORY HEAD_BRANCH   of the event workflow_run; or of this run, and
#   NUMBER                                    of the event issue_comment
#   ARTIFACT_NAME ID                          name of the artifact; id of the comment
#   TOKEN GITHUB_API_URL GITHUB_SERVER_URL GITHUB_REPOSITORY
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=ci-templates/github/api.sh
. "$here/api.sh"
MAX_ARTIFACT=${MAX_ARTIFACT:-300000000}
MAX_REPORT=${MAX_REPORT:-64000000}

refuse() {
	printf '::warning title=firebreak::no comment: %s\n' "$1"
	exit 0
}
[[ $RUN_ID =~ ^[0-9]{1,20}$ ]] || refuse "the event has no run"
[[ $HEAD_SHA =~ ^[0-9a-f]{40}$ ]] || refuse "the event has no commit"
[[ $ARTIFACT_NAME =~ ^[A-Za-z0-9._-]{1,100}$ ]] || refuse "the artifact has no plain name"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- which pull request
followed() { # the pull request of the run that this one follows
	local label
	[[ $HEAD_REPOSITORY =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || refuse "the event has no repository"
	[ -n "$HEAD_BRANCH" ] || refuse "the event has no branch"
	label=$(jq -rn --arg owner "${HEAD_REPOSITORY%%/*}" --arg branch "$HEAD_BRANCH" '$owner + ":" + $branch | @uri')
	api GET "/repos/$GITHUB_REPOSITORY/pulls?state=open&per_page=100&head=$label" "$work/pulls" || refuse "the pull requests are not to be had"
	number=$(jq -r --arg sha "$HEAD_SHA" --arg head "$HEAD_REPOSITORY" --arg base "$GITHUB_REPOSITORY" '[.[]
		| select(.head.sha == $sha and .head.repo.full_name == $head and .base.repo.full_name == $base) | .number]
		| if length == 1 then .[0] else empty end' "$work/pulls")
	[[ $number =~ ^[1-9][0-9]*$ ]] || refuse "no open pull request has ${HEAD_SHA:0:12} as its head any more"
}
asked() { # the one that the comment stands at
	number=${NUMBER:-}
	[[ $number =~ ^[1-9][0-9]{0,9}$ ]] || refuse "the event has no pull request"
	api GET "/repos/$GITHUB_REPOSITORY/pulls/$number" "$work/pull" || refuse "there is no pull request $number"
	[ "$(jq -r .state "$work/pull")" = open ] || refuse "the pull request $number is not open any more"
}
number=
case $RUN_EVENT in
	pull_request) followed ;;
	issue_comment) asked ;;
	*) refuse "the run was not of a pull request" ;;
esac

# --- the report
api GET "/repos/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts?per_page=100&name=$ARTIFACT_NAME" "$work/artifacts" ||
	refuse "the artifacts are not to be had"
artifact=$(jq -r --arg name "$ARTIFACT_NAME" --arg sha "$HEAD_SHA" --argjson max "$MAX_ARTIFACT" '[.artifacts[]
	| select(.name == $name and .expired == false and .size_in_bytes <= $max and .workflow_run.head_sha == $sha) | .id]
	| if length == 1 then .[0] else empty end' "$work/artifacts")
[[ $artifact =~ ^[0-9]+$ ]] || refuse "the run left no artifact $ARTIFACT_NAME, or one that is too large"
# The API leads to another host, which must not get the token: curl leaves a header of this kind out there.
{
	curl --silent --show-error --fail --location --max-redirs 3 --config - --max-time 300 \
		"$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/actions/artifacts/$artifact/zip" <<<"header = \"Authorization: Bearer $TOKEN\"" || true
} | head -c $((MAX_ARTIFACT + 1)) >"$work/artifact.zip" || true
[ "$(wc -c <"$work/artifact.zip")" -le "$MAX_ARTIFACT" ] || refuse "the artifact is too large"
[ "$(unzip -Z1 "$work/artifact.zip" 2>/dev/null | grep -cxF report.json)" = 1 ] || refuse "the artifact has no report.json"
mkdir "$work/out"
{ unzip -p "$work/artifact.zip" report.json 2>/dev/null </dev/null || true; } | head -c $((MAX_REPORT + 1)) >"$work/out/report.json" || true
[ "$(wc -c <"$work/out/report.json")" -le "$MAX_REPORT" ] || refuse "report.json is too large"

# --- the comment
env -u TOKEN "$PROGRAM" report "$work/out" --format comment --id "$ID" --review "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pull/$number" \
	--artifact "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts/$artifact" >"$work/body" 2>"$work/mistake" ||
	refuse "report.json is no result that can be shown"
NUMBER=$number BODY=$work/body ID=$ID TOKEN=$TOKEN bash "$here/comment.sh" || refuse "it could not be written"
