#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libraries.sh PREFIX: builds the libraries of firebreak as static archives, from the source packages of Debian 12, and
# installs them in PREFIX. Runs as root in a root of Debian 11 (packaging/portable/root.sh), whose glibc is the oldest
# that the tarball is for. Without HTTPS, SSH, modules and translations: firebreak reads local repositories only, and
# what a library would load at run time could be of another release.
set -euo pipefail
PREFIX=$1
SOURCES=$PREFIX/src
JOBS=$(nproc)
export CC=${CC:-gcc} SOURCE_DATE_EPOCH=0 LC_ALL=C
export CFLAGS="-O2 -g0 -fPIC -ffunction-sections -fdata-sections -fstack-protector-strong -ffile-prefix-map=$SOURCES=."
CROSS=${CROSS:-}   # aarch64-linux-gnu for that architecture
export -n CROSS    # capstone's Makefile has another use for the name
ARCHIVES=/usr/lib/${CROSS:-$(dpkg-architecture -qDEB_HOST_MULTIARCH)}
export PKG_CONFIG_LIBDIR=$PREFIX/lib/pkgconfig:$ARCHIVES/pkgconfig

# unpack PACKAGE: leaves its patched source in $SOURCES/PACKAGE
unpack() {
	(cd "$SOURCES" && apt-get -q source --download-only "$1" && dpkg-source --no-check -x "$1"_*.dsc "$1") >"$SOURCES/$1.log" 2>&1
}

autotools() { # autotools PACKAGE [OPTION...]: configures for static archives
	cd "$SOURCES/$1"
	./configure --prefix="$PREFIX" --libdir="$PREFIX/lib" ${CROSS:+--host="$CROSS"} --disable-dependency-tracking "${@:2}"
}

