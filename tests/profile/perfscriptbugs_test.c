/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what well-known scripts that fold the text of perf script get wrong. */
#include "profile/perfscript/perfscript.h"

#include "core/error.h"
#include "tests/profile/readers.h"

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

/* `perf script` of recordings of branches: where it went stands after where it was. */
static void a_branch_counts_where_it_begins(void **state)
{
	(void)state;
	assert_folds("g 1 [003] 1.000001: 1 branches:u: 7f2c3ab1 main+0x1c (/bin/g) => 7f2c3ac2 foo+0x0 (/bin/g)\n"
	             "g 1 [003] 1.000002: 1 branches:u: 7f2c3ac9 foo+0x7 (/bin/g) => 7f2c3ab5 main+0x20 (/bin/g)\n",
	        NULL, "g;foo 1\ng;main 1\n");
}

static void a_branch_may_say_what_kind_it_is(void **state)
{
	(void)state;
	assert_folds("g 1 [003] 1.1: 1 branches:u:   call       7f2c3ab1 main+0x1c (/bin/g) => 7f2c3ac2 foo (/bin/g)\n"
	             "g 1 [003] 1.2: 1 branches:u:   jcc (x)    7f2c3ac9 foo+0x7 (/bin/g) => 7f2c3ab5 main (/bin/g)\n"
	             "g 1 [003] 1.3: 1 branches:u:   tr end     7f2c3ac9 foo+0x7 (/bin/g) => 0 [unknown] ([unknown])\n",
	        NULL, "g;foo 2\ng;main 1\n");
}

static void a_branch_from_nowhere_counts_where_it_goes(void **state)
{
	(void)state;
	assert_folds(
	        "g 1 [003] 1.1: 1 branches:u:   tr strt   0 [unknown] ([unknown]) => 7f2c3ac2 _start+0x0 (/ld.so)\n"
	        "g 1 [003] 1.2: 1 branches:u:   0 [unknown] ([unknown]) => 7f2c3ac2 _start+0x0 (/ld.so)\n",
	        NULL, "g;_start 2\n");
}

static void the_last_branches_and_their_instructions_are_no_frames(void **state)
{
	(void)state;
	assert_folds("g 1 1.0: 1 cycles:u: 7f2c3ab1 main+0x1 (/bin/g) 0x7f2c3ab1/0x7f2c3ac2/P/-/-/0  "
	             "0x7f2c/0x7f2d/P/-/-/0 \n"
	             "g 1 1.1: 1 cycles:u: \n\t7f2c3ab1 main+0x1 (/bin/g)\n\t 0x7f2c3ab1/0x7f2c3ac2/P/-/-/0 \n"
	             "\tmain:\n\t00007f2c3ab1\tinsn: 48 89 e7 \n\t00007f2c3ab4\tinsn: e8 07 \t# PRED 5 cycles [5]\n\n",
	        NULL, "g;main 2\n");
}

static void additions_of_compilers_are_cut_as_everywhere(void **state)
{
	(void)state;
	assert_folds("p 1 1.0: 1 c:\n\t1 hash.constprop.0 (/p)\n\t2 run.part.3.isra.1+0x5 (/p)\n"
	             "\t3 go() [clone .cold] (/p)\n\t4 do_sysinfo.isra.0 ([kernel.kallsyms])\n"
	             "\t5 open@@GLIBC_2.2.5 (/libc.so)\n\t6 run::{lambda(int)#2}::operator()(int) const (/p)\n\n",
	        NULL, "p;run::{lambda(int)}::operator();open;do_sysinfo;go;run;hash 1\n");
	/* not of generated code, which has names of its own */
	assert_folds("node 1 1.0: 1 c:\n\t1 ~go.cold /a/@b/c.js:1 (/tmp/perf-1.map)\n\n", NULL,
	        "node;~go.cold /a/@b/c.js:1 1\n");
}

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
	        cmocka_unit_test(a_branch_counts_where_it_begins),
	        cmocka_unit_test(a_branch_may_say_what_kind_it_is),
	        cmocka_unit_test(a_branch_from_nowhere_counts_where_it_goes),
	        cmocka_unit_test(the_last_branches_and_their_instructions_are_no_frames),
	        cmocka_unit_test(additions_of_compilers_are_cut_as_everywhere),
	        cmocka_unit_test(the_payload_of_a_tracepoint_does_not_take_it_past_the_filter),
	        cmocka_unit_test(a_tracepoint_among_cycles_is_no_sample_of_cycles),
	        cmocka_unit_test(samples_with_and_without_a_period_are_told),
	        cmocka_unit_test(commands_of_one_letter_or_with_numbers_are_whole_roots),
	        cmocka_unit_test(the_heap_is_not_the_kernel),
	        cmocka_unit_test(a_semicolon_in_a_type_does_not_split_its_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
