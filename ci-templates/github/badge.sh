#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Publishes a badge of the default branch's result: badge.svg, which a README shows as it is, and badge.json, which
# shields.io draws. They are the only commit of a branch of their own, so no history grows. Without a report the badge says
# "error": that of an earlier commit must not stay.
#
#   REPORT       report.json of the commit; need not be there
#   SHA          the commit
#   BRANCH       where the badge goes; whatever is there is replaced
#   TOKEN GITHUB_API_URL GITHUB_REPOSITORY   the token needs contents: write
set -euo pipefail
# shellcheck source=ci-templates/github/api.sh
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

refuse() {
	printf '::error title=firebreak::badge: %s\n' "$1"
	exit 2
}
[[ $BRANCH =~ ^firebreak[A-Za-z0-9_-]{0,60}$ ]] || refuse "branch takes a name that begins with firebreak, since all of it is replaced"
[[ $SHA =~ ^[0-9a-f]{40}$ ]] || refuse "no commit"
[[ $GITHUB_REPOSITORY =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || refuse "no repository"
[[ $TOKEN =~ ^[A-Za-z0-9_.-]+$ ]] || refuse "no token"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Nothing but words of this list and numbers gets into the badge.
result=$(jq -cs 'if length == 1 then .[0] | {verdict, all: [.benchmarks[]?.verdict]} else {} end' "$REPORT" 2>/dev/null) || result='{}'
jq -n --arg sha "${SHA:0:12}" --argjson result "$result" '
	{pass: "#2da44e", regression: "#cf222e", inconclusive: "#9a6700", error: "#6e7781"} as $colors
	| (if $result.verdict | IN($colors | keys[]) then $result.verdict else "error" end) as $verdict
	| ($result.all // [] | length) as $all
	| ([$result.all[]? | select(. == $verdict)] | length) as $n
	| (if $verdict == "pass" and $all > 0 then "pass, \($all) benchmark\(if $all > 1 then "s" else "" end)"
		elif $verdict == "error" or $n == 0 then $verdict else "\($verdict) in \($n) of \($all)" end) as $message
	| {schemaVersion: 1, label: "firebreak", message: $message, color: $colors[$verdict], isError: ($verdict == "error"),
		title: "firebreak at \($sha): \($message)"}' >"$work/badge"
jq 'del(.title)' "$work/badge" >"$work/badge.json"
jq -r '(.label | length * 6.5 + 12) as $left | (.message | length * 6.5 + 12) as $right
	| "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\($left + $right)\" height=\"20\" role=\"img\" aria-label=\"\(.title)\">",
	  "<title>\(.title)</title>",
	  "<clipPath id=\"r\"><rect width=\"\($left + $right)\" height=\"20\" rx=\"3\"/></clipPath>",
	  "<g clip-path=\"url(#r)\"><rect width=\"\($left)\" height=\"20\" fill=\"#444c56\"/><rect x=\"\($left)\" width=\"\($right)\" height=\"20\" fill=\"\(.color)\"/></g>",
	  "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">",
	  "<text x=\"\($left / 2)\" y=\"14\" textLength=\"\($left - 12)\">\(.label)</text>",
	  "<text x=\"\($left + $right / 2)\" y=\"14\" textLength=\"\($right - 12)\">\(.message)</text></g></svg>"' "$work/badge" >"$work/badge.svg"

# --- one commit without parents
repository=/repos/$GITHUB_REPOSITORY/git
call() { api "$1" "$repository/$2" "$work/answer" "$work/body" || refuse "it could not be written; the job needs contents: write"; }
jq -n --rawfile svg "$work/badge.svg" --rawfile json "$work/badge.json" '{tree: [
	{path: "badge.svg", mode: "100644", type: "blob", content: $svg}, {path: "badge.json", mode: "100644", type: "blob", content: $json}]}' >"$work/body"
call POST trees
jq --arg sha "$SHA" '{message: "Badge of \($sha)", tree: .sha, parents: []}' "$work/answer" >"$work/body"
call POST commits
commit=$(jq -r .sha "$work/answer")
api GET "$repository/matching-refs/heads/$BRANCH" "$work/refs" || refuse "the branches are not to be had"
if jq -e --arg ref "refs/heads/$BRANCH" 'any(.[]; .ref == $ref)' "$work/refs" >/dev/null; then
	jq -n --arg sha "$commit" '{sha: $sha, force: true}' >"$work/body"
	call PATCH "refs/heads/$BRANCH"
else
	jq -n --arg sha "$commit" --arg ref "refs/heads/$BRANCH" '{ref: $ref, sha: $sha}' >"$work/body"
	call POST refs
fi
printf 'badge: %s\n' "$(jq -r .title "$work/badge")"
