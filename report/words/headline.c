/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/headline.h"

#include "compare/outcomewords.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"
#include "report/words/standingrows.h"
#include "report/words/wording.h"

#include <string.h>

/* The benchmarks that ended with a verdict, the largest change first, as the rows below the headline have them. */
static GPtrArray *decisive_benchmarks(const CheckResult *result, Verdict verdict)
{
	guint n_look;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	GPtrArray *decisive = g_ptr_array_new();
	for (guint i = 0; i < rows->len; i++) {
		const ResultBenchmark *benchmark = g_array_index(rows, StandingRow, i).benchmark;
		gboolean is_new = g_array_index(rows, StandingRow, i).standing == STANDING_NEW;
		if (benchmark->comparison != NULL && benchmark->comparison->verdict == verdict && !is_new)
			g_ptr_array_add(decisive, (gpointer)benchmark);
	}
	return decisive;
}

/* The first of them with its line, and how many more there are. */
static char *decisive_line(const CheckResult *result, const GPtrArray *decisive)
{
	g_autofree char *line = benchmark_line_named(result, decisive->pdata[0]);
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
	gboolean slower = highlights_is_slower(result, benchmark);
	g_autofree char *moved = slower && highlights_is_shift(benchmark) ? highlights_moved(benchmark) : NULL;
	const char *but = highlights_is_accepted(benchmark->comparison) ? "accepted"
	                  : moved != NULL                               ? moved
	                  : slower                                      ? "but a function is slower"
	                                                                : NULL;
	if (but == NULL)
		return line;
	char *whole = g_strdup_printf("%s; %s", line, but);
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

/* Appends what passed although a function of it is slower, or where cost moved. */
static void append_slower(GString *text, const CheckResult *result)
{
	g_autoptr(GPtrArray) all = highlights_slower(result);
	const ResultBenchmark *slower = NULL, *moved = NULL;
	guint n_slower = 0, n_moved = 0;
	for (guint i = 0; i < all->len; i++) {
		const ResultBenchmark *benchmark = all->pdata[i];
		gboolean is_shift = highlights_is_shift(benchmark);
		slower = slower == NULL && !is_shift ? benchmark : slower;
		moved = moved == NULL && is_shift ? benchmark : moved;
		n_slower += !is_shift;
		n_moved += is_shift;
	}
	if (n_slower == 1)
		g_string_append_printf(text, "; but a function of %s is slower", slower->name);
	else if (n_slower > 1)
		g_string_append_printf(text, "; but functions of %u benchmarks are slower", n_slower);
	if (n_moved == 0)
		return;
	g_autofree char *words = highlights_moved(moved);
	g_string_append_printf(text, "; in %s %s", moved->name, words);
	if (n_moved > 1)
		g_string_append_printf(text, ", and in %u more benchmark%s", n_moved - 1, n_moved == 2 ? "" : "s");
}

/* Of several benchmarks that passed: what the number of them does not tell. */
static char *several_passed_headline(const CheckResult *result)
{
	g_autofree char *improved = improved_line(result);
	g_autofree char *reason = check_result_reason(result);
	GString *text = g_string_new(reason);
	if (improved != NULL)
		g_string_append_printf(text, "; %s", improved);
	append_slower(text, result);
	return g_string_free(text, FALSE);
}

gboolean headline_is_first_run(const CheckResult *result)
{
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++)
		n += standing_of(result, result->benchmarks->pdata[i]) == STANDING_NEW;
	return result->mode == CHECK_GATE && result->verdict == VERDICT_PASS && n > 0 && n == result->benchmarks->len;
}

const char *headline_word(const CheckResult *result)
{
	return headline_is_first_run(result) ? "First run" : wording_verdict(result->verdict);
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
