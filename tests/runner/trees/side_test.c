/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/side.h"

#include "core/error.h"
#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	side_inspect((const Side *const[]){&side}, 1, &benchmark, NULL, findings);
	return g_strdup(finding_count(findings) > 0 ? finding_get(findings, 0)->text : "");
}

static void a_program_without_debug_information_is_found_whatever_command_starts_it(void **state)
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

static void what_both_sides_lack_is_said_once(void **state)
{
	const Built *built = *state;
	if (built->program == NULL) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	g_autoptr(FindingList) findings = finding_list_new();
	const Side base = {.name = "base", .tree_dir = built->tree}, head = {.name = "head", .tree_dir = built->tree};
	char *command[] = {(char *)"./bench", NULL};
	const ConfigBenchmark benchmark = {.name = (char *)"b", .command = command, .cwd = (char *)"."};
	side_inspect((const Side *const[]){&base, &head}, 2, &benchmark, NULL, findings);
	assert_int_equal(finding_count(findings), 1);
	assert_true(
	        g_str_has_prefix(finding_get(findings, 0)->text, "./bench of base and head has no debug information"));
}

/* The text of the finding of that code, "" if there is none. Owned by the caller. */
static char *found_text(const FindingList *findings, const char *code)
{
	for (guint i = 0; i < finding_count(findings); i++)
		if (g_str_equal(finding_get(findings, i)->code, code))
			return g_strdup(finding_get(findings, i)->text);
	return g_strdup("");
}

