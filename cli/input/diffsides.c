/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input/diffsides.h"

#include "compare/counted/counted.h"
#include "compare/functions/attribution.h"
#include "compare/functions/costs.h"
#include "compare/functions/functions.h"
#include "compare/functions/inlinedparts.h"
#include "compare/policy.h"
#include "compare/timed/verdict.h"
#include "core/error.h"
#include "model/inputfile.h"
#include "profile/folded/difffolded.h"
#include "profile/read/profileformat.h"
#include "report/flame/flamediffdata.h"

#include <math.h>
#include <string.h>

#define PER_RUN "run"
#define PER_WORK "unit of work"
#define SCALED ", base scaled to the total of head"
#define TOO_FAR_APART "counts of these files are too far apart to be compared"
#define SEPARATOR "\n--\n" /* no file has this name: it would stand for a folder */

/* --- arguments --- */

char **diff_arguments_mark(char *const *arguments)
{
	char **marked = g_strdupv((char **)arguments);
	for (guint i = 0; marked[i] != NULL; i++)
		if (strcmp(marked[i], "--") == 0) {
			g_free(marked[i]);
			marked[i] = g_strdup(SEPARATOR);
			break;
		}
	return marked;
}

static char **copy_range(char *const *arguments, guint from, guint to)
{
	char **copy = g_new0(char *, to - from + 1);
	for (guint i = from; i < to; i++)
		copy[i - from] = g_strdup(arguments[i]);
	return copy;
}

gboolean diff_arguments_split(char *const *arguments, gboolean two_columns, char ***base, char ***head, GError **error)
{
	guint n = g_strv_length((char **)arguments), at = 0;
	while (at < n && strcmp(arguments[at], SEPARATOR) != 0)
		at++;
	gboolean separated = at < n;
	if (separated && two_columns)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "a file with two columns holds both sides; leave out the --");
	if (separated && (at == 0 || at + 1 == n))
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "name files of base, then --, then files of head");
	if (!separated && !two_columns && (n == 0 || n > 2))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        n == 0 ? "name a file of base and one of head" : "put -- before the files of head");
	if (!separated && n == 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "name a file, or - for standard input");
	if (!separated && !two_columns && n == 2)
		at = 1;
	*base = copy_range(arguments, 0, at);
	*head = at < n ? copy_range(arguments, separated ? at + 1 : at, n) : g_new0(char *, 1);
	return TRUE;
}

/* --- reading --- */

static FrameId copy_frame(StackTable *to, const StackTable *from, FrameId id, gboolean strip_hex)
{
	Frame frame = *stack_table_get_frame(from, id);
	const char *name = stack_table_text(from, frame.name);
	g_autofree char *stripped = strip_hex ? diff_folded_strip_hex(name) : NULL;
	frame.raw_name = stack_table_name(to, stack_table_text(from, frame.raw_name), -1);
	frame.module = stack_table_name(to, stack_table_text(from, frame.module), -1);
	frame.file = stack_table_name(to, stack_table_text(from, frame.file), -1);
	frame.name = stack_table_name(to, stripped != NULL ? stripped : name, -1);
	if (stripped != NULL && strcmp(stripped, name) != 0)
		frame.raw_name = frame.name;
	return stack_table_frame(to, &frame);
}

/* Adds a run of a profile of another table as a new one, in the scale of the finer one. Parents come before their
 * children, so one pass does. */
static gboolean copy_run(Profile *to, Profile *from, guint from_run, gboolean strip_hex, GError **error)
{
	guint n_frames = stack_table_n_frames(from->table), n_stacks = stack_table_n_stacks(from->table);
	g_autofree FrameId *frames = g_new0(FrameId, MAX(1, n_frames));
	g_autofree StackId *stacks = g_new0(StackId, n_stacks);
	if (!profile_match_scales(to, from))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, TOO_FAR_APART);
	guint run = profile_add_run(to);
	for (guint i = 0; i < n_frames; i++)
		frames[i] = copy_frame(to->table, from->table, (FrameId){i}, strip_hex);
	for (guint i = 1; i < n_stacks; i++) {
		StackId parent = stacks[stack_table_parent(from->table, (StackId){i}).index];
		ProfileCell cell = profile_cell(from, from_run, (StackId){i});
		stacks[i] =
		        stack_table_push(to->table, parent, frames[stack_table_leaf(from->table, (StackId){i}).index]);
		if (cell.samples > 0 || cell.weight > 0)
			profile_add(to, run, stacks[i], cell);
	}
	return TRUE;
}

