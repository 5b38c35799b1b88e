/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/read/profileread.h"

#include "core/error.h"
#include "model/inputfile.h"
#include "model/textpiece.h"
#include "profile/exchange/pprofread.h"
#include "profile/folded/folded.h"
#include "profile/perfscript/perfscript.h"
#include "profile/perfscript/stackcollapse.h"
#include "profile/valgrind/callgrindread.h"
#include "profile/valgrind/dhatread.h"

#include <string.h>

/* Share of the samples from which having no call chain is worth a word. */
#define NOTABLE_NO_STACK_SHARE .5

#define FOLDED_UNIT "counts"
#define FRACTIONS_ALONE "counts of folded stacks that are fractions add up with those of folded stacks only"

struct ProfileReader {
	StackTable *table;
	PerfFold *fold;        /* of the recordings; NULL while there is none */
	FindingList *findings; /* until the reader is finished */
	char *empty;           /* name of a file with no bytes among several, the first; or NULL */
	gboolean has_callgrind;
};

/* One file and where it goes. */
typedef struct {
	InputFile file;
	const ProfileReadOptions *options;
	Profile *profile;
	guint run;
	RunQuality quality;
} Job;

ProfileReader *profile_reader_new(StackTable *table)
{
	ProfileReader *reader = g_new0(ProfileReader, 1);
	reader->table = stack_table_ref(table);
	reader->findings = finding_list_new();
	return reader;
}

void profile_reader_free(ProfileReader *reader)
{
	if (reader == NULL)
		return;
	g_clear_pointer(&reader->fold, perf_fold_free);
	finding_list_free(reader->findings);
	g_free(reader->empty);
	stack_table_unref(reader->table);
	g_free(reader);
}

static gboolean refuse(const Job *job, GError **error, const char *what)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: %s", job->file.name, what);
	return FALSE;
}

/* Names the profile, or checks that it is of that event. */
static gboolean check_event(const Job *job, const char *event, const char *unit, GError **error)
{
	const Profile *profile = job->profile;
	if (*profile->event == '\0' || (g_str_equal(profile->event, event) && g_str_equal(profile->unit, unit)))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s: recorded %s in %s, but the others %s in %s",
	        job->file.name, event, unit, profile->event, profile->unit);
	return FALSE;
}

static void name_profile(Profile *profile, const char *event, const char *unit)
{
	if (*profile->event != '\0')
		return;
	g_free(profile->event);
	g_free(profile->unit);
	profile->event = g_strdup(event);
	profile->unit = g_strdup(unit);
}

/* A profile beside that of the job, on the same names: what is read goes there first, until it is known to fit. */
static Profile *draft_of(const Job *job)
{
	Profile *draft = profile_new(job->profile->table, "", "");
	profile_add_run(draft);
	return draft;
}

/* Moves the draft into the profile of the job if it is of the same event. */
static gboolean accept_draft(const Job *job, const Profile *draft, const char *event, const char *unit, GError **error)
{
	if (!check_event(job, event, unit, error))
		return FALSE;
	name_profile(job->profile, event, unit);
	for (guint i = 0; i < stack_table_n_stacks(draft->table); i++) {
		ProfileCell cell = profile_cell(draft, 0, (StackId){i});
		if (cell.samples > 0 || cell.weight > 0)
			profile_add(job->profile, job->run, (StackId){i}, cell);
	}
	return TRUE;
}

/* perf.data */

/* The path of a copy tells a user nothing. */
static void rename_in_message(const Job *job, GError **error)
{
	g_autofree char *prefix = g_strconcat(job->file.path, ": ", NULL);
	if (error == NULL || *error == NULL || !g_str_has_prefix((*error)->message, prefix))
		return;
	g_autoptr(GError) renamed = g_error_new(
	        (*error)->domain, (*error)->code, "%s: %s", job->file.name, (*error)->message + strlen(prefix));
	g_clear_error(error);
	*error = g_steal_pointer(&renamed);
}

static gboolean read_perf_data(ProfileReader *reader, Job *job, GError **error)
{
	if (reader->fold == NULL)
		reader->fold = perf_fold_new(reader->table);
	gboolean ok = perf_fold_add(
	        reader->fold, job->file.path, job->profile, job->run, &job->options->fold, &job->quality, error);
	if (!ok)
		rename_in_message(job, error);
	return ok;
}

/* --- text of perf script --- */

