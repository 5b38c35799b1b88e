/* SPDX-License-Identifier: Apache-2.0 */
/* One recording into raw stacks. Internal to perf_fold_*() in foldperf.c. */
#pragma once

#include "profile/fold/foldoptions.h"
#include "profile/fold/framefinder.h"
#include "profile/unwind/unwind.h"

/* The result of one recording. */
typedef struct {
	GArray *cells; /* of ProfileCell, by row of the trie */
	char *event, *unit;
	guint32 event_type;
	guint64 event_config;
	RunQuality quality;
} RawRecording;

typedef struct {
	FoldState *state;   /* what is found is added to it */
	Unwinder *unwinder; /* for samples that have registers and stack */
	const char *path;
} RawRecordingSource;

/* Errors as of perf_fold_add(). `out` is set on success and owned by the caller. */
gboolean raw_recording_read(
        RawRecording *out, const RawRecordingSource *source, const PerfFoldOptions *options, GError **error);
void raw_recording_clear(RawRecording *recording);
