#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of releases that the action installs: how a release gets into it, and that what it says is what the action
# takes. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
TABLE=$SOURCE_DIR/ci-templates/releases.sha256
export RELEASES=$WORK/table

line() { printf "%064d  firebreak-%s-linux-%s.tar.xz\n" "$1" "$2" "$3"; }
add() { bash "$SOURCE_DIR/packaging/releases.sh" "$WORK/sums"; }
refused() { ! add && grep -q "$1" "$WORK/check.out"; }
sums() { grep -v '^#' "$RELEASES"; }

check "the table has sums of archives and nothing else" is \
	"$(grep -vE '^(#.*|[0-9a-f]{64}  firebreak-[0-9]+\.[0-9]+\.[0-9]+-linux-(x86_64|aarch64)\.tar\.xz)$' "$TABLE")" ''
check "each archive is there once" is "$(awk '/^[0-9a-f]/ { print $2 }' "$TABLE" | sort | uniq -d)" ''

grep '^#' "$TABLE" >"$RELEASES"
{
	line 1 1.2.3 x86_64
	line 2 1.2.3 aarch64
	printf '%064d  firebreak_1.2.3-1~debian12_amd64.deb\n' 3
	printf '%064d  firebreak-1.2.3-linux-x86_64.tar.xz.spdx.json\n' 4
} >"$WORK/sums"
check "the archives of a release are added" add
check "both of them, and no other file" is "$(sums)" "$(line 2 1.2.3 aarch64; line 1 1.2.3 x86_64)"
check "its comment stays" is "$(grep -c '^#' "$RELEASES")" "$(grep -c '^#' "$TABLE")"
check "adding it twice is no mistake" add
check "and changes nothing" is "$(sums | wc -l)" 2
newest=$(VERSION='' PROGRAM='' bash "$SOURCE_DIR/ci-templates/install.sh" key)
check "the action finds it" is "$newest" "key=firebreak-$(sed -n "s/  firebreak-1.2.3-linux-$(uname -m).*//p" "$RELEASES")"
line 9 1.2.3 x86_64 >"$WORK/other" && line 2 1.2.3 aarch64 >>"$WORK/other" && mv "$WORK/other" "$WORK/sums"
check "an archive that was changed is refused" refused "another SHA-256"
line 5 1.3.0 x86_64 >"$WORK/sums"
check "a release without aarch64 is refused" refused "has 1 archives"
{ line 5 1.3.0 x86_64 && line 6 1.4.0 aarch64; } >"$WORK/sums"
check "archives of two releases are refused" refused "has no"
check "what is refused leaves the table as it was" is "$(sums | wc -l)" 2
finish
