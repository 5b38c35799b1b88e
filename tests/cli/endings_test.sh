#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Endings of the program when the machine or the user says no: 8, 128+n, and repositories of others.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
mkdir "$WORK/tmp" "$WORK/cache"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp

firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
fails() { ! "$@"; }

# A benchmark, and in a second commit a build, that never end.
REPO=$WORK/repo
NAP=fbnap$$
git init -q -b main "$REPO" && cd "$REPO" || exit 1
git config user.name dev && git config user.email dev@example.org
printf '#!/bin/sh\nsleep 301 &\nwait\n' >"$NAP" && chmod +x "$NAP"
printf 'version: 1\nbenchmarks:\n  - name: nap\n    command: [./%s]\n    timeout: 10m\n' "$NAP" >firebreak.yml
git add . && git commit -q -m benchmark && git tag benchmark
printf 'build: {command: ./%s}\n' "$NAP" >>firebreak.yml && git commit -q -a -m build && git tag build
printf 'version: 1\nbenchmarks:\n  - name: counted\n    command: ["true"]\n    engines: [callgrind]\n' >firebreak.yml
git commit -q -a -m counted && git tag counted && git reset -q --hard build

# --- 8: the kernel or a sandbox refuses perf events
# without EVENT-ERROR ARG...: runs firebreak where perf_event_open fails like this.
without() {
	# the leak checker of sanitizer builds cannot work beside strace
	ASAN_OPTIONS=detect_leaks=0 strace -o "$WORK/trace" -e trace=perf_event_open -e inject=perf_event_open:error="$1" \
		"$FIREBREAK" "${@:2}" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
if ! command -v strace >/dev/null || ! strace -o "$WORK/trace" true 2>/dev/null; then
	echo "skipped: perf events refused: strace is not there or not allowed"
else
	for refusal in EACCES EPERM ENOSYS; do
		without $refusal doctor
		check "doctor ends with 8 if perf events are refused with $refusal" ends_with 8
		check "and names the call" says 'perf_event_open'
	done
	without EACCES doctor
	check "a lack of permission comes with its remedy" says 'CAP_PERFMON or kernel\.perf_event_paranoid'
	without EACCES run
	check "run ends with 8, too" ends_with 8
	without EACCES check --base benchmark --head benchmark --out "$WORK/refused"
	check "check ends with 8, too" ends_with 8
	check "and with the remedy" says 'CAP_PERFMON or kernel\.perf_event_paranoid'
	check "the report says so" json "$WORK/refused/report.json" '.verdict == "error" and .exit_code == 8 and (.reason | test("perf_event_open"))'
fi

# --- 8: no valgrind, and only where it is needed; what is only counted needs nothing else
mkdir "$WORK/path"
PATH=$WORK/path firebreak check --base counted --head counted --out "$WORK/counted"
check "without valgrind a check that counts ends with 8" ends_with 8
check "and says what to install" says 'valgrind.*install'
check "the report says so" json "$WORK/counted/report.json" '.verdict == "error" and .exit_code == 8'
if ! command -v valgrind >/dev/null || ! command -v strace >/dev/null || ! strace -o "$WORK/trace" true 2>/dev/null; then
	echo "skipped: counting without perf events: needs valgrind and strace"
else
	without EACCES check --base counted --head counted --no-store --out "$WORK/counted"
	check "a check that only counts passes where perf events are refused" ends_with 0
	check "and says nothing of perf events" json "$WORK/counted/report.json" '[.findings[] | select(.text | test("perf_event|hardware counters"))] == []'
	without EACCES run counted
	check "and so does run" ends_with 0
	check "which counts twice" grep -q 'instructions .*median of 2 runs' "$WORK/stdout"
	firebreak baseline list
	check "and keeps it" grep -q counted "$WORK/stdout"
	git for-each-ref --format='delete %(refname)' refs/firebreak | git update-ref --stdin
fi

# --- another user
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	echo "skipped: another user's view: needs root and setpriv"
else
	# The program where everybody may start it.
	mkdir "$WORK/bin" "$WORK/nobody"
	cp "$FIREBREAK" "$(dirname "$FIREBREAK")"/firebreak-{spawn,symbols} "$WORK/bin/"
	chmod 755 "$WORK" "$WORK/bin" && chmod 1777 "$WORK/nobody"
	as_nobody() {
		(
			cd "$WORK/nobody" || exit 1
			HOME=$WORK/nobody XDG_CACHE_HOME=$WORK/nobody TMPDIR=$WORK/nobody \
				setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all --inh-caps=-all \
				"$WORK/bin/firebreak" "$@"
		) >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
		CODE=$?
	}
	as_nobody -C "$REPO" check
	check "another user's repository ends with 2" ends_with 2
	check "and the remedy is named" says "safe\.directory $REPO"
	as_nobody doctor
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
		check "an unprivileged user who may not measure ends with 8" ends_with 8
		check "and reads the remedy" says 'CAP_PERFMON or kernel\.perf_event_paranoid'
	elif reason=$(perf_events_open 2>&1); then
		check "an unprivileged user may measure" ends_with 0
		check "and reads what he cannot have" grep -q '^sampling: ' "$WORK/stdout"
	fi
fi

# --- 128+n: signals
napping() { pgrep -x "$NAP" >/dev/null; }
# interrupted SIGNAL TAG: the signal arrives when the benchmark or the build of that commit is at work.
interrupted() {
	local pid i
	OUT=$WORK/out-$2
	# shells start what runs in the background with SIGINT ignored
	env --default-signal="$1" "$FIREBREAK" check --base "$2" --head "$2" --out "$OUT" \
		>"$WORK/stdout" 2>"$WORK/stderr" </dev/null &
	pid=$!
	for ((i = 0; i < 3000; i++)); do
		napping && break
		sleep 0.1
	done
	check "SIG$1 arrives in time" napping
	kill -"$1" $pid
	wait $pid
	CODE=$?
}
if reason=$(perf_events_open 2>&1); then
	interrupted INT benchmark
	check "SIGINT during a benchmark ends with 130" ends_with 130
	check "and the benchmark is gone" fails napping
	check "with its children" fails pgrep -f '^sleep 301$'
	check "the report is no verdict" json "$OUT/report.json" '.verdict == "error" and .exit_code == 130'
	interrupted HUP build
	check "SIGHUP during a build ends with 129" ends_with 129
	check "and the build is gone" fails napping
	check "with its children" fails pgrep -f '^sleep 301$'
	check "the report is no verdict" json "$OUT/report.json" '.verdict == "error" and .exit_code == 129'
	firebreak baseline list
	check "nothing of it is stored" is "$(cat "$WORK/stdout")" ''
else
	echo "skipped: signals: $reason"
fi
check "no worktree is left" is "$(git worktree list | wc -l)" 1
check "no campaign is left" is "$(ls -A "$WORK/cache/firebreak/campaigns" 2>/dev/null)" ''
check "no temporary file is left" is "$(ls -A "$WORK/tmp")" ''
check "the working tree is untouched" is "$(git status --porcelain --ignored)" ''
finish
