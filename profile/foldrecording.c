#include "profile/foldrecording.h"

#include "core/error.h"
#include "profile/processmaps.h"
#include "profile/symbols/canonical.h"

#include <string.h>

/* The command name of perf's own child until it executes the workload. */
#define PERF_LAUNCHER "perf-exec"

typedef struct {
	FoldState *state;
	const PerfFoldOptions *options;
	RawRecording *recording;
	ProcessMaps *maps;
	guint event;         /* the one that is folded */
	GArray *module_rows; /* of guint, row + 1 of the symbolizer's module by module of the maps; 0 = not asked yet */
	GArray *user, *kernel; /* of RawFrame, the two parts of the current stack, leaf first */
} RecordingReader;

static gboolean event_matches(const PerfDataEvent *event, const char *wanted)
{
	gsize length = strlen(wanted);
	return g_str_has_prefix(event->name, wanted) && (event->name[length] == '\0' || event->name[length] == ':');
}

static char *list_events(const PerfDataSummary *summary)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < summary->events->len; i++)
		g_string_append_printf(
		        names, "%s%s", i > 0 ? ", " : "", g_array_index(summary->events, PerfDataEvent, i).name);
	return g_string_free(names, FALSE);
}

/* The event that is asked for, else the only one with samples. */
static gboolean choose_event(RecordingReader *reader, const PerfDataSummary *summary, GError **error)
{
	guint n_found = 0;
	reader->event = 0;
	for (guint i = summary->events->len; i-- > 0;) {
		const PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, i);
		gboolean fits = reader->options->event != NULL ? event_matches(event, reader->options->event)
		                                               : event->samples > 0;
		n_found += fits;
		reader->event = fits ? i : reader->event;
	}
	if (reader->options->event != NULL ? n_found > 0 : n_found <= 1)
		return TRUE;
	g_autofree char *names = list_events(summary);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        n_found == 0 ? "no such event in it; it has %s" : "samples of several events in it; choose one of %s",
	        names);
	return FALSE;
}

static gboolean begin_recording(gpointer data, const PerfDataSummary *summary, GError **error)
{
	RecordingReader *reader = data;
	RawRecording *recording = reader->recording;
	if (!choose_event(reader, summary, error))
		return FALSE;
	const PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, reader->event);
	recording->event = g_strdup(event->name);
	recording->unit = g_strdup(event->unit);
	recording->event_type = event->type;
	recording->event_config = event->config;
	recording->quality.lost = summary->lost;
	recording->quality.throttled = summary->throttled;
	recording->quality.truncated_chains = summary->truncated_chains;
	recording->quality.decode_errors = summary->decode_errors;
	reader->maps = process_maps_new(summary->build_ids);
	return TRUE;
}

static gboolean is_launcher(const PerfFoldOptions *options, const char *command)
{
	if (g_str_equal(command, PERF_LAUNCHER))
		return TRUE;
	return options->launchers != NULL && g_strv_contains(options->launchers, command);
}

static RawFrame known_frame(RecordingReader *reader, const char *name, const char *module, FrameKind kind)
{
	FrameId frame = stack_table_frame_named(reader->state->table, name, module, kind);
	return (RawFrame){.row = frame.index};
}

static RawFrame command_frame(RecordingReader *reader, const char *command)
{
	if (command == NULL)
		return known_frame(reader, "[unknown]", NULL, FRAME_COMMAND);
	g_autofree char *name = g_strdelimit(g_strdup(command), " \t", '_');
	return known_frame(reader, name, NULL, FRAME_COMMAND);
}

static guint module_row(RecordingReader *reader, guint module)
{
	FoldState *state = reader->state;
	if (module >= reader->module_rows->len)
		g_array_set_size(reader->module_rows, module + 1);
	guint *row = &g_array_index(reader->module_rows, guint, module);
	if (*row != 0)
		return *row - 1;
	const MapModule *mapped = process_maps_module(reader->maps, module);
	*row = 1 + symbolizer_add_module(state->symbolizer, mapped->path, mapped->build_id, mapped->build_id_length);
	if (*row > state->module_names->len) {
		g_autofree char *base = canonical_module(mapped->path);
		NameId name = stack_table_name(state->table, base, -1);
		g_array_append_val(state->module_names, name);
	}
	return *row - 1;
}

/* FALSE if nothing is mapped at the address. */
static gboolean user_frame(RecordingReader *reader, gint32 pid, guint64 address, RawFrame *frame)
{
	guint module;
	guint64 offset;
	if (address == 0 || !process_maps_find(reader->maps, pid, address, &module, &offset))
		return FALSE;
	switch (process_maps_module(reader->maps, module)->kind) {
	case MAP_MODULE_VDSO:
		*frame = known_frame(reader, "[vdso]", "[vdso]", FRAME_SYNTHETIC);
		return TRUE;
	case MAP_MODULE_FILE:
	case MAP_MODULE_JIT:
		frame->is_address = TRUE;
		frame->row = symbolizer_add_address(reader->state->symbolizer, module_row(reader, module), offset);
		return TRUE;
	default:
		*frame = known_frame(reader, "[unknown]", "[anon]", FRAME_SYNTHETIC);
		return TRUE;
	}
}

