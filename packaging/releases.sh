#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# releases.sh SHA256SUMS: adds the archives of a release to ci-templates/releases.sha256, from the check sums that
# were published with it. Both architectures have to be there, and a sum that is known already has to be the same: an
# archive that was changed after its release is refused. RELEASES names another table.
set -euo pipefail
SUMS=$1
TABLE=${RELEASES:-$(dirname "${BASH_SOURCE[0]}")/../ci-templates/releases.sha256}
ARCHIVE='firebreak-[0-9]+\.[0-9]+\.[0-9]+-linux-(x86_64|aarch64)\.tar\.xz'

refuse() {
	printf 'releases.sh: %s\n' "$1" >&2
	exit 2
}
sum_of() { awk -v name="$1" '$2 == name { print $1 }' "$2"; }

mapfile -t lines < <(grep -E "^[0-9a-f]{64}  $ARCHIVE\$" "$SUMS" | sort -k 2)
[ ${#lines[@]} = 2 ] || refuse "$SUMS has ${#lines[@]} archives; a release has two, for x86_64 and for aarch64"
version=${lines[0]#*firebreak-}
version=${version%%-*}
added=()
for machine in aarch64 x86_64; do
	name=firebreak-$version-linux-$machine.tar.xz
	sum=$(sum_of "$name" <(printf '%s\n' "${lines[@]}")) known=$(sum_of "$name" "$TABLE")
	[ -n "$sum" ] || refuse "$SUMS has no $name"
	[ -z "$known" ] || [ "$known" = "$sum" ] || refuse "$name has another SHA-256 than when it was released: never change a release, make a new one"
	[ -n "$known" ] || added+=("$sum  $name")
done
if [ ${#added[@]} = 0 ]; then
	echo "releases.sh: $version is known already"
	exit
fi
printf '%s\n' "${added[@]}" >>"$TABLE"
echo "releases.sh: added ${added[*]##* }; commit $(basename "$TABLE"), and tell users the SHA of that commit"
