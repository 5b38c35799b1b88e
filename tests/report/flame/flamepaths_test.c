/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamepaths.h"

#include "compare/policy.h"
#include "compare/timed/verdict.h"
#include "model/measurement.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/report/flameprofiles.h"

/* Pairs of some runs each, functions that changed for certain, and what is known of their paths. */
typedef struct {
	StackTable *table;
	Profile *base, *head;
	FunctionComparison functions[4];
	guint n_functions;
	gboolean counted;
	FlamePaths *paths;
} Sample;

static Sample sample_new(void)
{
	StackTable *table = stack_table_new();
	return (Sample){
	        .table = table, .base = profile_new(table, "", "counts"), .head = profile_new(table, "", "counts")};
}

static void sample_add(Sample *sample, const char *base, const char *head)
{
	static const FoldedOptions options = {.columns = 1, .plain_root = TRUE};
	guint run = profile_add_run(sample->base);
	profile_add_run(sample->head);
	assert_true(folded_read(base, strlen(base), "base", &options, sample->base, run, NULL, NULL));
	assert_true(folded_read(head, strlen(head), "head", &options, sample->head, run, NULL, NULL));
}

static FrameId frame_named(const Sample *sample, const char *name)
{
	return stack_table_frame_named(sample->table, name, NULL, FRAME_USER);
}

static void sample_changed(Sample *sample, const char *from, const char *to, double contribution)
{
	sample->functions[sample->n_functions++] = (FunctionComparison){.frame = frame_named(sample, to),
	        .renamed_from = frame_named(sample, from),
	        .contribution = contribution};
}

static void sample_find(Sample *sample)
{
	guint n = stack_table_n_frames(sample->table);
	g_autofree const FunctionComparison **functions = g_new0(const FunctionComparison *, n);
	g_autofree gboolean *significant = g_new0(gboolean, n);
	for (guint i = 0; i < sample->n_functions; i++) {
		const FunctionComparison *function = &sample->functions[i];
		functions[function->frame.index] = functions[function->renamed_from.index] = function;
		significant[function->frame.index] = significant[function->renamed_from.index] = TRUE;
	}
	FlamePathsInput input = {.base = sample->base,
	        .head = sample->head,
	        .functions = functions,
	        .significant = significant,
	        .counted = sample->counted,
	        .alpha = .05};
	sample->paths = flame_paths_new(&input);
}

static void sample_clear(Sample *sample)
{
	flame_paths_free(sample->paths);
	profile_free(sample->base);
	profile_free(sample->head);
	stack_table_unref(sample->table);
}

static guint row_of(const Sample *sample, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, ";", -1);
	StackId stack = STACK_ROOT;
	for (guint i = 0; names[i] != NULL; i++)
		stack = stack_table_push(sample->table, stack, frame_named(sample, names[i]));
	assert_true(stack.index < sample->paths->n_rows);
	return stack.index;
}

static double own(const Sample *sample, const char *path)
{
	return sample->paths->own[row_of(sample, path)];
}

static double rest(const Sample *sample, const char *path)
{
	return sample->paths->rest[row_of(sample, path)];
}

static void assert_close(double value, double wanted)
{
	assert_float_equal(value, wanted, 1e-6);
}

/* --- examples --- */

static void a_function_with_one_path_is_that_path(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample_add(&sample, "m;f 100\nm;g 5\n", "m;f 130\nm;g 9\n");
	sample_changed(&sample, "f", "f", .3);
	sample_find(&sample);
	assert_close(own(&sample, "m;f"), 30);
	assert_close(own(&sample, "m;g"), 0);
	assert_false(sample.paths->too_few_runs);
	sample_clear(&sample);
}

/* a;f rose, b;f moves by chance; what both did is on their common caller. */
static void of_several_paths_only_those_count_that_changed(void **state)
{
	(void)state;
	static const int noise[] = {3, -5, 7, -2, 6, -6, -4, 9, -8, 2};
	Sample sample = sample_new();
	for (guint i = 0; i < 9; i++) {
		g_autofree char *base =
		        g_strdup_printf("m;a;f %d\nm;b;f %d\nm;g %d\n", 100 + noise[i], 100 + noise[(i + 4) % 10], 300);
		g_autofree char *head = g_strdup_printf(
		        "m;a;f %d\nm;b;f %d\nm;g %d\n", 150 + noise[(i + 2) % 10], 100 + noise[(i + 7) % 10], 300);
		sample_add(&sample, base, head);
	}
	sample_changed(&sample, "f", "f", .1);
	sample_find(&sample);
	assert_true(own(&sample, "m;a;f") > 40);
	assert_close(own(&sample, "m;b;f"), 0);
	assert_true(rest(&sample, "m") != 0 && fabs(rest(&sample, "m")) < 10);
	assert_close(sample.paths->known[row_of(&sample, "m")], rest(&sample, "m"));
	assert_int_equal(sample.paths->n_paths[frame_named(&sample, "f").index], 2);
	sample_clear(&sample);
}

