/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input/profileinput.h"

#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/escape.h"
#include "gate/request/talk.h"
#include "model/numbers/number.h"
#include "model/stacknote.h"
#include "profile/fold/namelessframes.h"
#include "profile/hotspots/hotpatterns.h"
#include "profile/hotspots/hotspots.h"

#include <string.h>

#define LOST_WARNING_SHARE .01
#define TRUNCATED_WARNING_SHARE .01
#define UNKNOWN_NOTABLE_SHARE .05
#define ROOTLESS_NOTABLE_SHARE .05
#define NO_CHAINS_NOTABLE_SHARE .5
#define COMMANDS_LISTED 5

typedef enum { WEIGHT_BY_EVENT, WEIGHT_SAMPLES, WEIGHT_PERIOD } WeightChoice;

/* Files by name, or one that is open already. */
typedef struct {
	char *const *names;
	const InputFile *open; /* NULL = open each */
} Sources;

static const char *const weight_names[] = {"samples", "period", NULL};

const Option profile_weight_option[] = {
        {"weight", 'w', OPTION_TEXT, "WHAT",
                "what counts: samples, or period, the cost they stand for (default: period for waits, and for events "
                "other than clocks and those of the processor if their periods differ; else samples)",
                offsetof(ProfileInputOptions, weight), .section = SECTION_READING, .choices = weight_names},
};

const Option profile_top_weight_option[] = {
        {"weight", 'w', OPTION_TEXT, "WHAT",
                "what counts: samples, or period, the cost they stand for, as in perf report (default: period if "
                "periods differ; else samples, which gives the same shares)",
                offsetof(ProfileInputOptions, weight), .section = SECTION_READING, .choices = weight_names},
};

const Option profile_diff_weight_option[] = {
        {"weight", 'w', OPTION_TEXT, "WHAT",
                "what counts: samples, or period, the cost they stand for (default: period; with --compat samples, of "
                "every event)",
                offsetof(ProfileInputOptions, weight), .section = SECTION_READING, .choices = weight_names},
};

const Option profile_input_options[] = {
        {"event", 'e', OPTION_TEXT, "NAME",
                "only this event; of DHAT: " DHAT_EVENT_BYTES " (default), " DHAT_EVENT_BLOCKS " or " DHAT_EVENT_PEAK,
                offsetof(ProfileInputOptions, event), .section = SECTION_READING},
        {"pid", 0, OPTION_INT, "N", "only samples of this process", offsetof(ProfileInputOptions, pid),
                .section = SECTION_READING, .min = 1, .max = G_MAXINT},
        {"tid", 0, OPTION_INT, "N", "only samples of this thread", offsetof(ProfileInputOptions, tid),
                .section = SECTION_READING, .min = 1, .max = G_MAXINT},
        {"comm", 0, OPTION_TEXT, "NAME", "only samples under this command name", offsetof(ProfileInputOptions, comm),
                .section = SECTION_READING},
        {"kernel", 0, OPTION_FLAG, NULL, "kernel functions one by one instead of one frame [kernel]",
                offsetof(ProfileInputOptions, kernel), .section = SECTION_READING},
        {"no-inline", 0, OPTION_FLAG, NULL, "leave out functions that were inlined into others",
                offsetof(ProfileInputOptions, no_inline), .section = SECTION_READING},
        {"format", 0, OPTION_TEXT, "FORMAT",
                "what the files are: perf.data, perf-script, callgrind, dhat, pprof or folded",
                offsetof(ProfileInputOptions, format), .section = SECTION_READING, .choices = profile_format_names},
        {"symfs", 0, OPTION_FOLDER, "DIR", "look for object files below this folder, too",
                offsetof(ProfileInputOptions, symfs), .section = SECTION_READING},
        {"root-pid", 0, OPTION_FLAG, NULL, "of perf script text: the root is COMMAND-PID",
                offsetof(ProfileInputOptions, root_pid), .section = SECTION_ADVANCED},
        {"root-tid", 0, OPTION_FLAG, NULL, "of perf script text: the root is COMMAND-PID/TID",
                offsetof(ProfileInputOptions, root_tid), .section = SECTION_ADVANCED},
        {"addresses", 0, OPTION_FLAG, NULL, "of perf.data and perf script text: addresses of functions without a name",
                offsetof(ProfileInputOptions, addresses), .section = SECTION_ADVANCED},
        {"skip-after", 0, OPTION_TEXTS, "NAME", "of perf script text: cut what called this function (repeatable)",
                offsetof(ProfileInputOptions, skip_after), .section = SECTION_ADVANCED},
        {"stackcollapse", 0, OPTION_FLAG, NULL,
                "fold text of perf script exactly as stackcollapse-perf.pl does; counts periods unless "
                "--weight=samples",
                offsetof(ProfileInputOptions, stackcollapse), .section = SECTION_ADVANCED},
        {"quiet", 'q', OPTION_FLAG, NULL, "no remarks on the recording", offsetof(ProfileInputOptions, quiet),
                .section = SECTION_OUTPUT},
        {"verbose", 'v', OPTION_FLAG, NULL, "what was read from each file", offsetof(ProfileInputOptions, verbose),
                .section = SECTION_OUTPUT},
};

