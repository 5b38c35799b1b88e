/* What valgrind would do is done here with files. */
#include "runner/valgrindimages.h"

#include "core/durable.h"
#include "runner/valgrindfiles.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MAIN_PID 50

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
	put(world, "callgrind-log.50", "");
	put(world, "callgrind.50", "");
	put(world, "callgrind.50.1", BEFORE_FORK);
	put(world, "callgrind.50.2", BEFORE_EXEC);
	update(world);
	assert_true(exists(world, "callgrind.50.1"));
	put(world, "callgrind-log.50", "");
	update(world);
	assert_true(exists(world, "callgrind.50"));
	assert_false(exists(world, "callgrind.50.1"));
	assert_true(exists(world, "callgrind.50.1.old1"));
	assert_true(exists(world, "callgrind.50.2.old1"));
	assert_int_equal(valgrind_images_count(world->images, 50), 2);
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
	put(world, "callgrind-log.51", "");
	put(world, "callgrind-log.51", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	put(world, "callgrind-log.51", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_UNDUMPED);
	world_free(world);
}

static void a_dump_before_a_fork_is_not_all_of_a_program(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log.50", "");
	put(world, "callgrind.50.1", BEFORE_FORK);
	put(world, "callgrind-log.50", "");
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_UNDUMPED);
	world_free(world);
}

static void a_part_that_was_overwritten_is_noticed(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_CALLGRIND);
	put(world, "callgrind-log.50", "");
	put(world, "callgrind.50.1", BEFORE_EXEC);
	put(world, "callgrind-log.50", "");
	put(world, "callgrind.50.1", BEFORE_EXEC);
	update(world);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_LATE);
	world_free(world);
}

static void dhat_is_not_expected_to_dump_before_the_end(void **state)
{
	(void)state;
	World *world = world_new(VALGRIND_DHAT);
	put(world, "dhat-log.50", "");
	put(world, "dhat-log.50", "");
	update(world);
	assert_int_equal(valgrind_images_count(world->images, 50), 2);
	assert_int_equal(valgrind_images_count(world->images, 51), 0);
	assert_int_equal(valgrind_images_loss(world->images), IMAGES_WHOLE);
	world_free(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(files_are_moved_when_the_next_program_of_a_process_begins),
	        cmocka_unit_test(a_number_that_is_used_again_keeps_the_last_dump_of_its_first_process),
	        cmocka_unit_test(a_program_that_leaves_no_dump_is_lost_unless_it_was_a_copy),
	        cmocka_unit_test(a_dump_before_a_fork_is_not_all_of_a_program),
	        cmocka_unit_test(a_part_that_was_overwritten_is_noticed),
	        cmocka_unit_test(dhat_is_not_expected_to_dump_before_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
