/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of pprof profiles: the protocol buffer of https://github.com/google/pprof (profile.proto), mostly compressed
 * by gzip, as Go's runtime, Linux tools and language profilers write it.
 *
 * Every sample has a value per sample type (`samples` in counts and `cpu` in nanoseconds, for example); one type is
 * read. The number of samples is the nearest type before it that counts, or it itself. Frames: locations come leaf
 * first, a location with several lines is a function with others inlined into it. Names are those of the profile, and
 * the canonical name (model/canonical.h) where the profile has mangled names; the module is the base name of
 * the mapping; a location without a function is `[unknown]`. There is no frame for the command. Labels and the
 * profile's wishes to hide frames are not followed.
 *
 * The bytes are foreign: they are checked, decompressed only up to a limit, and nothing nests. */
#pragma once

#include "model/profile.h"

typedef struct {
	const char *event;  /* the sample type; NULL = the profile's default, else its last */
	gboolean no_inline; /* leave inlined functions out */
} PprofOptions;

typedef struct {
	char *event;            /* the sample type that was read; owned */
	char *unit;             /* of the weights: "ns", "bytes", "samples", "count" of something else, ...; owned */
	guint64 samples;        /* number of samples that went into the profile, as counted above */
	guint64 weight;         /* sum of their values */
	guint64 unknown_leaves; /* samples whose leaf is `[unknown]` */
} PprofSummary;

void pprof_summary_clear(PprofSummary *summary);

/* TRUE if bytes, which may be cut off, begin like an uncompressed profile. */
gboolean pprof_detect(const guint8 *bytes, gsize length);
/* Adds a profile, compressed or not, to run `run` of `profile`. `name` is what messages call it. `options` and
 * `summary` may be NULL. Errors: FIREBREAK_ERROR_USAGE if it is no such profile, has no such sample type, has no
 * samples, or is the difference of two profiles (it has values below 0); FIREBREAK_ERROR_INVALID if it is damaged. The
 * profile is then untouched. */
gboolean pprof_read(const guint8 *bytes, gsize length, const char *name, const PprofOptions *options, Profile *profile,
        guint run, PprofSummary *summary, GError **error);
