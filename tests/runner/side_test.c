#include "runner/side.h"

#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LINE "int main(void) { return 0; }\n"

/* A tree with a program without debug information. */
typedef struct {
	char *tree, *program;
} Built;

static int set_up(void **state)
{
	Built *built = g_new0(Built, 1);
	built->tree = new_folder();
	built->program = compile(built->tree, "gcc", "-O2 -g0", "bench.c", LINE, "bench");
	*state = built;
	return 0;
}

static int tear_down(void **state)
{
	Built *built = *state;
	remove_folder(built->tree);
	g_free(built->tree);
	g_free(built->program);
	g_free(built);
	return 0;
}

/* The text of the only finding about a command, "" if there is none. Owned by the caller. */
static char *inspect(const Built *built, const char *const *command)
{
	g_autoptr(FindingList) findings = finding_list_new();
	const Side side = {.name = "head", .tree_dir = built->tree};
	const ConfigBenchmark benchmark = {.name = (char *)"b", .command = (char **)command, .cwd = (char *)"."};
	side_inspect(&side, &benchmark, findings);
	return g_strdup(finding_count(findings) > 0 ? finding_get(findings, 0)->text : "");
}

static void a_program_without_debug_information_is_found_behind_any_command(void **state)
{
	static const char *const texts[] = {
	        "./bench", "./bench 3 >/dev/null", "  exec ./bench; true", "A=1 ./bench|cat"};
	const Built *built = *state;
	if (built->program == NULL) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	const char *const argv[] = {"./bench", "3", NULL};
	g_autofree char *of_list = inspect(built, argv);
	assert_true(g_str_has_prefix(of_list, "./bench of head has no debug information"));
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		const char *const shell[] = {"/bin/sh", "-c", texts[i], NULL};
		g_autofree char *of_text = inspect(built, shell);
		assert_string_equal(of_text, of_list);
	}
}

static void what_is_no_program_of_the_tree_is_not_looked_at(void **state)
{
	const Built *built = *state;
	g_autofree char *folder = g_path_get_basename(built->tree);
	g_autofree char *outside = g_strdup_printf("../%s-not/bench", folder);
	const char *const texts[] = {
	        "", "bench", "/bin/true", "./bench.c", "./gone", outside, "A=1", "../../../bin/true"};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		const char *const shell[] = {"/bin/sh", "-c", texts[i], NULL};
		g_autofree char *text = inspect(built, shell);
		assert_string_equal(text, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                a_program_without_debug_information_is_found_behind_any_command, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_program_of_the_tree_is_not_looked_at, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
