/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a benchmark on one side: one run, of which nothing is kept. */
#pragma once

#include "gate/steps/gatestate.h"

/* TRUE if that side lacks the folder that the benchmark runs in, without which no run is tried; it is prepared. */
gboolean gate_lacks_folder(const Gate *gate, const ConfigBenchmark *benchmark, int side);
/* The reason why the program of that side cannot run the benchmark, as a clause; NULL if it can, or if the run failed
 * for another reason. Runs under the first of the benchmark's engines; the side is prepared. Owned by the caller. */
char *gate_probe(const Gate *gate, const ConfigBenchmark *benchmark, int side);
