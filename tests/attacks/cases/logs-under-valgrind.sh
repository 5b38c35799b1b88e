# SPDX-License-Identifier: Apache-2.0
# Head does 30 times the work and takes away what tells of it: it truncates valgrind's log of requests not to count, and
# removes the dump that it asked for. It passed with less than base.
WANTED="4"

attack() {
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	echo '#include <valgrind/callgrind.h>' | cc -E - >/dev/null 2>&1 || skip "valgrind/callgrind.h is not installed"
	cat >work.c <<'C'
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>
volatile unsigned long sink;
__attribute__((noinline)) static void burn(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++)
		sink += i;
}
static int log_path(char *path, size_t size)
{
	char link[64];
	for (int fd = 3; fd < 4096; fd++) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(link, path, size - 1);
		if (n > 0 && (path[n] = '\0', strstr(path, "callgrind-log") != NULL))
			return 1;
	}
	return 0;
}
static void no_log(void)
{
	char path[4096];
	if (log_path(path, sizeof path))
		(void)!truncate(path, 0);
}
static void no_parts(void)
{
	char path[4096];
	if (!log_path(path, sizeof path))
		return;
	*strrchr(path, '/') = '\0';
	DIR *dir = opendir(path);
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		if (strncmp(entry->d_name, "callgrind.", 10) == 0 && strchr(entry->d_name + 10, '.') != NULL)
			unlinkat(dirfd(dir), entry->d_name, 0);
}
int main(void)
{
	burn(WORK);
	BEFORE;
	burn(HIDDEN);
	AFTER;
	return log_path == NULL || no_log == NULL || no_parts == NULL;
}
C
	cat >firebreak.yml <<'YML'
version: 1
build: {command: "sh build.sh"}
benchmarks:
  - {name: work, engines: [callgrind], command: [./work]}
YML
	echo 'eval "cc -O2 $(cat flags) -o work work.c"' >build.sh
	echo '-DWORK=1000000 -DBEFORE= -DHIDDEN=0 -DAFTER=' >flags
	commit base
	GOT=
	for hidden in \
		"-DBEFORE=CALLGRIND_STOP_INSTRUMENTATION '-DAFTER=CALLGRIND_START_INSTRUMENTATION;no_log()'" \
		"-DBEFORE= '-DAFTER=CALLGRIND_DUMP_STATS;no_parts()'" \
		"'-DBEFORE=int pid=fork();if(pid==0){' '-DAFTER=CALLGRIND_DUMP_STATS;no_parts();}wait(0)' -include sys/wait.h" \
		"-DBEFORE= '-DAFTER=CALLGRIND_DUMP_STATS;no_parts();execl(\"/bin/true\",\"true\",NULL)'"; do
		echo "-DWORK=900000 -DHIDDEN=30000000 $hidden" >flags
		git commit -qam hidden && git tag -f head >/dev/null
		gate --no-confirm --no-store
		GOT="$GOT $CODE"
	done
}

facts() {
	check "logs-under-valgrind: no log and no dump of the process, its copy or its successor is missing unseen" \
		is "$GOT" " 4 4 4 4"
}