static PerfScriptOptions script_options(const ProfileReadOptions *options)
{
	return (PerfScriptOptions){
	        .event = options->fold.event,
	        .pid = options->fold.pid,
	        .tid = options->fold.tid,
	        .comm = options->fold.comm,
	        .no_inline = options->fold.no_inline,
	        .root_pid = options->root_pid,
	        .root_tid = options->root_tid,
	        .addresses = options->addresses,
	        .annotate_kernel = options->annotate_kernel,
	        .annotate_jit = options->annotate_jit,
	        .skip_after = options->skip_after,
	};
}

static void note_script(ProfileReader *reader, const Job *job, const PerfScriptSummary *summary)
{
	const char *name = job->file.name;
	guint64 flat = summary->without_stack + summary->single_frames;
	if ((double)flat > NOTABLE_NO_STACK_SHARE * (double)summary->samples)
		finding_add(reader->findings, FINDING_WARNING, "no_call_chains", NULL,
		        "%s: %.0f %% of the samples have no call chain; record with perf record -g", name,
		        100 * (double)flat / (double)summary->samples);
	if (summary->without_period == summary->samples)
		finding_add(reader->findings, FINDING_INFO, "no_periods", NULL,
		        "%s: has no periods, each sample weighs 1; print them with perf script -F +period", name);
	if (summary->bad_lines > 0)
		finding_add(reader->findings, FINDING_WARNING, "lines_not_read", NULL,
		        "%s: %" G_GUINT64_FORMAT
		        " line%s neither a sample nor a frame, the first is line %" G_GUINT64_FORMAT,
		        name, summary->bad_lines, summary->bad_lines == 1 ? " is" : "s are", summary->first_bad_line);
}

static gboolean read_perf_script(ProfileReader *reader, Job *job, GError **error)
{
	PerfScriptOptions options = script_options(job->options);
	PerfScriptSummary summary = {0};
	g_autoptr(Profile) draft = draft_of(job);
	if (!perf_script_read((const char *)job->file.bytes, job->file.length, job->file.name, &options, draft, 0,
	            &summary, error))
		return FALSE;
	gboolean mixed = summary.without_period > 0 && summary.without_period < summary.samples;
	g_autoptr(Profile) counted = mixed ? profile_of_samples(draft) : NULL;
	gboolean ok =
	        accept_draft(job, mixed ? counted : draft, summary.event, mixed ? counted->unit : summary.unit, error);
	if (ok && mixed)
		finding_add(reader->findings, FINDING_WARNING, "mixed_periods", NULL,
		        "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		        " samples have no period, so samples are counted",
		        job->file.name, summary.without_period, summary.samples);
	job->quality = (RunQuality){
	        .samples = summary.samples,
	        .lost = summary.lost,
	        .truncated_chains = summary.cut_stacks,
	        .unknown_leaf = summary.unknown_leaves,
	        .depth1 = summary.single_frames,
	        .weight_total = mixed ? summary.samples : summary.weight,
	};
	if (ok)
		note_script(reader, job, &summary);
	perf_script_summary_clear(&summary);
	return ok;
}

static gboolean read_stackcollapse(Job *job, GError **error)
{
	PerfScriptOptions options = script_options(job->options);
	g_autofree char *event = NULL;
	g_autoptr(Profile) draft = draft_of(job);
	if (options.pid != 0 || options.tid != 0 || options.comm != NULL || options.no_inline ||
	        options.skip_after != NULL)
		return refuse(
		        job, error, "stackcollapse-perf.pl has no such filters; leave out its rules or the filters");
	if (!stackcollapse_read(
	            (const char *)job->file.bytes, job->file.length, job->file.name, &options, draft, 0, &event, error))
		return FALSE;
	ProfileCell total = profile_run_total(draft, 0);
	job->quality = (RunQuality){.samples = total.samples, .weight_total = total.weight};
	/* periods, unless the text has none and each sample weighs 1 */
	return accept_draft(job, draft, event, total.weight > total.samples ? "period" : "samples", error);
}

/* callgrind */

static void note_empty(ProfileReader *reader, const char *name)
{
	finding_add(reader->findings, FINDING_WARNING, "no_costs", NULL, "%s: no costs in it, left out", name);
}

