# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: calls of GitHub's API. The token goes to curl through a pipe, never as an argument, and to no other host.
#
#   TOKEN GITHUB_API_URL   API_PAUSE (seconds between tries, for tests)

# api METHOD PATH OUTPUT [FILE]: one call, with FILE as its body; what comes is in OUTPUT. Tries again what may pass: no
# answer, an error of the server, a rate limit. Ends with 0, or 1 and says what the server said.
api() {
	local method=$1 path=$2 output=$3 status pause try headers
	local data=()
	[ -z "${4:-}" ] || data=(--header 'Content-Type: application/json' --data-binary "@$4")
	headers=$(mktemp)
	for try in 1 2 3 4; do
		status=$(curl --silent --show-error --request "$method" --config - --max-time 60 --max-filesize 20000000 \
			--header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
			--dump-header "$headers" --output "$output" --write-out '%{http_code}' "${data[@]}" "$GITHUB_API_URL$path" \
			<<<"header = \"Authorization: Bearer $TOKEN\"") || status=000
		case $status in
			2??) rm -f "$headers" && return 0 ;;
			000 | 429 | 5??) ;;
			403) grep -qiE '^(retry-after:|x-ratelimit-remaining: *0)' "$headers" || break ;;
			*) break ;;
		esac
		[ "$try" != 4 ] || break
		pause=$(sed -nE 's/^retry-after: *([0-9]{1,2})\r?$/\1/Ip' "$headers" | tail -n 1)
		sleep "${API_PAUSE:-${pause:-$((try * 5))}}"
	done
	rm -f "$headers"
	printf 'GitHub says %s to %s %s\n' "$status" "$method" "${path%%\?*}" >&2
	return 1
}
