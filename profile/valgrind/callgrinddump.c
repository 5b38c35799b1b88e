/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrinddump.h"

#include "core/error.h"
#include "model/inputfile.h"
#include "profile/valgrind/callgrindforest.h"
#include "profile/valgrind/callgrindname.h"
#include "profile/valgrind/callgrindtext.h"

#include <string.h>

/* Limits the names of all contexts; one counts as often as it is listed with another object file. */
#define MAX_NAMED_BYTES (G_GUINT64_CONSTANT(2) << 30)
#define MAX_CELLS (1u << 25)
#define MAX_COSTS (1u << 26)
/* Limits the chain of a context; callgrind's own limit is lower. */
#define MAX_CHAIN 256

/* The kernel cuts command names to so many bytes. */
#define COMMAND_BYTES 15

/* The functions of one name. */
typedef struct {
	const char *name; /* a copy; NULL = none yet */
	guint32 first;    /* of them; CALLGRIND_NONE = none yet */
} NamedFunctions;

/* An instruction of an allocating function. */
typedef struct {
	guint32 context;
	guint64 address, n;
} AllocatorLine;

typedef struct {
	const char *name; /* of the file, for messages */
	CallgrindText lines;
	CallgrindDump *dump;
	const char *const *columns;
	guint column_of[CALLGRIND_MAX_EVENTS]; /* by column that is asked for: that of the dump */
	guint n_parts, n_totals;
	PairIndex context_index; /* (row of the name, object) of the lines */
	GArray *names;           /* of TextPiece, by context */
	guint64 named_bytes;
	TextIndex function_names; /* without callers */
	GArray *named;            /* of NamedFunctions, by row of these */
	PairIndex function_index; /* (row of these, object) */
	GArray *by_index;         /* of guint32, by row of it: function */
	GArray *objects;          /* of guint32, by object of the lines: that of the dump */
	GPtrArray *files;         /* of const char *, by file of the lines: its copy, or NULL */
	PairIndex address_index;  /* (address, object) */
	PairIndex thread_index;   /* (number, 0) */
	GArray *allocator_lines;  /* of AllocatorLine */
	guint32 context;          /* the one whose lines are read */
} DumpReader;

static CallgrindDump *dump_new(guint n_columns)
{
	CallgrindDump *dump = g_new0(CallgrindDump, 1);
	dump->threads = g_array_new(FALSE, FALSE, sizeof(guint64));
	dump->events = g_ptr_array_new_with_free_func(g_free);
	dump->totals = g_array_new(FALSE, TRUE, sizeof(guint64));
	dump->objects = g_ptr_array_new();
	dump->functions = g_array_new(FALSE, FALSE, sizeof(CallgrindDumpFunction));
	dump->contexts = g_array_new(FALSE, FALSE, sizeof(CallgrindContext));
	dump->chain = g_array_new(FALSE, FALSE, sizeof(guint32));
	dump->addresses = g_array_new(FALSE, FALSE, sizeof(CallgrindAddress));
	dump->cells = g_array_new(FALSE, FALSE, sizeof(CallgrindCell));
	dump->costs = g_array_new(FALSE, FALSE, sizeof(guint64));
	dump->n_columns = n_columns;
	dump->calls = g_array_new(FALSE, FALSE, sizeof(CallgrindCall));
	dump->call_costs = g_array_new(FALSE, FALSE, sizeof(guint64));
	dump->text = g_string_chunk_new(4096);
	return dump;
}

void callgrind_dump_free(CallgrindDump *dump)
{
	if (dump == NULL)
		return;
	g_free(dump->command);
	g_ptr_array_unref(dump->events);
	g_ptr_array_unref(dump->objects);
	GArray *const arrays[] = {dump->threads, dump->totals, dump->functions, dump->contexts, dump->chain,
	        dump->addresses, dump->cells, dump->costs, dump->calls, dump->call_costs};
	for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_array_unref(arrays[i]);
	g_string_chunk_free(dump->text);
	g_free(dump);
}

