#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts the result of a check into a note of the merge request, or replaces the note that is there: one for each id, which
# stands in its first line, and only one of the same author. A job of its own runs this, since the job that measures runs
# foreign code, which must not see the token. What that job left is hostile:
#  - no artifact is unpacked, and none of its variables are taken: one file is asked for, report.json, of bounded size,
#  - the report has to be of the commit of this pipeline, and the merge request still has to be at it,
#  - the note is rendered here, by the trusted program, which checks the report and escapes all text in it.
#
#   FIREBREAK_TOKEN      token of a project, a group or a user with the scope api; "" = nothing is written
#   FIREBREAK_JOB        name of the job that has the result (firebreak)
#   FIREBREAK_NOTE_ID    tells the note from those of other jobs (firebreak)
#   CI_*                 of a merge-request pipeline; and those of program.sh
# Ends with 0 where a note was written or none is due, 1 if the service refuses it, 2 if something is missing.
set -euo pipefail
# shellcheck source=ci-templates/gitlab/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
# shellcheck source=ci-templates/http.sh
. "$templates/http.sh"
MAX_BYTES=65000
MAX_PAGES=30
MAX_REPORT=${MAX_REPORT:-64000000}
job=${FIREBREAK_JOB:-firebreak} id=${FIREBREAK_NOTE_ID:-firebreak} token=${FIREBREAK_TOKEN:-}
unset FIREBREAK_TOKEN

none() { # none REASON: there is no note to write
	printf 'firebreak: no note: %s\n' "$1"
	exit 0
}
number() { [[ $2 =~ ^[1-9][0-9]{0,18}$ ]] || refuse "$1 is \"$2\": it takes a number"; }

# api METHOD PATH OUTPUT [CURL-OPTION...]: one call. Ends with 0, or 1 and says what the server said.
api() {
	local HTTP_SECRET
	HTTP_SECRET=$(http_quoted header "PRIVATE-TOKEN: $token") || refuse "FIREBREAK_TOKEN is no token"
	http "$1" "$CI_API_V4_URL$2" "$3" "${@:4}" && return 0
	printf 'GitLab says %s to %s %s\n' "$HTTP_STATUS" "$1" "${2%%\?*}" >&2
	return 1
}

# pages PATH FILTER ARGUMENT...: what the filter of jq finds first on the pages of a list, "" if nothing.
pages() {
	local path=$1 filter=$2 page found
	shift 2
	for ((page = 1; page <= MAX_PAGES; page++)); do
		api GET "$path&per_page=100&page=$page" "$work/page" || return 1
		found=$(jq -r "$@" "[.[] | $filter][0] // empty" "$work/page") || return 1
		if [ -n "$found" ] || [ "$(jq length "$work/page")" -lt 100 ]; then break; fi
	done
	printf '%s\n' "$found"
}

# The merge request may have gone on, and its newer pipeline may have ended first.
still_current() {
	local source=${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}
	api GET "$request" "$work/request" || exit 1
	[ "$(jq -r .state "$work/request")" = opened ] || none "the merge request is not open any more"
	[ "$(jq -r .sha "$work/request")" = "$source" ] || none "the merge request has a newer commit than ${source:0:12}"
}

measured() { # the report of the job that measured, which leaves none where it was killed
	measurer=$(pages "/projects/$CI_PROJECT_ID/pipelines/$CI_PIPELINE_ID/jobs?include_retried=false" \
		"select(.name == \$job and .pipeline.id == ($CI_PIPELINE_ID)) | .id" --arg job "$job") || exit 1
	[[ $measurer =~ ^[0-9]+$ ]] || none "this pipeline has no job $job"
	mkdir "$work/out"
	if ! api GET "/projects/$CI_PROJECT_ID/jobs/$measurer/artifacts/firebreak-out/report.json" "$work/out/report.json" --max-filesize "$MAX_REPORT"; then
		case $HTTP_STATUS in
			404) none "the job $job left no report" ;;
			413) none "report.json of the job $job is too large" ;;
			*) exit 1 ;;
		esac
	fi
	[ "$(wc -c <"$work/out/report.json")" -le "$MAX_REPORT" ] || none "report.json of the job $job is too large"
	local verdict head
	verdict=$(jq -r '.verdict' "$work/out/report.json" 2>/dev/null) || none "report.json of the job $job is no report"
	head=$(jq -r '.head.sha // ""' "$work/out/report.json" 2>/dev/null) || none "report.json of the job $job is no report"
	# A check that ended before it knew its commits names none.
	[ "$head" = "$CI_COMMIT_SHA" ] || [ "$verdict$head" = error ] || none "report.json is of the commit \"${head:0:40}\", not of this pipeline"
}

