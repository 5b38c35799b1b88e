/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/result.h"

#include "compare/comparison/changewords.h"
#include "compare/counted/enginepair.h"
#include "core/error.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

const char *check_mode_name(CheckMode mode)
{
	static const char *const names[] = {
	        [CHECK_GATE] = "gate",
	        [CHECK_CALIBRATE] = "calibrate",
	        [CHECK_SELF_TEST] = "self_test",
	};
	return names[mode];
}

const char *base_source_name(BaseSource source)
{
	static const char *const names[] = {
	        [BASE_NONE] = NULL,
	        [BASE_MEASURED] = "measured",
	        [BASE_STORED] = "stored",
	};
	return names[source];
}

static void side_clear(ResultSide *side)
{
	g_free(side->sha);
	g_free(side->ref);
	g_free(side->chosen_by);
	g_free(side->subject);
	g_clear_pointer(&side->compilers, g_ptr_array_unref);
}

static void reason_free(gpointer data)
{
	ResultReason *reason = data;
	g_free(reason->code);
	g_free(reason->benchmark);
	g_free(reason->text);
	g_free(reason);
}

static void result_profile_free(gpointer data)
{
	ResultProfile *profile = data;
	g_free(profile->event);
	measurement_free(profile->base);
	measurement_free(profile->head);
	benchmark_comparison_free(profile->comparison);
	g_clear_pointer(&profile->annotations, g_ptr_array_unref);
	g_free(profile);
}

static void result_benchmark_free(gpointer data)
{
	ResultBenchmark *benchmark = data;
	g_free(benchmark->name);
	g_free(benchmark->calibration);
	benchmark_comparison_free(benchmark->comparison);
	g_clear_pointer(&benchmark->annotations, g_ptr_array_unref);
	measurement_free(benchmark->base);
	measurement_free(benchmark->head);
	program_facts_free(benchmark->base_program);
	program_facts_free(benchmark->head_program);
	g_ptr_array_unref(benchmark->profiles);
	g_clear_pointer(&benchmark->history, g_ptr_array_unref);
	g_ptr_array_unref(benchmark->artifacts);
	g_free(benchmark);
}

CheckResult *check_result_new(void)
{
	CheckResult *result = g_new0(CheckResult, 1);
	result->verdict = VERDICT_ERROR; /* until check_result_decide() */
	result->exit_code = FIREBREAK_ERROR_INVALID;
	result_side_set(&result->base, NULL, NULL, NULL, NULL);
	result_side_set(&result->head, NULL, NULL, NULL, NULL);
	result->findings = finding_list_new();
	result->reasons = g_ptr_array_new_with_free_func(reason_free);
	result->benchmarks = g_ptr_array_new_with_free_func(result_benchmark_free);
	result->acceptances = g_ptr_array_new_with_free_func((GDestroyNotify)acceptance_free);
	result->config_source = g_strdup("");
	return result;
}

void check_result_free(CheckResult *result)
{
	if (result == NULL)
		return;
	side_clear(&result->base);
	side_clear(&result->head);
	environment_free(result->environment);
	g_ptr_array_unref(result->acceptances);
	finding_list_free(result->findings);
	g_ptr_array_unref(result->reasons);
	g_ptr_array_unref(result->benchmarks);
	changed_code_free(result->changed);
	shard_set_free(result->shards);
	g_free(result->config_source);
	g_free(result);
}

static void replace(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text != NULL ? text : "");
}

void result_side_set(ResultSide *side, const char *sha, const char *ref, const char *chosen_by, const char *subject)
{
	replace(&side->sha, sha);
	replace(&side->ref, ref);
	replace(&side->chosen_by, chosen_by);
	replace(&side->subject, subject);
}

ResultReason *check_result_add_reason(
        CheckResult *result, int exit_code, const char *code, const char *benchmark, const char *format, ...)
{
	ResultReason *reason = g_new0(ResultReason, 1);
	reason->exit_code = exit_code;
	reason->code = g_strdup(code);
	reason->benchmark = g_strdup(benchmark);
	va_list args;
	va_start(args, format);
	reason->text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(result->reasons, reason);
	return reason;
}

