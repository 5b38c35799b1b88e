# SPDX-License-Identifier: Apache-2.0
# Programs load a library by its absolute path in the cached build. Head's run writes a slower library over that of base,
# in the cache, and sets its times back: from the next round on, base was as slow as head.
WANTED="1 4"

attack() {
	work_source | sed 's/int main(/int work(/' >lib.c
	cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int work(int argc, char **argv);
int main(int argc, char **argv)
{
	if (HEAD)
		system("for lib in \"$(dirname \"$(cat where)\")\"/../*/tree/lib.so; do cmp -s \"$(cat where)/lib.so\" $lib && "
		       "continue; chmod u+w \"$(dirname $lib)\" $lib; touch -r $lib ../time; cp \"$(cat where)/lib.so\" new.so; "
		       "cat new.so >$lib; touch -r ../time $lib; done");
	return work(argc, argv);
}
C
	cat >firebreak.yml <<'YML'
version: 1
build: {command: "pwd >where; cc -O2 -shared -fPIC -o lib.so lib.c && cc -O2 -DHEAD=0 -o work main.c $PWD/lib.so"}
benchmarks:
  - name: work
    command: [./work, "10"]
    schedule: sequential
    gate: {task-clock: {}}
YML
	commit base
	sed -i 's/i < 5000000/i < 10000000/' lib.c
	sed -i 's/DHEAD=0/DHEAD=1/' firebreak.yml
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "library-in-cache: the file is named" json "$REPORT" \
		'.findings | any(.code == "tree_changed" and (.text | contains("lib.so")))'
}
