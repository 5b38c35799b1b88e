# SPDX-License-Identifier: Apache-2.0
# Files of a new benchmark that lead out of the tree: by their path, and by a link that is laid over base and leads into
# the repository, where head's sources are.
WANTED="9"

attack() {
	bench_repo ''
	slow_src
	cat >>firebreak.yml <<'YML'
  - {name: other, command: ./work, files: [../repo/src.c]}
YML
	commit head
	gate --no-confirm --no-store
	PATHS=$CODE
	sed -i 's,\.\./repo/src.c,new,' firebreak.yml
	mkdir new && ln -s "$PWD/src.c" new/src.c
	git add -A && git commit -qm link && git tag -f head >/dev/null
	gate --no-confirm --no-store
	LINK=$CODE
	rm new/src.c && ln -s ../../tree/src.c new/src.c
	git add -A && git commit -qm link && git tag -f head >/dev/null
	gate --no-confirm --no-store
}

facts() {
	check "files-that-lead-out: a path is refused" is "$PATHS" 2
	check "files-that-lead-out: a link into the repository is refused" is "$LINK" 9
	check "files-that-lead-out: and one that climbs" says 'new/src.c'
	check "files-that-lead-out: by the tree" json "$REPORT" '.reasons | any(.code == "tree_refused")'
}
