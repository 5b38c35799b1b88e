# SPDX-License-Identifier: Apache-2.0
# The program reads its parameters from a file. In head, that is a link to base's copy of the file, over the name that
# base's tree had beside it: head, whose own file asks for twice the work, did base's work and passed with 0 %.
WANTED="9"

attack() {
	work_source >work.c
	mkdir lib
	echo 25 >lib/amount
	configure '"./work $(cat lib/amount 2>/dev/null || echo 50)"'
	commit base
	ln -sf ../../base/lib/amount lib/amount
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "link-into-other-side: the link is named" says 'lib/amount -> \.\./\.\./base/lib/amount'
}
