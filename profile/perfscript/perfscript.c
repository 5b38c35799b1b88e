/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/perfscript.h"

#include "core/escape.h"
#include "model/pairindex.h"
#include "profile/perfscript/perfscriptevents.h"
#include "profile/perfscript/perfscriptframes.h"
#include "profile/perfscript/perfscriptline.h"

#include <string.h>

/* The most frames that the kernel records by default (kernel.perf_event_max_stack); a stack of so many was cut. */
#define FULL_STACK_FRAMES 127
#define DETECTED_LINES 100

static const PerfScriptOptions no_options = {0};

typedef struct {
	StackId stack;
	guint32 event;
	ProfileCell cell;
} CellRow;

/* The sample that is being read. */
typedef struct {
	gboolean is_open;
	gboolean is_kept; /* no filter drops it */
	gboolean is_flat; /* its only frame was on the event line */
	gboolean is_java;
	FrameId root;
	guint32 event;
	ProfileCell cell;
	GArray *lines; /* of ScriptFrames, innermost first */
} OpenSample;

typedef struct {
	const PerfScriptOptions *options;
	StackTable *table; /* borrowed */
	ScriptFrameTable frames;
	ScriptEventTable events;
	PairIndex cell_index;
	GArray *cells; /* of CellRow */
	OpenSample sample;
	ScriptEvent last_root; /* what `root` was made of */
	GString *root_name;
	FrameId root;
	gboolean has_root;
	TextPiece command;
	guint64 lost, line_number, bad_lines, first_bad_line;
} ScriptReader;

void perf_script_summary_clear(PerfScriptSummary *summary)
{
	g_free(summary->event);
	g_free(summary->unit);
	g_free(summary->command);
	*summary = (PerfScriptSummary){0};
}

static void reader_init(ScriptReader *reader, StackTable *table, const PerfScriptOptions *options)
{
	*reader = (ScriptReader){
	        .options = options,
	        .table = table,
	        .cells = g_array_new(FALSE, FALSE, sizeof(CellRow)),
	        .sample.lines = g_array_new(FALSE, FALSE, sizeof(ScriptFrames)),
	        .root_name = g_string_new(NULL),
	};
	script_events_init(&reader->events);
	script_frames_init(&reader->frames, table, options);
}

static void reader_clear(ScriptReader *reader)
{
	script_frames_clear(&reader->frames);
	script_events_clear(&reader->events);
	pair_index_clear(&reader->cell_index);
	g_array_unref(reader->cells);
	g_array_unref(reader->sample.lines);
	g_string_free(reader->root_name, TRUE);
}

/* --- samples --- */

static StackId push_line(const ScriptReader *reader, StackId stack, ScriptFrames line)
{
	for (guint32 i = 0; i < line.n; i++) {
		const ScriptFrameRow *row = &g_array_index(reader->frames.rows, ScriptFrameRow, line.first + i);
		gboolean is_first = stack.index == STACK_ROOT.index;
		if (row->is_inlined && reader->options->no_inline && !is_first)
			continue;
		FrameId caller = is_first ? row->id : stack_table_leaf(reader->table, stack);
		FrameId frame = script_frame_under(&reader->frames, row, is_first ? NULL : &caller);
		stack = stack_table_push(reader->table, stack, frame);
	}
	return stack;
}

/* TRUE if a stack begins with this line. Sets *line to what is left of it. */
static gboolean begins_stack(const ScriptReader *reader, ScriptFrames *line)
{
	for (guint32 i = line->n; i-- > 0;)
		if (g_array_index(reader->frames.rows, ScriptFrameRow, line->first + i).ends_stack) {
			*line = (ScriptFrames){line->first + i, line->n - i};
			return TRUE;
		}
	return FALSE;
}

static StackId build_stack(const ScriptReader *reader)
{
	const GArray *lines = reader->sample.lines;
	guint n = lines->len;
	StackId stack = STACK_ROOT;
	if (reader->options->skip_after != NULL)
		for (n = 0; n < lines->len; n++) {
			ScriptFrames line = g_array_index(lines, ScriptFrames, n);
			if (begins_stack(reader, &line)) {
				stack = push_line(reader, stack, line);
				break;
			}
		}
	if (n == lines->len)
		stack = stack_table_push(reader->table, stack, reader->sample.root);
	while (n-- > 0)
		stack = push_line(reader, stack, g_array_index(lines, ScriptFrames, n));
	return stack;
}

