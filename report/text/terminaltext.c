/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/terminaltext.h"

#include "report/text/terminaldetails.h"
#include "report/text/terminalrows.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"
#include "report/words/highlights.h"
#include "report/words/standingrows.h"
#include "report/words/wording.h"

#include <string.h>

/* An error names its cause also where that has been said before, while the check went on: the last line of a log is
 * what people read first. */
static char *headline(const CheckResult *result)
{
	const ResultReason *first = result->reasons->len > 0 ? g_ptr_array_index(result->reasons, 0) : NULL;
	if (first == NULL || !first->said)
		return headline_text(result);
	g_autofree char *line = headline_text(result);
	return g_strdup_printf("%s (%s)", result->verdict == VERDICT_ERROR ? line : first->text, first->code);
}

static void write_verdict(const Screen *screen)
{
	const CheckResult *result = screen->result;
	g_autofree char *line = headline(result), *text = wording_clean(line, TERMINAL_TEXT_MAX_CHARS);
	gboolean first = headline_is_first_run(result);
	g_autofree char *badge =
	        g_strdup_printf("%s %s:", first ? "•" : screen_verdict_sign(result->verdict), headline_word(result));
	screen_append_styled(screen, first ? STYLE_BOLD : screen_verdict_style(result->verdict), badge);
	g_string_append_c(screen->out, ' ');
	screen_append_wrapped(screen, text, wording_columns(badge) + 1, 2);
}

/* Writes the first lines below a verdict of pass, which say what is slower all the same. */
static void write_slower(const Screen *screen)
{
	g_autoptr(GPtrArray) slower = highlights_slower(screen->result);
	for (guint i = 0; i < slower->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(slower, i);
		g_autofree char *name = screen_name(benchmark->name);
		g_autofree char *sentence = wording_clean(benchmark->comparison->slower, TERMINAL_TEXT_MAX_CHARS);
		g_autofree char *line = g_strdup_printf("%s: %s", name, sentence);
		g_string_append(screen->out, "  ");
		screen_append_styled(screen, STYLE_YELLOW, "▲ ");
		screen_append_wrapped(screen, line, 4, 4);
	}
}

static void append_side(GString *out, const char *word, const ResultSide *side)
{
	g_autofree char *sha = wording_sha(side->sha), *short_sha = wording_clean(sha, 40),
	                *ref = wording_clean(side->ref, 60);
	g_string_append_printf(out, "%s %s", word, short_sha);
	if (*ref != '\0' && strcmp(ref, short_sha) != 0)
		g_string_append_printf(out, " %s", ref);
}

/* "1 slower, 7 unchanged; base 1a2b3c4 main (merge-base) → head 5d6e7f8 topic" */
static void write_sides(const Screen *screen)
{
	const CheckResult *result = screen->result;
	gboolean counts = result->mode == CHECK_GATE && result->benchmarks->len > 0;
	if (*result->base.sha == '\0' && *result->head.sha == '\0')
		return;
	g_autoptr(GString) line = g_string_new(NULL);
	if (counts) {
		g_autofree char *text = standing_counts(result);
		g_string_append_printf(line, "%s; ", text);
	}
	append_side(line, "base", &result->base);
	if (*result->base.chosen_by != '\0') {
		g_autofree char *chosen_by = wording_clean(result->base.chosen_by, 60);
		g_string_append_printf(line, " (%s)", chosen_by);
	}
	g_string_append(line, " → ");
	append_side(line, "head", &result->head);
	g_string_append(screen->out, "  ");
	screen_append_wrapped(screen, line->str, 2, 2);
}

/* TRUE if the headline has the numbers of the benchmark that the reason is about, and so says the same. */
static gboolean is_told_by_numbers(const CheckResult *result, const ResultReason *reason, const char *headline)
{
	for (guint i = 0; reason->benchmark != NULL && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		const BenchmarkComparison *comparison = benchmark->comparison;
		if (comparison == NULL || !g_str_equal(benchmark->name, reason->benchmark))
			continue;
		const char *sentence = comparison->sentence;
		return g_str_equal(comparison->reason, reason->text) && sentence != NULL && *sentence != '\0' &&
		       strstr(headline, sentence) != NULL;
	}
	return FALSE;
}

/* Every reason that neither the headline nor a row tells. The headline of a check that failed tells the first one in
 * its own words; that of an open one has the words of a benchmark, which need not be the first that has a reason. */
static void write_reasons(const Screen *screen)
{
	const CheckResult *result = screen->result;
	g_autofree char *headline = headline_text(result);
	guint told = result->exit_code == 0 || result->verdict == VERDICT_INCONCLUSIVE ? 0 : 1;
	gboolean has_rows = screen->options->details || result->benchmarks->len > 1;
	for (guint i = told; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		/* of what regressed, rows have the gravest metric, and the details have all */
		gboolean short_row = !screen->options->details && reason->exit_code == 1;
		gboolean in_row = has_rows && reason->benchmark != NULL && (reason->exit_code == 0 || short_row);
		if (reason->said || in_row || strstr(headline, reason->text) != NULL ||
		        is_told_by_numbers(result, reason, headline))
			continue;
		g_autofree char *line = benchmark_line_about(reason->benchmark, reason->text),
		                *text = wording_clean(line, TERMINAL_TEXT_MAX_CHARS);
		g_string_append(screen->out, "  also: ");
		screen_append_wrapped(screen, text, 8, 8);
	}
}

char *terminal_text(const CheckResult *result, const TerminalOptions *options)
{
	guint n_look;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	Screen screen = {result, options, g_string_new(NULL)};
	write_verdict(&screen);
	write_slower(&screen);
	write_sides(&screen);
	write_reasons(&screen);
	if (options->details)
		terminal_details_write(&screen);
	else if (result->mode == CHECK_GATE && result->benchmarks->len > 1)
		terminal_rows_write(&screen, rows, n_look);
	terminal_steps_write(&screen, rows);
	return g_string_free(screen.out, FALSE);
}
