#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# image.sh FOLDER: builds the container image of packaging/Dockerfile from HEAD of this repository, as it is committed, and
# saves it as FOLDER/firebreak-VERSION-image-ARCHITECTURE.tar (`docker load` and `podman load` read it). Uses Buildah
# without a daemon, as root. The base image comes from a registry; where none can be reached, FIREBREAK_IMAGE_BASE names a
# folder with a root of Debian 12 (debootstrap --variant=minbase makes one), of which the base image is made under the same
# name. Images and layers lie in build/package/image. Standard output has the name of the image in there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$1" build/package/image
DIST=$(cd "$1" && pwd)
WORK=$PWD/build/package/image
VERSION=$(sed -nE 's/^project\(firebreak VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
DEBIAN=12
BASE=docker.io/library/debian:$DEBIAN-slim
NAME=localhost/firebreak:$VERSION
umask 022

say() { printf 'image.sh: %s\n' "$*" >&2; }
[ "$(id -u)" = 0 ] || { say "needs root: without it, use docker build -f packaging/Dockerfile"; exit 2; }
# Only this folder is written to. Steps run in a chroot, which needs no rights that a container may lack.
buildah() { command buildah --root "$WORK/store" --runroot "$WORK/run" --storage-driver vfs "$@"; }
export BUILDAH_ISOLATION=chroot

# make_base ROOT: like the image of the registry, it has no pages, translations and lists of packages, and takes none.
make_base() {
	local container
	say "making the base of Debian $DEBIAN from $1"
	container=$(buildah from scratch)
	(cd "$1" && find . -xdev ! -path './usr/share/man/*' ! -path './usr/share/locale/*' ! -path './usr/share/info/*' \
		! \( -type f -path './usr/share/doc/*' ! -name copyright \) ! -path './var/cache/apt/*' ! -path './var/lib/apt/lists/*' \
		! \( -type f -path './var/log/*' \) ! -path './dev/*' -print0 | tar -c --null --no-recursion -T -) >"$WORK/base.tar"
	buildah add -q "$container" "$WORK/base.tar" / >/dev/null
	rm "$WORK/base.tar"
	buildah config --cmd bash "$container"
	printf 'path-exclude /usr/share/%s/*\n' man locale info doc >"$WORK/excludes"
	echo 'path-include /usr/share/doc/*/copyright' >>"$WORK/excludes"
	buildah copy -q "$container" "$WORK/excludes" /etc/dpkg/dpkg.cfg.d/excludes >/dev/null
	buildah commit -q --rm "$container" "$BASE" >/dev/null
}

main() {
	local archive
	archive=$DIST/firebreak-$VERSION-image-$(dpkg --print-architecture).tar
	rm -rf "$WORK/source" && mkdir -p "$WORK/source"
	git archive HEAD | tar -x -C "$WORK/source"
	[ -z "${FIREBREAK_IMAGE_BASE:-}" ] || make_base "$FIREBREAK_IMAGE_BASE"
	say "building $NAME"
	buildah bud --pull=false --layers=false --format docker -f packaging/Dockerfile -t "$NAME" "$WORK/source" \
		>"$WORK/build.log" 2>&1 </dev/null || {
		tail -n 40 "$WORK/build.log" >&2
		say "it failed; all it said is in $WORK/build.log"
		exit 1
	}
	rm -f "$archive"
	buildah push -q "$NAME" "docker-archive:$archive:firebreak:$VERSION"
	say "made ${archive#"$PWD"/}, $(($(stat -c %s "$archive") / 1000000)) MB"
	echo "$NAME"
	exit
}
main "$@"
