/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/terminalrows.h"

#include "compare/acceptance.h"
#include "compare/comparison/sentence.h"
#include "report/words/highlights.h"
#include "report/words/nextsteps.h"
#include "report/words/rowreason.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"

#include <string.h>

#define ROWS_SHOWN 4
#define SHA_DIGITS 12
#define REPORT_ALPHA .05 /* where a report does not say */

/* "score_hits in rank.c:21" of what changed the benchmark, else the reason of its result. Foreign text, owned by the
 * caller. */
static char *cause_of(const Screen *screen, const StandingRow *row)
{
	const BenchmarkComparison *comparison = row->benchmark->comparison;
	if (row->standing == STANDING_SLOWER || row->standing == STANDING_SHIFTED)
		return g_strdup(comparison->slower);
	const FunctionComparison *function =
	        row->standing == STANDING_REGRESSED || row->standing == STANDING_IMPROVED
	                ? sentence_function(
	                          comparison, comparison->report_alpha > 0 ? comparison->report_alpha : REPORT_ALPHA)
	                : NULL;
	if (function == NULL)
		return row_reason(screen->result, row->benchmark);
	const StackTable *table = comparison->table;
	g_autofree char *place = highlights_where(comparison, table, function);
	const char *name = highlights_name(table, function->frame);
	return *place == '\0' ? g_strdup(name) : g_strdup_printf("%s in %s", name, place);
}

static void add_row(const Screen *screen, TextTable *table, const StandingRow *row)
{
	Verdict verdict = result_benchmark_verdict(row->benchmark);
	const char *style = row->standing == STANDING_ACCEPTED ? STYLE_BOLD_YELLOW : screen_verdict_style(verdict);
	g_autofree char *cause = cause_of(screen, row), *name = screen_name(row->benchmark->name);
	text_table_take(table, g_strdup_printf("%s %s", screen_verdict_sign(verdict), name), NULL);
	text_table_take(table, g_strdup(standing_word(row->benchmark, row->standing)), screen_styled(screen, style));
	text_table_take(table, row->metric != NULL ? wording_metric_change(row->metric) : g_strdup(""), NULL);
	text_table_take(table, row->metric != NULL ? wording_metric_interval(row->metric) : g_strdup(""), NULL);
	text_table_take(table, wording_clean(cause, TERMINAL_TEXT_MAX_CHARS), NULL);
}

void terminal_rows_write(const Screen *screen, const GArray *rows, guint n_look)
{
	g_autoptr(TextTable) table = text_table_new("llrll");
	guint n = n_look <= ROWS_SHOWN ? n_look : ROWS_SHOWN - 1;
	for (guint i = 0; i < n; i++)
		add_row(screen, table, &g_array_index(rows, StandingRow, i));
	text_table_append(screen->out, table, "  ", screen->options->width);
	if (n < n_look)
		g_string_append_printf(screen->out, "  and %u more\n", n_look - n);
}

static void write_step(const Screen *screen, const char *label, const char *text)
{
	g_string_append_printf(screen->out, "  %s: ", label);
	screen_append_wrapped(screen, text, strlen(label) + 4, 4);
}

static void write_acceptance(const Screen *screen, const GArray *rows)
{
	gboolean more;
	g_autoptr(GPtrArray) names = next_steps_names(rows, TRUE, &more);
	if (names->len == 0)
		return;
	g_autofree char *line =
	        g_strdup_printf("commit trailer `" ACCEPTANCE_TRAILER ": %s: REASON`", (const char *)names->pdata[0]);
	write_step(screen, "to accept it", line);
}

/* The step that would decide the first benchmark that is unclear. */
static void write_decision(const Screen *screen, const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		const StandingRow *row = &g_array_index(rows, StandingRow, i);
		g_autofree char *step = next_steps_decide(row), *name = screen_name(row->benchmark->name);
		g_autofree char *label =
		        rows->len > 1 ? g_strdup_printf("to decide %s", name) : g_strdup("to decide it");
		if (step == NULL)
			continue;
		write_step(screen, label, step);
		return;
	}
}

/* The number of findings that a reader should know of; infos are not among them. */
static guint count_warnings(const CheckResult *result)
{
	guint n = 0;
	for (guint i = 0; i < finding_count(result->findings); i++)
		n += finding_get(result->findings, i)->severity != FINDING_INFO;
	return n;
}

/* All numbers, and what was left out of the lines above. */
static void write_where_the_rest_is(const Screen *screen)
{
	guint n = count_warnings(screen->result);
	g_autofree char *folder = wording_clean(screen->options->out_dir, TERMINAL_TEXT_MAX_CHARS);
	gboolean plain = strspn(folder, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-") == strlen(folder);
	g_autofree char *quoted = g_str_equal(folder, "firebreak-out") ? g_strdup("")
	                          : plain                              ? g_strdup(folder)
	                                                               : g_shell_quote(folder);
	g_autofree char *warnings = n == 0 ? g_strdup("") : g_strdup_printf(" and %u warning%s", n, n == 1 ? "" : "s");
	g_string_append_printf(screen->out, "  all numbers%s: firebreak report%s%s; terms: firebreak glossary\n",
	        warnings, *quoted != '\0' ? " " : "", quoted);
}

void terminal_steps_write(const Screen *screen, const GArray *rows)
{
	gboolean gate = screen->result->mode == CHECK_GATE;
	g_autofree char *command = gate ? next_steps_command(screen->result, rows, SHA_DIGITS) : NULL;
	if (command != NULL && !screen->options->details)
		write_step(screen, "reproduce", command);
	const char *merge = next_steps_merge(screen->result);
	if (merge != NULL)
		write_step(screen, "may it be merged", merge);
	if (gate)
		write_decision(screen, rows);
	if (gate)
		write_acceptance(screen, rows);
	/* of what ended before there was a benchmark, the headline is all */
	if (screen->options->out_dir == NULL || (gate && rows->len == 0))
		return;
	if (screen->options->page)
		screen_append_file(screen, "open in a browser", "report.html");
	if (screen->options->details)
		screen_append_file(screen, "report", "report.json");
	else
		write_where_the_rest_is(screen);
}