static void other_options_on_one_side_are_told_first(void **state)
{
	const Built *built = *state;
	g_autofree char *other = new_folder();
	g_autofree char *base_program =
	        compile(built->tree, "gcc", "-g -O2 -fno-omit-frame-pointer", "b.c", LINE, "bench");
	g_autofree char *head_program = compile(other, "gcc", "-g -O3 -fomit-frame-pointer", "b.c", LINE, "bench");
	if (base_program == NULL || head_program == NULL) {
		remove_folder(other);
		print_message("skipped: no working gcc\n");
		skip();
	}
	g_autoptr(FindingList) findings = finding_list_new();
	const Side base = {.name = "base", .tree_dir = built->tree}, head = {.name = "head", .tree_dir = other};
	char *command[] = {(char *)"./bench", NULL};
	const ConfigBenchmark benchmark = {.name = (char *)"b", .command = command, .cwd = (char *)"."};
	ProgramFacts *facts[2] = {NULL, NULL};
	side_inspect((const Side *const[]){&base, &head}, 2, &benchmark, facts, findings);
	g_autofree char *bare = found_text(findings, "no_frame_pointers");
	assert_string_equal(finding_get(findings, 0)->code, "compilers_differ");
	assert_non_null(strstr(
	        finding_get(findings, 0)->text, "base: -O2 -fno-omit-frame-pointer; head: -O3 -fomit-frame-pointer"));
	assert_non_null(strstr(bare, "(head) are built without frame pointers, by GNU C17 "));
	assert_string_equal(facts[0]->file, "bench");
	assert_int_equal(facts[0]->units_without_frame_pointers, 0);
	assert_int_equal(facts[1]->units_without_frame_pointers, 1);
	program_facts_free(facts[0]);
	program_facts_free(facts[1]);
	remove_folder(other);
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

/* A history of the sample project, a campaign's folder, and what is told about the builds. */
typedef struct {
	char *folder, *campaign;
	Arena *arena;
	BuildCache *cache;
	Repo *repo;
	Choice choice;
	Config *config;
	FindingList *findings;
	GString *told;
} Builds;

static void tell(gpointer data, const char *text)
{
	g_string_append_printf(data, "%s\n", text);
}

static int set_up_builds(void **state)
{
	Builds *builds = g_new0(Builds, 1);
	const char *const text = "version: 1\nbuild: {command: make -j2 $MAKE_MORE}\n"
	                         "benchmarks: [{name: lexi, command: ./lexi 3, layouts: 2}]\n";
	builds->folder = new_folder();
	builds->campaign = g_build_filename(builds->folder, "campaign", NULL);
	builds->told = g_string_new(NULL);
	builds->findings = finding_list_new();
	builds->config = config_parse(text, strlen(text), "firebreak.yml", NULL);
	g_autofree char *repo = g_build_filename(builds->folder, "repo", NULL);
	const char *const history[] = {SOURCE_DIR "/tests/projects/sample/make_history.sh", repo, NULL};
	gboolean made = run_command(history, NULL) && g_mkdir(builds->campaign, 0700) == 0;
	builds->arena = made ? arena_new(builds->campaign, NULL, NULL) : NULL;
	builds->cache = made ? build_cache_open(builds->campaign, NULL) : NULL;
	builds->repo = made ? repo_open(repo, NULL) : NULL;
	*state = builds;
	return builds->repo != NULL && choose_head(builds->repo, "base", &builds->choice, NULL) ? 0 : -1;
}

static int tear_down_builds(void **state)
{
	Builds *builds = *state;
	choice_clear(&builds->choice);
	repo_free(builds->repo);
	config_free(builds->config);
	finding_list_free(builds->findings);
	g_string_free(builds->told, TRUE);
	remove_folder(builds->folder);
	g_free(builds->folder);
	g_free(builds->campaign);
	arena_free(builds->arena);
	build_cache_close(builds->cache);
	g_free(builds);
	return 0;
}

static SidePlan plan_of(Builds *builds, char *const *pass_env, guint layout)
{
	return (SidePlan){
	        .repo = builds->repo,
	        .config = builds->config,
	        .pass_env = pass_env,
	        .arena = builds->arena,
	        .cache = builds->cache,
	        .compiler = "",
	        .layout = layout,
	        .findings = builds->findings,
	        .progress = tell,
	        .progress_data = builds->told,
	};
}

static void prepare(Builds *builds, guint layout, Side *side)
{
	g_autoptr(GError) error = NULL;
	char *const pass_env[] = {(char *)"MAKE_MORE", NULL};
	const SidePlan plan = plan_of(builds, pass_env, layout);
	char *difference = NULL;
	if (!side_build(&plan, "base", &builds->choice, side, &error) || !side_copy(side, &difference, &error))
		fail_msg("%s", error->message);
	assert_null(difference);
}

/* TRUE, or the test is skipped. */
static void need_lld(void)
{
	g_autoptr(GError) error = NULL;
	if (side_can_shuffle(&error))
		return;
	print_message("skipped: %s\n", error->message);
	skip();
}

static char *run_lexi(const Side *side)
{
	char *output = NULL;
	g_autofree char *program = g_build_filename(side->tree_dir, "lexi", NULL);
	const char *const argv[] = {program, "3", NULL};
	assert_true(run_command(argv, &output));
	return output;
}

static void layouts_are_other_builds_of_one_program_that_do_the_same(void **state)
{
	Builds *builds = *state;
	Side sides[2];
	need_lld();
	for (guint i = 0; i < 2; i++)
		prepare(builds, i + 1, &sides[i]);
	assert_string_not_equal(sides[0].tree_dir, sides[1].tree_dir);
	assert_int_equal(strlen(sides[0].tree_dir), strlen(sides[1].tree_dir));
	assert_string_not_equal(sides[0].build_dir, sides[1].build_dir);
	assert_non_null(strstr(builds->told->str, ", layout 2: building\n"));
	g_autofree char *one = run_lexi(&sides[0]), *other = run_lexi(&sides[1]);
	assert_string_not_equal(one, "");
	assert_string_equal(one, other);
	side_check_layouts(sides, 2, config_benchmark(builds->config, "lexi"), builds->findings);
	assert_int_equal(finding_count(builds->findings), 0);
	for (guint i = 0; i < 2; i++)
		side_clear(&sides[i]);
}

/* Compiles the programs again with a compiler that is called by its path. */
static void layouts_that_the_build_ignores_are_found(void **state)
{
	Builds *builds = *state;
	Side sides[2];
	need_lld();
	g_setenv("MAKE_MORE", "CC=/usr/bin/cc CFLAGS=-O1", TRUE);
	for (guint i = 0; i < 2; i++)
		prepare(builds, i + 1, &sides[i]);
	g_unsetenv("MAKE_MORE");
	side_check_layouts(sides, 1, config_benchmark(builds->config, "lexi"), builds->findings);
	assert_int_equal(finding_count(builds->findings), 0);
	side_check_layouts(sides, 2, config_benchmark(builds->config, "lexi"), builds->findings);
	assert_int_equal(finding_count(builds->findings), 1);
	assert_string_equal(finding_get(builds->findings, 0)->code, "layouts_ignored");
	for (guint i = 0; i < 2; i++)
		side_clear(&sides[i]);
}

static void layouts_that_cannot_be_compared_are_said(void **state)
{
	const Built *built = *state;
	const Side sides[] = {{.name = "base", .tree_dir = built->tree, .layout = 1},
	        {.name = "base", .tree_dir = built->tree, .layout = 2}};
	const char *const command[] = {"python3", "bench.py", NULL};
	const ConfigBenchmark benchmark = {.name = (char *)"b", .command = (char **)command, .cwd = (char *)"."};
	g_autoptr(FindingList) findings = finding_list_new();
	side_check_layouts(sides, 2, &benchmark, findings);
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->code, "layouts_unchecked");
}

