/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps written by hand, of object files that do not exist: the names in the dump stand in for them. */
#include "profile/valgrind/callgrindfold.h"

#include "core/error.h"
#include "tests/profile/compiled.h"
#include "tests/profile/readers.h"

#define HEADER                                                                                                         \
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  /srv/prog -x 3\npart: 1\n"           \
	"positions: instr line\nevents: Ir sysCount\nob=(1) /no/such/prog\nfl=(1) words.c\n"

/* main calls work twice, and work calls hash; a chain of each. */
static const char example[] =
        HEADER "fn=(1) main\n0x1000 10 1\n+4 +1 2\ncfn=(2) work'main\ncalls=3 0x1100 20\n* * 90 2\n"
               "+5 * 3 1\n"
               "\nfn=(2)\n0x1100 20 30\n+4 * 4 1\ncfn=(3) hash'work'main\ncalls=6 0x1200 30\n"
               "* * 56 1\n"
               "\nfn=(3)\n0x1200 30 50\n+3 * 6 1\n"
               "\ntotals: 96 3\n";

/* Written to a file, and where its columns go. */
typedef struct {
	char *folder;
	StackTable *table;
	CallgrindFold *fold;
	Profile *instructions, *calls, *allocations;
	CallgrindRunSummary summary;
} Folding;

static int set_up(void **state)
{
	Folding *f = g_new0(Folding, 1);
	f->folder = new_folder();
	f->table = stack_table_new();
	f->fold = callgrind_fold_new(f->table);
	Profile **const profiles[] = {&f->instructions, &f->calls, &f->allocations};
	for (guint i = 0; i < G_N_ELEMENTS(profiles); i++) {
		*profiles[i] = profile_new(f->table, "", "");
		profile_add_run(*profiles[i]);
	}
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Folding *f = *state;
	callgrind_run_summary_clear(&f->summary);
	callgrind_fold_free(f->fold);
	profile_free(f->instructions);
	profile_free(f->calls);
	profile_free(f->allocations);
	stack_table_unref(f->table);
	remove_folder(f->folder);
	g_free(f->folder);
	g_free(f);
	return 0;
}

static gboolean add_all(Folding *f, const char *const *texts, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const CallgrindTarget targets[] = {
	        {"Ir", f->instructions, 0},
	        {"sysCount", f->calls, 0},
	        {CALLGRIND_ALLOCATIONS, f->allocations, 0},
	};
	for (guint i = 0; texts[i] != NULL; i++) {
		char *path = g_strdup_printf("%s/callgrind.%u", f->folder, i);
		assert_true(g_file_set_contents(path, texts[i], -1, NULL));
		g_ptr_array_add(paths, path);
	}
	callgrind_run_summary_clear(&f->summary);
	return callgrind_fold_add(f->fold, paths, targets, G_N_ELEMENTS(targets), NULL, &f->summary, error);
}

static gboolean add(Folding *f, const char *text, GError **error)
{
	const char *const texts[] = {text, NULL};
	return add_all(f, texts, error);
}

static void fold(Folding *f, const char *text)
{
	g_autoptr(GError) error = NULL;
	if (!add(f, text, &error))
		fail_msg("%s", error->message);
	assert_true(callgrind_fold_finish(f->fold, NULL, &error));
}

static void assert_folded(const Profile *profile, const char *expected)
{
	g_autofree char *folded = folded_weights(profile);
	assert_string_equal(folded, expected);
}

