/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/nextsteps.h"

#include "compare/comparison/sentence.h"
#include "compare/measured.h"
#include "compare/timed/fitness.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/textpiece.h"

#include <math.h>
#include <string.h>

#define STEPS_NAMED 5 /* so many benchmarks are named */
#define NAME_MAX_BYTES 64

/* As a configuration allows it: nothing that a shell or YAML would take for anything else, and no option. */
static gboolean is_copied_safely(const char *name)
{
	gsize length = strnlen(name, NAME_MAX_BYTES + 1);
	return g_ascii_isalnum(*name) && length <= NAME_MAX_BYTES &&
	       strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == length;
}

GPtrArray *next_steps_names(const GArray *rows, gboolean regressed, gboolean *more)
{
	GPtrArray *names = g_ptr_array_new();
	*more = FALSE;
	for (guint i = 0; i < rows->len && !*more; i++) {
		const StandingRow *row = &g_array_index(rows, StandingRow, i);
		gboolean wanted = regressed ? row->standing == STANDING_REGRESSED : row->standing <= STANDING_SHIFTED;
		if (!wanted || !is_copied_safely(row->benchmark->name))
			continue;
		*more = names->len == STEPS_NAMED;
		if (!*more)
			g_ptr_array_add(names, row->benchmark->name);
	}
	return names;
}

gboolean next_steps_is_commit(const char *sha)
{
	gsize digits = text_hex_digits(sha);
	return digits >= 7 && digits <= 64;
}

char *next_steps_command(const CheckResult *result, const GArray *rows, guint sha_digits)
{
	const char *base = result->base.sha, *head = result->head.sha;
	gboolean more, worktree = g_str_equal(head, "worktree");
	g_autoptr(GPtrArray) names = next_steps_names(rows, FALSE, &more);
	if (names->len == 0 || !next_steps_is_commit(base) || (!worktree && !next_steps_is_commit(head)))
		return NULL;
	GString *out = g_string_new("firebreak check");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(out, " -b %s", (const char *)names->pdata[i]);
	int digits = sha_digits == 0 ? -1 : (int)sha_digits; /* the same as a precision: all */
	g_string_append_printf(out, " --base %.*s --head %.*s", digits, base, digits, head);
	return g_string_free(out, FALSE);
}

const char *next_steps_merge(const CheckResult *result)
{
	if (result->mode != CHECK_GATE || result->verdict != VERDICT_INCONCLUSIVE)
		return NULL;
	return result_is_measured(result)
	               ? "undecided, since no slowdown is shown and none is ruled out. Exit code 3 fails the job, "
	                 "unless it runs with `--on-inconclusive=pass`"
	               : "no, since not everything was measured. Exit code 3 fails the job, also with "
	                 "`--on-inconclusive=pass`";
}

/* --- what would decide it --- */

/* The factor from which on "longer" is worth a number, and up to which a run can be asked to be longer. */
#define MIN_LONGER 1.05
#define MAX_LONGER 50
/* From here on it has no decimals. */
#define WHOLE_LONGER 10

/* Rounds after which the change would be decided if it stayed what it is: the interval shrinks with the root of their
 * number, and has to leave one of the two margins. 0 where it lies on one of them. */
static guint rounds_if_it_stays(const MetricComparison *metric)
{
	gboolean flipped = metric->higher_is_better;
	double change = flipped ? -log(metric->change_ratio) : log(metric->change_ratio);
	double worst = flipped ? -log(metric->lower_ratio) : log(metric->upper_ratio);
	double best = flipped ? -log(metric->upper_ratio) : log(metric->lower_ratio);
	double to_fail = (change - best) / (change - log1p(metric->margin));
	double to_pass = (worst - change) / (log1p(metric->pass_margin) - change);
	double factor = fmin(to_fail > 1 ? to_fail : INFINITY, to_pass > 1 ? to_pass : INFINITY);
	double rounds = ceil(metric->rounds * factor * factor);
	return isfinite(rounds) && rounds <= FITNESS_MOST_ROUNDS * MAX_LONGER ? (guint)rounds : 0;
}

/* The same as judged by noise alone, where it hides even a change of the pass margin. */
static guint rounds_wanted(const MetricComparison *metric)
{
	double visible = metric->margin + metric->mde_ratio;
	gboolean noisy = isfinite(visible) && visible > metric->pass_margin;
	return noisy ? metric->rounds_needed : rounds_if_it_stays(metric);
}

/* Of a metric that noise left open. */
static char *more_evidence(const MetricComparison *metric)
{
	GString *text = g_string_new(NULL);
	guint wanted = rounds_wanted(metric);
	double longer = (double)wanted / MAX(metric->rounds, 1);
	g_autofree char *times = longer < WHOLE_LONGER ? number_factor(longer) : number_decimal(longer, 0);
	if (wanted > metric->rounds && wanted <= FITNESS_MOST_ROUNDS)
		g_string_append_printf(text, "set `rounds: %u` (now %u), ", wanted, metric->rounds);
	if (longer >= MIN_LONGER && longer <= MAX_LONGER)
		g_string_append_printf(text, "let a run do %s times the work", times);
	else
		g_string_append(text, wanted == 0 ? "let a run do many times the work" : "let a run do more work");
	if (metric_is_time(metric))
		g_string_append(text, ", or count instructions, which have no noise: `engines: [callgrind]`");
	return g_string_free(text, FALSE);
}

static const struct {
	const char *code, *step;
} steps_of_codes[] = {
        {"too_few_rounds", "measure more rounds: without `--rounds` and `rounds` there are 8 to 20"},
        {"out_of_time", "give the check more time (`--max-time`), or several machines (`--shard`)"},
        {"not_confirmed", "check again: two campaigns did not agree, so one of them was chance"},
        {"confirmation_unclear",
                "check again with longer runs: the second campaign neither confirmed nor ruled out the regression"},
        {"contaminated",
                "check again on a quieter machine: a program that is the same on both sides took different times"},
};

char *next_steps_decide(const StandingRow *row)
{
	const BenchmarkComparison *comparison = row->benchmark->comparison;
	if (row->standing != STANDING_INCONCLUSIVE || comparison == NULL)
		return NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(steps_of_codes); i++)
		if (g_str_equal(comparison->reason_code, steps_of_codes[i].code))
			return g_strdup(steps_of_codes[i].step);
	const MetricComparison *open = most_telling_metric(comparison->metrics, VERDICT_INCONCLUSIVE);
	gboolean noise = open != NULL && !engine_counts(open->engine) && isfinite(open->mde_ratio);
	return noise ? more_evidence(open) : NULL;
}
