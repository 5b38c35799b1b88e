/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/merge.h"

#include "compare/outcome.h"
#include "compare/outcomewords.h"
#include "core/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BASE_SHA "1111111111111111111111111111111111111111"
#define HEAD_SHA "2222222222222222222222222222222222222222"

/* The results of the shards of one check, and what became of them. */
typedef struct {
	GPtrArray *results; /* of CheckResult */
	MergeOptions options;
	CheckResult *joined;
	GError *error;
} Fixture;

static void free_result(gpointer result)
{
	check_result_free(result);
}

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->results = g_ptr_array_new_with_free_func(free_result);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	g_ptr_array_unref(f->results);
	check_result_free(f->joined);
	g_clear_error(&f->error);
	g_free(f);
	return 0;
}

static void add_names(GPtrArray *names, const char *text)
{
	g_auto(GStrv) split = g_strsplit(text, " ", -1);
	for (char **name = split; *name != NULL; name++)
		if (**name != '\0')
			g_ptr_array_add(names, g_strdup(*name));
}

static void add_row(CheckResult *result, const char *name, Verdict verdict)
{
	ResultBenchmark *row = check_result_add_benchmark(result, name);
	row->comparison = benchmark_comparison_new(name);
	benchmark_comparison_decide(row->comparison, verdict, verdict == VERDICT_PASS ? "" : "regression",
	        g_strdup_printf("%s of %s", verdict_name(verdict), name));
}

/* A shard of two that measured its own benchmarks of "a b c d"; borrowed. */
static CheckResult *add_shard(Fixture *f, guint index, const char *own)
{
	CheckResult *result = check_result_new();
	result_side_set(&result->base, BASE_SHA, "main", "--base", "before");
	result_side_set(&result->head, HEAD_SHA, "HEAD", "HEAD", "after");
	result->environment = environment_new();
	environment_set(result->environment, "compiler", METRIC_DETERMINISTIC, "gcc 12");
	environment_set(result->environment, "cpu_model", METRIC_REPLICABLE, "Model 1");
	environment_set(result->environment, "boot_id", METRIC_SAME_CAMPAIGN, index == 1 ? "x" : "y");
	environment_set(result->environment, "firebreak_version", METRIC_SAME_CAMPAIGN, "1");
	g_free(result->config_source);
	result->config_source = g_strdup("base");
	result->seed = index;
	result->elapsed_s = 10 * index;
	result->shards = shard_set_new(2);
	add_names(result->shards->benchmarks, "a b c d");
	ShardPart *part = shard_set_add(result->shards, index);
	add_names(part->benchmarks, own);
	part->machine = shard_machine(result->environment);
	for (guint i = 0; i < part->benchmarks->len; i++)
		add_row(result, part->benchmarks->pdata[i], VERDICT_PASS);
	check_result_decide(result);
	g_ptr_array_add(f->results, result);
	return result;
}

static ShardPart *part_of(CheckResult *result)
{
	return result->shards->parts->pdata[0];
}

static gboolean join(Fixture *f)
{
	static const char *const names[] = {"one", "two", "three"};
	g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(MergeInput));
	for (guint i = 0; i < f->results->len; i++) {
		MergeInput input = {f->results->pdata[i], names[i]};
		g_array_append_val(inputs, input);
	}
	f->joined = merge_results(inputs, &f->options, &f->error);
	return f->joined != NULL;
}

static void assert_refused(Fixture *f, FirebreakError code, const char *says)
{
	assert_false(join(f));
	assert_true(g_error_matches(f->error, FIREBREAK_ERROR, (int)code));
	if (strstr(f->error->message, says) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", f->error->message, says);
}

static void assert_names(const CheckResult *result, const char *wanted)
{
	g_autoptr(GString) names = g_string_new(NULL);
	for (guint i = 0; i < result->benchmarks->len; i++)
		g_string_append_printf(
		        names, "%s%s", i > 0 ? " " : "", ((const ResultBenchmark *)result->benchmarks->pdata[i])->name);
	assert_string_equal(names->str, wanted);
}

static const ResultReason *first_reason(const CheckResult *result)
{
	assert_true(result->reasons->len > 0);
	return result->reasons->pdata[0];
}

/* --- joined --- */

static void benchmarks_come_in_the_order_of_the_configuration(void **state)
{
	Fixture *f = *state;
	add_shard(f, 2, "d b");
	add_shard(f, 1, "c a");
	assert_true(join(f));
	assert_names(f->joined, "a b c d");
	assert_int_equal(f->joined->verdict, VERDICT_PASS);
	assert_int_equal(f->joined->exit_code, 0);
	g_autofree char *reason = check_result_reason(f->joined);
	assert_string_equal(reason, "4 benchmarks passed");
}

static void a_regression_in_one_shard_is_one_of_the_check(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *second = add_shard(f, 2, "c d");
	ResultBenchmark *row = second->benchmarks->pdata[1];
	benchmark_comparison_decide(row->comparison, VERDICT_REGRESSION, "regression", g_strdup("d is slower"));
	check_result_decide(second);
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 1);
	assert_int_equal(f->joined->reasons->len, 1);
	assert_string_equal(first_reason(f->joined)->text, "d is slower");
}

