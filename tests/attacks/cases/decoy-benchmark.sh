# SPDX-License-Identifier: Apache-2.0
# Head makes the code slower and adds a benchmark beside the real one that does not show it: by files that it lays over
# the code of base, and by a program that does next to nothing. The real one is judged as ever; without it, by the decoy
# alone, there is no pass either.
WANTED="9"

attack() {
	bench_repo '    files: [bench/]'
	slow_src
	cat >>firebreak.yml <<'YML'
  - {name: decoy, command: ./work, files: [src.c, bench/], gate: {task-clock: {}}}
YML
	commit head
	gate --no-confirm --no-store
	BESIDE=$CODE
	ROWS=$(jq -r '.benchmarks[].name' "$REPORT" | tr '\n' ' ')
	gate --no-confirm --no-store --benchmark decoy
	ALONE=$CODE
	sed -i '/name: decoy/d; s/name: work/name: decoy/' firebreak.yml
	git commit -qam renamed && git tag -f head >/dev/null
	gate --no-confirm --no-store
}

facts() {
	check "decoy-benchmark: the real one fails" is "$BESIDE" 1
	check "decoy-benchmark: both are judged" is "$ROWS" "work decoy "
	check "decoy-benchmark: head's source does not become base's" is "$ALONE" 1
	check "decoy-benchmark: it does not take the name of the real one" says 'benchmark is removed'
}