static void count_sample(const ScriptReader *reader, StackId stack)
{
	const OpenSample *sample = &reader->sample;
	PerfScriptSummary *counts = &script_event_row(&reader->events, sample->event)->counts;
	FrameId leaf = stack_table_leaf(reader->table, stack);
	counts->samples++;
	counts->weight += sample->cell.weight;
	counts->without_stack += sample->lines->len == 0 ? 1 : 0;
	counts->single_frames += sample->lines->len == 1 ? 1 : 0;
	counts->cut_stacks += sample->lines->len >= FULL_STACK_FRAMES ? 1 : 0;
	counts->unknown_leaves += g_str_equal(stack_table_frame_name(reader->table, leaf), "[unknown]") ? 1 : 0;
}

static void add_cell(ScriptReader *reader, StackId stack)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&reader->cell_index, stack.index, reader->sample.event, &is_new);
	if (is_new) {
		const CellRow empty = {.stack = stack, .event = reader->sample.event};
		g_array_append_val(reader->cells, empty);
	}
	ProfileCell *sum = &g_array_index(reader->cells, CellRow, row).cell;
	guint64 weight = reader->sample.cell.weight;
	sum->samples++;
	sum->weight = sum->weight > G_MAXUINT64 - weight ? G_MAXUINT64 : sum->weight + weight;
}

static void end_sample(ScriptReader *reader)
{
	OpenSample *sample = &reader->sample;
	if (sample->is_open && sample->is_kept) {
		StackId stack = build_stack(reader);
		add_cell(reader, stack);
		count_sample(reader, stack);
	}
	sample->is_open = sample->is_flat = FALSE;
	g_array_set_size(sample->lines, 0);
}

/* --- event lines --- */

static void name_root(ScriptReader *reader, const ScriptEvent *event)
{
	GString *name = reader->root_name;
	g_string_truncate(name, 0);
	text_append(name, event->comm);
	for (gsize i = 0; i < name->len; i++)
		if (name->str[i] == ' ')
			name->str[i] = '_';
	if (name->len == 0)
		g_string_append(name, "[unknown]");
	if (reader->options->root_pid || reader->options->root_tid) {
		TextPiece pid = event->pid.length > 0 ? event->pid : text_of("?");
		g_string_append_c(name, '-');
		text_append(name, pid);
	}
	if (reader->options->root_tid) {
		g_string_append_c(name, '/');
		text_append(name, event->tid);
	}
}

/* The root frame; neighbouring samples mostly have the same. */
static FrameId root_of(ScriptReader *reader, const ScriptEvent *event)
{
	const ScriptEvent *last = &reader->last_root;
	if (reader->has_root && text_same(last->comm, event->comm) && text_same(last->pid, event->pid) &&
	        text_same(last->tid, event->tid))
		return reader->root;
	name_root(reader, event);
	reader->root = stack_table_frame_named(reader->table, reader->root_name->str, NULL, FRAME_COMMAND);
	reader->last_root = *event;
	reader->has_root = TRUE;
	return reader->root;
}

static gboolean is_id(TextPiece text, gint32 wanted)
{
	char buffer[16];
	g_snprintf(buffer, sizeof(buffer), "%d", wanted);
	return text_equals(text, buffer);
}

/* The name as the text or as folded stacks have it. */
static gboolean is_command(TextPiece comm, const char *wanted)
{
	if (text_equals(comm, wanted))
		return TRUE;
	g_autofree char *shown = g_strdelimit(g_strndup(comm.start, comm.length), " ", '_');
	g_autofree char *folded = escape_to_string(escape_folded, shown);
	return strcmp(folded, wanted) == 0;
}