_Static_assert(G_N_ELEMENTS(profile_input_options) == N_PROFILE_INPUT_OPTIONS, "the header says how many there are");

/* From texts to the options of the reader */

/* The costs that stackcollapse-perf.pl writes are periods. */
static WeightChoice weight_of(const ProfileInputOptions *options)
{
	if (options->weight == NULL)
		return options->stackcollapse ? WEIGHT_PERIOD : WEIGHT_BY_EVENT;
	return strcmp(options->weight, "period") == 0 ? WEIGHT_PERIOD : WEIGHT_SAMPLES;
}

/* The parser leaves the `--` in front of names that begin with a dash. */
static void drop_separator(char **files)
{
	gboolean dropped = FALSE;
	for (; *files != NULL; files++) {
		if (!dropped && strcmp(*files, "--") == 0) {
			g_free(*files);
			dropped = TRUE;
		}
		if (dropped)
			files[0] = files[1];
	}
}

static gboolean check_files(char **files, GError **error)
{
	guint n_stdin = 0;
	if (files[0] == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "name a file, or - for standard input");
	for (guint i = 0; files[i] != NULL; i++)
		n_stdin += strcmp(files[i], "-") == 0;
	return n_stdin <= 1 || firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "standard input can be read only once");
}

static void reading_options(const ProfileInputOptions *options, ProfileReadOptions *reading)
{
	*reading = (ProfileReadOptions){
	        .fold = {.event = options->event,
	                .kernel = options->kernel,
	                .as_recorded = options->as_recorded,
	                .addresses = options->addresses,
	                .notes = options->notes,
	                .no_inline = options->no_inline,
	                .pid = options->pid,
	                .tid = options->tid,
	                .comm = options->comm,
	                .symfs = options->symfs},
	        .two_columns = options->two_columns,
	        .stackcollapse_rules = options->stackcollapse,
	        .root_pid = options->root_pid,
	        .root_tid = options->root_tid,
	        .addresses = options->addresses,
	        .annotate_kernel = options->script_annotations,
	        .annotate_jit = options->script_annotations,
	        .skip_after = (const char *const *)options->skip_after,
	};
	if (options->format != NULL)
		reading->format = (ProfileFormat)(option_choice(profile_format_names, options->format) + 1);
}

const char *profile_input_option_of_reading(const ProfileInputOptions *options)
{
	const struct {
		const char *name;
		gboolean given;
	} choices[] = {
	        {"--event", options->event != NULL},
	        {"--pid", options->pid != 0},
	        {"--tid", options->tid != 0},
	        {"--comm", options->comm != NULL},
	        {"--kernel", options->kernel},
	        {"--no-inline", options->no_inline},
	        {"--format", options->format != NULL},
	        {"--symfs", options->symfs != NULL},
	        {"--root-pid", options->root_pid},
	        {"--root-tid", options->root_tid},
	        {"--addresses", options->addresses},
	        {"--skip-after", options->skip_after != NULL},
	        {"--stackcollapse", options->stackcollapse},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(choices); i++)
		if (choices[i].given)
			return choices[i].name;
	return NULL;
}

