/* SPDX-License-Identifier: Apache-2.0 */
/* The rate at which the CPU that this process runs on counts cycles.
 *
 * A hardware event that is sampled at a frequency begins with a period of 1, and the kernel finds the right one over
 * some tens of interrupts. Where it allows few of them (kernel.perf_event_max_sample_rate, which it lowers by itself
 * where interrupts are slow, as in virtual machines), these first ones are throttled. A period that is known beforehand
 * needs no search. */
#pragma once

/* Cycles in user mode per ns of CPU time, measured on the calling thread in 10 to 100 ms of work; 0 where cycles
 * cannot be counted. The highest rate of several tries: time that the hypervisor took away makes it lower, and so does
 * a CPU that has just been idle. */
double cycle_rate_per_ns(void);
