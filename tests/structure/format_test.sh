#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All C sources are formatted as .clang-format says. `--fix` formats them instead. SOURCE_DIR is the repository.
# clang-format formats differently from release to release, so only the release that everybody uses may judge.
set -u
RELEASE=14
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1

formatter=""
for name in clang-format-$RELEASE clang-format; do
	if "$name" --version 2>/dev/null | grep -q "version $RELEASE\."; then
		formatter=$name
		break
	fi
done
[ -n "$formatter" ] || { echo "skipped: no clang-format $RELEASE (./dev installs clang-format-$RELEASE)"; exit 77; }

mapfile -t sources < <(find core model profile runner baselines compare report gate cli tests -name '*.[ch]' | sort)
if [ "${1:-}" = --fix ]; then
	"$formatter" -i "${sources[@]}"
else
	"$formatter" --dry-run -Werror "${sources[@]}" && echo "${#sources[@]} files are formatted"
fi