static void an_error_of_one_shard_outranks_a_regression_of_another(void **state)
{
	Fixture *f = *state;
	CheckResult *first = add_shard(f, 1, "a b"), *second = add_shard(f, 2, "c d");
	check_result_add_reason(first, 1, "regression", "a", "a is slower");
	check_result_decide(first);
	g_ptr_array_set_size(second->benchmarks, 0);
	check_result_add_reason(second, FIREBREAK_ERROR_BUILD, "build_failed", NULL, "head does not build");
	check_result_decide(second);
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 5);
	assert_int_equal(f->joined->reasons->len, 2);
	assert_names(f->joined, "a b");
}

static void what_all_shards_say_is_said_once(void **state)
{
	Fixture *f = *state;
	CheckResult *shards[] = {add_shard(f, 1, "a b"), add_shard(f, 2, "c d")};
	for (guint i = 0; i < 2; i++) {
		check_result_add_reason(shards[i], FIREBREAK_ERROR_POLICY, "policy_changed", NULL, "head weakens it");
		finding_add(shards[i]->findings, FINDING_INFO, "shard", NULL, "shard %u", i + 1);
		finding_add(shards[i]->findings, FINDING_WARNING, "busy_machine", NULL, "busy");
		check_result_decide(shards[i]);
	}
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 9);
	assert_int_equal(f->joined->reasons->len, 1);
	assert_int_equal(finding_count(f->joined->findings), 1);
	assert_string_equal(finding_get(f->joined->findings, 0)->code, "busy_machine");
}

static void what_the_shards_were_is_kept(void **state)
{
	Fixture *f = *state;
	add_shard(f, 2, "c d");
	add_shard(f, 1, "a b");
	assert_true(join(f));
	assert_int_equal(f->joined->shards->parts->len, 2);
	const ShardPart *second = f->joined->shards->parts->pdata[1];
	assert_int_equal(second->index, 2);
	assert_int_equal(second->seed, 2);
	assert_int_equal(second->exit_code, 0);
	assert_true(second->elapsed_s == 20);
	assert_string_equal(second->benchmarks->pdata[0], "c");
	assert_null(shard_set_single(f->joined->shards));
}

static void the_check_takes_as_long_as_its_slowest_shard(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d");
	assert_true(join(f));
	assert_true(f->joined->elapsed_s == 20);
}

static void values_of_the_environment_that_differ_stand_beside_each_other(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d");
	assert_true(join(f));
	assert_string_equal(environment_get(f->joined->environment, "boot_id"), "x | y");
	assert_string_equal(environment_get(f->joined->environment, "compiler"), "gcc 12");
}

/* --- what is accepted --- */

static Acceptance *accept_in(CheckResult *result, const char *value, AcceptanceState state)
{
	Acceptance *acceptance = acceptance_of_trailer(HEAD_SHA, value);
	acceptance->state = state;
	g_ptr_array_add(result->acceptances, acceptance);
	return acceptance;
}

static const Acceptance *accepted_at(const CheckResult *result, guint i)
{
	assert_true(i < result->acceptances->len);
	return result->acceptances->pdata[i];
}

