/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-ins for functions of later releases of glibc, for a build with 2.31. Included before everything else by
 * packaging/portable/build.sh; no other build sees it. */
#ifndef PACKAGING_PORTABLE_GLIBC231_H
#define PACKAGING_PORTABLE_GLIBC231_H

#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>

/* 2.32; the kernel has it since 5.6 */
#ifndef SYS_openat2
#define SYS_openat2 __NR_openat2
#endif

/* 2.32: the name without SIG, or NULL */
static inline const char *sigabbrev_np(int number)
{
	static const char *const names[] = {
	        [SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT", [SIGILL] = "ILL",   [SIGTRAP] = "TRAP",
	        [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",   [SIGKILL] = "KILL", [SIGUSR1] = "USR1",
	        [SIGSEGV] = "SEGV",     [SIGUSR2] = "USR2", [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
	        [SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
	        [SIGTTIN] = "TTIN",     [SIGTTOU] = "TTOU", [SIGURG] = "URG",   [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
	        [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGPOLL] = "POLL", [SIGPWR] = "PWR",   [SIGSYS] = "SYS",
	        [SIGWINCH] = "WINCH",
	};
	return number >= 0 && (size_t)number < sizeof names / sizeof *names ? names[number] : NULL;
}

/* 2.34. Descriptors that another thread opens between this and posix_spawn() are not closed, unless they are
 * close-on-exec, which those of GLib and of firebreak are. */
static inline int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	int result = 0;
	if (folder == NULL)
		return 0;
	while (result == 0 && (entry = readdir(folder)) != NULL)
		if (atoi(entry->d_name) >= from)
			result = posix_spawn_file_actions_addclose(actions, atoi(entry->d_name));
	closedir(folder);
	return result;
}

#endif
