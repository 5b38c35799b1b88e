/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a recording, as its reader (profile/perfdata/perfdata.h) hands them out: records, events, and what is
 * told about all of them. Data only. */
#pragma once

#include <glib.h>

typedef enum {
	PERF_DATA_SAMPLE,
	PERF_DATA_MMAP,
	PERF_DATA_COMM,
	PERF_DATA_FORK,
	PERF_DATA_EXIT,
	PERF_DATA_SWITCH,
} PerfDataKind;

/* Tells who was running when a record was made: bits 0-2 of the record's misc field. */
typedef enum {
	PERF_DATA_CPU_UNKNOWN,
	PERF_DATA_CPU_KERNEL,
	PERF_DATA_CPU_USER,
	PERF_DATA_CPU_HYPERVISOR,
	PERF_DATA_CPU_GUEST_KERNEL,
	PERF_DATA_CPU_GUEST_USER,
} PerfDataCpuMode;

/* Entries of a call chain from here on are markers and not addresses; these two are the ones that occur on a host. */
#define PERF_DATA_FIRST_MARKER ((guint64)-4095)
#define PERF_DATA_MARKER_KERNEL ((guint64)-128)
#define PERF_DATA_MARKER_USER ((guint64)-512)

#define PERF_DATA_BUILD_ID_BYTES 20

/* User registers as they were: bit i of `mask` stands for perf's register i of the recorded machine
 * (asm/perf_regs.h), `values` are those of the bits set, lowest bit first. */
typedef struct {
	guint64 mask; /* 0 = none recorded */
	gboolean is_32bit;
	const guint64 *values;
} PerfDataRegisters;

/* One taken branch; of a call-stack recording (LBR) one call that has not returned. */
typedef struct {
	guint64 from, to;
} PerfDataBranch;

typedef struct {
	guint64 ip;
	guint64 period;
	guint event;          /* index into the summary's events */
	gint32 cpu;           /* that ran it; -1 = not told */
	const guint64 *chain; /* leaf first, with markers; NULL if there is none */
	guint chain_length;
	gboolean is_full_chain; /* as long as the kernel makes them; longer ones were made by somebody else */
	PerfDataRegisters user_registers;
	const guint8 *user_stack; /* from the stack pointer upwards, in the order of bytes of the recorder; or NULL */
	guint user_stack_bytes;
	const PerfDataBranch *calls; /* LBR call stack, innermost call first; NULL if branches were no call stack */
	guint n_calls;
} PerfDataSample;

typedef struct {
	guint64 start, length, page_offset;
	const char *path;
	gboolean has_inode; /* the next three are known */
	guint32 device_major, device_minor;
	guint64 inode;
	guint8 build_id[PERF_DATA_BUILD_ID_BYTES];
	guint build_id_length; /* 0 = the record has none */
	gboolean is_data;      /* not executable */
} PerfDataMmap;

/* One record. All pointers are borrowed until the visitor's function returns. pid and tid are -1 for the kernel's own
 * maps, and tid is for samples that do not tell their thread. */
typedef struct {
	PerfDataKind kind;
	PerfDataCpuMode cpu_mode;
	gint32 pid, tid;
	guint64 time_ns; /* 0 = has none */
	union {
		PerfDataSample sample;
		PerfDataMmap mmap;
		struct {
			const char *name;
			gboolean is_exec; /* renamed by exec: the old maps are gone */
		} comm;
		struct {
			gint32 parent_pid, parent_tid;
			gboolean is_made_up; /* by the recorder, for a process that was there before; its maps follow */
		} fork;
		struct {
			gboolean is_out, is_preempted; /* leaves the CPU; though it could go on */
		} switched;
	};
} PerfDataRecord;

/* One recorded event. */
typedef struct {
	char *name; /* with modifiers, "cpu-clock:u" */
	char *unit; /* of periods: "ns", "cycles", "instructions", else the name without modifiers */
	guint32 type;
	guint64 config;
	guint64 frequency_hz; /* 0 if sampled by period */
	guint64 period;       /* 0 if sampled by frequency */
	guint64 samples;      /* in this file */
} PerfDataEvent;

/* A build-id from the header of the file. */
typedef struct {
	char *path;
	guint8 bytes[PERF_DATA_BUILD_ID_BYTES];
	guint length;
} PerfDataBuildId;

#define PERF_DATA_KNOWN_TYPES 96

/* Number of the feature in which `firebreak record` keeps what it knows of the stacks that it completed while it
 * recorded: u64 stacks, u64 of them incomplete, which did not reach their root, in the file's order of bytes. perf
 * skips it.
 */
#define PERF_DATA_STACKS_FEATURE 202
/* Number of the feature in which `firebreak record` keeps a text that tells this host since its last boot from others
 * (profile/perfdata/recordingorigin.h). perf skips it. */
#define PERF_DATA_ORIGIN_FEATURE 203

typedef struct {
	GArray *events;                         /* of PerfDataEvent */
	GArray *build_ids;                      /* of PerfDataBuildId */
	guint64 records;                        /* all, of every type; of compressed ones those that were inflated */
	guint64 by_type[PERF_DATA_KNOWN_TYPES]; /* records by type number, compressed ones (81, 83) too */
	guint64 samples;
	guint64 period_sum; /* over all samples */
	guint64 lost;       /* records and samples: what the kernel wrote between the others, or, if that is more, what
	                     * the recorder read from the events' counters at the end (LOST_SAMPLES without a time) */
	guint64 throttled;  /* THROTTLE records */
	guint64 truncated_chains; /* chains as long as the kernel allows */
	guint64 unknown;          /* records of a type that is not known */
	guint64 unknown_ids;      /* samples whose id belongs to no event; counted for the first one */
	guint64 decode_errors;    /* records and features whose content does not fit their size; skipped */
	/* from the feature PERF_DATA_STACKS_FEATURE; both 0 if there is none */
	guint64 completed;  /* stacks that the recorder completed, of all events, also waits that had no length */
	guint64 incomplete; /* of these, not up to their root */
	/* of the machine; NULL = not told */
	char *machine;        /* architecture as `uname -m` says it, "x86_64" */
	char *host;           /* its name */
	char *kernel_release; /* as `uname -r` says it */
	char *command;        /* that made the recording, with its arguments */
	char *mark;           /* from the feature PERF_DATA_ORIGIN_FEATURE */
	/* content of the feature PERF_MAPS_FEATURE (profile/perfdata/perfmap.h), borrowed while the recording is
	 * visited */
	const guint8 *perf_maps;
	gsize perf_maps_bytes;
} PerfDataSummary;
