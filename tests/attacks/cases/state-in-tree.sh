# SPDX-License-Identifier: Apache-2.0
# Head does its work once and keeps the result in its tree: a new file, a file of the build with other contents and the
# same size and time of last change, a folder, and a file beside the tree. What the warm-up left was replayed.
WANTED="1"

attack() {
	work_source >work.c
	cat >run <<'SH'
exec ./work 10
SH
	echo 0 >state
	configure '[sh, run]'
	commit base
	cat >run <<'SH'
[ -e new ] || [ -d folder ] || [ -e ../new ] || [ "$(cat state)" = 1 ] && exec ./work 2
touch new ../new
mkdir -p folder/inner
touch -r state new
echo 1 >state
touch -r new state
exec ./work 20
SH
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "state-in-tree: the files are named" json "$REPORT" \
		'.findings | any(.code == "tree_changed" and (.text | contains("folder") and contains("state")))'
	check "state-in-tree: so is what lay beside it" json "$REPORT" '[.findings[].code] | contains(["state_removed"])'
}
