/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolchild.h"

#include "core/error.h"
#include "profile/symbols/sandbox.h"
#include "tests/profile/chains.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char source[] = "volatile unsigned long sink;\n"
                             "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
                             "{ for (unsigned long i = 0; i < n; i++) sink += i * n; }\n"
                             "__attribute__((noinline)) void outer(unsigned long n) { inner(n); sink++; }\n"
                             "int main(int argc, char **argv) { (void)argv; outer(argc); return 0; }\n";

typedef struct {
	char *folder, *program;
	Extent outer;
	guint64 *offsets;
	ModuleSymbolsRequest request; /* of all offsets of `outer` */
} Example;

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->folder = new_folder();
	e->program = compile(e->folder, "gcc", "-g -O2", "example.c", source, "program");
	e->outer = e->program != NULL ? find_function(e->program, "outer") : (Extent){0};
	e->offsets = offsets_of(e->outer);
	e->request = (ModuleSymbolsRequest){
	        .path = e->program,
	        .with_lines = TRUE,
	        .with_code = TRUE,
	        .offsets = e->offsets,
	        .n_offsets = (guint)e->outer.size,
	};
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	remove_folder(e->folder);
	g_free(e->folder);
	g_free(e->program);
	g_free(e->offsets);
	g_free(e);
	return 0;
}

static Example *example_or_skip(void **state)
{
	Example *e = *state;
	if (e->program == NULL || e->outer.size == 0) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	return e;
}

/* A program that plays the child; owned by the caller. */
static char *impostor(const Example *e, const char *commands)
{
	g_autofree char *text = g_strdup_printf("#!/bin/sh\n%s\n", commands);
	char *path = g_build_filename(e->folder, "impostor", NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

/* The error that a request ends with; owned by the caller. */
static GError *failure_of(SymbolChild *child, const ModuleSymbolsRequest *request)
{
	ModuleSymbols symbols = {0};
	GError *error = NULL;
	assert_false(symbol_child_resolve(child, request, &symbols, &error));
	assert_null(symbols.frames);
	return error;
}

static void the_child_answers_what_this_process_would(void **state)
{
	const Example *e = example_or_skip(state);
	ModuleSymbols here = {0}, there = {0};
	g_autoptr(SymbolChild) child = symbol_child_new();
	assert_true(module_symbols_resolve(&here, &e->request, NULL));
	assert_true(symbol_child_resolve(child, &e->request, &there, NULL));
	assert_true(has_chain(&there, "outer>inner"));
	assert_int_equal(here.frames->len, there.frames->len);
	assert_int_equal(here.has_debug_info, there.has_debug_info);
	for (guint i = 0; i < here.frames->len; i++) {
		const SymbolFrame *a = &g_array_index(here.frames, SymbolFrame, i);
		const SymbolFrame *b = &g_array_index(there.frames, SymbolFrame, i);
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->raw_name, b->raw_name);
		assert_string_equal(a->at_file, b->at_file);
		assert_int_equal(a->at_line, b->at_line);
		assert_int_equal(a->last_line, b->last_line);
		assert_true(a->code_hash == b->code_hash && (a->code_hash != 0) == !a->is_inlined);
		assert_true(a->code_sketch == b->code_sketch);
	}
	module_symbols_clear(&here);
	module_symbols_clear(&there);
}

static void errors_come_back_with_their_class(void **state)
{
	(void)state;
	static const guint64 offset = 16;
	const struct {
		const char *path;
		int code;
	} cases[] = {{"/nowhere/at/all", FIREBREAK_ERROR_STORAGE}, {"/dev/zero", FIREBREAK_ERROR_INVALID},
	        {"/etc/passwd", FIREBREAK_ERROR_INVALID}};
	g_autoptr(SymbolChild) child = symbol_child_new();
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const ModuleSymbolsRequest request = {.path = cases[i].path, .offsets = &offset, .n_offsets = 1};
		g_autoptr(GError) error = failure_of(child, &request);
		assert_true(g_error_matches(error, FIREBREAK_ERROR, cases[i].code));
		assert_non_null(strstr(error->message, cases[i].path));
	}
}

static void a_child_that_is_killed_is_an_error_that_names_file_and_signal(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *program = impostor(e, "kill -SEGV $$");
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 10000);
	for (guint i = 0; i < 3; i++) {
		g_autoptr(GError) error = failure_of(child, &e->request);
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_non_null(strstr(error->message, e->program));
		assert_non_null(strstr(error->message, "killed by SIGSEGV"));
	}
}

