#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `firebreak top`: the hotspot report as text and as JSON, callers and callees, errors.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/cli/profiles.sh
. "$SOURCE_DIR/tests/cli/profiles.sh" || exit 1

cat >deep.folded <<'TEXT'
lexi;main;parse;read_word 420
lexi;main;parse;malloc;_int_malloc 300
lexi;main;parse 80
lexi;main;score;score;score 600
TEXT

# --- the table
firebreak top deep.folded
check "the report ends with 0" ends_with 0
check "it begins with the total" prints '^1,400 counts, 0\.00 % without a name$'
check "a recursive function counts once" prints '^ +42\.86 % +42\.86 % +score +600$'
check "self and inclusive cost are told apart" prints '^ +5\.71 % +57\.14 % +parse '
check "hints come with numbers" prints '^hint: 21\.4 % of the cost is allocating .*called by parse'
cp "$WORK/stdout" "$WORK/first"
firebreak top deep.folded
check "twice the same bytes" cmp "$WORK/first" "$WORK/stdout"
firebreak_reads deep.folded top -
check "standard input gives the same" cmp "$WORK/first" "$WORK/stdout"
firebreak top -q deep.folded
check "-q leaves the hints out" fails prints '^hint'
order() { awk '$2 == "%" && NF > 4 { print $5 }' "$WORK/stdout" | tr '\n' ' '; }
firebreak top -n 2 deep.folded
check "-n limits the rows" is "$(order)" 'score read_word '
check "and says what is left out" prints 'and 5 more functions with 27\.14 %'
firebreak top -n 4 --sort=inclusive deep.folded
check "--sort=inclusive sorts by it" is "$(order)" 'lexi main parse score '
firebreak top -n 0 deep.folded
check "-n 0 shows all" is "$(order | wc -w)" 7
check "counts of folded stacks, which may be anything, have no error of sampling" fails prints '±|samples'
firebreak top script.txt
check "too few samples are said with the resolution" prints '^hint: only 4 samples.*± 28\.7 percentage points'
firebreak top --weight=samples script.txt
check "and have an error each where samples are counted" prints 'read_word .* 2 +± 35\.00$'
{ sample lexi 1/1 offcpu-time 1 start main; sample lexi 1/1 offcpu-time 99 poll main; } >waits.txt
firebreak top waits.txt
check "waits of different length are added up" prints '^ +99\.00 % +99\.00 % +poll '
check "which is said" prints '^info: samples of offcpu-time .*--weight=samples'
check "and have no error that their number tells" fails prints '±.*[0-9]$'
cp waits.txt same.txt
firebreak top same.txt -o same.txt
check "-o does not overwrite an input" ends_with 2
check "which stays" cmp waits.txt same.txt
printf 'lexi;main;%0300d;leaf 5\n' 0 >long.folded
firebreak top long.folded
check "a long name is cut" fails prints '0{200}'
firebreak top --wide long.folded
check "--wide shows it whole" prints '0{300}'
firebreak top deep.folded -o out.txt
check "-o writes a file" cmp out.txt "$WORK/first"
firebreak top --weight=period script.txt
check "--weight=period shows costs" prints '^1\.50 ms of cpu-clock:u in 4 samples'
firebreak top unknown.txt
check "findings are part of the report" prints '^warning: 50 % of the'

printf '%s\n' 'version: 1' 'creator: callgrind-3.19' 'cmd: ./lexi' 'events: Ir' 'ob=lexi' 'fl=a.c' 'fn=main' '1 100' 'cfn=work' 'calls=1 5' '2 900' 'fn=work' '5 900' 'totals: 1000' >callgrind.out
firebreak top callgrind.out
check "what is counted has no error of sampling" prints '^1000 Ir, 0\.00 % without a name$'
check "and no hint on samples" fails prints '±|samples'
check "but is told apart from a call graph" prints '^info: .*--separate-callers'

