#!/bin/bash
# `firebreak doctor`: the machine, and whether it can measure what the project here asks for. And what `init` writes.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
unset NO_COLOR
export GIT_CONFIG_GLOBAL=/dev/null
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
	local folder=$WORK/bin.$1 names=() file
	while [ "$1" != -- ]; do names+=("$1") && shift; done
	if [ ! -d "$folder" ]; then
		mkdir "$folder"
		for file in /usr/local/bin/* /usr/bin/* /bin/*; do
			ln -sf "$file" "$folder/" 2>/dev/null
		done
		(cd "$folder" && rm -f "${names[@]}")
	fi
	PATH=$folder "${@:2}"
}

# --- without a project
firebreak doctor
check "doctor ends with 0" ends_with 0
check "without a word on benchmarks" fails prints '^benchmark'
firebreak doctor --json
check "JSON says that there are none" json "$WORK/stdout" '.benchmarks == null and .usable'
check "a lack of counters is not told as a missing file" fails grep -r 'No such file' "$WORK/stdout"
if json "$WORK/stdout" '[.checks[] | select(.name == "hardware counters" and .state == "limited")] != []' >/dev/null; then
	check "but as a property of the machine" json "$WORK/stdout" '.checks[] | select(.name == "hardware counters") | .text | test("this machine offers none")'
	check "with callgrind as the remedy" json "$WORK/stdout" '.checks[] | select(.name == "hardware counters") | .remedy | test("engines: \\[callgrind\\]")'
fi
if command -v valgrind >/dev/null; then
	version=$(valgrind --version | sed 's/valgrind-//')
	firebreak doctor
	check "valgrind is named with its version" prints "^exact instruction counts: valgrind $version: \`engines: \[callgrind\]\` gates on them"
	check "JSON has the version, too" json <("$FIREBREAK" doctor --json) ".valgrind == \"$version\""
fi
without valgrind valgrind.bin -- firebreak doctor
check "without valgrind doctor ends with 0 all the same" ends_with 0
check "and says what to install" prints 'apt install valgrind'

# --- a project
git init -q . && mkdir below
benchmark ''
firebreak doctor
check "a plain benchmark can be measured" prints '^benchmark parse: can be measured here, by perf$'
check "with exit code 0" ends_with 0
firebreak -C below doctor
check "the configuration is that of the repository" prints '^benchmark parse: can be measured'
benchmark '    engines: [callgrind]'
without valgrind valgrind.bin -- firebreak doctor
check "callgrind without valgrind cannot be measured" prints '^benchmark parse: cannot be measured by the engine callgrind: valgrind is not installed'
check "which ends with 8" ends_with 8
check "and is said on stderr" says 'firebreak.yml asks for what cannot be measured here'
check "with a remedy" prints '^    remedy: apt install valgrind'
without valgrind valgrind.bin -- firebreak doctor --json
check "JSON says that it is missing" json "$WORK/stdout" '.usable == false and .valgrind == null and .benchmarks[0].state == "missing"'
if command -v valgrind >/dev/null; then
	firebreak doctor
	check "with valgrind it can" prints '^benchmark parse: can be measured here, by callgrind$'
	check "and ends with 0" ends_with 0
fi
benchmark '    layouts: 2'
without ld.lld -- firebreak doctor
check "layouts without their linker cannot be measured" prints '^benchmark parse: layouts are shuffled by ld\.lld'
check "which ends with 8, too" ends_with 8
benchmark '    engine: perf'
firebreak doctor
check "a wrong configuration ends with 2" ends_with 2
check "and says where it is wrong" says 'firebreak\.yml:5:'
check "and the machine is examined all the same" prints '^sampling: '

# --- init
rm firebreak.yml
firebreak doctor
check "without a configuration doctor says who writes one" prints 'firebreak init.* writes one$'
firebreak init
check "init mentions the engine" grep -qE '^    # engines: \[callgrind\]' firebreak.yml
firebreak doctor
check "what init writes is still an example" prints '^benchmark main: still the example of .firebreak init.$'
check "which ends with 2" ends_with 2
sed -i 's|\./path/to/benchmark|./bench|' firebreak.yml
firebreak doctor
check "with a program in its place it can be measured" prints '^benchmark main: can be measured here, by perf$'
sed -i 's/^    # engines:/    engines:/' firebreak.yml
firebreak doctor
check "so can it with the engine" fails says 'firebreak.yml:'
finish