static void what_a_child_must_not_say_is_an_error(void **state)
{
	static const char *const cases[] = {"exit 3", "cat", "head -c 100000 /dev/zero; sleep 5", "yes",
	        "printf 'fsa1\\001\\0\\0\\0'; cat /dev/zero"};
	const Example *e = example_or_skip(state);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *program = impostor(e, cases[i]);
		g_autoptr(SymbolChild) child = symbol_child_new_with(program, 10000);
		g_autoptr(GError) error = failure_of(child, &e->request);
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
		assert_non_null(strstr(error->message, "firebreak-symbols"));
	}
}

static void a_child_that_takes_too_long_is_ended(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *program = impostor(e, "exec sleep 1000");
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 300);
	g_autoptr(GError) error = failure_of(child, &e->request);
	assert_non_null(strstr(error->message, "took longer than"));
}

static void after_a_death_the_next_request_has_a_new_child(void **state)
{
	const Example *e = example_or_skip(state);
	ModuleSymbols symbols = {0};
	g_autofree char *real = g_build_filename(BUILD_DIR, "firebreak-symbols", NULL);
	g_autofree char *commands = g_strdup_printf(
	        "[ -e '%s/once' ] && exec '%s'; touch '%s/once'; kill -BUS $$", e->folder, real, e->folder);
	g_autofree char *program = impostor(e, commands);
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 60000);
	g_autoptr(GError) error = failure_of(child, &e->request);
	assert_non_null(strstr(error->message, "SIGBUS"));
	assert_true(symbol_child_resolve(child, &e->request, &symbols, NULL));
	assert_true(has_chain(&symbols, "outer>inner"));
	module_symbols_clear(&symbols);
}

/* A child that was killed because memory was short says nothing about the file. */
static void rows_are_asked_for_once_more_when_the_child_died(void **state)
{
	const Example *e = example_or_skip(state);
	const SymbolChildFile file = {.path = e->program};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(GError) error = NULL;
	g_autofree char *real = g_build_filename(BUILD_DIR, "firebreak-symbols", NULL);
	g_autofree char *commands = g_strdup_printf(
	        "[ -e '%s/once' ] && exec '%s'; touch '%s/once'; kill -KILL $$", e->folder, real, e->folder);
	g_autofree char *program = impostor(e, commands);
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 60000);
	assert_true(symbol_child_unwind_rows(child, &file, e->outer.offset + 1, rows, &error));
	assert_true(rows->len > 0);
}

static void a_child_that_always_dies_gives_no_rows(void **state)
{
	const Example *e = example_or_skip(state);
	const SymbolChildFile file = {.path = e->program};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(GError) error = NULL;
	g_autofree char *tries = g_build_filename(e->folder, "tries", NULL);
	g_autofree char *commands = g_strdup_printf("echo once more >> '%s'; kill -SEGV $$", tries);
	g_autofree char *program = impostor(e, commands), *written = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 60000);
	assert_false(symbol_child_unwind_rows(child, &file, e->outer.offset + 1, rows, &error));
	assert_non_null(strstr(error->message, "killed by SIGSEGV"));
	assert_true(g_file_get_contents(tries, &written, NULL, NULL));
	assert_string_equal(written, "once more\nonce more\n");
}

/* Whoever asks for them is recording: the time limit of names stalled it. */
static void rows_have_a_shorter_time_than_names(void **state)
{
	const Example *e = example_or_skip(state);
	const SymbolChildFile file = {.path = e->program};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(GError) error = NULL;
	g_autofree char *program = impostor(e, "exec sleep 1000");
	g_autoptr(SymbolChild) child = symbol_child_new_with(program, 600 * 1000);
	assert_false(symbol_child_unwind_rows(child, &file, e->outer.offset + 1, rows, &error));
	assert_non_null(strstr(error->message, "took longer than 2 s"));
}

static void a_missing_program_is_an_error_of_the_environment(void **state)
{
	const Example *e = example_or_skip(state);
	g_autoptr(SymbolChild) child = symbol_child_new_with("/nowhere/firebreak-symbols", 1000);
	g_autoptr(GError) error = failure_of(child, &e->request);
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT));
}

/* A file of /proc of the only child of this process; owned by the caller. */
static char *proc_file_of_child(const char *name)
{
	g_autofree char *pid = NULL;
	char *content = NULL;
	g_autofree char *list = g_strdup_printf("/proc/self/task/%d/children", (int)getpid());
	if (!g_file_get_contents(list, &pid, NULL, NULL) || *pid == '\0')
		return NULL;
	g_autofree char *path = g_strdup_printf("/proc/%s/%s", g_strstrip(pid), name);
	g_file_get_contents(path, &content, NULL, NULL);
	return content;
}

