/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlanswers.h"

#include "compare/acceptance.h"
#include "compare/comparison/changewords.h"
#include "compare/comparison/culprit.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "report/html/htmltext.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"
#include "report/words/nextsteps.h"
#include "report/words/rowreason.h"
#include "report/words/standingrows.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define HTML_MAX_ANSWERED 4 /* benchmarks, so that the answers stay on the first screen */
#define MOST_ROUNDS 62      /* that a campaign can have */
#define REPORT_ALPHA .05    /* of functions, where a report that was read does not say it */
#define MAX_RENAMED 3

/* The rows that are answered for; `named` if their names stand before the answers. */
typedef struct {
	const CheckResult *result;
	const GArray *rows;
	guint n, more;
	gboolean named;
} Answers;

static const StandingRow *row_at(const Answers *answers, guint index)
{
	return &g_array_index(answers->rows, StandingRow, index);
}

/* --- why --- */

const FunctionComparison *html_answers_cause(
        const CheckResult *result, const ResultBenchmark *benchmark, FunctionList *list)
{
	const FunctionComparison *function = highlights_culprit(benchmark, list);
	if (function == NULL)
		function = highlights_slower_function(benchmark, list);
	if (function != NULL || standing_of(result, benchmark) != STANDING_IMPROVED)
		return function;
	FunctionList lists[FUNCTION_LISTS];
	if (highlights_function_lists(benchmark, lists) == 0)
		return NULL;
	*list = lists[0];
	double alpha = list->comparison->report_alpha > 0 ? list->comparison->report_alpha : REPORT_ALPHA;
	return culprit_find(list->comparison, CULPRIT_OF_FALLS, alpha).seen;
}

static const char *relation_words(const FunctionComparison *function)
{
	switch (function->relation) {
	case CHANGE_TOUCHED:
		return ", edited in this change";
	case CHANGE_CALLS_TOUCHED:
		return ", which calls code that this change edits";
	case CHANGE_CALLED_BY_TOUCHED:
		return ", which code that this change edits calls";
	case CHANGE_UNTOUCHED:
		return ", which this change does not edit";
	default:
		return "";
	}
}

/* "+33.1 %" of a share, not in points. Owned by the caller. */
static char *share_words(const FunctionList *list, double share)
{
	char *points = number_words(list->comparison->counted)->points(share);
	char *end = strstr(points, " pp");
	if (end != NULL)
		*end = '\0';
	return points;
}

static void append_share(GString *out, const FunctionList *list, const FunctionComparison *function)
{
	double total = list->comparison->total_change;
	if (!isfinite(function->contribution))
		return;
	g_autofree char *share = share_words(list, function->contribution);
	g_autofree char *whole = number_words(list->comparison->counted)->change(1 + total);
	g_string_append_printf(out, ", which is <b>%s %%</b> of the cost of base", share);
	if (isfinite(total) && fabs(total) > .001)
		g_string_append_printf(out, "; the whole benchmark changed by %s", whole);
}

static void append_cause(GString *out, const FunctionList *list, const FunctionComparison *function)
{
	const NumberWords *words = number_words(list->comparison->counted);
	const char *unit = list->comparison->counted ? NULL : list->unit;
	g_autofree char *base = words->value(function->base_cost, unit),
	                *head = words->value(function->head_cost, unit);
	g_autofree char *place = highlights_where(list->comparison, list->table, function);
	html_code(out, highlights_name(list->table, function->frame));
	if (*place != '\0') {
		g_string_append(out, " in ");
		html_name(out, place, HTML_NAME_CHARS);
	}
	g_string_append_printf(out, "%s: <b>", relation_words(function));
	html_text(out, base);
	g_string_append(out, " → ");
	html_text(out, head);
	g_string_append(out, "</b> in each run");
	append_share(out, list, function);
	if (function->klass == FUNCTION_COST_SHIFT && function->note != NULL) {
		g_string_append(out, "; ");
		html_text(out, function->note);
	}
}

static void append_accepted(GString *out, const BenchmarkComparison *comparison)
{
	const AcceptedRegression *accepted = comparison->accepted->pdata[0];
	html_text(out, accepted->text);
	g_string_append(out, " is accepted in ");
	html_text(out, accepted->where);
	g_string_append(out, ": ");
	html_short(out, accepted->reason, 200);
}

/* "takes 13 % less time (13 to 14 %); ": the headline of several benchmarks that passed says nothing of one that
 * improved.
 */
static void append_change(GString *out, const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	g_autofree char *words = change_words(comparison, metric);
	gsize name = strlen(comparison->benchmark);
	html_text(out, g_str_has_prefix(words, comparison->benchmark) ? words + name : words);
	g_string_append(out, "; ");
}

static void append_reason(GString *out, const Answers *answers, const StandingRow *row)
{
	g_autofree char *reason = row_reason(answers->result, row->benchmark);
	html_short(out, reason, 400);
}

