/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of a benchmark with `framework:`: those that ran on base before the campaign are those that every run of
 * either side is to have.
 *
 * A unit of work is an iteration of each case, so a run that leaves one out does less in it, and one that adds one does
 * more; a case whose work the compiler removes on one side alone costs nothing there. None of that is a change of
 * speed, so such runs do not count. */
#pragma once

#include "runner/config/configdata.h"

/* The loop around an iteration takes a cycle by itself: 0.2 to 0.4 ns on a CPU of 5 to 2.5 GHz. */
#define FRAMEWORK_CYCLE_NS .4

/* The cases of a run as data of a benchmark; `cases` are FrameworkCase. Owned by the caller. */
GPtrArray *framework_cases_settle(const GPtrArray *cases);
/* The cases that all runs of this engine are to have; NULL = not known. Borrowed. */
const GPtrArray *framework_cases_known(const ConfigBenchmark *benchmark, const Engine *engine);
/* FALSE with FIREBREAK_ERROR_INVALID if a run of these cases (FrameworkCase) is not one of `known`: it lacks some, has
 * others, or says the result of one more or fewer times. TRUE for `known` NULL. */
gboolean framework_cases_same(const GPtrArray *known, const GPtrArray *cases, GError **error);
/* The case (ConfigCase) of that name, which most likely is at that place; NULL if there is none. Borrowed. */
const ConfigCase *framework_cases_find(const GPtrArray *cases, guint place, const char *name);
/* The names in `cases` that are none of `known`, both of ConfigCase. Borrowed; the array is owned by the caller. */
GPtrArray *framework_cases_added(const GPtrArray *known, const GPtrArray *cases);
/* TRUE if an iteration of a case that takes `known_ns` on base takes so little here that its work was removed. Cases
 * that take about a cycle on both sides are none. */
gboolean framework_case_removed(double known_ns, double ns);
/* The first of `cases` whose work was removed here and not in `other`, both of ConfigCase; NULL if there is none.
 * Borrowed. */
const ConfigCase *framework_cases_removed_alone(const GPtrArray *cases, const GPtrArray *other);

/* Up to five names: "A, B and 3 more". `names` are of char *. Owned by the caller. */
char *framework_names_text(const GPtrArray *names);
/* The filter that runs the cases of these names (of char *) alone, as far as the framework can tell them apart; NULL if
 * it cannot choose so many. `n_cpus` are those that a run has, which Go adds to names. Owned by the caller. */
char *framework_cases_filter(FrameworkId id, const GPtrArray *names, guint n_cpus);

/* The cases as a text that is stored with counts of them: a line for each, its name, and after a tab what is not as
 * usual (`x3` = three results in a run, `removed` = its work is). Owned by the caller. */
char *framework_cases_text(const GPtrArray *cases);
/* Reads it again; NULL for "". Owned by the caller. */
GPtrArray *framework_cases_read(const char *text);
/* The reason, a clause, why stored measurements of these cases cannot be compared; NULL if they can, or if one does not
 * tell its cases. Owned by the caller. */
char *framework_cases_unlike(const char *base, const char *head);
