#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures in a job of Buildkite, alone or as one of several (`parallelism`), and ends with the exit code of the gate.
# Base of a pull request is its merge base with the branch that it is for, also where that branch went on meanwhile, so
# all shards have the same.
#
#   check.sh [OPTION...]     options of `firebreak check`
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
options=(--out firebreak-out)
target=${BUILDKITE_PULL_REQUEST_BASE_BRANCH:-}
if [ "${BUILDKITE_PULL_REQUEST:-false}" != false ] && [ -n "$target" ]; then
	git fetch --quiet --no-tags origin "+refs/heads/$target:refs/remotes/origin/$target"
	base=$(git merge-base HEAD "refs/remotes/origin/$target") || {
		echo "no common commit with $target: fetch the whole history" >&2
		exit 2
	}
	options+=(--base "$base")
fi
if [ -n "${BUILDKITE_PARALLEL_JOB_COUNT:-}" ]; then
	options[1]=firebreak-shard-${BUILDKITE_PARALLEL_JOB:-}
	options+=(--shard auto)
fi
out=${options[1]}
# A working folder may be used again.
rm -rf firebreak-out firebreak-shard-*
code=0
firebreak check "${options[@]}" "$@" || code=$?
# a pass without a report is none
if [ "$code" = 0 ] && [ ! -s "$out/report.json" ]; then code=4; fi
if [ "$out" = firebreak-out ]; then
	bash "$here/annotate.sh" firebreak-out || true
elif [ -d "$out" ]; then
	buildkite-agent artifact upload "$out/**/*"
fi
exit "$code"
