/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with what is inlined into them, and code that is inlined on one side only. */
#include "tests/compare/attributioninput.h"

static StackId inlined_stack(Synthetic *s, const char *name)
{
	static const SyntheticFunction host = {"main;compress", 0, 0, NULL, 0};
	FrameId frame = stack_table_frame_named(s->table, name, "prog", FRAME_INLINED);
	return stack_table_push(s->table, synthetic_stack(s->table, &host), frame);
}

static void add_time(Measurement *m, guint run, guint64 samples)
{
	double time = metric_value(measurement_metric(m, &engine_perf, "task-clock"), run);
	synthetic_value(m, "task-clock", "ns", run, time + 1.02 * (double)samples * SAMPLE_NS);
}

/* Adds samples in code that is inlined into compress, more or less the same in every round. */
static void add_inlined(Synthetic *s, const char *name, guint base, guint head)
{
	StackId stack = inlined_stack(s, name);
	for (guint r = 0; r < profile_n_runs(s->base->profile); r++) {
		guint64 costs[] = {base + r % 3, head + (r + 1) % 3};
		profile_add(s->base->profile, r, stack, (ProfileCell){costs[0], costs[0] * SAMPLE_NS});
		profile_add(s->head->profile, r, stack, (ProfileCell){costs[1], costs[1] * SAMPLE_NS});
		add_time(s->base, r, costs[0]);
		add_time(s->head, r, costs[1]);
	}
}

static const SyntheticFunction compressing[] = {
        {"main", 500, 500, "main.c", 90},
        {"main;compress", 1000, 1000, "lz.c", 10},
        {"main;count", 300, 300, "lz.c", 90}, /* also inlined */
        {NULL, 0, 0, NULL, 0},
};

/* Cost that a compiler deals out to other inlined pieces of one function is no change of it. */
static void cost_that_moves_between_inlined_pieces_of_a_function_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 500);
	add_inlined(s, "put_index", 500, 200);
	s->input.functions.strict = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_int_equal(c->functions->len, 3);
	assert_int_equal(gating(c), 0);
	assert_int_equal(compress->klass, FUNCTION_UNCHANGED);
	assert_true(compress->base_samples > 8 * 1600 && compress->base_samples < 8 * 1800);
	assert_null(synthetic_find(s, c, "put_index"));
	assert_int_equal(synthetic_find(s, c, "count")->klass, FUNCTION_UNCHANGED);
	assert_null(synthetic_find(s, c, "count")->inlined);
	assert_int_equal(compress->inlined->len, 2);
	const InlinedPart *count = compress->inlined->pdata[0], *put = compress->inlined->pdata[1];
	assert_string_equal(stack_table_frame_name(s->table, count->frame), "count");
	assert_string_equal(stack_table_frame_name(s->table, put->frame), "put_index");
	assert_true(count->contribution > .1 && put->contribution < -.1);
	assert_true(count->contribution_lower > .09 && count->contribution_upper < .15);
	assert_true(count->contribution_lower < count->contribution && count->contribution < count->contribution_upper);
}

/* Rows, what is not tested, unknown and unsampled are all there is; inlined parts are in the rows. */
static void contributions_of_physical_functions_add_up(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 560);
	add_inlined(s, "put_index", 500, 200);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	double sum = c->unknown_contribution + c->unsampled_contribution;
	for (guint i = 0; i < c->functions->len; i++)
		sum += ((const FunctionComparison *)c->functions->pdata[i])->contribution;
	assert_true(fabs(sum - c->total_change) < 1e-12);
}

static void assert_place(const Synthetic *s, FunctionPlace place, const char *file, guint line)
{
	assert_string_equal(stack_table_text(s->table, place.file), file);
	assert_int_equal(place.line, line);
}

/* A program that is nearly one function: what it costs more is little of itself, but makes the total fail. */
static const SyntheticFunction one_large[] = {
        {"main", 200, 200, "main.c", 9},
        {"main;compress", 9500, 9850, "lz.c", 10},
        {"main;crc", 300, 300, "crc.c", 30},
        {NULL, 0, 0, NULL, 0},
};

static void most_of_a_failed_total_has_a_name_though_it_is_little_of_the_function(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	g_autoptr(LineChanges) change = edit_lines("lz.c", 12, 13);
	g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_true(compress->change_ratio < 1.05);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(compress->klass, FUNCTION_REGRESSION);
	assert_false(compress->gates);
	assert_int_equal(compress->held, FUNCTION_NOT_HELD);
	assert_non_null(strstr(c->sentence, ", caused by compress"));
	assert_non_null(strstr(c->sentence, "edited in this change"));
}

