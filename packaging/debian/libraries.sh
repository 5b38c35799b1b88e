#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libraries.sh TREE: the shared libraries that the programs in TREE ask for, as this system has them: source package and
# version, one a line; and libiberty, which is always linked statically. Debian's packages have no field for the licence;
# sbom.py knows it by the source package.
# shellcheck disable=SC2016 # these are fields of dpkg-query
set -euo pipefail
KNOWN=$(ldconfig -p) # as a whole: a reader that has enough would end ldconfig by a signal
dpkg-query -W -f='${source:Package}\t${source:Version}\tSTATIC_LINK\n' libiberty-dev
find "$1/usr/bin" "$1/usr/libexec" -type f -exec readelf -d {} + | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' | sort -u | while read -r name; do
	path=$(awk -v name="$name" '$1 == name && !found { print $NF; found = 1 }' <<<"$KNOWN")
	# a package may name it below /usr, and the linker without it, or the other way round
	owner=$(dpkg -S "$(readlink -f "$path")" "$path" "/usr$path" "${path#/usr}" 2>/dev/null | sed -n '1s/: .*//p' || true)
	dpkg-query -W -f='${source:Package}\t${source:Version}\n' "${owner%%,*}"
done | sort -u
