#include "runner/valgrindfiles.h"

#include "core/durable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int make_folder(void **state)
{
	*state = g_dir_make_tmp("firebreak-files-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
	durable_remove_tree(*state, NULL);
	g_free(*state);
	return 0;
}

static char *put(const char *folder, const char *name, const char *text)
{
	char *path = g_build_filename(folder, name, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static void put_all(const char *folder, const char *const *names)
{
	for (; *names != NULL; names++)
		g_free(put(folder, *names, ""));
}

static void parts_of_a_process_come_before_its_end_and_processes_in_order(void **state)
{
	static const char *const names[] = {"callgrind.100", "callgrind.20", "callgrind.20.10", "callgrind.20.9", NULL};
	static const char *const sorted[] = {"callgrind.20.9", "callgrind.20.10", "callgrind.20", "callgrind.100"};
	put_all(*state, names);
	g_autoptr(GPtrArray) files = valgrind_files(*state, VALGRIND_CALLGRIND);
	assert_int_equal(files->len, G_N_ELEMENTS(sorted));
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *name = g_path_get_basename(((const ValgrindFile *)files->pdata[i])->path);
		assert_string_equal(name, sorted[i]);
	}
}

static void other_names_are_not_of_that_kind(void **state)
{
	static const char *const names[] = {"callgrind", "callgrind.", "callgrind.x", "callgrind.12x", "callgrind.1.x",
	        "callgrind.1.2.3", "callgrind-log.12", "dhat.12", "xcallgrind.12", NULL};
	put_all(*state, names);
	g_autoptr(GPtrArray) files = valgrind_files(*state, VALGRIND_CALLGRIND);
	g_autoptr(GPtrArray) logs = valgrind_files(*state, valgrind_log_kind(VALGRIND_CALLGRIND));
	assert_int_equal(files->len, 0);
	assert_int_equal(logs->len, 1);
}

static void a_folder_that_is_not_there_has_no_files(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) files = valgrind_files("/no/such/folder", VALGRIND_DHAT);
	assert_int_equal(files->len, 0);
	assert_int_equal(valgrind_files_bytes("/no/such/folder"), 0);
}

static void a_dump_ends_with_its_totals(void **state)
{
	static const struct {
		const char *text;
		gboolean whole;
		guint64 instructions;
	} cases[] = {
	        {"events: Ir sysCount\nfn=(1) main\n1 5\n\ntotals: 123 4\n", TRUE, 123},
	        {"events: Ir sysCount\nfn=(1) main\n1 5\n\ntotals: 0\n\n", TRUE, 0},
	        {"events: Ir sysCount\nfn=(1) main\n1 5\n\ntotals: 12", FALSE, 0},
	        {"events: Ir sysCount\nfn=(1) main\n", FALSE, 0},
	        {"", FALSE, 0},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		guint64 instructions = 0;
		g_autofree char *path = put(*state, "callgrind.1", cases[i].text);
		assert_int_equal(valgrind_callgrind_end(path, &instructions), cases[i].whole);
		assert_int_equal(instructions, cases[i].instructions);
	}
}

static void the_end_of_a_long_dump_is_found(void **state)
{
	guint64 instructions = 0;
	g_autofree char *lines = g_strnfill(100000, '\n'), *text = g_strconcat(lines, "totals: 77\n", NULL);
	g_autofree char *path = put(*state, "callgrind.1", text);
	assert_true(valgrind_callgrind_end(path, &instructions));
	assert_int_equal(instructions, 77);
	assert_int_equal(valgrind_files_bytes(*state), strlen(text));
}

static void a_dump_by_dhat_ends_with_its_bracket(void **state)
{
	g_autofree char *whole = put(*state, "dhat.1", "{\"dhatFileVersion\":2\n}\n");
	g_autofree char *cut = put(*state, "dhat.2", "{\"dhatFileVersion\":2\n");
	g_autofree char *empty = put(*state, "dhat.3", "");
	assert_true(valgrind_dhat_is_whole(whole));
	assert_false(valgrind_dhat_is_whole(cut));
	assert_false(valgrind_dhat_is_whole(empty));
}

static void what_valgrind_said_of_all_processes_is_one_limited_text(void **state)
{
	g_autofree char *much = g_strnfill(10000, 'x');
	g_free(put(*state, "dhat-log.2", much));
	g_free(put(*state, "dhat-log.1", "first\n"));
	g_autofree char *text = valgrind_log_text(*state, valgrind_log_kind(VALGRIND_DHAT));
	assert_true(g_str_has_prefix(text, "first\nxxx"));
	assert_int_equal(strlen(text), 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                parts_of_a_process_come_before_its_end_and_processes_in_order, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(other_names_are_not_of_that_kind, make_folder, remove_folder),
	        cmocka_unit_test(a_folder_that_is_not_there_has_no_files),
	        cmocka_unit_test_setup_teardown(a_dump_ends_with_its_totals, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(the_end_of_a_long_dump_is_found, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(a_dump_by_dhat_ends_with_its_bracket, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(
	                what_valgrind_said_of_all_processes_is_one_limited_text, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
