#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Simulated error rates of the verdict as Markdown tables: the output of the programs in tests/statistics, which also
# hold the rates to their limits, without what their test framework says. They are built where FIREBREAK was; SOURCE_DIR
# is the repository. Takes about two minutes on one CPU; ends with 1 if a limit was missed.
set -euo pipefail

export FIREBREAK_TESTS=all # not a tenth of the campaigns
BUILD=$(dirname "$FIREBREAK")
programs=()
for source in "$SOURCE_DIR"/tests/statistics/*_test.c; do
	programs+=("$(basename "$source" .c)")
done
cmake --build "$BUILD" --target "${programs[@]}" >&2
status=0
for program in "${programs[@]}"; do
	"$BUILD/tests/$program" | sed '/^\[/d' || status=1
done
exit $status
