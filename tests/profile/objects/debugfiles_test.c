/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/debugfiles.h"

#include "tests/profile/chains.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char source[] =
        "struct pair { int left, right; struct pair *next; };\n"
        "struct list { struct pair *first; unsigned long n; char name[24]; };\n"
        "volatile unsigned long sink;\n"
        "static inline __attribute__((always_inline)) void inner(unsigned long n, struct list *l)\n"
        "{ for (unsigned long i = 0; i < n; i++) sink += i * n + l->n; }\n"
        "__attribute__((noinline, noipa)) static void hidden(unsigned long n, struct list *l) { inner(n, l); sink++; "
        "}\n"
        "int main(int argc, char **argv) { struct list l = {0, 3, \"x\"}; (void)argv; hidden(argc, &l); return 0; }\n";

/* A program without symbols and debug information, the file that has them, and where `hidden` is. */
typedef struct {
	char *folder, *program, *debug, *home;
	Extent hidden;
	guint8 build_id[20];
	char *place; /* of the build-id: "ab/cdef..." */
} Example;

static char *path_in(const char *folder, const char *rest)
{
	return g_build_filename(folder, rest, NULL);
}

static gboolean run(const char *first, ...)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	va_list rest;
	va_start(rest, first);
	for (const char *word = first; word != NULL; word = va_arg(rest, const char *))
		g_ptr_array_add(argv, (gpointer)word);
	va_end(rest);
	g_ptr_array_add(argv, NULL);
	return run_command((const char *const *)argv->pdata, NULL);
}

/* Reads the build-id with readelf, which knows nothing of our code. */
static void read_build_id(Example *e)
{
	g_autofree char *notes = NULL;
	const char *const argv[] = {"readelf", "-n", e->program, NULL};
	char *at = run_command(argv, &notes) ? strstr(notes, "Build ID: ") : NULL;
	assert_non_null(at);
	at += strlen("Build ID: ");
	for (guint i = 0; i < 20; i++)
		e->build_id[i] = (guint8)(g_ascii_xdigit_value(at[2 * i]) * 16 + g_ascii_xdigit_value(at[2 * i + 1]));
	e->place = g_strdup_printf("%.2s/%.38s", at, at + 2);
}

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->folder = new_folder();
	e->home = path_in(e->folder, "home");
	e->debug = path_in(e->folder, "program.full");
	e->program = compile(e->folder, "gcc", "-g -O2 -Wl,--build-id=sha1", "example.c", source, "program");
	g_setenv("HOME", e->home, TRUE);
	if (e->program != NULL) {
		e->hidden = find_function(e->program, "hidden");
		read_build_id(e);
		assert_true(run("objcopy", "--only-keep-debug", e->program, e->debug, NULL));
		assert_true(run("strip", e->program, NULL));
	}
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	remove_folder(e->folder);
	g_free(e->folder);
	g_free(e->home);
	g_free(e->program);
	g_free(e->debug);
	g_free(e->place);
	g_free(e);
	return 0;
}

static Example *example_or_skip(void **state)
{
	Example *e = *state;
	if (e->program == NULL || e->hidden.size == 0) {
		print_message("skipped: no working gcc with build-ids\n");
		skip();
	}
	return e;
}

static void skip_without(const char *program)
{
	if (!have_program(program)) {
		print_message("skipped: no %s here\n", program);
		skip();
	}
}

/* Copies a file to folder/rest, with the folders in between. */
static void put(const char *from, const char *folder, const char *rest)
{
	g_autofree char *to = path_in(folder, rest);
	g_autofree char *parent = g_path_get_dirname(to);
	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	assert_true(run("cp", from, to, NULL));
}

static void put_by_build_id(const Example *e, const char *from, const char *tree, const char *suffix)
{
	g_autofree char *rest = g_strdup_printf("%s/.build-id/%s%s", tree, e->place, suffix);
	put(from, e->folder, rest);
}

static gboolean is_named(const Example *e, const char *symfs)
{
	const ModuleSymbolsRequest request = {
	        .path = e->program, .build_id = e->build_id, .build_id_length = 20, .symfs = symfs};
	return finds_chain(&request, e->hidden, "hidden>inner");
}

static void add_link(const Example *e)
{
	g_autofree char *named = path_in(e->folder, "program.debug");
	g_autofree char *option = g_strdup_printf("--add-gnu-debuglink=%s", named);
	assert_true(run("cp", e->debug, named, NULL) && run("objcopy", option, e->program, NULL));
	assert_int_equal(g_remove(named), 0);
}

static void without_its_debug_file_a_program_has_no_names(void **state)
{
	const Example *e = example_or_skip(state);
	assert_false(is_named(e, NULL));
}

static void a_debug_link_is_followed_to_the_usual_folders(void **state)
{
	static const char *const places[] = {"program.debug", ".debug/program.debug"};
	const Example *e = example_or_skip(state);
	add_link(e);
	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *path = path_in(e->folder, places[i]);
		assert_false(is_named(e, NULL));
		put(e->debug, e->folder, places[i]);
		assert_true(is_named(e, NULL));
		assert_int_equal(g_remove(path), 0);
	}
}

