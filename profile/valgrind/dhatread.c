/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/dhatread.h"

#include "core/error.h"
#include "core/jsontext.h"
#include "profile/valgrind/dhatframes.h"

#include <string.h>

#define MAX_JSON_COMMAS (64u << 20)
#define MAX_JSON_LISTS (8u << 20)
#define MAX_JSON_OBJECTS (4u << 20)
#define NEWEST_VERSION 2
#define DETECTED_BYTES 4096
#define NOWHERE G_MAXUINT32

/* One entry of DHAT's table of frames. */
typedef struct {
	DhatFrameText text;
	guint32 host; /* index of the entry that it is inlined into; NOWHERE = it has code of its own */
	gboolean has_own_code;
	FrameId frame;
} Entry;

/* Costs of one path. */
typedef struct {
	guint64 bytes, blocks, peak_bytes;
	const json_t *frames; /* array of indexes, innermost first */
} Path;

typedef struct {
	const char *name; /* of the text, for messages */
	json_t *root;
	const char *command;
	gint64 pid;
	GArray *entries; /* of Entry */
	GArray *paths;   /* of Path */
	guint64 bytes, blocks, peak_bytes;
	GArray *stack; /* of guint32: the entries of one path that count, innermost first */
} DhatReader;

void dhat_summary_clear(DhatSummary *summary)
{
	g_free(summary->command);
	*summary = (DhatSummary){0};
}

gboolean dhat_detect(const char *text, gsize length)
{
	static const char key[] = "\"dhatFileVersion\"";
	gsize i = 0;
	while (i < length && g_ascii_isspace(text[i]))
		i++;
	return i < length && text[i] == '{' &&
	       memmem(text + i, MIN(length - i, DETECTED_BYTES), key, sizeof key - 1) != NULL;
}

static void reader_init(DhatReader *reader, const char *name)
{
	*reader = (DhatReader){
	        .name = name,
	        .entries = g_array_new(FALSE, FALSE, sizeof(Entry)),
	        .paths = g_array_new(FALSE, FALSE, sizeof(Path)),
	        .stack = g_array_new(FALSE, FALSE, sizeof(guint32)),
	};
}

static void reader_clear(DhatReader *reader)
{
	g_array_unref(reader->entries);
	g_array_unref(reader->paths);
	g_array_unref(reader->stack);
	json_decref(reader->root);
}

static gboolean refuse(const DhatReader *reader, GError **error, const char *what)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: %s", reader->name, what);
}

static gboolean damaged(const DhatReader *reader, GError **error, const char *what)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s: damaged: %s", reader->name, what);
}

/* --- loading --- */

/* A value of JSON takes many times the memory of the two bytes that it can be written with. */
static gboolean has_bearable_values(const char *text, gsize length)
{
	gsize commas = 0, lists = 0, objects = 0;
	gboolean in_text = FALSE;
	for (gsize i = 0; i < length; i++) {
		if (in_text && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_text = !in_text;
		else if (!in_text) {
			commas += text[i] == ',';
			lists += text[i] == '[';
			objects += text[i] == '{';
		}
	}
	return commas <= MAX_JSON_COMMAS && lists <= MAX_JSON_LISTS && objects <= MAX_JSON_OBJECTS;
}

/* Paths of files and arguments of commands may have bytes that are not UTF-8. */
static gboolean load(DhatReader *reader, const char *text, gsize length, GError **error)
{
	g_autoptr(GError) problem = NULL;
	g_autofree char *mended = NULL;
	if (length <= JSON_TEXT_MAX_BYTES && !g_utf8_validate_len(text, length, NULL) &&
	        memchr(text, '\0', length) == NULL) {
		mended = g_utf8_make_valid(text, (gssize)length);
		text = mended;
		length = strlen(mended);
	}
	if (!has_bearable_values(text, length))
		return refuse(reader, error, "too many values: too large to be read");
	reader->root = json_load_text(text, length, reader->name, &problem);
	if (reader->root != NULL)
		return TRUE;
	if (length > JSON_TEXT_MAX_BYTES)
		return refuse(reader, error, "more than 256 MiB: too large to be read");
	return firebreak_refuse(
	        error, FIREBREAK_ERROR_INVALID, "%s, in what DHAT wrote: cut off, or damaged", problem->message);
}

static gboolean check_version(const DhatReader *reader, GError **error)
{
	const json_t *version = json_object_get(reader->root, "dhatFileVersion");
	if (!json_is_integer(version))
		return refuse(reader, error, "no file of DHAT: no dhatFileVersion in it");
	if (json_integer_value(version) >= 1 && json_integer_value(version) <= NEWEST_VERSION)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s: version %" JSON_INTEGER_FORMAT " of DHAT's format, which is not read; versions 1 and 2 are",
	        reader->name, json_integer_value(version));
}

