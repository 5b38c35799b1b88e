/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectmeasure.h"

#include "compare/outcomewords.h"
#include "core/error.h"
#include "gate/gate.h"
#include "model/engine.h"
#include "runner/config/configkeys.h"

#define MORE_ROUNDS 50 /* of a second attempt; as configured, a check ends after 25 */

static guint rounds_for(const BisectMeasure *measure, guint attempt)
{
	if (attempt == 0)
		return measure->rounds;
	guint most = (guint)config_key_find(CONFIG_IN_BENCHMARK, "rounds")->max;
	return measure->rounds > 0 ? MIN(2 * measure->rounds, most) : MORE_ROUNDS;
}

static const Engine *engine_for(const BisectTarget *target)
{
	if (target == NULL || target->engine == NULL)
		return NULL;
	return engine_that(bisect_target_is_counted(target));
}

/* The order of rounds follows from the commit, so that the same question is put in the same way again. */
static guint64 seed_for(const char *head, guint attempt)
{
	g_autofree char *digits = g_strndup(head, 15);
	return g_ascii_strtoull(digits, NULL, 16) + attempt;
}

static gboolean ends_all(int exit_code)
{
	return exit_code > 128 || exit_code == FIREBREAK_ERROR_BASELINE || exit_code == FIREBREAK_ERROR_STORAGE ||
	       exit_code == FIREBREAK_ERROR_ENVIRONMENT;
}

char *bisect_base(Repo *repo, const char *good, const char *commit)
{
	char *base = NULL;
	return repo_merge_base(repo, good, commit, &base, NULL) ? base : g_strdup(good);
}

CheckResult *bisect_measure(const BisectMeasure *measure, const BisectCheck *check, GError **error)
{
	char *const benchmarks[] = {(char *)measure->benchmark, NULL};
	gboolean counted = check->target != NULL && bisect_target_is_counted(check->target);
	const GateRequest request = {
	        .repo_path = measure->repo_path,
	        .base = check->base,
	        .head = check->head,
	        .benchmarks = benchmarks,
	        .engine = engine_for(check->target),
	        .rounds = rounds_for(measure, check->attempt),
	        .seed = seed_for(check->head, check->attempt),
	        .no_confirm = counted && !check->confirm,
	        .measure_base = check->attempt > 0,
	        /* a policy that changes on the way is not what is looked for */
	        .allow_policy_change = TRUE,
	        /* a slow commit is slow whether somebody meant it or not, and by what it costs more than good */
	        .only_measured = TRUE,
	        .store = measure->store,
	        .out_dir = check->out_dir,
	        .talk = measure->talk,
	        .host = measure->host,
	};
	g_autoptr(CheckResult) result = gate_check(&request);
	if (!ends_all(result->exit_code))
		return g_steal_pointer(&result);
	g_autofree char *why = check_result_reason(result);
	g_set_error(error, FIREBREAK_ERROR, result->exit_code, "%s", why);
	return NULL;
}
