/* How counts read: to the last digit that matters, and with what was counted.
 *
 *     +12.31 % (448.2 M more)        +0.0003 % (14 more)        unchanged (3.6 G)        from 0 to 12
 *
 * Percentages have two decimals, or as many as the first digit that is not 0 needs. Amounts are whole below 10000
 * (of parts, only those of less than 100 have a decimal), and have one decimal and k, M, G or T above; bytes are kB,
 * MB, GB, TB of 1000. Ranges stand in brackets where runs differ. */
#pragma once

#include "compare/comparison.h"

/* "+12.31", "-0.0003", "+0.00". Owned by the caller. */
char *counted_number(double percent);
/* "448.2 M", "14", "1.5 MB"; the sign is left out. Owned by the caller. */
char *counted_amount(double value, const char *unit);
/* Of a metric: what stands behind its name above. Owned by the caller. */
char *counted_change(const MetricComparison *metric);
/* Of a function: "+11.90 pp", or "+11.90 pp [+11.70, +12.10]". Owned by the caller. */
char *counted_points(const FunctionComparison *function);
