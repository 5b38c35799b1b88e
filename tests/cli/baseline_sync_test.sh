#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Baselines of several clones come together in a remote: fetch, push and prune with git as its users have it.
# FIREBREAK names the program under test.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

export GIT_CONFIG_GLOBAL=$WORK/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name t && git config --global user.email t@t && git config --global init.defaultBranch main
git config --global protocol.file.allow always

CODE=0
firebreak() { # firebreak ARGUMENT...: exit code in $CODE, output in $WORK/stdout and $WORK/stderr
	"$FIREBREAK" "$@" >"$WORK/stdout" 2>"$WORK/stderr"
	CODE=$?
}
ends_with() { [ "$CODE" = "$1" ] || { echo "exit code $CODE, wanted $1"; cat "$WORK/stdout" "$WORK/stderr"; return 1; }; }
prints() { grep -qE "$1" "$WORK/stdout" || { cat "$WORK/stdout"; return 1; }; }
says() { grep -qE "$1" "$WORK/stderr" || { cat "$WORK/stderr"; return 1; }; }
fails() { ! "$@"; }
tip() { git rev-parse -q --verify "${2:-refs/firebreak}/$1"; }            # tip SHA [PREFIX]
remote_tip() { git -C "$WORK/remote.git" rev-parse -q --verify "refs/firebreak/$1"; }
names() { "$FIREBREAK" baseline list --json | jq -r '.[].benchmark' | sort | tr '\n' ' '; }
# clone DIR [OPTION...]: a clone of the remote, and into it
clone() {
	local dir=$1
	shift
	git clone -q "$@" "file://$WORK/remote.git" "$WORK/$dir" && cd "$WORK/$dir" || exit 1
}

# --- a repository with three commits, a bare remote, and two files of baselines of different benchmarks
git init -q "$WORK/origin" && cd "$WORK/origin" || exit 1
for name in one two; do
	cat >firebreak.yml <<Y
version: 1
benchmarks:
  - name: $name
    command: [sh, -c, 'i=0; while [ \$i -lt 3000 ]; do i=\$((i + 1)); done']
Y
	git add . && git commit -q -m $name && "$FIREBREAK" run --rounds 2 --quiet >/dev/null || exit 1
	"$FIREBREAK" baseline export HEAD -o "$WORK/$name.json" && git update-ref -d "refs/firebreak/$(git rev-parse HEAD)"
done
"$FIREBREAK" run --rounds 3 --quiet >/dev/null && "$FIREBREAK" baseline export HEAD -o "$WORK/two-more.json"
git update-ref -d "refs/firebreak/$(git rev-parse HEAD)"
for i in $(seq 1 8); do git commit -q --allow-empty -m "commit $i"; done
SHA=$(git rev-parse HEAD)
OLD=$(git rev-parse HEAD~1)
git clone -q --bare . "$WORK/remote.git" && git -C "$WORK/remote.git" config uploadpack.allowFilter true

# --- usage
clone a
firebreak baseline push nowhere
check "a remote that is not configured ends with 2" ends_with 2
check "and is named" says "no remote 'nowhere'"
firebreak baseline push --upload-pack=evil
check "an option is not taken for a remote" ends_with 2
firebreak baseline fetch no-such-revision
check "what is neither remote nor commit ends with 2" ends_with 2
check "and is named so" says "'no-such-revision' is not a remote"
firebreak baseline list --keep 3
check "an option of another action ends with 2" ends_with 2
firebreak baseline push
check "nothing to push is no error" ends_with 0
firebreak baseline fetch
check "nothing to fetch is no error" ends_with 0
check "and said" prints '^commits: none$'
firebreak baseline fetch origin "$SHA"
check "a commit without baselines there is no error" ends_with 0
check "and said" prints '1 without baselines there'

