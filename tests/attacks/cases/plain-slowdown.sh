# SPDX-License-Identifier: Apache-2.0
# No attack: a head that does twice the work and hides nothing. If this one passes, no other row means anything.
WANTED="1"

attack() {
	work_source >work.c
	configure
	commit base
	sed -i 's/i < 5000000/i < 10000000/' work.c
	commit head
	gate
}

facts() {
	check "plain-slowdown: burn is named" json "$REPORT" '[.benchmarks[0].functions[] | select(.class == "regression")][0].name == "burn"'
}