/* callgrind and DHAT count, everything else samples. */
static gboolean is_counted(const DiffReading *reading, const InputFile *file)
{
	const char *given = reading->input->format;
	ProfileFormat format = PROFILE_FORMAT_AUTO;
	if (reading->counted || given != NULL)
		return reading->counted || strcmp(given, "callgrind") == 0 || strcmp(given, "dhat") == 0;
	return profile_format_detect(file->bytes, file->length, file->name, &format, NULL) &&
	       (format == PROFILE_FORMAT_CALLGRIND || format == PROFILE_FORMAT_DHAT);
}

static char *say_event(const Profile *profile)
{
	gboolean is_said = *profile->event == '\0' || strcmp(profile->event, profile->unit) == 0;
	return is_said ? g_strdup(profile->unit) : g_strdup_printf("%s in %s", profile->event, profile->unit);
}

/* Names the profile by its first file, or checks that this one counts the same. */
static gboolean check_event(Profile *profile, const Profile *one, const char *path, GError **error)
{
	if (profile_n_runs(profile) == 0) {
		g_free(profile->event);
		g_free(profile->unit);
		profile->event = g_strdup(one->event);
		profile->unit = g_strdup(one->unit);
	}
	if (strcmp(profile->event, one->event) == 0 && strcmp(profile->unit, one->unit) == 0)
		return TRUE;
	g_autofree char *others = say_event(profile), *this = say_event(one);
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s: counts %s, but the files before it %s; choose with --event or --weight", path, this, others);
}

static void take_findings(DiffSides *sides, const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		finding_add(sides->findings, finding->severity, finding->code, NULL, "%s", finding->text);
	}
}

/* A run of the side, or of two columns a run of base and one of head. */
static gboolean read_file(
        DiffSides *sides, const DiffReading *reading, Profile *side, const InputFile *file, GError **error)
{
	sides->counted = sides->counted && is_counted(reading, file);
	g_autoptr(ProfileInput) input = profile_input_read_file(reading->input, file, error);
	if (input == NULL)
		return FALSE;
	for (guint run = 0; run < profile_n_runs(input->profile); run++) {
		Profile *to = run == 0 ? side : sides->head->profile;
		if (!check_event(to, input->profile, file->name, error) ||
		        !copy_run(to, input->profile, run, reading->strip_hex, error))
			return FALSE;
	}
	take_findings(sides, input->findings);
	return TRUE;
}

