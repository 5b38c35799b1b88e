#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All shell scripts pass shellcheck. SOURCE_DIR is the repository.
set -u
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1
command -v shellcheck >/dev/null || { echo "skipped: no shellcheck (./dev installs it)"; exit 77; }

mapfile -t scripts < <(grep -rlE --exclude-dir=build --exclude-dir=.git '^#!/bin/(ba)?sh|^#!/usr/bin/env bash' . | sort)
scripts+=(ci-templates/*.sh ci-templates/*/*.sh tests/checks.sh tests/bench/addresses.bash tests/faults/faults.bash tests/attacks/attacks.bash tests/packages/packages.bash tests/ci-templates/*.bash)
# cases are sourced, and define what attacks_test.sh reads
shellcheck --shell=bash --external-sources --exclude=SC2034,SC2016 tests/attacks/cases/*.sh || exit 1
shellcheck --shell=bash --external-sources "${scripts[@]}" && echo "${#scripts[@]} scripts are clean"