build_with_cmake() { # build_with_cmake PACKAGE [OPTION...]
	cmake -S "$SOURCES/$1" -B "$SOURCES/$1/build" -G Ninja -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
		-DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF ${CROSS:+-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${CROSS%%-*}" -DCMAKE_C_COMPILER="$CC"} "${@:2}"
	ninja -C "$SOURCES/$1/build" install
}
build_jansson() { build_with_cmake jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF; }
build_libgit2() {
	build_with_cmake libgit2 -DBUILD_TESTS=OFF -DBUILD_CLI=OFF -DUSE_HTTPS=OFF -DUSE_SSH=OFF -DUSE_NTLMCLIENT=OFF \
		-DUSE_GSSAPI=OFF -DREGEX_BACKEND=regcomp -DUSE_HTTP_PARSER=system
}
build_libyaml() {
	(cd "$SOURCES/libyaml" && [ -x configure ]) || (cd "$SOURCES/libyaml" && ./bootstrap)
	autotools libyaml --disable-shared --enable-static
	make -j"$JOBS" -C src install && make -C include install && make install-pkgconfigDATA
}
build_elfutils() {
	autotools elfutils --disable-debuginfod --disable-libdebuginfod --disable-nls --disable-symbol-versioning
	local folder
	for folder in config lib libelf libcpu backends libebl libdwelf libdwfl libdw; do make -j"$JOBS" -C $folder; done
	# what `make install` would take from libdw is linked with shared libraries, too, which are not wanted here
	install -m 644 libelf/libelf.a libdw/libdw.a "$PREFIX/lib/"
	install -m 644 libelf/{libelf,gelf,nlist}.h libdw/dwarf.h "$PREFIX/include/"
	install -D -m 644 -t "$PREFIX/include/elfutils" libdw/{libdw,known-dwarf}.h libdwfl/libdwfl.h libdwelf/libdwelf.h \
		libebl/libebl.h libelf/elf-knowledge.h version.h
	install -m 644 config/lib{elf,dw}.pc "$PREFIX/lib/pkgconfig/"
}
build_capstone() {
	cd "$SOURCES/capstone"
	make -j"$JOBS" CC="$CC" AR="${CROSS:+$CROSS-}ar" RANLIB="${CROSS:+$CROSS-}ranlib" CAPSTONE_ARCHS="x86 aarch64" CAPSTONE_SHARED=no \
		CAPSTONE_STATIC=yes CFLAGS="$CFLAGS -Iinclude -DCAPSTONE_USE_SYS_DYN_MEM -DCAPSTONE_HAS_X86 -DCAPSTONE_HAS_ARM64" \
		libcapstone.a capstone.pc LIBDIRARCH=lib PREFIX="$PREFIX"
	install -m 644 libcapstone.a "$PREFIX/lib/"
	install -D -m 644 -t "$PREFIX/include/capstone" include/capstone/*.h
	install -m 644 capstone.pc "$PREFIX/lib/pkgconfig/"
}
build_glib() {
	local meson=(python3 "$SOURCES/meson/usr/bin/meson") cross=()
	export PYTHONPATH=$SOURCES/meson/usr/lib/python3/dist-packages
	if [ -n "$CROSS" ]; then
		cat >"$SOURCES/cross.ini" <<-INI
			[binaries]
			c = '$CC'
			ar = '$CROSS-ar'
			strip = '$CROSS-strip'
			pkgconfig = 'pkg-config'
			exe_wrapper = ['/usr/bin/qemu-${CROSS%%-*}-static']
			[host_machine]
			system = 'linux'
			cpu_family = '${CROSS%%-*}'
			cpu = '${CROSS%%-*}'
			endian = 'little'
		INI
		cross=(--cross-file "$SOURCES/cross.ini")
	fi
	"${meson[@]}" setup "$SOURCES/glib2.0/build" "$SOURCES/glib2.0" "${cross[@]}" --prefix="$PREFIX" --libdir=lib --buildtype=plain \
		-Ddefault_library=static -Dlibmount=disabled -Dselinux=disabled -Dxattr=false -Dnls=disabled -Dtests=false \
		-Dlibelf=disabled -Dglib_debug=disabled -Dwrap_mode=nodownload
	"${meson[@]}" compile -C "$SOURCES/glib2.0/build" -j "$JOBS"
	"${meson[@]}" install -C "$SOURCES/glib2.0/build"
}

mkdir -p "$SOURCES" "$PREFIX/lib/pkgconfig" "$PREFIX/include"
cd "$SOURCES"
apt-get -q download meson/bookworm >"$SOURCES/meson.log" 2>&1 && dpkg-deb -x meson_*.deb meson
package=
failed() { tail -n 40 "$SOURCES/$package.log"; }
trap failed ERR
set -o errtrace
for package in jansson libyaml elfutils capstone libgit2 glib2.0; do
	echo "libraries.sh: $package" >&2
	unpack $package
	build_${package%2.0} >>"$SOURCES/$package.log" 2>&1
	cd "$SOURCES"
done

# Archives that Debian 11 has. They are found before its shared libraries, because PREFIX is searched first.
cp "$ARCHIVES"/lib{z,bz2,lzma,zstd,iberty,pcre2-8,ffi,http_parser}.a "$PREFIX/lib/"

# Contents of the archives: package, version, source package, licence file.
mkdir -p "$PREFIX/licenses"
describe() { # describe NAME VERSION COPYRIGHT-FILE
	install -m 644 "$3" "$PREFIX/licenses/$1"
	printf '%s\t%s\n' "$1" "$2"
}
{
	for package in glib2.0 libgit2 elfutils jansson libyaml capstone; do
		describe $package "$(dpkg-parsechangelog -l"$SOURCES/$package/debian/changelog" -SVersion)" "$SOURCES/$package/debian/copyright"
	done
	for package in zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libiberty-dev libpcre2-dev libffi-dev libhttp-parser-dev; do
		name=$package:$(dpkg-architecture ${CROSS:+-a arm64} -qDEB_HOST_ARCH 2>/dev/null)
		# shellcheck disable=SC2016 # these are fields of dpkg-query
		describe "$(dpkg-query -W -f='${source:Package}' "$name")" "$(dpkg-query -W -f='${source:Version}' "$name")" \
			"/usr/share/doc/$package/copyright"
	done
} >"$PREFIX/libraries.tsv"