static gboolean read_callgrind(ProfileReader *reader, Job *job, GError **error)
{
	const PerfFoldOptions *filters = &job->options->fold;
	const CallgrindOptions options = {.event = filters->event,
	        .pid = filters->pid,
	        .thread = filters->tid,
	        .comm = filters->comm,
	        .may_be_empty = job->options->one_of_several};
	CallgrindSummary summary = {0};
	g_autoptr(Profile) draft = draft_of(job);
	if (!callgrind_read((const char *)job->file.bytes, job->file.length, job->file.name, &options, draft, 0,
	            &summary, error))
		return FALSE;
	reader->has_callgrind = TRUE;
	if (summary.parts == 0)
		note_empty(reader, job->file.name);
	gboolean ok = summary.parts == 0 || accept_draft(job, draft, summary.event, summary.event, error);
	job->quality = (RunQuality){.samples = summary.cost, .weight_total = summary.cost};
	if (ok && summary.parts > 0 && !summary.has_contexts)
		finding_add(reader->findings, FINDING_INFO, "no_call_paths", NULL,
		        "%s: says what functions cost, not who called them; run callgrind with --separate-callers=20",
		        job->file.name);
	callgrind_summary_clear(&summary);
	return ok;
}

/* --- DHAT --- */

static const struct {
	const char *event, *unit;
	DhatWeight weight;
} dhat_events[] = {
        {DHAT_EVENT_BYTES, "bytes", DHAT_BYTES},
        {DHAT_EVENT_BLOCKS, "blocks", DHAT_BLOCKS},
        {DHAT_EVENT_PEAK, "bytes", DHAT_PEAK_BYTES},
};

static gboolean find_dhat_event(const Job *job, guint *found, GError **error)
{
	const char *wanted = job->options->fold.event;
	for (*found = 0; *found < G_N_ELEMENTS(dhat_events); (*found)++)
		if (wanted == NULL || g_str_equal(wanted, dhat_events[*found].event))
			return TRUE;
	return refuse(job, error, "DHAT counts " DHAT_EVENT_BYTES ", " DHAT_EVENT_BLOCKS " and " DHAT_EVENT_PEAK);
}

static gboolean passes_filters(const PerfFoldOptions *filters, const DhatSummary *summary)
{
	TextPiece words = text_of(summary->command), program;
	text_take_word(&words, &program);
	program = text_base_name(program);
	TextPiece shown = {program.start, MIN(program.length, DHAT_COMMAND_BYTES)};
	return (filters->pid == 0 || summary->pid == filters->pid) &&
	       (filters->comm == NULL || text_equals(program, filters->comm) || text_equals(shown, filters->comm));
}

/* The same costs on stacks without the frames of inlined functions. */
static Profile *without_inlined(const Profile *draft)
{
	StackTable *table = draft->table;
	guint n = stack_table_n_stacks(table);
	Profile *result = profile_new(table, "", "");
	g_autofree StackId *shorter = g_new0(StackId, n);
	profile_add_run(result);
	for (guint i = 1; i < n; i++) {
		FrameId leaf = stack_table_leaf(table, (StackId){i});
		ProfileCell cell = profile_cell(draft, 0, (StackId){i});
		shorter[i] = shorter[stack_table_parent(table, (StackId){i}).index];
		if (stack_table_get_frame(table, leaf)->kind != FRAME_INLINED)
			shorter[i] = stack_table_push(table, shorter[i], leaf);
		if (cell.weight > 0)
			profile_add(result, 0, shorter[i], cell);
	}
	return result;
}

static gboolean read_dhat(ProfileReader *reader, Job *job, GError **error)
{
	const PerfFoldOptions *filters = &job->options->fold;
	guint event;
	DhatSummary summary = {0};
	g_autoptr(Profile) draft = draft_of(job);
	if (filters->tid != 0)
		return refuse(job, error, "DHAT does not tell threads apart");
	if (!find_dhat_event(job, &event, error))
		return FALSE;
	const DhatTarget target = {.weight = dhat_events[event].weight, .profile = draft};
	if (!dhat_read(
	            (const char *)job->file.bytes, job->file.length, job->file.name, TRUE, &target, 1, &summary, error))
		return FALSE;
	g_autoptr(Profile) shorter = filters->no_inline ? without_inlined(draft) : NULL;
	guint64 weight = profile_run_total(draft, 0).weight;
	if (weight == 0 && job->options->one_of_several)
		note_empty(reader, job->file.name);
	gboolean ok = TRUE;
	if (weight > 0 && passes_filters(filters, &summary)) {
		job->quality = (RunQuality){.samples = weight, .weight_total = weight};
		ok = accept_draft(job, shorter != NULL ? shorter : draft, dhat_events[event].event,
		        dhat_events[event].unit, error);
	}
	dhat_summary_clear(&summary);
	return ok;
}