# --- there and back
"$FIREBREAK" baseline import "$WORK/one.json" --commit "$SHA" >/dev/null
printf '#!/bin/sh\ntouch "%s/hook-ran"\n' "$WORK" >.git/hooks/pre-push && chmod +x .git/hooks/pre-push
cp .git/hooks/pre-push .git/hooks/reference-transaction
firebreak baseline push
check "push ends with 0" ends_with 0
check "and counts commits" prints '^commits: 1 sent$'
check "the remote has the same object" is "$(remote_tip "$SHA")" "$(tip "$SHA")"
check "no hook ran" fails test -e "$WORK/hook-ran"
check "the remote is sound" git -C "$WORK/remote.git" fsck --strict
firebreak baseline push origin --json
check "JSON keeps to its schema" keeps_to_schema sync "$WORK/stdout"
check "pushing again changes nothing" json "$WORK/stdout" '.same == 1 and .sent == 0 and .findings == []'
clone b
firebreak baseline fetch
check "fetch ends with 0" ends_with 0
check "and counts commits" prints '^commits: 1 received$'
check "the clone has the same object" is "$(tip "$SHA")" "$(remote_tip "$SHA")"
firebreak baseline show "$SHA"
check "which can be read" ends_with 0
check "nothing is left below refs/firebreak-incoming" is "$(git for-each-ref refs/firebreak-incoming)" ''
check "branches, tags and FETCH_HEAD are untouched" fails test -e .git/FETCH_HEAD
firebreak baseline fetch origin HEAD "$OLD" --json
check "commits can be named" json "$WORK/stdout" '.same == 1 and .missing == 1'
firebreak baseline list
check "list has a header" prints '^COMMIT +FINGERPRINT +BENCHMARK'

# --- two clones with something of one commit each
"$FIREBREAK" baseline import "$WORK/two.json" --commit "$SHA" >/dev/null
check "one clone has two benchmarks" is "$(names)" 'one two '
firebreak baseline push
check "it pushes both" ends_with 0
clone c
"$FIREBREAK" baseline import "$WORK/two-more.json" --commit "$SHA" >/dev/null
firebreak baseline push
check "a clone that has another one of the same place pushes" ends_with 0
check "and takes what it lacked" prints '1 received, 1 sent'
check "it has both then" is "$(names)" 'one two '
check "the remote has the same" is "$(remote_tip "$SHA")" "$(tip "$SHA")"
check "of two of one place the one with more runs stays" json <("$FIREBREAK" baseline list --json) \
	'map(select(.benchmark == "two").runs) == [3]'
cd "$WORK/b" && firebreak baseline push
check "the other clone takes it over" prints '^commits: 1 received$'
check "so all have the same" is "$(tip "$SHA")" "$(remote_tip "$SHA")"

# --- clones that have less
clone shallow --depth 1
firebreak baseline fetch origin "$SHA"
check "a shallow clone fetches the baselines of one commit" is "$(tip "$SHA")" "$(remote_tip "$SHA")"
check "and no history" is "$(git rev-list --count HEAD)" 1
firebreak baseline show "$SHA"
check "which can be read" ends_with 0
"$FIREBREAK" baseline import "$WORK/one.json" --commit HEAD >/dev/null
firebreak baseline push
check "a shallow clone pushes" ends_with 0
clone partial --filter=blob:none
firebreak baseline fetch
firebreak baseline show "$SHA"
check "a partial clone gets whole baselines" ends_with 0
check "and stays partial" is "$(git config remote.origin.partialclonefilter)" blob:none
git worktree add -q "$WORK/tree" HEAD && cd "$WORK/tree" && git update-ref -d "refs/firebreak/$SHA"
firebreak baseline fetch origin HEAD
check "so does a linked working tree" is "$(tip "$SHA")" "$(remote_tip "$SHA")"
cd "$WORK/partial" && "$FIREBREAK" baseline import "$WORK/one.json" --commit "$OLD" >/dev/null
firebreak baseline push
check "a partial clone pushes" is "$(remote_tip "$OLD")" "$(tip "$OLD")"