ResultBenchmark *check_result_add_benchmark(CheckResult *result, const char *name)
{
	ResultBenchmark *benchmark = g_new0(ResultBenchmark, 1);
	benchmark->name = g_strdup(name);
	benchmark->engine = &engine_perf;
	benchmark->campaign.overlap_share = benchmark->campaign.interference_ratio = NAN;
	benchmark->campaign.estimate_s = benchmark->campaign.elapsed_s = NAN;
	benchmark->profiles = g_ptr_array_new_with_free_func(result_profile_free);
	benchmark->artifacts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(result->benchmarks, benchmark);
	return benchmark;
}

Verdict result_benchmark_verdict(const ResultBenchmark *benchmark)
{
	return benchmark->comparison == NULL ? VERDICT_ERROR : benchmark->comparison->verdict;
}

void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile)
{
	ResultProfile *kept = g_memdup2(profile, sizeof *profile);
	kept->event = g_strdup(profile->event);
	kept->engine = profile->engine != NULL ? profile->engine : &engine_perf;
	g_ptr_array_add(benchmark->profiles, kept);
}

/* Position of an exit code in the order of precedence, most important first: the end by a signal, then a code that we
 * do not know, then the known ones. */
static guint precedence(int exit_code)
{
	static const int order[] = {9, 2, 8, 7, 5, 4, 6, 1, 3, 0};
	if (exit_code > 128)
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] == exit_code)
			return i + 2;
	return 1;
}

static gint compare_reasons(gconstpointer a, gconstpointer b)
{
	const ResultReason *x = *(ResultReason *const *)a, *y = *(ResultReason *const *)b;
	return (gint)precedence(x->exit_code) - (gint)precedence(y->exit_code);
}

static gboolean is_error(int exit_code)
{
	return exit_code != 0 && exit_code != 1 && exit_code != 3;
}

/* TRUE if that was given as a reason already. An error may have had a more telling exit code than 4. */
static gboolean has_reason(const CheckResult *result, int exit_code, const char *code, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean same_kind =
		        reason->exit_code == exit_code || (is_error(reason->exit_code) && is_error(exit_code));
		if (same_kind && g_str_equal(reason->code, code) && g_strcmp0(reason->benchmark, benchmark) == 0)
			return TRUE;
	}
	return FALSE;
}

/* TRUE if a reason explains why there is no comparison of `benchmark`: one of its own, or an error of the whole check.
 */
static gboolean is_explained(const CheckResult *result, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean own = g_strcmp0(reason->benchmark, benchmark) == 0 && reason->exit_code != 0;
		if (own || (reason->benchmark == NULL && is_error(reason->exit_code)))
			return TRUE;
	}
	return FALSE;
}

static gboolean has_error(const CheckResult *result)
{
	for (guint i = 0; i < result->reasons->len; i++)
		if (is_error(((ResultReason *)result->reasons->pdata[i])->exit_code))
			return TRUE;
	return FALSE;
}

int verdict_exit_code(Verdict verdict)
{
	static const int codes[] = {
	        [VERDICT_PASS] = 0,
	        [VERDICT_REGRESSION] = 1,
	        [VERDICT_INCONCLUSIVE] = 3,
	        [VERDICT_ERROR] = FIREBREAK_ERROR_INVALID,
	};
	return codes[verdict];
}

Verdict exit_code_verdict(int exit_code)
{
	switch (exit_code) {
	case 0:
		return VERDICT_PASS;
	case 1:
		return VERDICT_REGRESSION;
	case 3:
		return VERDICT_INCONCLUSIVE;
	default:
		return VERDICT_ERROR;
	}
}