static void little_of_a_large_function_is_not_told_where_the_total_does_not_fail(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	s->policy.margin = s->policy.pass_margin = .10;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

static void little_of_an_edited_large_function_is_told_where_the_total_rose(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	s->policy.margin = s->policy.pass_margin = .10;
	g_autoptr(LineChanges) change = edit_lines("lz.c", 12, 13);
	g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "compress")->held, FUNCTION_HELD_BY_LEVEL);
	assert_true(g_str_has_prefix(c->slower, "slower although the total passes: compress +3."));
}

/* Its p is between the level of a report and that of the gate. */
static void an_edited_function_that_the_level_of_the_gate_lets_pass_is_told(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "hash", .file = "a.c", .first = 10, .last = 20, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(Synthetic) s = slight();
		s->input.functions.gate_alpha = 0;
		g_autoptr(LineChanges) change = edit_lines(touched ? "a.c" : "b.c", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
		assert_int_equal(
		        synthetic_find(s, c, "hash")->held, touched ? FUNCTION_HELD_BY_LEVEL : FUNCTION_NOT_HELD);
		assert_int_equal(c->slower != NULL, touched);
	}
}

static void little_of_a_large_function_of_the_same_code_does_not_explain_the_total(void **state)
{
	static const KnownCode same[] = {{.name = "compress", .hash = {1, 1}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	g_autoptr(CodeFacts) code = known_code(s->table, same);
	s->input.code = code;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

/* crc fails by itself, and compress rose by no more than two fifths of the total. */
static void less_than_half_of_a_failed_total_has_to_be_much_of_the_function(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 200, 200, "main.c", 9},
	        {"main;compress", 9500, 9750, "lz.c", 10},
	        {"main;crc", 300, 700, "crc.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 5);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(synthetic_find(s, c, "compress")->p_adjusted <= .05);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

/* A function with its inlined parts is what gets slower; the sentence says which part. */
static void a_function_is_slower_by_what_is_inlined_into_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}},
	        {.name = "count", .file = "lz.c", .first = 90, .last = 99},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 500);
	g_autoptr(LineChanges) change = edit_lines("lz.c", 92, 93);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(compress->gates);
	assert_int_equal(compress->relation, CHANGE_TOUCHED);
	assert_int_equal(((const InlinedPart *)compress->inlined->pdata[0])->relation, CHANGE_TOUCHED);
	assert_non_null(strstr(compress->sentence, ", of which count, inlined, +14."));
	assert_non_null(strstr(compress->sentence, ", whose inlined count is edited in this change"));
	assert_non_null(strstr(c->sentence, ", whose inlined count is edited in this change"));
	assert_place(s, compress->edited_place, "lz.c", 92);
}

static const SyntheticFunction releasing[] = {
        {"main", 1000, 1000, "main.c", 90},
        {"main;sort_items", 200, 200, "sort.c", 40},
        {"main;sort_items;release", 300, 700, "value.c", 10},
        {NULL, 0, 0, NULL, 0},
};

/* A diff shows the function that calls the other one more often. */
static void the_place_to_look_at_is_that_of_the_edited_caller(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {5, 5}},
	        {.name = "sort_items", .file = "sort.c", .first = 40, .last = 60, .hash = {1, 2}},
	        {.name = "release", .file = "value.c", .first = 10, .last = 20, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(releasing, 5);
	g_autoptr(LineChanges) change = edit_lines("sort.c", 50, 51);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "release")->relation, CHANGE_CALLED_BY_TOUCHED);
	assert_place(s, synthetic_find(s, c, "release")->edited_place, "sort.c", 50);
	assert_place(s, synthetic_find(s, c, "release")->place, "value.c", 10);
	assert_place(s, synthetic_find(s, c, "sort_items")->edited_place, "sort.c", 50);
	assert_int_equal(synthetic_find(s, c, "main")->edited_place.file.index, 0);
}

