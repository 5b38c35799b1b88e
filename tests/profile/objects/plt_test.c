/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/plt.h"

#include "tests/profile/folderexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char program[] = "#include <stdlib.h>\n"
                              "#include <string.h>\n"
                              "#include <time.h>\n"
                              "int main(int argc, char **argv)\n"
                              "{ srand((unsigned)time(NULL)); char *copy = strdup(argv[argc - 1]);\n"
                              "  size_t n = strlen(copy) + strspn(copy, argv[0]) + (size_t)rand(); free(copy);\n"
                              "  return abs((int)n) > 3 ? atoi(argv[0]) : (int)strtol(argv[0], NULL, 8); }\n";

/* Compilers, and what disassembles what they make. Stubs of a file that protects its branches are longer. */
static const struct {
	const char *compiler, *options, *objdump;
	guint n_stubs;
} cases[] = {
        {"gcc", "-O1 -m64 -fno-builtin", "objdump", 8},
        {"gcc", "-O1 -m64 -fno-builtin -shared -fPIC -z lazy", "objdump", 8},
        {"gcc", "-O1 -m64 -fno-builtin -no-pie -fcf-protection=none -Wl,-z,lazy,-z,noibtplt", "objdump", 8},
        {"aarch64-linux-gnu-gcc", "-O1 -fno-builtin", "aarch64-linux-gnu-objdump", 8},
        {"aarch64-linux-gnu-gcc", "-O1 -fno-builtin -no-pie -mbranch-protection=standard -Wl,-z,force-bti",
                "aarch64-linux-gnu-objdump", 8},
        {"aarch64-linux-gnu-gcc", "-O1 -fno-builtin -shared -fPIC -Wl,-z,force-bti,-z,pac-plt",
                "aarch64-linux-gnu-objdump", 8},
};

static void assert_name(const ObjectFile *file, guint64 address, const char *expected)
{
	g_autofree char *name = plt_name(file, address);
	if (g_strcmp0(name, expected) != 0)
		print_error("%" G_GINT64_MODIFIER "x: %s, not %s\n", address, name, expected);
	assert_string_equal(name, expected);
}

/* Looks every instruction of the stubs up that objdump prints with a name: `0000000000000520 <rand@plt>:`, and in lines
 * after it ` 520:\tcode\tinstruction`. Returns how many stubs there were. */
static guint compare_with_objdump(const char *objdump, const char *path)
{
	ObjectFile file;
	guint n = 0;
	guint64 address;
	g_autofree char *name = NULL, *text = NULL;
	const char *const argv[] = {objdump, "-d", path, NULL};
	assert_true(run_command(argv, &text));
	assert_true(object_file_open(&file, path, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		const char *open = strstr(*line, " <"), *close = strstr(*line, "@plt>:");
		if (g_str_has_suffix(*line, ">:")) {
			g_clear_pointer(&name, g_free);
			if (open != NULL && close != NULL && open < close)
				name = g_strdup_printf("%.*s@plt", (int)(close - open - 2), open + 2);
			n += name != NULL;
		} else if (name != NULL && **line == ' ' &&
		           sscanf(*line, " %" G_GINT64_MODIFIER "x:\t", &address) == 1 &&
		           strstr(*line, "\tnop") == NULL) { /* nobody executes what fills up */
			assert_name(&file, address, name);
		}
	}
	object_file_close(&file);
	return n;
}

static void stubs_have_the_names_that_objdump_tells(void **state)
{
	const Example *e = *state;
	guint n_checked = 0;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path =
		        compile(e->folder, cases[i].compiler, cases[i].options, "example.c", program, "example");
		if (path == NULL || !have_program(cases[i].objdump))
			continue;
		print_message("%s %s\n", cases[i].compiler, cases[i].options);
		assert_true(compare_with_objdump(cases[i].objdump, path) >= cases[i].n_stubs);
		n_checked++;
	}
	if (n_checked == 0) {
		print_message("skipped: no working compiler\n");
		skip();
	}
}

static void what_is_no_stub_has_no_name(void **state)
{
	ObjectFile file;
	const Example *e = *state;
	g_autofree char *path = compile(e->folder, cases[0].compiler, "-O1", "example.c", program, "example");
	if (path == NULL) {
		print_message("skipped: no working compiler\n");
		skip();
	}
	Extent main_function = find_function(path, "main");
	assert_true(object_file_open(&file, path, NULL));
	assert_int_not_equal(main_function.offset, 0);
	assert_null(plt_name(&file, main_function.offset));
	assert_null(plt_name(&file, 0));
	assert_null(plt_name(&file, G_MAXUINT64));
	object_file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(stubs_have_the_names_that_objdump_tells, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_stub_has_no_name, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
