/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/selftest.h"

#include "compare/reasons.h"
#include "model/engine.h"

/* A comparison that decides, and the table that names its functions; NULL if nothing was sampled. */
typedef struct {
	const BenchmarkComparison *comparison;
	const StackTable *names;
} Judged;

static const StackTable *function_names(const Measurement *base, const Measurement *head)
{
	const Measurement *side = head != NULL ? head : base;
	return side != NULL && side->profile != NULL ? side->profile->table : NULL;
}

/* The comparison of the benchmark, and those of profiles of another engine. */
static GArray *judged_comparisons(const ResultBenchmark *benchmark)
{
	GArray *judged = g_array_new(FALSE, FALSE, sizeof(Judged));
	Judged own = {benchmark->comparison, function_names(benchmark->base, benchmark->head)};
	g_array_append_val(judged, own);
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = benchmark->profiles->pdata[i];
		Judged other = {profile->comparison, function_names(profile->base, profile->head)};
		if (profile->decides && profile->comparison != NULL)
			g_array_append_val(judged, other);
	}
	return judged;
}

/* TRUE for what a reader is shown as guilty: it gates, or it rose. */
static gboolean is_accused(const FunctionComparison *function)
{
	return function->gates || function->klass == FUNCTION_REGRESSION ||
	       (function->klass == FUNCTION_NEW && function->contribution > 0);
}

/* The findings on the planted function in all that was judged. */
typedef struct {
	gboolean sampled; /* functions have names at all */
	gboolean accused, gates;
	const char *first; /* the first function that is accused instead, or NULL */
} PlantedFate;

static void look_for_planted(const Judged *judged, PlantedFate *fate)
{
	const GPtrArray *functions = judged->comparison->functions;
	fate->sampled = fate->sampled || judged->names != NULL;
	for (guint i = 0; judged->names != NULL && i < functions->len; i++) {
		const FunctionComparison *function = functions->pdata[i];
		const char *name = stack_table_frame_name(judged->names, function->frame);
		if (!is_accused(function))
			continue;
		if (g_str_equal(name, CHECK_PLANTED_FUNCTION)) {
			fate->accused = TRUE;
			fate->gates |= function->gates;
		} else if (fate->first == NULL) {
			fate->first = name;
		}
	}
}

static PlantedFate fate_of_planted(const ResultBenchmark *benchmark)
{
	PlantedFate fate = {0};
	g_autoptr(GArray) judged = judged_comparisons(benchmark);
	for (guint i = 0; i < judged->len; i++)
		look_for_planted(&g_array_index(judged, Judged, i), &fate);
	return fate;
}

/* The planted delay is time, or instructions where those are counted exactly; nothing else may speak for it. */
static gboolean is_delay(const MetricComparison *metric)
{
	static const char *const names[] = {"cycles", "task-clock", "wall", NULL};
	return g_strv_contains(names, metric->name) ||
	       (engine_counts(metric->engine) && g_str_equal(metric->name, "instructions"));
}

/* A metric of the delay that gates has regressed. */
static gboolean delay_regressed(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->verdict == VERDICT_REGRESSION && is_delay(metric))
			return TRUE;
	}
	return FALSE;
}

static void add_missed(CheckResult *result, const ResultBenchmark *benchmark, const char *seen)
{
	if (!check_result_has_reason(result, 3, SELF_TEST_MISSED, benchmark->name))
		check_result_add_reason(result, 3, SELF_TEST_MISSED, benchmark->name,
		        "%s: the planted delay was missed: %s", benchmark->name, seen);
}

void self_test_judge(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	PlantedFate fate = fate_of_planted(benchmark);
	g_autofree char *seen = NULL;
	if (comparison->verdict != VERDICT_REGRESSION)
		seen = g_strdup_printf("the verdict is %s (%s)", verdict_name(comparison->verdict),
		        *comparison->sentence != '\0' ? comparison->sentence : comparison->reason);
	else if (fate.sampled && !fate.accused)
		seen = g_strdup_printf("the verdict is regression, but %s is not among the functions that rose%s%s",
		        CHECK_PLANTED_FUNCTION, fate.first != NULL ? "; the first of them is " : "",
		        fate.first != NULL ? fate.first : "");
	else if (!delay_regressed(comparison) && !fate.gates)
		seen = g_strdup_printf("neither the gating time nor %s itself regressed (%s)", CHECK_PLANTED_FUNCTION,
		        comparison->sentence);
	if (seen != NULL)
		add_missed(result, benchmark, seen);
}
