/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treestate.h"

#include "core/durable.h"
#include "core/error.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib/gstdio.h>

/* A build, and a copy of it that is looked after. */
typedef struct {
	char *dir, *build, *root;
	TreeSeal *seal;
	TreeState *state;
	TreeChanges changes;
} World;

static void shell(const World *world, const char *command)
{
	const char *const argv[] = {"/bin/sh", "-ec", command, NULL};
	int status = -1;
	assert_true(g_spawn_sync(world->root, (char **)argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
	assert_int_equal(status, 0);
}

/* Takes the folder; NULL = a temporary one. */
static int set_up_in(void **state, char *dir)
{
	World *world = g_new0(World, 1);
	world->dir = dir != NULL ? dir : g_dir_make_tmp("firebreak-state-XXXXXX", NULL);
	world->build = g_build_filename(world->dir, "build", NULL);
	world->root = g_build_filename(world->dir, "root", NULL);
	assert_int_equal(g_mkdir(world->root, 0755), 0);
	shell(world, "mkdir -p lib/deep; echo one >lib/one; echo two >lib/deep/two; ln -s one lib/link; echo 3 >top;"
	             "chmod 755 top; touch -d '2001-01-01 00:00:00' top lib/one; cp -a . ../build");
	world->seal = tree_seal_new(world->build, NULL);
	assert_true(tree_seal_protect(world->build, NULL));
	const TreeStatePlan plan = {.root = world->root, .build = world->build, .seal = world->seal};
	world->state = tree_state_new(&plan, NULL);
	assert_non_null(world->state);
	*state = world;
	return 0;
}

static int set_up(void **state)
{
	return set_up_in(state, NULL);
}

static int tear_down(void **state)
{
	World *world = *state;
	tree_state_free(world->state);
	tree_seal_free(world->seal);
	tree_changes_clear(&world->changes);
	durable_remove_tree(world->dir, NULL);
	g_free(world->dir);
	g_free(world->build);
	g_free(world->root);
	g_free(world);
	return 0;
}

/* The tree is as it was built, by its contents and modes and by what its state says. */
static void assert_restored(World *world)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *difference = NULL;
	tree_changes_clear(&world->changes);
	if (!tree_state_restore(world->state, &world->changes, &error))
		fail_msg("%s", error->message);
	assert_true(tree_seal_check(world->seal, world->root, 0, &difference, NULL));
	assert_null(difference);
	TreeChanges again = {0};
	assert_true(tree_state_restore(world->state, &again, NULL));
	assert_int_equal(again.added + again.changed + again.removed, 0);
}

static void a_tree_that_nobody_wrote_to_is_as_it_was(void **state)
{
	World *world = *state;
	shell(world, "cat lib/one lib/deep/two lib/link >/dev/null");
	assert_restored(world);
	assert_int_equal(world->changes.added + world->changes.changed + world->changes.removed, 0);
	assert_null(world->changes.names);
}

static void what_a_run_wrote_is_gone_before_the_next(void **state)
{
	/* the command, and what is found: files added, changed, removed */
	static const struct {
		const char *command;
		guint added, changed, removed;
	} cases[] = {
	        {"echo x >new", 1, 0, 0},
	        {"mkdir -p a/b/c; echo x >a/b/c/new", 1, 0, 0},
	        {"echo four >lib/one", 0, 1, 0},
	        {"rm lib/one", 0, 0, 1},
	        {"rm -r lib", 0, 0, 5},
	        {"mv lib/one lib/other", 1, 0, 1},
	        {"rm lib/link; ln -s ../top lib/link", 0, 1, 0},
	        {"rm lib/one; mkdir lib/one; echo x >lib/one/x", 0, 1, 0},
	        {"rm -r lib/deep; echo x >lib/deep", 0, 1, 1},
	        {"chmod 700 top", 0, 1, 0},
	        {"chmod 0 lib", 0, 1, 0},
	        {"chmod 555 lib/deep", 0, 1, 0},
	        {"mkfifo pipe; ln -s /nowhere dangling", 2, 0, 0},
	        {"cp lib/one x; mv x lib/one", 0, 1, 0},
	        {"ln lib/one ../kept", 0, 1, 0},
	};
	World *world = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		shell(world, cases[i].command);
		assert_restored(world);
		print_message("%s: %s\n", cases[i].command, world->changes.names ? world->changes.names->str : "-");
		assert_int_equal(world->changes.added, cases[i].added);
		assert_int_equal(world->changes.changed, cases[i].changed);
		assert_int_equal(world->changes.removed, cases[i].removed);
	}
}

