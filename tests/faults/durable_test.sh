#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All that is acknowledged is on the disk, whoever wrote its objects: seen in the system calls of an import that finds all of
# them there. FIREBREAK names the program under test, SOURCE_DIR the source tree.
# shellcheck source=tests/checks.sh
. "${SOURCE_DIR:?}/tests/checks.sh"
# shellcheck source=tests/faults/faults.bash
. "$SOURCE_DIR/tests/faults/faults.bash" || exit 1
need_strace
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
for name in AUTHOR COMMITTER; do export GIT_${name}_NAME=t GIT_${name}_EMAIL=t@t; done

git init -q -b main "$WORK/repo" && cd "$WORK/repo" && git commit -q --allow-empty -m one || exit 1
SHA=$(git rev-parse HEAD) REF=refs/firebreak/$(git rev-parse HEAD)
FAULTS_DIR=$WORK PYTHONDONTWRITEBYTECODE=1 python3 - "$SHA" <<'P' || exit 1
import os, sys
sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests/faults"))
import faultlib
faultlib.write_gitconfig()
faultlib.make_export(os.getcwd(), sys.argv[1], "one", os.path.join(faultlib.FAULTS_DIR, "one.json"))
P
# importing: stores the baseline; what was synced before the ref had its value is in $WORK/before, all of it in $WORK/synced
importing() {
	strace -qq -y -o "$WORK/trace" -e trace=fsync,rename "$FIREBREAK" baseline import "$WORK/one.json" >/dev/null || return 1
	sed -n "/^rename(.*$SHA/q;s/^fsync([0-9]*<.*\/\.git\/\(.*\)>).*= 0\$/\1/p" "$WORK/trace" | sort -u >"$WORK/before"
	sed -n 's/^fsync([0-9]*<.*\/\.git\/\(.*\)>).*= 0$/\1/p' "$WORK/trace" | sort -u >"$WORK/synced"
}
objects() { git rev-list --objects "$REF" | cut -c 1-40; }
# all_in LIST: whether each line of the input is in it
all_in() { sort -u | comm -23 - "$1" >"$WORK/missing" && ! grep . "$WORK/missing"; }
files() { objects | sed 's/^../objects\/&\//'; }

importing
check "a baseline is stored" git rev-parse -q --verify "$REF"
git update-ref -d "$REF"
importing
check "stored again, its objects are synced before the ref is" all_in "$WORK/before" < <(files)
check "and the folders they are in" all_in "$WORK/before" < <(files | xargs dirname; echo objects)
check "and the ref, its folder and those above" all_in "$WORK/synced" < <(printf '%s\n' "$REF" refs/firebreak refs)
importing
check "what is there already is synced before it is acknowledged" all_in "$WORK/synced" < <(files; echo "$REF")
git repack -qad && git pack-refs --all
importing
check "what is packed, too" all_in "$WORK/synced" < <(cd .git && ls objects/pack/*.pack objects/pack/*.idx; echo packed-refs)
finish
