#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bisection end to end, of generated histories (tests/bench/bisect.py) counted under valgrind. Merges, branches, ranges
# that do not build, what is accepted and what comes in steps are told in tests/gate/bisect, with made-up counts; which
# commit is asked next in tests/compare/bisect. FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
mkdir "$WORK/tmp" "$WORK/bin"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.org
REPO=$WORK/repo
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 25 "$WORK/stdout"; return 1; }; }
tells() { json "$WORK/stdout" "$1" || { cut -c1-300 "$WORK/stdout" | tail -n 40; return 1; }; } # tells EXPRESSION
run() { # run PROGRAM ARG...
	"$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
run_ok() { run "$@" && ends_with 0; }
bisect() { run "$FIREBREAK" bisect -b words --out "$WORK/out" "$@"; }
sha() { git -C "$REPO" rev-parse "$1"; }
generate() { # generate SEED COMMITS BROKEN_SHARE: a history in a new $REPO; sets PLANTED, GOOD and number of BROKEN ones
	cd "$WORK" && rm -rf "$REPO"
	git init -q -b main "$REPO"
	python3 "$SOURCE_DIR/tests/bench/bisect.py" "$1" "$2" "$3" 5 --answer "$WORK/answer" |
		git -C "$REPO" fast-import --quiet
	cd "$REPO" || exit 1
	git reset -q --hard
	PLANTED=$(sha "main~$(($2 - $(cat "$WORK/answer")))") GOOD=$(sha "main~$(($2 - 1))")
	BROKEN=$(git log --format=%H --grep="break the build")
}
kept() { find "$REPO/.git/firebreak" -name 'bisect-*.json'; }

# --- a question from its beginning to its end
generate 3 24 .1
bisect --good "$GOOD" --bad main
check "the planted commit is found" prints "^${PLANTED:0:12} is the first slow commit: "
check "that is success" ends_with 0
check "its parent is named, with the change" prints "against its parent $(sha "$PLANTED^" | cut -c1-12): instructions \+2\.8"
check "the number of measurements is printed" prints "23 commits in question: [5-9] measurements"
check "a differential flame graph of the step is written" test -s "$WORK/out/words.diff.svg"
check "its report is of the commit and its parent" json "$WORK/out/report.json" \
	".base.sha == \"$(sha "$PLANTED^")\" and .head.sha == \"$PLANTED\""
check "nothing is kept of a question that is answered" is "$(kept)" ''

bisect --good "$GOOD" --bad main --json
check "what is stored is not measured again" tells '.measured == 2 and ([.tests[] | select(.source == "stored")] | length) > 2'
check "the same commit is found in what is stored" tells ".suspects == [\"$PLANTED\"] and .confirmed"

bisect --good "$GOOD" --bad main --function hash_words --json
check "a function can be what is looked for" tells \
	".suspects[-1] == \"$PLANTED\" and .target.function == \"hash_words\" and .step.contribution_pp > 2"
bisect --good "$GOOD" --bad main --function hash_words --metric instructions --json
check "beside a function a metric says by which engine" tells '.target | .function == "hash_words" and .engine == "callgrind"'
bisect --good "$GOOD" --bad main --function draw_rows
check "a function that costs no more is nothing to look for" prints "^nothing to look for: .*not a regression: draw_rows"
check "that is inconclusive" ends_with 3
bisect --good "$GOOD" --bad "$GOOD~0"
check "two times the same commit is a usage error" ends_with 2
bisect --good "$PLANTED" --bad main
check "a bad commit that is as fast as good is nothing to look for" prints "^nothing to look for: .* is not a regression against "
check "a fast bad commit is no success" ends_with 3
bisect --good main --bad "$GOOD"
check "good has to be an ancestor" says "is not an ancestor of .* their merge base, ${GOOD:0:12}"
bisect --good "$GOOD" --bad main --metric cycles
check "a metric that is not measured is refused" says "the benchmark words has no metric cycles"
run "$FIREBREAK" bisect -b nothing --good "$GOOD" --bad main
check "a benchmark that is not there is refused" says "no benchmark is named \"nothing\""
check "as a usage error" ends_with 2

# --- interruption: the fifth build ends the process that asked for it. That a bisection goes on where it was, also after
# it was killed, is told in tests/gate/bisect/bisectrun_test.c.
generate 5 24 0
cat >"$WORK/bin/cc" <<SH
#!/bin/sh
echo x >>$WORK/builds
[ "\$(wc -l <$WORK/builds)" != 5 ] || kill -TERM \$(cat $WORK/pid)
exec $(command -v cc) "\$@"
SH
chmod +x "$WORK/bin/cc"
# shellcheck disable=SC2016 # for that shell
run env PATH="$WORK/bin:$PATH" sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$WORK/pid" \
	"$FIREBREAK" bisect --no-store -b words --out "$WORK/out" --good "$GOOD" --bad main
check "a signal ends a bisection as it ends a check" ends_with 143
check "what is known is kept" says "tests? (is|are) kept: run the same command again"
check "in a file" test -s "$(kept)"
state=$(kept)
echo '{' >"$state"
bisect --good "$GOOD" --bad main
check "a damaged file is an error that names the remedy" says "bisect-.*\.json.*--restart|--restart.*bisect-.*\.json"
check "of storage" ends_with 7
bisect --good "$GOOD" --bad main --restart -q
check "starting anew forgets it" prints "^${PLANTED:0:12} is the first slow commit"
check "quietly" is "$(cat "$WORK/stderr")" ''

# --- under git
generate 15 16 .2
check "there is something that does not build" test -n "$BROKEN"
at() { # at COMMIT: one step there
	git checkout -q "$1"
	run "$FIREBREAK" bisect --step --good "$GOOD" -b words
}
at "$PLANTED"
check "a slow commit is 1" ends_with 1
at "$PLANTED^"
while [ "$CODE" = 125 ]; do at HEAD^; done
check "a fast commit is 0" ends_with 0
at "$(echo "$BROKEN" | head -n 1)"
check "a commit that does not build is 125" ends_with 125
run "$FIREBREAK" bisect --step --good "$GOOD" -b nothing
check "a usage error ends git's bisection" ends_with 194
run "$FIREBREAK" bisect --step --good no-such-commit -b words
check "so does a revision that is not there" ends_with 194
git checkout -q --detach "$PLANTED" && git rm -q firebreak.yml && git commit -q -m 'no configuration' && at HEAD
check "a commit without a configuration is 125" ends_with 125
check "and says why" prints "removes firebreak.yml"
echo 'benchmarks: {' >firebreak.yml && git add firebreak.yml && git commit -q -m 'a broken one' && at HEAD
check "so is one with a configuration that cannot be read" ends_with 125
run "$FIREBREAK" bisect --step --good "$GOOD" -b words --metric instructions
check "also for one metric" ends_with 125
git checkout -q main
git bisect start main "$GOOD" >"$WORK/git" 2>&1
git bisect run "$FIREBREAK" bisect --step --good "$GOOD" -b words >>"$WORK/git" 2>&1
found_by_git() { grep -E "^$PLANTED is the first bad commit" "$WORK/git" || { tail -n 15 "$WORK/git"; return 1; }; }
check "git finds the same commit" found_by_git
git bisect reset >>"$WORK/git" 2>&1
finish
