# Head does its work once, keeps the result in HOME and in TMPDIR, and finds it there in all later runs. HOME and TMPDIR
# were those of a side for the whole check: what the warm-up left was replayed, and head passed with -88 % although it
# does twice the work.
WANTED="1"

attack() {
	work_source >work.c
	cat >run <<'SH'
exec ./work 25
SH
	configure '[sh, run]'
	commit base
	cat >run <<'SH'
[ -e "$HOME/result" ] || [ -e "$TMPDIR/result" ] || [ -e "$HOME/../result" ] || [ -e "$HOME/../../result" ] &&
	exec ./work 2
touch "$HOME/result" "$TMPDIR/result" "$HOME/../result" "$HOME/../../result"
exec ./work 50
SH
	commit head
	gate --no-confirm --no-store
}
