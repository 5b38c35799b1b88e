#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package that `./dev package deb` made: what is in it, that lintian has no complaint, and that it works in a
# bare root of the same distribution. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
# shellcheck source=tests/packages/packages.bash
. "$SOURCE_DIR/tests/packages/packages.bash" || exit 1

DEB=$(package_named "firebreak_*_$(dpkg --print-architecture 2>/dev/null).deb")
[ -n "$DEB" ] || skip_all "no Debian package in $DIST (./dev package deb makes it)"
TREE=$WORK/tree
dpkg-deb -x "$DEB" "$TREE"
mapfile -t programs < <(find "$TREE/usr/bin" "$TREE/usr/libexec" -type f)

has_all() { # the programs, and pages, completions and documents where Debian looks for them
	local file
	for file in bin/firebreak libexec/firebreak/firebreak-{cc,slowclock.so,spawn,symbols,yardstick} include/firebreak.h \
		share/man/man1/firebreak.1.gz share/man/man1/firebreak-check.1.gz share/man/man5/firebreak.yml.5.gz \
		share/bash-completion/completions/firebreak share/zsh/vendor-completions/_firebreak \
		share/fish/vendor_completions.d/firebreak.fish share/pkgconfig/firebreak.pc share/firebreak/schema/report-1.json \
		share/firebreak/ci-templates/gitlab/job.sh share/firebreak/templates/firebreak/template.yml \
		share/doc/firebreak/{copyright,changelog.gz,changelog.Debian.gz,README.md,docs/CONFIG.md}; do
		[ -s "$TREE/usr/$file" ] || { echo "/usr/$file is not there"; return 1; }
	done
}
check "everything is at its place" has_all
check "programs are stripped" is_stripped "${programs[@]}"
check "no program tells where it was built" no_path "${programs[@]}"
check "libraries are dependencies" grep -qE 'libc6 .*libgit2.*libglib2' <<<"$(dpkg-deb -f "$DEB" Depends)"
check "the check sums hold" check_sums_hold "$DEB"
check "the list of parts is true" parts_are_listed "$DEB" "$TREE"
if command -v lintian >/dev/null; then
	check "lintian has no complaint" is "$(lintian --allow-root --display-info "$DEB" 2>&1)" ''
else
	echo "not looked at: lintian is not installed"
fi

if ! reason=$(perf_events_open 2>&1); then
	echo "not run: $reason"
elif bare_root "$(sed -n s/^VERSION_CODENAME=//p /etc/os-release)"; then
	use_bare_root "$(sed -n s/^VERSION_CODENAME=//p /etc/os-release)"
	# what a user measured stays in HOME and in the project, and dpkg and apt keep books of their own
	files() {
		(cd "$ROOT" && find . -xdev \( -path ./root -o -path ./project -o -path ./proc -o -path './var/lib/dpkg/*' -o -path './var/lib/apt/*' \
			-o -path './var/cache/*' -o -path './var/log/*' -o -path './tmp/*' -o -path './run/*' \) -prune -o -print | sort)
	}
	cp "$DEB" "$ROOT/firebreak.deb"
	within apt-get -q update >"$WORK/update.out" 2>&1
	files >"$WORK/before"
	in_root() { within env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends /firebreak.deb; }
	check "a check runs in a bare root" check_in_bare_root "$(basename "$DEB"), $(stat -c %s "$DEB") bytes" in_root
	echo "installed with it: $(sed -nE '/NEW packages/,/newly installed/p' "$WORK/unpack.out" | grep -E '^  ' | xargs)"
	sed -nE 's/^Need to get (.*) of archives.*/downloaded beside it: \1/p' "$WORK/unpack.out"
	removed() { within sh -c 'apt-get -q -y --purge remove firebreak && apt-get -q -y --purge autoremove' && files >"$WORK/after" && diff "$WORK/before" "$WORK/after"; }
	check "it goes without a trace" removed
else
	echo "not run in a bare root: $WHY"
fi
finish
