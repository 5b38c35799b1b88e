/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/stackcollapse.h"

#include "core/error.h"
#include "model/canonical.h"
#include "profile/perfscript/perfscriptline.h"

#include <string.h>

typedef struct {
	const PerfScriptOptions *options;
	Profile *profile;
	GArray *cells; /* of ProfileCell by StackId */
	GArray *stack; /* of FrameId, innermost first */
	GArray *parts; /* of FrameId: functions of one line, outermost first */
	GString *root; /* of the sample; empty = it is left out */
	guint64 period;
	GString *event; /* that is followed */
	GString *name;
	guint64 samples;
} Collapser;

/* A command and its thread. */
typedef struct {
	TextPiece comm, pid, tid;
} CollapsedEvent;

static gboolean is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static const char *skip_while(const char *at, const char *end, gboolean (*fits)(char))
{
	while (at < end && fits(*at))
		at++;
	return at;
}

static gboolean is_digit(char c)
{
	return g_ascii_isdigit(c);
}

static gboolean is_slash(char c)
{
	return c == '/';
}

static gboolean is_zero(TextPiece number)
{
	return number.length == 0 || (number.length == 1 && number.start[0] == '0');
}

/* A first column that is not blank, two bytes or more, and a number or two with slashes between them. */
static gboolean match_event(TextPiece line, CollapsedEvent *event)
{
	const char *end = line.start + line.length;
	if (line.length < 3 || is_space(line.start[0]))
		return FALSE;
	for (const char *comm_end = line.start + 2; comm_end < end; comm_end++) {
		if (!is_space(*comm_end))
			continue;
		const char *first = skip_while(comm_end, end, is_space);
		const char *first_end = skip_while(first, end, is_digit);
		const char *second = skip_while(first_end, end, is_slash);
		const char *second_end = skip_while(second, end, is_digit);
		if (first == first_end || second_end == end || !is_space(*second_end)) {
			comm_end = first - 1; /* the other blanks in front of it lead to the same */
			continue;
		}
		*event = (CollapsedEvent){text_between(line.start, comm_end), text_between(first, first_end),
		        text_between(second, second_end)};
		return TRUE;
	}
	return FALSE;
}

/* `: period event:` at the end of the line, the period optional. */
static gboolean match_period(TextPiece line, TextPiece *period, TextPiece *event)
{
	const char *start = line.start, *end = start + line.length;
	while (end > start && is_space(end[-1]))
		end--;
	if (end == start || *--end != ':')
		return FALSE;
	const char *name = end;
	while (name > start && !is_space(name[-1]))
		name--;
	const char *digits_end = name;
	while (digits_end > start && is_space(digits_end[-1]))
		digits_end--;
	const char *digits = digits_end;
	while (digits > start && is_digit(digits[-1]))
		digits--;
	const char *colon = digits;
	while (colon > start && is_space(colon[-1]))
		colon--;
	if (name == end || digits_end == name || colon == start || colon[-1] != ':')
		return FALSE;
	*event = text_between(name, end);
	*period = text_between(digits, digits_end);
	return TRUE;
}

/* FALSE if the event is another than the one that is followed. */
static gboolean follow_event(Collapser *collapser, TextPiece event)
{
	GString *followed = collapser->event;
	if (followed->len == 0)
		g_string_append_len(followed, event.start, (gssize)event.length);
	return followed->len == event.length && memcmp(followed->str, event.start, event.length) == 0;
}

static void begin_event(Collapser *collapser, TextPiece line, const CollapsedEvent *event)
{
	const PerfScriptOptions *options = collapser->options;
	TextPiece period = TEXT_NOTHING, name, pid = event->pid, tid = event->tid;
	if (match_period(line, &period, &name) && !follow_event(collapser, name))
		return;
	if (is_zero(tid)) {
		tid = pid;
		pid = text_of("?");
	}
	collapser->period = MAX(text_number(period), 1);
	g_string_truncate(collapser->root, 0);
	text_append(collapser->root, event->comm);
	if (options->root_pid || options->root_tid) {
		g_string_append_c(collapser->root, '-');
		text_append(collapser->root, pid);
	}
	if (options->root_tid) {
		g_string_append_c(collapser->root, '/');
		text_append(collapser->root, tid);
	}
	for (gsize i = 0; i < collapser->root->len; i++)
		if (collapser->root->str[i] == ' ')
			collapser->root->str[i] = '_';
}

