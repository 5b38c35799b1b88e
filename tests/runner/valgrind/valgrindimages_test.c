/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with files made by hand in place of those that valgrind writes. */
#include "runner/valgrind/valgrindimages.h"

#include "core/durable.h"
#include "runner/valgrind/valgrindfiles.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* No process has it. */
#define MAIN_PID 50000000
#define MAIN "50000000"

typedef struct {
	char *folder;
	ValgrindImages *images;
} World;

static World *world_new(const char *kind)
{
	World *world = g_new0(World, 1);
	g_autoptr(GError) error = NULL;
	world->folder = g_dir_make_tmp("firebreak-images-XXXXXX", NULL);
	world->images = valgrind_images_new(world->folder, kind, MAIN_PID, &error);
	if (world->images == NULL)
		fail_msg("%s", error->message);
	return world;
}

static void world_free(World *world)
{
	valgrind_images_free(world->images);
	durable_remove_tree(world->folder, NULL);
	g_free(world->folder);
	g_free(world);
}

/* Opens a file as valgrind does, and writes to it. */
static void put(const World *world, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(world->folder, name, NULL);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* The same with the number of this process in the name, for which `%d` stands: it is there, and has hardly run. */
static void put_own(const World *world, const char *format, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(format, "%d", 2);
	g_autofree char *name = g_strdup_printf("%s%d%s", parts[0], (int)getpid(), parts[1]);
	put(world, name, text);
}

static void update(const World *world)
{
	assert_true(valgrind_images_update(world->images, NULL));
}

static gboolean exists(const World *world, const char *name)
{
	g_autofree char *path = g_build_filename(world->folder, name, NULL);
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

#define BEFORE_EXEC "cmd: x\npart: 1\ndesc: Trigger: --dump-before=execve\n"
#define BEFORE_FORK "cmd: x\npart: 1\ndesc: Trigger: --dump-before=fork\n"

static void files_are_moved_when_the_next_program_of_a_process_begins(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log." MAIN, "");
	put(world, "callgrind." MAIN, "");
	put(world, "callgrind." MAIN ".1", BEFORE_FORK);
	put(world, "callgrind." MAIN ".2", BEFORE_EXEC);
	update(world);
	assert_true(exists(world, "callgrind." MAIN ".1"));
	put(world, "callgrind-log." MAIN, "");
	update(world);
	assert_true(exists(world, "callgrind." MAIN));
	assert_false(exists(world, "callgrind." MAIN ".1"));
	assert_true(exists(world, "callgrind." MAIN ".1.old1"));
	assert_true(exists(world, "callgrind." MAIN ".2.old1"));
	assert_int_equal(valgrind_images_count(world->images, MAIN_PID), 2);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	world_free(world);
}

static void a_number_that_is_used_again_keeps_the_last_dump_of_its_first_process(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log.60", "");
	put(world, "callgrind.60", "counts");
	update(world);
	put(world, "callgrind-log.60", "");
	update(world);
	put(world, "callgrind.60", "others");
	update(world);
	assert_true(exists(world, "callgrind.60.old1"));
	assert_true(exists(world, "callgrind.60"));
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	world_free(world);
}

/* Copies have nothing of their own yet. */
static void a_program_that_leaves_no_dump_is_lost_unless_it_was_a_copy(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put_own(world, "callgrind-log.%d", "");
	update(world);
	put_own(world, "callgrind-log.%d", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	put_own(world, "callgrind-log.%d", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_UNDUMPED);
	world_free(world);
}

static void a_copy_that_is_gone_may_have_done_anything(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log.50000001", "");
	update(world);
	put(world, "callgrind-log.50000001", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_UNSEEN);
	world_free(world);
}

static void logs_of_all_programs_of_a_process_are_kept(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log." MAIN, "first");
	update(world);
	assert_true(exists(world, "callgrind-log." MAIN ".old1"));
	put(world, "callgrind.50000000.1", BEFORE_EXEC);
	put(world, "callgrind-log." MAIN, "second");
	update(world);
	assert_true(exists(world, "callgrind-log." MAIN ".old2"));
	assert_false(exists(world, "callgrind-log." MAIN));
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	world_free(world);
}

static void a_log_that_was_overwritten_is_noticed(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log." MAIN, "");
	put(world, "callgrind.50000000.1", BEFORE_EXEC);
	put(world, "callgrind-log." MAIN, "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_LATE);
	world_free(world);
}

static void a_dump_before_a_fork_is_not_all_of_a_program(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log." MAIN, "");
	put(world, "callgrind." MAIN ".1", BEFORE_FORK);
	update(world);
	put(world, "callgrind-log." MAIN, "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_UNDUMPED);
	world_free(world);
}

static void a_part_that_was_overwritten_is_noticed(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put_own(world, "callgrind-log.%d", "");
	put_own(world, "callgrind.%d.1", BEFORE_EXEC);
	put_own(world, "callgrind-log.%d", "");
	put_own(world, "callgrind.%d.1", BEFORE_EXEC);
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_LATE);
	world_free(world);
}

static void dhat_is_not_expected_to_dump_before_the_end(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_DHAT);
	put(world, "dhat-log." MAIN, "");
	update(world);
	put(world, "dhat-log." MAIN, "");
	update(world);
	assert_int_equal(valgrind_images_count(world->images, MAIN_PID), 2);
	assert_int_equal(valgrind_images_count(world->images, MAIN_PID + 1), 0);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	world_free(world);
}

static void touch_by_removing(const char *path)
{
	assert_int_equal(g_unlink(path), 0);
}

static void touch_by_moving(const char *path)
{
	g_autofree char *elsewhere = g_strconcat(path, "-kept", NULL);
	assert_int_equal(g_rename(path, elsewhere), 0);
}

static void touch_by_replacing(const char *path)
{
	g_autofree char *other = g_strconcat(path, "-other", NULL);
	assert_true(g_file_set_contents(other, "forged", -1, NULL));
	assert_int_equal(g_rename(other, path), 0);
}

/* A program removed the dump that held its work: it passed with less than base. */
static void whoever_touches_dumps_is_seen(void **state)
{
	void (*const touches[])(const char *) = {touch_by_removing, touch_by_moving, touch_by_replacing};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(touches); i++) {
		World *world = world_new(VALGRIND_CALLGRIND);
		g_autofree char *part = g_build_filename(world->folder, "callgrind." MAIN ".1", NULL);
		put(world, "callgrind-log." MAIN, "");
		put(world, "callgrind." MAIN ".1", "part: 1\n");
		update(world);
		assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
		touches[i](part);
		update(world);
		assert_int_equal(valgrind_images_loss(world->images), IMAGES_TOUCHED);
		world_free(world);
	}
}

static void whoever_opens_a_log_that_was_moved_is_seen(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	g_autofree char *log = g_build_filename(world->folder, "callgrind-log." MAIN ".old1", NULL), *text = NULL;
	put(world, "callgrind-log." MAIN, "==1== Callgrind, ...");
	update(world);
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	assert_true(g_file_get_contents(log, &text, NULL, NULL));
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_TOUCHED);
	world_free(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(files_are_moved_when_the_next_program_of_a_process_begins),
	        cmocka_unit_test(a_number_that_is_used_again_keeps_the_last_dump_of_its_first_process),
	        cmocka_unit_test(a_program_that_leaves_no_dump_is_lost_unless_it_was_a_copy),
	        cmocka_unit_test(a_copy_that_is_gone_may_have_done_anything),
	        cmocka_unit_test(logs_of_all_programs_of_a_process_are_kept),
	        cmocka_unit_test(whoever_touches_dumps_is_seen),
	        cmocka_unit_test(whoever_opens_a_log_that_was_moved_is_seen),
	        cmocka_unit_test(a_log_that_was_overwritten_is_noticed),
	        cmocka_unit_test(a_dump_before_a_fork_is_not_all_of_a_program),
	        cmocka_unit_test(a_part_that_was_overwritten_is_noticed),
	        cmocka_unit_test(dhat_is_not_expected_to_dump_before_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
