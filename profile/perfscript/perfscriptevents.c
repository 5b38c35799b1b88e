/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/perfscriptevents.h"

#include "core/error.h"

#include <string.h>

#define LISTED_EVENTS 10

void script_events_init(ScriptEventTable *events)
{
	*events =
	        (ScriptEventTable){.rows = g_array_new(FALSE, TRUE, sizeof(ScriptEventRow)), .declared = TEXT_NOTHING};
}

void script_events_clear(ScriptEventTable *events)
{
	text_index_clear(&events->index);
	g_array_unref(events->rows);
}

void script_events_declare(ScriptEventTable *events, TextPiece name)
{
	if (events->n_declared++ == 0)
		events->declared = name;
}

guint32 script_events_find(ScriptEventTable *events, TextPiece name)
{
	gboolean is_new;
	if (name.length == 0 && events->n_declared == 1)
		name = events->declared;
	guint32 row = text_index_find_or_add(&events->index, name, &is_new);
	if (is_new) {
		const ScriptEventRow event = {.name = name};
		g_array_append_val(events->rows, event);
	}
	return row;
}

ScriptEventRow *script_event_row(const ScriptEventTable *events, guint32 row)
{
	return &g_array_index(events->rows, ScriptEventRow, row);
}

static gsize without_modifiers(TextPiece name)
{
	gsize n = name.length;
	while (n > 0 && strchr("ukhHGIpPSDWeb", name.start[n - 1]) != NULL && name.start[n - 1] != '\0')
		n--;
	return n > 0 && n < name.length && name.start[n - 1] == ':' ? n - 1 : name.length;
}

static gboolean event_fits(const ScriptEventRow *event, const char *wanted)
{
	if (wanted == NULL)
		return event->counts.samples > 0;
	return text_equals(event->name, wanted) ||
	       text_equals((TextPiece){event->name.start, without_modifiers(event->name)}, wanted);
}

static char *list_events(const ScriptEventTable *events)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < MIN(events->rows->len, LISTED_EVENTS); i++) {
		TextPiece name = script_event_row(events, i)->name;
		g_string_append(names, i > 0 ? ", " : "");
		text_append(names, name);
	}
	if (events->rows->len > LISTED_EVENTS)
		g_string_append(names, ", ...");
	return g_string_free(names, FALSE);
}

static gboolean refuse(GError **error, const char *name, const char *what)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: %s", name, what);
	return FALSE;
}

static gboolean choose(
        const ScriptEventTable *events, const char *name, const char *wanted, guint32 *chosen, GError **error)
{
	guint n_found = 0;
	for (guint i = 0; i < events->rows->len; i++) {
		const ScriptEventRow *event = script_event_row(events, i);
		gboolean is_exact = wanted != NULL && text_equals(event->name, wanted);
		if (!event_fits(event, wanted))
			continue;
		*chosen = i;
		n_found = is_exact ? 1 : n_found + 1;
		if (is_exact)
			break;
	}
	if (n_found == 1)
		return TRUE;
	if (events->rows->len == 0)
		return refuse(error, name, "no samples of perf script in it");
	if (n_found == 0 && wanted == NULL)
		return refuse(error, name, "the filters leave no sample");
	g_autofree char *names = list_events(events);
	g_autofree char *what =
	        g_strdup_printf(n_found == 0 ? "no such event in it; it has %s"
	                                     : "samples of several events in it; choose one of %s with --event",
	                names);
	return refuse(error, name, what);
}

static gboolean check_pids(const ScriptEventTable *events, const char *name, GError **error)
{
	for (guint i = 0; i < events->rows->len; i++)
		if (script_event_row(events, i)->lacks_pids)
			return refuse(error, name,
			        "has no process ids to choose by; print them with perf script -F +pid, or choose by "
			        "thread");
	return TRUE;
}

gboolean script_events_choose(const ScriptEventTable *events, const char *name, const PerfScriptOptions *options,
        guint32 *chosen, GError **error)
{
	if ((options->pid != 0 && !check_pids(events, name, error)) ||
	        !choose(events, name, options->event, chosen, error))
		return FALSE;
	return script_event_row(events, *chosen)->counts.samples > 0 ||
	       refuse(error, name, "the filters leave no sample");
}

char *script_event_unit(const ScriptEventRow *event)
{
	TextPiece name = {event->name.start, without_modifiers(event->name)};
	if (event->counts.without_period == event->counts.samples)
		return g_strdup("samples");
	if (text_equals(name, "cpu-clock") || text_equals(name, "task-clock"))
		return g_strdup("ns");
	return name.length > 0 ? g_strndup(name.start, name.length) : g_strdup("events");
}
