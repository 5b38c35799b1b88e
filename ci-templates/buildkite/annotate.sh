#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Uploads an output folder, and shows its review as an annotation on the page of the build, with the differential flame
# graphs of what regressed. A later one with the same context takes its place.
#
#   annotate.sh [FOLDER]     firebreak-out
#
#   FIREBREAK_CONTEXT        tells it from those of other jobs (firebreak)
#
# It can be a hook, too: `bash annotate.sh` in .buildkite/hooks/post-command of a job that ran firebreak itself.
set -euo pipefail
out=${1:-firebreak-out} context=${FIREBREAK_CONTEXT:-firebreak}
MAX_PICTURES=6
MAX_BYTES=900000 # Buildkite takes 1 MiB
report=$out/report.json
[ -s "$report" ] || exit 0
if ! [[ $out =~ ^[A-Za-z0-9._-]+$ ]] || ! [[ $context =~ ^[A-Za-z0-9._-]{1,64}$ ]]; then
	echo "firebreak for Buildkite: folder and context take letters, digits, dots, dashes and underscores" >&2
	exit 2
fi
buildkite-agent artifact upload "$out/**/*"
case $(jq -r .verdict "$report") in
	pass) style=success ;;
	inconclusive) style=warning ;;
	*) style=error ;;
esac

# Places in the code become links into the diff of a pull request on GitHub.
links=()
if [[ ${BUILDKITE_PULL_REQUEST:-} =~ ^[1-9][0-9]*$ ]] &&
	[[ ${BUILDKITE_REPO:-} =~ ^(https://github\.com/|git@github\.com:|ssh://git@github\.com/)([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)$ ]]; then
	links=(--review "https://github.com/${BASH_REMATCH[2]%.git}/pull/$BUILDKITE_PULL_REQUEST")
fi
body=$(mktemp)
trap 'rm -f "$body"' EXIT
firebreak report "$out" --format markdown --limit "$MAX_BYTES" "${links[@]}" >"$body"
[ ! -s "$out/report.html" ] ||
	printf '\n<a href="artifact://%s/report.html">Everything in one page</a>\n' "$out" >>"$body"
# Names of files come from the report: only plain ones that are in the folder, no links.
jq -r --argjson most $MAX_PICTURES '[.benchmarks[]? | select(.verdict == "regression") | .artifacts.diff_svg? // empty
	| strings | select(test("^[A-Za-z0-9][A-Za-z0-9._-]{0,120}[.]svg$"))][:$most][]' "$report" | while IFS= read -r picture; do
	if [ -s "$out/$picture" ] && [ ! -L "$out/$picture" ]; then
		printf '\n<a href="artifact://%s/%s"><img src="artifact://%s/%s" alt="differential flame graph: %s" width="1000"></a>\n' \
			"$out" "$picture" "$out" "$picture" "${picture%.diff.svg}"
	fi
done >>"$body"
buildkite-agent annotate --context "$context" --style "$style" <"$body"