static void reader_init(DumpReader *reader, const InputFile *file, CallgrindDump *dump)
{
	*reader = (DumpReader){
	        .name = file->name,
	        .dump = dump,
	        .names = g_array_new(FALSE, FALSE, sizeof(TextPiece)),
	        .named = g_array_new(FALSE, FALSE, sizeof(NamedFunctions)),
	        .by_index = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .objects = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .files = g_ptr_array_new(),
	        .allocator_lines = g_array_new(FALSE, FALSE, sizeof(AllocatorLine)),
	        .context = CALLGRIND_NONE,
	};
	const char *text = file->length > 0 ? (const char *)file->bytes : "";
	callgrind_text_init(&reader->lines, (TextPiece){text, file->length}, file->name);
}

static void reader_clear(DumpReader *reader)
{
	callgrind_text_clear(&reader->lines);
	pair_index_clear(&reader->context_index);
	text_index_clear(&reader->function_names);
	pair_index_clear(&reader->function_index);
	pair_index_clear(&reader->address_index);
	pair_index_clear(&reader->thread_index);
	g_array_unref(reader->names);
	g_array_unref(reader->named);
	g_array_unref(reader->by_index);
	g_array_unref(reader->objects);
	g_ptr_array_unref(reader->files);
	g_array_unref(reader->allocator_lines);
}

static CallgrindContext *context_at(const CallgrindDump *dump, guint32 row)
{
	return &g_array_index(dump->contexts, CallgrindContext, row);
}

static CallgrindDumpFunction *function_at(const CallgrindDump *dump, guint32 row)
{
	return &g_array_index(dump->functions, CallgrindDumpFunction, row);
}

/* --- functions --- */

static const char *keep(CallgrindDump *dump, TextPiece text)
{
	return g_string_chunk_insert_len(dump->text, text.start, (gssize)text.length);
}

static const char *find_file(DumpReader *reader, guint32 line_file)
{
	TextPiece path = callgrind_text_name(&reader->lines, CALLGRIND_FILE, line_file);
	if (reader->files->len <= line_file)
		g_ptr_array_set_size(reader->files, (gint)line_file + 1);
	if (reader->files->pdata[line_file] == NULL)
		reader->files->pdata[line_file] = (gpointer)(text_equals(path, "???") ? "" : keep(reader->dump, path));
	return reader->files->pdata[line_file];
}

static NamedFunctions *find_named(DumpReader *reader, TextPiece name, guint32 *row)
{
	gboolean is_new;
	*row = text_index_find_or_add(&reader->function_names, name, &is_new);
	if (is_new) {
		const NamedFunctions named = {keep(reader->dump, name), CALLGRIND_NONE};
		g_array_append_val(reader->named, named);
	}
	return &g_array_index(reader->named, NamedFunctions, *row);
}

static guint32 add_function(DumpReader *reader, TextPiece name, const NamedFunctions *named, guint32 object)
{
	GArray *functions = reader->dump->functions;
	const CallgrindDumpFunction function = {
	        .name = named->name,
	        .file = "",
	        .object = object,
	        .address = CALLGRIND_NONE,
	        .is_allocator = callgrind_name_is_allocator(name),
	        .is_cold = memmem(name.start, name.length, ".cold", strlen(".cold")) != NULL,
	};
	g_array_append_val(functions, function);
	return functions->len - 1;
}

/* The function of that name in an object file. `may_be_elsewhere`: else one of another file, if there is one. */
static guint32 find_function(DumpReader *reader, TextPiece name, guint32 object, gboolean may_be_elsewhere)
{
	guint32 row;
	gboolean is_new;
	NamedFunctions *named = find_named(reader, name, &row);
	guint32 slot = pair_index_find_or_add(&reader->function_index, row, object, &is_new);
	if (!is_new)
		return g_array_index(reader->by_index, guint32, slot);
	guint32 function = may_be_elsewhere && named->first != CALLGRIND_NONE
	                           ? named->first
	                           : add_function(reader, name, named, object);
	named->first = named->first != CALLGRIND_NONE ? named->first : function;
	g_array_append_val(reader->by_index, function);
	return function;
}

