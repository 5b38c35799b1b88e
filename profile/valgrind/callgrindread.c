/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindread.h"

#include "core/error.h"
#include "profile/valgrind/callgrindstacks.h"
#include "profile/valgrind/callgrindtext.h"

/* Of the names of all functions, as often as they are listed with another object file. */
#define MAX_NAMED_BYTES (G_GUINT64_CONSTANT(2) << 30)
#define DETECTED_LINES 200

typedef struct {
	const CallgrindOptions *options;
	const char *name; /* of the file, for messages */
	CallgrindText lines;
	guint column;
	char *event; /* owned */
	TextPiece command;
	guint64 pid, thread;  /* 0 = not told */
	gboolean is_decided;  /* whether the part, of a process or thread, passes the filters */
	gboolean is_filtered; /* it does not */
	guint parts;
	PairIndex function_index; /* (row of the name, object) */
	GArray *functions;        /* of CallgrindFunction */
	guint64 named_bytes;
	guint function; /* index of the one whose lines are read */
	guint64 cost;
} CallgrindReader;

void callgrind_summary_clear(CallgrindSummary *summary)
{
	g_free(summary->event);
	g_free(summary->command);
	*summary = (CallgrindSummary){0};
}

static void reader_init(CallgrindReader *reader, TextPiece text, const char *name, const CallgrindOptions *options)
{
	static const CallgrindOptions no_options = {0};
	*reader = (CallgrindReader){
	        .options = options != NULL ? options : &no_options,
	        .name = name,
	        .command = TEXT_NOTHING,
	        .functions = g_array_new(FALSE, FALSE, sizeof(CallgrindFunction)),
	};
	callgrind_text_init(&reader->lines, text, name);
}

static void reader_clear(CallgrindReader *reader)
{
	callgrind_text_clear(&reader->lines);
	pair_index_clear(&reader->function_index);
	g_array_unref(reader->functions);
	g_free(reader->event);
}

static gboolean enter_function(gpointer data, GError **error)
{
	CallgrindReader *reader = data;
	gboolean is_new;
	const CallgrindPlace *place = &reader->lines.function;
	reader->function = pair_index_find_or_add(&reader->function_index, place->name, place->object, &is_new);
	if (is_new) {
		const CallgrindFunction function = {
		        .name = callgrind_text_name(&reader->lines, CALLGRIND_NAME, place->name),
		        .object = callgrind_text_name(&reader->lines, CALLGRIND_OBJECT, place->object),
		        .file = callgrind_text_name(&reader->lines, CALLGRIND_FILE, place->file),
		        .object_row = place->object,
		};
		g_array_append_val(reader->functions, function);
		reader->named_bytes += function.name.length;
	}
	return reader->named_bytes <= MAX_NAMED_BYTES ||
	       callgrind_text_damaged(&reader->lines, "too many long names", error);
}

static gboolean passes_filters(const CallgrindReader *reader)
{
	const CallgrindOptions *options = reader->options;
	TextPiece command = reader->command, program;
	text_take_word(&command, &program);
	return (options->pid == 0 || reader->pid == (guint64)options->pid) &&
	       (options->thread == 0 || reader->thread == (guint64)options->thread) &&
	       (options->comm == NULL || text_equals(text_base_name(program), options->comm));
}

static gboolean add_cost(gpointer data, GError **error)
{
	CallgrindReader *reader = data;
	const CallgrindText *lines = &reader->lines;
	guint64 cost = reader->column < lines->n_costs ? lines->costs[reader->column] : 0;
	if (!reader->is_decided) {
		reader->is_decided = TRUE;
		reader->is_filtered = !passes_filters(reader);
		reader->parts += reader->is_filtered ? 0 : 1;
	}
	if (reader->is_filtered)
		return TRUE;
	if (cost > G_MAXUINT64 - reader->cost)
		return callgrind_text_damaged(lines, "the costs are too large", error);
	reader->cost += cost;
	g_array_index(reader->functions, CallgrindFunction, reader->function).cost += cost;
	return TRUE;
}

