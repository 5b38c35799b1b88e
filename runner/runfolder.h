/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where a run happens, whatever engine measures it: a folder of its own, the environment that names what lies in
 * it, and its working folder.
 *
 *     <arena>/<name>           with a random name, made for this run and removed after it
 *     <arena>/<name>/home      HOME, empty when the run begins
 *     <short>/<name>           TMPDIR, likewise, with a path that is short enough for sockets below it
 *                              (runner/trees/arena.h)
 *     <arena>/<name>/metrics   what the benchmark reports itself; other files of firebreak lie beside it
 *
 * So a run finds nothing that an earlier one kept there, and no name tells it its side or its number. All names have
 * the same length. */
#pragma once

#include "runner/executor.h"

/* Makes the folder of a run; its path, owned by the caller and given to run_folder_free(). */
char *run_folder_new(const RunRequest *request, GError **error);
/* Removes the folder and that of its temporary files with all that is in them, and frees the path. `folder` may be
 * NULL.
 */
void run_folder_free(const RunRequest *request, char *folder);
/* The file for what the benchmark reports itself (runner/ownmetrics.h). Owned by the caller. */
char *run_folder_metrics(const char *folder);

/* The environment of a benchmark (runner/trees/hostenv.h) with `padding`, with FIREBREAK_METRICS, and with a TMPDIR of
 * its own unless the user passes one on. Owned by the caller. */
char **run_environment(const RunRequest *request, const char *folder, guint padding);
/* The working folder of the benchmark in the tree of its side. Owned by the caller. Errors: FIREBREAK_ERROR_POLICY if
 * it is a link that leads out of the tree, FIREBREAK_ERROR_INVALID if it is not there. */
char *run_folder_cwd(const RunRequest *request, GError **error);
