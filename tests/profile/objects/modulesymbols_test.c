/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/modulesymbols.h"

#include "core/error.h"
#include "tests/profile/chains.h"
#include "tests/profile/folderexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char c_source[] =
        "volatile unsigned long sink;\n"
        "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
        "{\n"
        "	for (unsigned long i = 0; i < n; i++)\n"
        "		sink += i * n;\n"
        "}\n"
        "static inline __attribute__((always_inline)) void middle(unsigned long n) { inner(n + 1); }\n"
        "__attribute__((noinline)) void outer(unsigned long n) { middle(n); sink++; }\n"
        "__attribute__((noinline)) static void hidden(unsigned long n) { inner(n); }\n"
        "int main(int argc, char **argv)\n"
        "{\n"
        "	(void)argv;\n"
        "	outer(argc);\n"
        "	hidden(argc);\n"
        "	return 0;\n"
        "}\n";

static const char cxx_source[] =
        "volatile unsigned long sink;\n"
        "namespace geo { namespace {\n"
        "struct shape { __attribute__((noinline)) void area(unsigned long n) { sink += n; } };\n"
        "inline __attribute__((always_inline)) void hidden(unsigned long n)\n"
        "{ for (unsigned long i = 0; i < n; i++) sink += i; }\n"
        "}\n"
        "template <class T> __attribute__((noinline)) void solve(T n)\n"
        "{ hidden((unsigned long)n); shape().area(1); }\n"
        "}\n"
        "int main(int argc, char **) { geo::solve<double>(argc); }\n";

static char *compile_or_skip(
        const Example *e, const char *compiler, const char *options, const char *text, const char *name)
{
	gboolean is_cxx = g_str_equal(compiler, "g++");
	char *path = compile(e->folder, compiler, options, is_cxx ? "example.cc" : "example.c", text, name);
	if (path == NULL) {
		print_message("skipped: no working %s %s\n", compiler, options);
		skip();
	}
	return path;
}

static void resolve_extent(ModuleSymbols *symbols, const char *path, Extent extent)
{
	g_autofree guint64 *offsets = g_new(guint64, extent.size + 1);
	for (guint64 i = 0; i < extent.size; i++)
		offsets[i] = extent.offset + i;
	const ModuleSymbolsRequest request = {.path = path, .offsets = offsets, .n_offsets = (guint)extent.size};
	g_autoptr(GError) error = NULL;
	assert_true(extent.size > 0);
	assert_true(module_symbols_resolve(symbols, &request, &error));
}

/* The first frame of a chain is a function with code of its own, all others are inlined. */
static void check_inlined(const ModuleSymbols *symbols)
{
	for (guint i = 0; i + 1 < symbols->first->len; i++) {
		guint32 from = g_array_index(symbols->first, guint32, i);
		for (guint32 f = from; f < g_array_index(symbols->first, guint32, i + 1); f++)
			assert_int_equal(g_array_index(symbols->frames, SymbolFrame, f).is_inlined, f > from);
	}
}

static gboolean all_chains_begin_with(const ModuleSymbols *symbols, const char *name)
{
	for (guint i = 0; i + 1 < symbols->first->len; i++) {
		g_autofree char *chain = chain_at(symbols, i);
		if (!g_str_has_prefix(chain, name))
			return FALSE;
	}
	return TRUE;
}

static void inlined_functions_are_frames_of_their_own(void **state)
{
	static const char *const options[] = {
	        "-g -O2", "-g -O2 -gdwarf-4", "-g -O2 -no-pie", "-g -O2 -static", "-g -O2 -static-pie"};
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		ModuleSymbols symbols = {0};
		g_autofree char *path = compile_or_skip(*state, "gcc", options[i], c_source, "example");
		Extent extent = find_function(path, "outer");
		if (g_str_has_suffix(options[i], "-no-pie") || g_str_has_suffix(options[i], "-static"))
			extent.offset -= 0x400000;
		resolve_extent(&symbols, path, extent);
		assert_true(symbols.has_debug_info);
		check_inlined(&symbols);
		assert_true(has_chain(&symbols, "outer>middle>inner"));
		assert_true(has_chain(&symbols, "outer"));
		assert_true(all_chains_begin_with(&symbols, "outer"));
		module_symbols_clear(&symbols);
	}
}

