#!/bin/bash
# Simulated error rates of the verdict as Markdown tables: compiles errorrates.c beside this file against the libraries of
# the build that FIREBREAK belongs to, and runs it. SOURCE_DIR is the repository. Takes about a minute on one CPU.
set -euo pipefail

BUILD=$(dirname "$FIREBREAK")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
LIBRARIES=("$BUILD/compare/libcompare.a" "$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a")
for library in "${LIBRARIES[@]}"; do
	[ -f "$library" ] || { echo "errorrates: $library is not built; run it as ./dev bench errorrates" >&2; exit 2; }
done
read -ra FLAGS < <(pkg-config --cflags glib-2.0 gio-2.0)
read -ra LINKED < <(pkg-config --libs glib-2.0 gio-2.0)
"${CC:-gcc}" -O2 -std=gnu17 -ffp-contract=off -D_GNU_SOURCE -I"$SOURCE_DIR" "${FLAGS[@]}" -o "$WORK/errorrates" \
	"$SOURCE_DIR/tests/bench/errorrates.c" "${LIBRARIES[@]}" "${LINKED[@]}" -lm
"$WORK/errorrates"