static void without_a_layout_the_build_is_asked_for_nothing(void **state)
{
	Builds *builds = *state;
	Side side;
	prepare(builds, 0, &side);
	assert_null(strstr(builds->told->str, "layout"));
	side_clear(&side);
}

static void the_path_of_a_tree_tells_no_side(void **state)
{
	Builds *builds = *state;
	Side sides[2];
	for (guint i = 0; i < 2; i++)
		prepare(builds, 0, &sides[i]);
	assert_string_not_equal(sides[0].tree_dir, sides[1].tree_dir);
	for (guint i = 0; i < 2; i++) {
		g_autofree char *name = g_path_get_basename(sides[i].tree_dir);
		g_autofree char *folder = g_path_get_dirname(sides[i].tree_dir);
		assert_string_equal(folder, arena_dir(builds->arena));
		assert_int_equal(strlen(name), ARENA_NAME_LENGTH);
		side_clear(&sides[i]);
	}
}

/* Writes over a file of a side's build in the cache, as a later build could. */
static void damage(const Side *side, const char *file)
{
	g_autofree char *path = g_build_filename(side->build_dir, file, NULL);
	assert_int_equal(g_chmod(side->build_dir, 0755), 0);
	assert_true(g_file_set_contents(path, "#!/bin/sh\n", -1, NULL));
}

static void a_build_that_was_written_to_is_found_and_made_anew(void **state)
{
	Builds *builds = *state;
	Side side;
	g_autoptr(GError) error = NULL;
	const SidePlan plan = plan_of(builds, NULL, 0);
	char *difference = NULL;
	assert_true(side_build(&plan, "base", &builds->choice, &side, &error));
	damage(&side, "lexi");
	assert_true(side_copy(&side, &difference, &error));
	assert_string_equal(difference, "lexi");
	g_clear_pointer(&difference, g_free);
	assert_true(side_rebuild(&plan, "base", &builds->choice, &side, &error));
	assert_true(side_copy(&side, &difference, &error));
	assert_null(difference);
	g_autofree char *output = run_lexi(&side);
	assert_string_not_equal(output, "");
	side_clear(&side);
}

static void a_copy_can_be_written_to_though_the_build_cannot(void **state)
{
	Side side;
	struct stat info;
	prepare(*state, 0, &side);
	g_autofree char *built = g_build_filename(side.build_dir, "lexi", NULL);
	g_autofree char *copied = g_build_filename(side.tree_dir, "lexi", NULL);
	assert_int_equal(stat(built, &info), 0);
	assert_int_equal(info.st_mode & 0222, 0);
	assert_int_equal(stat(copied, &info), 0);
	assert_int_equal(info.st_mode & 0200, 0200);
	side_clear(&side);
}