static void assert_refused(Folding *f, const char *text, const char *word)
{
	g_autoptr(GError) error = NULL;
	assert_false(add(f, text, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_non_null(strstr(error->message, word));
	assert_null(f->summary.totals);
}

static void assert_nothing_folded(Folding *f)
{
	assert_true(callgrind_fold_finish(f->fold, NULL, NULL));
	assert_int_equal(profile_run_total(f->instructions, 0).weight, 0);
	assert_int_equal(profile_run_total(f->calls, 0).weight, 0);
	assert_int_equal(stack_table_n_frames(f->table), 0);
}

static void every_column_has_its_own_profile(void **state)
{
	Folding *f = *state;
	fold(f, example);
	assert_folded(f->instructions, "prog;main 6\nprog;main;work 34\nprog;main;work;hash 56\n");
	assert_folded(f->calls, "prog;main 1\nprog;main;work 1\nprog;main;work;hash 1\n");
	assert_folded(f->allocations, "");
}

static void a_summary_has_all_totals(void **state)
{
	Folding *f = *state;
	fold(f, example);
	assert_int_equal(f->summary.totals->len, 3);
	assert_string_equal(g_array_index(f->summary.totals, CallgrindTotal, 1).name, "sysCount");
	assert_int_equal(callgrind_run_total(&f->summary, "Ir"), 96);
	assert_int_equal(callgrind_run_total(&f->summary, "sysCount"), 3);
	assert_int_equal(callgrind_run_total(&f->summary, CALLGRIND_ALLOCATIONS), 0);
	assert_int_equal(callgrind_run_total(&f->summary, "Dr"), 0);
	assert_int_equal(f->summary.contexts, 3);
	assert_int_equal(f->summary.processes, 1);
	assert_int_equal(f->summary.threads, 1);
	assert_int_equal(f->summary.cut_contexts, 0);
}

static void frames_of_an_unreadable_file_have_its_name_and_source(void **state)
{
	Folding *f = *state;
	fold(f, example);
	const Frame *frame = frame_named(f->instructions, "hash");
	assert_string_equal(stack_table_text(f->table, frame->module), "prog");
	assert_string_equal(stack_table_text(f->table, frame->file), "words.c");
	assert_int_equal(frame->kind, FRAME_USER);
	assert_int_equal(frame_named(f->instructions, "prog")->kind, FRAME_COMMAND);
}

static void an_unreadable_file_is_a_finding(void **state)
{
	Folding *f = *state;
	g_autoptr(FindingList) findings = finding_list_new();
	assert_true(add(f, example, NULL));
	assert_true(callgrind_fold_finish(f->fold, findings, NULL));
	assert_true(finding_has(findings, "module_not_readable"));
}

static void processes_and_parts_add_up(void **state)
{
	Folding *f = *state;
	static const char other[] =
	        "creator: callgrind-3.19.0\npid: 8\ncmd: /bin/a_program_with_a_long_name\n"
	        "part: 1\nthread: 1\npositions: instr line\nevents: Ir sysCount\nob=/no/such/other\n"
	        "fn=(1) main\n0x10 1 5\ntotals: 5\n"
	        "part: 1\nthread: 2\nevents: Ir sysCount\nfn=(1)\n0x10 1 7 1\ntotals: 7 1\n";
	const char *const texts[] = {example, other, NULL};
	assert_true(add_all(f, texts, NULL));
	assert_true(callgrind_fold_finish(f->fold, NULL, NULL));
	assert_folded(
	        f->instructions, "a_program_with_;main 12\nprog;main 6\nprog;main;work 34\nprog;main;work;hash 56\n");
	assert_int_equal(f->summary.processes, 2);
	assert_int_equal(f->summary.threads, 3);
	assert_int_equal(callgrind_run_total(&f->summary, "Ir"), 108);
}

static void levels_of_recursion_are_called_by_the_level_below(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) main\n0x1000 1 1\ncfn=(2) fib'main\ncalls=1 0x1100 1\n+1 * 30\n"
	               "fn=(2)\n0x1100 1 10\ncfn=(3) fib'2'main\ncalls=1 0x1100 1\n+5 * 20\ncfn=(4) leaf'fib'main\n"
	               "calls=1 0x1200 1\n+5 * 5\n"
	               "fn=(3)\n0x1100 1 20\ncfn=(3)\ncalls=4 0x1100 1\n+5 * 15\ncfn=(4)\ncalls=1 0x1200 1\n+5 * 5\n"
	               "fn=(4)\n0x1200 1 5\ntotals: 36\n");
	assert_folded(f->instructions, "prog;main 1\nprog;main;fib 10\nprog;main;fib;fib 20\nprog;main;fib;leaf 5\n");
	assert_int_equal(f->summary.cut_contexts, 0);
}

