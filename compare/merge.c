/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/merge.h"

#include "compare/exitcodes.h"
#include "compare/outcome.h"
#include "core/error.h"

#include <math.h>

typedef struct {
	const MergeOptions *options;
	GArray *inputs;     /* of MergeInput, by index of the shard */
	GHashTable *owners; /* from the name of a benchmark to the MergeInput that it was given to; borrowed */
	GHashTable *rows;   /* from the name of a benchmark to its ResultBenchmark; borrowed */
	CheckResult *result;
} Merging;

static const MergeInput *input_at(const Merging *merging, guint i)
{
	return &g_array_index(merging->inputs, MergeInput, i);
}

static const ShardPart *part_of(const MergeInput *input)
{
	return shard_set_single(input->result->shards);
}

static gint by_index(gconstpointer a, gconstpointer b)
{
	return (gint)part_of(a)->index - (gint)part_of(b)->index;
}

/* --- what would not be one check --- */

static gboolean is_of_commits(const CheckResult *result)
{
	return *result->base.sha != '\0' && *result->head.sha != '\0' && *result->config_source != '\0';
}

/* TRUE if the build tools and the machine that was measured on are known. */
static gboolean is_of_machine(const Environment *machine)
{
	gboolean toolchain = FALSE, kind = FALSE;
	for (guint i = 0; machine != NULL && i < machine->fields->len; i++) {
		const EnvironmentField *field = machine->fields->pdata[i];
		toolchain |= field->needed_by == METRIC_DETERMINISTIC && *field->value != '\0';
		kind |= field->needed_by == METRIC_REPLICABLE && *field->value != '\0';
	}
	return toolchain && kind;
}

/* TRUE if the input is a shard. An unknown environment would be equal to every other, so a shard that measured
 * something must have a known one. */
static gboolean is_shard(const MergeInput *input, GError **error)
{
	const ShardPart *part = part_of(input);
	if (part == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s: not the result of a shard; shards are made by `firebreak check --shard I/N`", input->what);
	if (part->index < 1 || part->index > input->result->shards->total)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: says that it is shard %u of %u", input->what,
		        part->index, input->result->shards->total);
	gboolean is_known = is_of_commits(input->result) && is_of_machine(part->machine);
	if (input->result->benchmarks->len > 0 && !is_known)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s: has results, but does not say of which commits, policy, toolchain and machine",
		        input->what);
	return TRUE;
}

/* Two texts of which neither is unknown. */
static gboolean differ(const char *a, const char *b)
{
	return *a != '\0' && *b != '\0' && !g_str_equal(a, b);
}

static gboolean refuse_unlike(
        const MergeInput *a, const MergeInput *b, const char *what, const char *of_a, const char *of_b, GError **error)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s and %s are not of one check: %s is %s in the one and %s in the other", a->what, b->what, what, of_a,
	        of_b);
}

static gboolean are_one_check(const MergeInput *a, const MergeInput *b, GError **error)
{
	const CheckResult *x = a->result, *y = b->result;
	if (differ(x->base.sha, y->base.sha))
		return refuse_unlike(a, b, "base", x->base.sha, y->base.sha, error);
	if (differ(x->head.sha, y->head.sha))
		return refuse_unlike(a, b, "head", x->head.sha, y->head.sha, error);
	if (x->mode != y->mode)
		return refuse_unlike(a, b, "what was done", check_mode_name(x->mode), check_mode_name(y->mode), error);
	if (differ(x->config_source, y->config_source))
		return refuse_unlike(a, b, "the source of the policy", x->config_source, y->config_source, error);
	if (x->shards->total != y->shards->total)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s is one of %u shards and %s one of %u: they are not of one check", a->what, x->shards->total,
		        b->what, y->shards->total);
	if (part_of(a)->index == part_of(b)->index)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s and %s are both shard %u of %u: keep one of them", a->what, b->what, part_of(a)->index,
		        x->shards->total);
	return TRUE;
}

