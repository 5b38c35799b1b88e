/* What well-known scripts that fold the text of perf script get wrong, and what is right. */
#include "profile/perfscript.h"

#include "core/error.h"
#include "readers.h"

static char *fold(const char *text, const PerfScriptOptions *options, PerfScriptSummary *summary)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	if (!perf_script_read(text, strlen(text), "test", options, profile, 0, summary, &error))
		fail_msg("%s", error->message);
	return folded_weights(profile);
}

static void assert_folds(const char *text, const PerfScriptOptions *options, const char *expected)
{
	g_autofree char *folded = fold(text, options, NULL);
	assert_string_equal(folded, expected);
}

/* Elsewhere a line with a payload is not taken for one of another event. */
static const char with_payload[] = "p 1 1.0: 500 cycles:\n\t1 a (/x)\n\n"
                                   "p 1 1.1: sched:sched_switch: prev_comm=p prev_pid=1 ==> next_pid=0\n"
                                   "\t1 b (/x)\n\n";

static void the_payload_of_a_tracepoint_does_not_take_it_past_the_filter(void **state)
{
	(void)state;
	assert_folds(with_payload, &(PerfScriptOptions){.event = "cycles"}, "p;a 500\n");
	assert_folds(with_payload, &(PerfScriptOptions){.event = "sched:sched_switch"}, "p;b 1\n");
}

static void a_tracepoint_among_cycles_is_no_sample_of_cycles(void **state)
{
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	assert_false(perf_script_read(with_payload, strlen(with_payload), "test", NULL, profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_non_null(strstr(error->message, "sched:sched_switch"));
}

static void samples_with_and_without_a_period_are_told(void **state)
{
	(void)state;
	const char *text = "p 1 1.0: 500 cycles:\n\t1 a (/x)\n\np 1 1.1: cycles:\n\t1 b (/x)\n\n"
	                   "p 1 1.2: 0 cycles:\n\t1 b (/x)\n\n";
	PerfScriptSummary summary = {0};
	G_GNUC_UNUSED g_autofree char *folded = fold(text, NULL, &summary);
	assert_int_equal(summary.samples, 3);
	assert_int_equal(summary.without_period, 2);
	perf_script_summary_clear(&summary);
}

static void commands_of_one_letter_or_with_numbers_are_whole_roots(void **state)
{
	(void)state;
	assert_folds("x 7/8 [001] 1.0: 3 cycles:\n\t1 a (/x)\n", NULL, "x;a 3\n");
	assert_folds("worker 12 io 7/8 [001] 1.0: 3 cycles:\n\t1 a (/x)\n", NULL, "worker_12_io;a 3\n");
}

static void the_heap_is_not_the_kernel(void **state)
{
	(void)state;
	const char *text = "p 1 1.0: 5 cycles:\n\t1 [unknown] ([heap])\n\t1 f ([heap])\n\t1 k ([kernel.kallsyms])\n";
	g_autofree char *folded = fold(text, &(PerfScriptOptions){.annotate_kernel = TRUE}, NULL);
	assert_non_null(strstr(folded, "k_[k];f;"));
	assert_null(strstr(folded, "[[heap]"));
	assert_null(strstr(folded, "[heap]_[k]"));
}

static void a_semicolon_in_a_type_does_not_split_its_frame(void **state)
{
	(void)state;
	assert_folds("p 1 1.0: 5 cycles:\n\t1 <[u8; 8] as core::hash::Hash>::hash (/x)\n", NULL,
	        "p;<[u8: 8] as core::hash::Hash>::hash 5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_payload_of_a_tracepoint_does_not_take_it_past_the_filter),
	        cmocka_unit_test(a_tracepoint_among_cycles_is_no_sample_of_cycles),
	        cmocka_unit_test(samples_with_and_without_a_period_are_told),
	        cmocka_unit_test(commands_of_one_letter_or_with_numbers_are_whole_roots),
	        cmocka_unit_test(the_heap_is_not_the_kernel),
	        cmocka_unit_test(a_semicolon_in_a_type_does_not_split_its_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
