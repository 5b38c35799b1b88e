/* SPDX-License-Identifier: Apache-2.0 */
/* Adds findings on what counts cannot tell, and what would help. */
#pragma once

#include "gate/counted/gatecounts.h"
#include "gate/steps/gatework.h"

/* Functions whose counts do not repeat, call paths that were cut off, programs that are not of the checkout, runs that
 * take long. Of base against base it is said how much repeats. `comparison` is NULL with one side. */
void gate_counted_advise(const GateWork *work, const GateCounts *counts, const BenchmarkComparison *comparison);
