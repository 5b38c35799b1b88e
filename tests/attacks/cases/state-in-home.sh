# SPDX-License-Identifier: Apache-2.0
# Head does its work once, keeps the result in HOME and in TMPDIR, and finds it there in all later runs. HOME and TMPDIR
# were those of a side for the whole check: what the warm-up left was replayed, and head passed with -88 % although it
# does twice the work.
WANTED="1"

attack() {
	work_source >work.c
	cat >run <<'SH'
exec ./work 10
SH
	configure '[sh, run]'
	commit base
	cat >run <<'SH'
for folder in "$HOME" "$TMPDIR" "$HOME/.." "$HOME/../.." "$TMPDIR/.."; do
	[ -e "$folder/result" ] && exec ./work 2
	[ "$(realpath "$folder")" = /tmp ] || touch "$folder/result"
done
exec ./work 20
SH
	commit head
	gate --no-confirm --no-store
}
