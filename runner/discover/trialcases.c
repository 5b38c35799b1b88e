/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialcases.h"

#include "core/cancel.h"
#include "runner/discover/trialremarks.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworkrun.h"

#include <math.h>
#include <string.h>

#define LIST_MS (20 * 1000)

char **trial_case_arguments(FrameworkId framework, const char *filter)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_autofree char *joined = NULL;
	switch (framework) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		joined = g_strconcat("--benchmark_filter=", filter != NULL ? filter : ".", NULL);
		g_strv_builder_add_many(words, joined, "--benchmark_min_time=0.01", NULL);
		break;
	case FRAMEWORK_GO:
		joined = g_strconcat("-test.bench=", filter != NULL ? filter : ".", NULL);
		g_strv_builder_add_many(words, "-test.run=^$", joined, "-test.benchtime=10ms", NULL);
		break;
	case FRAMEWORK_CATCH2:
		if (filter != NULL)
			g_strv_builder_add(words, filter);
		g_strv_builder_add_many(words, "--benchmark-samples", "2", "--benchmark-warmup-time", "1", NULL);
		break;
	case FRAMEWORK_CRITERION:
		g_strv_builder_add_many(words, "--bench", "--test", filter, NULL);
		break;
	case FRAMEWORK_LIBTEST:
		g_strv_builder_add_many(words, "--bench", filter != NULL ? "--exact" : NULL, filter, NULL);
		break;
	case FRAMEWORK_NANOBENCH:
	case FRAMEWORK_AUTO:
	case FRAMEWORK_NONE:
		break;
	}
	return g_strv_builder_end(words);
}

/* The nanoseconds of CPU time in a row of google-benchmark's table, after those by the wall, and its name, which may
 * have blanks; NaN if it is none. */
static double google_row_ns(const char *line, char **name)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(
		        &regex, g_regex_new("^(.*?)\\s+[0-9.]+ ns\\s+([0-9.]+) ns\\s+[0-9]+", G_REGEX_RAW, 0, NULL));
	g_autoptr(GMatchInfo) match = NULL;
	if (!g_regex_match(regex, line, 0, &match))
		return NAN;
	g_autofree char *ns = g_match_info_fetch(match, 2);
	*name = g_match_info_fetch(match, 1);
	return g_ascii_strtod(ns, NULL);
}

/* The cases in what a framework prints for people; NULL where it says no times, or none that are true: those of Catch2
 * are of two samples here, and criterion only tries its cases. */
static GPtrArray *printed_cases(FrameworkId framework, const char *output)
{
	if (framework == FRAMEWORK_GO)
		return go_output_parse(output, NULL);
	if (framework == FRAMEWORK_LIBTEST)
		return libtest_output_parse(output, NULL);
	if (framework != FRAMEWORK_GOOGLE_BENCHMARK)
		return NULL;
	GPtrArray *cases = framework_cases_new();
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *name = NULL;
		double ns = google_row_ns(*line, &name);
		FrameworkCase *one = isnan(ns) ? NULL : framework_cases_get(cases, name);
		if (one != NULL)
			framework_case_add(one, 1, ns);
	}
	return cases;
}

/* Says that the compiler has removed the work of a case, if it did; one with work among several is enough. */
static char *removed_text(FrameworkId framework, const char *output)
{
	g_autoptr(GPtrArray) cases = printed_cases(framework, output);
	g_autofree char *text = NULL;
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const FrameworkCase *one = g_ptr_array_index(cases, i);
		g_free(text);
		text = framework_removed_text(framework, one->name, one->ns);
		if (text == NULL)
			return NULL;
	}
	return g_steal_pointer(&text);
}

static const char *said_trouble(FrameworkId framework, const char *output)
{
	if (framework == FRAMEWORK_CATCH2 && strstr(output, "benchmark name") == NULL)
		return "the case has no BENCHMARK";
	if (framework == FRAMEWORK_GOOGLE_BENCHMARK && strstr(output, "ERROR OCCURRED") != NULL)
		return "it says that an error occurred";
	if (framework == FRAMEWORK_GO && strstr(output, "--- SKIP") != NULL)
		return "it skips itself";
	if (framework == FRAMEWORK_GO && strstr(output, "ns/op") == NULL)
		return "it prints no result";
	if (framework == FRAMEWORK_LIBTEST && strstr(output, "ns/iter") == NULL)
		return "it prints no result";
	return NULL;
}

char *trial_case_trouble(FrameworkId framework, const char *output)
{
	const char *said = said_trouble(framework, output);
	return said != NULL ? g_strdup(said) : removed_text(framework, output);
}

