/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which of the formats that hold profiles a file is of. */
#pragma once

#include <glib.h>

typedef enum {
	PROFILE_FORMAT_AUTO,
	PROFILE_FORMAT_PERF_DATA,
	PROFILE_FORMAT_PERF_SCRIPT,
	PROFILE_FORMAT_CALLGRIND,
	PROFILE_FORMAT_DHAT,
	PROFILE_FORMAT_PPROF,
	PROFILE_FORMAT_FOLDED,
} ProfileFormat;

/* "perf.data", "perf-script", "callgrind", "dhat", "pprof", "folded"; NULL-terminated, without AUTO. */
extern const char *const profile_format_names[];

/* Says which old profile of gperftools, jemalloc or Go it is, and that pprof converts it; NULL if it is none.
 * Static. */
const char *profile_format_old_profile(const guint8 *bytes, gsize length);

/* Detects the format from the first bytes of a file; the more of them, the better. `name` is what messages call it.
 * FIREBREAK_ERROR_USAGE if it is none of them, with a word on what it is instead where that is known (nothing, an ELF
 * file, gperftools' binary profile, something compressed, SVG, JSON, UTF-16). */
gboolean profile_format_detect(
        const guint8 *bytes, gsize length, const char *name, ProfileFormat *format, GError **error);

/* TRUE if there are at least four lines of folded text and each ends in two numbers, as difffolded.pl writes it: one
 * count, and names that all end in a number, are unlikely then. */
gboolean profile_format_has_two_counts(const guint8 *bytes, gsize length);