static void a_debug_link_is_followed_below_the_symfs(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *symfs = path_in(e->folder, "sysroot");
	g_autofree char *rest = g_strconcat("sysroot/usr/lib/debug", e->folder, "/program.debug", NULL);
	add_link(e);
	put(e->debug, e->folder, rest);
	assert_false(is_named(e, NULL));
	assert_true(is_named(e, symfs));
}

static void a_debug_file_is_found_by_build_id_below_the_symfs(void **state)
{
	static const char *const trees[] = {"sysroot/usr/lib/debug", "sysroot"};
	for (guint i = 0; i < G_N_ELEMENTS(trees); i++) {
		const Example *e = example_or_skip(state);
		g_autofree char *symfs = path_in(e->folder, "sysroot");
		put_by_build_id(e, e->debug, trees[i], ".debug");
		assert_true(is_named(e, symfs));
		remove_folder(symfs);
		assert_false(is_named(e, symfs));
	}
}

static void a_debug_file_is_found_in_the_cache_of_perf(void **state)
{
	const Example *e = example_or_skip(state);
	put_by_build_id(e, e->debug, "home/.debug", "/debug");
	assert_true(is_named(e, NULL));
}

static void a_debug_file_of_another_build_is_not_used(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *other = compile(e->folder, "gcc", "-g -O1", "other.c", source, "other");
	put_by_build_id(e, other, "home/.debug", "/debug");
	assert_false(is_named(e, NULL));
}

static void a_program_that_is_gone_or_rebuilt_is_found_elsewhere(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *kept = path_in(e->folder, "kept");
	put_by_build_id(e, e->debug, "home/.debug", "/debug");
	assert_true(run("mv", e->program, kept, NULL));
	assert_false(is_named(e, NULL));
	put_by_build_id(e, kept, "home/.debug", "/elf");
	assert_true(is_named(e, NULL));
	g_autofree char *rebuilt = compile(e->folder, "gcc", "-g -O1", "other.c", source, "program");
	assert_non_null(rebuilt);
	assert_true(is_named(e, NULL));
}

static void a_program_is_looked_for_below_the_symfs_first(void **state)
{
	const Example *e = example_or_skip(state);
	g_autofree char *symfs = path_in(e->folder, "sysroot");
	g_autofree char *rest = g_strconcat("sysroot", e->program, NULL);
	put_by_build_id(e, e->debug, "home/.debug", "/debug");
	put(e->program, e->folder, rest);
	assert_int_equal(g_remove(e->program), 0);
	assert_false(is_named(e, NULL));
	assert_true(is_named(e, symfs));
}

static void compressed_symbols_in_the_program_name_functions(void **state)
{
	const Example *e = example_or_skip(state);
	skip_without("xz");
	g_autofree char *symbols = path_in(e->folder, "symbols");
	g_autofree char *packed = path_in(e->folder, "symbols.xz");
	g_autofree char *option = g_strdup_printf(".gnu_debugdata=%s", packed);
	const ModuleSymbolsRequest request = {.path = e->program};
	assert_true(run("objcopy", "-S", "--strip-debug", "--remove-section", ".gnu_debuglink", "--keep-symbol=hidden",
	        "--keep-symbol=main", e->debug, symbols, NULL));
	assert_true(run("xz", "-f", symbols, NULL));
	assert_false(finds_chain(&request, e->hidden, "hidden"));
	assert_true(run("objcopy", "--add-section", option, e->program, NULL));
	assert_true(finds_chain(&request, e->hidden, "hidden"));
}

/* Moves what the debug files of two builds share to the file `shared`, which they name `name`. */
static void share_debug_info(const Example *e, const char *debug, const char *name)
{
	g_autofree char *other = compile(e->folder, "gcc", "-g -O2 -DOTHER", "other.c", source, "other");
	g_autofree char *shared = path_in(e->folder, "shared");
	assert_non_null(other);
	if (!run("dwz", "-m", shared, "-M", name, debug, other, NULL)) {
		print_message("skipped: this dwz cannot read these files\n");
		skip();
	}
	assert_true(g_file_test(shared, G_FILE_TEST_EXISTS));
}

static char *debug_file_of_dwz(const Example *e)
{
	g_autofree char *rest = g_strdup_printf("home/.debug/.build-id/%s/debug", e->place);
	put(e->debug, e->folder, rest);
	return path_in(e->folder, rest);
}

static void shared_debug_information_is_found_at_its_absolute_path(void **state)
{
	const Example *e = example_or_skip(state);
	skip_without("dwz");
	g_autofree char *debug = debug_file_of_dwz(e);
	g_autofree char *name = path_in(e->folder, "moved");
	g_autofree char *shared = path_in(e->folder, "shared");
	share_debug_info(e, debug, name);
	assert_false(is_named(e, NULL));
	assert_true(run("mv", shared, name, NULL));
	assert_true(is_named(e, NULL));
}

