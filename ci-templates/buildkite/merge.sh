#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Joins the results of all shards of the step `firebreak-shards`, shows the whole check on the page of the build, and ends
# with its exit code.
#
#   merge.sh [OPTION...]     options of `firebreak merge`, such as --mixed-machines
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
rm -rf firebreak-out firebreak-shard-*
mkdir firebreak-shards.new
trap 'rm -rf firebreak-shards.new' EXIT
# Shards that left nothing are missing in the result, and fail it. Artifacts of a job that was tried again do not count.
buildkite-agent artifact download 'firebreak-shard-*/**/*' firebreak-shards.new --step firebreak-shards || true
code=0
firebreak merge --out firebreak-out "$@" firebreak-shards.new || code=$?
if [ "$code" = 0 ] && [ ! -s firebreak-out/report.json ]; then code=4; fi
bash "$here/annotate.sh" firebreak-out || true
exit "$code"
