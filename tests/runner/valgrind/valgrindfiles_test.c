/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindfiles.h"

#include "core/durable.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib/gstdio.h>

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
	static const char *const names[] = {"callgrind.100", "callgrind.20", "callgrind.20.10", "callgrind.20.9",
	        "callgrind.20.old1", "callgrind.20.11.old1", "callgrind.20.1.old2", NULL};
	static const char *const sorted[] = {"callgrind.20.11.old1", "callgrind.20.old1", "callgrind.20.1.old2",
	        "callgrind.20.9", "callgrind.20.10", "callgrind.20", "callgrind.100"};
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
	        "callgrind.1.2.3", "callgrind.1.old", "callgrind.1.old2x", "callgrind.old1", "callgrind-log.12",
	        "dhat.12", "xcallgrind.12", NULL};
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

static void nothing_but_a_regular_file_is_opened(void **state)
{
	guint64 instructions = 0;
	g_autofree char *fifo = g_build_filename(*state, "callgrind.1", NULL);
	g_autofree char *link = g_build_filename(*state, "callgrind.2", NULL);
	g_autofree char *target = put(*state, "x", "\ntotals: 1\n");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink(target, link), 0);
	g_autoptr(GPtrArray) files = valgrind_files(*state, VALGRIND_CALLGRIND);
	assert_int_equal(files->len, 2);
	for (guint i = 0; i < files->len; i++) {
		const ValgrindFile *file = files->pdata[i];
		assert_false(file->regular);
		assert_false(valgrind_callgrind_end(file->path, &instructions));
		assert_false(valgrind_dhat_is_whole(file->path));
		assert_null(valgrind_callgrind_head(file->path));
		assert_int_equal(valgrind_log_crash(file->path), 0);
	}
}

#define HEAD "# callgrind format\nversion: 1\npid: 1\ncmd:  ./prog a\nb\npart: 1\n\n\ndesc: I1 cache: \n"

static void a_dump_says_of_which_program_it_is_and_why_it_was_written(void **state)
{
	static const struct {
		const char *text, *command;
		gboolean before_fork, before_exec;
	} cases[] = {
	        {HEAD "desc: Trigger: --dump-before=_Fork\n", "./prog a\nb", TRUE, FALSE},
	        {HEAD "desc: Trigger: --dump-before=execve\n", "./prog a\nb", FALSE, TRUE},
	        {HEAD "desc: Trigger: --dump-before=execute\n", "./prog a\nb", TRUE, FALSE},
	        {HEAD "desc: Trigger: Program termination\n", "./prog a\nb", FALSE, FALSE},
	        {"cmd: x\n", "", TRUE, TRUE},
	        {"", "", TRUE, TRUE},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = put(*state, "callgrind.1", cases[i].text);
		g_autoptr(ValgrindHead) head = valgrind_callgrind_head(path);
		assert_string_equal(head->command, cases[i].command);
		assert_int_equal(head->before_fork, cases[i].before_fork);
		assert_int_equal(head->before_exec, cases[i].before_exec);
	}
	/* an argument can look like the line with the number */
	g_autofree char *path = put(*state, "callgrind.1", "cmd: x\npart: 7\ny\npart: 3\n\ndesc: Trigger: x\n");
	g_autoptr(ValgrindHead) head = valgrind_callgrind_head(path);
	assert_int_equal(head->part, 3);
}

static void a_log_tells_a_crash_from_a_signal_on_purpose(void **state)
{
	static const struct {
		const char *text;
		int signal;
	} cases[] = {
	        {"==7== Process terminating with default action of signal 11 (SIGSEGV)\n==7==    at x\n", SIGSEGV},
	        {"==7== Process terminating with default action of signal 6 (SIGABRT): dumping core\n", SIGABRT},
	        {"==7== Process terminating with default action of signal 15 (SIGTERM)\n", 0},
	        {"==7== Process terminating with default action of signal 60 (SIGRT28)\n", 0},
	        {"==7== Warning: noted\n", 0},
	        {"", 0},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = put(*state, "callgrind-log.7", cases[i].text);
		assert_int_equal(valgrind_log_crash(path), cases[i].signal);
	}
}

