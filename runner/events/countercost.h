/* SPDX-License-Identifier: Apache-2.0 */
/* The time that the kernel takes to stop hardware counters and to start them again, as it does whenever it switches
 * from one process to another.
 *
 * A CPU of one's own writes some registers: one to three microseconds. In a virtual machine each of these writes may be
 * caught by the hypervisor. On one with two CPUs of an AMD EPYC, 80,000 switches with six counters took 34 s of CPU
 * time instead of .95 s: what is measured there is the measuring. */
#pragma once

#include <glib.h>

/* ns of CPU time for one stop and one start of the counters that a run has; the shortest of several, since other work
 * makes them longer. 0 where hardware counters cannot be opened. */
gint64 counter_switch_ns(void);
