# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the jobs of services: checks what a job was told, and puts the command line of the gate together. The job
# defines `refuse MESSAGE`, which ends it with 2.

one_of() { # one_of INPUT VALUE WORD...
	local input=$1 value=$2 word
	shift 2
	for word; do [ "$value" != "$word" ] || return 0; done
	refuse "$input takes one of: $*"
}
shaped() { # shaped INPUT VALUE PATTERN WHAT
	[ -z "$2" ] || [[ $2 =~ ^$3$ ]] || refuse "$1 takes $4"
}

# gate_command: sets the array `command`, one argument each, from these variables; "" = not given.
#
#   OUT                              the output folder
#   MODE                             check, calibrate, self-test, or baseline: measure HEAD
#   BASE CONFIG BENCHMARKS ENGINES MAX_TIME ROUNDS SHARD   as the options of `firebreak check`
#   ARGUMENTS                        further ones, one a line
#   MERGE MIXED_MACHINES             folders of shards to join instead, one a line; "true"
gate_command() {
	local name line names
	one_of mode "$MODE" check calibrate self-test baseline
	one_of mixed-machines "$MIXED_MACHINES" true false
	shaped shard "$SHARD" '[0-9]{1,4}/[0-9]{1,4}' "two numbers, such as 2/4"
	[ -z "$ENGINES" ] || one_of engines "$ENGINES" perf callgrind
	shaped rounds "$ROUNDS" '[0-9]{1,3}' "a number"
	shaped max-time "$MAX_TIME" '[0-9]{1,6}[smh]' "a time, such as 90s, 10m or 1h"
	[[ $BASE != -* ]] || refuse "base takes a revision"
	[[ $MERGE != -* ]] || refuse "merge takes a folder"
	if [ -n "$MERGE" ]; then
		command=(merge --out "$OUT")
		while IFS= read -r line; do command+=("$line"); done <<<"$MERGE"
		[ "$MIXED_MACHINES" != true ] || command+=(--mixed-machines)
	elif [ "$MODE" = baseline ]; then
		command=(run)
		[ -z "$CONFIG" ] || command+=(--config "$CONFIG")
	else
		command=(check --out "$OUT")
		[ "$MODE" = check ] || command+=("--$MODE")
		[ -z "$BASE" ] || command+=(--base "$BASE")
		[ -z "$CONFIG" ] || command+=(--config "$CONFIG")
		[ -z "$ENGINES" ] || command+=(--engine "$ENGINES")
		[ -z "$ROUNDS" ] || command+=(--rounds "$ROUNDS")
		[ -z "$MAX_TIME" ] || command+=(--max-time "$MAX_TIME")
		[ -z "$SHARD" ] || command+=(--shard "$SHARD")
	fi
	read -r -d '' -a names <<<"$BENCHMARKS" || true
	for name in "${names[@]}"; do
		shaped benchmarks "$name" '[A-Za-z0-9][A-Za-z0-9._-]{0,63}' "names of benchmarks, with blanks between them"
		command+=(--benchmark "$name")
	done
	while IFS= read -r line; do
		[ -z "$line" ] || command+=("$line")
	done <<<"$ARGUMENTS"
}
