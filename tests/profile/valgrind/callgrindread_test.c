/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindread.h"

#include "core/error.h"
#include "tests/profile/readers.h"

static char *read_with(const char *text, const CallgrindOptions *options, CallgrindSummary *summary)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	if (!callgrind_read(text, strlen(text), "test", options, profile, 0, summary, &error))
		fail_msg("%s", error->message);
	return folded_weights(profile);
}

static void assert_reads_with(const char *text, const CallgrindOptions *options, const char *expected)
{
	g_autofree char *folded = read_with(text, options, NULL);
	assert_string_equal(folded, expected);
}

static void assert_reads(const char *text, const char *expected)
{
	assert_reads_with(text, NULL, expected);
}

static void assert_fails(const char *text, const CallgrindOptions *options, FirebreakError code, const char *word)
{
	g_autoptr(Profile) profile = empty_profile();
	g_autoptr(GError) error = NULL;
	assert_false(callgrind_read(text, strlen(text), "test", options, profile, 0, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, (gint)code));
	if (strstr(error->message, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, error->message);
	assert_int_equal(profile_run_total(profile, 0).samples, 0);
}

static void every_function_gets_its_self_cost(void **state)
{
	(void)state;
	assert_reads("events: Ir\n\nfl=a.c\nfn=main\n16 400\n17 5\nfn=work\n20 100\n", "main 405\nwork 100\n");
}

static void costs_of_calls_are_no_self_cost(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=main\n16 400\ncfi=b.c\ncfn=work\ncalls=3 20\n16 900\n18 1\nfn=work\n20 900\n",
	        "main 401\nwork 900\n");
}

static void names_are_defined_by_number_once(void **state)
{
	(void)state;
	assert_reads("events: Ir\nob=(1) /bin/p\nfl=(1) a.c\nfn=(1) main\n1 5\ncfn=(2) work\ncalls=1 1\n1 7\n"
	             "\nfn=(2)\n2 7\n\nfn=(1)\n3 1\n",
	        "main 6\nwork 7\n");
}

