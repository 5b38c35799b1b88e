/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks that a request does not name. */
#pragma once

#include "core/finding.h"

/* Adds the one warning `not_measured` about the benchmarks that `--benchmark` left out: with their number and the first
 * few names. It is of the benchmark itself if there is only one, and none if there is none. `names` is of char *. */
void left_out_add(FindingList *findings, const GPtrArray *names);