static gboolean passes_filters(const PerfScriptOptions *options, const ScriptEvent *event)
{
	return (options->pid == 0 || is_id(event->pid, options->pid)) &&
	       (options->tid == 0 || is_id(event->tid, options->tid)) &&
	       (options->comm == NULL || is_command(event->comm, options->comm));
}

static void add_line(ScriptReader *reader, TextPiece address, TextPiece name)
{
	OpenSample *sample = &reader->sample;
	if (!sample->is_kept)
		return;
	ScriptFrames line = script_frames_of(&reader->frames, address, name, sample->is_java);
	if (line.n > 0)
		g_array_append_val(sample->lines, line);
}

static void begin_sample(ScriptReader *reader, const ScriptEvent *event)
{
	OpenSample *sample = &reader->sample;
	TextPiece address, name;
	sample->event = script_events_find(&reader->events, event->event);
	ScriptEventRow *row = script_event_row(&reader->events, sample->event);
	sample->is_open = TRUE;
	sample->is_kept = passes_filters(reader->options, event);
	sample->is_java = text_starts_with(event->comm, "java");
	sample->root = root_of(reader, event);
	sample->cell = (ProfileCell){1, MAX(event->period, 1)};
	row->lacks_pids |= event->pid.length == 0;
	row->counts.filtered += sample->is_kept ? 0 : 1;
	row->counts.without_period += sample->is_kept && event->period == 0 ? 1 : 0;
	if (script_parse_event_frame(event->rest, &address, &name)) {
		sample->is_flat = TRUE;
		add_line(reader, address, name);
	}
}

static guint64 last_number(TextPiece text)
{
	guint64 value = 0, scale = 1;
	gsize i = text.length;
	while (i > 0 && text.start[i - 1] == ' ')
		i--;
	for (; i > 0 && g_ascii_isdigit(text.start[i - 1]) && scale < G_MAXUINT32; i--, scale *= 10)
		value += scale * (guint64)(text.start[i - 1] - '0');
	return value;
}

/* Lines of perf that are no samples, such as `PERF_RECORD_MMAP2 ...`. */
static void note_record(ScriptReader *reader, const ScriptEvent *event)
{
	if (text_equals(event->event, "PERF_RECORD_LOST") || text_equals(event->event, "PERF_RECORD_LOST_SAMPLES"))
		reader->lost += last_number(event->rest);
}

static gboolean read_event(ScriptReader *reader, TextPiece line, gboolean needs_time)
{
	ScriptEvent event;
	if (!script_parse_event(line, &event) || (needs_time && !event.has_time))
		return FALSE;
	end_sample(reader);
	if (text_starts_with(event.event, "PERF_RECORD_"))
		note_record(reader, &event);
	else
		begin_sample(reader, &event);
	return TRUE;
}

/* --- lines --- */

/* The text after `key`, blanks and a colon, up to `stop` or the end. */
static gboolean header_value(TextPiece line, const char *key, char stop, TextPiece *value)
{
	const char *found = memmem(line.start, line.length, key, strlen(key)), *end = line.start + line.length;
	if (found == NULL)
		return FALSE;
	found += strlen(key);
	while (found < end && (*found == ' ' || *found == ':' || *found == '='))
		found++;
	const char *last = memchr(found, stop, (gsize)(end - found));
	*value = text_between(found, last != NULL ? last : end);
	return value->length > 0;
}

static void read_header(ScriptReader *reader, TextPiece line)
{
	TextPiece value;
	if (text_starts_with(line, "# cmdline") && header_value(line, "cmdline", '\n', &value))
		reader->command = value;
	else if (text_starts_with(line, "# event") && header_value(line, "name", ',', &value))
		script_events_declare(&reader->events, value);
}

static void note_bad_line(ScriptReader *reader)
{
	if (reader->bad_lines++ == 0)
		reader->first_bad_line = reader->line_number;
}