/* The object of the dump for one of the lines; 0 is none. */
static guint32 find_object(DumpReader *reader, guint32 line_object)
{
	const guint32 none = CALLGRIND_NONE;
	while (reader->objects->len <= line_object)
		g_array_append_val(reader->objects, none);
	guint32 *object = &g_array_index(reader->objects, guint32, line_object);
	if (*object != CALLGRIND_NONE)
		return *object;
	TextPiece path = callgrind_text_name(&reader->lines, CALLGRIND_OBJECT, line_object);
	*object = reader->dump->objects->len;
	g_ptr_array_add(reader->dump->objects, (gpointer)(text_equals(path, "???") ? "" : keep(reader->dump, path)));
	return *object;
}

/* --- contexts --- */

static CallgrindContext make_context(DumpReader *reader, const CallgrindPlace *place, TextPiece text)
{
	const CallgrindName name = callgrind_name_parse(text);
	const CallgrindContext context = {
	        .function = find_function(reader, name.function, find_object(reader, place->object), FALSE),
	        .caller = CALLGRIND_NONE,
	        .address = CALLGRIND_NONE,
	        .depth = name.n_callers + 1,
	        .level = name.level,
	};
	CallgrindDumpFunction *function = function_at(reader->dump, context.function);
	if (*function->file == '\0')
		function->file = find_file(reader, place->file);
	return context;
}

static gboolean find_context(DumpReader *reader, const CallgrindPlace *place, guint32 *context, GError **error)
{
	gboolean is_new;
	*context = pair_index_find_or_add(&reader->context_index, place->name, place->object, &is_new);
	if (!is_new)
		return TRUE;
	TextPiece text = callgrind_text_name(&reader->lines, CALLGRIND_NAME, place->name);
	const CallgrindContext row = make_context(reader, place, text);
	g_array_append_val(reader->dump->contexts, row);
	g_array_append_val(reader->names, text);
	reader->named_bytes += text.length;
	return reader->named_bytes <= MAX_NAMED_BYTES ||
	       callgrind_text_damaged(&reader->lines, "too many long names", error);
}

/* --- costs --- */

/* Finds or adds the address of the line, which is an instruction of the function. */
static guint32 find_address(DumpReader *reader, guint32 function)
{
	gboolean is_new;
	CallgrindDump *dump = reader->dump;
	CallgrindDumpFunction *self = function_at(dump, function);
	const CallgrindAddress address = {reader->lines.address, self->object};
	guint32 row = pair_index_find_or_add(&reader->address_index, address.address, address.object, &is_new);
	if (is_new) {
		g_array_append_val(dump->addresses, address);
		self->n_addresses++;
	}
	self->address = self->address != CALLGRIND_NONE ? self->address : row;
	return row;
}

static guint64 cost_of(const CallgrindText *lines, guint column)
{
	return column < lines->n_costs ? lines->costs[column] : 0;
}

static gboolean add_totals(CallgrindDump *dump, const CallgrindText *lines, GError **error)
{
	for (guint i = 0; i < lines->n_costs; i++) {
		guint64 *total = &g_array_index(dump->totals, guint64, i);
		if (__builtin_add_overflow(*total, lines->costs[i], total))
			return callgrind_text_damaged(lines, "the costs are too large", error);
	}
	return TRUE;
}

static gboolean is_free(const DumpReader *reader)
{
	for (guint i = 0; i < reader->dump->n_columns; i++)
		if (cost_of(&reader->lines, reader->column_of[i]) != 0)
			return FALSE;
	return TRUE;
}

static void append_costs(const DumpReader *reader, GArray *costs)
{
	for (guint i = 0; i < reader->dump->n_columns; i++) {
		guint64 cost = cost_of(&reader->lines, reader->column_of[i]);
		g_array_append_val(costs, cost);
	}
}

static gboolean read_self(gpointer data, GError **error)
{
	DumpReader *reader = data;
	CallgrindDump *dump = reader->dump;
	const CallgrindText *lines = &reader->lines;
	CallgrindContext *context = context_at(dump, reader->context);
	if (!add_totals(dump, lines, error))
		return FALSE;
	context->self += cost_of(lines, 0);
	if (function_at(dump, context->function)->is_allocator) {
		const AllocatorLine line = {reader->context, lines->address, cost_of(lines, 0)};
		g_array_append_val(reader->allocator_lines, line);
	}
	if (context->address != CALLGRIND_NONE && is_free(reader))
		return TRUE;
	const CallgrindCell cell = {reader->context, find_address(reader, context->function)};
	context->address = context->address != CALLGRIND_NONE ? context->address : cell.address;
	if (dump->cells->len >= MAX_CELLS || dump->costs->len >= MAX_COSTS)
		return callgrind_text_damaged(lines, "too many lines of costs", error);
	g_array_append_val(dump->cells, cell);
	append_costs(reader, dump->costs);
	return TRUE;
}