/* As they stand in the file, 0x400000 above the offsets. */
static void addresses_are_found_without_offsets(void **state)
{
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2 -no-pie", c_source, "example");
	const guint64 address = find_function(path, "outer").offset;
	const guint64 addresses[] = {address - 0x400000, address};
	const ModuleSymbolsRequest request = {
	        .path = path, .are_addresses = TRUE, .offsets = addresses, .n_offsets = G_N_ELEMENTS(addresses)};
	assert_true(address > 0x400000 && module_symbols_resolve(&symbols, &request, NULL));
	g_autofree char *beside = chain_at(&symbols, 0), *found = chain_at(&symbols, 1);
	assert_string_equal(beside, "");
	assert_true(g_str_has_prefix(found, "outer"));
	assert_int_equal(symbols.n_unresolved, 1);
	module_symbols_clear(&symbols);
}

static void frames_know_where_their_function_is_declared(void **state)
{
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2", c_source, "example");
	resolve_extent(&symbols, path, find_function(path, "outer"));
	guint n_checked = 0;
	for (guint i = 0; i < symbols.frames->len; i++) {
		const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, i);
		const char *name = frame->name;
		guint line = g_str_equal(name, "outer") ? 8 : g_str_equal(name, "middle") ? 7 : 2;
		assert_true(g_str_has_suffix(frame->file, "/example.c"));
		assert_int_equal(frame->line, line);
		n_checked++;
	}
	assert_true(n_checked > 0);
	module_symbols_clear(&symbols);
}

static void without_debug_info_the_symbol_table_names_functions(void **state)
{
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-O2", c_source, "example");
	resolve_extent(&symbols, path, find_function(path, "hidden"));
	assert_false(symbols.has_debug_info);
	assert_true(has_chain(&symbols, "hidden"));
	assert_int_equal(symbols.n_unresolved, 0);
	assert_null(g_array_index(symbols.frames, SymbolFrame, 0).file);
	module_symbols_clear(&symbols);
}

static void a_stripped_program_has_unknown_functions(void **state)
{
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2", c_source, "example");
	Extent extent = find_function(path, "outer");
	const char *const strip[] = {"strip", path, NULL};
	assert_true(run_command(strip, NULL));
	resolve_extent(&symbols, path, extent);
	assert_int_equal(symbols.n_unresolved, extent.size);
	assert_int_equal(symbols.frames->len, 0);
	module_symbols_clear(&symbols);
}

static void debug_info_is_found_through_the_debug_link(void **state)
{
	const Example *e = *state;
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(e, "gcc", "-g -O2", c_source, "example");
	g_autofree char *debug = g_build_filename(e->folder, "example.debug", NULL);
	g_autofree char *link = g_strdup_printf("--add-gnu-debuglink=%s", debug);
	Extent extent = find_function(path, "outer");
	const char *const keep[] = {"objcopy", "--only-keep-debug", path, debug, NULL};
	const char *const strip[] = {"strip", path, NULL};
	const char *const add[] = {"objcopy", link, path, NULL};
	assert_true(run_command(keep, NULL) && run_command(strip, NULL) && run_command(add, NULL));
	resolve_extent(&symbols, path, extent);
	assert_true(has_chain(&symbols, "outer>middle>inner"));
	module_symbols_clear(&symbols);
}

static void names_of_cxx_have_their_scopes_but_no_arguments(void **state)
{
	static const char *const options[] = {"-g -O2", "-O2"};
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		ModuleSymbols symbols = {0};
		g_autofree char *path = compile_or_skip(*state, "g++", options[i], cxx_source, "example");
		resolve_extent(&symbols, path, find_function(path, "_ZN3geo5solveIdEEvT_"));
		assert_true(all_chains_begin_with(&symbols, "geo::solve<double>"));
		if (symbols.has_debug_info)
			assert_true(has_chain(&symbols, "geo::solve<double>>geo::(anonymous namespace)::hidden"));
		assert_string_equal(g_array_index(symbols.frames, SymbolFrame, 0).raw_name, "_ZN3geo5solveIdEEvT_");
		module_symbols_clear(&symbols);
	}
}

