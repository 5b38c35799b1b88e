/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/fixedtime.h"

/* Beside a twin that wants as much of the CPU it gets half; one that ends sooner, or waits, leaves it more, and so does
 * a CPU that others use all the time. What a run does before it looks at the clock costs as much as alone, and takes
 * twice as long: with three fifths of a run, it needs .8 of the CPU time and 1.6 times as long. */
#define MAX_CPU_RATIO .8
#define MIN_WALL_RATIO .8
#define MAX_WALL_RATIO 1.65
/* A run of which one sixth is work until a clock of CPU time has come so far needs as much where that clock is slow;
 * fixed work does so by chance at most, and not several times in turn. */
#define MIN_SLOW_RATIO 1.5

gboolean fixed_time_of_wall(double cpu_ratio, double wall_ratio)
{
	return cpu_ratio <= MAX_CPU_RATIO && wall_ratio >= MIN_WALL_RATIO && wall_ratio <= MAX_WALL_RATIO;
}

gboolean fixed_time_of_cpu(double slow_ratio)
{
	return slow_ratio >= MIN_SLOW_RATIO;
}
