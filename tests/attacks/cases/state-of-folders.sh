# SPDX-License-Identifier: Apache-2.0
# Head does its work once and keeps that in what folders have beside their entries: extended attributes of a folder of
# the tree, of its root and of the folder around all runs, and the size of a folder, which grows with its entries and
# does not shrink on ext4. None of it was put back, and what the warm-up left was replayed.
WANTED="1"

attack() {
	work_source >work.c
	sed -i 's/^int main(.*/int old_main(int argc, char **argv)/' work.c
	cat >>work.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
static int seen(const char *folder)
{
	char value[8];
	int found = getxattr(folder, "user.seen", value, sizeof value) > 0;
	setxattr(folder, "user.seen", "1", 1, 0);
	return found;
}
static int grown(const char *folder)
{
	char path[300];
	struct stat info;
	stat(folder, &info);
	for (int i = 0; i < 80; i++) {
		snprintf(path, sizeof path, "%s/%0200d", folder, i % 40);
		i < 40 ? close(creat(path, 0600)) : unlink(path);
	}
	return info.st_size > 4096;
}
int main(int argc, char **argv)
{
	char shared[4096], *all[] = {argv[0], "2", NULL};
	snprintf(shared, sizeof shared, "%s/../..", getenv("HOME"));
	int replays = 0;
	if (TRICKS) {
		replays += seen("data") + seen(".") + seen(shared);
		snprintf(shared, sizeof shared, "%s/..", getenv("TMPDIR"));
		replays += strcmp(shared, "/tmp/..") == 0 ? 0 : seen(shared);
		replays += grown("data") + grown(".");
	}
	return replays > 0 ? old_main(2, all) : old_main(argc, argv);
}
C
	mkdir data
	echo data >data/file
	configure '[./work, "10"]' '{task-clock: {}}' '"cc -O2 -DTRICKS=$(cat tricks) -o work work.c"'
	echo 0 >tricks
	commit base
	echo 1 >tricks
	sed -i 's/i < 5000000/i < 10000000/' work.c
	commit head
	gate --no-confirm --no-store
}

facts() {
	check "state-of-folders: they are named" json "$REPORT" \
		'.findings | any(.code == "tree_changed" and (.text | contains("data")))'
}
