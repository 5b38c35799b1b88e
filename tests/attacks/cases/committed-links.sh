# SPDX-License-Identifier: Apache-2.0
# No attack: links that lead out of the tree are in base and in head, with the same targets. The check ended with 9, as
# if head had weakened the policy. A link that head adds or gives another target is refused as ever.
WANTED="9"

attack() {
	work_source >work.c
	configure
	mkdir fixtures
	ln -s ../../../nowhere fixtures/dangling
	ln -s "$PWD" fixtures/checkout
	commit base
	echo words >README
	commit head
	gate --no-confirm --no-store --rounds 8
	SAME=$CODE FINDINGS=$(jq -r '.findings[].code' "$REPORT")
	git rm -q fixtures/dangling && git commit -qm none && git tag with base && git tag -f base >/dev/null
	gate --no-confirm --no-store --rounds 8
	ADDED=$CODE
	git tag -f base with >/dev/null && git reset -q --hard head
	ln -sfn ../../../elsewhere fixtures/dangling
	git commit -qam other && git tag -f head >/dev/null
	gate --no-confirm --no-store --rounds 8
}

facts() {
	check "committed-links: what base has may stay" grep -qx "$SAME" <<<$'0\n3'
	check "committed-links: what head adds may not, although its build is kept from before" is "$ADDED" 9
	check "committed-links: it is said" grep -qx links_leave_tree <<<"$FINDINGS"
	check "committed-links: another target is refused" says 'fixtures/dangling -> \.\./\.\./\.\./elsewhere'
	check "committed-links: by a reason of its own" json "$REPORT" '.reasons | any(.code == "tree_refused")'
}
