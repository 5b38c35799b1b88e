/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/stored/comparestored.h"

#include "compare/counted/counted.h"
#include "compare/counted/countedbase.h"
#include "compare/endings.h"
#include "compare/leftout.h"
#include "compare/outcome.h"
#include "compare/timed/confirmation.h"
#include "compare/timed/storedmetrics.h"
#include "core/error.h"
#include "gate/request/policyset.h"
#include "gate/stored/storedside.h"
#include "model/engine.h"
#include "runner/config/commitconfig.h"
#include "runner/frameworks/frameworkcases.h"

typedef struct {
	const StoredRequest *request;
	CheckResult *result;
	Repo *repo; /* NULL outside of a repository */
	StackTable *table;
	StoredSide *base, *head;
	Config *policy; /* base's; NULL = the defaults */
} Comparing;

static void clear_comparing(Comparing *comparing)
{
	g_clear_pointer(&comparing->base, stored_side_free);
	g_clear_pointer(&comparing->head, stored_side_free);
	g_clear_pointer(&comparing->policy, config_free);
	g_clear_pointer(&comparing->repo, repo_free);
	g_clear_pointer(&comparing->table, stack_table_unref);
}

/* --- sides and policy --- */

static void name_side(const Comparing *comparing, const StoredSide *side, ResultSide *named)
{
	g_autofree char *subject = NULL;
	if (comparing->repo != NULL && repo_has_commit(comparing->repo, side->sha))
		repo_commit_subject(comparing->repo, side->sha, &subject, NULL);
	result_side_set(named, side->sha, side->name, side->is_file ? "file" : "revision", subject);
}

static gboolean open_sides(Comparing *comparing, GError **error)
{
	const StoredRequest *request = comparing->request;
	comparing->base = stored_side_open(comparing->repo, request->base, comparing->table, error);
	if (comparing->base == NULL)
		return FALSE;
	name_side(comparing, comparing->base, &comparing->result->base);
	comparing->head = stored_side_open(comparing->repo, request->head, comparing->table, error);
	if (comparing->head == NULL)
		return FALSE;
	name_side(comparing, comparing->head, &comparing->result->head);
	return TRUE;
}

/* *config stays NULL if the clone does not have the commit, or that has no configuration. */
static gboolean load_config(const Comparing *comparing, const StoredSide *side, Config **config, GError **error)
{
	if (comparing->repo == NULL || !repo_has_commit(comparing->repo, side->sha))
		return TRUE;
	return commit_config_read(comparing->repo, side->sha, config, error);
}

/* Judges the policy of head: what it weakens was measured in another way, too. A head whose configuration cannot be
 * read weakens nothing here: nothing of it is used. */
static void judge_policy(Comparing *comparing)
{
	g_autoptr(Config) head = NULL;
	if (!load_config(comparing, comparing->head, &head, NULL))
		return;
	if (head == NULL) {
		if (repo_has_commit(comparing->repo, comparing->head->sha))
			ending_removed_rules(
			        comparing->result, "head removes " CONFIG_FILE ": nothing would be gated any more");
		return;
	}
	g_autoptr(GPtrArray) weakened = policy_weakened(comparing->policy, head, (PolicyMachine){FALSE, FALSE});
	for (guint i = 0; i < weakened->len; i++) {
		const char *rule = weakened->pdata[i];
		g_autofree char *refusal = g_strdup_printf(
		        "head weakens the gate: %s; if this is intended, give --allow-policy-change", rule);
		ending_weakened_rules(comparing->result, rule, comparing->request->allow_policy_change, refusal);
	}
}

static gboolean read_policy(Comparing *comparing, GError **error)
{
	if (!load_config(comparing, comparing->base, &comparing->policy, error))
		return FALSE;
	g_free(comparing->result->config_source);
	comparing->result->config_source = g_strdup(comparing->policy != NULL ? "base" : "");
	if (comparing->policy != NULL)
		judge_policy(comparing);
	else
		finding_add(comparing->result->findings, FINDING_INFO, "default_policy", NULL,
		        "judged by the default margins: " CONFIG_FILE " of base (%.12s) is not in this clone",
		        comparing->base->sha);
	return TRUE;
}

