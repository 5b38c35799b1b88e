#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# firebreak report: every format from a report.json, to standard output, files and folders, and what is refused.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
build=$(dirname "$FIREBREAK")
[ -x "$build/tests/reportjson_test" ] || skip_all "$build/tests/reportjson_test is not built"
"$build/tests/reportjson_test" >/dev/null 2>&1 # leaves reports beside itself
IN=$WORK/in
mkdir "$IN"
cp "$build/report-regression.json" "$IN/report.json"
unset COLUMNS LC_ALL LC_CTYPE LANG GITHUB_ACTIONS GITLAB_CI

report() {
	"$FIREBREAK" report "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; cat "$WORK/stderr"; return 1; }; }
says() { grep -E -- "$1" "$WORK/stderr" || { echo "does not say: $1"; cat "$WORK/stderr"; return 1; }; }
shows() { grep -F -- "$1" "$WORK/stdout" || { echo "does not show: $1"; head -n 20 "$WORK/stdout"; return 1; }; }
fails() { ! "$@"; }

mapfile -t formats < <("$FIREBREAK" report --help | sed -nE 's/^  ([a-z]+) +[a-z]+\.[a-z]+ .*/\1/p')
check "--help names formats with their files" [ ${#formats[@]} -ge 12 ]

# --- one format goes to standard output; "svg" is the picture of a benchmark, which this result does not have
declare -A begins=([text]='✗ Regression' [markdown]='## ❌ Regression' [comment]='<!-- firebreak-comment: firebreak -->' [json]='{' [html]='<!DOCTYPE html>' [junit]='<?xml'
	[codequality]='[' [github]='::error title=' [openmetrics]='# TYPE firebreak_' [bmf]='{' [smaller]='[')
for format in "${formats[@]}"; do
	[ "$format" != svg ] || continue
	report "$IN" --format "$format"
	check "$format ends with 0" ends_with 0
	check "$format begins as it should" bash -c "head -n 1 '$WORK/stdout' | grep -qiF -- '${begins[$format]-}'"
	cp "$WORK/stdout" "$WORK/$format"
	report "$IN" -f "$format" -o "$WORK/file"
	check "$format is the same in a file" cmp "$WORK/file" "$WORK/$format"
	report "$IN" --format "$format"
	check "$format is the same twice" cmp "$WORK/stdout" "$WORK/$format"
done
check "json is the report, byte for byte" cmp "$WORK/json" "$IN/report.json"
report "$IN"
check "text is the default" cmp "$WORK/stdout" "$WORK/text"
check "all that are known here are there" is "$(printf '%s\n' "${!begins[@]}" | grep -vxF "$(printf '%s\n' "${formats[@]}")")" ''

# --- several become files of a folder
report "$IN" --format junit,codequality,html,junit -o "$WORK/out"
check "several formats end with 0" ends_with 0
check "and are the files that --help names" is "$(cd "$WORK/out" && echo *)" "codequality.json junit.xml report.html"
check "of the same bytes" cmp "$WORK/out/junit.xml" "$WORK/junit"
report "$IN" --format bmf -o "$WORK/out"
check "a single one goes into a folder that is there" cmp "$WORK/out/bmf.json" "$WORK/bmf"

# --- the page that a check wrote is not replaced by one that has less
mkdir "$WORK/page"
grep -v 'id="again"' "$WORK/html" >"$WORK/page/report.html"
cp "$WORK/page/report.html" "$WORK/whole.html"
report "$IN" --format html -o "$WORK/page"
check "a page that has more is kept" ends_with 2
check "and the message says what to do" says 'page/report.html: .*write to another file or folder'
check "it is what it was" cmp "$WORK/page/report.html" "$WORK/whole.html"
report "$IN" --format html -o "$WORK/out"
check "one that was rendered again may be rendered again" ends_with 0

# --- limits
report "$IN" --format markdown --limit 8192
check "a limit is kept" test "$(wc -c <"$WORK/stdout")" -le 8192
check "a comment is the summary after its marker" cmp <(tail -n +2 "$WORK/comment") "$WORK/markdown"

# --- a comment: what tells it from others, and what it links to
report "$IN" --format comment --id arm64.nightly
check "a comment has the id that it is given" bash -c "head -n 1 '$WORK/stdout' | grep -qxF '<!-- firebreak-comment: arm64.nightly -->'"
for id in 'a -->' '' "$(printf 'a\nb')"; do
	report "$IN" --format comment --id "$id"
	check "'$id' is no id" bash -c "[ $CODE = 2 ] && grep -q -- '--id takes' '$WORK/stderr'"
done
report "$IN" --format comment --artifact https://ci.example/out/
# shellcheck disable=SC2016 # backquotes of Markdown
check "files are linked below a folder" shows '[`report.html`](https://ci.example/out/report.html)'
report "$IN" --format comment --artifact https://ci.example/archive.zip
# shellcheck disable=SC2016 # backquotes of Markdown
check "and an archive is named" shows '`report.html` in [the artifact](https://ci.example/archive.zip)'
review=https://github.com/example/catalog/pull/12
report "$IN" --format comment --review "$review"
check "functions are linked in the review" shows "](https://github.com/example/catalog/"
cp "$WORK/stdout" "$WORK/reviewed"
GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=example/catalog GITHUB_REF=refs/pull/12/merge \
	report "$IN" --format comment
check "the job of a pull request is its review" cmp "$WORK/stdout" "$WORK/reviewed"
GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=other/one GITHUB_REF=refs/pull/1/merge \
	report "$IN" --format comment --review "$review"
check "what is said goes before what the job says" cmp "$WORK/stdout" "$WORK/reviewed"
GITLAB_CI=true CI_MERGE_REQUEST_PROJECT_URL=https://gitlab.example/g/p CI_MERGE_REQUEST_IID=3 report "$IN" --format comment
check "so is that of a merge request" shows "](https://gitlab.example/g/p/-/"
for address in github.com/o/r/pull/1 https://github.com/o/r 'https://github.com/o)/r/pull/1' ''; do
	report "$IN" --format comment --review "$address"
	check "'$address' is no review" bash -c "[ $CODE = 2 ] && grep -q -- '--review takes' '$WORK/stderr'"
done
for address in out/ 'https://x/a b/' file:///tmp/; do
	report "$IN" --format comment --artifact "$address"
	check "'$address' is no place of an artifact" bash -c "[ $CODE = 2 ] && grep -q -- '--artifact takes' '$WORK/stderr'"
done

# --- the picture is the one that the check drew
report "$IN" --format svg
check "without a picture there is none, and the folder is named" bash -c "[ $CODE = 2 ] && grep -q '$IN.*no differential flame graph' '$WORK/stderr'"
jq '.benchmarks[0].artifacts.diff_svg = "a.diff.svg"' "$IN/report.json" >"$WORK/edited" && mv "$WORK/edited" "$IN/report.json"
report "$IN" --format svg
check "a picture that is gone is a storage error that names it" bash -c "[ $CODE = 7 ] && grep -q 'a.diff.svg' '$WORK/stderr'"
echo '<svg/>' >"$IN/a.diff.svg"
report "$IN" --format svg
check "svg is the file of the folder" cmp "$WORK/stdout" "$IN/a.diff.svg"
report "$IN" --format svg --benchmark nobody
check "a benchmark that is not there is refused" ends_with 2
jq '.benchmarks += [.benchmarks[0] | .name = "other"]' "$IN/report.json" >"$WORK/edited" && cp "$WORK/edited" "$IN/report.json"
report "$IN" --format svg
check "of two pictures one must be chosen" bash -c "[ $CODE = 2 ] && grep -q -- --benchmark '$WORK/stderr'"
report "$IN" --format svg -b other
check "and can be" ends_with 0
echo secret >"$WORK/secret"
for name in ../secret "$WORK/secret" .hidden ''; do
	jq --arg name "$name" '.benchmarks |= [.[0] | .artifacts.diff_svg = $name]' "$WORK/edited" >"$IN/report.json"
	report "$IN" --format svg
	check "a report cannot make it read '${name#"$WORK"}'" bash -c "[ $CODE = 7 ] && ! grep -q secret '$WORK/stdout'"
done

# --- what to open, and how wide the terminal is
report "$IN"
check "no page is named where there is none" fails shows 'report.html'
: >"$IN/report.html"
report "$IN"
check "the page is named where it is" shows "open in a browser: $IN/report.html"
COLUMNS=140 LANG=de_DE.UTF-8 report "$IN"
check "a wide terminal with UTF-8 shows bars" shows '●'
COLUMNS=140 LANG=C report "$IN"
check "one without UTF-8 does not" fails shows '●'
COLUMNS=140 LC_ALL=C LANG=de_DE.UTF-8 report "$IN"
check "LC_ALL goes before LANG" fails shows '●'
COLUMNS=80 LANG=de_DE.UTF-8 report "$IN"
check "nor does a narrow one" fails shows '●'
LANG=de_DE.UTF-8 report "$IN"
check "nor what is no terminal" fails shows '●'

# --- refused
report "$IN" --format junit,html
check "several formats need a folder" bash -c "[ $CODE = 2 ] && grep -q -- '-o' '$WORK/stderr'"
report "$IN" --format htm
check "an unknown format ends with 2" ends_with 2
check "and those there are are named" says "$(printf '%s, ' "${formats[@]}" | sed 's/, $//')"
for limit in 0 8191 many -1 comment; do
	report "$IN" --format markdown --limit="$limit"
	check "a limit of $limit is refused" ends_with 2
done
report "$WORK/nowhere"
check "a folder without a report ends with 7" ends_with 7
report "$IN" --format junit -o "$WORK/no/such/folder/x"
check "a file that cannot be written ends with 7" ends_with 7
report "$IN" "$IN"
check "a second folder is refused" ends_with 2
finish
