/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/foldrecording.h"

#include "core/error.h"
#include "core/escape.h"
#include "profile/fold/samplenotes.h"
#include "profile/fold/samplestack.h"

#include <string.h>

/* The command name of perf's own child until it executes the workload, which may take that name, too. */
#define PERF_LAUNCHER "perf-exec"

/* The name that perf gives to the tasks that a CPU runs when it has nothing to do. */
#define IDLE_TASK "swapper"

/* Records that may be damaged, of the samples. */
#define MAX_DAMAGED_SHARE .01

/* The meaning of a command name for the samples under it. */
typedef struct {
	RawFrame frame;
	gboolean is_launcher; /* while its process has not executed anything */
	gboolean is_wanted;
} Command;

typedef struct {
	const RawRecordingSource *source;
	const PerfFoldOptions *options;
	RawRecording *recording;
	guint event;             /* the one that is folded */
	double incomplete_share; /* of all stacks that the recorder completed */
	FrameFinder *finder;
	SampleStackSource stacks;
	SampleStack stack;
	SampleNotes notes;
	RawPath path;
	GHashTable *commands; /* command name -> Command */
	Command nameless;
} RecordingReader;

/* Length of a name without its modifiers: `cycles:u`, `sched:sched_switch:k`, `cpu/event=0x3c/pp`. */
static gsize event_base_length(const char *name)
{
	static const char modifiers[] = "ukhpPGHSDIWebR";
	gsize length = strlen(name), base = length;
	while (base > 0 && strchr(modifiers, name[base - 1]) != NULL)
		base--;
	if (base == length || base == 0)
		return length;
	if (name[base - 1] == ':')
		return base - 1;
	return name[base - 1] == '/' ? base : length;
}

typedef enum { MATCH_NONE, MATCH_BASE, MATCH_EXACT } EventMatch;

/* Modifiers may be missing on either side, but must not differ. */
static EventMatch event_match(const char *name, const char *wanted)
{
	gsize name_base = event_base_length(name), wanted_base = event_base_length(wanted);
	if (g_str_equal(name, wanted))
		return MATCH_EXACT;
	gboolean one_is_bare = name[name_base] == '\0' || wanted[wanted_base] == '\0';
	return one_is_bare && name_base == wanted_base && memcmp(name, wanted, name_base) == 0 ? MATCH_BASE
	                                                                                       : MATCH_NONE;
}

static char *list_events(const PerfDataSummary *summary)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < summary->events->len; i++)
		g_string_append_printf(
		        names, "%s%s", i > 0 ? ", " : "", g_array_index(summary->events, PerfDataEvent, i).name);
	return g_string_free(names, FALSE);
}

/* The rank of an event as the answer to the event that was asked for; if none was, 1 for one with samples. */
static guint event_rank(const PerfDataEvent *event, const char *wanted)
{
	return wanted != NULL ? event_match(event->name, wanted) : event->samples > 0;
}

/* The event that is asked for, else the only one with samples. */
static gboolean choose_event(RecordingReader *reader, const PerfDataSummary *summary, GError **error)
{
	const char *wanted = reader->options->event;
	guint best = 0, n_best = 0;
	reader->event = 0;
	for (guint i = 0; i < summary->events->len; i++) {
		guint rank = event_rank(&g_array_index(summary->events, PerfDataEvent, i), wanted);
		if (rank > best) {
			best = rank;
			n_best = 0;
			reader->event = i;
		}
		n_best += rank == best && rank > 0;
	}
	if (n_best == 1 || (n_best == 0 && wanted == NULL))
		return TRUE;
	g_autofree char *names = list_events(summary);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        n_best == 0 ? "no such event in it; it has %s" : "samples of several events in it; choose one of %s",
	        names);
	return FALSE;
}

static void note_event(RawRecording *recording, const PerfDataSummary *summary, guint row)
{
	const PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, row);
	recording->event = g_strdup(event->name);
	recording->unit = g_strdup(event->unit);
	recording->event_type = event->type;
	recording->event_config = event->config;
	recording->quality.lost = summary->lost;
	recording->quality.throttled = summary->throttled;
	recording->quality.decode_errors = summary->decode_errors + summary->unknown_ids;
	recording->quality.unknown_records = summary->unknown;
}

