/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of two measurements that were taken at different times, such as two baselines: shown, never judged. Between
 * the two anything may have changed: the temperature, the neighbours, the kernel's page layout. Only counts can
 * be compared then (compare/counted/counted.h). All functions are pure. */
#pragma once

#include "compare/comparison/comparison.h"

/* Appends what both sides have but for counts, in the order of base's metrics: medians and change without bounds,
 * which do not gate and whose verdict is inconclusive. */
void stored_metrics_append(GPtrArray *metrics, const Measurement *base, const Measurement *head);

/* TRUE for such a metric, also as it comes back from a report. */
gboolean stored_metric_is_unpaired(const MetricComparison *metric);

/* A comparison of these alone, inconclusive with the reason code "time_not_judged". Owned by the caller. */
BenchmarkComparison *stored_metrics_compare(const Measurement *base, const Measurement *head);
