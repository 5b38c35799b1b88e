/* SPDX-License-Identifier: Apache-2.0 */
/* The limits by which work for a fixed time is told from a fixed amount of work: for a check
 * (runner/campaign/fixedwall.h, clockprobe.h) and for what `firebreak init` tries (runner/discover/trialclock.h), which
 * must not propose what a check would refuse. */
#pragma once

#include <glib.h>

/* TRUE for a run that works until a clock of the wall has come so far, by its CPU time and its time beside a twin on
 * the same CPU, over those alone. FALSE if one of them is NaN. */
gboolean fixed_time_of_wall(double cpu_ratio, double wall_ratio);
/* The same for a clock of CPU time, by the CPU time with slow clocks (SLOW_CLOCKS of runner/executor.h) over the usual
 * one. */
gboolean fixed_time_of_cpu(double slow_ratio);
