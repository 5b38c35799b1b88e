#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ./dev finds out which packages are missing. dpkg is played by two scripts, so nothing is asked and nothing installed.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1

mkdir "$WORK/bin"
cat >"$WORK/bin/dpkg" <<'SH'
#!/bin/bash
[ "$1" = --print-architecture ] && echo amd64
SH
# All packages are there, for amd64 or for all, but for one that is there only as FOREIGN says and one that is ABSENT.
cat >"$WORK/bin/dpkg-query" <<'SH'
#!/bin/bash
for argument; do
	case $argument in
	-f=*) format=${argument#-f=} ;;
	-* | "$ABSENT") ;;
	*)
		architecture=amd64
		[[ $argument != python3-* ]] || architecture=all
		[ "$argument" != "$FOREIGN" ] || architecture=i386
		line=${format//'${db:Status-Status}'/installed}
		line=${line//'${Architecture}'/$architecture}
		printf '%b' "${line//'${Package}'/$argument}"
		;;
	esac
done
SH
chmod +x "$WORK/bin/dpkg" "$WORK/bin/dpkg-query"

# missing FOREIGN ABSENT: what ./dev asks for, in a copy of it that has nothing to build.
missing() {
	mkdir -p "$WORK/tree/tests/structure"
	cp "$SOURCE_DIR/dev" "$WORK/tree/"
	echo 'echo ready' >"$WORK/tree/tests/structure/format_test.sh"
	FOREIGN=$1 ABSENT=$2 FIREBREAK_NO_INSTALL=1 PATH=$WORK/bin:$PATH "$WORK/tree/dev" fmt 2>&1 |
		sed -n 's/.*missing: \([^;]*\);.*/\1/p; /^ready$/p'
}
check "nothing is missing where all packages are installed" is "$(missing none none)" ready
check "a package that is not installed is missing" is "$(missing none libgit2-dev)" libgit2-dev
check "so is one of another architecture" is "$(missing libgit2-dev none)" libgit2-dev
finish