/* Each file is opened once: what comes through a pipe comes only once. */
static gboolean read_side(
        DiffSides *sides, const DiffReading *reading, Profile *profile, char *const *files, GError **error)
{
	for (guint i = 0; files[i] != NULL; i++) {
		InputFile file;
		if (!input_file_open(&file, files[i], error))
			return FALSE;
		gboolean ok = read_file(sides, reading, profile, &file, error);
		input_file_close(&file);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

/* The profiles of a picture are what was read when it was drawn. */
static gboolean check_picture_options(const DiffReading *reading, const char *name, GError **error)
{
	const char *option = profile_input_option_of_reading(reading->input), *weight = reading->input->weight;
	gboolean shows_samples = reading->keeps_samples && g_strcmp0(weight, "samples") == 0;
	if (option == NULL && weight != NULL && !shows_samples && strcmp(weight, "period") != 0)
		option = "--weight";
	return option == NULL || firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	                                 "%s has no effect on %s, a picture that keeps its profiles as they were read; "
	                                 "give the option to the command that draws it",
	                                 option, name);
}

/* A picture of ours holds the runs of both sides, or their sum: one run each, of that much more work. */
static gboolean take_picture(DiffSides *sides, const DiffReading *reading, const FlameDiffData *data, GError **error)
{
	Profile *const to[] = {sides->base->profile, sides->head->profile}, *const from[] = {data->base, data->head};
	for (guint i = 0; i < G_N_ELEMENTS(to); i++) {
		g_free(to[i]->event);
		g_free(to[i]->unit);
		to[i]->event = g_strdup(from[i]->event);
		to[i]->unit = g_strdup(from[i]->unit);
		for (guint run = 0; run < profile_n_runs(from[i]); run++)
			if (!copy_run(to[i], from[i], run, reading->strip_hex, error))
				return FALSE;
	}
	sides->base->work = flame_diff_data_work(data, FALSE);
	sides->head->work = flame_diff_data_work(data, TRUE);
	sides->counted = reading->counted || data->counted;
	sides->normalized = data->normalized;
	gboolean is_run = data->head_work == 1 && (data->normalized || data->base_work == 1);
	sides->per = is_run ? PER_RUN : PER_WORK;
	return TRUE;
}

static gboolean read_picture(DiffSides *sides, const DiffReading *reading, const char *path, GError **error)
{
	InputFile file;
	FlameDiffData data;
	if (!input_file_open(&file, path, error))
		return FALSE;
	gboolean ok = flame_diff_data_read((const char *)file.bytes, file.length, file.name, &data, error) &&
	              check_picture_options(reading, file.name, error) && take_picture(sides, reading, &data, error);
	input_file_close(&file);
	flame_diff_data_clear(&data);
	return ok;
}

static double mean_total(const Profile *profile)
{
	double sum = 0;
	for (guint run = 0; run < profile_n_runs(profile); run++)
		sum += (double)profile_run_total(profile, run).weight;
	return sum / MAX(profile_n_runs(profile), 1);
}

/* Refuses two sides without samples. If one side has none, a finding says that everything is new, or gone. */
static gboolean check_not_empty(const DiffSides *sides, GError **error)
{
	gboolean base = mean_total(sides->base->profile) > 0, head = mean_total(sides->head->profile) > 0;
	if (!base && !head)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "neither base nor head has a sample in it");
	if (base != head)
		finding_add(sides->findings, FINDING_WARNING, "side_empty", NULL, "%s has no samples: everything is %s",
		        base ? "head" : "base", base ? "gone" : "new");
	return TRUE;
}

static gboolean check_sides(const DiffSides *sides, GError **error)
{
	Profile *base = sides->base->profile, *head = sides->head->profile;
	if (strcmp(base->event, head->event) == 0 && strcmp(base->unit, head->unit) == 0)
		return profile_match_scales(base, head) ? check_not_empty(sides, error)
		                                        : firebreak_refuse(error, FIREBREAK_ERROR_USAGE, TOO_FAR_APART);
	g_autofree char *of_base = say_event(base), *of_head = say_event(head);
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
	        "base counts %s, head %s: not comparable; record both alike, or choose with --event or --weight",
	        of_base, of_head);
}

/* Units of work of a run and totals that are equal whatever the work is do not go together. */
static gboolean check_work(const DiffSides *sides, const DiffReading *reading, GError **error)
{
	return !sides->normalized || !(reading->base_work > 0 || reading->head_work > 0) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	               "%s was drawn with --normalize, which makes the totals equal whatever the work is; leave out "
	               "--base-work and --head-work",
	               sides->base_files[0]);
}