/* Reading */

static void add_quality(RunQuality *sum, const RunQuality *quality)
{
	sum->samples += quality->samples;
	sum->dropped += quality->dropped;
	sum->lost += quality->lost;
	sum->throttled += quality->throttled;
	sum->truncated_chains += quality->truncated_chains;
	sum->decode_errors += quality->decode_errors;
	sum->unknown_records += quality->unknown_records;
	sum->maps_left_out += quality->maps_left_out;
	sum->incomplete += quality->incomplete;
	sum->without_chain += quality->without_chain;
	sum->rootless += quality->rootless;
}

static void say_what_was_read(const char *file, const RunQuality *quality)
{
	Talk talk;
	talk_on_stderr(&talk, TALK_VERBOSE);
	g_autofree char *line = g_strdup_printf("%s: %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT
	                                        " of the launcher left out, %" G_GUINT64_FORMAT
	                                        " lost, %" G_GUINT64_FORMAT " records not decoded",
	        file, quality->samples, quality->dropped, quality->lost, quality->decode_errors);
	talk_line(&talk, line);
	talk_clear(&talk);
}

static gboolean add_file(ProfileReader *reader, const Sources *sources, guint i, Profile *profile,
        const ProfileReadOptions *reading, RunQuality *quality, GError **error)
{
	return sources->open != NULL
	               ? profile_reader_add_file(reader, sources->open, profile, 0, reading, quality, error)
	               : profile_reader_add(reader, sources->names[i], profile, 0, reading, quality, error);
}

static gboolean read_files(ProfileInput *input, const ProfileInputOptions *options, const Sources *sources,
        RunQuality *quality, GError **error)
{
	char *const *files = sources->names;
	ProfileReadOptions reading;
	reading_options(options, &reading);
	reading.one_of_several = files[1] != NULL;
	g_autoptr(ProfileReader) reader = profile_reader_new(input->profile->table);
	for (guint i = 0; files[i] != NULL; i++) {
		RunQuality of_file = {0};
		if (!add_file(reader, sources, i, input->profile, &reading, &of_file, error))
			return FALSE;
		if (options->verbose)
			say_what_was_read(files[i], &of_file);
		add_quality(quality, &of_file);
	}
	return profile_reader_finish(reader, input->findings, error);
}

static const char *plural(guint64 n)
{
	return n == 1 ? "" : "s";
}

static void judge_losses(FindingList *findings, const RunQuality *quality)
{
	double lost = hotspots_share(quality->lost, quality->samples + quality->lost);
	g_autofree char *lost_text = number_share(lost);
	if (quality->lost > 0)
		finding_add(findings, lost > LOST_WARNING_SHARE ? FINDING_WARNING : FINDING_INFO, "samples_lost", NULL,
		        "%" G_GUINT64_FORMAT
		        " sample%s lost, %s of all; record at a lower frequency or with larger buffers",
		        quality->lost, quality->lost == 1 ? " was" : "s were", lost_text);
	if (quality->dropped > 0)
		finding_add(findings, FINDING_INFO, "launcher_left_out", NULL,
		        "%" G_GUINT64_FORMAT
		        " sample%s of the process that was to start the command left out; firebreak fold has them",
		        quality->dropped, quality->dropped == 1 ? " is" : "s are");
	if (quality->throttled > 0)
		finding_add(findings, FINDING_WARNING, "throttled", NULL,
		        "the kernel stopped sampling %" G_GUINT64_FORMAT " time%s; record at a lower frequency",
		        quality->throttled, plural(quality->throttled));
	if (quality->decode_errors > 0 && !finding_has(findings, "lines_not_read"))
		finding_add(findings, FINDING_WARNING, "records_not_decoded", NULL,
		        "%" G_GUINT64_FORMAT " record%s could not be decoded", quality->decode_errors,
		        plural(quality->decode_errors));
	if (quality->unknown_records > 0)
		finding_add(findings, FINDING_WARNING, "unknown_records", NULL,
		        "%" G_GUINT64_FORMAT
		        " record%s of a type that is not known: the recorder is newer, or the file is damaged",
		        quality->unknown_records, quality->unknown_records == 1 ? " is" : "s are");
	if (quality->maps_left_out > 0)
		finding_add(findings, FINDING_WARNING, "maps_left_out", NULL,
		        "%" G_GUINT64_FORMAT " memory map%s left out, as a process has more than Linux allows by "
		        "default: some functions have no name",
		        quality->maps_left_out, quality->maps_left_out == 1 ? " was" : "s were");
}