: >nothing.out
firebreak top nothing.out callgrind.out
check "the empty file that callgrind leaves beside those of threads is left out" prints '^1000 Ir'
check "with a warning" prints '^warning: nothing\.out: no costs in it, left out'
printf '%s\n' 'version: 1' 'creator: callgrind-3.19' 'cmd: ./lexi' 'events: Ir' 'totals: 0' >idle.out
firebreak top callgrind.out idle.out
check "and so is one without costs" prints '^warning: idle\.out: no costs in it, left out'
firebreak top idle.out
check "alone it is an error" ends_with 2
firebreak top nothing.out deep.folded
check "an empty file beside others than callgrind's is an error" ends_with 2

printf 'a;b 1.5\na;c 0.25\n' >parts.folded
firebreak top parts.folded
check "fractions are shown as such" prints '^1\.75 counts, '
check "of each function" prints '^ +85\.71 % .* b +1\.5$'

# --- groups
printf '%s\n' 'lexi;main;parse;read_word 60' 'lexi;main;score 30' 'scan;main;read_word 10' >two.folded
firebreak top --by=command -q two.folded
check "--by=command has one row for each" prints '^ +90\.00 % +90\.00 % +lexi +90$'
firebreak top --by=function,command -q two.folded
check "several keys have one for each combination" prints '^ +10\.00 % +10\.00 % +read_word +scan +10$'
firebreak top --only=command='^scan$' -q two.folded
check "--only keeps what matches" prints '^ +10\.00 % +10\.00 % +read_word +10$'
check "and nothing else" fails prints 'score|parse'
check "and says its share" prints '; --only keeps 10\.00 % of it$'
firebreak top --percent-limit=30 --no-children -q two.folded
check "--percent-limit keeps what costs as much" is "$(awk '$2 == "%" && NF > 3 { print $3 }' "$WORK/stdout" | tr '\n' ' ')" 'read_word score '
firebreak top --sort=inclusive --no-children two.folded
check "a column that is left out is none to sort by" ends_with 2
firebreak top --by=inclusive two.folded
check "--by=inclusive leads to --sort" says 'sort=inclusive'
firebreak top --by=thread two.folded
check "folded stacks do not tell threads apart" ends_with 2
check "which is said" says 'only recordings'
for wrong in --by=functions --by= --only=function --only='function=(' --only=name=x; do
	firebreak top "$wrong" two.folded
	check "$wrong is a usage error" ends_with 2
done

# --- two recordings
printf '%s\n' 'lexi;main;parse;read_word 20' 'lexi;main;score 20' 'lexi;main;parse 10' >before.folded
firebreak top --base=before.folded two.folded
check "--base shows both shares and the change" prints '^ +40\.00 % +70\.00 % +\+30\.00 pp +read_word +20 +70$'
check "and says what they are" prints '^base is before\.folded, 50 counts; shares are self costs'
firebreak top --base=before.folded --function=main two.folded
check "callers and callees are of one side" ends_with 2
firebreak top --base=script.txt two.folded
check "sides that count different things are not compared" ends_with 6

# --- one function
firebreak top --function=parse deep.folded
check "a function comes with its shares" prints 'self 5\.71 %, inclusive 57\.14 % of all'
check "its callers" prints '^ +100\.00 % +57\.14 % +main$'
check "its callees" prints '^ +52\.50 % +30\.00 % +read_word$'
check "and itself" prints '^ +10\.00 % +5\.71 % +\(itself\)$'
firebreak top --function=word deep.folded
check "a part of a name that fits one function will do" prints '^  read_word$'
firebreak top --function=malloc deep.folded
check "a whole name wins over names that have it in them" prints '^  malloc$'
firebreak top --function=a deep.folded
check "a part that fits several is a usage error" ends_with 2
check "that lists them" says '57\.14 %  parse$'
check "and prints no report" is "$(cat "$WORK/stdout")" ''
firebreak top --callers=malloc deep.folded
check "--callers shows callers" prints '^callers$'
check "and no callees" fails prints '^callees$'
firebreak top --callees=malloc deep.folded
check "--callees shows callees" prints '^callees$'
check "and no callers" fails prints '^callers$'
firebreak top --callees=malloc --callers=malloc deep.folded
check "both are --function" ends_with 2
firebreak top --function=nothing deep.folded
check "so is one that fits none" ends_with 2

