/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/sourcelines.h"

#include "tests/profile/chains.h"
#include "tests/profile/folderexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char c_source[] = "volatile unsigned long sink;\n"
                               "static inline __attribute__((always_inline)) void inner(unsigned long n)\n"
                               "{\n"
                               "	for (unsigned long i = 0; i < n; i++)\n"
                               "		sink += i * n;\n"
                               "}\n"
                               "static inline __attribute__((always_inline)) void middle(unsigned long n)\n"
                               "{\n"
                               "	inner(n + 1);\n"
                               "}\n"
                               "__attribute__((noinline)) void outer(unsigned long n)\n"
                               "{\n"
                               "	middle(n);\n"
                               "	if (n > 3) {\n"
                               "		middle(n * 2);\n"
                               "	}\n"
                               "	sink++;\n"
                               "}\n"
                               "int main(int argc, char **argv)\n"
                               "{\n"
                               "	(void)argv;\n"
                               "	outer(argc);\n"
                               "	return 0;\n"
                               "}\n";

static const char cxx_source[] =
        "#include <algorithm>\n"
        "#include <map>\n"
        "#include <string>\n"
        "#include <vector>\n"
        "template <class T> __attribute__((noinline)) long work(std::vector<T> &in)\n"
        "{\n"
        "	std::map<T, std::string> tree;\n"
        "	for (auto v : in)\n"
        "		tree[v] += std::to_string(v);\n"
        "	std::sort(in.begin(), in.end(), [](T a, T b) { return b < a; });\n"
        "	return std::count_if(tree.begin(), tree.end(), [](auto &p) { return p.second.size() > 2; });\n"
        "}\n"
        "int main(int argc, char **)\n"
        "{\n"
        "	std::vector<long> in(argc * 10, 3);\n"
        "	std::vector<int> less(argc * 7, 5);\n"
        "	return (int)(work(in) + work(less));\n"
        "}\n";

static void skip_because(const char *reason)
{
	print_message("skipped: %s\n", reason);
	skip();
}

/* "function file:line" of each frame at address number i, the innermost first, with blanks between them; with linkage
 * names. */
static char *our_lines(const ModuleSymbols *symbols, guint i)
{
	GString *text = g_string_new(NULL);
	guint32 from = g_array_index(symbols->first, guint32, i), to = g_array_index(symbols->first, guint32, i + 1);
	for (guint32 f = to; f-- > from;) {
		const SymbolFrame *frame = &g_array_index(symbols->frames, SymbolFrame, f);
		g_string_append_printf(text, "%s %s:%u ", frame->raw_name,
		        frame->at_file != NULL ? frame->at_file : "??", frame->at_line);
	}
	return g_string_free(text, FALSE);
}

/* The first word of a line, and of `file:line:column` only `file:line`. */
static char *first_word(const char *line, gboolean is_place)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 2);
	g_auto(GStrv) parts = g_strsplit(words[0], ":", 3);
	if (!is_place || g_strv_length(parts) < 2)
		return g_strdup(words[0]);
	return g_strconcat(parts[0], ":", parts[1], NULL);
}

/* The same as another tool prints it, for all addresses; free with g_strfreev(). NULL if it fails. */
static char **their_lines(const char *tool, const char *path, const guint64 *addresses, guint n)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	const char *const first[] = {tool, "-a", "-f", "-i", "-e", path};
	g_autofree char *output = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(argv, g_strdup(first[i]));
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(argv, g_strdup_printf("0x%" G_GINT64_MODIFIER "x", addresses[i]));
	g_ptr_array_add(argv, NULL);
	if (!run_command((const char *const *)argv->pdata, &output))
		return NULL;
	g_auto(GStrv) lines = g_strsplit(g_strstrip(output), "\n", -1);
	g_autoptr(GPtrArray) result = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean is_place = FALSE;
	for (guint i = 1; lines[i - 1] != NULL; i++) {
		if (lines[i] == NULL || g_str_has_prefix(lines[i], "0x")) {
			g_ptr_array_add(result, g_strdup(text->str));
			g_string_truncate(text, 0);
			is_place = FALSE;
			continue;
		}
		g_autofree char *word = first_word(lines[i], is_place);
		g_string_append_printf(text, "%s ", word);
		is_place = !is_place;
	}
	g_ptr_array_add(result, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&result), FALSE);
}

enum { MAX_COMPARED = 1200 };

/* Compares the addresses of a function with eu-addr2line and addr2line. One of them must agree: where calls of one
 * function overlap, or a function is in another, eu-addr2line takes other scopes than all other tools. */
