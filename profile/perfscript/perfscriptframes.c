/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/perfscriptframes.h"

#include "model/canonical.h"
#include "model/toolnames.h"

#include <string.h>

/* A function of a line before it becomes a frame. */
typedef struct {
	TextPiece text;
	gboolean is_inlined; /* after an arrow */
	gboolean is_java;
} FunctionText;

void script_frames_init(ScriptFrameTable *frames, StackTable *table, const PerfScriptOptions *options)
{
	*frames = (ScriptFrameTable){
	        .table = table,
	        .options = options,
	        .rows = g_array_new(FALSE, FALSE, sizeof(ScriptFrameRow)),
	        .name = g_string_new(NULL),
	        .mended = g_string_new(NULL),
	};
	for (guint i = 0; i < G_N_ELEMENTS(frames->lines); i++)
		frames->lines[i] = g_array_new(FALSE, FALSE, sizeof(ScriptFrames));
}

void script_frames_clear(ScriptFrameTable *frames)
{
	for (guint i = 0; i < G_N_ELEMENTS(frames->lines); i++) {
		text_index_clear(&frames->texts[i]);
		g_array_unref(frames->lines[i]);
	}
	g_array_unref(frames->rows);
	g_string_free(frames->name, TRUE);
	g_string_free(frames->mended, TRUE);
}

static gboolean is_unknown(TextPiece text)
{
	return text.length == 0 || text_equals(text, "[unknown]");
}

/* "[heap]" has them already. */
static TextPiece without_brackets(TextPiece file)
{
	gboolean bracketed = file.length > 2 && file.start[0] == '[' && file.start[file.length - 1] == ']';
	return bracketed ? (TextPiece){file.start + 1, file.length - 2} : file;
}

/* Names a function that has no name after its file. */
static void name_unknown(ScriptFrameTable *frames, const ScriptFrame *frame)
{
	TextPiece file = is_unknown(frame->file) ? text_of("unknown") : without_brackets(text_base_name(frame->file));
	g_string_append_c(frames->name, '[');
	text_append(frames->name, file);
	if (frames->options->addresses) {
		g_string_append(frames->name, " <");
		text_append(frames->name, frame->address);
		g_string_append_c(frames->name, '>');
	}
	g_string_append_c(frames->name, ']');
}

/* Where two formats know a function from its object file, both cut what compilers and linkers add to its name. */
static void cut_additions(GString *name)
{
	char *clone = strstr(name->str, " [clone ");
	if (clone != NULL && clone > name->str)
		g_string_truncate(name, (gsize)(clone - name->str));
	g_autofree char *cut = canonical_linkage_name(name->str);
	canonical_drop_numbers(cut);
	g_string_assign(name, cut);
}

static void name_function(ScriptFrameTable *frames, const ScriptFrame *frame, FunctionText function)
{
	TextPiece text = function.text;
	if (tool_name_mend_rust(text.start, text.length, frames->mended))
		text = (TextPiece){frames->mended->str, frames->mended->len};
	text.length = tool_name_without_arguments(text.start, text.length);
	if (function.is_java && text_starts_with(text, "L") && memchr(text.start, '/', text.length) != NULL)
		text = (TextPiece){text.start + 1, text.length - 1};
	text_append(frames->name, text);
	if (!function.is_java && !tool_file_is_jit(frame->file.start, frame->file.length))
		cut_additions(frames->name);
	for (gsize i = 0; i < frames->name->len; i++)
		if (frames->name->str[i] == ';')
			frames->name->str[i] = ':';
}

static FrameKind kind_of(const ScriptFrame *frame, const FunctionText *function)
{
	if (is_unknown(function->text))
		return FRAME_SYNTHETIC;
	if (function->is_inlined || text_equals(frame->file, "inlined"))
		return FRAME_INLINED;
	if (tool_file_is_kernel(frame->file.start, frame->file.length))
		return FRAME_KERNEL;
	return tool_file_is_jit(frame->file.start, frame->file.length) ? FRAME_JIT : FRAME_USER;
}

static void annotate(ScriptFrameTable *frames, const ScriptFrame *frame, gboolean is_inlined)
{
	const char *file = frame->file.start, *suffix = NULL;
	if (is_inlined)
		suffix = "_[i]";
	else if (frames->options->annotate_kernel && tool_file_is_kernel(file, frame->file.length))
		suffix = "_[k]";
	else if (frames->options->annotate_jit && tool_file_is_jit(file, frame->file.length))
		suffix = "_[j]";
	if (suffix != NULL && (suffix[2] == 'k' || strstr(frames->name->str, suffix) == NULL))
		g_string_append(frames->name, suffix);
}

