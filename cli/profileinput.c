#include "cli/profileinput.h"

#include "cli/talk.h"
#include "core/error.h"
#include "profile/hotpatterns.h"
#include "profile/hotspots.h"

#include <string.h>

#define NOT_GIVEN G_MININT
#define LOST_WARNING_SHARE .01
#define TRUNCATED_WARNING_SHARE .01
#define UNKNOWN_NOTABLE_SHARE .05
#define ROOTLESS_NOTABLE_SHARE .05

void profile_input_options_init(ProfileInputOptions *options)
{
	*options = (ProfileInputOptions){.pid = NOT_GIVEN, .tid = NOT_GIVEN};
}

void profile_input_options_clear(ProfileInputOptions *options)
{
	g_free(options->weight);
	g_free(options->event);
	g_free(options->comm);
	g_free(options->format);
	g_free(options->symfs);
	g_strfreev(options->skip_after);
}

GOptionEntry *profile_input_entries(ProfileInputOptions *options, const GOptionEntry *own)
{
	const GOptionEntry shared[] = {
	        {"weight", 'w', 0, G_OPTION_ARG_STRING, &options->weight,
	                "what counts: samples (default) or period, the cost they stand for", "WHAT"},
	        {"event", 'e', 0, G_OPTION_ARG_STRING, &options->event, "only this event", "NAME"},
	        {"pid", 0, 0, G_OPTION_ARG_INT, &options->pid, "only samples of this process", "N"},
	        {"tid", 0, 0, G_OPTION_ARG_INT, &options->tid, "only samples of this thread", "N"},
	        {"comm", 0, 0, G_OPTION_ARG_STRING, &options->comm, "only samples under this command name", "NAME"},
	        {"kernel", 0, 0, G_OPTION_ARG_NONE, &options->kernel,
	                "kernel functions one by one instead of one frame [kernel]", NULL},
	        {"no-inline", 0, 0, G_OPTION_ARG_NONE, &options->no_inline,
	                "leave out functions that were inlined into others", NULL},
	        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
	                "what the files are: perf.data, perf-script, callgrind, pprof or folded", "FORMAT"},
	        {"symfs", 0, 0, G_OPTION_ARG_FILENAME, &options->symfs, "look for object files below this folder, too",
	                "DIR"},
	        {"root-pid", 0, 0, G_OPTION_ARG_NONE, &options->root_pid,
	                "of perf script text: the root is COMMAND-PID", NULL},
	        {"root-tid", 0, 0, G_OPTION_ARG_NONE, &options->root_tid,
	                "of perf script text: the root is COMMAND-PID/TID", NULL},
	        {"addresses", 0, 0, G_OPTION_ARG_NONE, &options->addresses,
	                "of perf script text: addresses of functions without a name", NULL},
	        {"skip-after", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->skip_after,
	                "of perf script text: cut what called this function (repeatable)", "NAME"},
	        {"stackcollapse", 0, 0, G_OPTION_ARG_NONE, &options->stackcollapse,
	                "fold text of perf script exactly as stackcollapse-perf.pl does", NULL},
	        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "no remarks on the recording", NULL},
	        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &options->verbose, "what was read from each file", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	gsize n_own = 0;
	while (own[n_own].long_name != NULL)
		n_own++;
	GOptionEntry *entries = g_new0(GOptionEntry, n_own + G_N_ELEMENTS(shared));
	memcpy(entries, own, n_own * sizeof *own);
	memcpy(entries + n_own, shared, sizeof shared);
	return entries;
}

/* From texts to the options of the reader */

static gboolean parse_format(const char *text, ProfileFormat *format, GError **error)
{
	*format = PROFILE_FORMAT_AUTO;
	if (text == NULL)
		return TRUE;
	for (guint i = 0; profile_format_names[i] != NULL; i++)
		if (strcmp(text, profile_format_names[i]) == 0) {
			*format = (ProfileFormat)(i + 1);
			return TRUE;
		}
	g_autofree char *names = g_strjoinv(", ", (char **)profile_format_names);
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--format is one of %s, not \"%s\"", names, text);
}

