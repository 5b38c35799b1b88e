#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The container image: packaging/Dockerfile is built as it stands, by Buildah without a daemon and on a base that is made
# here under the name of that of the registry, and a check runs in a container of it, not as root. SOURCE_DIR names the
# repository. It compiles everything and takes minutes and some GB: it runs only where FIREBREAK_PACKAGING is "required".
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/packages/packages.bash
. "$SOURCE_DIR/tests/packages/packages.bash" || exit 1

[ "${FIREBREAK_PACKAGING:-}" = required ] || skip_all "takes minutes; FIREBREAK_PACKAGING=required runs it"
command -v buildah >/dev/null || skip_all "buildah is not installed (./dev package image installs it)"
git -C "$SOURCE_DIR" rev-parse HEAD >/dev/null 2>&1 || skip_all "the sources are in no repository, and the image is made of a commit"
reason=$(perf_events_open 2>&1) || skip_all "$reason"
bare_root bookworm || skip_all "$WHY"
STORE=$SOURCE_DIR/build/package/image
export FIREBREAK_IMAGE_BASE=$SOURCE_DIR/build/package/bare-bookworm BUILDAH_ISOLATION=chroot
image_buildah() { buildah --root "$STORE/store" --runroot "$STORE/run" --storage-driver vfs "$@"; }

made() { NAME=$(bash "$SOURCE_DIR/packaging/image.sh" "$WORK/dist"); }
check "the image is built" made
[ -n "${NAME:-}" ] || { finish; exit; }
CONTAINER=$(image_buildah from --pull-never "$NAME")
# a profile of system calls that allows perf_event_open, as --cap-add PERFMON gives with Docker
ALLOWED=$(image_buildah from --pull-never --security-opt seccomp=unconfined "$NAME")
trap 'image_buildah rm "$CONTAINER" "$ALLOWED" >/dev/null; rm -rf "$WORK"' EXIT
inside() { image_buildah run "$@"; }

archive=$(compgen -G "$WORK/dist/firebreak-*-image-*.tar")
size() { image_buildah images --format '{{.Size}}' "$1"; }
echo "size: $(size "$NAME"), of that the base $(size docker.io/library/debian:12-slim); packed $(($(xz -0 -T2 -c "$archive" | wc -c) / 1000000)) MB"
config() { image_buildah inspect --type image --format "{{.OCIv1.Config.$1}}" "$NAME"; }
check "it does not run as root" is "$(config User)" firebreak
check "it starts firebreak" is "$(config Entrypoint)" "[firebreak]"
check "it works in /repo" is "$(config WorkingDir)" /repo
check "it says its version" is "$(inside "$CONTAINER" -- firebreak --version)" "firebreak $(sed -nE 's/^project\(firebreak VERSION ([0-9.]+) .*/\1/p' "$SOURCE_DIR/CMakeLists.txt")"
nothing() { # nothing PATTERN: no file of that kind is in the image
	inside --user root "$CONTAINER" -- sh -c "! find / -xdev \\( $1 \\) 2>/dev/null | grep ."
}
check "no compiler and no headers of libraries are in it" nothing "-path '*/bin/*cc' -o -path '*/bin/*gcc*' -o -path '*/bin/cmake' -o -name glib.h"
check "neither its package nor its source is in it" nothing "-name 'firebreak*.deb' -o -name CMakeLists.txt"
check "no lists of packages are in it" nothing "-path '/var/lib/apt/lists/*Packages*' -o -name '*.bin' -path '/var/cache/apt/*'"
check "Debian knows what is installed" inside "$CONTAINER" -- dpkg -s firebreak

# A check in the container: the repository of the host at /repo, as the user of the image.
project "$WORK/repo"
chmod 755 "$WORK" && chown -R 1000:1000 "$WORK/repo"
checked() { # checked CONTAINER CODE...: ends with one of these
	local code=0
	inside --volume "$WORK/repo:/repo" "$1" -- firebreak check --base HEAD~1 --head HEAD --rounds 9 --no-confirm || code=$?
	[[ " ${*:2} " == *" $code "* ]] || { echo "exit code $code"; return 1; }
}
report() { json "$WORK/repo/firebreak-out/report.json" "$1" || { jq .reasons "$WORK/repo/firebreak-out/report.json"; return 1; }; }
check "without leave to measure it ends with 8" checked "$CONTAINER" 8
check "and says what it takes" report '.reasons[0].code == "environment_unsupported" and (.reason | test("CAP_PERFMON.*seccomp"))'
check "with it a check runs" checked "$ALLOWED" 1 3
check "and finds the change" report '.benchmarks[0].name == "count" and (.benchmarks[0].metrics | map(select(.name == "task-clock"))[0].change_pct > 50)'
check "its report belongs to the user of the image" is "$(stat -c %u "$WORK/repo/firebreak-out/report.json")" 1000
finish