/* Contents of the same size, and all times set back: what a cache that wants to stay unseen would do. */
static void a_file_with_its_old_times_is_found(void **state)
{
	World *world = *state;
	shell(world, "touch -r lib/one ../time; touch -r lib ../folder; printf 'ONE\\n' >lib/one;"
	             "touch -r ../time lib/one; touch -r ../folder lib");
	assert_restored(world);
	assert_int_equal(world->changes.changed, 1);
	assert_string_equal(world->changes.names->str, "lib/one");
}

/* On tmpfs no time changes then; elsewhere it does. */
static void a_file_that_was_written_through_a_mapping_is_found(void **state)
{
	World *world = *state;
	g_autofree char *file = g_build_filename(world->root, "lib", "one", NULL);
	int fd = open(file, O_RDWR);
	volatile char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(mapped != MAP_FAILED);
	assert_int_equal(mapped[0], 'o');
	mapped[0] = 'O';
	assert_int_equal(munmap((void *)mapped, 4096), 0);
	close(fd);
	assert_restored(world);
	assert_int_equal(world->changes.changed, 1);
}

static int set_up_in_memory(void **state)
{
	g_autofree char *template = g_strdup("/dev/shm/firebreak-state-XXXXXX");
	return set_up_in(state, g_access("/dev/shm", W_OK) == 0 ? g_strdup(g_mkdtemp(template)) : NULL);
}

static void what_is_restored_has_its_old_time(void **state)
{
	World *world = *state;
	g_autofree char *file = g_build_filename(world->root, "lib", "one", NULL);
	struct stat info;
	shell(world, "echo other >lib/one");
	assert_restored(world);
	assert_int_equal(stat(file, &info), 0);
	g_autoptr(GDateTime) time = g_date_time_new_local(2001, 1, 1, 0, 0, 0);
	assert_int_equal(info.st_mtime, g_date_time_to_unix(time));
}

/* A file that a process still holds open must not be the one that the next run reads. */
static void a_restored_file_is_another_one(void **state)
{
	World *world = *state;
	g_autofree char *file = g_build_filename(world->root, "lib", "one", NULL), *text = NULL;
	int fd = open(file, O_RDWR);
	assert_int_equal(write(fd, "ONE", 3), 3);
	assert_restored(world);
	assert_int_equal(write(fd, "AGAIN", 5), 5);
	close(fd);
	assert_true(g_file_get_contents(file, &text, NULL, NULL));
	assert_string_equal(text, "one\n");
}

static void a_file_that_was_changed_in_the_build_too_is_an_error(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	shell(world, "echo other >lib/one; chmod u+w ../build/lib/one; echo other >../build/lib/one");
	assert_false(tree_state_restore(world->state, &world->changes, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	assert_non_null(strstr(error->message, "lib/one"));
}

static void only_the_first_names_are_told(void **state)
{
	World *world = *state;
	shell(world, "for i in 1 2 3 4 5 6 7; do echo >new$i; done; chmod +x new3");
	assert_restored(world);
	assert_int_equal(world->changes.added, 7);
	assert_true(world->changes.programs);
	assert_true(g_str_has_suffix(world->changes.names->str, ", ..."));
}

/* TRUE if extended attributes can be set there. */
static gboolean has_attributes(const World *world)
{
	gboolean has = setxattr(world->dir, "user.probe", "1", 1, 0) == 0;
	if (!has)
		print_message("skipped: no extended attributes here\n");
	return has;
}

static gboolean has_attribute(const World *world, const char *path)
{
	char value[8];
	g_autofree char *whole = g_build_filename(world->root, path, NULL);
	return getxattr(whole, "user.seen", value, sizeof value) >= 0;
}

static void extended_attributes_of_folders_are_taken_away(void **state)
{
	static const char *const folders[] = {"lib", "lib/deep", "."};
	World *world = *state;
	if (!has_attributes(world))
		skip();
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *path = g_build_filename(world->root, folders[i], NULL);
		assert_int_equal(setxattr(path, "user.seen", "1", 1, 0), 0);
		assert_restored(world);
		assert_int_equal(world->changes.changed, 1);
		assert_string_equal(world->changes.names->str, folders[i]);
		assert_false(has_attribute(world, folders[i]));
	}
}

static TreeState *note_again(World *world, gboolean copies)
{
	const TreeStatePlan plan = {.root = world->root, .build = world->build, .seal = world->seal, .copies = copies};
	tree_state_free(world->state);
	world->state = tree_state_new(&plan, NULL);
	assert_non_null(world->state);
	return world->state;
}

static void extended_attributes_of_the_build_come_back(void **state)
{
	World *world = *state;
	if (!has_attributes(world))
		skip();
	for (int i = 0; i < 2; i++) {
		g_autofree char *path = g_build_filename(world->root, i == 0 ? "lib/one" : "lib", NULL);
		assert_int_equal(setxattr(path, "user.seen", "1", 1, 0), 0);
	}
	note_again(world, FALSE);
	shell(world, "rm -r lib");
	assert_restored(world);
	assert_true(has_attribute(world, "lib"));
	assert_true(has_attribute(world, "lib/one"));
}

static guint64 size_of(const World *world, const char *path)
{
	struct stat info;
	g_autofree char *whole = g_build_filename(world->root, path, NULL);
	assert_int_equal(stat(whole, &info), 0);
	return (guint64)info.st_size;
}

static void a_folder_that_grew_and_did_not_shrink_is_made_anew(void **state)
{
	static const char *const folders[] = {"lib", "."};
	World *world = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		guint64 before = size_of(world, folders[i]);
		g_autofree char *command = g_strdup_printf(
		        "cd %s; for i in $(seq 100 300); do : >${i}%0200d; done; rm *0000*", folders[i], 0);
		shell(world, command);
		gboolean grown = size_of(world, folders[i]) > before;
		assert_restored(world);
		assert_int_equal(size_of(world, folders[i]), before);
		assert_int_equal(world->changes.changed, grown);
		shell(world, "test $(cat lib/deep/two) = two");
	}
}