/* An inlined function with nothing around it that has code is one of its own. */
static void an_inlined_function_without_a_host_is_a_function(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	FrameId frame = stack_table_frame_named(s->table, "orphan", "prog", FRAME_INLINED);
	FrameId command = stack_table_frame_named(s->table, "lz", NULL, FRAME_COMMAND);
	StackId stack = stack_table_push(s->table, stack_table_push(s->table, STACK_ROOT, command), frame);
	for (guint r = 0; r < 8; r++) {
		profile_add(s->base->profile, r, stack, (ProfileCell){100, 100 * SAMPLE_NS});
		profile_add(s->head->profile, r, stack, (ProfileCell){100, 100 * SAMPLE_NS});
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "orphan")->base_samples, 800);
}

static const SyntheticFunction outlined[] = {
        {"main", 500, 500, "main.c", 90},
        {"main;compress", 1000, 1000, "lz.c", 10},
        {"main;compress;~count", 400, 0, NULL, 0},
        {"main;compress;count", 0, 400, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

/* A function that a compiler inlines no more is no slower for that, even where the fall of its former host is not to be
 * seen. */
static void a_function_that_is_inlined_no_more_is_a_cost_shift(void **state)
{
	static const SyntheticFunction slower_too[] = {
	        {"main", 500, 500, "main.c", 90},
	        {"main;compress", 1000, 1000, "lz.c", 10},
	        {"main;compress;~count", 400, 0, NULL, 0},
	        {"main;compress;count", 0, 900, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint slower_also = 0; slower_also < 2; slower_also++) {
		g_autoptr(Synthetic) s = campaign(slower_also ? slower_too : outlined, 5);
		s->input.functions.strict = TRUE;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		assert_int_equal(count->klass, slower_also ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_int_equal(count->gates, slower_also);
		if (!slower_also)
			assert_string_equal(count->note, ATTRIBUTION_OUTLINED);
	}
}

/* The fall of compress is that count is no longer in it, so it explains no other rise. */
static void what_was_outlined_explains_nothing_else(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 500, 500, "main.c", 90},
	        {"main;compress", 1000, 1000, "lz.c", 10},
	        {"main;compress;~count", 400, 0, NULL, 0},
	        {"main;compress;count", 0, 400, NULL, 0},
	        {"main;render", 800, 900, "r.c", 10},
	        {"main;parse", 400, 400, "p.c", 10},
	        {"main;emit", 400, 400, "e.c", 10},
	        {"main;store", 400, 400, "t.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 12, .seed = 5, .noise = .2, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "count")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "render")->klass, FUNCTION_REGRESSION);
}

/* With inlines expanded, a function has one name and one cost whether it is inlined or not. */
static void an_inlined_function_is_the_same_one(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, "a.c", 90},
		        {"main;render", 200, 200, "a.c", 50},
		        {"main;render;digits", 200, slower ? 300 : 200, "a.c", 20},
		        {"main;sort", 400, 400, "b.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "digits", slower ? FUNCTION_REGRESSION : FUNCTION_UNCHANGED);
		assert_in_range(o.of_class, 29, 30);
		assert_int_equal(o.gating, slower ? 30 : 0);
	}
}

/* Without debug information, an inlined function is part of its caller: in base ... */
static void a_function_that_is_no_longer_inlined_is_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, NULL, 0},
		        {"main;render", 400, 200, NULL, 0},
		        {"main;render;digits", 0, slower ? 330 : 202, NULL, 0},
		        {"main;sort", 400, 400, NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "digits", slower ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_in_range(o.of_class, 29, 30);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
	}
}

/* ... or in head. */
static void a_function_that_is_inlined_now_is_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, NULL, 0},
		        {"main;render", 200, slower ? 530 : 402, NULL, 0},
		        {"main;render;digits", 200, 0, NULL, 0},
		        {"main;sort", 400, 400, NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "render", slower ? FUNCTION_REGRESSION : FUNCTION_COST_SHIFT);
		assert_in_range(o.of_class, 29, 30);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
	}
}

/* A quarter of what count rose by is 35 or 40 samples, and the floor is 50: with its copies it rose by 40 or 60. */
static void of_a_small_function_the_floor_is_what_may_remain_of_its_rise(void **state)
{
	static const double heads[] = {140, 160};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
		const SyntheticFunction tree[] = {
		        {"main", 5000, 5000, "main.c", 90},
		        {"main;compress", 4900, 4900, "lz.c", 10},
		        {"main;compress;~count", 100, 0, NULL, 0},
		        {"main;compress;count", 0, heads[i], NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 5, .noise = .05, .time_noise = .001};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->input.functions.floor_contribution = .005;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		gboolean outlined_only = count->note != NULL && strstr(count->note, ATTRIBUTION_OUTLINED) != NULL;
		assert_int_equal(outlined_only, i == 0);
	}
}

