/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/perf/sampledevents.h"

#include "core/error.h"
#include "runner/events/eventparse.h"
#include "runner/record/recorder.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* The name that perf and recorder.h give to waits in a recording. */
#define RECORDED_OFF_CPU "offcpu-time"

struct SampledEvents {
	GArray *events;   /* of RecorderEvent; their specs are owned */
	GPtrArray *names; /* as configured; borrowed */
};

static void event_clear(gpointer data)
{
	perf_event_spec_clear(&((RecorderEvent *)data)->spec);
}

void sampled_events_free(SampledEvents *events)
{
	if (events == NULL)
		return;
	g_array_unref(events->events);
	g_ptr_array_unref(events->names);
	g_free(events);
}

const GArray *sampled_events_array(const SampledEvents *events)
{
	return events->events;
}

const char *sampled_events_name(const SampledEvents *events, guint index)
{
	return events->names->pdata[index];
}

const char *sampled_events_recorded_name(const SampledEvents *events, guint index)
{
	gboolean off_cpu = g_array_index(events->events, RecorderEvent, index).off_cpu;
	return off_cpu ? RECORDED_OFF_CPU : sampled_events_name(events, index);
}

static gboolean make_event(const char *name, guint sampling_hz, RecorderEvent *event, GError **error)
{
	g_autoptr(GArray) specs = g_array_new(FALSE, TRUE, sizeof(PerfEventSpec));
	*event = (RecorderEvent){.frequency_hz = sampling_hz};
	if (g_str_equal(name, CONFIG_OFF_CPU)) {
		event->off_cpu = TRUE;
		return TRUE;
	}
	if (!perf_events_parse(name, specs, error))
		return FALSE;
	event->spec = g_array_index(specs, PerfEventSpec, 0);
	return TRUE;
}

/* Opens the event on this process, and records nothing. */
static gboolean can_record(const SampledEventsPlan *plan, const RecorderEvent *event, GError **error)
{
	g_autofree char *path = g_build_filename(plan->scratch_dir, "probe.data", NULL);
	RecorderPlan trial = {
	        .events = event,
	        .n_events = 1,
	        .stacks = plan->benchmark->unwind,
	        .stack_bytes = plan->benchmark->stack_bytes,
	        .start_disabled = TRUE,
	};
	const int *cpu = &g_array_index(plan->cpus->measured, int, 0);
	g_autoptr(FindingList) unsaid = finding_list_new();
	g_autoptr(Recorder) recorder = recorder_open(&trial, getpid(), cpu, 1, path, unsaid, error);
	(void)g_unlink(path);
	return recorder != NULL;
}

static gboolean add_extra(SampledEvents *events, const SampledEventsPlan *plan, const char *name, GError **error)
{
	g_autoptr(GError) refused = NULL;
	RecorderEvent event;
	if (g_str_equal(name, plan->abilities->sampling)) {
		finding_add(plan->findings, FINDING_INFO, "profile_not_extra", plan->benchmark->name,
		        "%s is what functions are judged by here; there is no second profile of it", name);
		return TRUE;
	}
	if (!make_event(name, plan->benchmark->sampling_hz, &event, error))
		return FALSE;
	if (can_record(plan, &event, &refused)) {
		g_array_append_val(events->events, event);
		g_ptr_array_add(events->names, (gpointer)name);
		return TRUE;
	}
	event_clear(&event);
	if (!g_error_matches(refused, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT)) {
		g_propagate_error(error, g_steal_pointer(&refused));
		return FALSE;
	}
	finding_add(plan->findings, FINDING_WARNING, "profile_not_possible", plan->benchmark->name,
	        "no profile of %s on this machine: %s", name, refused->message);
	return TRUE;
}

SampledEvents *sampled_events_new(const SampledEventsPlan *plan, GError **error)
{
	g_autoptr(SampledEvents) events = g_new0(SampledEvents, 1);
	RecorderEvent first;
	events->events = g_array_new(FALSE, TRUE, sizeof(RecorderEvent));
	events->names = g_ptr_array_new();
	g_array_set_clear_func(events->events, event_clear);
	if (!make_event(plan->abilities->sampling, plan->benchmark->sampling_hz, &first, error))
		return NULL;
	g_array_append_val(events->events, first);
	g_ptr_array_add(events->names, (gpointer)plan->abilities->sampling);
	for (char **name = plan->benchmark->profiles; name != NULL && *name != NULL; name++)
		if (!add_extra(events, plan, *name, error))
			return NULL;
	return g_steal_pointer(&events);
}
