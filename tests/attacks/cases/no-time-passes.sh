# SPDX-License-Identifier: Apache-2.0
# Head's build uses up the time of the check, so nothing is measured. With --on-inconclusive=pass the check ended with 0;
# so did one round, of which nothing can be judged, and a calibration that had no time for a round.
WANTED="3"

attack() {
	work_source >work.c
	configure '[./work, "10"]' '{task-clock: {}}' '"cc -O2 -o work work.c; [ ! -e slow-build ] || sleep 30"'
	commit base
	touch slow-build
	sed -i 's/i < 5000000/i < 25000000/' work.c
	commit head
	gate --max-time 8s --on-inconclusive=pass --no-store
	UNBUILT=$CODE UNBUILT_MEASURED=$(jq .measured "$REPORT")
	rm slow-build && git commit -qam quick && git tag -f head >/dev/null
	gate --rounds 1 --on-inconclusive=pass --no-confirm --no-store
}

facts() {
	check "no-time-passes: neither does a head that was not built in time" is "$UNBUILT $UNBUILT_MEASURED" "3 false"
	check "no-time-passes: the report says that not all was measured" json "$REPORT" '.measured == false'
	check "no-time-passes: and the check says it" says 'on-inconclusive=pass does not apply'
}
