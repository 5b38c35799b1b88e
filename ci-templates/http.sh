# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: calls of the HTTP APIs of services. Secrets go to curl through a pipe, never as an argument.
#
#   HTTP_SECRET   lines of a curl configuration, such as those that http_quoted makes
#   API_PAUSE     seconds between tries, for tests

# http_quoted NAME VALUE: a line of a curl configuration. Ends with 1 if the value has a line break or another control
# character, which could add a line of its own.
http_quoted() {
	local value=$2
	! [[ $value =~ [[:cntrl:]] ]] || return 1
	value=${value//\\/\\\\}
	printf '%s = "%s"\n' "$1" "${value//\"/\\\"}"
}

# http METHOD URL OUTPUT [CURL-OPTION...]: one call; what comes is in OUTPUT, the status in HTTP_STATUS (000 = no answer,
# 413 = more bytes than --max-filesize).
# Tries again what may pass: no answer, an error of the server, a rate limit. Ends with 0 or 1.
http() {
	local method=$1 url=$2 output=$3 pause try headers
	shift 3
	headers=$(mktemp)
	for try in 1 2 3 4; do
		HTTP_STATUS=$(curl --silent --show-error --request "$method" --config - --max-time 60 --max-filesize 20000000 \
			--dump-header "$headers" --output "$output" --write-out '%{http_code}' "$@" "$url" \
			<<<"${HTTP_SECRET:-}") || HTTP_STATUS=$([ $? = 63 ] && echo 413 || echo 000)
		case $HTTP_STATUS in
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
	return 1
}
