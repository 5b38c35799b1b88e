#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#SBATCH --job-name=firebreak-shard
#SBATCH --cpus-per-task=2
#SBATCH --exclusive
#SBATCH --no-requeue
# One task of the array that submit.sh submits: measures its part of a check in a clone of its own on the node, so that
# nothing of the measurement lies on a shared file system. --exclusive keeps other jobs off the node meanwhile.
#
#   shard.sh REPOSITORY BASE HEAD FOLDER [OPTION...]     leaves FOLDER/SLURM_ARRAY_TASK_ID
#
# Slurm runs a copy of this file, so it needs no other.
set -euo pipefail
repository=$1 base=$2 head=$3 folder=$4
shift 4
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT # builds in the cache are sealed
git clone -q --no-checkout "$repository" "$work/clone"
cd "$work/clone"
# Baselines of earlier checks say how long benchmarks take; all tasks see the same ones.
git fetch -q origin '+refs/firebreak/*:refs/firebreak/*'
for commit in "$base" "$head"; do
	git rev-parse --quiet --verify "$commit^{commit}" >/dev/null || git fetch -q origin "$commit"
done
code=0
XDG_CACHE_HOME=$work/cache firebreak check --base "$base" --head "$head" --shard auto --out "$work/out" "$@" || code=$?
# The folder appears whole or not at all, also where a task runs again.
if [ -d "$work/out" ]; then
	task=$folder/$SLURM_ARRAY_TASK_ID
	rm -rf "$task" "$task.new"
	cp -r "$work/out" "$task.new"
	mv "$task.new" "$task"
fi
exit "$code"