/* Accepts only counts of blocks on the heap. They are the default, as in files of DHAT for Rust; version 1 has no other
 * mode. */
static gboolean check_mode(const DhatReader *reader, GError **error)
{
	const char *mode = json_string_value(json_object_get(reader->root, "mode"));
	if (mode == NULL || strcmp(mode, "heap") == 0 || strcmp(mode, "rust-heap") == 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s: made by DHAT in its mode %.40s, in which heap memory is not counted; leave out --mode",
	        reader->name, mode);
}

/* --- frames --- */

static gboolean read_entries(DhatReader *reader, GError **error)
{
	const json_t *table = json_object_get(reader->root, "ftbl");
	gsize n = json_array_size(table);
	if (!json_is_array(table) || n >= NOWHERE)
		return damaged(reader, error, "no table of frames");
	g_array_set_size(reader->entries, (guint)n);
	for (guint i = 0; i < n; i++) {
		const char *text = json_string_value(json_array_get(table, i));
		if (text == NULL)
			return damaged(reader, error, "a frame is not text");
		g_array_index(reader->entries, Entry, i) = (Entry){.text = dhat_frame_parse(text), .host = NOWHERE};
	}
	return TRUE;
}

static Entry *entry_at(const DhatReader *reader, guint32 index)
{
	return &g_array_index(reader->entries, Entry, index);
}

static gboolean is_start(const Entry *entry)
{
	return text_equals(entry->text.name, "_start");
}

static gboolean is_nothing(const Entry *entry)
{
	return entry->text.name.length == 0 && entry->text.object.length == 0;
}

static Entry *stack_entry(const DhatReader *reader, guint place)
{
	return entry_at(reader, g_array_index(reader->stack, guint32, place));
}

/* Cuts frames that are further out than the first function of a program, and those at the outer end that have neither a
 * name nor an object file: they are values that happened to lie on the stack. */
static void cut_outer_end(DhatReader *reader)
{
	guint n = reader->stack->len;
	for (guint i = 0; i < n; i++)
		if (is_start(stack_entry(reader, i)))
			n = i + 1;
	while (n > 1 && is_nothing(stack_entry(reader, n - 1)))
		n--;
	g_array_set_size(reader->stack, n);
}

/* A replaced function that calls another one is the allocating function. */
static void cut_inner_end(DhatReader *reader)
{
	guint n = 0;
	while (n + 1 < reader->stack->len && dhat_frame_is_replacement(&stack_entry(reader, n)->text) &&
	        dhat_frame_is_replacement(&stack_entry(reader, n + 1)->text))
		n++;
	if (n > 0)
		g_array_remove_range(reader->stack, 0, n);
}

/* The frames of a path that count. Entry 0 is the root of DHAT's own viewer. */
static gboolean take_stack(DhatReader *reader, const Path *path, GError **error)
{
	gsize n = json_array_size(path->frames);
	g_array_set_size(reader->stack, 0);
	for (gsize i = 0; i < n; i++) {
		const json_t *item = json_array_get(path->frames, i);
		json_int_t value = json_integer_value(item);
		if (!json_is_integer(item) || value < 0 || value >= (json_int_t)reader->entries->len)
			return damaged(reader, error, "a path has a frame that is not in the table");
		guint32 index = (guint32)value;
		if (index != 0)
			g_array_append_val(reader->stack, index);
	}
	cut_outer_end(reader);
	cut_inner_end(reader);
	return TRUE;
}

/* Functions inlined at an address come before the one that has the code there. */
static void find_hosts(DhatReader *reader)
{
	guint32 host = NOWHERE;
	for (guint i = reader->stack->len; i-- > 0;) {
		guint32 index = g_array_index(reader->stack, guint32, i);
		Entry *entry = entry_at(reader, index);
		gboolean is_same = host != NOWHERE && entry->text.address.length > 0 &&
		                   text_same(entry->text.address, entry_at(reader, host)->text.address);
		if (!is_same || index == host) {
			host = index;
			entry->has_own_code = TRUE;
		} else {
			entry->host = host;
		}
	}
}

/* --- paths --- */

static gboolean take_cost(const json_t *path, const char *key, guint64 *sum, guint64 *cost)
{
	const json_t *value = json_object_get(path, key);
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return FALSE;
	*cost = (guint64)json_integer_value(value);
	if (*cost > G_MAXUINT64 - *sum)
		return FALSE;
	*sum += *cost;
	return TRUE;
}

static gboolean read_path(DhatReader *reader, const json_t *item, GError **error)
{
	Path path = {.frames = json_object_get(item, "fs")};
	if (!take_cost(item, "tb", &reader->bytes, &path.bytes) ||
	        !take_cost(item, "tbk", &reader->blocks, &path.blocks) ||
	        !take_cost(item, "gb", &reader->peak_bytes, &path.peak_bytes))
		return damaged(reader, error, "a path without its bytes and blocks");
	if (!json_is_array(path.frames))
		return damaged(reader, error, "a path without frames");
	if (!take_stack(reader, &path, error))
		return FALSE;
	find_hosts(reader);
	g_array_append_val(reader->paths, path);
	return TRUE;
}