/* All shards that know the benchmarks of the check know the same ones. */
static gboolean have_one_list(const Merging *merging, GError **error)
{
	const MergeInput *first = NULL;
	for (guint i = 0; i < merging->inputs->len; i++) {
		const MergeInput *input = input_at(merging, i);
		const GPtrArray *names = input->result->shards->benchmarks;
		gboolean same = first == NULL || names->len == first->result->shards->benchmarks->len;
		for (guint n = 0; first != NULL && same && n < names->len; n++)
			same = g_str_equal(names->pdata[n], first->result->shards->benchmarks->pdata[n]);
		if (names->len > 0 && !same)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s and %s are not of one check: they selected other benchmarks", first->what,
			        input->what);
		if (names->len > 0)
			first = input;
	}
	return TRUE;
}

static GHashTable *set_of(const GPtrArray *names)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < names->len; i++)
		g_hash_table_add(set, names->pdata[i]);
	return set;
}

/* Every benchmark was given to one shard only. */
static gboolean enter_owned(Merging *merging, const MergeInput *input, GError **error)
{
	const GPtrArray *own = part_of(input)->benchmarks;
	g_autoptr(GHashTable) all = set_of(input->result->shards->benchmarks);
	for (guint i = 0; i < own->len; i++) {
		const MergeInput *other = g_hash_table_lookup(merging->owners, own->pdata[i]);
		if (!g_hash_table_contains(all, own->pdata[i]))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s: measured %s, which is not in the list of all", input->what,
			        (const char *)own->pdata[i]);
		if (other != NULL)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s and %s both measured %s: they did not find the same stored times, so each split "
			        "the benchmarks in its own way; give all shards the same baselines and run them again",
			        other->what, input->what, (const char *)own->pdata[i]);
		g_hash_table_insert(merging->owners, own->pdata[i], (gpointer)input);
	}
	return TRUE;
}

/* Rows that are not the shard's own, or there twice, would stand for what others measured. */
static gboolean enter_rows(Merging *merging, const MergeInput *input, GError **error)
{
	for (guint i = 0; i < input->result->benchmarks->len; i++) {
		ResultBenchmark *row = input->result->benchmarks->pdata[i];
		if (g_hash_table_lookup(merging->owners, row->name) != input)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s: has a result of %s, which is not one of its benchmarks", input->what, row->name);
		if (!g_hash_table_insert(merging->rows, row->name, row))
			return firebreak_refuse(
			        error, FIREBREAK_ERROR_USAGE, "%s: has %s twice", input->what, row->name);
	}
	return TRUE;
}

/* The first field that differs and that this class or a stricter one needs equal; NULL if there is none. Borrowed. */
static const char *differing_field(const Environment *a, const Environment *b, MetricClass comparable)
{
	for (guint i = 0; i < a->fields->len; i++) {
		const EnvironmentField *field = a->fields->pdata[i];
		if (field->needed_by >= comparable && g_strcmp0(field->value, environment_get(b, field->name)) != 0)
			return field->name;
	}
	for (guint i = 0; i < b->fields->len; i++) {
		const EnvironmentField *field = b->fields->pdata[i];
		if (field->needed_by >= comparable && environment_get(a, field->name) == NULL)
			return field->name;
	}
	return NULL;
}

static const char *value_of(const Environment *environment, const char *field)
{
	const char *value = environment_get(environment, field);
	return value == NULL || *value == '\0' ? "not known" : value;
}

static gboolean have_like_machines(
        const MergeInput *a, const MergeInput *b, const MergeOptions *options, GError **error)
{
	const Environment *x = part_of(a)->machine, *y = part_of(b)->machine;
	if (x == NULL || y == NULL)
		return TRUE;
	const char *toolchain = differing_field(x, y, METRIC_DETERMINISTIC);
	const char *machine = options->mixed_machines ? NULL : differing_field(x, y, METRIC_REPLICABLE);
	if (toolchain != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "%s and %s were not built and judged alike: %s is %s in the one and %s in the other", a->what,
		        b->what, toolchain, value_of(x, toolchain), value_of(y, toolchain));
	if (machine != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "%s and %s were measured on unlike machines: %s is %s in the one and %s in the other; "
		        "if this is intended, give --mixed-machines",
		        a->what, b->what, machine, value_of(x, machine), value_of(y, machine));
	return TRUE;
}

static gboolean check_inputs(Merging *merging, GError **error)
{
	for (guint i = 0; i < merging->inputs->len; i++) {
		const MergeInput *input = input_at(merging, i);
		for (guint k = 0; k < i; k++) {
			const MergeInput *other = input_at(merging, k);
			if (!are_one_check(other, input, error) ||
			        !have_like_machines(other, input, merging->options, error))
				return FALSE;
		}
		if (!enter_owned(merging, input, error) || !enter_rows(merging, input, error))
			return FALSE;
	}
	return have_one_list(merging, error);
}

