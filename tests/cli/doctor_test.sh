#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak doctor`: the machine, and whether it can measure what the project here asks for. And what `init` writes.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
unset NO_COLOR
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
mkdir "$WORK/project" && cd "$WORK/project" || exit 1

firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; cat "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; cat "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; cat "$WORK/stderr"; return 1; }; }
fails() { ! "$@" >/dev/null; }
benchmark() { printf 'version: 1\nbenchmarks:\n  - name: parse\n    command: [./bench]\n%s\n' "$1" >firebreak.yml; } # benchmark LINES
# Programs of this machine but for some: without NAME... -- COMMAND...
without() {
	local folder=$WORK/bin.$1 names=()
	while [ "$1" != -- ]; do names+=("$1") && shift; done
	if [ ! -d "$folder" ]; then
		mkdir "$folder"
		find /usr/local/bin /usr/bin /bin -mindepth 1 -maxdepth 1 -print0 | xargs -0 ln -sf -t "$folder/" 2>/dev/null
		(cd "$folder" && rm -f "${names[@]}")
	fi
	PATH=$folder "${@:2}"
}

# --- without a project
firebreak doctor
check "doctor ends with 0" ends_with 0
check "without a word on benchmarks" fails prints '^benchmark'
firebreak doctor --json
check "JSON keeps to its schema" keeps_to_schema doctor "$WORK/stdout"
check "and says that there are none" json "$WORK/stdout" '.benchmarks == null and .usable'
check "a lack of counters is not told as a missing file" fails grep -r 'No such file' "$WORK/stdout"
if json "$WORK/stdout" '[.checks[] | select(.name == "hardware counters" and .state == "limited")] != []' >/dev/null; then
	check "but as a property of the machine" json "$WORK/stdout" '.checks[] | select(.name == "hardware counters") | .text | test("this machine offers none|this virtual machine needs more than")'
	check "with callgrind as the remedy" json "$WORK/stdout" '.checks[] | select(.name == "hardware counters") | .remedy | test("engines: \\[callgrind\\]")'
fi
if command -v valgrind >/dev/null; then
	version=$(valgrind --version | sed 's/valgrind-//')
	firebreak doctor
	check "valgrind is named with its version" prints "^instruction counts: valgrind $version: \`engines: \[callgrind\]\` gates on them"
	check "JSON has the version, too" json <("$FIREBREAK" doctor --json) ".valgrind == \"$version\""
fi
without valgrind valgrind.bin -- firebreak doctor
check "without valgrind doctor ends with 0 all the same" ends_with 0
check "and says what to install" prints 'apt install valgrind'

# --- a project
git init -q . && mkdir below
benchmark ''
firebreak doctor --no-run
check "a plain benchmark can be measured" prints '^benchmark parse: can be measured here, by perf$'
check "with exit code 0" ends_with 0
firebreak -C below doctor --no-run
check "the configuration is that of the repository" prints '^benchmark parse: can be measured'
benchmark '    engines: [callgrind]'
without valgrind valgrind.bin -- firebreak doctor --no-run
check "callgrind without valgrind cannot be measured" prints '^benchmark parse: cannot be measured by the engine callgrind: valgrind is not installed'
check "which ends with 8" ends_with 8
check "and is said on stderr" says 'firebreak.yml asks for what cannot be measured here'
check "with a remedy" prints '^    remedy: apt install valgrind'
without valgrind valgrind.bin -- firebreak doctor --json
check "JSON says that it is missing" json "$WORK/stdout" '.usable == false and .valgrind == null and .benchmarks[0].state == "missing"'
if command -v valgrind >/dev/null; then
	firebreak doctor --no-run
	check "with valgrind it can" prints '^benchmark parse: can be measured here, by callgrind$'
	check "and ends with 0" ends_with 0
