#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Baselines from the command line: measured in one clone, taken to another one, and what happens to damaged ones.
# shellcheck disable=SC2016 # sed has its own dollar
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

[ -x "$FIREBREAK" ] || { echo "no program at $FIREBREAK"; exit 1; }
reason=$(perf_events_open 2>&1) || skip_all "$reason"
export GIT_CONFIG_GLOBAL=/dev/null XDG_CACHE_HOME=$WORK/cache
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=dev GIT_${name}_EMAIL=dev@example.org; done

firebreak() {
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
prints() { grep -E -- "$1" "$WORK/stdout" || { echo "does not print: $1"; tail -n 15 "$WORK/stdout"; return 1; }; }
says() { grep -Ei -- "$1" "$WORK/stderr" || { echo "does not say: $1"; tail -n 15 "$WORK/stderr"; return 1; }; }
fails() { ! "$@"; }

# --- a repository with a benchmark of some milliseconds, and two clones
git init -q -b main "$WORK/origin" && cd "$WORK/origin" || exit 1
cat >firebreak.yml <<'Y'
version: 1
benchmarks:
  - name: count
    command: [sh, -c, 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done']
  - name: other
    command: [sh, -c, 'i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done']
Y
git add . && git commit -q -m one && git commit -q --allow-empty -m two
SHA=$(git rev-parse HEAD)
git clone -q . "$WORK/a" && git clone -q . "$WORK/b" || exit 1

# --- measured in one clone
cd "$WORK/a" || exit 1
firebreak baseline list
check "nothing is stored at first, which is no error" ends_with 0
check "and nothing is printed" is "$(cat "$WORK/stdout")" ''
check "but said" is "$(cat "$WORK/stderr")" 'firebreak: no baselines are stored here'
firebreak baseline list --json
check "except to programs, which get an empty list" json "$WORK/stdout" '. == []'
firebreak baseline verify
check "an empty store is sound" ends_with 0
firebreak run --rounds 3 --quiet
check "\`run\` measures a commit" ends_with 0
check "and prints its metrics" prints "count +${SHA:0:12} +task-clock +[0-9.]+ [^ ]*s \(median of 3 runs\)"
check "and says nothing with --quiet" is "$(cat "$WORK/stderr")" ''
firebreak run --rounds 3 --quiet --json
check "\`run --json\` ends with 0" ends_with 0
check "and keeps to its schema" keeps_to_schema measurements "$WORK/stdout"
check "with every run of every benchmark" json "$WORK/stdout" '[.measurements[] | [.benchmark, .runs, (.metrics[] | select(.name == "task-clock") | .values | length)]] == [["count", 3, 3], ["other", 3, 3]]'
check "and the commit" json "$WORK/stdout" ".sha == \"$SHA\" and .exit_code == 0"
firebreak baseline list
check "\`list\` has one line per benchmark" is "$(grep -c '^[0-9a-f]' "$WORK/stdout")" 2
check "with commit, fingerprint, name, engine and runs" prints "^$SHA  [0-9a-f]{16}  count +perf +3 runs"
cp "$WORK/stdout" "$WORK/list-a"
firebreak baseline list --json
check "JSON keeps to its schema" keeps_to_schema baselines "$WORK/stdout"
firebreak baseline show HEAD
check "\`show\` ends with 0" ends_with 0
check "and tells runs" prints '^count at .*: 3 runs'
check "and metrics with a unit that can be read" prints '^  task-clock +[0-9.]+ [^ ]*s +[0-9.]+ [^ ]*s +[0-9.]+ [^ ]*s  perf$'
check "and how many stacks there are" prints '^  profile of [a-z-]+(:u)?: [0-9,]+ stacks?$'
check "and environment" prints 'cpu_model '
check "what is not known of it is no empty line" fails prints '^ +[a-z_]+ *$'
firebreak baseline show HEAD --json
check "its JSON keeps to the schema of measurements" keeps_to_schema measurements "$WORK/stdout"
check "with what is stored: fingerprint, values and environment" json "$WORK/stdout" '.measurements | length == 2 and all(.fingerprint != null and .runs == 3 and (.environment | any(.name == "cpu_model"))) and (.[0].metrics | any(.name == "task-clock" and .median > 0))'
firebreak baseline show HEAD~1
check "a commit without baseline ends with 6" ends_with 6
check "and the remedy is named" says 'firebreak run'
firebreak baseline show no-such-revision
check "an unknown revision ends with 2" ends_with 2
firebreak baseline verify
check "what was stored is sound" ends_with 0
firebreak baseline verify --json
check "which JSON says, too" json "$WORK/stdout" '.sound == true and .findings == []'
check "by its schema" keeps_to_schema verify "$WORK/stdout"

# --- taken to another one
firebreak baseline export HEAD "$WORK/export.json"
check "\`export\` ends with 0" ends_with 0
firebreak baseline export HEAD~1 "$WORK/nothing.json"
check "nothing to export ends with 6" ends_with 6
check "and writes no file" fails test -e "$WORK/nothing.json"
firebreak baseline export HEAD "$WORK/no-such-folder/export.json"
check "an export that cannot be written ends with 7" ends_with 7
cd "$WORK/b" || exit 1
firebreak baseline show HEAD
check "the other clone has nothing" ends_with 6
firebreak baseline import "$WORK/export.json"
check "\`import\` ends with 0" ends_with 0
check "and prints the commit" is "$(cat "$WORK/stdout")" "$SHA"
firebreak baseline list
check "both clones have the same then" cmp "$WORK/stdout" "$WORK/list-a"
firebreak baseline verify
check "what was imported is sound" ends_with 0
firebreak baseline export HEAD "$WORK/again.json"
check "and exported again is the same, byte for byte" cmp "$WORK/export.json" "$WORK/again.json"
firebreak baseline import "$WORK/export.json"
check "importing twice is no error" ends_with 0
firebreak baseline list
check "and changes nothing" cmp "$WORK/stdout" "$WORK/list-a"

# --- files that are no exports
git clone -q "$WORK/origin" "$WORK/c" && cd "$WORK/c" || exit 1
firebreak baseline import "$WORK/no-such-file.json"
check "a file that is not there ends with 7" ends_with 7
check "and is named" says no-such-file.json
head -c 5000 "$WORK/export.json" >"$WORK/cut.json"
sed 's/"benchmark/"Benchmark/' "$WORK/export.json" >"$WORK/changed.json"
sed 's/\\"work\\": 1.0/\\"work\\": 2.0/' "$WORK/export.json" >"$WORK/forged.json"
echo '{"schema": "firebreak-export/999"}' >"$WORK/future.json"
: >"$WORK/empty.json"
for name in cut changed forged future empty; do
	check "the $name file differs" fails cmp -s "$WORK/export.json" "$WORK/$name.json"
	firebreak baseline import "$WORK/$name.json"
	check "a file that is $name ends with 6" ends_with 6
	check "and is named" says "$name\\.json"
done
firebreak baseline list
check "none of them left anything" is "$(cat "$WORK/stdout")" ''

# --- damage in the store
REF=refs/firebreak/$SHA
stored() { git ls-tree -r --name-only "$REF" | grep "/count/$1\$"; } # stored NAME: its path
# replace NAME SED-EXPRESSION: changes a stored text and everything that names it, as only malice or a bug does.
replace() {
	local path blob tree
	path=$(stored "$1")
	blob=$(git cat-file blob "$REF:$path" | sed "$2" | git hash-object -w --stdin)
	[ "$blob" != "$(git rev-parse "$REF:$path")" ] || { echo "nothing was replaced in $path"; return 1; }
	export GIT_INDEX_FILE=$WORK/index
	git read-tree "$REF" && git update-index --cacheinfo "100644,$blob,$path" && tree=$(git write-tree)
	unset GIT_INDEX_FILE
	git update-ref "$REF" "$(git commit-tree -m "firebreak baseline of $SHA" "$tree")"
}
drop_object() { # drop_object NAME: as a disk or an interrupted copy does
	local id
	id=$(git rev-parse "$REF:$(stored "$1")")
	rm -f ".git/objects/${id:0:2}/${id:2}"
	fails git cat-file -e "$id"
}
drop_entry() {
	export GIT_INDEX_FILE=$WORK/index
	git read-tree "$REF" && git rm -q --cached "$(stored "$1")"
	local tree
	tree=$(git write-tree)
	unset GIT_INDEX_FILE
	git update-ref "$REF" "$(git commit-tree -m "firebreak baseline of $SHA" "$tree")"
}
# is_damaged WHAT: no command takes it for a baseline, and none stops at it.
is_damaged() {
	firebreak baseline verify
	check "$1: verify ends with 6" ends_with 6
	check "$1: verify names the commit" prints "${SHA:0:12}"
	firebreak baseline verify --json
	check "$1: verify --json ends with 6" ends_with 6
	check "$1: and has the damage as a finding" json "$WORK/stdout" '.sound == false and (.findings | any(.severity == "error"))'
	firebreak baseline show HEAD
	check "$1: show ends with 6" ends_with 6
	firebreak baseline export HEAD "$WORK/damaged.json"
	check "$1: export ends with 6" ends_with 6
	check "$1: export writes no file" fails test -e "$WORK/damaged.json"
	firebreak baseline list
	check "$1: list ends with 0" ends_with 0
	check "$1: list still has the other benchmark" prints "^$SHA .*  other .* 3 runs"
}
fresh() { # fresh DIR: a clone with the baselines, and into it
	git clone -q "$WORK/origin" "$WORK/$1" && cd "$WORK/$1" && "$FIREBREAK" baseline import "$WORK/export.json" >/dev/null || exit 1
}
fresh forged
check "units of work are forged" replace manifest.json 's/"work": 1.0/"work": 2.0/'
is_damaged "a forged manifest"
check "list, which reads manifests only, says what is damaged" prints "^$SHA .*  damaged: the content"
fresh cut
check "stacks are cut" replace stacks '$d'
is_damaged "cut stacks"
fresh lost
check "an object is lost" drop_object stacks
is_damaged "a lost object"
"$FIREBREAK" baseline verify --set-aside >/dev/null
check "the manifest is kept although the stacks are lost" grep -q '"benchmark": "count"' ".git/firebreak/damaged/$SHA-1/1.manifest.json"
check "and no stacks" fails test -e ".git/firebreak/damaged/$SHA-1/1.stacks"
fresh dropped
check "an entry is dropped" drop_entry stacks
is_damaged "dropped stacks"

# --- damage is set aside: the commit can be stored again, and what was there is kept
aside() { echo .git/firebreak/damaged/"$SHA"-"${1:-1}"; }
# sets_aside WHAT: after that all is sound, and an import brings back what was damaged
sets_aside() {
	firebreak baseline verify --set-aside
	check "$1: --set-aside ends with 0" ends_with 0
	check "$1: and says where to" prints "firebreak/damaged/$SHA-1"
	check "$1: where it says why" grep -q . "$(aside)/why"
	check "$1: and what the ref was" grep -q . "$(aside)/ref"
	firebreak baseline verify
	check "$1: the rest is sound" ends_with 0
	firebreak baseline import "$WORK/export.json"
	check "$1: the same is stored again" ends_with 0
	firebreak baseline verify
	check "$1: and sound" ends_with 0
	check "$1: git finds nothing either" git fsck --strict --no-dangling
}
garble() { # garble REVISION: changes the middle of the file of a git object
	local id file
	id=$(git rev-parse "$1") && file=.git/objects/${id:0:2}/${id:2} && chmod u+w "$file" || return 1
	python3 - "$file" <<'P'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 2] ^= 0xff
open(sys.argv[1], "wb").write(data)
P
}
cd "$WORK/cut" || exit 1
sets_aside "cut stacks"
check "the cut stacks are kept" test -s "$(aside)/1.stacks"
firebreak baseline verify --set-aside
check "where nothing is damaged nothing is set aside" fails test -e "$(aside 2)"
fresh garbled
BLOB=$(git rev-parse "$REF:$(stored manifest.json)")
check "a manifest is garbled" garble "$BLOB"
is_damaged "a garbled object"
sets_aside "a garbled object"
check "the garbled object is kept" test -s "$(aside)/$BLOB"
fresh rootless
check "the folder of the ref is garbled" garble "$REF^{tree}"
firebreak baseline verify
check "a garbled folder: verify ends with 6" ends_with 6
sets_aside "a garbled folder"
fresh refless
echo garbage >".git/$REF"
firebreak baseline verify
check "a garbled ref is no baseline that is not there" ends_with 6
firebreak baseline list
check "list has it" prints "^$SHA .*damaged: "
sets_aside "a garbled ref"

# --- a measured commit is measured again where its baseline is damaged
cd "$WORK/forged" || exit 1
firebreak run --rounds 3
check "\`run\` replaces a damaged baseline" ends_with 0
check "and says where the damaged one is" grep -q "kept in .*firebreak/damaged/$SHA-1" "$WORK/stdout" "$WORK/stderr"
check "where its manifest is" grep -q '"work": 2.0' "$(aside)/1.manifest.json"
check "and why" grep -q damaged "$(aside)/why"
firebreak baseline verify
check "which is sound then" ends_with 0
fresh forged-again
check "units of work are forged again" replace manifest.json 's/"work": 1.0/"work": 2.0/'
firebreak baseline import "$WORK/export.json"
check "\`import\` replaces a damaged baseline" ends_with 0
check "and says where the damaged one is" says "kept in .*firebreak/damaged/$SHA-1"
check "where its stacks are" test -s "$(aside)/1.stacks"
firebreak baseline import "$WORK/export.json"
check "a sound one is replaced without a copy" fails test -e "$(aside 2)"

# --- A/A campaigns lie beside the baselines
cd "$WORK/a" || exit 1
firebreak baseline list
BEFORE=$(wc -l <"$WORK/stdout")
firebreak check --calibrate --base HEAD --rounds 3 --benchmark count --out "$WORK/out" --quiet
check "\`check --calibrate\` ends with 0" ends_with 0
firebreak baseline list
check "\`list\` has a line more" is "$(wc -l <"$WORK/stdout")" "$((BEFORE + 1))"
check "which counts the campaigns" prints "^$SHA  [0-9a-f]{16}  count +1 A/A campaign$"
firebreak baseline show HEAD
check "\`show\` names them" prints "^count at $SHA: 1 A/A campaign on machines of kind [0-9a-f]{16}$"
check "beside the baselines" prints '^count at .*: 3 runs'
firebreak baseline verify
check "all of it is sound" ends_with 0
check "the repository is sound" git fsck --strict --no-dangling
check "the working tree is untouched" is "$(git status --porcelain --ignored)" ''
check "no lock is left" is "$(find .git "$WORK/cache" -name '*.lock')" ''
finish