/* Chains of two callers: ping and pong call each other for ever. */
static void a_chain_that_is_full_starts_at_its_outermost_caller(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) main\n0x1000 1 1\ncfn=(2) ping'main\ncalls=1 0x1100 1\n+1 * 30\n"
	               "fn=(2)\n0x1100 1 2\ncfn=(3) pong'ping'main\ncalls=1 0x1200 1\n+5 * 20\n"
	               "fn=(3)\n0x1200 1 3\ncfn=(4) ping'2'pong'ping\ncalls=1 0x1100 1\n+5 * 20\n"
	               "fn=(4)\n0x1100 1 40\ncfn=(5) pong'2'ping'pong\ncalls=1 0x1200 1\n+5 * 20\n"
	               "fn=(5)\n0x1200 1 50\ncfn=(4)\ncalls=1 0x1100 1\n+5 * 20\ntotals: 96\n");
	assert_folded(f->instructions, "prog;main 1\nprog;main;ping 2\nprog;main;ping;pong 3\n"
	                               "prog;ping;pong;ping 40\nprog;pong;ping;pong 50\n");
	assert_int_equal(f->summary.cut_contexts, 2);
	assert_int_equal(f->summary.cut_cost, 90);
}

/* A call that was not measured left no lines. */
static void callers_without_lines_are_those_of_the_name(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(3) hash(int)'work'main\n0x1200 1 5\ntotals: 5\n");
	assert_folded(f->instructions, "prog;main;work;hash 5\n");
	assert_string_equal(stack_table_text(f->table, frame_named(f->instructions, "main")->module), "prog");
	assert_int_equal(f->summary.cut_contexts, 0);
}

static void a_part_that_was_moved_away_is_its_function(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) main\n0x1000 1 1\ncfn=(2) work'main\ncalls=1 0x1100 1\n+1 * 30\n"
	               "fn=(2)\n0x1100 1 2\ncfn=(3) work.cold'work'main\ncalls=1 0x1050 1\n+5 * 20\n"
	               "fn=(3)\n0x1050 1 4\ncfn=(4) fail'work.cold'work'main\ncalls=1 0x1200 1\n+5 * 20\n"
	               "fn=(4)\n0x1200 1 8\ntotals: 15\n");
	assert_folded(f->instructions, "prog;main 1\nprog;main;work 6\nprog;main;work;fail 8\n");
}

static void a_jump_through_a_table_is_no_caller(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) main\n0x1000 1 1\ncob=(2) ???\ncfn=(2) 0x4860'main\ncalls=1 0x4860 0\n+1 * 30\n"
	               "ob=(2)\nfn=(2)\n0x4860 0 2\ncob=(1)\ncfn=(3) malloc'0x4860'main\ncalls=1 0x1100 1\n* * 20\n"
	               "ob=(1)\nfn=(3)\n0x1100 1 4\ntotals: 7\n");
	assert_folded(f->instructions, "prog;main 1\nprog;main;[unknown] 2\nprog;main;malloc 4\n");
	assert_folded(f->allocations, "prog;main;malloc 1\n");
}

static void allocations_are_counted_where_they_are_asked_for(void **state)
{
	Folding *f = *state;
	fold(f, HEADER
	        "fn=(1) main\n0x1000 1 1\ncfn=(2) operator new(unsigned long)'main\ncalls=3 0x1100 1\n+1 * 30\n"
	        "cfn=(4) malloc'main\ncalls=2 0x1200 1\n+1 * 9\ncfn=(4)\ncalls=1 0x1200 1\n+1 * 9\n"
	        "fn=(2)\n0x1100 1 3\ncfn=(3) malloc'operator new(unsigned long)'main\ncalls=3 0x1200 1\n+5 * 20\n"
	        "fn=(3)\n0x1200 1 3\nfn=(4)\n0x1200 1 3\n+4 * 6\ntotals: 16\n");
	assert_folded(f->allocations, "prog;main;malloc 3\nprog;main;operator new 3\n");
	assert_int_equal(callgrind_run_total(&f->summary, CALLGRIND_ALLOCATIONS), 6);
}