# --- a remote that refuses
git clone -q --bare "$WORK/remote.git" "$WORK/refusing.git"
git -C "$WORK/refusing.git" for-each-ref --format='delete %(refname)' refs/firebreak | git -C "$WORK/refusing.git" update-ref --stdin
printf '#!/bin/sh\necho "this is a mirror" >&2\nexit 1\n' >"$WORK/refusing.git/hooks/pre-receive" && chmod +x "$WORK/refusing.git/hooks/pre-receive"
cd "$WORK/b" && git remote add mirror "file://$WORK/refusing.git"
firebreak baseline push mirror
check "a remote that refuses is no failure" ends_with 0
check "but said" says '^warning: remote mirror did not take the baselines of 1 commit: .*hook declined'
check "and counted" prints '^commits: 1 refused$'
firebreak baseline push mirror --strict
check "with --strict it is one" ends_with 7
rm "$WORK/refusing.git/hooks/pre-receive"
printf '#!/bin/sh\n[ "%s" != "refs/firebreak/%s" ]\n' "\$1" "$SHA" >"$WORK/refusing.git/hooks/update"
chmod +x "$WORK/refusing.git/hooks/update"
firebreak baseline fetch && firebreak baseline push mirror --json
check "one ref that is refused does not stop others" json "$WORK/stdout" '.sent == 1 and .refused == 1 and .findings[0].code == "baseline_push_refused"'
git remote add gone "file://$WORK/gone.git"
firebreak baseline push gone
check "a remote that cannot be read ends with 7" ends_with 7
firebreak baseline fetch gone
check "to fetch from, too" ends_with 7
check "in one line with its name" says '^firebreak: remote gone: git ls-remote: '

# --- a push that does not get to the remote, and settings that would change what it does
clone settings
"$FIREBREAK" baseline import "$WORK/one.json" --commit HEAD~3 >/dev/null
git config remote.origin.pushurl "$WORK/nowhere.git"
firebreak baseline push
check "a push that gets nowhere is no refusal" ends_with 7
check "and says why" says "^firebreak: remote origin: git push: fatal: .*nowhere.git' does not appear to be a git repository"
printf '#!/bin/sh\necho "ERROR: Permission to team/project.git denied to bot." >&2\nexit 1\n' >"$WORK/ssh" && chmod +x "$WORK/ssh"
git config remote.origin.pushurl ssh://nowhere.invalid/project.git && git config core.sshCommand "$WORK/ssh"
firebreak baseline push
check "a lack of permission is one" ends_with 0
check "and says why, too" says '^warning: remote origin did not take .*ERROR: Permission to team/project.git denied'
git config --unset remote.origin.pushurl
git config remote.origin.mirror true && git config push.gpgSign true && git config push.pushOption ci.skip
firebreak baseline push
check "mirrors, signatures and options of other pushes play no part" ends_with 0
check "it is sent" prints '1 sent$'
check "and nothing else is removed there" git -C "$WORK/remote.git" rev-parse -q --verify main
git -C "$WORK/remote.git" update-ref -d "refs/firebreak/$(git rev-parse HEAD~3)"

# --- damage does not travel
clone damaged
firebreak baseline fetch
BLOB=$(git ls-tree -r "refs/firebreak/$SHA" | grep '/one/stacks\|/one/manifest' | head -n 1 | cut -f 1 | cut -d ' ' -f 3)
BAD=$(echo 'not a manifest' | git hash-object -w --stdin)
git ls-tree -r "refs/firebreak/$SHA" | sed "s/$BLOB/$BAD/" >"$WORK/listing"
(export GIT_INDEX_FILE=$WORK/index; git update-index --index-info <"$WORK/listing" &&
	git update-ref "refs/firebreak/$SHA" "$(git commit-tree -m "firebreak baseline of $SHA" "$(git write-tree)")")