static void every_kind_of_name_has_its_own_numbers(void **state)
{
	(void)state;
	const char *text = "events: Ir\nob=(1) /bin/prog\nfl=(1) main.c\nfn=(1) main\n1 5\n";
	g_autoptr(Profile) profile = empty_profile();
	assert_true(callgrind_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	const Frame *frame = frame_named(profile, "main");
	assert_string_equal(stack_table_text(profile->table, frame->module), "prog");
	assert_string_equal(stack_table_text(profile->table, frame->file), "main.c");
}

static void a_number_may_be_defined_anew(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=(1) a\n1 5\nfn=(1) b\n1 6\nfn=(1)\n1 1\n", "a 5\nb 7\n");
}

static void a_number_that_was_not_defined_is_damage(void **state)
{
	(void)state;
	assert_fails("events: Ir\nfn=(3)\n1 5\n", NULL, FIREBREAK_ERROR_INVALID, "test:2: ");
}

static void functions_of_one_name_in_two_objects_are_two(void **state)
{
	(void)state;
	const char *text = "events: Ir\nob=/lib/a.so\nfn=init\n1 5\nob=/lib/b.so\nfn=init\n1 6\n";
	g_autoptr(Profile) profile = empty_profile();
	assert_true(callgrind_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	assert_int_equal(stack_table_n_stacks(profile->table), 3);
}

static void inlined_files_stay_in_their_function(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfl=a.c\nfn=main\n1 5\nfi=inline.h\n9 3\nfe=a.c\n2 1\n", "main 9\n");
}

static void positions_may_be_relative_hexadecimal_and_several(void **state)
{
	(void)state;
	assert_reads(
	        "positions: instr line\nevents: Ir Dr\nfn=f\n0x4838000 10 1 1\n+4 * 2\n-2 +3 4 1\n* -1 8\n", "f 15\n");
	assert_reads("positions: instr bb line\nevents: Ir\nfn=f\n0x10 0x10 7 5\n+1 * * 6\n", "f 11\n");
}

/* The ninth word of a line of calls was looked up among eight positions. Found by the fuzz target callgrindfold. */
static void a_line_of_calls_may_have_more_words_than_there_are_positions(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=f\n1 5\ncfn=g\ncalls=1 1 2 3 4 5 6 7 8 x\n1 9\n", "f 5\n");
}

static void missing_costs_are_zero(void **state)
{
	(void)state;
	const char *text = "events: Ir Dr Dw\nfn=f\n1 5\n2 6 1\n3 7 1 9\n4\n";
	assert_reads_with(text, &(CallgrindOptions){.event = "Dw"}, "f 9\n");
	assert_reads_with(text, &(CallgrindOptions){.event = "Dr"}, "f 2\n");
	assert_reads(text, "f 18\n");
}

static void lines_of_jumps_cost_nothing(void **state)
{
	(void)state;
	assert_reads(
	        "positions: instr line\nevents: Ir\nfn=f\n0x10 1 5\njcnd=1/3 +4 0\n* 0\njump=2 +15 +4\n* *\n+4 0 2\n",
	        "f 7\n");
}

static void an_event_that_is_not_there_is_refused(void **state)
{
	(void)state;
	assert_fails("events: Ir Dr\nfn=f\n1 5\n", &(CallgrindOptions){.event = "Bc"}, FIREBREAK_ERROR_USAGE, "Ir Dr");
}

static void callers_in_a_name_become_the_stack(void **state)
{
	(void)state;
	CallgrindSummary summary = {0};
	g_autofree char *folded = read_with("events: Ir\nfn=(1) hash'parse'main\n1 5\nfn=(2) hash'check'main\n1 6\n"
	                                    "fn=(3) main\n1 7\n",
	        NULL, &summary);
	assert_string_equal(folded, "main 7\nmain;check;hash 6\nmain;parse;hash 5\n");
	assert_true(summary.has_contexts);
	callgrind_summary_clear(&summary);
}

static void levels_of_recursion_are_frames(void **state)
{
	(void)state;
	CallgrindSummary summary = {0};
	g_autofree char *plain = read_with("events: Ir\nfn=fib\n1 5\nfn=fib'2\n1 6\nfn=fib'3\n1 7\n", NULL, &summary);
	assert_string_equal(plain, "fib 5\nfib;fib 6\nfib;fib;fib 7\n");
	assert_false(summary.has_contexts);
	assert_reads("events: Ir\nfn=fib'2'main'start\n1 6\n", "start;main;fib;fib 6\n");
	callgrind_summary_clear(&summary);
}

static void apostrophes_in_brackets_are_no_callers(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=run<'a'>'main\n1 5\n", "main;run<'a'> 5\n");
}

static void callers_are_in_the_object_that_has_them(void **state)
{
	(void)state;
	const char *text =
	        "events: Ir\nob=/lib/libc.so.6\nfn=qsort\n1 1\nfn=cmp\n1 1\nob=/bin/prog\nfn=cmp'qsort'main\n1 5\n"
	        "fn=main\n1 7\n";
	g_autoptr(Profile) profile = empty_profile();
	assert_true(callgrind_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "qsort")->module), "libc.so");
	assert_string_equal(stack_table_text(profile->table, frame_named(profile, "main")->module), "prog");
	assert_int_equal(stack_table_n_frames(profile->table), 4);
}

static void names_are_those_of_other_formats(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=_ZN3geo5solveIdEEvT_.constprop.0\n1 1\nfn=parse(char const*, int)\n1 2\n"
	             "fn=memcpy@@GLIBC_2.14\n1 3\nfn=(below main)\n1 4\nfn=0x0000000000109040\n1 5\nfn=???\n1 6\n",
	        "(below main) 4\n[unknown] 11\ngeo::solve<double> 1\nmemcpy 3\nparse 2\n");
}

