# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of fold, flamegraph and top: small inputs in $WORK/in, which is the working folder, and checks.
# shellcheck shell=bash
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
unset NO_COLOR
mkdir "$WORK/in" && cd "$WORK/in" || exit 1

# firebreak ARG...: its exit code in $CODE, its texts in $WORK/stdout and $WORK/stderr.
firebreak() { firebreak_reads /dev/null "$@"; }
firebreak_reads() { # firebreak_reads FILE ARG...: the same with the file as standard input
	"$FIREBREAK" "${@:2}" >"$WORK/stdout" 2>"$WORK/stderr" <"$1"
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
stdout_is() { diff <(printf '%s\n' "$@") "$WORK/stdout"; } # stdout_is LINE...
fails() { ! "$@" >/dev/null; }

cat >a.folded <<'TEXT'
lexi;main;score 5
lexi;main;parse;read_word 10
lexi;main;parse 2
TEXT
cat >b.folded <<'TEXT'
lexi;main;write 4
lexi;main;parse;read_word 3
TEXT

# sample COMM PID/TID EVENT PERIOD FRAME...: as perf script prints it, leaf first; FRAME is NAME or NAME@FILE
sample() {
	local frame address=401000
	printf '%s %s 12.345678: %10s %s: \n' "$1" "$2" "$4" "$3"
	for frame in "${@:5}"; do
		address=$((address + 10))
		case $frame in
		*@*) printf '\t%16s %s+0x1f (%s)\n' $address "${frame%@*}" "${frame#*@}" ;;
		'[unknown]') printf '\t%16s [unknown] ([unknown])\n' $address ;;
		*) printf '\t%16s %s+0x1f (/srv/lexi)\n' $address "$frame" ;;
		esac
	done
	echo
}
{
	sample lexi 100/100 cpu-clock:u 250000 read_word parse main _start
	sample lexi 100/100 cpu-clock:u 500000 read_word parse main _start
	sample lexi 100/100 cpu-clock:u 500000 parse main _start
	sample lexi 100/100 cpu-clock:u 250000 score main _start | sed '$d'
} >script.txt
{
	sample lexi 100/100 cpu-clock 250000 vfs_write@'[kernel.kallsyms]' main _start
	sample lexi 100/100 cpu-clock 250000 main _start
} >kernel.txt
{
	sample lexi 100/100 cpu-clock:u 250000 main
	sample sort 200/200 cpu-clock:u 250000 main
	sample sort 200/201 cpu-clock:u 250000 main
} >two.txt
{
	sample lexi 100/100 cycles:u 250000 main
	sample lexi 100/100 page-faults:u 1 main
} >events.txt
{
	sample lexi 100/100 cpu-clock:u 250000 '[unknown]' main
	sample lexi 100/100 cpu-clock:u 250000 main
} >unknown.txt
