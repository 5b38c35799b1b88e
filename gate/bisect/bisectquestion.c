/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/bisect/bisectquestion.h"

#include "core/error.h"
#include "gate/bisect/bisectstored.h"
#include "model/engine.h"

static gboolean resolve(Repo *repo, const char *revision, char **sha, char **subject, GError **error)
{
	return repo_resolve(repo, revision, sha, error) && repo_commit_subject(repo, *sha, subject, error);
}

static BisectLog *log_new(Repo *repo, const BisectRequest *request, GError **error)
{
	g_autoptr(BisectLog) log = bisect_log_new();
	if (!resolve(repo, request->good, &log->good, &log->good_subject, error) ||
	        !resolve(repo, request->bad, &log->bad, &log->bad_subject, error))
		return NULL;
	log->benchmark = g_strdup(request->benchmark);
	log->asked_metric = g_strdup(request->metric);
	log->asked_function = g_strdup(request->function);
	log->first_parent = request->first_parent;
	/* Both the question and the target: the target is filled in by the first check, and what was asked for tells
	 * a bisection from another one. */
	log->target.metric = g_strdup(request->metric);
	log->target.function = g_strdup(request->function);
	return g_steal_pointer(&log);
}

static GPtrArray *read_range(Repo *repo, const BisectLog *log, GError **error)
{
	const RangePlan plan = {log->good, log->bad, log->first_parent};
	g_autoptr(GPtrArray) range = repo_range(repo, &plan, error);
	if (range == NULL || range->len > 0)
		return g_steal_pointer(&range);
	firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "good and bad are the same commit, %.12s", log->good);
	return NULL;
}

/* A metric that no engine measures is better refused before a campaign than after it. */
static gboolean check_metric(Repo *repo, const BisectLog *log, GError **error)
{
	g_autoptr(Config) policy = bisect_policy(repo, log);
	const ConfigBenchmark *benchmark = policy != NULL ? config_benchmark(policy, log->benchmark) : NULL;
	/* A policy or benchmark that cannot be read is told by the first check, with all that there is to say about
	 * it. */
	gboolean measured = log->asked_metric == NULL || benchmark == NULL ||
	                    config_measures(benchmark, &engine_perf, log->asked_metric) ||
	                    config_measures(benchmark, &engine_callgrind, log->asked_metric);
	return measured || firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	                           "the benchmark %s has no metric %s; its engines and options are in " CONFIG_FILE,
	                           benchmark->name, log->asked_metric);
}

BisectLog *bisect_question_new(Repo *repo, const BisectRequest *request, GPtrArray **range, GError **error)
{
	g_autoptr(BisectLog) log = log_new(repo, request, error);
	g_autoptr(GPtrArray) commits = log != NULL ? read_range(repo, log, error) : NULL;
	if (commits == NULL || !check_metric(repo, log, error))
		return NULL;
	log->n_commits = commits->len;
	*range = g_steal_pointer(&commits);
	return g_steal_pointer(&log);
}