/* Only of recordings: other formats do not say how their stacks were made, or have none by design. */
static void judge_chains(FindingList *findings, const RunQuality *quality)
{
	double truncated = hotspots_share(quality->truncated_chains, quality->samples);
	double without = hotspots_share(quality->without_chain, quality->samples);
	double rootless = hotspots_share(quality->rootless, quality->samples);
	g_autofree char *truncated_text = number_share(truncated), *without_text = number_about(without);
	g_autofree char *rootless_text = number_about(rootless);
	if (quality->truncated_chains > 0)
		finding_add(findings, truncated > TRUNCATED_WARNING_SHARE ? FINDING_WARNING : FINDING_INFO,
		        "stacks_truncated", NULL,
		        "%s of the stacks are as deep as the kernel records and may lack their beginning; raise "
		        "kernel.perf_event_max_stack",
		        truncated_text);
	if (without > NO_CHAINS_NOTABLE_SHARE && !finding_has(findings, "no_call_chains"))
		finding_add(findings, FINDING_WARNING, "no_call_chains", NULL,
		        "%s of the samples have no call chain; record with perf record -g or firebreak record",
		        without_text);
	else if (rootless >= ROOTLESS_NOTABLE_SHARE && !finding_has(findings, "stacks_incomplete"))
		finding_add(findings, FINDING_WARNING, "missing_frames", NULL,
		        "%s of the stacks lost their callers, so inclusive costs are too small: build with "
		        "-fno-omit-frame-pointer, or record with firebreak record or perf record --call-graph dwarf",
		        rootless_text);
}

static void judge_names(ProfileInput *input)
{
	double share = hotspots_share(input->unknown.weight, profile_run_total(input->profile, 0).weight);
	g_autofree char *about = number_about(share);
	if (share >= UNKNOWN_NOTABLE_SHARE && !finding_has(input->findings, "unknown_functions"))
		finding_add(input->findings, FINDING_WARNING, "unknown_functions", NULL,
		        "%s of the cost is in functions without a name; build with symbols", about);
}

static gboolean is_filtered(const ProfileInputOptions *options)
{
	return options->pid != 0 || options->tid != 0 || options->comm != NULL || options->event != NULL;
}

static gboolean set_nothing_left(const ProfileInputOptions *options, char *const *files, GError **error)
{
	if (is_filtered(options))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "no samples are left: the recording does not have the process, thread, command or event that "
		        "was asked for");
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s%s: no samples in it", files[0],
	        files[1] != NULL ? " and the others" : "");
	return FALSE;
}

/* A sample of a clock stands for a period of time, late or not; counts of the processor come often enough. Faults,
 * switches and tracepoints come in bursts, which sampling by frequency answers with ever longer periods, and a wait is
 * as long as it is. */
static gboolean weighs_by_period(const Profile *profile)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock", "cpu", "wall", NULL};
	static const char *const counted[] = {"page-faults", "faults", "minor-faults", "major-faults",
	        "context-switches", "cs", "cpu-migrations", "migrations", "alignment-faults", "emulation-faults",
	        "cgroup-switches", "bpf-output", NULL};
	g_autofree char *name = g_strdup(profile->event);
	char *modifier = strrchr(name, ':');
	if (modifier != NULL && strspn(modifier + 1, "ukhGHIpPSDWeb") == strlen(modifier + 1))
		*modifier = '\0';
	if (g_strv_contains(clocks, name))
		return FALSE;
	return strcmp(profile->unit, "ns") == 0 || strcmp(profile->unit, "bytes") == 0 ||
	       g_strv_contains(counted, name) || strchr(name, ':') != NULL;
}

