/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/lastlines.h"

#include "tests/profile/chains.h"
#include "tests/profile/folderexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char c_source[] = "volatile unsigned long sink;\n"
                               "static inline unsigned long later(unsigned long n);\n"
                               "__attribute__((noinline)) void outer(unsigned long n)\n" /* 3 */
                               "{\n"
                               "	sink += later(n);\n"
                               "	sink++;\n"
                               "}\n" /* 7 */
                               "__attribute__((noinline)) void single(unsigned long n) { sink += n; }\n"
                               "__attribute__((cold, noinline)) void never(unsigned long n) { sink = n; }\n"
                               "__attribute__((noinline)) void guarded(unsigned long n)\n" /* 10 */
                               "{\n"
                               "	sink = n;\n"
                               "	if (sink > 1000) {\n"
                               "		never(sink);\n"
                               "		never(n + sink);\n" /* 15 */
                               "	}\n"
                               "}\n"
                               "#include \"other.h\"\n"
                               "static inline __attribute__((always_inline)) unsigned long later(unsigned long n)\n"
                               "{\n" /* 20 */
                               "	unsigned long sum = 0;\n"
                               "	for (unsigned long i = 0; i < n; i++)\n"
                               "		sum += sink * i;\n"
                               "	return sum;\n"
                               "}\n" /* 25 */
                               "int main(int argc, char **argv)\n"
                               "{\n"
                               "	(void)argv;\n"
                               "	outer(argc), single(argc), guarded(argc), from_header(argc);\n"
                               "	return 0;\n"
                               "}\n";

static const char header[] = "__attribute__((noinline)) void from_header(unsigned long n)\n"
                             "{\n"
                             "	sink -= n;\n"
                             "}\n";

static const char cxx_source[] = "volatile unsigned long sink;\n"
                                 "namespace geo { __attribute__((noinline)) void outer(unsigned long n)\n"
                                 "{\n"
                                 "	auto add = [](unsigned long k) {\n"
                                 "		sink += k;\n" /* 5 */
                                 "	};\n"
                                 "	add(n);\n"
                                 "	add(n + sink);\n"
                                 "	sink = sink * 3;\n"
                                 "} }\n" /* 10 */
                                 "int main(int argc, char **) { geo::outer(argc); }\n";

static char *compile_or_skip(const Example *e, const char *compiler, const char *options)
{
	gboolean is_cxx = strstr(compiler, "++") != NULL;
	g_autofree char *other = g_build_filename(e->folder, "other.h", NULL);
	assert_true(g_file_set_contents(other, header, -1, NULL));
	char *path = compile(e->folder, compiler, options, is_cxx ? "example.cc" : "example.c",
	        is_cxx ? cxx_source : c_source, "example");
	if (path == NULL) {
		print_message("skipped: no working %s\n", compiler);
		skip();
	}
	return path;
}

/* The frame of this name at any offset of a function; without name if there is none. */
static SymbolFrame frame_in(const char *path, const char *function, const char *name)
{
	SymbolFrame found = {0};
	ModuleSymbols symbols = {0};
	Extent extent = find_function(path, function);
	g_autofree guint64 *offsets = offsets_of(extent);
	const ModuleSymbolsRequest request = {
	        .path = path, .with_code = TRUE, .offsets = offsets, .n_offsets = (guint)extent.size};
	assert_true(extent.size > 0);
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	for (guint i = 0; i < symbols.frames->len; i++) {
		const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, i);
		if (g_str_equal(frame->name, name))
			found = *frame;
	}
	module_symbols_clear(&symbols);
	return found;
}

static void functions_end_where_their_code_ends(void **state)
{
	static const struct {
		const char *name;
		guint32 first, last;
	} functions[] = {{"outer", 3, 7}, {"single", 8, 8}, {"from_header", 1, 4}, {"main", 26, 31}};
	static const char *const options[] = {"-g -O2", "-g -O2 -gdwarf-4", "-g -O0", "-g -O3 -fomit-frame-pointer"};
	for (guint o = 0; o < G_N_ELEMENTS(options); o++) {
		g_autofree char *path = compile_or_skip(*state, "gcc", options[o]);
		for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
			SymbolFrame frame = frame_in(path, functions[i].name, functions[i].name);
			assert_int_equal(frame.line, functions[i].first);
			assert_int_equal(frame.last_line, functions[i].last);
		}
	}
}

static void an_inlined_function_has_its_own_lines(void **state)
{
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2");
	SymbolFrame frame = frame_in(path, "outer", "later");
	assert_true(frame.is_inlined);
	assert_int_equal(frame.line, 19);
	assert_in_range(frame.last_line, 23, 25);
	assert_int_equal(frame.code_hash, 0);
}

static void a_part_put_aside_is_one_of_the_function(void **state)
{
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2 -freorder-blocks-and-partition");
	if (find_function(path, "guarded.cold").size == 0) {
		print_message("skipped: this gcc puts nothing aside\n");
		skip();
	}
	SymbolFrame warm = frame_in(path, "guarded", "guarded"), cold = frame_in(path, "guarded.cold", "guarded");
	assert_in_range(warm.last_line, 15, 17);
	assert_int_equal(cold.last_line, warm.last_line);
	assert_int_not_equal(warm.code_hash, 0);
	assert_true(cold.code_hash == warm.code_hash);
}

static void a_function_within_another_does_not_end_it(void **state)
{
	static const char *const compilers[] = {"g++", "clang++"};
	for (guint i = 0; i < G_N_ELEMENTS(compilers); i++) {
		g_autofree char *path = compile_or_skip(*state, compilers[i], "-g -O2");
		SymbolFrame frame = frame_in(path, "_ZN3geo5outerEm", "geo::outer");
		assert_int_equal(frame.line, 2);
		assert_in_range(frame.last_line, 9, 10);
	}
}

static void without_being_asked_nothing_is_known_of_code(void **state)
{
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2");
	Extent extent = find_function(path, "outer");
	const ModuleSymbolsRequest request = {.path = path, .offsets = &extent.offset, .n_offsets = 1};
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, 0);
	assert_int_equal(frame->line, 3);
	assert_int_equal(frame->last_line, 0);
	assert_int_equal(frame->code_hash, 0);
	assert_int_equal(frame->code_sketch, 0);
	module_symbols_clear(&symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(functions_end_where_their_code_ends, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_inlined_function_has_its_own_lines, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_part_put_aside_is_one_of_the_function, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_function_within_another_does_not_end_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(without_being_asked_nothing_is_known_of_code, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
