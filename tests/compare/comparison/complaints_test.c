/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what becomes of a head whose runs print errors that base's do not. */
#include "compare/comparison/complaints.h"

#include "compare/timed/verdict.h"
#include "tests/compare/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SyntheticFunction same[] = {{.path = "main;work", .base = 500, .head = 500}, {0}};
static const SyntheticFunction faster[] = {{.path = "main;work", .base = 500, .head = 400}, {0}};
static const SyntheticFunction slower[] = {{.path = "main;work", .base = 500, .head = 600}, {0}};
static const SyntheticFunction idle[] = {{.path = "main;work", .base = 500, .head = 50}, {0}};

static void says(Measurement *side, const char *line)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new();
	if (line != NULL)
		g_ptr_array_add(lines, (gpointer)line);
	measurement_add_complaints(side, lines);
}

/* Either line may be NULL: the side prints none then. */
static BenchmarkComparison *judged(const SyntheticFunction *functions, const char *base, const char *head)
{
	const SyntheticPlan plan = {.functions = functions, .rounds = 8, .noise = .3, .time_noise = .002, .seed = 3};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	says(s->base, base);
	says(s->head, head);
	return compare_benchmark(&s->input);
}

static void assert_judged(
        const SyntheticFunction *functions, const char *base, const char *head, Verdict verdict, const char *code)
{
	g_autoptr(BenchmarkComparison) comparison = judged(functions, base, head);
	print_message("%s\n", comparison->reason);
	assert_int_equal(comparison->verdict, verdict);
	assert_string_equal(comparison->reason_code, code);
}

#define CANNOT "error: cannot open data.txt"

static void a_head_that_prints_an_error_and_costs_less_is_invalid(void **state)
{
	(void)state;
	assert_judged(faster, NULL, CANNOT, VERDICT_ERROR, "prints_error");
	assert_judged(faster, "error: no cache", CANNOT, VERDICT_ERROR, "prints_error");
	g_autoptr(BenchmarkComparison) comparison = judged(faster, NULL, CANNOT);
	assert_non_null(strstr(comparison->reason, "head prints \"" CANNOT "\", which base does not, exits with 0"));
	assert_non_null(strstr(comparison->reason, "`error_output: allow`"));
}

static void a_line_of_both_sides_is_harmless(void **state)
{
	(void)state;
	assert_judged(faster, CANNOT, CANNOT, VERDICT_PASS, "");
	assert_judged(faster, CANNOT, NULL, VERDICT_PASS, "");
	assert_judged(faster, NULL, NULL, VERDICT_PASS, "");
}

static void a_head_that_costs_as_much_or_more_is_judged_by_its_cost(void **state)
{
	(void)state;
	assert_judged(same, NULL, CANNOT, VERDICT_PASS, "");
	assert_judged(slower, NULL, CANNOT, VERDICT_REGRESSION, "regression");
}

static void what_differs_from_run_to_run_is_no_other_line(void **state)
{
	static const char *const rows[][2] = {
	        {"Error: took 12 ms (pid 4711)", "error: took 7 ms (pid 90210)"},
	        {"error: block 0x7ffd12aB lost", "error: block 0x5500cd lost"},
	        {"cannot open /tmp/fb-aBcDe/run.1/cache.db", "cannot open /tmp/fb-Zz9/run.22/cache.db"},
	        {"throw an exception:     1234.5 ns", "throw an exception:      999.9 ns"},
	        {"BM_exception      12,345 ns   1.2e+06 ns", "BM_exception         812 ns     99999 ns"},
	        {"exception: 1.2 us, 3.5M/s, 12 KiB, 3s", "exception: 999 ns, 812k/s, 4 MiB, 250ms"},
	        {"cannot open \"/a/b/x.txt\": file not found", "cannot open \"/c/x.txt\": file not found"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_judged(faster, rows[i][0], rows[i][1], VERDICT_PASS, "");
	assert_judged(faster, "cannot open a/x.txt", "cannot open b/x.txt", VERDICT_ERROR, "prints_error");
	assert_judged(faster, "failed to read 12 sets", "failed to read 12 rows", VERDICT_ERROR, "prints_error");
	assert_judged(faster, "exception 5 near", "exception 5", VERDICT_ERROR, "prints_error");
	assert_judged(faster, "cannot open /a/x.txt", "cannot open /a/y.txt", VERDICT_ERROR, "prints_error");
}

/* Stored counts have no output; most of their improvements are real. */
static void against_a_base_of_which_no_output_is_known_head_has_to_lose_half(void **state)
{
	static const struct {
		const SyntheticFunction *functions;
		Verdict verdict;
	} rows[] = {{faster, VERDICT_PASS}, {idle, VERDICT_ERROR}};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const SyntheticPlan plan = {
		        .functions = rows[i].functions, .rounds = 8, .noise = .3, .time_noise = .002, .seed = 3};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		says(s->head, CANNOT);
		g_autoptr(BenchmarkComparison) comparison = compare_benchmark(&s->input);
		assert_int_equal(comparison->verdict, rows[i].verdict);
		for (guint line = 0; line < 1000; line++) {
			g_autofree char *text = g_strdup_printf(
			        "error: file %c%c%c", 'a' + line / 100, 'a' + line / 10 % 10, 'a' + line % 10);
			says(s->base, text);
		}
		g_autoptr(BenchmarkComparison) cut = compare_benchmark(&s->input);
		assert_int_equal(cut->verdict, rows[i].verdict);
	}
}

static void a_line_is_kept_once_and_not_for_ever(void **state)
{
	g_autoptr(Measurement) side = measurement_new("one", "base", "");
	(void)state;
	says(side, NULL);
	assert_int_equal(side->complaints->len, 0);
	for (guint i = 0; i < 2000; i++) {
		g_autofree char *line = g_strdup_printf("error: %u", i);
		says(side, line);
		says(side, CANNOT);
	}
	assert_int_equal(side->complaints->len, 1000);
	assert_null(complaint_of_head(side, side));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_head_that_prints_an_error_and_costs_less_is_invalid),
	        cmocka_unit_test(a_line_of_both_sides_is_harmless),
	        cmocka_unit_test(a_head_that_costs_as_much_or_more_is_judged_by_its_cost),
	        cmocka_unit_test(what_differs_from_run_to_run_is_no_other_line),
	        cmocka_unit_test(against_a_base_of_which_no_output_is_known_head_has_to_lose_half),
	        cmocka_unit_test(a_line_is_kept_once_and_not_for_ever),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