static NameId module_of(const ScriptFrameTable *frames, TextPiece file)
{
	if (is_unknown(file) || text_equals(file, "inlined") || tool_file_is_jit(file.start, file.length))
		return (NameId){0};
	g_autofree char *path = g_strndup(file.start, file.length);
	g_autofree char *module = canonical_module(path);
	return stack_table_name(frames->table, module, -1);
}

static gboolean is_in(const char *const *names, const char *name)
{
	return names != NULL && g_strv_contains(names, name);
}

static void add_row(ScriptFrameTable *frames, const ScriptFrame *frame, FunctionText function)
{
	g_string_truncate(frames->name, 0);
	if (is_unknown(function.text))
		name_unknown(frames, frame);
	else
		name_function(frames, frame, function);
	ScriptFrameRow row = {.ends_stack = is_in(frames->options->skip_after, frames->name->str)};
	annotate(frames, frame, function.is_inlined);
	Frame named = {.kind = kind_of(frame, &function), .module = module_of(frames, frame->file)};
	named.name = named.raw_name = stack_table_name(frames->table, frames->name->str, (gssize)frames->name->len);
	row.id = stack_table_frame(frames->table, &named);
	row.is_inlined = named.kind == FRAME_INLINED;
	row.in_caller = text_equals(frame->file, "inlined");
	g_array_append_val(frames->rows, row);
}

/* The next arrow between two functions. That of `operator->`, of a function type and of anything in brackets is none.
 */
static const char *next_arrow(const char *at, const char *end)
{
	const char *start = at;
	gsize depth = 0;
	for (; at + 2 <= end; at++) {
		if (memcmp(at, "->", 2) == 0) {
			gboolean is_operator = at - start >= 8 && memcmp(at - 8, "operator", 8) == 0;
			if (depth == 0 && at > start && at[-1] != ' ' && !is_operator)
				return at;
			at++;
		} else if (*at == '(' || *at == '<') {
			depth++;
		} else if ((*at == ')' || *at == '>') && depth > 0) {
			depth--;
		}
	}
	return NULL;
}

static void add_functions(ScriptFrameTable *frames, const ScriptFrame *frame, gboolean is_java)
{
	const char *at = frame->symbol.start, *end = at + frame->symbol.length;
	FunctionText function = {.is_java = is_java};
	for (const char *arrow = next_arrow(at, end); arrow != NULL; arrow = next_arrow(at, end)) {
		function.text = text_between(at, arrow);
		add_row(frames, frame, function);
		function.is_inlined = TRUE;
		at = arrow + strlen("->");
	}
	function.text = text_between(at, end);
	if (function.text.length > 0 || !function.is_inlined)
		add_row(frames, frame, function);
}

static ScriptFrames add_line(ScriptFrameTable *frames, TextPiece address, TextPiece name, gboolean is_java)
{
	ScriptFrame frame = script_parse_frame(address, name);
	ScriptFrames line = {.first = frames->rows->len};
	if (!text_starts_with(frame.symbol, "(") || text_starts_with(frame.symbol, "(anonymous namespace)"))
		add_functions(frames, &frame, is_java);
	line.n = frames->rows->len - line.first;
	return line;
}

ScriptFrames script_frames_of(ScriptFrameTable *frames, TextPiece address, TextPiece name, gboolean is_java)
{
	gboolean is_new;
	guint set = is_java ? 0 : 1;
	TextPiece key = name;
	if (frames->options->addresses)
		key = text_between(address.start, name.start + name.length);
	guint32 row = text_index_find_or_add(&frames->texts[set], key, &is_new);
	if (is_new) {
		ScriptFrames line = add_line(frames, address, name, is_java);
		g_array_append_val(frames->lines[set], line);
	}
	return g_array_index(frames->lines[set], ScriptFrames, row);
}

FrameId script_frame_under(const ScriptFrameTable *frames, const ScriptFrameRow *row, const FrameId *caller)
{
	if (!row->in_caller || caller == NULL)
		return row->id;
	Frame frame = *stack_table_get_frame(frames->table, row->id);
	frame.module = stack_table_get_frame(frames->table, *caller)->module;
	return stack_table_frame(frames->table, &frame);
}

void script_frames_note_source(ScriptFrameTable *frames, ScriptFrames line, TextPiece source)
{
	const char *colon = memrchr(source.start, ':', source.length), *at = source.start;
	gsize digits = colon != NULL ? (gsize)(source.start + source.length - colon - 1) : 0;
	if (line.n == 0 || digits == 0 || !g_ascii_isdigit(colon[1]))
		return;
	while (at < colon && (*at == ' ' || *at == '\t'))
		at++;
	Frame frame = *stack_table_get_frame(
	        frames->table, g_array_index(frames->rows, ScriptFrameRow, line.first + line.n - 1).id);
	if (frame.file.index != 0 || at == colon || *at == '?')
		return;
	frame.file = stack_table_name(frames->table, at, colon - at);
	stack_table_frame(frames->table, &frame);
}
