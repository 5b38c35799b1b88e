#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Splits a check over the tasks of a Slurm array, waits for them, joins their results, and ends with the exit code of the
# whole check. Runs where sbatch does, in a clone on a file system that the nodes have, too.
#
#   submit.sh BASE HEAD [OPTION...]     options of `firebreak check`, such as --max-time 20m
#
#   SHARDS            number of tasks (4), at most that of the benchmarks
#   OUT               the output folder (firebreak-out); what the tasks leave and print is in OUT.shards
#   MIXED_MACHINES    true: the nodes need not be alike
#   SBATCH_PARTITION, SBATCH_CONSTRAINT, SBATCH_ACCOUNT, SBATCH_TIMELIMIT ...   as sbatch has them
# A task that left nothing is missing in the result, and fails it. Who ends this script ends its tasks.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

refuse() {
	printf 'firebreak for Slurm: %s\n' "$1" >&2
	exit 2
}
commit() { git rev-parse --quiet --verify --end-of-options "$1^{commit}" || refuse "there is no commit \"$1\" in this clone"; }
[ $# -ge 2 ] || refuse "name base and head: submit.sh BASE HEAD [OPTION...]"
shards=${SHARDS:-4} out=${OUT:-firebreak-out}
[[ $shards =~ ^[1-9][0-9]{0,3}$ ]] || refuse "SHARDS is \"$shards\": it takes a number"
repository=$(git rev-parse --path-format=absolute --git-common-dir) || refuse "run it in a clone"
base=$(commit "$1")
head=$(commit "$2")
shift 2
mixed=()
[ "${MIXED_MACHINES:-false}" = false ] || mixed=(--mixed-machines)

rm -rf "$out" "$out.shards"
mkdir -p "$out.shards"
folder=$(cd "$out.shards" && pwd)
echo '*' >"$folder/.gitignore"
# sbatch says the number of the job when it has submitted it, and ends when all tasks have.
sbatch --parsable --wait --array="1-$shards" --output="$folder/%a.log" "$here/shard.sh" "$repository" "$base" "$head" "$folder" "$@" >"$folder/job" &
sbatch=$!
# shellcheck disable=SC2317 # by the trap
stop() {
	local job
	job=$(cut -d ';' -f 1 "$folder/job")
	[ -z "$job" ] || scancel "$job"
	kill "$sbatch" 2>/dev/null || true
	exit 143
}
trap stop INT TERM
wait "$sbatch" || true # the join decides
trap - INT TERM
[ -s "$folder/job" ] || refuse "sbatch took no job"
for ((task = 1; task <= shards; task++)); do
	[ -d "$folder/$task" ] || { printf 'firebreak for Slurm: task %s left no result\n' "$task" && tail -n 5 "$folder/$task.log"; } >&2 || true
done
code=0
firebreak merge "$folder" --out "$out" "${mixed[@]}" || code=$?
if [ "$code" = 0 ] && [ ! -s "$out/report.json" ]; then code=4; fi # a pass without a report is none
exit "$code"
