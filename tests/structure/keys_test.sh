#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every field that firebreak.yml is read into is used by something: a key that is only read, checked and documented does
# nothing. The compiler tells who uses a field: the sources are checked with a copy of runner/config/configdata.h in which
# each field is marked as deprecated. SOURCE_DIR names the repository, FIREBREAK the built program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
commands=$(dirname "$FIREBREAK")/compile_commands.json
[ -e "$commands" ] || skip_all "there is no $commands"

mkdir -p "$WORK/marked/runner/config"
# Marks the fields of the structs; prints STRUCT.FIELD, one per line.
mark_fields() {
	python3 - runner/config/configdata.h "$WORK/marked/runner/config/configdata.h" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
def mark_struct(found):
    def mark_line(line):
        names = re.findall(r"[ *](\w+)(?=[,;])", line)
        for name in names:
            print(f"{found[2]}.{name}")
        marks = f' __attribute__((deprecated("{found[2]}"))) '
        return re.sub(r"(\w)(?=[,;])", rf"\1{marks}", line) + "\n"
    fields = re.sub(r"/\*.*?\*/", "", found[1], flags=re.S)
    return "typedef struct {\n" + "".join(map(mark_line, fields.split("\n"))) + "} " + found[2] + ";\n"
marked = re.sub(r"typedef struct \{\n(.*?)\} (\w+);\n", mark_struct, text, flags=re.S)
open(sys.argv[2], "w").write(marked)
PY
}
mark_fields | sort >"$WORK/fields"

# Code that reads firebreak.yml, or compares two of them, uses no field; runner/config/configlookup.c answers questions.
users() {
	grep -rlE "(->|\.)($(cut -d. -f2 "$WORK/fields" | paste -sd'|'))\b" --include='*.c' runner gate cli |
		grep -v '^runner/config/'
	echo runner/config/configlookup.c
}
used() { # STRUCT.FIELD of all fields that the users name
	local flags
	flags=$(python3 -c '
import json, re, shlex, sys
command = next(c["command"] for c in json.load(open(sys.argv[1])) if c["file"].endswith("/gate/gate.c"))
words = shlex.split(command)
print(*(w for i, w in enumerate(words) if re.match("-(I|isystem|D|std)", w) or words[i - 1] == "-isystem"), sep="\n")
' "$commands")
	# shellcheck disable=SC2086 # the flags are words
	users | LC_ALL=C xargs -P2 -n8 cc -I"$WORK/marked" -I. $flags -fsyntax-only -Wdeprecated-declarations 2>&1 |
		sed -nE "s/.*warning: '(\w+)' is deprecated: (\w+).*/\2.\1/p" | sort -u
}
used >"$WORK/used"
check 'the fields of the configuration are found' test "$(wc -l <"$WORK/fields")" -gt 40
check 'every field of firebreak.yml is used outside its readers' is "$(comm -23 "$WORK/fields" "$WORK/used")" ''
finish
