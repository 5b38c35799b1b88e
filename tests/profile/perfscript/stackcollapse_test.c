/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/stackcollapse.h"

#include "core/error.h"
#include "tests/profile/readers.h"

#define FOLDER "brendangregg-FlameGraph/test/"

static const char *const inputs[] = {"perf-cycles-instructions-01", "perf-dd-stacks-01", "perf-funcab-cmd-01",
        "perf-funcab-pid-01", "perf-iperf-stacks-pidtid-01", "perf-java-faults-01", "perf-java-stacks-01",
        "perf-java-stacks-02", "perf-js-stacks-01", "perf-mirageos-stacks-01", "perf-numa-stacks-01",
        "perf-rust-Yamakaky-dcpu", "perf-vertx-stacks-01"};

static const struct {
	const char *name;
	PerfScriptOptions options;
} variants[] = {
        {"pid", {.root_pid = TRUE}},
        {"tid", {.root_tid = TRUE}},
        {"kernel", {.annotate_kernel = TRUE}},
        {"jit", {.annotate_jit = TRUE}},
        {"all", {.annotate_kernel = TRUE, .annotate_jit = TRUE}},
        {"addrs", {.addresses = TRUE}},
};

static char *collapse(const char *text, gsize length, const PerfScriptOptions *options, guint64 *weight)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autofree char *event = NULL;
	g_autoptr(GError) error = NULL;
	if (!stackcollapse_read(text, length, "test", options, profile, 0, &event, &error))
		fail_msg("%s", error->message);
	*weight = profile_run_total(profile, 0).weight;
	return folded_write(profile, 0, FOLDED_WEIGHT | FOLDED_AS_IS);
}

static void assert_collapses(const char *text, const PerfScriptOptions *options, const char *expected)
{
	guint64 weight;
	g_autofree char *folded = collapse(text, strlen(text), options, &weight);
	assert_string_equal(folded, expected);
}

static char *read_fixture(const char *name, const char *suffix, gsize *length)
{
	g_autofree char *path = shared_fixture(FOLDER "%s%s", name, suffix);
	char *text = NULL;
	assert_true(g_file_get_contents(path, &text, length, NULL));
	return text;
}

static guint64 sum_of_counts(const char *folded)
{
	g_auto(GStrv) lines = g_strsplit(folded, "\n", -1);
	guint64 sum = 0;
	for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
		sum += g_ascii_strtoull(strrchr(lines[i], ' ') + 1, NULL, 10);
	return sum;
}

/* Results of an older script, which kept the L of Java's classes. */
static gboolean is_stale(const char *input, const char *variant)
{
	gboolean is_java = g_str_has_prefix(input, "perf-java") || g_str_equal(input, "perf-vertx-stacks-01");
	return is_java && (g_str_equal(variant, "pid") || g_str_equal(variant, "tid"));
}

static void compare_results(guint *n_equal, guint *n_stale)
{
	for (guint i = 0; i < G_N_ELEMENTS(inputs); i++)
		for (guint k = 0; k < G_N_ELEMENTS(variants); k++) {
			gsize length, expected_length;
			guint64 weight;
			g_autofree char *text = read_fixture(inputs[i], ".txt", &length);
			g_autofree char *name =
			        g_strconcat("results/", inputs[i], "-collapsed-", variants[k].name, NULL);
			g_autofree char *expected = read_fixture(name, ".txt", &expected_length);
			g_autofree char *folded = collapse(text, length, &variants[k].options, &weight);
			if (is_stale(inputs[i], variants[k].name)) {
				*n_stale += 1;
				assert_int_equal(weight, sum_of_counts(expected));
			} else {
				*n_equal += 1;
				assert_string_equal(folded, expected);
			}
		}
}

static void results_of_the_script_come_out_byte_for_byte(void **state)
{
	(void)state;
	guint n_equal = 0, n_stale = 0;
	compare_results(&n_equal, &n_stale);
	assert_int_equal(n_equal, 70);
	assert_int_equal(n_stale, 8);
}

static void the_last_sample_without_an_empty_line_is_lost(void **state)
{
	(void)state;
	assert_collapses("pp 1 1.0: 5 cycles:\n\t1 a (/x)\n\npp 1 1.1: 5 cycles:\n\t1 b (/x)\n",
	        &(PerfScriptOptions){0}, "pp;a 5\n");
}

static void other_events_are_lost_unless_they_have_a_payload(void **state)
{
	(void)state;
	assert_collapses("pp 1 1.0: 5 cycles:\n\t1 a (/x)\n\npp 1 1.0: 7 faults:\n\t1 b (/x)\n\n"
	                 "pp 1 1.0: 9 sched:switch: to=x\n\t1 c (/x)\n\n",
	        &(PerfScriptOptions){0}, "pp;a 5\npp;c 1\n");
}

static void names_are_cut_where_the_script_cuts_them(void **state)
{
	(void)state;
	assert_collapses("pp 1 1.0: 5 cycles:\n\t1 std::function<void (int)>::operator()(int) const (/x)\n"
	                 "\t1 a\"b'c (/x)\n\t1  (/x/y)\n\n",
	        &(PerfScriptOptions){0}, "pp; ;abc;std::function<void  5\n");
}

static void a_text_without_stacks_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	g_autofree char *event = NULL;
	const char *flat = "            burn 1 2.5: 250000 cpu-clock: 7f7b sym+0x5c1 (/path)\n";
	const PerfScriptOptions options = {0};
	assert_false(stackcollapse_read(flat, strlen(flat), "test", &options, profile, 0, &event, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(results_of_the_script_come_out_byte_for_byte),
	        cmocka_unit_test(the_last_sample_without_an_empty_line_is_lost),
	        cmocka_unit_test(other_events_are_lost_unless_they_have_a_payload),
	        cmocka_unit_test(names_are_cut_where_the_script_cuts_them),
	        cmocka_unit_test(a_text_without_stacks_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