fi
benchmark '    layouts: 2'
without ld.lld -- firebreak doctor --no-run
check "layouts without their linker cannot be measured" prints '^benchmark parse: layouts are shuffled by ld\.lld'
check "which ends with 8, too" ends_with 8
benchmark '    engine: perf'
firebreak doctor --no-run
check "a wrong configuration ends with 2" ends_with 2
check "and says where it is wrong" says 'firebreak\.yml:5:'
check "and the machine is examined all the same" prints '^sampling: '

# --- its benchmarks are run
cat >work.c <<'C'
int main(int n, char **arguments)
{
	volatile unsigned x = 1;
	for (long i = 0; i < 60000000; i++)
		x = x * 1664525 + 1013904223;
	return n > 5 || arguments == 0;
}
C
printf 'all:\n\tmkdir -p build/bin && cc -O2 work.c -o build/bin/work\n' >Makefile
run_all() { printf 'version: 1\nbuild: {command: make}\nbenchmarks:\n%s\n' "$1" >firebreak.yml; firebreak doctor; } # run_all BENCHMARKS
run_all '  - {name: good, command: ./build/bin/work}
  - {name: lost, command: [./work]}
  - {name: idle, command: "echo usage: idle [FILE]"}'
check "a benchmark that works is fit, or not, to gate at a change" prints '^benchmark good: (not )?fit to gate at [0-9.]+ %: (task-clock|cycles) varies by [0-9.]+ % from round to round'
check "one that is not there is told with what was meant" prints '^benchmark lost: not fit to gate: .*could not be started: No such file or directory; did you mean ./build/bin/work\?'
check "so is one that only explains itself" prints '^benchmark idle: not fit to gate: .*printed "usage: idle \[FILE\]", exited with 0 .* mend the arguments'
check "which ends as a check does" ends_with 4
firebreak doctor --benchmark good
check "one that is named is the only one that is run" fails says 'lost'
check "with the time in its progress" says '^ *[0-9]+ s  .*good'
check "it decides alone how that ends" ends_with 0
firebreak doctor --benchmark nobody
check "a name that no benchmark has is a wrong use" ends_with 2
firebreak doctor --json
check "JSON keeps to its schema with a fitness, too" keeps_to_schema doctor "$WORK/stdout"
check "and has the change" json "$WORK/stdout" '[.fitness[] | select(.benchmark == "good" and (.metric | IN("task-clock", "cycles")) and .smallest_visible_pct > 0 and .round_s > 0)] | length == 1'
check "and the failure" json "$WORK/stdout" '.fitness[] | select(.benchmark == "lost") | .state == "missing" and .metric == null'
printf 'all:\n\ttrue\n' >Makefile
run_all '  - {name: good, command: ./build/bin/work}'
check "a build that does nothing is told" prints '^benchmarks: the build of base succeeded and wrote no file'
check "with what the benchmark lacks" prints '^benchmark good: not fit to gate: .*the checkout has no program at all'
printf 'all:\n\tfalse\n' >Makefile
run_all '  - {name: good, command: ./build/bin/work}'
check "a build that fails is told" prints '^benchmarks: none was run: the build of base exited with 2'
check "which ends with 5" ends_with 5
rm Makefile work.c

# --- init
rm firebreak.yml
firebreak doctor
check "without a configuration doctor says who writes one" prints 'firebreak init.* writes one$'
firebreak init
check "init mentions the engine" grep -qE '^    # engines: \[callgrind\]' firebreak.yml
firebreak doctor --no-run
check "what init writes is still an example" prints '^benchmark main: still the example of .firebreak init.$'
check "which ends with 2" ends_with 2
sed -i 's|\./path/to/benchmark|./bench|' firebreak.yml
firebreak doctor --no-run
check "with a program in its place it can be measured" prints '^benchmark main: can be measured here, by perf$'
sed -i 's/^    # engines:/    engines:/' firebreak.yml
firebreak doctor --no-run
check "so can it with the engine" fails says 'firebreak.yml:'
finish
