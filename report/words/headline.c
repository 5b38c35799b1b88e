/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/headline.h"

#include "compare/comparison/culprit.h"
#include "compare/outcomewords.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"
#include "report/words/standingrows.h"

#include <string.h>

/* The benchmarks that ended with a verdict. */
static GPtrArray *decisive_benchmarks(const CheckResult *result, Verdict verdict)
{
	GPtrArray *decisive = g_ptr_array_new();
	for (guint i = 0; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (benchmark->comparison != NULL && benchmark->comparison->verdict == verdict)
			g_ptr_array_add(decisive, benchmark);
	}
	return decisive;
}

/* TRUE if the function to blame is edited, or called by one that is. */
static gboolean has_edited_cause(const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	Culprit culprit = culprit_find(comparison, CULPRIT_OF_RISES, comparison->report_alpha);
	const FunctionComparison *f = culprit.cause != NULL ? culprit.cause : culprit.seen;
	return f != NULL && (f->relation == CHANGE_TOUCHED || f->relation == CHANGE_CALLED_BY_TOUCHED);
}

/* The first of them that edited code explains, else the first: a benchmark that never runs this code may be slower by
 * the layout of the program alone. */
static const ResultBenchmark *most_telling(const GPtrArray *decisive)
{
	for (guint i = 0; i < decisive->len; i++)
		if (has_edited_cause(g_ptr_array_index(decisive, i)))
			return g_ptr_array_index(decisive, i);
	return g_ptr_array_index(decisive, 0);
}

/* One of them with its line, and how many more there are. */
static char *decisive_line(const CheckResult *result, const GPtrArray *decisive)
{
	g_autofree char *line = benchmark_line_named(result, most_telling(decisive));
	if (decisive->len == 1)
		return g_steal_pointer(&line);
	guint more = decisive->len - 1;
	return g_strdup_printf("%s; and %u more benchmark%s", line, more, more == 1 ? "" : "s");
}

/* The error that is told, with the benchmark that it is about. Owned by the caller. */
static char *error_text(const CheckResult *result)
{
	const ResultReason *first = result->reasons->len > 0 ? result->reasons->pdata[0] : NULL;
	char *reason = check_result_reason(result);
	if (first == NULL || first->benchmark == NULL || strstr(reason, first->benchmark) != NULL)
		return reason;
	char *named = g_strdup_printf("%s: %s", first->benchmark, reason);
	g_free(reason);
	return named;
}

/* Appends to the line of a benchmark that passed what it passed in spite of. Takes the line. */
static char *with_reservation(const CheckResult *result, const ResultBenchmark *benchmark, char *line)
{
	const char *but = highlights_is_accepted(benchmark->comparison) ? "; accepted"
	                  : highlights_is_slower(result, benchmark)     ? "; but a function is slower"
	                                                                : "";
	char *whole = g_strconcat(line, but, NULL);
	g_free(line);
	return whole;
}

/* The headline of an error. A regression that was measured comes before what could not be measured: only the latter is
 * a matter of trying again. */
static char *error_headline(const CheckResult *result)
{
	g_autoptr(GPtrArray) regressed = decisive_benchmarks(result, VERDICT_REGRESSION);
	g_autofree char *reason = error_text(result);
	if (regressed->len == 0)
		return g_steal_pointer(&reason);
	g_autofree char *line = decisive_line(result, regressed);
	return g_strdup_printf("%s; and an error: %s", line, reason);
}

/* The line of the benchmark that improved by most, and how many more did; NULL if none did. Owned by the caller. */
static char *improved_line(const CheckResult *result)
{
	guint n_look, n = 0;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	const ResultBenchmark *best = NULL;
	for (guint i = 0; i < n_look; i++) {
		const StandingRow *row = &g_array_index(rows, StandingRow, i);
		if (row->standing != STANDING_IMPROVED)
			continue;
		best = best != NULL ? best : row->benchmark; /* rows of one standing begin with the largest change */
		n++;
	}
	if (best == NULL)
		return NULL;
	g_autofree char *line = benchmark_line_named(result, best);
	g_autofree char *more = n == 1 ? g_strdup("") : g_strdup_printf(", and %u more improved", n - 1);
	return g_strconcat(line, more, NULL);
}

/* Of several benchmarks that passed: what the number of them does not tell. */
static char *several_passed_headline(const CheckResult *result)
{
	g_autofree char *improved = improved_line(result);
	g_autoptr(GPtrArray) slower = highlights_slower(result);
	g_autofree char *reason = check_result_reason(result);
	GString *text = g_string_new(reason);
	if (improved != NULL)
		g_string_append_printf(text, "; %s", improved);
	if (slower->len == 1)
		g_string_append_printf(
		        text, "; but a function of %s is slower", ((const ResultBenchmark *)slower->pdata[0])->name);
	else if (slower->len > 1)
		g_string_append_printf(text, "; but functions of %u benchmarks are slower", slower->len);
	return g_string_free(text, FALSE);
}

char *headline_text(const CheckResult *result)
{
	if (result->mode != CHECK_GATE)
		return check_result_reason(result);
	if (result->verdict == VERDICT_ERROR)
		return error_headline(result);
	g_autoptr(GPtrArray) decisive = decisive_benchmarks(result, result->verdict);
	/* a pass with reasons has benchmarks that could not be compared, and they come first */
	gboolean several_passed = result->verdict == VERDICT_PASS && (decisive->len != 1 || result->reasons->len > 0);
	if (several_passed && decisive->len > 0)
		return several_passed_headline(result);
	if (decisive->len == 0)
		return check_result_reason(result);
	char *line = decisive_line(result, decisive);
	return result->verdict == VERDICT_PASS ? with_reservation(result, decisive->pdata[0], line) : line;
}