/* Why rounds could not decide, in the words of the plot that shows them. */
static void append_scatter(GString *out, const MetricComparison *metric)
{
	g_autofree char *scatter = number_about(metric->sd_log), *margin = number_margin(metric->margin);
	html_text(out, change_words_name(metric));
	g_string_append_printf(out,
	        ": the change differs from round to round by %s (standard deviation), too much for %u "
	        "rounds to tell whether it is above the margin of %s",
	        scatter, metric->rounds, margin);
}

static void append_why(GString *out, const Answers *answers, const StandingRow *row)
{
	FunctionList list;
	const FunctionComparison *function = html_answers_cause(answers->result, row->benchmark, &list);
	const BenchmarkComparison *comparison = row->benchmark->comparison;
	if (row->standing == STANDING_ACCEPTED && comparison->accepted != NULL && comparison->accepted->len > 0) {
		append_accepted(out, comparison);
		g_string_append(out, function != NULL ? "; " : "");
	}
	if (row->standing == STANDING_IMPROVED)
		append_change(out, comparison, row->metric);
	if (function != NULL)
		append_cause(out, &list, function);
	else if (row->standing == STANDING_REGRESSED || row->standing == STANDING_IMPROVED)
		g_string_append(out, "no single function is shown to have changed; the metrics below say what did");
	else if (row->standing == STANDING_NEW)
		append_reason(out, answers, row);
	else if (row->standing == STANDING_INCONCLUSIVE && row->metric != NULL && row->metric->sd_log > 0)
		append_scatter(out, row->metric);
	else if (row->standing != STANDING_ACCEPTED)
		append_reason(out, answers, row);
}

/* --- how sure --- */

static void append_bounds(GString *out, const MetricComparison *metric)
{
	g_autofree char *change = wording_metric_change(metric);
	gboolean counted = engine_counts(metric->engine);
	html_text(out, change_words_name(metric));
	g_string_append_printf(out, " <b>%s</b>", change);
	if (counted) {
		g_string_append(out, "; counted exactly, without noise");
	} else if (isfinite(metric->lower_ratio) && isfinite(metric->upper_ratio) && metric->lower_ratio > 0) {
		g_autofree char *lower = number_change(metric->lower_ratio),
		                *upper = number_change(metric->upper_ratio);
		g_string_append_printf(
		        out, "; %u rounds put the true change between %s and %s", metric->rounds, lower, upper);
	}
}

static void append_limits(GString *out, const MetricComparison *metric)
{
	g_autofree char *margin = number_margin(metric->margin), *pass = number_margin(metric->pass_margin);
	g_string_append_printf(out,
	        "; a regression is what is shown to be above the margin of %s, a pass what is shown "
	        "to be below %s",
	        margin, pass);
}

static void append_how_sure(GString *out, const Answers *answers, const StandingRow *row)
{
	const MetricComparison *metric = row->metric;
	const BenchmarkComparison *comparison = row->benchmark->comparison;
	gboolean gated = answers->result->mode == CHECK_GATE && comparison != NULL;
	gboolean plain =
	        comparison != NULL && comparison->confirmation == CONFIRMATION_CONFIRMED && !comparison->counted;
	g_autofree char *again = !gated  ? NULL
	                         : plain ? g_strdup("a second measurement of its own found it again (confirmed)")
	                                 : wording_confirmation(comparison);
	if (metric == NULL || wording_not_judged(metric) != NULL || !metric->gates) {
		g_string_append(out, "nothing was compared");
		return;
	}
	append_bounds(out, metric);
	if (row->standing == STANDING_INCONCLUSIVE)
		append_limits(out, metric);
	if (again != NULL) {
		g_string_append(out, "; ");
		html_text(out, again);
	}
}

/* A pass without a benchmark that needs a look: how small a slowdown may be that nobody would see. */
static void append_ruled_out(GString *out, const Answers *answers)
{
	double least = INFINITY, most = 0;
	const char *name = NULL;
	for (guint i = 0; i < answers->rows->len; i++) {
		const MetricComparison *metric = row_at(answers, i)->metric;
		if (metric == NULL || !metric->gates || !isfinite(metric->pass_margin))
			continue;
		least = fmin(least, metric->pass_margin);
		most = fmax(most, metric->pass_margin);
		name = name == NULL ? change_words_name(metric) : name;
	}
	if (name == NULL)
		return;
	g_autofree char *range = number_share_range(least, most);
	g_string_append_printf(out, "<dt>how sure</dt><dd>a slowdown of more than %s is ruled out, by ", range);
	html_text(out, name);
	g_string_append(out, "; a smaller one may be there</dd>\n");
}