/* The function test is about the sum; what goes the other way is no part of its claim. */
static void a_path_that_went_against_its_function_does_not_count(void **state)
{
	(void)state;
	Sample sample = sample_new();
	for (guint i = 0; i < 8; i++) {
		g_autofree char *base = g_strdup_printf("m;a;f %u\nm;b;f %u\n", 1000 + i % 3, 1000 + i % 4);
		g_autofree char *head = g_strdup_printf("m;a;f %u\nm;b;f %u\n", 900 + i % 2, 1300 + i % 5);
		sample_add(&sample, base, head);
	}
	sample_changed(&sample, "f", "f", .1);
	sample_find(&sample);
	assert_close(own(&sample, "m;a;f"), 0);
	assert_true(own(&sample, "m;b;f") > 290);
	/* callers of both have the colour of the sum */
	assert_true(own(&sample, "m;b;f") + rest(&sample, "m") < 205);
	sample_clear(&sample);
}

static void without_rounds_paths_are_not_told_apart(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample_add(&sample, "m;a;f 1000\nm;b;f 1000\n", "m;a;f 1500\nm;b;f 1010\n");
	sample_changed(&sample, "f", "f", .25);
	sample_find(&sample);
	assert_true(sample.paths->too_few_runs);
	assert_close(own(&sample, "m;a;f"), 0);
	assert_close(rest(&sample, "m"), 510);
	sample_clear(&sample);
}

static void a_renamed_function_is_one_path_under_its_new_name(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample_add(&sample, "m;old;inner 50\nm;old 100\nm;g 10\n", "m;new;inner 60\nm;new 104\nm;g 10\n");
	sample_changed(&sample, "old", "new", .02);
	sample_changed(&sample, "inner", "inner", .05);
	sample_find(&sample);
	assert_close(own(&sample, "m;old"), 0);
	assert_close(own(&sample, "m;new"), 4);
	assert_close(own(&sample, "m;old;inner"), 0);
	assert_close(own(&sample, "m;new;inner"), 10);
	sample_clear(&sample);
}

static void counts_are_certain_on_every_path(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample.counted = TRUE;
	sample_add(&sample, "m;a;f 1000\nm;b;f 1000\nm;c;f 7\n", "m;a;f 1001\nm;b;f 998\nm;c;f 7\n");
	sample_changed(&sample, "f", "f", -.001);
	sample_find(&sample);
	assert_close(own(&sample, "m;a;f"), 1);
	assert_close(own(&sample, "m;b;f"), -2);
	assert_close(own(&sample, "m;c;f"), 0);
	assert_close(rest(&sample, "m"), 0);
	sample_clear(&sample);
}

static void counts_that_overlap_between_runs_are_not(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample.counted = TRUE;
	sample_add(&sample, "m;a;f 1000\nm;b;f 10\n", "m;a;f 1004\nm;b;f 20\n");
	sample_add(&sample, "m;a;f 1006\nm;b;f 10\n", "m;a;f 1008\nm;b;f 20\n");
	sample_changed(&sample, "f", "f", .01);
	sample_find(&sample);
	assert_close(own(&sample, "m;a;f"), 0);
	assert_close(own(&sample, "m;b;f"), 10);
	assert_close(rest(&sample, "m"), 3);
	sample_clear(&sample);
}

static void a_share_that_moved_against_the_cost_is_not_known(void **state)
{
	(void)state;
	Sample sample = sample_new();
	sample_add(&sample, "m;a 100\nm;b 100\n", "m;a 110\nm;b 300\n");
	sample_changed(&sample, "a", "a", .05);
	sample_find(&sample);
	guint row = row_of(&sample, "m;a");
	assert_close(sample.paths->own[row], 10);
	assert_close(sample.paths->own_share[row], 0);
	sample_clear(&sample);
}

/* --- simulation --- */

#define CALLERS 20
#define OTHERS 5
#define CAMPAIGNS 200

typedef struct {
	guint rounds;
	double change; /* of the first caller's f, of 1000 with a standard deviation of 50 */
} Design;

typedef struct {
	guint found, campaigns, with_noise, noise, unchanged;
} Tally;

static guint64 draw(GRand *random, double mean)
{
	double sum = 0;
	for (guint i = 0; i < 12; i++)
		sum += g_rand_double(random);
	return (guint64)MAX(mean + 50 * (sum - 6), 0);
}

