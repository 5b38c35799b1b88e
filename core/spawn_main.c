/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-spawn: starts one command and owns its whole process tree. See core/spawnprotocol.h.
 * usage: firebreak-spawn REPORT_FD RELEASE_FD GRACE_MS CPU_LIST SLICE_NS MANNER ADDRESSES PRIVILEGES FOLDER COMMAND
 *        [ARG...]
 * CPU_LIST is comma separated, "-" = do not pin; SLICE_NS 0 = the kernel's time slice; MANNER is confined or as-caller,
 * ADDRESSES fixed or usual, PRIVILEGES may-gain or no-new. The environment is handed on unchanged. */
#include "core/spawnprotocol.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSES 32768
/* Limits that programs find where everything is to be the same each time. */
#define FIXED_OPEN_FILES 1024
#define FIXED_STACK_BYTES (16 * 1024 * 1024)

/* Only touched when a tree has to be killed, so it costs no memory otherwise. */
static struct {
	pid_t pid, parent;
	int ours;
} processes[MAX_PROCESSES];

static int report_fd;

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

static void report(const struct SpawnMessage *message)
{
	while (write(report_fd, message, sizeof *message) < 0 && errno == EINTR)
		;
}

static void fail(int error)
{
	struct SpawnMessage message = {.kind = SPAWN_FAILED, .error = error};
	report(&message);
	_exit(1);
}

static pid_t parent_of(const char *pid)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	/* the name is in parentheses and may hold anything, also parentheses */
	const char *end = strrchr(text, ')');
	int parent = -1;
	if (end == NULL || sscanf(end + 1, " %*c %d", &parent) != 1)
		return -1;
	return parent;
}

static size_t list_processes(void)
{
	size_t n = 0;
	DIR *proc = opendir("/proc");
	if (proc == NULL)
		return 0;
	for (struct dirent *entry; (entry = readdir(proc)) != NULL && n < MAX_PROCESSES;) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		pid_t parent = parent_of(entry->d_name);
		if (parent < 0)
			continue;
		processes[n].pid = atoi(entry->d_name);
		processes[n].parent = parent;
		processes[n].ours = parent == getpid();
		n++;
	}
	closedir(proc);
	return n;
}

static int is_ours(size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (processes[i].pid == pid)
			return processes[i].ours;
	return 0;
}

/* Sends `sig` to every descendant. As subreaper this process is an ancestor of all of them. One that is forked
 * meanwhile is missed, so whoever kills repeats this until none is left. */
static void signal_descendants(int sig)
{
	size_t n = list_processes();
	for (int changed = 1; changed;) {
		changed = 0;
		for (size_t i = 0; i < n; i++)
			if (!processes[i].ours && is_ours(n, processes[i].parent))
				changed = processes[i].ours = 1;
	}
	for (size_t i = 0; i < n; i++)
		if (processes[i].ours)
			kill(processes[i].pid, sig);
}

/* The CPUs of the list; where it names none, those that this process has. */
static cpu_set_t read_cpus(const char *list)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	if (strcmp(list, "-") == 0) {
		sched_getaffinity(0, sizeof set, &set);
		return set;
	}
	for (const char *at = list; *at != '\0';) {
		char *end;
		long cpu = strtol(at, &end, 10);
		if (end == at || cpu < 0 || cpu >= CPU_SETSIZE)
			fail(EINVAL);
		CPU_SET(cpu, &set);
		at = *end == ',' ? end + 1 : end;
	}
	return set;
}

static void pin(const char *list)
{
	cpu_set_t set, got;
	if (strcmp(list, "-") == 0)
		return;
	set = read_cpus(list);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		fail(errno);
	/* the kernel cuts the set down to what is allowed without an error */
	if (sched_getaffinity(0, sizeof got, &got) != 0 || !CPU_EQUAL(&set, &got))
		fail(EINVAL);
}

/* The first version of struct sched_attr (man sched_setattr(2)), which every kernel takes. Its header cannot be
 * included together with sched.h everywhere. */
