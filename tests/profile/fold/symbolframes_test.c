/* SPDX-License-Identifier: Apache-2.0 */
/* Which source files frames have, as seen through a fold of a written recording. */
#include "profile/fold/symbolframes.h"

#include "tests/profile/foldexample.h"

static const char hash_header[] = "static __attribute__((noinline)) unsigned long hash(unsigned long n)\n"
                                  "{\n"
                                  "	return n * 31 ^ sink;\n"
                                  "}\n";
static const char deep_header[] = "static __attribute__((noinline)) unsigned long deep(unsigned long n)\n"
                                  "{\n"
                                  "	return hash(n) + sink;\n"
                                  "}\n";
static const char sub_source[] = "volatile unsigned long sink;\n"
                                 "#include \"../inc/hash.h\"\n"
                                 "#ifdef FROM_ROOT\n"
                                 "#include <deep/deep.h>\n"
                                 "#else\n"
                                 "#include \"deep/deep.h\"\n"
                                 "#endif\n"
                                 "int main(int argc, char **argv)\n"
                                 "{\n"
                                 "	(void)argv;\n"
                                 "	return (int)deep((unsigned long)argc);\n"
                                 "}\n";

static void write_file(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *around = g_path_get_dirname(path);
	assert_return_code(g_mkdir_with_parents(around, 0700), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* Compiles sub/x.c where it lies, as a Makefile in a subfolder does; $ROOT in `options` is the folder. Skips the test
 * where that compiler is not there. */
static void compile_below(Example *e, const char *compiler, const char *options)
{
	g_autofree char *command = g_strdup_printf(
	        "cd \"$ROOT/sub\" && %s -O2 -fno-omit-frame-pointer %s x.c -o ../below", compiler, options);
	g_autofree char *root = g_strconcat("ROOT=", e->folder, NULL);
	const char *const argv[] = {"env", root, "sh", "-c", command, NULL};
	write_file(e->folder, "inc/hash.h", hash_header);
	write_file(e->folder, "sub/deep/deep.h", deep_header);
	write_file(e->folder, "sub/x.c", sub_source);
	if (!have_program("readelf") || !have_program(compiler)) {
		print_message("skipped: no %s or no readelf\n", compiler);
		skip();
	}
	assert_true(run_command(argv, NULL));
	g_free(e->program);
	e->program = g_build_filename(e->folder, "below", NULL);
}

static guint64 mapped(const Example *e, const char *function)
{
	return MAPPED_AT + find_function(e->program, function).offset;
}

static void assert_file(const Example *e, const CodeFacts *facts, const char *function, const char *file)
{
	for (guint i = 0; i < stack_table_n_frames(e->table); i++) {
		const Frame *frame = stack_table_get_frame(e->table, (FrameId){i});
		if (!g_str_equal(stack_table_text(e->table, frame->name), function))
			continue;
		const CodePlace *place = code_facts_place(facts, 0, (FrameId){i});
		assert_string_equal(stack_table_text(e->table, frame->file), file);
		assert_string_equal(stack_table_text(e->table, place->file), file);
		assert_true(place->first_line > 0 && place->last_line > place->first_line);
		return;
	}
	fail_msg("no frame %s", function);
}

/* Folds a stack of the three functions and looks at where they are said to be. */
static void check_files(Example *e, const char *compiler, const char *options)
{
	const char *const prefixes[] = {e->folder, NULL};
	compile_below(e, compiler, options);
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	perf_writer_clear(&e->writer);
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "below", TRUE);
	put_program(&e->writer, 7, 2, MAPPED_AT, e->program);
	ADD_SAMPLE(e, 10, USER, mapped(e, "hash"), mapped(e, "deep") + 1, mapped(e, "main") + 1);
	assert_true(
	        add_recording(e, fold, &(PerfFoldOptions){.strip_prefixes = prefixes, .with_code = TRUE}, NULL, NULL));
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_autoptr(CodeFacts) facts = perf_fold_code_facts(fold);
	assert_file(e, facts, "main", "sub/x.c");
	assert_file(e, facts, "deep", "sub/deep/deep.h");
	assert_file(e, facts, "hash", "inc/hash.h");
}

static void files_of_a_compiler_in_a_subfolder_are_relative_to_the_checkout(void **state)
{
	check_files(*state, "gcc", "-g");
}

static void so_they_are_in_older_debug_information(void **state)
{
	check_files(*state, "gcc", "-g -gdwarf-4");
}

static void so_they_are_by_another_compiler(void **state)
{
	check_files(*state, "clang", "-g");
}

static void a_folder_that_was_mapped_away_leaves_files_relative_to_the_checkout(void **state)
{
	check_files(*state, "gcc", "-g -ffile-prefix-map=\"$ROOT\"=.");
}

static void a_folder_that_was_mapped_to_nothing_is_no_part_of_files(void **state)
{
	check_files(*state, "gcc", "-g -ffile-prefix-map=\"$ROOT\"/= -I\"$ROOT/sub\" -DFROM_ROOT");
}

static void the_folder_of_a_reproducible_build_is_the_checkout(void **state)
{
	check_files(*state, "gcc", "-g -ffile-prefix-map=\"$ROOT\"=/proc/self/cwd");
}

static void steps_back_that_lead_out_of_a_relative_path_are_kept(void **state)
{
	Example *e = *state;
	g_autoptr(SymbolChild) child = symbol_child_new();
	g_autoptr(Symbolizer) symbolizer = symbolizer_new(child);
	static const char *const files[][2] = {
	        {"./a/../b.c", "b.c"},
	        {"a//b/../../c.c", "c.c"},
	        {"../b.c", "../b.c"},
	        {"a/../../../b.c", "../../b.c"},
	        {"/srv/x/../tree/a.c", "a.c"},
	        {"/srv/trees/a.c", "/srv/trees/a.c"},
	};
	const char *const prefixes[] = {"/srv/tree", NULL};
	SymbolFrames frames;
	symbol_frames_init(&frames, e->table, symbolizer);
	symbol_frames_add_prefixes(&frames, prefixes);
	for (guint i = 0; i < G_N_ELEMENTS(files); i++)
		assert_string_equal(
		        stack_table_text(e->table, symbol_frames_source_file(&frames, files[i][0])), files[i][1]);
	symbol_frames_clear(&frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                files_of_a_compiler_in_a_subfolder_are_relative_to_the_checkout, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(so_they_are_in_older_debug_information, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(so_they_are_by_another_compiler, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_folder_that_was_mapped_away_leaves_files_relative_to_the_checkout, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_folder_that_was_mapped_to_nothing_is_no_part_of_files, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_folder_of_a_reproducible_build_is_the_checkout, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                steps_back_that_lead_out_of_a_relative_path_are_kept, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