/* --- the sides, the environment, the parts --- */

static void take_side(ResultSide *side, const ResultSide *from)
{
	if (*side->sha == '\0' && *from->sha != '\0')
		result_side_set(side, from->sha, from->ref, from->chosen_by, from->subject);
	/* A shard that has counts of base in store does not build it, and knows no compilers. */
	if (side->compilers == NULL && from->compilers != NULL)
		side->compilers = g_ptr_array_ref(from->compilers);
}

/* Joins the environments: a value that all share stays, others stand beside each other. */
static void join_environment(CheckResult *result, const Environment *environment)
{
	if (environment == NULL)
		return;
	if (result->environment == NULL) {
		result->environment = environment_copy(environment);
		return;
	}
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		const char *known = environment_get(result->environment, field->name);
		g_auto(GStrv) values = known != NULL ? g_strsplit(known, " | ", -1) : g_new0(char *, 1);
		if (known != NULL && g_strv_contains((const char *const *)values, field->value))
			continue;
		if (known != NULL && *field->value == '\0' && *known == '\0')
			continue;
		g_autofree char *joined = known != NULL ? g_strconcat(known, " | ", field->value, NULL) : NULL;
		environment_set(
		        result->environment, field->name, field->needed_by, joined != NULL ? joined : field->value);
	}
}

static void copy_names(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(to, g_strdup(from->pdata[i]));
}

static void add_part(CheckResult *result, const MergeInput *input)
{
	const ShardPart *from = part_of(input);
	ShardPart *part = shard_set_add(result->shards, from->index);
	copy_names(part->benchmarks, from->benchmarks);
	part->machine = from->machine != NULL ? environment_copy(from->machine) : NULL;
	part->exit_code = input->result->exit_code;
	part->seed = input->result->seed;
	part->elapsed_s = input->result->elapsed_s;
	if (result->shards->benchmarks->len == 0)
		copy_names(result->shards->benchmarks, input->result->shards->benchmarks);
}

/* Machines work side by side, so the slowest one is what the check took. */
static void join_facts(Merging *merging)
{
	CheckResult *result = merging->result;
	const CheckResult *first = input_at(merging, 0)->result;
	result->shards = shard_set_new(first->shards->total);
	result->mode = first->mode;
	result->seed = first->seed;
	result->elapsed_s = 0;
	for (guint i = 0; i < merging->inputs->len; i++) {
		const CheckResult *from = input_at(merging, i)->result;
		take_side(&result->base, &from->base);
		take_side(&result->head, &from->head);
		if (*result->config_source == '\0') {
			g_free(result->config_source);
			result->config_source = g_strdup(from->config_source);
		}
		result->max_time_s = MAX(result->max_time_s, from->max_time_s);
		if (isfinite(from->elapsed_s))
			result->elapsed_s = MAX(result->elapsed_s, from->elapsed_s);
		join_environment(result, from->environment);
		add_part(result, input_at(merging, i));
	}
}

/* --- reasons and findings, each once --- */

static gboolean has_reason(const CheckResult *result, const ResultReason *wanted)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (reason->exit_code == wanted->exit_code && g_str_equal(reason->code, wanted->code) &&
		        g_strcmp0(reason->benchmark, wanted->benchmark) == 0 && g_str_equal(reason->text, wanted->text))
			return TRUE;
	}
	return FALSE;
}

/* The ending of a shard: by its exit code, or by its verdict where that says worse. */
static int ending_of(const MergeInput *input)
{
	const CheckResult *result = input->result;
	return result->exit_code != 0 ? result->exit_code : verdict_exit_code(result->verdict);
}

/* Takes the reasons of a shard, but none with exit code 0: that would stand before what became of the benchmarks. */
static void join_reasons(CheckResult *result, const MergeInput *input)
{
	const GPtrArray *reasons = input->result->reasons;
	int ending = ending_of(input);
	gboolean explained = ending == 0;
	for (guint i = 0; i < reasons->len; i++) {
		const ResultReason *reason = reasons->pdata[i];
		explained |= reason->exit_code == ending;
		if (reason->exit_code != 0 && !has_reason(result, reason))
			check_result_add_reason(
			        result, reason->exit_code, reason->code, reason->benchmark, "%s", reason->text);
	}
	if (!explained)
		check_result_add_reason(result, ending, "shard_failed", NULL,
		        "shard %u ended with exit code %d and gives no reason", part_of(input)->index, ending);
}