static void add_user_frame(RecordingReader *reader, gint32 pid, guint64 address)
{
	RawFrame frame;
	if (!user_frame(reader, pid, address, &frame))
		frame = known_frame(reader, "[unknown]", NULL, FRAME_SYNTHETIC);
	g_array_append_val(reader->user, frame);
}

/* The word `distance` bytes above the stack pointer: from the recording's leaf hints, or from the stack itself where
 * the recording has it. FALSE if it is not there. */
static gboolean stack_word(const PerfDataSample *sample, guint32 distance, guint64 *value)
{
	for (guint i = 0; i < sample->hint.n_words; i++)
		if (sample->hint.words[i].offset == distance) {
			*value = sample->hint.words[i].value;
			return TRUE;
		}
	if (sample->user_stack == NULL || sample->user_sp == 0 || distance + sizeof *value > sample->user_stack_bytes)
		return FALSE;
	memcpy(value, sample->user_stack + distance, sizeof *value);
	*value = GUINT64_FROM_LE(*value);
	return TRUE;
}

/* The caller of an interrupted function that has no frame; 0 if it has one or it cannot be told. */
static guint64 missing_caller(RecordingReader *reader, const PerfDataRecord *record, guint64 address)
{
	const PerfDataSample *sample = &record->sample;
	guint module;
	guint64 offset, caller;
	guint32 distance;
	if ((sample->user_stack == NULL && sample->hint.n_words == 0) ||
	        !process_maps_find(reader->maps, record->pid, address, &module, &offset))
		return 0;
	const MapModule *mapped = process_maps_module(reader->maps, module);
	if (mapped->kind != MAP_MODULE_FILE)
		return 0;
	const LeafModule leaf = {module_row(reader, module), mapped->path, mapped->build_id, mapped->build_id_length};
	if (!leaf_callers_find(reader->state->leaf_callers, &leaf, offset, &distance) ||
	        !stack_word(sample, distance, &caller))
		return 0;
	return caller;
}

/* `next` is the entry of the chain behind the leaf, 0 if there is none. */
static void add_missing_caller(RecordingReader *reader, const PerfDataRecord *record, guint64 leaf, guint64 next)
{
	RawFrame frame;
	guint64 caller = missing_caller(reader, record, leaf);
	if (caller != 0 && caller != next && user_frame(reader, record->pid, caller - 1, &frame))
		g_array_append_val(reader->user, frame);
}

static void add_kernel_frame(RecordingReader *reader, guint64 address)
{
	const char *module = "", *name = NULL;
	if (reader->options->kernel) {
		if (reader->state->kernel == NULL)
			reader->state->kernel = kernel_symbols_new("/proc/kallsyms");
		name = kernel_symbols_find(reader->state->kernel, address, &module);
	} else if (reader->kernel->len > 0) {
		return;
	}
	RawFrame frame = known_frame(reader, name != NULL ? name : "[kernel]", module, FRAME_KERNEL);
	g_array_append_val(reader->kernel, frame);
}

static gboolean is_kernel_mode(PerfDataCpuMode mode)
{
	return mode == PERF_DATA_CPU_KERNEL || mode == PERF_DATA_CPU_HYPERVISOR || mode == PERF_DATA_CPU_GUEST_KERNEL;
}

/* Entries at the root end that point nowhere are what a frame pointer walk reads beyond the first function. The leaf is
 * never one of them. */
static guint chain_end(RecordingReader *reader, const PerfDataRecord *record)
{
	const guint64 *chain = record->sample.chain;
	guint end = record->sample.chain_length, first = end;
	while (first > 0 && chain[first - 1] < PERF_DATA_FIRST_MARKER)
		first--;
	gboolean is_user = first > 0 ? chain[first - 1] == PERF_DATA_MARKER_USER : !is_kernel_mode(record->cpu_mode);
	RawFrame frame;
	while (is_user && end > first + 1 && !user_frame(reader, record->pid, chain[end - 1] - 1, &frame))
		end--;
	return end;
}

/* Splits a call chain into its parts. The first address after a marker is where that part was interrupted, all others
 * are return addresses, which belong to the call one byte before them. */
