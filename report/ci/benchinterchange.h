/* SPDX-License-Identifier: Apache-2.0 */
/* Results of head in the formats that other trackers of benchmarks take in.
 *
 * Values are medians per unit of work in the unit of the metric, with the smallest and the largest of head's runs.
 * What is not finite is left out, and so is a second metric of the same name. */
#pragma once

#include "compare/result.h"

/* Bencher Metric Format: {"<benchmark>": {"<metric>": {"value", "lower_value", "upper_value"}}}. A metric that another
 * engine measured under a name that is taken has its engine after it, in parentheses. ASCII; sets *length (may be
 * NULL). Owned by the caller. */
char *bench_bmf_json(const CheckResult *result, gsize *length);

/* github-action-benchmark's customSmallerIsBetter: [{"name", "unit", "value", "range", "extra"}], with the name
 * "benchmark: metric". Metrics of which more is better are left out. The same rules. */
char *bench_smaller_json(const CheckResult *result, gsize *length);
