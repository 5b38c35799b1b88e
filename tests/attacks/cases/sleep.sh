# SPDX-License-Identifier: Apache-2.0
# Head does the same work and sleeps 600 ms more in every run. CPU time does not show that, and nothing was said.
WANTED="3"

attack() {
	work_source >work.c
	sed -i '1i #include <unistd.h>' work.c
	configure
	commit base
	sed -i 's/	return 0;/	usleep(600000);\n	return 0;/' work.c
	commit head
	gate --no-confirm --no-store --on-inconclusive=pass
}

facts() {
	check "sleep: that head waits is the reason, or task-clock did not settle" json "$REPORT" \
		'.reasons | any(.code == "waits_more") or any(.code == "interval_too_wide")'
	check "sleep: a finding says so, with both waits" json "$REPORT" \
		'[.findings[] | select(.code == "wait_changed")][0].text | test("head waits 6[0-9][0-9]")'
	check "sleep: the metric has it" json "$REPORT" \
		'.benchmarks[0].metrics[] | select(.name == "wait") | .head > 5.9e8 and .base < 1e8'
}
