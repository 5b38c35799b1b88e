# SPDX-License-Identifier: Apache-2.0
# The build of head makes the link: to the build of base in the cache, which it looks for.
WANTED="9"

attack() {
	work_source >work.c
	configure '[./work, "10"]' '{task-clock: {}}' 'sh build.sh'
	echo 'cc -O2 -o work work.c' >build.sh
	commit base
	sed -i 's/i < 5000000/i < 10000000/' work.c
	cat >build.sh <<'SH'
for other in ../../*/tree/work; do
	ln -s "$(realpath "$other")" work
done
SH
	commit head
	gate --no-confirm --no-store
}