/* With its copies it seems to cost the same, but may well cost half as much again. */
static void a_function_that_may_cost_more_with_its_copies_is_not_only_outlined(void **state)
{
	static const double noises[] = {.5, 5};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(noises); i++) {
		SyntheticPlan plan = {
		        .functions = outlined, .rounds = 8, .seed = 5, .noise = noises[i], .time_noise = .05};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		assert_int_equal(count->klass, i == 0 ? FUNCTION_COST_SHIFT : FUNCTION_NEW);
		assert_int_equal(g_strcmp0(count->note, ATTRIBUTION_OUTLINED) == 0, i == 0);
	}
}

/* Its lines are known on one side only, as where head's debug information lacks them. */
static void an_edited_caller_that_head_does_not_place_stands_where_base_has_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "sort_items", .file = "sort.c", .first = 40, .last = 60, .absent = {FALSE, TRUE}},
	        {.name = "release", .file = "value.c", .first = 10, .last = 20, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(releasing, 5);
	g_autoptr(LineChanges) change = edit_lines("sort.c", 50, 51);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "release")->relation, CHANGE_CALLED_BY_TOUCHED);
	assert_place(s, synthetic_find(s, c, "release")->edited_place, "sort.c", 40);
}

/* Another metric failed, and the time rose by hardly anything: half of that is below the floor of .3 %. */
static void most_of_a_rise_below_the_floor_has_no_name(void **state)
{
	static const double heads[] = {9520, 9540};
	static MetricPolicy faults = {.metric = (char *)"page-faults",
	        .engine = &engine_perf,
	        .margin = .02,
	        .pass_margin = .05,
	        .gates = TRUE};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
		const SyntheticFunction tree[] = {
		        {"main", 200, 200, "main.c", 9},
		        {"main;compress", 9500, heads[i], "lz.c", 10},
		        {"main;crc", 300, 300, "crc.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 5, .noise = .03, .time_noise = .0005};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->input.functions.floor_contribution = .003;
		g_ptr_array_add(s->policies, &faults);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(s->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(s->head, "page-faults", "count", r, 1300 + 2 * r);
		}
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(c->verdict, VERDICT_REGRESSION);
		assert_true(synthetic_find(s, c, "compress")->p_adjusted <= .05);
		assert_int_equal(
		        synthetic_find(s, c, "compress")->klass, i == 0 ? FUNCTION_UNCHANGED : FUNCTION_REGRESSION);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cost_that_moves_between_inlined_pieces_of_a_function_changes_nothing),
	        cmocka_unit_test(contributions_of_physical_functions_add_up),
	        cmocka_unit_test(most_of_a_failed_total_has_a_name_though_it_is_little_of_the_function),
	        cmocka_unit_test(little_of_a_large_function_is_not_told_where_the_total_does_not_fail),
	        cmocka_unit_test(little_of_an_edited_large_function_is_told_where_the_total_rose),
	        cmocka_unit_test(an_edited_function_that_the_level_of_the_gate_lets_pass_is_told),
	        cmocka_unit_test(little_of_a_large_function_of_the_same_code_does_not_explain_the_total),
	        cmocka_unit_test(less_than_half_of_a_failed_total_has_to_be_much_of_the_function),
	        cmocka_unit_test(a_function_is_slower_by_what_is_inlined_into_it),
	        cmocka_unit_test(the_place_to_look_at_is_that_of_the_edited_caller),
	        cmocka_unit_test(an_inlined_function_without_a_host_is_a_function),
	        cmocka_unit_test(a_function_that_is_inlined_no_more_is_a_cost_shift),
	        cmocka_unit_test(what_was_outlined_explains_nothing_else),
	        cmocka_unit_test(an_inlined_function_is_the_same_one),
	        cmocka_unit_test(a_function_that_is_no_longer_inlined_is_a_cost_shift),
	        cmocka_unit_test(a_function_that_is_inlined_now_is_a_cost_shift),
	        cmocka_unit_test(of_a_small_function_the_floor_is_what_may_remain_of_its_rise),
	        cmocka_unit_test(a_function_that_may_cost_more_with_its_copies_is_not_only_outlined),
	        cmocka_unit_test(an_edited_caller_that_head_does_not_place_stands_where_base_has_it),
	        cmocka_unit_test(most_of_a_rise_below_the_floor_has_no_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