/* Recordings that do not say what machine they are of are taken for one of this machine. */
static void choose_machine(SampleStackSource *stacks, Unwinder *unwinder, const char *machine)
{
	static const struct {
		const char *name;
		UnwindMachine machine;
	} machines[] = {{"x86_64", UNWIND_X86_64}, {"amd64", UNWIND_X86_64}, {"aarch64", UNWIND_AARCH64},
	        {"arm64", UNWIND_AARCH64}};
#if defined(__aarch64__)
	const char *own = "aarch64";
#else
	const char *own = "x86_64";
#endif
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
		if (g_str_equal(machine != NULL ? machine : own, machines[i].name)) {
			stacks->unwinder = unwinder;
			stacks->machine = machines[i].machine;
		}
}

/* A few records that cannot be decoded cost little, but of many nobody knows what they would have said. */
static gboolean check_damage(const PerfDataSummary *summary, GError **error)
{
	guint64 damaged = summary->decode_errors + summary->unknown_ids;
	guint64 samples = summary->samples + summary->decode_errors;
	if ((double)damaged <= MAX_DAMAGED_SHARE * (double)samples)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "damaged: %" G_GUINT64_FORMAT
	        " records cannot be decoded or belong to no event, beside %" G_GUINT64_FORMAT " samples",
	        damaged, summary->samples);
}

static gboolean begin_recording(gpointer data, const PerfDataSummary *summary, GError **error)
{
	RecordingReader *reader = data;
	if (!check_damage(summary, error) || !choose_event(reader, summary, error))
		return FALSE;
	note_event(reader->recording, summary, reader->event);
	reader->incomplete_share =
	        summary->completed > 0 ? (double)summary->incomplete / (double)summary->completed : 0;
	const FrameFinderSource source = {
	        .path = reader->source->path,
	        .summary = summary,
	        .symfs = reader->options->symfs,
	        .kernel_in_detail = reader->options->kernel,
	        .names_files = reader->options->as_recorded,
	        .addresses = reader->options->as_recorded && reader->options->addresses,
	};
	reader->finder = frame_finder_new(reader->source->state, &source);
	reader->stacks.finder = reader->finder;
	reader->stacks.keeps_all = reader->options->as_recorded;
	choose_machine(&reader->stacks, reader->source->unwinder, summary->machine);
	return TRUE;
}

static gboolean is_launcher(const PerfFoldOptions *options, const char *command)
{
	return g_str_equal(command, PERF_LAUNCHER) ||
	       (options->launchers != NULL && g_strv_contains(options->launchers, command));
}

/* The command of `name`, which is NULL if a thread has none. A filter may write a name as frames show it. */
static Command make_command(const RecordingReader *reader, const char *name)
{
	StackTable *table = reader->source->state->table;
	const char *wanted = reader->options->comm;
	g_autofree char *shown = g_strdelimit(g_strdup(name != NULL ? name : "[unknown]"), " \t", '_');
	g_autofree char *folded = escape_to_string(escape_folded, shown);
	return (Command){
	        .frame = {.row = stack_table_frame_named(table, shown, NULL, FRAME_COMMAND).index},
	        .is_launcher = name != NULL && !reader->options->as_recorded && is_launcher(reader->options, name),
	        .is_wanted = wanted == NULL || g_str_equal(wanted, shown) || g_str_equal(wanted, folded) ||
	                     (name != NULL && g_str_equal(wanted, name)),
	};
}

static const Command *find_command(RecordingReader *reader, gint32 pid, gint32 tid)
{
	const char *name = process_maps_command(frame_finder_maps(reader->finder), pid, tid);
	char number[16];
	/* No record tells the name of the idle tasks. */
	if (name == NULL && pid == 0 && tid == 0)
		name = IDLE_TASK;
	if (name == NULL && !reader->options->as_recorded)
		return &reader->nameless;
	/* perf shows a thread without a name by its number, in this form. */
	g_snprintf(number, sizeof number, ":%d", tid);
	name = name != NULL ? name : number;
	const Command *known = g_hash_table_lookup(reader->commands, name);
	if (known != NULL)
		return known;
	Command *command = g_new(Command, 1);
	*command = make_command(reader, name);
	g_hash_table_insert(reader->commands, g_strdup(name), command);
	return command;
}

static void push_part(RawPath *path, const GArray *part)
{
	for (guint i = part->len; i-- > 0;)
		raw_path_push(path, g_array_index(part, RawFrame, i));
}

static void add_cell(GArray *cells, guint32 stack, guint64 weight)
{
	if (stack >= cells->len)
		g_array_set_size(cells, stack + 1);
	ProfileCell *cell = &g_array_index(cells, ProfileCell, stack);
	cell->samples++;
	cell->weight = cell->weight > G_MAXUINT64 - weight ? G_MAXUINT64 : cell->weight + weight;
}