static void what_one_shard_used_is_used(void **state)
{
	Fixture *f = *state;
	accept_in(add_shard(f, 1, "a b"), "c: worth it", ACCEPTANCE_UNUSED);
	accept_in(add_shard(f, 2, "c d"), "c: worth it", ACCEPTANCE_USED);
	assert_true(join(f));
	assert_int_equal(f->joined->acceptances->len, 1);
	assert_int_equal(accepted_at(f->joined, 0)->state, ACCEPTANCE_USED);
	assert_string_equal(accepted_at(f->joined, 0)->benchmark, "c");
	assert_string_equal(accepted_at(f->joined, 0)->reason, "worth it");
	assert_string_equal(accepted_at(f->joined, 0)->sha, HEAD_SHA);
	assert_false(finding_has(f->joined->findings, "acceptance_unused"));
}

static void what_no_shard_used_is_said_once(void **state)
{
	Fixture *f = *state;
	accept_in(add_shard(f, 1, "a b"), "c: worth it", ACCEPTANCE_UNUSED);
	accept_in(add_shard(f, 2, "c d"), "c: worth it", ACCEPTANCE_UNUSED);
	assert_true(join(f));
	assert_int_equal(f->joined->acceptances->len, 1);
	assert_int_equal(finding_count(f->joined->findings), 1);
	assert_string_equal(finding_get(f->joined->findings, 0)->code, "acceptance_unused");
}

static void what_a_missing_shard_may_have_used_is_not_called_unused(void **state)
{
	Fixture *f = *state;
	accept_in(add_shard(f, 1, "a b"), "c: worth it", ACCEPTANCE_UNUSED);
	assert_true(join(f));
	assert_int_equal(f->joined->acceptances->len, 1);
	assert_false(finding_has(f->joined->findings, "acceptance_unused"));
}

static void change_in(CheckResult *result, const char *benchmark, double contribution)
{
	const ChangedFunction function = {.benchmark = (char *)benchmark,
	        .name = (char *)"f",
	        .module = (char *)"",
	        .contribution = contribution};
	result->changed = changed_code_new();
	ChangedSource *file = changed_code_add_file(result->changed, "a.c", "a.c");
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){10, 1, 10, 1});
	g_ptr_array_add(hunk->functions, changed_function_copy(&function));
	result->changed->n_files = 3;
}

static void changed_code_has_the_functions_of_all_shards(void **state)
{
	Fixture *f = *state;
	change_in(add_shard(f, 1, "a b"), "a", .1);
	change_in(add_shard(f, 2, "c d"), "d", -.2);
	assert_true(join(f));
	assert_int_equal(f->joined->changed->files->len, 1);
	const ChangedSource *file = f->joined->changed->files->pdata[0];
	const ChangedHunk *hunk = file->hunks->pdata[0];
	assert_int_equal(hunk->functions->len, 2);
	assert_string_equal(((const ChangedFunction *)hunk->functions->pdata[0])->benchmark, "d");
	assert_int_equal(f->joined->changed->n_files, 3);
}

static void a_change_that_no_shard_knows_is_not_known(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d");
	assert_true(join(f));
	assert_null(f->joined->changed);
}

static void acceptances_that_differ_all_stay(void **state)
{
	Fixture *f = *state;
	CheckResult *shards[] = {add_shard(f, 1, "a b"), add_shard(f, 2, "c d")};
	accept_in(shards[0], "worth it", ACCEPTANCE_USED);
	accept_in(shards[0], "c: worth it", ACCEPTANCE_EXPIRED);
	accept_in(shards[1], "c: worth it", ACCEPTANCE_EXPIRED)->function = g_strdup("f");
	accept_in(shards[1], "c: not worth it", ACCEPTANCE_FORBIDDEN);
	assert_true(join(f));
	assert_int_equal(f->joined->acceptances->len, 4);
	assert_int_equal(accepted_at(f->joined, 1)->state, ACCEPTANCE_EXPIRED);
	assert_string_equal(accepted_at(f->joined, 2)->function, "f");
	assert_int_equal(accepted_at(f->joined, 3)->state, ACCEPTANCE_FORBIDDEN);
}

/* --- missing --- */

static void a_missing_shard_never_passes(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 4);
	assert_string_equal(first_reason(f->joined)->code, "shard_missing");
	assert_string_equal(
	        first_reason(f->joined)->text, "shard 2 of 2 left no result, so these were not measured: c, d");
}