/* The linkage names of the functions at the start of each of these symbols. */
static void assert_raw_names(const char *path, const char *const *symbols_of, const char *const *raw, const char *name)
{
	for (guint i = 0; symbols_of[i] != NULL; i++) {
		ModuleSymbols symbols = {0};
		resolve_extent(&symbols, path, find_function(path, symbols_of[i]));
		const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, 0);
		assert_string_equal(frame->name, name);
		assert_string_equal(frame->raw_name, raw[i]);
		module_symbols_clear(&symbols);
	}
}

static void overloads_share_a_name_and_differ_in_their_linkage_names(void **state)
{
	static const char source[] = "volatile long sink;\n"
	                             "__attribute__((noinline)) void put(int n) { sink += n; }\n"
	                             "__attribute__((noinline)) void put(double n) { sink -= (long)n; }\n"
	                             "int main(int argc, char **) { put(argc); put(argc * 0.5); }\n";
	static const char *const options[] = {"-g -O2", "-O2"};
	static const char *const names[] = {"_Z3puti", "_Z3putd", NULL};
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *path = compile_or_skip(*state, "g++", options[i], source, "example");
		assert_raw_names(path, names, names, "put");
	}
}

static void a_symbol_version_is_part_of_the_linkage_name_only(void **state)
{
	static const char source[] = "volatile long sink;\n"
	                             "__asm__(\".symver old_put, put@V1\\n.symver new_put, put@@V2\");\n"
	                             "void old_put(void) { sink++; }\n"
	                             "void new_put(void) { sink--; }\n";
	static const char *const names[] = {"put@V1", "put@@V2", NULL};
	const Example *e = *state;
	g_autofree char *map = g_build_filename(e->folder, "map", NULL);
	g_autofree char *options = g_strdup_printf("-O2 -fPIC -shared -Wl,--version-script=%s", map);
	assert_true(g_file_set_contents(map, "V1 { global: put; local: *; }; V2 { global: put; } V1;", -1, NULL));
	g_autofree char *path = compile_or_skip(e, "gcc", options, source, "libexample.so");
	assert_raw_names(path, names, names, "put");
}

static void a_function_has_the_name_under_which_it_is_exported(void **state)
{
	static const char source[] = "volatile long sink;\n"
	                             "void __own_put(void) { sink++; }\n"
	                             "extern __typeof(__own_put) put __attribute__((weak, alias(\"__own_put\")));\n"
	                             "void __own_get(void) { sink--; }\n"
	                             "extern __typeof(__own_get) get __attribute__((weak, alias(\"__own_get\")));\n";
	static const char *const options[] = {"-g -O1 -fPIC -shared", "-O1 -fPIC -shared"};
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		ModuleSymbols symbols = {0};
		g_autofree char *path = compile_or_skip(*state, "gcc", options[i], source, "libexample.so");
		Extent put = find_function(path, "__own_put"), get = find_function(path, "__own_get");
		const guint64 offsets[] = {put.offset, get.offset};
		const ModuleSymbolsRequest request = {.path = path, .offsets = offsets, .n_offsets = 2};
		assert_true(module_symbols_resolve(&symbols, &request, NULL));
		g_autofree char *first = chain_at(&symbols, 0), *second = chain_at(&symbols, 1);
		assert_string_equal(first, "put");
		assert_string_equal(second, "get");
		module_symbols_clear(&symbols);
	}
}