static void the_child_is_confined(void **state)
{
	const Example *e = example_or_skip(state);
	if (SANDBOX_IS_SANITIZED) {
		print_message("skipped: a sanitizer needs memory and system calls\n");
		skip();
	}
	ModuleSymbols symbols = {0};
	g_autoptr(SymbolChild) child = symbol_child_new();
	assert_true(symbol_child_resolve(child, &e->request, &symbols, NULL));
	module_symbols_clear(&symbols);
	g_autofree char *status = proc_file_of_child("status");
	g_autofree char *limits = proc_file_of_child("limits");
	if (status == NULL || limits == NULL) {
		print_message("skipped: this kernel does not list children\n");
		skip();
	}
	assert_non_null(strstr(status, "NoNewPrivs:\t1"));
	if (strstr(status, "Seccomp:") != NULL)
		assert_non_null(strstr(status, "Seccomp:\t2"));
	assert_non_null(strstr(limits, "Max core file size        0 "));
	assert_non_null(strstr(limits, "Max file size             0 "));
	assert_null(strstr(limits, "Max address space         unlimited"));
	assert_null(strstr(limits, "Max cpu time              unlimited"));
}

static void unwind_rows_cover_the_function(void **state)
{
	const Example *e = example_or_skip(state);
	const SymbolChildFile file = {.path = e->program};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(GError) error = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new();
	for (guint i = 0; i < 3; i++) {
		g_array_set_size(rows, 0);
		assert_true(symbol_child_unwind_rows(child, &file, e->outer.offset + 1, rows, &error));
		assert_true(rows->len > 0);
		assert_true(g_array_index(rows, UnwindRow, 0).start <= e->outer.offset + 1);
		assert_true(g_array_index(rows, UnwindRow, rows->len - 1).end > e->outer.offset + 1);
	}
	const SymbolChildFile gone = {.path = "/nowhere/at/all"};
	assert_false(symbol_child_unwind_rows(child, &gone, 16, rows, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

static void the_child_says_how_a_file_was_built(void **state)
{
	const Example *e = example_or_skip(state);
	BinaryInfo here = {0}, there = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new();
	assert_true(binary_info(e->program, &here, NULL));
	assert_true(symbol_child_binary_info(child, e->program, &there, &error));
	assert_true(here.n_units > 0);
	assert_int_equal(here.n_units, there.n_units);
	assert_int_equal(here.has_debug, there.has_debug);
	assert_string_equal(here.producer, there.producer);
	assert_string_equal(here.producers, there.producers);
	assert_int_equal(here.bare_producer != NULL, there.bare_producer != NULL);
	binary_info_clear(&here);
	binary_info_clear(&there);
	assert_false(symbol_child_binary_info(child, "/nowhere/at/all", &there, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
}

static SymbolListingRequest listing_request(const Example *e)
{
	return (SymbolListingRequest){.path = e->program, .offset = e->outer.offset};
}

static void the_child_lists_the_instructions_that_this_process_would(void **state)
{
	const Example *e = example_or_skip(state);
	ObjectFile file;
	FunctionListing here = {0}, there = {0};
	const SymbolListingRequest request = listing_request(e);
	g_autoptr(GError) error = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new();
	assert_true(object_file_open(&file, e->program, NULL));
	assert_true(function_listing_read(&here, &file, &request, NULL));
	assert_true(symbol_child_listing(child, &request, &there, &error));
	assert_int_equal(here.instructions->len, there.instructions->len);
	assert_string_equal(there.name, "outer");
	for (guint i = 0; i < here.instructions->len; i++) {
		const ListedInstruction *a = &g_array_index(here.instructions, ListedInstruction, i);
		const ListedInstruction *b = &g_array_index(there.instructions, ListedInstruction, i);
		assert_string_equal(a->text, b->text);
		assert_string_equal(a->key, b->key);
		assert_string_equal(a->file, b->file);
		assert_true(a->address == b->address && a->offset == b->offset && a->line == b->line);
	}
	function_listing_clear(&here);
	function_listing_clear(&there);
	object_file_close(&file);
}

static void a_listing_of_a_file_that_is_gone_or_of_another_build_is_an_error(void **state)
{
	static const guint8 build_id[] = {1, 2, 3, 4};
	const Example *e = example_or_skip(state);
	FunctionListing listing = {0};
	g_autoptr(GError) gone = NULL, other = NULL;
	g_autoptr(SymbolChild) child = symbol_child_new();
	SymbolListingRequest request = listing_request(e);
	request.build_id = build_id;
	request.build_id_length = sizeof build_id;
	assert_false(symbol_child_listing(child, &request, &listing, &other));
	assert_true(g_error_matches(other, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	request = (SymbolListingRequest){.path = "/nowhere/at/all", .offset = 16};
	assert_false(symbol_child_listing(child, &request, &listing, &gone));
	assert_true(g_error_matches(gone, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	assert_null(listing.instructions);
}

/* Damages a copy of the program after its ELF header, most often in its debug information. */
static void damage(char *copy, const char *content, gsize length, guint32 *seed)
{
	memcpy(copy, content, length);
	guint n = 1 + (*seed >> 28) % 8;
	for (guint i = 0; i < n; i++) {
		*seed = *seed * 1664525u + 1013904223u;
		gsize from = (*seed & 1) != 0 ? 0x40 : length / 5;
		copy[from + (gsize)(*seed >> 8) % (length - from)] ^= (char)(1 << (*seed & 7));
	}
}

static void damaged_files_cost_names_and_nothing_else(void **state)
{
	enum { VARIANTS = 600 };
	const Example *e = example_or_skip(state);
	g_autofree char *damaged = g_build_filename(e->folder, "damaged", NULL);
	g_autofree char *content = NULL;
	gsize length;
	guint32 seed = 11;
	guint n_read = 0;
	assert_true(g_file_get_contents(e->program, &content, &length, NULL));
	g_autofree char *copy = g_malloc(length);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(SymbolChild) child = symbol_child_new();
	ModuleSymbolsRequest request = e->request;
	request.path = damaged;
	for (guint i = 0; i < VARIANTS; i++) {
		ModuleSymbols symbols = {0};
		g_autoptr(GError) error = NULL;
		damage(copy, content, length, &seed);
		assert_true(g_file_set_contents(damaged, copy, (gssize)length, NULL));
		if (symbol_child_resolve(child, &request, &symbols, &error)) {
			assert_int_equal(symbols.first->len, request.n_offsets + 1);
			n_read++;
		} else {
			assert_int_equal(error->domain, FIREBREAK_ERROR);
		}
		module_symbols_clear(&symbols);
	}
	assert_true(n_read > VARIANTS / 2);
	const SymbolChildFile file = {.path = damaged};
	symbol_child_unwind_rows(child, &file, e->outer.offset, rows, NULL);
}

/* The file has another name each time, for the child keeps those open that it knows. */
static void damaged_files_cost_listings_and_nothing_else(void **state)
{
	enum { VARIANTS = 300 };
	const Example *e = example_or_skip(state);
	g_autofree char *content = NULL;
	gsize length;
	guint32 seed = 5;
	guint n_read = 0;
	assert_true(g_file_get_contents(e->program, &content, &length, NULL));
	g_autofree char *copy = g_malloc(length);
	g_autoptr(SymbolChild) child = symbol_child_new();
	for (guint i = 0; i < VARIANTS; i++) {
		FunctionListing listing = {0};
		g_autoptr(GError) error = NULL;
		g_autofree char *damaged = g_strdup_printf("%s-%u", e->program, i);
		const SymbolListingRequest request = {.path = damaged, .offset = e->outer.offset};
		damage(copy, content, length, &seed);
		assert_true(g_file_set_contents(damaged, copy, (gssize)length, NULL));
		gboolean ok = symbol_child_listing(child, &request, &listing, &error);
		assert_true(ok || error->domain == FIREBREAK_ERROR);
		n_read += ok;
		function_listing_clear(&listing);
		g_unlink(damaged);
	}
	assert_true(n_read > VARIANTS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(the_child_answers_what_this_process_would, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(errors_come_back_with_their_class, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_child_that_is_killed_is_an_error_that_names_file_and_signal, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_a_child_must_not_say_is_an_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_child_that_takes_too_long_is_ended, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(after_a_death_the_next_request_has_a_new_child, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(rows_are_asked_for_once_more_when_the_child_died, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_child_that_always_dies_gives_no_rows, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(rows_have_a_shorter_time_than_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_missing_program_is_an_error_of_the_environment, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_child_is_confined, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(unwind_rows_cover_the_function, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_child_says_how_a_file_was_built, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                the_child_lists_the_instructions_that_this_process_would, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_listing_of_a_file_that_is_gone_or_of_another_build_is_an_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(damaged_files_cost_listings_and_nothing_else, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(damaged_files_cost_names_and_nothing_else, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
