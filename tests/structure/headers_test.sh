#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every header compiles as the first and only include of a source, twice over, without a warning.
# SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

read -ra FLAGS < <(pkg-config --cflags glib-2.0 gio-2.0 libgit2 jansson yaml-0.1 libdw libelf) || exit 1
FLAGS+=(-std=gnu17 -fsyntax-only -Wall -Wextra -Wstrict-prototypes -Wundef -Werror -D_GNU_SOURCE '-DG_LOG_DOMAIN="firebreak"')

compiles_alone() { printf '#include "%s"\n#include "%s"\n' "$1" "$1" | "${CC:-gcc}" "${FLAGS[@]}" -I. -x c -; }

mapfile -t headers < <(find core model profile runner baselines compare report gate cli -name '*.h' | sort)
for header in "${headers[@]}"; do
	check "$header compiles alone" compiles_alone "$header"
done
echo 'gboolean needs_glib(void);' >"$WORK/bare.h"
check "a header that lacks an include is found" bash -c "! printf '#include \"$WORK/bare.h\"\n' | ${CC:-gcc} -fsyntax-only -x c -"
finish