/* Takes all findings but the one by which a shard names itself. */
static void join_findings(CheckResult *result, const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		if (!g_str_equal(finding->code, "shard"))
			finding_add(result->findings, finding->severity, finding->code, finding->benchmark, "%s",
			        finding->text);
	}
}

static void note_mixed_machines(Merging *merging)
{
	const MergeInput *first = input_at(merging, 0);
	for (guint i = 1; i < merging->inputs->len; i++) {
		const Environment *a = part_of(first)->machine, *b = part_of(input_at(merging, i))->machine;
		const char *field = a != NULL && b != NULL ? differing_field(a, b, METRIC_REPLICABLE) : NULL;
		if (field == NULL)
			continue;
		finding_add(merging->result->findings, FINDING_WARNING, "mixed_machines", NULL,
		        "the shards were measured on unlike machines (%s is %s in shard %u and %s in shard %u); each "
		        "benchmark was measured on one of them, both sides",
		        field, value_of(a, field), part_of(first)->index, value_of(b, field),
		        part_of(input_at(merging, i))->index);
		return;
	}
}

/* --- what is accepted --- */

/* The same entry of the configuration, or trailer of the same commit; NULL if it is not there yet. */
static Acceptance *find_acceptance(const CheckResult *result, const Acceptance *wanted)
{
	g_autofree char *scope = acceptance_scope(wanted);
	for (guint i = 0; i < result->acceptances->len; i++) {
		Acceptance *acceptance = result->acceptances->pdata[i];
		g_autofree char *of_this = acceptance_scope(acceptance);
		if (acceptance->source == wanted->source && g_str_equal(acceptance->where, wanted->where) &&
		        g_strcmp0(acceptance->sha, wanted->sha) == 0 && g_str_equal(of_this, scope) &&
		        g_str_equal(acceptance->reason, wanted->reason))
			return acceptance;
	}
	return NULL;
}

/* Every shard reads all that head says, and uses what is for its benchmarks. */
static void join_acceptances(CheckResult *result, const GPtrArray *acceptances)
{
	for (guint i = 0; i < acceptances->len; i++) {
		const Acceptance *acceptance = acceptances->pdata[i];
		Acceptance *known = find_acceptance(result, acceptance);
		if (known == NULL)
			g_ptr_array_add(result->acceptances, acceptance_copy(acceptance));
		else if (acceptance->state == ACCEPTANCE_USED)
			known->state = ACCEPTANCE_USED;
	}
}

/* A shard that is missing might have used it. */
static void note_unused(const Merging *merging)
{
	CheckResult *result = merging->result;
	for (guint i = 0; merging->inputs->len == result->shards->total && i < result->acceptances->len; i++) {
		const Acceptance *acceptance = result->acceptances->pdata[i];
		if (acceptance->state == ACCEPTANCE_UNUSED)
			acceptance_note_unused(acceptance, result->findings);
	}
}

/* --- benchmarks --- */

static gboolean ended_in_error(const MergeInput *input)
{
	int exit_code = ending_of(input);
	return exit_code != 0 && exit_code != 1 && exit_code != 3;
}

/* The rows have left their results from now on. */
static void take_rows(const Merging *merging)
{
	for (guint i = 0; i < merging->inputs->len; i++) {
		GPtrArray *rows = input_at(merging, i)->result->benchmarks;
		while (rows->len > 0)
			g_ptr_array_steal_index(rows, rows->len - 1);
	}
}

/* A row without a comparison, of a shard that says of no error, is one itself: check_result_decide() sees to that. */
static void join_benchmarks(Merging *merging, GPtrArray *unowned)
{
	const GPtrArray *names = merging->result->shards->benchmarks;
	take_rows(merging);
	for (guint i = 0; i < names->len; i++) {
		const MergeInput *owner = g_hash_table_lookup(merging->owners, names->pdata[i]);
		ResultBenchmark *row = g_hash_table_lookup(merging->rows, names->pdata[i]);
		if (owner == NULL)
			g_ptr_array_add(unowned, names->pdata[i]);
		else if (row != NULL)
			g_ptr_array_add(merging->result->benchmarks, row);
		else if (!ended_in_error(owner))
			check_result_add_benchmark(merging->result, names->pdata[i]);
	}
}