static void collect_frames(RecordingReader *reader, const PerfDataRecord *record)
{
	const PerfDataSample *sample = &record->sample;
	gboolean in_kernel = is_kernel_mode(record->cpu_mode), is_exact = TRUE, is_leaf = TRUE;
	guint end = chain_end(reader, record);
	for (guint i = 0; i < end; i++) {
		guint64 address = sample->chain[i];
		if (address >= PERF_DATA_FIRST_MARKER) {
			in_kernel = address != PERF_DATA_MARKER_USER;
			is_exact = TRUE;
			continue;
		}
		/* with precise events, the chain may begin a few instructions after the sampled one */
		if (is_leaf && in_kernel == is_kernel_mode(record->cpu_mode) && sample->ip != 0)
			address = sample->ip;
		else if (!is_exact)
			address--;
		if (in_kernel)
			add_kernel_frame(reader, address);
		else
			add_user_frame(reader, record->pid, address);
		if (!in_kernel && reader->user->len == 1)
			add_missing_caller(reader, record, address, i + 1 < end ? sample->chain[i + 1] : 0);
		is_exact = is_leaf = FALSE;
	}
	if (is_leaf && in_kernel) {
		add_kernel_frame(reader, sample->ip);
	} else if (is_leaf) {
		add_user_frame(reader, record->pid, sample->ip);
		add_missing_caller(reader, record, sample->ip, 0);
	}
}

static guint32 push_part(RecordingReader *reader, guint32 stack, const GArray *part)
{
	for (guint i = part->len; i-- > 0;)
		stack = raw_trie_push(&reader->state->trie, stack, g_array_index(part, RawFrame, i));
	return stack;
}

static gboolean is_unknown_leaf(const RecordingReader *reader)
{
	if (reader->kernel->len > 0 || reader->user->len == 0)
		return FALSE;
	const RawFrame *leaf = &g_array_index(reader->user, RawFrame, 0);
	return !leaf->is_address &&
	       g_str_equal("[unknown]", stack_table_frame_name(reader->state->table, (FrameId){leaf->row}));
}

static void add_cell(GArray *cells, guint32 stack, guint64 weight)
{
	if (stack >= cells->len)
		g_array_set_size(cells, stack + 1);
	ProfileCell *cell = &g_array_index(cells, ProfileCell, stack);
	cell->samples++;
	cell->weight = cell->weight > G_MAXUINT64 - weight ? G_MAXUINT64 : cell->weight + weight;
}

static void fold_sample(RecordingReader *reader, const PerfDataRecord *record)
{
	RunQuality *quality = &reader->recording->quality;
	const char *command = process_maps_command(reader->maps, record->pid, record->tid);
	if (record->sample.event != reader->event)
		return;
	if (command != NULL && is_launcher(reader->options, command)) {
		quality->dropped++;
		return;
	}
	g_array_set_size(reader->user, 0);
	g_array_set_size(reader->kernel, 0);
	collect_frames(reader, record);
	guint32 stack = raw_trie_push(&reader->state->trie, 0, command_frame(reader, command));
	stack = push_part(reader, stack, reader->user);
	stack = push_part(reader, stack, reader->kernel);
	add_cell(reader->recording->cells, stack, record->sample.period);
	quality->samples++;
	quality->weight_total += record->sample.period;
	quality->unknown_leaf += is_unknown_leaf(reader);
	quality->depth1 += reader->user->len == 1;
}

static void take_record(gpointer data, const PerfDataRecord *record)
{
	RecordingReader *reader = data;
	if (record->kind == PERF_DATA_SAMPLE)
		fold_sample(reader, record);
	else
		process_maps_apply(reader->maps, record);
}

gboolean raw_recording_read(
        RawRecording *out, FoldState *state, const char *path, const PerfFoldOptions *options, GError **error)
{
	static const PerfDataVisitor visitor = {.begin = begin_recording, .record = take_record};
	static const PerfFoldOptions no_options = {0};
	RawRecording recording = {.cells = g_array_new(FALSE, TRUE, sizeof(ProfileCell))};
	RecordingReader reader = {
	        .state = state,
	        .options = options != NULL ? options : &no_options,
	        .recording = &recording,
	        .module_rows = g_array_new(FALSE, TRUE, sizeof(guint)),
	        .user = g_array_new(FALSE, FALSE, sizeof(RawFrame)),
	        .kernel = g_array_new(FALSE, FALSE, sizeof(RawFrame)),
	};
	gboolean ok = perfdata_read(path, &visitor, &reader, NULL, error);
	process_maps_free(reader.maps);
	g_array_unref(reader.module_rows);
	g_array_unref(reader.user);
	g_array_unref(reader.kernel);
	if (ok)
		*out = recording;
	else
		raw_recording_clear(&recording);
	return ok;
}

void raw_recording_clear(RawRecording *recording)
{
	g_clear_pointer(&recording->cells, g_array_unref);
	g_free(recording->event);
	g_free(recording->unit);
	*recording = (RawRecording){0};
}
