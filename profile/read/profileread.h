/* SPDX-License-Identifier: Apache-2.0 */
/* Any file that holds a profile, as runs of a Profile: perf.data, text of `perf script`, callgrind's output, DHAT's,
 * pprof, folded stacks. Which one a file is, is seen from its first bytes unless the caller says it.
 *
 *     profile_reader_add()  once per file
 *     profile_reader_finish()  once; only then are the profiles filled
 *
 * All files of one reader share names and the work of looking them up. */
#pragma once

#include "model/inputfile.h"
#include "profile/fold/foldperf.h"
#include "profile/read/profileformat.h"

typedef struct {
	ProfileFormat format;
	PerfFoldOptions fold; /* event and filters; refused for a format that cannot be asked for them */
	gboolean two_columns; /* folded text has base and head: run and run + 1; a line that has not is an error */
	gboolean stackcollapse_rules; /* perf script text exactly as stackcollapse-perf.pl folds it, losses included */
	/* Text of perf script only, see profile/perfscript/perfscript.h; the ids, addresses and cuts are refused for
	 * others. */
	gboolean root_pid, root_tid;            /* roots are command-PID, command-PID/TID */
	gboolean addresses;                     /* name what has no name [file <address>] */
	gboolean annotate_kernel, annotate_jit; /* suffixes `_[k]`, `_[j]` */
	const char *const *skip_after;          /* NULL-terminated: cut what called these functions; or NULL */
	/* callgrind leaves files without costs, or without a byte, beside those of threads, and DHAT those of processes
	 * that allocated nothing: they are skipped */
	gboolean one_of_several;
} ProfileReadOptions;

typedef struct ProfileReader ProfileReader;

ProfileReader *profile_reader_new(StackTable *table);
void profile_reader_free(ProfileReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProfileReader, profile_reader_free)

/* The counts that can be read from a file of DHAT: options->fold.event is one of these, and NULL is the first. */
#define DHAT_EVENT_BYTES "allocated-bytes"
#define DHAT_EVENT_BLOCKS "allocated-blocks"
#define DHAT_EVENT_PEAK "peak-heap" /* bytes alive at the moment when most were */

/* Reads a file ("-": standard input, which like a pipe may have up to 4 GiB) as run `run` of `profile`, under the rules
 * of perf_fold_add(): a profile whose event is "" is named by its first file, the others must be of the same event.
 * Folded text does not say its event. Kernel functions of perf.data are one frame unless options->fold.kernel; text of
 * perf script keeps its frames. What `options` point to must live until the reader is finished. `quality` may be NULL.
 * Errors: FIREBREAK_ERROR_USAGE if a file is of no known format or is ambiguous, FIREBREAK_ERROR_INVALID if it is
 * damaged, FIREBREAK_ERROR_STORAGE if it cannot be read. */
gboolean profile_reader_add(ProfileReader *reader, const char *path, Profile *profile, guint run,
        const ProfileReadOptions *options, RunQuality *quality, GError **error);
/* The same from a file that is open, and that stays open: it may be a pipe, whose content comes only once. */
gboolean profile_reader_add_file(ProfileReader *reader, const InputFile *file, Profile *profile, guint run,
        const ProfileReadOptions *options, RunQuality *quality, GError **error);
/* Fills the profiles. */
gboolean profile_reader_finish(ProfileReader *reader, FindingList *findings, GError **error);
