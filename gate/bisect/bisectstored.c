/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectstored.h"

#include "baselines/store.h"
#include "compare/counted/counted.h"
#include "compare/counted/countedbase.h"
#include "gate/request/policyset.h"
#include "runner/config/commitconfig.h"
#include "runner/frameworks/frameworkcases.h"

struct BisectStored {
	const BisectLog *log;
	BaselineStore *store;
	StackTable *table;
	Measurement *good;
	GPtrArray *policies;
	gboolean gate_functions, strict_functions;
};

void bisect_stored_free(BisectStored *stored)
{
	if (stored == NULL)
		return;
	g_clear_pointer(&stored->good, measurement_free);
	g_clear_pointer(&stored->table, stack_table_unref);
	g_clear_pointer(&stored->store, baseline_store_free);
	g_clear_pointer(&stored->policies, g_ptr_array_unref);
	g_free(stored);
}

Config *bisect_policy(Repo *repo, const BisectLog *log)
{
	const char *const commits[] = {log->good, log->bad};
	for (gsize i = 0; i < G_N_ELEMENTS(commits); i++) {
		Config *config = NULL;
		if (!commit_config_read(repo, commits[i], &config, NULL) || config != NULL)
			return config;
	}
	return NULL;
}

static Measurement *load(const BisectStored *stored, const char *commit)
{
	const BisectLog *log = stored->log;
	g_autoptr(Measurement) measurement =
	        baseline_store_get(stored->store, commit, log->fingerprint, log->benchmark, stored->table, NULL);
	return measurement != NULL && counted_base_unfit(measurement) == NULL ? g_steal_pointer(&measurement) : NULL;
}

static gboolean prepare(BisectStored *stored, const char *repo_path, Repo *repo)
{
	g_autoptr(Config) policy = bisect_policy(repo, stored->log);
	const ConfigBenchmark *benchmark = policy != NULL ? config_benchmark(policy, stored->log->benchmark) : NULL;
	if (benchmark == NULL)
		return FALSE;
	stored->policies = policy_counted_metrics(benchmark);
	stored->gate_functions = benchmark->gate_functions;
	stored->strict_functions = benchmark->strict_functions;
	stored->table = stack_table_new();
	stored->store = baseline_store_open(repo_path, NULL, NULL);
	stored->good = stored->store != NULL ? load(stored, stored->log->good) : NULL;
	return stored->good != NULL;
}

BisectStored *bisect_stored_new(const char *repo_path, Repo *repo, const BisectLog *log)
{
	if (log->fingerprint == NULL || !bisect_target_is_counted(&log->target))
		return NULL;
	g_autoptr(BisectStored) stored = g_new0(BisectStored, 1);
	stored->log = log;
	return prepare(stored, repo_path, repo) ? g_steal_pointer(&stored) : NULL;
}

/* TRUE if there are as many runs as the verdict needs. */
static gboolean is_enough(const CountedInput *input)
{
	CountedRuns needed = counted_runs_needed(input);
	return needed.base <= measurement_n_runs(input->base) && needed.head <= measurement_n_runs(input->head);
}

static gboolean compare(BisectStored *stored, const Measurement *other, BisectAnswer *answer)
{
	const CountedInput input = {
	        .base = stored->good,
	        .head = other,
	        .policies = stored->policies,
	        .gate_functions = stored->gate_functions,
	        .strict_functions = stored->strict_functions,
	        .stored_base = TRUE,
	};
	g_autofree char *foreign = counted_base_foreign(stored->good->environment, other->environment);
	/* A check lets both sides run the cases of good alone; a commit that was measured by itself ran those that it
	 * adds, too. */
	g_autofree char *cases = framework_cases_unlike(stored->good->cases, other->cases);
	if (foreign != NULL || cases != NULL || !is_enough(&input))
		return FALSE;
	g_autoptr(BenchmarkComparison) comparison = compare_counted(&input);
	const BenchmarkComparison *const comparisons[] = {comparison, NULL};
	bisect_judge(&stored->log->target, comparisons, answer);
	if (answer->verdict == BISECT_GOOD || answer->verdict == BISECT_BAD)
		return TRUE;
	bisect_answer_clear(answer);
	return FALSE;
}

gboolean bisect_stored_answer(BisectStored *stored, const char *commit, BisectAnswer *answer)
{
	g_autoptr(Measurement) other = stored != NULL ? load(stored, commit) : NULL;
	return other != NULL && compare(stored, other, answer);
}
