/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes: a command with its whole process tree, started in a known state, watched, and ended for certain.
 *
 * Calling order: child_prepare() starts it up to just before exec; the caller may attach perf events to child_pid();
 * child_release() lets it go; child_wait_all() drains the output of one or several children until all have ended, with
 * every descendant; child_result() tells how it went. Standard input is a file, usually /dev/null; output is always
 * drained, and only the last `keep_bytes` of each stream are kept; unless the child has the caller's own input and
 * output. A child that overruns its time gets SIGTERM, then SIGKILL, with all its descendants, also those that left its
 * session.
 * child_free() ends it the same way if it still runs. It has no controlling terminal.
 *
 * Times are CLOCK_MONOTONIC nanoseconds. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct {
	const char *const *argv; /* program and arguments, NULL-terminated; the program is looked up in PATH */
	const char *const *envp; /* the whole environment, NULL-terminated */
	const char *cwd;
	const char *input; /* the file that is its standard input, which must be there; NULL = /dev/null */
	const int *cpus;   /* CPUs to pin to; n_cpus 0 = not pinned */
	guint n_cpus;
	gint64 slice_ns; /* time slice asked of the scheduler (sched_setattr), inherited; 0 = the kernel's own */
	/* personality(ADDR_NO_RANDOMIZE), inherited; where that is forbidden, nothing happens. The limits of open files
	 * and of the stack are set to 1024 and 16 MiB, too, as far as the hard limits allow: programs look at them */
	gboolean fixed_addresses;
	/* PR_SET_NO_NEW_PRIVS, inherited: setuid, setgid and file capabilities have no effect on what it executes */
	gboolean no_new_privileges;
	gint64 timeout_ms; /* from release to the end of the main process; 0 = none */
	gint64 grace_ms;   /* between SIGTERM and SIGKILL, and for descendants that outlive the main process; 0 = 1 s */
	gsize keep_bytes;  /* tail kept of each output stream; 0 = 64 KiB */
	/* the child keeps the caller's standard input, output and error, umask and core limit, as a command that a user
	 * starts; nothing of its output is kept or counted */
	gboolean pass_io;
} ChildSpec;

/* Scheduling of a process, as the kernel reports it. */
typedef struct {
	int policy; /* SCHED_OTHER, SCHED_BATCH, ... (sched.h); -1 = not known */
	int nice;
	gboolean on_cpus; /* it may run on no other CPUs than those that the child was started on */
} ChildSchedule;

typedef struct {
	int exit_code; /* of the main process; -1 if it ended by a signal */
	int signal;    /* the signal that ended it, 0 if none */
	gboolean timed_out;
	int exec_errno;               /* not 0: the program could not be started at all */
	gboolean fixed_addresses;     /* they were asked for, and granted */
	gint64 start_ns, end_ns;      /* release, end of the main process */
	gint64 user_ns, system_ns;    /* main process and the children it waited for */
	gint64 switches;              /* how often these were switched away from a CPU */
	gint64 faults;                /* and how often a page was mapped because they touched it */
	gint64 max_rss_bytes;         /* largest single process of them, the launcher's memory excluded */
	ChildSchedule began, ended;   /* the main process as it was started, and its first thread at its end */
	guint orphans;                /* descendants that outlived the main process */
	guint orphans_killed;         /* of these, killed after the grace time */
	gint64 orphan_cpu_ns;         /* CPU time of descendants that the main process did not wait for */
	GString *out, *err;           /* kept tails */
	guint64 out_bytes, err_bytes; /* written in all */
} ChildResult;

typedef struct Child Child;

/* Work of the caller that is done from time to time while children run. */
typedef gboolean (*ChildTick)(gpointer data, GError **error);

/* A descriptor of the caller's; `ready` is called with `data` whenever it can be read. It is not looked at any more
 * once its other end is gone. */
typedef struct {
	int fd;
	ChildTick ready;
	gpointer data;
} ChildWatch;

typedef struct {
	ChildTick tick; /* called about every 25 ms, and once after the last child has ended; may be NULL */
	gpointer data;  /* of `tick` */
	const ChildWatch *watches;
	guint n_watches;
} ChildDuties;

/* Starts a child that waits before exec. `spec` is only read during the call. Errors: FIREBREAK_ERROR_ENVIRONMENT when
 * firebreak-spawn is missing, the CPUs cannot be had or the folder cannot be entered. */
Child *child_prepare(const ChildSpec *spec, GError **error);
void child_free(Child *child);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Child, child_free)

/* Process id of the main process. */
pid_t child_pid(const Child *child);
/* Lets it exec. Releasing several children in a row starts them within microseconds of each other. */
void child_release(Child *child);
/* Waits until all of them have ended with every descendant. On an error of a duty, or on cancellation (core/cancel.h),
 * the children are ended first and the error is returned. How a child ended is not an error here. `duties` may be
 * NULL. */
gboolean child_wait_all(Child *const *children, guint n, const ChildDuties *duties, GError **error);
/* Valid after child_wait_all(); borrowed. */
const ChildResult *child_result(const Child *child);

/* "exited with 3", "exited with 134: SIGABRT (128+6)", "killed by SIGSEGV (Segmentation fault)", "timed out", "could
 * not be started: No such file". NULL if it exited with 0. Owned by the caller. */
char *child_describe_failure(const ChildResult *result);

/* prepare + release + wait of one child. Returns NULL on error; else the child, for child_result(). */
Child *child_run(const ChildSpec *spec, GError **error);
