#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The command line: help, options, usage errors, where results go, and colours. Nothing is measured here.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
unset NO_COLOR

# firebreak ARG...: its exit code in $CODE, its texts in $WORK/stdout and $WORK/stderr.
firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { # ends_with CODE: shows what was said if it was another
	[ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }
}
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 15 "$WORK/stdout"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
fails_to() { ! "$@"; }
silent() { [ ! -s "$WORK/$1" ] || { echo "$1 is not empty:"; cat "$WORK/$1"; return 1; }; } # silent stdout|stderr
# A usage error: exit code 2, nothing on stdout, and on stderr one pointer to --help.
is_usage_error() {
	ends_with 2 && silent stdout && is "$(grep -o -- '--help' "$WORK/stderr" | wc -l)" 1
}
# refused "ARG..." PATTERN: the arguments, split at blanks, are a usage error that says the pattern.
refused() {
	local arguments
	read -ra arguments <<<"$1"
	firebreak "${arguments[@]}"
	check "\`firebreak $1\` is a usage error" is_usage_error
	check "which says $2" says "$2"
}

# --- help and version
cd "$WORK" || exit 1
firebreak --help
check "--help ends with 0" ends_with 0
check "and talks on stdout only" silent stderr
for code in {0..9} 128; do
	check "--help explains exit code $code" prints "(^|[ ,])$code(\+n)? [a-z]"
