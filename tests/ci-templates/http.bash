# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of scripts that talk to a service: a pretended one on loopback (fakehttp.py), and reports to send.
# Needs WORK and SOURCE_DIR; leaves SERVICE, its address, and API_PAUSE=0. It ends with the script.

fake_service() {
	mkdir "$WORK/http"
	echo '[]' >"$WORK/http/answers.json"
	python3 "$SOURCE_DIR/tests/ci-templates/fakehttp.py" "$WORK/http" &
	# shellcheck disable=SC2064 # the process of now
	trap "kill $!; rm -rf '$WORK'" EXIT
	local i
	for ((i = 0; i < 100; i++)); do [ ! -s "$WORK/http/port" ] || break; sleep .1; done
	# shellcheck disable=SC2034 # for the test
	SERVICE=http://127.0.0.1:$(cat "$WORK/http/port")
	export API_PAUSE=0
}

answers() { # answers JSON...: what is said from now on, and nothing was said yet
	rm -f "$WORK"/http/[0-9]*.json "$WORK"/http/[0-9]*.body
	printf '%s\n' "$@" | jq -s . >"$WORK/http/answers.json"
}

# The requests so far, "POST 200 GET 404 ".
requests() {
	local i
	for ((i = 1; ; i++)); do
		[ -e "$WORK/http/$i.json" ] || break
		printf '%s ' "$(jq -r '"\(.method) \(.status)"' "$WORK/http/$i.json")"
	done
}

request() { jq -r "$2" "$WORK/http/$1.json"; }   # request N FILTER: of its method, path, headers
sent() { jq -r "$2" "$WORK/http/$1.body"; }      # sent N FILTER: of its body
