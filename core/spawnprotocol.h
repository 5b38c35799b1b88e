/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-spawn sends its parent fixed-size messages on one pipe. Both ends are built together, so there are no
 * versions.
 *
 *     parent                    firebreak-spawn                 child
 *     posix_spawn ------------> subreaper; fork --------------> affinity, slice, addresses, privileges, folder,
 *                                                                 fresh signals
 *            <---- SPAWN_READY {pid} ------                      waits for one byte
 *     opens perf events on pid
 *     writes the byte -----------------------------------------> exec
 *            <---- SPAWN_EXEC_FAILED {errno} --                   (only if exec fails)
 *            <---- SPAWN_EXITED {status, usage} --  the main process has ended
 *            <---- SPAWN_DONE {orphans} ----------  no descendant is left
 *
 * SIGTERM to firebreak-spawn ends the whole tree: SIGTERM to every descendant, the grace time, then SIGKILL until none
 * is left. It gets the same signal when its parent dies. Libc only: this program must stay smaller than what it starts,
 * because ru_maxrss of a forked child begins with the memory of its parent. */
#pragma once

#include <stdint.h>

/* The argument MANNER: whether the child gets umask 022 and no core dumps, or keeps what the caller has. */
#define SPAWN_CONFINED "confined"
#define SPAWN_AS_CALLER "as-caller"
/* The argument ADDRESSES: whether the kernel is asked to put everything at the same addresses each time, and limits
 * that programs look at are the same. */
#define SPAWN_FIXED_ADDRESSES "fixed"
#define SPAWN_USUAL_ADDRESSES "usual"
/* The argument PRIVILEGES: whether programs may gain privileges (setuid, setgid, file capabilities) or not
 * (PR_SET_NO_NEW_PRIVS). */
#define SPAWN_MAY_GAIN_PRIVILEGES "may-gain"
#define SPAWN_NO_NEW_PRIVILEGES "no-new"

enum SpawnMessageKind { SPAWN_READY = 1, SPAWN_FAILED, SPAWN_EXEC_FAILED, SPAWN_EXITED, SPAWN_DONE };

/* Scheduling of a process, as the kernel reports it. */
struct SpawnSchedule {
	int32_t policy; /* SCHED_OTHER, ... without flags; -1 = not known */
	int32_t nice;
	uint32_t on_cpus; /* not 0: it may run on no other CPUs than those that the main process was started on */
};

struct SpawnMessage {
	uint32_t kind;
	int32_t pid;                /* READY */
	int32_t error;              /* FAILED, EXEC_FAILED: errno */
	int32_t status;             /* EXITED: wait status of the main process */
	int64_t end_ns;             /* EXITED: CLOCK_MONOTONIC */
	int64_t user_ns, system_ns; /* EXITED: main process and the children it waited for */
	int64_t switches;           /* EXITED: how often they were switched away from a CPU */
	int64_t faults;             /* EXITED: how often a page was mapped because they touched it */
	int64_t max_rss_bytes;      /* EXITED: largest single process of them */
	int64_t orphan_cpu_ns;      /* DONE: CPU time of descendants that outlived the main process */
	uint32_t orphans;           /* DONE: how many */
	uint32_t orphans_killed;    /* DONE: how many had to be killed */
	uint32_t fixed_addresses;   /* READY: not 0 if fixed addresses were asked for and granted */
	struct SpawnSchedule began; /* EXITED: as the main process was started */
	struct SpawnSchedule ended; /* EXITED: its first thread at its end */
};