static gboolean read_paths(DhatReader *reader, GError **error)
{
	const json_t *paths = json_object_get(reader->root, "pps");
	gsize n = json_array_size(paths);
	if (!json_is_array(paths))
		return damaged(reader, error, "no list of paths");
	for (gsize i = 0; i < n; i++)
		if (!read_path(reader, json_array_get(paths, i), error))
			return FALSE;
	return TRUE;
}

static gboolean read_all(DhatReader *reader, const char *text, gsize length, GError **error)
{
	if (!dhat_detect(text, length))
		return refuse(reader, error, "no file of DHAT");
	if (!load(reader, text, length, error) || !check_version(reader, error) || !check_mode(reader, error))
		return FALSE;
	const char *command = json_string_value(json_object_get(reader->root, "cmd"));
	reader->command = command != NULL ? command : "";
	reader->pid = json_integer_value(json_object_get(reader->root, "pid"));
	return read_entries(reader, error) && read_paths(reader, error);
}

/* --- profiles --- */

static void make_frames(DhatReader *reader, StackTable *table)
{
	g_autoptr(DhatFrames) frames = dhat_frames_new(table);
	for (guint i = 0; i < reader->entries->len; i++) {
		Entry *entry = entry_at(reader, i);
		if (entry->has_own_code)
			entry->frame = dhat_frames_function(frames, &entry->text);
	}
	for (guint i = 0; i < reader->entries->len; i++) {
		Entry *entry = entry_at(reader, i);
		if (!entry->has_own_code && entry->host != NOWHERE)
			entry->frame = dhat_frames_inlined(frames, &entry->text, entry_at(reader, entry->host)->frame);
	}
}

static StackId push_path(DhatReader *reader, StackTable *table, StackId root, const Path *path)
{
	StackId stack = root;
	take_stack(reader, path, NULL); /* was checked */
	for (guint i = reader->stack->len; i-- > 0;)
		stack = stack_table_push(table, stack, stack_entry(reader, i)->frame);
	if (reader->stack->len == 0)
		stack = stack_table_push(
		        table, stack, stack_table_frame_named(table, "[unknown]", NULL, FRAME_SYNTHETIC));
	return stack;
}

static guint64 weight_of(const Path *path, DhatWeight weight)
{
	switch (weight) {
	case DHAT_BLOCKS:
		return path->blocks;
	case DHAT_PEAK_BYTES:
		return path->peak_bytes;
	case DHAT_BYTES:
		break;
	}
	return path->bytes;
}

/* The process as the kernel calls it, like the root of other profiles. */
static char *command_name(const DhatReader *reader)
{
	TextPiece words = text_of(reader->command), program;
	text_take_word(&words, &program);
	TextPiece base = text_base_name(program);
	return base.length > 0 ? g_strndup(base.start, MIN(base.length, DHAT_COMMAND_BYTES)) : g_strdup("[unknown]");
}

static StackId root_of(const DhatReader *reader, StackTable *table, gboolean with_command)
{
	g_autofree char *name = command_name(reader);
	if (!with_command)
		return STACK_ROOT;
	return stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, name, NULL, FRAME_COMMAND));
}

static void fill(DhatReader *reader, gboolean with_command, const DhatTarget *targets, guint n_targets)
{
	StackTable *table = targets[0].profile->table;
	StackId root = root_of(reader, table, with_command);
	make_frames(reader, table);
	for (guint i = 0; i < reader->paths->len; i++) {
		const Path *path = &g_array_index(reader->paths, Path, i);
		StackId stack = push_path(reader, table, root, path);
		for (guint t = 0; t < n_targets; t++) {
			guint64 weight = weight_of(path, targets[t].weight);
			if (weight > 0)
				profile_add(targets[t].profile, targets[t].run, stack, (ProfileCell){weight, weight});
		}
	}
}

gboolean dhat_read(const char *text, gsize length, const char *name, gboolean with_command, const DhatTarget *targets,
        guint n_targets, DhatSummary *summary, GError **error)
{
	DhatReader reader;
	reader_init(&reader, name);
	gboolean ok = read_all(&reader, text, length, error);
	if (ok && n_targets > 0)
		fill(&reader, with_command, targets, n_targets);
	if (ok && summary != NULL)
		*summary = (DhatSummary){
		        .bytes = reader.bytes,
		        .blocks = reader.blocks,
		        .peak_bytes = reader.peak_bytes,
		        .command = g_strdup(reader.command),
		        .pid = reader.pid,
		};
	reader_clear(&reader);
	return ok;
}
