#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the gate in a job of GitLab, in a clone of the project. Everything comes through the environment, and is one
# argument each.
#
#   job.sh check     measures everything, into firebreak-out
#   job.sh shard     measures the part that CI_NODE_INDEX and CI_NODE_TOTAL name, into firebreak-shards/CI_NODE_INDEX
#   job.sh merge     joins the folders in firebreak-shards, into firebreak-out
#
#   FIREBREAK_BASE _CONFIG _BENCHMARKS _ENGINES _ROUNDS _MAX_TIME _ARGUMENTS _MIXED_MACHINES   as gate.sh has them
#   and those of program.sh
# Beside the report it leaves what GitLab reads: verdict.env, codequality.json, links.json; junit.xml is there already.
# Ends with the exit code of the gate, but with 4 for a pass without a report, and for 3 where not all was measured, since
# templates let 3 through.
set -euo pipefail
# shellcheck source=ci-templates/gitlab/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
# shellcheck source=ci-templates/gate.sh
. "$templates/gate.sh"

# The clone may belong to another user than the job. git reads safe.directory from variables, libgit2 from files only; no
# file of the user is written, since GIT_CONFIG_GLOBAL may name a device.
trust_clone() {
	local n=${GIT_CONFIG_COUNT:-0}
	if [ -O . ] && [ -O .git ]; then return; fi
	mkdir -p "$work/config/git"
	git config --file "$work/config/git/config" safe.directory "$PWD"
	export XDG_CONFIG_HOME=$work/config GIT_CONFIG_COUNT=$((n + 1))
	export "GIT_CONFIG_KEY_$n=safe.directory" "GIT_CONFIG_VALUE_$n=$PWD"
}

# told JOB: what gate_command makes of the inputs.
told() {
	MODE=check SHARD='' MERGE='' OUT=firebreak-out
	BASE=${FIREBREAK_BASE:-} CONFIG=${FIREBREAK_CONFIG:-} BENCHMARKS=${FIREBREAK_BENCHMARKS:-} ENGINES=${FIREBREAK_ENGINES:-}
	ROUNDS=${FIREBREAK_ROUNDS:-} MAX_TIME=${FIREBREAK_MAX_TIME:-} ARGUMENTS=${FIREBREAK_ARGUMENTS:-}
	MIXED_MACHINES=${FIREBREAK_MIXED_MACHINES:-false}
	case $1 in
		check) ;;
		shard)
			SHARD=${CI_NODE_INDEX:-}/${CI_NODE_TOTAL:-}
			OUT=firebreak-shards/${CI_NODE_INDEX:-}
			;;
		merge) MERGE=firebreak-shards BENCHMARKS='' ARGUMENTS='' ;;
		*) refuse "job.sh takes check, shard or merge" ;;
	esac
}

variable() { sed -n "s/^$1=//p" "$work/variables"; }

# Nothing is believed without a report that says the same as the exit code.
judge() {
	{ [ -s "$OUT/report.json" ] && "$PROGRAM" report "$OUT" --format dotenv -o "$work/variables"; } || : >"$work/variables"
	if [ "$(variable FIREBREAK_EXIT_CODE)" != "$code" ]; then
		printf 'firebreak: ended with %s, and left no report that says so\n' "$code" >&2
		[ "$code" != 0 ] || code=4
		printf '%s\n' FIREBREAK_VERDICT=error FIREBREAK_MEASURED=false "FIREBREAK_HEADLINE=firebreak left no report" >"$work/variables"
	elif [ "$code" = 3 ] && [ "$(variable FIREBREAK_MEASURED)" != true ]; then
		echo "firebreak: not everything was measured, so this is no warning: exit 4 instead of 3" >&2
		code=4
	fi
}

links() { # links of the page of the job: report.html, and pictures of plain names
	local page=${CI_JOB_URL:-}/artifacts/file/$OUT file name comma='' left=20
	[[ $page =~ ^https?://[A-Za-z0-9._~:/%-]+$ ]] || left=0
	echo '{"firebreak": ['
	for file in "$OUT/report.html" "$OUT"/*.diff.svg; do
		name=${file##*/}
		if [ "$left" = 0 ] || ! [ -s "$file" ] || ! [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$ ]]; then continue; fi
		printf '%s  {"external_link": {"label": "%s", "url": "%s/%s"}}' "$comma" "$name" "$page" "$name"
		comma=$',\n' left=$((left - 1))
	done
	printf '\n]}\n'
}

leave_reports() {
	mkdir -p "$OUT"
	{ sed '/^FIREBREAK_EXIT_CODE=/d' "$work/variables" && echo "FIREBREAK_EXIT_CODE=$code"; } >"$OUT/verdict.env"
	[ ! -s "$OUT/report.json" ] || "$PROGRAM" report "$OUT" --format codequality -o "$OUT/codequality.json" ||
		echo "firebreak: no code quality report was made; the verdict is not affected" >&2
	links >"$OUT/links.json"
}

[ -z "${FIREBREAK_TOKEN:-}" ] || echo "firebreak: the measured code can read FIREBREAK_TOKEN; limit that variable to the environment firebreak-note" >&2
unset FIREBREAK_TOKEN
told "${1:-}"
gate_command
has git
usable_home
find_program
trust_clone
# A runner that keeps its clone may hold work trees of jobs that were killed, and results of earlier ones.
git worktree prune || true
rm -rf firebreak-out
if [ -n "$MERGE" ]; then mkdir -p firebreak-shards; else rm -rf firebreak-shards; fi
[ -z "$SHARD" ] || mkdir firebreak-shards
code=0
"$PROGRAM" "${command[@]}" || code=$?
[ -z "$SHARD" ] || exit "$code"
judge
leave_reports
exit "$code"
