#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install.sh [key]: installs firebreak for a job of GitHub Actions: a given program, a pinned release, or a build of this source.
#
# A release is downloaded only if releases.sha256 beside this script knows its SHA-256; an unknown or another one is
# refused. What was installed is kept in FOLDER, which a cache may bring back: the archive is verified then, too.
#
#   PROGRAM   path of a program; goes before all else
#   VERSION   "1.2.3"; "" = the newest in releases.sha256; "source" = build it, which happens in no other case
#   SOURCE    folder of firebreak's source, for "source"
#   FOLDER    where releases are kept
#   DOWNLOAD  address of the releases (https://github.com/OWNER/firebreak/releases/download)
# Output: program (its path). With `key` nothing is installed, and the output is key: by what a cache keeps the release, ""
# where there is none to keep.
set -euo pipefail
releases=${RELEASES:-$(dirname "${BASH_SOURCE[0]}")/releases.sha256}
machine=$(uname -m)

refuse() {
	printf '::error title=firebreak::%s\n' "$1"
	exit 2
}

newest() { sed -nE "s/^[0-9a-f]{64}  firebreak-([0-9]+\.[0-9]+\.[0-9]+)-linux-$machine\.tar\.xz$/\1/p" "$releases" | sort -V | tail -n 1; }

build() {
	"$SOURCE/dev" build release firebreak
	program=$(cd "$SOURCE" && pwd)/build/release/firebreak
}

sum_of() { awk -v name="$1" '$2 == name { print $1 }' "$releases"; }

key() {
	local sum=''
	[ -n "${PROGRAM:-}" ] || sum=$(sum_of "firebreak-${VERSION:-$(newest)}-linux-$machine.tar.xz")
	printf 'key=%s\n' "${sum:+firebreak-$sum}" >>"$GITHUB_OUTPUT"
}

verified() { printf '%s  %s\n' "$sum" "$1" | sha256sum --check --status; }

release() {
	local name=firebreak-$VERSION-linux-$machine.tar.xz sum archive unpacked
	[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "version takes a release such as 1.2.3, or source"
	sum=$(sum_of "$name")
	[[ $sum =~ ^[0-9a-f]{64}$ ]] || refuse "$name is not known to this version of the action: pin a newer one, or use version source"
	archive=$FOLDER/$name
	unpacked=$FOLDER/$VERSION-$machine
	mkdir -p "$FOLDER"
	if ! [ -f "$archive" ] || ! verified "$archive"; then
		curl --fail --silent --show-error --location --proto '=https,http' --retry 4 --retry-connrefused --max-time 300 \
			--max-filesize 200000000 --output "$archive.part" "$DOWNLOAD/v$VERSION/$name" ||
			refuse "$name could not be downloaded from $DOWNLOAD"
		verified "$archive.part" || refuse "$name does not have the SHA-256 that this action knows: it was changed, or damaged"
		mv "$archive.part" "$archive"
	fi
	rm -rf "$unpacked"
	mkdir "$unpacked"
	tar -xJf "$archive" -C "$unpacked" --strip-components=1 --no-same-owner
	program=$unpacked/bin/firebreak
}

if [ "${1:-}" = key ]; then
	key
	exit
fi
program=${PROGRAM:-}
if [ -z "$program" ]; then
	[ -n "${VERSION:-}" ] || VERSION=$(newest)
	case $VERSION in
		"") refuse "this commit of the action knows no release for $machine: pin a commit whose ci-templates/github/releases.sha256 names one, or set version: source, which builds the program in the job (minutes, and sudo)" ;;
		source) build ;;
		*) release ;;
	esac
fi
"$program" --version
printf 'program=%s\n' "$program" >>"$GITHUB_OUTPUT"