/* The costs that stackcollapse-perf.pl writes are periods. */
static gboolean parse_weight(const ProfileInputOptions *options, gboolean *samples, GError **error)
{
	*samples = options->weight == NULL ? !options->stackcollapse : strcmp(options->weight, "samples") == 0;
	if (options->weight == NULL || *samples || strcmp(options->weight, "period") == 0)
		return TRUE;
	return firebreak_refuse(
	        error, FIREBREAK_ERROR_USAGE, "--weight is samples or period, not \"%s\"", options->weight);
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

static gboolean check_id(const char *option, int id, GError **error)
{
	return id == NOT_GIVEN || id > 0 ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is a number from 1 on", option);
}

static gboolean reading_options(const ProfileInputOptions *options, ProfileReadOptions *reading, GError **error)
{
	if (!check_id("--pid", options->pid, error) || !check_id("--tid", options->tid, error))
		return FALSE;
	*reading = (ProfileReadOptions){
	        .fold = {.event = options->event,
	                .kernel = options->kernel,
	                .no_inline = options->no_inline,
	                .pid = MAX(options->pid, 0),
	                .tid = MAX(options->tid, 0),
	                .comm = options->comm,
	                .symfs = options->symfs},
	        .stackcollapse_rules = options->stackcollapse,
	        .root_pid = options->root_pid,
	        .root_tid = options->root_tid,
	        .addresses = options->addresses,
	        .annotate_kernel = options->script_annotations,
	        .annotate_jit = options->script_annotations,
	        .skip_after = (const char *const *)options->skip_after,
	};
	return parse_format(options->format, &reading->format, error);
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
}

static void say_what_was_read(const char *file, const RunQuality *quality)
{
	Talk talk;
	talk_init(&talk, TALK_VERBOSE);
	g_autofree char *line = g_strdup_printf("%s: %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT
	                                        " of the launcher left out, %" G_GUINT64_FORMAT
	                                        " lost, %" G_GUINT64_FORMAT " records not decoded",
	        file, quality->samples, quality->dropped, quality->lost, quality->decode_errors);
	talk_line(&talk, line);
	talk_clear(&talk);
}

static gboolean read_files(
        ProfileInput *input, const ProfileInputOptions *options, char **files, RunQuality *quality, GError **error)
{
	ProfileReadOptions reading;
	if (!reading_options(options, &reading, error))
		return FALSE;
	g_autoptr(ProfileReader) reader = profile_reader_new(input->profile->table);
	for (guint i = 0; files[i] != NULL; i++) {
		RunQuality of_file = {0};
		if (!profile_reader_add(reader, files[i], input->profile, 0, &reading, &of_file, error))
			return FALSE;
		if (options->verbose)
			say_what_was_read(files[i], &of_file);
		add_quality(quality, &of_file);
	}
	return profile_reader_finish(reader, input->findings, error);
}

static void judge_quality(FindingList *findings, const RunQuality *quality)
{
	double lost = hotspots_share(quality->lost, quality->samples + quality->lost);
	double truncated = hotspots_share(quality->truncated_chains, quality->samples);
	if (quality->lost > 0)
		finding_add(findings, lost > LOST_WARNING_SHARE ? FINDING_WARNING : FINDING_INFO, "samples_lost", NULL,
		        "%" G_GUINT64_FORMAT
		        " samples were lost, %.2g %% of all; record at a lower frequency or with larger buffers",
		        quality->lost, lost * 100);
	if (quality->truncated_chains > 0)
		finding_add(findings, truncated > TRUNCATED_WARNING_SHARE ? FINDING_WARNING : FINDING_INFO,
		        "stacks_truncated", NULL,
		        "%.2g %% of the stacks are as deep as the kernel records and may lack their beginning; raise "
		        "kernel.perf_event_max_stack",
		        truncated * 100);
	if (quality->throttled > 0)
		finding_add(findings, FINDING_WARNING, "throttled", NULL,
		        "the kernel stopped sampling %" G_GUINT64_FORMAT " times; record at a lower frequency",
		        quality->throttled);
	if (quality->decode_errors > 0 && !finding_has(findings, "lines_not_read"))
		finding_add(findings, FINDING_WARNING, "records_not_decoded", NULL,
		        "%" G_GUINT64_FORMAT " records could not be decoded", quality->decode_errors);
}

static void judge_stacks(ProfileInput *input)
{
	guint64 total = profile_run_total(input->profile, 0).weight;
	double share = hotspots_share(input->unknown.weight, total);
	double rootless = hotspots_share(hot_patterns_rootless(input->profile).weight, total);
	if (share >= UNKNOWN_NOTABLE_SHARE && !finding_has(input->findings, "unknown_functions"))
		finding_add(input->findings, FINDING_WARNING, "unknown_functions", NULL,
		        "%.0f %% of the cost is in functions without a name; build with symbols", share * 100);
	if (rootless >= ROOTLESS_NOTABLE_SHARE && !finding_has(input->findings, "no_call_chains") &&
	        !finding_has(input->findings, "no_call_paths"))
		finding_add(input->findings, FINDING_WARNING, "missing_frames", NULL,
		        "%.0f %% of the cost is in stacks that lost their callers, so inclusive costs are too small: "
		        "record call chains (perf record -g), and build with -fno-omit-frame-pointer",
		        rootless * 100);
}

/* The same profile with the number of samples as its weight. */
static Profile *samples_as_weight(const Profile *profile)
{
	Profile *counted = profile_new(profile->table, profile->event, "samples");
	profile_add_run(counted);
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		guint64 samples = profile_cell(profile, 0, (StackId){i}).samples;
		if (samples > 0)
			profile_add(counted, 0, (StackId){i}, (ProfileCell){samples, samples});
	}
	return counted;
}