static void shared_debug_information_is_found_beside_the_debug_file(void **state)
{
	const Example *e = example_or_skip(state);
	skip_without("dwz");
	g_autofree char *debug = debug_file_of_dwz(e);
	g_autofree char *folder = g_path_get_dirname(debug);
	g_autofree char *name = path_in(folder, "near");
	g_autofree char *shared = path_in(e->folder, "shared");
	share_debug_info(e, debug, "near");
	assert_false(is_named(e, NULL));
	assert_true(run("mv", shared, name, NULL));
	assert_true(is_named(e, NULL));
}

static void shared_debug_information_is_found_by_build_id(void **state)
{
	const Example *e = example_or_skip(state);
	skip_without("dwz");
	Example dwz = *e;
	g_autofree char *debug = debug_file_of_dwz(e);
	g_autofree char *symfs = path_in(e->folder, "sysroot");
	share_debug_info(e, debug, "/nowhere/at/all");
	dwz.program = path_in(e->folder, "shared");
	read_build_id(&dwz);
	assert_false(is_named(e, symfs));
	put_by_build_id(&dwz, dwz.program, "sysroot/usr/lib/debug", ".debug");
	assert_true(is_named(e, symfs));
	g_free(dwz.program);
	g_free(dwz.place);
}

/* Compiles with the functions' entries in folder/unit.dwo. */
static gboolean compile_split(const Example *e, const char *version)
{
	g_autofree char *script = g_strdup_printf("cd '%s' && gcc -g -O2 %s -gsplit-dwarf -c -o unit.o example.c && "
	                                          "gcc -o split unit.o && test -f unit.dwo",
	        e->folder, version);
	return run("sh", "-c", script, NULL);
}

static void split_debug_information_is_found_in_its_two_places(void **state)
{
	static const char *const versions[] = {"-gdwarf-4", "-gdwarf-5"};
	const Example *e = example_or_skip(state);
	for (guint i = 0; i < G_N_ELEMENTS(versions); i++) {
		if (!compile_split(e, versions[i])) {
			print_message("skipped: no split debug information here\n");
			skip();
		}
		g_autofree char *program = path_in(e->folder, "split");
		g_autofree char *dwo = path_in(e->folder, "unit.dwo");
		const ModuleSymbolsRequest where_compiled = {.path = program};
		Extent extent = find_function(program, "hidden");
		assert_true(finds_chain(&where_compiled, extent, "hidden>inner"));
		put(program, e->folder, "away/split");
		put(dwo, e->folder, "away/unit.dwo");
		assert_int_equal(g_remove(dwo), 0);
		assert_false(finds_chain(&where_compiled, extent, "hidden>inner"));
		g_autofree char *moved = path_in(e->folder, "away/split");
		const ModuleSymbolsRequest beside = {.path = moved};
		assert_true(finds_chain(&beside, extent, "hidden>inner"));
	}
}

static void split_debug_information_that_is_missing_leaves_symbols_and_a_note(void **state)
{
	const Example *e = example_or_skip(state);
	if (!compile_split(e, "-gdwarf-5")) {
		print_message("skipped: no split debug information here\n");
		skip();
	}
	ModuleSymbols symbols = {0};
	g_autofree char *program = path_in(e->folder, "split");
	g_autofree char *dwo = path_in(e->folder, "unit.dwo");
	g_autofree char *package = path_in(e->folder, "split.dwp");
	Extent extent = find_function(program, "hidden");
	g_autofree guint64 *offsets = offsets_of(extent);
	const ModuleSymbolsRequest request = {.path = program, .offsets = offsets, .n_offsets = (guint)extent.size};
	if (have_program("dwp"))
		run("dwp", "-e", program, "-o", package, NULL);
	assert_int_equal(g_remove(dwo), 0);
	assert_true(module_symbols_resolve(&symbols, &request, NULL));
	assert_true(has_chain(&symbols, "hidden"));
	assert_false(symbols.has_debug_info);
	assert_non_null(strstr(symbols.note, "split debug information cannot be read"));
	module_symbols_clear(&symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(without_its_debug_file_a_program_has_no_names, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_debug_link_is_followed_to_the_usual_folders, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_debug_link_is_followed_below_the_symfs, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_debug_file_is_found_by_build_id_below_the_symfs, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_debug_file_is_found_in_the_cache_of_perf, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_debug_file_of_another_build_is_not_used, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                a_program_that_is_gone_or_rebuilt_is_found_elsewhere, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_program_is_looked_for_below_the_symfs_first, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(compressed_symbols_in_the_program_name_functions, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                shared_debug_information_is_found_at_its_absolute_path, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                shared_debug_information_is_found_beside_the_debug_file, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(shared_debug_information_is_found_by_build_id, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(split_debug_information_is_found_in_its_two_places, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                split_debug_information_that_is_missing_leaves_symbols_and_a_note, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