static const ConfigBenchmark *configured(const Comparing *comparing, const char *name)
{
	return comparing->policy != NULL ? config_benchmark(comparing->policy, name) : NULL;
}

/* --- one benchmark --- */

typedef struct {
	Comparing *comparing;
	const char *name;
} Work;

static void add_unlike(const Work *work, const char *why)
{
	ending_not_comparable(work->comparing->result, work->name, why);
}

/* Finds the first pieces of that kind with equal fingerprints. */
static gboolean find_pair(const Work *work, gboolean counted, StoredPiece *pair[2])
{
	const StoredSide *base = work->comparing->base;
	for (guint i = 0; i < base->pieces->len; i++) {
		StoredPiece *piece = base->pieces->pdata[i];
		if (piece->problem != NULL || !piece->counted != !counted || !g_str_equal(piece->benchmark, work->name))
			continue;
		StoredPiece *other = stored_side_find(work->comparing->head, work->name, counted, piece->fingerprint);
		if (other != NULL) {
			pair[0] = piece;
			pair[1] = other;
			return TRUE;
		}
	}
	return FALSE;
}

static gboolean read_pair(const Work *work, StoredPiece *const pair[2], Measurement *sides[2])
{
	const StoredSide *const stored[] = {work->comparing->base, work->comparing->head};
	for (int s = 0; s < 2; s++) {
		g_autoptr(GError) error = NULL;
		sides[s] = stored_side_read(stored[s], pair[s], work->comparing->table, &error);
		if (sides[s] == NULL) {
			ending_unread_baseline(work->comparing->result, work->name, error);
			return FALSE;
		}
	}
	return TRUE;
}

/* The pieces belong to the result from now on. */
static Measurement *take(StoredPiece *piece)
{
	return g_steal_pointer(&piece->measurement);
}

static BenchmarkComparison *judge(const Work *work, const Measurement *base, const Measurement *head)
{
	const ConfigBenchmark *config = configured(work->comparing, work->name);
	gboolean counts = config != NULL && config_uses_engine(config, &engine_callgrind);
	g_autoptr(GPtrArray) policies = counts ? policy_counted_metrics(config) : policy_counted_defaults(base);
	CountedInput input = {
	        .base = base,
	        .head = head,
	        .policies = policies,
	        .gate_functions = config == NULL || config->gate_functions,
	        .strict_functions = config != NULL && config->strict_functions,
	        .stored_base = TRUE,
	};
	BenchmarkComparison *comparison = compare_counted(&input);
	confirmation_skip(comparison, g_strdup("`compare` runs nothing"));
	return comparison;
}

static ResultBenchmark *add_row(const Work *work, const Engine *engine)
{
	ResultBenchmark *row = check_result_add_benchmark(work->comparing->result, work->name);
	row->engine = engine;
	row->campaign.layouts = 1;
	return row;
}

/* Shows what was timed beside the counts. */
static void show_timed(const Work *work, ResultBenchmark *row)
{
	StoredPiece *pair[2];
	Measurement *sides[2];
	if (!find_pair(work, FALSE, pair) || !read_pair(work, pair, sides))
		return;
	stored_metrics_append(row->comparison->metrics, sides[0], sides[1]);
	if (sides[0]->profile == NULL || sides[1]->profile == NULL)
		return;
	ResultProfile profile = {.event = sides[1]->profile->event,
	        .engine = &engine_perf,
	        .base = take(pair[0]),
	        .head = take(pair[1])};
	result_benchmark_add_profile(row, &profile);
}

