# SPDX-License-Identifier: Apache-2.0
# The build of head writes a slower program over that of base, wherever it finds one: in the cache, and in copies that
# are there already. Against that base, a head that does twice the work passed with 0 %.
WANTED="1"

attack() {
	work_source >work.c
	configure '[./work, "10"]' '{task-clock: {}}' 'sh build.sh'
	echo 'cc -O2 -o work work.c' >build.sh
	commit base
	sed -i 's/i < 5000000/i < 10000000/' work.c
	cat >build.sh <<'SH'
cc -O2 -o work work.c
find "$(realpath ../../..)" -name work -type f ! -samefile work | while read -r other; do
	chmod u+w "$(dirname "$other")" "$other"
	cat work >"$other"
done
SH
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "build-overwrites-base: it is said" json "$REPORT" '[.findings[].code] | contains(["build_damaged"])'
}
