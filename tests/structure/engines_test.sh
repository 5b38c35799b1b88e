#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The name of an engine stands in one table, model/engine.c: code asks the table instead of comparing text.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# Where such a text is something else than an engine, each with its reason.
# profile/ and cli/input/     names of file formats
# runner/doctor/doctor.c      the program perf, which the user may have
# runner/valgrind/valgrindfiles.h   the tool of valgrind, which names its dumps
others='^(model/engine\.c|profile/.*|cli/input/.*|runner/doctor/doctor\.c|runner/valgrind/valgrindfiles\.h)$'

# engine_names FOLDER: places with the name of an engine as a text, as PATH:LINE:CODE; comments are left out.
engine_names() {
	(cd "$1" && grep -rnE '"(perf|callgrind)"|engine[^;]*"benchmark"' --include='*.c' --include='*.h' \
		core model profile baselines compare report runner gate cli 2>/dev/null) |
		sed -E 's@/\*.*@@' | grep -E '"(perf|callgrind|benchmark)"' | grep -vE '^[^:]*:[0-9]+:[[:space:]]*\*' |
		while IFS= read -r line; do
			[[ ${line%%:*} =~ $others ]] || echo "$line"
		done
}
check "engines are named in model/engine.c only" is "$(engine_names .)" ''

mkdir -p "$WORK/compare" "$WORK/model"
printf '%s\n' 'return g_str_equal(metric->engine, "callgrind");' >"$WORK/compare/wrong.c"
printf '%s\n' '/* "perf" or "callgrind" */' >"$WORK/compare/said.h"
check "a comparison with such a text is found" is "$(engine_names "$WORK")" \
	'compare/wrong.c:1:return g_str_equal(metric->engine, "callgrind");'
finish