DAMAGED=$(tip "$SHA")
firebreak baseline push
check "what is damaged is told by push" ends_with 6
check "and by name" says "^error: .*${SHA:0:12}"
check "and the remote keeps its own" is "$(git -C "$WORK/remote.git" ls-tree -r "refs/firebreak/$SHA" | grep -c "$BAD")" 0
check "what is damaged here is replaced by what is sound there" is "$(tip "$SHA")" "$(remote_tip "$SHA")"
git push -q -f origin "$DAMAGED:refs/firebreak/$SHA"
cd "$WORK/a" && git update-ref -d "refs/firebreak/$SHA"
firebreak baseline fetch origin "$SHA"
check "what is damaged there is told by fetch" ends_with 6
check "and not taken, but the rest is" is "$(names)" 'two '
firebreak baseline verify
check "so the store is sound" ends_with 0
"$FIREBREAK" baseline import "$WORK/one.json" --commit "$SHA" >/dev/null
firebreak baseline push
check "what is damaged there is not replaced without a word" ends_with 6
check "but stays as it is" is "$(remote_tip "$SHA")" "$DAMAGED"
cd "$WORK/b" && git push -q -f origin "refs/firebreak/$SHA"

clone garbled
firebreak baseline fetch
echo garbage >".git/refs/firebreak/$SHA" && git update-ref -d "refs/firebreak/$OLD"
firebreak baseline fetch
check "a ref that cannot be read, with which git fetches nothing, ends with 6" ends_with 6
check "and the remedy is named" says 'verify --set-aside'
firebreak baseline push
check "so does push" ends_with 6
check "it is not overwritten" is "$(cat ".git/refs/firebreak/$SHA")" garbage
"$FIREBREAK" baseline verify --set-aside >/dev/null
firebreak baseline fetch
check "after it was set aside fetch brings it back" is "$(tip "$SHA")" "$(remote_tip "$SHA")"

# --- refs that are no baselines
clone strange
STRANGE=1111111111111111111111111111111111111111
git update-ref "refs/firebreak/$STRANGE" HEAD
firebreak baseline verify
check "a commit of the program is no baseline" ends_with 6
check "and named" prints "refs/firebreak/$STRANGE is damaged: it points to a commit that is not a baseline"
firebreak baseline push
check "it is not pushed" fails remote_tip "$STRANGE"
git update-ref -d "refs/firebreak/$STRANGE" && git -C "$WORK/remote.git" update-ref "refs/firebreak/$STRANGE" main
firebreak baseline fetch
check "nor fetched" fails tip "$STRANGE"
check "which is said" says "^error: ${STRANGE:0:12}: .*not a baseline"
git -C "$WORK/remote.git" update-ref -d "refs/firebreak/$STRANGE"
"$FIREBREAK" baseline import "$WORK/one.json" --commit HEAD~4 >/dev/null
LINK=refs/firebreak/$(git rev-parse HEAD~4)
git -C "$WORK/remote.git" update-ref refs/other "$(git -C "$WORK/remote.git" rev-parse main)"
git -C "$WORK/remote.git" symbolic-ref "$LINK" refs/other
firebreak baseline push
check "a symbolic ref in the remote ends push with 6" ends_with 6
check "and is named" says "^error: remote origin: $LINK is a symbolic ref"
check "what it points to is not replaced" is "$(git -C "$WORK/remote.git" rev-parse refs/other)" "$(git -C "$WORK/remote.git" rev-parse main)"
firebreak baseline fetch
check "fetch leaves it alone, too" ends_with 6
git -C "$WORK/remote.git" symbolic-ref --delete "$LINK" && git -C "$WORK/remote.git" update-ref -d refs/other
git update-ref -d "$LINK" && git symbolic-ref "$LINK" refs/heads/main
firebreak baseline import "$WORK/one.json" --commit HEAD~4
check "one here is no place for a baseline" ends_with 6
check "and stays" is "$(git symbolic-ref "$LINK")" refs/heads/main
firebreak baseline verify --set-aside
check "but can be set aside" fails git rev-parse -q --verify "$LINK"
check "without what it points to" git rev-parse -q --verify refs/heads/main

