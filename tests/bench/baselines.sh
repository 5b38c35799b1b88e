#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Time and memory of the commands that touch the store, and how both grow with the number of stored baselines; prints the
# table of docs/BASELINES.md. FIREBREAK names the program and SOURCE_DIR the source tree; SIZES ("1000 10000 100000") can
# be lowered for a try.
set -euo pipefail
# shellcheck source=tests/faults/faults.bash
. "${SOURCE_DIR:?}/tests/faults/faults.bash"
# shellcheck disable=SC2086 # several numbers
faults "$MEMORY" scale ${SIZES:-1000 10000 100000}