# Lines that begin with a slash would be commands to GitLab, such as /merge.
render() {
	"$PROGRAM" report "$work/out" --format comment --id "$id" --review "$CI_MERGE_REQUEST_PROJECT_URL/-/merge_requests/$CI_MERGE_REQUEST_IID" \
		--artifact "$CI_PROJECT_URL/-/jobs/$measurer/artifacts/file/firebreak-out/" >"$work/rendered" 2>"$work/mistake" ||
		none "report.json of the job $job is no result that can be shown"
	sed -E 's|^([[:space:]]*)/|\1\&#47;|' "$work/rendered" >"$work/body"
	[ "$(head -n 1 "$work/body")" = "$marker" ] || refuse "the text does not begin with $marker"
	[ "$(wc -c <"$work/body")" -le "$MAX_BYTES" ] || refuse "the text is longer than $MAX_BYTES bytes"
}

write_note() {
	local me note method=POST path=$request/notes
	api GET /user "$work/user" || exit 1
	me=$(jq -r .id "$work/user")
	number "the id of the token's user" "$me"
	note=$(pages "$request/notes?sort=asc&order_by=created_at" "select((.system | not) and .author.id == ($me)
		and (.body | split(\"\n\")[0] | rtrimstr(\"\r\")) == \$marker) | .id" --arg marker "$marker") || exit 1
	if [[ $note =~ ^[0-9]+$ ]]; then method=PUT path=$path/$note; fi
	jq -n --rawfile body "$work/body" '{body: $body}' >"$work/new"
	api $method "$path" "$work/answer" --header 'Content-Type: application/json' --data-binary "@$work/new" || exit 1
	if [ $method = PUT ]; then echo "replaced the note $note"; else echo "added a note"; fi
}

[ -n "${CI_MERGE_REQUEST_IID:-}" ] || none "this is no pipeline of a merge request"
[ -n "$token" ] || none "there is no FIREBREAK_TOKEN here, as in pipelines of forks; the tests and reports of the job $job have the same"
[[ ${CI_API_V4_URL:-} =~ ^https?://[^[:space:]\"\\]+$ ]] || refuse "CI_API_V4_URL is \"${CI_API_V4_URL:-}\": it takes an address"
number CI_PROJECT_ID "${CI_PROJECT_ID:-}"
number CI_PIPELINE_ID "${CI_PIPELINE_ID:-}"
number CI_MERGE_REQUEST_PROJECT_ID "${CI_MERGE_REQUEST_PROJECT_ID:-}"
number CI_MERGE_REQUEST_IID "$CI_MERGE_REQUEST_IID"
[[ ${CI_COMMIT_SHA:-} =~ ^[0-9a-f]{40,64}$ ]] || refuse "CI_COMMIT_SHA takes a full SHA"
[[ $id =~ ^[A-Za-z0-9._-]{1,64}$ ]] || refuse "FIREBREAK_NOTE_ID takes letters, digits, dots, dashes and underscores"
[ ! -r "${CI_SERVER_TLS_CA_FILE:-}" ] || export CURL_CA_BUNDLE=$CI_SERVER_TLS_CA_FILE
marker="<!-- firebreak-comment: $id -->"
request=/projects/$CI_MERGE_REQUEST_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID
has curl jq
usable_home
still_current
measured
find_program
render
write_note