struct schedule {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* Asks for a time slice, which the fair scheduler of Linux 6.12 and later grants between 0.1 and 100 ms. Kernels that
 * do not know it ignore or refuse it, and policies without slices have no use for it: that is no error. Nice value,
 * policy and flags stay as they are. */
static void take_slice(int64_t slice_ns)
{
	struct schedule schedule = {.size = sizeof schedule};
	if (slice_ns <= 0 || syscall(SYS_sched_getattr, 0, &schedule, sizeof schedule, 0) != 0)
		return;
	if (schedule.policy != SCHED_OTHER && schedule.policy != SCHED_BATCH)
		return;
	schedule.runtime_ns = (uint64_t)slice_ns;
	syscall(SYS_sched_setattr, 0, &schedule, 0);
}

static int is_within(const cpu_set_t *set, const cpu_set_t *allowed)
{
	cpu_set_t both;
	CPU_AND(&both, set, allowed);
	return CPU_EQUAL(&both, set);
}

/* The schedule of a process that is not yet reaped; pid 0 = this one. What cannot be read counts as unchanged. */
static struct SpawnSchedule schedule_of(pid_t pid, const cpu_set_t *allowed)
{
	struct schedule schedule = {.size = sizeof schedule};
	struct SpawnSchedule found = {.policy = -1, .on_cpus = 1};
	cpu_set_t set;
	if (syscall(SYS_sched_getattr, pid, &schedule, sizeof schedule, 0) == 0) {
		found.policy = (int32_t)schedule.policy;
		found.nice = schedule.nice;
	}
	if (sched_getaffinity(pid, sizeof set, &set) == 0)
		found.on_cpus = (uint32_t)is_within(&set, allowed);
	return found;
}

/* Asks for the same addresses each time, for itself and what it starts. Containers may forbid it. */
static int fix_addresses(void)
{
	int now = personality(0xffffffff); /* only asks */
	return now != -1 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1;
}

static void set_soft_limit(int resource, rlim_t wanted)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) != 0)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	setrlimit(resource, &limit);
}

/* Settings of the child's start, from the options. */
struct manner {
	const char *cpus, *folder;
	int64_t slice_ns;
	int confined, fixed_addresses, no_new_privileges;
};

