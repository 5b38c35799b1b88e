#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh SOURCE WORK: builds the source tree and leaves its Debian package in WORK/packed; `cmake`, `build` and `cpack`
# say what they do in WORK/*.log. The names of both folders are in none of its files. The end of its version says for which
# distribution it is. FIREBREAK_MAINTAINER is who answers for it ("Name <address>"), SOURCE_DATE_EPOCH the time of files.
set -euo pipefail
SOURCE=$1 WORK=$2 BUILD=$2/build
RELEASE="1~$(sed -nE 's/^(ID|VERSION_ID)="?([^"]*)"?$/\1 \2/p' /etc/os-release | sort | awk '{ printf "%s", $2 }')"

quietly() { # quietly LOG COMMAND...: shows the end of what it said if it fails
	"${@:2}" >"$1" 2>&1 </dev/null || {
		tail -n 40 "$1" >&2
		echo "build.sh: $2 failed; all it said is in $1" >&2
		exit 1
	}
}
rm -rf "$BUILD" "$WORK/packed"
mkdir -p "$WORK"
# what is packed is optimised like what is tested, and has no symbols for debuggers, which would be stripped
quietly "$WORK/cmake.log" cmake -S "$SOURCE" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFIREBREAK_TESTS=OFF \
	-DFIREBREAK_PRECOMPILE=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" \
	-DFIREBREAK_DEBIAN_RELEASE="$RELEASE" \
	${FIREBREAK_MAINTAINER:+-DFIREBREAK_MAINTAINER="$FIREBREAK_MAINTAINER"} \
	-DCMAKE_C_FLAGS="'-ffile-prefix-map=$BUILD=build' '-ffile-prefix-map=$SOURCE=.' -D_FORTIFY_SOURCE=2" \
	-DCMAKE_EXE_LINKER_FLAGS="-Wl,-z,relro,-z,now" -DCMAKE_MODULE_LINKER_FLAGS="-Wl,-z,relro,-z,now" \
	-DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_RPATH=ON
quietly "$WORK/build.log" cmake --build "$BUILD"
quietly "$WORK/cpack.log" cpack --config "$BUILD/CPackConfig.cmake" -B "$WORK/packed"
