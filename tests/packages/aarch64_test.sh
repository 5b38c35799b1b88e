#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The archive for aarch64 that `./dev package aarch64` made on another machine: what is in it, and that what needs no
# kernel of its own runs under an emulator and gives the bytes of this machine's program. Programs that start helpers do
# not: an emulated program cannot start another one without binfmt_misc.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/packages/packages.bash
. "$SOURCE_DIR/tests/packages/packages.bash" || exit 1

ARCHIVE=$(package_named 'firebreak-*-linux-aarch64.tar.xz')
[ -n "$ARCHIVE" ] || skip_all "no archive in $DIST (./dev package aarch64 makes it)"
tar -C "$WORK" -xf "$ARCHIVE"
TREE=$WORK/$(basename "$ARCHIVE" .tar.xz)
mapfile -t programs < <(find "$TREE/bin" "$TREE/libexec" -type f)
check "all programs are for aarch64" is "$(readelf -hW "${programs[@]}" | sed -n 's/ *Machine: *//p' | sort -u)" AArch64
check "programs are stripped" is_stripped "${programs[@]}"
check "no program tells where it was built" no_path "${programs[@]}"
check "glibc 2.31 is enough" is "$(readelf -VW "${programs[@]}" | grep -oE 'GLIBC_2\.[0-9]+' | awk -F. '$2 > 31' | sort -u)" ''
check "the check sums hold" check_sums_hold "$ARCHIVE"
check "the list of parts is true" parts_are_listed "$ARCHIVE" "$TREE"

root=$SOURCE_DIR/build/package/root-aarch64
if [ "$(id -u)" = 0 ] && [ -x "$root/usr/bin/qemu-aarch64-static" ]; then
	place=$(mktemp -d "$root/tmp/firebreak.XXXXXX")
	trap 'rm -rf "$WORK" "$place"' EXIT
	cp -r "$TREE/." "$place/"
	printf 'main;parse;token 700\nmain;parse 200\nmain;print 100\n' >"$place/in.folded"
	emulated() { chroot "$root" /usr/bin/qemu-aarch64-static "${place#"$root"}/bin/firebreak" "$@"; }
	check "it runs" is "$(emulated --version)" "$("$FIREBREAK" --version)"
	check "it draws a flame graph" emulated flamegraph "${place#"$root"}/in.folded" -o "${place#"$root"}/out.svg"
	check "another machine's program draws one" "$FIREBREAK" flamegraph "$place/in.folded" -o "$WORK/out.svg"
	check "both are the same" cmp "$place/out.svg" "$WORK/out.svg"
else
	echo "not run: no emulator in $root, or not root"
fi
finish
