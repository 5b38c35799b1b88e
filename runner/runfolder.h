/* Where a run happens, whatever engine measures it: a folder of its own below the HOME of its side, the environment
 * that names what lies in it, and its working folder. Both sides get names of the same length. */
#pragma once

#include "runner/executor.h"

/* Makes the folder of a run; its path, owned by the caller and given to run_folder_free(). */
char *run_folder_new(const RunRequest *request, GError **error);
/* Removes the folder with all that is in it, and frees the path. `folder` may be NULL. */
void run_folder_free(char *folder);
/* The file for what the benchmark reports itself (runner/ownmetrics.h). Owned by the caller. */
char *run_folder_metrics(const char *folder);

/* The environment of a benchmark (runner/hostenv.h) with `padding`, and with FIREBREAK_METRICS. Owned by the caller. */
char **run_environment(const RunRequest *request, const char *folder, guint padding);
/* The working folder of the benchmark in the tree of its side. Owned by the caller. */
char *run_folder_cwd(const RunRequest *request);
