/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing that was acknowledged is lost among many writers and many pushers. The numbers are those of the environment
 * variables WRITERS, WRITES, PUSHERS and PUSHES (small ones unless set; tests/bench/store.sh sets large ones); what it
 * took is printed. */
#include "baselines/inventory.h"
#include "baselines/sync.h"
#include "tests/baselines/fixture.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_COMMITS 4

static guint number(const char *name, guint otherwise)
{
	const char *value = g_getenv(name);
	return value != NULL ? (guint)strtoul(value, NULL, 10) : otherwise;
}

/* One process of many. */
typedef struct {
	const char *repo;
	char *const *commits; /* SHARED_COMMITS of them */
	guint index, n;
} Task;

static gboolean put(BaselineStore *store, const char *commit, const char *benchmark, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = measurement_new(benchmark, commit, commit);
	add_awkward_runs(measurement, 2);
	add_awkward_profile(measurement, table, 2);
	return baseline_store_put(store, measurement, error);
}

static char *benchmark_name(guint process, guint i)
{
	return g_strdup_printf("bench-%u-%u", process, i);
}

static int write_all(const Task *task)
{
	g_autoptr(BaselineStore) store = baseline_store_open(task->repo, BASELINE_STORE_PREFIX, NULL);
	baseline_store_set_patience(store, 10 * 60 * 1000);
	for (guint i = 0; i < task->n; i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *name = benchmark_name(task->index, i);
		if (!put(store, task->commits[(task->index + i) % SHARED_COMMITS], name, &error)) {
			print_message("%s: %s\n", name, error->message);
			return 1;
		}
	}
	return 0;
}

/* Stores and pushes, again and again, in a clone of its own. */
static int push_all(const Task *task)
{
	g_autoptr(BaselineStore) store = baseline_store_open(task->repo, BASELINE_STORE_PREFIX, NULL);
	for (guint i = 0; i < task->n; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(FindingList) findings = finding_list_new();
		g_autofree char *name = benchmark_name(task->index, i);
		SyncCounts counts;
		if (!put(store, task->commits[(task->index + i) % SHARED_COMMITS], name, &error) ||
		        !baseline_push(store, NULL, findings, &counts, &error)) {
			print_message("%s: %s\n", name, error->message);
			return 1;
		}
		if (finding_count(findings) > 0) {
			print_message("%s: %s\n", name, finding_get(findings, 0)->text);
			return 1;
		}
	}
	return 0;
}

typedef int (*TaskFunc)(const Task *task);

static pid_t start(TaskFunc func, const Task *task)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(func(task));
	return pid;
}

/* All must have succeeded. */
static void wait_for_all(const GArray *pids)
{
	for (guint i = 0; i < pids->len; i++) {
		int status;
		assert_true(waitpid(g_array_index(pids, pid_t, i), &status, 0) > 0);
		assert_int_equal(status, 0);
	}
}

/* A repository with SHARED_COMMITS commits; their SHAs are a GStrv. */
static char *new_history(char ***commits)
{
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	for (guint i = 1; i < SHARED_COMMITS; i++)
		do_in(path, "git commit -q --allow-empty -m more");
	g_autofree char *log = run_in(path, "git log --format=%H");
	*commits = g_strsplit(log, "\n", -1);
	assert_int_equal(g_strv_length(*commits), SHARED_COMMITS);
	return path;
}

/* The number of the n benchmarks of each process that are not in the store, which must be sound. */
static guint count_lost(const char *repo, guint n_processes, guint n, gboolean fetch)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GHashTable) found = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, &error);
	SyncCounts counts;
	guint lost = 0;
	gboolean ok = FALSE;
	if (fetch)
		(void)baseline_fetch(store, NULL, NULL, findings, &counts, &error);
	assert_no_error(error);
	g_autoptr(GPtrArray) list = baseline_store_list(store, &error);
	assert_no_error(error);
	for (guint i = 0; i < list->len; i++)
		g_hash_table_add(found, ((BaselineEntry *)list->pdata[i])->benchmark);
	for (guint process = 0; process < n_processes; process++) {
		for (guint i = 0; i < n; i++) {
			g_autofree char *name = benchmark_name(process, i);
			lost += g_hash_table_contains(found, name) ? 0 : 1;
		}
	}
	assert_true(baseline_store_verify(store, findings, &ok, &error));
	assert_true(ok);
	assert_int_equal(list->len, n_processes * n - lost);
	return lost;
}

static void report(const char *what, guint processes, guint n, guint lost, gint64 start_us)
{
	print_message("%u processes x %u %s to %d commits: %u lost, %.1f s\n", processes, n, what, SHARED_COMMITS, lost,
	        (double)(g_get_monotonic_time() - start_us) / 1e6);
}

static void writers_of_one_repository_lose_nothing(void **state)
{
	(void)state;
	guint writers = number("WRITERS", 8), writes = number("WRITES", 10);
	g_auto(GStrv) commits = NULL;
	g_autoptr(GArray) pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	char *repo = new_history(&commits);
	gint64 start_us = g_get_monotonic_time();
	for (guint i = 0; i < writers; i++) {
		Task task = {repo, commits, i, writes};
		pid_t pid = start(write_all, &task);
		g_array_append_val(pids, pid);
	}
	wait_for_all(pids);
	guint lost = count_lost(repo, writers, writes, FALSE);
	report("writes", writers, writes, lost, start_us);
	assert_int_equal(lost, 0);
	do_in(repo, "git fsck --strict --no-dangling");
	remove_folder(repo);
}

static char *clone_of(const char *remote)
{
	char *path = new_folder();
	g_autofree char *command = g_strdup_printf("git clone -q file://%s .", remote);
	do_in(path, command);
	return path;
}

static void pushers_to_one_remote_lose_nothing(void **state)
{
	(void)state;
	guint pushers = number("PUSHERS", 4), pushes = number("PUSHES", 3);
	g_auto(GStrv) commits = NULL;
	g_autoptr(GArray) pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	g_autoptr(GPtrArray) clones = g_ptr_array_new();
	char *remote = new_history(&commits);
	for (guint i = 0; i <= pushers; i++)
		g_ptr_array_add(clones, clone_of(remote));
	gint64 start_us = g_get_monotonic_time();
	for (guint i = 0; i < pushers; i++) {
		Task task = {clones->pdata[i], commits, i, pushes};
		pid_t pid = start(push_all, &task);
		g_array_append_val(pids, pid);
	}
	wait_for_all(pids);
	guint lost = count_lost(clones->pdata[pushers], pushers, pushes, TRUE);
	report("pushes", pushers, pushes, lost, start_us);
	assert_int_equal(lost, 0);
	do_in(remote, "git fsck --strict --no-dangling");
	for (guint i = 0; i < clones->len; i++)
		remove_folder(clones->pdata[i]);
	remove_folder(remote);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(writers_of_one_repository_lose_nothing),
	        cmocka_unit_test(pushers_to_one_remote_lose_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
