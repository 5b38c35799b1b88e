/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the state of a bisection while it goes on, so that an interrupted one goes on where it was: one file in the
 * repository's git folder for each question (good, bad, benchmark, metric, function, first parents), written anew and
 * synced after every test, and removed at the end.
 *
 *     <git folder>/firebreak/bisect-<16 hex digits>.json        firebreak-bisect/1 (report/json/bisectjson.h) */
#pragma once

#include "compare/bisect/bisectlog.h"
#include "core/git/repo.h"

/* The file of this question. Owned by the caller. */
char *bisect_state_path(Repo *repo, const BisectLog *question);
/* Sets *log to what is kept of this question, NULL if that is nothing. Errors: FIREBREAK_ERROR_STORAGE for a file that
 * is damaged or belongs to another question, with the remedy. */
gboolean bisect_state_load(const char *path, const BisectLog *question, BisectLog **log, GError **error);
/* Writes the log to `path`, whole or not at all. */
gboolean bisect_state_save(const char *path, const BisectLog *log, GError **error);