/* TRUE if a reason of that benchmark says it already, or says what of the metric is beyond what was accepted. */
static gboolean is_told(const CheckResult *result, const char *benchmark, const char *metric, const char *text)
{
	g_autofree char *beyond = g_strdup_printf("%s regressed beyond ", metric);
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean same = g_str_equal(reason->text, text) || g_str_has_prefix(reason->text, beyond);
		if (same && g_strcmp0(reason->benchmark, benchmark) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Every gating metric that regressed is a reason, not only the one that the verdict speaks of. */
static void add_regressed_metrics(CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	for (guint i = 0; comparison->verdict == VERDICT_REGRESSION && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (!metric->gates || metric->accepted || metric->verdict != VERDICT_REGRESSION ||
		        metric->reason == NULL)
			continue;
		g_autofree char *text = g_strdup_printf("%s regressed: %s", metric->name, metric->reason);
		if (!is_told(result, benchmark, metric->name, text))
			check_result_add_reason(result, 1, "regression", benchmark, "%s", text);
	}
}

static void add_verdict_reason(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	int exit_code = verdict_exit_code(comparison->verdict);
	if (exit_code != 0 && !has_reason(result, exit_code, comparison->reason_code, benchmark->name))
		check_result_add_reason(
		        result, exit_code, comparison->reason_code, benchmark->name, "%s", comparison->reason);
	add_regressed_metrics(result, benchmark->name, comparison);
}

/* --- two engines: what each of them says is a reason, and the benchmark's verdict is the gravest --- */

/* TRUE if a reason of the benchmark has the code and the text of the comparison. */
static gboolean has_verdict(const CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (g_strcmp0(reason->benchmark, benchmark) == 0 &&
		        g_str_equal(reason->code, comparison->reason_code) &&
		        g_str_equal(reason->text, comparison->reason))
			return TRUE;
	}
	return FALSE;
}

void check_result_add_verdict(CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	int exit_code = verdict_exit_code(comparison->verdict);
	gboolean counts = result->mode == CHECK_GATE || comparison->verdict == VERDICT_ERROR;
	if (exit_code != 0 && counts && !engine_pair_abstains(comparison) &&
	        !has_verdict(result, benchmark, comparison))
		check_result_add_reason(
		        result, exit_code, comparison->reason_code, benchmark, "%s", comparison->reason);
	if (result->mode == CHECK_GATE)
		add_regressed_metrics(result, benchmark, comparison);
}

gboolean check_result_join(CheckResult *result, ResultBenchmark *benchmark, BenchmarkComparison *counted)
{
	gboolean decides = engine_pair_abstains(benchmark->comparison) || !engine_pair_abstains(counted);
	check_result_add_verdict(result, benchmark->name, benchmark->comparison);
	check_result_add_verdict(result, benchmark->name, counted);
	engine_pair_join(benchmark->comparison, counted);
	if (!decides)
		benchmark_comparison_decide(
		        counted, VERDICT_PASS, "", g_strdup("no metric that callgrind counts gates"));
	return decides;
}

void check_result_lacks_engine(CheckResult *result, ResultBenchmark *benchmark, const ResultReason *why)
{
	BenchmarkComparison *comparison = benchmark->comparison;
	Verdict verdict = exit_code_verdict(why->exit_code);
	gboolean graver = precedence(why->exit_code) < precedence(verdict_exit_code(comparison->verdict));
	check_result_add_verdict(result, benchmark->name, comparison);
	if (!graver && !engine_pair_abstains(comparison))
		return;
	char *sentence = engine_pair_abstains(comparison) ? g_strdup(why->text)
	                                                  : g_strdup_printf("%s; %s", why->text, comparison->sentence);
	g_free(comparison->sentence);
	comparison->sentence = sentence;
	benchmark_comparison_decide(comparison, verdict, why->code, g_strdup(why->text));
}

/* --- calibration: both sides run the same, so a regression is a false alarm and no fault of the code --- */

static void add_calibration_finding(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison->verdict == VERDICT_REGRESSION)
		finding_add(result->findings, FINDING_WARNING, "false_alarm", benchmark->name,
		        "a false alarm: both sides ran the same program, and the verdict was a regression (%s)",
		        comparison->reason);
	else if (comparison->verdict == VERDICT_INCONCLUSIVE)
		finding_add(result->findings, FINDING_WARNING, "aa_inconclusive", benchmark->name,
		        "both sides ran the same program, and the rounds were inconclusive: %s", comparison->reason);
}

/* --- self-test: head has a planted delay, so anything but a regression is a failure of the gate --- */

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
	if (!has_reason(result, 3, SELF_TEST_MISSED, benchmark->name))
		check_result_add_reason(result, 3, SELF_TEST_MISSED, benchmark->name,
		        "%s: the planted delay was missed: %s", benchmark->name, seen);
}

static void judge_self_test(CheckResult *result, const ResultBenchmark *benchmark)
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

static gboolean is_nothing_to_compare(const BenchmarkComparison *comparison)
{
	return g_str_equal(comparison->reason_code, NOTHING_TO_COMPARE);
}

