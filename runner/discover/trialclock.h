/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a program that works until a time is over, by the wall or by its own CPU time, before it is proposed as a
 * benchmark. A check refuses it when it is timed (runner/campaign/fixedwall.h, clockprobe.h); where a run is short and
 * its instructions are counted instead, nothing would: a slower program does less in the same time, and passes. */
#pragma once

#include "core/child.h"

/* Runs it on one CPU: alone, beside itself, and with clocks of CPU time that go at a quarter of their speed. TRUE if it
 * needs as long beside itself as alone, or much more with slow clocks, in three tries. FALSE if one of them does not
 * show it, fails, or cannot be made. */
gboolean trial_works_for_a_time(const ChildSpec *spec);
