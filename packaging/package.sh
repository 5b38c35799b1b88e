#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# package.sh deb|tarball|aarch64 FOLDER: packs HEAD of this repository, as it is committed, into FOLDER, with the list of
# what is in the package (SPDX) and the check sums of all packages there. The same commit gives the same bytes, wherever
# the repository stands: everything is built from an export of HEAD, with the time of the commit, and without the path.
# FIREBREAK_MAINTAINER is who answers for the Debian package ("Name <address>"); without it, it is a place-holder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
KIND=$1
mkdir -p "$2" build/package
DIST=$(cd "$2" && pwd)
WORK=$PWD/build/package/$KIND
VERSION=$(sed -nE 's/^project\(firebreak VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct HEAD)
COMMIT=$(git rev-parse HEAD)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

say() { printf 'package.sh: %s\n' "$*" >&2; }
git diff --quiet HEAD -- || say "changes that are not committed are not packed"

# quietly LOG COMMAND...: shows the end of what it said if it fails
quietly() {
	"${@:2}" >"$1" 2>&1 </dev/null || {
		tail -n 40 "$1" >&2
		say "$2 failed; all it said is in $1"
		exit 1
	}
}

# export_source FOLDER: what HEAD has, and nothing else
export_source() {
	rm -rf "$1"
	mkdir -p "$1"
	git archive HEAD | tar -x -C "$1"
}

list_of_parts() { # list_of_parts PACKAGE TREE LIBRARIES LINKED
	python3 packaging/sbom.py --version "$VERSION" --commit "$COMMIT" --time "$SOURCE_DATE_EPOCH" --package "$1" --tree "$2" \
		--libraries "$3" --relation "$4" >"$1.spdx.json"
}

check_sums() {
	(cd "$DIST" && rm -f SHA256SUMS && sha256sum -- * >"$WORK/SHA256SUMS" && cp "$WORK/SHA256SUMS" .)
}

make_deb() {
	local source=$WORK/source deb
	export_source "$source"
	rm -rf "$WORK/tree"
	say "building the Debian package of firebreak $VERSION"
	bash packaging/debian/build.sh "$source" "$WORK"
	deb=$(find "$WORK/packed" -maxdepth 1 -name '*.deb')
	rm -f "$DIST"/firebreak_*_"$(dpkg --print-architecture)".deb*
	cp "$deb" "$DIST/"
	deb=$DIST/$(basename "$deb")
	dpkg-deb -x "$deb" "$WORK/tree"
	bash packaging/debian/libraries.sh "$WORK/tree" >"$WORK/libraries.tsv"
	list_of_parts "$deb" "$WORK/tree" "$WORK/libraries.tsv" DYNAMIC_LINK
	say "made ${deb#"$PWD"/}"
}

# make_archive ARCHITECTURE: all of it happens in a root of Debian 11, at the same place for everybody.
make_archive() {
	local root=$PWD/build/package/root-$1 name=firebreak-$VERSION-linux-$1 archive
	[ "$(id -u)" = 0 ] || { say "needs root: the archive is built in a root of Debian 11, for its glibc"; exit 2; }
	bash packaging/portable/root.sh "$root" "$1"
	say "building $name"
	rm -rf "$root/build" "${WORK:?}/$name"
	export_source "$root/build/firebreak"
	mkdir -p "$WORK"
	quietly "$WORK/build.log" chroot "$root" env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" bash /build/firebreak/packaging/portable/build.sh "$1" "/build/$name"
	cp -r "$root/build/$name" "$WORK/$name"
	archive=$DIST/$name.tar.xz
	tar -C "$WORK" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--format=gnu -cf - "$name" | xz -9e -T1 >"$archive"
	list_of_parts "$archive" "$WORK/$name" "$root/opt/firebreak-libs/libraries.tsv" STATIC_LINK
	say "made ${archive#"$PWD"/}"
}

main() { # a function, since bash reads a script while it runs, and a change of it meanwhile would be half in
	case $KIND in
	deb) make_deb ;;
	tarball) make_archive "$(uname -m)" ;;
	aarch64) make_archive aarch64 ;;
	*)
		say "no package $KIND"
		exit 2
		;;
	esac
	check_sums
	exit
}
main
