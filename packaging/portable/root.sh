#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# root.sh FOLDER ARCHITECTURE: makes FOLDER a root of Debian 11 with what builds firebreak and its libraries for x86_64 or
# aarch64 in /opt/firebreak-libs, by debootstrap. Debian 11 has glibc 2.31. Takes minutes; a root that is ready is left as
# it is. FIREBREAK_MIRROR is a mirror of Debian that still has bullseye. Runs as root.
set -euo pipefail
ROOT=$1 ARCHITECTURE=$2
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
MIRROR=${FIREBREAK_MIRROR:-http://deb.debian.org}
STAMP=$(cat "$HERE/root.sh" "$HERE/libraries.sh" | sha256sum | cut -d" " -f1)
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
[ "$(cat "$ROOT/.ready" 2>/dev/null)" != "$STAMP" ] || exit 0

exec 3>&2
say() { printf 'root.sh: %s\n' "$*" >&3; }
LOG=$ROOT.log
failed() {
	tail -n 30 "$LOG" >&3
	say "failed; all it said is in $LOG"
}
trap failed ERR
HOST=$(dpkg --print-architecture)
case $ARCHITECTURE in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*) say "do not know $ARCHITECTURE"; exit 2 ;;
esac
tools=(cmake ninja-build make pkg-config python3 xz-utils bzip2 m4 autoconf automake libtool gettext dpkg-dev gcc libc6-dev
	zlib1g-dev libglib2.0-dev-bin)
libraries=(libiberty-dev libzstd-dev libbz2-dev liblzma-dev zlib1g-dev libffi-dev libpcre2-dev libhttp-parser-dev libc6-dev)

say "making a root of Debian 11 in $ROOT"
mkdir -p "$(dirname "$ROOT")"
rm -rf --one-file-system "$ROOT"
exec >"$LOG" 2>&1
debootstrap --variant=minbase bullseye "$ROOT" "$MIRROR/debian"
cat >"$ROOT/etc/apt/sources.list" <<SOURCES
deb $MIRROR/debian bullseye main
deb $MIRROR/debian bookworm main
deb-src $MIRROR/debian bookworm main
SOURCES
# of Debian 12 only sources and meson, which are asked for by name
printf 'Package: *\nPin: release n=bookworm\nPin-Priority: -1\n' >"$ROOT/etc/apt/preferences"
printf 'APT::Sandbox::User "root";\nAcquire::Retries "5";\n' >"$ROOT/etc/apt/apt.conf.d/99firebreak"
cross=()
if [ "$debian" = "$HOST" ]; then
	echo "deb $MIRROR/debian-security bullseye-security main" >>"$ROOT/etc/apt/sources.list"
else # security updates of Debian 11 are not had for every architecture, and the versions of both have to be the same
	chroot "$ROOT" dpkg --add-architecture "$debian"
	tools+=("gcc-$ARCHITECTURE-linux-gnu" qemu-user-static)
	libraries=("${libraries[@]/%/:$debian}")
	cross=(CROSS="$ARCHITECTURE-linux-gnu" CC="$ARCHITECTURE-linux-gnu-gcc")
fi
chroot "$ROOT" apt-get -q update
chroot "$ROOT" apt-get -q install -y --no-install-recommends "${tools[@]}" "${libraries[@]}"
# headers of the kernel know what perf can do; they need no other glibc
chroot "$ROOT" apt-get -q install -y --no-install-recommends "linux-libc-dev:$HOST/bookworm" \
	${cross:+"linux-libc-dev:$debian/bookworm"}
say "building the libraries"
install -D -m 755 "$HERE/libraries.sh" "$ROOT/opt/firebreak-libs/libraries.sh"
chroot "$ROOT" env "${cross[@]}" bash /opt/firebreak-libs/libraries.sh /opt/firebreak-libs
echo "$STAMP" >"$ROOT/.ready"
