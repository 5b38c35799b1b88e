#include "compare/result.h"

#include "core/error.h"

static void side_clear(ResultSide *side)
{
	g_free(side->sha);
	g_free(side->ref);
	g_free(side->chosen_by);
	g_free(side->subject);
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
	g_free(profile);
}

static void result_benchmark_free(gpointer data)
{
	ResultBenchmark *benchmark = data;
	g_free(benchmark->name);
	benchmark_comparison_free(benchmark->comparison);
	measurement_free(benchmark->base);
	measurement_free(benchmark->head);
	g_ptr_array_unref(benchmark->profiles);
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
	result->config_source = g_strdup("");
	return result;
}

void check_result_free(CheckResult *result)
{
	if (result == NULL)
		return;
	side_clear(&result->base);
	side_clear(&result->head);
	g_clear_pointer(&result->environment, environment_free);
	finding_list_free(result->findings);
	g_ptr_array_unref(result->reasons);
	g_ptr_array_unref(result->benchmarks);
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
	benchmark->profiles = g_ptr_array_new_with_free_func(result_profile_free);
	benchmark->artifacts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(result->benchmarks, benchmark);
	return benchmark;
}

void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile)
{
	ResultProfile *kept = g_memdup2(profile, sizeof *profile);
	kept->event = g_strdup(profile->event);
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

static gboolean has_reason(const CheckResult *result, int exit_code, const char *code, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (reason->exit_code == exit_code && g_str_equal(reason->code, code) &&
		        g_strcmp0(reason->benchmark, benchmark) == 0)
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

static int verdict_exit_code(Verdict verdict)
{
	static const int codes[] = {
	        [VERDICT_PASS] = 0,
	        [VERDICT_REGRESSION] = 1,
	        [VERDICT_INCONCLUSIVE] = 3,
	        [VERDICT_ERROR] = FIREBREAK_ERROR_INVALID,
	};
	return codes[verdict];
}

static void add_benchmark_reason(CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL) {
		if (!is_explained(result, benchmark->name))
			check_result_add_reason(result, FIREBREAK_ERROR_INVALID, "not_compared", benchmark->name,
			        "%s: no comparison and no reason for that", benchmark->name);
		return;
	}
	int exit_code = verdict_exit_code(comparison->verdict);
	if (exit_code != 0 && !has_reason(result, exit_code, comparison->reason_code, benchmark->name))
		check_result_add_reason(
		        result, exit_code, comparison->reason_code, benchmark->name, "%s", comparison->reason);
}

static Verdict exit_code_verdict(int exit_code)
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

void check_result_decide(CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++)
		add_benchmark_reason(result, result->benchmarks->pdata[i]);
	if (result->benchmarks->len == 0 && !has_error(result))
		check_result_add_reason(
		        result, FIREBREAK_ERROR_INVALID, "zero_benchmarks", NULL, "no benchmark was measured");
	g_ptr_array_sort(result->reasons, compare_reasons);
	result->exit_code = 0;
	if (result->reasons->len > 0)
		result->exit_code = ((ResultReason *)result->reasons->pdata[0])->exit_code;
	result->verdict = exit_code_verdict(result->exit_code);
}

char *check_result_reason(const CheckResult *result)
{
	if (result->reasons->len > 0)
		return g_strdup(((ResultReason *)result->reasons->pdata[0])->text);
	guint n = result->benchmarks->len;
	return g_strdup_printf("%u benchmark%s passed", n, n == 1 ? "" : "s");
}
