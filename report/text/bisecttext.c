/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/bisecttext.h"

#include "core/escape.h"
#include "model/numbers/number.h"

#include <math.h>

#define MAIN_SHARE .5 /* of the change that a culprit makes, or else others come after it */
#define SHOWN_SUSPECTS 20

/* --- one test --- */

char *bisect_test_text(const BisectTest *test)
{
	static const char *const sources[] = {"", ", as stored", ", the same files as another commit"};
	const char *text = test->answer.text != NULL ? test->answer.text : "";
	g_autofree char *base = test->base != NULL ? g_strdup_printf(" against %.12s", test->base) : g_strdup("");
	return g_strdup_printf("%-10s  %.12s  %s%s%s  (%s)", bisect_verdict_name(test->answer.verdict), test->sha, text,
	        base, sources[test->source], test->subject != NULL ? test->subject : "");
}

/* --- shares --- */

/* The test of bad against good. */
static const BisectTest *whole_of(const BisectLog *log)
{
	return bisect_log_last(log, log->bad);
}

double bisect_step_share(const BisectLog *log)
{
	const BisectTest *whole = whole_of(log);
	if (whole == NULL || log->step == NULL)
		return NAN;
	if (log->target.function != NULL)
		return log->step->answer.contribution / whole->answer.contribution;
	double share = log1p(log->step->answer.change_ratio - 1) / log1p(whole->answer.change_ratio - 1);
	return isfinite(share) ? share : NAN;
}

/* --- the whole --- */

static void append(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append(GString *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *line = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *safe = escape_to_string(escape_terminal, line);
	g_string_append_printf(text, "%s\n", safe);
}

static const char *known(const char *text)
{
	return text != NULL ? text : "";
}

/* "8 measurements, 3 stored baselines". Owned by the caller. */
static char *effort_text(const BisectLog *log)
{
	guint measured = bisect_log_count(log, BISECT_MEASURED) + (log->step != NULL);
	guint stored = bisect_log_count(log, BISECT_STORED), same = bisect_log_count(log, BISECT_SAME_FILES);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "%u measurement%s", measured, measured == 1 ? "" : "s");
	if (stored > 0)
		g_string_append_printf(text, ", %u stored baseline%s", stored, stored == 1 ? "" : "s");
	if (same > 0)
		g_string_append_printf(text, ", %u known by equal files", same);
	return g_string_free(text, FALSE);
}

static guint count_untold(const BisectLog *log)
{
	guint n = 0;
	for (guint i = 0; i < log->tests->len; i++)
		n += ((const BisectTest *)log->tests->pdata[i])->answer.verdict == BISECT_UNTESTABLE;
	return n;
}

static void append_effort(GString *text, const BisectLog *log)
{
	g_autofree char *effort = effort_text(log);
	guint untold = count_untold(log);
	g_autofree char *skipped =
	        untold > 0 ? g_strdup_printf(", %u that could not be built or run", untold) : g_strdup("");
	g_autofree char *time = number_duration(log->elapsed_s);
	append(text, "  %u commit%s in question: %s%s, %s", log->n_commits, log->n_commits == 1 ? "" : "s", effort,
	        skipped, time);
}

static void append_share(GString *text, const BisectLog *log)
{
	double share = bisect_step_share(log);
	if (isnan(share))
		return;
	g_autofree char *about = number_about(share);
	if (share >= MAIN_SHARE) {
		append(text, "  that is %s of the change from good to bad", about);
		return;
	}
	append(text,
	        "  that is only %s of the change from good to bad: other commits added to it; to look among those "
	        "after it, bisect with --good %.12s",
	        about, (const char *)log->suspects->pdata[log->suspects->len - 1]);
}

static void append_step(GString *text, const BisectLog *log)
{
	if (log->step == NULL)
		return;
	append(text, "  against %s %.12s: %s", log->suspects->len == 1 ? "its parent" : "the last fast commit",
	        known(log->parent), known(log->step->answer.text));
	if (log->step->answer.verdict == BISECT_GOOD)
		append(text,
		        "  which alone is not a regression: the change against %.12s came in small steps, and this one "
		        "is within the margin; or an answer on the way was wrong",
		        log->good);
	else if (log->step->answer.verdict != BISECT_BAD)
		append(text, "  which does not confirm it");
	append_share(text, log);
	if (log->picture != NULL)
		append(text, "  differential flame graph: %s", log->picture);
}

static void append_commits(GString *text, const BisectLog *log, guint n)
{
	for (guint i = 0; i < MIN(n, SHOWN_SUSPECTS); i++) {
		const BisectTest *test = bisect_log_last(log, log->suspects->pdata[i]);
		g_autofree char *line =
		        test != NULL ? bisect_test_text(test) : g_strdup((const char *)log->suspects->pdata[i]);
		append(text, "    %s", line);
	}
	if (n > SHOWN_SUSPECTS)
		append(text, "    and %u more", n - SHOWN_SUSPECTS);
}

/* Of commits that do not build nothing can be told, so the range is the answer. */
static void append_suspects(GString *text, const BisectLog *log)
{
	guint before = log->suspects->len - 1;
	if (bisect_log_only_broken(log))
		append(text,
		        "the first slow commit is one of the %u in %.12s..%.12s: the last of them is slow, the %u "
		        "before it "
		        "could not be built or run",
		        before + 1, known(log->parent), (const char *)log->suspects->pdata[before], before);
	else
		append(text, "the first slow commit is one of these %u, which cannot be told apart:", before + 1);
	append_commits(text, log, before + 1);
	append_step(text, log);
}

static void append_culprit(GString *text, const BisectLog *log)
{
	const char *sha = log->suspects->pdata[0];
	const BisectTest *test = bisect_log_last(log, sha);
	append(text, "%.12s is the first slow commit: %s", sha, test != NULL ? known(test->subject) : "");
	append_step(text, log);
}

char *bisect_text(const BisectLog *log)
{
	GString *text = g_string_new(NULL);
	switch (log->outcome) {
	case BISECT_RUNNING:
		append(text, "not finished");
		break;
	case BISECT_NO_REGRESSION:
		append(text, "nothing to look for: %.12s is not a regression against %.12s: %s", log->bad, log->good,
		        known(log->why));
		break;
	case BISECT_CULPRIT:
		append_culprit(text, log);
		break;
	case BISECT_SUSPECTS:
		append_suspects(text, log);
		break;
	}
	append_effort(text, log);
	return g_string_free(text, FALSE);
}
