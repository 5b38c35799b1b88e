/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where a recording was made: on this machine or on another one, as far as its header tells. Names of this
 * machine's libraries, kernel and vDSO are right for a recording of another machine only where a build-id proves it.
 *
 *     told by the header          who writes it
 *     host name, kernel release   perf
 *     mark of host and boot       firebreak record, in place of the host's name (recording_origin_mark())
 *     architecture                both
 *     build-id of the kernel      both, where kernel code was sampled
 *
 * What is not told proves nothing. Two containers of one machine have one kernel, but other host names and other files;
 * so have two machines that run the same kernel. There the kernel's build-id and address prove its names, and device
 * and inode prove a file (profile/fold/modulefile.h). */
#pragma once

#include "profile/perfdata/perfdata.h"

/* The files of this machine that the recording may use besides those that have the recorded build-id. */
typedef enum {
	ORIGIN_OTHER,     /* of another machine: none */
	ORIGIN_UNCERTAIN, /* not known to be of another one: those of the recorded device and inode */
	ORIGIN_HERE,      /* of this host, with the kernel that runs now: those that can be the recorded ones */
} OriginPlace;

typedef struct {
	OriginPlace place;
	gboolean is_since_boot;    /* the file was written since the last boot of this machine */
	gboolean is_kernel_proved; /* the build-id of its kernel is that of the running one */
	gint64 end_ns;             /* since 1970: it was written by then */
} RecordingOrigin;

/* `path` is the file of the recording. */
RecordingOrigin recording_origin(const char *path, const PerfDataSummary *summary);
/* TRUE if it is of this host since its last boot, so that processes, their numbers and the kernel's addresses are those
 * of now. */
gboolean recording_origin_is_local(const RecordingOrigin *origin);
/* The machine as the recording tells it, "builder, Linux 5.3.0"; "" if it tells nothing. Owned by the caller. */
char *recording_origin_text(const PerfDataSummary *summary);

/* 32 hexadecimal digits that tell this host since its last boot from others, and from which nobody can learn its name;
 * NULL if that cannot be made. Owned by the caller. Content of PERF_DATA_ORIGIN_FEATURE. */
char *recording_origin_mark(void);
