# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the jobs of GitLab: the program, a folder for this job, and what the job needs of the machine.
#
#   FIREBREAK_REVISION   commit of firebreak whose templates these are; "" = those of an image, with the program in PATH
#   FIREBREAK_VERSION FIREBREAK_RELEASES FIREBREAK_SOURCE   as VERSION and DOWNLOAD of install.sh; the repository
# After it there are PROGRAM and `work`, a folder that goes when the job ends.

refuse() {
	printf 'firebreak: %s\n' "$1" >&2
	exit 2
}
templates=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT # builds in the cache are sealed

# has TOOL...: installs what is missing where the job may, as in an image of Debian; else says what the image has to have.
has() {
	local tool missing=()
	for tool; do command -v "$tool" >/dev/null || missing+=("$tool"); done
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		missing=("${missing[@]/#xz/xz-utils}")
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates "${missing[@]}"; } >&2 && return 0
	fi
	printf 'firebreak: the image lacks %s\n' "${missing[*]}" >&2
	exit 8
}

# The program's own folders. HOME belongs to another user in some images.
usable_home() {
	local cache=${XDG_CACHE_HOME:-${HOME:-/nowhere}/.cache}
	{ mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null || export XDG_CACHE_HOME=$work/cache
}

find_program() {
	local line download=${FIREBREAK_RELEASES:-}
	if [ -z "${FIREBREAK_REVISION:-}" ]; then
		PROGRAM=$(command -v firebreak) || refuse "the image has no firebreak: set the input revision"
		return
	fi
	[ "${FIREBREAK_VERSION:-}" = source ] || has curl tar xz
	[ -n "$download" ] || download=${FIREBREAK_SOURCE%.git}/releases/download
	line=$(VERSION=${FIREBREAK_VERSION:-} SOURCE=${templates%/*} FOLDER=$work/releases DOWNLOAD=$download PROGRAM='' bash "$templates/install.sh")
	# shellcheck disable=SC2034 # for the job
	PROGRAM=${line#program=}
}
