#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same commit gives the same bytes: the Debian package is made twice, from clones whose paths differ in length, by
# different users with different umask, time zone and language. No file of it tells where it was made. SOURCE_DIR names the
# repository. Everything is compiled twice, without a cache, which takes minutes: the test runs only where
# FIREBREAK_PACKAGING is "required".
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/packages/packages.bash
. "$SOURCE_DIR/tests/packages/packages.bash" || exit 1

[ "${FIREBREAK_PACKAGING:-}" = required ] || skip_all "takes minutes; FIREBREAK_PACKAGING=required runs it, as the release does"
HEAD=$(git -C "$SOURCE_DIR" rev-parse HEAD 2>/dev/null) || skip_all "the sources are in no repository, and packages are made of a commit"
for tool in cpack dpkg-deb dpkg-shlibdeps; do
	command -v $tool >/dev/null || skip_all "no $tool here, which makes the package (./dev package deb installs it)"
done
export CCACHE_DISABLE=1 # what another folder compiled would be the same by copying
chmod 755 "$WORK"
NEAR=$WORK/a FAR="$WORK/another folder/with-a-much-longer-name/than the first"
for folder in "$NEAR" "$FAR"; do
	mkdir -p "$folder"
	git clone -q --no-checkout "$SOURCE_DIR" "$folder/clone" && git -C "$folder/clone" checkout -q "$HEAD" || exit 1
done
other_user=() # only root can become one
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chown -R 65534:65534 "$FAR"
	other_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
make_near() { (umask 022 && cd "$NEAR/clone" && TZ=UTC LC_ALL=C HOME=$NEAR bash packaging/package.sh deb "$NEAR/dist"); }
make_far() {
	(umask 077 && cd "$FAR/clone" &&
		"${other_user[@]}" env TZ=Asia/Kathmandu LC_ALL=C.UTF-8 LANGUAGE=de HOME="$FAR" USER=the-other-user bash packaging/package.sh deb "$FAR/dist")
}
same() { # same PATTERN: both made one file of this name, and it is the same
	local name
	name=$(cd "$NEAR/dist" && compgen -G "$1") && cmp "$NEAR/dist/$name" "$FAR/dist/$name"
}
tells_nothing() { # tells_nothing FILE-OR-FOLDER: neither where it was made, nor by whom
	! grep -rlaF -e "$WORK" -e "$SOURCE_DIR" -e build/package/deb -e the-other-user "$1"
}

check "a Debian package is made" make_near
check "another user makes it elsewhere" make_far
check "both packages have the same bytes" same 'firebreak_*.deb'
check "so have their lists of parts" same 'firebreak_*.deb.spdx.json'
DEB=$(compgen -G "$NEAR/dist/firebreak_*.deb")
unpacked() { # with its control files, and pages that are not packed
	dpkg-deb -R "$DEB" "$WORK/unpacked" && find "$WORK/unpacked" -name '*.gz' -exec gzip -d {} + && test -s "$WORK/unpacked/usr/bin/firebreak"
}
check "it can be unpacked" unpacked
check "no file of it tells where it was made" tells_nothing "$WORK/unpacked"
check "nor does its list of parts" tells_nothing "$DEB.spdx.json"
check "what is told is found" is "$(tells_nothing "$NEAR/clone/build/package/deb/build/CMakeCache.txt" >/dev/null || echo found)" found
finish
