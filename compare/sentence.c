#include "compare/sentence.h"

#include <math.h>

#include "compare/exactwords.h"

#define MOSTLY .5 /* of a change: worth a word */

/* What "%+.1f" would show as -0.0 is no fall. */
static double shown(double value)
{
	return fabs(value) < .05 ? 0 : value;
}

static double percent(double ratio)
{
	return shown(100 * (ratio - 1));
}

static double points(double share)
{
	return shown(100 * share);
}

/* --- functions --- */

static char *points_of(const FunctionComparison *f)
{
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "%+.1f pp", points(f->contribution));
	if (!isnan(f->contribution_lower) && !isnan(f->contribution_upper))
		g_string_append_printf(
		        text, " [%+.1f, %+.1f]", points(f->contribution_lower), points(f->contribution_upper));
	return g_string_free(text, FALSE);
}

/* What the change has to do with a function, as a clause behind its name: "" if that is not known. */
static char *relation_clause(const StackTable *table, const FunctionComparison *f)
{
	static const char *const clauses[] = {
	        [CHANGE_UNKNOWN] = "",
	        [CHANGE_TOUCHED] = ", which the change touches",
	        [CHANGE_CALLS_TOUCHED] = ", which calls code that the change touches",
	        [CHANGE_UNTOUCHED] = ", which the change does not touch",
	};
	if (f->relation != CHANGE_CALLED_BY_TOUCHED)
		return g_strdup(clauses[f->relation]);
	return g_strdup_printf(" through %s, which the change touches", stack_table_frame_name(table, f->through));
}

/* What its machine code says of a rise, as a clause of its own behind everything else. */
static const char *code_clause(const FunctionComparison *f)
{
	static const char *const clauses[][3] = {
	        [CHANGE_UNKNOWN] = {"", "; its machine code is the same on both sides", "; its machine code differs"},
	        [CHANGE_TOUCHED] = {"", "; its machine code is the same, so look for other data, more calls or layout",
	                ""},
	        [CHANGE_CALLS_TOUCHED] = {"", "; its own machine code is the same", ""},
	        [CHANGE_UNTOUCHED] = {"",
	                "; its machine code is the same, so look for more calls, other data or layout",
	                "; its machine code differs all the same, so look at macros, inlined code or compiler "
	                "options"},
	        [CHANGE_CALLED_BY_TOUCHED] = {"", "; its own machine code is the same", ""},
	};
	/* The note of a layout suspect says it. */
	gboolean is_plain = f->klass == FUNCTION_LAYOUT_SUSPECT || f->contribution < 0;
	return clauses[f->relation][is_plain ? CODE_UNKNOWN : f->code];
}

/* The change of its own cost; nothing where a side has none. */
static void append_own_change(GString *text, const FunctionComparison *f)
{
	if (f->klass == FUNCTION_NEW)
		g_string_append(text, " (new)");
	else if (f->klass == FUNCTION_REMOVED)
		g_string_append(text, " (removed)");
	else if (!isnan(f->change_ratio))
		g_string_append_printf(text, " (%+.1f %% of itself)", percent(f->change_ratio));
}

/* The same of exact counts, which do not depend on layout. */
static const char *exact_code_clause(const FunctionComparison *f)
{
	if (f->contribution < 0 || f->code != CODE_SAME)
		return code_clause(f);
	if (f->relation == CHANGE_TOUCHED)
		return "; its machine code is the same, so look for other data or more calls";
	if (f->relation == CHANGE_UNTOUCHED)
		return "; its machine code is the same, so look for more calls or other data";
	return code_clause(f);
}

/* A function with what it costs more, in points, and what its code says. */
typedef struct {
	const StackTable *table;
	const FunctionComparison *function;
	char *points; /* "+11.9 pp [+10.8, +13.0]" */
	const char *code;
} Costly;

static Costly costly_of(const StackTable *table, const FunctionComparison *f, gboolean exact)
{
	return (Costly){
	        .table = table,
	        .function = f,
	        .points = exact ? exact_points(f) : points_of(f),
	        .code = exact ? exact_code_clause(f) : code_clause(f),
	};
}

