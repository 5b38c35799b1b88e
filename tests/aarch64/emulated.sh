#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# emulated.sh FOLDER COMMAND...: runs a command where programs for aarch64 start like those of this machine, by qemu-user.
# FOLDER is the build, with the libraries in sysroot/ (tests/aarch64/sysroot.sh). Compiler and tools of object files in
# PATH are those for aarch64; all other programs are those of this machine. The kernel is told about qemu in a user
# namespace of its own, which Linux 6.7 and later can: other processes do not notice. Ends with 77 and the reason where
# it cannot.
set -euo pipefail
FOLDER=$(cd "$1" && pwd)
shift
REGISTER=/proc/sys/fs/binfmt_misc

if [ "${FIREBREAK_EMULATED:-}" != inside ]; then
	mkdir -p "$FOLDER/tools"
	ln -sfn "$(command -v ld.lld)" "$FOLDER/tools/ld.lld"
	for tool in cc gcc; do
		printf '#!/bin/sh\nexec aarch64-linux-gnu-gcc --sysroot=%s "$@"\n' "$FOLDER/sysroot" >"$FOLDER/tools/$tool"
		chmod +x "$FOLDER/tools/$tool"
	done
	for tool in as ld nm objcopy objdump readelf strip; do
		ln -sfn "$(command -v aarch64-linux-gnu-$tool)" "$FOLDER/tools/$tool"
	done
	# shellcheck disable=SC2016 # the inner shell expands these
	if ! reason=$(unshare --user --map-root-user --mount sh -c 'mount -t binfmt_misc none "$1" && test -w "$1/register" &&
		mount -t overlay none -o "lowerdir=$2:/usr/lib" /usr/lib' - $REGISTER "$FOLDER/sysroot/usr/lib" 2>&1); then
		echo "no emulator for single processes (it takes Linux 6.7 and user namespaces): ${reason##*$'\n'}"
		exit 77
	fi
	FIREBREAK_EMULATED=inside exec unshare --user --map-root-user --mount bash "${BASH_SOURCE[0]}" "$FOLDER" "$@"
fi
unset FIREBREAK_EMULATED
mount -t binfmt_misc none $REGISTER
# ELF of 64 bits, little endian, of machine 183; P: the program keeps its name
printf '%s' ':firebreak-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$(command -v qemu-aarch64):PF" >$REGISTER/register
# libraries are where programs expect them, whatever environment they are started with
mount -t overlay firebreak -o "lowerdir=$FOLDER/sysroot/usr/lib:/usr/lib" /usr/lib
export PATH=$FOLDER/tools:$PATH
exec "$@"
