# SPDX-License-Identifier: Apache-2.0
# The program does a quarter of its work where a path names the side: working folder, its own file, HOME, TMPDIR or any
# other variable. Trees were called base and head, and HOME and TMPDIR tmpb and tmph, so that a head that does twice the
# work passed with -50 %.
WANTED="1"

attack() {
	work_source | sed 's/int main(/int work(/' >work.c
	cat >>work.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static int tells(const char *text)
{
	return strstr(text, "/head") != NULL || strstr(text, "tmph") != NULL || strstr(text, ".head.") != NULL;
}
int main(int argc, char **argv)
{
	char path[4096] = "", exe[4096] = "";
	int is_head = getcwd(path, sizeof path) != NULL && tells(path);
	is_head |= readlink("/proc/self/exe", exe, sizeof exe - 1) > 0 && tells(exe);
	for (char **variable = environ; *variable != NULL; variable++)
		is_head |= tells(*variable);
	char *less[] = {argv[0], "6", NULL};
	return work(argc, is_head ? less : argv);
}
C
	configure
	commit base
	sed -i 's/i < 5000000/i < 10000000/' work.c
	commit head
	gate --no-confirm --no-store
}
