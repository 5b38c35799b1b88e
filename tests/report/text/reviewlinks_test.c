/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/reviewlinks.h"

#include "compare/source/changedcode.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEAD "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80"
/* SHA-256 and SHA-1 of "src/rank.c" */
#define RANK_SHA256 "5fc4754730780cdf91b244c632c16ee883a35ef7324494e6916e3a12aa4a8b30"
#define RANK_SHA1 "2cd76c410fa501f0f066cd8922d298548528cb01"

static void both_forges_are_told_by_the_address(void **state)
{
	static const struct {
		const char *address, *repository;
		Forge forge;
		guint64 number;
	} rows[] = {
	        {"https://github.com/o/r/pull/12", "https://github.com/o/r", FORGE_GITHUB, 12},
	        {"https://ghe.example:8443/o/r.js/pull/1", "https://ghe.example:8443/o/r.js", FORGE_GITHUB, 1},
	        {"https://gitlab.com/g/s/p/-/merge_requests/3", "https://gitlab.com/g/s/p", FORGE_GITLAB, 3},
	        {"http://127.0.0.1/g/p/-/merge_requests/7", "http://127.0.0.1/g/p", FORGE_GITLAB, 7},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_auto(ReviewLinks) links = {0};
		assert_true(review_links_set_review(&links, rows[i].address));
		assert_int_equal(links.forge, rows[i].forge);
		assert_int_equal(links.number, rows[i].number);
		assert_string_equal(links.repository, rows[i].repository);
	}
}

static void what_is_no_review_is_refused(void **state)
{
	static const char *const addresses[] = {
	        "",
	        "12",
	        "https://github.com/o/r",
	        "https://github.com/o/r/pull/",
	        "https://github.com/o/r/pull/0",
	        "https://github.com/o/r/pull/-1",
	        "https://github.com/o/r/pull/12/files",
	        "https://github.com/o/r/pull/99999999999999999999",
	        "ftp://github.com/o/r/pull/12",
	        "javascript:alert(1)//pull/12",
	        "https:///pull/12",
	        "https://github.com/o/r)](x/pull/12",
	        "https://github.com/o r/pull/12",
	        "https://github.com/o/r|/pull/12",
	        "https://github.com/&lt;/pull/12",
	        "https://github.com/o\n/r/pull/12",
	        "https://github.com/\xe2\x80\xae/r/pull/12",
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(addresses); i++) {
		g_auto(ReviewLinks) links = {0};
		assert_false(review_links_set_review(&links, addresses[i]));
		assert_null(links.repository);
		assert_int_equal(links.number, 0);
	}
}

/* The change puts line 27 of head in place of line 26 of base; line 25 stands on both sides. */
static CheckResult *edited(void)
{
	CheckResult *result = check_result_new();
	result_side_set(&result->head, HEAD, "", "", "");
	result->changed = changed_code_new();
	ChangedSource *file = changed_code_add_file(result->changed, "src/rank.c", "src/rank.c");
	ChangedHunk *other = changed_source_add_hunk(file, &(LineChange){1, 2, 1, 3});
	ChangedLine first[] = {{CHANGED_ADDED, 0, 1, 0, g_strdup("new"), NAN, NAN}};
	g_array_append_vals(other->lines, first, G_N_ELEMENTS(first));
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){25, 2, 26, 2});
	ChangedLine lines[] = {
	        {CHANGED_CONTEXT, 25, 26, 0, g_strdup("same"), NAN, NAN},
	        {CHANGED_REMOVED, 26, 0, 0, g_strdup("old"), NAN, NAN},
	        {CHANGED_ADDED, 0, 27, 0, g_strdup("new"), NAN, NAN},
	};
	g_array_append_vals(hunk->lines, lines, G_N_ELEMENTS(lines));
	return result;
}

static void assert_place(const char *review, const CheckResult *result, const SourcePlace *place, const char *wanted)
{
	g_auto(ReviewLinks) links = {0};
	assert_true(review_links_set_review(&links, review));
	g_autofree char *address = review_link_to_place(&links, result, place);
	assert_string_equal(address, wanted);
}

#define GITHUB "https://github.com/o/r"
#define GITLAB "https://gitlab.com/g/p"

