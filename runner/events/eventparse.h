/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of event lists, as perf's -e takes them:
 *
 *     list  := item ("," item)*          item  := event | "{" event ("," event)* "}" [":" modifiers]
 *     event := name [":" modifiers]      a hardware, software or cache event ("cycles", "L1-dcache-load-misses")
 *            | "r" hex [":" modifiers]   a raw event of the CPU
 *            | unit "/" terms "/" [":"] [modifiers]
 *            | group ":" name [":" modifiers]    a tracepoint or a registered probe
 *
 * Modifiers: u user, k kernel, h hypervisor; p pp ppp how exactly the place is told. Those of a group are added to
 * those of its events. All others are refused. */
#pragma once

#include "runner/events/perfevent.h"

/* Parses a list of events by perf's names: "cycles:u,instructions", "{cycles,cache-misses}:u", "r1a8",
 * "L1-dcache-load-misses", "cpu/event=0x3c,umask=1/", "sched:sched_switch". Appends to `specs` (of PerfEventSpec).
 * Errors: FIREBREAK_ERROR_USAGE, naming the event and the nearest known name. */
gboolean perf_events_parse(const char *text, GArray *specs, GError **error);
/* The same for a recording, which may also be of waits: "off-cpu" or "offcpu-time" sets *off_cpu. */
gboolean perf_events_parse_recorded(const char *text, GArray *specs, gboolean *off_cpu, GError **error);
/* The names of software, hardware and cache events that perf_events_parse() knows; NULL-terminated. */
const char *const *perf_event_names(void);

/* perf_events_parse() with the folder that stands for "/". "off-cpu" and "offcpu-time", which are no events of the
 * kernel but waits (runner/record/offcpu.h), set *off_cpu where that is not NULL, and are unknown otherwise. */
gboolean perf_events_parse_at(const char *root, const char *text, GArray *specs, gboolean *off_cpu, GError **error);
