# SPDX-License-Identifier: Apache-2.0
# Head makes the code twice as slow, and its benchmark does half the work. The total was the same, and the check passed.
WANTED="1"

attack() {
	bench_repo '    files: [bench/]'
	slow_src
	sed -i 's/n < 10/n < 5/' bench/main.c
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "easier-benchmark: the report says whose files are run" json "$REPORT" \
		'.findings | any(.code == "files_laid_over" and (.text | test("bench/main.c")))'
	check "easier-benchmark: about twice as slow" json "$REPORT" \
		'.benchmarks[0].metrics[] | select(.name == "task-clock") | .change_pct > 80'
}
