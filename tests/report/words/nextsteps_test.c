/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/nextsteps.h"

#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void set_text(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

static CheckResult *result_of(const char *base, const char *head)
{
	CheckResult *result = check_result_new();
	set_text(&result->base.sha, base);
	set_text(&result->head.sha, head);
	return result;
}

static void add_row(CheckResult *result, GArray *rows, const char *name, Standing standing)
{
	const StandingRow row = {.benchmark = check_result_add_benchmark(result, name), .standing = standing};
	g_array_append_val(rows, row);
}

static void a_command_names_the_benchmarks_and_both_commits(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
	add_row(result, rows, "parse", STANDING_REGRESSED);
	add_row(result, rows, "sort", STANDING_PASSED);
	g_autofree char *command = next_steps_command(result, rows, 0);
	assert_string_equal(command, "firebreak check -b parse --base 1a2b3c4 --head 5d6e7f8");
	g_autoptr(CheckResult) whole = result_of("1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "worktree");
	g_autofree char *shorter = next_steps_command(whole, rows, 12);
	assert_string_equal(shorter, "firebreak check -b parse --base 1a2b3c4d5e6f --head worktree");
}

static void names_that_a_shell_would_read_are_left_out(void **state)
{
	static const char *const names[] = {"$(id)", "a b", "-x", "", "a;b", "`id`", "\033[31m", "a\nb", "a'b"};
	(void)state;
	gboolean more;
	g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		add_row(result, rows, names[i], STANDING_REGRESSED);
	g_autoptr(GPtrArray) named = next_steps_names(rows, TRUE, &more);
	assert_int_equal(named->len, 0);
	assert_null(next_steps_command(result, rows, 0));
}

static void a_side_that_is_no_commit_cannot_be_reproduced(void **state)
{
	static const struct {
		const char *base, *head;
		gboolean can;
	} cases[] = {
	        {"1a2b3c4", "worktree", TRUE},
	        {"1a2b3c4", "main", FALSE},
	        {"", "5d6e7f8", FALSE},
	        {"1a2b3c4", "5d6e7f8; id", FALSE},
	        {"worktree", "5d6e7f8", FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(CheckResult) result = result_of(cases[i].base, cases[i].head);
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
		add_row(result, rows, "parse", STANDING_REGRESSED);
		g_autofree char *command = next_steps_command(result, rows, 0);
		assert_int_equal(command != NULL, cases[i].can);
	}
}

static void five_benchmarks_are_named_and_more_are_told(void **state)
{
	(void)state;
	for (guint n = 5; n <= 6; n++) {
		gboolean more;
		g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
		for (guint i = 0; i < n; i++) {
			g_autofree char *name = g_strdup_printf("b%u", i);
			add_row(result, rows, name, STANDING_REGRESSED);
		}
		g_autoptr(GPtrArray) named = next_steps_names(rows, TRUE, &more);
		assert_int_equal(named->len, 5);
		assert_int_equal(more, n == 6);
	}
}

/* --- what would decide it --- */

/* A benchmark whose CPU time is open, with this change and these bounds. */
static CheckResult *open_result(double change_ratio, double spread, const char *code)
{
	CheckResult *result = sample_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	metric_comparison_free(comparison->metrics->pdata[0]);
	comparison->metrics->pdata[0] =
	        sample_metric("task-clock", "ns", 3.8e8, change_ratio, spread, VERDICT_INCONCLUSIVE, TRUE);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, code, g_strdup("open"));
	return result;
}

static char *decide(const CheckResult *result, double mde, guint needed)
{
	guint n_look;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	StandingRow *row = &g_array_index(rows, StandingRow, 0);
	MetricComparison *metric = row->benchmark->comparison->metrics->pdata[0];
	metric->mde_ratio = mde;
	metric->rounds_needed = needed;
	return next_steps_decide(row);
}

#define COUNT ", or count instructions, which have no noise: `engines: [callgrind]`"

static void noise_is_answered_with_the_rounds_that_it_takes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = open_result(1.02, .05, "interval_too_wide");
	g_autofree char *some = decide(result, .06, 20), *many = decide(result, .2, 240);
	g_autofree char *unknown = decide(result, 2, 0);
	assert_string_equal(some, "set `rounds: 20` (now 8), let a run do 2.5 times the work" COUNT);
	assert_string_equal(many, "let a run do 30 times the work" COUNT); /* more rounds than a configuration takes */
	assert_string_equal(unknown, "let a run do many times the work" COUNT);
}

/* The upper bound is 1.2 points above the estimate and has to come down to .5: 2.4² times the rounds. */
static void what_is_close_to_a_margin_takes_rounds_by_its_distance(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = open_result(1.055, .012, "interval_too_wide");
	g_autofree char *step = decide(result, .0135, 6);
	guint rounds = (guint)strtoul(step + strlen("set `rounds: "), NULL, 10);
	assert_true(g_str_has_prefix(step, "set `rounds: "));
	assert_in_range(rounds, 9, 62);
}

static void a_change_on_the_margin_is_not_promised_to_be_decided(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = open_result(1.0300001, .4, "interval_too_wide");
	MetricComparison *metric = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->metrics->pdata[0];
	metric->pass_margin = .03;
	g_autofree char *step = decide(result, .0, 6);
	assert_string_equal(step, "let a run do many times the work" COUNT);
}

static void other_reasons_have_steps_of_their_own(void **state)
{
	static const char *const codes[] = {
	        "too_few_rounds", "out_of_time", "not_confirmed", "confirmation_unclear", "contaminated"};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(CheckResult) result = open_result(1.02, .05, codes[i]);
		g_autofree char *step = decide(result, .06, 20);
		assert_non_null(step);
		assert_null(strstr(step, "rounds: 20"));
	}
}

static void an_open_result_says_whether_one_may_merge(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = open_result(1.02, .05, "interval_too_wide");
	MetricComparison *metric = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->metrics->pdata[0];
	metric->reason = g_strdup("too noisy");
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	const char *open = next_steps_merge(result);
	assert_true(g_str_has_prefix(open, "undecided, since "));
	assert_non_null(strstr(open, "Exit code 3 fails the job, unless it runs with `--on-inconclusive=pass`"));
	check_result_add_reason(result, 3, NOT_MEASURED, "catalog", "not measured");
	const char *unmeasured = next_steps_merge(result);
	assert_true(g_str_has_prefix(unmeasured, "no, since not everything was measured"));
	g_autoptr(CheckResult) decided = sample_result();
	assert_null(next_steps_merge(decided));
}

static void what_is_decided_needs_no_step(void **state)
{
	guint n_look;
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	assert_null(next_steps_decide(&g_array_index(rows, StandingRow, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_command_names_the_benchmarks_and_both_commits),
	        cmocka_unit_test(names_that_a_shell_would_read_are_left_out),
	        cmocka_unit_test(a_side_that_is_no_commit_cannot_be_reproduced),
	        cmocka_unit_test(five_benchmarks_are_named_and_more_are_told),
	        cmocka_unit_test(noise_is_answered_with_the_rounds_that_it_takes),
	        cmocka_unit_test(what_is_close_to_a_margin_takes_rounds_by_its_distance),
	        cmocka_unit_test(a_change_on_the_margin_is_not_promised_to_be_decided),
	        cmocka_unit_test(other_reasons_have_steps_of_their_own),
	        cmocka_unit_test(an_open_result_says_whether_one_may_merge),
	        cmocka_unit_test(what_is_decided_needs_no_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
