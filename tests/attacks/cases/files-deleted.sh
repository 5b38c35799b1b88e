# SPDX-License-Identifier: Apache-2.0
# Head deletes the benchmark whose entry stays, and builds a program of that name from another file.
WANTED="1"

attack() {
	bench_repo '    files: [bench/]'
	slow_src
	mkdir easy
	sed 's/n < 10/n < 5/' bench/main.c >easy/main.c
	git rm -q bench/main.c
	ln -s easy bench
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "files-deleted: base's files are back" json "$REPORT" '.findings | any(.code == "files_laid_over")'
}
