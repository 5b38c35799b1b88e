#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Profiles for Pyroscope and Parca: method, path, labels, token and content of what is sent, against a pretended service on
# loopback; the profiles are read by exported.py and protoc, which share no code with firebreak.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in curl jq python3; do command -v $tool >/dev/null || skip_all "$tool is missing (./dev installs it)"; done
# shellcheck source=tests/ci-templates/http.bash
. "$SOURCE_DIR/tests/ci-templates/http.bash"
fake_service
BASE=1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d HEAD=5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80
mkdir "$WORK/out" && cd "$WORK" || exit 1
jq -n --arg base $BASE --arg head $HEAD '{base: {sha: $base}, head: {sha: $head}, benchmarks: [{name: "parse"}, {name: "../evil"}, {name: "sort"}]}' >out/report.json
printf 'lexi;main;parse 10\n' >out/parse.base.folded
printf 'lexi;main;parse 14\n' >out/parse.head.folded
hand_over() { # hand_over SERVICE [NAME=VALUE...]
	env PROGRAM="$FIREBREAK" OUT=out SERVER="$SERVICE" TIME=1789000000 SERVICE="$1" TOKEN=token-of-the-job "${@:2}" \
		bash "$SOURCE_DIR/ci-templates/profiles/hand-over.sh" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
profile_is() { # profile_is FILE COUNT SIDE COMMIT
	python3 "$SOURCE_DIR/tests/cli/exported.py" pprof "$1" >"$WORK/read" && grep -qx "time 1789000000000000000" "$WORK/read" &&
		grep -qx "benchmark=parse,commit=$4,side=$3 lexi;main;parse $2" "$WORK/read" && return
	cat "$WORK/read"
	return 1
}
part() { # part N NAME: of the multipart body of the Nth request
	python3 - "$WORK/http/$1" "$2" <<'PY'
import email, json, sys
headers = json.load(open(sys.argv[1] + ".json"))["headers"]
kind = next(value for name, value in headers.items() if name.lower() == "content-type")
message = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\n\n" + open(sys.argv[1] + ".body", "rb").read())
parts = {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in message.get_payload()}
sys.stdout.buffer.write(parts[sys.argv[2]])
PY
}
header() { request "$1" ".headers | with_entries(.key |= ascii_downcase) | .\"$2\""; }

# --- Pyroscope
answers '{"match": "POST /ingest", "status": 200, "body": "", "times": 1}' '{"match": "POST /ingest", "status": 503, "body": "", "times": 1}' \
	'{"match": "POST /ingest", "status": 200, "body": ""}'
hand_over pyroscope
check "base and head are handed over, and a server that fails is asked again" is "$CODE $(requests)" "0 POST 200 POST 503 POST 200 "
check "each under its labels" is "$(request 3 .path)" \
	"/ingest?name=firebreak%7Bbenchmark%3Dparse%2Ccommit%3D$HEAD%2Cside%3Dhead%7D&from=1788999999&until=1789000000&format=pprof&spyName=firebreak"
check "with the token" is "$(header 1 authorization)" "Bearer token-of-the-job"
part 1 profile >base.pb.gz
part 3 profile >head.pb.gz
check "as a profile of base" profile_is base.pb.gz 10 base $BASE
check "and one of head" profile_is head.pb.gz 14 head $HEAD
if command -v protoc >/dev/null; then
	gzip -dc head.pb.gz | protoc --decode_raw >raw
	check "which protoc reads" grep -q '^6: "parse"' raw
	check "with its time" grep -qx '9: 1789000000000000000' raw
	check "and three labels of its sample" is "$(grep -c '^  3 {' raw)" 3
fi
part 3 sample_type_config >types.json
check "Pyroscope is told what is counted" json types.json '.samples.units == "samples" and ."task-clock".units == "nanoseconds"'

# --- Parca
answers '{"match": "POST /profiles/writeraw", "status": 200, "body": "{}"}'
hand_over parca
check "Parca gets the same" is "$CODE $(requests)" "0 POST 200 POST 200 "
check "where it takes them" is "$(request 1 .path) $(header 1 content-type)" "/profiles/writeraw application/json"
check "under its labels" is "$(sent 2 '.series[0].labels.labels | map("\(.name)=\(.value)") | join(" ")')" "__name__=firebreak benchmark=parse commit=$HEAD side=head"
sent 2 '.series[0].samples[0].rawProfile' | base64 -d >parca.pb.gz
check "as the same profile" cmp parca.pb.gz head.pb.gz

# --- what goes wrong
answers '{"match": "POST", "status": 401, "body": "no\u0007 entry"}'
hand_over pyroscope
check "a refusal is said, and nothing more is sent" is "$CODE $(requests)$(cat stderr)" "2 POST 401 hand-over: pyroscope says 401 to parse, base: no  entry"
check "the token is in no message" bash -c "! grep -q token-of-the-job stdout stderr"
answers
for wrong in SERVICE=grafana SERVER=localhost NAME='a{b}' TIME=now OUT=none TOKEN=$'a\nb'; do
	hand_over pyroscope "$wrong"
	check "${wrong@Q} is refused" is "$CODE $(requests)" "2 "
done
rm out/*.folded
hand_over parca
check "without profiles it says so" is "$CODE $(cat stderr)" "2 hand-over: out has no profiles"
finish
