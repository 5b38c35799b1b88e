/* SPDX-License-Identifier: Apache-2.0 */
/* Advises what would make a benchmark tell more, in numbers: more samples, less noise, another margin. (That it is too
 * short or too long is said by its campaign.) */
#pragma once

#include "gate/timed/gatecampaign.h"

/* Adds findings about a campaign whose verdict is there. */
void gate_advise(const GateCampaign *campaign, const BenchmarkComparison *comparison);