/* The cases that a program names; NULL if it cannot. A name that begins with "-" would be taken for an option. */
static GPtrArray *list_cases(const Trying *trying, const DiscoveredProgram *program, FrameworkId id)
{
	const Framework *row = framework(id);
	g_auto(TrialRun) run = {0};
	if (row == NULL || row->list == NULL)
		return NULL;
	trial_run_words(trying->trial, program, NULL, (char *const *)row->list, LIST_MS, &run);
	/* Catch2 2.x ends with the number of its test cases */
	if (run.failure != NULL && id != FRAMEWORK_CATCH2)
		return NULL;
	g_autofree char *end = g_strdup(run.output);
	GPtrArray *cases = framework_cases(id, end);
	for (guint i = cases->len; i > 0; i--)
		if (*(const char *)g_ptr_array_index(cases, i - 1) == '-')
			g_ptr_array_remove_index(cases, i - 1);
	return cases;
}

static void try_case(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, const char *name)
{
	g_autofree char *filter = name != NULL ? framework_filter(id, name) : NULL;
	g_auto(GStrv) arguments = trial_case_arguments(id, filter);
	g_auto(TrialRun) run = {0};
	trial_say(trying->trial, "running %s", name != NULL ? name : program->name);
	trial_run_words(trying->trial, program, NULL, arguments, trial_limit_ms(), &run);
	g_autofree char *trouble = run.failure != NULL ? g_strdup(run.failure) : trial_case_trouble(id, run.output);
	if (run.failure == NULL && trouble != NULL && id == FRAMEWORK_CATCH2)
		return; /* one of its tests */
	ProposedBenchmark *benchmark = proposal_add(trying->proposal, program, name);
	g_free(benchmark->framework);
	benchmark->framework = g_strdup(framework_name(id));
	benchmark->filter = g_steal_pointer(&filter);
	benchmark->left_out = g_steal_pointer(&trouble);
	remark_case_time(benchmark, id, run.cpu_ns);
}

/* The part of a name before its arguments: "BM_sort/1024" -> "BM_sort". */
static gsize family_length(const char *name)
{
	return strcspn(name, "/<");
}

/* Moves at most `allowed` cases to the front: the last of each family, which has the most work in most programs, and
 * of too many families some that lie evenly among them. Returns their number. */
static guint choose_cases(GPtrArray *cases, guint allowed)
{
	g_autoptr(GPtrArray) families = g_ptr_array_new();
	if (cases->len <= allowed)
		return cases->len;
	for (guint i = 0; i < cases->len; i++) {
		const char *name = g_ptr_array_index(cases, i);
		const char *next = i + 1 < cases->len ? g_ptr_array_index(cases, i + 1) : "";
		gsize length = family_length(name);
		if (length != family_length(next) || strncmp(name, next, length) != 0)
			g_ptr_array_add(families, (gpointer)name);
	}
	guint n = MIN(families->len, allowed);
	for (guint i = 0; i < n; i++) {
		guint at;
		g_ptr_array_find(cases, g_ptr_array_index(families, i * families->len / n), &at);
		g_ptr_array_insert(cases, (int)i, g_ptr_array_steal_index(cases, at));
	}
	return n;
}

/* Names what is not tried, since there is too much. */
static void skip_cases(const Trying *trying, const DiscoveredProgram *program, const GPtrArray *cases, guint from)
{
	if (from >= cases->len)
		return;
	GString *names = g_string_new(NULL);
	for (guint i = from; i < cases->len && i < from + 20; i++)
		g_string_append_printf(names, "%s%s", i > from ? ", " : "", (const char *)g_ptr_array_index(cases, i));
	if (cases->len > from + 20)
		g_string_append_printf(names, ", and %u more", cases->len - from - 20);
	g_ptr_array_add(trying->proposal->remarks,
	        g_strdup_printf("%s: %u cases are left out, since a check would take too long: %s", program->name,
	                cases->len - from, names->str));
	g_string_free(names, TRUE);
}

/* Says that none of the cases that were run is a benchmark, so that the program is not built either. */
static void leave_tests_out(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, guint cases)
{
	char *remark = cases == 0
	                       ? g_strdup_printf("%s: its list of %s cases is empty; if it needs arguments, add it to "
	                                         "firebreak.yml with its `command`",
	                                 program->name, framework_name(id))
	                       : g_strdup_printf("%s: %u case%s of %s, and none of them measures anything",
	                                 program->name, cases, cases == 1 ? "" : "s", framework_name(id));
	g_hash_table_remove(trying->kept, program);
	g_ptr_array_add(trying->proposal->remarks, remark);
}

void trial_cases(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, guint allowed)
{
	g_autoptr(GPtrArray) cases = list_cases(trying, program, id);
	if (cases == NULL) {
		try_case(trying, program, id, NULL);
		return;
	}
	/* a program of Catch2 has tests, too, which only running them tells apart */
	guint before = proposal_count(trying->proposal), had = trying->proposal->benchmarks->len, i = 0;
	guint n = id == FRAMEWORK_CATCH2 ? cases->len : choose_cases(cases, allowed);
	for (; i < n && proposal_count(trying->proposal) - before < allowed && cancel_signal() == 0; i++)
		try_case(trying, program, id, g_ptr_array_index(cases, i));
	if (trying->proposal->benchmarks->len > had)
		skip_cases(trying, program, cases, i);
	else
		leave_tests_out(trying, program, id, i);
}
