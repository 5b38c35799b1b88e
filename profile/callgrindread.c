#include "profile/callgrindread.h"

#include "core/error.h"
#include "profile/callgrindstacks.h"

#include <string.h>

#define MAX_POSITIONS 8
#define MAX_EVENTS 256
#define MAX_NAME_BYTES 1048576
/* Of the names of all functions, as often as they are listed with another object file. */
#define MAX_NAMED_BYTES (G_GUINT64_CONSTANT(2) << 30)
#define DETECTED_LINES 200

/* The kinds of names; each has its own numbers. */
typedef enum { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, N_NAME_KINDS } NameKind;

typedef struct {
	PairIndex numbers; /* (number in parentheses, 0) */
	GArray *by_number; /* of guint32, by row of `numbers`: row of `texts` */
	TextIndex texts;
	GArray *rows; /* of TextPiece, by row of `texts` */
} NameTable;

/* A dump of a process or thread. */
typedef struct {
	guint64 sum;          /* of the self costs in the chosen column */
	gboolean has_costs;   /* any lines with costs */
	gboolean has_totals;  /* and they fit */
	gboolean is_decided;  /* whether it passes the filters */
	gboolean is_filtered; /* it does not */
} Part;

typedef struct {
	const CallgrindOptions *options;
	const char *name; /* of the file, for messages */
	guint64 line_number;
	gboolean is_callgrind; /* written by callgrind itself */
	gboolean has_events;
	guint n_positions, n_events, column;
	char *event; /* owned */
	TextPiece command;
	guint64 pid, thread; /* 0 = not told */
	Part part;
	guint parts;
	NameTable names[N_NAME_KINDS];
	guint32 object, file;     /* rows of the names + 1; 0 = none yet */
	PairIndex function_index; /* (row of the name, object) */
	GArray *functions;        /* of CallgrindFunction */
	guint64 named_bytes;
	guint function;      /* index + 1 of the one whose lines are read */
	gboolean skips_cost; /* the next cost is that of calls */
	guint64 cost;
} CallgrindReader;

void callgrind_summary_clear(CallgrindSummary *summary)
{
	g_free(summary->event);
	g_free(summary->command);
	*summary = (CallgrindSummary){0};
}

static void reader_init(CallgrindReader *reader, const char *name, const CallgrindOptions *options)
{
	static const CallgrindOptions no_options = {0};
	*reader = (CallgrindReader){
	        .options = options != NULL ? options : &no_options,
	        .name = name,
	        .n_positions = 1,
	        .command = TEXT_NOTHING,
	        .functions = g_array_new(FALSE, FALSE, sizeof(CallgrindFunction)),
	};
	for (guint i = 0; i < N_NAME_KINDS; i++) {
		reader->names[i].by_number = g_array_new(FALSE, FALSE, sizeof(guint32));
		reader->names[i].rows = g_array_new(FALSE, FALSE, sizeof(TextPiece));
	}
}

static void reader_clear(CallgrindReader *reader)
{
	for (guint i = 0; i < N_NAME_KINDS; i++) {
		pair_index_clear(&reader->names[i].numbers);
		text_index_clear(&reader->names[i].texts);
		g_array_unref(reader->names[i].by_number);
		g_array_unref(reader->names[i].rows);
	}
	pair_index_clear(&reader->function_index);
	g_array_unref(reader->functions);
	g_free(reader->event);
}

static gboolean damaged(const CallgrindReader *reader, GError **error, const char *what)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s:%" G_GUINT64_FORMAT ": %s", reader->name,
	        reader->line_number, what);
	return FALSE;
}

/* Names */

static guint32 text_row(NameTable *names, TextPiece text)
{
	gboolean is_new;
	guint32 row = text_index_find_or_add(&names->texts, text, &is_new);
	if (is_new)
		g_array_append_val(names->rows, text);
	return row;
}

/* "(12) name" defines 12, "(12)" is what it was defined as, anything else is a name by itself. */
static gboolean read_name(CallgrindReader *reader, NameKind kind, TextPiece value, guint32 *row, GError **error)
{
	gboolean is_new;
	NameTable *names = &reader->names[kind];
	const char *closing = memchr(value.start, ')', value.length), *end = value.start + value.length;
	TextPiece number = TEXT_NOTHING;
	if (value.length > MAX_NAME_BYTES)
		return damaged(reader, error, "the name is too long to be one");
	if (closing != NULL && value.start[0] == '(')
		number = text_between(value.start + 1, closing);
	if (!text_is_number(number)) {
		*row = text_row(names, value);
		return TRUE;
	}
	TextPiece text = text_trimmed(text_between(closing + 1, end));
	guint32 slot = pair_index_find_or_add(&names->numbers, text_number(number), 0, &is_new);
	if (is_new && text.length == 0)
		return damaged(reader, error, "this number has not been given a name");
	*row = text.length > 0 ? text_row(names, text) : g_array_index(names->by_number, guint32, slot);
	if (is_new)
		g_array_append_val(names->by_number, *row);
	g_array_index(names->by_number, guint32, slot) = *row;
	return TRUE;
}

