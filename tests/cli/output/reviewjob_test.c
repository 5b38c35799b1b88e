/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/reviewjob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const *variables; /* name, value, ..., NULL */

static const char *variable(const char *name)
{
	for (guint i = 0; variables[i] != NULL; i += 2)
		if (g_str_equal(variables[i], name))
			return variables[i + 1];
	return NULL;
}

static void assert_job(const char *const *environment, Forge forge, const char *repository, guint64 number)
{
	g_auto(ReviewLinks) links = {0};
	variables = environment;
	review_job_read(&links, variable);
	assert_int_equal(links.forge, forge);
	assert_int_equal(links.number, number);
	if (repository == NULL)
		assert_null(links.repository);
	else
		assert_string_equal(links.repository, repository);
}

#define ON_GITHUB "GITHUB_ACTIONS", "true", "GITHUB_SERVER_URL", "https://github.com", "GITHUB_REPOSITORY", "o/r"
#define ON_GITLAB "GITLAB_CI", "true", "CI_PROJECT_URL", "https://gitlab.com/fork/p"

static void a_pull_request_is_told_by_its_ref(void **state)
{
	(void)state;
	assert_job((const char *const[]){ON_GITHUB, "GITHUB_REF", "refs/pull/12/merge", NULL}, FORGE_GITHUB,
	        "https://github.com/o/r", 12);
}

static void a_push_has_a_repository_only(void **state)
{
	static const char *const refs[] = {"refs/heads/main", "refs/pull/merge", "refs/pull//merge",
	        "refs/pull/x/merge", "refs/tags/pull/1/merge"};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(refs); i++)
		assert_job((const char *const[]){ON_GITHUB, "GITHUB_REF", refs[i], NULL}, FORGE_GITHUB,
		        "https://github.com/o/r", 0);
	assert_job((const char *const[]){ON_GITLAB, NULL}, FORGE_GITLAB, "https://gitlab.com/fork/p", 0);
}

static void a_merge_request_belongs_to_the_project_it_goes_to(void **state)
{
	(void)state;
	assert_job((const char *const[]){ON_GITLAB, "CI_MERGE_REQUEST_PROJECT_URL", "https://gitlab.com/g/p",
	                   "CI_MERGE_REQUEST_IID", "3", NULL},
	        FORGE_GITLAB, "https://gitlab.com/g/p", 3);
}

static void elsewhere_there_is_none(void **state)
{
	(void)state;
	assert_job((const char *const[]){NULL}, FORGE_NONE, NULL, 0);
	assert_job((const char *const[]){"GITHUB_REF", "refs/pull/12/merge", NULL}, FORGE_NONE, NULL, 0);
	assert_job((const char *const[]){"GITHUB_ACTIONS", "true", NULL}, FORGE_NONE, NULL, 0);
	assert_job((const char *const[]){"GITLAB_CI", "true", NULL}, FORGE_NONE, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pull_request_is_told_by_its_ref),
	        cmocka_unit_test(a_push_has_a_repository_only),
	        cmocka_unit_test(a_merge_request_belongs_to_the_project_it_goes_to),
	        cmocka_unit_test(elsewhere_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
