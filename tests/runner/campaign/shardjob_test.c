/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/shardjob.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* "NAME=VALUE ..." */
static const char *environment;

static const char *variable(const char *name)
{
	static char value[64];
	g_auto(GStrv) pairs = g_strsplit(environment, " ", -1);
	const char *found = g_environ_getenv(pairs, name);
	if (found == NULL)
		return NULL;
	g_strlcpy(value, found, sizeof value);
	return value;
}

static void assert_shard(const char *text, guint index, guint total)
{
	Shard shard = {0};
	g_autoptr(GError) error = NULL;
	environment = text;
	if (!shard_of_job(variable, &shard, &error))
		fail_msg("%s: %s", text, error->message);
	if (shard.index != index || shard.total != total)
		fail_msg("%s: %u/%u", text, shard.index, shard.total);
}

static void assert_refused(const char *text, const char *because)
{
	Shard shard = {7, 9};
	g_autoptr(GError) error = NULL;
	environment = text;
	if (shard_of_job(variable, &shard, &error))
		fail_msg("%s: %u/%u", text, shard.index, shard.total);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	if (strstr(error->message, because) == NULL)
		fail_msg("%s: %s", text, error->message);
	assert_int_equal(shard.index, 7);
}

static void the_first_and_the_last_job_of_each_service_are_known(void **state)
{
	(void)state;
	static const struct {
		const char *first, *last;
	} services[] = {
	        {"FIREBREAK_SHARD_INDEX=0 FIREBREAK_SHARD_TOTAL=4", "FIREBREAK_SHARD_INDEX=3 FIREBREAK_SHARD_TOTAL=4"},
	        {"CI_NODE_INDEX=1 CI_NODE_TOTAL=4", "CI_NODE_INDEX=4 CI_NODE_TOTAL=4"},
	        {"BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=4",
	                "BUILDKITE_PARALLEL_JOB=3 BUILDKITE_PARALLEL_JOB_COUNT=4"},
	        {"CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4", "CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4"},
	        {"SYSTEM_JOBPOSITIONINPHASE=1 SYSTEM_TOTALJOBSINPHASE=4",
	                "SYSTEM_JOBPOSITIONINPHASE=4 SYSTEM_TOTALJOBSINPHASE=4"},
	        {"JOB_COMPLETION_INDEX=0 FIREBREAK_SHARD_TOTAL=4", "JOB_COMPLETION_INDEX=3 FIREBREAK_SHARD_TOTAL=4"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(services); i++) {
		assert_shard(services[i].first, 1, 4);
		assert_shard(services[i].last, 4, 4);
	}
}

#define SLURM(id, min, max, count)                                                                                     \
	"SLURM_ARRAY_TASK_ID=" #id " SLURM_ARRAY_TASK_MIN=" #min " SLURM_ARRAY_TASK_MAX=" #max                         \
	" SLURM_ARRAY_TASK_COUNT=" #count

static void slurm_arrays_begin_and_step_as_they_like(void **state)
{
	(void)state;
	assert_shard(SLURM(0, 0, 3, 4), 1, 4);
	assert_shard(SLURM(3, 0, 3, 4), 4, 4);
	assert_shard(SLURM(1, 1, 4, 4), 1, 4);
	assert_shard(SLURM(30, 10, 40, 4), 3, 4);
	assert_shard(SLURM(7, 1, 7, 4), 4, 4);
	assert_shard(SLURM(5, 5, 5, 1), 1, 1);
}

static void a_list_of_slurm_jobs_is_refused_by_at_least_one_of_them(void **state)
{
	(void)state;
	assert_refused(SLURM(1, 0, 7, 3), "use a range");
	assert_refused(SLURM(3, 0, 4, 3), "use a range");
	assert_refused(SLURM(9, 5, 3, 2), "use a range");
	assert_refused(SLURM(9, 0, 3, 4), "SLURM_ARRAY_TASK_ID is 9");
	assert_refused(SLURM(0, 0, 1, 4), "use a range");
	assert_refused("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2", "SLURM_ARRAY_TASK_MIN is not set");
}

static void a_job_that_is_not_split_is_the_only_shard(void **state)
{
	(void)state;
	assert_shard("CI_NODE_TOTAL=1", 1, 1);
	assert_shard("CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=1", 1, 1);
	assert_shard("SYSTEM_JOBPOSITIONINPHASE=1 SYSTEM_TOTALJOBSINPHASE=1", 1, 1);
}

static void own_variables_go_before_those_of_a_service(void **state)
{
	(void)state;
	assert_shard("CI_NODE_INDEX=1 CI_NODE_TOTAL=2 FIREBREAK_SHARD_INDEX=4 FIREBREAK_SHARD_TOTAL=5", 5, 5);
	assert_shard("FIREBREAK_SHARD_INDEX=4 FIREBREAK_SHARD_TOTAL=5 CI_NODE_INDEX=x", 5, 5);
}

static void half_of_a_pair_is_refused(void **state)
{
	(void)state;
	assert_refused("CI_NODE_INDEX=1", "CI_NODE_TOTAL is not set");
	assert_refused("CI_NODE_INDEX=1 CI_NODE_TOTAL=", "CI_NODE_TOTAL is not set");
	assert_refused("CI_NODE_TOTAL=2", "CI_NODE_INDEX is not set");
	assert_refused("BUILDKITE_PARALLEL_JOB_COUNT=1", "BUILDKITE_PARALLEL_JOB is not set");
	assert_refused("JOB_COMPLETION_INDEX=0", "FIREBREAK_SHARD_TOTAL is not set");
	assert_refused("FIREBREAK_SHARD_TOTAL=4", "FIREBREAK_SHARD_INDEX is not");
	assert_refused("FIREBREAK_SHARD_INDEX=0 CI_NODE_INDEX=1 CI_NODE_TOTAL=1", "FIREBREAK_SHARD_TOTAL is not set");
}

static void impossible_pairs_are_refused(void **state)
{
	(void)state;
	assert_refused("CI_NODE_INDEX=0 CI_NODE_TOTAL=4", "GitLab counts from 1 to 4");
	assert_refused("CI_NODE_INDEX=5 CI_NODE_TOTAL=4", "GitLab counts from 1 to 4");
	assert_refused("BUILDKITE_PARALLEL_JOB=4 BUILDKITE_PARALLEL_JOB_COUNT=4", "Buildkite counts from 0 to 3");
	assert_refused("CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=0", "CIRCLE_NODE_TOTAL is 0");
	assert_refused("CIRCLE_NODE_INDEX=-1 CIRCLE_NODE_TOTAL=2", "CIRCLE_NODE_INDEX is \"-1\"");
	assert_refused("CI_NODE_INDEX=1 CI_NODE_TOTAL=1001", "CI_NODE_TOTAL is \"1001\"");
	assert_refused("JOB_COMPLETION_INDEX=0 FIREBREAK_SHARD_TOTAL=many", "FIREBREAK_SHARD_TOTAL is \"many\"");
}

static void two_services_must_say_the_same(void **state)
{
	(void)state;
	assert_shard("CI_NODE_INDEX=2 CI_NODE_TOTAL=4 BUILDKITE_PARALLEL_JOB=1 BUILDKITE_PARALLEL_JOB_COUNT=4", 2, 4);
	assert_refused("CI_NODE_INDEX=2 CI_NODE_TOTAL=4 BUILDKITE_PARALLEL_JOB=2 BUILDKITE_PARALLEL_JOB_COUNT=4",
	        "GitLab says 2/4 and Buildkite says 3/4");
}

static void outside_of_a_split_job_it_says_what_to_set(void **state)
{
	(void)state;
	assert_refused("", "SLURM_ARRAY_TASK_ID");
	assert_refused("PATH=/bin", "write i/n, or set FIREBREAK_SHARD_INDEX");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_first_and_the_last_job_of_each_service_are_known),
	        cmocka_unit_test(slurm_arrays_begin_and_step_as_they_like),
	        cmocka_unit_test(a_list_of_slurm_jobs_is_refused_by_at_least_one_of_them),
	        cmocka_unit_test(a_job_that_is_not_split_is_the_only_shard),
	        cmocka_unit_test(own_variables_go_before_those_of_a_service),
	        cmocka_unit_test(half_of_a_pair_is_refused),
	        cmocka_unit_test(impossible_pairs_are_refused),
	        cmocka_unit_test(two_services_must_say_the_same),
	        cmocka_unit_test(outside_of_a_split_job_it_says_what_to_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