static gboolean set_nothing_left(const ProfileInputOptions *options, char **files, GError **error)
{
	gboolean filtered = options->pid != NOT_GIVEN || options->tid != NOT_GIVEN || options->comm != NULL ||
	                    options->event != NULL;
	if (filtered)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "no samples are left: no process, thread, command or event of the recording is "
		        "the one that was asked for");
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s%s: no samples in it", files[0],
	        files[1] != NULL ? " and the others" : "");
	return FALSE;
}

static gboolean choose_weight(ProfileInput *input, gboolean samples, GError **error)
{
	ProfileCell total = profile_run_total(input->profile, 0);
	input->exact =
	        total.samples == 0 || (total.samples == total.weight && strcmp(input->profile->unit, "samples") != 0);
	if (!samples && total.weight == 0)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "the samples have no period; use --weight=samples");
	if (samples && !input->exact) {
		Profile *counted = samples_as_weight(input->profile);
		profile_free(input->profile);
		input->profile = counted;
	}
	input->unknown = hot_patterns_unknown(input->profile);
	return TRUE;
}

ProfileInput *profile_input_read(const ProfileInputOptions *options, char **files, GError **error)
{
	gboolean samples;
	RunQuality quality = {0};
	drop_separator(files);
	if (!check_files(files, error) || !parse_weight(options, &samples, error))
		return NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(ProfileInput) input = g_new0(ProfileInput, 1);
	input->profile = profile_new(table, "", "samples");
	input->findings = finding_list_new();
	profile_add_run(input->profile);
	if (!read_files(input, options, files, &quality, error))
		return NULL;
	ProfileCell total = profile_run_total(input->profile, 0);
	if (total.samples == 0 && total.weight == 0 && !set_nothing_left(options, files, error))
		return NULL;
	if (!choose_weight(input, samples, error))
		return NULL;
	judge_quality(input->findings, &quality);
	judge_stacks(input);
	return g_steal_pointer(&input);
}

void profile_input_free(ProfileInput *input)
{
	if (input == NULL)
		return;
	profile_free(input->profile);
	finding_list_free(input->findings);
	g_free(input);
}

void profile_input_print_findings(const ProfileInput *input, const ProfileInputOptions *options)
{
	Talk talk;
	talk_init(&talk, options->quiet ? TALK_QUIET : TALK_NORMAL);
	for (guint i = 0; i < finding_count(input->findings); i++) {
		const Finding *finding = finding_get(input->findings, i);
		g_autofree char *line =
		        g_strdup_printf("%s: %s", finding_severity_name(finding->severity), finding->text);
		talk_line(&talk, line);
	}
	talk_clear(&talk);
}

int profile_input_failed(const Command *command, const GError *error)
{
	if (firebreak_error_exit_code(error) == FIREBREAK_ERROR_USAGE)
		return command_usage(command, "%s", error->message);
	return command_failed(error);
}