/* pprof */

static gboolean read_pprof(Job *job, GError **error)
{
	const PerfFoldOptions *filters = &job->options->fold;
	const PprofOptions options = {.event = filters->event, .no_inline = filters->no_inline};
	PprofSummary summary = {0};
	g_autoptr(Profile) draft = draft_of(job);
	if (filters->pid != 0 || filters->tid != 0 || filters->comm != NULL)
		return refuse(job, error, "a pprof profile does not tell processes and threads apart");
	if (!pprof_read(job->file.bytes, job->file.length, job->file.name, &options, draft, 0, &summary, error))
		return FALSE;
	gboolean ok = accept_draft(job, draft, summary.event, summary.unit, error);
	job->quality = (RunQuality){
	        .samples = summary.samples,
	        .weight_total = summary.weight,
	        .unknown_leaf = summary.unknown_leaves,
	};
	pprof_summary_clear(&summary);
	return ok;
}

/* --- folded text --- */

/* A text of which most lines are something else is something else. */
static gboolean check_lines(const Job *job, const FoldedSummary *summary, GError **error)
{
	return summary->bad_lines <= summary->stack_lines ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	               "%s: no folded stacks: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
	               " lines are not a stack with a count, the first is line %" G_GUINT64_FORMAT,
	               job->file.name, summary->bad_lines, summary->bad_lines + summary->stack_lines,
	               summary->first_bad_line);
}

/* Stacks that came from elsewhere with a unit of their own keep it. */
static gboolean set_folded_unit(Job *job, GError **error)
{
	Profile *profile = job->profile;
	if (*profile->unit != '\0')
		return profile->scale == 1 || g_str_equal(profile->unit, FOLDED_UNIT) ||
		       refuse(job, error, FRACTIONS_ALONE);
	g_free(profile->unit);
	profile->unit = g_strdup(FOLDED_UNIT);
	return TRUE;
}

static gboolean read_folded(ProfileReader *reader, Job *job, GError **error)
{
	const PerfFoldOptions *filters = &job->options->fold;
	const FoldedOptions options = {.columns = job->options->two_columns ? 2 : 1,
	        .strict = job->options->two_columns,
	        .no_inline = filters->no_inline,
	        .scale_small = TRUE,
	        .mapped = TRUE};
	FoldedSummary summary = {0};
	ProfileCell before = profile_run_total(job->profile, job->run);
	guint64 scale_before = job->profile->scale;
	if (filters->event != NULL || filters->pid != 0 || filters->tid != 0 || filters->comm != NULL)
		return refuse(job, error, "folded stacks do not tell events, processes and threads apart");
	if (!folded_read((const char *)job->file.bytes, job->file.length, job->file.name, &options, job->profile,
	            job->run, &summary, error))
		return FALSE;
	gboolean ok = check_lines(job, &summary, error);
	ProfileCell after = profile_run_total(job->profile, job->run);
	guint64 scale = job->profile->scale, factor = scale / scale_before;
	job->quality = (RunQuality){
	        .samples = (after.samples - before.samples * factor) / scale,
	        .weight_total = (after.weight - before.weight * factor) / scale,
	};
	ok = ok && set_folded_unit(job, error);
	if (ok && summary.bad_lines > 0)
		finding_add(reader->findings, FINDING_WARNING, "lines_not_read", NULL,
		        "%s: %" G_GUINT64_FORMAT " %s with a count, the first is line %" G_GUINT64_FORMAT,
		        job->file.name, summary.bad_lines,
		        summary.bad_lines == 1 ? "line is not a stack" : "lines are not stacks",
		        summary.first_bad_line);
	folded_summary_clear(&summary);
	return ok;
}

/* --- all --- */

static gboolean choose_format(const Job *job, ProfileFormat *format, GError **error)
{
	*format = job->options->format;
	if (job->file.length == 0)
		*format = PROFILE_FORMAT_AUTO; /* says that it is empty */
	if (*format == PROFILE_FORMAT_PPROF && profile_format_old_profile(job->file.bytes, job->file.length) != NULL)
		*format = PROFILE_FORMAT_AUTO; /* says how to convert it */
	return *format != PROFILE_FORMAT_AUTO ||
	       profile_format_detect(job->file.bytes, job->file.length, job->file.name, format, error);
}

