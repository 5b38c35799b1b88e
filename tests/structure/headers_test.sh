#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every header compiles as the first and only include of a source, twice over, without a warning. The build itself shows
# that of a header whose own source includes it first; the others, which have no source, are compiled here.
# SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

read -ra FLAGS < <(pkg-config --cflags glib-2.0 gio-2.0 libgit2 jansson yaml-0.1 libdw libelf) || exit 1
FLAGS+=(-std=gnu17 -fsyntax-only -Wall -Wextra -Wstrict-prototypes -Wundef -Werror -D_GNU_SOURCE '-DG_LOG_DOMAIN="firebreak"')

compiles_alone() { printf '#include "%s"\n#include "%s"\n' "$1" "$1" | "${CC:-gcc}" "${FLAGS[@]}" -I. -x c -; }

# Prints the headers on standard input that no source of the same name includes before all others.
without_source() {
	local header
	while read -r header; do
		[ "$(grep -sm1 '^#include' "${header%.h}.c")" = "#include \"$header\"" ] || echo "$header"
	done
}

find core model profile runner baselines compare report gate cli -name '*.h' | sort >"$WORK/headers"
check "headers may be included twice" is "$(xargs grep -L '^#pragma once$' <"$WORK/headers")" ''
mapfile -t headers < <(without_source <"$WORK/headers")
check "most headers are the first include of their source" test $((2 * ${#headers[@]})) -lt "$(wc -l <"$WORK/headers")"
for header in "${headers[@]}"; do
	check "$header compiles alone" compiles_alone "$header"
done
echo 'gboolean needs_glib(void);' >"$WORK/bare.h"
check "a header that lacks an include is found" bash -c "! printf '#include \"$WORK/bare.h\"\n' | ${CC:-gcc} -fsyntax-only -x c -"
check "a header that its source does not include first is compiled" is "$(echo core/error.h | without_source; echo "$WORK/bare.h" | without_source)" "$WORK/bare.h"
finish
