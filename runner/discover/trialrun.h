/* SPDX-License-Identifier: Apache-2.0 */
/* Runs builds and programs for a trial, and what parts of the trial share. */
#pragma once

#include "runner/discover/discoverplace.h"
#include "runner/discover/proposal.h"
#include "runner/frameworks/frameworks.h"
#include "runner/trees/side.h"

typedef struct {
	const DiscoverPlace *place;
	gboolean can_count; /* valgrind is there */
	ProgressFn progress;
	gpointer progress_data;
} Trial;

/* A proposal that is being filled. */
typedef struct {
	const Trial *trial;
	const Discovery *discovery;
	Proposal *proposal;
	GHashTable *kept;     /* DiscoveredProgram that was built */
	GHashTable *failures; /* DiscoveredProgram -> char *, why it was not */
} Trying;

/* One run. One that could not be started is a failure like others. */
typedef struct {
	char *failure; /* NULL = it exited with 0 */
	char *output;  /* standard output, then standard error */
	gint64 cpu_ns; /* user and system time */
	gboolean timed_out;
	/* a program that it executes calibrates itself: its framework, and its file; else FRAMEWORK_NONE, and NULL */
	FrameworkId calibrating;
	char *calibrating_path;
} TrialRun;

/* Frees what it points to. */
void trial_run_clear(TrialRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TrialRun, trial_run_clear)

/* Tells the caller of the trial what is done now. */
void trial_say(const Trial *trial, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The time that a run may take: more on a busy machine, where a run takes longer. */
gint64 trial_limit_ms(void);
/* Runs a program with more arguments (`more`) in its folder, and with words before its command (`before`); NULL = none.
 * Fills `run`, which must be zeroed. */
void trial_run_words(const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more,
        gint64 timeout_ms, TrialRun *run);
/* The reason why the program with these words is no benchmark: it works for a fixed time. NULL if it does a fixed
 * amount of work, as far as is known, or if a run of it, which takes `cpu_ns`, is too long to find out. Owned by the
 * caller. */
char *trial_clock_text(
        const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more, gint64 cpu_ns);
/* Runs a command of the build in the tree. The reason why it failed, owned by the caller; NULL if it did not, or if
 * `command` is NULL. */
char *trial_build_failure(const Trial *trial, const char *command);