/* Calls outside of what is measured are listed where they made system calls, and counted where the place is. */
static void allocations_outside_of_what_was_measured_do_not_count(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) main\n0x1000 1 1\ncfn=(2) malloc'main\ncalls=1 0x1200 1\n+1 * 0 2\n"
	               "cfn=(3) malloc'work'main\n"
	               "fn=(4) work'main\n0x1100 1 1\ncfn=(3)\ncalls=5 0x1200 1\n+1 * 9\n"
	               "fn=(3)\n0x1200 1 2\n+4 * 6\ntotals: 10\n");
	assert_folded(f->allocations, "prog;main;work;malloc 2\n");
}

static void a_function_without_a_name_is_unknown(void **state)
{
	Folding *f = *state;
	fold(f, HEADER "fn=(1) 0x0000000000001000\n0x1000 1 1\ntotals: 1\n");
	assert_folded(f->instructions, "prog;[unknown] 1\n");
}

static void names_need_no_numbers(void **state)
{
	Folding *f = *state;
	fold(f, "creator: callgrind-3\npositions: line instr\nevents: Ir sysCount\nob=/no/b\nfn=init\n1 0x10 3\n"
	        "cob=/no/a\ncfn=init\ncalls=1 1 0x10\n* * 5\nob=/no/a\nfn=init\n1 0x10 4\ntotals: 7\n");
	assert_folded(f->instructions, "[unknown];init 7\n");
	assert_int_equal(f->summary.contexts, 2);
}

/* Damage */

static void a_dump_that_is_cut_off_anywhere_is_refused(void **state)
{
	Folding *f = *state;
	for (gsize length = 0; length + 1 < strlen(example); length++) {
		g_autofree char *cut = g_strndup(example, length);
		assert_refused(f, cut, "");
	}
	assert_nothing_folded(f);
}

static void a_cost_with_another_digit_is_refused(void **state)
{
	Folding *f = *state;
	static const char *const costs[] = {"10 1\n", "3 1\n", "20 30\n", "50\n", "96 3\n"};
	for (guint i = 0; i < G_N_ELEMENTS(costs); i++) {
		g_autofree char *changed = g_strdup(example);
		strstr(changed, costs[i])[strlen(costs[i]) - 2] ^= 4;
		assert_refused(f, changed, "add up");
	}
	assert_nothing_folded(f);
}

