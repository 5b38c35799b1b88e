#!/bin/bash
# Modules do not include each other in a circle, no folder has more modules than a reader takes in at a look, and
# prototypes have comments (map.py). SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

map() { python3 "$SOURCE_DIR/tests/structure/map.py"; }
map
check "no include cycle, folders in order and none of more than 30 modules, and prototypes have comments" map

# The rules themselves, on a tree with a cycle and a full folder.
mkdir -p "$WORK/tree/core/full" && cd "$WORK/tree" || exit 1
printf '#include "core/b.h"\n' >core/a.h
printf '#include "core/a.h"\n' >core/b.c
mkdir -p runner/events runner/record && printf '#include "runner/record/above.h"\n' >runner/events/below.h
touch runner/record/above.h
printf '/* b */\nint b(void);\nint bare(int a);\n' >core/b.h
for i in {1..31}; do touch "core/full/m$i.h"; done
check "a cycle is found" grep -qx 'modules that include each other in a circle: core/a core/b' <(map)
check "a use against the order of the folders is found" grep -qx \
	'runner/events/below uses runner/record/above, whose folder comes later in layers.txt' <(map)
check "a full folder is found" grep -q '^core/full/ has 31 modules' <(map)
check "a prototype without a comment is found" grep -q "^core/b.h:3: bare() has no comment" <(map)
finish