/* Functions that have another name in head: a reader would take them for removed and new. */
static void append_renamed(GString *out, const Answers *answers)
{
	guint n = 0;
	for (guint i = 0; i < answers->rows->len && n < MAX_RENAMED; i++) {
		FunctionList lists[FUNCTION_LISTS];
		if (highlights_function_lists(row_at(answers, i)->benchmark, lists) == 0)
			continue;
		const GPtrArray *functions = lists[0].comparison->functions;
		for (guint f = 0; f < functions->len && n < MAX_RENAMED; f++) {
			const FunctionComparison *function = functions->pdata[f];
			if (function->klass != FUNCTION_RENAMED)
				continue;
			g_string_append(out, n++ == 0 ? "<dt>renamed</dt><dd>" : ", ");
			html_code(out, highlights_name(lists[0].table, function->renamed_from));
			g_string_append(out, " is now ");
			html_code(out, highlights_name(lists[0].table, function->frame));
		}
	}
	if (n > 0)
		g_string_append(out, ", compared as one function</dd>\n");
}

/* --- what to do --- */

static void append_command(GString *out, const char *what, const char *text)
{
	g_string_append_printf(out, "<dt></dt><dd><span class=\"more\">%s</span>", what);
	html_element(out, "pre", "command", text);
	g_string_append(out, "</dd>\n");
}

/* The finding that says what helps against noise, as the check found out. NULL if there is no such finding. Borrowed.
 */
static const Finding *remedy_of(const CheckResult *result, const char *benchmark)
{
	static const char *const codes[] = {"noisy_benchmark", "short_benchmark", "few_samples"};
	for (gsize code = 0; code < G_N_ELEMENTS(codes); code++)
		for (guint i = 0; i < finding_count(result->findings); i++) {
			const Finding *finding = finding_get(result->findings, i);
			if (g_strcmp0(finding->benchmark, benchmark) == 0 && g_str_equal(finding->code, codes[code]))
				return finding;
		}
	return NULL;
}

/* `code` between backticks as an element. */
static void append_backticks(GString *out, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "`", -1);
	for (guint i = 0; parts[i] != NULL; i++)
		html_element(out, i % 2 == 0 ? "span" : "code", NULL, parts[i]);
}

/* The part of it that says what helps: the rest stands above. */
static void append_remedy(GString *out, const char *text)
{
	static const char without[] = "What helps: ";
	const char *longer = strstr(text, "Longer runs help"), *other = strstr(text, without);
	g_autofree char *shortened = wording_shorten_words(longer != NULL  ? longer
	                                                   : other != NULL ? other + strlen(without)
	                                                                   : text,
	        600);
	append_backticks(out, shortened);
}

static void append_inconclusive_step(GString *out, const CheckResult *result, const StandingRow *row)
{
	const Finding *remedy = remedy_of(result, row->benchmark->name);
	if (row->metric != NULL && !engine_counts(row->metric->engine))
		g_string_append(out,
		        "Count instructions, which do not vary: <code>engines: [callgrind]</code> in its entry "
		        "of firebreak.yml. If time has to decide: ");
	if (remedy != NULL)
		append_remedy(out, remedy->text);
	else
		g_string_append(out, "measure again on a quiet machine, with the command below");
}

/* The step of the reader of a benchmark of that standing; NULL where it depends on the benchmark. Static. */
static const char *step_words(const StandingRow *row)
{
	static const char *const words[N_STANDINGS] = {
	        [STANDING_REGRESSED] =
	                "make it cheaper, or accept it with the text below; to allow as much from now on, "
	                "raise its margin in firebreak.yml by a change of its own",
	        [STANDING_BROKEN] = "mend what makes it fail; until then nothing is known of its speed",
	        [STANDING_ACCEPTED] = "nothing, if you agree with the reason that is given: it is slower on purpose",
	        [STANDING_SLOWER] =
	                "nothing has to be done, since the total passes; look at the function if it matters",
	        [STANDING_SHIFTED] =
	                "nothing, if you moved work between these functions: the total is not slower; if you did not, "
	                "look at both: one became slower, and the other one faster by as much",
	        [STANDING_IMPROVED] = "nothing: it is an improvement",
	        [STANDING_NEW] = "nothing: the next change is compared with this one",
	};
	return words[row->standing];
}

static void append_step(GString *out, const Answers *answers, const StandingRow *row)
{
	const char *words = step_words(row);
	if (words != NULL)
		g_string_append(out, words);
	else
		append_inconclusive_step(out, answers->result, row);
}

/* The lines of a commit message that accept what regressed; NULL if nothing did. Owned by the caller. */
static char *acceptance_of(const GArray *rows)
{
	gboolean more;
	g_autoptr(GPtrArray) names = next_steps_names(rows, TRUE, &more);
	GString *lines = g_string_new(NULL);
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(lines, "%s%s: %s: REASON", i > 0 ? "\n" : "", ACCEPTANCE_TRAILER,
		        (const char *)names->pdata[i]);
	return g_string_free(lines, lines->len == 0);
}

