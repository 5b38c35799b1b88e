#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The power fails while baselines are stored: a short form of what tests/bench/faults.sh does a hundred times.
# FIREBREAK names the program under test, SOURCE_DIR the source tree.
# shellcheck source=tests/faults/faults.bash
. "${SOURCE_DIR:?}/tests/faults/faults.bash" || exit 1
if [ "$(id -u)" != 0 ] || ! command -v mkfs.ext4 >/dev/null; then
	echo "skipped: mounting needs root, and making a file system mkfs.ext4"
	exit 77
fi
faults "${TMPDIR:-/tmp}" powercut 4