static void append_note(GString *text, const FunctionComparison *f)
{
	if (f->note != NULL)
		g_string_append_printf(text, "; %s", f->note);
}

static char *sentence_of(const StackTable *table, const FunctionComparison *function, gboolean exact)
{
	Costly costly = costly_of(table, function, exact);
	g_autofree char *points = costly.points, *relation = relation_clause(table, function);
	GString *text = g_string_new(stack_table_frame_name(table, function->frame));
	g_string_append_printf(text, " %s", points);
	append_own_change(text, function);
	g_string_append_printf(text, "%s%s", relation, costly.code);
	append_note(text, function);
	return g_string_free(text, FALSE);
}

char *sentence_of_exact_function(const StackTable *table, const FunctionComparison *function)
{
	return sentence_of(table, function, TRUE);
}

char *sentence_of_function(const StackTable *table, const FunctionComparison *function)
{
	return sentence_of(table, function, FALSE);
}

const FunctionComparison *gating_function(const GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (f->gates)
			return f;
	}
	return NULL;
}

const FunctionComparison *layout_function(const GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (f->may_be_layout)
			return f;
	}
	return NULL;
}

static gboolean is_risen(const FunctionComparison *f)
{
	return f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_NEW;
}

/* The largest one that rose for certain, whether it gates or not, or NULL. */
static const FunctionComparison *risen_function(const GPtrArray *functions, double alpha)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (is_risen(f) && f->p_adjusted <= alpha)
			return f;
	}
	return NULL;
}

/* --- metrics --- */

static const MetricComparison *gating_metric(const GPtrArray *metrics, Verdict verdict, const char *name)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		gboolean counts = metric->gates && !metric->accepted;
		if (counts && metric->verdict == verdict && (name == NULL || g_str_equal(metric->name, name)))
			return metric;
	}
	return NULL;
}

/* What people ask for first, and what the cost of functions adds up to. */
static const char *const time_names[] = {"cycles", "task-clock", "wall", "instructions", NULL};

static gboolean is_time(const MetricComparison *metric)
{
	return g_strv_contains(time_names, metric->name);
}

guint telling_rank(const MetricComparison *metric)
{
	guint rank = 0;
	while (time_names[rank] != NULL && !g_str_equal(metric->name, time_names[rank]))
		rank++;
	return rank;
}

const MetricComparison *most_telling_metric(const GPtrArray *metrics, Verdict verdict)
{
	const MetricComparison *metric = NULL;
	/* The NULL at the end stands for any other one. */
	for (guint i = 0; i < G_N_ELEMENTS(time_names) && metric == NULL; i++)
		metric = gating_metric(metrics, verdict, time_names[i]);
	return metric;
}

static const MetricComparison *headline(const GPtrArray *metrics)
{
	static const Verdict order[] = {VERDICT_REGRESSION, VERDICT_INCONCLUSIVE, VERDICT_PASS};
	const MetricComparison *metric = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(order) && metric == NULL; i++)
		metric = most_telling_metric(metrics, order[i]);
	return metric;
}

static char *sentence_of_exact_metric(const MetricComparison *metric)
{
	g_autofree char *change = exact_change(metric);
	return g_strdup_printf("%s %s", metric->name, change);
}

char *sentence_of_metric(const MetricComparison *metric)
{
	if (g_strcmp0(metric->engine, EXACT_ENGINE) == 0)
		return sentence_of_exact_metric(metric);
	GString *text = g_string_new(metric->name);
	if (isinf(metric->change_ratio))
		g_string_append_printf(text, " from 0 to %g", metric->head);
	else
		g_string_append_printf(text, " %+.1f %%", percent(metric->change_ratio));
	if (isfinite(metric->upper_ratio) && metric->lower_ratio > 0)
		g_string_append_printf(
		        text, " [%+.1f, %+.1f]", percent(metric->lower_ratio), percent(metric->upper_ratio));
	return g_string_free(text, FALSE);
}

/* --- benchmarks --- */

