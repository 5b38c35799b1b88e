/* SPDX-License-Identifier: Apache-2.0 */
/* The history of all metrics and functions as comma-separated values: one line per point, with a header.
 *
 * Numbers have up to 17 significant digits and a decimal point; what is not known is empty. `change_ratio` is that of
 * a new level at its first point. Texts are quoted (core/escape.h). */
#pragma once

#include "report/history/historyset.h"

/* Owned by the caller. */
char *history_csv(const HistorySet *set);