static Measurement *simulate(StackTable *table, GRand *random, const Design *design, double change)
{
	Measurement *side = measurement_new("b", "", "");
	side->profile = profile_new(table, "", "counts");
	StackId bottom = stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, "main", NULL, FRAME_USER));
	for (guint run = 0; run < design->rounds; run++) {
		RunFacts facts = {.round = run + 1};
		g_array_append_val(side->runs, facts);
		profile_add_run(side->profile);
		for (guint i = 0; i < CALLERS + OTHERS; i++) {
			g_autofree char *caller = g_strdup_printf("c%02u", i);
			StackId stack = stack_table_push(
			        table, bottom, stack_table_frame_named(table, caller, NULL, FRAME_USER));
			stack = stack_table_push(table, stack,
			        stack_table_frame_named(table, i < CALLERS ? "f" : "g", NULL, FRAME_USER));
			guint64 cost = draw(random, 1000 + (i == 0 ? change : 0));
			profile_add(side->profile, run, stack, (ProfileCell){cost, cost});
		}
	}
	return side;
}

static void count_paths(Tally *tally, const FlamePaths *paths, const StackTable *table, FrameId f)
{
	guint noise = 0, at = 0;
	for (guint i = 1; i < paths->n_rows; i++) {
		if (stack_table_leaf(table, (StackId){i}).index != f.index)
			continue;
		if (at++ == 0)
			tally->found += paths->own[i] > 0;
		else
			noise += paths->own[i] != 0;
	}
	tally->campaigns++;
	tally->unchanged += CALLERS - 1;
	tally->noise += noise;
	tally->with_noise += noise > 0;
}

static void one_campaign(Tally *tally, GRand *random, const Design *design)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) base = simulate(table, random, design, 0);
	g_autoptr(Measurement) head = simulate(table, random, design, design->change);
	CompareInput input = {.base = base, .head = head, .functions = default_function_policy(TRUE, 1)};
	g_autoptr(BenchmarkComparison) comparison = compare_shown_profiles(&input);
	FrameId f = stack_table_frame_named(table, "f", NULL, FRAME_USER);
	g_autofree const FunctionComparison **functions =
	        g_new0(const FunctionComparison *, stack_table_n_frames(table));
	g_autofree gboolean *significant = g_new0(gboolean, stack_table_n_frames(table));
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		functions[function->frame.index] = function;
		significant[function->frame.index] =
		        function->p_adjusted <= .05 || function->p_adjusted_improvement <= .05;
	}
	if (!significant[f.index])
		return;
	FlamePathsInput paths_input = {.base = base->profile,
	        .head = head->profile,
	        .functions = functions,
	        .significant = significant,
	        .alpha = .05};
	g_autoptr(FlamePaths) paths = flame_paths_new(&paths_input);
	count_paths(tally, paths, table, f);
}

static Tally simulate_all(const Design *design)
{
	Tally tally = {0};
	GRand *random = g_rand_new_with_seed(7);
	for (guint i = 0; i < CAMPAIGNS; i++)
		one_campaign(&tally, random, design);
	g_rand_free(random);
	print_message(
	        "%u rounds, +%g on one path of %d: of %u pictures %u show it, %u show noise; noise %.2f %% of paths\n",
	        design->rounds, design->change, CALLERS, tally.campaigns, tally.found, tally.with_noise,
	        100. * tally.noise / MAX(tally.unchanged, 1));
	return tally;
}

/* Of 200 pictures 10 may show noise at 5 %; more than 20 have a probability of less than .2 %. */
static void paths_of_a_changed_function_that_did_not_change_are_grey(void **state)
{
	(void)state;
	static const Design designs[] = {{12, 2000}, {8, 600}, {20, 600}};
	for (gsize i = 0; i < G_N_ELEMENTS(designs); i++) {
		Tally tally = simulate_all(&designs[i]);
		assert_in_range(tally.campaigns, 190, CAMPAIGNS);
		assert_in_range(tally.with_noise, 0, 20);
		assert_in_range(tally.found, tally.campaigns - 4, tally.campaigns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_function_with_one_path_is_that_path),
	        cmocka_unit_test(of_several_paths_only_those_count_that_changed),
	        cmocka_unit_test(a_path_that_went_against_its_function_does_not_count),
	        cmocka_unit_test(without_rounds_paths_are_not_told_apart),
	        cmocka_unit_test(a_renamed_function_is_one_path_under_its_new_name),
	        cmocka_unit_test(counts_are_certain_on_every_path),
	        cmocka_unit_test(counts_that_overlap_between_runs_are_not),
	        cmocka_unit_test(a_share_that_moved_against_the_cost_is_not_known),
	        cmocka_unit_test(paths_of_a_changed_function_that_did_not_change_are_grey),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