static TextPiece name_text(const CallgrindReader *reader, NameKind kind, guint32 row_plus_1)
{
	return row_plus_1 != 0 ? g_array_index(reader->names[kind].rows, TextPiece, row_plus_1 - 1) : TEXT_NOTHING;
}

static gboolean enter_function(CallgrindReader *reader, guint32 row, GError **error)
{
	gboolean is_new;
	guint32 index = pair_index_find_or_add(&reader->function_index, row, reader->object, &is_new);
	if (is_new) {
		const CallgrindFunction function = {
		        .name = name_text(reader, NAME_FUNCTION, row + 1),
		        .object = name_text(reader, NAME_OBJECT, reader->object),
		        .file = name_text(reader, NAME_FILE, reader->file),
		        .object_row = reader->object,
		};
		g_array_append_val(reader->functions, function);
		reader->named_bytes += function.name.length;
	}
	reader->function = index + 1;
	return reader->named_bytes <= MAX_NAMED_BYTES || damaged(reader, error, "too many long names");
}

/* What the keys of lines `key=name` name. Others that end in `=` are about calls and jumps. */
static const struct {
	const char *key;
	NameKind kind;
} name_keys[] = {
        {"fn", NAME_FUNCTION},
        {"cfn", NAME_FUNCTION},
        {"jfn", NAME_FUNCTION},
        {"fl", NAME_FILE},
        {"fi", NAME_FILE},
        {"fe", NAME_FILE},
        {"cfi", NAME_FILE},
        {"cfl", NAME_FILE},
        {"jfi", NAME_FILE},
        {"ob", NAME_OBJECT},
        {"cob", NAME_OBJECT},
        {"job", NAME_OBJECT},
};

static gboolean read_assignment(CallgrindReader *reader, TextPiece key, TextPiece value, GError **error)
{
	guint32 row;
	for (guint i = 0; i < G_N_ELEMENTS(name_keys); i++) {
		if (!text_equals(key, name_keys[i].key))
			continue;
		if (!read_name(reader, name_keys[i].kind, value, &row, error))
			return FALSE;
		if (text_equals(key, "fn"))
			return enter_function(reader, row, error);
		if (text_equals(key, "fl"))
			reader->file = row + 1;
		else if (text_equals(key, "ob"))
			reader->object = row + 1;
		return TRUE;
	}
	if (text_equals(key, "calls"))
		reader->skips_cost = TRUE;
	return TRUE;
}

/* Costs */

/* Decimal, or hexadecimal behind 0x. */
static gboolean parse_number(TextPiece text, guint64 *value)
{
	*value = text_number(text);
	if (text_is_number(text))
		return TRUE;
	if (!text_starts_with(text, "0x") || text.length < 3 || text.length > 18)
		return FALSE;
	*value = 0;
	for (gsize i = 2; i < text.length; i++) {
		if (!g_ascii_isxdigit(text.start[i]))
			return FALSE;
		*value = *value << 4 | (guint64)g_ascii_xdigit_value(text.start[i]);
	}
	return TRUE;
}

/* A line or address: a number, relative to the last with a sign, or `*` for the same. Where costs arise within a
 * function does not matter here, only that these words are no costs. */
static gboolean is_position(TextPiece word)
{
	guint64 value;
	if (word.length > 1 && (word.start[0] == '+' || word.start[0] == '-'))
		word = (TextPiece){word.start + 1, word.length - 1};
	return text_equals(word, "*") || parse_number(word, &value);
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

static gboolean add_cost(CallgrindReader *reader, guint64 cost, GError **error)
{
	Part *part = &reader->part;
	if (!part->is_decided) {
		part->is_decided = TRUE;
		part->is_filtered = !passes_filters(reader);
		reader->parts += part->is_filtered ? 0 : 1;
	}
	if (cost > G_MAXUINT64 - part->sum || cost > G_MAXUINT64 - reader->cost)
		return damaged(reader, error, "the costs are too large");
	part->sum += cost;
	if (part->is_filtered)
		return TRUE;
	reader->cost += cost;
	g_array_index(reader->functions, CallgrindFunction, reader->function - 1).cost += cost;
	return TRUE;
}

/* Positions, then costs; those missing at the end are 0. */
static gboolean read_costs(CallgrindReader *reader, TextPiece line, GError **error)
{
	TextPiece word;
	guint64 value, cost = 0;
	gboolean is_of_calls = reader->skips_cost;
	reader->skips_cost = FALSE;
	if (!reader->has_events || reader->function == 0)
		return damaged(reader, error, "costs before it is said of what they are");
	for (guint i = 0; i < reader->n_positions; i++)
		if (!text_take_word(&line, &word) || !is_position(word))
			return damaged(reader, error, "not a line of costs");
	for (guint i = 0; text_take_word(&line, &word); i++) {
		if (i >= reader->n_events || !parse_number(word, &value))
			return damaged(reader, error, "not a line of costs");
		cost = i == reader->column ? value : cost;
	}
	reader->part.has_costs = TRUE;
	return is_of_calls || add_cost(reader, cost, error);
}

/* Headers */

static gboolean read_events(CallgrindReader *reader, TextPiece value, GError **error)
{
	TextPiece words = value, word;
	const char *wanted = reader->options->event;
	gboolean is_found = FALSE;
	guint n = 0;
	for (; text_take_word(&words, &word) && n < MAX_EVENTS; n++) {
		if (is_found || (wanted != NULL && !text_equals(word, wanted)))
			continue;
		is_found = TRUE;
		reader->column = n;
		g_free(reader->event);
		reader->event = g_strndup(word.start, word.length);
	}
	if (n == 0 || n == MAX_EVENTS)
		return damaged(reader, error, "not a list of events");
	reader->n_events = n;
	reader->has_events = TRUE;
	if (is_found)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: no event %s in it; it has %.*s", reader->name,
	        wanted, (int)MIN(value.length, 200), value.start);
	return FALSE;
}