# --- a prefix of one's own
clone prefixed
firebreak baseline import "$WORK/one.json" --commit HEAD --prefix refs/perf/team/
check "a prefix can be given" is "$(git for-each-ref --format='%(refname)' refs/firebreak refs/perf)" "refs/perf/team/$SHA"
git config firebreak.prefix refs/perf/team/
firebreak baseline list
check "the git configuration names it" prints "^$SHA "
firebreak baseline push
check "for push, too" is "$(git -C "$WORK/remote.git" rev-parse "refs/perf/team/$SHA")" "$(tip "$SHA" refs/perf/team)"
for prefix in refs/heads/ refs/tags/x/ heads/ refs/firebreak 'refs/a..b/' refs/ 'refs/a b/' refs/Heads/ \
	refs/keep-around/ refs/prefetch/ refs/pull-requests/x/ refs/bundle/; do
	firebreak baseline list --prefix "$prefix"
	check "'$prefix' cannot be one" ends_with 2
done

# --- retention
clone keeper
firebreak baseline fetch
for commit in $(git rev-list HEAD); do "$FIREBREAK" baseline import "$WORK/one.json" --commit "$commit" >/dev/null; done
git checkout -q -b topic && git commit -q --allow-empty -m topic
"$FIREBREAK" baseline import "$WORK/one.json" --commit HEAD >/dev/null
"$FIREBREAK" baseline push >/dev/null && git push -q origin topic && git pack-refs --all
count() { git "$@" for-each-ref refs/firebreak | wc -l; }
check "eleven commits have baselines" is "$(count)" 11
firebreak baseline prune
check "prune wants to know how many" ends_with 2
firebreak baseline prune --keep 3 --keep-branches main,nothing
check "a branch that is not there ends with 2" ends_with 2
firebreak baseline prune --keep 3 --keep-branches main --dry-run
check "a dry run tells" prints '^commits: 3 kept, 8 would be removed$'
check "and removes nothing" is "$(count)" 11
firebreak baseline prune --keep 3 --keep-branches main
check "prune keeps the newest of the branch" is "$(git for-each-ref --format='%(refname:lstrip=2)' refs/firebreak | sort)" \
	"$(git rev-list -3 main | sort)"
check "and reports" prints '^commits: 3 kept, 8 removed$'
firebreak baseline prune --keep 3
check "the default branch is the one of the remote" prints '^commits: 3 kept, 0 removed$'
check "the remote has all" is "$(count -C "$WORK/remote.git")" 11
firebreak baseline prune --keep 2 --keep-branches main,topic --remote origin --json
check "which JSON tells by its schema" keeps_to_schema prune "$WORK/stdout"
check "a remote is pruned" json "$WORK/stdout" '.kept == 3 and .removed == 8 and .refused == 0 and (.commits | length == 8)'
check "to the commits of both branches" is "$(count -C "$WORK/remote.git")" 3
firebreak baseline prune --keep 1 --keep-branches topic~1
check "a revision is no branch" ends_with 2
cd "$WORK/shallow" && firebreak baseline prune --keep 1
check "a shallow clone cannot prune" ends_with 2
cd "$WORK/origin" && git commit -q --allow-empty -m newer && git push -q "$WORK/remote.git" main
cd "$WORK/keeper" && firebreak baseline prune --keep 1 --keep-branches main --remote origin
check "a clone that lacks the newest commits cannot prune the remote" ends_with 2
check "and says what to do" says 'git fetch origin'
check "and nothing is gone" is "$(count -C "$WORK/remote.git")" 3
git checkout -q --orphan other && git commit -q --allow-empty -m other
firebreak baseline prune --keep 5 --keep-branches other
check "all at once are not removed" ends_with 2
firebreak baseline prune --keep 5 --keep-branches other --dry-run
check "nor in a dry run" ends_with 2
firebreak baseline prune --keep 5 --keep-branches '' --dry-run
check "and no branch is no branch" says 'names no branch'