static void a_log_tells_which_requests_decide_what_is_counted(void **state)
{
	static const struct {
		const char *text;
		LogRequest request;
	} cases[] = {
	        {"client request: code 43540005,  addr 0x0,  len 0\n", LOG_STOPS_COUNTING},
	        {"--7-- Command: instrumentation switched OFF\n", LOG_STOPS_COUNTING},
	        {"client request: code 43540002,  addr 0x0,  len 0\n", LOG_TOGGLES},
	        {"a line begunclient request: code 43540001,  addr 0x0,  len 0\n", LOG_ZEROES},
	        {"--7--   Zeroing costs...\n", LOG_ZEROES},
	        {"==7== Handling new value --trace-children=no for option --trace-children\n", LOG_CHANGES_OPTIONS},
	        {"client request: code 43540002,  addr 0x0,  len 0\n==7== Handling new value -q for option -q\n",
	                LOG_CHANGES_OPTIONS},
	        /* a dump, counting that begins although it has begun, memcheck's, and nothing */
	        {"client request: code 43540000,  addr 0x0,  len 0\n", LOG_HARMLESS},
	        {"client request: code 43540004,  addr 0x0,  len 0\n", LOG_HARMLESS},
	        {"client request: code 4d430002,  addr 0x10C048,  len 8\n", LOG_HARMLESS},
	        {"", LOG_HARMLESS},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = put(*state, "callgrind-log.7", cases[i].text);
		assert_int_equal(valgrind_log_request(path), cases[i].request);
	}
}

/* Wherever it stands, also across the end of a piece. */
static void a_request_is_found_anywhere_in_a_long_log(void **state)
{
	for (gsize before = 65536 - 40; before < 65536 + 5; before++) {
		g_autofree char *line = g_strnfill(before, 'x'), *rest = g_strnfill(200000, 'y');
		g_autofree char *text = g_strconcat(line, "client request: code 43540002,  addr", rest, NULL);
		g_autofree char *path = put(*state, "callgrind-log.7", text);
		assert_int_equal(valgrind_log_request(path), LOG_TOGGLES);
	}
}

static void a_log_that_was_truncated_is_not_whole(void **state)
{
	static const struct {
		const char *text, *kind;
		gsize hole; /* zeros in front of it */
		gboolean whole, whole_at_end;
	} cases[] = {
	        {"==7== Callgrind, a\n==7== \n==7== Events    : Ir\n", VALGRIND_CALLGRIND, 0, TRUE, TRUE},
	        {"==7== Callgrind, a\n==7== Command: x\n", VALGRIND_CALLGRIND, 0, TRUE, FALSE},
	        {"==7== DHAT, a\n==7== Total:     1 bytes\n", VALGRIND_DHAT, 0, TRUE, TRUE},
	        {"==7== DHAT, a\n==7== Total:     1 bytes\n", VALGRIND_CALLGRIND, 0, FALSE, FALSE},
	        {"==7== Callgrind, a\n==7== Events    : Ir\n", VALGRIND_CALLGRIND, 100, FALSE, FALSE},
	        {"==7== Events    : Ir\n", VALGRIND_CALLGRIND, 0, FALSE, FALSE},
	        {"", VALGRIND_CALLGRIND, 0, FALSE, FALSE},
	};
	g_autofree char *path = g_build_filename(*state, "log", NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();
		g_byte_array_set_size(bytes, (guint)cases[i].hole);
		if (cases[i].hole > 0)
			memset(bytes->data, 0, cases[i].hole);
		g_byte_array_append(bytes, (const guint8 *)cases[i].text, (guint)strlen(cases[i].text));
		assert_true(g_file_set_contents(path, (const char *)bytes->data, bytes->len, NULL));
		assert_int_equal(valgrind_log_is_whole(path, cases[i].kind, FALSE), cases[i].whole);
		assert_int_equal(valgrind_log_is_whole(path, cases[i].kind, TRUE), cases[i].whole_at_end);
	}
	g_unlink(path);
	assert_false(valgrind_log_is_whole(path, VALGRIND_CALLGRIND, FALSE));
}

static void how_every_log_begins_and_ends_is_left_out(void **state)
{
	g_free(put(*state, "callgrind-log.7",
	        "==7== Callgrind, a call-graph\n==7== Copyright (C) 2002\n==7== Using Valgrind-3.19.0\n"
	        "==7== Command: ./prog\n==7== Parent PID: 6\n==7== \n==7== For interactive control, run x\n"
	        "--7-- Reading syms\n==7== Adding active redirection:\n--7--     new: 0x58\n0x50: [0]={ u }\n"
	        "client request: code 4d430002,  addr 0x10C048,  len 8\n"
	        "==7== Warning: noted\n==7== \n==7== Events    : Ir\n==7== Collected : 5\n"));
	g_autofree char *text = valgrind_log_text(*state, valgrind_log_kind(VALGRIND_CALLGRIND));
	assert_string_equal(text, "==7== Warning: noted\n");
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
	        cmocka_unit_test_setup_teardown(nothing_but_a_regular_file_is_opened, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(
	                a_dump_says_of_which_program_it_is_and_why_it_was_written, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(
	                a_log_tells_a_crash_from_a_signal_on_purpose, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(
	                a_log_tells_which_requests_decide_what_is_counted, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(a_request_is_found_anywhere_in_a_long_log, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(a_log_that_was_truncated_is_not_whole, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(how_every_log_begins_and_ends_is_left_out, make_folder, remove_folder),
	        cmocka_unit_test_setup_teardown(
	                what_valgrind_said_of_all_processes_is_one_limited_text, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
