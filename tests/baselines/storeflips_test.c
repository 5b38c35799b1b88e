/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a stored baseline are changed, and its files are cut: what is read then is either refused, or what was
 * stored. With FIREBREAK_TESTS=all that is every byte and every length, else every third one; FLIPS=all changes each
 * bit of a byte instead of one. */
#include "baselines/inventory.h"
#include "baselines/measurementtext.h"

#include "tests/baselines/fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* libgit2 must not read a damaged file for ever. */
#define LONGEST_READ_S 20

typedef struct {
	char *repo, *commit;
	MeasurementText *text;
	guint n_done, n_crashed, n_harmless;
} World;

static World *new_world(void)
{
	g_autoptr(GError) error = NULL;
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->commit);
	g_autoptr(BaselineStore) store = baseline_store_open(world->repo, NULL, &error);
	assert_no_error(error);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("b", world->commit, "1", table);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
	world->text = measurement_text_new(measurement);
	return world;
}

static void world_free(World *world)
{
	remove_folder(world->repo);
	g_free(world->commit);
	measurement_text_free(world->text);
	g_free(world);
}

/* --- what is read --- */

/* The endings of a judging process. */
enum { NOTICED, HARMLESS, WRONG };

/* TRUE if verify says that something is wrong. */
static gboolean verify_notices(const World *world)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(BaselineStore) store = baseline_store_open(world->repo, NULL, &error);
	gboolean ok = FALSE;
	return store == NULL || !baseline_store_verify(store, findings, &ok, &error) || !ok;
}

/* TRUE if the baseline is refused with an error, or comes back as it was. Another one, or none, ends the process. */
static gboolean is_refused(const World *world)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(BaselineStore) store = baseline_store_open(world->repo, NULL, &error);
	if (store == NULL)
		return TRUE;
	g_autoptr(Measurement) back = baseline_store_get(store, world->commit, NULL, "b", table, &error);
	if (error != NULL)
		return TRUE;
	if (back == NULL)
		_exit(WRONG);
	g_autoptr(MeasurementText) text = measurement_text_new(back);
	if (!g_string_equal(text->manifest, world->text->manifest) ||
	        !g_string_equal(text->stacks, world->text->stacks))
		_exit(WRONG);
	return FALSE;
}

/* In a process of its own: libgit2 1.5 does not survive every damaged pack. */
static void judge(World *world, const char *path, gsize offset)
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
		for (guint i = 0; i < G_N_ELEMENTS(fatal); i++)
			signal(fatal[i], SIG_DFL); /* not cmocka's */
		alarm(LONGEST_READ_S);
		gboolean noticed = verify_notices(world);
		_exit(is_refused(world) != noticed ? WRONG : noticed ? NOTICED : HARMLESS);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		fail_msg("%s, byte %zu: read for ever", path, offset);
	if (WIFEXITED(status) && WEXITSTATUS(status) > HARMLESS)
		fail_msg("%s, byte %zu: verify and get do not agree", path, offset);
	world->n_done++;
	world->n_crashed += WIFSIGNALED(status);
	world->n_harmless += WIFEXITED(status) && WEXITSTATUS(status) == HARMLESS;
}

/* --- damage --- */

static void write_content(const char *path, const char *content, gsize length)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, length), length);
	close(fd);
}

static void damage_file(World *world, const char *path)
{
	g_autofree char *content = NULL;
	gsize length;
	gboolean all = g_strcmp0(g_getenv("FLIPS"), "all") == 0;
	gsize step = g_strcmp0(g_getenv("FIREBREAK_TESTS"), "all") == 0 ? 1 : 3;
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	assert_int_equal(chmod(path, 0644), 0);
	for (gsize i = 0; i < length; i += step) {
		for (guint bit = all ? 0 : i % 8; bit < (all ? 8 : i % 8 + 1); bit++) {
			content[i] = (char)(content[i] ^ (1 << bit));
			write_content(path, content, length);
			content[i] = (char)(content[i] ^ (1 << bit));
			judge(world, path, i);
		}
	}
	for (gsize cut = 0; cut < length; cut += step) {
		write_content(path, content, cut);
		judge(world, path, cut);
	}
	write_content(path, content, length);
}

static void report(const World *world, const char *what)
{
	print_message("%s: %u damages; %u of them change nothing that is read, %u end libgit2\n", what, world->n_done,
	        world->n_harmless, world->n_crashed);
}

/* --- the facts --- */

static void a_damaged_object_is_refused_or_reads_as_before(void **state)
{
	(void)state;
	World *world = new_world();
	g_autofree char *list =
	        g_strdup_printf("git rev-list --objects --no-object-names refs/firebreak/%s", world->commit);
	g_autofree char *objects = run_in(world->repo, list);
	g_auto(GStrv) names = g_strsplit(objects, "\n", -1);
	assert_int_equal(g_strv_length(names), 6);
	for (guint i = 0; names[i] != NULL; i++) {
		g_autofree char *path = g_strdup_printf("%s/.git/objects/%.2s/%s", world->repo, names[i], names[i] + 2);
		damage_file(world, path);
	}
	report(world, "loose objects");
	/* a compressed stream ends with up to seven bits that mean nothing */
	assert_true(world->n_harmless <= 7 * 6);
	assert_int_equal(world->n_crashed, 0);
	assert_false(verify_notices(world));
	world_free(world);
}

static void a_damaged_ref_is_refused_or_reads_as_before(void **state)
{
	(void)state;
	World *world = new_world();
	g_autofree char *path = g_strdup_printf("%s/.git/refs/firebreak/%s", world->repo, world->commit);
	damage_file(world, path);
	report(world, "ref");
	/* a letter may be a capital one, and the newline be missing or be another blank */
	assert_true(world->n_harmless <= 40 + 9);
	assert_int_equal(world->n_crashed, 0);
	world_free(world);
}

static void a_damaged_pack_is_refused_or_reads_as_before(void **state)
{
	(void)state;
	const char *name;
	World *world = new_world();
	do_in(world->repo, "git repack -a -d -q");
	do_in(world->repo, "git prune-packed -q");
	g_autofree char *folder = g_build_filename(world->repo, ".git", "objects", "pack", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	assert_non_null(dir);
	while ((name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if (g_str_has_suffix(name, ".pack") || g_str_has_suffix(name, ".idx"))
			damage_file(world, path);
	}
	report(world, "pack and index");
	assert_true(world->n_harmless < world->n_done / 2);
	world_free(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_damaged_object_is_refused_or_reads_as_before),
	        cmocka_unit_test(a_damaged_ref_is_refused_or_reads_as_before),
	        cmocka_unit_test(a_damaged_pack_is_refused_or_reads_as_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
