# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: calls of GitHub's API. The token goes to curl through a pipe, never as an argument, and to no other host.
#
#   TOKEN GITHUB_API_URL   API_PAUSE (seconds between tries, for tests)
# shellcheck source=ci-templates/http.sh
. "$(dirname "${BASH_SOURCE[0]}")/../http.sh"

# api METHOD PATH OUTPUT [FILE]: one call, with FILE as its body; what comes is in OUTPUT. Tries again what may pass: no
# answer, an error of the server, a rate limit. Ends with 0, or 1 and says what the server said.
api() {
	local data=() HTTP_SECRET
	[ -z "${4:-}" ] || data=(--header 'Content-Type: application/json' --data-binary "@$4")
	HTTP_SECRET=$(http_quoted header "Authorization: Bearer $TOKEN") || return 1
	http "$1" "$GITHUB_API_URL$2" "$3" --header 'Accept: application/vnd.github+json' \
		--header 'X-GitHub-Api-Version: 2022-11-28' "${data[@]}" && return 0
	printf 'GitHub says %s to %s %s\n' "$HTTP_STATUS" "$1" "${2%%\?*}" >&2
	return 1
}