static void bytes_that_make_no_sense_are_refused(void **state)
{
	Folding *f = *state;
	static const char *const bad[][2] = {
	        {HEADER "fn=(9)\n0x1 1 1\ntotals: 1\n", "name"},
	        {HEADER "fn=(1) a\n0x1 1 1 1 1\ntotals: 1\n", "not a line of costs"},
	        {HEADER "fn=(1) a\n0xg 1 1\ntotals: 1\n", "not a line of costs"},
	        {HEADER "fn=(1) a\ncalls=x 1 1\n0x1 1 1\ntotals: 1\n", "number of calls"},
	        {HEADER "fn=(1) a\ncfn=(2) b\ncalls=1 y 1\n0x1 1 1\ntotals: 1\n", "place"},
	        {HEADER "fn=(1) a\ncalls=1 0x1 1\n0x1 1 1\ntotals: 1\n", "a call without a function"},
	        {HEADER "fn=(1) a\n0x1 1 18446744073709551615\n0x1 1 2\ntotals: 1\n", "too large"},
	        {HEADER "fn=(1) a\n0x1 1 1\ntotals: 1\npart: 2\nevents: Ir Dr\n0x1 1 1\ntotals: 1\n", "columns"},
	        {"\1\2\3", "callgrind"},
	        {"", "no events"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_refused(f, bad[i][0], bad[i][1]);
	assert_nothing_folded(f);
}

static void a_missing_column_is_refused(void **state)
{
	Folding *f = *state;
	assert_refused(f, "creator: callgrind-3\npositions: instr line\nevents: Ir Dr\nfn=a\n0x1 1 1\ntotals: 1\n",
	        "no column sysCount in it; it has Ir Dr");
	assert_nothing_folded(f);
}

static void a_dump_without_addresses_is_refused(void **state)
{
	Folding *f = *state;
	assert_refused(f, "creator: callgrind-3\nevents: Ir sysCount\nfn=a\n1 1\ntotals: 1\n", "--dump-instr=yes");
}

static void costs_of_another_program_are_refused(void **state)
{
	Folding *f = *state;
	assert_refused(f, "positions: instr line\nevents: Ir sysCount\nfn=a\n0x1 1 1\ntotals: 1\n", "not written by");
}

static void one_damaged_dump_refuses_all_of_the_run(void **state)
{
	Folding *f = *state;
	g_autoptr(GError) error = NULL;
	const char *const texts[] = {example, HEADER "fn=(1) a\n0x1 1 1\n", NULL};
	assert_false(add_all(f, texts, &error));
	assert_non_null(strstr(error->message, "callgrind.1"));
	assert_nothing_folded(f);
}

static void no_dump_and_no_file_are_errors(void **state)
{
	Folding *f = *state;
	g_autoptr(GError) error = NULL;
	const char *const none[] = {NULL};
	assert_false(add_all(f, none, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	g_clear_error(&error);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_ptr_array_add(paths, (gpointer) "/no/such/dump");
	assert_false(callgrind_fold_add(f->fold, paths, NULL, 0, NULL, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

static void finishing_twice_is_an_error(void **state)
{
	Folding *f = *state;
	fold(f, example);
	assert_false(callgrind_fold_finish(f->fold, NULL, NULL));
	assert_int_equal(profile_run_total(f->instructions, 0).weight, 96);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void the_object_files_of_a_side_are_known_once_each(void **state)
{
	Folding *f = *state;
	static const char twice[] = HEADER "fn=(1) main\n0x1000 10 1 0\nob=(2) /lib/a.so\nfn=(2) a\n0x10 1 1 0\n"
	                                   "ob=(3) ???\nfn=(3) b\n0x20 1 1 0\n\ntotals: 3 0\n";
	const char *const texts[] = {twice, twice, NULL};
	assert_true(add_all(f, texts, NULL));
	g_autoptr(GPtrArray) base = callgrind_fold_modules(f->fold, 0);
	g_autoptr(GPtrArray) head = callgrind_fold_modules(f->fold, 1);
	assert_int_equal(base->len, 2);
	assert_string_equal(base->pdata[0], "/lib/a.so");
	assert_string_equal(base->pdata[1], "/no/such/prog");
	assert_int_equal(head->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(every_column_has_its_own_profile),
	        TEST(the_object_files_of_a_side_are_known_once_each),
	        TEST(a_summary_has_all_totals),
	        TEST(frames_of_an_unreadable_file_have_its_name_and_source),
	        TEST(an_unreadable_file_is_a_finding),
	        TEST(processes_and_parts_add_up),
	        TEST(levels_of_recursion_are_called_by_the_level_below),
	        TEST(a_chain_that_is_full_starts_at_its_outermost_caller),
	        TEST(callers_without_lines_are_those_of_the_name),
	        TEST(a_part_that_was_moved_away_is_its_function),
	        TEST(a_jump_through_a_table_is_no_caller),
	        TEST(allocations_are_counted_where_they_are_asked_for),
	        TEST(allocations_outside_of_what_was_measured_do_not_count),
	        TEST(a_function_without_a_name_is_unknown),
	        TEST(names_need_no_numbers),
	        TEST(a_dump_that_is_cut_off_anywhere_is_refused),
	        TEST(a_cost_with_another_digit_is_refused),
	        TEST(bytes_that_make_no_sense_are_refused),
	        TEST(a_missing_column_is_refused),
	        TEST(a_dump_without_addresses_is_refused),
	        TEST(costs_of_another_program_are_refused),
	        TEST(one_damaged_dump_refuses_all_of_the_run),
	        TEST(no_dump_and_no_file_are_errors),
	        TEST(finishing_twice_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
