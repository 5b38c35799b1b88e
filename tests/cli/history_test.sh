#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# History, change points and drift from the command line, over commits whose instructions are counted: exact, so that
# every change has a known size.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
for tool in valgrind cc python3 xmllint; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache LC_ALL=C.UTF-8
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done

firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 15 "$WORK/stdout"; return 1; }; }
says() { grep -Ei -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
fails_to() { ! "$@"; }
has() { grep -qE -- "$2" "$1" || { echo "$1 has no: $2"; return 1; }; }
python() { python3 -c "import json, csv, sys; d = json.load(open('$1')); $2"; }

# --- a repository: the first argument is what hash() does, the second what other() does, the third a subject
git init -q -b main "$WORK/repo" && cd "$WORK/repo" || exit 1
commit() {
	cat >bench.c <<-C
		static __attribute__((noinline)) unsigned hash(unsigned x) { for (int i = 0; i < $1; i++) x = x * 31 + i; return x; }
		static __attribute__((noinline)) unsigned other(unsigned x) { for (int i = 0; i < $2; i++) x = x * 33 + i; return x; }
		int main(void) { unsigned x = 1; for (int i = 0; i < 100; i++) x = other(hash(x)); return x == 7; }
	C
	git add . && git commit -q --allow-empty -m "$3"
}
cat >firebreak.yml <<'Y'
version: 1
build: {command: "cc -O1 -g -o bench bench.c"}
benchmarks:
  - {name: count, command: [./bench], engines: [callgrind], gate: {instructions: {margin: 3%}}}
Y
firebreak history
check "a repository without commits has no history: usage" ends_with 2
commit 1000 1000 one
firebreak history
check "without baselines the history ends with 6" ends_with 6
check "and names the remedy" says 'firebreak run'
git tag v1.0
commit 1000 1000 '=two <b>&"'
commit 1200 1000 'hash does more'
commit 1200 1000 'not measured'
commit 1200 1200 'other does more'
commit 1200 1200 last
for back in 5 4 3 1 0; do "$FIREBREAK" run -q "HEAD~$back" >/dev/null 2>"$WORK/stderr" || { cat "$WORK/stderr"; exit 1; }; done

# --- what another tool measured, without a repository
mkdir "$WORK/elsewhere" && cd "$WORK/elsewhere" || exit 1
{
	echo 'commit,benchmark,value,unit'
	for i in $(seq 40); do echo "c$i,parse,$(((i <= 20 ? 1000 : 1100) + i * 7 % 5)),ns"; done
} >series.csv
firebreak history --series series.csv
check "a series of another tool needs no repository" ends_with 0
check "it is the one that docs/HISTORY.md shows" diff "$WORK/stdout" \
	<(sed -n '/^firebreak history --series series.csv$/,/^```$/p' "$SOURCE_DIR/docs/HISTORY.md" | sed '1d;$d')
check "and has its changes" prints '^  \+10\.0 % +worse +c21'
for format in json svg html; do
	firebreak history --series series.csv --format $format
	check "as $format, too" ends_with 0
done
firebreak history --series series.csv --format csv -o again.csv
firebreak history --series again.csv
check "and what it writes as CSV can be read again" prints '^  \+10\.0 % +worse +c21'
firebreak history --series series.csv sort
check "a benchmark that is not in it ends with 6" ends_with 6
check "and those that are in it are named" says 'no benchmark "sort" is in series.csv; there is: parse'
echo 'a,b' >series.csv
firebreak history --series series.csv
check "a file that is none ends with 2" ends_with 2
check "and its line is named" says '^firebreak: series.csv:1: no column "commit"'
firebreak history --series series.csv --functions 2
check "it has no functions" says 'functions is about stored baselines'
cd "$WORK/repo" || exit 1

# --- text
firebreak history
check "\`history\` ends with 0" ends_with 0
check "names benchmark, metric, engine and the commits" prints '^count: instructions \(callgrind\), 5 commits$'
check "draws a line" prints '^  ▁▁▅██  1,[0-9,]+ instructions → '
check "finds the commit that changed it" prints "\+[0-9.]+ % +worse +$(git rev-parse --short=7 HEAD~3) .* hash does more$"
check "says which commits it cannot tell apart" prints 'other does more \(or the commit before it, not measured\)'
check "and nothing else" is "$(grep -c worse "$WORK/stdout")" 2
check "and no better ones" is "$(grep -c better "$WORK/stdout")" 0
LC_ALL=C firebreak history
check "ASCII where the terminal has no blocks" fails_to grep -P '[^\x00-\x7f]' "$WORK/stdout"
firebreak history count --function hash
check "of a function, its own cost" prints '^count: hash, self instructions'
check "changes by points of the whole" prints '\+[0-9.]+ pp +worse .* hash does more'
check "and not where another function changed" is "$(grep -c worse "$WORK/stdout")" 1
firebreak history --functions 1
check "the function that changed most comes first" prints '^count: (hash|other), self'
firebreak history -n 2
check "only the newest commits, if asked for" prints ', 2 commits$'
firebreak history --revision HEAD~3
check "from another commit backwards" prints ', 3 commits$'

# --- other formats
firebreak history --json
cp "$WORK/stdout" "$WORK/h.json"
check "JSON has every metric" python "$WORK/h.json" 'assert len({h["metric"] for h in d["histories"]}) >= 3'
check "points have values, exact" python "$WORK/h.json" \
	'h = [h for h in d["histories"] if h["metric"] == "instructions"][0]; p = h["points"]; assert p[0]["median"] == p[1]["median"] and isinstance(p[0]["median"], int) and p[3]["unmeasured"] == 1'
check "changes say the size and the candidates" python "$WORK/h.json" \
	'h = [h for h in d["histories"] if h["metric"] == "instructions"][0]; a, b = h["changes"]; assert a["point"] == 2 and b["point"] == 3 and b["candidates"] == 2 and abs(a["change_pct"] / 100 - (a["after"] / a["before"] - 1)) < 1e-9'
check "it keeps to docs/schema/history-1.json" keeps_to_schema history "$WORK/h.json"
firebreak history --json
check "the same bytes again" cmp "$WORK/stdout" "$WORK/h.json"
firebreak history --format csv -o "$WORK/h.csv"
check "CSV has a line for each point, and formulas are text" python3 -c "
import csv
rows = list(csv.DictReader(open('$WORK/h.csv')))
mine = [r for r in rows if r['metric'] == 'instructions']
assert len(mine) == 5 and mine[1]['subject'] == '\'=two <b>&\"', mine[1]
assert float(mine[2]['change_ratio']) > 1.05 and mine[1]['change_ratio'] == '', mine[2]"
firebreak history --format svg --functions 2 -o "$WORK/h.svg"
check "SVG is one document" xmllint --noout "$WORK/h.svg"
check "with three plots" is "$(grep -c 'role="img"' "$WORK/h.svg")" 3
firebreak history --format html -o "$WORK/h.html"
check "HTML is a page that loads nothing" has "$WORK/h.html" "default-src 'none'"
check "foreign text is escaped" has "$WORK/h.html" 'two &lt;b&gt;'
firebreak history --format pdf
check "an unknown format is a usage error" ends_with 2
firebreak history nothing-like-it
check "a benchmark that nobody stored ends with 6" ends_with 6
check "and those that are stored are named" says '^firebreak: no benchmark "nothing-like-it" is stored; there is: count$'
firebreak history count --metric nothing-like-it
check "a metric that nobody stored is another matter" says 'has what is asked for of count$'

# --- in a check
firebreak check --base HEAD~1 --head HEAD --quiet --out "$WORK/out"
check "a check of the same program passes" ends_with 0
check "its report has the history" python "$WORK/out/report.json" \
	'h = d["benchmarks"][0]["history"]; assert len(h) == 1 and len(h[0]["points"]) == 5 and len(h[0]["changes"]) == 2'
check "and the page a plot of it" has "$WORK/out/report.html" 'class="rounds history"'
check "drift since the last release is a finding" python "$WORK/out/report.json" \
	'f = [f for f in d["findings"] if f["code"] == "drift"]; assert len(f) == 1 and "since v1.0" in f[0]["text"] and "adds nothing" in f[0]["text"], d["findings"]'
commit 1200 1230 'a little more'
firebreak check --base HEAD~1 --head HEAD --quiet --out "$WORK/out"
check "that does not change the verdict" ends_with 0
printf 'baselines: {anchor: 6, drift_margin: 4%%, gate_drift: true}\n' >>firebreak.yml
commit 1200 1230 'drift gates'
commit 1200 1230 'innocent'
firebreak check --base HEAD~1 --head HEAD --quiet --out "$WORK/out"
check "a change that adds nothing to the drift passes, where drift gates" ends_with 0
commit 1200 1260 'a little more again'
firebreak check --base HEAD~1 --head HEAD --quiet --out "$WORK/out"
check "one that adds to it is a regression" ends_with 1
check "for that reason" python "$WORK/out/report.json" \
	'assert [r["code"] for r in d["reasons"]] == ["drift"] and "6 commits before base" in d["reasons"][0]["text"], d["reasons"]'
sed -i 's/gate_drift: true/gate_drift: false/' firebreak.yml && commit 1200 1260 'drift gates no more'
firebreak check --base HEAD~1 --head HEAD --quiet --out "$WORK/out"
check "taking the gate away is a weaker policy" ends_with 9

# --- an anchor from before firebreak.yml
git branch old && git checkout -q old && cp firebreak.yml "$WORK/today.yml"
git rm -q firebreak.yml && git commit -q -m 'no firebreak.yml' && BARE=$(git rev-parse --short=12 HEAD)
sed 's/anchor: 6/anchor: old~1/; s/gate_drift: true/gate_drift: false/' "$WORK/today.yml" >firebreak.yml && git add . && git commit -q -m 'firebreak.yml again'
firebreak check --base HEAD --head HEAD --quiet --out "$WORK/out"
check "how to count an anchor without firebreak.yml is said" python "$WORK/out/report.json" \
	"f = [f['text'] for f in d['findings'] if f['code'] == 'anchor_not_stored']; assert len(f) == 1 and 'firebreak run --config firebreak.yml $BARE' in f[0], d['findings']"
firebreak run "$BARE"
check "without the option \`run\` is refused" ends_with 2
check "and names it, since it has no --head" says "$BARE has no firebreak.yml; give the file .* --config firebreak.yml"
git checkout -q main

# --- a clone without the beginning
git clone -q --depth=3 "file://$PWD" "$WORK/shallow"
(cd "$WORK/shallow" && "$FIREBREAK" baseline fetch origin "$(git rev-parse HEAD~1)") >/dev/null 2>&1
cd "$WORK/shallow" && firebreak history && cd "$WORK/repo" || exit 1
check "the history of a shallow clone is shown" ends_with 0
check "with a word about what it cannot know" says 'clone is shallow, so all that it knows is 1 commit with baselines'
cd "$WORK/shallow" && firebreak history -n 1 && cd "$WORK/repo" || exit 1
check "which is not said where nothing is missing" fails_to says 'shallow'

# --- damage
ref=$(git for-each-ref --format='%(refname)' refs/firebreak | grep "$(git rev-parse v1.0)")
object=.git/objects/$(git rev-parse "$ref^{tree}" | sed 's|^..|&/|')
chmod u+w "$object" && printf x | dd of="$object" bs=1 seek=4 conv=notrunc 2>/dev/null
firebreak history
check "a damaged baseline is left out" ends_with 0
check "and named" says 'left out'
finish