/* TRUE if the call allocates memory and was measured. A call that is not measured costs no instructions, though it may
 * have made system calls. */
static gboolean is_allocation(const CallgrindDump *dump, const CallgrindText *lines, const CallgrindCall *call)
{
	const CallgrindContext *caller = context_at(dump, call->caller), *called = context_at(dump, call->called);
	return function_at(dump, called->function)->is_allocator &&
	       !function_at(dump, caller->function)->is_allocator && cost_of(lines, 0) > 0;
}

static gboolean read_calls(gpointer data, GError **error)
{
	DumpReader *reader = data;
	CallgrindDump *dump = reader->dump;
	const CallgrindText *lines = &reader->lines;
	CallgrindCall call = {.caller = reader->context, .n = lines->n_calls};
	if (lines->called.name == 0)
		return callgrind_text_damaged(lines, "a call without a function", error);
	if (!find_context(reader, &lines->called, &call.called, error))
		return FALSE;
	call.address = find_address(reader, context_at(dump, call.caller)->function);
	call.is_allocation = is_allocation(dump, lines, &call);
	context_at(dump, call.called)->entry = lines->target;
	if (dump->calls->len >= MAX_CELLS || dump->call_costs->len >= MAX_COSTS)
		return callgrind_text_damaged(lines, "too many lines of calls", error);
	g_array_append_val(dump->calls, call);
	append_costs(reader, dump->call_costs);
	return TRUE;
}

/* --- headers --- */

/* All parts of a dump have the same columns. */
static gboolean note_events(DumpReader *reader, GError **error)
{
	const GArray *events = reader->lines.events;
	GPtrArray *known = reader->dump->events;
	gboolean is_same = known->len == 0 || known->len == events->len;
	for (guint i = 0; i < events->len && is_same; i++) {
		TextPiece event = g_array_index(events, TextPiece, i);
		if (known->len <= i)
			g_ptr_array_add(known, g_strndup(event.start, event.length));
		is_same = text_equals(event, known->pdata[i]);
	}
	reader->n_parts++;
	g_array_set_size(reader->dump->totals, events->len);
	return is_same || callgrind_text_damaged(&reader->lines, "other columns than in the part before", error);
}

static gboolean choose_columns(DumpReader *reader, GError **error)
{
	if (!note_events(reader, error))
		return FALSE;
	const GPtrArray *events = reader->dump->events;
	for (guint i = 0; i < reader->dump->n_columns; i++) {
		guint at = 0;
		while (at < events->len && !g_str_equal(events->pdata[at], reader->columns[i]))
			at++;
		reader->column_of[i] = at;
		if (at < events->len)
			continue;
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: no column %s in it; it has %.*s",
		        reader->name, reader->columns[i], (int)MIN(reader->lines.value.length, 200),
		        reader->lines.value.start);
		return FALSE;
	}
	return TRUE;
}

static void note_thread(DumpReader *reader, guint64 thread)
{
	gboolean is_new;
	pair_index_find_or_add(&reader->thread_index, thread, 0, &is_new);
	if (is_new)
		g_array_append_val(reader->dump->threads, thread);
}

/* The name that the kernel gives a process that runs the command. */
static char *command_name(TextPiece command)
{
	TextPiece program;
	text_take_word(&command, &program);
	program = text_base_name(program);
	return g_strndup(program.start, MIN(program.length, COMMAND_BYTES));
}

static gboolean read_header(gpointer data, GError **error)
{
	DumpReader *reader = data;
	CallgrindDump *dump = reader->dump;
	TextPiece key = reader->lines.key, value = reader->lines.value;
	if (text_equals(key, "events"))
		return choose_columns(reader, error);
	if (text_equals(key, "totals"))
		reader->n_totals++;
	else if (text_equals(key, "pid") && text_is_number(value))
		dump->pid = text_number(value);
	else if (text_equals(key, "thread") && text_is_number(value))
		note_thread(reader, text_number(value));
	else if (text_equals(key, "cmd") && dump->command == NULL)
		dump->command = command_name(value);
	return TRUE;
}

