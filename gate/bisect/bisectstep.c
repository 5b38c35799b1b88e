/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectstep.h"

#include "compare/policy.h"
#include "core/error.h"
#include "core/git/repo.h"
#include "runner/config/commitconfig.h"
#include "runner/config/config.h"

/* `git bisect run` takes it as: skip this commit. */
#define CANNOT_TELL 125

/* A function counts as good where it surely adds less than what gates; half of this is taken (bisecttarget.h). */
static double least_contribution(void)
{
	return 2 * default_function_policy(TRUE, 1).floor_contribution;
}

static int stop_code(int exit_code)
{
	return exit_code > 128 ? exit_code : BISECT_STEP_ABORT + exit_code;
}

/* TRUE if a commit has a configuration, and one that can be read. */
static gboolean has_config(Repo *repo, const char *sha)
{
	g_autoptr(Config) config = NULL;
	return commit_config_read(repo, sha, &config, NULL) && config != NULL;
}

/* The commit that HEAD is compared with. */
typedef struct {
	char *base;         /* a SHA, or good as it was named if that cannot be found out */
	gboolean own_fault; /* a check that is refused is refused for something that other commits may have better */
} Place;

/* HEAD has no configuration or one that cannot be read, or its configuration is the policy because base has none, or
 * base is not good. */
static Place place_of_head(const BisectMeasure *measure, const char *good)
{
	g_autoptr(Repo) repo = repo_open(measure->repo_path, NULL);
	g_autofree char *head_sha = NULL, *good_sha = NULL;
	if (repo == NULL || !repo_resolve(repo, "HEAD", &head_sha, NULL) || !repo_resolve(repo, good, &good_sha, NULL))
		return (Place){.base = g_strdup(good)};
	Place place = {.base = bisect_base(repo, good_sha, head_sha)};
	place.own_fault =
	        !g_str_equal(place.base, good_sha) || !has_config(repo, head_sha) || !has_config(repo, good_sha);
	return place;
}

static gboolean is_refused(const CheckResult *result)
{
	return result->exit_code == FIREBREAK_ERROR_USAGE || result->exit_code == FIREBREAK_ERROR_POLICY;
}

/* `stops` says whether other commits would end like an untestable one. */
static int code_of(const BisectAnswer *answer, gboolean stops, int exit_code)
{
	switch (answer->verdict) {
	case BISECT_GOOD:
		return 0;
	case BISECT_BAD:
		return 1;
	case BISECT_UNCLEAR:
		break;
	case BISECT_UNTESTABLE:
		return stops ? stop_code(exit_code) : CANNOT_TELL;
	}
	return CANNOT_TELL;
}

int bisect_step(
        const BisectMeasure *measure, const char *good, const char *metric, const char *function, BisectTest **test)
{
	const BisectTarget target = {
	        .metric = (char *)metric, .function = (char *)function, .contribution = least_contribution()};
	Place place = place_of_head(measure, good);
	g_autofree char *base = place.base;
	BisectCheck check = {.base = base, .head = "HEAD", .target = &target, .confirm = TRUE};
	*test = bisect_test_new("HEAD", NULL);
	for (; check.attempt < BISECT_ATTEMPTS; check.attempt++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(CheckResult) result = bisect_measure(measure, &check, &error);
		bisect_test_free(*test);
		*test = bisect_test_new(
		        result != NULL ? result->head.sha : "HEAD", result != NULL ? result->head.subject : NULL);
		if (result == NULL) {
			bisect_judge_failed(error->message, &(*test)->answer);
			return stop_code(firebreak_error_exit_code(error));
		}
		if (metric != NULL || function != NULL)
			bisect_judge_check(&target, result, &(*test)->answer);
		else
			bisect_judge_whole(result, &(*test)->answer);
		if ((*test)->answer.verdict != BISECT_UNCLEAR)
			return code_of(&(*test)->answer, is_refused(result) && !place.own_fault, result->exit_code);
	}
	return CANNOT_TELL;
}