static void a_function_chosen_at_load_time_is_named_apart_from_its_choice(void **state)
{
	static const char source[] = "volatile long sink;\n"
	                             "static void put_fast(void) { sink++; }\n"
	                             "static void (*choose(void))(void) { return put_fast; }\n"
	                             "void put(void) __attribute__((ifunc(\"choose\")));\n"
	                             "int main(void) { put(); return 0; }\n";
	static const char *const options[] = {"-g -O1 -fno-inline", "-O1 -fno-inline"};
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		ModuleSymbols symbols = {0};
		g_autofree char *path = compile_or_skip(*state, "gcc", options[i], source, "example");
		resolve_extent(&symbols, path, find_function(path, "put_fast"));
		assert_true(all_chains_begin_with(&symbols, "put_fast"));
		module_symbols_clear(&symbols);
		resolve_extent(&symbols, path, find_function(path, "choose"));
		assert_false(has_chain(&symbols, "put_fast"));
		assert_int_equal(symbols.n_unresolved, 0);
		module_symbols_clear(&symbols);
	}
}

static void a_function_within_another_has_its_own_inlined_functions(void **state)
{
	static const char source[] = "volatile long sink;\n"
	                             "static inline __attribute__((always_inline)) void inner(long n)\n"
	                             "{ for (long i = 0; i < n; i++) sink += i * n; }\n"
	                             "__attribute__((noipa)) long around(long n)\n"
	                             "{\n"
	                             "	__attribute__((noipa)) long within(long m) { inner(m * n); return sink; }\n"
	                             "	return within(n) + within(2);\n"
	                             "}\n"
	                             "int main(int argc, char **argv) { (void)argv; return (int)around(argc); }\n";
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2", source, "example");
	resolve_extent(&symbols, path, find_function(path, "within.0"));
	assert_true(has_chain(&symbols, "within>inner"));
	module_symbols_clear(&symbols);
}

static void stubs_for_calls_to_libraries_are_named(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
	                             "int main(int argc, char **argv) { return rand() + atoi(argv[argc - 1]); }\n";
	ModuleSymbols symbols = {0};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-O1 -Wl,-z,lazy", source, "example");
	g_autofree char *sections = NULL;
	const char *const argv[] = {"readelf", "-SW", path, NULL};
	Extent plt = {0};
	assert_true(run_command(argv, &sections));
	const char *line = strstr(sections, " .plt ");
	if (line == NULL || sscanf(line, " .plt PROGBITS %*x %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
	                            &plt.offset, &plt.size) != 2)
		skip();
	resolve_extent(&symbols, path, plt);
#ifdef __x86_64__
	assert_true(has_chain(&symbols, "rand@plt"));
#endif
	assert_true(has_chain(&symbols, "[plt]"));
	module_symbols_clear(&symbols);
}

