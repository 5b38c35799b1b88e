/* SPDX-License-Identifier: Apache-2.0 */
/* The files that each side is built from, where the configuration says which files make a benchmark (`files`).
 *
 *     benchmark of base's configuration   head gets base's version of its files: a head that makes its benchmark easier
 *                                         is judged with the real one. `files_from: head`: base gets head's
 *     benchmark that is new in head       base gets the files that it lacks, and head's build rules; what else it
 *                                         has stays
 *
 * Both are trees like those of commits, in Choice.tree. The two kinds are judged one after the other, each with builds
 * of its own, so that nothing that head lays over base for a new benchmark is part of what the others are judged by.
 * What is measured of such a tree is no measurement of the commit, and is not stored as one. */
#pragma once

#include "gate/steps/gatestate.h"

/* TRUE if that benchmark is in head's configuration alone. */
gboolean gate_is_new(const Gate *gate, const char *benchmark);
/* Makes a benchmark one that is new in head. */
void gate_set_new(Gate *gate, const char *benchmark);

/* Notes the trees of both commits, and lays the files for benchmarks of base's configuration. Errors:
 * FIREBREAK_ERROR_USAGE for files of a new benchmark that head has not got, and those of core/git/repo.h. */
gboolean gate_files_lay(Gate *gate, GError **error);
/* Goes on to the benchmarks that are new in head: lays their files. */
gboolean gate_files_lay_new(Gate *gate, GError **error);

/* TRUE if that is a measurement of the commit as it is, built as its own configuration says. */
gboolean gate_files_are_of_commit(const Gate *gate, const Measurement *measurement);
