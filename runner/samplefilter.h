/* From the kernel's records to those of the file: counts what decides whether a run is valid, and takes the user
 * stack out of the samples, keeping leaf hints (profile/leafhints.h) of them.
 *
 * Raw stack holds whatever the program holds, secrets too, so it goes no further than this module's memory. */
#pragma once

#include "runner/recorder.h"

#include <linux/perf_event.h>

typedef struct SampleFilter SampleFilter;

/* Asks for a small piece of user stack with every sample of the event; on x86-64 only, where return addresses of leaf
 * functions lie there. */
void sample_filter_extend(struct perf_event_attr *attr);
/* Takes them out again: the attribute that describes the records of the file. */
void sample_filter_reduce(struct perf_event_attr *attr);

/* `attr` is that of the open events. */
SampleFilter *sample_filter_new(const struct perf_event_attr *attr);
void sample_filter_free(SampleFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SampleFilter, sample_filter_free)

/* Passes `length` bytes of whole records on to `out`, which is emptied first. Their offset in the file is
 * counts->bytes, which is advanced like the other counts. Errors: FIREBREAK_ERROR_INVALID for a record of impossible
 * size. */
gboolean sample_filter_pass(SampleFilter *filter, const guint8 *records, gsize length, GByteArray *out,
        RecorderCounts *counts, GError **error);
/* The content of the hints feature so far; borrowed. */
const GByteArray *sample_filter_hints(const SampleFilter *filter);
