/* SPDX-License-Identifier: Apache-2.0 */
/* Judges if a run under valgrind counts, by what its processes did wrong, and by all that they counted being there
 * once.
 *
 * The first thing that is wrong becomes the failure of the outcome, with what valgrind said below it. */
#pragma once

#include "core/child.h"
#include "core/finding.h"
#include "runner/executor.h"
#include "runner/valgrind/valgrindimages.h"

typedef struct {
	const RunRequest *request;
	const char *kind;      /* VALGRIND_CALLGRIND or VALGRIND_DHAT */
	const char *recording; /* the folder with the files, absolute */
	const char *dir;       /* the run's own folder (runner/runfolder.h) */
	const ChildResult *result;
	guint64 main_pid;
	const ValgrindImages *images; /* updated after the end */
	FindingList *findings;
} ValgrindRun;

/* Judges a run that has ended, and takes over the units of work that it reported. Errors: FIREBREAK_ERROR_STORAGE if
 * the disk is full. */
gboolean valgrind_judge(const ValgrindRun *run, RunOutcome *outcome, GError **error);