/* Splits a line into a word, a function and a file in the last pair of parentheses. */
static gboolean match_frame(TextPiece line, ScriptFrame *frame)
{
	const char *end = line.start + line.length, *word = skip_while(line.start, end, is_space);
	const char *word_end = skip_while(word, end, is_word), *function = skip_while(word_end, end, is_space);
	const char *last = memrchr(line.start, ')', line.length), *file = last;
	if (last == NULL || word_end == word)
		return FALSE;
	do {
		file = memrchr(line.start, '(', (gsize)(file - line.start));
	} while (file != NULL && (file == line.start || file[-1] != ' '));
	if (file == NULL || file - 1 < word_end)
		return FALSE;
	/* a function has at least one byte, even if it must be taken from the blanks or the word before it */
	const char *function_end = file - 1;
	if (function >= function_end)
		function = function_end - 1;
	if (function <= word)
		return FALSE;
	word_end = MIN(word_end, function);
	*frame = (ScriptFrame){
	        text_between(word, word_end), text_between(function, function_end), text_between(file + 1, last)};
	return TRUE;
}

static gboolean contains(TextPiece text, const char *word)
{
	return memmem(text.start, text.length, word, strlen(word)) != NULL;
}

static void name_unknown(const Collapser *collapser, const ScriptFrame *frame)
{
	TextPiece file = text_base_name(frame->file);
	if (text_equals(frame->file, "[unknown]"))
		file = text_of("unknown");
	g_string_append_c(collapser->name, '[');
	text_append(collapser->name, file);
	if (collapser->options->addresses) {
		g_string_append(collapser->name, " <");
		text_append(collapser->name, frame->address);
		g_string_append_c(collapser->name, '>');
	}
	g_string_append_c(collapser->name, ']');
}

/* `.(...).` somewhere, as in Go's names of methods. */
static gboolean has_go_type(const char *name)
{
	const char *opening = strstr(name, ".(");
	return opening != NULL && strstr(opening + 2, ").") != NULL;
}

static void cut_arguments(GString *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	if (has_go_type(name->str))
		return;
	for (gsize i = 0; i < name->len; i++)
		if (name->str[i] == '(' && strncmp(name->str + i, anonymous, strlen(anonymous)) != 0) {
			g_string_truncate(name, i);
			return;
		}
}

static void tidy(const Collapser *collapser)
{
	GString *name = collapser->name;
	gsize kept = 0;
	for (gsize i = 0; i < name->len; i++)
		if (name->str[i] == ';')
			name->str[i] = ':';
	cut_arguments(name);
	for (gsize i = 0; i < name->len; i++)
		if (name->str[i] != '"' && name->str[i] != '\'')
			name->str[kept++] = name->str[i];
	g_string_truncate(name, kept);
	if (g_str_has_prefix(collapser->root->str, "java") && name->str[0] == 'L' && strchr(name->str, '/') != NULL)
		g_string_erase(name, 0, 1);
}

