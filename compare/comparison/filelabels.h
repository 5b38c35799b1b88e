/* SPDX-License-Identifier: Apache-2.0 */
/* Labels for source files where there is no room for their path: the base name, and of files with equal base names as
 * much of the folder as tells them apart.
 *
 *     src/rank.c                      rank.c
 *     src/a/util.c  src/b/util.c      a/util.c  b/util.c
 *     util.c        src/util.c        util.c    src/util.c
 *
 * The files are those in which functions of a comparison stand, so that a result that was read back has the same
 * labels. Labels are whole parts of paths. */
#pragma once

#include "compare/comparison/comparison.h"

/* Finds the labels of all files of comparison->functions, which are complete; `table` names them. Replaces earlier
 * ones. */
void file_labels_set(BenchmarkComparison *comparison, const StackTable *table);

/* The label of a file; its base name if no function stands there, or `comparison` is NULL. "" for no file. Borrowed
 * from comparison and table. */
const char *file_label(const BenchmarkComparison *comparison, const StackTable *table, NameId file);