static void run_child(char **argv, int release_fd, int error_fd, struct manner manner)
{
	sigset_t none;
	char byte;
	ssize_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	pin(manner.cpus);
	take_slice(manner.slice_ns);
	int fixed = manner.fixed_addresses && fix_addresses();
	if (manner.fixed_addresses) {
		set_soft_limit(RLIMIT_NOFILE, FIXED_OPEN_FILES);
		/* The kernel maps libraries below the largest stack that the limit allows (mmap_base() in mm/util.c and
		 * arch/x86), so another limit would mean other addresses. */
		set_soft_limit(RLIMIT_STACK, FIXED_STACK_BYTES);
	}
	if (manner.no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		fail(errno);
	if (chdir(manner.folder) != 0)
		fail(errno);
	if (manner.confined) {
		umask(022);
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	}
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	struct SpawnMessage ready = {.kind = SPAWN_READY, .pid = getpid(), .fixed_addresses = (uint32_t)fixed};
	report(&ready);
	while ((n = read(release_fd, &byte, 1)) < 0 && errno == EINTR)
		;
	/* The other end was closed without the word to go: the run was given up. */
	if (n != 1)
		_exit(127);
	execvp(argv[0], argv);
	int error = errno;
	while (write(error_fd, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Waits for SIGCHLD or SIGTERM, at most until `deadline_ns` (0: for ever). Returns the signal, 0 at the deadline. */
static int wait_signal(const sigset_t *set, int64_t deadline_ns)
{
	if (deadline_ns == 0) {
		int s = sigwaitinfo(set, NULL);
		return s > 0 ? s : SIGCHLD;
	}
	int64_t left = deadline_ns - now_ns();
	if (left <= 0)
		return 0;
	struct timespec t = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
	int s = sigtimedwait(set, NULL, &t);
	return s > 0 ? s : errno == EAGAIN ? 0 : SIGCHLD;
}

/* The process that is supervised. */
struct charge {
	pid_t pid;
	int error_fd; /* says why exec failed */
	int64_t grace_ns;
	cpu_set_t cpus;
	struct SpawnSchedule began;
};

/* A process that has ended, still a zombie; 0 = none has, -1 = there is none left. */
static pid_t next_ended(void)
{
	siginfo_t info = {0};
	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : -1;
}

static void supervise(const struct charge *charge)
{
	struct SpawnMessage exited = {.kind = SPAWN_EXITED, .began = charge->began, .ended = charge->began};
	struct SpawnMessage done = {.kind = SPAWN_DONE};
	int main_ended = 0, killing = 0;
	int64_t deadline_ns = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	for (;;) {
		int status;
		struct rusage usage;
		pid_t pid;
		while ((pid = next_ended()) > 0) {
			/* a zombie still tells how it was scheduled */
			if (pid == charge->pid)
				exited.ended = schedule_of(pid, &charge->cpus);
			wait4(pid, &status, 0, &usage);
			if (pid == charge->pid) {
				int error;
				exited.end_ns = now_ns();
				exited.status = status;
				exited.user_ns = timeval_ns(usage.ru_utime);
				exited.system_ns = timeval_ns(usage.ru_stime);
				exited.switches = usage.ru_nvcsw + usage.ru_nivcsw;
				exited.faults = usage.ru_minflt + usage.ru_majflt;
				exited.max_rss_bytes = (int64_t)usage.ru_maxrss * 1024;
				if (read(charge->error_fd, &error, sizeof error) == sizeof error)
					report(&(struct SpawnMessage){.kind = SPAWN_EXEC_FAILED, .error = error});
				report(&exited);
				main_ended = 1;
				if (deadline_ns == 0)
					deadline_ns = now_ns() + charge->grace_ns;
			} else {
				done.orphans += main_ended != 0;
				done.orphan_cpu_ns += timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime);
				done.orphans_killed += main_ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
			}
		}
		if (pid < 0 && errno == ECHILD)
			break;
		if (killing)
			signal_descendants(SIGKILL);
		int s = wait_signal(&set, killing ? now_ns() + 20000000 : deadline_ns);
		if (s == SIGTERM && !killing) {
			signal_descendants(SIGTERM);
			if (deadline_ns == 0)
				deadline_ns = now_ns() + charge->grace_ns;
		} else if (s == 0) {
			killing = 1;
		}
	}
	report(&done);
}

int main(int argc, char **argv)
{
	int error_pipe[2];
	sigset_t set;

	if (argc < 11) {
		fprintf(stderr, "firebreak-spawn is started by firebreak\n");
		return 2;
	}
	report_fd = atoi(argv[1]);
	int release_fd = atoi(argv[2]);
	fcntl(report_fd, F_SETFD, FD_CLOEXEC);
	fcntl(release_fd, F_SETFD, FD_CLOEXEC);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* If firebreak dies, this process ends the tree as if it had been asked to. As a subreaper it becomes the
	 * parent of processes whose own has ended, so none of them gets out of its sight. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setsid();
	if (pipe2(error_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		fail(errno);
	struct charge charge = {
	        .error_fd = error_pipe[0],
	        .grace_ns = (int64_t)atol(argv[3]) * 1000000,
	        .cpus = read_cpus(argv[4]),
	};
	charge.began = schedule_of(0, &charge.cpus);
	charge.began.on_cpus = 1; /* once it is pinned */
	charge.pid = fork();
	if (charge.pid < 0)
		fail(errno);
	if (charge.pid == 0)
		run_child(argv + 10, release_fd, error_pipe[1],
		        (struct manner){
		                .cpus = argv[4],
		                .slice_ns = atoll(argv[5]),
		                .confined = strcmp(argv[6], SPAWN_CONFINED) == 0,
		                .fixed_addresses = strcmp(argv[7], SPAWN_FIXED_ADDRESSES) == 0,
		                .no_new_privileges = strcmp(argv[8], SPAWN_NO_NEW_PRIVILEGES) == 0,
		                .folder = argv[9],
		        });
	close(error_pipe[1]);
	close(release_fd);
	/* what the child prints goes to its pipes; keeping them open here would hide their end */
	close(0);
	close(1);
	close(2);
	supervise(&charge);
	return 0;
}