static void compare_with_tools(const char *path, const char *function, guint *n_inlined)
{
	ModuleSymbols symbols = {0};
	Extent extent = find_function(path, function);
	g_autofree guint64 *offsets = offsets_of(extent);
	const ModuleSymbolsRequest request = {.path = path,
	        .with_lines = TRUE,
	        .offsets = offsets,
	        .n_offsets = (guint)MIN(extent.size, MAX_COMPARED)};
	g_auto(GStrv) eu = their_lines("eu-addr2line", path, offsets, request.n_offsets);
	g_auto(GStrv) binutils = their_lines("addr2line", path, offsets, request.n_offsets);
	assert_true(extent.size > 0 && eu != NULL && binutils != NULL);
	assert_int_equal(g_strv_length(eu), request.n_offsets);
	assert_int_equal(g_strv_length(binutils), request.n_offsets);
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	for (guint i = 0; i < request.n_offsets; i++) {
		g_autofree char *ours = our_lines(&symbols, i);
		if (!g_str_equal(ours, eu[i]))
			assert_string_equal(ours, binutils[i]);
		*n_inlined += strchr(ours, ' ') != NULL && strstr(strchr(ours, ' ') + 1, " /") != NULL;
	}
	module_symbols_clear(&symbols);
}

static void every_address_of_a_c_program_has_the_lines_of_other_tools(void **state)
{
	static const char *const options[] = {"-g -O2", "-g -O3 -gdwarf-4", "-g -O1 -gdwarf-5"};
	const Example *e = *state;
	guint n_inlined = 0;
	if (!have_program("eu-addr2line") || !have_program("addr2line"))
		skip_because("neither eu-addr2line nor addr2line here");
	for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *path = compile(e->folder, "gcc", options[i], "example.c", c_source, "example");
		if (path == NULL)
			skip_because("no working gcc");
		compare_with_tools(path, "outer", &n_inlined);
		compare_with_tools(path, "main", &n_inlined);
	}
	assert_true(n_inlined > 50);
}

static void every_address_of_a_cxx_program_has_the_lines_of_other_tools(void **state)
{
	static const char *const functions[] = {
	        "_Z4workIlElRSt6vectorIT_SaIS1_EE", "_Z4workIiElRSt6vectorIT_SaIS1_EE", "main"};
	const Example *e = *state;
	guint n_inlined = 0;
	if (!have_program("eu-addr2line") || !have_program("addr2line"))
		skip_because("neither eu-addr2line nor addr2line here");
	g_autofree char *path = compile(e->folder, "g++", "-g -O2 -std=c++14", "example.cc", cxx_source, "example");
	if (path == NULL)
		skip_because("no working g++");
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
		compare_with_tools(path, functions[i], &n_inlined);
	assert_true(n_inlined > 500);
}

static void lines_are_only_found_when_asked_for(void **state)
{
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, "gcc", "-g -O2", "example.c", c_source, "example");
	if (path == NULL)
		skip_because("no working gcc");
	for (guint with_lines = 0; with_lines < 2; with_lines++) {
		ModuleSymbols symbols = {0};
		guint64 offset = find_function(path, "outer").offset;
		const ModuleSymbolsRequest request = {
		        .path = path, .with_lines = with_lines != 0, .offsets = &offset, .n_offsets = 1};
		assert_true(module_symbols_resolve(&symbols, &request, NULL));
		const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, 0);
		assert_int_equal(frame->at_file != NULL, with_lines);
		assert_true(with_lines != 0 ? frame->at_line >= 12 && frame->at_line <= 17 : frame->at_line == 0);
		assert_int_equal(frame->line, 11);
		module_symbols_clear(&symbols);
	}
}

static const char go_source[] = "package main\n"
                                "\n"
                                "//go:noinline\n"
                                "func mix(x int) int {\n"
                                "	return x*3 + 1\n"
                                "}\n"
                                "\n"
                                "func main() {\n"
                                "	println(mix(2))\n"
                                "}\n";

/* The compiler of Go writes in which file a function is declared, and not at which line. */
static void a_go_function_is_declared_where_its_code_begins(void **state)
{
	(void)state;
	g_autofree char *folder = new_folder(), *source = g_build_filename(folder, "example.go", NULL);
	g_autofree char *program = g_build_filename(folder, "example", NULL);
	const char *const argv[] = {"go", "build", "-o", program, source, NULL};
	assert_true(g_file_set_contents(source, go_source, -1, NULL));
	if (!run_command(argv, NULL)) {
		remove_folder(folder);
		skip_because("no working go");
	}
	ModuleSymbols symbols = {0};
	guint64 offset = find_function(program, "main.mix").offset;
	const ModuleSymbolsRequest request = {
	        .path = program, .with_code = TRUE, .are_addresses = TRUE, .offsets = &offset, .n_offsets = 1};
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	const SymbolFrame *frame = &g_array_index(symbols.frames, SymbolFrame, 0);
	assert_string_equal(frame->name, "main.mix");
	assert_int_equal(frame->line, 4);
	assert_int_equal(frame->last_line, 5);
	module_symbols_clear(&symbols);
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                every_address_of_a_c_program_has_the_lines_of_other_tools, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                every_address_of_a_cxx_program_has_the_lines_of_other_tools, set_up, tear_down),
	        cmocka_unit_test(a_go_function_is_declared_where_its_code_begins),
	        cmocka_unit_test_setup_teardown(lines_are_only_found_when_asked_for, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