static void add_nothing_to_compare(CheckResult *result, const ResultBenchmark *benchmark)
{
	if (!has_reason(result, 3, NOTHING_TO_COMPARE, benchmark->name) &&
	        !has_reason(result, 0, NOTHING_TO_COMPARE, benchmark->name))
		check_result_add_reason(result, 0, NOTHING_TO_COMPARE, benchmark->name, "%s: %s", benchmark->name,
		        benchmark->comparison->reason);
}

static void judge_benchmark(CheckResult *result, const ResultBenchmark *benchmark)
{
	if (benchmark->comparison == NULL) {
		if (!is_explained(result, benchmark->name))
			check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "not_compared", benchmark->name,
			        "%s: not compared, and no reason was recorded", benchmark->name);
		return;
	}
	gboolean is_measured = benchmark->comparison->verdict != VERDICT_ERROR &&
	                       !g_str_equal(benchmark->comparison->reason_code, NOT_MEASURED);
	if (result->mode == CHECK_GATE && is_nothing_to_compare(benchmark->comparison))
		add_nothing_to_compare(result, benchmark);
	else if (result->mode == CHECK_GATE || !is_measured)
		add_verdict_reason(result, benchmark);
	else if (result->mode == CHECK_CALIBRATE)
		add_calibration_finding(result, benchmark);
	else
		judge_self_test(result, benchmark);
}

void check_result_decide(CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++)
		judge_benchmark(result, result->benchmarks->pdata[i]);
	if (result->benchmarks->len == 0 && !has_error(result))
		check_result_add_reason(
		        result, FIREBREAK_ERROR_INVALID, "zero_benchmarks", NULL, "no benchmark was measured");
	g_ptr_array_sort(result->reasons, compare_reasons);
	result->exit_code = 0;
	if (result->reasons->len > 0)
		result->exit_code = ((ResultReason *)result->reasons->pdata[0])->exit_code;
	result->verdict = exit_code_verdict(result->exit_code);
}

void check_result_decide_measured(CheckResult *result)
{
	result->exit_code = 0;
	for (guint i = 0; i < result->reasons->len && result->exit_code == 0; i++)
		result->exit_code = ((const ResultReason *)result->reasons->pdata[i])->exit_code;
	result->verdict = result->reasons->len > 0 ? VERDICT_ERROR : VERDICT_PASS;
}

int check_result_decided(const CheckResult *result)
{
	CheckResult again = *result;
	again.findings = finding_list_new();
	again.reasons = g_ptr_array_new_with_free_func(reason_free);
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		check_result_add_reason(&again, reason->exit_code, reason->code, reason->benchmark, "%s", reason->text);
	}
	check_result_decide(&again);
	finding_list_free(again.findings);
	g_ptr_array_unref(again.reasons);
	return again.exit_code;
}

/* Adds what is known of a benchmark's A/A campaigns: those of this check and all earlier ones on this kind of machine,
 * or the one at hand where nothing is kept. */
static void add_campaigns(CalibrationSummary *sum, const ResultBenchmark *benchmark)
{
	const CalibrationSummary *known = benchmark->calibration;
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (known != NULL) {
		sum->campaigns += known->campaigns;
		sum->false_alarms += known->false_alarms;
		sum->passes += known->passes;
	} else if (comparison != NULL) {
		sum->campaigns++;
		sum->false_alarms += comparison->verdict == VERDICT_REGRESSION;
		sum->passes += comparison->verdict == VERDICT_PASS;
	}
}

/* "calibrated 2 benchmarks, base against base: 1 false alarm in 48 A/A campaigns, 3 inconclusive" */
static char *calibration_outcome(const CheckResult *result)
{
	guint n = result->benchmarks->len;
	CalibrationSummary sum = {0};
	for (guint i = 0; i < n; i++)
		add_campaigns(&sum, result->benchmarks->pdata[i]);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text,
	        "calibrated %u benchmark%s, base against base: %u false alarm%s in %u A/A campaign%s", n,
	        n == 1 ? "" : "s", sum.false_alarms, sum.false_alarms == 1 ? "" : "s", sum.campaigns,
	        sum.campaigns == 1 ? "" : "s");
	guint decided = sum.false_alarms + sum.passes;
	if (sum.campaigns > decided)
		g_string_append_printf(text, ", %u inconclusive", sum.campaigns - decided);
	return g_string_free(text, FALSE);
}