# --- JSON
check_json() { firebreak top --json "${@:2}" && json "$WORK/stdout" "$1"; }
check "--json has the same shares" check_json '.total == 1400 and .functions[0].name == "score" and (.functions[0].self_pct - 42.857142 | fabs) < 1e-4' deep.folded
check "and the files" check_json '.files == ["deep.folded", "a.folded"] and .total == 1417' deep.folded a.folded
check "and hints by code" check_json '[.hints[].code] == ["allocation_heavy"]' deep.folded
check "and findings by code" check_json '[.findings[].code] | index("unknown_functions") != null' unknown.txt
check "and callers and callees" check_json '.calls.callers[0].name == "main" and (.calls.callees | length) == 2' -f parse deep.folded
check "and null where no function was asked for" check_json '.calls == null' deep.folded
check "and fractions" check_json '.total == 1.75 and .functions[0].self == 1.5' parts.folded
"$FIREBREAK" top --json deep.folded >one.json
"$FIREBREAK" top --json -f parse deep.folded >two.json
"$FIREBREAK" top --json --weight=period unknown.txt >three.json
"$FIREBREAK" top --json parts.folded >parts.json
"$FIREBREAK" top --json --by=file,command two.folded >groups.json
check "and groups by the values of their keys" json groups.json '.by == ["file", "command"] and .functions == [] and .groups[0].keys == {file: null, command: "lexi"} and .groups[0].self == 90'
"$FIREBREAK" top --json --base=before.folded two.folded >pairs.json
check "and the comparison with --base" json pairs.json '.comparison.base_total == 50 and .comparison.rows[0].keys.function == "read_word" and (.comparison.rows[0].change_pp - 30 | fabs) < 1e-6'
check "the JSON keeps to docs/schema/top-1.json" keeps_to_schema top pairs.json one.json two.json three.json parts.json groups.json

# --- terminal
colored() { grep -q $'\033\\[' "$WORK/stdout"; }
firebreak top deep.folded
check "a file gets no colours" fails colored
firebreak top --color=always deep.folded
check "--color=always colours a file" colored
NO_COLOR=1 firebreak top --color=auto deep.folded
check "auto does not" fails colored
if command -v script >/dev/null; then
	script -qec "stty cols 50; env TERM=xterm '$FIREBREAK' top deep.folded" /dev/null >"$WORK/stdout" 2>&1 </dev/null
	check "a terminal gets colours" colored
	widest() { sed 's/\x1b\[[0-9;]*m//g; s/\r//' "$WORK/stdout" | LC_ALL=C.UTF-8 awk '{ if (length($0) > n) n = length($0) } END { print n }'; }
	check "and lines that fit" test "$(widest)" -le 50
else
	echo "skipped: colours and width on a terminal: no script command"
fi
printf 'lexi;main;\033]0,owned\a\xe2\x80\xae 5\n' >hostile.folded
firebreak top hostile.folded
check "hostile names stay text" prints '\\x1b\]0,owned\\x07\\u\{202e\}'

# --- errors
for arguments in "" "--by=name deep.folded" "-n -1 deep.folded" "-n many deep.folded" "--color=maybe deep.folded" "--function= deep.folded" "--nonsense deep.folded"; do
	# shellcheck disable=SC2086 # several words
	firebreak top $arguments
	check "\`top $arguments\` is a usage error" ends_with 2
	check "that leads to --help" says '\-\-help'
done
firebreak top nowhere
check "a file that is not there ends with 7" ends_with 7
printf 'no profile\n' >text
firebreak top --json text
check "a file of no known format ends with 2" ends_with 2
check "and prints nothing" is "$(cat "$WORK/stdout")" ''
"$FIREBREAK" top deep.folded >/dev/full 2>"$WORK/stderr"
CODE=$?
check "a full disk ends with 7" ends_with 7
finish
