/* SPDX-License-Identifier: Apache-2.0 */
/* Tells if head leaves out work: its runs print an error that those of base do not, exit with 0, and cost less.
 *
 * Base's own lines are no sign of anything, so a program that always says "file not found, using defaults" is compared
 * as any other. Lines are compared without what differs from run to run: case, numbers with their units, blanks
 * between columns, addresses, and the folders of absolute paths. */
#pragma once

#include "compare/comparison/comparison.h"

/* The first line of head's runs (Measurement.complaints) that base's lack, or NULL. Borrowed from head. */
const char *complaint_of_head(const Measurement *base, const Measurement *head);
/* Makes a comparison that is neither a regression nor an error already an error, `prints_error`, if head prints such a
 * line and a gating metric improved beyond its margin. Of base's stored counts the output is not known, nor all of
 * one with a thousand such lines; there head has to lose half of its cost. */
void complaints_judge(const Measurement *base, const Measurement *head, BenchmarkComparison *comparison);