static void a_build_that_makes_a_link_out_of_its_tree_is_refused(void **state)
{
	static const char *const targets[] = {"../../..", "$(realpath ../../..)/builds/other", "/proc/self/cwd"};
	Builds *builds = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(targets); i++) {
		g_autoptr(GError) error = NULL;
		Side side;
		g_autofree char *command = g_strdup_printf("ln -s %s escape", targets[i]);
		g_free(builds->config->build_command[2]);
		builds->config->build_command[2] = g_steal_pointer(&command);
		const SidePlan plan = plan_of(builds, NULL, 0);
		assert_false(side_build(&plan, "base", &builds->choice, &side, &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_POLICY);
		assert_non_null(strstr(error->message, "base: the link escape -> "));
		side_clear(&side);
	}
}

static void without_the_linker_the_remedy_is_named(void **state)
{
	(void)state;
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	g_autoptr(GError) error = NULL;
	g_setenv("PATH", "/nonexistent", TRUE);
	gboolean can = side_can_shuffle(&error);
	g_setenv("PATH", path, TRUE);
	assert_false(can);
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_non_null(strstr(error->message, "install the package lld"));
}

#define WITH_BUILDS(name) cmocka_unit_test_setup_teardown(name, set_up_builds, tear_down_builds)

/* Lets this thread, even root's, read only what its permissions allow, or again everything. */
static void set_reads_everything(gboolean everything)
{
	const guint32 bits = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};
	assert_int_equal(syscall(SYS_capget, &header, data), 0);
	data[0].effective = everything ? data[0].effective | (data[0].permitted & bits) : data[0].effective & ~bits;
	assert_int_equal(syscall(SYS_capset, &header, data), 0);
}

/* Whoever is not root could neither seal nor copy it. */
static void what_a_build_leaves_unreadable_is_named_with_a_remedy(void **state)
{
	Builds *builds = *state;
	static const struct {
		const char *command, *told;
	} cases[] = {
	        {"mkdir -p out/private; touch out/private/x; chmod 000 out/private",
	                "base: its build leaves the folder out/private, which cannot be read (mode 0000); end the "
	                "build "
	                "command with chmod -R u+rX ."},
	        {"mkdir -p out/private; touch out/private/x; chmod 600 out/private",
	                "base: its build leaves the folder out/private, which cannot be read (mode 0600)"},
	        {"touch secret; chmod 000 secret", "base: its build leaves the file secret, which cannot be read"},
	        {"chmod 300 .", "base: its build leaves its own folder, which cannot be read (mode 0300)"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *const command[] = {"/bin/sh", "-c", cases[i].command, NULL};
		g_strfreev(builds->config->build_command);
		builds->config->build_command = g_strdupv((char **)command);
		const SidePlan plan = plan_of(builds, NULL, 0);
		g_autoptr(GError) error = NULL;
		Side side = {0};
		set_reads_everything(FALSE);
		gboolean ok = side_build(&plan, "base", &builds->choice, &side, &error);
		set_reads_everything(TRUE);
		assert_false(ok);
		assert_int_equal(error->code, FIREBREAK_ERROR_BUILD);
		assert_true(g_str_has_prefix(error->message, cases[i].told));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(
	                a_program_without_debug_information_is_found_whatever_command_starts_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_both_sides_lack_is_said_once, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(other_options_on_one_side_are_told_first, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_program_of_the_tree_is_not_looked_at, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(layouts_that_cannot_be_compared_are_said, set_up, tear_down),
	        WITH_BUILDS(layouts_are_other_builds_of_one_program_that_do_the_same),
	        WITH_BUILDS(layouts_that_the_build_ignores_are_found),
	        WITH_BUILDS(a_build_that_was_written_to_is_found_and_made_anew),
	        WITH_BUILDS(a_copy_can_be_written_to_though_the_build_cannot),
	        WITH_BUILDS(a_build_that_makes_a_link_out_of_its_tree_is_refused),
	        WITH_BUILDS(what_a_build_leaves_unreadable_is_named_with_a_remedy),
	        WITH_BUILDS(the_path_of_a_tree_tells_no_side),
	        WITH_BUILDS(without_a_layout_the_build_is_asked_for_nothing),
	        cmocka_unit_test(without_the_linker_the_remedy_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