/* The rounds to ask for where something is inconclusive: what the noisiest needs, at least twice as many as there were;
 * 0 where no number of rounds that a campaign can have will do. */
static guint rounds_wanted(const Answers *answers)
{
	guint wanted = 0;
	for (guint i = 0; i < answers->n; i++) {
		const MetricComparison *metric = row_at(answers, i)->metric;
		if (row_at(answers, i)->standing != STANDING_INCONCLUSIVE || metric == NULL ||
		        engine_counts(metric->engine))
			continue;
		if (metric->rounds_needed == 0 || metric->rounds_needed > MOST_ROUNDS)
			return 0;
		wanted = MAX(wanted, MAX(metric->rounds_needed, 2 * metric->rounds));
	}
	return MIN(wanted, MOST_ROUNDS);
}

static char *command_of(const Answers *answers)
{
	char *command = next_steps_command(answers->result, answers->rows, 0);
	guint rounds = rounds_wanted(answers);
	if (command == NULL || rounds == 0)
		return command;
	char *longer = g_strdup_printf("%s --rounds %u", command, rounds);
	g_free(command);
	return longer;
}

static void append_commands(GString *out, const Answers *answers)
{
	g_autofree char *command = command_of(answers), *acceptance = acceptance_of(answers->rows);
	if (command != NULL)
		append_command(out, rounds_wanted(answers) > 0 ? "measure longer:" : "reproduce it:", command);
	if (acceptance != NULL)
		append_command(out, "accept it, if it is intended: end a commit message with", acceptance);
}

/* --- all of it --- */

typedef void (*Answer)(GString *out, const Answers *answers, const StandingRow *row);

static char *answer_of(const Answers *answers, guint index, Answer answer)
{
	GString *text = g_string_new(NULL);
	answer(text, answers, row_at(answers, index));
	return g_string_free(text, FALSE);
}

/* TRUE if the answer is the same for all of them. */
static gboolean is_one_answer(const Answers *answers, Answer answer)
{
	g_autofree char *first = answer_of(answers, 0, answer);
	for (guint i = 1; i < answers->n; i++) {
		g_autofree char *other = answer_of(answers, i, answer);
		if (!g_str_equal(first, other))
			return FALSE;
	}
	return TRUE;
}

static void append_named_answer(GString *out, const Answers *answers, guint index, Answer answer)
{
	const StandingRow *row = row_at(answers, index);
	g_autofree char *text = answer_of(answers, index, answer);
	g_string_append(out, answers->n > 1 ? "<p>" : "");
	if (answers->named) {
		html_element(out, "b", NULL, row->benchmark->name);
		g_string_append(out, row->standing == STANDING_IMPROVED && answer == append_why ? "" : ": ");
	}
	g_string_append(out, text);
	g_string_append(out, answers->n > 1 ? "</p>" : "");
}

static void append_answer(GString *out, const Answers *answers, const char *question, Answer answer)
{
	g_string_append_printf(out, "<dt>%s</dt><dd>", question);
	if (answers->n > 1 && is_one_answer(answers, answer)) {
		g_autofree char *text = answer_of(answers, 0, answer);
		g_string_append(out, text);
	} else {
		for (guint i = 0; i < answers->n; i++)
			append_named_answer(out, answers, i, answer);
	}
	if (answers->more > 0)
		g_string_append_printf(out, "<p class=\"note\">%u more below</p>", answers->more);
	g_string_append(out, "</dd>\n");
}

static void append_steps(GString *out, const Answers *answers)
{
	const char *merge = next_steps_merge(answers->result);
	if (merge != NULL) {
		g_string_append(out, "<dt>may it be merged</dt><dd>");
		append_backticks(out, merge);
		g_string_append(out, "</dd>\n");
	}
	append_answer(out, answers, "what to do", append_step);
	append_commands(out, answers);
}

void html_answers(GString *out, const CheckResult *result)
{
	guint n_look;
	if (result->mode != CHECK_GATE)
		return;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	Answers answers = {result, rows, MIN(n_look, HTML_MAX_ANSWERED), n_look - MIN(n_look, HTML_MAX_ANSWERED),
	        result->benchmarks->len > 1};
	g_string_append(out, "<dl class=\"steps\">\n");
	if (answers.n > 0) {
		append_answer(out, &answers, "why", append_why);
		append_answer(out, &answers, "how sure", append_how_sure);
		append_steps(out, &answers);
	} else if (result->verdict == VERDICT_PASS && rows->len > 0) {
		append_renamed(out, &answers);
		append_ruled_out(out, &answers);
		g_string_append(out, "<dt>what to do</dt><dd>nothing</dd>\n");
	}
	g_string_append(out, "</dl>\n");
}
