#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh FOLDER PACKAGE...: unpacks libraries and headers of these packages for arm64, and of all that they need, into
# FOLDER/sysroot. apt downloads them as for a system of that architecture that has no packages yet: nothing is installed
# here, and dpkg needs not know the architecture. A folder that was made by the same script of the same packages is left.
# Ends with 77 and the reason where they cannot be had.
set -euo pipefail
FOLDER=$1
PACKAGES=("${@:2}")
STAMP=$(cat "${BASH_SOURCE[0]}" <(printf '%s\n' "${PACKAGES[@]}") /etc/os-release | sha256sum)
[ "$(cat "$FOLDER/sysroot.made" 2>/dev/null)" != "$STAMP" ] || exit 0

rm -rf "$FOLDER/sysroot" "$FOLDER/sysroot.made"
mkdir -p "$FOLDER"/apt/state/lists/partial "$FOLDER"/apt/cache/archives/partial "$FOLDER"/sysroot/usr/{bin,lib,sbin}
FOLDER=$(cd "$FOLDER" && pwd)
: >"$FOLDER/apt/status"
apt() {
	apt-get -q -y -o Dir::State="$FOLDER/apt/state" -o Dir::State::status="$FOLDER/apt/status" -o Dir::Cache="$FOLDER/apt/cache" \
		-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= -o Acquire::Languages=none \
		-o APT::Install-Recommends=false -o Acquire::Retries=3 "$@"
}
if ! { apt update && apt --download-only install "${PACKAGES[@]}"; } >"$FOLDER/apt.log" 2>&1 </dev/null; then
	echo "packages of arm64 cannot be had: $(grep -m 1 -E '^(E|W|Err)' "$FOLDER/apt.log" || tail -n 1 "$FOLDER/apt.log")"
	exit 77
fi
for name in bin lib sbin; do ln -s "usr/$name" "$FOLDER/sysroot/$name"; done
for package in "$FOLDER"/apt/cache/archives/*.deb; do
	dpkg-deb --fsys-tarfile "$package" |
		tar -x -C "$FOLDER/sysroot" --keep-directory-symlink --no-same-owner --exclude='*/python3*' --exclude='./usr/share/doc' \
			--exclude='./usr/share/man' --exclude='./usr/share/locale' --exclude='./var' --exclude='./etc'
done
# libz.so -> /lib/aarch64-linux-gnu/libz.so.1 is a library of this machine, if any
find "$FOLDER/sysroot/usr/lib" -type l -lname '/*' | while read -r link; do
	ln -sfn "$FOLDER/sysroot$(readlink "$link")" "$link"
done
rm -rf "$FOLDER/apt/cache"
echo "$STAMP" >"$FOLDER/sysroot.made"
