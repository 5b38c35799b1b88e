/* SPDX-License-Identifier: Apache-2.0 */
/* Remarks on benchmarks that were tried: their time, and how their programs were built. */
#pragma once

#include "runner/discover/discoverplace.h"
#include "runner/discover/proposal.h"
#include "runner/frameworks/frameworks.h"

/* TRUE for a run that is longer than a check needs. */
gboolean remark_is_long(gint64 cpu_ns);
/* Settles a plain program by the CPU time of its run: one that is too short to be timed well is counted where that is
 * possible (`can_count`), one that is long keeps its time in `run_s` and gets a longer timeout. Adds to its comment
 * where there is something to say. */
void remark_time(ProposedBenchmark *benchmark, gint64 cpu_ns, gboolean can_count);
/* Settles a case of a framework by the CPU time of a run that measures next to nothing, which each run takes, too. */
void remark_case_time(ProposedBenchmark *benchmark, FrameworkId id, gint64 start_ns);
/* Leaves out the longest cases and programs as far as a check would take more than some minutes for them, but not all;
 * says of each other long one how long a check of it takes, and gives very long ones as few rounds as can show a
 * change. To be called when all benchmarks are there, since more of them need more rounds. */
void remark_long_runs(Proposal *proposal);
/* Adds a remark to `remarks` (of char *) if programs of the build were compiled without optimisation, with the remedy.
 * Compilers that do not tell their options are taken to optimise. */
void remark_unoptimised(const DiscoverPlace *place, const DiscoveredBuild *build, GPtrArray *remarks);
