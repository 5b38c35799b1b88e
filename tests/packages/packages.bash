# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of packages after checks.sh: the packages that `./dev package` made, and bare roots to try them in.
# shellcheck shell=bash disable=SC2034 # WHY is read by the tests
DIST=${FIREBREAK_PACKAGES:-$SOURCE_DIR/build/package/dist}

# package_named PATTERN: the package; ends the script as skipped where there is none.
package_named() {
	compgen -G "$DIST/$1" | head -n 1
}

# What every package has: its check sum, and a list of parts that names each of its files as it is.
check_sums_hold() { (cd "$DIST" && sha256sum --quiet --check SHA256SUMS && grep -q " $(basename "$1")\$" SHA256SUMS); }
parts_are_listed() { # parts_are_listed PACKAGE TREE
	python3 "$SOURCE_DIR/tests/packages/spdx_check.py" "$1.spdx.json" "$1" "$2"
}
# no_path FILE...: no program tells where it was built
no_path() { is "$(strings -a "$@" | grep -F -e "$SOURCE_DIR" -e build/package -e /build/firebreak | head -n 3)" ''; }
is_stripped() { # is_stripped FILE...
	local file
	for file; do
		! readelf -SW "$file" | grep -E '\.(symtab|debug_)' || { echo "$file has symbols"; return 1; }
	done
}

# A root with what Debian calls required, made by debootstrap and kept in build/package for the next test: no compiler, no
# git, no shell but sh and bash. Sets WHY where there cannot be one.
bare_root() { # bare_root SUITE
	local kept=$SOURCE_DIR/build/package/bare-$1 components=main new
	WHY=
	[ "$(id -u)" = 0 ] || { WHY="needs root, to change into another root"; return 1; }
	command -v debootstrap >/dev/null || { WHY="no debootstrap (./dev package installs it)"; return 1; }
	unshare --mount true 2>/dev/null || { WHY="no mount namespaces here"; return 1; }
	[ -d "$kept" ] && return 0
	new=$kept.new.$$
	mkdir -p "$(dirname "$kept")"
	# the mirror that debootstrap knows for the suite, unless another one is named; Ubuntu has libgit2 in universe
	grep -q '^ID=ubuntu' /etc/os-release && components=main,universe
	if ! debootstrap --variant=minbase --components=$components "$1" "$new" ${FIREBREAK_MIRROR:+"$FIREBREAK_MIRROR/debian"} \
		>"$WORK/debootstrap.log" 2>&1; then
		WHY="debootstrap cannot make a root of $1: $(tail -n 1 "$WORK/debootstrap.log")"
		rm -rf --one-file-system "$new"
		return 1
	fi
	mv -T "$new" "$kept" 2>/dev/null || rm -rf --one-file-system "$new"
}
use_bare_root() { # use_bare_root SUITE: sets ROOT to a fresh copy
	ROOT=$WORK/root-$1
	cp -a "$SOURCE_DIR/build/package/bare-$1" "$ROOT" && cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
}
# within COMMAND...: runs it in $ROOT with /proc and /sys, which go when it ends
within() {
	# shellcheck disable=SC2016 # the inner shell expands these
	unshare --mount --propagation private bash -c 'mount -t proc proc "$1/proc" && mount -t sysfs -o ro sys "$1/sys" &&
		mount --bind /dev "$1/dev" && exec chroot "$@"' - "$ROOT" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C "$@"
}

# A project that is built by a script and needs no compiler; head does about twice the work of base.
project() { # project FOLDER
	git init -q -b main "$1" && (
		cd "$1" || exit 1
		git config user.name dev && git config user.email dev@example.org
		cat >firebreak.yml <<-'YAML'
			version: 1
			build: {command: sh build.sh}
			benchmarks:
			  - {name: count, command: [sh, out/count.sh]}
		YAML
		# shellcheck disable=SC2016 # the script expands these
		echo 'mkdir -p out && { echo "i=0"; echo "while [ \$i -lt $(cat count.txt) ]; do i=\$((i + 1)); done"; } >out/count.sh' >build.sh
		echo 400000 >count.txt
		git add -A && git commit -qm "base"
		echo 800000 >count.txt
		git commit -qam "slower"
	)
}

# check_in_bare_root WHAT UNPACK...: the project is checked in $ROOT, by the package that UNPACK... puts there. Records the
# seconds from unpacking to the first line of the check, and to its end.
check_in_bare_root() {
	local what=$1 begun first code line
	shift
	project "$ROOT/project"
	begun=$EPOCHREALTIME
	"$@" >"$WORK/unpack.out" 2>&1 || { cat "$WORK/unpack.out"; return 1; }
	# shellcheck disable=SC2016 # the inner shell expands this
	within sh -c 'git config --version >/dev/null 2>&1 && echo "there is a git"; cc --version >/dev/null 2>&1 && echo "there is a compiler"
		cd /project && exec firebreak check --base HEAD~1 --head HEAD --rounds 9 --no-confirm' >"$WORK/check.said" 2>&1 < <(:) &
	while [ ! -s "$WORK/check.said" ] && kill -0 $! 2>/dev/null; do sleep .02; done
	first=$EPOCHREALTIME
	wait $!
	code=$?
	line=$(head -n 1 "$WORK/check.said")
	awk -v what="$what" -v begun="$begun" -v first="$first" -v end="$EPOCHREALTIME" \
		'BEGIN { printf "%s: %.1f s from unpacking to the first line of the check, %.1f s to its end\n", what, first - begun, end - begun }' >&3
	[ $code = 1 ] || [ $code = 3 ] || { tail -n 20 "$WORK/check.said"; echo "exit code $code"; return 1; }
	[[ $line == base* ]] || { echo "first line: $line"; return 1; }
	cp "$ROOT/project/firebreak-out/report.json" "$WORK/report.json" && json "$WORK/report.json" \
		'.benchmarks[0].name == "count" and .exit_code == '"$code"' and (.benchmarks[0].metrics | map(select(.name == "task-clock"))[0].change_pct > 50)'
}
exec 3>&1