/* Counts what the chain of the sample lacks, unless its user part was unwound or is the processor's own record of
 * calls. */
static void judge_chain(RunQuality *quality, const RecordingReader *reader, const PerfDataSample *sample)
{
	const GArray *user = reader->stack.user;
	gboolean is_unwound =
	        reader->stacks.unwinder != NULL && sample->user_registers.mask != 0 && sample->user_stack != NULL;
	if (is_unwound || sample->n_calls > 0)
		return;
	quality->truncated_chains += sample->is_full_chain;
	quality->without_chain += sample->chain == NULL;
	quality->rootless += sample->chain != NULL && user->len > 0 &&
	                     (user->len == 1 || frame_finder_is_unknown(
	                                                reader->finder, g_array_index(user, RawFrame, user->len - 1)));
}

static void judge_stack(RunQuality *quality, const RecordingReader *reader)
{
	const SampleStack *stack = &reader->stack;
	guint unknown = 0;
	for (guint i = 0; i < stack->user->len; i++)
		unknown += frame_finder_is_unknown(reader->finder, g_array_index(stack->user, RawFrame, i));
	quality->user_frames += stack->user->len;
	quality->unknown_frames += unknown;
	quality->unknown_leaf += unknown > 0 && stack->kernel->len == 0 &&
	                         frame_finder_is_unknown(reader->finder, g_array_index(stack->user, RawFrame, 0));
	quality->depth1 += stack->user->len == 1;
	quality->incomplete += stack->is_incomplete;
}

static void fold_sample(RecordingReader *reader, const PerfDataRecord *record)
{
	RunQuality *quality = &reader->recording->quality;
	const PerfFoldOptions *options = reader->options;
	if (record->sample.event != reader->event || (options->pid != 0 && options->pid != record->pid) ||
	        (options->tid != 0 && options->tid != record->tid))
		return;
	const Command *command = find_command(reader, record->pid, record->tid);
	if (!command->is_wanted)
		return;
	/* Until it executes the workload, the child runs code of the program that launches it, which is no cost of the
	 * workload. */
	if (command->is_launcher && !process_maps_has_executed(frame_finder_maps(reader->finder), record->pid)) {
		quality->dropped++;
		return;
	}
	frame_finder_select(reader->finder, record->pid, record->time_ns);
	sample_stack_collect(&reader->stack, &reader->stacks, record);
	raw_path_restart(&reader->path);
	raw_path_push(&reader->path, command->frame);
	sample_notes_push(&reader->notes, &reader->path, record);
	push_part(&reader->path, reader->stack.user);
	push_part(&reader->path, reader->stack.kernel);
	add_cell(reader->recording->cells, raw_path_row(&reader->path), record->sample.period);
	quality->samples++;
	quality->weight_total += record->sample.period;
	judge_stack(quality, reader);
	judge_chain(quality, reader, &record->sample);
}

static void take_record(gpointer data, const PerfDataRecord *record)
{
	RecordingReader *reader = data;
	if (record->kind == PERF_DATA_SAMPLE)
		fold_sample(reader, record);
	else
		frame_finder_apply(reader->finder, record);
}

gboolean raw_recording_read(
        RawRecording *out, const RawRecordingSource *source, const PerfFoldOptions *options, GError **error)
{
	static const PerfDataVisitor visitor = {.begin = begin_recording, .record = take_record};
	static const PerfFoldOptions no_options = {0};
	RawRecording recording = {.cells = g_array_new(FALSE, TRUE, sizeof(ProfileCell))};
	RecordingReader reader = {
	        .source = source,
	        .options = options != NULL ? options : &no_options,
	        .recording = &recording,
	        .commands = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
	};
	reader.nameless = make_command(&reader, NULL);
	sample_stack_init(&reader.stack);
	sample_notes_init(&reader.notes, source->state->table, reader.options->notes);
	raw_path_init(&reader.path, &source->state->trie);
	gboolean ok = perfdata_read(source->path, &visitor, &reader, NULL, error);
	if (reader.finder != NULL)
		recording.quality.maps_left_out = process_maps_n_left_out(frame_finder_maps(reader.finder));
	frame_finder_free(reader.finder);
	sample_stack_clear(&reader.stack);
	sample_notes_clear(&reader.notes);
	raw_path_clear(&reader.path);
	g_hash_table_unref(reader.commands);
	/* the recorder counted over all events and processes: the samples that were taken have their part of it */
	recording.quality.incomplete += (guint64)(reader.incomplete_share * (double)recording.quality.samples + .5);
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
