/* SPDX-License-Identifier: Apache-2.0 */
/* Programs without a framework: they are run as they are, and where that fails or takes too long, with arguments of
 * which their usage tells, or with the variable of the environment that sets their work. */
#pragma once

#include "runner/discover/trialrun.h"

/* Proposes the program; one that fails or does no fixed amount of work is left out, with the reason. */
void trial_plain(const Trying *trying, const DiscoveredProgram *program);
