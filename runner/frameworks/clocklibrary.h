/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries of ours that are loaded into a run before all others, to fix the iterations of a framework that has no
 * option for that, by the answers of its clock: libtestrun.h, catch2run.h. A program that is linked statically loads
 * none. */
#pragma once

#include "core/error.h"

typedef struct {
	const char *file;         /* of the library, "firebreak-libtestclock.so" */
	const char *log;          /* a file in the folder of the run, to which it writes */
	const char *log_variable; /* the variable that names that file */
	const char *variable;     /* the variable with its only parameter */
} ClockLibrary;

/* FALSE with FIREBREAK_ERROR_ENVIRONMENT if the library is missing. */
gboolean clock_library_exists(const ClockLibrary *library, GError **error);
/* Adds the library, before those of the environment, its log and its parameter to an environment, which is taken. `dir`
 * is the folder of the run. Where the library is missing nothing is added, so the run has no log. Owned by the caller.
 */
char **clock_library_load(const ClockLibrary *library, const char *dir, guint parameter, char **environment);
/* The lines of the log of a run, none without a log. Owned by the caller. */
char **clock_library_log(const ClockLibrary *library, const char *dir);
