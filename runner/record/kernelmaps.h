/* SPDX-License-Identifier: Apache-2.0 */
/* Records that say where the kernel and its modules lie, as perf writes them at the start of a recording: without them
 * other readers name no kernel functions. */
#pragma once

#include <glib.h>

/* Appends MMAP records of the shape of runner/record/recordlayout.h, without a time, that belong to the event with this
 * identifier. Nothing where the kernel hides its addresses (kernel.kptr_restrict). */
void kernel_maps_append(GByteArray *records, guint64 event_id);
/* The same from these files in place of /proc/kallsyms and /proc/modules. For tests. */
void kernel_maps_append_from(GByteArray *records, guint64 event_id, const char *kallsyms, const char *modules);