static gboolean choose_column(CallgrindReader *reader, GError **error)
{
	const GArray *events = reader->lines.events;
	const char *wanted = reader->options->event;
	for (guint i = 0; i < events->len; i++) {
		TextPiece event = g_array_index(events, TextPiece, i);
		if (wanted != NULL && !text_equals(event, wanted))
			continue;
		reader->column = i;
		g_free(reader->event);
		reader->event = g_strndup(event.start, event.length);
		return TRUE;
	}
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: no event %s in it; it has %.*s", reader->name,
	        wanted, (int)MIN(reader->lines.value.length, 200), reader->lines.value.start);
	return FALSE;
}

static gboolean read_header(gpointer data, GError **error)
{
	CallgrindReader *reader = data;
	TextPiece key = reader->lines.key, value = reader->lines.value;
	if (text_equals(key, "events"))
		return choose_column(reader, error);
	if (text_equals(key, "part"))
		reader->is_decided = FALSE;
	else if (text_equals(key, "cmd"))
		reader->command = value;
	else if (text_equals(key, "pid"))
		reader->pid = text_is_number(value) ? text_number(value) : 0;
	else if (text_equals(key, "thread"))
		reader->thread = text_is_number(value) ? text_number(value) : 0;
	return TRUE;
}

static const CallgrindVisitor visitor = {.header = read_header, .function = enter_function, .self = add_cost};

/* --- results --- */

static gboolean check_contents(const CallgrindReader *reader, GError **error)
{
	gboolean is_filtered_out = reader->functions->len > 0, has_events = reader->lines.events->len > 0;
	if (has_events && (reader->parts > 0 || (reader->options->may_be_empty && !is_filtered_out)))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: %s", reader->name,
	        !has_events       ? "no callgrind file: it lists no events"
	        : is_filtered_out ? "nothing left: no part passes the filters, or none has costs"
	                          : "no costs in it");
	return FALSE;
}

static void fill_profile(const CallgrindReader *reader, Profile *profile, guint run, gboolean *has_contexts)
{
	CallgrindStacks stacks;
	callgrind_stacks_init(&stacks, profile->table, reader->functions);
	for (guint i = 0; i < reader->functions->len; i++) {
		guint64 cost = g_array_index(reader->functions, CallgrindFunction, i).cost;
		if (cost > 0)
			profile_add(profile, run, callgrind_stack_of(&stacks, i),
			        (ProfileCell){.samples = cost, .weight = cost});
	}
	*has_contexts = stacks.has_callers;
	callgrind_stacks_clear(&stacks);
}

gboolean callgrind_read(const char *text, gsize length, const char *name, const CallgrindOptions *options,
        Profile *profile, guint run, CallgrindSummary *summary, GError **error)
{
	CallgrindReader reader;
	gboolean has_contexts;
	g_assert(run < profile_n_runs(profile));
	reader_init(&reader, (TextPiece){text, length}, name, options);
	gboolean ok = callgrind_text_read(&reader.lines, &visitor, &reader, error) && check_contents(&reader, error);
	if (ok)
		fill_profile(&reader, profile, run, &has_contexts);
	if (ok && summary != NULL)
		*summary = (CallgrindSummary){
		        .event = g_steal_pointer(&reader.event),
		        .command = g_strndup(reader.command.start, reader.command.length),
		        .cost = reader.cost,
		        .parts = reader.parts,
		        .has_contexts = has_contexts,
		};
	reader_clear(&reader);
	return ok;
}

gboolean callgrind_detect(const char *text, gsize length)
{
	static const char *const beginnings[] = {"# callgrind format", "creator: callgrind", "events:"};
	const char *end = text + length;
	for (guint n = 0; n < DETECTED_LINES && text < end; n++) {
		TextPiece line = text_take_line(&text, end);
		for (guint i = 0; i < G_N_ELEMENTS(beginnings); i++)
			if (text_starts_with(line, beginnings[i]))
				return TRUE;
	}
	return FALSE;
}