/* A file may say any number; naming each of them would fill the memory of the machine. */
static void many_missing_shards_are_named_by_their_first_and_last(void **state)
{
	Fixture *f = *state;
	static const struct {
		guint total, index;
		const char *says;
	} rows[] = {
	        {4, 2, "shards 1, 3, 4 of 4 left no result"},
	        {5, 2, "shards 1, 3 to 5 of 5 left no result"},
	        {3000000, 7, "shards 1 to 6, 8 to 3000000 of 3000000 left no result"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		CheckResult *result = add_shard(f, rows[i].index, "a b c d");
		result->shards->total = rows[i].total;
		assert_true(join(f));
		assert_string_equal(first_reason(f->joined)->text, rows[i].says);
		g_clear_pointer(&f->joined, check_result_free);
		g_ptr_array_set_size(f->results, 0);
	}
}

static void a_benchmark_that_no_shard_was_given_never_passes(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c");
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 4);
	assert_string_equal(first_reason(f->joined)->code, "benchmark_missing");
}

static void a_result_that_its_shard_lost_never_passes(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *second = add_shard(f, 2, "c d");
	g_ptr_array_remove_index(second->benchmarks, 1);
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 4);
	assert_string_equal(first_reason(f->joined)->benchmark, "d");
	assert_names(f->joined, "a b c d");
}

static void an_exit_code_without_a_reason_is_kept(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d")->exit_code = 7;
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 7);
	assert_string_equal(first_reason(f->joined)->code, "shard_failed");
}

static void an_exit_code_that_no_reason_has_is_kept(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *second = add_shard(f, 2, "c d");
	check_result_add_reason(second, 3, "interval_too_wide", "c", "c is open");
	second->exit_code = 1;
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 1);
	assert_int_equal(f->joined->reasons->len, 2);
}

static void a_reason_for_nothing_makes_no_pass(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *second = add_shard(f, 2, "c d");
	check_result_add_reason(second, 0, "regression", "c", "c is slower");
	second->exit_code = 1;
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 1);
	assert_int_equal(f->joined->reasons->len, 1);
}

static void a_verdict_that_the_exit_code_does_not_tell_is_kept(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d")->verdict = VERDICT_INCONCLUSIVE;
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 3);
	assert_string_equal(first_reason(f->joined)->code, "shard_failed");
}

static void a_shard_that_ended_before_it_knew_its_benchmarks_is_part_of_the_check(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *second = add_shard(f, 2, "");
	result_side_set(&second->base, NULL, NULL, NULL, NULL);
	g_ptr_array_set_size(second->shards->benchmarks, 0);
	environment_free(g_steal_pointer(&part_of(second)->machine));
	g_ptr_array_set_size(second->reasons, 0);
	check_result_add_reason(second, FIREBREAK_ERROR_USAGE, "usage", NULL, "no such revision");
	check_result_decide(second);
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 2);
	assert_int_equal(f->joined->reasons->len, 1);
	assert_names(f->joined, "a b");
}

/* --- refused --- */

static void other_commits_are_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	result_side_set(&add_shard(f, 2, "c d")->head, BASE_SHA, "", "", "");
	assert_refused(f, FIREBREAK_ERROR_USAGE, "one and two are not of one check: head is " HEAD_SHA);
}

static void another_mode_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d")->mode = CHECK_CALIBRATE;
	assert_refused(f, FIREBREAK_ERROR_USAGE, "gate in the one and calibrate in the other");
}

static void another_number_of_shards_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "c d")->shards->total = 3;
	assert_refused(f, FIREBREAK_ERROR_USAGE, "one of 2 shards");
}

static void a_shard_that_is_there_twice_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 2, "a b");
	add_shard(f, 2, "a b");
	assert_refused(f, FIREBREAK_ERROR_USAGE, "both shard 2 of 2");
}

static void a_benchmark_that_two_shards_measured_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 2, "b c d");
	assert_refused(f, FIREBREAK_ERROR_USAGE, "one and two both measured b");
}

static void another_list_of_benchmarks_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_names(add_shard(f, 2, "c d")->shards->benchmarks, "e");
	assert_refused(f, FIREBREAK_ERROR_USAGE, "they selected other benchmarks");
}

static void a_result_that_is_not_the_shards_own_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_row(add_shard(f, 2, "c d"), "a", VERDICT_PASS);
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: has a result of a, which is not one of its benchmarks");
}

static void a_result_that_is_there_twice_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_row(add_shard(f, 2, "c d"), "d", VERDICT_PASS);
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: has d twice");
}

static void a_check_that_was_not_split_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	g_clear_pointer(&add_shard(f, 2, "c d")->shards, shard_set_free);
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: not the result of a shard");
}

