/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles of a result that was read, from the files of its output folder (report/json/reportprofiles.h makes
 * them). */
#pragma once

#include "compare/result.h"

/* TRUE if the name is that of a file of the report's folder: it may come from anywhere, and name any path. */
gboolean kept_file_is_plain(const char *file);

/* Gives the measurements of all benchmarks the profiles that their artifacts in `dir` hold, which changes what is known
 * of their runs. Whatever is not there any more is left out. */
void kept_profiles_restore(const CheckResult *result, const char *dir);
