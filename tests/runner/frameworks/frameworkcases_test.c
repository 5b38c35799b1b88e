/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworkcases.h"

#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* "a b b": a once, b twice in a run. */
static GPtrArray *run_of(const char *names)
{
	GPtrArray *cases = framework_cases_new();
	g_auto(GStrv) words = g_strsplit(names, " ", -1);
	for (char **word = words; *word != NULL; word++)
		framework_case_add(framework_cases_get(cases, *word), 100, 50);
	return cases;
}

static GPtrArray *settled(const char *names)
{
	g_autoptr(GPtrArray) cases = run_of(names);
	return framework_cases_settle(cases);
}

static void a_run_has_the_cases_of_base(void **state)
{
	static const struct {
		const char *base, *run, *says; /* NULL = the same */
	} rows[] = {
	        {"a", "a", NULL},
	        {"a b", "b a", NULL},
	        {"a a b", "a b a", NULL},
	        {"a slow", "a", "it lacks slow; "},
	        {"a", "a new", "it has also new; "},
	        {"a b", "b c", "it lacks a, and it has also c; "},
	        {"a", "a a", "says 2 results of a, and base 1: "},
	        {"a a a", "a", "says 1 result of a, and base 3: "},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) known = settled(rows[i].base), cases = run_of(rows[i].run);
		g_autoptr(GError) error = NULL;
		assert_int_equal(framework_cases_same(known, cases, &error), rows[i].says == NULL);
		if (rows[i].says != NULL)
			assert_non_null(strstr(error->message, rows[i].says));
	}
	g_autoptr(GPtrArray) cases = run_of("a");
	assert_true(framework_cases_same(NULL, cases, NULL));
}

static void work_that_is_removed_on_one_side_alone_is_told(void **state)
{
	static const struct {
		double known_ns, ns;
		gboolean removed;
	} rows[] = {
	        {3.5, .24, TRUE},
	        {500, 0, TRUE},
	        {5, .5, FALSE},   /* honest */
	        {.3, .25, FALSE}, /* both are without work */
	        {0, .25, FALSE},
	        {.41, .39, FALSE},
	        {3.5, 3.5, FALSE},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(framework_case_removed(rows[i].known_ns, rows[i].ns), rows[i].removed);
	g_autoptr(GPtrArray) base = config_cases_new(), head = config_cases_new();
	config_cases_add(base, "a", 1, 50);
	config_cases_add(base, "b", 1, 60);
	config_cases_add(head, "b", 1, .2);
	config_cases_add(head, "a", 1, 70);
	assert_string_equal(framework_cases_removed_alone(head, base)->name, "b");
	assert_null(framework_cases_removed_alone(base, head));
}

static char *filter_of(FrameworkId id, const char *names, guint n_cpus)
{
	g_auto(GStrv) words = g_strsplit(names, " ", -1);
	g_autoptr(GPtrArray) array = g_ptr_array_new();
	for (char **word = words; *word != NULL; word++)
		g_ptr_array_add(array, *word);
	return framework_cases_filter(id, array, n_cpus);
}

static void a_filter_chooses_cases_as_far_as_the_framework_can(void **state)
{
	static const struct {
		FrameworkId id;
		const char *names;
		guint n_cpus;
		const char *filter;
	} rows[] = {
	        {FRAMEWORK_GOOGLE_BENCHMARK, "BM_a/8 BM_b<int>", 1, "^(BM_a/8|BM_b<int>)$"},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "BM_a.b", 1, "^(BM_a\\.b)$"},
	        {FRAMEWORK_CRITERION, "g/one g/two", 1, "^(g/one|g/two)$"},
	        {FRAMEWORK_GO, "BenchmarkA BenchmarkB", 1, "^(BenchmarkA|BenchmarkB)$"},
	        {FRAMEWORK_GO, "BenchmarkA-2 BenchmarkB-2", 2, "^(BenchmarkA|BenchmarkB)$"},
	        {FRAMEWORK_GO, "BenchmarkA/size-16 BenchmarkA/size-2", 1, "^(BenchmarkA)$/^(size-16|size-2)$"},
	        {FRAMEWORK_GO, "BenchmarkA BenchmarkB/x", 1, NULL}, /* the first would not run with a part more */
	        {FRAMEWORK_CATCH2, "one two,three", 1, "one,two\\,three"},
	        {FRAMEWORK_LIBTEST, "one two", 1, "one\ntwo"},
	        {FRAMEWORK_NANOBENCH, "one", 1, NULL},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *filter = filter_of(rows[i].id, rows[i].names, rows[i].n_cpus);
		if (rows[i].filter == NULL)
			assert_null(filter);
		else
			assert_string_equal(filter, rows[i].filter);
	}
	g_autofree char *longest = g_strnfill(70000, 'x'), *none = filter_of(FRAMEWORK_LIBTEST, longest, 1);
	assert_null(none);
}