static gboolean read_positions(CallgrindReader *reader, TextPiece value, GError **error)
{
	TextPiece word;
	guint n = 0;
	while (n <= MAX_POSITIONS && text_take_word(&value, &word))
		n++;
	reader->n_positions = n;
	return (n > 0 && n <= MAX_POSITIONS) || damaged(reader, error, "not a list of positions");
}

static gboolean read_totals(CallgrindReader *reader, TextPiece value, GError **error)
{
	TextPiece word;
	guint64 total = 0;
	for (guint i = 0; i <= reader->column; i++)
		if (!text_take_word(&value, &word) || !parse_number(word, &total)) {
			total = 0;
			break;
		}
	if (reader->is_callgrind && total != reader->part.sum)
		return damaged(reader, error, "the costs do not add up to these totals: lines are missing or changed");
	reader->part.has_totals = TRUE;
	return TRUE;
}

static gboolean end_part(CallgrindReader *reader, GError **error)
{
	gboolean is_cut = reader->is_callgrind && reader->part.has_costs && !reader->part.has_totals;
	reader->part = (Part){0};
	return !is_cut || damaged(reader, error, "the part before ends without totals: the file is cut off");
}

static gboolean read_header(CallgrindReader *reader, TextPiece key, TextPiece value, GError **error)
{
	if (text_equals(key, "part"))
		return end_part(reader, error);
	if (text_equals(key, "events"))
		return read_events(reader, value, error);
	if (text_equals(key, "positions"))
		return read_positions(reader, value, error);
	if (text_equals(key, "totals"))
		return read_totals(reader, value, error);
	if (text_equals(key, "creator"))
		reader->is_callgrind = text_starts_with(value, "callgrind-");
	else if (text_equals(key, "cmd"))
		reader->command = value;
	else if (text_equals(key, "pid"))
		reader->pid = text_is_number(value) ? text_number(value) : 0;
	else if (text_equals(key, "thread"))
		reader->thread = text_is_number(value) ? text_number(value) : 0;
	return TRUE;
}

/* Lines */

static gboolean begins_costs(char c)
{
	return g_ascii_isdigit(c) || c == '+' || c == '-' || c == '*';
}

static gboolean read_line(CallgrindReader *reader, TextPiece line, GError **error)
{
	line = text_trimmed(line);
	if (line.length == 0 || line.start[0] == '#')
		return TRUE;
	if (begins_costs(line.start[0]))
		return read_costs(reader, line, error);
	const char *end = line.start + line.length, *at = line.start;
	while (at < end && g_ascii_isalnum(*at))
		at++;
	if (at == end || at == line.start || (*at != '=' && *at != ':'))
		return damaged(reader, error, "not a line of callgrind's format");
	TextPiece key = text_between(line.start, at), value = text_trimmed(text_between(at + 1, end));
	return *at == '=' ? read_assignment(reader, key, value, error) : read_header(reader, key, value, error);
}

static gboolean read_lines(CallgrindReader *reader, const char *text, gsize length, GError **error)
{
	const char *end = text + length;
	while (text < end) {
		reader->line_number++;
		if (!read_line(reader, text_take_line(&text, end), error))
			return FALSE;
	}
	return end_part(reader, error);
}

/* Results */

static gboolean check_contents(const CallgrindReader *reader, GError **error)
{
	gboolean is_filtered_out = reader->function_index.n_rows > 0;
	if (reader->has_events && (reader->parts > 0 || (reader->options->may_be_empty && !is_filtered_out)))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: %s", reader->name,
	        !reader->has_events             ? "no callgrind file: it lists no events"
	        : reader->function_index.n_rows ? "nothing left: no part passes the filters, or none has costs"
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
	reader_init(&reader, name, options);
	gboolean ok = read_lines(&reader, text, length, error) && check_contents(&reader, error);
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