static gboolean is_perf_map(TextPiece file)
{
	static const char prefix[] = "/tmp/perf-";
	const char *at = file.start, *end = at + file.length;
	while ((at = memmem(at, (gsize)(end - at), prefix, strlen(prefix))) != NULL) {
		at += strlen(prefix);
		const char *after = skip_while(at, end, is_digit);
		if (after > at && text_starts_with(text_between(after, end), ".map"))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_kernel(TextPiece file)
{
	gboolean is_named = (file.length > 0 && file.start[0] == '[') || text_ends_with(file, "vmlinux");
	return is_named && !contains(file, "unknown");
}

static FrameKind annotate(const Collapser *collapser, const ScriptFrame *frame, gboolean is_inlined)
{
	const PerfScriptOptions *options = collapser->options;
	GString *name = collapser->name;
	FrameKind kind = is_inlined               ? FRAME_INLINED
	                 : is_kernel(frame->file) ? FRAME_KERNEL
	                                          : (is_perf_map(frame->file) ? FRAME_JIT : FRAME_USER);
	if (is_inlined && strstr(name->str, "_[i]") == NULL)
		g_string_append(name, "_[i]");
	if (kind == FRAME_KERNEL && options->annotate_kernel)
		g_string_append(name, "_[k]");
	if (kind == FRAME_JIT && options->annotate_jit && strstr(name->str, "_[j]") == NULL)
		g_string_append(name, "_[j]");
	return kind;
}

static void add_part(Collapser *collapser, const ScriptFrame *frame, TextPiece function)
{
	StackTable *table = collapser->profile->table;
	g_autofree char *path = g_strndup(frame->file.start, frame->file.length);
	g_autofree char *module = canonical_module(path);
	g_string_truncate(collapser->name, 0);
	if (text_equals(function, "[unknown]"))
		name_unknown(collapser, frame);
	else
		text_append(collapser->name, function);
	tidy(collapser);
	FrameKind kind = annotate(collapser, frame, collapser->parts->len > 0);
	FrameId id = stack_table_frame_named(table, collapser->name->str, module, kind);
	g_array_append_val(collapser->parts, id);
}

/* Every arrow splits; empty functions at the end are none. */
static void add_parts(Collapser *collapser, const ScriptFrame *frame)
{
	const char *at = frame->symbol.start, *end = at + frame->symbol.length;
	while (end - at >= 2 && memcmp(end - 2, "->", 2) == 0)
		end -= 2;
	g_array_set_size(collapser->parts, 0);
	while (at < end) {
		const char *arrow = memmem(at, (gsize)(end - at), "->", 2);
		add_part(collapser, frame, text_between(at, arrow != NULL ? arrow : end));
		at = arrow != NULL ? arrow + 2 : end;
	}
	for (guint i = collapser->parts->len; i-- > 0;)
		g_array_append_val(collapser->stack, g_array_index(collapser->parts, FrameId, i));
}

static void cut_offset(TextPiece *symbol)
{
	gsize i = symbol->length;
	while (i > 0 &&
	        (is_digit(symbol->start[i - 1]) || (symbol->start[i - 1] >= 'a' && symbol->start[i - 1] <= 'f')))
		i--;
	if (i < symbol->length && i >= 3 && memcmp(symbol->start + i - 3, "+0x", 3) == 0)
		symbol->length = i - 3;
}

static void add_frame(Collapser *collapser, ScriptFrame *frame)
{
	if (collapser->root->len == 0)
		return;
	cut_offset(&frame->symbol);
	if (frame->symbol.length == 0 || frame->symbol.start[0] != '(')
		add_parts(collapser, frame);
}

static void add_cell(Collapser *collapser, StackId stack)
{
	if (stack.index >= collapser->cells->len)
		g_array_set_size(collapser->cells, stack.index + 1);
	ProfileCell *cell = &g_array_index(collapser->cells, ProfileCell, stack.index);
	cell->samples++;
	cell->weight += MIN(collapser->period, G_MAXUINT64 - cell->weight);
}

static void end_stack(Collapser *collapser)
{
	StackTable *table = collapser->profile->table;
	if (collapser->root->len == 0)
		return;
	StackId stack = stack_table_push(
	        table, STACK_ROOT, stack_table_frame_named(table, collapser->root->str, NULL, FRAME_COMMAND));
	for (guint i = collapser->stack->len; i-- > 0;)
		stack = stack_table_push(table, stack, g_array_index(collapser->stack, FrameId, i));
	add_cell(collapser, stack);
	collapser->samples++;
	g_string_truncate(collapser->root, 0);
	g_array_set_size(collapser->stack, 0);
}

static void read_lines(Collapser *collapser, const char *text, const char *end)
{
	while (text < end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		TextPiece line = text_between(text, newline != NULL ? newline : end);
		CollapsedEvent event;
		ScriptFrame frame;
		text = newline != NULL ? newline + 1 : end;
		if (line.length == 0)
			end_stack(collapser);
		else if (line.start[0] == '#')
			continue;
		else if (match_event(line, &event))
			begin_event(collapser, line, &event);
		else if (match_frame(line, &frame))
			add_frame(collapser, &frame);
	}
}

static gboolean finish(const Collapser *collapser, const char *name, guint run, char **event, GError **error)
{
	if (collapser->samples == 0) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "%s: stackcollapse-perf.pl finds no stacks in it", name);
		return FALSE;
	}
	for (guint i = 0; i < collapser->cells->len; i++) {
		ProfileCell cell = g_array_index(collapser->cells, ProfileCell, i);
		if (cell.samples > 0)
			profile_add(collapser->profile, run, (StackId){i}, cell);
	}
	*event = g_strdup(collapser->event->str);
	return TRUE;
}

gboolean stackcollapse_read(const char *text, gsize length, const char *name, const PerfScriptOptions *options,
        Profile *profile, guint run, char **event, GError **error)
{
	Collapser collapser = {
	        .options = options,
	        .profile = profile,
	        .cells = g_array_new(FALSE, TRUE, sizeof(ProfileCell)),
	        .stack = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	        .parts = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	        .root = g_string_new(NULL),
	        .event = g_string_new(options->event),
	        .name = g_string_new(NULL),
	};
	read_lines(&collapser, text, text + length);
	gboolean ok = finish(&collapser, name, run, event, error);
	g_array_unref(collapser.cells);
	g_array_unref(collapser.stack);
	g_array_unref(collapser.parts);
	g_string_free(collapser.root, TRUE);
	g_string_free(collapser.event, TRUE);
	g_string_free(collapser.name, TRUE);
	return ok;
}