/* TRUE if counting samples gives other shares than adding up what they stand for. */
static gboolean periods_differ(const Profile *profile)
{
	ProfileCell total = profile_run_total(profile, 0);
	double mean = hotspots_share(total.weight, total.samples);
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		ProfileCell cell = profile_cell(profile, 0, (StackId){i});
		double expected = mean * (double)cell.samples;
		if ((double)cell.weight < expected * .99 || (double)cell.weight > expected * 1.01)
			return TRUE;
	}
	return FALSE;
}

/* TRUE where nothing is said about what counts, and samples do. */
static gboolean samples_by_default(const ProfileInput *input, const ProfileInputOptions *options)
{
	const Profile *profile = input->profile;
	gboolean mixed = finding_has(input->findings, "mixed_periods");
	if (input->counted || profile_run_total(profile, 0).weight == 0)
		return TRUE;
	if (g_str_has_prefix(profile->event, "offcpu-time"))
		return FALSE;
	gboolean asks = weighs_by_period(profile) || (options->weigh_like_perf && !mixed);
	return !asks || !periods_differ(profile);
}

static gboolean counts_samples(const ProfileInput *input, const ProfileInputOptions *options, WeightChoice weight)
{
	const Profile *profile = input->profile;
	if (weight != WEIGHT_BY_EVENT)
		return weight == WEIGHT_SAMPLES;
	if (samples_by_default(input, options))
		return TRUE;
	finding_add(input->findings, FINDING_INFO, "weight_is_period", NULL,
	        "samples of %s stand for different costs, so their periods are added up; --weight=samples counts them",
	        profile->event);
	return FALSE;
}

static void take_profile(ProfileInput *input, Profile *profile)
{
	profile_free(input->profile);
	input->profile = profile;
}

static gboolean choose_weight(
        ProfileInput *input, const ProfileInputOptions *options, WeightChoice weight, GError **error)
{
	gboolean keeps_periods = options->keep_periods && weight == WEIGHT_BY_EVENT;
	ProfileCell total = profile_run_total(input->profile, 0);
	input->counted =
	        total.samples == 0 || (total.samples == total.weight && strcmp(input->profile->unit, "samples") != 0);
	gboolean mixed = finding_has(input->findings, "mixed_periods");
	if (weight == WEIGHT_PERIOD && (total.weight == 0 || mixed))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s samples have no period; use --weight=samples",
		        mixed ? "some" : "the");
	if (!keeps_periods && counts_samples(input, options, weight) && !input->counted)
		take_profile(input, profile_of_samples(input->profile));
	Profile *named = options->as_recorded ? nameless_frames_named(input->profile) : NULL;
	if (named != NULL)
		take_profile(input, named);
	if (options->notes != 0) {
		input->noted = input->profile;
		input->profile = stack_notes_left_out(input->noted);
	}
	input->uneven = periods_differ(input->profile);
	input->unknown = hot_patterns_unknown(input->profile);
	return TRUE;
}

static ProfileInput *input_new(const ProfileInputOptions *options)
{
	g_autoptr(StackTable) table = stack_table_new();
	ProfileInput *input = g_new0(ProfileInput, 1);
	input->profile = profile_new(table, "", "");
	input->findings = finding_list_new();
	for (guint run = 0; run < (options->two_columns ? 2 : 1); run++)
		profile_add_run(input->profile);
	return input;
}

