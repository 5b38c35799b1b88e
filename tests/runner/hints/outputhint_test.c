/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which lines of a benchmark's output say that it did not do its work, and what is said about them. */
#include "runner/hints/outputhint.h"

#include "tests/runner/hintfixture.h"

static void assert_kind(const char *text, ComplaintKind kind)
{
	g_auto(Complaint) complaint = complaint_of(text);
	if (complaint.kind != kind)
		fail_msg("\"%s\" is of kind %d, not %d", text, complaint.kind, kind);
}

static void complaints_are_found(void **state)
{
	(void)state;
	assert_kind("start\nparse: cannot open data/big.json: No such file or directory\n", COMPLAINT_MISSING_FILE);
	assert_kind("Error opening file: open data/big.json: no such file or directory", COMPLAINT_MISSING_FILE);
	assert_kind("Usage: parse [options] FILE", COMPLAINT_USAGE);
	assert_kind("usage:\n  parse FILE", COMPLAINT_USAGE);
	assert_kind("Failed to match any benchmarks against regex: foo", COMPLAINT_NOTHING_RAN);
	assert_kind("running 0 tests", COMPLAINT_NOTHING_RAN);
	assert_kind("No test cases matched 'foo'", COMPLAINT_NOTHING_RAN);
	assert_kind("error: unknown option --fast", COMPLAINT_ERROR);
	assert_kind("parse: error: the input is empty", COMPLAINT_ERROR);
	assert_kind("Traceback (most recent call last):", COMPLAINT_ERROR);
}

static void results_are_no_complaints(void **state)
{
	(void)state;
	assert_kind("error: 0.0123", COMPLAINT_NONE);
	assert_kind("relative error: 1e-9", COMPLAINT_NONE);
	assert_kind("max error: < 3 ulp", COMPLAINT_NONE);
	assert_kind("Usage: 12 MB", COMPLAINT_NONE);
	assert_kind("memory usage: [1, 2]", COMPLAINT_NONE);
	assert_kind("running 3 tests\nerrors: 0", COMPLAINT_NONE);
	assert_kind("error: none", COMPLAINT_NONE);
	assert_kind("BM_Parse/errors  12 ns", COMPLAINT_NONE);
	assert_kind("", COMPLAINT_NONE);
}

static void lines_for_comparing_sides_have_more_words(void **state)
{
	static const char *const failed[] = {"[ERROR] loader: data.txt", "ERROR loader gave up", "could not read data",
	        "Failed to load 3 of 4 files", "terminate called after throwing an exception", "error: x"};
	static const char *const fine[] = {"errors: 0", "max error 1e-9", "4 files loaded", "failed: 0", ""};
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(fine); i++)
		complaint_lines(fine[i], lines);
	assert_int_equal(lines->len, 0);
	for (gsize i = 0; i < G_N_ELEMENTS(failed); i++)
		complaint_lines(failed[i], lines);
	assert_int_equal(lines->len, G_N_ELEMENTS(failed));
	assert_kind("could not read data", COMPLAINT_NONE);
}

static void the_line_is_kept_short_and_valid(void **state)
{
	(void)state;
	g_autofree char *rest = g_strnfill(1000, 'x'), *text = g_strdup_printf("  error: \xff%s", rest);
	g_auto(Complaint) complaint = complaint_of(text);
	assert_true(g_str_has_prefix(complaint.line, "error: "));
	assert_true(g_utf8_validate(complaint.line, -1, NULL));
	assert_true(strlen(complaint.line) < 210);
}

static char *remedy(const char *line, const char *tree, const char *cwd)
{
	g_auto(Complaint) complaint = complaint_of(line);
	return complaint_remedy(&complaint, tree, cwd);
}

static void a_missing_file_is_looked_for_in_the_tree(void **state)
{
	put(*state, "bench/data/big.json", "{}", 0644);
	g_autofree char *text = remedy("./parse: cannot open data/big.json: No such file or directory", *state, ".");
	assert_has(text, "the checkout has bench/data/big.json: set `cwd: bench`");
}

static void a_working_folder_that_is_wrong_is_told(void **state)
{
	put(*state, "data/big.json", "{}", 0644);
	g_autofree char *text = remedy("fatal: can't open 'data/big.json'", *state, "bench");
	assert_has(
	        text, "data/big.json is at the root of the checkout, and the benchmark runs in bench: take `cwd` out");
}

static void a_file_that_nobody_committed_is_told(void **state)
{
	put(*state, "parse", ELF, 0755);
	g_autofree char *text = remedy("./parse: cannot open data/big.json: No such file or directory", *state, ".");
	assert_has(
	        text, "data/big.json is not in the checkout, which holds what is committed and what the build makes");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(complaints_are_found),
	        cmocka_unit_test(results_are_no_complaints),
	        cmocka_unit_test(lines_for_comparing_sides_have_more_words),
	        cmocka_unit_test(the_line_is_kept_short_and_valid),
	        TEST(a_missing_file_is_looked_for_in_the_tree),
	        TEST(a_working_folder_that_is_wrong_is_told),
	        TEST(a_file_that_nobody_committed_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