/* The function begins at line 20 of head, so the first edit of the file is not its own. */
static void an_edited_function_is_shown_at_its_edit_in_the_diff(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = edited();
	SourcePlace place = {(char *)"src/rank.c", 20, TRUE};
	assert_place(GITHUB "/pull/12", result, &place, GITHUB "/pull/12/files#diff-" RANK_SHA256 "L26");
	assert_place(
	        GITLAB "/-/merge_requests/3", result, &place, GITLAB "/-/merge_requests/3/diffs#" RANK_SHA1 "_26_27");
	place.line = 1;
	assert_place(GITHUB "/pull/12", result, &place, GITHUB "/pull/12/files#diff-" RANK_SHA256 "R1");
}

static void where_the_edit_is_not_known_the_file_is_shown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = edited();
	SourcePlace place = {(char *)"src/rank.c", 200, TRUE};
	assert_place(GITHUB "/pull/12", result, &place, GITHUB "/pull/12/files#diff-" RANK_SHA256);
	changed_code_free(g_steal_pointer(&result->changed));
	assert_place(GITLAB "/-/merge_requests/3", result, &place, GITLAB "/-/merge_requests/3/diffs#" RANK_SHA1);
}

static void what_is_not_edited_is_shown_at_the_commit(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = edited();
	SourcePlace place = {(char *)"src/a b)|.c", 7, FALSE};
	assert_place(GITHUB "/pull/12", result, &place, GITHUB "/blob/" HEAD "/src/a%20b%29%7C.c#L7");
	assert_place(GITLAB "/-/merge_requests/3", result, &place, GITLAB "/-/blob/" HEAD "/src/a%20b%29%7C.c#L7");
}

static void without_a_commit_a_file_or_a_forge_there_is_no_link(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = edited();
	g_auto(ReviewLinks) links = {0};
	SourcePlace place = {(char *)"src/rank.c", 7, FALSE};
	assert_null(review_link_to_place(NULL, result, &place));
	assert_null(review_link_to_place(&links, result, &place));
	assert_true(review_links_set_review(&links, GITHUB "/pull/12"));
	assert_null(review_link_to_place(&links, result, &(SourcePlace){.edited = TRUE}));
	result_side_set(&result->head, "worktree", "", "", "");
	assert_null(review_link_to_place(&links, result, &place));
}

static void a_repository_without_a_review_has_files(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = edited();
	g_auto(ReviewLinks) links = {0};
	SourcePlace place = {(char *)"src/rank.c", 7, TRUE};
	assert_true(review_links_set_repository(&links, FORGE_GITHUB, GITHUB));
	g_autofree char *address = review_link_to_place(&links, result, &place);
	assert_string_equal(address, GITHUB "/blob/" HEAD "/src/rank.c#L7");
}

static void files_have_links_below_a_folder_only(void **state)
{
	(void)state;
	g_auto(ReviewLinks) links = {0};
	assert_null(review_link_to_file(&links, "report.html"));
	assert_true(review_links_set_artifact(&links, GITHUB "/actions/runs/1/artifacts/2"));
	assert_null(review_link_to_file(&links, "report.html"));
	assert_true(review_links_set_artifact(&links, GITLAB "/-/jobs/9/artifacts/file/firebreak-out/"));
	g_autofree char *page = review_link_to_file(&links, "a b.diff.svg");
	assert_string_equal(page, GITLAB "/-/jobs/9/artifacts/file/firebreak-out/a%20b.diff.svg");
	assert_null(review_link_to_file(&links, "../secret"));
	assert_null(review_link_to_file(&links, ".hidden"));
	assert_false(review_links_set_artifact(&links, "file:///etc/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(both_forges_are_told_by_the_address),
	        cmocka_unit_test(what_is_no_review_is_refused),
	        cmocka_unit_test(an_edited_function_is_shown_at_its_edit_in_the_diff),
	        cmocka_unit_test(where_the_edit_is_not_known_the_file_is_shown),
	        cmocka_unit_test(what_is_not_edited_is_shown_at_the_commit),
	        cmocka_unit_test(without_a_commit_a_file_or_a_forge_there_is_no_link),
	        cmocka_unit_test(a_repository_without_a_review_has_files),
	        cmocka_unit_test(files_have_links_below_a_folder_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
