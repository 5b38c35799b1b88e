#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Imports killed at random times: a short form of what tests/bench/faults.sh does ten thousand times.
# FIREBREAK names the program under test, SOURCE_DIR the source tree.
# shellcheck source=tests/faults/faults.bash
. "${SOURCE_DIR:?}/tests/faults/faults.bash" || exit 1
faults "$MEMORY" kills 200
