/* SPDX-License-Identifier: Apache-2.0 */
/* Many writers at once, and writers that die. */
#include "baselines/inventory.h"
#include "baselines/store.h"
#include "tests/baselines/fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITERS 8
#define PUTS 20
#define KILLS 50

static Measurement *small_measurement(const char *commit, const char *benchmark, StackTable *table)
{
	Measurement *measurement = measurement_new(benchmark, commit, commit);
	add_awkward_runs(measurement, 2);
	add_awkward_profile(measurement, table, 2);
	return measurement;
}

static gboolean put(BaselineStore *store, const char *commit, const char *benchmark, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = small_measurement(commit, benchmark, table);
	return baseline_store_put(store, measurement, error);
}

/* In a child: puts benchmarks <name>-0 ... and acknowledges each with a line to `fd` (-1: not at all). */
static int write_many(const char *repo, const char *commit, const char *name, guint n_puts, int fd)
{
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, NULL);
	if (store == NULL)
		return 1;
	for (guint i = 0; i < n_puts; i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *benchmark = g_strdup_printf("%s-%u", name, i);
		g_autofree char *line = g_strconcat(benchmark, "\n", NULL);
		if (!put(store, commit, benchmark, &error)) {
			print_message("%s: %s\n", benchmark, error->message);
			return 1;
		}
		if (fd >= 0 && write(fd, line, strlen(line)) < 0)
			return 1;
	}
	return 0;
}

static pid_t start_writer(const char *repo, const char *commit, const char *name, guint n_puts, int fd)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(write_many(repo, commit, name, n_puts, fd));
	return pid;
}

static void assert_sound(const char *repo, BaselineStore *store)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	gboolean ok = FALSE;
	baseline_store_verify(store, findings, &ok, &error);
	assert_no_error(error);
	if (!ok)
		fail_msg("%s", finding_get(findings, 0)->text);
	do_in(repo, "git fsck --strict --no-dangling");
}

static gboolean is_stored(BaselineStore *store, const char *commit, const char *benchmark)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) back = baseline_store_get(store, commit, NULL, benchmark, table, &error);
	assert_no_error(error);
	return back != NULL;
}

static void writers_of_one_commit_lose_nothing(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	pid_t pids[WRITERS];
	for (guint i = 0; i < WRITERS; i++) {
		g_autofree char *name = g_strdup_printf("writer-%u", i);
		pids[i] = start_writer(repo, commit, name, PUTS, -1);
	}
	for (guint i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, NULL);
	g_autoptr(GPtrArray) list = baseline_store_list(store, NULL);
	assert_int_equal(list->len, WRITERS * PUTS);
	assert_sound(repo, store);
	remove_folder(repo);
}

/* Kills a writer at a random time after its start or, in every other turn, after its first acknowledgement, which is
 * appended to `text`. */
static void kill_writer(pid_t pid, int fd, guint turn, GRand *rand, GString *text)
{
	char buffer[512];
	int status;
	ssize_t n = turn % 2 == 0 ? 0 : read(fd, buffer, sizeof buffer);
	assert_true(n >= 0);
	g_string_append_len(text, buffer, n);
	g_usleep((gulong)g_rand_int_range(rand, 0, 60000));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

/* Everything the killed writer acknowledged, in `text` or still in the pipe, must be there. Returns how much it was. */
static guint check_acknowledged(int fd, GString *text, BaselineStore *store, const char *commit)
{
	char buffer[512];
	ssize_t n;
	guint count = 0;
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		g_string_append_len(text, buffer, n);
	g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
	for (char **line = lines; *line != NULL && **line != '\0'; line++, count++) {
		if (!is_stored(store, commit, *line))
			fail_msg("%s was acknowledged and is lost", *line);
	}
	return count;
}

static void a_killed_writer_loses_nothing_and_blocks_nobody(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, NULL);
	guint acknowledged = 0;
	for (guint i = 0; i < KILLS; i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *name = g_strdup_printf("killed-%u", i);
		g_autoptr(GString) text = g_string_new(NULL);
		int fds[2];
		assert_int_equal(pipe(fds), 0);
		pid_t pid = start_writer(repo, commit, name, 1000, fds[1]);
		close(fds[1]);
		kill_writer(pid, fds[0], i, rand, text);
		acknowledged += check_acknowledged(fds[0], text, store, commit);
		close(fds[0]);
		put(store, commit, "after the kill", &error);
		assert_no_error(error);
	}
	print_message("%u acknowledged by %u killed writers\n", acknowledged, KILLS);
	assert_true(acknowledged >= KILLS / 2);
	assert_sound(repo, store);
	g_autofree char *locks = run_in(repo, "find .git/refs -name *.lock");
	assert_string_equal(locks, "");
	remove_folder(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(writers_of_one_commit_lose_nothing),
	        cmocka_unit_test(a_killed_writer_loses_nothing_and_blocks_nobody),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
