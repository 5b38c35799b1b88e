#!/bin/bash
# Makes a git repository of the lexi program with a history whose performance is known. usage: make_history.sh DIR
#
#   base    a tag on main
#   slow    score_hits adds up all document lengths again for every query: about a sixth more CPU time
#   fast    match_documents tests 64 documents at a time: about a fifth less
#   shift   letters are folded in hash_token, no longer in next_token: the same total
#   rename  next_token is called read_token
#   noop    a comment and the name of a local variable
#
# Names and dates are fixed, so the commits have the same SHAs everywhere.
set -euo pipefail

sample=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
[ -z "$(ls -A)" ] || { echo "$0: $1 is not empty" >&2; exit 2; }

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.org
export GIT_AUTHOR_DATE='2024-01-01T12:00:00Z' GIT_COMMITTER_DATE='2024-01-01T12:00:00Z'

# branch NAME MESSAGE: a branch from base with one commit that applies the patch of that name.
branch() {
	git checkout -q -b "$1" base
	git apply --index "$sample/variants/$1.patch"
	git commit -q -m "$2"
}

git init -q --object-format=sha1 --initial-branch=main .
git config user.name dev
git config user.email dev@example.org
cp "$sample"/*.[ch] "$sample/Makefile" "$sample/firebreak.yml" .
cp "$sample/gitignore" .gitignore
git add .
git commit -q -m 'lexi: a small full-text search'
git tag base
branch slow 'rank: average the lengths when they are needed'
branch fast 'query: intersect 64 documents at a time'
branch shift 'tokenize: fold letters where the word is hashed'
branch rename 'tokenize: next_token is read_token'
branch noop 'lexicon: say why there always is a free entry'
git checkout -q main