static gint64 changed_ms(const World *world, const char *path)
{
	struct stat info;
	g_autofree char *whole = g_build_filename(world->root, path, NULL);
	assert_int_equal(lstat(whole, &info), 0);
	return (gint64)info.st_ctim.tv_sec * 1000 + info.st_ctim.tv_nsec / 1000000;
}

/* By a younger file, a run would know that an earlier one had changed it. */
static void what_was_made_anew_is_as_old_as_the_rest(void **state)
{
	World *world = *state;
	for (int copies = 0; copies < 2; copies++) {
		note_again(world, copies);
		g_usleep(G_USEC_PER_SEC);
		shell(world, "chmod 700 top");
		assert_restored(world);
		assert_true(ABS(changed_ms(world, "top") - changed_ms(world, "lib/deep/two")) < 900);
		assert_true(ABS(changed_ms(world, "top") - changed_ms(world, "lib/link")) < 900);
		assert_true(ABS(changed_ms(world, "top") - changed_ms(world, ".")) < 900);
	}
}

static void a_small_copy_is_made_anew_as_a_whole(void **state)
{
	World *world = *state;
	struct stat before, after;
	g_autofree char *other = g_build_filename(world->root, "lib", NULL);
	note_again(world, TRUE);
	assert_int_equal(stat(world->root, &before), 0);
	shell(world, "echo x >new");
	assert_restored(world);
	assert_int_equal(stat(world->root, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	int fd = open(other, O_RDONLY | O_DIRECTORY);
	shell(world, "chmod 700 top");
	assert_restored(world);
	assert_int_equal(fstat(fd, &before), 0);
	assert_int_equal(before.st_nlink, 0);
	close(fd);
}

#define WITH_WORLD(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_WORLD(a_tree_that_nobody_wrote_to_is_as_it_was),
	        WITH_WORLD(what_a_run_wrote_is_gone_before_the_next),
	        WITH_WORLD(a_file_with_its_old_times_is_found),
	        WITH_WORLD(a_file_that_was_written_through_a_mapping_is_found),
	        {"a_file_that_was_written_through_a_mapping_is_found_on_tmpfs",
	                a_file_that_was_written_through_a_mapping_is_found, set_up_in_memory, tear_down, NULL},
	        WITH_WORLD(what_is_restored_has_its_old_time),
	        WITH_WORLD(a_restored_file_is_another_one),
	        WITH_WORLD(a_file_that_was_changed_in_the_build_too_is_an_error),
	        WITH_WORLD(only_the_first_names_are_told),
	        WITH_WORLD(extended_attributes_of_folders_are_taken_away),
	        WITH_WORLD(extended_attributes_of_the_build_come_back),
	        WITH_WORLD(a_folder_that_grew_and_did_not_shrink_is_made_anew),
	        WITH_WORLD(what_was_made_anew_is_as_old_as_the_rest),
	        WITH_WORLD(a_small_copy_is_made_anew_as_a_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
