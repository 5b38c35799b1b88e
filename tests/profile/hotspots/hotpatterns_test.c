/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotpatterns.h"

#include "profile/folded/folded.h"
#include "profile/read/profileread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
} Example;

static Example example(const char *text)
{
	Example e = {.table = stack_table_new()};
	e.profile = profile_new(e.table, "cpu-clock", "samples");
	profile_add_run(e.profile);
	assert_true(folded_read(text, strlen(text), "test", NULL, e.profile, 0, NULL, NULL));
	return e;
}

static void example_clear(Example *e)
{
	profile_free(e->profile);
	stack_table_unref(e->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Example, example_clear)

/* The codes of what is found, in order, "few_samples" left out. */
static char *codes(const char *text)
{
	g_auto(Example) e = example(text);
	g_autoptr(HotPatterns) found = hot_patterns_new(e.profile, TRUE);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < found->patterns->len; i++)
		g_string_append_printf(
		        out, "%s%s", i > 0 ? " " : "", g_array_index(found->patterns, HotPattern, i).code);
	return g_string_free(out, FALSE);
}

static void each_family_is_found_by_the_names_of_its_functions(void **state)
{
	static const struct {
		const char *leaf, *code;
	} cases[] = {
	        {"malloc", "allocation_heavy"},
	        {"_int_malloc", "allocation_heavy"},
	        {"__libc_free", "allocation_heavy"},
	        {"cfree@GLIBC_2.2.5", "allocation_heavy"},
	        {"__GI___libc_malloc", "allocation_heavy"},
	        {"operator new", "allocation_heavy"},
	        {"operator new(unsigned long)", "allocation_heavy"},
	        {"operator delete[]", "allocation_heavy"},
	        {"alloc::alloc::dealloc", "allocation_heavy"},
	        {"runtime.mallocgc", "allocation_heavy"},
	        {"__memmove_avx_unaligned_erms", "copying"},
	        {"__memcpy_chk", "copying"},
	        {"memset", "copying"},
	        {"__strcpy_evex", "copying"},
	        {"__memcmp_avx2_movbe", "comparing"},
	        {"strcmp", "comparing"},
	        {"__vfprintf_internal", "string_formatting"},
	        {"core::fmt::write", "string_formatting"},
	        {"__pthread_mutex_lock", "locking"},
	        {"___pthread_mutex_unlock", "locking"},
	        {"__lll_lock_wait", "locking"},
	        {"sync.(*Mutex).Lock", "locking"},
	        {"native_queued_spin_lock_slowpath", "locking"},
	        {"asm_exc_page_fault", "page_faults"},
	        /* names of a program's own that only look alike */
	        {"my_malloc", ""},
	        {"free_list_generic", ""},
	        {"free_generic", ""},
	        {"mallocate", ""},
	        {"memcpy_bench", ""},
	        {"(anonymous namespace)::free", ""},
	        {"Parser::free", ""},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strdup_printf("x;main;work;%s 30\nx;main;work 70\n", cases[i].leaf);
		g_autofree char *found = codes(text);
		if (strcmp(found, cases[i].code) != 0)
			fail_msg("%s: found \"%s\", wanted \"%s\"", cases[i].leaf, found, cases[i].code);
	}
}

static void a_family_counts_each_stack_once_with_all_it_calls(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;main;work;malloc;_int_malloc;sysmalloc 10\nx;main;work;malloc;helper 5\n"
	                            "x;main;other;free 5\nx;main;work 80\n");
	g_autoptr(HotPatterns) found = hot_patterns_new(e.profile, TRUE);
	assert_int_equal(found->patterns->len, 1);
	const HotPattern *pattern = &g_array_index(found->patterns, HotPattern, 0);
	assert_true(pattern->share == .2);
	assert_non_null(strstr(pattern->text, "20.0 %"));
	assert_non_null(strstr(pattern->text, "75 % of it called by work"));
}

static void thresholds_decide(void **state)
{
	(void)state;
	g_autofree char *at = codes("x;main;malloc 10\nx;main 90\n"), *below = codes("x;main;malloc 99\nx;main 901\n");
	assert_string_equal(at, "allocation_heavy");
	assert_string_equal(below, "");
}

static void overlapping_families_are_both_found(void **state)
{
	(void)state;
	g_autofree char *found = codes("x;main;realloc;memcpy 50\nx;main 50\n");
	assert_string_equal(found, "allocation_heavy copying");
}

static void a_profile_that_is_mostly_kernel_is_said_to_be(void **state)
{
	(void)state;
	g_autofree char *merged = codes("x;main;read;[kernel] 30\nx;main 70\n"),
	                *annotated = codes("x;main;read;vfs_read_[k] 30\nx;main 70\n"),
	                *little = codes("x;main;read;[kernel] 29\nx;main 71\n");
	assert_string_equal(merged, "kernel_dominated");
	assert_string_equal(annotated, "kernel_dominated");
	assert_string_equal(little, "");
}