static void a_number_beyond_the_total_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 3, "a b");
	assert_refused(f, FIREBREAK_ERROR_USAGE, "says that it is shard 3 of 2");
}

static void results_of_an_unknown_machine_are_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_free(g_steal_pointer(&part_of(add_shard(f, 2, "c d"))->machine));
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: has results, but does not say");
}

/* Two unknown ones would be equal. */
static void results_of_half_a_machine_are_refused(void **state)
{
	Fixture *f = *state;
	static const MetricClass known[] = {METRIC_DETERMINISTIC, METRIC_REPLICABLE};
	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		g_ptr_array_set_size(f->results, 0);
		g_clear_error(&f->error);
		for (guint shard = 1; shard <= 2; shard++) {
			ShardPart *part = part_of(add_shard(f, shard, shard == 1 ? "a b" : "c d"));
			environment_free(part->machine);
			part->machine = environment_new();
			environment_set(part->machine, "field", known[i], "known");
		}
		assert_refused(f, FIREBREAK_ERROR_USAGE, "one: has results, but does not say");
	}
}

static void results_of_an_unknown_policy_are_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	*add_shard(f, 2, "c d")->config_source = '\0';
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: has results, but does not say");
}

static void results_of_unknown_commits_are_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	result_side_set(&add_shard(f, 2, "c d")->head, NULL, NULL, NULL, NULL);
	assert_refused(f, FIREBREAK_ERROR_USAGE, "two: has results, but does not say");
}

static void add_compiler(ResultSide *side, const char *name)
{
	UsedCompiler *compiler = g_new0(UsedCompiler, 1);
	compiler->name = g_strdup(name);
	compiler->program = g_strdup("/usr/bin/gcc-12");
	side->compilers = used_compilers_new();
	g_ptr_array_add(side->compilers, compiler);
}

static const char *only_compiler(const ResultSide *side)
{
	assert_non_null(side->compilers);
	assert_int_equal(side->compilers->len, 1);
	return ((const UsedCompiler *)side->compilers->pdata[0])->name;
}

static void compilers_are_those_of_the_first_shard_that_built(void **state)
{
	Fixture *f = *state;
	add_compiler(&add_shard(f, 1, "a b")->head, "cc");
	CheckResult *second = add_shard(f, 2, "c d");
	add_compiler(&second->base, "gcc");
	add_compiler(&second->head, "gcc");
	assert_true(join(f));
	assert_string_equal(only_compiler(&f->joined->base), "gcc");
	assert_string_equal(only_compiler(&f->joined->head), "cc");
}

static void another_toolchain_is_refused_even_if_machines_may_differ(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_set(part_of(add_shard(f, 2, "c d"))->machine, "compiler", METRIC_DETERMINISTIC, "gcc 13");
	f->options.mixed_machines = TRUE;
	assert_refused(f, FIREBREAK_ERROR_BASELINE, "compiler is gcc 12 in the one and gcc 13 in the other");
}

static void another_version_of_firebreak_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_set(part_of(add_shard(f, 2, "c d"))->machine, "firebreak_version", METRIC_DETERMINISTIC, "2");
	assert_refused(f, FIREBREAK_ERROR_BASELINE, "firebreak_version is 1 in the one and 2 in the other");
}

static void another_kind_of_machine_is_refused(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_set(part_of(add_shard(f, 2, "c d"))->machine, "cpu_model", METRIC_REPLICABLE, "Model 2");
	assert_refused(f, FIREBREAK_ERROR_BASELINE, "--mixed-machines");
}

static void a_field_that_one_machine_lacks_makes_it_another_kind(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_set(part_of(add_shard(f, 2, "c d"))->machine, "l3_size", METRIC_REPLICABLE, "32M");
	assert_refused(f, FIREBREAK_ERROR_BASELINE, "l3_size is not known in the one and 32M in the other");
}

static void unlike_machines_that_are_meant_are_a_finding(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	environment_set(part_of(add_shard(f, 2, "c d"))->machine, "cpu_model", METRIC_REPLICABLE, "Model 2");
	f->options.mixed_machines = TRUE;
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 0);
	assert_true(finding_has(f->joined->findings, "mixed_machines"));
}

static void what_is_refused_keeps_its_benchmarks(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	add_shard(f, 1, "c d");
	assert_false(join(f));
	assert_names(f->results->pdata[0], "a b");
}