/* A line within a sample that has neither the form of an event nor a file at its end. */
static void read_other(ScriptReader *reader, TextPiece line)
{
	TextPiece address, name;
	const GArray *lines = reader->sample.lines;
	gboolean is_indented = line.start[0] == ' ' || line.start[0] == '\t';
	if (is_indented && script_split_frame(line, &address, &name))
		add_line(reader, address, name);
	else if (is_indented && lines->len > 0)
		script_frames_note_source(&reader->frames, g_array_index(lines, ScriptFrames, lines->len - 1), line);
	else if (!is_indented && !reader->sample.is_flat && read_event(reader, line, FALSE))
		return;
	else if (!is_indented)
		note_bad_line(reader);
}

/* Frames are told from events by what is quick to see; only what is left is looked at closely. */
static void read_sample_line(ScriptReader *reader, TextPiece line)
{
	TextPiece address, name;
	if (reader->sample.is_flat && read_event(reader, line, FALSE))
		return;
	if ((line.start[0] == '\t' || script_is_frame(line)) && script_split_frame(line, &address, &name))
		add_line(reader, address, name);
	else if (!read_event(reader, line, TRUE))
		read_other(reader, line);
}

static void read_line(ScriptReader *reader, TextPiece line)
{
	reader->line_number++;
	if (line.length == 0)
		end_sample(reader);
	else if (line.start[0] == '#' && !reader->sample.is_open)
		read_header(reader, line);
	else if (reader->sample.is_open)
		read_sample_line(reader, line);
	else if (!read_event(reader, line, FALSE))
		note_bad_line(reader);
}

static void read_lines(ScriptReader *reader, const char *text, gsize length)
{
	const char *end = text + length;
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3;
	while (text < end)
		read_line(reader, text_take_line(&text, end));
	end_sample(reader);
}

/* --- results --- */

static void fill_profile(const ScriptReader *reader, guint32 event, Profile *profile, guint run)
{
	for (guint i = 0; i < reader->cells->len; i++) {
		const CellRow *row = &g_array_index(reader->cells, CellRow, i);
		if (row->event == event)
			profile_add(profile, run, row->stack, row->cell);
	}
}

static void fill_summary(const ScriptReader *reader, guint32 chosen, PerfScriptSummary *summary)
{
	const ScriptEventRow *event = script_event_row(&reader->events, chosen);
	*summary = event->counts;
	summary->event = g_strndup(event->name.start, event->name.length);
	summary->unit = script_event_unit(event);
	if (reader->command.length > 0)
		summary->command = g_strndup(reader->command.start, reader->command.length);
	for (guint i = 0; i < reader->events.rows->len; i++)
		summary->other_samples += i != chosen ? script_event_row(&reader->events, i)->counts.samples : 0;
	summary->lost = reader->lost;
	summary->bad_lines = reader->bad_lines;
	summary->first_bad_line = reader->first_bad_line;
}

static gboolean finish(const ScriptReader *reader, const char *name, Profile *profile, guint run,
        PerfScriptSummary *summary, GError **error)
{
	guint32 chosen = 0;
	if (!script_events_choose(&reader->events, name, reader->options, &chosen, error))
		return FALSE;
	fill_profile(reader, chosen, profile, run);
	if (summary != NULL)
		fill_summary(reader, chosen, summary);
	return TRUE;
}

gboolean perf_script_read(const char *text, gsize length, const char *name, const PerfScriptOptions *options,
        Profile *profile, guint run, PerfScriptSummary *summary, GError **error)
{
	ScriptReader reader;
	g_assert(run < profile_n_runs(profile));
	reader_init(&reader, profile->table, options != NULL ? options : &no_options);
	read_lines(&reader, text, length);
	gboolean ok = finish(&reader, name, profile, run, summary, error);
	reader_clear(&reader);
	return ok;
}

gboolean perf_script_detect(const char *text, gsize length)
{
	const char *end = text + length;
	for (guint i = 0; i < DETECTED_LINES && text < end; i++) {
		TextPiece line = text_take_line(&text, end);
		ScriptEvent event;
		if (text_starts_with(line, "# captured on") || text_starts_with(line, "# cmdline :"))
			return TRUE;
		if (line.length == 0 || line.start[0] == '#')
			continue;
		return script_parse_event(line, &event) &&
		       (event.has_time || line.start[line.length - 1] == ':' || line.start[line.length - 1] == ' ');
	}
	return FALSE;
}