static void judge_counts(const Work *work, StoredPiece *const pair[2])
{
	Measurement *sides[2];
	if (!read_pair(work, pair, sides))
		return;
	g_autofree char *foreign = counted_base_foreign(sides[0]->environment, sides[1]->environment);
	if (foreign != NULL) {
		g_autofree char *why =
		        g_strdup_printf("base and head were counted with %s: measure both again", foreign);
		add_unlike(work, why);
		return;
	}
	g_autofree char *cases = framework_cases_unlike(sides[0]->cases, sides[1]->cases);
	if (cases != NULL) {
		add_unlike(work, cases);
		return;
	}
	ResultBenchmark *row = add_row(work, &engine_callgrind);
	row->base_source = BASE_STORED;
	row->comparison = judge(work, sides[0], sides[1]);
	row->base = take(pair[0]);
	row->head = take(pair[1]);
	row->campaign.rounds = measurement_n_runs(row->head);
	show_timed(work, row);
}

static void show_only_timed(const Work *work, StoredPiece *const pair[2])
{
	Measurement *sides[2];
	if (!read_pair(work, pair, sides))
		return;
	ResultBenchmark *row = add_row(work, &engine_perf);
	row->comparison = stored_metrics_compare(sides[0], sides[1]);
	row->base = take(pair[0]);
	row->head = take(pair[1]);
	row->campaign.rounds = measurement_n_runs(row->head);
}

/* "cpu_model, kernel_release": the fields that make the fingerprints differ. Owned by the caller. */
static char *differing_fields(const Environment *base, const Environment *head)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < base->fields->len; i++) {
		const EnvironmentField *field = base->fields->pdata[i];
		if (field->needed_by != METRIC_SAME_CAMPAIGN &&
		        g_strcmp0(field->value, environment_get(head, field->name)) != 0)
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", field->name);
	}
	return g_string_free(names, FALSE);
}

/* Both sides have the benchmark, but of different kinds. */
static void report_unlike(const Work *work, StoredPiece *const pair[2])
{
	Measurement *sides[2];
	if (!read_pair(work, pair, sides))
		return;
	g_autofree char *fields = differing_fields(sides[0]->environment, sides[1]->environment);
	g_autofree char *why = g_strdup_printf(
	        "base and head were measured in unlike environments (%s): measure both on one machine, or use `check`",
	        *fields != '\0' ? fields : "one has fields that the other lacks");
	add_unlike(work, why);
}

static const StoredPiece *damaged(const StoredSide *side, const char *name)
{
	for (guint i = 0; i < side->pieces->len; i++) {
		const StoredPiece *piece = side->pieces->pdata[i];
		if (piece->problem != NULL && g_str_equal(piece->benchmark, name))
			return piece;
	}
	return NULL;
}

/* The caller owns the result. */
static char *missing_text(const Work *work, const StoredSide *side, const char *which)
{
	const StoredPiece *piece = damaged(side, work->name);
	if (piece != NULL)
		return g_strdup_printf("what is stored of %s is damaged: %s", which, piece->problem);
	if (side->is_file)
		return g_strdup_printf("%s, which is %s, does not hold it; `firebreak baseline export` writes all that "
		                       "is stored of a commit",
		        side->name, which);
	return g_strdup_printf(
	        "nothing is stored of it at %s (%.12s); `firebreak run %s` measures it", which, side->sha, side->name);
}

static void report_missing(const Work *work, const StoredSide *side, const char *which)
{
	g_autofree char *why = missing_text(work, side, which);
	ending_no_baseline(work->comparing->result, work->name, why);
}

/* Nothing of either side belongs together; says what is nearest to it. Of counts first, as those could be judged. */
static void report_unpaired(const Work *work)
{
	const StoredSide *base = work->comparing->base, *head = work->comparing->head;
	StoredPiece *counted[2], *timed[2];
	counted[0] = stored_side_find(base, work->name, TRUE, NULL);
	counted[1] = stored_side_find(head, work->name, TRUE, NULL);
	timed[0] = stored_side_find(base, work->name, FALSE, NULL);
	timed[1] = stored_side_find(head, work->name, FALSE, NULL);
	if (counted[0] != NULL && counted[1] != NULL)
		report_unlike(work, counted);
	else if (timed[0] != NULL && timed[1] != NULL)
		report_unlike(work, timed);
	else if (counted[0] == NULL && timed[0] == NULL)
		report_missing(work, base, "base");
	else if (counted[1] == NULL && timed[1] == NULL)
		report_missing(work, head, "head");
	else
		add_unlike(work, "one side was timed, and the other one was counted: measure both alike");
}

