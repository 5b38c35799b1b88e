#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Modules do not include each other in a circle, folders use each other in one order, none has more modules than a reader
# takes in at a look, prototypes have comments, and what decides in the gate has a unit test (map.py). SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

map() { python3 "$SOURCE_DIR/tests/structure/map.py"; }
map
check "no include cycle, folders in order and none too full, comments on prototypes, tests of what decides in the gate" map

# The rules themselves, on a tree with a cycle and a full folder.
mkdir -p "$WORK/tree/core/full" && cd "$WORK/tree" || exit 1
printf '#include "core/b.h"\n' >core/a.h
printf '#include "core/a.h"\n' >core/b.c
mkdir -p runner/events runner/record && printf '#include "runner/record/above.h"\n' >runner/events/below.h
touch runner/record/above.h
mkdir -p gate tests/gate && printf 'int f(int a)\n{\n\tif (a > 0)\n\t\treturn 1;\n\treturn 2;\n}\n' | tee gate/bare.c >gate/tested.c
touch tests/gate/tested_test.c
printf '/* b */\nint b(void);\nint bare(int a);\n' >core/b.h
for i in {1..31}; do touch "core/full/m$i.h"; done
check "a cycle is found" grep -qx 'modules that include each other in a circle: core/a core/b' <(map)
check "a use against the order of the folders is found" grep -qx \
	'runner/events/below uses runner/record/above, whose folder comes later in layers.txt' <(map)
check "a module of the gate that decides and has no unit test is found" grep -qx \
	'modules of gate/ that decide and lack one: gate/bare' <(map)
check "a full folder is found" grep -q '^core/full/ has 31 modules' <(map)
printf '/* a\n * b */\nint x; /* c */\n// d\n\nint y;\nint z;\nint u;\nint v;\nint w;\n' >core/b.c
printf '' | tee gate/bare.c >gate/tested.c
check "lines that are nothing but comment are counted" grep -qx 'comment lines of sources: 30.0 %' <(map)
check "a prototype without a comment is found" grep -q "^core/b.h:3: bare() has no comment" <(map)
finish
