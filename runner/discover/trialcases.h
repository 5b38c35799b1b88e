/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of a program that is written with a benchmark framework: each is run for a short time. */
#pragma once

#include "runner/discover/trialrun.h"

/* Proposes at most `allowed` cases of the program: the last of each family, which has the most work in most programs.
 * What fails or measures nothing is left out, with the reason. */
void trial_cases(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, guint allowed);

/* The words that run the cases which match `filter` (NULL = all) for a short time, only to see them work. A GStrv owned
 * by the caller. */
char **trial_case_arguments(FrameworkId framework, const char *filter);
/* The reason why a run of a framework is none, or measures nothing, by its output; NULL if there is none. Owned by the
 * caller. */
char *trial_case_trouble(FrameworkId framework, const char *output);