/* The callers inside an allocator, a wrapper or a template of a library tell nobody where to look. */
static void the_caller_that_is_named_is_the_programs_own(void **state)
{
	static const struct {
		const char *text, *wanted;
	} cases[] = {
	        {"x;main;work;malloc;sysmalloc;brk;free 30\nx;main 70\n", "called by work:"},
	        {"x;main;work;xmalloc;malloc 30\nx;main 70\n", "called by work:"},
	        {"x;main;work;std::vector<int>::push_back;operator new;malloc 30\nx;main 70\n", "called by work:"},
	        {"x;main;malloc 30\nx;main 70\n", "called by main:"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(Example) e = example(cases[i].text);
		g_autoptr(HotPatterns) found = hot_patterns_new(e.profile, TRUE);
		const char *text = g_array_index(found->patterns, HotPattern, 0).text;
		if (strstr(text, cases[i].wanted) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", text, cases[i].wanted);
	}
}

static StackId push(StackTable *table, StackId stack, const char *name, const char *module)
{
	return stack_table_push(table, stack, stack_table_frame_named(table, name, module, FRAME_USER));
}

static void the_callers_in_libraries_give_way_to_the_program(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	profile_add_run(profile);
	StackId stack = push(table, push(table, STACK_ROOT, "main", "prog"), "load_all", "prog");
	stack = push(table, push(table, stack, "fopen", "libc.so"), "malloc", "libc.so");
	profile_add(profile, 0, stack, (ProfileCell){1, 1});
	g_autoptr(HotPatterns) found = hot_patterns_new(profile, TRUE);
	assert_non_null(strstr(g_array_index(found->patterns, HotPattern, 0).text, "called by load_all:"));
}

static void a_long_name_is_cut_in_a_hint(void **state)
{
	(void)state;
	g_autofree char *name = g_strnfill(500, 'f'), *text = g_strdup_printf("x;main;%s;malloc 1\n", name);
	g_auto(Example) e = example(text);
	g_autoptr(HotPatterns) found = hot_patterns_new(e.profile, TRUE);
	assert_true(strlen(g_array_index(found->patterns, HotPattern, 0).text) < 250);
}

static void few_samples_are_said_with_their_resolution(void **state)
{
	(void)state;
	g_auto(Example) few = example("x;main 100\n"), many = example("x;main 1000\n");
	g_autoptr(HotPatterns) of_few = hot_patterns_new(few.profile, FALSE);
	g_autoptr(HotPatterns) of_many = hot_patterns_new(many.profile, FALSE);
	g_autoptr(HotPatterns) counted = hot_patterns_new(few.profile, TRUE);
	assert_int_equal(of_many->patterns->len, 0);
	assert_int_equal(counted->patterns->len, 0);
	assert_int_equal(of_few->patterns->len, 1);
	const HotPattern *pattern = &g_array_index(of_few->patterns, HotPattern, 0);
	assert_string_equal(pattern->code, "few_samples");
	assert_non_null(strstr(pattern->text, "only 100 samples"));
	assert_non_null(strstr(pattern->text, "± 6.0 percentage points"));
}

static void what_has_no_name_is_summed_up(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;main;[unknown] 1\nx;[libc.so.6] 2\nx;main;[kernel] 4\nx;[vdso] 8\nx;main 16\n"
	                            "x;[unknown];f 32\n");
	assert_int_equal(hot_patterns_unknown(e.profile).weight, 3);
}

static void allocated_memory_is_not_called_time(void **state)
{
	(void)state;
	static const char *const events[] = {DHAT_EVENT_BYTES, DHAT_EVENT_BLOCKS, DHAT_EVENT_PEAK};
	g_auto(Example) e = example("x;main;strdup;malloc 100\nx;main;operator new 900\n");
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		g_free(e.profile->event);
		e.profile->event = g_strdup(events[i]);
		g_autoptr(HotPatterns) found = hot_patterns_new(e.profile, TRUE);
		assert_int_equal(found->patterns->len, 0);
	}
}

static void nothing_is_found_in_nothing(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	g_autoptr(HotPatterns) found = hot_patterns_new(profile, TRUE);
	assert_int_equal(found->patterns->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_family_is_found_by_the_names_of_its_functions),
	        cmocka_unit_test(a_family_counts_each_stack_once_with_all_it_calls),
	        cmocka_unit_test(thresholds_decide),
	        cmocka_unit_test(overlapping_families_are_both_found),
	        cmocka_unit_test(a_profile_that_is_mostly_kernel_is_said_to_be),
	        cmocka_unit_test(the_caller_that_is_named_is_the_programs_own),
	        cmocka_unit_test(the_callers_in_libraries_give_way_to_the_program),
	        cmocka_unit_test(a_long_name_is_cut_in_a_hint),
	        cmocka_unit_test(few_samples_are_said_with_their_resolution),
	        cmocka_unit_test(what_has_no_name_is_summed_up),
	        cmocka_unit_test(allocated_memory_is_not_called_time),
	        cmocka_unit_test(nothing_is_found_in_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
