# SPDX-License-Identifier: Apache-2.0
# Head changes the mode of one file in its first run. The file was copied anew, and the others were not: by its time of
# last change, which nobody can set, later runs knew it and left out the work.
WANTED="1"

attack() {
	work_source >work.c
	echo a >one
	echo b >two
	echo 'exec ./work 10' >run
	configure '[sh, run]'
	commit base
	cat >run <<'SH'
[ $(($(stat -c %.3Z one | tr -d .) - $(stat -c %.3Z two | tr -d .))) -gt 100 ] && exec ./work 2
[ $(($(stat -c %.3W one | tr -d .) - $(stat -c %.3W two | tr -d .))) -gt 100 ] && exec ./work 2
chmod 600 one
exec ./work 20
SH
	commit head
	gate --no-confirm --no-store
}
