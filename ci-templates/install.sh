#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install.sh [key]: installs firebreak for a job: a given program, a pinned release, or a build of this source.
#
# A release is downloaded only if releases.sha256 beside this script knows its SHA-256; an unknown or another one is
# refused. What was installed is kept in FOLDER, which a cache may bring back: the archive is verified then, too.
#
#   PROGRAM   path of a program; goes before all else
#   VERSION   "1.2.3"; "" = the newest in releases.sha256; "source" = build it, which happens in no other case
#   SOURCE    folder of firebreak's source, for "source"
#   FOLDER    where releases are kept
#   DOWNLOAD  address of the releases: https://github.com/OWNER/firebreak/releases/download, of GitLab
#             https://gitlab.example.org/OWNER/firebreak/-/releases
# Standard output is one line, program=PATH; everything else goes to standard error. With `key` nothing is installed, and
# the line is key=KEY: by what a cache keeps the release, "" where there is none to keep.
set -euo pipefail
releases=${RELEASES:-$(dirname "${BASH_SOURCE[0]}")/releases.sha256}
machine=$(uname -m)

refuse() {
	local prefix='firebreak: '
	[ "${GITHUB_ACTIONS:-}" != true ] || prefix='::error title=firebreak::'
	printf '%s%s\n' "$prefix" "$1" >&2
	exit 2
}

newest() { sed -nE "s/^[0-9a-f]{64}  firebreak-([0-9]+\.[0-9]+\.[0-9]+)-linux-$machine\.tar\.xz$/\1/p" "$releases" | sort -V | tail -n 1; }

build() {
	"$SOURCE/dev" build release firebreak >&2
	program=$(cd "$SOURCE" && pwd)/build/release/firebreak
}

sum_of() { awk -v name="$1" '$2 == name { print $1 }' "$releases"; }

key() {
	local sum=''
	[ -n "${PROGRAM:-}" ] || sum=$(sum_of "firebreak-${VERSION:-$(newest)}-linux-$machine.tar.xz")
	printf 'key=%s\n' "${sum:+firebreak-$sum}"
}

verified() { printf '%s  %s\n' "$sum" "$1" | sha256sum --check --status; }

address() { # of the archive NAME
	case $DOWNLOAD in
		*/-/releases) printf '%s/v%s/downloads/%s\n' "$DOWNLOAD" "$VERSION" "$1" ;;
		*) printf '%s/v%s/%s\n' "$DOWNLOAD" "$VERSION" "$1" ;;
	esac
}

release() {
	local name=firebreak-$VERSION-linux-$machine.tar.xz sum archive unpacked
	[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "version takes a release such as 1.2.3, or source"
	sum=$(sum_of "$name")
	[[ $sum =~ ^[0-9a-f]{64}$ ]] || refuse "$name is not known to this commit of firebreak: pin a newer one, or use version source"
	archive=$FOLDER/$name
	unpacked=$FOLDER/$VERSION-$machine
	mkdir -p "$FOLDER"
	if ! [ -f "$archive" ] || ! verified "$archive"; then
		curl --fail --silent --show-error --location --proto '=https,http' --retry 4 --retry-connrefused --max-time 300 \
			--max-filesize 200000000 --output "$archive.part" "$(address "$name")" ||
			refuse "$name could not be downloaded from $DOWNLOAD"
		verified "$archive.part" || refuse "$name does not have the SHA-256 that this commit of firebreak knows: it was changed, or damaged"
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
		"") refuse "this commit of firebreak knows no release for $machine: pin a commit whose ci-templates/releases.sha256 names one, or set version: source, which builds the program in the job (minutes, and the right to install packages)" ;;
		source) build ;;
		*) release ;;
	esac
fi
"$program" --version >&2
printf 'program=%s\n' "$program"
