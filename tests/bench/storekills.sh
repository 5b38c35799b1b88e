#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# push, fetch and prune killed at random times, each repeated right after: how often is the repetition refused, how often
# does it take more than five seconds, and is everything sound in the end. FIREBREAK names the program; ROUNDS (60) can be
# lowered for a try.
set -euo pipefail

ROUNDS=${ROUNDS:-60}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export GIT_CONFIG_GLOBAL=$WORK/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name t && git config --global user.email t@t && git config --global init.defaultBranch main

git init -q "$WORK/repo" && cd "$WORK/repo"
printf 'version: 1\nbenchmarks:\n  - name: nothing\n    command: ["true"]\n' >firebreak.yml
git add . && git commit -q -m first
"$FIREBREAK" run --rounds 2 --quiet >/dev/null
"$FIREBREAK" baseline export HEAD -o "$WORK/export.json"
for ((i = 0; i < ROUNDS; i++)); do git commit -q --allow-empty -m "commit $i"; done
git init -q --bare "$WORK/remote.git" && git remote add origin "$WORK/remote.git" && git push -q origin main

COMMANDS=("push" "fetch" "prune --keep 8")
refused=0 slow=0 killed=0 n=0
for commit in $(git rev-list --max-count="$ROUNDS" HEAD); do
	read -ra command <<<"${COMMANDS[n % 3]}"
	"$FIREBREAK" baseline import "$WORK/export.json" --commit "$commit" >/dev/null
	if [ "${command[0]}" = fetch ]; then git update-ref -d "refs/firebreak/$commit"; fi
	"$FIREBREAK" baseline "${command[@]}" >/dev/null 2>&1 &
	sleep "0.$(printf %03d $((RANDOM % 120)))"
	if kill -9 $! 2>/dev/null; then killed=$((killed + 1)); fi
	wait $! 2>/dev/null || true
	start=${EPOCHREALTIME/[^0-9]/}
	"$FIREBREAK" baseline "${command[@]}" >"$WORK/out" 2>&1 || { refused=$((refused + 1)); cat "$WORK/out"; }
	if [ $((${EPOCHREALTIME/[^0-9]/} - start)) -gt 5000000 ]; then slow=$((slow + 1)); fi
	n=$((n + 1))
done
"$FIREBREAK" baseline verify
git fsck --strict --no-dangling && git -C "$WORK/remote.git" fsck --strict --no-dangling
echo "$n rounds, $killed killed: $refused refused, $slow slow, $(find .git "$WORK/remote.git" -name '*.lock' | wc -l) lock files left"
[ $((refused + slow)) = 0 ]
