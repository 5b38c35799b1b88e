#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The archive that `./dev package tarball` made: what is in it, what it needs, and that it works in bare roots of the
# oldest and of the stable Debian, from any folder. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/packages/packages.bash
. "$SOURCE_DIR/tests/packages/packages.bash" || exit 1

ARCHIVE=$(package_named "firebreak-*-linux-$(uname -m).tar.xz")
[ -n "$ARCHIVE" ] || skip_all "no archive in $DIST (./dev package tarball makes it)"
NAME=$(basename "$ARCHIVE" .tar.xz)
tar -C "$WORK" -xf "$ARCHIVE"
TREE=$WORK/$NAME
mapfile -t programs < <(find "$TREE/bin" "$TREE/libexec" -type f)

oldest_glibc() { # no symbol of a later glibc than 2.31
	is "$(readelf -VW "${programs[@]}" | grep -oE 'GLIBC_2\.[0-9]+' | awk -F. '$2 > 31' | sort -u)" ''
}
only_glibc() { # libraries that are part of glibc
	is "$(readelf -dW "${programs[@]}" | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' | sort -u |
		grep -vE '^(libc|libm|libdl|libpthread|librt|libresolv|ld-linux-(x86-64|aarch64))\.so\.[0-9]+$')" ''
}
one_folder() { is "$(tar -tf "$ARCHIVE" | cut -d/ -f1 | sort -u)" "$NAME"; }
plain_entries() { is "$(tar -tvf "$ARCHIVE" --numeric-owner | awk '$1 !~ /^[-d]/ || $2 != "0/0"')" ''; }
licences() { # of every library that is linked
	local library
	while read -r library; do
		[ -s "$TREE/share/doc/firebreak/licenses/$library" ] || { echo "$library has none"; return 1; }
	done < <(jq -r '.packages[1:][].name' "$ARCHIVE.spdx.json")
}
check "all is in one folder" one_folder
check "there are only files and folders, and they are of root" plain_entries
check "programs are stripped" is_stripped "${programs[@]}"
check "no program tells where it was built" no_path "${programs[@]}"
check "glibc 2.31 is enough" oldest_glibc
check "no other library is needed" only_glibc
check "the licences of its libraries come along" licences
check "the check sums hold" check_sums_hold "$ARCHIVE"
check "the list of parts is true" parts_are_listed "$ARCHIVE" "$TREE"
mkdir "$WORK/a folder" && mv "$TREE" "$WORK/a folder/moved"
check "it works wherever it stands" "$WORK/a folder/moved/bin/firebreak" --version
doctor() { (cd "$WORK" && "$WORK/a folder/moved/bin/firebreak" doctor); } # where no project is
check "it finds its helpers there" doctor

if ! reason=$(perf_events_open 2>&1); then
	echo "not run: $reason"
	finish
	exit
fi
for suite in bullseye trixie; do
	if bare_root $suite; then
		use_bare_root $suite
		unpacked() { tar -C "$ROOT/opt" -xf "$ARCHIVE" && ln -s "/opt/$NAME/bin/firebreak" "$ROOT/usr/local/bin/firebreak"; }
		check "a check runs in a bare root of $suite" check_in_bare_root "$suite: $NAME, $(stat -c %s "$ARCHIVE") bytes" unpacked
		rm -rf --one-file-system "$ROOT"
	else
		echo "not run in a bare root of $suite: $WHY"
	fi
done
finish