/* Sets the divisors of costs: work, and parts of a unit. */
static void set_work(DiffSides *sides, const DiffReading *reading)
{
	sides->base->work *= (double)sides->base->profile->scale;
	sides->head->work *= (double)sides->head->profile->scale;
	if (reading->base_work > 0 || reading->head_work > 0) {
		sides->base->work *= reading->base_work > 0 ? reading->base_work : 1;
		sides->head->work *= reading->head_work > 0 ? reading->head_work : 1;
		sides->per = PER_WORK;
	}
	double base = mean_total(sides->base->profile), head = mean_total(sides->head->profile);
	sides->normalized = (sides->normalized || reading->normalize) && base > 0 && head > 0;
	if (!sides->normalized)
		return;
	sides->base->work = sides->head->work * base / head;
	sides->per = strcmp(sides->per, PER_RUN) == 0 ? PER_RUN SCALED : PER_WORK SCALED;
}

static Measurement *new_side(StackTable *table)
{
	Measurement *side = measurement_new("diff", "", "");
	side->profile = profile_new(table, "", "counts");
	return side;
}

static void add_runs(Measurement *side)
{
	for (guint i = 0; i < profile_n_runs(side->profile); i++) {
		RunFacts facts = {.round = i + 1, .steal_share = NAN, .running_share = NAN, .overlap_share = NAN};
		facts.samples = profile_run_total(side->profile, i).samples;
		facts.attempts = 1;
		g_array_append_val(side->runs, facts);
	}
}

static gboolean read_files(
        DiffSides *sides, const DiffReading *reading, char *const *base, char *const *head, GError **error)
{
	if (head[0] == NULL && !reading->input->two_columns)
		return read_picture(sides, reading, base[0], error);
	return read_side(sides, reading, sides->base->profile, base, error) &&
	       read_side(sides, reading, sides->head->profile, head, error);
}

DiffSides *diff_sides_read(const DiffReading *reading, char *const *base, char *const *head, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(DiffSides) sides = g_new0(DiffSides, 1);
	sides->base = new_side(table);
	sides->head = new_side(table);
	sides->findings = finding_list_new();
	sides->base_files = g_strdupv((char **)base);
	sides->head_files = g_strdupv((char **)(head[0] != NULL ? head : base));
	sides->counted = TRUE;
	sides->per = PER_RUN;
	if (!read_files(sides, reading, base, head, error) || !check_sides(sides, error) ||
	        !check_work(sides, reading, error))
		return NULL;
	if (!(mean_total(sides->base->profile) + mean_total(sides->head->profile) > 0)) {
		firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s: nothing was counted on either side", base[0]);
		return NULL;
	}
	set_work(sides, reading);
	add_runs(sides->base);
	add_runs(sides->head);
	return g_steal_pointer(&sides);
}

void diff_sides_free(DiffSides *sides)
{
	if (sides == NULL)
		return;
	measurement_free(sides->base);
	measurement_free(sides->head);
	finding_list_free(sides->findings);
	g_strfreev(sides->base_files);
	g_strfreev(sides->head_files);
	g_free(sides);
}

/* --- comparing --- */

static FunctionComparison *untested_function(const FunctionRow *row, const CostTable *costs)
{
	FunctionComparison *function = g_new(FunctionComparison, 1);
	double base = mean_over_rounds(row->base_cost, costs->base.rounds);
	double head = mean_over_rounds(row->head_cost, costs->head.rounds);
	*function = (FunctionComparison){
	        .frame = row->head,
	        .renamed_from = row->base,
	        .base_cost = base,
	        .head_cost = head,
	        .contribution = costs->base_total > 0 ? (head - base) / costs->base_total : NAN,
	        .contribution_lower = NAN,
	        .contribution_upper = NAN,
	        .simultaneous_lower = NAN,
	        .simultaneous_upper = NAN,
	        .change_ratio = base > 0 ? head / base : NAN,
	        .base_samples = row->base_samples,
	        .head_samples = row->head_samples,
	        .share_of_change = NAN,
	        .share_lower = NAN,
	        .share_upper = NAN,
	        .p_value = NAN,
	        .p_value_improvement = NAN,
	        .p_adjusted = NAN,
	        .p_adjusted_improvement = NAN,
	        .mde_ratio = NAN,
	        .repeats = TRUE,
	};
	return function;
}

