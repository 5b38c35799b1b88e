#include "report/highlights.h"

#include <math.h>

const StackTable *highlights_table(const ResultBenchmark *benchmark)
{
	if (benchmark->head != NULL && benchmark->head->profile != NULL)
		return benchmark->head->profile->table;
	if (benchmark->base != NULL && benchmark->base->profile != NULL)
		return benchmark->base->profile->table;
	return NULL;
}

static int class_rank(FunctionClass klass)
{
	static const int ranks[] = {
	        [FUNCTION_REGRESSION] = 0,
	        [FUNCTION_NEW] = 1,
	        [FUNCTION_LAYOUT_SUSPECT] = 2,
	        [FUNCTION_COST_SHIFT] = 3,
	        [FUNCTION_RENAMED] = 4,
	        [FUNCTION_IMPROVEMENT] = 5,
	        [FUNCTION_REMOVED] = 6,
	        [FUNCTION_UNCHANGED] = 7,
	};
	return ranks[klass];
}

/* Contributions that are not known sort last. */
static double contribution_size(const FunctionComparison *function)
{
	return isnan(function->contribution) ? -1 : fabs(function->contribution);
}

static int by_reading_order(gconstpointer left, gconstpointer right)
{
	const FunctionComparison *a = *(FunctionComparison *const *)left, *b = *(FunctionComparison *const *)right;
	if (a->gates != b->gates)
		return a->gates ? -1 : 1;
	int order = class_rank(a->klass) - class_rank(b->klass);
	if (order != 0)
		return order;
	double x = contribution_size(a), y = contribution_size(b);
	return x > y ? -1 : x < y; /* the sort is stable: ties stay as the comparison has them */
}

GPtrArray *highlights_functions(const BenchmarkComparison *comparison, guint limit, guint unchanged)
{
	GPtrArray *functions = g_ptr_array_new();
	for (guint i = 0; i < comparison->functions->len; i++)
		g_ptr_array_add(functions, g_ptr_array_index(comparison->functions, i));
	g_ptr_array_sort(functions, by_reading_order);
	guint kept = 0, seen_unchanged = 0;
	while (kept < functions->len && kept < limit) {
		const FunctionComparison *function = g_ptr_array_index(functions, kept);
		if (function->klass == FUNCTION_UNCHANGED && ++seen_unchanged > unchanged)
			break;
		kept++;
	}
	g_ptr_array_set_size(functions, (gint)kept);
	return functions;
}

const char *highlights_name(const StackTable *table, FrameId frame)
{
	return table == NULL ? "?" : stack_table_frame_name(table, frame);
}

char *highlights_place(const StackTable *table, FrameId frame)
{
	if (table == NULL)
		return g_strdup("");
	const Frame *facts = stack_table_get_frame(table, frame);
	const char *file = stack_table_text(table, facts->file);
	if (*file == '\0')
		return g_strdup(stack_table_text(table, facts->module));
	g_autofree char *base = g_path_get_basename(file);
	return facts->line == 0 ? g_steal_pointer(&base) : g_strdup_printf("%s:%u", base, facts->line);
}

gboolean highlights_significant(const FunctionComparison *function, double alpha)
{
	return function->tested && (function->p_adjusted <= alpha || function->p_adjusted_improvement <= alpha);
}

/* The benchmarks that ended like the whole check. */
static GPtrArray *decisive_benchmarks(const CheckResult *result)
{
	GPtrArray *decisive = g_ptr_array_new();
	for (guint i = 0; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (benchmark->comparison != NULL && benchmark->comparison->verdict == result->verdict)
			g_ptr_array_add(decisive, benchmark);
	}
	return decisive;
}

char *highlights_headline(const CheckResult *result)
{
	if (result->mode != CHECK_GATE)
		return check_result_reason(result);
	g_autoptr(GPtrArray) decisive = decisive_benchmarks(result);
	gboolean several_passed = result->verdict == VERDICT_PASS && decisive->len != 1;
	if (result->verdict == VERDICT_ERROR || decisive->len == 0 || several_passed)
		return check_result_reason(result);
	const ResultBenchmark *first = g_ptr_array_index(decisive, 0);
	const BenchmarkComparison *comparison = first->comparison;
	gboolean open = result->verdict == VERDICT_INCONCLUSIVE || *comparison->sentence == '\0';
	const char *text = open ? comparison->reason : comparison->sentence;
	gboolean again = !open && comparison->confirmation == CONFIRMATION_CONFIRMED;
	g_autofree char *line = g_strconcat(first->name, again ? " (confirmed): " : ": ", text, NULL);
	if (decisive->len == 1)
		return g_steal_pointer(&line);
	return g_strdup_printf("%s; and %u more", line, decisive->len - 1);
}

gboolean highlights_accuses(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_REGRESSION || comparison->confirmation == CONFIRMATION_NOT_CONFIRMED;
}

gboolean highlights_has_relations(const GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(functions, i);
		if (function->relation != CHANGE_UNKNOWN || function->code == CODE_SAME)
			return TRUE;
	}
	return FALSE;
}

const char *highlights_advice(const CheckResult *result)
{
	for (guint i = 0; result->mode == CHECK_GATE && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const BenchmarkComparison *comparison = benchmark->comparison;
		if (comparison != NULL && comparison->verdict != VERDICT_ERROR && benchmark->calibration == NULL)
			return "how often this gate cries wolf on this kind of machine is not measured yet; `firebreak "
			       "check --calibrate` does that";
	}
	return NULL;
}

static gboolean has_gate(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		if (metric->gates)
			return TRUE;
	}
	return FALSE;
}

gboolean highlights_shows_metric(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	return metric->gates || g_str_equal(metric->engine, "benchmark") || !has_gate(comparison);
}

const char *highlights_artifact(const ResultBenchmark *benchmark, const char *kind)
{
	for (guint i = 0; i + 1 < benchmark->artifacts->len; i += 2) {
		if (g_str_equal(g_ptr_array_index(benchmark->artifacts, i), kind))
			return g_ptr_array_index(benchmark->artifacts, i + 1);
	}
	return NULL;
}

GPtrArray *highlights_extra_diffs(const ResultBenchmark *benchmark)
{
	GPtrArray *files = g_ptr_array_new();
	for (guint i = 0; i + 1 < benchmark->artifacts->len; i += 2)
		if (g_str_has_suffix(g_ptr_array_index(benchmark->artifacts, i), ".diff_svg"))
			g_ptr_array_add(files, g_ptr_array_index(benchmark->artifacts, i + 1));
	return files;
}
