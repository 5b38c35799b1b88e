# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that inject faults into the store. FAULTS_DIR is a folder of its own for one program of
# tests/faults, in memory where that goes, since syncing a disk takes most of the time otherwise.
: "${FIREBREAK:?names the program under test}" "${SOURCE_DIR:?names the source tree}"
if ! [ -x "$FIREBREAK" ] || ! [ -d "$SOURCE_DIR/tests/faults" ]; then
	echo "FIREBREAK or SOURCE_DIR names nothing that is there" >&2
	exit 2
fi
MEMORY=/dev/shm
[ -w "$MEMORY" ] || MEMORY=${TMPDIR:-/tmp}

# faults FOLDER PROGRAM ARGUMENT...: runs tests/faults/PROGRAM.py in a new folder below FOLDER, which goes afterwards.
faults() {
	local program=$2 status=0 folder
	folder=$(mktemp -d "$1/firebreak-faults.XXXXXX") || return 1
	shift 2
	FAULTS_DIR=$folder PYTHONDONTWRITEBYTECODE=1 nice python3 "$SOURCE_DIR/tests/faults/$program.py" "$@" || status=$?
	rm -rf --one-file-system "${folder:?}"
	return $status
}

# Says why and ends the script where system calls cannot be traced.
need_strace() {
	if ! strace -o /dev/null -e inject=getppid:error=EPERM true 2>/dev/null; then
		echo "skipped: there is no strace that can inject faults here"
		exit 77
	fi
}