/* Appends the numbers from `first` to `last`: "3", "3, 4", "3 to 9"; nothing if `last` is below `first`. */
static void append_numbers(GString *text, guint64 first, guint64 last)
{
	if (first > last)
		return;
	g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, text->len > 0 ? ", " : "", first);
	if (first < last)
		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, last - first > 1 ? " to " : ", ", last);
}

/* "shard 2", "shards 2, 5 to 9"; NULL if all are there. Inputs are by index, and none is there twice. Owned by the
 * caller. */
static char *missing_shards(const Merging *merging)
{
	g_autoptr(GString) numbers = g_string_new(NULL);
	guint64 next = 1, total = merging->result->shards->total, missing = total - merging->inputs->len;
	for (guint at = 0; at < merging->inputs->len; at++) {
		guint64 index = part_of(input_at(merging, at))->index;
		append_numbers(numbers, next, index - 1);
		next = index + 1;
	}
	append_numbers(numbers, next, total);
	return missing > 0 ? g_strdup_printf("shard%s %s", missing == 1 ? "" : "s", numbers->str) : NULL;
}

/* Reports benchmarks that no shard measured. Each is an error, unless a shard that is there tells of one that ended it
 * before it knew its benchmarks. */
static void report_missing(Merging *merging, GPtrArray *unowned)
{
	g_autofree char *shards = missing_shards(merging);
	gboolean explained = FALSE;
	for (guint i = 0; i < merging->inputs->len; i++)
		explained |=
		        part_of(input_at(merging, i))->benchmarks->len == 0 && ended_in_error(input_at(merging, i));
	g_ptr_array_add(unowned, NULL);
	g_autofree char *names = g_strjoinv(", ", (char **)unowned->pdata);
	if (shards != NULL)
		check_result_add_reason(merging->result, FIREBREAK_ERROR_INVALID, "shard_missing", NULL,
		        "%s of %u left no result%s%s", shards, merging->result->shards->total,
		        *names != '\0' ? ", so these were not measured: " : "", names);
	else if (*names != '\0' && !explained)
		check_result_add_reason(merging->result, FIREBREAK_ERROR_INVALID, "benchmark_missing", NULL,
		        "no shard measured %s: the shards did not find the same stored times, so each split the "
		        "benchmarks in its own way; give all of them the same baselines and run them again",
		        names);
}

/* All shards have the same diff, and each the functions of its own benchmarks. */
static void join_changed(CheckResult *result, const ChangedCode *changed)
{
	if (changed == NULL)
		return;
	if (result->changed == NULL)
		result->changed = changed_code_new();
	changed_code_join(result->changed, changed);
}

static void join(Merging *merging)
{
	g_autoptr(GPtrArray) unowned = g_ptr_array_new();
	join_facts(merging);
	for (guint i = 0; i < merging->inputs->len; i++) {
		join_reasons(merging->result, input_at(merging, i));
		join_findings(merging->result, input_at(merging, i)->result->findings);
		join_acceptances(merging->result, input_at(merging, i)->result->acceptances);
		join_changed(merging->result, input_at(merging, i)->result->changed);
	}
	note_unused(merging);
	note_mixed_machines(merging);
	join_benchmarks(merging, unowned);
	report_missing(merging, unowned);
	check_result_decide(merging->result);
}

CheckResult *merge_results(const GArray *inputs, const MergeOptions *options, GError **error)
{
	for (guint i = 0; i < inputs->len; i++)
		if (!is_shard(&g_array_index(inputs, MergeInput, i), error))
			return NULL;
	Merging merging = {
	        .options = options,
	        .inputs = g_array_copy((GArray *)inputs),
	        .owners = g_hash_table_new(g_str_hash, g_str_equal),
	        .rows = g_hash_table_new(g_str_hash, g_str_equal),
	};
	g_array_sort(merging.inputs, by_index);
	if (check_inputs(&merging, error)) {
		merging.result = check_result_new();
		join(&merging);
	}
	g_array_unref(merging.inputs);
	g_hash_table_unref(merging.owners);
	g_hash_table_unref(merging.rows);
	return merging.result;
}