static void another_build_than_the_recorded_one_is_refused(void **state)
{
	const guint8 build_id[20] = {1};
	const guint64 offset = 0x1000;
	ModuleSymbols symbols = {0};
	g_autoptr(GError) error = NULL;
	g_autofree char *path = compile_or_skip(*state, "gcc", "-O2", c_source, "example");
	const ModuleSymbolsRequest request = {
	        .path = path, .build_id = build_id, .build_id_length = 20, .offsets = &offset, .n_offsets = 1};
	assert_false(module_symbols_resolve(&symbols, &request, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
	assert_null(symbols.frames);
}

static void what_is_no_object_file_is_an_error(void **state)
{
	const Example *e = *state;
	const guint64 offset = 0;
	g_autofree char *text = g_build_filename(e->folder, "text", NULL);
	g_autofree char *missing = g_build_filename(e->folder, "missing", NULL);
	assert_true(g_file_set_contents(text, "not an object file, by far", -1, NULL));
	const struct {
		const char *path;
		int code;
	} cases[] = {{text, FIREBREAK_ERROR_INVALID}, {e->folder, FIREBREAK_ERROR_INVALID},
	        {"/dev/zero", FIREBREAK_ERROR_INVALID}, {missing, FIREBREAK_ERROR_STORAGE}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		ModuleSymbols symbols = {0};
		g_autoptr(GError) error = NULL;
		const ModuleSymbolsRequest request = {.path = cases[i].path, .offsets = &offset, .n_offsets = 1};
		assert_false(module_symbols_resolve(&symbols, &request, &error));
		assert_true(g_error_matches(error, FIREBREAK_ERROR, cases[i].code));
	}
}

static void damaged_debug_info_does_no_harm(void **state)
{
	const Example *e = *state;
	g_autofree char *path = compile_or_skip(e, "gcc", "-g -O2", c_source, "example");
	g_autofree char *damaged = g_build_filename(e->folder, "damaged", NULL);
	g_autofree char *content = NULL;
	gsize length;
	Extent extent = find_function(path, "outer");
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	guint32 seed = 7;
	for (guint round = 0; round < 200; round++) {
		g_autofree char *copy = g_malloc(length);
		memcpy(copy, content, length);
		for (guint i = 0; i < 20; i++) {
			seed = seed * 1664525u + 1013904223u;
			/* after the program headers, so that most files are still opened */
			copy[0x400 + (gsize)seed % (length - 0x400)] ^= (char)(1 << (seed >> 29));
		}
		assert_true(g_file_set_contents(damaged, copy, (gssize)length, NULL));
		ModuleSymbols symbols = {0};
		const ModuleSymbolsRequest request = {.path = damaged, .offsets = &extent.offset, .n_offsets = 1};
		if (module_symbols_resolve(&symbols, &request, NULL))
			assert_int_equal(symbols.first->len, 2);
		module_symbols_clear(&symbols);
	}
}

/* The names that another tool gives for an address, innermost last, with blanks for lines. */
static char *tool_chain(const char *tool, const char *path, guint64 address)
{
	g_autofree char *hex = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address);
	g_autofree char *output = NULL;
	const char *const argv[] = {tool, "-f", "-i", "-e", path, hex, NULL};
	if (!run_command(argv, &output))
		return NULL;
	g_auto(GStrv) lines = g_strsplit(g_strstrip(output), "\n", -1);
	GString *chain = g_string_new(NULL);
	for (guint i = g_strv_length(lines) / 2; i-- > 0;) {
		g_auto(GStrv) words = g_strsplit(lines[i * 2], " ", 2);
		g_string_append_printf(chain, "%s%s", chain->len > 0 ? ">" : "", words[0]);
	}
	return g_string_free(chain, FALSE);
}

static void other_tools_name_the_same_chains(void **state)
{
	const char *tool = have_program("addr2line") ? "addr2line" : "eu-addr2line";
	if (!have_program(tool)) {
		print_message("skipped: neither addr2line nor eu-addr2line here\n");
		skip();
	}
	static const char *const functions[] = {"outer", "hidden", "main"};
	g_autofree char *path = compile_or_skip(*state, "gcc", "-g -O2", c_source, "example");
	guint n_compared = 0;
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
		ModuleSymbols symbols = {0};
		Extent extent = find_function(path, functions[i]);
		resolve_extent(&symbols, path, extent);
		for (guint at = 0; at < extent.size && n_compared < 200; at++, n_compared++) {
			g_autofree char *ours = chain_at(&symbols, at);
			g_autofree char *theirs = tool_chain(tool, path, extent.offset + at);
			assert_non_null(theirs);
			assert_string_equal(ours, theirs);
		}
		module_symbols_clear(&symbols);
	}
	assert_true(n_compared > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(inlined_functions_are_frames_of_their_own, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(addresses_are_found_without_offsets, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(frames_know_where_their_function_is_declared, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(without_debug_info_the_symbol_table_names_functions, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_stripped_program_has_unknown_functions, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(debug_info_is_found_through_the_debug_link, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(names_of_cxx_have_their_scopes_but_no_arguments, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                overloads_share_a_name_and_differ_in_their_linkage_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_symbol_version_is_part_of_the_linkage_name_only, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_function_has_the_name_under_which_it_is_exported, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_function_chosen_at_load_time_is_named_apart_from_its_choice, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_function_within_another_has_its_own_inlined_functions, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(stubs_for_calls_to_libraries_are_named, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(another_build_than_the_recorded_one_is_refused, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_object_file_is_an_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(damaged_debug_info_does_no_harm, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(other_tools_name_the_same_chains, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
