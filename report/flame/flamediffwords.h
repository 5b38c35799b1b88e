/* Writes the numbers of a comparison, in words of their kind: what was counted with all its digits, what was measured
 * rounded (wording.h). All texts are owned by the caller. */
#pragma once

#include "compare/comparison/comparison.h"

/* A cost; `unit` (foreign text) NULL = none. */
char *diff_words_cost(gboolean counted, double cost, const char *unit);
/* A contribution in percentage points of the base total. */
char *diff_words_points(gboolean counted, double share);
/* A change from the ratio head / base. */
char *diff_words_change(gboolean counted, double ratio);
/* The interval of a contribution from its ends, of counts their range over the runs; "" if there is none. */
char *diff_words_range(gboolean counted, double lower, double upper);
/* The same of a function's contribution. */
char *diff_words_interval(gboolean counted, const FunctionComparison *function);