/* ", 1 of them with a regression that is accepted: parse, task-clock +12.3 % (firebreak.yml:12: worth it)", or "" */
static char *accepted_clause(const CheckResult *result)
{
	const ResultBenchmark *first = NULL;
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		gboolean accepted = benchmark->comparison != NULL && benchmark->comparison->accepted != NULL;
		first = first == NULL && accepted ? benchmark : first;
		n += accepted;
	}
	if (first == NULL)
		return g_strdup("");
	const AcceptedRegression *accepted = first->comparison->accepted->pdata[0];
	g_autofree char *with =
	        result->benchmarks->len == 1 ? g_strdup(" with") : g_strdup_printf(", %u of them with", n);
	return g_strdup_printf("%s a regression that is accepted: %s, %s (%s: %s)", with, first->name, accepted->text,
	        accepted->where, accepted->reason);
}

/* TRUE if the metric is a time and passes by an interval, and so has a pass margin that says how much. */
static gboolean passed_measured(const MetricComparison *metric)
{
	gboolean is_time = change_words_is_speed(metric) || g_str_equal(metric->name, "wall");
	return is_time && metric->gates && metric->verdict == VERDICT_PASS && !metric->negligible &&
	       !engine_counts(metric->engine) && metric->pass_margin > 0;
}

/* ": nothing worse by more than 4 to 10 %", the pass margins of what passed; "" if only counts did. */
static char *ruled_out_clause(const CheckResult *result)
{
	double least = INFINITY, most = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		for (guint m = 0; benchmark->comparison != NULL && m < benchmark->comparison->metrics->len; m++) {
			const MetricComparison *metric = benchmark->comparison->metrics->pdata[m];
			if (!passed_measured(metric))
				continue;
			least = fmin(least, metric->pass_margin);
			most = fmax(most, metric->pass_margin);
		}
	}
	if (!isfinite(least))
		return g_strdup("");
	g_autofree char *margins = number_share_range(least, most);
	return g_strconcat(": nothing worse by more than ", margins, NULL);
}

/* The benchmarks that were compared, which is all but those with nothing to compare. */
static guint n_compared(const CheckResult *result)
{
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		n += benchmark->comparison == NULL || !is_nothing_to_compare(benchmark->comparison);
	}
	return n;
}

/* "other: nothing to compare yet: base cannot run it (...); and 1 more; 3 benchmarks passed" */
static char *uncompared_outcome(const CheckResult *result)
{
	const ResultReason *first = result->reasons->pdata[0];
	guint n = n_compared(result), more = result->benchmarks->len - n - 1;
	GString *text = g_string_new(first->text);
	if (more > 0)
		g_string_append_printf(text, "; and %u more", more);
	if (n > 0)
		g_string_append_printf(text, "; %u benchmark%s passed", n, n == 1 ? "" : "s");
	else
		g_string_append(text, "; no benchmark was compared");
	return g_string_free(text, FALSE);
}

static char *outcome(const CheckResult *result)
{
	static const char *const contexts[] = {
	        [CHECK_GATE] = "", [CHECK_CALIBRATE] = "calibration: ", [CHECK_SELF_TEST] = "self-test: "};
	guint n = result->benchmarks->len;
	if (result->exit_code == 0 && result->reasons->len > 0 && result->mode == CHECK_GATE)
		return uncompared_outcome(result);
	if (result->reasons->len > 0)
		return g_strconcat(contexts[result->mode], ((ResultReason *)result->reasons->pdata[0])->text, NULL);
	if (result->mode == CHECK_CALIBRATE)
		return calibration_outcome(result);
	if (result->mode == CHECK_SELF_TEST)
		return g_strdup_printf(
		        "self-test: the delay planted in %u benchmark%s was found", n, n == 1 ? "" : "s");
	g_autofree char *accepted = accepted_clause(result);
	g_autofree char *excluded = *accepted == '\0' ? ruled_out_clause(result) : g_strdup("");
	return g_strdup_printf("%u benchmark%s passed%s%s", n, n == 1 ? "" : "s", accepted, excluded);
}

char *check_result_reason(const CheckResult *result)
{
	const ShardPart *part = shard_set_single(result->shards);
	char *text = outcome(result);
	if (part == NULL || result->shards->total == 1)
		return text;
	char *named = g_strdup_printf("shard %u of %u: %s", part->index, result->shards->total, text);
	g_free(text);
	return named;
}
