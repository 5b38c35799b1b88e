# SPDX-License-Identifier: Apache-2.0
# No attack: a program that sleeps on both sides passes, and nothing is said of its wait.
WANTED="0"

attack() {
	work_source >work.c
	sed -i '1i #include <unistd.h>' work.c
	sed -i 's/		burn();/		burn(), usleep(8000);/' work.c
	configure '[./work, "25"]' '{task-clock: {margin: 20%, pass_margin: 40%}}'
	commit base
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "waits-alike: its wait was measured" json "$REPORT" \
		'.benchmarks[0].metrics[] | select(.name == "wait") | .base > 1.9e8 and .head > 1.9e8'
	check "waits-alike: and nothing is said of it" json "$REPORT" '[.findings[] | select(.code == "wait_changed")] == []'
}