static void the_machine_of_a_shard_leaves_out_what_changes_from_day_to_day(void **state)
{
	(void)state;
	g_autoptr(Environment) environment = environment_new();
	environment_set(environment, "boot_id", METRIC_SAME_CAMPAIGN, "x");
	environment_set(environment, "firebreak_version", METRIC_SAME_CAMPAIGN, "1");
	environment_set(environment, "kernel_release", METRIC_REPLICABLE, "6.1");
	g_autoptr(Environment) machine = shard_machine(environment);
	assert_int_equal(machine->fields->len, 2);
	assert_null(environment_get(machine, "boot_id"));
	assert_null(shard_machine(NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Such a reason is told again by its row. */
static void nothing_to_compare_in_a_shard_is_told_and_passes(void **state)
{
	Fixture *f = *state;
	add_shard(f, 1, "a b");
	CheckResult *shard = add_shard(f, 2, "c d");
	ResultBenchmark *row = shard->benchmarks->pdata[1];
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, NOTHING_TO_COMPARE, g_strdup("nothing yet"));
	check_result_decide(shard);
	assert_true(join(f));
	assert_int_equal(f->joined->exit_code, 0);
	g_autofree char *reason = check_result_reason(f->joined);
	assert_string_equal(reason, "3 benchmarks passed; 1 new benchmark: nothing to compare yet");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(benchmarks_come_in_the_order_of_the_configuration),
	        TEST(nothing_to_compare_in_a_shard_is_told_and_passes),
	        TEST(a_regression_in_one_shard_is_one_of_the_check),
	        TEST(an_error_of_one_shard_outranks_a_regression_of_another),
	        TEST(what_all_shards_say_is_said_once),
	        TEST(what_the_shards_were_is_kept),
	        TEST(the_check_takes_as_long_as_its_slowest_shard),
	        TEST(values_of_the_environment_that_differ_stand_beside_each_other),
	        TEST(what_one_shard_used_is_used),
	        TEST(what_no_shard_used_is_said_once),
	        TEST(what_a_missing_shard_may_have_used_is_not_called_unused),
	        TEST(acceptances_that_differ_all_stay),
	        TEST(changed_code_has_the_functions_of_all_shards),
	        TEST(a_change_that_no_shard_knows_is_not_known),
	        TEST(a_missing_shard_never_passes),
	        TEST(many_missing_shards_are_named_by_their_first_and_last),
	        TEST(a_benchmark_that_no_shard_was_given_never_passes),
	        TEST(a_result_that_its_shard_lost_never_passes),
	        TEST(an_exit_code_without_a_reason_is_kept),
	        TEST(an_exit_code_that_no_reason_has_is_kept),
	        TEST(a_reason_for_nothing_makes_no_pass),
	        TEST(a_verdict_that_the_exit_code_does_not_tell_is_kept),
	        TEST(a_shard_that_ended_before_it_knew_its_benchmarks_is_part_of_the_check),
	        TEST(other_commits_are_refused),
	        TEST(another_mode_is_refused),
	        TEST(another_number_of_shards_is_refused),
	        TEST(a_shard_that_is_there_twice_is_refused),
	        TEST(a_benchmark_that_two_shards_measured_is_refused),
	        TEST(another_list_of_benchmarks_is_refused),
	        TEST(a_result_that_is_not_the_shards_own_is_refused),
	        TEST(a_result_that_is_there_twice_is_refused),
	        TEST(a_check_that_was_not_split_is_refused),
	        TEST(a_number_beyond_the_total_is_refused),
	        TEST(results_of_an_unknown_machine_are_refused),
	        TEST(results_of_half_a_machine_are_refused),
	        TEST(results_of_an_unknown_policy_are_refused),
	        TEST(results_of_unknown_commits_are_refused),
	        TEST(compilers_are_those_of_the_first_shard_that_built),
	        TEST(another_toolchain_is_refused_even_if_machines_may_differ),
	        TEST(another_version_of_firebreak_is_refused),
	        TEST(another_kind_of_machine_is_refused),
	        TEST(a_field_that_one_machine_lacks_makes_it_another_kind),
	        TEST(unlike_machines_that_are_meant_are_a_finding),
	        TEST(what_is_refused_keeps_its_benchmarks),
	        TEST(the_machine_of_a_shard_leaves_out_what_changes_from_day_to_day),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
