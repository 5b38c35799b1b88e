/* SPDX-License-Identifier: Apache-2.0 */
/* The result as OpenMetrics 1.0 text, for Prometheus and for GitLab's metrics report.
 *
 *     # TYPE firebreak_time_seconds gauge
 *     # UNIT firebreak_time_seconds seconds
 *     firebreak_time_seconds{benchmark="parse",metric="task-clock",engine="perf",side="head"} 0.429
 *     # EOF
 *
 * Names and labels hold nothing that differs from push to push (no SHAs), so that series can be compared. Values are
 * finite; what was not measured has no sample. Each family stands in one piece and each series once. Labels are
 * escaped, and what a reader would not see in them is made visible. */
#pragma once

#include "compare/result.h"

/* At most so many functions, the gravest ones. */
#define OPENMETRICS_MAX_FUNCTIONS 200

/* UTF-8; sets *length (may be NULL). Owned by the caller. */
char *openmetrics_text(const CheckResult *result, gsize *length);
