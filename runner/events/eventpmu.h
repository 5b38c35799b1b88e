/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a performance monitoring unit by its own terms: "cpu/event=0x3c,umask=1/", "msr/tsc/".
 *
 * What the terms mean is said by the kernel in /sys/bus/event_source/devices/PMU/: `type` is a number, a file in
 * `format/` says which bits of which configuration word a term sets ("config:0-7,32-35"), and a file in `events/` is an
 * abbreviation for terms ("event=0x3c"). Source: kernel, Documentation/ABI/testing/sysfs-bus-event_source-devices. */
#pragma once

#include "runner/events/perfevent.h"

/* Fills type and configuration of `spec`, and its name if the terms give one ("name=..."). `terms` is what stands
 * between the slashes. `root` is the folder that stands for "/". Errors: FIREBREAK_ERROR_USAGE, naming the unit or term
 * and the nearest known; FIREBREAK_ERROR_ENVIRONMENT if the unit is that of CPUs and this machine has none. */
gboolean event_from_pmu(const char *root, const char *pmu, const char *terms, PerfEventSpec *spec, GError **error);

/* TRUE if the name is one plain file name, as a name from outside that becomes part of a path must be. */
gboolean event_is_plain_name(const char *name);
