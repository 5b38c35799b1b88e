/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/speedscopewrite.h"

#include "core/jsontext.h"
#include "tests/profile/exportexample.h"

static json_t *written(const ExportedProfile *exported)
{
	g_autoptr(GError) error = NULL;
	GString *text = speedscope_write(exported);
	json_t *root = json_load_text(text->str, text->len, "test", &error);
	if (root == NULL)
		fail_msg("%s", error->message);
	g_string_free(text, TRUE);
	return root;
}

static const json_t *profile_at(const json_t *root, guint i)
{
	const json_t *profile = json_array_get(json_object_get(root, "profiles"), i);
	assert_non_null(profile);
	return profile;
}

static gint64 sum_of(const json_t *numbers)
{
	size_t i;
	json_t *number;
	gint64 sum = 0;
	json_array_foreach((json_t *)numbers, i, number) sum += json_integer_value(number);
	return sum;
}

static const json_t *frame_named_in(const json_t *root, const char *name)
{
	size_t i;
	json_t *frame;
	json_array_foreach(json_object_get(json_object_get(root, "shared"), "frames"), i,
	        frame) if (strcmp(json_string_value(json_object_get(frame, "name")), name) == 0) return frame;
	fail_msg("no frame %s", name);
	return NULL;
}

static void a_profile_is_one_sampled_profile(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	const json_t *profile = profile_at(root, 0);
	assert_int_equal(json_array_size(json_object_get(root, "profiles")), 1);
	assert_string_equal(json_string_value(json_object_get(root, "$schema")),
	        "https://www.speedscope.app/file-format-schema.json");
	assert_string_equal(json_string_value(json_object_get(profile, "type")), "sampled");
	assert_string_equal(json_string_value(json_object_get(profile, "name")), "parse");
	assert_string_equal(json_string_value(json_object_get(profile, "unit")), "nanoseconds");
}

static void weights_add_up_to_the_end_value(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->both);
	static const gint64 totals[] = {13200000, 17500001, 5000001};
	for (guint i = 0; i < G_N_ELEMENTS(totals); i++) {
		const json_t *profile = profile_at(root, i), *weights = json_object_get(profile, "weights");
		assert_int_equal(sum_of(weights), totals[i]);
		assert_int_equal(json_integer_value(json_object_get(profile, "endValue")), totals[i]);
		assert_int_equal(json_array_size(weights), json_array_size(json_object_get(profile, "samples")));
	}
}

static void a_comparison_is_base_head_and_increases(void **state)
{
	ExportExample *e = *state;
	static const char *const names[] = {"base", "head", "increases"};
	json_auto_t *root = written(&e->both);
	assert_int_equal(json_array_size(json_object_get(root, "profiles")), 3);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		assert_string_equal(json_string_value(json_object_get(profile_at(root, i), "name")), names[i]);
	assert_int_equal(json_integer_value(json_object_get(root, "activeProfileIndex")), 1);
}

static void stacks_are_root_first(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	const json_t *stack = json_array_get(json_object_get(profile_at(root, 0), "samples"), 0);
	static const char *const names[] = {"lexi", "main", "parse"};
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	assert_int_equal(json_array_size(stack), 3);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t row = (size_t)json_integer_value(json_array_get(stack, i));
		assert_string_equal(json_string_value(json_object_get(json_array_get(frames, row), "name")), names[i]);
	}
}

static void frames_have_their_file_or_else_their_module(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	const json_t *parse = frame_named_in(root, "parse"), *inlined = frame_named_in(root, "read_char");
	assert_string_equal(json_string_value(json_object_get(parse, "file")), "lexi.c");
	assert_int_equal(json_integer_value(json_object_get(parse, "line")), 7);
	assert_string_equal(json_string_value(json_object_get(inlined, "file")), "lexi");
	assert_null(json_object_get(inlined, "line"));
	assert_null(json_object_get(frame_named_in(root, "lexi"), "file"));
}

static void hostile_names_come_back(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	assert_non_null(frame_named_in(root, HOSTILE_VISIBLE));
}

static void counts_have_no_unit(void **state)
{
	ExportExample *e = *state;
	g_autoptr(Profile) counts = example_counts(e->head);
	json_auto_t *root = written(&(ExportedProfile){.head = counts, .name = "counts", .exporter = "test"});
	assert_string_equal(json_string_value(json_object_get(profile_at(root, 0), "unit")), "none");
}

static void equal_sides_have_no_increases(void **state)
{
	ExportExample *e = *state;
	e->both.base = e->head;
	json_auto_t *root = written(&e->both);
	assert_int_equal(json_array_size(json_object_get(profile_at(root, 2), "samples")), 0);
	assert_int_equal(json_integer_value(json_object_get(profile_at(root, 2), "endValue")), 0);
}

static void the_same_profile_gives_the_same_bytes(void **state)
{
	ExportExample *e = *state;
	GString *first = speedscope_write(&e->both), *second = speedscope_write(&e->both);
	assert_true(g_string_equal(first, second));
	g_string_free(first, TRUE);
	g_string_free(second, TRUE);
}

#define WITH_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, example_of_time, example_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_EXAMPLE(a_profile_is_one_sampled_profile),
	        WITH_EXAMPLE(weights_add_up_to_the_end_value),
	        WITH_EXAMPLE(a_comparison_is_base_head_and_increases),
	        WITH_EXAMPLE(stacks_are_root_first),
	        WITH_EXAMPLE(frames_have_their_file_or_else_their_module),
	        WITH_EXAMPLE(hostile_names_come_back),
	        WITH_EXAMPLE(counts_have_no_unit),
	        WITH_EXAMPLE(equal_sides_have_no_increases),
	        WITH_EXAMPLE(the_same_profile_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