/* callgrind hands out C++ names demangled, with what tells clones and lambdas apart. */
static void demangled_names_are_canonical_too(void **state)
{
	(void)state;
	assert_reads("events: Ir\nfn=(anonymous namespace)::Shape<float>::area(int) const [clone .constprop.0]\n1 1\n"
	             "fn=helper [clone .isra.0]\n1 2\nfn=main::{lambda(int)#2}::operator()(int) const\n1 3\n"
	             "fn=leaf(int)'(anonymous namespace)::call(char)'main\n1 4\n",
	        "(anonymous namespace)::Shape<float>::area 1\nhelper 2\n"
	        "main::{lambda(int)}::operator() 3\nmain;(anonymous namespace)::call;leaf 4\n");
}

static void a_file_without_costs_is_an_error_unless_it_may_be_empty(void **state)
{
	static const char text[] = "version: 1\ncreator: callgrind-3.19.0\nevents: Ir\ntotals: 0\n";
	const CallgrindOptions may_be_empty = {.may_be_empty = TRUE};
	CallgrindSummary summary = {0};
	(void)state;
	g_autoptr(Profile) profile = empty_profile();
	assert_false(callgrind_read(text, strlen(text), "test", NULL, profile, 0, NULL, NULL));
	assert_true(callgrind_read(text, strlen(text), "test", &may_be_empty, profile, 0, &summary, NULL));
	assert_int_equal(summary.parts, 0);
	callgrind_summary_clear(&summary);
}

static const char threads[] =
        "version: 1\ncreator: callgrind-3.19.0\npid: 77\ncmd:  ./bin/prog -x\npart: 1\nthread: 1\n"
        "events: Ir\nfn=(1) main\n1 5\ntotals: 5\n\npart: 1\nthread: 2\nevents: Ir\n"
        "fn=(1)\n1 2\nfn=(2) work\n1 30\ntotals: 32\n";

static void parts_and_threads_add_up(void **state)
{
	(void)state;
	CallgrindSummary summary = {0};
	g_autofree char *folded = read_with(threads, NULL, &summary);
	assert_string_equal(folded, "main 7\nwork 30\n");
	assert_int_equal(summary.parts, 2);
	assert_int_equal(summary.cost, 37);
	assert_string_equal(summary.event, "Ir");
	assert_string_equal(summary.command, "./bin/prog -x");
	callgrind_summary_clear(&summary);
}

static void filters_choose_process_thread_and_command(void **state)
{
	(void)state;
	assert_reads_with(threads, &(CallgrindOptions){.thread = 2}, "main 2\nwork 30\n");
	assert_reads_with(threads, &(CallgrindOptions){.pid = 77, .comm = "prog"}, "main 7\nwork 30\n");
	assert_fails(threads, &(CallgrindOptions){.pid = 78}, FIREBREAK_ERROR_USAGE, "filters");
	assert_fails(threads, &(CallgrindOptions){.comm = "bin"}, FIREBREAK_ERROR_USAGE, "filters");
}

/* As callgrind wrote it now and then: the place of what is called is not known, and its costs count for nobody. */
static void the_place_of_what_is_called_may_be_defined_nowhere(void **state)
{
	(void)state;
	assert_reads("events: Ir\nob=(1) /bin/p\nfn=(1) main\n1 5\ncob=(9)\ncfi=(7)\ncfn=(2) work\ncalls=1 0\n1 30\n"
	             "cob=(9)\ncfn=(2)\ncalls=1 0\n1 30\nob=(1)\nfn=(2)\n1 30\n",
	        "main 5\nwork 30\n");
	/* so may be the object of costs, but not whose costs they are */
	assert_reads("events: Ir\nob=(1) /bin/p\nfn=(1) main\n1 5\ncob=(9)\ncfn=(2) work\ncalls=1 0\n1 30\n\nob=(9)\n"
	             "fn=(2)\n1 30\n",
	        "main 5\nwork 30\n");
	assert_fails(
	        "events: Ir\nfn=(1) main\n1 5\ncfn=(2)\ncalls=1 0\n1 30\n", NULL, FIREBREAK_ERROR_INVALID, "test:4: ");
}