static void names_are_told_up_to_five(void **state)
{
	static const struct {
		const char *names, *text;
	} rows[] = {
	        {"a", "a"}, {"a b", "a and b"}, {"a b c", "a, b and c"}, {"a b c d e f g", "a, b, c, d and 3 more"}};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) none = config_cases_new(), cases = settled(rows[i].names);
		g_autoptr(GPtrArray) names = framework_cases_added(none, cases);
		g_autofree char *text = framework_names_text(names);
		assert_string_equal(text, rows[i].text);
	}
}

static void stored_cases_are_read_again(void **state)
{
	g_autoptr(GPtrArray) cases = config_cases_new();
	(void)state;
	config_cases_add(cases, "a\tb \"c\"\n", 1, 50);
	config_cases_add(cases, "BM_x/8", 3, 50);
	config_cases_add(cases, "gone", 1, .2);
	g_autofree char *text = framework_cases_text(cases), *none = framework_cases_text(NULL);
	g_autoptr(GPtrArray) read = framework_cases_read(text);
	assert_string_equal(text, "a\\tb \\\"c\\\"\\n\nBM_x/8\tx3\ngone\tremoved");
	for (guint i = 0; i < cases->len; i++) {
		const ConfigCase *was = cases->pdata[i], *is = read->pdata[i];
		assert_string_equal(is->name, was->name);
		assert_int_equal(is->repetitions, was->repetitions);
		assert_int_equal(is->ns < FRAMEWORK_CYCLE_NS, was->ns < FRAMEWORK_CYCLE_NS);
	}
	assert_null(framework_cases_removed_alone(read, cases));
	assert_string_equal(none, "");
	assert_null(framework_cases_read(""));
}

static void stored_measurements_of_other_cases_are_not_compared(void **state)
{
	static const struct {
		const char *base, *head, *why; /* NULL = they are compared */
	} rows[] = {
	        {"a\nb", "b\na", NULL},
	        {"a\nb", "", NULL},
	        {"a\n\nb", "b\n\t\na", NULL}, /* nobody wrote that */
	        {"a\nslow", "a", "head ran other cases than base: it lacks slow"},
	        {"a", "a\nb", "head ran other cases than base: it has also b"},
	        {"a\tremoved", "a\tremoved", NULL},
	        {"a", "a\tremoved", "the compiler has removed the work of a on one side alone"},
	        {"a\tremoved", "a", "the compiler has removed the work of a on one side alone"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *why = framework_cases_unlike(rows[i].base, rows[i].head);
		if (rows[i].why == NULL)
			assert_null(why);
		else
			assert_string_equal(why, rows[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_run_has_the_cases_of_base),
	        cmocka_unit_test(work_that_is_removed_on_one_side_alone_is_told),
	        cmocka_unit_test(a_filter_chooses_cases_as_far_as_the_framework_can),
	        cmocka_unit_test(names_are_told_up_to_five),
	        cmocka_unit_test(stored_cases_are_read_again),
	        cmocka_unit_test(stored_measurements_of_other_cases_are_not_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
