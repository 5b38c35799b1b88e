#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What CMake installs can be used from another folder and taken away again, and the version is said in one place.
# FIREBREAK names the program, SOURCE_DIR the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

BUILD=$(dirname "$FIREBREAK")
PREFIX=$WORK/prefix
check "CMake installs" cmake --install "$BUILD" --prefix "$PREFIX"

executables() { # of the templates: scripts that name an interpreter, and nothing else
	local script
	while read -r script; do
		case $(head -c 2 "$script") in
		'#!') [ -x "$script" ] ;;
		*) [ ! -x "$script" ] ;;
		esac || { echo "$script"; return 1; }
	done < <(find "$PREFIX/share/firebreak" -type f)
	[ -x "$PREFIX/share/firebreak/ci-templates/install.sh" ] && [ -f "$PREFIX/share/firebreak/ci-templates/http.sh" ]
}
check "scripts can be started, and what they source cannot" executables

# the header by pkg-config, from where the archive was moved to
cat >"$WORK/uses.c" <<'C'
#include <firebreak.h>
int main(void)
{
	return firebreak_enable() == 0 && firebreak_disable() == 0 ? 0 : 1;
}
C
by_pkg_config() {
	local flags
	mv "$PREFIX" "$WORK/moved" && flags=$(PKG_CONFIG_PATH=$WORK/moved/share/pkgconfig pkg-config --cflags firebreak) || return 1
	# shellcheck disable=SC2086 # several flags
	"${CC:-cc}" -o "$WORK/uses" $flags "$WORK/uses.c" && "$WORK/uses" && mv "$WORK/moved" "$PREFIX"
}
check "pkg-config finds the header in a moved folder" by_pkg_config

# only what was installed goes: files of others and their folders stay
echo keep >"$PREFIX/share/firebreak/own.txt"
echo keep >"$PREFIX/bin/other"
find "$PREFIX" -type f ! -name own.txt ! -name other | sort >"$WORK/manifest.txt"
uninstall() { cmake -DMANIFEST="$WORK/manifest.txt" -P "$SOURCE_DIR/packaging/uninstall.cmake"; }
check "it is uninstalled" uninstall
check "only files of others are left" is "$(cd "$PREFIX" && find . -type f | sort | xargs)" "./bin/other ./share/firebreak/own.txt"
check "no folder of ours is left without files" is "$(cd "$PREFIX" && find . -type d -empty -path '*/firebreak*')" ''
check "there is nothing to uninstall twice" is "$(uninstall >/dev/null 2>&1 || echo refused)" refused

version=$(sed -nE 's/^project\(firebreak VERSION ([0-9.]+) .*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
check "the program says the version of CMakeLists.txt" is "$("$FIREBREAK" --version)" "firebreak $version"
check "so does the changelog" is "$(sed -nE 's/^## ([0-9.]+).*/\1/p' "$SOURCE_DIR/CHANGELOG.md" | head -n 1)" "$version"
check "so does the pkg-config file" is "$(PKG_CONFIG_PATH=$BUILD/packaging pkg-config --modversion firebreak)" "$version"
finish