static void a_file_that_is_cut_off_is_damage(void **state)
{
	(void)state;
	g_autofree char *cut = g_strndup(threads, strlen(threads) - strlen("totals: 32\n"));
	assert_fails(cut, NULL, FIREBREAK_ERROR_INVALID, "cut off");
}

static void costs_that_do_not_add_up_are_damage(void **state)
{
	(void)state;
	g_autofree char *changed = g_strdup(threads);
	strstr(changed, "1 30")[2] = '4';
	assert_fails(changed, NULL, FIREBREAK_ERROR_INVALID, "add up");
}

static void costs_too_large_to_add_are_damage(void **state)
{
	(void)state;
	assert_fails("events: Ir\nfn=f\n1 18446744073709551615\n2 1\n", NULL, FIREBREAK_ERROR_INVALID, "too large");
}

static void lines_of_no_known_form_are_damage(void **state)
{
	(void)state;
	assert_fails("events: Ir\nfn=f\n1 5\nwhat is this\n", NULL, FIREBREAK_ERROR_INVALID, "test:4: ");
	assert_fails("events: Ir\nfn=f\n1 x\n", NULL, FIREBREAK_ERROR_INVALID, "not a line of costs");
	assert_fails("events: Ir\nfn=f\n1 1 1\n", NULL, FIREBREAK_ERROR_INVALID, "not a line of costs");
	assert_fails("fn=f\n1 1\n", NULL, FIREBREAK_ERROR_INVALID, "costs without a function");
	assert_fails("events: Ir\n1 1\n", NULL, FIREBREAK_ERROR_INVALID, "costs without a function");
}

static void a_text_without_costs_is_an_error(void **state)
{
	(void)state;
	assert_fails("", NULL, FIREBREAK_ERROR_USAGE, "no events");
	assert_fails("events: Ir\n", NULL, FIREBREAK_ERROR_USAGE, "no costs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_function_gets_its_self_cost),
	        cmocka_unit_test(costs_of_calls_are_no_self_cost),
	        cmocka_unit_test(names_are_defined_by_number_once),
	        cmocka_unit_test(every_kind_of_name_has_its_own_numbers),
	        cmocka_unit_test(a_number_may_be_defined_anew),
	        cmocka_unit_test(a_number_that_was_not_defined_is_damage),
	        cmocka_unit_test(functions_of_one_name_in_two_objects_are_two),
	        cmocka_unit_test(inlined_files_stay_in_their_function),
	        cmocka_unit_test(positions_may_be_relative_hexadecimal_and_several),
	        cmocka_unit_test(a_line_of_calls_may_have_more_words_than_there_are_positions),
	        cmocka_unit_test(missing_costs_are_zero),
	        cmocka_unit_test(lines_of_jumps_cost_nothing),
	        cmocka_unit_test(an_event_that_is_not_there_is_refused),
	        cmocka_unit_test(callers_in_a_name_become_the_stack),
	        cmocka_unit_test(levels_of_recursion_are_frames),
	        cmocka_unit_test(apostrophes_in_brackets_are_no_callers),
	        cmocka_unit_test(callers_are_in_the_object_that_has_them),
	        cmocka_unit_test(names_are_those_of_other_formats),
	        cmocka_unit_test(demangled_names_are_canonical_too),
	        cmocka_unit_test(a_file_without_costs_is_an_error_unless_it_may_be_empty),
	        cmocka_unit_test(parts_and_threads_add_up),
	        cmocka_unit_test(filters_choose_process_thread_and_command),
	        cmocka_unit_test(the_place_of_what_is_called_may_be_defined_nowhere),
	        cmocka_unit_test(a_file_that_is_cut_off_is_damage),
	        cmocka_unit_test(costs_that_do_not_add_up_are_damage),
	        cmocka_unit_test(costs_too_large_to_add_are_damage),
	        cmocka_unit_test(lines_of_no_known_form_are_damage),
	        cmocka_unit_test(a_text_without_costs_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
