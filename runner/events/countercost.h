/* SPDX-License-Identifier: Apache-2.0 */
/* The time that the kernel takes to stop hardware counters and to start them again, as it does whenever it switches
 * from one process to another.
 *
 * In a virtual machine the hypervisor may intercept each access to their registers. Then a switch takes so long with
 * them that what is measured is the measuring (docs/STATISTICS.md, tests/bench/counterswitches.sh). */
#pragma once

#include <glib.h>

/* ns of CPU time for one stop and one start of the counters that a run has; the shortest of several, since other work
 * makes them longer. 0 where hardware counters cannot be opened. */
gint64 counter_switch_ns(void);
