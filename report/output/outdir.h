/* SPDX-License-Identifier: Apache-2.0 */
/* The output folder of a check, `firebreak-out/`: there whole or not at all.
 *
 *     report.json  report.html  summary.md  junit.xml  .gitignore
 *     <name>.base.folded  <name>.head.folded  <name>.base.svg  <name>.head.svg  <name>.diff.svg
 *
 * Files of a side that was not sampled are missing, and so is the difference then. `<name>` is the benchmark's name
 * made fit for a file name. Counts in folded files are samples, summed over all runs; of the engine callgrind they are
 * exact, and those of the first run. An extra profile has the same files under its own name:
 * `<name>.instructions.base.folded`. Everything is written into a folder beside the target first, which then takes the
 * target's place in one step. */
#pragma once

#include "compare/result.h"

/* Writes the folder and sets the artifacts of all benchmarks (kinds: base_folded, head_folded, base_svg, head_svg,
 * diff_svg). A folder that is there is replaced if it is an earlier output (it holds a report.json) or empty, and
 * refused otherwise. Missing parents are made. On error the folder is
 * what it was and no artifacts are set. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean outdir_write(CheckResult *result, const char *dir, GError **error);

/* The same for a result that was joined from the reports of other output folders (compare/merge.h): the files of
 * benchmark i are copied from folders[i], NULL = it has none, and the page shows what those hold. The result is
 * changed: its measurements have the profiles of the files afterwards. A file that is no plain file of the benchmark is
 * an error.
 */
gboolean outdir_write_joined(CheckResult *result, const char *const *folders, const char *dir, GError **error);

/* Checks that outdir_write() could write there, without waiting for something to write. Makes missing parents. */
gboolean outdir_check(const char *dir, GError **error);

/* Replaces an earlier output in `dir` by a result without benchmarks that says how a command stands which is to write
 * there and has not ended yet, so that what passed once is never taken for what comes of it. What failed (any exit code
 * but 0, and 3, which may be allowed) stays, and so does what is no output. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean outdir_outdate(const char *dir, CheckResult *instead, GError **error);