/* How many functions gate beside the one that is named. */
static void append_others(GString *text, const GPtrArray *functions, const FunctionComparison *named)
{
	guint n = 0;
	for (guint i = 0; i < functions->len; i++)
		n += functions->pdata[i] != named && ((const FunctionComparison *)functions->pdata[i])->gates;
	if (n > 0)
		g_string_append_printf(text, "; and %u more function%s", n, n == 1 ? "" : "s");
}

/* The function as the cause of what stands before it, or else in a clause of its own. */
static void append_function(
        GString *text, const BenchmarkComparison *comparison, const FunctionComparison *function, gboolean is_cause)
{
	const StackTable *table = comparison->table;
	Costly costly = costly_of(table, function, comparison->exact);
	g_autofree char *points = costly.points, *relation = relation_clause(table, function);
	const char *name = stack_table_frame_name(table, function->frame);
	if (is_cause)
		g_string_append_printf(text, ", since %s (%s)%s", name, points, relation);
	else
		g_string_append_printf(
		        text, "; %s%s%s costs %s more", name, relation, *relation != '\0' ? "," : "", points);
	g_string_append(text, costly.code);
	append_note(text, function);
	append_others(text, comparison->functions, function);
}

/* Where most of a rise is in time that no sample saw, no function can be named for it. */
static void append_unsampled(GString *text, const BenchmarkComparison *comparison)
{
	if (comparison->total_change > 0 && comparison->unsampled_contribution >= MOSTLY * comparison->total_change)
		g_string_append_printf(text, ", of which %+.1f pp in the kernel or in lost samples",
		        points(comparison->unsampled_contribution));
}

/* Counted functions are certain, so a passing total names one that rose, too. Of those that do not gate, one that is no
 * mere consequence comes first: the cause is what a reader looks for. */
static const FunctionComparison *function_to_name(const GPtrArray *functions)
{
	const FunctionComparison *risen = gating_function(functions);
	for (guint i = 0; i < functions->len && risen == NULL; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (is_risen(f) && !(f->code == CODE_SAME && f->relation != CHANGE_TOUCHED))
			risen = f;
	}
	for (guint i = 0; i < functions->len && risen == NULL; i++)
		if (is_risen(functions->pdata[i]))
			risen = functions->pdata[i];
	return risen;
}

/* The timed function to name beside this metric. */
static const FunctionComparison *timed_function(
        const GPtrArray *functions, const MetricComparison *metric, double report_alpha)
{
	const FunctionComparison *function = gating_function(functions);
	gboolean failed = metric->verdict == VERDICT_REGRESSION;
	if (function == NULL && failed && is_time(metric))
		function = risen_function(functions, report_alpha);
	return function != NULL ? function : layout_function(functions);
}

const FunctionComparison *sentence_function(const BenchmarkComparison *comparison, double report_alpha)
{
	const MetricComparison *metric = headline(comparison->metrics);
	if (comparison->verdict == VERDICT_ERROR || metric == NULL)
		return NULL;
	return comparison->exact ? function_to_name(comparison->functions)
	                         : timed_function(comparison->functions, metric, report_alpha);
}

char *sentence_of_benchmark(const BenchmarkComparison *comparison, double report_alpha)
{
	const MetricComparison *metric = headline(comparison->metrics);
	if (comparison->verdict == VERDICT_ERROR || metric == NULL)
		return g_strdup(comparison->reason);
	const FunctionComparison *function = sentence_function(comparison, report_alpha);
	gboolean failed = metric->verdict == VERDICT_REGRESSION;
	gboolean risen = comparison->exact ? metric->change_ratio > 1 : failed;
	g_autofree char *what = sentence_of_metric(metric);
	GString *text = g_string_new(what);
	if (function != NULL)
		append_function(text, comparison, function, is_time(metric) && risen);
	else if (!comparison->exact && failed && is_time(metric))
		append_unsampled(text, comparison);
	return g_string_free(text, FALSE);
}

void sentence_renew(BenchmarkComparison *comparison)
{
	g_free(comparison->sentence);
	comparison->sentence = sentence_of_benchmark(comparison, comparison->report_alpha);
}
