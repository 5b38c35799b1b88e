/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of the Firefox Profiler's processed format (https://profiler.firefox.com), version 60: the first whose tables
 * of stacks, frames and functions are shared by all threads. The viewer brings older versions up to date itself.
 *
 * Tables are lists of columns of equal length, and rows name rows of other tables by their number. A sample has a stack
 * and a weight: milliseconds where the cost is nanoseconds, bytes, or a number. Costs have no time at which they
 * arose, so that samples stand one after the other, each as long as its weight. Categories are the kinds of code. A
 * function's module is its resource.
 *
 * Of a comparison there are three threads: base, head, and their difference with weights below 0 where base costs
 * more, which is what the viewer makes of two profiles that it compares. */
#pragma once

#include "model/exported.h"

#define FIREFOX_PROCESSED_VERSION 60

/* The text; owned by the caller. About 30 bytes for each stack, and 20 more for each that costs something. */
GString *firefox_write(const ExportedProfile *exported);