static gboolean is_column_in_doubt(const Job *job, ProfileFormat format)
{
	return format == PROFILE_FORMAT_FOLDED && job->options->format == PROFILE_FORMAT_AUTO &&
	       !job->options->two_columns && profile_format_has_two_counts(job->file.bytes, job->file.length);
}

static gboolean is_for_script(const ProfileReadOptions *options)
{
	return options->root_pid || options->root_tid || options->skip_after != NULL;
}

static gboolean read_file(ProfileReader *reader, Job *job, GError **error)
{
	ProfileFormat format;
	if (!choose_format(job, &format, error))
		return FALSE;
	if (job->options->two_columns && format != PROFILE_FORMAT_FOLDED)
		return refuse(job, error, "only folded stacks can have two columns");
	if (is_column_in_doubt(job, format))
		return refuse(job, error,
		        "two counts on each line, as of two profiles: use `firebreak diff --two-columns`, or "
		        "--format=folded if the first number is part of a name");
	if (is_for_script(job->options) && format != PROFILE_FORMAT_PERF_SCRIPT)
		return refuse(job, error, "only stacks of perf script can have ids in their roots and be cut");
	gboolean has_addresses = format == PROFILE_FORMAT_PERF_SCRIPT ||
	                         (format == PROFILE_FORMAT_PERF_DATA && job->options->fold.as_recorded);
	if (job->options->addresses && !has_addresses)
		return refuse(job, error,
		        "only what perf script or firebreak fold, flamegraph or top shows can have addresses as names");
	if (job->options->fold.notes != 0 && format != PROFILE_FORMAT_PERF_DATA)
		return refuse(
		        job, error, "only recordings (perf.data) tell processes, threads, CPUs, addresses and lines");
	if (job->profile->scale != 1 && format != PROFILE_FORMAT_FOLDED)
		return refuse(job, error, FRACTIONS_ALONE);
	switch (format) {
	case PROFILE_FORMAT_PERF_DATA:
		return read_perf_data(reader, job, error);
	case PROFILE_FORMAT_PERF_SCRIPT:
		return job->options->stackcollapse_rules ? read_stackcollapse(job, error)
		                                         : read_perf_script(reader, job, error);
	case PROFILE_FORMAT_CALLGRIND:
		return read_callgrind(reader, job, error);
	case PROFILE_FORMAT_DHAT:
		return read_dhat(reader, job, error);
	case PROFILE_FORMAT_PPROF:
		return read_pprof(job, error);
	case PROFILE_FORMAT_FOLDED:
	case PROFILE_FORMAT_AUTO:
		break;
	}
	return read_folded(reader, job, error);
}

gboolean profile_reader_add_file(ProfileReader *reader, const InputFile *file, Profile *profile, guint run,
        const ProfileReadOptions *options, RunQuality *quality, GError **error)
{
	static const ProfileReadOptions no_options = {0};
	Job job = {.file = *file, .options = options != NULL ? options : &no_options, .profile = profile, .run = run};
	g_assert(profile->table == reader->table);
	g_assert(run + (job.options->two_columns ? 1 : 0) < profile_n_runs(profile));
	gboolean is_skipped = file->length == 0 && job.options->one_of_several;
	if (is_skipped && reader->empty == NULL)
		reader->empty = g_strdup(file->name);
	if (!is_skipped && !read_file(reader, &job, error))
		return FALSE;
	if (quality != NULL)
		*quality = job.quality;
	return TRUE;
}

gboolean profile_reader_add(ProfileReader *reader, const char *path, Profile *profile, guint run,
        const ProfileReadOptions *options, RunQuality *quality, GError **error)
{
	InputFile file;
	if (!input_file_open(&file, path, error))
		return FALSE;
	gboolean ok = profile_reader_add_file(reader, &file, profile, run, options, quality, error);
	input_file_close(&file);
	return ok;
}

gboolean profile_reader_finish(ProfileReader *reader, FindingList *findings, GError **error)
{
	if (reader->empty != NULL && !reader->has_callgrind)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: empty", reader->empty);
	if (reader->empty != NULL)
		note_empty(reader, reader->empty);
	if (reader->fold != NULL && !perf_fold_finish(reader->fold, findings, error))
		return FALSE;
	for (guint i = 0; findings != NULL && i < finding_count(reader->findings); i++) {
		const Finding *finding = finding_get(reader->findings, i);
		finding_add(findings, finding->severity, finding->code, finding->benchmark, "%s", finding->text);
	}
	return TRUE;
}
