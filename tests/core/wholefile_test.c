/* SPDX-License-Identifier: Apache-2.0 */
#include "core/wholefile.h"

#include "core/error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
	char *folder, *path;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->folder = g_dir_make_tmp("firebreak-wholefile-XXXXXX", NULL);
	f->path = g_build_filename(f->folder, "file", NULL);
	*state = f;
	return 0;
}

/* A test leaves nothing in the folder but its file. */
static int tear_down(void **state)
{
	Fixture *f = *state;
	g_unlink(f->path);
	int left = g_rmdir(f->folder);
	g_free(f->folder);
	g_free(f->path);
	g_free(f);
	return left;
}

static gboolean write_file(const char *path, const char *text, gboolean publish, GError **error)
{
	g_autoptr(WholeFile) file = whole_file_open(path, error);
	if (file == NULL)
		return FALSE;
	fputs(text, whole_file_stream(file));
	return !publish || whole_file_publish(file, error);
}

static void assert_holds(const char *path, const char *wanted)
{
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, wanted);
}

static void what_was_there_stays_until_it_is_published(void **state)
{
	Fixture *f = *state;
	assert_true(g_file_set_contents(f->path, "old", -1, NULL));
	g_autoptr(WholeFile) file = whole_file_open(f->path, NULL);
	fputs("new", whole_file_stream(file));
	assert_holds(f->path, "old");
	assert_true(whole_file_publish(file, NULL));
	assert_holds(f->path, "new");
}

static void what_is_not_published_leaves_nothing(void **state)
{
	Fixture *f = *state;
	assert_true(write_file(f->path, "new", FALSE, NULL));
	assert_false(g_file_test(f->path, G_FILE_TEST_EXISTS));
	assert_true(g_file_set_contents(f->path, "old", -1, NULL));
	assert_true(write_file(f->path, "new", FALSE, NULL));
	assert_holds(f->path, "old");
}

static void a_new_file_is_private_and_a_replaced_one_keeps_its_mode(void **state)
{
	Fixture *f = *state;
	struct stat status;
	assert_true(write_file(f->path, "a", TRUE, NULL));
	assert_int_equal(stat(f->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(chmod(f->path, 0640), 0);
	assert_true(write_file(f->path, "b", TRUE, NULL));
	assert_int_equal(stat(f->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
}

static void a_pipe_is_written_to_and_stays_one(void **state)
{
	Fixture *f = *state;
	struct stat status;
	char text[4] = {0};
	assert_int_equal(mkfifo(f->path, 0600), 0);
	int fd = g_open(f->path, O_RDWR | O_NONBLOCK, 0);
	assert_true(write_file(f->path, "new", TRUE, NULL));
	assert_int_equal(read(fd, text, sizeof text), 3);
	assert_string_equal(text, "new");
	close(fd);
	assert_int_equal(stat(f->path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
}

static void a_full_device_and_a_folder_are_errors(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	assert_false(write_file("/dev/full", "new", TRUE, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	assert_non_null(strstr(error->message, "/dev/full: No space left on device"));
	g_clear_error(&error);
	assert_false(write_file(f->folder, "new", TRUE, &error));
	assert_non_null(strstr(error->message, "Is a directory"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_was_there_stays_until_it_is_published),
	        TEST(what_is_not_published_leaves_nothing),
	        TEST(a_new_file_is_private_and_a_replaced_one_keeps_its_mode),
	        TEST(a_pipe_is_written_to_and_stays_one),
	        TEST(a_full_device_and_a_folder_are_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