/* Nothing is known of how they scatter. */
static void add_parts(BenchmarkComparison *comparison, const CostTable *costs, const GArray *rows)
{
	g_autofree ChangeRelation *relations = g_new0(ChangeRelation, MAX(costs->n_frames, 1)); /* unknown */
	const InlinedChoice choice = {.table = costs->base.profile->table, .relations = relations};
	g_autoptr(GPtrArray) all = inlined_costs_new(costs, rows);
	for (guint i = 0; i < all->len && costs->base_total > 0; i++) {
		const InlinedCosts *inlined = all->pdata[i];
		InlinedPart *part = g_new0(InlinedPart, 1);
		part->frame = inlined->frame;
		part->base_cost = mean_over_rounds(inlined->base_cost, costs->base.rounds);
		part->head_cost = mean_over_rounds(inlined->head_cost, costs->head.rounds);
		part->contribution = (part->head_cost - part->base_cost) / costs->base_total;
		part->contribution_lower = part->contribution_upper = NAN;
		part->base_samples = inlined->base_samples;
		part->head_samples = inlined->head_samples;
		inlined_part_add(comparison->functions->pdata[inlined->row], part);
	}
	inlined_parts_choose(&choice, comparison->functions);
}

static BenchmarkComparison *list_functions(const DiffSides *sides)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(sides->head->benchmark);
	g_autoptr(CostTable) costs = cost_table_new_counted(sides->base, sides->head);
	g_autoptr(GArray) rows = function_rows_new(costs, NULL);
	for (guint i = 0; i < rows->len; i++)
		g_ptr_array_add(comparison->functions, untested_function(&g_array_index(rows, FunctionRow, i), costs));
	add_parts(comparison, costs, rows);
	comparison->table = stack_table_ref(sides->base->profile->table);
	attribution_sort(comparison->table, comparison->functions);
	return comparison;
}

static BenchmarkComparison *compare_counts(const DiffSides *sides)
{
	CountedInput input = {.base = sides->base, .head = sides->head};
	return compare_counted_shown(&input);
}

static BenchmarkComparison *test_functions(const DiffSides *sides)
{
	CompareInput input = {.base = sides->base, .head = sides->head, .functions = default_function_policy(TRUE, 1)};
	input.functions.gates = FALSE;
	return compare_shown_profiles(&input);
}

static void drop_runs(Measurement *side, guint n)
{
	g_array_set_size(side->runs, n);
	g_ptr_array_set_size(side->profile->runs, (gint)n);
}

/* Runs without a partner are no rounds. */
static void pair_runs(DiffSides *sides)
{
	guint base = measurement_n_runs(sides->base), head = measurement_n_runs(sides->head), n = MIN(base, head);
	if (base == head)
		return;
	finding_add(sides->findings, FINDING_WARNING, "runs_left_out", NULL,
	        "base has %u files and head %u: the last %u of %s are left out, since each run is compared with one of "
	        "the "
	        "other side",
	        base, head, MAX(base, head) - n, base > head ? "base" : "head");
	drop_runs(sides->base, n);
	drop_runs(sides->head, n);
}

BenchmarkComparison *diff_sides_compare(DiffSides *sides, char **remark)
{
	guint n = MIN(measurement_n_runs(sides->base), measurement_n_runs(sides->head));
	*remark = NULL;
	if (!sides->counted && n < DIFF_TESTED_RUNS) {
		*remark = g_strdup_printf("base has %u and head %u runs, and %d of each are needed",
		        measurement_n_runs(sides->base), measurement_n_runs(sides->head), DIFF_TESTED_RUNS);
		return list_functions(sides);
	}
	if (!sides->counted)
		pair_runs(sides);
	BenchmarkComparison *comparison = sides->counted ? compare_counts(sides) : test_functions(sides);
	if (comparison->table != NULL)
		return comparison;
	*remark = g_strdup(comparison->reason);
	sides->counted = FALSE;
	benchmark_comparison_free(comparison);
	return list_functions(sides);
}