/* The names of commands as fold shows them, the first few; NULL if there are none or `wanted` is among them. */
static char *list_commands(const Profile *profile, const char *wanted)
{
	const StackTable *table = profile->table;
	GString *names = g_string_new(NULL);
	guint n = 0;
	for (guint i = 1; i < stack_table_n_stacks(table); i++) {
		const Frame *frame = stack_table_get_frame(table, stack_table_leaf(table, (StackId){i}));
		if (stack_table_parent(table, (StackId){i}).index != STACK_ROOT.index || frame->kind != FRAME_COMMAND)
			continue;
		g_autofree char *shown = escape_to_string(escape_folded, stack_table_text(table, frame->name));
		if (strcmp(shown, wanted) == 0)
			n = G_MAXUINT - 1;
		else if (n < COMMANDS_LISTED)
			g_string_append_printf(names, "%s%s", n > 0 ? ", " : "", shown);
		n += n < G_MAXUINT - 1;
	}
	if (n > COMMANDS_LISTED)
		g_string_append(names, ", ...");
	gboolean is_useful = n > 0 && n < G_MAXUINT - 1;
	return g_string_free(names, !is_useful);
}

/* TRUE if all sources can be read again. Text from a pipe is gone, and opening a named pipe again would wait for a
 * writer. */
static gboolean can_be_read_again(const Sources *sources)
{
	for (guint i = 0; sources->open == NULL && sources->names[i] != NULL; i++)
		if (!g_file_test(sources->names[i], G_FILE_TEST_IS_REGULAR))
			return FALSE;
	return TRUE;
}

/* Adds to an error that may come from --comm which commands there are. */
static void name_commands(const ProfileInputOptions *options, const Sources *sources, GError **error)
{
	ProfileInputOptions all = *options;
	RunQuality quality = {0};
	all.comm = NULL;
	all.verbose = FALSE;
	if (error == NULL || options->comm == NULL || firebreak_error_exit_code(*error) != FIREBREAK_ERROR_USAGE ||
	        !can_be_read_again(sources))
		return;
	g_autoptr(ProfileInput) input = input_new(options);
	if (!read_files(input, &all, sources, &quality, NULL))
		return;
	g_autofree char *names = list_commands(input->profile, options->comm);
	if (names != NULL) {
		g_autofree char *text = g_strdup_printf("%s; commands in it: %s", (*error)->message, names);
		g_free((*error)->message);
		(*error)->message = g_steal_pointer(&text);
	}
}

static ProfileInput *read_sources(const ProfileInputOptions *options, const Sources *sources, GError **error)
{
	WeightChoice weight = weight_of(options);
	RunQuality quality = {0};
	g_autoptr(ProfileInput) input = input_new(options);
	gboolean ok = read_files(input, options, sources, &quality, error);
	ProfileCell total = profile_run_total(input->profile, 0);
	if (ok && total.samples == 0 && total.weight == 0 && (is_filtered(options) || !options->may_be_empty))
		ok = set_nothing_left(options, sources->names, error);
	if (!ok) {
		name_commands(options, sources, error);
		return NULL;
	}
	if (!choose_weight(input, options, weight, error))
		return NULL;
	judge_losses(input->findings, &quality);
	judge_chains(input->findings, &quality);
	judge_names(input);
	return g_steal_pointer(&input);
}

ProfileInput *profile_input_read(const ProfileInputOptions *options, char **files, GError **error)
{
	drop_separator(files);
	return check_files(files, error) ? read_sources(options, &(Sources){.names = files}, error) : NULL;
}

ProfileInput *profile_input_read_file(const ProfileInputOptions *options, const InputFile *file, GError **error)
{
	char *const names[] = {(char *)file->name, NULL};
	return read_sources(options, &(Sources){.names = names, .open = file}, error);
}

void profile_input_free(ProfileInput *input)
{
	if (input == NULL)
		return;
	profile_free(input->profile);
	g_clear_pointer(&input->noted, profile_free);
	finding_list_free(input->findings);
	g_free(input);
}

void profile_input_print_findings(const ProfileInput *input, const ProfileInputOptions *options)
{
	talk_findings(input->findings, options->quiet ? TALK_QUIET : TALK_NORMAL);
}

int profile_input_failed(const Command *command, const GError *error)
{
	if (firebreak_error_exit_code(error) == FIREBREAK_ERROR_USAGE)
		return command_usage(command, "%s", error->message);
	return command_failed(error);
}