/* TRUE if counts decide. Then time that could be shown alone is not enough. */
static gboolean is_counted(const Work *work)
{
	const ConfigBenchmark *config = configured(work->comparing, work->name);
	return config != NULL ? config_uses_engine(config, &engine_callgrind)
	                      : stored_side_find(work->comparing->base, work->name, TRUE, NULL) != NULL;
}

static void compare_one(Comparing *comparing, const char *name)
{
	Work work = {comparing, name};
	StoredPiece *pair[2];
	if (find_pair(&work, TRUE, pair))
		judge_counts(&work, pair);
	else if (!is_counted(&work) && find_pair(&work, FALSE, pair))
		show_only_timed(&work, pair);
	else
		report_unpaired(&work);
}

/* --- all of them --- */

static void add_name(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, g_strdup(name));
}

/* Names the benchmarks of the policy in its order, then all others that are stored of base: nothing that base has may
 * be lost in head. Owned by the caller. */
static GPtrArray *all_benchmarks(const Comparing *comparing)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; comparing->policy != NULL && i < comparing->policy->benchmarks->len; i++)
		add_name(names, ((const ConfigBenchmark *)comparing->policy->benchmarks->pdata[i])->name);
	for (guint i = 0; i < comparing->base->pieces->len; i++)
		add_name(names, ((const StoredPiece *)comparing->base->pieces->pdata[i])->benchmark);
	return names;
}

static void report_new(const Comparing *comparing, const GPtrArray *names)
{
	for (guint i = 0; i < comparing->head->pieces->len; i++) {
		const StoredPiece *piece = comparing->head->pieces->pdata[i];
		if (!g_ptr_array_find_with_equal_func((GPtrArray *)names, piece->benchmark, g_str_equal, NULL))
			finding_add(comparing->result->findings, FINDING_INFO, "new_benchmark", piece->benchmark,
			        "is new in head; it is compared once base has it too");
	}
}

static gboolean is_wanted(const StoredRequest *request, const char *name)
{
	return request->benchmarks == NULL || g_strv_contains((const char *const *)request->benchmarks, name);
}

static gboolean check_wanted(const StoredRequest *request, const GPtrArray *names, GError **error)
{
	for (guint i = 0; request->benchmarks != NULL && request->benchmarks[i] != NULL; i++)
		if (!g_ptr_array_find_with_equal_func((GPtrArray *)names, request->benchmarks[i], g_str_equal, NULL))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "base has no benchmark named \"%s\"",
			        request->benchmarks[i]);
	return TRUE;
}

/* Takes the environment of head from the first benchmark that was compared. */
static void take_environment(CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len && result->environment == NULL; i++) {
		const ResultBenchmark *row = result->benchmarks->pdata[i];
		if (row->head != NULL)
			result->environment = environment_copy(row->head->environment);
	}
}

static gboolean compare_all(Comparing *comparing, GError **error)
{
	if (!open_sides(comparing, error) || !read_policy(comparing, error))
		return FALSE;
	g_autoptr(GPtrArray) names = all_benchmarks(comparing);
	if (!check_wanted(comparing->request, names, error))
		return FALSE;
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	for (guint i = 0; i < names->len; i++) {
		if (is_wanted(comparing->request, names->pdata[i]))
			compare_one(comparing, names->pdata[i]);
		else
			g_ptr_array_add(others, names->pdata[i]);
	}
	left_out_add(comparing->result->findings, others);
	report_new(comparing, names);
	take_environment(comparing->result);
	return TRUE;
}

CheckResult *compare_stored(const StoredRequest *request)
{
	Comparing comparing = {.request = request, .result = check_result_new(), .table = stack_table_new()};
	g_autoptr(GError) error = NULL;
	comparing.repo = repo_open(request->repo_path, NULL);
	if (!compare_all(&comparing, &error))
		ending_add_failure(comparing.result, NULL, error, FALSE, error->message);
	check_result_decide(comparing.result);
	CheckResult *result = comparing.result;
	clear_comparing(&comparing);
	return result;
}
