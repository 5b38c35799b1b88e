/* SPDX-License-Identifier: Apache-2.0 */
/* The builds of a trial. */
#pragma once

#include "runner/discover/trialrun.h"

/* Builds all programs of a build together, else each by itself, since one that fails must not keep others out. Fills
 * `kept` and `failures` of the trial. */
void trial_build(const Trying *trying, const DiscoveredBuild *build);
