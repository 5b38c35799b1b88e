#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Hands the profiles of a check over to Pyroscope or Parca: of each benchmark one of base and one of head, as pprof, with
# the labels benchmark, commit and side. Both services compare two of them.
#
#   SERVICE   pyroscope or parca
#   SERVER    its address, such as https://pyroscope.example.org
#   OUT       the output folder of the check (firebreak-out)
#   PROGRAM   firebreak
#   NAME      under what name the profiles are kept (firebreak)
#   TIME      when they were measured, in seconds since 1970 (now)
#   TOKEN     what the service takes as bearer, if it wants one
# Give the token to this step alone: the code that was measured could read it in the other one.
set -euo pipefail
# shellcheck source=ci-templates/http.sh
. "$(dirname "${BASH_SOURCE[0]}")/../http.sh"
out=${OUT:-firebreak-out} program=${PROGRAM:-firebreak} name=${NAME:-firebreak} time=${TIME:-$(date +%s)}

refuse() {
	printf 'hand-over: %s\n' "$1" >&2
	exit 2
}
[[ ${SERVICE:-} =~ ^(pyroscope|parca)$ ]] || refuse "SERVICE is pyroscope or parca"
[[ ${SERVER:-} =~ ^https?://[^/[:space:]] ]] || refuse "SERVER is the address of the service"
[[ $name =~ ^[A-Za-z][A-Za-z0-9_.-]{0,99}$ ]] || refuse "NAME takes letters, digits, _, . and -"
[[ $time =~ ^[1-9][0-9]{0,10}$ ]] || refuse "TIME takes seconds since 1970"
[ -s "$out/report.json" ] || refuse "$out has no report.json"
HTTP_SECRET=
[ -z "${TOKEN:-}" ] || HTTP_SECRET=$(http_quoted header "Authorization: Bearer $TOKEN") || refuse "TOKEN is no token"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pyroscope keeps costs whose names it is told.
types() {
	jq -n '["samples", "cpu-clock", "cpu-clock:u", "task-clock", "cycles", "cycles:u", "instructions", "Ir"]
		| map({(.): {units: (if test("clock") then "nanoseconds" else "samples" end), "display-name": ., aggregation: "sum"}}) | add'
}
pyroscope() { # pyroscope BENCHMARK COMMIT SIDE
	local series
	types >"$work/types.json"
	series=$(jq -rn --arg name "$name" --args '"\($name){benchmark=\($ARGS.positional[0]),commit=\($ARGS.positional[1]),side=\($ARGS.positional[2])}" | @uri' "$@")
	http POST "$SERVER/ingest?name=$series&from=$((time - 1))&until=$time&format=pprof&spyName=firebreak" "$work/answer" \
		--form "profile=@$work/profile.pb.gz" --form "sample_type_config=@$work/types.json"
}
parca() { # parca BENCHMARK COMMIT SIDE
	base64 --wrap=0 "$work/profile.pb.gz" >"$work/base64"
	jq -n --rawfile profile "$work/base64" --arg name "$name" --args '{series: [{
		labels: {labels: ([{name: "__name__", value: $name}] + ([["benchmark", "commit", "side"], $ARGS.positional] | transpose | map({name: .[0], value: .[1]})))},
		samples: [{rawProfile: $profile}]}], normalized: false}' "$@" >"$work/body"
	http POST "$SERVER/profiles/writeraw" "$work/answer" --header 'Content-Type: application/json' --data-binary "@$work/body"
}

sent=0
while IFS=$'\t' read -r benchmark side commit; do
	[ -s "$out/$benchmark.$side.folded" ] || continue
	"$program" export "$out/$benchmark.$side.folded" --to pprof --label "benchmark=$benchmark" --label "commit=$commit" --label "side=$side" \
		--time "$time" -o "$work/profile.pb.gz"
	"$SERVICE" "$benchmark" "$commit" "$side" || refuse "$SERVICE says $HTTP_STATUS to $benchmark, $side: $(head -c 300 "$work/answer" | tr '\000-\037\177' ' ')"
	sent=$((sent + 1))
done < <(jq -r '. as $report | .benchmarks[].name | select(test("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"))
	| [., "base", $report.base.sha], [., "head", $report.head.sha] | select(.[2] | test("^([0-9a-f]{40}|worktree)$")) | @tsv' "$out/report.json")
[ "$sent" -gt 0 ] || refuse "$out has no profiles"
printf 'handed %d profiles over to %s\n' "$sent" "$SERVICE"
