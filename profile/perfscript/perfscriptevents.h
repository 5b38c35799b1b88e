/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a text of `perf script`, and which of them is read. Internal to the reader. */
#pragma once

#include "model/textindex.h"
#include "profile/perfscript/perfscriptchoice.h"

typedef struct {
	TextPiece name;
	PerfScriptSummary counts; /* its texts are not used */
	gboolean lacks_pids;      /* some of its samples have a thread id only */
} ScriptEventRow;

typedef struct {
	TextIndex index;
	GArray *rows;       /* of ScriptEventRow */
	TextPiece declared; /* by the header, the first */
	guint n_declared;
} ScriptEventTable;

/* An empty table. The caller clears it. */
void script_events_init(ScriptEventTable *events);
void script_events_clear(ScriptEventTable *events);
/* The header names an event. */
void script_events_declare(ScriptEventTable *events, TextPiece name);
/* The row of the event of a sample; without a name it is the one that the header declares, if that is one. */
guint32 script_events_find(ScriptEventTable *events, TextPiece name);
/* A row of the table; borrowed, until one is added. */
ScriptEventRow *script_event_row(const ScriptEventTable *events, guint32 row);
/* The event to read: the one that is asked for, an exact name before one without modifiers; else the only one with
 * samples. Errors: FIREBREAK_ERROR_USAGE if that is none or not clear, or if there are no process ids to filter by.
 * `name` is that of the text. */
gboolean script_events_choose(const ScriptEventTable *events, const char *name, const PerfScriptOptions *options,
        guint32 *chosen, GError **error);
/* The unit of the weights: that of the event, as the reader of perf.data names it. Owned by the caller. */
char *script_event_unit(const ScriptEventRow *event);