/* Begins the lines of a context. */
static gboolean read_function(gpointer data, GError **error)
{
	DumpReader *reader = data;
	return find_context(reader, &reader->lines.function, &reader->context, error);
}

static const CallgrindVisitor visitor = {
        .header = read_header, .function = read_function, .self = read_self, .calls = read_calls};

static gboolean check_whole(const DumpReader *reader, GError **error)
{
	const CallgrindText *lines = &reader->lines;
	const char *what = reader->n_parts == 0   ? "no dump of callgrind: it lists no events"
	                   : !lines->is_callgrind ? "not written by callgrind itself: its costs cannot be checked"
	                   : reader->n_totals != reader->n_parts ? "it ends without totals: the file is cut off"
	                   : !lines->has_addresses ? "no instruction addresses in it; callgrind writes them with "
	                                             "--dump-instr=yes"
	                                           : NULL;
	if (what != NULL)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: %s", reader->name, what);
	return what == NULL;
}

/* Callgrind counts the calls by a place that was measured in part with those outside of what was measured; how often
 * the function was entered within tells the instruction there. */
static gboolean count_allocations(DumpReader *reader, GError **error)
{
	CallgrindDump *dump = reader->dump;
	for (guint i = 0; i < reader->allocator_lines->len; i++) {
		const AllocatorLine *line = &g_array_index(reader->allocator_lines, AllocatorLine, i);
		CallgrindContext *context = context_at(dump, line->context);
		context->n_entries += line->address == context->entry ? line->n : 0;
	}
	for (guint i = 0; i < dump->calls->len; i++) {
		CallgrindCall *call = &g_array_index(dump->calls, CallgrindCall, i);
		guint64 *left = &context_at(dump, call->called)->n_entries;
		if (!call->is_allocation)
			continue;
		call->n = MIN(call->n, *left);
		*left -= call->n;
		if (__builtin_add_overflow(dump->allocations, call->n, &dump->allocations))
			return callgrind_text_damaged(&reader->lines, "the numbers of calls are too large", error);
	}
	return TRUE;
}

/* --- callers --- */

/* The functions in the name of a context. */
static void add_chain(DumpReader *reader, guint32 row)
{
	TextPiece name;
	CallgrindDump *dump = reader->dump;
	CallgrindContext *context = context_at(dump, row);
	CallgrindName parsed = callgrind_name_parse(g_array_index(reader->names, TextPiece, row));
	guint32 object = function_at(dump, context->function)->object;
	context->chain = dump->chain->len;
	while (context->n_chain < MAX_CHAIN && callgrind_name_take(&parsed.callers, &name)) {
		guint32 function = find_function(reader, name, object, TRUE);
		object = function_at(dump, function)->object;
		g_array_append_val(dump->chain, function);
		context->n_chain++;
	}
}

static void finish_contexts(DumpReader *reader)
{
	CallgrindDump *dump = reader->dump;
	callgrind_forest_find_callers(dump);
	for (guint32 i = 0; i < dump->contexts->len; i++)
		if (context_at(dump, i)->caller == CALLGRIND_NONE)
			add_chain(reader, i);
	callgrind_forest_spread_cuts(dump);
}

CallgrindDump *callgrind_dump_read(const char *path, const char *const *columns, guint n_columns, GError **error)
{
	InputFile file;
	DumpReader reader;
	g_assert(n_columns <= CALLGRIND_MAX_EVENTS);
	if (!input_file_open(&file, path, error))
		return NULL;
	g_autoptr(CallgrindDump) dump = dump_new(n_columns);
	reader_init(&reader, &file, dump);
	reader.columns = columns;
	gboolean ok = callgrind_text_read(&reader.lines, &visitor, &reader, error) && check_whole(&reader, error) &&
	              count_allocations(&reader, error);
	if (ok)
		finish_contexts(&reader);
	if (dump->command == NULL || *dump->command == '\0') {
		g_free(dump->command);
		dump->command = g_strdup("[unknown]");
	}
	reader_clear(&reader);
	input_file_close(&file);
	return ok ? g_steal_pointer(&dump) : NULL;
}