# --- retention where something is in the way
clone pruner
for commit in $(git rev-list HEAD~1); do "$FIREBREAK" baseline import "$WORK/one.json" --commit "$commit" >/dev/null; done
FIRST=$(git rev-list --max-parents=0 HEAD) SECOND=$(git rev-list HEAD | tail -n 2 | head -n 1)
BEFORE=$(tip "$SECOND")
# the lock keeps prune waiting once it has listed what there is; meanwhile another baseline of a listed commit is stored
exec 9>>.git/firebreak/lock && flock 9
"$FIREBREAK" baseline prune --keep 4 >"$WORK/stdout" 2>"$WORK/stderr" 9>&- &
for _ in $(seq 6000); do
	[ -n "$(find -L "/proc/$!/fd" -samefile .git/firebreak/lock 2>/dev/null)" ] && break
	sleep 0.05
done
git fetch -q "$WORK/a" "refs/firebreak/$SHA" && git update-ref "refs/firebreak/$SECOND" FETCH_HEAD
exec 9>&-
wait $! && CODE=$? || CODE=$?
check "a baseline that is stored while prune waits is no failure" ends_with 0
check "but stays" is "$(tip "$SECOND")" "$(git rev-parse FETCH_HEAD)"
check "which is another one" fails is "$(tip "$SECOND")" "$BEFORE"
check "which is said" says '^warning: the baselines of 1 commit stay: somebody else changed them'
check "and counted" prints '4 kept, [0-9]+ removed, 1 refused$'
check "as what is left" is "$(count)" 5
echo garbage >".git/refs/firebreak/$FIRST"
timeout 300 "$FIREBREAK" baseline prune --keep 3 >"$WORK/stdout" 2>"$WORK/stderr" && CODE=$? || CODE=$?
check "a damaged ref ends prune with 6, soon" ends_with 6
check "with a remedy" says "^error: refs/firebreak/$FIRST is damaged .*verify --set-aside"
check "and stays" is "$(cat ".git/refs/firebreak/$FIRST")" garbage
check "and the others go" prints '^commits: 3 kept, 2 removed, 1 damaged$'
cd "$WORK/keeper" || exit 1

# --- what a killed process left is no obstacle
git update-ref "refs/firebreak-incoming/$SHA" main && echo "$SHA" >".git/refs/firebreak-incoming/$SHA.lock"
firebreak baseline fetch
check "left-overs of a killed fetch are no obstacle" ends_with 0
check "and go" is "$(git for-each-ref refs/firebreak-incoming)" ''

# --- several at once
for i in 1 2 3 4; do
	clone "writer-$i"
	FILES=(one two)
	for commit in $(git rev-list -3 HEAD~2); do
		"$FIREBREAK" baseline import "$WORK/${FILES[i % 2]}.json" --commit "$commit" >/dev/null
	done
done
PIDS=()
for i in 1 2 3 4; do (cd "$WORK/writer-$i" && exec "$FIREBREAK" baseline push >"$WORK/push-$i" 2>&1) & PIDS+=($!); done
for i in 1 2 3 4; do wait "${PIDS[i - 1]}"; check "pusher $i of 4 at once ends with 0" is "$?" 0; done
clone collector
"$FIREBREAK" baseline fetch >/dev/null
check "and what each had is there" is "$("$FIREBREAK" baseline list --json |
	jq -r --arg shas "$(git rev-list -3 HEAD~2)" 'map(select(.sha as $s | $shas | contains($s)) | .benchmark) | sort | join(" ")')" 'one one one two two two'
check "and sound" "$FIREBREAK" baseline verify
finish