done
mapfile -t commands < <(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$WORK/stdout")
check "there are commands" is "$(printf '%s\n' "${commands[@]}" | grep -cxE 'check|run|baseline|record|fold|flamegraph|top|init|doctor')" 9
cp "$WORK/stdout" "$WORK/help"
firebreak help
check "\`help\` is the same" cmp "$WORK/stdout" "$WORK/help"
firebreak
check "no command at all never looks like a pass" ends_with 2

# The options that scripts rely on; --help may name more.
declare -A OPTIONS=(
	[check]="--base= --head= --benchmark= --out= --rounds= --max-time= --no-confirm --calibrate --campaigns= --self-test --schedule= --seed= --allow-policy-change --on-inconclusive= --no-store --measure-base --json --color= --quiet --verbose"
	[run]="--benchmark= --rounds= --quiet --verbose"
	[report]="--format= --color="
	[fold]="--output= --annotate --weight= --event= --pid= --tid= --comm= --kernel --no-inline --format= --symfs= --stackcollapse --root-pid --root-tid --quiet --verbose"
	[flamegraph]="--output= --title= --weight= --event= --pid= --tid= --comm= --kernel --no-inline --format= --symfs= --quiet"
	[top]="--rows= --by= --function= --json --output= --color= --weight= --event= --pid= --tid= --comm= --kernel --no-inline --format= --symfs= --quiet"
)
for command in "${commands[@]}"; do
	firebreak "$command" --help
	check "\`$command --help\` ends with 0" ends_with 0
	check "and says what the command is for" prints "firebreak $command: ."
	for option in ${OPTIONS[$command]:-} --help; do
		check "and names $option" prints "(^|[ ,])$option"
	done
	cp "$WORK/stdout" "$WORK/help"
	firebreak "$command" -h
	check "\`$command -h\` is the same" cmp "$WORK/stdout" "$WORK/help"
	refused "$command --no-such-option" no-such-option
done
firebreak --version
check "--version ends with 0" ends_with 0
check "and prints one line with a version" is "$(grep -cxE 'firebreak [0-9]+\.[0-9]+\.[0-9]+.*' "$WORK/stdout")/$(wc -l <"$WORK/stdout")" 1/1

# --- usage errors
refused "nonsense" nonsense
refused "--no-such-option" no-such-option
refused "-C" -C
refused "-C $WORK/nowhere doctor" "$WORK/nowhere"
refused "check stray" stray
refused "check --base" --base
refused "check --rounds" --rounds
refused "check --rounds many" many
refused "check --rounds 0" rounds
refused "check --rounds -3" rounds
refused "check --rounds 63" rounds
refused "check --schedule sideways" schedule
refused "check --color sometimes" color
refused "check --seed banana" seed
refused "check --seed -1" seed
refused "check --on-inconclusive maybe" on-inconclusive
refused "check --max-time 5" '--max-time: duration "5" needs a unit .*5s'
refused "check --max-time soon" '--max-time: "soon" is not a duration'
refused "check --max-time 0s" 'not within 1ms to 168h'
refused "check --calibrate --self-test" 'one after the other'
refused "check --campaigns 3" '--campaigns is for --calibrate'
refused "check --calibrate --campaigns 0" '--campaigns takes a number from 1'
refused "check --calibrate --head HEAD" 'leave --head out.* --base'
refused "check --self-test --head HEAD" 'leave --head out.* --base'
refused "check --calibrate --no-confirm" '--no-confirm has no meaning'
refused "run --rounds 63" rounds
refused "run --rounds 0" rounds
refused "run one two" two
refused "report --format yaml" format
refused "report --color sometimes" color
refused "report one two" two
refused "baseline" list
refused "baseline frobnicate" verify
refused "baseline list stray" list
refused "baseline show" 'show REV'
refused "baseline export" 'export REV -o FILE'
refused "baseline import" 'import FILE'
refused "baseline import one two" 'import FILE'
refused "baseline verify stray" verify
refused "init stray" stray
refused "doctor stray" stray

# --- where there is nothing to work on
mkdir "$WORK/plain" "$WORK/empty"
for arguments in check run init "baseline list"; do
	# shellcheck disable=SC2086 # one or two words
	firebreak -C "$WORK/plain" $arguments
	check "\`$arguments\` outside a repository ends with 2" ends_with 2
	check "and says so" says 'not inside a git repository'
done
git init -q -b main "$WORK/empty"
firebreak -C "$WORK/empty" check
check "a repository without a commit ends with 2" ends_with 2
firebreak report "$WORK/nowhere"
check "a report that is not there ends with 7" ends_with 7
check "and is named" says 'report\.json'

# --- a Makefile project with two commits and without configuration
REPO=$WORK/project
git init -q -b main "$REPO" && cd "$REPO" || exit 1
git config user.name dev && git config user.email dev@example.org
printf 'all:\n\t@true\n' >Makefile && git add Makefile && git commit -q -m one
echo '# more' >>Makefile && git commit -q -a -m two
mkdir deep

firebreak check --head HEAD --base HEAD~1 --out "$WORK/no-config"
check "a commit without firebreak.yml ends with 2" ends_with 2
check "and sends the user to \`firebreak init\`" says 'firebreak init'
check "the report says so, too" json "$WORK/no-config/report.json" '.verdict == "error" and .exit_code == 2 and (.reason | test("firebreak.yml"))'

cd "$WORK/plain" || exit 1
firebreak -C "$REPO" -C deep init
check "-C folders add up, and init writes into the root of the repository" test -s "$REPO/firebreak.yml"
check "init ends with 0" ends_with 0
check "and says where it wrote" says "$REPO/firebreak.yml"
check "and what it looked at in vain" says '^looked at Make in \.: [0-9]+ targets; none is named like a benchmark'
check "so does the file" grep -q '^# Make in \.: ' "$REPO/firebreak.yml"
check "it knows how a Makefile project is built" grep -qE '^ +command: make\b' "$REPO/firebreak.yml"
cp "$REPO/firebreak.yml" "$WORK/written"
cd "$REPO" || exit 1
firebreak init
check "a second time init ends with 0" ends_with 0
check "and says that there is nothing to do" says 'nothing to do: .*firebreak\.yml is unchanged'
echo '# mine' >>firebreak.yml && cp firebreak.yml "$WORK/written"
firebreak init
check "init does not overwrite an edit" ends_with 2
check "and says what is there" says 'firebreak\.yml exists and was edited by hand'
check "which stays as it was" cmp firebreak.yml "$WORK/written"
firebreak init --dry-run --json
check "the JSON of init keeps to its schema" keeps_to_schema init "$WORK/stdout"
check "a dry run shows what would be proposed" json "$WORK/stdout" '.schema == "firebreak-init/1" and .written == false and .benchmarks == [] and (.looked_at[0] | startswith("Make in .: "))'
check "and writes nothing" cmp firebreak.yml "$WORK/written"
firebreak init --force --ci github
check "init --force overwrites it" is "$(grep -c '^# mine' firebreak.yml)" 0
check "and writes the job of CI on request" grep -q '^name: performance' .github/workflows/firebreak.yml
rm -r .github
if reason=$(perf_events_open 2>&1); then
	firebreak run --rounds 1
	check "a configuration that is not committed does not count" ends_with 2
	git add firebreak.yml && git commit -q -m three
	firebreak run --rounds 1
	check "the written configuration is read, and its example refused" ends_with 2
	check "with what is to be done" says 'benchmark main is still the example .*: name your program in firebreak\.yml'
	firebreak doctor
	check "so does doctor" ends_with 2
	check "in the same words" says 'benchmark main is still the example .*: name your program in firebreak\.yml'
	check "and names the sampling event" prints '^sampling: (cycles|cpu-clock)'
	check "and the CPU that is measured on" prints 'CPU [0-9]'
else
	echo "skipped: init's configuration and doctor: $reason"
fi

# --- revisions that a shallow clone does not have
git clone -q --depth 1 "file://$REPO" "$WORK/shallow"
for base in "" "--base=HEAD~1" "--base=$(git rev-parse HEAD~1)"; do
	# shellcheck disable=SC2086 # none or one word
	firebreak -C "$WORK/shallow" check $base
	check "a shallow clone ends with 2 (${base:-base not named})" ends_with 2
	check "and the remedy is named" says 'fetch-depth: 0'
done

# --- output that cannot be written
for arguments in --help --version "check --help" "report $WORK/no-config" "report $WORK/no-config --format=json" "check --base HEAD~2 --out $WORK/unread"; do
	# shellcheck disable=SC2086 # several words
	"$FIREBREAK" $arguments >/dev/full 2>"$WORK/stderr" </dev/null
	CODE=$?
	check "\`$arguments\` to a full disk ends with 7" ends_with 7
	check "and says so" says 'standard output'
	# shellcheck disable=SC2086
	"$FIREBREAK" $arguments >&- 2>"$WORK/stderr" </dev/null
	CODE=$?
	check "\`$arguments\` with stdout closed ends with 7" ends_with 7
done
"$FIREBREAK" report "$WORK/no-config" >"$WORK/stdout" 2>&- <&-
CODE=$?
check "closed stdin and stderr do no harm" ends_with 0
check "and nothing else gets into the result" prints 'firebreak init'

# --- colours
colored() { grep -q $'\033\\[' "$WORK/stdout"; }
plain() { ! colored; }
firebreak report "$WORK/no-config"
check "a file gets no colours" plain
firebreak report "$WORK/no-config" --color=always
check "--color=always colours a file" colored
NO_COLOR=1 firebreak report "$WORK/no-config" --color=always
check "even against NO_COLOR" colored
if command -v script >/dev/null; then
	# on_terminal VARIABLE... ARG...: the same with a terminal as stdout
	on_terminal() { script -qec "env $1 '$FIREBREAK' report '$WORK/no-config' $2" /dev/null >"$WORK/stdout" 2>&1 </dev/null; }
	on_terminal "TERM=xterm" ""
	check "a terminal gets colours" colored
	on_terminal "TERM=xterm NO_COLOR=1" ""
	check "not with NO_COLOR" plain
	on_terminal "TERM=dumb" ""
	check "not if it is dumb" plain
	on_terminal "TERM=xterm" "--color=never"
	check "not with --color=never" plain
else
	echo "skipped: colours on a terminal: no script command"
fi
check "the working tree is left alone" is "$(git status --porcelain --ignored)" ''
# --- terms
terms_of_page() { sed -n 's/^| \([^|]*\) | .*/\1/p' "$SOURCE_DIR/docs/GLOSSARY.md" | grep -v '^Term$' | tr -d '`'; }
firebreak glossary
check "glossary ends with 0" ends_with 0
check "and explains every term of docs/GLOSSARY.md" is "$(grep '^  [^ ]' "$WORK/stdout" | sed 's/^  //')" "$(terms_of_page)"
check "in lines of at most 80 columns" is "$(grep -E '^.{81}' "$WORK/stdout")" ''
check "without Markdown" fails_to prints '\]\(|`'
firebreak glossary pp
check "a term by its name is explained alone" is "$(grep -c '^  [^ ]' "$WORK/stdout")" 1
check "with its meaning" prints '^    Percentage points of base'
refused 'chekc' 'unknown command "chekc"; did you mean "check"\?'
firebreak report no-such-folder
check "a folder without a result ends with 7" ends_with 7
# shellcheck disable=SC2016 # a backtick is one
check "and says what to do last" says 'there is no no-such-folder/report\.json; run `firebreak check`, or name its output folder'
refused 'glossary no-such-term' 'no term has "no-such-term" in it'
firebreak glossary --json
check "the JSON of glossary keeps to its schema" keeps_to_schema glossary "$WORK/stdout"
firebreak --help
check "the help names it" prints '^  glossary +explain the terms'

finish
