/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which metrics grow with the work of a run, and so are compared and kept per unit of it. */
#pragma once

#include "model/engine.h"

/* TRUE for a cost that twice the work doubles. A peak of memory does not grow with the work, and what a benchmark
 * reports itself is what it wants compared. */
gboolean metric_is_per_work(const Engine *engine, const char *metric);
