#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh ARCHITECTURE STAGE: builds the source tree that this script is part of with the static libraries of
# /opt/firebreak-libs, and installs it in STAGE. Runs in a root of Debian 11 that root.sh made.
set -euo pipefail
ARCHITECTURE=$1 STAGE=$2
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$SOURCE.build
LIBRARIES=/opt/firebreak-libs
CROSS=
options=()
if [ "$ARCHITECTURE" != "$(uname -m)" ]; then
	CROSS=$ARCHITECTURE-linux-gnu-
	options=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$ARCHITECTURE" -DCMAKE_C_COMPILER="${CROSS}gcc"
		-DCMAKE_CROSSCOMPILING_EMULATOR="/usr/bin/qemu-$ARCHITECTURE-static")
fi
# Archives do not say what they need themselves, unless pkg-config is asked for it.
cat >"$LIBRARIES/pkg-config" <<SH
#!/bin/sh
PKG_CONFIG_LIBDIR=$LIBRARIES/lib/pkgconfig:/usr/lib/$ARCHITECTURE-linux-gnu/pkgconfig exec pkg-config --static "\$@"
SH
chmod +x "$LIBRARIES/pkg-config"
cmake -S "$SOURCE" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFIREBREAK_TESTS=OFF "${options[@]}" \
	-DCMAKE_C_FLAGS="-ffile-prefix-map=$BUILD=build -ffile-prefix-map=$SOURCE=. -ffunction-sections -fdata-sections -D_FORTIFY_SOURCE=2 -Werror=implicit-function-declaration -include $SOURCE/packaging/portable/glibc231.h" \
	-DCMAKE_EXE_LINKER_FLAGS="-static-libgcc -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro,-z,now" \
	-DCMAKE_MODULE_LINKER_FLAGS="-static-libgcc -Wl,--as-needed -Wl,-z,relro,-z,now" \
	-DCMAKE_PREFIX_PATH="$LIBRARIES" -DPKG_CONFIG_EXECUTABLE="$LIBRARIES/pkg-config" \
	-DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_INSTALL_LIBDIR=lib
cmake --build "$BUILD"
rm -rf "$STAGE"
cmake --install "$BUILD" --prefix "$STAGE"
find "$STAGE/bin" "$STAGE/libexec" -type f -exec "${CROSS}strip" --strip-unneeded --remove-section=.comment {} +
mkdir -p "$STAGE/share/doc/firebreak/licenses"
cp "$LIBRARIES"/licenses/* "$STAGE/share/doc/firebreak/licenses/"

# what is packed asks for nothing that this root has and other systems may lack
needed=$(find "$STAGE/bin" "$STAGE/libexec" -type f -exec readelf -d {} + 2>/dev/null | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' | sort -u)
echo "needed: ${needed//$'\n'/ }"
if grep -vE '^(libc|libm|libdl|libpthread|librt|libresolv|libutil|ld-linux-(x86-64|aarch64))\.so\.[0-9]+$' <<<"$needed"; then
	echo "build.sh: a library beside those of glibc is needed"
	exit 1
fi
