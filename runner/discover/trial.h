/* SPDX-License-Identifier: Apache-2.0 */
/* Tries what was found: builds it once, asks programs of a framework for their cases, and runs each once, so that what
 * is proposed has been seen to work. What fails is left out, with the reason. */
#pragma once

#include "runner/discover/trialrun.h"

/* At most so many benchmarks are proposed. A check takes half a minute or more for each. */
#define TRIAL_MAX_BENCHMARKS 12

/* The proposal for what was found, tried. Programs that fail are in it as left out. NULL only on cancellation, or
 * if no program can be started at all. */
Proposal *trial_run(const Trial *trial, const Discovery *discovery, GError **error);
/* The proposal as it was found, without building or running anything: an entry for each program. */
Proposal *trial_skip(const Discovery *discovery);
