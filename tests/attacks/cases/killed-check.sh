# SPDX-License-Identifier: Apache-2.0
# The build of head puts its own program into the cached build of base, makes base's seal agree, and kills the check. The
# next check took that for base's build, and passed.
WANTED="1"

attack() {
	work_source >work.c
	configure '[./work, "10"]' '{task-clock: {}}' 'sh build.sh'
	echo 'cc -O2 -o work work.c' >build.sh
	commit base
	sed -i 's/i < 5000000/i < 10000000/' work.c
	cat >build.sh <<'SH'
cc -O2 -o work work.c
mkdir ../../../done || exit 0
for seal in ../../../seals/*; do
	theirs=../../../builds/$(basename "$seal")/tree/work
	[ -f "$theirs" ] && ! cmp -s "$theirs" work || continue
	was="$(stat -c %s "$theirs") $(sha256sum <"$theirs" | cut -d' ' -f1)"
	rm -f "$theirs" && cp work "$theirs" && chmod 555 "$theirs"
	chmod u+w "$seal"
	sed -i "s/ $was work/ $(stat -c %s work) $(sha256sum <work | cut -d' ' -f1) work/" "$seal"
	parent=$$
	while [ "$(cat /proc/$parent/comm)" != firebreak ]; do
		parent=$(awk '/^PPid/{print $2}' /proc/$parent/status)
		[ "$parent" -gt 1 ] || exit 0
	done
	kill -9 "$parent"
	sleep 2
done
SH
	commit head
	gate --no-confirm --no-store
	FIRST=$CODE
	gate --no-confirm --no-store
}

facts() {
	check "killed-check: the first check was killed" is "$FIRST" 137
	check "killed-check: the second one says that it builds anew" json "$REPORT" '.findings | any(.code == "cache_doubted")'
}
