# SPDX-License-Identifier: Apache-2.0
# Sourced by the cases whose gate has to run as a plain user, or beside programs that change the user.

# user_gate ARG...: gate as a user without privileges; as root, as the user 65534, who gets the folder of the case.
user_gate() {
	[ "$(id -u)" = 0 ] || { gate "$@"; return; }
	local root=$FIREBREAK
	chmod a+x "$WORK" && chown -R 65534:65534 "$CASE"
	printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="%s" "%s" "$@"\n' \
		"$CASE/tmp" "$root" >"$CASE/as-user"
	chmod a+rx "$CASE/as-user"
	FIREBREAK=$CASE/as-user
	gate "$@"
	FIREBREAK=$root
}

# Skips the case where that cannot be.
need_user() {
	[ "$(id -u)" != 0 ] && return
	command -v setpriv >/dev/null || skip "setpriv is missing"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$FIREBREAK" --version >/dev/null 2>&1 ||
		skip "the user 65534 cannot execute $FIREBREAK"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip "plain users may not count here"
}

# Skips the case where setuid programs and such have no effect, or cannot be made.
need_root() {
	[ "$(id -u)" = 0 ] || skip "only root makes such programs"
	! findmnt -no OPTIONS -T "$CASE" | grep -q nosuid || skip "$CASE lies on a file system with nosuid"
}

# two_sides BASE HEAD [KEY [BUILD]]: run.sh does what the two texts say; KEY is a line of the benchmark, BUILD a command
# that the build ends with.
two_sides() {
	work_source >work.c
	printf '%s\n' "$1" >run.sh
	cat >firebreak.yml <<YML
version: 1
build: {command: "cc -O2 -o work work.c && ${4:-:}"}
benchmarks:
  - name: work
    command: [sh, run.sh]
    gate: {task-clock: {}}
    ${3:-}
YML
	commit base
	printf '%s\n' "$2" >run.sh
	commit head
}

# reason_is TEXT: the report ends with 4, for a reason whose text matches.
reason_is() { json "$REPORT" "[.reasons[] | select(.exit_code == 4)][0].text | test(\"$1\")"; }
